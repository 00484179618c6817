"""Reading GAP."""

from pathlib import Path

import pytest

from elmo.datasets.gap import COLUMNS, read_gap

TEXT = "The judge, Dr. Ann Lee-Poe, met Mary Roe. She left."
ROW = ["test-1", TEXT, "She", "42", "Ann Lee", "15", "TRUE", "Mary Roe", "32", "FALSE", "http://some.where/"]


def written(tmp_path: Path, *rows: list[str]) -> Path:
    path = tmp_path / "gap.tsv"
    path.write_text("\n".join("\t".join(row) for row in (list(COLUMNS), *rows)) + "\n", "utf-8")
    return path


def test_examples(tmp_path: Path) -> None:
    (example,) = read_gap(written(tmp_path, ROW))
    words = [word for sentence in example.document.sentences for word in sentence]
    found = [words[start:end] for start, end in (example.pronoun, *example.names)]
    assert found == [["She"], ["Ann", "Lee-Poe"], ["Mary", "Roe"]]
    assert example.refers == (True, False)
    assert not example.masculine
    assert len(example.document.sentences) == 2


@pytest.mark.parametrize(
    ("column", "value", "reason"),
    [
        (2, "It", "'It' is not one of he, him"),
        (3, "x", "Pronoun, 'She', is not at offset 'x'"),
        (5, "14", "A, 'Ann Lee', is not at offset '14'"),
        (8, "999", "B, 'Mary Roe', is not at offset '999'"),
        (9, "maybe", "B-coref is 'maybe', not TRUE or FALSE"),
        (10, "a\tb", "expected 11 columns, found 12"),
    ],
)
def test_malformed(tmp_path: Path, column: int, value: str, reason: str) -> None:
    broken = [*ROW[:column], value, *ROW[column + 1 :]]
    with pytest.raises(ValueError, match=rf"gap\.tsv, line 3: {reason}"):
        read_gap(written(tmp_path, ROW, broken))


def test_other_files(tmp_path: Path) -> None:
    path = tmp_path / "other.tsv"
    path.write_text("one\ttwo\n")
    with pytest.raises(ValueError, match=r"other\.tsv, line 1: is not the header"):
        read_gap(path)
