"""The order in which the CPU engine reads the words of a batch.

Shapes: B sentences, T steps, N positions in all.
"""

from collections.abc import Iterator, Sequence
from itertools import accumulate

import numpy as np
from numpy.typing import NDArray


class ReadingPlan:
    """The order in which the positions of a batch are read, the same in both directions.

    Step 0 reads the opening boundary, in one row for all sentences or in one row each. The next steps read the words,
    longest sentences first. The last step, if the state is wanted, reads the closing boundary of all rows.
    """

    def __init__(self, ids: Sequence[Sequence[int]], start_rows: int, closing: bool) -> None:
        self.ids = ids
        self.words = np.fromiter((number for sentence in ids for number in sentence), np.int64)
        """All words in the order of the input, (words,)."""
        self.batch = len(ids)
        self.openings = min(start_rows, self.batch)
        self.closings = self.batch if closing else 0
        lengths = np.array([len(sentence) for sentence in ids])
        self.order = np.argsort(-lengths, kind="stable")
        """The sentence in each row, (B,)."""
        self.running = np.arange(lengths.max()) < lengths[self.order, None]
        """Whether a row has a word at a step, (B, T)."""
        self.rows: list[int] = [self.openings, *self.running.sum(0).tolist(), *([self.closings] if closing else [])]
        """Number of rows at each step; they are the first ones."""
        self.starts = [0, *accumulate(self.rows)]
        """First position of each step; the last entry is N."""

    def read(self, direction: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Return the word at each position (N,), and the position of each word in the order of the input (words,)."""
        opening, closing, stride = (0, 1, 1) if direction == 0 else (1, 0, -1)
        words = np.zeros(self.running.shape, dtype=np.int64)  # (B, T)
        places = [np.empty(0, dtype=np.int64)] * self.batch
        steps = np.array(self.starts[1:])
        for row, sentence in enumerate(self.order):
            length = len(self.ids[sentence])
            words[row, :length] = self.ids[sentence][::stride]
            places[sentence] = steps[:length][::stride] + row
        ids = [np.full(self.openings, opening), words.T[self.running.T], np.full(self.closings, closing)]
        return np.concatenate(ids), np.concatenate(places)

    def chunks(self, positions: int) -> Iterator[range]:
        """Yield runs of steps with at most this many positions each (or a single step)."""
        first = 0
        for step in range(1, len(self.rows) + 1):
            if step == len(self.rows) or self.starts[step + 1] - self.starts[first] > positions:
                yield range(first, step)
                first = step
