"""Entailment: does a hypothesis follow from a premise, contradict it, or neither.

After ESIM, the sequence model of Chen et al. (2017), as Peters et al. (2018) used it: both sentences are read by
the same biLSTM, every word is compared with the words of the other sentence that it is most like, a second biLSTM
composes the comparisons, and what is left of them after pooling is classified.
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
from rich.text import Text
from torch import Tensor, nn

from elmo.datasets.lines import bad_line
from elmo.tasks.inputs import TaskInputs
from elmo.tasks.layers import Encoder, FeedForward, VariationalDropout, masked_max, masked_mean, masked_softmax
from elmo.tasks.metrics import accuracy
from elmo.tasks.task import LabelSets, Task, TaskModel
from elmo.text.reading import read_text
from elmo.text.tokens import words as split_words

COLOURS = {"entailment": "green", "neutral": "yellow", "contradiction": "red"}
"""The labels, and how they are shown."""
UNDECIDED = "-"
"""The label of pairs that annotators did not agree on. They are in nobody's counts."""
BETWEEN = "|||"
"""Stands between the two sentences that a user types."""


@dataclass(frozen=True)
class Pair:
    """Two sentences, and how the second relates to the first."""

    premise: list[str]
    hypothesis: list[str]
    label: str | None
    """None where it is not known."""


@dataclass(frozen=True)
class Relation:
    """How a model thinks that two sentences relate."""

    label: str
    probabilities: dict[str, float]
    """By label."""


@dataclass(frozen=True)
class ESIMSettings:
    """Sizes of the model."""

    dim: int
    """Of an LSTM in one direction, and of the dense layers."""
    dropout: float
    """On the input of both LSTMs (variational), and before the last two dense layers."""


class ESIM(TaskModel[Pair, Relation]):
    """Encode, align, compare, compose, pool, classify."""

    def __init__(self, words: TaskInputs, labels: Sequence[str], settings: ESIMSettings) -> None:
        super().__init__()
        self.words = words
        self.labels = list(labels)
        self.numbers = {label: number for number, label in enumerate(labels)}
        dim = settings.dim
        self.encoder = Encoder(words.input_dim, dim)
        encoded_dim = self.encoder.output_dim + words.output_dim
        self.project = FeedForward([4 * encoded_dim, dim])
        self.composer = Encoder(dim, dim)
        self.lstm_dropout = VariationalDropout(settings.dropout)
        self.dropout = nn.Dropout(settings.dropout)
        self.classify = nn.Sequential(
            FeedForward([4 * self.composer.output_dim, dim], settings.dropout), nn.Linear(dim, len(labels))
        )

    def forward(self, examples: Sequence[Pair]) -> Tensor:
        """The cross entropy of a pair, on average."""
        scores = self._scores(examples)
        labels = torch.tensor([self.numbers[example.label or ""] for example in examples])
        return nn.functional.cross_entropy(scores, labels.to(scores.device))

    def predict(self, examples: Sequence[Pair]) -> list[Relation]:
        """The most probable labels."""
        rows = self._scores(examples).softmax(-1).tolist()
        answers = [dict(zip(self.labels, row, strict=True)) for row in rows]
        return [Relation(max(answer, key=lambda label: answer[label]), answer) for answer in answers]

    def _scores(self, examples: Sequence[Pair]) -> Tensor:
        # Premises, then hypotheses, in one batch: twice the work at once is faster than one after the other.
        count = len(examples)
        sequences = [example.premise for example in examples] + [example.hypothesis for example in examples]
        x, extra, mask, lengths = self.words(sequences)
        encoded = torch.cat([self.encoder(self._drop_alike(x), lengths), extra], -1)  # (2B, T, E)

        a, b = encoded.split(count)  # (B, T, E) each
        a_mask, b_mask = mask.split(count)
        likeness = a @ b.transpose(1, 2)  # (B, T of a, T of b)
        of_b = masked_softmax(likeness, b_mask[:, None, :]) @ b  # for each word of a, what is like it in b
        of_a = masked_softmax(likeness.transpose(1, 2), a_mask[:, None, :]) @ a
        aligned = torch.cat([of_b, of_a])  # (2B, T, E)

        compared = self.project(torch.cat([encoded, aligned, encoded - aligned, encoded * aligned], -1))  # (2B, T, D)
        composed = self.composer(self._drop_alike(compared), lengths)  # (2B, T, 2D)
        pooled = torch.cat([masked_mean(composed, mask), masked_max(composed, mask)], -1)  # (2B, 4D)
        both = torch.cat(pooled.split(count), -1)  # (B, 8D)
        return self.classify(self.dropout(both))  # (B, labels)

    def _drop_alike(self, x: Tensor) -> Tensor:
        """Leave out the same features in both sentences of a pair, (2B, T, D): else equal words would look unlike."""
        count, length = x.shape[0] // 2, x.shape[1]
        side_by_side = torch.cat(x.split(count), 1)  # (B, 2T, D)
        return torch.cat(self.lstm_dropout(side_by_side).split(length, 1))


