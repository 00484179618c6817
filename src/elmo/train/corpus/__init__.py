"""From raw text to batches for pretraining."""
