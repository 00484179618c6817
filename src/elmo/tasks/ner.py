"""Named entities: characters and words, two biLSTM layers, and a CRF that allows valid transitions only.

After Lample et al. (2016) and Peters et al. (2017, 2018). The score is the F1 of exact spans, as conlleval
counts them.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
from rich.text import Text
from torch import Tensor, nn

from elmo.datasets.lines import bad_line
from elmo.tasks.crf import CRF, bio_constraints
from elmo.tasks.inputs import TaskInputs
from elmo.tasks.layers import Encoder, VariationalDropout
from elmo.tasks.metrics import bio_spans, span_scores
from elmo.tasks.task import LabelSets, Task, TaskModel, blocks_of_columns
from elmo.text.tokens import words as split_words

COLOURS = ("green", "blue", "magenta", "cyan", "yellow", "red")
Span = tuple[str, int, int]
"""Label, first word, word after the last."""


@dataclass(frozen=True)
class Sentence:
    """A sentence with its entities."""

    words: list[str]
    spans: list[Span]


@dataclass(frozen=True)
class NERSettings:
    """Sizes of the model."""

    dim: int
    """Of an LSTM in one direction."""
    n_layers: int
    dropout: float
    """On the input of every LSTM layer and of the last."""


class NERModel(TaskModel[Sentence, list[Span]]):
    """biLSTM and CRF."""

    def __init__(self, words: TaskInputs, labels: Sequence[str], settings: NERSettings) -> None:
        super().__init__()
        self.words = words
        self.labels = list(labels)
        self.numbers = {label: number for number, label in enumerate(labels)}
        self.encoder = Encoder(words.input_dim, settings.dim, settings.n_layers, settings.dropout)
        self.dropout = VariationalDropout(settings.dropout)
        self.project = nn.Linear(self.encoder.output_dim + words.output_dim, len(labels))
        self.crf = CRF(len(labels), *bio_constraints(labels))

    def forward(self, examples: Sequence[Sentence]) -> Tensor:
        """The negative log likelihood of a sentence, on average."""
        scores, mask = self._scores(examples)
        labels = torch.zeros(mask.shape, dtype=torch.long)  # (B, T)
        for row, example in enumerate(examples):
            for place, label in enumerate(bio_labels(example.spans, len(example.words))):
                labels[row, place] = self.numbers.get(label, self.numbers["O"])
        return -self.crf.log_likelihood(scores, labels.to(scores.device), mask).mean()

    def predict(self, examples: Sequence[Sentence]) -> list[list[Span]]:
        """The entities of the best path."""
        scores, mask = self._scores(examples)
        return [bio_spans([self.labels[n] for n in path]) for path in self.crf.viterbi(scores, mask)]

    def _scores(self, examples: Sequence[Sentence]) -> tuple[Tensor, Tensor]:
        x, extra, mask, lengths = self.words([example.words for example in examples])
        encoded = torch.cat([self.encoder(x, lengths), extra], -1)  # (B, T, H)
        return self.project(self.dropout(encoded)), mask  # (B, T, labels)


class NamedEntities(Task[Sentence, list[Span]]):
    """Find names and say what kind they are."""

    name = "ner"
    objective = "F1"
    settings = NERSettings

    def read(self, path: Path) -> list[Sentence]:
        """Columns with the word first and the label last (CoNLL-2003, WNUT-17); IOB1, IOB2 and BIOES are all read."""
        sentences = []
        for block in blocks_of_columns(path):
            lines = [(number, fields) for number, fields in block if fields[0] != "-DOCSTART-"]
            for number, fields in lines:
                if len(fields) < 2:
                    raise bad_line(path, number, f"has {len(fields)} column, not a word and a label")
                label = fields[-1]
                if label != "O" and (label[0] not in "BIESLU" or label[1:2] != "-" or not label[2:]):
                    raise bad_line(path, number, f"{label!r} is not a label like O, B-LOC or I-LOC")
            if lines:
                sentences.append(Sentence([f[0] for _, f in lines], bio_spans([f[-1] for _, f in lines])))
        return sentences

    def sequences(self, example: Sentence) -> Sequence[Sequence[str]]:
        """The sentence."""
        return [example.words]

    def label_sets(self, examples: Sequence[Sentence]) -> LabelSets:
        """The labels, as BIO."""
        kinds = sorted({label for example in examples for label, _, _ in example.spans})
        return {"labels": ["O", *(f"{prefix}-{kind}" for kind in kinds for prefix in "BI")]}

    def build(self, words: TaskInputs, label_sets: LabelSets, settings: NERSettings) -> NERModel:
        """A fresh model."""
        return NERModel(words, label_sets["labels"], settings)

    def score(self, examples: Sequence[Sentence], predictions: Sequence[list[Span]]) -> dict[str, float]:
        """Precision, recall and F1 of exact spans."""
        scores = span_scores([example.spans for example in examples], predictions)
        return {"F1": scores.f1, "precision": scores.precision, "recall": scores.recall}

    def from_text(self, text: str, label_sets: LabelSets) -> list[Sentence]:
        """A sentence of plain text."""
        return [Sentence(split_words(text), [])]

    def show(self, example: Sentence, prediction: list[Span]) -> Text:
        """The sentence with its entities coloured."""
        kinds = sorted({label for label, _, _ in prediction})
        text = Text()
        at = 0
        for label, start, end in sorted(prediction, key=lambda span: span[1]):
            text.append("".join(word + " " for word in example.words[at:start]))
            colour = COLOURS[kinds.index(label) % len(COLOURS)]
            text.append(f"[{' '.join(example.words[start:end])} {label}]", style=f"bold {colour}")
            text.append(" ")
            at = end
        text.append(" ".join(example.words[at:]))
        return text

    def record(self, example: Sentence, prediction: list[Span]) -> dict[str, Any]:
        """Words and spans."""
        entities = [{"label": label, "start": start, "end": end} for label, start, end in prediction]
        return {"words": example.words, "entities": entities}


def bio_labels(spans: Sequence[Span], length: int) -> list[str]:
    """BIO labels of spans that do not overlap."""
    labels = ["O"] * length
    for label, start, end in spans:
        labels[start:end] = [f"B-{label}", *[f"I-{label}"] * (end - start - 1)]
    return labels
