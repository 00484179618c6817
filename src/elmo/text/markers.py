"""The special words that every model, corpus and vocabulary shares."""

BEGIN_SENTENCE = "<S>"
"""Read before the first word of every sentence."""
END_SENTENCE = "</S>"
"""Read after the last word of every sentence."""
UNKNOWN = "<UNK>"
"""Stands for every word outside a vocabulary."""
