"""The biLM on a GPU, for use and not for training: the same vectors as ``BiLM.forward``, without waiting.

What costs time on a GPU is not arithmetic but many small launches, so:

- Sentences are laid end to end in rows of few fixed shapes, as in training, and the layers drop their state where one
  begins. Each shape is one CUDA graph, and hardly a position is padding.
- A word goes through the character CNN once; its vector stays on the GPU, in bounded number.
- Nothing here waits for the GPU: what comes back is still being computed.

Products are in half precision (or float32), the cells always in float32. Every sentence begins from a zero state; for
other states there is ``BiLM.forward``.

Notation in shapes: 2 directions, T steps, B rows, N words of all sentences, P output.
"""

from collections.abc import Iterator, Sequence
from itertools import chain

import numpy as np
import torch
from torch import Tensor
from torch.nn.functional import embedding

from elmo.engines.packed import Workspace, packed_layer
from elmo.model.batches import collate, in_rows
from elmo.model.bilm import BiLM
from elmo.text.characters import BEGIN_SENTENCE, END_SENTENCE

SHAPES = ((64, 16), (64, 640), (256, 160), (1024, 40))
"""Steps and rows of the batches; a few sentences take the first shape, which is soon computed."""
KEPT_WORDS = 1 << 18
"""Words whose vectors are kept on the GPU."""
WORDS_AT_ONCE = 4096
"""Words convolved together."""


def without_waiting(array: np.ndarray, device: torch.device) -> Tensor:
    """An array on its way to a device. Other memory than pinned would be sent only when all work before is done."""
    tensor = torch.from_numpy(array)
    return (tensor.pin_memory() if device.type == "cuda" else tensor).to(device, non_blocking=True)


