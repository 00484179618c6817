"""Semantic role labeling: who did what to whom, for one predicate of a sentence at a time.

After He et al. (2017): words and a predicate indicator, a deep stack of highway LSTM layers of alternating direction,
and a BIO tag for every word. Tags are trained independently and decoded as a valid sequence. The score is the F1 of
arguments, as srl-eval counts them.
"""

import re
from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

import torch
from torch import Tensor, nn
from torch.nn import functional

from elmo.datasets.columns import LabeledSpan, PredicateFrame, bio_spans, bio_tags, read_frames
from elmo.settings import Depth, Dropout, Size, check_fields
from elmo.tasks.crf import best_paths, bio_constraints, constraint_scores
from elmo.tasks.inputs import TaskInputs
from elmo.tasks.metrics import srl_scores
from elmo.tasks.task import LabelSets, Task, TaskModel
from elmo.text.alignment import SourceText, Span, word_spans
from elmo.text.tokens import words as split_words
from elmo.validation import checked_text

MARKED = re.compile(r"(?<![\w*])\*([^\s*]+)\*(?![\w*])")
"""A predicate that a user marked with asterisks."""
PADDING_TAG = -100


@dataclass(frozen=True)
class SRLSettings:
    """Hyperparameters of the model."""

    dim: Size
    """Hidden size of a layer."""
    n_layers: Depth
    dropout: Dropout
    """On the output of every layer, including the recurrent connection; one mask for all words of a sentence."""
    predicate_dim: Size
    """Dimension of the predicate indicator."""

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
        self.layers = nn.ModuleList(
            HighwayLSTM(before, after, settings.dropout, reverse=index % 2 == 1)
            for index, (before, after) in enumerate(pairwise(widths))
        )
        self.project = nn.Linear(settings.dim + words.output_dim, len(tags))
        nn.init.orthogonal_(self.project.weight)
        nn.init.zeros_(self.project.bias)
        for name, allowed in zip(("transitions", "start", "end"), bio_constraints(tags), strict=True):
            self.register_buffer(name, constraint_scores(allowed), persistent=False)

    def forward(self, examples: Sequence[PredicateFrame]) -> Tensor:
        """Return the cross-entropy, averaged over the words of each frame and then over the frames."""
        scores, mask = self._scores(examples)
        rows = []
        for example in examples:
            tags = bio_tags(example.spans, len(example.words))
            rows.append([self.tag_ids.get(tag, self.tag_ids["O"]) for tag in tags])
            rows[-1] += [PADDING_TAG] * (mask.shape[1] - len(tags))
        gold = torch.tensor(rows).to(scores.device)  # (B, T)
        losses = functional.cross_entropy(scores.mT, gold, ignore_index=PADDING_TAG, reduction="none")  # (B, T)
        return (losses.sum(1) / mask.sum(1)).mean()

    def predict(self, examples: Sequence[PredicateFrame]) -> list[list[LabeledSpan]]:
        """Return the arguments of the best valid tag sequence of each frame."""
        scores, mask = self._scores(examples)
        paths = best_paths(scores, mask, self.transitions, self.start, self.end)
        return [bio_spans([self.tags[index] for index in path]) for path in paths]

    def _scores(self, examples: Sequence[PredicateFrame]) -> tuple[Tensor, Tensor]:
        x, extra, mask, _ = self.words([example.words for example in examples])
        predicates = torch.tensor([example.predicate for example in examples]).to(mask.device)
        is_predicate = torch.arange(mask.shape[1], device=mask.device) == predicates[:, None]  # (B, T)
        encoded = torch.cat([x, self.mark(is_predicate.long()) * mask[:, :, None]], -1).transpose(0, 1)  # (T, B, I)
        for layer in self.layers:
            encoded = layer(encoded, mask.mT)  # (T, B, D)
        return self.project(torch.cat([encoded.transpose(0, 1), extra], -1)), mask  # (B, T, tags)


class HighwayLSTM(nn.Module):
    """A unidirectional LSTM layer with a highway gate r, through which a projection of the input bypasses the cell.

    o, r, i, f = sigmoid(...), g = tanh(...)  of the input x and the previous output h
    c = f * c + i * g
    h = r * o * tanh(c) + (1 - r) * (x @ highway)
    """

    def __init__(self, input_dim: int, dim: int, dropout: float, reverse: bool) -> None:
        super().__init__()
        self.dim, self.dropout, self.reverse = dim, dropout, reverse
        self.weight = nn.Parameter(torch.empty(input_dim, 5 * dim))  # o, r, i, f, g
        self.recurrent = nn.Parameter(torch.empty(dim, 5 * dim))
        self.bias = nn.Parameter(torch.zeros(5 * dim))
        # No bias: the output must stay zero at padding, where the input is zero.
        self.highway = nn.Parameter(torch.empty(input_dim, dim))
        with torch.no_grad():
            for matrix in (*self.weight.split(dim, 1), *self.recurrent.split(dim, 1), self.highway):
                nn.init.orthogonal_(matrix)
            self.bias[3 * dim : 4 * dim] = 1  # the forget gate starts open

    def forward(self, x: Tensor, mask: Tensor) -> Tensor:
        """Map (T, B, input_dim) to (T, B, dim), both zero at padding. ``mask`` (T, B) is True at words."""
        dropout_mask = None
        if self.training and self.dropout > 0:
            dropout_mask = functional.dropout(x.new_ones(x.shape[1], self.dim), self.dropout)  # (B, D)
        steps = _HighwaySteps.apply
        return steps(x, self.weight, self.bias, self.recurrent, self.highway, mask, dropout_mask, self.reverse)


