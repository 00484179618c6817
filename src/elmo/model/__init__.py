"""The bidirectional language model and the mixing of its layers."""
