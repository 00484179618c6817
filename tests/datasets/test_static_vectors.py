"""Reading static word vectors."""

from pathlib import Path

import pytest

from elmo.datasets.static_vectors import read_vectors


def test_reads_text(tmp_path: Path) -> None:
    path = tmp_path / "v.txt"
    path.write_text("2 3\nthe 1 2 3\n. . . 4 5 6\nCat 7 8 9\n")
    vectors = read_vectors(path)
    assert vectors.words == ("the", ". . .", "Cat")
    assert vectors.dim == 3
    assert read_vectors(path, 1).words == ("the",)
    assert read_vectors(path, 1, {"Cat"}).words == ("the", "Cat")


@pytest.mark.parametrize(
    ("text", "message"),
    [("", "no vectors"), ("a 1 2\nb 1\n", "line 2"), ("a 1 2\nb 1 x\n", "line 2: is not")],
    ids=["empty", "short", "no number"],
)
def test_broken(tmp_path: Path, text: str, message: str) -> None:
    (tmp_path / "v.txt").write_text(text)
    with pytest.raises(ValueError, match=message):
        read_vectors(tmp_path / "v.txt")