class _HighwaySteps(torch.autograd.Function):
    """All steps of a layer, with a hand-written backward pass.

    Whatever does not depend on other steps is computed for all of them at once. On a GPU the time of these loops is
    proportional to the number of operations, so few are left: 9 per step, and 6 per step of the backward pass.
    """

    @staticmethod
    def forward(
        ctx: Any,
        x: Tensor,
        weight: Tensor,
        bias: Tensor,
        recurrent: Tensor,
        highway: Tensor,
        mask: Tensor,
        dropout_mask: Tensor | None,
        reverse: bool,
    ) -> Tensor:
        length, rows, dim = x.shape[0], x.shape[1], recurrent.shape[0]
        flat = x.flatten(0, 1)
        gates = torch.addmm(bias, flat, weight).view(length, rows, 5 * dim)
        # With input and forget gates closed, cell and output are zero at padding, in either direction.
        gates[:, :, 2 * dim : 4 * dim].masked_fill_(~mask[:, :, None], -torch.inf)
        bypass = (flat @ highway).view(length, rows, dim)
        # A row of zeros before and after: the initial state of either direction.
        cells, outputs = x.new_zeros(2, length + 2, rows, dim)
        previous = slice(2, None) if reverse else slice(0, -2)
        scratch = x.new_empty(rows, dim)
        steps = zip(
            gates,
            gates[:, :, : 4 * dim].unbind(),
            *(part.unbind() for part in gates.split(dim, -1)),
            bypass.unbind(),
            cells[previous].unbind(),
            cells[1:-1].unbind(),
            outputs[previous].unbind(),
            outputs[1:-1].unbind(),
            strict=True,
        )
        for gate, sigmoids, o, r, i, f, g, skip, old_cell, cell, old_output, output in _ordered(steps, reverse):
            gate.addmm_(old_output, recurrent)
            sigmoids.sigmoid_()
            g.tanh_()
            torch.mul(f, old_cell, out=cell).addcmul_(i, g)
            torch.tanh(cell, out=scratch).mul_(o)
            torch.lerp(skip, scratch, r, out=output)
            if dropout_mask is not None:
                output.mul_(dropout_mask)
        ctx.save_for_backward(x, weight, recurrent, highway, gates, bypass, cells, outputs)
        ctx.dropout_mask, ctx.reverse, ctx.previous = dropout_mask, reverse, previous
        return outputs[1:-1].clone()

    @staticmethod
    def backward(ctx: Any, d_outputs: Tensor) -> Any:
        x, weight, recurrent, highway, gates, bypass, cells, outputs = ctx.saved_tensors
        length, rows, dim = bypass.shape
        o, r, i, f, g = gates.split(dim, -1)  # (T, B, D)
        tanh_cells = cells[1:-1].tanh()
        # Derivatives of the gates. The loop multiplies those of o and r by the output's gradient, others by the cell's.
        d_gates = torch.stack(
            [
                r * tanh_cells * o * (1 - o),
                (o * tanh_cells - bypass) * r * (1 - r),
                g * i * (1 - i),
                cells[ctx.previous] * f * (1 - f),
                i * (1 - g * g),
            ],
            2,
        )  # (T, B, 5, D)
        d_output_cell = r * o * (1 - tanh_cells * tanh_cells)
        d_raw = torch.empty_like(bypass)  # of the outputs before dropout
        d_cell = x.new_zeros(rows, dim)
        wide_cell = d_cell[:, None]  # (B, 1, D)
        back = recurrent.mT
        d_next, f_next = x.new_zeros(rows, 5 * dim), d_cell
        steps = zip(
            d_gates.flatten(2),
            d_gates[:, :, :2].unbind(),
            d_gates[:, :, 2:].unbind(),
            f.unbind(),
            d_output_cell.unbind(),
            d_outputs.unbind(),
            d_raw.unbind(),
            d_raw[:, :, None].unbind(),
            strict=True,
        )
        for d_gate, by_output, by_cell, kept, d_tanh, d_output, d_here, wide_here in _ordered(steps, not ctx.reverse):
            torch.addmm(d_output, d_next, back, out=d_here)
            if ctx.dropout_mask is not None:
                d_here.mul_(ctx.dropout_mask)
            d_cell.mul_(f_next).addcmul_(d_here, d_tanh)
            by_output.mul_(wide_here)
            by_cell.mul_(wide_cell)
            d_next, f_next = d_gate, kept
        flat, d_flat = x.flatten(0, 1), d_gates.view(length * rows, 5 * dim)
        d_bypass = (d_raw * (1 - r)).flatten(0, 1)
        d_x = torch.addmm(d_flat @ weight.mT, d_bypass, highway.mT).view_as(x)
        d_recurrent = outputs[ctx.previous].flatten(0, 1).mT @ d_flat
        return d_x, flat.mT @ d_flat, d_flat.sum(0), d_recurrent, flat.mT @ d_bypass, None, None, None


