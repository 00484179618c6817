"""Strings to words to integer ids. Nothing here imports torch, so worker processes start quickly."""
