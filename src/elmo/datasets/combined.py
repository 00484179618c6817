"""Datasets that are made from two others, for models that should work on more kinds of text than either of them has.

``ner/everyday`` has the persons, organizations and places of ``ner/general`` and ``ner/wnut17``. ``coref/both`` has the
documents of ``coref/ontogum`` and ``coref/litbank``, without clusters of one mention, which only LitBank annotates.
The files of each source stay apart, so that a model is also scored on each of them.
"""

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence, Set
from itertools import groupby
from pathlib import Path

from elmo.datasets.columns import bio_tags, read_entities
from elmo.datasets.lines import blocks_of_lines, uncompressed_name

COMBINED = {"ner/everyday": ("ner/general", "ner/wnut17"), "coref/both": ("coref/ontogum", "coref/litbank")}
"""The two datasets that a combined one is made from, by its name."""
ENTITY_LABELS = {
    "PER": "PER",
    "ORG": "ORG",
    "LOC": "LOC",
    "person": "PER",
    "location": "LOC",
    "corporation": "ORG",
    "group": "ORG",
}
"""What the labels of both sources become. WNUT-17 also has products and creative works, which are left out."""

Splits = Mapping[str, Sequence[str]]
"""The files of each split: train, dev and test."""


def write_combined(task: str, sources: Mapping[str, Splits], folder: Path) -> None:
    """Write the files of a combined dataset.

    Args:
        task: The task, ``ner`` or ``coref``.
        sources: The files of each source, by the name of the source.
        folder: The folder to write into.

    Raises:
        ValueError: If a file cannot be read.
    """
    write = _write_entities if task == "ner" else _write_coreference
    for source, splits in sources.items():
        for split, paths in splits.items():
            write([Path(path) for path in paths], folder, f"{source.removeprefix(f'{task}/')}.{split}")


def _write_entities(paths: Sequence[Path], folder: Path, stem: str) -> None:
    """Write each file, with the labels that all sources share."""
    for path in paths:
        name = f"{stem}.conll" if len(paths) == 1 else uncompressed_name(path)
        with (folder / name).open("w", encoding="utf-8", newline="\n") as file:
            for example in read_entities(path):
                known = [span for span in example.spans if span[0] in ENTITY_LABELS]
                spans = [(ENTITY_LABELS[label], start, end) for label, start, end in known]
                tags = bio_tags(spans, len(example.words))
                file.writelines(f"{word}\t{tag}\n" for word, tag in zip(example.words, tags, strict=True))
                file.write("\n")


def _write_coreference(paths: Sequence[Path], folder: Path, stem: str) -> None:
    """Write all documents to one file, without clusters of one mention."""
    with (folder / f"{stem}.conll").open("w", encoding="utf-8", newline="\n") as file:
        for path in paths:
            for sentence in without_singletons([[line for _, line in block] for block in blocks_of_lines(path)]):
                file.writelines(f"{line}\n" for line in [*sentence, ""])


def without_singletons(sentences: Sequence[Sequence[str]]) -> Iterator[list[str]]:
    """Yield the lines of each sentence of a CoNLL-2012 file without clusters of one mention."""
    document = 0
    numbered = []
    for lines in sentences:
        document += any(line.startswith("#begin") for line in lines)
        numbered.append((document, lines))
    for _, group in groupby(numbered, key=lambda pair: pair[0]):
        blocks = [lines for _, lines in group]
        sizes = Counter(cluster for lines in blocks for line in lines for cluster in _opened(line))
        single = {cluster for cluster, size in sizes.items() if size == 1}
        for lines in blocks:
            yield [_filtered(line, single) for line in lines]


def _opened(line: str) -> list[str]:
    """Return the clusters whose mentions begin at a word."""
    return [] if line.startswith("#") else re.findall(r"\((\d+)", line.split()[-1])


def _filtered(line: str, left_out: Set[str]) -> str:
    """Leave out the mentions of some clusters from the last column of a word."""
    *columns, last = line.split()
    if line.startswith("#") or not re.search(r"\d", last) or not re.fullmatch(r"[\d()|]+", last):
        return line
    parts = [part for part in last.split("|") if part.strip("()") not in left_out]
    return "\t".join([*columns, "|".join(parts) or "-"])
