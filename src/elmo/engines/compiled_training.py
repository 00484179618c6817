"""Loops of training on a CPU that Numba compiles; see ``compiled``. ``packed_cpu`` has their twins in torch.

Shapes: B rows, D cell.
"""

from collections.abc import Callable
from typing import Any

import numpy as np
from numba import float32, uintp

from elmo.engines.compiled import _clip, _exp, _exp_minus_one, compiled, inlined


@inlined
def _sigmoid(x: Any) -> Any:
    return float32(1.0) / (float32(1.0) + _exp(-x))


@inlined
def _tanh(x: Any) -> Any:
    """tanh(x) to a few units in the last place, also close to zero, where exp(-2x) - 1 would lose digits."""
    difference = _exp_minus_one(float32(-2.0) * x)
    return -difference / (float32(2.0) + difference)


@compiled
def cell_forward(
    sums: Any, keep: Any, before: Any, gates: Any, cells: Any, squashed: Any, hidden: Any, clip: Any
) -> None:
    """See ``torch_loops.cell_forward``."""
    rows, dim = cells.shape
    for row in range(rows):
        total, gate, old, new = sums[row], gates[row], before[row], cells[row]
        squash, out, kept = squashed[row], hidden[row], keep[row, 0]
        # Several loops, because with too many arrays in one the compiler gives up on vectors.
        for d in range(uintp(dim)):
            gate[d] = _sigmoid(total[d])
        for d in range(uintp(dim), uintp(2 * dim)):
            gate[d] = _tanh(total[d])
        for d in range(uintp(2 * dim), uintp(4 * dim)):
            gate[d] = _sigmoid(total[d])
        for d in range(uintp(dim)):
            f = gate[d + uintp(2 * dim)]
            new[d] = _clip(f * (kept * old[d]) + gate[d] * gate[d + uintp(dim)], clip)
        for d in range(uintp(dim)):
            squash[d] = _tanh(new[d])
            out[d] = gate[d + uintp(3 * dim)] * squash[d]


@compiled
def cell_backward(
    gates: Any, keep: Any, before: Any, cells: Any, squashed: Any, d_hidden: Any, d_cell: Any, clip: Any
) -> None:
    """See ``torch_loops.cell_backward``."""
    rows, dim = cells.shape
    one = float32(1.0)
    for row in range(rows):
        gate, old, new, squash = gates[row], before[row], cells[row], squashed[row]
        d_out, d_next, kept = d_hidden[row], d_cell[row], keep[row, 0]
        for d in range(uintp(dim)):
            e, f, g = d + uintp(dim), d + uintp(2 * dim), d + uintp(3 * dim)
            gate_i, gate_j, gate_f, gate_o = gate[d], gate[e], gate[f], gate[g]
            tanh = squash[d]
            total = d_next[d] + d_out[d] * gate_o * (one - tanh * tanh)
            total = total if abs(new[d]) < clip else float32(0.0)
            gate[d] = total * gate_j * gate_i * (one - gate_i)
            gate[e] = total * gate_i * (one - gate_j * gate_j)
            gate[f] = total * (kept * old[d]) * gate_f * (one - gate_f)
            gate[g] = d_out[d] * tanh * gate_o * (one - gate_o)
            d_next[d] = total * gate_f * kept


def _of_tensors(loop: Callable[..., None]) -> Callable[..., None]:
    """A loop as a function of tensors in the memory of the CPU, and of the clip."""

    def call(*arguments: Any) -> None:
        *tensors, clip = arguments
        loop(*(tensor.numpy() for tensor in tensors), np.float32(clip))

    return call


class TensorLoops:
    """All loops as functions of tensors."""

    cell_forward = staticmethod(_of_tensors(cell_forward))
    cell_backward = staticmethod(_of_tensors(cell_backward))
