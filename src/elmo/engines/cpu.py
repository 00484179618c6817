"""The biLM on the CPU, for use and not for training: the same vectors as ``BiLM.forward``, several times faster.

What ``BiLM.forward`` says in few lines is done here with less work and less waiting:

- A word goes through the character CNN when it is first seen; the vectors of recent words are kept, in bounded number.
- Every sentence begins with the same boundary from the same state: one row is computed for all. The boundary that ends
  a sentence is read only when somebody wants the state behind it.
- No padding: at step t only the rows that have a word there are computed. Rows stand in falling order of length, and
  the numbers of a step in consecutive memory.
- The products with the inputs of many steps are one product; in the first layer of distinct words alone.
- Weights are packed once (see ``packed_matrix``); the functions of the cell work in place, and all are sigmoids.
- Each direction is a thread. They have the same work and never wait for each other. Only for a few sentences, where
  reading the weights is all the work, all threads share one direction after the other: the cache holds but one.

Notation in shapes: B sentences, N packed positions, U distinct words, P output, D cell.
"""

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import accumulate, islice
from typing import TypeVar

import numpy as np
import torch
from torch import Tensor

from elmo.config import Precision
from elmo.engines.packed_matrix import PackedMatrix, packed
from elmo.model.bilm import BiLM
from elmo.model.char_cnn import CharCNN
from elmo.model.lstm import FORGET_BIAS, LSTMLayer, LSTMState
from elmo.text.characters import BEGIN_SENTENCE, END_SENTENCE

FEW_SENTENCES = 8
"""Batches of no more than this are few sentences."""
KEPT_WORDS = 16384
"""Words whose vectors are kept."""
WORDS_AT_ONCE = 64
"""Words convolved together: enough for the matrix library, little enough for the cache."""
POSITIONS_AT_ONCE = 256
"""Input products are computed for about this many positions at a time."""
LOOKUPS_AT_ONCE = 4096
"""The same in the first layer, where they are computed for the distinct words among so many positions."""

Item = TypeVar("Item")
Made = TypeVar("Made")


class CPUEngine:
    """A biLM packed for the CPU. It holds copies of the weights: make a new one when they change."""

    def __init__(self, bilm: BiLM, precision: Precision = "float32") -> None:
        self.config = bilm.config.lstm
        self.word_vectors = WordVectors(bilm, precision)
        self.stacks = [[Cell(layer, direction, precision) for layer in bilm.lstm.layers] for direction in (0, 1)]

    @torch.inference_mode()
    def __call__(
        self, sentences: Sequence[Sequence[str]], start: LSTMState | None = None, *, wants_state: bool = False
    ) -> tuple[list[Tensor], LSTMState | None]:
        """All layers of each sentence, (L+1, n, 2P) for n words, and if wanted the state behind it.

        ``start`` has one row for every sentence, or a single one from which all begin; without it they begin at zero.
        """
        width, layers = self.config.output_dim, self.config.n_layers
        numbers = {BEGIN_SENTENCE: 0, END_SENTENCE: 1}
        ids = [[numbers.setdefault(word, len(numbers)) for word in sentence] for sentence in sentences]
        plan = Plan(ids, 1 if start is None else start.h.shape[2], wants_state)
        with Workers(apart=plan.batch > FEW_SENTENCES) as workers:
            vectors = self.word_vectors(list(numbers), workers)  # (U, P)
            words = torch.tensor([number for sentence in ids for number in sentence], dtype=torch.long)
            result = torch.empty(1 + layers, len(words), 2 * width)
            result[0].view(-1, 2, width)[:] = vectors[words, None]
            states = workers.map(lambda direction: self._read(direction, vectors, plan, start, result), (0, 1))
        state = None
        if wants_state:
            state = LSTMState(*(torch.stack(parts, 1) for parts in zip(*states, strict=True)))
        return list(result.split([len(sentence) for sentence in ids], 1)), state

    @torch.inference_mode()
    def _read(
        self, direction: int, vectors: Tensor, plan: "Plan", start: LSTMState | None, result: Tensor
    ) -> tuple[Tensor, Tensor]:
        """One direction through all layers; fills its half of ``result`` and gives its state (L, B, P), (L, B, D)."""
        width, dim = self.config.output_dim, self.config.dim
        h = torch.zeros(self.config.n_layers, plan.batch, width)
        c = torch.zeros(self.config.n_layers, plan.batch, dim)
        if start is not None:
            rows = slice(0, 1) if plan.openings == 1 else torch.from_numpy(plan.order)
            h[:, : plan.openings] = start.h[:, direction, rows]
            c[:, : plan.openings] = start.c[:, direction, rows]
        ids, places = plan.read(direction)
        x = torch.empty(0)
        for index, cell in enumerate(self.stacks[direction]):
            if index == 0:
                x = cell.read(Words(vectors, ids), plan, h[index], c[index])  # (N, P)
            else:
                out = cell.read(Positions(x), plan, h[index], c[index])
                x = out.add_(x) if self.config.residual else out
            result[1 + index, :, direction * width : (direction + 1) * width] = x[places]
        back = torch.from_numpy(np.argsort(plan.order))
        return h[:, back], c[:, back]


