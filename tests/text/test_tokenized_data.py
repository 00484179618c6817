"""Tokenized text of the tasks: our tokenizer leaves almost all of it as it is."""

import io
import lzma
import tarfile
from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest
from conftest import DATA

from elmo.text.tokens import sentences, words

SETS = {
    "pos/ud-ewt.dev.conllu.xz": (1, 0.02),
    "ner/wnut17.tar.xz": (0, 0.09),  # tweets, whose "I'm" is one token also where no mark tells that they are tokenized
    "ner/general.tar.xz": (0, 0.09),  # "today." is a token there
    "coref/ontogum.tar.xz": (3, 0.01),
    "coref/litbank-conll.tar.xz": (3, 0.01),
}
"""Column of the words, and the fraction of sentences that may change."""


def lines(path: Path) -> Iterator[str]:
    if path.name.endswith(".tar.xz"):
        with tarfile.open(path) as archive:
            for member in archive.getmembers():
                if member.isfile() and ".conll" in member.name:
                    yield from io.TextIOWrapper(archive.extractfile(member), "utf-8")
                    yield ""
    else:
        with lzma.open(path, "rt", encoding="utf-8") as file:
            yield from file


def tokenized(rows: Iterable[str], column: int) -> Iterator[list[str]]:
    sentence: list[str] = []
    for row in rows:
        cells = row.split()
        if cells and not row.startswith("#"):
            if column != 1 or cells[0].isdigit():  # CoNLL-U has lines for parts of words
                sentence.append(cells[column])
        elif sentence:
            yield sentence
            sentence = []


@pytest.mark.parametrize("name", SETS)
def test_tokenized_text_stays(name: str) -> None:
    path, (column, allowed) = DATA / "tasks" / name, SETS[name]
    if not path.exists():
        pytest.skip(f"{path} is not there (set ELMO_DATA)")
    found = list(tokenized(lines(path), column))[:5000]
    changed = [sentence for sentence in found if words(" ".join(sentence)) != sentence]
    assert len(found) > 1000
    assert len(changed) <= allowed * len(found)


def test_heldout_text_stays_once_tokenized() -> None:
    path = DATA / "corpus" / "en-heldout-dev.txt.xz"
    if not path.exists():
        pytest.skip(f"{path} is not there (set ELMO_DATA)")
    with lzma.open(path, "rt", encoding="utf-8") as file:
        for paragraph in file:
            for sentence in sentences(paragraph):
                once = words(sentence)
                assert words(" ".join(once)) == once
