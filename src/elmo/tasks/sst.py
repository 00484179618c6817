"""Sentiment: how a sentence judges, from very negative to very positive.

After the biattentive classification network of McCann et al. (2017), with two relu layers in place of their
maxout layers, as Peters et al. (2018) had it: a sentence is read by a biLSTM, attends to itself, is read once more
with what it attended to, and is pooled in four ways. It learns from phrases, and is measured on sentences.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
from rich.text import Text
from torch import Tensor, nn

from elmo.datasets.lines import bad_line
from elmo.tasks.inputs import TaskInputs
from elmo.tasks.layers import Encoder, FeedForward, masked_max, masked_mean, masked_softmax
from elmo.tasks.metrics import accuracy
from elmo.tasks.task import LabelSets, Task, TaskModel
from elmo.text.reading import read_text
from elmo.text.tokens import words as split_words

COLOURS = {
    "very negative": "red",
    "negative": "red",
    "neutral": "yellow",
    "positive": "green",
    "very positive": "green",
}
"""The classes from 0 to 4, and how they are shown."""
LABELS = tuple(COLOURS)
HEIGHTS = "▁▂▃▄▅▆▇█"
SHORTEST_PHRASE = 4
"""Words in a phrase to learn from; shorter ones say little that longer ones do not."""
Phrase = tuple[int, int, int]
"""Class, first word, word after the last."""

_PIECES = re.compile(r"[()]|[^\s()]+")
_TREE = re.compile(r"\s*\(\s*\d+[\s)]")
_ESCAPED = {"-LRB-": "(", "-RRB-": ")", "-LSB-": "[", "-RSB-": "]", "-LCB-": "{", "-RCB-": "}", "``": '"', "''": '"'}


@dataclass(frozen=True)
class Sentence:
    """A sentence or phrase with its class."""

    words: list[str]
    label: int | None
    """0 to 4; None where it is not known."""
    phrases: list[Phrase]
    """Its parts with theirs, the whole included."""


@dataclass(frozen=True)
class Judgement:
    """What a model makes of a sentence."""

    label: int
    probabilities: list[float]
    """Of the classes 0 to 4."""


@dataclass(frozen=True)
class BCNSettings:
    """Sizes of the model."""

    dim: int
    """Of the first dense layer, of an LSTM in one direction, and of the dense layers before the last."""
    dropout: float
    """On the input of both LSTMs (variational), and before each of the last three dense layers."""


class BCN(TaskModel[Sentence, Judgement]):
    """Encode, attend, integrate, pool, classify."""

    def __init__(self, words: TaskInputs, settings: BCNSettings) -> None:
        super().__init__()
        self.words = words
        dim, dropout = settings.dim, settings.dropout
        self.reduce = FeedForward([words.input_dim, dim])
        self.encoder = Encoder(dim, dim, dropout=dropout)
        self.integrator = Encoder(3 * (self.encoder.output_dim + words.output_dim), dim, dropout=dropout)
        self.importance = nn.Linear(self.integrator.output_dim, 1)
        self.dropout = nn.Dropout(dropout)
        self.classify = nn.Sequential(
            FeedForward([4 * self.integrator.output_dim, dim, dim], dropout), nn.Linear(dim, len(LABELS))
        )

    def forward(self, examples: Sequence[Sentence]) -> Tensor:
        """The cross entropy of a sentence, on average."""
        scores = self._scores(examples)
        labels = torch.tensor([example.label for example in examples], dtype=torch.long)
        return nn.functional.cross_entropy(scores, labels.to(scores.device))

    def predict(self, examples: Sequence[Sentence]) -> list[Judgement]:
        """The most probable classes."""
        rows: list[list[float]] = self._scores(examples).softmax(-1).tolist()
        return [Judgement(row.index(max(row)), row) for row in rows]

    def _scores(self, examples: Sequence[Sentence]) -> Tensor:
        x, extra, mask, lengths = self.words([example.words for example in examples])
        encoded = torch.cat([self.encoder(self.reduce(x), lengths), extra], -1)  # (B, T, E)
        # The network was made for two texts. A single one takes both parts, so that both directions are the same.
        attention = masked_softmax(encoded @ encoded.transpose(1, 2), mask[:, None, :])  # (B, T, T)
        context = attention @ encoded  # (B, T, E)
        both = torch.cat([encoded, encoded - context, encoded * context], -1)  # (B, T, 3E)
        integrated = self.integrator(both, lengths)  # (B, T, 2D)
        return self.classify(self.dropout(self._pool(integrated, mask)))  # (B, 5)

    def _pool(self, x: Tensor, mask: Tensor) -> Tensor:
        """(B, T, D) to (B, 4D)."""
        weights = masked_softmax(self.importance(x).squeeze(-1), mask)  # (B, T)
        attended = (weights[:, None, :] @ x).squeeze(1)  # (B, D)
        return torch.cat([attended, masked_max(x, mask), masked_mean(x, mask), -masked_max(-x, mask)], -1)


class Sentiment(Task[Sentence, Judgement]):
    """Say how positive a sentence is."""

    name = "sst"
    objective = "accuracy"
    settings = BCNSettings

    def read(self, path: Path) -> list[Sentence]:
        """Trees in brackets, one a line, with a class from 0 to 4 at every node (Stanford Sentiment Treebank)."""
        sentences = []
        for number, line in enumerate(read_text(path).split("\n"), 1):
            if line.strip():
                try:
                    sentences.append(parse_tree(line))
                except ValueError as error:
                    raise bad_line(path, number, str(error)) from None
        return sentences

    def sequences(self, example: Sentence) -> Sequence[Sequence[str]]:
        """The sentence."""
        return [example.words]

    def label_sets(self, examples: Sequence[Sentence]) -> LabelSets:
        """The classes, which are always the same."""
        return {"labels": list(LABELS)}

    def build(self, words: TaskInputs, label_sets: LabelSets, settings: BCNSettings) -> BCN:
        """A fresh model."""
        return BCN(words, settings)

    def for_training(self, examples: list[Sentence]) -> list[Sentence]:
        """The sentences and their phrases, but for short ones; each once with the same class."""
        chosen: dict[tuple[tuple[str, ...], int], Sentence] = {}
        for example in examples:
            for label, start, end in example.phrases:
                words = example.words[start:end]
                if len(words) >= SHORTEST_PHRASE or len(words) == len(example.words):
                    chosen.setdefault((tuple(words), label), Sentence(words, label, []))
        return list(chosen.values())

    def score(self, examples: Sequence[Sentence], predictions: Sequence[Judgement]) -> dict[str, float]:
        """Sentences with the right one of the five classes."""
        return {"accuracy": accuracy([sentence.label for sentence in examples], [found.label for found in predictions])}

    def from_text(self, text: str, label_sets: LabelSets) -> list[Sentence]:
        """A sentence of plain text."""
        words = split_words(text)
        if not words:
            raise ValueError("there is no sentence; write one")
        return [Sentence(words, None, [])]

    def is_labeled(self, path: Path) -> bool:
        """Whether a file has trees: their files, too, are named .txt."""
        return super().is_labeled(path) or _TREE.match(read_text(path)) is not None

    def show(self, example: Sentence, prediction: Judgement) -> Text:
        """The class, the probabilities of all five as a row of bars from negative to positive, and the sentence."""
        label = LABELS[prediction.label]
        text = Text().append(f"{label:13}", style=f"bold {COLOURS[label]}")
        text.append(f" {prediction.probabilities[prediction.label]:4.0%} [")
        for probability, colour in zip(prediction.probabilities, COLOURS.values(), strict=True):
            text.append(HEIGHTS[min(int(probability * len(HEIGHTS)), len(HEIGHTS) - 1)], style=colour)
        return text.append("] ").append(" ".join(example.words))

    def record(self, example: Sentence, prediction: Judgement) -> dict[str, Any]:
        """The words, the class as a number and in words, and all probabilities."""
        return {
            "words": example.words,
            "class": prediction.label,
            "label": LABELS[prediction.label],
            "probabilities": dict(zip(LABELS, prediction.probabilities, strict=True)),
        }


def parse_tree(line: str) -> Sentence:
    """A tree like ``(3 (2 It) (4 works))``; a ValueError says what is wrong with it."""
    words: list[str] = []
    phrases: list[Phrase] = []
    begun: list[tuple[int, int]] = []  # class and first word of every bracket that is open
    after_bracket = False
    for piece in _PIECES.findall(line):
        if after_bracket:
            if piece not in ("0", "1", "2", "3", "4"):
                raise ValueError(f"a bracket begins with {piece!r}, not with a class from 0 to 4")
            begun.append((int(piece), len(words)))
            after_bracket = False
        elif phrases and not begun:
            raise ValueError(f"the tree ends before {piece!r}")
        elif piece == "(":
            after_bracket = True
        elif not begun:
            raise ValueError(f"begins with {piece!r}, not with a bracket")
        elif piece == ")":
            label, start = begun.pop()
            if start == len(words):
                raise ValueError("a bracket has no words")
            phrases.append((label, start, len(words)))
        else:
            words.append(piece)
    if begun or after_bracket:
        raise ValueError("a bracket is not closed")
    return Sentence(_plain(words), phrases[-1][0], phrases)


def _plain(words: Sequence[str]) -> list[str]:
    """Words of a treebank as they are in other text: no escapes, and ``is n't`` as ``isn 't``."""
    plain: list[str] = []
    for word in words:
        if word == "n't" and plain:
            plain[-1] += "n"
            word = "'t"
        plain.append(_ESCAPED.get(word, word).replace("\\/", "/").replace("\\*", "*"))
    return plain
