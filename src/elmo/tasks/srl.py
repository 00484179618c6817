"""Semantic roles: who did what to whom, for one predicate of a sentence at a time.

After He et al. (2017): words and a mark at the predicate, a deep stack of highway LSTM layers that read forwards and
backwards in turn, and a BIO label for every word, chosen by itself in training and as a valid sequence in
prediction. The score is the F1 of arguments, as srl-eval counts them.
"""

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate, pairwise
from pathlib import Path
from typing import Any

import torch
from rich.text import Text
from torch import Tensor, nn
from torch.nn import functional

from elmo.datasets.lines import bad_line
from elmo.tasks.crf import best_paths, bio_constraints, constraint_scores
from elmo.tasks.inputs import TaskInputs
from elmo.tasks.metrics import Span, bio_spans, srl_scores
from elmo.tasks.ner import bio_labels
from elmo.tasks.task import LabelSets, Task, TaskModel, blocks_of_columns
from elmo.text.tokens import words as split_words

WORD, SENSE, FIRST_ROLES = 3, 7, 11
"""Columns of CoNLL-2012: the word, the sense of a predicate, and the first of those of arguments, if any."""
LEAST_COLUMNS = 12
"""The last column is coreference, whether or not there are arguments before it."""
ROLE = re.compile(r"(?:\(([^\s()*]+))?\*(\))?")
ESCAPED = {"-LRB-": "(", "-RRB-": ")", "-LSB-": "[", "-RSB-": "]", "-LCB-": "{", "-RCB-": "}", "/.": ".", "/?": "?"}
"""How OntoNotes writes some marks; neither static vectors nor a biLM know them so."""
MARKED = re.compile(r"(?<![\w*])\*([^\s*]+)\*(?![\w*])")
"""A predicate in plain text."""
COLOURS = {"V": "bold", "ARG0": "blue", "ARG1": "green", "ARG2": "magenta", "ARG3": "yellow", "ARG4": "red"}
OTHER_COLOUR = "cyan"
NO_LABEL = -100
"""At padding."""


@dataclass(frozen=True)
class Frame:
    """A sentence and one of its predicates, with the predicate's arguments."""

    words: list[str]
    predicate: int
    spans: list[Span]
    """The arguments, and the predicate itself as V."""
    predicates: tuple[int, ...]
    """All predicates of the sentence."""


@dataclass(frozen=True)
class SRLSettings:
    """Sizes of the model."""

    dim: int
    """Of a layer."""
    n_layers: int
    dropout: float
    """On the output of every layer, the same for all words of a sentence, also where it recurs."""
    predicate_dim: int
    """Width of the vector that tells the predicate from other words."""


class SRLModel(TaskModel[Frame, list[Span]]):
    """Highway LSTM layers and a softmax for each word."""

    transitions: Tensor
    start: Tensor
    end: Tensor

    def __init__(self, words: TaskInputs, labels: Sequence[str], settings: SRLSettings) -> None:
        super().__init__()
        self.words = words
        self.labels = list(labels)
        self.numbers = {label: number for number, label in enumerate(labels)}
        self.mark = nn.Embedding(2, settings.predicate_dim)
        widths = [words.input_dim + settings.predicate_dim, *[settings.dim] * settings.n_layers]
        self.layers = nn.ModuleList(
            HighwayLSTM(before, after, settings.dropout, backwards=index % 2 == 1)
            for index, (before, after) in enumerate(pairwise(widths))
        )
        self.project = nn.Linear(settings.dim + words.output_dim, len(labels))
        nn.init.orthogonal_(self.project.weight)
        nn.init.zeros_(self.project.bias)
        for name, allowed in zip(("transitions", "start", "end"), bio_constraints(labels), strict=True):
            self.register_buffer(name, constraint_scores(allowed), persistent=False)

    def forward(self, examples: Sequence[Frame]) -> Tensor:
        """The mean cross entropy of a frame's words, on average over the frames."""
        scores, mask = self._scores(examples)
        other = self.numbers["O"]
        rows = []
        for example in examples:
            labels = bio_labels(example.spans, len(example.words))
            rows.append([self.numbers.get(label, other) for label in labels])
            rows[-1] += [NO_LABEL] * (mask.shape[1] - len(labels))
        gold = torch.tensor(rows).to(scores.device)  # (B, T)
        losses = functional.cross_entropy(scores.mT, gold, ignore_index=NO_LABEL, reduction="none")  # (B, T)
        return (losses.sum(1) / mask.sum(1)).mean()

    def predict(self, examples: Sequence[Frame]) -> list[list[Span]]:
        """The arguments of the best valid path."""
        scores, mask = self._scores(examples)
        paths = best_paths(scores, mask, self.transitions, self.start, self.end)
        return [bio_spans([self.labels[number] for number in path]) for path in paths]

    def _scores(self, examples: Sequence[Frame]) -> tuple[Tensor, Tensor]:
        x, extra, mask, _ = self.words([example.words for example in examples])
        predicates = torch.tensor([example.predicate for example in examples]).to(mask.device)
        is_predicate = torch.arange(mask.shape[1], device=mask.device) == predicates[:, None]  # (B, T)
        encoded = torch.cat([x, self.mark(is_predicate.long()) * mask[:, :, None]], -1).transpose(0, 1)  # (T, B, I)
        for layer in self.layers:
            encoded = layer(encoded, mask.mT)  # (T, B, D)
        return self.project(torch.cat([encoded.transpose(0, 1), extra], -1)), mask  # (B, T, labels)


