"""Sentiment classification: from very negative to very positive, in five classes.

After the biattentive classification network of McCann et al. (2017), with two ReLU layers in place of maxout layers, as
in Peters et al. (2018): a biLSTM reads a sentence, the sentence attends to itself, a second biLSTM reads both, and a
classifier reads its output, pooled in four ways. The model is trained on all phrases, down to single words, and
evaluated on sentences.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import torch
from torch import Tensor, nn

from elmo.datasets.trees import SentimentExample, has_sentiment_trees, read_sentiment
from elmo.settings import Dropout, Size, check_fields
from elmo.tasks.inputs import TaskInputs
from elmo.tasks.layers import Encoder, FeedForward, masked_max, masked_mean, masked_softmax
from elmo.tasks.metrics import accuracy
from elmo.tasks.results import SentenceSentiment, SentimentResult
from elmo.tasks.task import LONGEST_SENTENCE, LabelSets, Task, TaskModel
from elmo.text.documents import Document

LABELS = ("very negative", "negative", "neutral", "positive", "very positive")
"""The classes from 0 to 4."""


@dataclass(frozen=True)
class SentimentPrediction:
    """The predicted sentiment of a sentence."""

    label: int
    """Class from 0 to 4."""
    probabilities: list[float]
    """Of the classes from 0 to 4."""


@dataclass(frozen=True)
class BCNSettings:
    """Hyperparameters of the model."""

    dim: Size
    """Size of the first dense layer, of an LSTM in one direction, and of the dense layers before the last."""
    dropout: Dropout
    """On the input of both LSTMs (variational), and before each of the last three dense layers."""
    compare_elmo: bool = True
    """Whether words that attend to each other are also compared by their ELMo vectors at the output of the first LSTM.
    The norm of these is so large that every word then attends to itself only, as in older runs."""

    def __post_init__(self) -> None:
        """Check the types and limits of all settings."""
        check_fields(self)


class BCN(TaskModel[SentimentExample, SentimentPrediction]):
    """Encode, attend, integrate, pool, classify."""

    def __init__(self, words: TaskInputs, settings: BCNSettings) -> None:
        super().__init__()
        self.words = words
        dim, dropout = settings.dim, settings.dropout
        self.compare_elmo = settings.compare_elmo
        self.reduce = FeedForward([words.input_dim, dim])
        self.encoder = Encoder(dim, dim, dropout=dropout)
        self.integrator = Encoder(3 * (self.encoder.output_dim + words.output_dim), dim, dropout=dropout)
        self.importance = nn.Linear(self.integrator.output_dim, 1)
        self.dropout = nn.Dropout(dropout)
        self.classify = nn.Sequential(
            FeedForward([4 * self.integrator.output_dim, dim, dim], dropout), nn.Linear(dim, len(LABELS))
        )

    def forward(self, examples: Sequence[SentimentExample]) -> Tensor:
        """Return the mean cross-entropy of the sentences."""
        scores = self._scores(examples)
        labels = torch.tensor([example.label for example in examples], dtype=torch.long)
        return nn.functional.cross_entropy(scores, labels.to(scores.device))

    def predict(self, examples: Sequence[SentimentExample]) -> list[SentimentPrediction]:
        """Return the most probable class of each sentence."""
        rows: list[list[float]] = self._scores(examples).softmax(-1).tolist()
        return [SentimentPrediction(row.index(max(row)), row) for row in rows]

    def _scores(self, examples: Sequence[SentimentExample]) -> Tensor:
        x, extra, mask, lengths = self.words([example.words for example in examples])
        read = self.encoder(self.reduce(x), lengths)  # (B, T, 2D)
        encoded = torch.cat([read, extra], -1)  # (B, T, E)
        # The network was designed for two texts. With a single text as both, the two directions of attention coincide.
        context = self._attention(encoded if self.compare_elmo else read, mask) @ encoded  # (B, T, E)
        both = torch.cat([encoded, encoded - context, encoded * context], -1)  # (B, T, 3E)
        integrated = self.integrator(both, lengths)  # (B, T, 2D)
        return self.classify(self.dropout(self._pool(integrated, mask)))  # (B, 5)

    def _attention(self, x: Tensor, mask: Tensor) -> Tensor:
        """Return how much each word attends to each word of its sentence, (B, T, D) to (B, T, T)."""
        return masked_softmax(x @ x.transpose(1, 2), mask[:, None, :])

    def _pool(self, x: Tensor, mask: Tensor) -> Tensor:
        """Pool by attention, maximum, mean and minimum, (B, T, D) to (B, 4D)."""
        weights = masked_softmax(self.importance(x).squeeze(-1), mask)  # (B, T)
        attended = (weights[:, None, :] @ x).squeeze(1)  # (B, D)
        return torch.cat([attended, masked_max(x, mask), masked_mean(x, mask), -masked_max(-x, mask)], -1)


class Sentiment(Task[SentimentExample, SentimentPrediction]):
    """Classify the sentiment of a sentence."""

    name = "sst"
    title = "Sentiment"
    objective = "accuracy"
    settings = BCNSettings

    def read(self, path: Path) -> list[SentimentExample]:
        """Read the trees of the Stanford Sentiment Treebank."""
        return read_sentiment(path)

    def sequences(self, example: SentimentExample) -> Sequence[Sequence[str]]:
        """Return the sentence."""
        return [example.words]

    def label_sets(self, examples: Sequence[SentimentExample]) -> LabelSets:
        """Return the five classes, whatever the examples are."""
        return {"labels": list(LABELS)}

    def build(self, words: TaskInputs, label_sets: LabelSets, settings: BCNSettings) -> BCN:
        """Build a model with new weights."""
        return BCN(words, settings)

    def for_training(self, examples: list[SentimentExample]) -> list[SentimentExample]:
        """Return the sentences and all of their phrases, without duplicates."""
        chosen: dict[tuple[tuple[str, ...], int], SentimentExample] = {}
        for example in examples:
            for label, start, end in example.phrases:
                words = example.words[start:end]
                chosen.setdefault((tuple(words), label), SentimentExample(words, label, []))
        return list(chosen.values())

    def score(
        self, examples: Sequence[SentimentExample], predictions: Sequence[SentimentPrediction]
    ) -> dict[str, float]:
        """Return the accuracy over the five classes."""
        return {"accuracy": accuracy([sentence.label for sentence in examples], [found.label for found in predictions])}

    def is_labeled(self, path: Path) -> bool:
        """Return whether a file has trees. Their files usually end in .txt, like plain text."""
        return super().is_labeled(path) or has_sentiment_trees(path)

    def examples(self, documents: Sequence[Document], label_sets: LabelSets) -> list[SentimentExample]:
        """Make an example of each sentence."""
        pieces = documents[0].pieces(LONGEST_SENTENCE)
        examples = [SentimentExample(words, None, [], offset) for offset, words in pieces]
        if not examples:
            raise ValueError("the text is empty; write a sentence")
        return examples

    def documents(self, example: SentimentExample) -> tuple[Document, ...]:
        """Return the sentence."""
        return (Document.joined([example.words]),)

    def result(
        self,
        documents: Sequence[Document],
        examples: Sequence[SentimentExample],
        details: Sequence[SentimentPrediction],
    ) -> SentimentResult:
        """Return the sentiment of each sentence, and their mean."""
        [document] = documents
        sentences: list[SentenceSentiment] = []
        for example, found in zip(examples, details, strict=True):
            probabilities = dict(zip(LABELS, found.probabilities, strict=True))
            place = (example.offset, example.offset + len(example.words))
            sentences.append(
                SentenceSentiment.of(document, *place, label=LABELS[found.label], probabilities=probabilities)
            )
        mean = {label: sum(found.probabilities[label] for found in sentences) / len(sentences) for label in LABELS}
        label = max(mean, key=lambda label: mean[label])
        return SentimentResult(document.text, label, mean, tuple(sentences))
