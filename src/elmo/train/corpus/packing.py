"""Sentences for training: laid end to end in rows of one length, so that hardly a position is wasted.

A sentence of n words has n+1 steps in each direction. Forwards it reads ``<S> w1 ... wn`` and predicts
``w1 ... wn </S>``; backwards it reads ``</S> wn ... w1`` and predicts ``wn ... w1 <S>``. Both take the same
place in a row. Sentences longer than a row are cut in pieces; every step of every sentence occurs once an epoch.

Word ids here are lines of a corpus' list of types, which begins with the markers below.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

BEGIN, END = 0, 1
"""Ids of ``<S>`` and ``</S>``."""

SENTENCES_AT_ONCE = 1 << 18
"""Sentences are shuffled over the whole corpus, then packed in blocks of this many."""

Ids = NDArray[np.int32]


@dataclass(frozen=True)
class PackedRows:
    """A batch of B rows of T steps; axis 0 of words and targets is the direction (0 forward, 1 backward)."""

    words: Ids
    """What is read, (2, T, B); ``<S>`` where nothing is."""
    targets: Ids
    """What is to be predicted, (2, T, B); ``</S>`` where nothing is."""
    keep: NDArray[np.bool_]
    """Where the state of the step before goes on, (T, B); False where a piece begins."""
    valid: NDArray[np.bool_]
    """Where there is a word to predict, (T, B)."""


@dataclass(frozen=True)
class Position:
    """How far training has come in the corpus: the next batch is number ``batch`` of this block."""

    epoch: int = 0
    block: int = 0
    batch: int = 0
    epochs: float = 0.0
    """How often the corpus has been seen."""


def packed_batches(
    ids: Ids,
    offsets: NDArray[np.int64],
    *,
    steps: int,
    rows: int,
    seed: int,
    start: Position | None = None,
    share: tuple[int, int] = (0, 1),
) -> Iterator[tuple[PackedRows, Position]]:
    """Batches without end, each with the position after it; the same for the same seed and start.

    Sentence s is ``ids[offsets[s]:offsets[s + 1]]``. ``share`` (k, n) makes only the batches k, k + n, k + 2n, ..., for
    n workers that take turns.
    """
    turn, workers = share
    lengths = np.diff(offsets) + 1
    start = start or Position()
    epoch, block, skip = start.epoch, start.block, start.batch
    while True:
        # NumPy takes (seed, epoch) and (seed, epoch, 0) for the same seed, so blocks count from 1 below.
        order = np.random.default_rng((seed, epoch)).permutation(len(lengths))
        blocks = -(-len(order) // SENTENCES_AT_ONCE)
        while block < blocks:
            chosen = order[block * SENTENCES_AT_ONCE : (block + 1) * SENTENCES_AT_ONCE]
            pieces = _cut(chosen, lengths[chosen], steps)
            placed = _place(pieces, steps, rows, np.random.default_rng((seed, epoch, block + 1)))
            for number in range(skip, len(placed)):
                if turn == 0:
                    following = (block + 1, 0) if number + 1 == len(placed) else (block, number + 1)
                    seen = epoch + (block + (number + 1) / len(placed)) / blocks
                    yield _fill(placed[number], ids, offsets, steps, rows), Position(epoch, *following, seen)
                turn = (turn - 1) % workers
            block, skip = block + 1, 0
        epoch, block = epoch + 1, 0


@dataclass(frozen=True)
class _Pieces:
    """Stretches of sentences: which sentence, from which step, how many steps, and their place in a batch."""

    sentence: NDArray[np.int64]
    start: NDArray[np.int64]
    length: NDArray[np.int64]
    row: NDArray[np.int64]
    offset: NDArray[np.int64]


def _cut(sentences: NDArray[np.int64], lengths: NDArray[np.int64], steps: int) -> _Pieces:
    """Cut sentences into pieces of at most ``steps`` steps; those of one sentence differ by one step at most."""
    count = -(-lengths // steps)
    sentence = np.repeat(sentences, count)
    part = np.arange(len(sentence)) - np.repeat(np.cumsum(count) - count, count)
    whole, count = np.repeat(lengths, count), np.repeat(count, count)
    start = part * whole // count
    length = (part + 1) * whole // count - start
    nowhere = np.zeros(len(sentence), dtype=np.int64)
    return _Pieces(sentence, start, length, nowhere, nowhere)


def _place(pieces: _Pieces, steps: int, rows: int, random: np.random.Generator) -> list[_Pieces]:
    """Fill rows with pieces, the longest first and then always the longest that still fits; shuffle the rows.

    Rows of the same lengths are made many at a time, which keeps this fast. The rows are spread evenly
    over as few batches as will hold them.
    """
    by_length = np.argsort(pieces.length, kind="stable")  # pieces are in random order already
    available = np.bincount(pieces.length, minlength=steps + 1)
    taken = np.cumsum(available) - available  # where in by_length the pieces of a length begin
    slots: list[tuple[NDArray[np.int64], NDArray[np.int64], int]] = []  # pieces, rows, offset
    made = 0
    while available.any():
        pattern: list[int] = []
        space, left = steps, available.copy()
        while (fitting := np.flatnonzero(left[: space + 1])).size:
            longest = int(fitting[-1])
            pattern.append(longest)
            left[longest] -= 1
            space -= longest
        kinds, uses = np.unique(pattern, return_counts=True)
        times = int((available[kinds] // uses).min())
        offset = 0
        for length in pattern:
            first = taken[length]
            slots.append((by_length[first : first + times], np.arange(made, made + times), offset))
            taken[length] += times
            available[length] -= times
            offset += length
        made += times
    piece = np.concatenate([slot[0] for slot in slots])
    row = random.permutation(made)[np.concatenate([slot[1] for slot in slots])]
    place = np.concatenate([np.full(len(slot[0]), slot[2]) for slot in slots])
    batches = -(-made // rows)
    bounds = np.arange(batches + 1) * made // batches
    batch = np.searchsorted(bounds, row, side="right") - 1
    placed = []
    for number in range(batches):
        here = batch == number
        chosen = piece[here]
        placed.append(
            _Pieces(
                pieces.sentence[chosen],
                pieces.start[chosen],
                pieces.length[chosen],
                row[here] - bounds[number],
                place[here],
            )
        )
    return placed


def _fill(pieces: _Pieces, ids: Ids, offsets: NDArray[np.int64], steps: int, rows: int) -> PackedRows:
    """Look up the words of one batch."""
    length = pieces.length
    within = np.arange(length.sum()) - np.repeat(np.cumsum(length) - length, length)
    at = (np.repeat(pieces.offset, length) + within, np.repeat(pieces.row, length))  # (step, row)
    step = np.repeat(pieces.start, length) + within  # in the sentence: 0 reads the opening marker
    first = np.repeat(offsets[pieces.sentence], length)
    count = np.repeat(offsets[pieces.sentence + 1], length) - first  # words in the sentence
    last = max(len(ids) - 1, 0)

    words = np.full((2, steps, rows), BEGIN, dtype=np.int32)
    targets = np.full((2, steps, rows), END, dtype=np.int32)
    # The word before and after a step, in both reading orders; markers beyond the ends.
    word = lambda place: ids[np.clip(first + place, 0, last)]  # noqa: E731
    words[0][at] = np.where(step == 0, BEGIN, word(step - 1))
    targets[0][at] = np.where(step == count, END, word(step))
    words[1][at] = np.where(step == 0, END, word(count - step))
    targets[1][at] = np.where(step == count, BEGIN, word(count - step - 1))
    valid = np.zeros((steps, rows), dtype=np.bool_)
    valid[at] = True
    keep = valid.copy()
    keep[pieces.offset, pieces.row] = False
    return PackedRows(words, targets, keep, valid)