class Plan:
    """In which order the positions of a batch are read, the same in both directions.

    Step 0 reads the opening boundary, in one row for all sentences or in a row each. The next steps read the words,
    longest sentences first; the last one, if the state is wanted, reads the closing boundary of all rows.
    """

    def __init__(self, ids: Sequence[Sequence[int]], start_rows: int, closing: bool) -> None:
        self.ids = ids
        self.batch = len(ids)
        self.openings = min(start_rows, self.batch)
        self.closings = self.batch if closing else 0
        lengths = np.array([len(sentence) for sentence in ids])
        self.order = np.argsort(-lengths, kind="stable")
        """Which sentence stands in which row, (B,)."""
        self.running = np.arange(lengths.max()) < lengths[self.order, None]
        """Whether a row has a word at a step, (B, T)."""
        self.rows: list[int] = [self.openings, *self.running.sum(0).tolist(), *([self.closings] if closing else [])]
        """How many rows each step has; they are the first ones."""
        self.starts = [0, *accumulate(self.rows)]
        """Where the positions of each step begin; the last entry is N."""

    def read(self, direction: int) -> tuple[Tensor, Tensor]:
        """The word at each position (N,), and the position of each word in the order of the input (words,)."""
        opening, closing, forwards = (0, 1, 1) if direction == 0 else (1, 0, -1)
        words = np.zeros(self.running.shape, dtype=np.int64)  # (B, T)
        places = [np.empty(0, dtype=np.int64)] * self.batch
        steps = np.array(self.starts[1:])
        for row, sentence in enumerate(self.order):
            length = len(self.ids[sentence])
            words[row, :length] = self.ids[sentence][::forwards]
            places[sentence] = steps[:length][::forwards] + row
        ids = [np.full(self.openings, opening), words.T[self.running.T], np.full(self.closings, closing)]
        return torch.from_numpy(np.concatenate(ids)), torch.from_numpy(np.concatenate(places))

    def chunks(self, positions: int) -> Iterator[range]:
        """Runs of steps with at most so many positions each (or a single step)."""
        first = 0
        for step in range(1, len(self.rows) + 1):
            if step == len(self.rows) or self.starts[step + 1] - self.starts[first] > positions:
                yield range(first, step)
                first = step


@dataclass(frozen=True)
class Words:
    """Input of the first layer: at each position one of few vectors."""

    vectors: Tensor
    """(U, P)"""
    ids: Tensor
    """Which of them, (N,)."""
    at_once = LOOKUPS_AT_ONCE

    def distinct(self, start: int, stop: int) -> tuple[Tensor, Tensor | None]:
        """The vectors to multiply for these positions, and which one is whose."""
        chosen, which = torch.unique(self.ids[start:stop], return_inverse=True)
        return self.vectors[chosen], which


@dataclass(frozen=True)
class Positions:
    """Input of the other layers: at each position a vector of its own."""

    vectors: Tensor
    """(N, P)"""
    at_once = POSITIONS_AT_ONCE

    def distinct(self, start: int, stop: int) -> tuple[Tensor, Tensor | None]:
        """These positions as they stand."""
        return self.vectors[start:stop], None


