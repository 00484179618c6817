"""Semantic role labeling: who did what to whom, for one predicate of a sentence at a time.

After He et al. (2017): words and a predicate indicator, a deep stack of highway LSTM layers of alternating direction,
and a BIO tag for every word. Tags are trained independently and decoded as a valid sequence. The score is the F1 of
arguments, as srl-eval counts them, of given predicates. ``HighwayLSTM`` says where its layers differ.

In plain text, where nobody has marked the predicates, a small network on the same input vectors finds them.
"""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn import functional

from elmo.datasets.columns import LabeledSpan, PredicateFrame, bio_labels, bio_spans, read_frames
from elmo.engines.cuda import to_device
from elmo.settings import Depth, Dropout, Size, check_fields
from elmo.tasks.crf import best_paths, bio_constraints, constraint_scores
from elmo.tasks.inputs import InputVectors, TaskInputs
from elmo.tasks.layers import lstm_products
from elmo.tasks.metrics import srl_scores
from elmo.tasks.results import Argument, FoundSpan, Frame, RoleResult
from elmo.tasks.task import LONGEST_SENTENCE, LabelSets, Task, TaskModel
from elmo.text.alignment import Span
from elmo.text.documents import Document
from elmo.text.tokens import Tokenizer

MARKED = re.compile(r"(?<![\w*])\*([^\s*]+)\*(?![\w*])")
"""A predicate that a user marked with asterisks."""
FrameSpans = tuple[int, list[LabeledSpan]]
"""The position of a predicate, and its arguments."""
MOST_PREDICATES = 40
"""Number of predicates that are found in a sentence at the most, so that a list of verbs does not take forever."""
FRAME_POSITIONS = 8192
"""Positions per batch of frames whose predicates were found, padding included."""
PADDING_TAG = -100
GATE_BIAS = -2.0
"""Initial bias of the highway gates. Layers pass on most of their input at first, or eight of them learn slowly."""


@dataclass(frozen=True)
class SRLSettings:
    """Hyperparameters of the model."""

    dim: Size
    """Hidden size of a layer."""
    n_layers: Depth
    dropout: Dropout
    """On the output of every layer, with one mask for all words of a sentence, and on the recurrent weights."""
    predicate_dim: Size
    """Dimension of the predicate indicator, and hidden size of the network that finds predicates."""

    def __post_init__(self) -> None:
        """Check the types and limits of all settings."""
        check_fields(self)


