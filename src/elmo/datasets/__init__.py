"""Readers of datasets, one module per format.

A reader takes a path and returns examples. It raises a ``ValueError`` that names the file, the line and the problem
(``FILE, line N: problem``). All files may be compressed (.gz, .xz, .bz2, .zst).
"""