class HighwayLSTM(nn.Module):
    """An LSTM layer in one direction, with a gate that lets a projection of its input pass by the cell.

    o, r, i, f = sigmoid(...), g = tanh(...)  of the input x and the last output h
    c = f * last c + i * g
    h = r * o * tanh(c) + (1 - r) * (x @ highway)
    """

    def __init__(self, input_dim: int, dim: int, dropout: float, backwards: bool) -> None:
        super().__init__()
        self.dim, self.dropout, self.backwards = dim, dropout, backwards
        self.weight = nn.Parameter(torch.empty(input_dim, 5 * dim))  # o, r, i, f, g
        self.recurrent = nn.Parameter(torch.empty(dim, 5 * dim))
        self.bias = nn.Parameter(torch.zeros(5 * dim))
        # It has no bias, so that padding, where the input is zero, stays zero.
        self.highway = nn.Parameter(torch.empty(input_dim, dim))
        with torch.no_grad():
            for matrix in (*self.weight.split(dim, 1), *self.recurrent.split(dim, 1), self.highway):
                nn.init.orthogonal_(matrix)
            self.bias[3 * dim : 4 * dim] = 1  # the forget gate begins open

    def forward(self, x: Tensor, mask: Tensor) -> Tensor:
        """(T, B, input_dim), zero at padding, to (T, B, dim), likewise; ``mask`` (T, B) is True at words."""
        dropped = None
        if self.training and self.dropout > 0:
            dropped = functional.dropout(x.new_ones(x.shape[1], self.dim), self.dropout)  # (B, D)
        steps = _HighwaySteps.apply
        return steps(x, self.weight, self.bias, self.recurrent, self.highway, mask, dropped, self.backwards)