class Entailment(Task[Pair, Relation]):
    """Say whether a hypothesis follows from a premise."""

    name = "snli"
    objective = "accuracy"
    settings = ESIMSettings

    def read(self, path: Path) -> list[Pair]:
        """JSON lines with gold_label, sentence1 and sentence2 (SNLI, MultiNLI); other keys are passed over."""
        pairs = []
        for number, line in enumerate(read_text(path).split("\n"), 1):
            if not line.strip():
                continue
            label, *sentences = _fields(path, number, line)
            if label == UNDECIDED:
                continue
            if label not in COLOURS:
                raise bad_line(path, number, f"{label!r} is not a label ({', '.join(COLOURS)}, or {UNDECIDED})")
            premise, hypothesis = map(_split, sentences)
            if not premise or not hypothesis:
                raise bad_line(path, number, f"{'sentence2' if premise else 'sentence1'} is empty")
            pairs.append(Pair(premise, hypothesis, label))
        return pairs

    def sequences(self, example: Pair) -> Sequence[Sequence[str]]:
        """Both sentences."""
        return [example.premise, example.hypothesis]

    def label_sets(self, examples: Sequence[Pair]) -> LabelSets:
        """The labels that there are examples of."""
        seen = {example.label for example in examples}
        return {"labels": [label for label in COLOURS if label in seen]}

    def build(self, words: TaskInputs, label_sets: LabelSets, settings: ESIMSettings) -> ESIM:
        """A fresh model."""
        return ESIM(words, label_sets["labels"], settings)

    def score(self, examples: Sequence[Pair], predictions: Sequence[Relation]) -> dict[str, float]:
        """Pairs with the right label."""
        return {"accuracy": accuracy([pair.label for pair in examples], [answer.label for answer in predictions])}

    def from_text(self, text: str, label_sets: LabelSets) -> list[Pair]:
        """A premise and a hypothesis with ||| between them."""
        parts = [_split(part) for part in text.split(BETWEEN)]
        if len(parts) != 2 or not all(parts):
            raise ValueError(f"{text!r}: write a premise and a hypothesis with {BETWEEN} between them")
        return [Pair(parts[0], parts[1], None)]

    def show(self, example: Pair, prediction: Relation) -> Text:
        """The label, its probability and those of the others, and both sentences."""
        text = Text()
        ranked = sorted(prediction.probabilities.items(), key=lambda item: -item[1])
        for place, (label, probability) in enumerate(ranked):
            style = f"bold {COLOURS.get(label, '')}".strip() if place == 0 else "dim"
            text.append(f"{'' if place == 0 else '   '}{label} {probability:.0%}", style=style)
        text.append("\n  premise:    ", style="dim").append(" ".join(example.premise))
        text.append("\n  hypothesis: ", style="dim").append(" ".join(example.hypothesis))
        return text

    def record(self, example: Pair, prediction: Relation) -> dict[str, Any]:
        """Both sentences, the label and all probabilities."""
        return {
            "premise": example.premise,
            "hypothesis": example.hypothesis,
            "label": prediction.label,
            "probabilities": prediction.probabilities,
        }


def _fields(path: Path, number: int, line: str) -> list[str]:
    """The label and the two sentences of a line."""
    try:
        data = json.loads(line)
    except (ValueError, RecursionError):
        raise bad_line(path, number, "is not JSON") from None
    values = []
    for key in ("gold_label", "sentence1", "sentence2"):
        if not isinstance(data, dict) or not isinstance(data.get(key), str):
            raise bad_line(path, number, f"has no {key}")
        values.append(data[key])
    return values


def _split(sentence: str) -> list[str]:
    """The words of a sentence, raw or split already; ``is n't`` becomes ``isn 't`` as in raw text."""
    return split_words(sentence.replace(" n't", "n't"))
