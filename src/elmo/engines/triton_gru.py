"""A bidirectional GRU layer for training on a GPU: one kernel for all steps of a pass, instead of several per step.

The recurrent weights of a small layer fit into one multiprocessor. Each program keeps them there and reads 16 sequences
in one direction, each from its own first to its own last word, so that padded sequences need not be packed or reversed.
``nn.GRU`` computes the same, and the tests compare both.

The state and all sums are float32. Only the factors of the recurrent product are rounded: to float16 in the forward
pass, which keeps as many digits as TF32 and has room for a state between -1 and 1, and to bfloat16 in the backward
pass, where numbers may be very small.
"""

# mypy: ignore-errors

import torch
import triton
import triton.language as tl
from torch import Tensor, nn

ROWS = 16
"""Sequences per program, the smallest number of rows of a matrix product."""
TUNING = {"num_warps": 8, "num_stages": 2}
"""With 128 units, both kernels compile without spilled registers, and take up to 152 KB of shared memory."""
BATCH_SHAPE = ["rows", "steps"]
"""These change from batch to batch, and must not cause another compilation."""


@triton.jit
def _tanh(x):
    return 2 * tl.sigmoid(2 * x) - 1


@triton.jit
def _sequences(lengths, rows, dim, ROWS: tl.constexpr, DIM: tl.constexpr):
    """Return the sequences of this program, their lengths, the columns and where both exist."""
    row = tl.program_id(0) * ROWS + tl.arange(0, ROWS)
    column = tl.arange(0, DIM)
    length = tl.load(lengths + row, row < rows, other=0)
    return row.to(tl.int64), length, column, (row < rows)[:, None] & (column < dim)[None]


@triton.jit
def _position(row, length, step, steps, direction):
    """Return the index of (row, time, direction) for the step of each sequence; 0 for steps before the first."""
    time = tl.where(direction == 0, step, length - 1 - step)
    return ((row * steps + tl.maximum(time, 0)) * 2 + direction)[:, None]


@triton.jit(do_not_specialize=BATCH_SHAPE)
def _forward_kernel(
    gates,
    weight,
    bias,
    lengths,
    outputs,
    saved,
    rows,
    steps,
    dim,
    SAVE: tl.constexpr,
    ROWS: tl.constexpr,
    DIM: tl.constexpr,
):
    direction = tl.program_id(1)
    row, length, column, inside = _sequences(lengths, rows, dim, ROWS, DIM)
    # Transposed, (from, to), so that states are multiplied from the left.
    at_weight = weight + direction * 3 * dim * dim + column[None] * dim + column[:, None]
    square = (column < dim)[None] & (column < dim)[:, None]
    w_r = tl.load(at_weight, square, other=0.0)
    w_z = tl.load(at_weight + dim * dim, square, other=0.0)
    w_n = tl.load(at_weight + 2 * dim * dim, square, other=0.0)
    b_n = tl.load(bias + direction * dim + column, column < dim, other=0.0)[None]

    state = tl.zeros((ROWS, DIM), dtype=tl.float32)
    here = _position(row, length, 0, steps, direction)
    live = (length > 0)[:, None] & inside
    at = gates + here * 3 * dim + column[None]
    g_r = tl.load(at, live, other=0.0)
    g_z = tl.load(at + dim, live, other=0.0)
    g_n = tl.load(at + 2 * dim, live, other=0.0)
    for step in range(tl.max(length)):
        # The gates of the next step are on their way while this one is computed.
        following = _position(row, length, step + 1, steps, direction)
        live_next = (step + 1 < length)[:, None] & inside
        at = gates + following * 3 * dim + column[None]
        next_r = tl.load(at, live_next, other=0.0)
        next_z = tl.load(at + dim, live_next, other=0.0)
        next_n = tl.load(at + 2 * dim, live_next, other=0.0)

        rounded = state.to(weight.dtype.element_ty)
        r = tl.sigmoid(g_r + tl.dot(rounded, w_r))
        z = tl.sigmoid(g_z + tl.dot(rounded, w_z))
        q = tl.dot(rounded, w_n) + b_n
        n = _tanh(g_n + r * q)
        state = n + z * (state - n)
        tl.store(outputs + here * dim + column[None], state, live)
        if SAVE:
            at = saved + here * 4 * dim + column[None]
            tl.store(at, r, live)
            tl.store(at + dim, z, live)
            tl.store(at + 2 * dim, n, live)
            tl.store(at + 3 * dim, q, live)
        here, live, g_r, g_z, g_n = following, live_next, next_r, next_z, next_n


