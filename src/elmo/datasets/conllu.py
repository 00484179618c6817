"""Text with parts of speech: CoNLL-U, trees of the Penn Treebank, and words with a tag behind them."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, get_args

from elmo.datasets.lines import bad_line
from elmo.text.reading import find_texts, read_text

Column = Literal["xpos", "upos"]
"""The tags of a CoNLL-U file: the treebank's own (for English, those of the Penn Treebank), or the universal ones."""

_ENDINGS = (".gz", ".xz", ".bz2", ".zst")
_TREES = (".mrg", ".parse", ".tree", ".trees", ".ptb")
_ESCAPES = {"-LRB-": "(", "-RRB-": ")", "-LSB-": "[", "-RSB-": "]", "-LCB-": "{", "-RCB-": "}"}


@dataclass(frozen=True)
class TaggedSentence:
    """Words and their parts of speech."""

    words: tuple[str, ...]
    tags: tuple[str, ...]


def read_tagged(path: str | Path, column: Column = "xpos") -> list[TaggedSentence]:
    """Read a file, or all files of a folder; the name says in which format.

    ``.conllu``: CoNLL-U, of which ``column`` is taken. ``.mrg`` or ``.parse``: trees in brackets, without traces.
    Others: a sentence on each line, as ``word_TAG word_TAG`` or ``word/TAG word/TAG``. Packed files end in .xz or .gz.
    """
    if column not in get_args(Column):
        raise ValueError(f"the column of tags is xpos or upos, not {column!r}")
    sentences: list[TaggedSentence] = []
    for file in find_texts([path]):
        suffixes = [suffix.lower() for suffix in file.suffixes]
        if suffixes and suffixes[-1] in _ENDINGS:
            suffixes.pop()
        ending = suffixes[-1] if suffixes else ""
        if ending == ".conllu":
            found = _read_conllu(file, column)
        else:
            found = _read_trees(file) if ending in _TREES else _read_lines(file)
        sentences += (TaggedSentence(*zip(*pairs, strict=True)) for pairs in found if pairs)
    if not sentences:
        raise ValueError(f"{path}: has no sentences")
    return sentences


def _lines(path: Path) -> Iterator[tuple[int, str]]:
    # Not splitlines: it would also split at characters that stand in words.
    return enumerate((line.rstrip("\r") for line in read_text(path).split("\n")), 1)


def _read_conllu(path: Path, column: Column) -> Iterator[list[tuple[str, str]]]:
    pairs: list[tuple[str, str]] = []
    for number, line in _lines(path):
        if not line.strip():
            yield pairs
            pairs = []
            continue
        if line.startswith("#"):
            continue
        fields = line.split("\t")
        if len(fields) != 10:
            raise bad_line(path, number, f"has {len(fields)} columns, CoNLL-U has 10")
        if re.fullmatch(r"\d+[-.]\d+", fields[0]):
            continue  # the surface of several words, which follow; or a word that is not in the text
        if fields[0] != str(len(pairs) + 1):
            raise bad_line(path, number, f"is word {fields[0]!r} of its sentence, {len(pairs) + 1} should follow")
        word, tag = fields[1], fields[3 if column == "upos" else 4]
        if not word or tag in ("", "_"):
            raise bad_line(path, number, f"has no {column}" if word else "has no word")
        pairs.append((word, tag))
    yield pairs


def _read_lines(path: Path) -> Iterator[list[tuple[str, str]]]:
    separator = ""
    for number, line in _lines(path):
        pairs = []
        for token in line.split():
            # "and/or_CC" and "snake_case/NN": what stands last in the first token separates in all of the file.
            separator = separator or max("_/", key=token.rfind)
            word, _, tag = token.rpartition(separator)
            if not word or not tag:
                hint = "CoNLL-U files end in .conllu, trees in .mrg or .parse"
                raise bad_line(path, number, f"{token!r} is not a word, {separator} and a tag ({hint})")
            pairs.append((_unescaped(word), tag))
        yield pairs


def _read_trees(path: Path) -> Iterator[list[tuple[str, str]]]:
    pairs: list[tuple[str, str]] = []
    # What stands in each open bracket: a label, then a word, or "" once there are brackets inside.
    nodes: list[list[str]] = []
    number = 0
    for number, line in _lines(path):
        for piece in re.findall(r"[()]|[^\s()]+", line):
            if piece == "(":
                if nodes:
                    label, *inside = nodes[-1] or [""]
                    if any(inside):
                        raise bad_line(path, number, f"a bracket opens after the word {inside[0]!r}")
                    nodes[-1] = [label, ""]
                nodes.append([])
            elif not nodes:
                raise bad_line(path, number, f"{piece!r} stands outside of all brackets")
            elif piece != ")":
                nodes[-1].append(piece)
                if len(nodes[-1]) > 2:
                    raise bad_line(path, number, f"{piece!r} is more than a tag and a word")
            else:
                node = nodes.pop()
                if len(node) < 2:
                    raise bad_line(path, number, "a bracket closes without a word")
                tag, word = node
                if word and tag != "-NONE-":
                    pairs.append((_unescaped(word), tag))
                if not nodes:
                    yield pairs
                    pairs = []
    if nodes:
        raise bad_line(path, number, f"the file ends with {len(nodes)} open brackets")


def _unescaped(word: str) -> str:
    """A word as it is in text: the Penn Treebank writes brackets as names, and a backslash before / and *."""
    return _ESCAPES.get(word) or re.sub(r"\\(?=[/*])", "", word)
