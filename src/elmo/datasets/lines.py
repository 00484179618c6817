"""What all readers share: the lines of a file, and the error for a line that cannot be read."""

from collections.abc import Iterator
from pathlib import Path

from elmo.text.reading import read_text

Line = tuple[int, str]
"""The number of a line, from 1, and its text."""
_COMPRESSED = (".gz", ".xz", ".bz2", ".zst")


def numbered_lines(path: str | Path) -> Iterator[Line]:
    """Yield the lines of a file, compressed or not, without blank lines."""
    # Not str.splitlines, which also splits at characters that occur inside words.
    for number, line in enumerate(read_text(path).split("\n"), 1):
        if line.strip():
            yield number, line.rstrip("\r")


def blocks_of_lines(path: str | Path) -> Iterator[list[Line]]:
    """Yield the lines of a file in blocks that are separated by blank lines."""
    block: list[Line] = []
    for number, line in numbered_lines(path):
        if block and number > block[-1][0] + 1:
            yield block
            block = []
        block.append((number, line))
    if block:
        yield block


def bad_line(path: str | Path, number: int, problem: str) -> ValueError:
    """Return the error for a malformed line: ``FILE, line N: problem``."""
    return ValueError(f"{path}, line {number}: {problem}")


def uncompressed_name(path: Path) -> str:
    """Return the name of a file without the suffix of its compression."""
    return path.stem if path.suffix.lower() in _COMPRESSED else path.name