@triton.jit(do_not_specialize=BATCH_SHAPE)
def _backward_kernel(
    d_outputs, saved, outputs, weight, lengths, d_gates, d_q, rows, steps, dim, ROWS: tl.constexpr, DIM: tl.constexpr
):
    direction = tl.program_id(1)
    row, length, column, inside = _sequences(lengths, rows, dim, ROWS, DIM)
    at_weight = weight + direction * 3 * dim * dim + column[:, None] * dim + column[None]  # (to, from)
    square = (column < dim)[None] & (column < dim)[:, None]
    w_r = tl.load(at_weight, square, other=0.0)
    w_z = tl.load(at_weight + dim * dim, square, other=0.0)
    w_n = tl.load(at_weight + 2 * dim * dim, square, other=0.0)
    kind = weight.dtype.element_ty

    d_state = tl.zeros((ROWS, DIM), dtype=tl.float32)
    longest = tl.max(length)
    for done in range(longest):
        step = longest - 1 - done
        here = _position(row, length, step, steps, direction)
        before = _position(row, length, step - 1, steps, direction)
        live = (step < length)[:, None] & inside
        at = saved + here * 4 * dim + column[None]
        r = tl.load(at, live, other=0.0)
        z = tl.load(at + dim, live, other=0.0)
        n = tl.load(at + 2 * dim, live, other=0.0)
        q = tl.load(at + 3 * dim, live, other=0.0)
        previous = tl.load(outputs + before * dim + column[None], live & (step > 0), other=0.0)
        # Rows that have ended, seen from the end: all of these are zero there, and so is their state's gradient.
        d_state += tl.load(d_outputs + here * dim + column[None], live, other=0.0)
        d_n = d_state * (1 - z) * (1 - n * n)
        d_r = d_n * q * r * (1 - r)
        d_z = d_state * (previous - n) * z * (1 - z)
        d_recurrent = d_n * r
        at = d_gates + here * 3 * dim + column[None]
        tl.store(at, d_r, live)
        tl.store(at + dim, d_z, live)
        tl.store(at + 2 * dim, d_n, live)
        tl.store(d_q + here * dim + column[None], d_recurrent, live)
        d_state = d_state * z
        d_state = tl.dot(d_r.to(kind), w_r, d_state)
        d_state = tl.dot(d_z.to(kind), w_z, d_state)
        d_state = tl.dot(d_recurrent.to(kind), w_n, d_state)


