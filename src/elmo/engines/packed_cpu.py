"""Training on a CPU: an LSTM layer over packed rows in float32, with a hand-written backward pass.

It computes what ``elmo.engines.packed`` computes with plain kernels, which is its readable twin, but

- each direction has a thread of its own, because products of a few rows are too small to be divided well;
- the weights are packed once per pass for the products that are repeated at every step;
- all inputs of a chunk of steps are multiplied at once, and a step multiplies only the previous output;
- all nonlinearities are sigmoids, which are much faster than tanh: tanh(x) = 2 sigmoid(2x) - 1. The factors of 2 are
  folded into the weights, and the cell is stored doubled; multiplying by 2 is exact;
- the derivatives of the nonlinearities are computed for a chunk of steps at once, so that a step of the backward pass
  only multiplies by them;
- the gradients of the weights are one product over all steps.

Shapes: 2 directions, T steps, B rows, P output, D cell, n steps of a chunk.
"""

from typing import Any

import torch
from torch import Tensor

from elmo.engines.packed_matrix import PackedMatrix, packed
from elmo.engines.threads import pair_of_threads
from elmo.model.lstm import FORGET_BIAS, LSTMLayer

POSITIONS_PER_CHUNK = 256
"""Number of positions in a chunk of steps. What a chunk computes should fit the cache of a core."""


