"""Question answering: find the answer to a question as a span of a passage.

After Clark & Gardner (2017), who simplify BiDAF (Seo et al. 2017), add self-attention, and train for the sum of the
probabilities of all places where the words of the answer occur, because the one that is marked may not be the one that
the question is about. The scores are the exact match and F1 of SQuAD.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import NamedTuple

import numpy as np
import torch
from torch import Tensor, nn

from elmo.datasets.squad import Passage, Question, read_squad
from elmo.engines.cuda import to_device
from elmo.settings import Dropout, Size, check_fields
from elmo.tasks.inputs import TaskInputs
from elmo.tasks.layers import Encoder, VariationalDropout, masked_softmax
from elmo.tasks.metrics import squad_scores
from elmo.tasks.results import Answer, AnswerResult
from elmo.tasks.task import LabelSets, Task, TaskModel, check_size
from elmo.text.alignment import Span
from elmo.text.documents import Document
from elmo.text.tokens import words as split_words

MAX_ANSWER = 17
"""Maximum number of words of an answer, in training and in predictions."""
MAX_PASSAGE = 400
"""Maximum number of words of a passage in training. Predictions read the whole passage."""
MAX_QUESTION = 1000
"""Maximum number of words of a question that a user asks."""
WINDOW, STEP = 1000, 800
"""A longer passage that a user gives is read in windows of ``WINDOW`` words, one every ``STEP`` words. Every word of a
window is compared with every other. An answer that is in two windows counts in one of them only, the one in which more
words surround it."""
BEST = 3
"""Number of answers to return."""


class AnswerScores(NamedTuple):
    """The best answers in a passage."""

    spans: list[tuple[float, Span]]
    """The score and the characters of each, the best one first."""
    total: float
    """The logarithm of the sum over all possible answers; the probability of an answer is exp(score - total)."""


@dataclass(frozen=True)
class QASettings:
    """Hyperparameters of the model."""

    dim: Size
    """Hidden size of a GRU in one direction; dense layers are twice as wide."""
    dropout: Dropout
    """On the input of every GRU and of the attention."""

    def __post_init__(self) -> None:
        """Check the types and limits of all settings."""
        check_fields(self)


class QAModel(TaskModel[Question, Span]):
    """BiDAF with self-attention, for questions of J words and passages of T words. Predictions count characters."""

    def __init__(self, words: TaskInputs, settings: QASettings) -> None:
        super().__init__()
        self.words = words
        dim, dropout = settings.dim, settings.dropout
        self.encoder = Encoder(words.input_dim, dim, 1, dropout, "gru")
        encoded_dim = self.encoder.output_dim + words.output_dim
        self.dropout = VariationalDropout(dropout)
        self.attention = BiAttention(encoded_dim)
        self.dense = nn.Linear(4 * encoded_dim, 2 * dim)
        self.self_attention = SelfAttention(2 * dim, dropout)
        self.start_encoder = Encoder(2 * dim, dim, 1, dropout, "gru")
        self.end_encoder = Encoder(4 * dim, dim, 1, dropout, "gru")
        self.start = nn.Linear(2 * dim, 1, bias=False)
        self.end = nn.Linear(2 * dim, 1, bias=False)

    def forward(self, examples: Sequence[Question]) -> Tensor:
        """Return the mean negative log-likelihood of the first and the last word of the answers."""
        start, end = self._scores(examples)
        places = [(example.span[0], *example.repeats) for example in examples]
        first = np.full((len(examples), max(map(len, places))), -1)  # (B, K): -1 for fewer than K places
        for row, found in zip(first, places, strict=True):
            row[: len(found)] = found
        lengths = np.array([[example.span[1] - example.span[0]] for example in examples])
        last = np.where(first < 0, -1, first + lengths - 1)
        return (_mean_loss(start, to_device(first, start.device)) + _mean_loss(end, to_device(last, end.device))) / 2

    def predict(self, examples: Sequence[Question]) -> list[Span]:
        """Return the most probable answer to each question, as a span of characters of its passage."""
        found = best_spans(*self._scores(examples), MAX_ANSWER).tolist()
        passages = [example.passage for example in examples]
        return [(p.spans[first][0], p.spans[last][1]) for p, (first, last) in zip(passages, found, strict=True)]

    def predict_in_detail(self, examples: Sequence[Question]) -> list[AnswerScores]:
        """Return the most probable answers to each question, among those that begin where they may."""
        start, end = self._scores(examples)
        for row, example in zip(start, examples, strict=True):
            if example.starts is not None:
                first, after = example.starts
                row[:first] = row[after:] = -torch.inf
        scores = (start[..., None] + _ends(end, MAX_ANSWER)).flatten(1)  # (B, T * longest)
        best, places = scores.topk(min(BEST, scores.shape[1]), 1)  # (B, 3)
        found = []
        for example, total, *row in zip(
            examples, scores.logsumexp(1).tolist(), best.tolist(), places.tolist(), strict=True
        ):
            spans = example.passage.spans
            answers = [(score, divmod(place, MAX_ANSWER)) for score, place in zip(*row, strict=True)]
            inside = [
                (score, first, first + more)
                for score, (first, more) in answers
                if first + more < len(spans) and score > -torch.inf
            ]
            found.append(AnswerScores([(score, (spans[a][0], spans[b][1])) for score, a, b in inside], total))
        return found

    def _scores(self, examples: Sequence[Question]) -> tuple[Tensor, Tensor]:
        """Score every word as the first and as the last of the answer, (B, T) each; padding has the lowest score."""
        question, question_mask, _ = self._encode([example.words for example in examples])  # (B, J, H)
        passage, mask, lengths = self._encode([example.passage.words for example in examples])  # (B, T, H)
        x = torch.relu(self.dense(self.attention(passage, question, mask, question_mask)))  # (B, T, 2 dim)
        x = self.self_attention(x, mask, lengths)
        start = self.start_encoder(x, lengths)  # (B, T, 2 dim)
        end = self.end_encoder(torch.cat([x, start], -1), lengths)  # (B, T, 2 dim)
        lowest = torch.finfo(x.dtype).min
        return (
            self.start(start).squeeze(-1).masked_fill(~mask, lowest),
            self.end(end).squeeze(-1).masked_fill(~mask, lowest),
        )

    def _encode(self, sequences: Sequence[Sequence[str]]) -> tuple[Tensor, Tensor, tuple[int, ...]]:
        """Encode questions or passages, both with the same GRU."""
        x, extra, mask, lengths = self.words(sequences)
        return self.dropout(torch.cat([self.encoder(x, lengths), extra], -1)), mask, lengths


class Trilinear(nn.Module):
    """Scores ``a·x + b·y + c·(x*y)`` of all pairs of vectors x and y, where a, b and c are learned."""

    def __init__(self, dim: int) -> None:
        super().__init__()
        self.left = nn.Linear(dim, 1, bias=False)
        self.right = nn.Linear(dim, 1, bias=False)
        self.both = nn.Parameter(torch.empty(dim).uniform_(-(dim**-0.5), dim**-0.5))

    def forward(self, x: Tensor, y: Tensor) -> Tensor:
        """Map (B, T, D) and (B, J, D) to (B, T, J)."""
        # c·(x*y) = (c*x)·y is a matrix product, which avoids the (B, T, J, D) products of all pairs.
        return (self.both * x) @ y.transpose(1, 2) + self.left(x) + self.right(y).transpose(1, 2)


class BiAttention(nn.Module):
    """Attention from the passage to the question and from the question to the passage."""

    def __init__(self, dim: int) -> None:
        super().__init__()
        self.scores = Trilinear(dim)

    def forward(self, passage: Tensor, question: Tensor, mask: Tensor, question_mask: Tensor) -> Tensor:
        """Map (B, T, H) and (B, J, H) to (B, T, 4 H)."""
        scores = self.scores(passage, question)  # (B, T, J)
        to_question = masked_softmax(scores, question_mask[:, None]) @ question  # (B, T, H)
        # The weight of a passage word is its score with the question word that fits it best.
        best = scores.masked_fill(~question_mask[:, None], torch.finfo(scores.dtype).min).amax(2)  # (B, T)
        to_passage = masked_softmax(best, mask)[:, None] @ passage  # (B, 1, H)
        return torch.cat([passage, to_question, passage * to_question, passage * to_passage], -1)


class SelfAttention(nn.Module):
    """Attention from each word of the passage to the others, with a residual connection."""

    def __init__(self, dim: int, dropout: float) -> None:
        super().__init__()
        self.encoder = Encoder(dim, dim // 2, 1, dropout, "gru")
        self.dropout = VariationalDropout(dropout)
        self.scores = Trilinear(dim)
        self.dense = nn.Linear(3 * dim, dim)

    def forward(self, x: Tensor, mask: Tensor, lengths: Sequence[int]) -> Tensor:
        """Map (B, T, D) to (B, T, D)."""
        encoded = self.dropout(self.encoder(x, lengths))  # (B, T, D)
        # A word would attend mostly to itself and learn nothing.
        others = mask[:, None] & ~torch.eye(x.shape[1], dtype=torch.bool, device=x.device)  # (B, T, T)
        attended = masked_softmax(self.scores(encoded, encoded), others) @ encoded  # (B, T, D)
        return x + torch.relu(self.dense(torch.cat([encoded, attended, encoded * attended], -1)))


def _mean_loss(scores: Tensor, places: Tensor) -> Tensor:
    """Return the mean negative log-likelihood that the right word is at one of several places.

    Args:
        scores: Scores of the words, (B, T).
        places: Positions, (B, K); -1 for none.
    """
    found = scores.log_softmax(1).gather(1, places.clamp(min=0)).masked_fill(places < 0, -torch.inf)  # (B, K)
    return -found.logsumexp(1).mean()


def best_spans(start: Tensor, end: Tensor, longest: int) -> Tensor:
    """Return the first and the last word of the best span of at most ``longest`` words.

    Args:
        start: Scores of the first word, (B, T).
        end: Scores of the last word, (B, T).
        longest: Maximum number of words.

    Returns:
        Positions, (B, 2).
    """
    best_end, more = _ends(end, longest).max(2)  # (B, T): for an answer that begins here
    first = (start + best_end).argmax(1, keepdim=True)  # (B, 1)
    return torch.cat([first, first + more.gather(1, first)], 1)


def _ends(end: Tensor, longest: int) -> Tensor:
    """Return the scores of the last word for each first word and length, (B, T) to (B, T, longest)."""
    return nn.functional.pad(end, (0, longest - 1), value=-torch.inf).unfold(1, longest, 1)


class QuestionAnswering(Task[Question, Span]):
    """Find the answer to a question in a passage."""

    name = "squad"
    title = "Question answering"
    objective = "F1"
    settings = QASettings
    parts = ("question", "passage")

    def read(self, path: Path) -> list[Question]:
        """Read the JSON of SQuAD 1.1."""
        return read_squad(path)

    def sequences(self, example: Question) -> Sequence[Sequence[str]]:
        """Return the question and the passage."""
        return [example.words, example.passage.words]

    def label_sets(self, examples: Sequence[Question]) -> LabelSets:
        """Return nothing: any span of a passage can be an answer."""
        return {}

    def for_training(self, examples: list[Question]) -> list[Question]:
        """Truncate passages to ``MAX_PASSAGE`` words, and drop questions whose answer is missing there or too long.

        If the words of an answer occur several times, each of the places counts as right.
        """
        truncated: dict[int, Passage] = {}  # by identity, so that questions still share their passage
        chosen: list[Question] = []
        for example in examples:
            first, after = example.span
            if not 0 < after - first <= MAX_ANSWER or after > MAX_PASSAGE:
                continue
            passage = example.passage
            if len(passage.words) > MAX_PASSAGE:
                if id(passage) not in truncated:
                    words, spans = passage.words[:MAX_PASSAGE], passage.spans[:MAX_PASSAGE]
                    truncated[id(passage)] = replace(passage, words=words, spans=spans)
                example = replace(example, passage=truncated[id(passage)])
            chosen.append(example.with_repeats())
        if not chosen:
            raise ValueError(f"none of the training questions has an answer of at most {MAX_ANSWER} words")
        return chosen

    def build(self, words: TaskInputs, label_sets: LabelSets, settings: QASettings) -> QAModel:
        """Build a model with new weights."""
        return QAModel(words, settings)

    def score(self, examples: Sequence[Question], predictions: Sequence[Span]) -> dict[str, float]:
        """Return F1 and exact match (EM), as SQuAD counts them."""
        found = [example.passage.text[slice(*span)] for example, span in zip(examples, predictions, strict=True)]
        exact, f1 = squad_scores(found, [example.answers for example in examples])
        return {"F1": f1, "EM": exact}

    def examples(self, documents: Sequence[Document], label_sets: LabelSets) -> list[Question]:
        """Make an example of the question and each window of the passage, split like those of the training data."""
        question, given = documents
        words = tuple(question.words if question.tokenized else split_words(question.text))
        passage = _passage(given)
        check_size("question", len(words), MAX_QUESTION)
        if not passage.words:
            raise ValueError("the passage is empty")
        begins = range(0, max(len(passage.words) - (WINDOW - STEP), 1), STEP)  # no window is part of the one before it
        middle = (WINDOW - STEP) // 2  # of the words that two windows share
        windows = []
        for begin in begins:
            part = slice(begin, begin + WINDOW)
            window = replace(passage, words=passage.words[part], spans=passage.spans[part])
            # An answer that begins before the middle also ends in the earlier window.
            starts = (
                0 if begin == begins[0] else middle,
                len(window.words) if begin == begins[-1] else STEP + middle,
            )
            windows.append(Question("", question.text, words, window, (), (0, 0), starts=starts))
        return windows

    def documents(self, example: Question) -> tuple[Document, ...]:
        """Return the question and the passage."""
        passage = example.passage
        question = Document(example.text, (example.words,), (), tokenized=True, name=example.id)
        return question, Document(passage.text, (passage.words,), passage.spans, tokenized=True)

    def result(
        self, documents: Sequence[Document], examples: Sequence[Question], details: Sequence[AnswerScores]
    ) -> AnswerResult:
        """Return the best answers in all windows of the passage."""
        question, given = documents
        passage = _passage(given)
        total = float(np.logaddexp.reduce([found.total for found in details]))
        best = sorted((answer for found in details for answer in found.spans), key=lambda answer: -answer[0])[:BEST]
        answers = tuple(
            Answer(given.text[slice(*span)], *span, passage.words_of(span), float(np.exp(score - total)))
            for score, span in best
        )
        first = answers[0]
        place = (first.text, first.start, first.end, first.probability)
        return AnswerResult(question.text, given.text, *place, answers, question.name)


def _passage(document: Document) -> Passage:
    if document.tokenized:
        return Passage(document.text, tuple(document.words), document.spans)
    return Passage.from_text(document.text)
