"""A few sentences on a CPU: all layers in compiled loops, one thread per direction.

For many sentences, the arithmetic takes the time; for one, it is reading the weights, starting operations and waiting
for threads. Here a layer is a single call that reads each weight once per step, half as many bytes where
``grouped_integers`` finds integers, and nothing is left to torch, whose threads would have to wait for each other at
every step. ``elmo.engines.cpu`` computes the same for many sentences, and without compiled loops.

Shapes: B sentences, N positions in all, U distinct words, P output, D cell, L layers.
"""

import ctypes
import functools
import mmap
import sys
from math import inf
from typing import Any, NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from elmo.config import Precision
from elmo.engines.grouped_integers import grouped_integers
from elmo.engines.packed_matrix import quantized
from elmo.engines.reading_plan import ReadingPlan
from elmo.engines.threads import in_two_threads
from elmo.model.lstm import FORGET_BIAS, BiLSTM, LSTMState

WORTH_A_THREAD = 2**23
"""Weights that are multiplied by one direction in the time that starting a thread takes, and more."""

LARGE_PAGE = 2**21
"""Bytes of a large page of memory."""
MADV_COLLAPSE = 25
"""The number of this advice in Linux; Python has no name for it."""

Floats = NDArray[np.float32]


class FewSentences:
    """The layers of a biLM for a few sentences, in float32, or with weights of fewer bits.

    Args:
        lstm: The LSTM layers, which must have a projection.
        precision: "float32" (the model's own weights), "bf16", or "int8" (the recurrent matrix in 8 bits, bf16 else).
        loops: The compiled loops.
    """

    def __init__(self, lstm: BiLSTM, precision: Precision, loops: Any) -> None:
        self.config, self.loops = lstm.config, loops
        self._lstm, self._precision = lstm, precision

    @functools.cached_property
    def weights(self) -> list[list["LayerWeights"]]:
        """The weights of each layer of each direction, made when they are first needed."""
        made = [[self._weights_of(layer, direction) for layer in self._lstm.layers] for direction in (0, 1)]
        return in_two_threads(lambda direction: [_with_integers(weights) for weights in made[direction]])

    def _weights_of(self, layer: Any, direction: int) -> "LayerWeights":
        width, dim = self.config.output_dim, self.config.dim
        bias = layer.bias.detach()[direction].clone()
        bias[2 * dim : 3 * dim] += FORGET_BIAS  # the gates are i, j, f, o
        from_input, from_state = layer.weight.detach()[direction].split(width)
        projection = layer.projection.detach()[direction]
        scales = torch.ones_like(bias)
        if self._precision == "int8":
            from_state, scales = quantized(from_state)
        elif self._precision == "bf16":
            from_state = from_state.bfloat16()
        if self._precision != "float32":
            from_input, projection = from_input.bfloat16(), projection.bfloat16()
        from_input, from_state, projection = (x.contiguous() for x in (from_input, from_state, projection))
        for matrix in (from_input, from_state, projection):
            use_large_pages(matrix)
        return LayerWeights(from_input, bias, from_state, scales, projection, None)

    def __call__(
        self, vectors: Floats, plan: ReadingPlan, start: LSTMState | None
    ) -> tuple[Tensor, list[tuple[Tensor, Tensor]]]:
        """Compute all layers of sentences with these distinct words (U, P).

        Returns:
            All layers, (L+1, words, 2P), and for each direction the state after each sentence, (L, B, P) and (L, B, D).
        """
        config = self.config
        result = np.empty((1 + config.n_layers, len(plan.words), 2, config.output_dim), np.float32)
        work = 10 * config.output_dim * config.dim * config.n_layers * plan.starts[-1]
        apply = in_two_threads if work >= WORTH_A_THREAD else _one_by_one
        weights = self.weights
        states = apply(
            lambda direction: self._read(direction, weights[direction], vectors, plan, start, result[:, :, direction])
        )
        return torch.from_numpy(result).flatten(2), states

    def _read(
        self,
        direction: int,
        layers: list["LayerWeights"],
        vectors: Floats,
        plan: ReadingPlan,
        start: LSTMState | None,
        result: Floats,
    ) -> tuple[Tensor, Tensor]:
        """Compute one direction through all layers, and write its half of the layers, (L+1, words, P)."""
        config = self.config
        h = np.zeros((config.n_layers, plan.batch, config.output_dim), np.float32)
        c = np.zeros((config.n_layers, plan.batch, config.dim), np.float32)
        if start is not None:
            rows = slice(0, 1) if plan.openings == 1 else plan.order
            h[:, : plan.openings] = start.h[:, direction].numpy()[:, rows]
            c[:, : plan.openings] = start.c[:, direction].numpy()[:, rows]
        ids, places = plan.read(direction)
        starts = torch.tensor(plan.starts, device="cpu")
        result[0] = vectors[plan.words]
        x = vectors[ids]
        for index, weights in enumerate(layers):
            out = np.empty_like(x)
            clips = limit(config.cell_clip), limit(config.projection_clip)
            self.loops.read_layer(
                torch.from_numpy(x),
                starts,
                *weights,
                torch.from_numpy(h[index]),
                torch.from_numpy(c[index]),
                torch.from_numpy(out),
                *clips,
                plan.rows[0] < plan.batch,
            )
            x = out + x if config.residual and index > 0 else out  # (N, P)
            result[1 + index] = x[places]
        back = np.argsort(plan.order)
        return torch.from_numpy(h[:, back]), torch.from_numpy(c[:, back])


class LayerWeights(NamedTuple):
    """The weights of one layer in one direction, as ``compiled.read_layer`` expects them."""

    from_input: Tensor
    """(P, 4D)"""
    bias: Tensor
    """(4D,)"""
    from_state: Tensor
    """(P, 4D)"""
    scales: Tensor
    """(4D,)"""
    projection: Tensor
    """(D, P)"""
    integers: tuple[Tensor, ...] | None
    """The pairs and scales of ``from_state`` and of ``projection``, if both are ``grouped_integers``."""


def _with_integers(weights: LayerWeights) -> LayerWeights:
    """Find the integers of the two matrices that are read at every step, if they have any."""
    if weights.from_state.dtype != torch.float32:
        return weights
    state = grouped_integers(weights.from_state.numpy())
    projection = grouped_integers(weights.projection.numpy())
    if state is None or projection is None:
        return weights
    integers = tuple(map(torch.from_numpy, (*state, *projection)))
    for tensor in integers:
        use_large_pages(tensor)
    return weights._replace(integers=integers)


def use_large_pages(x: Tensor) -> None:
    """Ask Linux to move a tensor to memory pages of 2 MB, because those of 4 kB slow down reading it.

    Before version 6.1 and on other systems, this does nothing.
    """
    if sys.platform == "linux":
        start, size = x.data_ptr(), x.numel() * x.element_size()
        begin = -(-start // mmap.PAGESIZE) * mmap.PAGESIZE
        length = (start + size - begin) // mmap.PAGESIZE * mmap.PAGESIZE
        if length >= LARGE_PAGE:
            ctypes.CDLL(None).madvise(ctypes.c_void_p(begin), ctypes.c_size_t(length), MADV_COLLAPSE)


def limit(clip: float | None) -> float:
    """A bound for the compiled loops."""
    return inf if clip is None else clip


def _one_by_one(function: Any) -> list[Any]:
    return [function(0), function(1)]
