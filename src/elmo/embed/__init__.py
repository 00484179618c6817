"""From sentences to vectors, in memory and in files."""
