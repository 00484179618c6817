"""Neighbours under a weighted sum of layers, computed while searching: the weights may change with every request.

An index keeps each layer's vectors at length 1, so that is how they are weighed: no layer counts more because its
numbers are larger. A factor for the whole sum (the gamma of a task) changes no cosine.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from elmo.search.index import Index, Neighbour, unit

_PLACE = "average"
"""Where the mixed vectors stand in for those of the index: a layer of every model that is no number."""


def mixed_neighbours(
    index: Index, layers: NDArray[np.float32], weights: Sequence[float], k: int, **options: Any
) -> list[Neighbour]:
    """The uses nearest to a word with these ``layers`` (L+1, D) under ``weights``; ``options``: of ``Index.search``."""
    if len(weights) != len(layers) or not any(weights):
        raise ValueError(f"mix must have a weight for each of the {len(layers)} layers, and not only zeros")
    missing = {str(layer) for layer in range(len(layers))} - index.vectors.keys()
    if missing:
        raise ValueError(f"the index has no layer {', '.join(sorted(missing))}; to be mixed, it must have all")
    query = np.asarray(weights, np.float32) @ unit(layers)  # (D,)
    vectors: Any = {_PLACE: _Mixed([index.vectors[str(layer)] for layer in range(len(layers))], weights)}
    return replace(index, vectors=vectors).search(query, _PLACE, k, exact=True, **options)


@dataclass(frozen=True)
class _Mixed:
    """Looks like an array (tokens, D); a part of it is computed when it is read."""

    layers: list[NDArray[np.float16]]
    weights: Sequence[float]

    def __getitem__(self, rows: Any) -> NDArray[np.float32]:
        total: NDArray[np.float32] = sum(
            np.float32(weight) * layer[rows].astype(np.float32)
            for layer, weight in zip(self.layers, self.weights, strict=True)
            if weight
        )
        return unit(total)  # (rows, D)
