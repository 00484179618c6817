"""The engine for GPUs: the same vectors as ``BiLM.forward``, without waiting, for inference only.

What costs time on a GPU is not arithmetic but many small launches, so:

- Sentences are packed end to end into rows of a few fixed shapes, as in training, and the layers reset their state
  where a sentence begins. Each shape is one CUDA graph, and hardly any position is padding.
- The token layer computes each word once; its vector stays on the GPU, in a bounded cache.
- Nothing waits for the GPU: the returned layers may still be being computed.

Products are in half precision (or float32), cells always in float32. Packed rows start from a zero state; batches that
start from another state, or whose final state is wanted, go to the reference engine.

Shapes: 2 directions, T steps, B rows, N words of all sentences, P output.
"""

from collections.abc import Iterator, Sequence
from itertools import chain

import numpy as np
import torch
from torch import Tensor
from torch.nn.functional import embedding

from elmo.engines.engine import EngineOutput
from elmo.engines.packed import PackedStack
from elmo.engines.reference import ReferenceEngine
from elmo.engines.word_vectors import WordVectorCache
from elmo.model.autocast import without_autocast
from elmo.model.batches import in_rows
from elmo.model.bilm import BiLM
from elmo.model.lstm import LSTMState
from elmo.text.markers import BEGIN_SENTENCE, END_SENTENCE

SHAPES = ((64, 16), (64, 640), (256, 160), (1024, 40))
"""Steps and rows of the packed batches. A few sentences take the first shape, which is computed quickly."""
CACHED_WORDS = 1 << 18
"""Words whose vectors are kept on the GPU."""
WORDS_PER_GROUP = 4096
"""Words convolved together."""


class CUDAEngine:
    """A biLM with buffers for its batches. The LSTM weights are read from the biLM at every call.

    Args:
        bilm: The model, on the GPU (or, for tests, on a CPU).
        dtype: What products are computed in.
        shapes: Steps and rows of the packed batches.
        cached_words: Number of words whose vectors are kept.
    """

    batch_tokens = 160_000
    """A few full batches. The layers of a call are on the GPU as a whole."""

    def __init__(
        self,
        bilm: BiLM,
        dtype: torch.dtype = torch.float32,
        shapes: Sequence[tuple[int, int]] = SHAPES,
        cached_words: int = CACHED_WORDS,
    ) -> None:
        self.bilm, self.dtype, self.shapes = bilm, dtype, tuple(shapes)
        self.word_vectors = WordVectorCache(
            bilm.token_layer,
            bilm.token_layer,
            bilm.config.lstm.output_dim,
            capacity=cached_words,
            words_per_group=WORDS_PER_GROUP,
            dtype=dtype,
            device=bilm.device,
        )
        self.stacks: dict[tuple[int, int], PackedStack] = {}
        self.reference = ReferenceEngine(bilm)

    def batches(self, lengths: Sequence[int], batch_tokens: int) -> Iterator[list[int]]:
        """Group sentences in their order: ``__call__`` packs them itself, whatever their lengths."""
        batch: list[int] = []
        size = 0
        for index, length in enumerate(lengths):
            if batch and size + length > batch_tokens:
                yield batch
                batch, size = [], 0
            batch.append(index)
            size += length
        if batch:
            yield batch

    @torch.inference_mode()
    def __call__(
        self, sentences: Sequence[Sequence[str]], start: LSTMState | None = None, *, wants_state: bool = False
    ) -> EngineOutput:
        """Compute one batch; see ``Engine.__call__``."""
        if wants_state:
            return self.reference(sentences, start, wants_state=True)
        with without_autocast(self.bilm.device):
            layers = self._from_zero(sentences) if start is None else self._from_state(sentences, start)
        return EngineOutput(layers, None)

    def _from_zero(self, sentences: Sequence[Sequence[str]]) -> Tensor:
        """Compute all layers in packed rows, each sentence from a zero state."""
        lengths = np.array([len(sentence) for sentence in sentences], dtype=np.int64)
        ends = np.cumsum(lengths)
        rows, table = self.word_vectors({BEGIN_SENTENCE, END_SENTENCE}.union(*sentences))
        words = np.fromiter(map(rows.__getitem__, chain.from_iterable(sentences)), dtype=np.int64)
        width = self.bilm.config.lstm.output_dim
        result = table.new_empty(self.bilm.config.n_representations, len(words), 2 * width)
        result[0].view(-1, 2, width)[:] = table[to_device(words, table.device), None]
        for shape, packed in self._packed_rows(lengths):
            if shape is None:
                for sentence in packed[0]:
                    alone = self.reference([sentences[sentence]]).layers
                    result[:, ends[sentence] - lengths[sentence] : ends[sentence]] = alone
            else:
                boundaries = rows[BEGIN_SENTENCE], rows[END_SENTENCE]
                self._compute(_Layout(packed, lengths, ends, words, shape, boundaries), table, result)
        return result

    def _from_state(self, sentences: Sequence[Sequence[str]], start: LSTMState) -> Tensor:
        """Compute all layers with the reference engine, which pads: in smaller batches of similar length."""
        ends = np.cumsum([0, *map(len, sentences)])
        shape = (self.bilm.config.n_representations, int(ends[-1]), self.bilm.config.output_dim)
        result = torch.empty(shape, dtype=self.dtype, device=self.bilm.device)
        padded = [len(sentence) + 2 for sentence in sentences]
        for batch in self.reference.batches(padded, self.reference.batch_tokens):
            rows = start if start.h.shape[2] == 1 else LSTMState(start.h[:, :, batch], start.c[:, :, batch])
            words = np.concatenate([np.arange(ends[index], ends[index + 1]) for index in batch])
            layers = self.reference([sentences[index] for index in batch], rows).layers
            result[:, to_device(words, result.device)] = layers.to(self.dtype)
        return result

    def _packed_rows(self, lengths: np.ndarray) -> Iterator[tuple[tuple[int, int] | None, list[list[int]]]]:
        """Yield sentences packed into rows, with the shape of their batch; None if no shape is long enough."""
        left = np.flatnonzero(lengths)  # a sentence without words has no vectors
        while len(left):
            steps = min((steps for steps, _ in self.shapes if steps > lengths[left].min()), default=None)
            if steps is None:
                yield None, [left.tolist()]
                return
            fitting = left[lengths[left] < steps]
            rows = [[int(fitting[at]) for at in row] for row in in_rows((lengths[fitting] + 1).tolist(), steps)]
            counts = sorted(rows for s, rows in self.shapes if s == steps)
            while rows:
                count = next((count for count in counts if count >= len(rows)), counts[-1])
                yield (steps, count), rows[:count]
                rows = rows[count:]
            left = left[lengths[left] >= steps]

    def _compute(self, layout: "_Layout", table: Tensor, result: Tensor) -> None:
        """Compute one packed batch, and write the layers of its words to ``result``."""
        width = result.shape[2] // 2
        words, keep, words_at, forward, backward = (to_device(part, table.device) for part in layout.arrays())
        for index, x in enumerate(self._stack(layout.shape)(embedding(words, table), keep), 1):
            read = x.flatten(1, 2)  # (2, T*B, P)
            result[index, words_at, :width] = read[0, forward]
            result[index, words_at, width:] = read[1, backward]

    def _stack(self, shape: tuple[int, int]) -> PackedStack:
        if shape not in self.stacks:
            self.stacks[shape] = PackedStack(self.bilm.lstm, *shape, self.dtype, self.bilm.device, for_training=False)
        return self.stacks[shape]


