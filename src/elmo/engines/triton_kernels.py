"""The pointwise operations of ``packed.torch_kernels`` as Triton kernels, one launch per call.

Each function computes the same as its namesake there; the tests compare them where there is a GPU.
"""

# mypy: ignore-errors

import triton
import triton.language as tl
from torch import Tensor

from elmo.model.lstm import FORGET_BIAS

_FORGET_BIAS = tl.constexpr(FORGET_BIAS)
_BLOCK = 1024
_BACKWARD_BLOCK = 512


@triton.jit
def _tanh(x):
    return 2 * tl.sigmoid(2 * x) - 1


@triton.jit
def _load_bias(bias, direction, dim, columns, inside):
    at = bias + direction * 4 * dim + columns
    return (
        tl.load(at, inside),
        tl.load(at + dim, inside),
        tl.load(at + 2 * dim, inside) + _FORGET_BIAS,
        tl.load(at + 3 * dim, inside),
    )


@triton.jit
def _load_gates(at, bias_i, bias_j, bias_f, bias_o, dim, inside):
    i = tl.load(at, inside).to(tl.float32) + bias_i
    j = tl.load(at + dim, inside).to(tl.float32) + bias_j
    f = tl.load(at + 2 * dim, inside).to(tl.float32) + bias_f
    o = tl.load(at + 3 * dim, inside).to(tl.float32) + bias_o
    return tl.sigmoid(i), _tanh(j), tl.sigmoid(f), tl.sigmoid(o)


@triton.jit
def _cell_forward(
    gates, bias, before, keep, cells, hidden, clip, gates_stride, cells_stride, rows, dim, BLOCK: tl.constexpr
):
    row, direction = tl.program_id(0), tl.program_id(1)
    columns = tl.program_id(2) * BLOCK + tl.arange(0, BLOCK)
    inside = columns < dim
    bias_i, bias_j, bias_f, bias_o = _load_bias(bias, direction, dim, columns, inside)
    at_gates = gates + direction.to(tl.int64) * gates_stride + row * 4 * dim + columns
    i, j, f, o = _load_gates(at_gates, bias_i, bias_j, bias_f, bias_o, dim, inside)
    at = direction.to(tl.int64) * cells_stride + row * dim + columns
    kept = tl.load(before + at, inside & (tl.load(keep + row) > 0), other=0.0)
    cell = f * kept + i * j
    cell = tl.minimum(tl.maximum(cell, -clip), clip)
    tl.store(cells + at, cell, inside)
    tl.store(hidden + at, (o * _tanh(cell)).to(hidden.dtype.element_ty), inside)


@triton.jit
def _cell_backward(
    gates,
    bias,
    before,
    keep,
    d_hidden,
    d_cell,
    d_bias,
    clip,
    gates_stride,
    cells_stride,
    d_hidden_stride,
    rows,
    dim,
    ROWS: tl.constexpr,
    BLOCK: tl.constexpr,
):
    group, direction = tl.program_id(0), tl.program_id(1)
    columns = tl.program_id(2) * BLOCK + tl.arange(0, BLOCK)
    inside = columns < dim
    bias_i, bias_j, bias_f, bias_o = _load_bias(bias, direction, dim, columns, inside)
    sum_i = tl.zeros((BLOCK,), tl.float32)
    sum_j, sum_f, sum_o = sum_i, sum_i, sum_i
    kind = gates.dtype.element_ty
    for row in range(group * ROWS, tl.minimum(group * ROWS + ROWS, rows)):
        at_gates = gates + direction.to(tl.int64) * gates_stride + row * 4 * dim + columns
        i, j, f, o = _load_gates(at_gates, bias_i, bias_j, bias_f, bias_o, dim, inside)
        continues = tl.load(keep + row) > 0
        at_before = before + direction.to(tl.int64) * cells_stride + row * dim + columns
        kept = tl.load(at_before, inside & continues, other=0.0)
        at_d_hidden = d_hidden + direction.to(tl.int64) * d_hidden_stride + row * dim + columns
        d_h = tl.load(at_d_hidden, inside).to(tl.float32)
        at_d_cell = d_cell + (direction * rows + row) * dim + columns
        d_total = tl.load(at_d_cell, inside)
        cell = f * kept + i * j
        squashed = _tanh(tl.minimum(tl.maximum(cell, -clip), clip))
        d_total += d_h * o * (1 - squashed * squashed)
        d_total = tl.where(tl.abs(cell) < clip, d_total, 0.0)
        d_i = d_total * j * i * (1 - i)
        d_j = d_total * i * (1 - j * j)
        d_f = d_total * kept * f * (1 - f)
        d_o = d_h * squashed * o * (1 - o)
        tl.store(at_gates, d_i.to(kind), inside)
        tl.store(at_gates + dim, d_j.to(kind), inside)
        tl.store(at_gates + 2 * dim, d_f.to(kind), inside)
        tl.store(at_gates + 3 * dim, d_o.to(kind), inside)
        tl.store(at_d_cell, tl.where(continues, d_total * f, 0.0), inside)
        sum_i += d_i
        sum_j += d_j
        sum_f += d_f
        sum_o += d_o
    at_sums = d_bias + (direction * tl.num_programs(0) + group) * 4 * dim + columns
    tl.store(at_sums, tl.load(at_sums, inside) + sum_i, inside)
    tl.store(at_sums + dim, tl.load(at_sums + dim, inside) + sum_j, inside)
    tl.store(at_sums + 2 * dim, tl.load(at_sums + 2 * dim, inside) + sum_f, inside)
    tl.store(at_sums + 3 * dim, tl.load(at_sums + 3 * dim, inside) + sum_o, inside)


