"""Adapters that make models available in other libraries."""