def to_device(array: np.ndarray, device: torch.device) -> Tensor:
    """Send an array to a device without waiting. Memory that is not pinned would wait for all earlier work."""
    tensor = torch.from_numpy(array)
    return (tensor.pin_memory() if device.type == "cuda" else tensor).to(device, non_blocking=True)


class _Layout:
    """The positions of the words in a packed batch.

    A sentence of n words takes n+1 steps, the same ones in both directions: the boundary that a direction reads first,
    and the words. (The output at the boundary after the last word is not the vector of any word.)
    """

    def __init__(
        self,
        rows: Sequence[Sequence[int]],
        lengths: np.ndarray,
        ends: np.ndarray,
        words: np.ndarray,
        shape: tuple[int, int],
        boundaries: tuple[int, int],
    ) -> None:
        self.shape, self.words, self.boundaries = shape, words, boundaries
        self.sentence = np.array([sentence for row in rows for sentence in row])
        self.row = np.repeat(np.arange(len(rows)), [len(row) for row in rows])
        self.length = lengths[self.sentence]
        self.first_word = ends[self.sentence] - self.length
        begins = np.cumsum(self.length + 1) - (self.length + 1)  # if all were in one row
        first_in_row = np.searchsorted(self.row, self.row)
        self.offset = begins - begins[first_in_row]
        """The step at which each sentence begins."""

    def arrays(self) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
        """Return the batch as arrays.

        Returns:
            The word read at each position (2, T, B); where the state continues (T, B); the indices of the batch's words
            among all words (n,); and the position, counted over steps and rows, at which the forward and the backward
            direction have just read each of them (n,) each.
        """
        steps, rows = self.shape
        offset_in_sentence = np.arange(self.length.sum()) - np.repeat(np.cumsum(self.length) - self.length, self.length)
        row, offset = np.repeat(self.row, self.length), np.repeat(self.offset, self.length)
        words_at = np.repeat(self.first_word, self.length) + offset_in_sentence
        forward = (offset + 1 + offset_in_sentence, row)
        backward = (offset + np.repeat(self.length, self.length) - offset_in_sentence, row)
        read = np.zeros((2, steps, rows), dtype=np.int64)
        read[0][forward] = read[1][backward] = self.words[words_at]
        read[:, self.offset, self.row] = np.array(self.boundaries)[:, None]
        keep = np.zeros((steps, rows), dtype=np.float32)
        keep[forward] = 1
        return read, keep, words_at, forward[0] * rows + row, backward[0] * rows + row
