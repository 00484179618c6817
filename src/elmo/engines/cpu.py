"""The engine for CPUs: the same vectors as ``BiLM.forward``, several times faster, for inference only.

How it saves time:

- The token layer computes each word once; the vectors of recent words are cached.
- All sentences begin with the same boundary in the same state, so its row is computed once for all of them. The closing
  boundary is read only if the state after it is wanted.
- There is no padding: step t computes only the rows that have a word there. Rows are sorted by decreasing length, and
  the values of a step are contiguous in memory.
- The input products of many steps are one product, and in the first layer only distinct words are multiplied.
- Weights are packed once (see ``packed_matrix``). What happens between the products is compiled (see ``compiled``), and
  for a few sentences the products are, too: libraries are made for many rows, and a loop that reads a matrix once is
  twice as fast for one row. If the weights are integers times scales, it reads the integers (see ``grouped_integers``).
- Each direction runs in its own thread. Both do the same amount of work and never wait for each other.

Every compiled loop has a twin in torch, which also serves models without projection, machines with many cores, and
systems without llvmlite. There, for a few sentences, all threads share one direction after the other, because the cache
holds the weights of only one. If other programs take cores, fewer threads do (see ``threads``).

Shapes: B sentences, N positions in all, U distinct words, P output, D cell.
"""

import ctypes
import os
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from elmo.config import Precision
from elmo.engines import compiled
from elmo.engines.engine import EngineOutput
from elmo.engines.few_sentences import FewSentences, limit
from elmo.engines.packed_characters import PackedCharacterEncoder
from elmo.engines.packed_matrix import PackedMatrix, PreparedRows, packed
from elmo.engines.reading_plan import ReadingPlan
from elmo.engines.threads import AfterStep, Team, ThreadChooser, pair_of_threads
from elmo.engines.word_vectors import WordVectorCache
from elmo.model.autocast import without_autocast
from elmo.model.batches import by_length
from elmo.model.bilm import BiLM
from elmo.model.lstm import FORGET_BIAS, LSTMLayer, LSTMState
from elmo.text.markers import BEGIN_SENTENCE, END_SENTENCE

ROWS_PER_COPY = 16384
"""Rows that are copied at a time."""
THREADS_FOR_LOOPS = 4
"""Compiled loops run in one thread. They replace operations of torch that run in at most this many."""


@dataclass(frozen=True)
class CPUTuning:
    """Sizes that change speed and memory, never results. The defaults suit server and laptop CPUs."""

    cached_bytes: int = 32 * 2**20
    """Memory for the vectors of recent words. Computing a word again costs more, relative to the rest, in small models,
    whose vectors are small: of English text, the cache has 95 % of the words with ``small``, 91 % at full size."""
    words_per_group: int = 256
    """Words whose vectors are computed together: enough for the matrix library, few enough for the cache."""
    few_products: int = 2**23
    """Sentences are few if there are at most this many products of their states with a recurrent matrix. Full size: one
    sentence; ``medium``: 4; ``small``: 16. Larger batches are faster with the matrix library."""
    shared_bytes: int = 16 * 2**20
    """If a recurrent matrix has more than this, more than two threads share it for few sentences."""
    shared_sentences: int = 8
    """Without compiled loops, up to this many sentences are few."""
    compiled: bool = True
    """Whether to use compiled loops, if they are available."""
    positions_per_product: int = 256
    """Positions in one input product."""
    lookups_per_product: int = 4096
    """The same in the first layer, where the distinct words among these positions are multiplied."""


