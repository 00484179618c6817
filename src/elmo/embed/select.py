"""What is given of each sentence: all layers or some of them, for each word or for all words together."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import get_args

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from elmo.config import Layers, Pool
from elmo.engines.cuda import without_waiting


@dataclass(frozen=True)
class EmbeddedSentence:
    """One sentence with its vectors. L+1 layers, n words, D dimensions."""

    tokens: list[str]
    """The n words."""
    layers: NDArray[np.float32]
    """(L+1, n, D) for all layers, (n, D) for one layer or the average; without n when pooled."""


class Choice:
    """Which layers to give, and whether to pool the words."""

    def __init__(self, layers: Layers, pool: Pool | None, n_representations: int) -> None:
        names = get_args(get_args(Layers)[0])
        numbered = isinstance(layers, int) and not isinstance(layers, bool)
        if not (0 <= layers < n_representations if numbered else layers in names):  # type: ignore[operator]
            raise ValueError(
                f"layers must be {', '.join(names)} or a number from 0 to {n_representations - 1}, not {layers!r}"
            )
        if pool is not None and pool not in get_args(Pool):
            raise ValueError(f"pool must be mean, max or None, not {pool!r}")
        self.layers = layers
        self.pool = pool

    def __call__(self, layers: Tensor) -> NDArray[np.float32]:
        """All layers of one sentence, (L+1, n, D), to what was asked for, as an array of its own."""
        layers = self._chosen(layers)
        if self.pool is not None:
            if layers.shape[-2] == 0:
                layers = layers.new_zeros(*layers.shape[:-2], layers.shape[-1])
            else:
                layers = layers.mean(-2) if self.pool == "mean" else layers.amax(-2)
        return np.array(layers.float().cpu().numpy())

    def together(self, layers: Tensor, lengths: Sequence[int]) -> Tensor:
        """The same for many sentences that stand one behind the other, (L+1, N, D), without leaving the device.

        Words stay where they stand, (..., N, D); pooled, there is a vector a sentence, (..., B, D).
        """
        layers = self._chosen(layers)
        if self.pool is None:
            return layers
        counts = without_waiting(np.array(lengths, dtype=np.int64), layers.device)
        words_first = layers.movedim(-2, 0).float()  # (N, ..., D)
        pooled = torch.segment_reduce(words_first, self.pool, lengths=counts, unsafe=True).movedim(0, -2)
        return torch.where(counts[:, None] > 0, pooled, 0)  # sentences without words

    def apart(self, chosen: NDArray[np.float32], lengths: Sequence[int]) -> list[NDArray[np.float32]]:
        """What ``together`` gave, sentence by sentence, as arrays of their own."""
        if self.pool is not None:
            return [np.array(chosen[..., number, :]) for number in range(len(lengths))]
        return [np.array(part) for part in np.split(chosen, np.cumsum(lengths)[:-1], -2)] if lengths else []

    def _chosen(self, layers: Tensor) -> Tensor:
        """(L+1, n, D) to (n, D), or as it is."""
        if self.layers == "all":
            return layers
        if self.layers == "average":
            return layers.mean(0)
        return layers[-1 if self.layers == "top" else int(self.layers)]
