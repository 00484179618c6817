"""GAP (Webster et al. 2018): pronouns that refer to one of two names, or to neither.

Each example is a Wikipedia paragraph with an ambiguous pronoun and two names. It is a benchmark for coreference models
that were trained on other data; ``elmo.tasks.metrics.gap_scores`` scores their predictions.
"""

from dataclasses import dataclass
from pathlib import Path

from elmo.datasets.coreference import CorefDocument, Mention
from elmo.datasets.lines import bad_line, numbered_lines
from elmo.text.alignment import word_spans
from elmo.text.tokens import sentences as split_sentences
from elmo.text.tokens import words as split_words

COLUMNS = (
    "ID", "Text", "Pronoun", "Pronoun-offset", "A", "A-offset", "A-coref", "B", "B-offset", "B-coref", "URL"
)  # fmt: skip
MASCULINE, FEMININE = ("he", "him", "his"), ("she", "her", "hers")


@dataclass(frozen=True)
class AmbiguousPronoun:
    """A paragraph with a pronoun and two names."""

    document: CorefDocument
    pronoun: Mention
    names: tuple[Mention, Mention]
    refers: tuple[bool, bool]
    """Whether the pronoun refers to the first name, and to the second."""
    masculine: bool


def read_gap(path: str | Path) -> list[AmbiguousPronoun]:
    """Read a tab-separated file of GAP.

    Raises:
        ValueError: The header or a line does not have the columns of GAP, or an offset does not fit its text.
    """
    lines = numbered_lines(path)
    first, header = next(lines, (1, ""))
    if tuple(header.rstrip().split("\t")) != COLUMNS:
        raise bad_line(path, first, f"is not the header of a GAP file: {', '.join(COLUMNS)}")
    return [_example(path, number, line) for number, line in lines]


def _example(path: str | Path, number: int, line: str) -> AmbiguousPronoun:
    fields = line.split("\t")
    if len(fields) != len(COLUMNS):
        raise bad_line(path, number, f"expected {len(COLUMNS)} columns, found {len(fields)}")
    row = dict(zip(COLUMNS, fields, strict=True))
    text = row["Text"]
    sentences = [split_words(sentence) for sentence in split_sentences(text)]
    words = [word for sentence in sentences for word in sentence]
    ends = [end for _, end in word_spans(text, words)]

    def mention(column: str) -> Mention:
        name, offset = row[column], row[f"{column}-offset"]
        if not name or not offset.isdecimal() or not text.startswith(name, int(offset)):
            raise bad_line(path, number, f"{column}, {name!r}, is not at offset {offset!r} of the text")
        first, last = int(offset), int(offset) + len(name) - 1
        return sum(end <= first for end in ends), sum(end <= last for end in ends) + 1

    def boolean(column: str) -> bool:
        if row[column].upper() not in ("TRUE", "FALSE"):
            raise bad_line(path, number, f"{column} is {row[column]!r}, not TRUE or FALSE")
        return row[column].upper() == "TRUE"

    if row["Pronoun"].lower() not in MASCULINE + FEMININE:
        raise bad_line(path, number, f"{row['Pronoun']!r} is not one of {', '.join(MASCULINE + FEMININE)}")
    return AmbiguousPronoun(
        CorefDocument(row["ID"], sentences, []),
        mention("Pronoun"),
        (mention("A"), mention("B")),
        (boolean("A-coref"), boolean("B-coref")),
        row["Pronoun"].lower() in MASCULINE,
    )
