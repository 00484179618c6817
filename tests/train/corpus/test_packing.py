"""Packing: every step of every sentence once per epoch, in almost full rows, from any position."""

import itertools

import numpy as np
import pytest

from elmo.train.corpus.corpus import BEGIN_ID, END_ID
from elmo.train.corpus.packing import Position, packed_batches


def make_corpus(lengths: list[int], seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
    offsets = np.cumsum([0, *lengths])
    return np.random.default_rng(seed).integers(3, 99, offsets[-1]).astype(np.int32), offsets


def read_pieces(rows, direction: int) -> list[tuple[list[int], list[int]]]:
    """(words, targets) of every piece in a batch."""
    pieces: list[tuple[list[int], list[int]]] = []
    for row in range(rows.valid.shape[1]):
        for step in range(rows.valid.shape[0]):
            if rows.valid[step, row]:
                if not rows.keep[step, row]:
                    pieces.append(([], []))
                pieces[-1][0].append(int(rows.words[direction, step, row]))
                pieces[-1][1].append(int(rows.targets[direction, step, row]))
            else:
                assert not rows.keep[step, row]
    return pieces


@pytest.mark.parametrize("direction", [0, 1], ids=["forward", "backward"])
@pytest.mark.parametrize("steps", [6, 64])
def test_every_step_of_every_sentence_once_per_epoch(direction: int, steps: int) -> None:
    lengths = [3, 0, 1, 20, 7, 5, 2, 2, 13, 4]
    ids, offsets = make_corpus(lengths)
    found, expected = [], []
    for rows, after in packed_batches(ids, offsets, steps=steps, rows=3, seed=1):
        found += [pair for words, targets in read_pieces(rows, direction) for pair in zip(words, targets, strict=True)]
        if after.block == 1:
            break
    for sentence in np.split(ids, offsets[1:-1]):
        whole = [BEGIN_ID, *sentence.tolist(), END_ID]
        whole = whole if direction == 0 else whole[::-1]
        expected += itertools.pairwise(whole)
    assert sorted(found) == sorted(expected)


def test_short_sentences_are_whole() -> None:
    ids, offsets = make_corpus([3, 5, 2, 4, 1, 5])
    [rows, _] = next(packed_batches(ids, offsets, steps=6, rows=9, seed=1))
    whole = {tuple(s.tolist()) for s in np.split(ids, offsets[1:-1])}
    for words, targets in read_pieces(rows, 0):
        assert (words[0], targets[-1]) == (BEGIN_ID, END_ID)
        assert tuple(words[1:]) in whole
        assert words[1:] == targets[:-1]


def test_rows_are_nearly_full() -> None:
    lengths = np.clip(np.random.default_rng(0).lognormal(3, 0.6, 20_000).astype(int), 1, 300)
    ids, offsets = make_corpus(lengths.tolist())
    batches = itertools.takewhile(
        lambda pair: pair[1].block == 0, packed_batches(ids, offsets, steps=64, rows=64, seed=0)
    )
    assert np.mean([rows.valid.mean() for rows, _ in batches]) > 0.97


def test_any_position_can_be_resumed() -> None:
    ids, offsets = make_corpus([n % 9 for n in range(70)])

    def start(position: Position | None = None):
        return packed_batches(ids, offsets, steps=8, rows=4, seed=3, start=position, block_sentences=20)

    run = list(itertools.islice(start(), 40))
    assert run[-1][1].epoch >= 1
    for index, (_, position) in enumerate(run[:-1]):
        resumed, after = next(start(position))
        assert after == run[index + 1][1]
        assert np.array_equal(resumed.words, run[index + 1][0].words)
        assert np.array_equal(resumed.targets, run[index + 1][0].targets)


def test_workers_take_turns() -> None:
    ids, offsets = make_corpus([n % 9 for n in range(70)])
    alone = itertools.islice(packed_batches(ids, offsets, steps=8, rows=4, seed=3), 12)
    workers = [packed_batches(ids, offsets, steps=8, rows=4, seed=3, worker=(k, 3)) for k in range(3)]
    for index, (rows, position) in enumerate(alone):
        theirs, after = next(workers[index % 3])
        assert np.array_equal(rows.words, theirs.words)
        assert position == after


def test_epochs_and_seeds_differ() -> None:
    ids, offsets = make_corpus([5] * 50)
    [first, after] = next(packed_batches(ids, offsets, steps=6, rows=50, seed=0))
    [again, _] = next(packed_batches(ids, offsets, steps=6, rows=50, seed=0, start=after))
    [other, _] = next(packed_batches(ids, offsets, steps=6, rows=50, seed=1))
    assert not np.array_equal(first.words, again.words)
    assert not np.array_equal(first.words, other.words)
