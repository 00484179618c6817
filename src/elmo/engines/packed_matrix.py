"""Matrices that are multiplied many times, packed once in the layout that the CPU's matrix library prefers.

    matrix = packed(weight, bias, "bf16")    # weight (K, N), bias (N,)
    matrix.times(matrix.rows(x))             # x (M, K) -> (M, N)

A row of the result depends on that row of x alone, in every precision:

| precision | weights                          | rows of x                       | sums    |
|-----------|----------------------------------|---------------------------------|---------|
| float32   | float32                          | float32                         | float32 |
| bf16      | bfloat16                         | bfloat16                        | float32 |
| int8      | 8-bit integers, scale per column | 8-bit integers, scale per row   | 32 bits |

The products are oneDNN's where torch has it, and plain torch products of the same values elsewhere. oneDNN sums in the
same order for any number of rows, so a row is the same to the last bit. The exception is a single row of float32: it is
computed as one of two rows, which is even faster.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

import torch
from torch import Tensor

from elmo.config import Precision

_LARGEST = 127
"""Integers range from minus this to this, so that both signs are treated alike."""
_SMALLEST = 1e-30
"""Lower bound of a scale, for rows and columns of zeros."""
_ZERO = 128
"""The byte that represents 0 in rows: oneDNN expects unsigned bytes."""


@dataclass(frozen=True)
class PreparedRows:
    """Rows ready to be multiplied."""

    values: Tensor
    """(M, K); a single row may be followed by a row of zeros."""
    scale: Tensor | None
    """Scale of each row, (M, 1); None without quantization."""
    count: int
    """M, without the added row."""


class PackedMatrix(Protocol):
    """A matrix to multiply with."""

    def rows(self, x: Tensor) -> PreparedRows:
        """Prepare rows (M, K) of float32."""

    def times(self, rows: PreparedRows, plus: Tensor | None = None) -> Tensor:
        """Compute rows times the matrix, plus the bias, plus ``plus``: (M, N), in float32 or (bf16) bfloat16."""

    def unscaled(self, rows: PreparedRows) -> Tensor:
        """Compute rows times the matrix, (M, N), without the bias and the scale of the rows."""


def packed(weight: Tensor, bias: Tensor | None, precision: Precision) -> PackedMatrix:
    """Pack ``weight`` (K, N)."""
    weight, bias = weight.detach().float(), None if bias is None else bias.detach().float()
    if precision == "int8":
        return _Integers(weight, bias)
    return _Floats(weight, bias, torch.float32 if precision == "float32" else torch.bfloat16)


def quantized(weight: Tensor) -> tuple[Tensor, Tensor]:
    """Quantize ``weight`` (K, N) to 8-bit integers (K, N) and a scale per column (N,)."""
    scale = weight.abs().amax(0).clamp_min_(_SMALLEST) / _LARGEST
    return (weight / scale).round().to(torch.int8), scale


class _Floats:
    """Float32 or bfloat16."""

    def __init__(self, weight: Tensor, bias: Tensor | None, dtype: torch.dtype) -> None:
        self.dtype = dtype
        self.native = _has_onednn() and (dtype == torch.float32 or torch.ops.mkldnn._is_mkldnn_bf16_supported())
        self.weight = weight.T.contiguous().to(dtype)  # (N, K)
        if self.native:
            self.weight = torch.ops.mkldnn._reorder_linear_weight(self.weight)
        self.bias = None if bias is None else bias.to(dtype)

    def rows(self, x: Tensor) -> PreparedRows:
        alone = len(x) == 1 and self.dtype == torch.float32
        return PreparedRows(torch.nn.functional.pad(x, (0, 0, 0, 1)) if alone else x.to(self.dtype), None, len(x))

    def times(self, rows: PreparedRows, plus: Tensor | None = None) -> Tensor:
        values, weight, bias = rows.values, self.weight, self.bias
        if self.native and plus is not None and len(plus) == len(values):
            # Added before the sums are rounded, while they are in registers.
            return torch.ops.mkldnn._linear_pointwise.binary(values, plus, weight, bias, "add")
        product = self._product(rows, bias)
        return product if plus is None else product.add_(plus)

    def unscaled(self, rows: PreparedRows) -> Tensor:
        return self._product(rows, None)

    def _product(self, rows: PreparedRows, bias: Tensor | None) -> Tensor:
        if self.native:
            product = torch.ops.mkldnn._linear_pointwise(rows.values, self.weight, bias, "none", [], "")
        else:
            product = torch.nn.functional.linear(rows.values, self.weight, bias)
        return product[: rows.count]


class _Integers:
    """8-bit integers."""

    def __init__(self, weight: Tensor, bias: Tensor | None) -> None:
        self.native = _has_onednn() and _adds_in_32_bits()
        self.bias = bias
        integers, self.scale = quantized(weight)
        self.zeros = torch.zeros(len(self.scale), dtype=torch.int64, device="cpu")
        if self.native:
            self.weight = torch.ops.onednn.qlinear_prepack(integers.T.contiguous(), None)
        else:
            self.weight = integers.float()  # (K, N)

    def rows(self, x: Tensor) -> PreparedRows:
        scale = x.abs().amax(1, keepdim=True).clamp_min_(_SMALLEST).div_(_LARGEST)
        integers = (x / scale).add_(_ZERO + 0.5).to(torch.uint8)  # + 0.5: the conversion truncates
        return PreparedRows(integers, scale, len(x))

    def times(self, rows: PreparedRows, plus: Tensor | None = None) -> Tensor:
        assert rows.scale is not None
        product = self.unscaled(rows).mul_(rows.scale)
        for more in (self.bias, plus):
            product = product if more is None else product.add_(more)
        return product

    def unscaled(self, rows: PreparedRows) -> Tensor:
        if self.native:
            values, weight = (rows.values, 1.0, _ZERO), (self.weight, self.scale, self.zeros)
            return torch.ops.onednn.qlinear_pointwise(*values, *weight, None, 1.0, 0, torch.float32, "none", [], "")
        return ((rows.values.float() - _ZERO) @ self.weight) * self.scale


def _adds_in_32_bits() -> bool:
    """Whether the processor sums products of bytes without overflow (and this torch can tell)."""
    known: Callable[[], bool] | None = getattr(torch.cpu, "_is_vnni_supported", None)
    return known is not None and known()


def _has_onednn() -> bool:
    """Whether torch was built with oneDNN and can pack weights with it."""
    return torch.backends.mkldnn.is_available() and hasattr(torch.ops.mkldnn, "_reorder_linear_weight")
