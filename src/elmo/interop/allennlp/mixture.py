"""The mixture of layers, as AllenNLP computes it."""

from collections.abc import Sequence
from typing import Any

import torch
from torch import Tensor, nn

from elmo.config import MAX_LAYERS
from elmo.model.autocast import without_autocast
from elmo.validation import checked_count, checked_flag, checked_list, checked_number


class LayerMixture(nn.Module):
    """``gamma * sum_j s_j h_j``, with AllenNLP's parameter names. AllenNLP calls it ``ScalarMix``.

    Args:
        mixture_size: Number of layers.
        do_layer_norm: Normalize each layer over the whole batch first, boundaries included. The vectors of a sentence
            then depend on the other sentences of its batch; ``elmo.ScalarMix(layer_norm=True)`` does not have this
            problem.
        initial_scalar_parameters: The weights before the softmax, by default zeros.
        trainable: Whether the weights and gamma are trained.
        device: Where the parameters are; by default torch's default device.
    """

    def __init__(
        self,
        mixture_size: int,
        do_layer_norm: bool = False,
        initial_scalar_parameters: Sequence[float] | None = None,
        trainable: bool = True,
        *,
        device: torch.device | None = None,
    ) -> None:
        super().__init__()
        self.mixture_size = checked_count("mixture_size", mixture_size, maximum=MAX_LAYERS)
        self.do_layer_norm = checked_flag("do_layer_norm", do_layer_norm)
        trainable = checked_flag("trainable", trainable)
        initial: list[Any] = [0.0] * self.mixture_size
        if initial_scalar_parameters is not None:
            initial = checked_list("the layer weights", initial_scalar_parameters)
        if len(initial) != self.mixture_size:
            raise ValueError(f"there must be {self.mixture_size} numbers for the layers, not {len(initial)}")
        options: Any = {"dtype": torch.float32, "device": device}
        self.scalar_parameters = nn.ParameterList(
            nn.Parameter(torch.full((1,), checked_number("a layer weight", value), **options), trainable)
            for value in initial
        )
        self.gamma = nn.Parameter(torch.ones(1, **options), trainable)

    def forward(self, tensors: Sequence[Tensor] | Tensor, mask: Tensor | None = None) -> Tensor:
        """Mix ``mixture_size`` tensors (B, T, D) into one; the mask (B, T) is needed to normalize them."""
        tensors = list(tensors) if isinstance(tensors, Tensor) else checked_list("tensors", tensors)
        if len(tensors) != self.mixture_size:
            raise ValueError(f"expected {self.mixture_size} layers, not {len(tensors)}")
        layers = torch.stack(tuple(tensors))
        with without_autocast(layers.device):
            layers = layers.to(torch.promote_types(layers.dtype, self.gamma.dtype))
            if self.do_layer_norm:
                if not isinstance(mask, Tensor) or mask.shape != layers.shape[1:-1] or mask.is_complex():
                    raise ValueError(f"do_layer_norm needs a mask of shape {tuple(layers.shape[1:-1])}")
                layers = _normalize_over_batch(layers, mask > 0)
            weights = torch.cat(tuple(self.scalar_parameters)).softmax(0, layers.dtype)
            return self.gamma * torch.tensordot(weights, layers, dims=1)


def _normalize_over_batch(layers: Tensor, mask: Tensor) -> Tensor:
    """Normalize each layer of (L+1, B, T, D) to mean 0 and variance 1 over all positions that are not padding."""
    real = layers[:, mask].flatten(1)  # (L+1, positions * D)
    mean = real.mean(1)[:, None, None, None]
    variance = real.var(1, correction=0)[:, None, None, None]
    return (layers - mean) / torch.sqrt(variance + 1e-13)