class SRLModel(TaskModel[PredicateFrame, list[LabeledSpan]]):
    """Highway LSTM layers and a softmax for each word."""

    transitions: Tensor
    start: Tensor
    end: Tensor

    def __init__(self, words: TaskInputs, tags: Sequence[str], settings: SRLSettings) -> None:
        super().__init__()
        self.words = words
        self.tags = list(tags)
        self.tag_ids = {tag: index for index, tag in enumerate(tags)}
        self.mark = nn.Embedding(2, settings.predicate_dim)
        widths = [words.input_dim + settings.predicate_dim, *[settings.dim] * settings.n_layers]
        self.layers = nn.ModuleList(HighwayLSTM(before, after, settings.dropout) for before, after in pairwise(widths))
        self.project = nn.Linear(settings.dim + words.output_dim, len(tags))
        nn.init.orthogonal_(self.project.weight)
        nn.init.zeros_(self.project.bias)
        self.find = nn.Sequential(
            nn.Linear(words.input_dim + words.output_dim, settings.predicate_dim),
            nn.ReLU(),
            nn.Linear(settings.predicate_dim, 1),
        )
        for name, allowed in zip(("transitions", "start", "end"), bio_constraints(tags), strict=True):
            self.register_buffer(name, constraint_scores(allowed), persistent=False)
        self.register_load_state_dict_pre_hook(_reject_earlier_layers)

    def forward(self, examples: Sequence[PredicateFrame]) -> Tensor:
        """Return the cross-entropy of tags and predicates, averaged over the words of each frame, then over frames."""
        inputs = self._inputs(examples)
        scores, mask = self._scores(examples, inputs), inputs.mask
        outside = self.tag_ids["O"]
        gold = np.full(mask.shape, PADDING_TAG)  # (B, T)
        is_predicate = np.zeros(mask.shape, dtype=np.float32)  # (B, T)
        for row, marks, example in zip(gold, is_predicate, examples, strict=True):
            row[: len(example.words)] = outside
            marks[list(example.predicates)] = 1
            for label, start, end in example.spans:
                row[start:end] = self.tag_ids.get(f"I-{label}", outside)
                row[start] = self.tag_ids.get(f"B-{label}", outside)
        tags = functional.cross_entropy(
            scores.mT, to_device(gold, scores.device), ignore_index=PADDING_TAG, reduction="none"
        )  # (B, T)
        # Roles are learned as if predicates were always given: finding them sends no gradient to what is below.
        found = self.find(torch.cat([inputs.x, inputs.extra], -1).detach()).squeeze(-1)  # (B, T)
        finding = functional.binary_cross_entropy_with_logits(
            found, to_device(is_predicate, found.device), weight=mask.float(), reduction="none"
        )  # (B, T)
        return ((tags + finding).sum(1) / mask.sum(1)).mean()

    def predict(self, examples: Sequence[PredicateFrame]) -> list[list[LabeledSpan]]:
        """Return the arguments of the best valid tag sequence of each frame."""
        return self._spans(examples, self._inputs(examples))

    def predict_in_detail(self, examples: Sequence[PredicateFrame]) -> list[list[FrameSpans]]:
        """Return the frames of each example: that of its predicate, or those of all predicates that are found."""
        inputs = self._inputs(examples)
        found = self.find(torch.cat([inputs.x, inputs.extra], -1)).squeeze(-1).tolist()  # (B, T)
        frames = [
            (row, position)
            for row, (example, scores) in enumerate(zip(examples, found, strict=True))
            for position in (_predicates(example.words, scores) if example.predicate is None else [example.predicate])
        ]
        details: list[list[FrameSpans]] = [[] for _ in examples]
        size = max(1, FRAME_POSITIONS // max(inputs.mask.shape[1], 1))
        for part in (frames[start : start + size] for start in range(0, len(frames), size)):
            chosen = [replace(examples[row], predicate=position) for row, position in part]
            spans = self._spans(chosen, _rows_of(inputs, [row for row, _ in part]))
            for (row, position), arguments in zip(part, spans, strict=True):
                details[row].append((position, arguments))
        return details

    def _inputs(self, examples: Sequence[PredicateFrame]) -> InputVectors:
        """Return the input vectors of each frame. Frames of the same sentence share them, except in training."""
        if self.training:
            return self.words([example.words for example in examples])
        sentences = [tuple(example.words) for example in examples]
        places = {words: place for place, words in enumerate(dict.fromkeys(sentences))}
        return _rows_of(self.words(list(places)), [places[words] for words in sentences])

    def _spans(self, examples: Sequence[PredicateFrame], inputs: InputVectors) -> list[list[LabeledSpan]]:
        scores = self._scores(examples, inputs)
        paths = best_paths(scores, inputs.mask, self.transitions, self.start, self.end)
        return [bio_spans([self.tags[index] for index in path]) for path in paths]

    def _scores(self, examples: Sequence[PredicateFrame], inputs: InputVectors) -> Tensor:
        """Return the scores of the tags, (B, T, tags)."""
        x, extra, mask, lengths = inputs
        predicates = to_device(np.array([example.predicate for example in examples]), mask.device)  # (B,)
        is_predicate = torch.arange(mask.shape[1], device=mask.device) == predicates[:, None]  # (B, T)
        x = torch.cat([x, self.mark(is_predicate.long())], -1).transpose(0, 1)  # (T, B, I)
        # Layers of alternating direction: the words are reversed between them. The padding is last in either order.
        backward = to_device(reversed_rows(lengths), x.device)
        for index, layer in enumerate(self.layers):
            x = layer(x if index == 0 else rows_at(x, backward))  # (T, B, D)
        if len(self.layers) % 2 == 0:
            x = rows_at(x, backward)
        scores: Tensor = self.project(torch.cat([x.transpose(0, 1), extra], -1))
        return scores


def _predicates(words: Sequence[str], scores: Sequence[float]) -> list[int]:
    """Return the positions of predicates by their scores: words with a letter, those that are most likely ones."""
    found = [place for place, word in enumerate(words) if scores[place] > 0 and any(map(str.isalpha, word))]
    return sorted(sorted(found, key=lambda place: -scores[place])[:MOST_PREDICATES])


def _rows_of(inputs: InputVectors, rows: Sequence[int]) -> InputVectors:
    """Return the input vectors of some sequences, any number of times, without padding that none of them needs."""
    lengths = tuple(inputs.lengths[row] for row in rows)
    places = to_device(np.array(rows, dtype=np.int64), inputs.mask.device)
    x, extra, mask = (part[places, : max(lengths, default=0)] for part in (inputs.x, inputs.extra, inputs.mask))
    return InputVectors(x, extra, mask, lengths)


class HighwayLSTM(nn.Module):
    """A unidirectional LSTM layer with a highway gate r, through which a projection of the input bypasses the LSTM.

    h = LSTM(x)
    r = sigmoid(...)  of the input x and the output h of the LSTM
    y = r * h + (1 - r) * (x @ highway)

    He et al. compute the gate within the recurrence, from the previous y, and drop the same units of y at every step.
    That takes a dozen operations for each word. With the gate outside of it, and dropout on its weights (Merity et al.
    2018), the recurrence is a plain LSTM, which is a single call of cuDNN for all words.
    """

    def __init__(self, input_dim: int, dim: int, dropout: float) -> None:
        super().__init__()
        self.dim, self.dropout = dim, dropout
        self.weight = nn.Parameter(torch.empty(4 * dim, input_dim))  # i, f, g, o
        self.recurrent = nn.Parameter(torch.empty(4 * dim, dim))
        self.bias = nn.Parameter(torch.zeros(4 * dim))
        self.bypass = nn.Parameter(torch.empty(2 * dim, input_dim))  # r, highway
        self.gate = nn.Linear(dim, dim)
        with torch.no_grad():
            for weight in (self.weight, self.recurrent, self.bypass, self.gate.weight):
                for matrix in weight.split(dim):
                    nn.init.orthogonal_(matrix)
            self.bias[dim : 2 * dim] = 1  # the forget gate starts open
            nn.init.constant_(self.gate.bias, GATE_BIAS)

    def forward(self, x: Tensor) -> Tensor:
        """Map (T, B, input_dim) to (T, B, dim). Words do not depend on those after them."""
        recurrent = functional.dropout(self.recurrent, self.dropout, self.training)
        with lstm_products(x, training=self.training):
            h = lstm(x, self.weight, recurrent, self.bias).to(x.dtype)  # (T, B, D)
        gate, highway = (x @ self.bypass.mT).split(self.dim, -1)
        y = torch.lerp(highway, h, torch.sigmoid(gate + self.gate(h)))
        return y * functional.dropout(x.new_ones(x.shape[1], self.dim), self.dropout, self.training)


def lstm(x: Tensor, weight: Tensor, recurrent: Tensor, bias: Tensor) -> Tensor:
    """Run an LSTM from a zero state, (T, B, input_dim) to (T, B, dim).

    ``torch.nn.LSTM`` would own its weights, and here they are the result of dropout.
    """
    parts = (weight, recurrent, bias, torch.zeros_like(bias))
    # One block of memory, as cuDNN wants it.
    block = torch.cat([part.flatten() for part in parts]).split([part.numel() for part in parts])
    weights = [piece.view_as(part) for piece, part in zip(block, parts, strict=True)]
    state = x.new_zeros(1, x.shape[1], recurrent.shape[1])
    # Biases, one layer, no dropout, training mode, one direction, time before batch.
    outputs: Tensor = torch.lstm(x, (state, state), weights, True, 1, 0.0, torch.is_grad_enabled(), False, False)[0]
    return outputs


def _reject_earlier_layers(model: nn.Module, weights: dict[str, Any], *_: Any) -> None:
    if any(name.endswith(".highway") for name in weights) or "find.0.weight" not in weights:
        raise ValueError("the model is from an earlier version, with other layers: train it again")


def reversed_rows(lengths: Sequence[int]) -> NDArray[np.int64]:
    """Return the order of words that reverses B sequences and leaves their padding in place, (T * B,).

    It counts positions in (T, B), flattened, and is its own inverse.
    """
    steps, size = np.arange(max(lengths, default=0))[:, None], np.array(lengths)  # (T, 1), (B,)
    reverse = np.where(steps < size, size - 1 - steps, steps)  # (T, B)
    return (reverse * len(lengths) + np.arange(len(lengths))).flatten()


def rows_at(x: Tensor, rows: Tensor) -> Tensor:
    """Return the words of ``x`` (T, B, D) in the order of ``reversed_rows``."""
    return x.flatten(0, 1).index_select(0, rows).view_as(x)


class SemanticRoles(Task[PredicateFrame, list[LabeledSpan]]):
    """Find the arguments of predicates and label their roles."""

    name = "srl"
    title = "Semantic roles"
    objective = "F1"
    settings = SRLSettings

    def read(self, path: Path) -> list[PredicateFrame]:
        """Read the columns of CoNLL-2012 (OntoNotes), one frame per predicate."""
        return read_frames(path)

    def sequences(self, example: PredicateFrame) -> Sequence[Sequence[str]]:
        """Return the sentence."""
        return [example.words]

    def label_sets(self, examples: Sequence[PredicateFrame]) -> LabelSets:
        """Return the BIO tags of all roles."""
        roles = sorted({label for example in examples for label, _, _ in example.spans})
        return {"labels": ["O", *(f"{prefix}-{role}" for role in roles for prefix in "BI")]}

    def labels(self, label_sets: LabelSets) -> list[str]:
        """Return the roles of arguments."""
        return [role for role in bio_labels(label_sets["labels"]) if role != "V"]

    def build(self, words: TaskInputs, label_sets: LabelSets, settings: SRLSettings) -> SRLModel:
        """Build a model with new weights."""
        return SRLModel(words, label_sets["labels"], settings)

    def score(self, examples: Sequence[PredicateFrame], predictions: Sequence[list[LabeledSpan]]) -> dict[str, float]:
        """Return precision, recall and F1 of arguments. The predicate itself is given and does not count."""
        scores = srl_scores([example.spans for example in examples], predictions)
        return {"F1": scores.f1, "precision": scores.precision, "recall": scores.recall}

    def split(self, text: str, tokenizer: Tokenizer) -> Document:
        """Split a text in which predicates may be between asterisks."""
        document = Document.split(MARKED.sub(r"\1", text), tokenizer)
        spans, marked = _spans_with_marks(text, document.spans)
        return replace(document, text=text, spans=spans, marked=marked)

    def examples(self, documents: Sequence[Document], label_sets: LabelSets) -> list[PredicateFrame]:
        """Return a frame for each predicate between asterisks, or else one per sentence, whose predicates are found."""
        [document] = documents
        marked = set(document.marked)
        frames = []
        for offset, words in document.pieces(LONGEST_SENTENCE):
            given = tuple(position for position in range(len(words)) if offset + position in marked)
            chosen = given if marked else (None,)
            frames += [PredicateFrame(words, predicate, [], given, offset) for predicate in chosen]
        return frames

    def documents(self, example: PredicateFrame) -> tuple[Document, ...]:
        """Return the sentence."""
        return (Document.joined([example.words]),)

    def result(
        self,
        documents: Sequence[Document],
        examples: Sequence[PredicateFrame],
        details: Sequence[list[FrameSpans]],
    ) -> RoleResult:
        """Return the frames of all predicates."""
        [document] = documents
        frames = []
        for example, found in zip(examples, details, strict=True):
            offset = example.offset
            sentence = FoundSpan.of(document, offset, offset + len(example.words))
            for predicate, spans in found:
                arguments = tuple(
                    Argument.of(document, offset + start, offset + end, label=label)
                    for label, start, end in spans
                    if label != "V"
                )
                verb = FoundSpan.of(document, offset + predicate, offset + predicate + 1)
                frames.append(Frame(verb, arguments, sentence))
        return RoleResult(document.text, document.sentences, tuple(frames))


def _spans_with_marks(text: str, spans: Sequence[Span]) -> tuple[tuple[Span, ...], tuple[int, ...]]:
    """Find the words of a text in which predicates are between asterisks.

    Args:
        text: The text with its asterisks.
        spans: The characters of each word in the text without them.

    Returns:
        The characters of each word in the text with its asterisks, and the positions of the words that are marked.
    """
    marks = [mark for match in MARKED.finditer(text) for mark in (match.start(), match.end() - 1)]
    unmarked = [mark - number for number, mark in enumerate(marks)]  # where they were in the text without them
    ends = [end for _, end in spans]
    positions = sorted({bisect_right(ends, mark) for mark in unmarked[::2]})
    moved = [(start + bisect_right(unmarked, start), end + bisect_left(unmarked, end)) for start, end in spans]
    return tuple(moved), tuple(positions)
