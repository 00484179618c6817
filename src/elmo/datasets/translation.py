"""Sentence pairs in two languages, from tab-separated text (the format of Tatoeba's exports)."""

from pathlib import Path
from typing import NamedTuple

from elmo.datasets.lines import bad_line, numbered_lines
from elmo.text.tokens import words as split_words


class TranslationPair(NamedTuple):
    """The words of an English sentence and of its German translation."""

    english: tuple[str, ...]
    german: tuple[str, ...]


def read_pairs(path: str | Path) -> list[TranslationPair]:
    """Read a file with an English sentence, a tab and a German sentence on each line.

    Further columns (Tatoeba adds the attribution) and blank lines are ignored.

    Raises:
        ValueError: A line has no tab or an empty sentence, or the file has no pairs.
    """
    pairs = []
    for number, line in numbered_lines(path):
        columns = line.split("\t")
        if len(columns) < 2:
            raise bad_line(path, number, "expected an English sentence, a tab and a German sentence, found no tab")
        pair = TranslationPair(tuple(split_words(columns[0])), tuple(split_words(columns[1])))
        for language, words in zip(("English", "German"), pair, strict=True):
            if not words:
                raise bad_line(path, number, f"the {language} sentence is empty")
        pairs.append(pair)
    if not pairs:
        raise ValueError(f"{path}: has no sentence pairs")
    return pairs
