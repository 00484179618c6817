"""Sentences with part-of-speech tags: CoNLL-U, Penn trees, and plain lines of words with tags."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, get_args

from elmo.datasets.lines import bad_line, blocks_of_lines, numbered_lines, uncompressed_name
from elmo.datasets.trees import read_penn_trees, unescape
from elmo.text.reading import find_texts

Column = Literal["xpos", "upos"]
"""The tags of a CoNLL-U file: language-specific (for English, those of the Penn Treebank) or universal."""

_SENTENCE_ID = re.compile(r"#\s*sent_id\s*=\s*(\S+)")
_TREES = (".mrg", ".parse", ".tree", ".trees", ".ptb")


@dataclass(frozen=True)
class TaggedSentence:
    """The words of a sentence and their part-of-speech tags."""

    words: tuple[str, ...]
    tags: tuple[str, ...]
    id: str = ""
    """The sent_id of a sentence in CoNLL-U; empty if there is none."""


def read_tagged(path: str | Path, column: Column = "xpos") -> list[TaggedSentence]:
    """Read a file, or all files of a folder. The file name determines the format.

    ``.conllu`` is CoNLL-U, ``.mrg`` or ``.parse`` are bracketed trees, and anything else has one sentence per line,
    written ``word_TAG word_TAG`` or ``word/TAG word/TAG``.

    Args:
        path: A file, compressed or not, or a folder.
        column: The tags to read from CoNLL-U files.

    Raises:
        ValueError: A line is malformed, or there are no sentences.
    """
    if column not in get_args(Column):
        raise ValueError(f"the column of the tags must be xpos or upos, not {column!r}")
    sentences: list[TaggedSentence] = []
    for file in find_texts([path]):
        suffix = Path(uncompressed_name(file)).suffix.lower()
        if suffix == ".conllu":
            sentences += _read_conllu(file, column)
        else:
            found = read_penn_trees(file) if suffix in _TREES else _read_lines(file)
            sentences += (_tagged(pairs) for pairs in found if pairs)
    if not sentences:
        raise ValueError(f"{path}: has no sentences")
    return sentences


def _tagged(pairs: list[tuple[str, str]], name: str = "") -> TaggedSentence:
    words, tags = zip(*pairs, strict=True)
    return TaggedSentence(words, tags, name)


def _read_conllu(path: Path, column: Column) -> Iterator[TaggedSentence]:
    for block in blocks_of_lines(path):
        pairs: list[tuple[str, str]] = []
        name = ""
        for number, line in block:
            if line.startswith("#"):
                if match := _SENTENCE_ID.match(line):
                    name = match[1]
                continue
            fields = line.split("\t")
            if len(fields) != 10:
                raise bad_line(path, number, f"expected the 10 columns of CoNLL-U, found {len(fields)}")
            if re.fullmatch(r"\d+[-.]\d+", fields[0]):
                continue  # a multiword token, whose words follow, or an empty node, which is not in the text
            if fields[0] != str(len(pairs) + 1):
                raise bad_line(path, number, f"expected word {len(pairs) + 1} of the sentence, found {fields[0]!r}")
            word, tag = fields[1], fields[3 if column == "upos" else 4]
            if not word or tag in ("", "_"):
                raise bad_line(path, number, f"has no {column}" if word else "has no word")
            pairs.append((word, tag))
        if pairs:
            yield _tagged(pairs, name)


def _read_lines(path: Path) -> Iterator[list[tuple[str, str]]]:
    separator = ""
    for number, line in numbered_lines(path):
        pairs = []
        for token in line.split():
            # "and/or_CC" and "snake_case/NN": the last separator of the first token is that of the whole file.
            separator = separator or max("_/", key=token.rfind)
            word, _, tag = token.rpartition(separator)
            if not word or not tag:
                hint = "CoNLL-U files end in .conllu, trees in .mrg or .parse"
                raise bad_line(path, number, f"{token!r} is not a word, {separator} and a tag ({hint})")
            pairs.append((unescape(word), tag))
        yield pairs
