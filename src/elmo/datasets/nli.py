"""Natural language inference in the JSON lines of SNLI and MultiNLI."""

import json
from dataclasses import dataclass
from pathlib import Path

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


def read_nli(path: str | Path) -> list[EntailmentPair]:
    """Read JSON lines with the keys ``gold_label``, ``sentence1`` and ``sentence2``. Other keys are ignored.

    Raises:
        ValueError: A line is not such an object, its label is unknown, or a sentence is empty.
    """
    pairs = []
    for number, line in numbered_lines(path):
        try:
            record = json.loads(line)
        except (ValueError, RecursionError):
            raise bad_line(path, number, "is not JSON") from None
        for key in ("gold_label", "sentence1", "sentence2"):
            if not isinstance(record, dict) or not isinstance(record.get(key), str):
                raise bad_line(path, number, f"has no {key}")
        label = record["gold_label"]
        if label == NO_CONSENSUS:
            continue
        if label not in LABELS:
            raise bad_line(path, number, f"{label!r} is not a label ({', '.join(LABELS)} or {NO_CONSENSUS})")
        premise, hypothesis = split_sentence(record["sentence1"]), split_sentence(record["sentence2"])
        if not premise or not hypothesis:
            raise bad_line(path, number, f"{'sentence2' if premise else 'sentence1'} is empty")
        pairs.append(EntailmentPair(premise, hypothesis, label))
    return pairs


def split_sentence(sentence: str) -> list[str]:
    """Split a sentence into words, whether it is raw text or already split as in the Penn Treebank."""
    return retokenize(join_negations(sentence))
