"""Pretraining, fine-tuning and everything that trains."""
