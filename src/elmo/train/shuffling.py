"""Shuffled batches of examples that fit in memory, for every job except pretraining."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from elmo.config import from_fields
from elmo.settings import Amount, check_fields
from elmo.train.loop import TrainingBatch

POOL = 32
"""Batches whose examples are sorted by size together. A larger pool saves padding, a smaller one mixes better."""


@dataclass(frozen=True)
class ExamplePosition:
    """A position in the examples: the next batch is number ``batch`` of the epoch."""

    epoch: Amount
    batch: Amount

    def __post_init__(self) -> None:
        """Check the types and limits of both."""
        check_fields(self)


def example_batches(
    examples: Sequence[Any], sizes: Sequence[int], batch_size: int, seed: int, position: dict[str, Any] | None
) -> Iterator[TrainingBatch]:
    """Yield batches of examples endlessly, in a new order every epoch; see ``TrainingJob.batches``."""
    first = ExamplePosition(0, 0) if position is None else from_fields(ExamplePosition, position, "position")
    epoch, start = first.epoch, first.batch
    while True:
        batches = shuffled_batches(sizes, batch_size, seed=seed, epoch=epoch)
        for index in range(start, len(batches)):
            is_last = index + 1 == len(batches)
            following = {"epoch": epoch + is_last, "batch": 0 if is_last else index + 1}
            chosen = [examples[number] for number in batches[index]]
            yield TrainingBatch(chosen, len(chosen), following, epoch + (index + 1) / len(batches))
        epoch, start = epoch + 1, 0


def shuffled_batches(sizes: Sequence[int], batch_size: int, *, seed: int, epoch: int) -> list[list[int]]:
    """Return the batches of one epoch as indices: in random order, but with examples of similar size in each."""
    random = np.random.default_rng([seed, epoch])
    order = random.permutation(len(sizes))
    batches: list[list[int]] = []
    for start in range(0, len(order), batch_size * POOL):
        pool = sorted(order[start : start + batch_size * POOL].tolist(), key=lambda index: sizes[index])
        batches += [pool[first : first + batch_size] for first in range(0, len(pool), batch_size)]
    return [batches[index] for index in random.permutation(len(batches))]
