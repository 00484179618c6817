"""Readers of data sets, one module per format."""
