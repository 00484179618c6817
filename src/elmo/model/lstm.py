"""Two stacks of LSTM layers with projection, one reading forward, one backward.

Notation in shapes: 2 directions (0 forward, 1 backward), B sentences, T positions, D cell, P output.

The cell is the one the published models were trained with:

    i, j, f, o = [x ; h] W + b          (input gate, candidate, forget gate, output gate)
    c = clip(sigmoid(f + 1) * c + sigmoid(i) * tanh(j))
    h = clip((sigmoid(o) * tanh(c)) W_projection)

Both clips are part of the cell, which is why ``torch.nn.LSTM`` cannot be used. Weights keep the layout of the published
files (input-major, gates in the order i, j, f, o, the forget bias of 1 not included), so that a file that is read and
written again has the same bytes.
"""

from collections.abc import Sequence
from typing import NamedTuple

import torch
from torch import Tensor, nn

from elmo.config import LSTMConfig

FORGET_BIAS = 1.0
"""Added to the forget gate in the cell; the stored biases do not contain it."""


class LSTMState(NamedTuple):
    """The state of each row, for L layers."""

    h: Tensor
    """Last outputs, before the residual connection, (L, 2, B, P)."""
    c: Tensor
    """Last cells, (L, 2, B, D)."""

    def rows(self, count: int) -> "LSTMState":
        """Return the first ``count`` rows; missing rows are zero."""
        return LSTMState(*(_first_rows(part, count) for part in self))

    def updated(self, newer: "LSTMState") -> "LSTMState":
        """Replace the first rows by those of ``newer`` and keep the others."""
        count = newer.h.shape[2]
        return LSTMState(*(torch.cat([new, old[:, :, count:]], 2) for new, old in zip(newer, self, strict=True)))

    def repeated(self, count: int) -> "LSTMState":
        """Repeat the state of a single row ``count`` times."""
        return LSTMState(self.h.expand(-1, -1, count, -1), self.c.expand(-1, -1, count, -1))


def _first_rows(part: Tensor, count: int) -> Tensor:
    missing = count - part.shape[2]
    if missing <= 0:
        return part[:, :, :count]
    return torch.cat([part, part.new_zeros(*part.shape[:2], missing, part.shape[3])], 2)


