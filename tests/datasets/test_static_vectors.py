"""Reading static word vectors."""

from pathlib import Path

import pytest

from elmo.datasets.static_vectors import read_vectors
from elmo.text.reading import BLOCK_BYTES


def test_text_format(tmp_path: Path) -> None:
    path = tmp_path / "v.txt"
    path.write_text("2 3\nthe 1 2 3\n. . . 4 5 6\nCat 7 8 9\n")
    vectors = read_vectors(path)
    assert vectors.words == ("the", ". . .", "Cat")
    assert vectors.dim == 3
    assert read_vectors(path, 1).words == ("the",)
    assert read_vectors(path, 1, {"Cat"}).words == ("the", "Cat")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "no vectors"),
        ("a 1 2\nb 1\n", "line 2"),
        ("a 1 2\nb 1 x\n", "line 2: is not"),
        ("a 1 2\nb 1 nan\n", "line 2: has values that are not finite"),
        ("a 1 2\nb 1 1e99\n", "line 2: has values that are not finite"),
        ("a 1 2\nb 1 2 3\nc 1 2 3\n", "line 2: has 3 numbers, but the line before has 2"),
        ("the 1\n", "line 1: expected a word and its vector, or"),
        ("2 4\na 1 2 3\n", "line 2: expected a word and 4 numbers"),
    ],
    ids=["empty", "short", "no number", "nan", "overflow", "first line damaged", "header of words", "other header"],
)
def test_malformed(tmp_path: Path, text: str, message: str) -> None:
    (tmp_path / "v.txt").write_text(text)
    with pytest.raises(ValueError, match=message):
        read_vectors(tmp_path / "v.txt")


def test_line_numbers_beyond_the_first_block(tmp_path: Path) -> None:
    path = tmp_path / "v.txt"
    line = f"{'x' * 1000} 1 2\n"
    count = BLOCK_BYTES // len(line) + 10
    path.write_text(line * count + "1 2\n")
    with pytest.raises(ValueError, match=f"line {count + 1}: expected a word and 2 numbers, found 2 fields"):
        read_vectors(path)
