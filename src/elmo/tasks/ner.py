"""Named entity recognition: words and characters, biLSTM layers, and a CRF restricted to valid tag sequences.

After Lample et al. (2016) and Peters et al. (2017, 2018). The score is the F1 of exact spans, as conlleval counts them.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import torch
from torch import Tensor, nn

from elmo.datasets.columns import LabeledSpan, NERExample, bio_labels, bio_spans, bio_tags, read_entities
from elmo.settings import Depth, Dropout, Size, check_fields
from elmo.tasks.crf import CRF, bio_constraints
from elmo.tasks.inputs import TaskInputs
from elmo.tasks.layers import Encoder, VariationalDropout
from elmo.tasks.metrics import span_scores
from elmo.tasks.results import Entity, EntityResult
from elmo.tasks.task import LONGEST_SENTENCE, LabelSets, Task, TaskModel
from elmo.text.documents import Document


@dataclass(frozen=True)
class NERSettings:
    """Hyperparameters of the model."""

    dim: Size
    """Hidden size of an LSTM in one direction."""
    n_layers: Depth
    dropout: Dropout
    """On the input of every LSTM layer and of the output layer."""

    def __post_init__(self) -> None:
        """Check the types and limits of all settings."""
        check_fields(self)


class NERModel(TaskModel[NERExample, list[LabeledSpan]]):
    """A biLSTM and a CRF."""

    def __init__(self, words: TaskInputs, tags: Sequence[str], settings: NERSettings) -> None:
        super().__init__()
        self.words = words
        self.tags = list(tags)
        self.tag_ids = {tag: index for index, tag in enumerate(tags)}
        self.encoder = Encoder(words.input_dim, settings.dim, settings.n_layers, settings.dropout)
        self.dropout = VariationalDropout(settings.dropout)
        self.project = nn.Linear(self.encoder.output_dim + words.output_dim, len(tags))
        self.crf = CRF(len(tags), *bio_constraints(tags))

    def forward(self, examples: Sequence[NERExample]) -> Tensor:
        """Return the mean negative log-likelihood of the sentences."""
        scores, mask = self._scores(examples)
        tag_ids = torch.zeros(mask.shape, dtype=torch.long)  # (B, T)
        for row, example in enumerate(examples):
            for position, tag in enumerate(bio_tags(example.spans, len(example.words))):
                tag_ids[row, position] = self.tag_ids.get(tag, self.tag_ids["O"])
        return -self.crf.log_likelihood(scores, tag_ids.to(scores.device), mask).mean()

    def predict(self, examples: Sequence[NERExample]) -> list[list[LabeledSpan]]:
        """Return the entities of the most probable tag sequence of each sentence."""
        return self._decode(*self._scores(examples))

    def predict_in_detail(self, examples: Sequence[NERExample]) -> list[list[tuple[LabeledSpan, float]]]:
        """Return the entities of the most probable tag sequence of each sentence, with their probabilities."""
        scores, mask = self._scores(examples)
        found = self._decode(scores, mask)
        probabilities = iter(self._probabilities(scores, mask, found).tolist())
        return [[(span, next(probabilities)) for span in spans] for spans in found]

    def _decode(self, scores: Tensor, mask: Tensor) -> list[list[LabeledSpan]]:
        return [bio_spans([self.tags[index] for index in path]) for path in self.crf.viterbi(scores, mask)]

    def _probabilities(self, scores: Tensor, mask: Tensor, found: Sequence[Sequence[LabeledSpan]]) -> Tensor:
        """Return the probability of each of the N entities found, over all tag sequences of its sentence, (N,)."""
        spans = [(row, *span) for row, spans in enumerate(found) for span in spans]
        rows = torch.tensor([row for row, *_ in spans], dtype=torch.long, device=scores.device)  # (N,)
        # Only the tag sequences that have exactly this entity: B, then I, and then no I.
        allowed = torch.ones(len(spans), *scores.shape[1:], dtype=torch.bool)  # (N, T, tags)
        for tags, (_, label, start, end) in zip(allowed, spans, strict=True):
            inside = self.tag_ids[f"I-{label}"]
            tags[start:end] = False
            tags[start, self.tag_ids[f"B-{label}"]] = True
            tags[start + 1 : end, inside] = True
            tags[end : end + 1, inside] = False
        some = self.crf.log_partition(scores[rows], mask[rows], allowed.to(scores.device))
        return (some - self.crf.log_partition(scores, mask)[rows]).exp().clamp(max=1.0)

    def _scores(self, examples: Sequence[NERExample]) -> tuple[Tensor, Tensor]:
        x, extra, mask, lengths = self.words([example.words for example in examples])
        encoded = torch.cat([self.encoder(x, lengths), extra], -1)  # (B, T, H)
        return self.project(self.dropout(encoded)), mask  # (B, T, tags)


class NamedEntities(Task[NERExample, list[LabeledSpan]]):
    """Find names and classify them."""

    name = "ner"
    title = "Named entities"
    objective = "F1"
    settings = NERSettings

    def read(self, path: Path) -> list[NERExample]:
        """Read columns with the word first and the tag last (CoNLL-2003, WNUT-17)."""
        return read_entities(path)

    def sequences(self, example: NERExample) -> Sequence[Sequence[str]]:
        """Return the sentence."""
        return [example.words]

    def label_sets(self, examples: Sequence[NERExample]) -> LabelSets:
        """Return the BIO tags of all entity types."""
        types = sorted({label for example in examples for label, _, _ in example.spans})
        return {"labels": ["O", *(f"{prefix}-{label}" for label in types for prefix in "BI")]}

    def labels(self, label_sets: LabelSets) -> list[str]:
        """Return the types of entities."""
        return bio_labels(label_sets["labels"])

    def build(self, words: TaskInputs, label_sets: LabelSets, settings: NERSettings) -> NERModel:
        """Build a model with new weights."""
        return NERModel(words, label_sets["labels"], settings)

    def score(self, examples: Sequence[NERExample], predictions: Sequence[list[LabeledSpan]]) -> dict[str, float]:
        """Return precision, recall and F1 of exact spans."""
        scores = span_scores([example.spans for example in examples], predictions)
        return {"F1": scores.f1, "precision": scores.precision, "recall": scores.recall}

    def examples(self, documents: Sequence[Document], label_sets: LabelSets) -> list[NERExample]:
        """Make an example of each sentence."""
        return [NERExample(words, [], offset) for offset, words in documents[0].pieces(LONGEST_SENTENCE)]

    def documents(self, example: NERExample) -> tuple[Document, ...]:
        """Return the sentence."""
        return (Document.joined([example.words]),)

    def result(
        self,
        documents: Sequence[Document],
        examples: Sequence[NERExample],
        details: Sequence[list[tuple[LabeledSpan, float]]],
    ) -> EntityResult:
        """Return the entities of all sentences."""
        [document] = documents
        entities = (
            Entity.of(document, e.offset + start, e.offset + end, label=label, probability=probability)
            for e, found in zip(examples, details, strict=True)
            for (label, start, end), probability in found
        )
        return EntityResult(document.text, document.sentences, tuple(entities))
