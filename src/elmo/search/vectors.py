"""Vector arithmetic that the indexes and the analyses share."""

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.floating[Any]]


def unit(vectors: NDArray[Any]) -> NDArray[Any]:
    """Scale vectors (..., D) to length 1; zero vectors stay zero."""
    lengths = np.linalg.norm(vectors, axis=-1, keepdims=True)
    return vectors / np.where(lengths > 0, lengths, 1)


def cosines(first: Floats, second: Floats) -> Floats:
    """Return the cosine of every pair of vectors from two arrays, (n, D) and (m, D) to (n, m)."""
    return unit(first) @ unit(second).T


def descending(values: NDArray[np.float32]) -> Iterator[int]:
    """Yield the positions of values from the largest to the smallest, ties in their original order.

    The sort is lazy: most searches stop after a few positions, so only the top is sorted until more is needed.
    """
    done, size = 0, 256
    while done < len(values):
        rest = max(0, len(values) - size)
        top = np.flatnonzero(values >= np.partition(values, rest)[rest])  # includes ties with the last value
        yield from map(int, top[np.argsort(-values[top], kind="stable")][done:])
        done, size = len(top), 16 * max(size, len(top))


def principal_components(vectors: Floats, max_components: int) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Project vectors onto their principal components.

    The sign of a component is chosen so that the vector farthest from the mean is on its positive side; otherwise a
    map could be mirrored from run to run.

    Args:
        vectors: An array (n, D).
        max_components: Maximum number of components. There are fewer if the vectors span fewer dimensions.

    Returns:
        The coordinates (n, r) and the fraction of the variance that each component explains (r,).
    """
    centered = vectors.astype(np.float64) - vectors.mean(0, dtype=np.float64)
    left, values, _ = np.linalg.svd(centered, full_matrices=False)
    rank = min(max_components, int((values > 1e-6 * np.sqrt(len(vectors))).sum()))
    coordinates = left[:, :rank] * values[:rank]
    farthest = coordinates[np.abs(coordinates).argmax(0), np.arange(rank)]
    return coordinates * np.sign(farthest), values[:rank] ** 2 / max(np.square(values).sum(), 1e-30)
