"""Batches of examples that fit in memory."""

import numpy as np

from elmo.train.shuffling import shuffled_batches


def test_batches_of_an_epoch() -> None:
    sizes = np.random.default_rng(0).integers(1, 40, 1000).tolist()
    batches = shuffled_batches(sizes, 16, seed=1, epoch=0)
    assert sorted(index for batch in batches for index in batch) == list(range(1000))
    assert batches == shuffled_batches(sizes, 16, seed=1, epoch=0)
    assert batches != shuffled_batches(sizes, 16, seed=1, epoch=1)
    spread = [max(sizes[i] for i in batch) - min(sizes[i] for i in batch) for batch in batches]
    assert sum(spread) / len(spread) < 5