class _Recurrence(torch.autograd.Function):
    """The recurrent part of the layer, for B sequences of up to T words and states of H numbers."""

    @staticmethod
    def forward(ctx, gates: Tensor, weight: Tensor, bias: Tensor, lengths: Tensor) -> Tensor:
        """Return the states, zero at padding.

        Args:
            ctx: Keeps what the backward pass needs.
            gates: What the input contributes to the three gates, with all biases but ``bias``, (B, T, 2, 3, H).
            weight: The recurrent weights, (2, 3, H, H).
            bias: The bias inside the product with the reset gate, (2, H).
            lengths: Number of words of each sequence, int32, (B,).

        Returns:
            The states in both directions, (B, T, 2, H).
        """
        rows, steps, _, _, dim = gates.shape
        gates = gates.contiguous()
        outputs = gates.new_zeros(rows, steps, 2, dim)
        needed = any(ctx.needs_input_grad)
        saved = gates.new_empty(rows, steps, 2, 4, dim) if needed else outputs
        _forward_kernel[_programs(rows)](
            gates,
            weight.half().contiguous(),
            bias.contiguous(),
            lengths,
            outputs,
            saved,
            rows,
            steps,
            dim,
            SAVE=needed,
            ROWS=ROWS,
            DIM=_padded(dim),
            **TUNING,
        )
        ctx.save_for_backward(saved, outputs, weight, lengths)
        return outputs

    @staticmethod
    def backward(ctx, d_outputs: Tensor) -> tuple[Tensor, Tensor, Tensor, None]:
        """Return the gradients of the gates, the weights and the bias."""
        saved, outputs, weight, lengths = ctx.saved_tensors
        rows, steps, _, dim = outputs.shape
        d_gates, d_q = outputs.new_zeros(rows, steps, 2, 3, dim), torch.zeros_like(outputs)
        _backward_kernel[_programs(rows)](
            d_outputs.contiguous(),
            saved,
            outputs,
            weight.bfloat16().contiguous(),
            lengths,
            d_gates,
            d_q,
            rows,
            steps,
            dim,
            ROWS=ROWS,
            DIM=_padded(dim),
            **TUNING,
        )
        zero = outputs.new_zeros(rows, 1, dim)
        before = torch.stack(  # the state that each step started from, (2, B T, H)
            [torch.cat([zero, outputs[:, :-1, 0]], 1), torch.cat([outputs[:, 1:, 1], zero], 1)]
        ).reshape(2, -1, dim)
        d_recurrent = torch.cat([d_gates[:, :, :, :2], d_q[:, :, :, None]], 3)  # (B, T, 2, 3, H)
        d_weight = d_recurrent.permute(2, 3, 4, 0, 1).reshape(2, 3 * dim, -1) @ before  # (2, 3 H, H)
        return d_gates, d_weight.reshape(2, 3, dim, dim), d_q.sum((0, 1)), None


def bidirectional_gru(layer: nn.GRU, x: Tensor, lengths: Tensor) -> Tensor:
    """Compute a bidirectional GRU layer over padded sequences.

    Args:
        layer: The layer, with at most 128 hidden units in each direction.
        x: Its input, (B, T, D).
        lengths: Number of words of each sequence, int32 on the same device, (B,).

    Returns:
        The states of both directions, zero at padding, (B, T, 2 H).
    """
    dim = layer.hidden_size
    names = ("l0", "l0_reverse")
    weights = {kind: [getattr(layer, f"{kind}_{name}") for name in names] for kind in ("weight_ih", "weight_hh")}
    recurrent_bias = torch.stack([getattr(layer, f"bias_hh_{name}") for name in names]).view(2, 3, dim)
    input_bias = torch.stack([getattr(layer, f"bias_ih_{name}") for name in names]).view(2, 3, dim)
    # The recurrent bias of the new state is multiplied by the reset gate; those of the gates are simply added.
    bias = torch.cat([input_bias[:, :2] + recurrent_bias[:, :2], input_bias[:, 2:]], 1)
    gates = nn.functional.linear(x, torch.cat(weights["weight_ih"]), bias.flatten())  # (B, T, 6 H)
    recurrent = torch.stack(weights["weight_hh"]).view(2, 3, dim, dim)
    states = _Recurrence.apply(gates.unflatten(-1, (2, 3, dim)), recurrent, recurrent_bias[:, 2], lengths)
    return states.flatten(2)


def _programs(rows: int) -> tuple[int, int]:
    return triton.cdiv(rows, ROWS), 2


def _padded(dim: int) -> int:
    """Return the size of a tile for a number of columns: a power of two that a matrix product can have."""
    return max(16, triton.next_power_of_2(dim))
