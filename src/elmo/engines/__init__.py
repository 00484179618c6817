"""The biLM computed fast: one protocol, one place that chooses, and an engine for each kind of device."""
