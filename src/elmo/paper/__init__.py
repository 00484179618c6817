"""The tables and figures of Peters et al. (2018), and the analyses behind them."""
