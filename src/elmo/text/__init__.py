"""Raw text to sentences, words, ids and batches."""
