"""Analyses of what the vectors of each layer encode; no task model is trained."""
