"""Coreference in the columns of CoNLL-2012 (OntoNotes, OntoGUM, LitBank)."""

import re
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from elmo.datasets.columns import Row, column_blocks
from elmo.datasets.lines import bad_line

Mention = tuple[int, int]
"""First word in the document, and word after the last."""
Clusters = list[list[Mention]]
"""The mentions of each person or thing in a document."""

_WORD, _SPEAKER = 3, 9
"""The columns are document, part, position of the word, word, ..., coreference."""
_COLUMNS = 12
"""Minimum number of columns of CoNLL-2012. Files with fewer have no speakers."""


@dataclass(frozen=True)
class CorefDocument:
    """A text with its coreference clusters. A cluster with a single mention is a singleton."""

    name: str
    sentences: list[list[str]]
    clusters: Clusters
    speakers: list[str] | None = None
    """The speaker of each sentence, "" where it is not known; None if no speaker of the document is known."""
    offset: int = 0
    """Position of the first word in its text."""


def read_coreference(path: str | Path) -> list[CorefDocument]:
    """Read documents. Only the word, the speaker (column 10) and the last column, coreference, are used.

    Raises:
        ValueError: A line has too few columns, or its mentions are not well formed.
    """
    path = Path(path)
    documents: list[tuple[str, list[list[Row]]]] = []
    for block in column_blocks(path):
        sentence: list[Row] = []
        for number, columns in block:
            if columns[0].startswith("#"):
                sentence = []
                if columns[0] == "#begin":  # #begin document (NAME); part 000
                    documents.append((" ".join(columns[2:]).replace("(", "").replace(");", ""), []))
                continue
            if len(columns) < _WORD + 2:
                expected = "document, part, number, word, ..., coreference"
                raise bad_line(path, number, f"expected the columns {expected}, found {len(columns)} columns")
            if not documents:
                documents.append((path.name, []))
            if not sentence:
                documents[-1][1].append(sentence)
            sentence.append((number, columns))
    return [_document(path, name, sentences) for name, sentences in documents if sentences]


def _document(path: Path, name: str, sentences: Sequence[Sequence[Row]]) -> CorefDocument:
    words = [[columns[_WORD] for _, columns in rows] for rows in sentences]
    speakers = [_speaker(rows[0][1]) for rows in sentences]
    return CorefDocument(name, words, _clusters(path, sentences), speakers=speakers if any(speakers) else None)


def _speaker(columns: Sequence[str]) -> str:
    """Return the speaker of a word, which is also that of its sentence; "" if there is none."""
    name = columns[_SPEAKER] if len(columns) >= _COLUMNS else ""
    return "" if name in ("-", "_") else name


def _clusters(path: Path, sentences: Sequence[Sequence[Row]]) -> Clusters:
    """Parse the last column of a document: ``(3`` opens a mention of cluster 3, ``3)`` closes it, ``(3)`` does both."""
    clusters: defaultdict[str, list[Mention]] = defaultdict(list)
    opened: defaultdict[str, list[tuple[int, int]]] = defaultdict(list)  # position and line number
    seen: set[Mention] = set()
    for position, (number, columns) in enumerate(row for rows in sentences for row in rows):
        # LitBank leaves the column empty where there is no mention, so that the one before it, "_", is the last.
        for part in [] if columns[-1] in ("-", "_") else columns[-1].split("|"):
            match = re.fullmatch(r"(\()?(\d+)(\))?", part)
            if match is None or not (match[1] or match[3]):
                raise bad_line(path, number, f"{part!r} is not - and not like (3, 3) or (3)")
            opens, cluster, closes = match.groups()
            if opens:
                opened[cluster].append((position, number))
            if closes:
                if not opened[cluster]:
                    raise bad_line(path, number, f"{part!r} closes a mention that was not opened")
                mention = (opened[cluster].pop()[0], position + 1)
                # The scores are not defined for a mention in two clusters, so only the first one counts.
                if mention not in seen:
                    clusters[cluster].append(mention)
                seen.add(mention)
    for cluster, left in opened.items():
        for _, number in left:
            raise bad_line(path, number, f"'({cluster}' opens a mention that is not closed in its document")
    return sorted(sorted(cluster) for cluster in clusters.values() if cluster)