@triton.jit
def _output_forward(
    raw,
    outputs,
    following,
    keep,
    clip,
    raw_stride,
    outputs_stride,
    following_stride,
    following_row,
    width,
    HAS_FOLLOWING: tl.constexpr,
    BLOCK: tl.constexpr,
):
    row, direction = tl.program_id(0), tl.program_id(1).to(tl.int64)
    columns = tl.arange(0, BLOCK)
    inside = columns < width
    value = tl.load(raw + direction * raw_stride + row * width + columns, inside).to(tl.float32)
    value = tl.minimum(tl.maximum(value, -clip), clip)
    kind = outputs.dtype.element_ty
    tl.store(outputs + direction * outputs_stride + row * width + columns, value.to(kind), inside)
    if HAS_FOLLOWING:
        value = tl.where(tl.load(keep + row) > 0, value, 0.0)
        tl.store(following + direction * following_stride + row * following_row + columns, value.to(kind), inside)


@triton.jit
def _output_backward(
    d_outputs,
    following,
    keep,
    outputs,
    d_raw,
    clip,
    stride,
    following_stride,
    following_row,
    width,
    HAS_FOLLOWING: tl.constexpr,
    BLOCK: tl.constexpr,
):
    row, direction = tl.program_id(0), tl.program_id(1).to(tl.int64)
    columns = tl.arange(0, BLOCK)
    inside = columns < width
    at = direction * stride + row * width + columns
    total = tl.load(d_outputs + at, inside).to(tl.float32)
    if HAS_FOLLOWING:
        continues = tl.load(keep + row) > 0
        at_following = direction * following_stride + row * following_row + columns
        total += tl.load(following + at_following, inside & continues, other=0.0).to(tl.float32)
    total = tl.where(tl.abs(tl.load(outputs + at, inside).to(tl.float32)) < clip, total, 0.0)
    tl.store(d_raw + at, total.to(d_raw.dtype.element_ty), inside)


@triton.jit
def _sampled_pointwise(
    logits,
    bias,
    words,
    targets,
    target_logits,
    loss_weights,
    losses,
    d_target_logits,
    samples,
    stride,
    BLOCK: tl.constexpr,
):
    row = tl.program_id(0).to(tl.int64)
    columns = tl.arange(0, BLOCK)
    inside = columns < samples
    at = logits + row * stride + columns
    target, loss_weight, own = tl.load(targets + row), tl.load(loss_weights + row), tl.load(target_logits + row)
    hit = tl.load(words + columns, inside, other=-1) == target
    x = tl.load(at, inside & (hit == 0), other=float("-inf")).to(tl.float32) + tl.load(
        bias + columns, inside, other=0.0
    )
    highest = tl.maximum(tl.max(x, 0), own)
    log_total = highest + tl.log(tl.sum(tl.exp(x - highest), 0) + tl.exp(own - highest))
    tl.store(losses + row, loss_weight * (log_total - own))
    tl.store(d_target_logits + row, (tl.exp(own - log_total) - 1) * loss_weight)
    tl.store(at, (tl.exp(x - log_total) * loss_weight).to(logits.dtype.element_ty), inside)