class CPUEngine:
    """A biLM packed for the CPU. It holds copies of the weights: make a new one when they change.

    Args:
        bilm: The model; its weights must be float32 on the CPU.
        precision: "float32" (exact), "bf16" or "int8".
        tuning: Sizes that change the speed.
    """

    batch_tokens = 8192

    def __init__(self, bilm: BiLM, precision: Precision = "float32", tuning: CPUTuning | None = None) -> None:
        self.config, self.tuning = bilm.config.lstm, tuning or CPUTuning()
        finer = _at_least_16bits_of(precision)
        loops = compiled if self.tuning.compiled and compiled.available() else None
        with torch.no_grad(), without_autocast(torch.device("cpu")):
            self.word_vectors = WordVectorCache(
                bilm.token_layer,
                bilm.token_layer.with_character_encoder(lambda cnn: PackedCharacterEncoder(cnn, finer, loops)),
                self.config.output_dim,
                capacity=self.tuning.cached_bytes // (4 * self.config.output_dim),
                words_per_group=self.tuning.words_per_group,
                groups=2,
            )
            self.chooser = ThreadChooser()
            self.stacks = [
                [PackedCell(layer, direction, precision, loops) for layer in bilm.lstm.layers] for direction in (0, 1)
            ]
            self.few: FewSentences | None = None
            if loops is not None and self.config.projection_dim is not None:
                self.few = FewSentences(bilm.lstm, precision, loops)

    def batches(self, lengths: Sequence[int], batch_tokens: int) -> Iterator[list[int]]:
        """Group sentences of similar length; see ``Engine.batches``."""
        return by_length(lengths, batch_tokens)

    @torch.inference_mode()
    def __call__(
        self, sentences: Sequence[Sequence[str]], start: LSTMState | None = None, *, wants_state: bool = False
    ) -> EngineOutput:
        """Compute one batch; see ``Engine.__call__``."""
        width, layers = self.config.output_dim, self.config.n_layers
        numbers = {BEGIN_SENTENCE: 0, END_SENTENCE: 1}
        ids = [[numbers.setdefault(word, len(numbers)) for word in sentence] for sentence in sentences]
        words = sum(map(len, ids))
        if not sentences:
            nothing = LSTMState(_zeros(layers, 2, 0, width), _zeros(layers, 2, 0, self.config.dim))
            return EngineOutput(_zeros(1 + layers, 0, 2 * width), nothing if wants_state else None)
        if not words and not wants_state:  # nothing but empty sentences
            return EngineOutput(_zeros(1 + layers, 0, 2 * width), None)
        plan = ReadingPlan(ids, 1 if start is None else start.h.shape[2], wants_state)
        with without_autocast(torch.device("cpu")):
            if self._are_few(plan.batch):
                result, states = self._read_few(numbers, plan, start)
            else:
                shared = plan.batch <= self.tuning.shared_sentences and self._are_shared()
                threads = self.chooser.team() if shared else pair_of_threads()
                result, states = self._read_batch(threads, numbers, plan, start)
        state = None
        if wants_state:
            state = LSTMState(*(torch.stack(parts, 1) for parts in zip(*states, strict=True)))
        return EngineOutput(result, state)

    def _are_few(self, sentences: int) -> bool:
        """Whether this number of sentences is small enough for compiled loops."""
        products = sentences * 4 * self.config.output_dim * self.config.dim
        return products <= self.tuning.few_products and not self._are_shared()

    def _are_shared(self) -> bool:
        """Whether threads share the work of a few sentences, instead of reading one direction each."""
        large = 16 * self.config.output_dim * self.config.dim > self.tuning.shared_bytes
        return self.few is None or (large and torch.get_num_threads() > 2)

    def _read_few(
        self, numbers: dict[str, int], plan: ReadingPlan, start: LSTMState | None
    ) -> tuple[Tensor, list[tuple[Tensor, Tensor]]]:
        """Compute a few sentences in compiled loops; see ``_read_batch``."""
        assert self.few is not None
        rows, table = self.word_vectors(numbers, _map_in_pair)
        return self.few(table.numpy()[[rows[word] for word in numbers]], plan, start)

    def _read_batch(
        self,
        threads: AbstractContextManager[Team],
        numbers: dict[str, int],
        plan: ReadingPlan,
        start: LSTMState | None,
    ) -> tuple[Tensor, list[tuple[Tensor, Tensor]]]:
        """Compute a batch of distinct words ``numbers``.

        Returns:
            All layers, (L+1, words, 2P), and for each direction the state after each sentence, (L, B, P) and (L, B, D).
        """
        with threads as team:
            rows, table = self.word_vectors(numbers, team.map)
            vectors = _chosen(table, np.array([rows[word] for word in numbers]))  # (U, P)
            result = vectors.new_empty(1 + self.config.n_layers, len(plan.words), 2 * self.config.output_dim)
            states = team.map(
                lambda direction: self._read(direction, vectors, plan, start, result, team.after_step), (0, 1)
            )
        return result, states

    @torch.inference_mode()
    def _read(
        self,
        direction: int,
        vectors: Tensor,
        plan: ReadingPlan,
        start: LSTMState | None,
        result: Tensor,
        after_step: AfterStep,
    ) -> tuple[Tensor, Tensor]:
        """Compute one direction through all layers, and write its half of ``result``.

        Returns:
            The state after each sentence, (L, B, P) and (L, B, D).
        """
        width, dim = self.config.output_dim, self.config.dim
        h = _zeros(self.config.n_layers, plan.batch, width)
        c = _zeros(self.config.n_layers, plan.batch, dim)
        if start is not None:
            rows = slice(0, 1) if plan.openings == 1 else torch.from_numpy(plan.order)
            h[:, : plan.openings] = start.h[:, direction, rows]
            c[:, : plan.openings] = start.c[:, direction, rows]
        ids, places = plan.read(direction)
        half = result[:, :, direction * width : (direction + 1) * width]
        _place(half[0], vectors, plan.words)
        x = vectors
        for index, cell in enumerate(self.stacks[direction]):
            source: _DistinctInputs | _Inputs = _Inputs(x, self.tuning.positions_per_product)
            if index == 0:
                source = _DistinctInputs(vectors, ids, self.tuning.lookups_per_product)
            out = cell.read(source, plan, h[index], c[index], after_step)
            x = out.add_(x) if self.config.residual and index > 0 else out  # (N, P)
            _place(half[1 + index], x, places)
        back = torch.from_numpy(np.argsort(plan.order))
        return h[:, back], c[:, back]


