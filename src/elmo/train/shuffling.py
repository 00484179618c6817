"""Examples that fit in memory, in random batches of similar size: the feed of every job but pretraining."""

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from elmo.train.loop import Fed

POOL = 32
"""Batches whose examples are sorted by size together: more waste less padding, fewer mix better."""


def feed_examples(
    examples: Sequence[Any], sizes: Sequence[int], batch: int, seed: int, position: dict[str, Any] | None
) -> Iterator[Fed]:
    """Batches of examples without end, in another order in every epoch; see ``elmo.train.loop.Job.feed``."""
    epoch, done = (0, 0) if position is None else (position["epoch"], position["batch"])
    while True:
        batches = shuffled_batches(sizes, batch, seed=seed, epoch=epoch)
        for number in range(done, len(batches)):
            last = number + 1 == len(batches)
            after = {"epoch": epoch + last, "batch": 0 if last else number + 1}
            chosen = [examples[index] for index in batches[number]]
            yield Fed(chosen, len(chosen), after, epoch + (number + 1) / len(batches))
        epoch, done = epoch + 1, 0


def shuffled_batches(sizes: Sequence[int], batch: int, *, seed: int, epoch: int) -> list[list[int]]:
    """Batches of indices for one epoch: random, but each with examples of similar size."""
    random = np.random.default_rng([seed, epoch])
    order = random.permutation(len(sizes))
    batches: list[list[int]] = []
    for start in range(0, len(order), batch * POOL):
        some = sorted(order[start : start + batch * POOL].tolist(), key=lambda index: sizes[index])
        batches += [some[at : at + batch] for at in range(0, len(some), batch)]
    return [batches[index] for index in random.permutation(len(batches))]
