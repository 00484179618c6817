"""The tables and figures of Peters et al. (2018)."""
