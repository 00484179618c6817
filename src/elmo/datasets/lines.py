"""The lines of a data file, and the error for a line that cannot be read."""

from collections.abc import Iterator
from pathlib import Path

from elmo.text.reading import read_text


def numbered_lines(path: str | Path) -> Iterator[tuple[int, str]]:
    """Yield the number (from 1) and the text of each line of a file, compressed or not. Blank lines are skipped."""
    # Not str.splitlines, which also splits at characters that occur inside words.
    for number, line in enumerate(read_text(path).split("\n"), 1):
        if line.strip():
            yield number, line.rstrip("\r")


def bad_line(path: str | Path, number: int, problem: str) -> ValueError:
    """Return the error for a malformed line: ``FILE, line N: problem``."""
    return ValueError(f"{path}, line {number}: {problem}")