class CPUWorkspace:
    """The buffers that one layer needs for rows of one shape: what the forward pass leaves for the backward pass."""

    def __init__(self, layer: LSTMLayer, steps: int, rows: int) -> None:
        config = layer.config
        self.steps, self.rows, self.width, self.dim = steps, rows, config.output_dim, config.dim
        self.cell_clip = config.cell_clip
        self.projection_clip = None if layer.projection is None else config.projection_clip
        chunk = max(1, POSITIONS_PER_CHUNK // rows)
        self.chunks = [slice(start, min(start + chunk, steps)) for start in range(0, steps, chunk)]

        def each_step(size: int, initial: int = 0) -> Tensor:
            return torch.zeros(2, initial + steps, rows, size, dtype=torch.float32, device="cpu")

        self.inputs = each_step(self.width)
        self.states = each_step(self.width)  # the previous outputs, zero where a sentence begins
        self.gates = each_step(4 * self.dim)  # i, tanh(j) / 2, f, o; in the backward pass their gradients
        self.cells = each_step(self.dim, initial=1)  # doubled; first the initial cell, which stays zero
        self.squashed = each_step(self.dim)  # tanh(cell) / 2
        self.hidden = each_step(self.dim)  # o * squashed, half of what is projected
        self.outputs = each_step(self.width)
        self.d_projected = each_step(self.width)
        self.keep = torch.zeros(steps, rows, 1, dtype=torch.float32, device="cpu")
        self.uses = 0  # number of passes, to detect a backward pass that comes too late

    @torch.no_grad()
    def forward(self, direction: int, weight: Tensor, bias: Tensor, projection: Tensor | None) -> None:
        """Compute the outputs of one direction from its weights (2P, 4D), (4D,) and (D, P)."""
        factor, shift = weight.new_ones(4, 1), weight.new_zeros(4, 1)
        factor[1], shift[2] = 2, FORGET_BIAS  # the gates are i, j, f, o
        weight = (weight.view(-1, 4, self.dim) * factor).flatten(1)
        bias = ((bias.view(4, self.dim) + shift) * factor).flatten()
        from_input, from_state = (
            packed(weight[: self.width], bias, "float32"),
            packed(weight[self.width :], None, "float32"),
        )
        project = None if projection is None else packed(projection * 2, None, "float32")
        states, gates, cells = self.states[direction], self.gates[direction], self.cells[direction]
        squashed, hidden, outputs = self.squashed[direction], self.hidden[direction], self.outputs[direction]
        for chunk in self.chunks:
            inputs = _product(from_input, self.inputs[direction, chunk].flatten(0, 1)).unflatten(0, (-1, self.rows))
            for t in range(chunk.start, chunk.stop):
                if t > 0:
                    torch.mul(outputs[t - 1], self.keep[t], out=states[t])
                cell = torch.mul(cells[t], self.keep[t], out=cells[t + 1])
                torch.sigmoid(_product(from_state, states[t], inputs[t - chunk.start]), out=gates[t])
                i, j, f, o = gates[t].chunk(4, 1)
                cell.mul_(f).addcmul_(i, j.sub_(0.5), value=4)
                if self.cell_clip is not None:
                    cell.clamp_(-2 * self.cell_clip, 2 * self.cell_clip)
                torch.sigmoid(cell, out=squashed[t]).sub_(0.5)
                torch.mul(squashed[t], o, out=hidden[t])
                if project is None:
                    torch.mul(hidden[t], 2, out=outputs[t])
                else:
                    outputs[t].copy_(_product(project, hidden[t]))
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
        to_input, to_state = (
            packed(weight[: self.width].T, None, "float32"),
            packed(weight[self.width :].T, None, "float32"),
        )
        unproject = None if projection is None else packed(projection.T, None, "float32")
        gates, d_projected = self.gates[direction], self.d_projected[direction]
        d_projected.copy_(d_outputs)
        d_cell = d_outputs.new_zeros(self.rows, self.dim)
        for chunk in reversed(self.chunks):
            unclipped = None
            if self.projection_clip is not None:
                unclipped = (self.outputs[direction, chunk].abs() < self.projection_clip).to(torch.float32)
            of_hidden, of_cell = self._derivatives(direction, chunk)
            for t in reversed(range(chunk.start, chunk.stop)):
                at = t - chunk.start
                if t + 1 < self.steps:
                    d_projected[t].addcmul_(_product(to_state, gates[t + 1]), self.keep[t + 1])
                if unclipped is not None:
                    d_projected[t].mul_(unclipped[at])
                d_hidden = d_projected[t] if unproject is None else _product(unproject, d_projected[t])
                d_cell.addcmul_(d_hidden, of_hidden[at])
                gates[t, :, : 3 * self.dim].unflatten(1, (3, -1)).mul_(d_cell[:, None])
                gates[t, :, 3 * self.dim :].mul_(d_hidden)
                d_cell.mul_(of_cell[at])
        d_gates = gates.flatten(0, 1)  # (T*B, 4D)
        d_x.copy_(_product(to_input, d_gates).view_as(d_x))
        torch.mm(self.inputs[direction].flatten(0, 1).T, d_gates, out=d_weight[: self.width])
        torch.mm(self.states[direction].flatten(0, 1).T, d_gates, out=d_weight[self.width :])
        if d_projection is not None:
            torch.mm(self.hidden[direction].flatten(0, 1).T, d_projected.flatten(0, 1), out=d_projection).mul_(2)

    def _derivatives(self, direction: int, chunk: slice) -> tuple[Tensor, Tensor]:
        """Replace the gates of a chunk by derivatives: of i, j and f by the cell, of o by the hidden output.

        Returns:
            Derivative of the hidden output by the cell, and of the cell by the previous cell, (n, B, D) each. The
            gradient of a cell is zero where the clip is active.
        """
        i, j, f, o = self.gates[direction, chunk].chunk(4, -1)  # (n, B, D), views
        squashed = self.squashed[direction, chunk]
        before, after = self.cells[direction, chunk], self.cells[direction, 1:][chunk]
        keep = self.keep[chunk]
        of_hidden = torch.addcmul(o, o, squashed * squashed, value=-4)  # o * (1 - tanh(c)^2)
        of_cell = f * keep
        if self.cell_clip is not None:
            of_hidden.mul_(after.abs() < 2 * self.cell_clip)
            of_cell.mul_(before.abs() < 2 * self.cell_clip)
        of_j = torch.addcmul(i, i, j * j, value=-4)  # i * (1 - tanh(j)^2)
        i.mul_(torch.rsub(i, 2, alpha=2)).mul_(j)  # i * (1 - i) * tanh(j)
        j.copy_(of_j)
        f.mul_(torch.rsub(f, 0.5, alpha=0.5)).mul_(before).mul_(keep)  # f * (1 - f) * previous cell
        o.mul_(torch.rsub(o, 2, alpha=2)).mul_(squashed)  # o * (1 - o) * tanh(c)
        return of_hidden, of_cell


def _product(matrix: PackedMatrix, x: Tensor, plus: Tensor | None = None) -> Tensor:
    """``x`` (M, K) times the matrix (K, N), plus its bias, plus ``plus`` (M, N)."""
    return matrix.times(matrix.rows(x), plus)


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
        space.uses += 1
        ctx.space, ctx.use = space, space.uses
        ctx.save_for_backward(weight, projection)
        return space.outputs.clone()

    @staticmethod
    def backward(ctx: Any, d_outputs: Tensor) -> Any:
        space: CPUWorkspace = ctx.space
        if space.uses != ctx.use:
            raise RuntimeError("a workspace holds one pass: call backward once, before the next forward pass")
        space.uses += 1
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
    """See ``elmo.model.softmax.sampled_pointwise``; the logits are overwritten."""
    logits.add_(bias)
    in_order, order = words.sort()
    place = torch.searchsorted(in_order, targets).clamp_max_(len(words) - 1)
    hits = (in_order[place] == targets).nonzero()[:, 0]  # positions whose target is among the samples
    logits[hits, order[place[hits]]] = torch.finfo(logits.dtype).min
    shares = torch.softmax(logits, 1)  # probabilities if the target did not compete
    # Of all elements, the largest one gives the logarithm of the sum with the least rounding.
    log_sampled = logits.amax(1) - shares.amax(1).log()
    log_total = torch.logaddexp(log_sampled, target_logits)
    losses.copy_(loss_weights * (log_total - target_logits))
    d_target_logits.copy_((torch.exp(target_logits - log_total) - 1) * loss_weights)
    return shares.mul_((torch.exp(log_sampled - log_total) * loss_weights)[:, None])
