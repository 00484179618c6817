"""The types and sentences of a text while it is read: types have provisional ids, sentences are in temporary files.

``elmo.train.corpus.prepare`` explains why, and how much memory and disk space this takes.
"""

import contextlib
import itertools
import tempfile
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from elmo.files import writing
from elmo.text.reading import BLOCK_BYTES, MAX_LINE_BYTES
from elmo.train.corpus.corpus import MARKERS, UNKNOWN_ID
from elmo.train.corpus.kept_blocks import TokenizedBlock


@dataclass(frozen=True)
class StagingLimits:
    """How much of a text is in memory at a time. The result does not depend on it, except as noted."""

    block_bytes: int = BLOCK_BYTES
    """Size of the blocks that are tokenized."""
    max_line_bytes: int = MAX_LINE_BYTES
    """Maximum length of a line. Longer lines are split, which does change the result."""
    spare_types: int = 1_000_000
    """Types above ``max_types`` that are kept at least before the rarest are dropped."""
    read_words: int = 1 << 23
    """Words that are read back at a time."""
    read_hashes: int = 1 << 22
    """Hashes of sentences that are read back at a time."""


DEFAULT_LIMITS = StagingLimits()


class TypeIndex:
    """Assigns an id to every type in order of first occurrence, after the markers.

    Args:
        max_types: The number of types that are needed in the end.
        limits: How many more types are kept before the rarest are dropped.
    """

    def __init__(self, max_types: int, limits: StagingLimits) -> None:
        self.n_ids = len(MARKERS)
        """The number of ids assigned so far."""
        self.n_dropped = 0
        """The number of rare types dropped so far."""
        self._max_types = max_types
        self._capacity = max_types + max(max_types // 2, limits.spare_types)
        markers = {marker.encode(): index for index, marker in enumerate(MARKERS)}
        self._ids = defaultdict(itertools.count(self.n_ids).__next__, markers)
        self._counts = np.zeros(1024, np.int64)  # over everything read so far; only decides what to drop

    def add(self, block: TokenizedBlock) -> np.ndarray:
        """Return the id of each type of a block, (types of the block,) int32."""
        types = block.types.split(b"\n") if block.types else []
        ids = np.fromiter(map(self._ids.__getitem__, types), np.int32, len(types))
        self.n_ids = max(self.n_ids, int(ids.max(initial=0)) + 1)
        if self.n_ids > len(self._counts):
            growth = np.zeros(self.n_ids + self.n_ids // 4 - len(self._counts), np.int64)
            self._counts = np.concatenate([self._counts, growth])
        self._counts[ids] += np.bincount(block.ids, minlength=len(ids))
        if len(self._ids) > self._capacity:
            self._drop_rare()
        return ids

    def _drop_rare(self) -> None:
        """Keep only the most frequent types. A dropped type that occurs again gets a new id."""
        ids = np.fromiter(self._ids.values(), np.int32, len(self._ids))
        counts = self._counts[ids]
        counts[: len(MARKERS)] = counts.max() + 1
        kept = np.zeros(self.n_ids, bool)
        kept[ids[np.argsort(-counts, kind="stable")[: self._max_types]]] = True
        rare = [word for word, index in self._ids.items() if not kept[index]]
        for word in rare:
            del self._ids[word]
        self.n_dropped += len(rare)

    def close(self) -> tuple[list[bytes], np.ndarray]:
        """Free the memory of the index, and return what is needed to translate its ids.

        Returns:
            The types: the markers, then all words in alphabetical order. And for each id the index of its type,
            (ids,) int32, or that of ``<UNK>`` if the type was dropped.
        """
        types = [*self._ids][: len(MARKERS)]
        types += sorted(itertools.islice(self._ids, len(MARKERS), None))  # UTF-8 sorts like code points
        ids = np.fromiter(map(self._ids.__getitem__, types), np.int32, len(types))
        type_of_id = np.full(self.n_ids, UNKNOWN_ID, np.int32)
        type_of_id[ids] = np.arange(len(types), dtype=np.int32)
        self._ids.clear()
        self._counts = np.zeros(0, np.int64)
        return types, type_of_id


class SentenceStore:
    """Sentences of provisional ids and their hashes, in unnamed temporary files next to the output.

    Args:
        output: The folder that is being prepared.
        stack: Closes the files, which deletes them.
        limits: How much is read back at a time.
    """

    def __init__(self, output: Path, stack: contextlib.ExitStack, limits: StagingLimits) -> None:
        self.n_sentences = 0
        self._output, self.limits = output, limits
        self._groups: list[list[int]] = []  # the number of sentences and words that are read back together
        self._ids, self._lengths, self._hashes = (stack.enter_context(_temporary_file(output)) for _ in range(3))

    def append(self, block: TokenizedBlock, type_ids: np.ndarray) -> None:
        """Add the sentences of a block, given the ids of its types."""
        with writing(self._output):
            for file, values in (
                (self._ids, type_ids[block.ids]),
                (self._lengths, block.lengths),
                (self._hashes, block.hashes),
            ):
                rest = memoryview(values.tobytes())
                while rest:
                    rest = rest[file.write(rest) :]
        self.n_sentences += len(block.lengths)
        if not self._groups or self._groups[-1][1] > self.limits.read_words:
            self._groups.append([0, 0])
        self._groups[-1][0] += len(block.lengths)
        self._groups[-1][1] += len(block.ids)

    def hashes(self) -> Iterator[tuple[slice, np.ndarray]]:
        """Yield the hashes of all sentences in chunks, each with the range of its sentences."""
        self._hashes.seek(0)
        for start in range(0, self.n_sentences, self.limits.read_hashes):
            chunk = slice(start, min(start + self.limits.read_hashes, self.n_sentences))
            yield chunk, np.fromfile(self._hashes, np.uint64, chunk.stop - start)

    def first_occurrences(self) -> np.ndarray:
        """Return which sentences do not repeat an earlier one, (sentences,) bool."""
        first = np.zeros(self.n_sentences, bool)
        ranges = -(-self.n_sentences // self.limits.read_hashes)
        for index in range(ranges):  # only the hashes in one range of values are in memory
            sentences, found = [], []
            for chunk, hashes in self.hashes():
                inside = np.flatnonzero((hashes >> np.uint64(32)) * np.uint64(ranges) >> np.uint64(32) == index)
                sentences.append(inside + chunk.start)
                found.append(hashes[inside])
            _, firsts = np.unique(np.concatenate(found), return_index=True)
            first[np.concatenate(sentences)[firsts]] = True
        return first

    def select(self, wanted: np.ndarray) -> Iterator[tuple[np.ndarray, np.ndarray]]:
        """Yield the lengths and the word ids of the wanted sentences, in chunks."""
        self._ids.seek(0)
        self._lengths.seek(0)
        start = 0
        for n_sentences, n_words in self._groups:
            lengths = np.fromfile(self._lengths, np.int32, n_sentences)
            ids = np.fromfile(self._ids, np.int32, n_words)
            chosen = wanted[start : start + n_sentences]
            yield lengths[chosen], ids[np.repeat(chosen, lengths)]
            start += n_sentences


def _temporary_file(output: Path) -> Any:
    with writing(output):
        output.parent.mkdir(parents=True, exist_ok=True)
        # Unbuffered, because a failed write must not be repeated when the file is closed.
        return tempfile.TemporaryFile(buffering=0, dir=output.parent)
