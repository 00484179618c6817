"""Nearest-neighbor search over the words of a text, each in its own context."""
