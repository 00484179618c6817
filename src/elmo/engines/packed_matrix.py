"""Matrices that are multiplied with many times, laid out once as the CPU's matrix library likes them best.

    matrix = packed(weight, bias, "bf16")    # weight (K, N), bias (N,)
    matrix.times(matrix.rows(x))             # x (M, K) -> (M, N)

What a row of x becomes depends on that row alone, in every precision:

| precision | weights                          | rows of x                       | sums    |
|-----------|----------------------------------|---------------------------------|---------|
| float32   | float32                          | float32                         | float32 |
| bf16      | bfloat16                         | bfloat16                        | float32 |
| int8      | whole numbers, a scale a column  | whole numbers, a scale a row    | 32 bits |

The products are oneDNN's where torch has them and plain ones of the same numbers elsewhere. oneDNN adds in the same
order however many rows there are, so rows are equal to the last bit. The exception is a single row of float32: it is
computed as one of two, which is even faster.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

import torch
from torch import Tensor

from elmo.config import Precision

_LARGEST = 127
"""Whole numbers go from minus this to this, so that both signs are alike."""
_SMALLEST = 1e-30
"""Rows and columns of nothing but zeros are divided by this, or less."""
_ZERO = 128
"""The byte that stands for 0 in rows: oneDNN wants them without a sign."""


@dataclass(frozen=True)
class Rows:
    """Rows ready to be multiplied."""

    numbers: Tensor
    """(M, K); a row of zeros may be added where there is only one."""
    scale: Tensor | None
    """What each row was divided by, (M, 1); None where it was not."""
    count: int
    """M, without the row that was added."""


class PackedMatrix(Protocol):
    """A matrix to multiply with."""

    def rows(self, x: Tensor) -> Rows:
        """Make rows (M, K) of float32 ready."""

    def times(self, rows: Rows, plus: Tensor | None = None) -> Tensor:
        """The rows times the matrix, plus the bias, plus ``plus``: all (M, N), in float32 or (bf16) bfloat16."""


def packed(weight: Tensor, bias: Tensor | None, precision: Precision) -> PackedMatrix:
    """Pack ``weight`` (K, N)."""
    weight, bias = weight.detach().float(), None if bias is None else bias.detach().float()
    if precision == "int8":
        return _WholeNumbers(weight, bias)
    return _Floats(weight, bias, torch.float32 if precision == "float32" else torch.bfloat16)


class _Floats:
    """Float32 or bfloat16."""

    def __init__(self, weight: Tensor, bias: Tensor | None, dtype: torch.dtype) -> None:
        self.dtype = dtype
        self.native = _has_onednn() and (dtype == torch.float32 or torch.ops.mkldnn._is_mkldnn_bf16_supported())
        self.weight = weight.T.contiguous().to(dtype)  # (N, K)
        if self.native:
            self.weight = torch.ops.mkldnn._reorder_linear_weight(self.weight)
        self.bias = None if bias is None else bias.to(dtype)

    def rows(self, x: Tensor) -> Rows:
        alone = len(x) == 1 and self.dtype == torch.float32
        return Rows(torch.nn.functional.pad(x, (0, 0, 0, 1)) if alone else x.to(self.dtype), None, len(x))

    def times(self, rows: Rows, plus: Tensor | None = None) -> Tensor:
        numbers, weight, bias = rows.numbers, self.weight, self.bias
        if self.native and plus is not None and len(plus) == len(numbers):
            # Added before the sums are rounded, and while they are at hand.
            return torch.ops.mkldnn._linear_pointwise.binary(numbers, plus, weight, bias, "add")
        if self.native:
            product = torch.ops.mkldnn._linear_pointwise(numbers, weight, bias, "none", [], "")
        else:
            product = torch.nn.functional.linear(numbers, weight, bias)
        product = product[: rows.count]
        return product if plus is None else product.add_(plus)


class _WholeNumbers:
    """Whole numbers of 8 bits."""

    def __init__(self, weight: Tensor, bias: Tensor | None) -> None:
        self.native = _has_onednn() and _adds_in_32_bits()
        self.bias = bias
        self.scale = weight.abs().amax(0).clamp_min_(_SMALLEST) / _LARGEST  # (N,)
        self.zeros = torch.zeros(len(self.scale), dtype=torch.int64)
        self.weight = (weight / self.scale).round()  # (K, N)
        if self.native:
            self.weight = torch.ops.onednn.qlinear_prepack(self.weight.T.contiguous().to(torch.int8), None)

    def rows(self, x: Tensor) -> Rows:
        scale = torch.linalg.vector_norm(x, torch.inf, 1, keepdim=True).clamp_min_(_SMALLEST).div_(_LARGEST)
        whole = (x / scale).add_(_ZERO + 0.5).to(torch.uint8)  # the half makes cutting off a rounding
        return Rows(whole, scale, len(x))

    def times(self, rows: Rows, plus: Tensor | None = None) -> Tensor:
        assert rows.scale is not None
        if self.native:
            numbers, weight = (rows.numbers, 1.0, _ZERO), (self.weight, self.scale, self.zeros)
            product = torch.ops.onednn.qlinear_pointwise(*numbers, *weight, None, 1.0, 0, torch.float32, "none", [], "")
        else:
            product = ((rows.numbers.float() - _ZERO) @ self.weight) * self.scale
        product.mul_(rows.scale)
        for more in (self.bias, plus):
            product = product if more is None else product.add_(more)
        return product


def _adds_in_32_bits() -> bool:
    """Whether the processor adds products of bytes without overflow (and this torch can tell)."""
    known: Callable[[], bool] | None = getattr(torch.cpu, "_is_vnni_supported", None)
    return known is not None and known()


def _has_onednn() -> bool:
    """Whether torch was built with oneDNN and lets it pack weights."""
    return torch.backends.mkldnn.is_available() and hasattr(torch.ops.mkldnn, "_reorder_linear_weight")