class _HighwaySteps(torch.autograd.Function):
    """All steps of a layer, forwards and backwards by hand: what depends on no other step is done for all at once.

    On a GPU these loops are as slow as they have operations, so few are left: 9 a step, and 6 on the way back.
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
        dropped: Tensor | None,
        backwards: bool,
    ) -> Tensor:
        length, rows, dim = x.shape[0], x.shape[1], recurrent.shape[0]
        flat = x.flatten(0, 1)
        gates = torch.addmm(bias, flat, weight).view(length, rows, 5 * dim)
        # With nothing kept and nothing let in, cell and output are zero at padding, on whichever side it is met.
        gates[:, :, 2 * dim : 4 * dim].masked_fill_(~mask[:, :, None], -torch.inf)
        carried = (flat @ highway).view(length, rows, dim)
        # A row of zeros before and after, for the state before the first step of either direction.
        cells, outputs = x.new_zeros(2, length + 2, rows, dim)
        last = slice(2, None) if backwards else slice(0, -2)
        scratch = x.new_empty(rows, dim)
        steps = zip(
            gates,
            gates[:, :, : 4 * dim].unbind(),
            *(part.unbind() for part in gates.split(dim, -1)),
            carried.unbind(),
            cells[last].unbind(),
            cells[1:-1].unbind(),
            outputs[last].unbind(),
            outputs[1:-1].unbind(),
            strict=True,
        )
        for gate, sigmoids, o, r, i, f, g, past, last_cell, cell, last_output, output in _ordered(steps, backwards):
            gate.addmm_(last_output, recurrent)
            sigmoids.sigmoid_()
            g.tanh_()
            torch.mul(f, last_cell, out=cell).addcmul_(i, g)
            torch.tanh(cell, out=scratch).mul_(o)
            torch.lerp(past, scratch, r, out=output)
            if dropped is not None:
                output.mul_(dropped)
        ctx.save_for_backward(x, weight, recurrent, highway, gates, carried, cells, outputs)
        ctx.dropped, ctx.backwards, ctx.last = dropped, backwards, last
        return outputs[1:-1].clone()

    @staticmethod
    def backward(ctx: Any, d_outputs: Tensor) -> Any:
        x, weight, recurrent, highway, gates, carried, cells, outputs = ctx.saved_tensors
        length, rows, dim = carried.shape
        o, r, i, f, g = gates.split(dim, -1)  # (T, B, D)
        squashed = cells[1:-1].tanh()
        # The slopes of the gates, which the loop turns into gradients: o and r by the output's, the rest by the cell's.
        d_gates = torch.stack(
            [
                r * squashed * o * (1 - o),
                (o * squashed - carried) * r * (1 - r),
                g * i * (1 - i),
                cells[ctx.last] * f * (1 - f),
                i * (1 - g * g),
            ],
            2,
        )  # (T, B, 5, D)
        cell_slopes = r * o * (1 - squashed * squashed)
        d_raw = torch.empty_like(carried)  # of the outputs before dropout
        d_cell = x.new_zeros(rows, dim)
        wide_cell = d_cell[:, None]  # (B, 1, D)
        back = recurrent.mT
        d_next, f_next = x.new_zeros(rows, 5 * dim), d_cell
        steps = zip(
            d_gates.flatten(2),
            d_gates[:, :, :2].unbind(),
            d_gates[:, :, 2:].unbind(),
            f.unbind(),
            cell_slopes.unbind(),
            d_outputs.unbind(),
            d_raw.unbind(),
            d_raw[:, :, None].unbind(),
            strict=True,
        )
        for d_gate, by_output, by_cell, kept, slope, d_output, d_here, wide_here in _ordered(steps, not ctx.backwards):
            torch.addmm(d_output, d_next, back, out=d_here)
            if ctx.dropped is not None:
                d_here.mul_(ctx.dropped)
            d_cell.mul_(f_next).addcmul_(d_here, slope)
            by_output.mul_(wide_here)
            by_cell.mul_(wide_cell)
            d_next, f_next = d_gate, kept
        flat, d_flat = x.flatten(0, 1), d_gates.view(length * rows, 5 * dim)
        d_carried = (d_raw * (1 - r)).flatten(0, 1)
        d_x = torch.addmm(d_flat @ weight.mT, d_carried, highway.mT).view_as(x)
        d_recurrent = outputs[ctx.last].flatten(0, 1).mT @ d_flat
        return d_x, flat.mT @ d_flat, d_flat.sum(0), d_recurrent, flat.mT @ d_carried, None, None, None


def _ordered(steps: Any, backwards: bool) -> Any:
    """Steps in the order of their computation."""
    return reversed(list(steps)) if backwards else steps


class SemanticRoles(Task[Frame, list[Span]]):
    """Find the arguments of predicates and say what part they play."""

    name = "srl"
    objective = "F1"
    settings = SRLSettings

    def read(self, path: Path) -> list[Frame]:
        """The columns of CoNLL-2012 (OntoNotes): a frame for every column of arguments."""
        frames = []
        for block in blocks_of_columns(path):
            lines = [(number, fields) for number, fields in block if not fields[0].startswith("#")]
            if lines:
                frames += _read_sentence(path, lines)
        return frames

    def sequences(self, example: Frame) -> Sequence[Sequence[str]]:
        """The sentence."""
        return [example.words]

    def label_sets(self, examples: Sequence[Frame]) -> LabelSets:
        """The labels, as BIO; and words that are predicates more often than not, to find them in plain text."""
        kinds = sorted({label for example in examples for label, _, _ in example.spans})
        seen: Counter[str] = Counter()
        predicates: Counter[str] = Counter()
        for words, places in {(tuple(example.words), example.predicates) for example in examples}:
            seen.update(word.lower() for word in words)
            predicates.update(words[place].lower() for place in set(places))
        return {
            "labels": ["O", *(f"{prefix}-{kind}" for kind in kinds for prefix in "BI")],
            "predicates": sorted(word for word, count in predicates.items() if 2 * count >= seen[word]),
        }

    def build(self, words: TaskInputs, label_sets: LabelSets, settings: SRLSettings) -> SRLModel:
        """A fresh model."""
        return SRLModel(words, label_sets["labels"], settings)

    def score(self, examples: Sequence[Frame], predictions: Sequence[list[Span]]) -> dict[str, float]:
        """Precision, recall and F1 of arguments; the predicate itself is given and does not count."""
        scores = srl_scores([example.spans for example in examples], predictions)
        return {"F1": scores.f1, "precision": scores.precision, "recall": scores.recall}

    def from_text(self, text: str, label_sets: LabelSets) -> list[Frame]:
        """A sentence of plain text, with its predicates between asterisks or else looked up: a frame for each."""
        words = split_words(MARKED.sub(r"\1", text))
        # The words have all characters of the text but spaces, so the characters before a mark lead to its word.
        ends = list(accumulate(map(len, words)))
        befores = [len("".join(text[: match.start()].split())) for match in MARKED.finditer(text)]
        places = sorted({bisect_right(ends, before - 2 * count) for count, before in enumerate(befores)})
        if not places:
            known = set(label_sets["predicates"])
            places = [place for place, word in enumerate(words) if word.lower() in known]
        if not places:
            raise ValueError(f"{text.strip()!r} has no known predicate; mark one like this: The cat *sat* on the mat.")
        return [Frame(words, place, [], tuple(places)) for place in places]

    def show(self, example: Frame, prediction: list[Span]) -> Text:
        """The predicate, and the sentence with its arguments in coloured brackets."""
        text = Text().append(f"{example.words[example.predicate]}:", style="bold")
        at = 0
        for label, start, end in sorted(prediction, key=lambda span: span[1]):
            text.append("".join(" " + word for word in example.words[at:start]))
            colour = COLOURS.get(label.removeprefix("C-").removeprefix("R-"), OTHER_COLOUR)
            text.append(" ").append(f"[{label} {' '.join(example.words[start:end])}]", style=colour)
            at = end
        return text.append("".join(" " + word for word in example.words[at:]))

    def record(self, example: Frame, prediction: list[Span]) -> dict[str, Any]:
        """Words, the place of the predicate, and spans."""
        arguments = [{"label": label, "start": start, "end": end} for label, start, end in prediction]
        return {"words": example.words, "predicate": example.predicate, "arguments": arguments}


def _read_sentence(path: Path, lines: list[tuple[int, list[str]]]) -> list[Frame]:
    """The frames of a sentence."""
    first, width = lines[0][0], len(lines[0][1])
    for number, fields in lines:
        if len(fields) < LEAST_COLUMNS:
            raise bad_line(path, number, f"has {len(fields)} columns, not {LEAST_COLUMNS} or more as in CoNLL-2012")
        if len(fields) != width:
            raise bad_line(path, number, f"has {len(fields)} columns, the first line of the sentence {width}")
    columns = range(FIRST_ROLES, width - 1)
    roles = [_read_roles(path, [(number, fields[column]) for number, fields in lines]) for column in columns]
    senses = [place for place, (_, fields) in enumerate(lines) if fields[SENSE] != "-"]
    if len(senses) > len(roles):
        raise bad_line(path, first, f"begins a sentence of {len(senses)} predicates, but {len(roles)} argument columns")
    # A column belongs to the word of its V. There may be more columns than words with a sense, for some predicates
    # ("cross-checking") have lost theirs; so the senses serve only for a column without V.
    predicates = [next((start for label, start, _ in spans if label == "V"), -1) for spans in roles]
    if -1 in predicates:
        if len(senses) != len(roles):
            column = FIRST_ROLES + predicates.index(-1) + 1
            raise bad_line(path, first, f"begins a sentence in which nothing tells the predicate of column {column}")
        predicates = [sense if place < 0 else place for place, sense in zip(predicates, senses, strict=True)]
    words = [ESCAPED.get(fields[WORD], fields[WORD]) for _, fields in lines]
    return [Frame(words, place, spans, tuple(predicates)) for place, spans in zip(predicates, roles, strict=True)]


def _read_roles(path: Path, lines: list[tuple[int, str]]) -> list[Span]:
    """The arguments in one column, like ``(ARG0*``, ``*)``, ``(V*)``."""
    spans: list[Span] = []
    label, start = "", -1
    for place, (number, field) in enumerate(lines):
        match = ROLE.fullmatch(field)
        if match is None:
            raise bad_line(path, number, f"{field!r} is not like (ARG0*, *, *) or (ARG0*)")
        opened, closed = match.groups()
        if opened and start >= 0:
            raise bad_line(path, number, f"{opened} begins before {label} has ended")
        if opened:
            label, start = opened, place
        if closed and start < 0:
            raise bad_line(path, number, "an argument ends that has not begun")
        if closed:
            spans.append((label, start, place + 1))
            start = -1
    if start >= 0:
        raise bad_line(path, lines[start][0], f"{label} begins here and never ends")
    return spans
