r"""Bracketed trees: the Stanford Sentiment Treebank and the Penn Treebank, and how Penn-style treebanks write words.

Treebanks escape brackets (``-LRB-``), slashes (``\/``) and asterisks, and split negations as ``is n't``. Neither static
vectors nor a biLM have seen words written that way, so readers turn them back into plain text.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from elmo.datasets.lines import Line, bad_line, numbered_lines
from elmo.text.reading import read_text

Phrase = tuple[int, int, int]
"""Class (0 to 4), first word, and word after the last."""
_CLASSES = ("0", "1", "2", "3", "4")
_TOKENS = re.compile(r"[()]|[^\s()]+")
_SENTIMENT_LINE = re.compile(r"\s*\(\s*\d+[\s)]|[0-4]\t")
_ESCAPES = {"-LRB-": "(", "-RRB-": ")", "-LSB-": "[", "-RSB-": "]", "-LCB-": "{", "-RCB-": "}", "/.": ".", "/?": "?"}
"""The last two are OntoNotes' own."""


# Words


def unescape(word: str) -> str:
    r"""Return a word of a Penn-style treebank as plain text: ``-LRB-`` is ``(``, and ``1\/2`` is ``1/2``."""
    return _ESCAPES.get(word) or re.sub(r"\\(?=[/*])", "", word)


def join_negations(text: str) -> str:
    """Undo the Penn Treebank's splitting of negations in a text: ``is n't`` becomes ``isn't``."""
    return text.replace(" n't", "n't")


def plain_words(words: Sequence[str]) -> list[str]:
    """Return the same number of words, written and split as the tokenizer does with plain text.

    Escapes are undone, both kinds of Penn quotation marks become ``"``, and ``is n't`` becomes ``isn 't``.
    """
    plain: list[str] = []
    for word in words:
        if word == "n't" and plain:
            plain[-1] += "n"
            word = "'t"
        plain.append('"' if word in ("``", "''") else unescape(word))
    return plain


# Trees


class Constituent(NamedTuple):
    """A bracket of a tree."""

    label: str
    start: int
    end: int
    """Position after the last word."""
    own_words: int
    """Number of words that are directly in this bracket, rather than in a bracket inside it."""
    line: int
    """Number of the line on which the bracket closes."""


class BracketedTree(NamedTuple):
    """The words of a tree, and its brackets in the order in which they close."""

    words: list[str]
    constituents: list[Constituent]


def parse_trees(path: str | Path, lines: Iterable[Line]) -> Iterator[BracketedTree]:
    """Parse trees like ``(S (NP (DT the) (NN cat)) (VP (VBD sat)))``; a label may be missing.

    Args:
        path: The file that the lines are from, for error messages.
        lines: Lines with any number of trees, which may span several lines.

    Raises:
        ValueError: A bracket is empty or not closed, or a word is outside all brackets.
    """
    tree = BracketedTree([], [])
    opened: list[tuple[str, int, int]] = []  # label, start and own words of every bracket that is still open
    number, previous = 0, ""
    for number, line in lines:
        for token in _TOKENS.findall(line):
            if token == "(":
                opened.append(("", len(tree.words), 0))
            elif not opened:
                raise bad_line(path, number, f"{token!r} is outside all brackets")
            elif token == ")":
                label, start, own_words = opened.pop()
                if start == len(tree.words):
                    raise bad_line(path, number, f"the bracket '({label})' has no words")
                tree.constituents.append(Constituent(label, start, len(tree.words), own_words, number))
                if not opened:
                    yield tree
                    tree = BracketedTree([], [])
            else:
                label, start, own_words = opened[-1]
                if previous == "(":
                    opened[-1] = (token, start, 0)
                else:
                    tree.words.append(token)
                    opened[-1] = (label, start, own_words + 1)
            previous = token
    if opened:
        raise bad_line(path, number, "a bracket is not closed")


def read_penn_trees(path: str | Path) -> Iterator[list[tuple[str, str]]]:
    """Yield the words and part-of-speech tags of each tree of a Penn Treebank file, without traces."""
    for words, constituents in parse_trees(path, numbered_lines(path)):
        pairs = []
        for label, start, end, own_words, number in constituents:
            if own_words and end - start > 1:
                raise bad_line(path, number, f"the bracket '({label} ...)' has more than a tag and a word")
            if own_words and label != "-NONE-":
                pairs.append((unescape(words[start]), label))
        yield pairs


# Sentiment


@dataclass(frozen=True)
class SentimentExample:
    """A sentence or phrase with its sentiment class."""

    words: list[str]
    label: int | None
    """Class from 0 (very negative) to 4 (very positive); None if unknown."""
    phrases: list[Phrase]
    """All constituents with their classes, including the whole sentence."""
    offset: int = 0
    """Position of the first word in its text."""


def read_sentiment(path: str | Path) -> list[SentimentExample]:
    """Read the Stanford Sentiment Treebank: one tree per line, with a class from 0 to 4 at every node.

    A line may also have the class, a tab, and the words of a sentence as they are, separated by spaces.

    Raises:
        ValueError: A line is neither exactly one tree nor a class and words, or a node has another label.
    """
    examples = []
    for number, line in numbered_lines(path):
        label, tab, sentence = line.partition("\t")
        if label in _CLASSES and tab and (words := sentence.split()):
            examples.append(SentimentExample(words, int(label), [(int(label), 0, len(words))]))
            continue
        trees = list(parse_trees(path, [(number, line)]))
        if len(trees) != 1:
            raise bad_line(path, number, f"expected one tree, found {len(trees)}")
        words, constituents = trees[0]
        for constituent in constituents:
            if constituent.label not in _CLASSES:
                raise bad_line(path, number, f"{constituent.label!r} is not a class from 0 to 4")
        phrases = [(int(constituent.label), constituent.start, constituent.end) for constituent in constituents]
        examples.append(SentimentExample(plain_words(words), phrases[-1][0], phrases))
    return examples


def has_sentiment_trees(path: str | Path) -> bool:
    """Return whether a file begins with a sentiment tree, or a class and a tab, rather than with plain text."""
    return _SENTIMENT_LINE.match(read_text(path)) is not None
