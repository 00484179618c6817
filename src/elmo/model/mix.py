"""The learned mixture of a word's layers: ``gamma * sum_j s_j h_j`` with ``s = softmax(w)``."""

import torch
from torch import Tensor, nn

from elmo.config import MAX_LAYERS
from elmo.model.autocast import without_autocast
from elmo.validation import checked_count, checked_flag, checked_number, kind


class ScalarMix(nn.Module):
    """Mix ``n_layers`` representations into one.

    ``w`` starts at zero (equal weights) and ``gamma`` at one. With a single layer only ``gamma`` is learned.

    Args:
        n_layers: Number of representations.
        layer_norm: First normalize every token's vector in every layer to mean 0 and variance 1, without learned
            scales. Each token is normalized on its own, so a sentence's result does not depend on its batch.
        device: Where the weights are; by default torch's default device.
    """

    def __init__(self, n_layers: int, layer_norm: bool = False, device: torch.device | str | None = None) -> None:
        super().__init__()
        self.n_layers = n_layers = checked_count("n_layers", n_layers, maximum=MAX_LAYERS)
        self.layer_norm = checked_flag("layer_norm", layer_norm)
        self.weights = nn.Parameter(torch.zeros(n_layers, device=device)) if n_layers > 1 else None
        self.gamma = nn.Parameter(torch.ones((), device=device))

    @property
    def layer_weights(self) -> Tensor:
        """The normalized weights s_j, which are positive and sum to one, (n_layers,)."""
        return self._normalized(self.gamma.dtype)

    def _normalized(self, dtype: torch.dtype) -> Tensor:
        return self.gamma.new_ones(1, dtype=dtype) if self.weights is None else self.weights.softmax(0, dtype)

    def forward(self, layers: Tensor) -> Tensor:
        """Mix (n_layers, ..., D) into (..., D), in the finer one of the types of the layers and of the weights."""
        if not isinstance(layers, Tensor) or layers.dim() < 2 or not layers.is_floating_point():
            raise ValueError(
                f"expected a tensor ({self.n_layers}, ..., D) of floating-point numbers, not {kind(layers)}"
            )
        if layers.shape[0] != self.n_layers:
            raise ValueError(f"expected {self.n_layers} layers, not {layers.shape[0]}")
        with without_autocast(layers.device):
            return self._mixed(layers.to(torch.promote_types(layers.dtype, self.gamma.dtype)))

    def _mixed(self, layers: Tensor) -> Tensor:
        if self.layer_norm:
            layers = nn.functional.layer_norm(layers, layers.shape[-1:])
        return self.gamma * torch.tensordot(self._normalized(layers.dtype), layers, dims=1)

    def penalty(self, strength: float) -> Tensor:
        """Return ``strength * sum(w^2)``, which draws the weights together; ``gamma`` is not penalized."""
        strength = checked_number("strength", strength)
        return self.gamma.new_zeros(()) if self.weights is None else strength * self.weights.square().sum()