def _ordered(steps: Any, reverse: bool) -> Any:
    """Return the steps in the order of their computation."""
    return reversed(list(steps)) if reverse else steps


class SemanticRoles(Task[PredicateFrame, list[LabeledSpan]]):
    """Find the arguments of predicates and label their roles."""

    name = "srl"
    objective = "F1"
    settings = SRLSettings

    def read(self, path: Path) -> list[PredicateFrame]:
        """Read the columns of CoNLL-2012 (OntoNotes), one frame per predicate."""
        return read_frames(path)

    def sequences(self, example: PredicateFrame) -> Sequence[Sequence[str]]:
        """Return the sentence."""
        return [example.words]

    def label_sets(self, examples: Sequence[PredicateFrame]) -> LabelSets:
        """Return the BIO tags of all roles, and the words that are mostly predicates, to find them in plain text."""
        roles = sorted({label for example in examples for label, _, _ in example.spans})
        seen: Counter[str] = Counter()
        predicates: Counter[str] = Counter()
        for words, positions in {(tuple(example.words), example.predicates) for example in examples}:
            seen.update(word.lower() for word in words)
            predicates.update(words[position].lower() for position in set(positions))
        return {
            "labels": ["O", *(f"{prefix}-{role}" for role in roles for prefix in "BI")],
            "predicates": sorted(word for word, count in predicates.items() if 2 * count >= seen[word]),
        }

    def build(self, words: TaskInputs, label_sets: LabelSets, settings: SRLSettings) -> SRLModel:
        """Build a model with new weights."""
        return SRLModel(words, label_sets["labels"], settings)

    def score(self, examples: Sequence[PredicateFrame], predictions: Sequence[list[LabeledSpan]]) -> dict[str, float]:
        """Return precision, recall and F1 of arguments. The predicate itself is given and does not count."""
        scores = srl_scores([example.spans for example in examples], predictions)
        return {"F1": scores.f1, "precision": scores.precision, "recall": scores.recall}

    def from_text(self, text: str, label_sets: LabelSets) -> list[PredicateFrame]:
        """Make a frame for each predicate of a sentence: those between asterisks, or else all known predicates."""
        text = checked_text("text", text)
        words = split_words(MARKED.sub(r"\1", text))
        spans, positions = _spans_with_marks(text, words)
        if not positions:
            known = set(label_sets["predicates"])
            positions = [position for position, word in enumerate(words) if word.lower() in known]
        if not positions:
            raise ValueError(f"{text.strip()!r} has no known predicate; mark one like this: The cat *sat* on the mat.")
        source = SourceText(text, spans)
        return [PredicateFrame(words, position, [], tuple(positions), source) for position in positions]

    def record(self, example: PredicateFrame, prediction: list[LabeledSpan]) -> dict[str, Any]:
        """Return the text, its words, the position of the predicate, and its arguments, in words and in characters."""
        source = example.source or SourceText.joined(example.words)
        arguments = [{"label": label, **source.record(start, end)} for label, start, end in prediction]
        return {"text": source.text, "words": example.words, "predicate": example.predicate, "arguments": arguments}


def _spans_with_marks(text: str, words: Sequence[str]) -> tuple[tuple[Span, ...], list[int]]:
    """Find the words of a text in which predicates are between asterisks.

    Returns:
        The characters of each word in the text with its asterisks, and the positions of the words that are marked.
    """
    marks = [mark for match in MARKED.finditer(text) for mark in (match.start(), match.end() - 1)]
    unmarked = [mark - number for number, mark in enumerate(marks)]  # where they were in the text without them
    spans = word_spans(MARKED.sub(r"\1", text), words)
    ends = [end for _, end in spans]
    positions = sorted({bisect_right(ends, mark) for mark in unmarked[::2]})
    moved = [(start + bisect_right(unmarked, start), end + bisect_left(unmarked, end)) for start, end in spans]
    return tuple(moved), positions
