"""Matrices in float32 whose weights are integers times a scale, in half the memory and without any rounding.

Models that are stored in compact form (see ``elmo.weights.compact``) have such weights: 64 columns of a row share a
scale. A product with one row takes as long as reading the matrix, so the compiled loops read integers instead, two in
32 bits, and multiply them by their scale. The product has few enough bits to be exactly the weight, so results are the
same to the last bit.

An integer is written as a bfloat16, which takes one operation to become a float32. From 8 bits it would be two, and a
processor that reads the matrix from its cache would spend more time on them than it saves.

Nothing has to be known about where weights come from: the integers are found from the weights alone. Weights that were
trained have none.

Shapes: K rows, N columns, G = N / 64 groups of a row.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

GROUP = 64
"""Columns of a row that share a scale."""
LARGEST = 127
"""Integers range from minus this to this. A bfloat16 would hold twice as many."""
WEIGHTS_AT_A_TIME = 2**17
"""Number of weights whose integers are found together; they stay in the cache."""

Floats = NDArray[np.float32]


class GroupedIntegers(NamedTuple):
    """A matrix (K, N) as the compiled loops expect it: one group of columns after the other."""

    pairs: NDArray[np.uint32]
    """Columns j and j + 32 of a group, as the lower and the upper half of 32 bits, (G, K, 32)."""
    scales: Floats
    """(G, K)"""


def grouped_integers(weight: Floats) -> GroupedIntegers | None:
    """Find the integers and scales whose products are exactly the weights (K, N).

    Returns:
        None if there are none, or if the compiled loops do not support the shape.
    """
    rows, columns = weight.shape
    if columns % GROUP or rows % 4:
        return None
    groups = columns // GROUP
    found = GroupedIntegers(np.empty((groups, rows, GROUP // 2), np.uint32), np.empty((groups, rows), np.float32))
    largest = 0.0
    begin, end = 0, 1  # the first row by itself, because it tells whether to go on
    while begin < rows:
        weights = weight[begin:end].reshape(-1, GROUP)
        with np.errstate(all="ignore"):  # of numbers that are not finite
            parts = _likely_parts(weights, largest) or _parts(weights)
        if parts is None:
            return None
        integers, scales = parts
        largest = np.abs(integers[0]).max()
        bits = integers.view(np.uint32).reshape(-1, groups, GROUP).transpose(1, 0, 2)  # the lower 16 are zero
        found.pairs[:, begin:end] = bits[..., : GROUP // 2] >> 16 | bits[..., GROUP // 2 :]
        found.scales[:, begin:end] = scales.reshape(-1, groups).T
        begin, end = end, min(rows, end + max(1, WEIGHTS_AT_A_TIME // columns))
    return found


def _likely_parts(weights: Floats, largest: float) -> tuple[Floats, Floats] | None:
    """Find the integers of groups (n, 64) and their scales (n, 1) if ``largest`` is the largest integer of each.

    In a stored model, it usually is the same in all groups, and this takes half the time of ``_parts``.
    """
    scales = np.abs(weights).max(1, keepdims=True) / np.float32(largest)
    integers = np.rint(weights / scales)
    return (integers, scales) if np.array_equal(scales * integers, weights) else None


def _parts(weights: Floats) -> tuple[Floats, Floats] | None:
    """Find the integers of groups (n, 64) and their scales (n, 1), which are their greatest common divisors."""
    scales = _smallest(np.abs(weights))
    for _ in range(LARGEST.bit_length() + 1):  # Euclid's algorithm: a remainder is at most half of its divisor
        integers = np.rint(weights / scales)
        rests = np.abs(weights - scales * integers)
        if not rests.any():
            return (integers, scales) if np.abs(integers).max() <= LARGEST else None
        scales = np.minimum(scales, _smallest(rests))
    return None


def _smallest(numbers: Floats) -> Floats:
    """The smallest number in each row that is not zero, (n, 1); a large one if there is none."""
    largest = np.finfo(np.float32).max
    return np.where(numbers == 0, largest, numbers).min(1, keepdims=True)
