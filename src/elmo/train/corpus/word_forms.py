"""Words and sentences while text is read: forms have provisional numbers, sentences lie in nameless files.

``elmo.train.corpus.prepare`` says what that takes of memory and disk.
"""

import contextlib
import itertools
import tempfile
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from elmo.files import writing
from elmo.train.corpus.corpus import MARKERS, UNKNOWN_ID
from elmo.train.corpus.tokenization import Block

_SPARE_FORMS = 1_000_000  # forms above ``max_types`` that are remembered in any case
_GROUP_WORDS = 1 << 23  # words read back at once
_HASHES_AT_ONCE = 1 << 22


class Forms:
    """Every word form with its number, by first appearance; the markers are the first."""

    def __init__(self, max_types: int) -> None:
        self.seen = len(MARKERS)
        """Numbers given so far."""
        self.forgotten = 0
        self._max_types = max_types
        markers = {marker.encode(): number for number, marker in enumerate(MARKERS)}
        self._ids = defaultdict(itertools.count(self.seen).__next__, markers)
        self._counts = np.zeros(1024, np.int64)  # of all that was read; only to see what can be forgotten

    def numbers(self, block: Block) -> np.ndarray:
        """The number of each form of a block."""
        forms = block.forms.split(b"\n") if block.forms else []
        numbers = np.fromiter(map(self._ids.__getitem__, forms), np.int32, len(forms))
        self.seen = max(self.seen, int(numbers.max(initial=0)) + 1)
        if self.seen > len(self._counts):
            room = np.zeros(self.seen + self.seen // 4 - len(self._counts), np.int64)
            self._counts = np.concatenate([self._counts, room])
        self._counts[numbers] += np.bincount(block.ids, minlength=len(numbers))
        if len(self._ids) > self._max_types + max(self._max_types // 2, _SPARE_FORMS):
            self._forget()
        return numbers

    def _forget(self) -> None:
        """Keep the most frequent forms only. One that comes again starts anew, under another number."""
        numbers = np.fromiter(self._ids.values(), np.int32, len(self._ids))
        counts = self._counts[numbers]
        counts[: len(MARKERS)] = counts.max() + 1
        kept = np.zeros(self.seen, bool)
        kept[numbers[np.argsort(-counts, kind="stable")[: self._max_types]]] = True
        rare = [form for form, number in self._ids.items() if not kept[number]]
        for form in rare:
            del self._ids[form]
        self.forgotten += len(rare)

    def close(self) -> tuple[list[bytes], np.ndarray]:
        """The forms, sorted, behind the markers; and for each number given, (seen,) int32, its place among them.

        This ends the work of the dictionary, and frees its memory.
        """
        names = [*self._ids][: len(MARKERS)]
        names += sorted(itertools.islice(self._ids, len(MARKERS), None))  # UTF-8 sorts like code points
        numbers = np.fromiter(map(self._ids.__getitem__, names), np.int32, len(names))
        places = np.full(self.seen, UNKNOWN_ID, np.int32)
        places[numbers] = np.arange(len(names), dtype=np.int32)
        self._ids.clear()
        self._counts = np.zeros(0, np.int64)
        return names, places


class Store:
    """Sentences of provisional numbers in temporary files without a name, beside the output."""

    def __init__(self, output: Path, stack: contextlib.ExitStack) -> None:
        self.sentences = 0
        self._output = output
        self._groups: list[list[int]] = []  # sentences and words of each
        self._ids, self._lengths, self._hashes = (stack.enter_context(_nameless_file(output)) for _ in range(3))

    def append(self, block: Block, numbers: np.ndarray) -> None:
        """Add the sentences of a block."""
        with writing(self._output):
            for file, values in (
                (self._ids, numbers[block.ids]),
                (self._lengths, block.lengths),
                (self._hashes, block.hashes),
            ):
                rest = memoryview(values.tobytes())
                while rest:
                    rest = rest[file.write(rest) :]
        self.sentences += len(block.lengths)
        if not self._groups or self._groups[-1][1] > _GROUP_WORDS:
            self._groups.append([0, 0])
        self._groups[-1][0] += len(block.lengths)
        self._groups[-1][1] += len(block.ids)

    def hashes(self) -> Iterator[tuple[slice, np.ndarray]]:
        """The hashes of all sentences, and which sentences, in pieces."""
        self._hashes.seek(0)
        for start in range(0, self.sentences, _HASHES_AT_ONCE):
            part = slice(start, min(start + _HASHES_AT_ONCE, self.sentences))
            yield part, np.fromfile(self._hashes, np.uint64, part.stop - start)

    def first_occurrences(self) -> np.ndarray:
        """Which sentences do not repeat an earlier one, (sentences,) bool."""
        first = np.zeros(self.sentences, bool)
        ranges = -(-self.sentences // _HASHES_AT_ONCE)
        for index in range(ranges):
            places, found = [], []
            for part, hashes in self.hashes():
                inside = np.flatnonzero((hashes >> np.uint64(32)) * np.uint64(ranges) >> np.uint64(32) == index)
                places.append(inside + part.start)
                found.append(hashes[inside])
            _, firsts = np.unique(np.concatenate(found), return_index=True)
            first[np.concatenate(places)[firsts]] = True
        return first

    def select(self, wanted: np.ndarray) -> Iterator[tuple[np.ndarray, np.ndarray]]:
        """Lengths and words of the wanted sentences, in pieces."""
        self._ids.seek(0)
        self._lengths.seek(0)
        start = 0
        for n_sentences, n_words in self._groups:
            lengths = np.fromfile(self._lengths, np.int32, n_sentences)
            ids = np.fromfile(self._ids, np.int32, n_words)
            here = wanted[start : start + n_sentences]
            yield lengths[here], ids[np.repeat(here, lengths)]
            start += n_sentences


def _nameless_file(output: Path) -> Any:
    with writing(output):
        output.parent.mkdir(parents=True, exist_ok=True)
        # Without a buffer: a failed write must not be tried again when the file is closed.
        return tempfile.TemporaryFile(buffering=0, dir=output.parent)
