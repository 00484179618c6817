"""The same word in two sentences, with the same sense or not (KoBEST-WiC)."""

import re
from dataclasses import dataclass
from pathlib import Path

from elmo.datasets.lines import bad_line, numbered_lines
from elmo.text.alignment import Span

_COLUMNS = ("Target", "SENTENCE1", "SENTENCE2", "ANSWER")
_MARKED = re.compile(r"\[([^\[\]]+)\]")


@dataclass(frozen=True)
class MarkedWord:
    """A word in a sentence."""

    text: str
    span: Span
    """The characters of the word."""


@dataclass(frozen=True)
class WordInContext:
    """A word in two sentences."""

    word: str
    occurrences: tuple[MarkedWord, MarkedWord]
    same: bool
    """Whether it has the same sense in both."""


def read_wic(path: str | Path) -> list[WordInContext]:
    """Read a file of tab-separated columns with a header. The word is in square brackets in both sentences.

    Raises:
        ValueError: A column is missing, an answer is neither True nor False, or a sentence does not have the word.
    """
    lines = numbered_lines(path)
    number, header = next(lines, (1, ""))
    columns = header.split("\t")
    if missing := [name for name in _COLUMNS if name not in columns]:
        raise bad_line(path, number, f"has no column {missing[0]}")
    pairs = []
    for number, line in lines:
        fields = line.split("\t")
        if len(fields) != len(columns):
            raise bad_line(path, number, f"expected {len(columns)} columns, found {len(fields)}")
        word, first, second, answer = (fields[columns.index(name)] for name in _COLUMNS)
        if answer.lower() not in ("true", "false"):
            raise bad_line(path, number, f"{answer!r} is not an answer (True or False)")
        try:
            occurrences = _occurrence(first, word), _occurrence(second, word)
        except ValueError as error:
            raise bad_line(path, number, str(error)) from None
        pairs.append(WordInContext(word, occurrences, answer.lower() == "true"))
    return pairs


def _occurrence(marked: str, word: str) -> MarkedWord:
    """Find the first word in brackets; in the few sentences without brackets, the first occurrence of the word."""
    found = _MARKED.search(marked)
    text = _MARKED.sub(r"\1", marked)
    start = text.find(word) if found is None else found.start()
    if start < 0:
        raise ValueError(f"the sentence does not have the word {word!r}")
    return MarkedWord(text, (start, start + len(word if found is None else found[1])))
