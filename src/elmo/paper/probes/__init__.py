"""What the layers of a model know, measured without training a task model."""