class GPUEngine:
    """A biLM with working memory for its batches. The weights are the biLM's own."""

    def __init__(
        self, bilm: BiLM, dtype: torch.dtype = torch.float16, shapes: Sequence[tuple[int, int]] = SHAPES
    ) -> None:
        self.bilm, self.dtype, self.shapes = bilm, dtype, tuple(shapes)
        self.device = bilm.lstm.layers[0].weight.device
        self.numbers: dict[str, int] = {}
        self.vectors = torch.empty(0, bilm.config.lstm.output_dim, dtype=dtype, device=self.device)  # by number
        self.spaces: dict[tuple[int, int], list[Workspace]] = {}

    @torch.inference_mode()
    def __call__(self, sentences: Sequence[Sequence[str]]) -> Tensor:
        """All layers of all words, sentence after sentence: (L+1, N, 2P) in half precision."""
        lengths = np.array([len(sentence) for sentence in sentences], dtype=np.int64)
        ends = np.cumsum(lengths)
        words = self._numbers_of(sentences)
        width = self.bilm.config.lstm.output_dim
        result = torch.empty(
            self.bilm.config.n_representations, len(words), 2 * width, dtype=self.dtype, device=self.device
        )
        result[0].view(-1, 2, width)[:] = self.vectors[without_waiting(words, self.device), None]
        for shape, rows in self._batches(lengths):
            if shape is None:
                for sentence in rows[0]:
                    self._plain(sentences[sentence], result[:, ends[sentence] - lengths[sentence] : ends[sentence]])
            else:
                self._packed(_Layout(rows, lengths, ends, words, shape, self._boundaries), result)
        return result

    @property
    def _boundaries(self) -> tuple[int, int]:
        return self.numbers[BEGIN_SENTENCE], self.numbers[END_SENTENCE]

    def _batches(self, lengths: np.ndarray) -> Iterator[tuple[tuple[int, int] | None, list[list[int]]]]:
        """Sentences in rows, with the shape of their batch; None for those that no shape is long enough for."""
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

    def _packed(self, layout: "_Layout", result: Tensor) -> None:
        """One batch; fills the places of its words in ``result``."""
        width = result.shape[2] // 2
        words, keep, words_at, forwards, backwards = (without_waiting(part, self.device) for part in layout.arrays())
        x = embedding(words, self.vectors)  # (2, T, B, P)
        for index, (layer, space) in enumerate(zip(self.bilm.lstm.layers, self._spaces(layout.shape), strict=True)):
            output = packed_layer(layer, x, keep, space)
            x = output + x if self.bilm.config.lstm.residual and index > 0 else output
            read = x.flatten(1, 2)  # (2, T*B, P)
            result[1 + index, words_at, :width] = read[0, forwards]
            result[1 + index, words_at, width:] = read[1, backwards]

    def _plain(self, sentence: Sequence[str], result: Tensor) -> None:
        """A sentence longer than all rows."""
        layers = self.bilm(collate([sentence], self.bilm.encode).to(self.device)).layers
        result[:] = layers[:, 0, 1:-1]

    def _spaces(self, shape: tuple[int, int]) -> list[Workspace]:
        if shape not in self.spaces:
            self.spaces[shape] = [
                Workspace(layer, *shape, self.dtype, self.device, for_training=False) for layer in self.bilm.lstm.layers
            ]
        return self.spaces[shape]

    def _numbers_of(self, sentences: Sequence[Sequence[str]]) -> np.ndarray:
        """The numbers of all words (N,), which are then known to have a vector."""
        distinct = {BEGIN_SENTENCE, END_SENTENCE}.union(*sentences)
        new = distinct - self.numbers.keys()
        if len(self.numbers) + len(new) > KEPT_WORDS:
            # Forget all of them; frequent words are soon back.
            self.numbers, self.vectors, new = {}, self.vectors[:0], distinct
        if new:
            # Words of like length together: the short ones have few windows.
            words = sorted(new, key=lambda word: (len(word.encode("utf-8", "replace")), word))
            groups = [words[start : start + WORDS_AT_ONCE] for start in range(0, len(words), WORDS_AT_ONCE)]
            vectors = [self.bilm.token_layer(self.bilm.encode(group).to(self.device)) for group in groups]
            self.vectors = torch.cat([self.vectors, *(part.to(self.dtype) for part in vectors)])
            self.numbers.update(zip(words, range(len(self.numbers), len(self.numbers) + len(words)), strict=True))
        return np.fromiter(map(self.numbers.__getitem__, chain.from_iterable(sentences)), dtype=np.int64)


class _Layout:
    """Where the words of a batch stand.

    A sentence of n words takes n+1 steps, the same ones in both directions: the boundary that opens it for the
    reader, and its words. (What a reader makes of the boundary behind the last word is nobody's vector.)
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
        begins = np.cumsum(self.length + 1) - (self.length + 1)  # were all in one row
        first_in_row = np.searchsorted(self.row, self.row)
        self.offset = begins - begins[first_in_row]
        """The step at which each sentence begins."""

    def arrays(self) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
        """The batch in numbers.

        What is read (2, T, B); where the state goes on (T, B); the places of the words among all words (n,), and
        where both readers have just read them, counted over steps and rows (n,).
        """
        steps, rows = self.shape
        place = np.arange(self.length.sum()) - np.repeat(np.cumsum(self.length) - self.length, self.length)
        row, offset = np.repeat(self.row, self.length), np.repeat(self.offset, self.length)
        words_at = np.repeat(self.first_word, self.length) + place
        forwards = (offset + 1 + place, row)
        backwards = (offset + np.repeat(self.length, self.length) - place, row)
        read = np.zeros((2, steps, rows), dtype=np.int64)
        read[0][forwards] = read[1][backwards] = self.words[words_at]
        read[:, self.offset, self.row] = np.array(self.boundaries)[:, None]
        keep = np.zeros((steps, rows), dtype=np.float32)
        keep[forwards] = 1
        return read, keep, words_at, forwards[0] * rows + row, backwards[0] * rows + row
