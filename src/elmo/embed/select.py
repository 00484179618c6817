"""Which layers of a sentence to return, and whether to pool its words into one vector."""

import reprlib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import get_args

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from elmo.config import Layers, Pool
from elmo.engines.cuda import to_device
from elmo.validation import checked_layers, shown

LAYER_NAMES: tuple[str, ...] = get_args(get_args(Layers)[0])
"""The layers that have a name."""


@dataclass(frozen=True)
class EmbeddedSentence:
    """One sentence with its vectors: L+1 layers, n words, D dimensions."""

    tokens: list[str]
    """The n words."""
    layers: NDArray[np.float32]
    """(L+1, n, D) for all layers, (n, D) for one layer or the average; without n when pooled."""

    def __repr__(self) -> str:
        return f"EmbeddedSentence({reprlib.repr(self.tokens)}, layers of shape {self.layers.shape})"


class Selection:
    """Selects layers and pools words.

    Args:
        layers: "all", "top", "average", or the index of one layer (0 is the context-free word vector).
        pool: "mean" or "max" over the words of a sentence, or None for one vector per word.
        n_representations: Number of layers that the model has, layer 0 included.

    Raises:
        ValueError: If there is no such layer or way to pool.
    """

    def __init__(self, layers: Layers, pool: Pool | None, n_representations: int) -> None:
        self.layers: Layers = checked_layers(layers, LAYER_NAMES, n_representations)
        if pool is not None and not (isinstance(pool, str) and pool in get_args(Pool)):
            raise ValueError(f"pool must be mean, max or None, not {shown(pool)}")
        self.pool = pool

    def __call__(self, layers: Tensor, lengths: Sequence[int]) -> Tensor:
        """Select from all layers of many sentences, without leaving the device.

        Args:
            layers: The words of all sentences, one sentence after another, (L+1, N, D).
            lengths: Number of words of each sentence.

        Returns:
            One vector per word, (..., N, D), or per sentence if they are pooled, (..., B, D). The pooled vector of an
            empty sentence is zero.
        """
        if self.layers == "average":
            layers = layers.mean(0)
        elif self.layers != "all":
            layers = layers[-1 if self.layers == "top" else int(self.layers)]
        if self.pool is None:
            return layers
        counts = to_device(np.array(lengths, dtype=np.int64), layers.device)
        words_first = layers.movedim(-2, 0).float()  # (N, ..., D)
        pooled = torch.segment_reduce(words_first, self.pool, lengths=counts, unsafe=True).movedim(0, -2)
        return torch.where(counts[:, None] > 0, pooled, 0)

    def split(self, selected: NDArray[np.float32], lengths: Sequence[int]) -> list[NDArray[np.float32]]:
        """Split what was selected into the arrays of the sentences, none of which keeps the memory of others."""
        if self.pool is not None:
            return [np.array(selected[..., number, :]) for number in range(len(lengths))]
        if len(lengths) == 1 and self.layers in ("all", "average"):
            return [selected]  # a line may have so many words that a copy of their vectors would not fit into memory
        return [np.array(part) for part in np.split(selected, np.cumsum(lengths)[:-1], -2)] if lengths else []
