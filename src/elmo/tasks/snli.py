"""Textual entailment: whether a hypothesis follows from a premise, contradicts it, or neither.

After ESIM, the sequence model of Chen et al. (2017), as used by Peters et al. (2018): a biLSTM reads both sentences,
every word is compared with the words of the other sentence that it attends to, a second biLSTM composes these
comparisons, and a classifier reads their pooled output.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import torch
from torch import Tensor, nn

from elmo.datasets.nli import LABELS, EntailmentPair, read_nli, split_sentence
from elmo.settings import Dropout, Size, check_fields
from elmo.tasks.inputs import TaskInputs
from elmo.tasks.layers import Encoder, FeedForward, VariationalDropout, masked_max, masked_mean, masked_softmax
from elmo.tasks.metrics import accuracy
from elmo.tasks.results import EntailmentResult
from elmo.tasks.task import LabelSets, Task, TaskModel, check_size
from elmo.text.documents import Document

MAX_WORDS = 1000
"""Maximum number of words of a premise or hypothesis that a user gives, because every word of one is compared with
every word of the other. The model was trained on sentences."""


@dataclass(frozen=True)
class EntailmentPrediction:
    """The predicted relation of two sentences."""

    label: str
    probabilities: dict[str, float]
    """By label."""


@dataclass(frozen=True)
class ESIMSettings:
    """Hyperparameters of the model."""

    dim: Size
    """Hidden size of an LSTM in one direction, and of the dense layers."""
    dropout: Dropout
    """On the input of both LSTMs (variational), and before the last two dense layers."""

    def __post_init__(self) -> None:
        """Check the types and limits of all settings."""
        check_fields(self)


class ESIM(TaskModel[EntailmentPair, EntailmentPrediction]):
    """Encode, align, compare, compose, pool, classify."""

    def __init__(self, words: TaskInputs, labels: Sequence[str], settings: ESIMSettings) -> None:
        super().__init__()
        self.words = words
        self.labels = list(labels)
        self.label_ids = {label: index for index, label in enumerate(labels)}
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

    def forward(self, examples: Sequence[EntailmentPair]) -> Tensor:
        """Return the mean cross-entropy of the pairs."""
        scores = self._scores(examples)
        labels = torch.tensor([self.label_ids[example.label or ""] for example in examples])
        return nn.functional.cross_entropy(scores, labels.to(scores.device))

    def predict(self, examples: Sequence[EntailmentPair]) -> list[EntailmentPrediction]:
        """Return the most probable label of each pair."""
        rows = self._scores(examples).softmax(-1).tolist()
        probabilities = [dict(zip(self.labels, row, strict=True)) for row in rows]
        return [EntailmentPrediction(max(row, key=lambda label: row[label]), row) for row in probabilities]

    def _scores(self, examples: Sequence[EntailmentPair]) -> Tensor:
        # Premises, then hypotheses, in one batch, which is faster than two batches of half the size.
        count = len(examples)
        sequences = [example.premise for example in examples] + [example.hypothesis for example in examples]
        x, extra, mask, lengths = self.words(sequences)
        encoded = torch.cat([self.encoder(self._shared_dropout(x), lengths), extra], -1)  # (2B, T, E)

        a, b = encoded.split(count)  # (B, T, E) each
        a_mask, b_mask = mask.split(count)
        similarity = a @ b.transpose(1, 2)  # (B, T of a, T of b)
        attended_b = masked_softmax(similarity, b_mask[:, None, :]) @ b  # for each word of a
        attended_a = masked_softmax(similarity.transpose(1, 2), a_mask[:, None, :]) @ a
        aligned = torch.cat([attended_b, attended_a])  # (2B, T, E)

        compared = self.project(torch.cat([encoded, aligned, encoded - aligned, encoded * aligned], -1))  # (2B, T, D)
        composed = self.composer(self._shared_dropout(compared), lengths)  # (2B, T, 2D)
        pooled = torch.cat([masked_mean(composed, mask), masked_max(composed, mask)], -1)  # (2B, 4D)
        both = torch.cat(pooled.split(count), -1)  # (B, 8D)
        return self.classify(self.dropout(both))  # (B, labels)

    def _shared_dropout(self, x: Tensor) -> Tensor:
        """Drop the same features in both sentences of a pair, (2B, T, D); otherwise equal words would differ."""
        count, length = x.shape[0] // 2, x.shape[1]
        side_by_side = torch.cat(x.split(count), 1)  # (B, 2T, D)
        return torch.cat(self.lstm_dropout(side_by_side).split(length, 1))


class Entailment(Task[EntailmentPair, EntailmentPrediction]):
    """Classify the relation of a premise and a hypothesis."""

    name = "snli"
    title = "Entailment"
    objective = "accuracy"
    settings = ESIMSettings
    parts = ("premise", "hypothesis")

    def read(self, path: Path) -> list[EntailmentPair]:
        """Read the JSON lines of SNLI and MultiNLI."""
        return read_nli(path)

    def sequences(self, example: EntailmentPair) -> Sequence[Sequence[str]]:
        """Return both sentences."""
        return [example.premise, example.hypothesis]

    def label_sets(self, examples: Sequence[EntailmentPair]) -> LabelSets:
        """Return the labels that occur."""
        seen = {example.label for example in examples}
        return {"labels": [label for label in LABELS if label in seen]}

    def build(self, words: TaskInputs, label_sets: LabelSets, settings: ESIMSettings) -> ESIM:
        """Build a model with new weights."""
        return ESIM(words, label_sets["labels"], settings)

    def score(
        self, examples: Sequence[EntailmentPair], predictions: Sequence[EntailmentPrediction]
    ) -> dict[str, float]:
        """Return the accuracy."""
        return {"accuracy": accuracy([pair.label for pair in examples], [found.label for found in predictions])}

    def examples(self, documents: Sequence[Document], label_sets: LabelSets) -> list[EntailmentPair]:
        """Make an example of both texts, split like those of the training data."""
        texts = [document.words if document.tokenized else split_sentence(document.text) for document in documents]
        for part, words in zip(self.parts, texts, strict=True):
            check_size(part, len(words), MAX_WORDS)
        premise, hypothesis = texts
        return [EntailmentPair(premise, hypothesis, None)]

    def documents(self, example: EntailmentPair) -> tuple[Document, ...]:
        """Return the premise and the hypothesis."""
        return Document.joined([example.premise]), Document.joined([example.hypothesis])

    def result(
        self, documents: Sequence[Document], examples: Sequence[EntailmentPair], details: Sequence[EntailmentPrediction]
    ) -> EntailmentResult:
        """Return the label and the probabilities of all labels."""
        premise, hypothesis = documents
        [found] = details
        return EntailmentResult(premise.text, hypothesis.text, found.label, found.probabilities)
