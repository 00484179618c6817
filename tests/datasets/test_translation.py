"""Reading translation pairs."""

import lzma
from pathlib import Path

import pytest

from elmo.datasets.translation import TranslationPair, read_pairs


def test_further_columns_and_compressed_files(tmp_path: Path) -> None:
    path = tmp_path / "pairs.txt.xz"
    path.write_bytes(lzma.compress("Hi.\tGrüß Gott!\tCC-BY\n\nI wasn't.\tIch nicht.\r\n".encode()))
    assert read_pairs(path) == [
        TranslationPair(("Hi", "."), ("Grüß", "Gott", "!")),
        TranslationPair(("I", "wasn", "'t", "."), ("Ich", "nicht", ".")),
    ]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("A.\tB.\nnothing\n", r"pairs\.txt, line 2: .*found no tab"),
        ("A.\tB.\n\n \tB.\n", r"pairs\.txt, line 3: the English sentence is empty"),
        ("A.\t\tC\n", r"pairs\.txt, line 1: the German sentence is empty"),
        ("\n", r"pairs\.txt: has no sentence pairs"),
    ],
)
def test_malformed(tmp_path: Path, text: str, message: str) -> None:
    (tmp_path / "pairs.txt").write_text(text)
    with pytest.raises(ValueError, match=message):
        read_pairs(tmp_path / "pairs.txt")
