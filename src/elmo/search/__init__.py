"""Nearest uses of a word among all the words of a corpus."""
