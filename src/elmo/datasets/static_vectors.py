"""Static word vectors (GloVe, word2vec, fastText) from their text format: a word and its numbers on each line."""

from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from elmo.text.reading import blocks, check_texts, decode


@dataclass(frozen=True)
class StaticVectors:
    """One vector for each word, whatever its context."""

    words: tuple[str, ...]
    """In the order of the file, which for published vectors is by falling count."""
    values: NDArray[np.float32]
    """(words, D)."""

    @property
    def dim(self) -> int:
        """Width D of a vector."""
        return self.values.shape[1]


def read_vectors(path: str | Path, first: int | None = None, wanted: Collection[str] = ()) -> StaticVectors:
    """Read a text file of vectors, packed or not.

    ``first``: keep so many from the top, and of the others those that are ``wanted``, as they are or in lower case;
    None keeps all. A first line with two numbers (word2vec's counts) is passed over.
    """
    path = Path(path)
    check_texts([path])
    wanted = {*wanted, *(word.lower() for word in wanted)}
    words: list[str] = []
    rows: list[NDArray[np.float32]] = []
    dim = 0
    number = 0
    seen: set[str] = set()
    for block in blocks([path], lambda path, taken: None):
        for line in decode(block)[0].split("\n"):
            number += 1
            fields = line.rstrip().split(" ")
            if not line.strip() or (number == 1 and len(fields) == 2):
                continue
            dim = dim or len(fields) - 1
            word = " ".join(fields[: len(fields) - dim])  # a few words of the large GloVe files contain spaces
            if not word or dim < 2:
                raise ValueError(f"{path}, line {number}: has {len(fields) - 1} numbers, the first line has {dim}")
            if word in seen or (first is not None and len(words) >= first and word not in wanted):
                continue
            try:
                rows.append(np.array(fields[-dim:], dtype=np.float32))
            except ValueError:
                raise ValueError(f"{path}, line {number}: is not a word with {dim} numbers") from None
            words.append(word)
            seen.add(word)
    if not words:
        raise ValueError(f"{path}: has no vectors")
    return StaticVectors(tuple(words), np.stack(rows))
