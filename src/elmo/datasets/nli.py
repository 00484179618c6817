"""Natural language inference in the JSON lines of SNLI, MultiNLI and KLUE-NLI."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from elmo.datasets.lines import bad_line, numbered_lines
from elmo.datasets.trees import join_negations
from elmo.text.tokens import retokenize

LABELS = ("entailment", "neutral", "contradiction")
NO_CONSENSUS = "-"
"""The label of pairs on which the annotators disagreed. By convention they are left out everywhere."""


@dataclass(frozen=True)
class EntailmentPair:
    """A premise and a hypothesis, and how they relate."""

    premise: list[str]
    hypothesis: list[str]
    label: str | None
    """None if unknown."""


class LabeledTexts(NamedTuple):
    """A premise and a hypothesis as they are in a file: raw text, or a list of words."""

    premise: str | list[str]
    hypothesis: str | list[str]
    label: str


def read_nli(path: str | Path) -> list[EntailmentPair]:
    """Read JSON lines with the keys ``gold_label``, ``sentence1`` and ``sentence2``. Other keys are ignored.

    The sentences may also be called ``premise`` and ``hypothesis``. Each is a string, or a list of words that is taken
    as it is.

    Raises:
        ValueError: A line is not such an object, its label is unknown, or a sentence is empty.
    """
    return [EntailmentPair(_words(pair.premise), _words(pair.hypothesis), pair.label) for pair in read_nli_texts(path)]


def read_nli_texts(path: str | Path) -> Iterator[LabeledTexts]:
    """Read the same files, without splitting the sentences into words."""
    for number, line in numbered_lines(path):
        try:
            record = json.loads(line)
        except (ValueError, RecursionError):
            raise bad_line(path, number, "is not JSON") from None
        if not isinstance(record, dict) or not isinstance(record.get("gold_label"), str):
            raise bad_line(path, number, "has no gold_label")
        label = record["gold_label"]
        if label == NO_CONSENSUS:
            continue
        if label not in LABELS:
            raise bad_line(path, number, f"{label!r} is not a label ({', '.join(LABELS)} or {NO_CONSENSUS})")
        texts: list[str | list[str]] = []
        for key in ("premise", "hypothesis") if "premise" in record else ("sentence1", "sentence2"):
            text = record.get(key)
            if not isinstance(text, str) and not _is_words(text):
                raise bad_line(path, number, f"has no {key}")
            if not text or (isinstance(text, str) and not text.strip()):
                raise bad_line(path, number, f"{key} is empty")
            texts.append(text)
        premise, hypothesis = texts
        yield LabeledTexts(premise, hypothesis, label)


def _is_words(value: object) -> bool:
    return isinstance(value, list) and all(isinstance(word, str) and word for word in value)


def _words(text: str | list[str]) -> list[str]:
    return split_sentence(text) if isinstance(text, str) else text


def split_sentence(sentence: str) -> list[str]:
    """Split a sentence into words, whether it is raw text or already split as in the Penn Treebank."""
    return retokenize(join_negations(sentence))
