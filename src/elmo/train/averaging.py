"""The moving average of a model's weights, which generalizes better than the weights of the last step."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager

import torch
from torch import Tensor, nn
from torch.optim.swa_utils import get_ema_multi_avg_fn

WARMUP = 10
"""After n steps, at most the last n / WARMUP or so count, so that the initial weights are forgotten quickly."""


class MovingAverage:
    """An exponential moving average of the parameters that are trained. Frozen parameters and buffers have none.

    After every step: ``average += (1 - d) * (weights - average)``, where d is the smaller one of ``decay`` and
    ``(1 + step) / (10 + step)``.

    Args:
        module: The module in training. The average starts with its weights as they are.
        decay: The largest d.
    """

    def __init__(self, module: nn.Module, decay: float) -> None:
        self.decay = decay
        self._weights = {name: tensor for name, tensor in module.named_parameters() if tensor.requires_grad}
        self._averages = {name: tensor.detach().clone() for name, tensor in self._weights.items()}

    def update(self, step: int) -> None:
        """Add the weights after a step; the first step is number 1."""
        decay = min(self.decay, (1 + step) / (WARMUP + step))
        get_ema_multi_avg_fn(decay)(self._tensors(self._averages), self._tensors(self._weights), step)

    @contextmanager
    def applied(self) -> Iterator[None]:
        """Within the block, the module has the averaged weights."""
        weights = [tensor.detach().clone() for tensor in self._weights.values()]
        self.apply()
        try:
            yield
        finally:
            _copy(self._tensors(self._weights), weights)

    def apply(self) -> None:
        """Replace the weights of the module by their averages."""
        # By value: an RNN on a GPU needs its weights to stay where they are, in one piece.
        _copy(self._tensors(self._weights), self._tensors(self._averages))

    def state_dict(self) -> dict[str, Tensor]:
        """Return the averages by the names of the parameters."""
        return dict(self._averages)

    def load_state_dict(self, averages: Mapping[str, Tensor]) -> None:
        """Continue from averages that ``state_dict`` returned.

        Raises:
            ValueError: If they do not fit the parameters.
        """
        shapes = {name: tensor.shape for name, tensor in self._averages.items()}
        if shapes != {name: tensor.shape for name, tensor in averages.items()}:
            raise ValueError("the averages are not those of the parameters that are trained")
        _copy(self._tensors(self._averages), [averages[name] for name in self._averages])

    @staticmethod
    def _tensors(named: Mapping[str, Tensor]) -> list[Tensor]:
        return [tensor.detach() for tensor in named.values()]


def _copy(targets: list[Tensor], sources: list[Tensor]) -> None:
    with torch.no_grad():
        for target, source in zip(targets, sources, strict=True):
            target.copy_(source)
