"""Static word vectors (GloVe, word2vec, fastText) in text format: a word and its vector on each line."""

from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from elmo.datasets.lines import bad_line
from elmo.text.reading import blocks, check_texts, decode


@dataclass(frozen=True)
class StaticVectors:
    """One vector per word, independent of context."""

    words: tuple[str, ...]
    """In the order of the file. Published files are sorted by descending frequency."""
    values: NDArray[np.float32]
    """(words, D)."""

    @property
    def dim(self) -> int:
        """Dimension D of the vectors."""
        return self.values.shape[1]


def read_vectors(path: str | Path, first: int | None = None, wanted: Collection[str] = ()) -> StaticVectors:
    """Read a text file of word vectors, compressed or not.

    The header of word2vec files, the number of words and the dimension, may be there or not.

    Args:
        path: The file.
        first: Number of vectors to keep from the top of the file; None keeps all.
        wanted: Words whose vectors are kept wherever they are in the file, as written or in lower case.

    Raises:
        ValueError: A line is malformed, or the file has no vectors.
    """
    path = Path(path)
    check_texts([path])
    wanted = {*wanted, *(word.lower() for word in wanted)}
    words: list[str] = []
    rows: list[NDArray[np.float32]] = []
    dim, dim_is_certain = 0, False
    number = 0
    seen: set[str] = set()
    for block in blocks([path]):
        for line in decode(block)[0].split("\n")[:-1]:  # a block ends with a newline
            number += 1
            line = line.rstrip()
            enough = first is not None and len(words) >= first
            if enough and dim_is_certain and line.count(" ") == dim and line[: line.index(" ")] not in wanted:
                continue  # most lines of a large file, which need not be split
            fields = line.split(" ")
            if not line:
                continue
            if number == 1 and len(fields) == 2:
                dim, dim_is_certain = _dimension_in_header(path, fields), True
                continue
            if len(words) == 1 and not dim_is_certain:
                # The first line determines the dimension, so the second must confirm it: the first could be damaged.
                if len(fields) - 1 != dim:
                    raise bad_line(path, number, f"has {len(fields) - 1} numbers, but the line before has {dim}")
                dim_is_certain = True
            dim = dim or len(fields) - 1
            word = " ".join(fields[: max(len(fields) - dim, 0)])  # a few words of the large GloVe files contain spaces
            if not word or dim < 2:
                raise bad_line(path, number, f"expected a word and {max(dim, 2)} numbers, found {len(fields)} fields")
            if word in seen or (enough and word not in wanted):
                continue
            try:
                with np.errstate(over="ignore"):  # an overflow becomes infinite
                    row = np.array(fields[-dim:], dtype=np.float32)
            except ValueError:
                raise bad_line(path, number, f"is not a word followed by {dim} numbers") from None
            if not np.isfinite(row).all():
                raise bad_line(path, number, "has values that are not finite")
            rows.append(row)
            words.append(word)
            seen.add(word)
    if not words:
        raise ValueError(f"{path}: has no vectors")
    return StaticVectors(tuple(words), np.stack(rows))


def _dimension_in_header(path: Path, fields: list[str]) -> int:
    """Return the dimension in the header of a word2vec file."""
    if not all(field.isdecimal() and len(field) < 10 for field in fields):
        raise bad_line(path, 1, "expected a word and its vector, or the number of words and the dimension")
    return int(fields[1])
