"""Training on a CPU: an LSTM layer over packed rows, with a hand-written backward pass.

It computes what ``elmo.engines.packed`` computes with plain kernels, which is its readable twin, but

- each direction has a thread of its own, because products of a few rows are too small to be divided well;
- the weights are packed once per pass for the products that are repeated at every step;
- the inputs of many steps are multiplied at once, and a step multiplies only the previous output;
- what happens between the products is one compiled loop (see ``compiled``), or several operations of torch if
  llvmlite is not installed;
- the backward pass finds the values of the gates, and the gradients of the weights are one product over all steps.

In float32 it agrees with its twin to rounding. In bfloat16 the factors and results of all products are rounded, as on a
GPU, while cells and gates stay in float32. Processors that multiply bfloat16 do so two to four times as fast.

Shapes: 2 directions, T steps, B rows, P output, D cell.
"""

from math import inf
from typing import Any

import torch
from torch import Tensor

from elmo.config import LSTMConfig, Precision
from elmo.engines import compiled
from elmo.engines.packed import SinglePass
from elmo.engines.packed_matrix import PackedMatrix, packed
from elmo.engines.threads import pair_of_threads
from elmo.model.lstm import FORGET_BIAS, LSTMLayer

POSITIONS_PER_PRODUCT = 256
"""Number of positions in one input product. The result should fit the cache of a core."""


