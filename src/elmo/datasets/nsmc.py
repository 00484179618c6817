"""The Naver sentiment movie corpus: reviews with the label 0 (negative) or 1 (positive)."""

from pathlib import Path
from typing import NamedTuple

from elmo.datasets.lines import bad_line, numbered_lines

_HEADER = "id\tdocument\tlabel"


class Review(NamedTuple):
    """A review and its sentiment."""

    text: str
    positive: bool


def read_reviews(path: str | Path) -> list[list[Review]]:
    """Read the parts of a file of tab-separated columns, each of which begins with the header ``id document label``.

    Raises:
        ValueError: The file does not begin with a header, or a line has other columns or another label.
    """
    parts: list[list[Review]] = []
    for number, line in numbered_lines(path):
        if line == _HEADER:
            parts.append([])
            continue
        fields = line.split("\t")
        if not parts or len(fields) != 3:
            raise bad_line(path, number, f"expected {'3 columns' if parts else repr(_HEADER)}, found {line[:60]!r}")
        if fields[2] not in ("0", "1"):
            raise bad_line(path, number, f"{fields[2]!r} is not a label (0 or 1)")
        parts[-1].append(Review(fields[1], fields[2] == "1"))
    return parts
