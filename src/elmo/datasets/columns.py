"""CoNLL column files: one word per line, blank lines between sentences. Named entities and semantic roles.

Spans are written as tags (``B-PER I-PER O``) for entities and as brackets (``(ARG0* *)``) for roles.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from elmo.datasets.lines import bad_line, blocks_of_lines
from elmo.datasets.trees import unescape

LabeledSpan = tuple[str, int, int]
"""Label, first position, and position after the last."""
Row = tuple[int, list[str]]
"""The number of a line, and its columns."""

_PREFIXES = "BIESLU"
_OPENING, _CLOSING = frozenset("BSU"), frozenset("ESLU")
_WORD, _SENSE, _FIRST_ROLES = 3, 7, 11
"""Columns of CoNLL-2012: the word, the sense of a predicate, and the first column of arguments, if there is any."""
_MIN_COLUMNS = 12
"""The last column is coreference, with or without argument columns before it."""
_ROLE = re.compile(r"(?:\(([^\s()*]+))?\*(\))?")


def column_blocks(path: str | Path) -> Iterator[list[Row]]:
    """Yield the sentences of a column file: the number and the columns of each line."""
    for block in blocks_of_lines(path):
        yield [(number, line.split()) for number, line in block]


# Tags


def bio_spans(tags: Sequence[str]) -> list[LabeledSpan]:
    """Return the spans that the tags of a sentence encode, as conlleval counts them.

    IOB1, BIO (IOB2), BIOES and BILOU tags are accepted, well formed or not. A span opens at B, S and U, and at any tag
    that follows O, the end of a span (E, L, S, U) or another label; so ``I-X`` after O opens a span.
    """
    spans: list[LabeledSpan] = []
    label, start, is_open = "", 0, False
    previous = "O"
    for position, tag in enumerate([*tags, "O"]):
        prefix, _, new_label = tag.partition("-")
        if tag != "O" and (len(prefix) != 1 or prefix not in _PREFIXES):
            raise ValueError(f"the tag {tag!r} is neither O nor one of B-, I-, E-, S-, L-, U-")
        opens = tag != "O" and (not is_open or prefix in _OPENING or previous in _CLOSING or new_label != label)
        if is_open and (opens or tag == "O"):
            spans.append((label, start, position))
        if opens:
            label, start = new_label, position
        is_open, previous = tag != "O", prefix
    return spans


def bio_tags(spans: Sequence[LabeledSpan], length: int) -> list[str]:
    """Return the BIO tags of spans that do not overlap, for a sentence of ``length`` words."""
    tags = ["O"] * length
    for label, start, end in spans:
        tags[start:end] = [f"B-{label}", *[f"I-{label}"] * (end - start - 1)]
    return tags


def bio_labels(tags: Sequence[str]) -> list[str]:
    """Return the labels of BIO tags, each once, in their order."""
    return list(dict.fromkeys(tag[2:] for tag in tags if tag != "O"))


# Named entities


@dataclass(frozen=True)
class NERExample:
    """A sentence with its named entities."""

    words: list[str]
    spans: list[LabeledSpan]
    offset: int = 0
    """Position of the first word in its text."""


def read_entities(path: str | Path) -> list[NERExample]:
    """Read named entities from columns with the word first and the tag last (CoNLL-2003, WNUT-17).

    IOB1, BIO, BIOES and BILOU tags are accepted. ``-DOCSTART-`` lines are skipped.

    Raises:
        ValueError: A line has fewer than two columns, or its last column is not a tag.
    """
    examples = []
    for block in column_blocks(path):
        rows = [(number, columns) for number, columns in block if columns[0] != "-DOCSTART-"]
        for number, columns in rows:
            if len(columns) < 2:
                raise bad_line(path, number, "expected a word and a tag, found 1 column")
            tag = columns[-1]
            if tag != "O" and (tag[0] not in _PREFIXES or tag[1:2] != "-" or not tag[2:]):
                raise bad_line(path, number, f"{tag!r} is not a tag like O, B-LOC or I-LOC")
        if rows:
            words, tags = [columns[0] for _, columns in rows], [columns[-1] for _, columns in rows]
            examples.append(NERExample(words, bio_spans(tags)))
    return examples


# Semantic roles


@dataclass(frozen=True)
class PredicateFrame:
    """A sentence and one of its predicates, with the arguments of that predicate."""

    words: list[str]
    predicate: int | None
    """Position of the predicate; None if a model is to find the predicates of the sentence."""
    spans: list[LabeledSpan]
    """The arguments, and the predicate itself with the label V."""
    predicates: tuple[int, ...]
    """Positions of all predicates of the sentence, as far as they are known."""
    offset: int = 0
    """Position of the first word in its text."""


def read_frames(path: str | Path) -> list[PredicateFrame]:
    """Read semantic roles from the columns of CoNLL-2012 (OntoNotes), one frame per argument column.

    Raises:
        ValueError: The columns of a sentence do not match, or its arguments are not well formed.
    """
    frames = []
    for block in column_blocks(path):
        rows = [(number, columns) for number, columns in block if not columns[0].startswith("#")]
        if rows:
            frames += _sentence_frames(path, rows)
    return frames


def _sentence_frames(path: str | Path, rows: list[Row]) -> list[PredicateFrame]:
    first, width = rows[0][0], len(rows[0][1])
    for number, columns in rows:
        if len(columns) < _MIN_COLUMNS:
            found = len(columns)
            raise bad_line(path, number, f"expected at least {_MIN_COLUMNS} columns (CoNLL-2012), found {found}")
        if len(columns) != width:
            raise bad_line(path, number, f"found {len(columns)} columns, but the sentence begins with {width}")
    roles = [
        _arguments(path, [(number, columns[index]) for number, columns in rows])
        for index in range(_FIRST_ROLES, width - 1)
    ]
    with_sense = [position for position, (_, columns) in enumerate(rows) if columns[_SENSE] != "-"]
    if len(with_sense) > len(roles):
        count = len(with_sense)
        raise bad_line(path, first, f"the sentence has {count} predicates, but {len(roles)} argument columns")
    # An argument column belongs to the word that it labels V. There can be more argument columns than words with a
    # sense, since some predicates ("cross-checking") have lost theirs; so senses only help a column without V.
    predicates = [next((start for label, start, _ in spans if label == "V"), -1) for spans in roles]
    if -1 in predicates:
        if len(with_sense) != len(roles):
            column = _FIRST_ROLES + predicates.index(-1) + 1
            raise bad_line(path, first, f"the predicate of column {column} is unknown: the column has no V")
        predicates = [sense if place < 0 else place for place, sense in zip(predicates, with_sense, strict=True)]
    words = [unescape(columns[_WORD]) for _, columns in rows]
    return [
        PredicateFrame(words, predicate, spans, tuple(predicates))
        for predicate, spans in zip(predicates, roles, strict=True)
    ]


def _arguments(path: str | Path, column: list[tuple[int, str]]) -> list[LabeledSpan]:
    """Parse an argument column, in which ``(ARG0*`` opens an argument and ``*)`` closes it."""
    spans: list[LabeledSpan] = []
    label, start = "", -1
    for position, (number, field) in enumerate(column):
        match = _ROLE.fullmatch(field)
        if match is None:
            raise bad_line(path, number, f"{field!r} is not like (ARG0*, *, *) or (ARG0*)")
        opens, closes = match.groups()
        if opens and start >= 0:
            raise bad_line(path, number, f"{opens} opens before {label} is closed")
        if opens:
            label, start = opens, position
        if closes and start < 0:
            raise bad_line(path, number, "an argument is closed that was not opened")
        if closes:
            spans.append((label, start, position + 1))
            start = -1
    if start >= 0:
        raise bad_line(path, column[start][0], f"{label} is opened here and not closed")
    return spans