class Cell:
    """One layer of one direction.

    All five functions of the cell are sigmoids here, which are much faster than tanh: tanh(x) is 2 sigmoid(2x) - 1.
    The factors of 2 are in the weights and in the cell, which is held doubled; multiplying by 2 loses nothing.
    """

    def __init__(self, layer: LSTMLayer, direction: int, precision: Precision) -> None:
        self.config = layer.config
        width, dim = layer.config.output_dim, layer.config.dim
        factor, shift = torch.ones(4, 1), torch.zeros(4, 1)
        factor[1], shift[2] = 2, FORGET_BIAS  # the gates are i, j, f, o
        weight = (layer.weight.detach()[direction].view(-1, 4, dim) * factor).flatten(1)  # (2P, 4D)
        bias = ((layer.bias.detach()[direction].view(4, dim) + shift) * factor).flatten()
        # Of the matrices, the state's is the one that is read again at every step, and the one that bears 8 bits.
        finer = finer_than(precision)
        self.from_input = packed(weight[:width], bias, finer)
        self.from_state = packed(weight[width:], None, precision)
        self.projection: PackedMatrix | None = None
        if layer.projection is not None:
            self.projection = packed(layer.projection.detach()[direction] * 2, None, finer)

    def read(self, source: Words | Positions, plan: Plan, h: Tensor, c: Tensor) -> Tensor:
        """Outputs of all positions (N, P), from the state ``h`` (B, P), ``c`` (B, D), which moves on in place."""
        out = torch.empty(plan.starts[-1], self.config.output_dim)
        hidden = torch.empty_like(c)
        c.mul_(2)
        for steps in plan.chunks(source.at_once):
            begin, end = plan.starts[steps.start], plan.starts[steps.stop]
            vectors, which = source.distinct(begin, end)
            inputs = self.from_input.times(self.from_input.rows(vectors))  # (u, 4D)
            for step in steps:
                start, stop = plan.starts[step], plan.starts[step + 1]
                rows, here = stop - start, slice(start - begin, stop - begin)
                given = inputs[here] if which is None else inputs.index_select(0, which[here])
                gates = self.from_state.times(self.from_state.rows(h[:rows]), given).float()  # (rows, 4D)
                self._finish(gates, c[:rows], hidden[:rows])
                self._project(hidden[:rows], out[start:stop])
                h[:rows] = out[start:stop]
                if step == 0 and rows < plan.batch:
                    h[1:], c[1:] = h[0], c[0]
        c.mul_(0.5)
        return out

    def _finish(self, gates: Tensor, doubled: Tensor, hidden: Tensor) -> None:
        """From the gates (rows, 4D) to the new cell, doubled, and half the output, (rows, D); both in place."""
        i, j, f, o = gates.sigmoid_().chunk(4, 1)
        doubled.mul_(f).addcmul_(i, j.sub_(0.5), value=4)
        if self.config.cell_clip is not None:
            doubled.clamp_(-2 * self.config.cell_clip, 2 * self.config.cell_clip)
        torch.mul(torch.sigmoid(doubled).sub_(0.5), o, out=hidden)

    def _project(self, hidden: Tensor, out: Tensor) -> None:
        """From half the output of the cells (rows, D) to the output of the layer (rows, P)."""
        if self.projection is None:
            torch.mul(hidden, 2, out=out)
            return
        out.copy_(self.projection.times(self.projection.rows(hidden)))
        if self.config.projection_clip is not None:
            out.clamp_(-self.config.projection_clip, self.config.projection_clip)


def finer_than(precision: Precision) -> Precision:
    """What to use in place of 8 bits where they are too few."""
    return "bf16" if precision == "int8" else precision


class WordVectors:
    """From words to their vectors, which are the same wherever a word stands.

    The vectors of the last words are kept. When there are too many they are all forgotten, and frequent words are
    soon back. What is kept is never changed, so several threads may ask at once.
    """

    def __init__(self, bilm: BiLM, precision: Precision) -> None:
        self.encode = bilm.encode
        self.compute: Callable[[Tensor], Tensor] = bilm.token_layer
        if isinstance(bilm.token_layer, CharCNN):
            self.compute = PackedCharCNN(bilm.token_layer, finer_than(precision))
        self.kept: dict[str, Tensor] = {}

    def __call__(self, words: Sequence[str], workers: "Workers") -> Tensor:
        """The vectors (U, P) of U distinct words."""
        kept = self.kept
        new = sorted((word for word in words if word not in kept), key=lambda word: len(word.encode("utf-8", "ignore")))
        groups = [new[start : start + WORDS_AT_ONCE] for start in range(0, len(new), WORDS_AT_ONCE)]
        made = {word: v for group in workers.map(self._vectors, groups) for word, v in group.items()}
        vectors = torch.stack([made[word] if word in made else kept[word] for word in words])
        if made:
            both = made if len(kept) + len(made) > KEPT_WORDS else kept | made
            self.kept = dict(islice(both.items(), KEPT_WORDS))
        return vectors

    @torch.inference_mode()
    def _vectors(self, words: Sequence[str]) -> dict[str, Tensor]:
        return dict(zip(words, self.compute(self.encode(words)).unbind(), strict=True))