def sampled_pointwise(
    logits: Tensor,
    bias: Tensor,
    words: Tensor,
    targets: Tensor,
    target_logits: Tensor,
    loss_weights: Tensor,
    losses: Tensor,
    d_target_logits: Tensor,
) -> Tensor:
    """See ``elmo.model.softmax.sampled_pointwise``; the gradient overwrites the logits."""
    _sampled_pointwise[(len(logits),)](
        logits,
        bias,
        words,
        targets,
        target_logits,
        loss_weights,
        losses,
        d_target_logits,
        logits.shape[1],
        logits.stride(0),
        BLOCK=triton.next_power_of_2(logits.shape[1]),
        num_warps=8 if logits.shape[1] <= 8192 else 16,
    )
    return logits


def cell_forward(
    gates: Tensor, bias: Tensor, before: Tensor, keep: Tensor, cells: Tensor, hidden: Tensor, clip: float
) -> None:
    """See ``torch_kernels.cell_forward``."""
    _, rows, dim = cells.shape
    _cell_forward[rows, 2, triton.cdiv(dim, _BLOCK)](
        gates, bias, before, keep, cells, hidden, clip, gates.stride(0), cells.stride(0), rows, dim, BLOCK=_BLOCK
    )


def _rows_per_group(dim: int) -> int:
    """Few rows make enough programs for the GPU, many rows few sums to store; 640 rows make 640 programs or more."""
    return min(16, max(4, triton.next_power_of_2(dim) // 256))


def row_groups(rows: int, dim: int) -> int:
    """See ``torch_kernels.row_groups``."""
    return triton.cdiv(rows, _rows_per_group(dim))


def cell_backward(
    gates: Tensor,
    bias: Tensor,
    before: Tensor,
    keep: Tensor,
    d_hidden: Tensor,
    d_cell: Tensor,
    d_bias: Tensor,
    clip: float,
) -> None:
    """See ``torch_kernels.cell_backward``."""
    _, rows, dim = d_cell.shape
    _cell_backward[row_groups(rows, dim), 2, triton.cdiv(dim, _BACKWARD_BLOCK)](
        gates,
        bias,
        before,
        keep,
        d_hidden,
        d_cell,
        d_bias,
        clip,
        gates.stride(0),
        before.stride(0),
        d_hidden.stride(0),
        rows,
        dim,
        ROWS=_rows_per_group(dim),
        BLOCK=_BACKWARD_BLOCK,
    )


def output_forward(raw: Tensor, outputs: Tensor, following: Tensor | None, keep: Tensor, clip: float) -> None:
    """See ``torch_kernels.output_forward``."""
    _, rows, width = outputs.shape
    target = outputs if following is None else following
    _output_forward[rows, 2](
        raw,
        outputs,
        target,
        keep,
        clip,
        raw.stride(0),
        outputs.stride(0),
        target.stride(0),
        target.stride(1),
        width,
        HAS_FOLLOWING=following is not None,
        BLOCK=triton.next_power_of_2(width),
    )


def output_backward(
    d_outputs: Tensor, following: Tensor | None, keep: Tensor, outputs: Tensor, d_raw: Tensor, clip: float
) -> None:
    """See ``torch_kernels.output_backward``."""
    _, rows, width = outputs.shape
    source = outputs if following is None else following
    _output_backward[rows, 2](
        d_outputs,
        source,
        keep,
        outputs,
        d_raw,
        clip,
        outputs.stride(0),
        source.stride(0),
        source.stride(1),
        width,
        HAS_FOLLOWING=following is not None,
        BLOCK=triton.next_power_of_2(width),
    )
