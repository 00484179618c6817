"""The word vectors of layer 0, computed once per word and kept in a bounded cache."""

import math
import threading
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np
import torch
from torch import Tensor

from elmo.model.token_layers import TokenLayer

KEPT = 0.75
"""Fraction of the words that are kept when the table is full."""


class WordVectorCache:
    """Context-free vectors of recent words, in one table on one device.

    A word has the same vector wherever it occurs, so the token layer computes it only when the word is first seen. When
    the table is full, it is replaced by one with the words that were used most recently. Rows are never overwritten, so
    several threads may use the cache at once.

    Args:
        token_layer: Encodes words.
        compute: The forward pass of the token layer, from ids to vectors (U, P).
        dim: Width P of a vector.
        capacity: Number of words that are kept.
        words_per_group: Number of words that are computed together.
        groups: The number of groups is a multiple of this, so that as many threads have the same work.
        dtype: Data type of the table.
        device: Device of the table.
    """

    def __init__(
        self,
        token_layer: TokenLayer,
        compute: Callable[[Tensor], Tensor],
        dim: int,
        *,
        capacity: int,
        words_per_group: int,
        groups: int = 1,
        dtype: torch.dtype = torch.float32,
        device: torch.device | str = "cpu",
    ) -> None:
        self.encode, self.compute = token_layer.encode, compute
        self.capacity, self.words_per_group, self.groups = capacity, words_per_group, groups
        self.rows: dict[str, int] = {}
        """Row of each word in the table."""
        self.table = torch.empty(0, dim, dtype=dtype, device=device)
        self.computed = 0
        """Number of words that had to be computed."""
        self._last_use = np.empty(0, np.int64)  # number of the last call with the word in each row
        self._calls = 0
        self._lock = threading.Lock()

    def __call__(
        self, words: Iterable[str], map: Callable[[Callable[..., Any], Sequence[Any]], Iterable[Any]] = map
    ) -> tuple[dict[str, int], Tensor]:
        """Make sure that words have a vector.

        Args:
            words: Distinct words.
            map: Applies a function to groups of words, perhaps in parallel.

        Returns:
            The row of every known word, and the table (rows, P). Neither is changed by later calls, except that words
            are added.
        """
        with self._lock:
            words = list(words)
            new = [word for word in words if word not in self.rows]
            self._calls += 1
            self._last_use[[self.rows[word] for word in words if word in self.rows]] = self._calls
            self.computed += len(new)
            if len(self.rows) + len(new) > self.capacity:
                self._shrink(len(words) - len(new), len(new))
            if new:
                # Words of similar length together: short ones have few windows.
                new.sort(key=lambda word: (len(word.encode("utf-8", "ignore")), word))
                count = self.groups * math.ceil(len(new) / (self.groups * self.words_per_group))
                size = math.ceil(len(new) / count)
                groups = [new[start : start + size] for start in range(0, len(new), size)]
                self._append(list(map(self._vectors, groups)))
                self.rows.update(zip(new, range(len(self.rows), len(self.rows) + len(new)), strict=True))
            return self.rows, self.table

    @torch.inference_mode()
    def _vectors(self, words: Sequence[str]) -> Tensor:
        return self.compute(self.encode(words).to(self.table.device)).to(self.table.dtype)

    def _shrink(self, needed: int, new: int) -> None:
        """Keep the words that were used most recently, among them the ``needed`` ones of this call, and make room."""
        room = int(KEPT * min(self.capacity, len(self.rows)))
        kept = max(needed, min(room, self.capacity - new))
        newest = np.sort(np.argsort(-self._last_use[: len(self.rows)], kind="stable")[:kept])
        words = list(self.rows)  # in the order of their rows
        self.rows = {words[row]: number for number, row in enumerate(newest)}
        self.table = self.table[torch.from_numpy(newest).to(self.table.device)]
        self._last_use = self._last_use[newest]

    def _append(self, vectors: Sequence[Tensor]) -> None:
        """Add rows to the table; its memory grows by doubling, so that a row is rarely copied."""
        used = len(self.rows)
        size = used + sum(map(len, vectors))
        if size > len(self.table):
            grown = self.table.new_empty(max(size, min(2 * size, self.capacity)), self.table.shape[1])
            grown[:used] = self.table[:used]
            self.table = grown
            self._last_use = np.concatenate([self._last_use[:used], np.zeros(len(grown) - used, np.int64)])
        torch.cat(list(vectors), out=self.table[used:size])
        self._last_use[used:size] = self._calls