class PackedCharCNN:
    """The character CNN with packed weights; see ``CharCNN`` for what it computes."""

    def __init__(self, cnn: CharCNN, precision: Precision) -> None:
        self.config = cnn.config
        self.embedding = cnn.embedding.weight.detach().float()
        self.widest = max(width for width, _ in cnn.config.filters)
        # Narrow filters are filled up with zeros, so that one product serves all of them.
        filters = [torch.nn.functional.pad(c.weight, (0, self.widest - c.kernel_size[0])) for c in cnn.convolutions]
        self.bias = torch.cat([c.bias.detach() for c in cnn.convolutions if c.bias is not None])  # (F,)
        self.filters = packed(torch.cat(filters).flatten(1).T, None, precision)
        self.highways = [
            packed(
                torch.cat([highway.gate.weight, highway.transform.weight]).T,
                torch.cat([highway.gate.bias, highway.transform.bias]),
                precision,
            )
            for highway in cnn.highways
        ]
        self.projection: PackedMatrix | None = None
        if cnn.projection is not None:
            self.projection = packed(cnn.projection.weight.T, cnn.projection.bias, precision)

    def __call__(self, ids: Tensor) -> Tensor:
        """From characters (U, C), of which repeated fill has been cut off, to vectors (U, P)."""
        x = self._filtered(ids)
        x = torch.relu_(x) if self.config.activation == "relu" else torch.tanh_(x)
        for highway in self.highways:
            gate, transformed = highway.times(highway.rows(x)).float().chunk(2, 1)
            x = torch.lerp(x, transformed.relu_(), gate.sigmoid_())
        return x if self.projection is None else self.projection.times(self.projection.rows(x)).float()

    def _filtered(self, ids: Tensor) -> Tensor:
        """Convolve and pool, (U, C) -> (U, F)."""
        count, length = ids.shape
        whole = length == self.config.max_characters
        characters = torch.nn.functional.embedding(ids, self.embedding)  # (U, C, d)
        if whole:  # nothing was cut off, so windows of narrow filters begin closer to the end
            characters = torch.nn.functional.pad(characters, (0, 0, 0, self.widest - 1))
        windows = characters.unfold(1, self.widest, 1).flatten(2)  # (U, windows, d*widest)
        responses = self.filters.times(self.filters.rows(windows.flatten(0, 1))).unflatten(0, (count, -1))
        if whole:
            begins = torch.arange(length)[:, None]  # a window must end within the word
            ends = [torch.full((n,), length - width) for width, n in self.config.filters]
            responses.masked_fill_(begins > torch.cat(ends), -torch.inf)
        return responses.amax(1).float().add_(self.bias)


class Workers:
    """Two threads, each with half of the cores that torch may use; or, if not ``apart``, this thread with all of them.

    A new pair for every batch: it takes less than a millisecond, and nothing is left behind.
    """

    def __init__(self, *, apart: bool) -> None:
        self.threads = torch.get_num_threads()
        self.pool: ThreadPoolExecutor | None = None
        if apart and self.threads > 1:
            self.pool = ThreadPoolExecutor(2, "elmo", torch.set_num_threads, (self.threads // 2,))

    def __enter__(self) -> "Workers":
        return self

    def __exit__(self, *_: object) -> None:
        if self.pool is not None:
            self.pool.shutdown()
            torch.set_num_threads(self.threads)  # torch's number for threads to come was changed by the pair

    def map(self, function: Callable[[Item], Made], items: Sequence[Item]) -> list[Made]:
        """The function of every item."""
        return [function(item) for item in items] if self.pool is None else list(self.pool.map(function, items))