class CPUWorkspace(SinglePass):
    """The buffers that one layer needs for rows of one shape: what the forward pass leaves for the backward pass.

    Args:
        config: The shape of the layer.
        steps: Length T of a row.
        rows: Number B of rows.
        dtype: What products are computed in, float32 or bfloat16.
        loops: ``compiled`` or ``torch_loops``; by default the former if it is available.
    """

    def __init__(
        self, config: LSTMConfig, steps: int, rows: int, dtype: torch.dtype = torch.float32, loops: Any = None
    ) -> None:
        self.loops = loops or (compiled if compiled.available() else torch_loops)
        self.precision: Precision = "float32" if dtype == torch.float32 else "bf16"
        self.steps, self.rows, self.width, self.dim = steps, rows, config.output_dim, config.dim
        self.cell_clip = config.cell_clip or inf
        self.projection_clip = None if config.projection_dim is None else config.projection_clip

        def each_step(size: int, initial: int = 0, dtype: torch.dtype = torch.float32) -> Tensor:
            return torch.zeros(2, initial + steps, rows, size, dtype=dtype, device="cpu")

        # Side by side, so that one product gives the gradient of all weights.
        joined = each_step(2 * self.width, dtype=dtype)
        self.joined, self.inputs, self.states = joined, joined[..., : self.width], joined[..., self.width :]
        self.gates = each_step(4 * self.dim)  # after their nonlinearity; in the backward pass: their gradients
        self.d_gates = self.gates if self.precision == "float32" else each_step(4 * self.dim, dtype=dtype)
        self.cells = each_step(self.dim, initial=1)  # first the initial cell, which stays zero
        self.squashed = each_step(self.dim)  # tanh of the cells
        self.hidden = each_step(self.dim, dtype=dtype)
        self.outputs = each_step(self.width, dtype=dtype)
        self.d_projected = each_step(self.width, dtype=dtype)
        self.keep = torch.zeros(steps, rows, 1, dtype=torch.float32, device="cpu")

    @torch.no_grad()
    def forward(self, direction: int, weight: Tensor, bias: Tensor, projection: Tensor | None) -> None:
        """Compute the outputs of one direction from its weights (2P, 4D), (4D,) and (D, P)."""
        bias = bias.clone()
        bias[2 * self.dim : 3 * self.dim] += FORGET_BIAS
        from_input = packed(weight[: self.width], bias, self.precision)
        from_state = packed(weight[self.width :], None, self.precision)
        project = None if projection is None else packed(projection, None, self.precision)
        inputs, states, outputs = self.inputs[direction], self.states[direction], self.outputs[direction]
        hidden, cells = self.hidden[direction], self.cells[direction]
        rounded = self.precision == "bf16"
        exact = cells.new_empty(self.rows, self.dim)  # the hidden output before it is rounded
        chunk = max(1, POSITIONS_PER_PRODUCT // self.rows)
        for t in range(self.steps):
            if t % chunk == 0:
                products = _product(from_input, inputs[t : t + chunk].flatten(0, 1)).unflatten(0, (-1, self.rows))
            if t > 0:
                states[t] = outputs[t - 1] * self.keep[t]  # zero where a sentence begins
            self.loops.cell_forward(
                _product(from_state, states[t], products[t % chunk]).float(),
                self.keep[t],
                cells[t],
                self.gates[direction, t],
                cells[t + 1],
                self.squashed[direction, t],
                exact if rounded else hidden[t],
                self.cell_clip,
            )
            if rounded:
                hidden[t] = exact
            outputs[t].copy_(hidden[t] if project is None else _product(project, hidden[t]))
            if self.projection_clip is not None:
                outputs[t].clamp_(-self.projection_clip, self.projection_clip)

    @torch.no_grad()
    def backward(
        self,
        direction: int,
        d_outputs: Tensor,
        weight: Tensor,
        projection: Tensor | None,
        d_x: Tensor,
        d_weight: Tensor,
        d_projection: Tensor | None,
    ) -> None:
        """Compute the gradients of one direction.

        Args:
            direction: The direction.
            d_outputs: Gradient of the outputs, (T, B, P).
            weight: (2P, 4D).
            projection: (D, P), if there is one.
            d_x: Receives the gradient of the inputs, (T, B, P).
            d_weight: Receives that of the weights.
            d_projection: Receives that of the projection.
        """
        to_input = packed(weight[: self.width].T, None, self.precision)
        to_state = packed(weight[self.width :].T, None, self.precision)
        unproject = None if projection is None else packed(projection.T, None, self.precision)
        gates, d_gates, cells = self.gates[direction], self.d_gates[direction], self.cells[direction]
        d_projected, keep = self.d_projected[direction], self.keep.to(d_outputs.dtype)
        d_projected.copy_(d_outputs)
        d_cell = cells.new_zeros(self.rows, self.dim)
        unclipped = None
        if self.projection_clip is not None:
            unclipped = (self.outputs[direction].abs() < self.projection_clip).to(d_outputs.dtype)
        for t in reversed(range(self.steps)):
            if t + 1 < self.steps:
                d_projected[t].addcmul_(_product(to_state, d_gates[t + 1]), keep[t + 1])
            if unclipped is not None:
                d_projected[t].mul_(unclipped[t])
            self.loops.cell_backward(
                gates[t],
                self.keep[t],
                cells[t],
                cells[t + 1],
                self.squashed[direction, t],
                (d_projected[t] if unproject is None else _product(unproject, d_projected[t])).float(),
                d_cell,
                self.cell_clip,
            )
            if self.precision == "bf16":
                d_gates[t] = gates[t]
        d_gates = d_gates.flatten(0, 1)  # (T*B, 4D)
        d_x.copy_(_product(to_input, d_gates).view_as(d_x))
        d_weight.copy_(self.joined[direction].flatten(0, 1).T @ d_gates)
        if d_projection is not None:
            d_projection.copy_(self.hidden[direction].flatten(0, 1).T @ d_projected.flatten(0, 1))


def packed_layer(layer: LSTMLayer, x: Tensor, keep: Tensor, space: CPUWorkspace) -> Tensor:
    """Compute the outputs (2, T, B, P) of a layer; see ``elmo.engines.packed.packed_layer``."""
    return _LayerOnCPU.apply(x, keep, layer.weight, layer.bias, layer.projection, space)


class _LayerOnCPU(torch.autograd.Function):
    @staticmethod
    def forward(
        ctx: Any,
        x: Tensor,
        keep: Tensor,
        weight: Tensor,
        bias: Tensor,
        projection: Tensor | None,
        space: CPUWorkspace,
    ) -> Tensor:
        space.inputs.copy_(x)
        space.keep.copy_(keep[:, :, None])
        with pair_of_threads() as team:
            team.map(
                lambda d: space.forward(d, weight[d], bias[d], None if projection is None else projection[d]), (0, 1)
            )
        ctx.space, ctx.number = space, space.after_forward()
        ctx.save_for_backward(weight, projection)
        return space.outputs.clone()

    @staticmethod
    def backward(ctx: Any, d_outputs: Tensor) -> Any:
        space: CPUWorkspace = ctx.space
        space.before_backward(ctx.number)
        weight, projection = ctx.saved_tensors
        d_x, d_weight = torch.empty_like(d_outputs), torch.empty_like(weight)
        d_projection = None if projection is None else torch.empty_like(projection)
        with pair_of_threads() as team:
            team.map(
                lambda d: space.backward(
                    d,
                    d_outputs[d],
                    weight[d],
                    None if projection is None else projection[d],
                    d_x[d],
                    d_weight[d],
                    None if d_projection is None else d_projection[d],
                ),
                (0, 1),
            )
        return d_x, None, d_weight, space.gates.sum((1, 2)), d_projection, None


class torch_loops:
    """What happens between the products, in plain PyTorch."""

    @staticmethod
    def cell_forward(
        sums: Tensor,
        keep: Tensor,
        before: Tensor,
        gates: Tensor,
        cells: Tensor,
        squashed: Tensor,
        hidden: Tensor,
        clip: float,
    ) -> None:
        """Compute a step of the cell.

        Args:
            sums: Sums of the products and the bias, (B, 4D).
            keep: 1 where the state continues, (B, 1).
            before: The previous cells, (B, D).
            gates: Receives the gates after their nonlinearity, (B, 4D).
            cells: Receives the cells, (B, D).
            squashed: Receives their tanh.
            hidden: Receives the hidden output.
            clip: Bound of the cells.
        """
        i, j, f, o = sums.chunk(4, -1)
        torch.cat([torch.sigmoid(i), torch.tanh(j), torch.sigmoid(f), torch.sigmoid(o)], -1, out=gates)
        i, j, f, o = gates.chunk(4, -1)
        torch.clamp(f * (keep * before) + i * j, -clip, clip, out=cells)
        torch.mul(o, torch.tanh(cells, out=squashed), out=hidden)

    @staticmethod
    def cell_backward(
        gates: Tensor,
        keep: Tensor,
        before: Tensor,
        cells: Tensor,
        squashed: Tensor,
        d_hidden: Tensor,
        d_cell: Tensor,
        clip: float,
    ) -> None:
        """Replace the gates by their gradients, and ``d_cell`` by the gradient of the previous cells."""
        i, j, f, o = gates.chunk(4, -1)
        d_total = torch.where(cells.abs() < clip, d_cell + d_hidden * o * (1 - squashed**2), 0)
        torch.mul(d_total, f * keep, out=d_cell)
        d_gates = (
            d_total * j * i * (1 - i),
            d_total * i * (1 - j**2),
            d_total * (keep * before) * f * (1 - f),
            d_hidden * squashed * o * (1 - o),
        )
        gates.copy_(torch.cat(d_gates, -1))


def _product(matrix: PackedMatrix, x: Tensor, plus: Tensor | None = None) -> Tensor:
    """``x`` (M, K) times the matrix (K, N), plus its bias, plus ``plus`` (M, N)."""
    return matrix.times(matrix.rows(x.contiguous()), plus)


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
    """See ``elmo.model.softmax.sampled_pointwise``; float32 logits are overwritten."""
    dtype = logits.dtype
    logits = logits.float().add_(bias)
    in_order, order = words.sort()
    place = torch.searchsorted(in_order, targets).clamp_max_(len(words) - 1)
    hits = (in_order[place] == targets).nonzero()[:, 0]  # positions whose target is among the samples
    logits[hits, order[place[hits]]] = torch.finfo(logits.dtype).min
    probabilities = torch.softmax(logits, 1)  # if the target did not compete
    # Of all elements, the largest one gives the logarithm of the sum with the least rounding.
    log_sampled = logits.amax(1) - probabilities.amax(1).log()
    log_total = torch.logaddexp(log_sampled, target_logits)
    losses.copy_(loss_weights * (log_total - target_logits))
    d_target_logits.copy_((torch.exp(target_logits - log_total) - 1) * loss_weights)
    return probabilities.mul_((torch.exp(log_sampled - log_total) * loss_weights)[:, None]).to(dtype)
