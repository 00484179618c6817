"""Loops of the CPU engine for training: one step of the cells, and its gradients. See ``loops`` for how they are used.

``packed_cpu.torch_loops`` computes the same in torch.
"""

from typing import Any

from numba import float32, int64, types

from elmo.engines.loop_parts import at, clipped, exp, exp_minus_one, inlined, translated


@inlined
def _sigmoid(x: Any) -> Any:
    return float32(1.0) / (float32(1.0) + exp(-x))


@inlined
def _tanh(x: Any) -> Any:
    """tanh(x) to a few units in the last place, also close to zero, where exp(-2x) - 1 would lose digits."""
    difference = exp_minus_one(float32(-2.0) * x)
    return -difference / (float32(2.0) + difference)


@translated
def cell_forward(
    sums: Any,
    keep: Any,
    before: Any,
    gates: Any,
    cells: Any,
    squashed: Any,
    hidden: Any,
    rows: Any,
    dim: Any,
    clip: Any,
) -> None:
    """See ``packed_cpu.torch_loops.cell_forward``."""
    for row in range(rows):
        total, gate, r = at(sums, row * 4 * dim), at(gates, row * 4 * dim), row * dim
        # Several loops, because with too many arrays in one the compiler gives up on vectors.
        _sigmoid_row(total, gate, dim)
        _tanh_row(at(total, dim), at(gate, dim), dim)
        _sigmoid_row(at(total, 2 * dim), at(gate, 2 * dim), 2 * dim)
        _cell_row(gate, keep[row], at(before, r), at(cells, r), dim, clip)
        _tanh_row(at(cells, r), at(squashed, r), dim)
        _multiply_elements(at(gate, 3 * dim), at(squashed, r), at(hidden, r), dim)


@translated
def _sigmoid_row(source: Any, target: Any, size: Any) -> None:
    for d in range(size):
        target[d] = _sigmoid(source[d])


@translated
def _tanh_row(source: Any, target: Any, size: Any) -> None:
    for d in range(size):
        target[d] = _tanh(source[d])


@translated
def _cell_row(gate: Any, kept: Any, old: Any, new: Any, dim: Any, clip: Any) -> None:
    for d in range(dim):
        new[d] = clipped(gate[d + 2 * dim] * (kept * old[d]) + gate[d] * gate[d + dim], clip)


@translated
def _multiply_elements(one: Any, other: Any, target: Any, size: Any) -> None:
    for d in range(size):
        target[d] = one[d] * other[d]


@translated
def cell_backward(
    gates: Any,
    keep: Any,
    before: Any,
    cells: Any,
    squashed: Any,
    d_hidden: Any,
    d_cell: Any,
    rows: Any,
    dim: Any,
    clip: Any,
) -> None:
    """See ``packed_cpu.torch_loops.cell_backward``."""
    for row in range(rows):
        gate, r = at(gates, row * 4 * dim), row * dim
        _gradients_of_row(
            gate,
            keep[row],
            at(before, r),
            at(cells, r),
            at(squashed, r),
            at(d_hidden, r),
            at(d_cell, r),
            dim,
            clip,
        )


@translated
def _gradients_of_row(
    gate: Any, kept: Any, old: Any, new: Any, squashed: Any, d_out: Any, d_next: Any, dim: Any, clip: Any
) -> None:
    """One row of ``cell_backward``."""
    one = float32(1.0)
    for d in range(dim):
        gate_i, gate_j, gate_f, gate_o = gate[d], gate[d + dim], gate[d + 2 * dim], gate[d + 3 * dim]
        tanh = squashed[d]
        total = d_next[d] + d_out[d] * gate_o * (one - tanh * tanh)
        total = total if abs(new[d]) < clip else float32(0.0)
        gate[d] = total * gate_j * gate_i * (one - gate_i)
        gate[d + dim] = total * gate_i * (one - gate_j * gate_j)
        gate[d + 2 * dim] = total * (kept * old[d]) * gate_f * (one - gate_f)
        gate[d + 3 * dim] = d_out[d] * tanh * gate_o * (one - gate_o)
        d_next[d] = total * gate_f * kept


_FLOATS = types.CPointer(float32)
_ARGUMENTS = (*[_FLOATS] * 7, int64, int64, float32)
LOOPS = {"cell_forward": (cell_forward, _ARGUMENTS), "cell_backward": (cell_backward, _ARGUMENTS)}
"""For each name, the function and the types of its arguments."""
