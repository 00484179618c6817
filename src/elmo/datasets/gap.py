"""GAP (Webster et al. 2018): does "she" mean this woman or that one? A check of coreference models, not trained on.

An example is a paragraph of Wikipedia with a pronoun and two names, of which one or neither is meant. A model reads the
paragraph as any other and finds mentions by itself; what is asked of it are two answers, one for each name. As in the
authors' scorer, F1 is of the answers "the same", for masculine and feminine pronouns; bias is feminine by masculine F1.

    examples = read_gap("gap-test.tsv")
    gap_scores(examples, trained.predict([example.document for example in examples]))
"""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from elmo.datasets.lines import bad_line
from elmo.tasks.coref import Clusters, Document, Span
from elmo.tasks.metrics import PRF
from elmo.text.reading import read_text
from elmo.text.tokens import sentences, words

COLUMNS = (
    "ID", "Text", "Pronoun", "Pronoun-offset", "A", "A-offset", "A-coref", "B", "B-offset", "B-coref", "URL"
)  # fmt: skip
MASCULINE, FEMININE = ("he", "him", "his"), ("she", "her", "hers")


@dataclass(frozen=True)
class AmbiguousPronoun:
    """A paragraph with a pronoun and two names. Spans count words."""

    document: Document
    pronoun: Span
    names: tuple[Span, Span]
    same: tuple[bool, bool]
    """Whether the pronoun means the one, and the other."""
    masculine: bool


def read_gap(path: str | Path) -> list[AmbiguousPronoun]:
    """The examples of a file of GAP."""
    path = Path(path)
    lines = read_text(path).rstrip("\n").split("\n")
    if tuple(lines[0].rstrip().split("\t")) != COLUMNS:
        raise bad_line(path, 1, f"is not the heading of a file of GAP: {', '.join(COLUMNS)}")
    return [_example(path, number, line.rstrip("\r")) for number, line in enumerate(lines[1:], 2)]


def gap_scores(examples: Sequence[AmbiguousPronoun], predictions: Sequence[Clusters]) -> dict[str, float]:
    """F1 in percent, overall and by gender, and the bias, which is 1 where both are the same."""
    answers = [
        (example.masculine, same, says_same(clusters, example.pronoun, name))
        for example, clusters in zip(examples, predictions, strict=True)
        for name, same in zip(example.names, example.same, strict=True)
    ]

    def f1(*genders: bool) -> float:
        chosen = [(gold, said) for masculine, gold, said in answers if masculine in genders]
        right, said, gold = (sum(map(test, chosen)) for test in (all, lambda pair: pair[1], lambda pair: pair[0]))
        return PRF(right, said, gold).f1

    masculine, feminine = f1(True), f1(False)
    bias = feminine / masculine if masculine else 0.0
    return {"F1": f1(True, False), "F1 masculine": masculine, "F1 feminine": feminine, "bias": bias}


def says_same(clusters: Clusters, pronoun: Span, name: Span) -> bool:
    """Whether the pronoun's cluster has the name.

    A mention is the name if it is a part of it, or the whole with at most a word before: a title, an article.
    """
    cluster = next((cluster for cluster in clusters if pronoun in cluster), [])
    return any(
        name[0] <= start < end <= name[1] or (start in (name[0] - 1, name[0]) and end == name[1])
        for start, end in cluster
    )


def _example(path: Path, number: int, line: str) -> AmbiguousPronoun:
    fields = line.split("\t")
    if len(fields) != len(COLUMNS):
        raise bad_line(path, number, f"has {len(fields)} columns, not {len(COLUMNS)}")
    row = dict(zip(COLUMNS, fields, strict=True))
    text = row["Text"]
    document = [words(sentence) for sentence in sentences(text)]
    ends: list[int] = []  # of the words, in characters; the tokens are the text, but for whitespace
    for word in (word for sentence in document for word in sentence):
        ends.append(text.index(word, ends[-1] if ends else 0) + len(word))

    def span(column: str) -> Span:
        name, place = row[column], row[f"{column}-offset"]
        if not name or not place.isdecimal() or not text.startswith(name, int(place)):
            raise bad_line(path, number, f"{column}, {name!r}, is not at {place!r} in the text")
        first, last = int(place), int(place) + len(name) - 1
        return sum(end <= first for end in ends), sum(end <= last for end in ends) + 1

    def truth(column: str) -> bool:
        if row[column].upper() not in ("TRUE", "FALSE"):
            raise bad_line(path, number, f"{column} is {row[column]!r}, not TRUE or FALSE")
        return row[column].upper() == "TRUE"

    if row["Pronoun"].lower() not in MASCULINE + FEMININE:
        raise bad_line(path, number, f"{row['Pronoun']!r} is none of {', '.join(MASCULINE + FEMININE)}")
    return AmbiguousPronoun(
        Document(row["ID"], document, []),
        span("Pronoun"),
        (span("A"), span("B")),
        (truth("A-coref"), truth("B-coref")),
        row["Pronoun"].lower() in MASCULINE,
    )