class LSTMLayer(nn.Module):
    """One layer, both directions side by side. Each reads its input from left to right."""

    positions_per_product = 2048
    """The input products are computed for about this many positions at a time, which bounds their memory."""

    def __init__(self, config: LSTMConfig) -> None:
        super().__init__()
        self.config = config
        width, dim = config.output_dim, config.dim
        self.weight = nn.Parameter(torch.empty(2, width + width, 4 * dim))  # rows: input, then state
        self.bias = nn.Parameter(torch.empty(2, 4 * dim))
        self.projection: nn.Parameter | None = None
        if config.projection_dim is not None:
            self.projection = nn.Parameter(torch.empty(2, dim, width))

    def forward(self, x: Tensor, active: Sequence[int], h: Tensor, c: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """Read ``x`` (2, T, B, P) from state ``h`` (2, B, P), ``c`` (2, B, D).

        Rows are sorted by decreasing length: at step t the first ``active[t]`` rows are still running, and the others
        keep their state.

        Returns:
            The outputs (2, T, B, P), zero after a row's end, and the last state of every row.
        """
        _, steps, batch, width = x.shape
        input_weight, state_weight = self.weight[:, :width], self.weight[:, width:]
        outputs = []
        chunk = max(1, self.positions_per_product // max(batch, 1))
        for start in range(0, steps, chunk):
            part = x[:, start : start + chunk].flatten(1, 2)  # (2, t*B, P)
            from_input = torch.baddbmm(self.bias[:, None], part, input_weight).unflatten(1, (-1, batch))
            for offset in range(from_input.shape[1]):
                rows = active[start + offset]
                gates = torch.baddbmm(from_input[:, offset, :rows], h[:, :rows], state_weight)
                new_h, new_c = self._cell(gates, c[:, :rows])
                h = new_h if rows == batch else torch.cat([new_h, h[:, rows:]], 1)
                c = new_c if rows == batch else torch.cat([new_c, c[:, rows:]], 1)
                outputs.append(nn.functional.pad(new_h, (0, 0, 0, batch - rows)))
        return torch.stack(outputs, 1), h, c

    def _cell(self, gates: Tensor, c: Tensor) -> tuple[Tensor, Tensor]:
        """One step: from the gates (2, B, 4D) and the old cell (2, B, D) to the new output and cell."""
        i, j, f, o = gates.chunk(4, -1)
        c = torch.sigmoid(f + FORGET_BIAS) * c + torch.sigmoid(i) * torch.tanh(j)
        if self.config.cell_clip is not None:
            c = c.clamp(-self.config.cell_clip, self.config.cell_clip)
        h = torch.sigmoid(o) * torch.tanh(c)
        if self.projection is not None:
            h = torch.bmm(h, self.projection)
            if self.config.projection_clip is not None:
                h = h.clamp(-self.config.projection_clip, self.config.projection_clip)
        return h, c


class BiLSTM(nn.Module):
    """The stack of layers, from word vectors to the output of every layer."""

    layers: Sequence[LSTMLayer]

    def __init__(self, config: LSTMConfig) -> None:
        super().__init__()
        self.config = config
        self.layers = nn.ModuleList(  # type: ignore[assignment]
            LSTMLayer(config) for _ in range(config.n_layers)
        )

    def zero_state(self, rows: int) -> LSTMState:
        """Return the state before anything has been read."""
        like, layers = self.layers[0].weight, len(self.layers)
        return LSTMState(
            like.new_zeros(layers, 2, rows, self.config.output_dim),
            like.new_zeros(layers, 2, rows, self.config.dim),
        )

    def forward(
        self, x: Tensor, lengths: Sequence[int], state: LSTMState | None = None
    ) -> tuple[list[Tensor], LSTMState]:
        """Read word vectors ``x`` (B, T, P).

        A direction's output at a position depends on that position and all before it in its own reading order.
        Positions beyond a row's length are never read.

        Returns:
            Each layer's output (B, T, 2P), zero at padding, and the last state.
        """
        batch, steps, _ = x.shape
        state = self.zero_state(batch) if state is None else state
        # Rows sorted by decreasing length, so that the rows still running at a step are the first ones.
        order = sorted(range(batch), key=lambda row: -lengths[row])
        place = torch.tensor(order, dtype=torch.long, device=x.device)
        back = torch.argsort(place)
        active = _active_rows(lengths, steps)
        reverse = _reversal(lengths, steps, x.device)  # (B, T)

        # Both directions read left to right: the backward one reads each row reversed in its own length,
        # so that padding comes last for both.
        backwards = _take_steps(x, reverse)
        stream = torch.stack([x, backwards])[:, place].transpose(1, 2)  # (2, T, B, P)
        outputs, last_h, last_c = [], [], []
        for index, layer in enumerate(self.layers):
            result, h, c = layer(stream, active, state.h[index][:, place], state.c[index][:, place])
            # The residual connection is outside the recurrence: the state is the plain output. There is none around
            # the first layer.
            stream = result + stream if self.config.residual and index > 0 else result
            forwards, backwards = stream.transpose(1, 2)[:, back]  # (B, T, P) each
            outputs.append(torch.cat([forwards, _take_steps(backwards, reverse)], -1))
            last_h.append(h[:, back])
            last_c.append(c[:, back])
        return outputs, LSTMState(torch.stack(last_h), torch.stack(last_c))


def _active_rows(lengths: Sequence[int], steps: int) -> list[int]:
    """Count the rows that are longer than t, for each step t."""
    ends = [0] * (steps + 1)
    for length in lengths:
        ends[length] += 1
    active, running = [], len(lengths)
    for step in range(steps):
        running -= ends[step]
        active.append(running)
    return active


def _reversal(lengths: Sequence[int], steps: int, device: torch.device) -> Tensor:
    """Indices (B, T) that reverse each row within its length and leave its padding in place."""
    step = torch.arange(steps, device=device)
    length = torch.tensor(lengths, dtype=torch.long, device=device)[:, None]
    return torch.where(step < length, length - 1 - step, step)


def _take_steps(x: Tensor, positions: Tensor) -> Tensor:
    """Rearrange ``x`` (B, T, P) by ``positions`` (B, T)."""
    return x.gather(1, positions[:, :, None].expand_as(x))
