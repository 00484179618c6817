"""LSTM layers over packed rows: the engine for training, with a hand-written backward pass.

Sentences are packed end to end into rows of one length, and the layer resets its state where a sentence begins. Every
step then has the same shape, whatever the lengths of the sentences. ``elmo.model.lstm`` computes the same for padded
sentences and is the readable twin; the tests compare the two and their gradients.

Each step is one matrix product for all gates of both directions, one pointwise kernel, one product for the projection,
and one kernel to clip it. The backward pass mirrors this, and the gradient of the weights is one product over all steps
at the end. On a GPU the kernels are Triton's, and the steps are captured in CUDA graphs.

Shapes: 2 directions, T steps, B rows, P output, D cell.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from math import inf
from typing import Any

import torch
from torch import Tensor

from elmo.config import LSTMConfig
from elmo.engines.character_cnn import TrainingEncoder
from elmo.model.lstm import FORGET_BIAS, BiLSTM, LSTMLayer
from elmo.model.softmax import Pointwise, sampled_pointwise
from elmo.model.token_layers import CharacterEncoder

MAX_WINDOW = 256
"""Largest number of elements in a window of the character CNN whose products fit the shared memory of a GPU."""


@dataclass(frozen=True)
class Clips:
    """Bounds of the cell and of the projected output; infinity if the model has none."""

    cell: float
    projection: float

    @classmethod
    def of(cls, config: LSTMConfig) -> "Clips":
        """Read the bounds of a model."""
        projection = config.projection_clip if config.projection_dim is not None else None
        return cls(config.cell_clip or inf, projection or inf)


class SinglePass:
    """Counts the passes over buffers, which hold one: what the last forward pass leaves for its backward pass."""

    passes = 0

    def after_forward(self) -> int:
        """Count a forward pass, and return the number that its backward pass shows."""
        self.passes += 1
        return self.passes

    def before_backward(self, number: int) -> None:
        """Count a backward pass. It must be the first after the forward pass with this number."""
        if self.passes != number:
            raise RuntimeError("a workspace holds one pass: call backward once, before the next forward pass")
        self.passes += 1


class Workspace(SinglePass):
    """The buffers that one layer needs for rows of one shape, and on a GPU the CUDA graphs over them.

    The backward pass reads what the last forward pass left in the buffers. Without a backward pass
    (``for_training=False``), all steps share the memory of one, and there are no buffers for gradients.
    """

    def __init__(
        self,
        layer: LSTMLayer,
        steps: int,
        rows: int,
        dtype: torch.dtype,
        device: torch.device,
        for_training: bool = True,
    ) -> None:
        config = layer.config
        width, dim = config.output_dim, config.dim
        self.steps, self.rows, self.width, self.clips = steps, rows, width, Clips.of(config)
        exact = torch.float64 if dtype == torch.float64 else torch.float32

        def new(*shape: int, dtype: torch.dtype = dtype) -> Tensor:
            return torch.zeros(*shape, dtype=dtype, device=device)

        def each_step(*shape: int, dtype: torch.dtype = dtype) -> Tensor:
            if for_training:
                return new(2, steps, rows, *shape, dtype=dtype)
            return new(2, 1, rows, *shape, dtype=dtype).expand(2, steps, rows, *shape)

        self.keep = new(steps + 1, rows)  # 1 where the state continues; row T stays zero
        self.inputs = new(2, steps, rows, 2 * width)  # the layer's input, then its previous output
        self.gates = each_step(4 * dim)  # in the backward pass: their gradients
        self.cells = each_step(dim, dtype=exact)
        self.hidden = each_step(dim)
        self.outputs = new(2, steps, rows, width)
        self.weight = new(2, 2 * width, 4 * dim)
        self.bias = new(2, 4 * dim, dtype=exact)
        self.projection = None if config.projection_dim is None else new(2, dim, width)
        self.raw = new(2, rows, width)
        self.kernels: Any = torch_kernels
        if device.type == "cuda":
            from elmo.engines import triton_kernels

            self.kernels = triton_kernels
        if for_training:
            self.d_outputs = new(2, steps, rows, width)
            self.d_projected = new(2, steps, rows, width)
            self.d_inputs = new(2, steps, rows, 2 * width)
            self.d_hidden = new(2, rows, dim)
            self.d_cell = new(2, rows, dim, dtype=exact)
            self.d_bias = new(2, self.kernels.row_groups(rows, dim), 4 * dim, dtype=exact)  # a sum per group of rows
        self._graphs: dict[Any, torch.cuda.CUDAGraph] = {}

    def run(self, work: Any) -> None:
        """Run a function over the buffers. On a GPU, capture it the first time and replay it from then on."""
        if self.inputs.device.type != "cuda":
            work(self)
            return
        if work not in self._graphs:
            stream = torch.cuda.Stream()
            stream.wait_stream(torch.cuda.current_stream())
            with torch.cuda.stream(stream):
                work(self)  # compiles the kernels, which cannot happen during capture
            torch.cuda.current_stream().wait_stream(stream)
            self._graphs[work] = torch.cuda.CUDAGraph()
            with torch.cuda.graph(self._graphs[work]):
                work(self)
            if work is backward_steps:  # the first run has overwritten the gates, so its result stands
                return
        self._graphs[work].replay()


def forward_steps(space: Workspace) -> None:
    """Compute all steps, from the inputs to the outputs."""
    s, k = space, space.kernels
    s.inputs[:, 0, :, s.width :].zero_()
    for t in range(s.steps):
        torch.bmm(s.inputs[:, t], s.weight, out=s.gates[:, t])
        k.cell_forward(
            s.gates[:, t], s.bias, s.cells[:, max(t - 1, 0)], s.keep[t], s.cells[:, t], s.hidden[:, t], s.clips.cell
        )
        raw = s.hidden[:, t]
        if s.projection is not None:
            raw = torch.bmm(s.hidden[:, t], s.projection, out=s.raw)
        following = s.inputs[:, t + 1, :, s.width :] if t + 1 < s.steps else None
        k.output_forward(raw, s.outputs[:, t], following, s.keep[t + 1], s.clips.projection)


def backward_steps(space: Workspace) -> None:
    """Compute all steps backward, from the gradients of the outputs to those of the inputs and gates."""
    s, k = space, space.kernels
    s.d_cell.zero_()
    s.d_bias.zero_()
    for t in reversed(range(s.steps)):
        following = s.d_inputs[:, t + 1, :, s.width :] if t + 1 < s.steps else None
        k.output_backward(
            s.d_outputs[:, t], following, s.keep[t + 1], s.outputs[:, t], s.d_projected[:, t], s.clips.projection
        )
        d_hidden = s.d_projected[:, t]
        if s.projection is not None:
            d_hidden = torch.bmm(s.d_projected[:, t], s.projection.mT, out=s.d_hidden)
        k.cell_backward(
            s.gates[:, t],
            s.bias,
            s.cells[:, max(t - 1, 0)],
            s.keep[t],
            d_hidden,
            s.d_cell,
            s.d_bias,
            s.clips.cell,
        )
        torch.bmm(s.gates[:, t], s.weight.mT, out=s.d_inputs[:, t])


class _PackedLayer(torch.autograd.Function):
    @staticmethod
    def forward(
        ctx: Any, x: Tensor, keep: Tensor, weight: Tensor, bias: Tensor, projection: Tensor | None, space: Workspace
    ) -> Tensor:
        space.inputs[..., : space.width].copy_(x)
        space.keep[:-1].copy_(keep)
        space.weight.copy_(weight)
        space.bias.copy_(bias)
        if projection is not None and space.projection is not None:
            space.projection.copy_(projection)
        space.run(forward_steps)
        ctx.space, ctx.number = space, space.after_forward()
        return space.outputs.clone()

    @staticmethod
    def backward(ctx: Any, d_outputs: Tensor) -> Any:
        s: Workspace = ctx.space
        s.before_backward(ctx.number)
        s.d_outputs.copy_(d_outputs)
        s.run(backward_steps)
        d_gates = s.gates.flatten(1, 2)  # (2, T*B, 4D)
        d_weight = torch.bmm(s.inputs.flatten(1, 2).mT, d_gates)
        d_projection = None
        if s.projection is not None:
            d_projection = torch.bmm(s.hidden.flatten(1, 2).mT, s.d_projected.flatten(1, 2)).to(s.bias.dtype)
        d_x = s.d_inputs[..., : s.width].clone()
        return d_x, None, d_weight.to(s.bias.dtype), s.d_bias.sum(1), d_projection, None


def packed_layer(layer: LSTMLayer, x: Tensor, keep: Tensor, space: Workspace) -> Tensor:
    """Compute the outputs (2, T, B, P) of a layer for inputs ``x`` (2, T, B, P).

    ``keep`` (T, B) is 1 where the state of the previous step continues and 0 where a sentence begins.
    """
    return _PackedLayer.apply(x, keep, layer.weight, layer.bias, layer.projection, space)


class PackedStack:
    """All LSTM layers over packed rows of one shape, with their residual connections.

    Args:
        lstm: The layers. Their weights are read at every call.
        steps: Length T of a row.
        rows: Number B of rows.
        dtype: What is computed in; cells are at least float32.
        device: Where the buffers are.
        for_training: Whether there will be a backward pass.
    """

    def __init__(
        self,
        lstm: BiLSTM,
        steps: int,
        rows: int,
        dtype: torch.dtype,
        device: torch.device,
        *,
        for_training: bool = True,
    ) -> None:
        self.layers, self.residual, self.dtype, self.device = lstm.layers, lstm.config.residual, dtype, device
        self.compute: Callable[[LSTMLayer, Tensor, Tensor, Any], Tensor]
        self.workspaces: list[Any]
        self.sampled_pointwise: Pointwise
        if device.type == "cpu" and dtype in (torch.float32, torch.bfloat16) and for_training:
            from elmo.engines import packed_cpu

            self.compute, self.sampled_pointwise = packed_cpu.packed_layer, packed_cpu.sampled_pointwise
            self.workspaces = [packed_cpu.CPUWorkspace(lstm.config, steps, rows, dtype) for _ in lstm.layers]
        else:
            self.compute = packed_layer
            self.workspaces = [Workspace(layer, steps, rows, dtype, device, for_training) for layer in lstm.layers]
            self.sampled_pointwise = self.workspaces[0].kernels.sampled_pointwise

    def __call__(self, x: Tensor, keep: Tensor, dropout: Callable[[Tensor], Tensor] = lambda x: x) -> Iterator[Tensor]:
        """Yield the output of every layer, (2, T, B, P), for inputs ``x`` (2, T, B, P)."""
        for index, (layer, workspace) in enumerate(zip(self.layers, self.workspaces, strict=True)):
            x = dropout(x)  # as in bilm-tf, the residual connection adds the input after its dropout
            output = self.compute(layer, x, keep, workspace)
            x = output + x if self.residual and index > 0 else output
            yield x

    def character_encoder(self, encoder: CharacterEncoder) -> Callable[[Tensor], Tensor]:
        """Return the forward pass of a character CNN that is fastest on the device of the stack, for training."""
        window = encoder.widest * encoder.config.embedding_dim
        if self.device.type != "cuda" or self.dtype != torch.bfloat16 or window > MAX_WINDOW:
            return encoder
        from elmo.engines import triton_cnn

        return TrainingEncoder(encoder, self.dtype, triton_cnn)


class torch_kernels:
    """The pointwise operations in plain PyTorch, on any device and in any precision."""

    sampled_pointwise = staticmethod(sampled_pointwise)

    @staticmethod
    def cell_forward(
        gates: Tensor, bias: Tensor, before: Tensor, keep: Tensor, cells: Tensor, hidden: Tensor, clip: float
    ) -> None:
        """From gates (2, B, 4D) without bias and the previous cell (2, B, D) to the new cell and hidden (2, B, D)."""
        i, j, f, o = (gates.to(bias.dtype) + bias[:, None]).chunk(4, -1)
        kept = torch.where(keep[:, None] > 0, before, 0)
        torch.clamp(torch.sigmoid(f + FORGET_BIAS) * kept + torch.sigmoid(i) * torch.tanh(j), -clip, clip, out=cells)
        hidden.copy_(torch.sigmoid(o) * torch.tanh(cells))

    @staticmethod
    def output_forward(raw: Tensor, outputs: Tensor, following: Tensor | None, keep: Tensor, clip: float) -> None:
        """Clip the raw output (2, B, P), and copy it to the following step where the state continues."""
        torch.clamp(raw, -clip, clip, out=outputs)
        if following is not None:
            following.copy_(outputs * keep[:, None])

    @staticmethod
    def output_backward(
        d_outputs: Tensor, following: Tensor | None, keep: Tensor, outputs: Tensor, d_raw: Tensor, clip: float
    ) -> None:
        """Gradient of the raw output: from above and from the following step, zero where the clip was active."""
        total = d_outputs if following is None else d_outputs + following * keep[:, None]
        d_raw.copy_(torch.where(outputs.abs() < clip, total, 0))

    @staticmethod
    def row_groups(rows: int, dim: int) -> int:
        """Number of groups of rows that ``cell_backward`` adds up the gradients of the bias for."""
        return 1

    @staticmethod
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
        """Replace the gates by their gradients, and ``d_cell`` by the gradient of the previous cell.

        Adds the gradients of the bias to ``d_bias`` (2, groups of rows, 4D). The cell is computed again, which is
        faster than reading it.
        """
        i, j, f, o = (gates.to(bias.dtype) + bias[:, None]).chunk(4, -1)
        i, j, f, o = torch.sigmoid(i), torch.tanh(j), torch.sigmoid(f + FORGET_BIAS), torch.sigmoid(o)
        kept = torch.where(keep[:, None] > 0, before, 0)
        cell = f * kept + i * j
        squashed = torch.tanh(cell.clamp(-clip, clip))
        d_total = torch.where(cell.abs() < clip, d_cell + d_hidden * o * (1 - squashed**2), 0)
        d_gates = torch.cat(
            [
                d_total * j * i * (1 - i),
                d_total * i * (1 - j**2),
                d_total * kept * f * (1 - f),
                d_hidden * squashed * o * (1 - o),
            ],
            -1,
        )
        gates.copy_(d_gates)
        d_bias += d_gates.sum(1, keepdim=True)
        d_cell.copy_(torch.where(keep[:, None] > 0, d_total * f, 0))
