"""Packing: sentences laid end to end in rows of equal length, so that almost no position is padding.

A sentence of n words takes n+1 steps in each direction. The forward direction reads ``<S> w1 ... wn`` and predicts
``w1 ... wn </S>``; the backward direction reads ``</S> wn ... w1`` and predicts ``wn ... w1 <S>``. Both directions use
the same positions of a row. Sentences longer than a row are split into pieces. Every step of every sentence occurs
exactly once per epoch.

Word ids are line numbers of a corpus' ``types.txt``, which begins with the markers ``<S>`` and ``</S>``.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from elmo.settings import Amount, NotNegative, check_fields
from elmo.train.corpus.corpus import BEGIN_ID, END_ID

BLOCK_SENTENCES = 1 << 18
"""Sentences are shuffled over the whole corpus, then packed in blocks of this size."""

Ids = NDArray[np.int32]


@dataclass(frozen=True)
class PackedRows:
    """A batch of B rows with T steps. Axis 0 of words and targets is the direction (0 forward, 1 backward)."""

    words: Ids
    """Input words, (2, T, B); ``<S>`` at padding."""
    targets: Ids
    """Words to predict, (2, T, B); ``</S>`` at padding."""
    keep: NDArray[np.bool_]
    """Whether the LSTM state of the previous step is kept, (T, B); False at the first step of a piece."""
    valid: NDArray[np.bool_]
    """Whether there is a word to predict, (T, B); False at padding."""


@dataclass(frozen=True)
class Position:
    """A position in the corpus: the next batch is number ``batch`` of block ``block``."""

    epoch: Amount = 0
    block: Amount = 0
    batch: Amount = 0
    epochs: NotNegative = 0.0
    """Passes over the corpus completed so far."""

    def __post_init__(self) -> None:
        """Check the types and limits of all values."""
        check_fields(self)


def packed_batches(
    ids: Ids,
    offsets: NDArray[np.int64],
    *,
    steps: int,
    rows: int,
    seed: int,
    start: Position | None = None,
    worker: tuple[int, int] = (0, 1),
    block_sentences: int = BLOCK_SENTENCES,
) -> Iterator[tuple[PackedRows, Position]]:
    """Yield packed batches endlessly, each with the position that follows it.

    The batches depend only on the sentences, the seed, the shape and the block size.

    Args:
        ids: The words of all sentences.
        offsets: Sentence s is ``ids[offsets[s]:offsets[s + 1]]``.
        steps: Steps per row.
        rows: Rows per batch.
        seed: Seed of the order of the sentences.
        start: Where to begin; None is the beginning.
        worker: (k, n) yields only the batches k, k + n, k + 2n, ..., so that n workers can take turns.
        block_sentences: Number of sentences that are packed together.
    """
    wait, workers = worker
    lengths = np.diff(offsets) + 1
    start = start or Position()
    epoch, block, first = start.epoch, start.block, start.batch
    while True:
        # NumPy treats the seeds (seed, epoch) and (seed, epoch, 0) as equal, so blocks count from 1 below.
        order = np.random.default_rng((seed, epoch)).permutation(len(lengths))
        blocks = -(-len(order) // block_sentences)
        while block < blocks:
            chosen = order[block * block_sentences : (block + 1) * block_sentences]
            pieces = _split(chosen, lengths[chosen], steps)
            batches = _assign(pieces, steps, rows, np.random.default_rng((seed, epoch, block + 1)))
            for number in range(first, len(batches)):
                if wait == 0:
                    following = (block + 1, 0) if number + 1 == len(batches) else (block, number + 1)
                    seen = epoch + (block + (number + 1) / len(batches)) / blocks
                    yield _look_up(batches[number], ids, offsets, steps, rows), Position(epoch, *following, seen)
                wait = (wait - 1) % workers
            block, first = block + 1, 0
        epoch, block = epoch + 1, 0


@dataclass(frozen=True)
class _Pieces:
    """Pieces of sentences: the sentence, the first step, the number of steps, and the position in a batch."""

    sentence: NDArray[np.int64]
    start: NDArray[np.int64]
    length: NDArray[np.int64]
    row: NDArray[np.int64]
    offset: NDArray[np.int64]


def _split(sentences: NDArray[np.int64], lengths: NDArray[np.int64], steps: int) -> _Pieces:
    """Split sentences into pieces of at most ``steps`` steps. Pieces of one sentence differ by at most one step."""
    count = -(-lengths // steps)
    sentence = np.repeat(sentences, count)
    part = np.arange(len(sentence)) - np.repeat(np.cumsum(count) - count, count)
    length_of_sentence, count = np.repeat(lengths, count), np.repeat(count, count)
    start = part * length_of_sentence // count
    length = (part + 1) * length_of_sentence // count - start
    unassigned = np.zeros(len(sentence), dtype=np.int64)
    return _Pieces(sentence, start, length, unassigned, unassigned)


def _assign(pieces: _Pieces, steps: int, rows: int, random: np.random.Generator) -> list[_Pieces]:
    """Assign pieces to rows, and rows to batches in random order.

    A row takes the longest piece left, then always the longest one that still fits. Rows with the same lengths are
    filled together, which makes this fast. The rows are spread evenly over as few batches as possible.
    """
    by_length = np.argsort(pieces.length, kind="stable")  # the pieces are in random order already
    available = np.bincount(pieces.length, minlength=steps + 1)
    next_piece = np.cumsum(available) - available  # where in by_length the unused pieces of each length begin
    slots: list[tuple[NDArray[np.int64], NDArray[np.int64], int]] = []  # pieces, rows, offset
    n_rows = 0
    while available.any():
        pattern: list[int] = []
        space, left = steps, available.copy()
        while (fitting := np.flatnonzero(left[: space + 1])).size:
            longest = int(fitting[-1])
            pattern.append(longest)
            left[longest] -= 1
            space -= longest
        distinct, uses = np.unique(pattern, return_counts=True)
        times = int((available[distinct] // uses).min())
        offset = 0
        for length in pattern:
            first = next_piece[length]
            slots.append((by_length[first : first + times], np.arange(n_rows, n_rows + times), offset))
            next_piece[length] += times
            available[length] -= times
            offset += length
        n_rows += times
    piece = np.concatenate([slot[0] for slot in slots])
    row = random.permutation(n_rows)[np.concatenate([slot[1] for slot in slots])]
    offsets = np.concatenate([np.full(len(slot[0]), slot[2]) for slot in slots])
    n_batches = -(-n_rows // rows)
    bounds = np.arange(n_batches + 1) * n_rows // n_batches
    batch = np.searchsorted(bounds, row, side="right") - 1
    batches = []
    for number in range(n_batches):
        inside = batch == number
        chosen = piece[inside]
        batches.append(
            _Pieces(
                pieces.sentence[chosen],
                pieces.start[chosen],
                pieces.length[chosen],
                row[inside] - bounds[number],
                offsets[inside],
            )
        )
    return batches


def _look_up(pieces: _Pieces, ids: Ids, offsets: NDArray[np.int64], steps: int, rows: int) -> PackedRows:
    """Fill the arrays of one batch with the words of its pieces."""
    length = pieces.length
    within = np.arange(length.sum()) - np.repeat(np.cumsum(length) - length, length)
    at = (np.repeat(pieces.offset, length) + within, np.repeat(pieces.row, length))  # (step, row)
    step = np.repeat(pieces.start, length) + within  # within the sentence; step 0 reads the first marker
    first = np.repeat(offsets[pieces.sentence], length)
    count = np.repeat(offsets[pieces.sentence + 1], length) - first  # words in the sentence
    last = max(len(ids) - 1, 0)

    def word(index: NDArray[np.int64]) -> Ids:
        """Return words of the sentences; an index outside the sentence is replaced by a marker below."""
        return ids[np.clip(first + index, 0, last)]

    words = np.full((2, steps, rows), BEGIN_ID, dtype=np.int32)
    targets = np.full((2, steps, rows), END_ID, dtype=np.int32)
    words[0][at] = np.where(step == 0, BEGIN_ID, word(step - 1))
    targets[0][at] = np.where(step == count, END_ID, word(step))
    words[1][at] = np.where(step == 0, END_ID, word(count - step))
    targets[1][at] = np.where(step == count, BEGIN_ID, word(count - step - 1))
    valid = np.zeros((steps, rows), dtype=np.bool_)
    valid[at] = True
    keep = valid.copy()
    keep[pieces.offset, pieces.row] = False
    return PackedRows(words, targets, keep, valid)
