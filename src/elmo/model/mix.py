"""The learned mixture of a word's layers: ``gamma * sum_j s_j h_j`` with ``s = softmax(w)``."""

import torch
from torch import Tensor, nn


class ScalarMix(nn.Module):
    """Mix ``n_layers`` representations into one.

    ``w`` starts at zero (equal weights) and ``gamma`` at one. With a single layer only ``gamma`` is learned.

    Args:
        n_layers: Number of representations.
        layer_norm: First normalize every token's vector in every layer to mean 0 and variance 1, without learned
            scales. Each token is normalized on its own, so a sentence's result does not depend on its batch.
    """

    def __init__(self, n_layers: int, layer_norm: bool = False) -> None:
        super().__init__()
        if n_layers < 1:
            raise ValueError(f"n_layers must be at least 1, not {n_layers}")
        self.n_layers = n_layers
        self.layer_norm = layer_norm
        self.weights = nn.Parameter(torch.zeros(n_layers)) if n_layers > 1 else None
        self.gamma = nn.Parameter(torch.ones(()))

    @property
    def layer_weights(self) -> Tensor:
        """The normalized weights s_j, which are positive and sum to one, (n_layers,)."""
        return torch.ones_like(self.gamma)[None] if self.weights is None else self.weights.softmax(0)

    def forward(self, layers: Tensor) -> Tensor:
        """Mix (n_layers, ..., D) into (..., D)."""
        if layers.shape[0] != self.n_layers:
            raise ValueError(f"expected {self.n_layers} layers, not {layers.shape[0]}")
        if self.layer_norm:
            layers = nn.functional.layer_norm(layers, layers.shape[-1:])
        return self.gamma * torch.tensordot(self.layer_weights, layers, dims=1)

    def penalty(self, strength: float) -> Tensor:
        """Return ``strength * sum(w^2)``, which draws the weights together; ``gamma`` is not penalized."""
        return self.gamma.new_zeros(()) if self.weights is None else strength * self.weights.square().sum()