@dataclass(frozen=True)
class _DistinctInputs:
    """Input of the first layer: the vectors of few distinct words."""

    vectors: Tensor
    """(U, P)"""
    ids: NDArray[np.int64]
    """Which vector is at each position, (N,)."""
    positions_per_product: int

    def at(self, start: int, stop: int) -> tuple[Tensor, Tensor | None]:
        """The vectors to multiply for a range of positions, and the index of each position among them."""
        chosen, index = np.unique(self.ids[start:stop], return_inverse=True)
        return _chosen(self.vectors, chosen), torch.from_numpy(index)


@dataclass(frozen=True)
class _Inputs:
    """Input of the other layers: one vector per position."""

    vectors: Tensor
    """(N, P)"""
    positions_per_product: int

    def at(self, start: int, stop: int) -> tuple[Tensor, Tensor | None]:
        """The vectors of a range of positions."""
        return self.vectors[start:stop], None


class PackedCell:
    """One layer of one direction.

    In torch, all five nonlinearities are sigmoids, which are much faster than tanh: tanh(x) = 2 sigmoid(2x) - 1. The
    factors of 2 are folded into the weights and into the cell, which is stored doubled; multiplying by 2 is exact. The
    compiled loops read the same weights.
    """

    def __init__(self, layer: LSTMLayer, direction: int, precision: Precision, loops: Any | None) -> None:
        self.config, self.precision = layer.config, precision
        width, dim = layer.config.output_dim, layer.config.dim
        factor, shift = layer.weight.new_ones(4, 1), layer.weight.new_zeros(4, 1)
        factor[1], shift[2] = 2, FORGET_BIAS  # the gates are i, j, f, o
        weight = (layer.weight.detach()[direction].view(-1, 4, dim) * factor).flatten(1)  # (2P, 4D)
        bias = ((layer.bias.detach()[direction].view(4, dim) + shift) * factor).flatten()
        # The recurrent matrix is read again at every step, and it is the one that tolerates 8 bits.
        finer = _at_least_16bits_of(precision)
        self.from_input = packed(weight[:width], bias, finer)
        self.from_state = packed(weight[width:], None, precision)
        self.projection: PackedMatrix | None = None
        self.loops: Any | None = None
        if layer.projection is not None:
            self.projection = packed(layer.projection.detach()[direction] * 2, None, finer)
            self.loops = loops

    def read(
        self,
        source: _DistinctInputs | _Inputs,
        plan: ReadingPlan,
        h: Tensor,
        c: Tensor,
        after_step: AfterStep,
    ) -> Tensor:
        """Compute the outputs of all positions (N, P), and update the state ``h`` (B, P), ``c`` (B, D) in place."""
        out = h.new_empty(plan.starts[-1], self.config.output_dim)
        hidden = c.new_empty(c.shape, dtype=torch.float32 if self.precision == "float32" else torch.bfloat16)
        for steps in plan.chunks(source.positions_per_product):
            begin, end = plan.starts[steps.start], plan.starts[steps.stop]
            vectors, index = source.at(begin, end)
            inputs = self.from_input.times(self.from_input.rows(vectors))  # (u, 4D)
            if self.loops is None or torch.get_num_threads() > THREADS_FOR_LOOPS:
                self._steps_in_torch(inputs, index, plan, steps, h, c, out, after_step)
                continue
            index = torch.arange(end - begin, device="cpu") if index is None else index
            self._compiled_steps(self.loops, inputs, index, plan, steps, h, c, out, hidden)
        return out

    def _compiled_steps(
        self,
        loops: Any,
        inputs: Tensor,
        index: Tensor,
        plan: ReadingPlan,
        steps: range,
        h: Tensor,
        c: Tensor,
        out: Tensor,
        hidden: Tensor,
    ) -> None:
        """Compute steps with the products of the matrix library, and compiled loops between them."""
        assert self.projection is not None
        begin = plan.starts[steps.start]
        ones = torch.ones(plan.batch, dtype=torch.float32, device="cpu")
        integers = torch.empty(h.shape, dtype=torch.uint8, device="cpu")
        scales = _zeros(plan.batch, 1)
        cell_clip, clip = limit(self.config.cell_clip), limit(self.config.projection_clip)
        for step in steps:
            start, stop = plan.starts[step], plan.starts[step + 1]
            rows, here = stop - start, index[start - begin : stop - begin]
            cells, now = c[:rows], hidden[:rows]
            if self.precision == "int8":
                loops.quantize_rows(h[:rows], integers[:rows], scales[:rows])
                products = self.from_state.unscaled(PreparedRows(integers[:rows], scales[:rows], rows))
                loops.update_cells(products, scales[:rows], inputs, here, cells, now, cell_clip)
            else:
                # The loop adds the inputs: oneDNN could, too, but in bf16 it takes longer.
                products = self.from_state.unscaled(self.from_state.rows(h[:rows]))
                loops.update_cells(products, ones, inputs, here, cells, now, cell_clip)
            projected = self.projection.times(self.projection.rows(now))
            loops.finish_step(projected, out[start:stop], h[:rows], clip)
            if step == 0 and rows < plan.batch:
                h[1:], c[1:] = h[0], c[0]

    def _steps_in_torch(
        self,
        inputs: Tensor,
        index: Tensor | None,
        plan: ReadingPlan,
        steps: range,
        h: Tensor,
        c: Tensor,
        out: Tensor,
        after_step: AfterStep,
    ) -> None:
        """Compute steps with torch alone."""
        begin = plan.starts[steps.start]
        hidden = torch.empty_like(c)
        c.mul_(2)
        for step in steps:
            start, stop = plan.starts[step], plan.starts[step + 1]
            rows, here = stop - start, slice(start - begin, stop - begin)
            began = time.perf_counter()
            from_input = inputs[here] if index is None else inputs.index_select(0, index[here])
            # In bf16, the product is rounded, but not the sum, as in the compiled loop.
            gates = self.from_state.times(self.from_state.rows(h[:rows])).float().add_(from_input)  # (rows, 4D)
            self._update(gates, c[:rows], hidden[:rows])
            self._project(hidden[:rows], out[start:stop])
            h[:rows] = out[start:stop]
            after_step(rows, began)
            if step == 0 and rows < plan.batch:
                h[1:], c[1:] = h[0], c[0]
        c.mul_(0.5)

    def _update(self, gates: Tensor, doubled: Tensor, hidden: Tensor) -> None:
        """From the gates (rows, 4D) to twice the new cell and half the output, (rows, D), both written in place."""
        i, j, f, o = gates.sigmoid_().chunk(4, 1)
        doubled.mul_(f).addcmul_(i, j.sub_(0.5), value=4)
        if self.config.cell_clip is not None:
            doubled.clamp_(-2 * self.config.cell_clip, 2 * self.config.cell_clip)
        torch.mul(torch.sigmoid(doubled).sub_(0.5), o, out=hidden)

    def _project(self, hidden: Tensor, out: Tensor) -> None:
        """From half the output of the cell (rows, D) to the output of the layer (rows, P)."""
        if self.projection is None:
            torch.mul(hidden, 2, out=out)
            return
        out.copy_(self.projection.times(self.projection.rows(hidden)))
        if self.config.projection_clip is not None:
            out.clamp_(-self.config.projection_clip, self.config.projection_clip)


