"""Muon (Jordan et al., 2024): an optimizer for weight matrices that makes every update orthogonal.

The update of a matrix is its averaged gradient with all singular values set to about one, so that rare directions are
learned as fast as frequent ones. Only the weight matrices of the LSTM are trained this way, everything else with Adam.
``torch.optim.Muon`` takes one two-dimensional parameter at a time. Ours contain several matrices each, and
orthogonalizing all of equal shape together is faster.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import torch
from torch import Tensor, nn

from elmo.engines.devices import multiplies_bfloat16
from elmo.model.lstm import LSTMLayer

MOMENTUM = 0.95
COEFFICIENTS = (3.4445, -4.7750, 2.0315)
"""Of the polynomial a x + b x^3 + c x^5, which moves singular values from (0, 1] towards 1 (Jordan et al., 2024)."""
ITERATIONS = 5
UPDATE_SCALE = 0.2
"""Root mean square of an update, about that of Adam, so that both share a learning rate (Liu et al., 2025)."""


class Muon(torch.optim.Adam):
    """Muon for the LSTM weights of a module, Adam for all other parameters.

    Args:
        groups: The parameters to optimize, in groups as other optimizers take them.
        module: The module that they belong to.
        lr: The learning rate of both.
        fused: Whether Adam uses its fused kernel.
    """

    def __init__(
        self, groups: Sequence[Mapping[str, Any]], module: nn.Module, lr: float, *, fused: bool = False
    ) -> None:
        blocks = dict(_matrices(module))
        matrices: list[dict[str, Any]] = []
        others: list[dict[str, Any]] = []
        for group in groups:
            matrices += [{**group, "params": [p], "block": blocks[p]} for p in group["params"] if p in blocks]
            others.append({**group, "params": [p for p in group["params"] if p not in blocks], "block": None})
        super().__init__([*matrices, *others], lr=lr, fused=fused)

    @torch.no_grad()
    def step(self, closure: Callable[[], Any] | None = None) -> None:  # type: ignore[override]
        """Update all parameters once."""
        groups = self.param_groups
        self.param_groups = [group for group in groups if group["block"] is None]
        try:
            super().step(closure)
        finally:
            self.param_groups = groups
        matrices = [group for group in groups if group["block"] is not None]
        shapes = dict.fromkeys(_wide(group["block"]) for group in matrices)
        for shape in shapes:
            alike = [group for group in matrices if _wide(group["block"]) == shape]
            self._update(alike)

    def _update(self, groups: Sequence[dict[str, Any]]) -> None:
        """Update parameters whose blocks have the same shape, apart from transposition."""
        gradients = []
        for group in groups:
            (parameter,) = group["params"]
            if parameter.grad is None:
                raise RuntimeError("every weight matrix needs a gradient")
            state = self.state[parameter]
            if not state:
                state["step"] = torch.zeros(())  # Adam expects it in every state that it loads
                state["momentum_buffer"] = torch.zeros_like(parameter)
            state["step"] += 1
            average = state["momentum_buffer"].lerp_(parameter.grad, 1 - MOMENTUM)
            ahead = parameter.grad.lerp(average, MOMENTUM)  # Nesterov's momentum
            gradients.append(_split(ahead, group["block"]))  # (n, rows, columns), rows <= columns
        updates = orthogonalized(torch.cat(gradients)).split([len(blocks) for blocks in gradients])
        for group, update in zip(groups, updates, strict=True):
            (parameter,) = group["params"]
            size = UPDATE_SCALE * max(group["block"]) ** 0.5
            parameter.sub_(_join(update, parameter.shape, group["block"]), alpha=group["lr"] * size)


def orthogonalized(matrices: Tensor) -> Tensor:
    """Set all singular values of matrices (n, rows, columns) to about one, by Newton-Schulz iterations.

    Rows must not be more than columns. Bfloat16 is exact enough for an update, and is used where it is faster.
    """
    a, b, c = COEFFICIENTS
    x = matrices.to(torch.bfloat16 if multiplies_bfloat16(matrices.device) else torch.float32)
    x = x / (torch.linalg.vector_norm(x, dim=(1, 2), keepdim=True) + 1e-7)  # so that all singular values are below 1
    for _ in range(ITERATIONS):
        gram = x @ x.mT
        x = torch.baddbmm(x, torch.baddbmm(gram, gram, gram, beta=b, alpha=c), x, beta=a)
    return x.to(matrices.dtype)


def _matrices(module: nn.Module) -> Iterator[tuple[nn.Parameter, tuple[int, int]]]:
    """Yield the parameters that consist of weight matrices, with the shape of one.

    The weight of an LSTM layer has a matrix for each direction, input or state, and gate.
    """
    for layer in module.modules():
        if isinstance(layer, LSTMLayer):
            width, dim = layer.config.output_dim, layer.config.dim
            yield layer.weight, (width, dim)
            if layer.projection is not None:
                yield layer.projection, (dim, width)


def _wide(shape: tuple[int, int]) -> tuple[int, int]:
    rows, columns = sorted(shape)
    return rows, columns


def _split(stacked: Tensor, block: tuple[int, int]) -> Tensor:
    """Cut (2, R * rows, C * columns) into blocks (2 * R * C, rows, columns), transposed if rows exceed columns."""
    rows, columns = block
    blocks = stacked.unflatten(1, (-1, rows)).unflatten(3, (-1, columns)).transpose(2, 3).flatten(0, 2)
    return blocks.mT if rows > columns else blocks


def _join(blocks: Tensor, shape: torch.Size, block: tuple[int, int]) -> Tensor:
    """Undo ``_split``."""
    rows, columns = block
    if rows > columns:
        blocks = blocks.mT
    return blocks.reshape(2, shape[1] // rows, shape[2] // columns, rows, columns).transpose(2, 3).reshape(shape)