def _map_in_pair(function: Callable[..., Any], items: Sequence[Any]) -> list[Any]:
    """Apply a function to items in two threads, which are only made if there are items."""
    with pair_of_threads() as team:
        return team.map(function, items)


def _place(target: Tensor, source: Tensor, rows: NDArray[np.int64]) -> None:
    """Copy rows of ``source`` to ``target``, some at a time: a line may be so long that memory matters."""
    for start in range(0, len(rows), ROWS_PER_COPY):
        target[start : start + ROWS_PER_COPY] = _chosen(source, rows[start : start + ROWS_PER_COPY])


def _chosen(source: Tensor, rows: NDArray[np.int64]) -> Tensor:
    """Rows of ``source``. In torch, threads that share this work would keep their cores busy for a while afterwards."""
    return torch.from_numpy(source.numpy()[rows])


def _zeros(*shape: int) -> Tensor:
    """Zeros of the engine's own type and device, whatever torch's defaults are."""
    return torch.zeros(shape, dtype=torch.float32, device="cpu")


def _at_least_16bits_of(precision: Precision) -> Precision:
    """The precision for matrices that do not tolerate 8 bits."""
    return "bf16" if precision == "int8" else precision


def limit_compiled_products() -> None:
    """Keep oneDNN's memory small in long runs; call this before a model computes anything in this process.

    oneDNN keeps a compiled product for each shape it has seen, 1,024 of them by default. Sentences of all lengths make
    many shapes, which take some hundred megabytes; an eighth of that is as fast.
    """
    os.environ.setdefault("ONEDNN_PRIMITIVE_CACHE_CAPACITY", "128")


def release_memory() -> None:
    """Return free memory of this process to the operating system.

    Batches of all sizes leave gaps of all sizes, which glibc keeps for later: hundreds of megabytes in the end.
    This takes a few milliseconds. On systems without glibc it does nothing.
    """
    if sys.platform == "linux":
        trim = getattr(ctypes.CDLL(None), "malloc_trim", None)
        if trim is not None:
            trim(0)
