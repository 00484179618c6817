"""Questions about a passage: attention between the two, self-attention, and a part of the passage as the answer.

After Clark & Gardner (2017), which is BiDAF (Seo et al. 2017) made simpler, with self-attention. The passage is
read as one sequence. The scores are the exact match and the F1 of SQuAD.
"""

import json
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, TypeVar

import torch
from rich.text import Text
from torch import Tensor, nn

from elmo.datasets.lines import bad_line
from elmo.tasks.inputs import TaskInputs
from elmo.tasks.layers import Encoder, VariationalDropout, masked_softmax
from elmo.tasks.metrics import squad_scores
from elmo.tasks.task import LabelSets, Task, TaskModel
from elmo.text.reading import read_text
from elmo.text.tokens import words as split_words

LONGEST_ANSWER = 17
"""Words in an answer, at most: to learn from, and to predict."""
LONGEST_PASSAGE = 400
"""Words of a passage that are read in training; in predictions all are."""
SEPARATOR = "|||"
"""Between question and passage where a user types both."""
HOW_TO_TYPE = f'type a question, {SEPARATOR} and a passage: "Who came? {SEPARATOR} Ann came, and Bob left."'

Span = tuple[int, int]
"""The first place, and the place after the last."""
T = TypeVar("T")


@dataclass(frozen=True)
class Passage:
    """A text with its words and where they stand. All questions about it share one, so it is split only once."""

    text: str
    words: tuple[str, ...]
    starts: tuple[int, ...]
    """The character that each word begins at."""

    @classmethod
    def of(cls, text: str) -> "Passage":
        """Split a text in words."""
        words = tuple(split_words(text))
        starts: list[int] = []
        at = 0
        for word in words:
            # Nothing but white space is lost in splitting, so that the next occurrence is the word itself.
            at = text.index(word, at)
            starts.append(at)
            at += len(word)
        return cls(text, words, tuple(starts))

    def end(self, place: int) -> int:
        """The character after a word."""
        return self.starts[place] + len(self.words[place])

    def words_of(self, characters: Span) -> Span:
        """The words that lie in a stretch of characters, if only in part."""
        start, end = characters
        return bisect_right(range(len(self.words)), start, key=self.end), bisect_left(self.starts, end)


@dataclass(frozen=True)
class Question:
    """A question about a passage, with its answers."""

    id: str
    text: str
    words: tuple[str, ...]
    passage: Passage
    answers: tuple[str, ...]
    """Any of them is right."""
    span: Span
    """The words of the first answer, to learn from; (0, 0) where there is no answer."""


@dataclass(frozen=True)
class QASettings:
    """Sizes of the model."""

    dim: int
    """Of a GRU in one direction; dense layers are twice as wide."""
    dropout: float
    """On the input of every GRU and of the attention."""


class QAModel(TaskModel[Question, Span]):
    """BiDAF with self-attention. B questions of J words, passages of T words; a prediction is in characters."""

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
        """The negative log likelihood of the first and of the last word, on average."""
        start, end = self._scores(examples)
        first, after = torch.tensor([example.span for example in examples]).to(start.device).unbind(1)  # (B,)
        return (nn.functional.cross_entropy(start, first) + nn.functional.cross_entropy(end, after - 1)) / 2

    def predict(self, examples: Sequence[Question]) -> list[Span]:
        """The likeliest part of each passage, in characters."""
        found = best_spans(*self._scores(examples), LONGEST_ANSWER).tolist()
        passages = [example.passage for example in examples]
        return [(p.starts[first], p.end(last)) for p, (first, last) in zip(passages, found, strict=True)]

    def _scores(self, examples: Sequence[Question]) -> tuple[Tensor, Tensor]:
        """How well an answer begins and ends at each word, (B, T) each; as low as can be at padding."""
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
        """Questions or passages, by the same GRU."""
        x, extra, mask, lengths = self.words(sequences)
        return self.dropout(torch.cat([self.encoder(x, lengths), extra], -1)), mask, lengths


class Trilinear(nn.Module):
    """``a·x + b·y + c·(x*y)`` for every pair of vectors, where a, b and c are learned."""

    def __init__(self, dim: int) -> None:
        super().__init__()
        self.left = nn.Linear(dim, 1, bias=False)
        self.right = nn.Linear(dim, 1, bias=False)
        self.both = nn.Parameter(torch.empty(dim).uniform_(-(dim**-0.5), dim**-0.5))

    def forward(self, x: Tensor, y: Tensor) -> Tensor:
        """(B, T, D) and (B, J, D) to (B, T, J)."""
        # c·(x*y) = (c*x)·y: a product of matrices, without the products of all pairs of vectors in memory.
        return (self.both * x) @ y.transpose(1, 2) + self.left(x) + self.right(y).transpose(1, 2)


class BiAttention(nn.Module):
    """What the question says about each word of the passage, and which words of the passage it is about."""

    def __init__(self, dim: int) -> None:
        super().__init__()
        self.scores = Trilinear(dim)

    def forward(self, passage: Tensor, question: Tensor, mask: Tensor, question_mask: Tensor) -> Tensor:
        """(B, T, H) and (B, J, H) to (B, T, 4 H)."""
        scores = self.scores(passage, question)  # (B, T, J)
        to_question = masked_softmax(scores, question_mask[:, None]) @ question  # (B, T, H)
        # How much a word matters is how well it fits the word of the question that it fits best.
        best = scores.masked_fill(~question_mask[:, None], torch.finfo(scores.dtype).min).amax(2)  # (B, T)
        to_passage = masked_softmax(best, mask)[:, None] @ passage  # (B, 1, H)
        return torch.cat([passage, to_question, passage * to_question, passage * to_passage], -1)


class SelfAttention(nn.Module):
    """What the rest of the passage says about each of its words, added to what is known of the word."""

    def __init__(self, dim: int, dropout: float) -> None:
        super().__init__()
        self.encoder = Encoder(dim, dim // 2, 1, dropout, "gru")
        self.dropout = VariationalDropout(dropout)
        self.scores = Trilinear(dim)
        self.dense = nn.Linear(3 * dim, dim)

    def forward(self, x: Tensor, mask: Tensor, lengths: Sequence[int]) -> Tensor:
        """(B, T, D) to (B, T, D)."""
        encoded = self.dropout(self.encoder(x, lengths))  # (B, T, D)
        # A word is most like itself, and would learn nothing from that.
        others = mask[:, None] & ~torch.eye(x.shape[1], dtype=torch.bool, device=x.device)  # (B, T, T)
        attended = masked_softmax(self.scores(encoded, encoded), others) @ encoded  # (B, T, D)
        return x + torch.relu(self.dense(torch.cat([encoded, attended, encoded * attended], -1)))


def best_spans(start: Tensor, end: Tensor, longest: int) -> Tensor:
    """The first and the last word of the best span of at most ``longest`` words: (B, T) and (B, T) to (B, 2)."""
    ends = nn.functional.pad(end, (0, longest - 1), value=-torch.inf).unfold(1, longest, 1)  # (B, T, longest)
    best_end, more = ends.max(2)  # (B, T): for an answer that begins here
    first = (start + best_end).argmax(1, keepdim=True)  # (B, 1)
    return torch.cat([first, first + more.gather(1, first)], 1)


class QuestionAnswering(Task[Question, Span]):
    """Find the answer to a question in a passage."""

    name = "squad"
    objective = "F1"
    settings = QASettings

    def read(self, path: Path) -> list[Question]:
        """The JSON of SQuAD 1.1."""
        try:
            content = json.loads(read_text(path))
        except json.JSONDecodeError as error:
            raise bad_line(path, error.lineno, f"is not JSON ({error.msg})") from None
        questions: list[Question] = []
        for number, article in enumerate(_part(content, "data", list, str(path))):
            where = f"{path}, data[{number}]"
            for place, paragraph in enumerate(_part(article, "paragraphs", list, where)):
                questions += _read_paragraph(paragraph, path, f"{where}.paragraphs[{place}]")
        return questions

    def sequences(self, example: Question) -> Sequence[Sequence[str]]:
        """The question and the passage."""
        return [example.words, example.passage.words]

    def label_sets(self, examples: Sequence[Question]) -> LabelSets:
        """Nothing: any part of a passage can be an answer."""
        return {}

    def for_training(self, examples: list[Question]) -> list[Question]:
        """Passages cut to ``LONGEST_PASSAGE``, without the questions that have no answer there, or a long one."""
        cut: dict[int, Passage] = {}  # by identity: questions go on to share their passage
        chosen: list[Question] = []
        for example in examples:
            first, after = example.span
            if not 0 < after - first <= LONGEST_ANSWER or after > LONGEST_PASSAGE:
                continue
            passage = example.passage
            if len(passage.words) > LONGEST_PASSAGE:
                if id(passage) not in cut:
                    words, starts = passage.words[:LONGEST_PASSAGE], passage.starts[:LONGEST_PASSAGE]
                    cut[id(passage)] = replace(passage, words=words, starts=starts)
                example = replace(example, passage=cut[id(passage)])
            chosen.append(example)
        if not chosen:
            raise ValueError(f"none of the training questions has an answer of at most {LONGEST_ANSWER} words")
        return chosen

    def build(self, words: TaskInputs, label_sets: LabelSets, settings: QASettings) -> QAModel:
        """A fresh model."""
        return QAModel(words, settings)

    def score(self, examples: Sequence[Question], predictions: Sequence[Span]) -> dict[str, float]:
        """F1 of the words and exact match, as SQuAD counts them."""
        found = [example.passage.text[slice(*span)] for example, span in zip(examples, predictions, strict=True)]
        exact, f1 = squad_scores(found, [example.answers for example in examples])
        return {"F1": f1, "EM": exact}

    def from_text(self, text: str, label_sets: LabelSets) -> list[Question]:
        """``question ||| passage``."""
        question, separator, passage = (part.strip() for part in text.partition(SEPARATOR))
        if not (question and separator and passage):
            raise ValueError(f"{text.strip()!r}: {HOW_TO_TYPE}")
        return [Question("", question, tuple(split_words(question)), Passage.of(passage), (), (0, 0))]

    def show(self, example: Question, prediction: Span) -> Text:
        """The question, and the passage with the answer coloured."""
        start, end = prediction
        passage = example.passage.text
        text = Text()
        text.append(example.text, style="bold")
        text.append("\n" + passage[:start])
        text.append(f"[{passage[start:end]}]", style="bold green")
        text.append(passage[end:])
        return text

    def record(self, example: Question, prediction: Span) -> dict[str, Any]:
        """The answer, and where it stands in the passage, in characters."""
        start, end = prediction
        answer = example.passage.text[start:end]
        return {"id": example.id, "question": example.text, "answer": answer, "start": start, "end": end}


def _read_paragraph(paragraph: Any, path: Path, where: str) -> list[Question]:
    """The questions about a passage."""
    passage = Passage.of(_part(paragraph, "context", str, where))
    if not passage.words:
        raise ValueError(f"{where}: the context is empty")
    questions: list[Question] = []
    for number, entry in enumerate(_part(paragraph, "qas", list, where)):
        name = _part(entry, "id", str, f"{where}.qas[{number}]")
        here = f"{path}, question {name}"
        text = _part(entry, "question", str, here).strip()
        if not text:
            raise ValueError(f"{here}: the question is empty")
        answers = [_read_answer(answer, passage, here) for answer in _part(entry, "answers", list, here)]
        if not answers:
            raise ValueError(f"{here}: has no answers (questions without one, as in SQuAD 2, are not read)")
        words = tuple(split_words(text))
        span = passage.words_of(answers[0][1])
        questions.append(Question(name, text, words, passage, tuple(answer for answer, _ in answers), span))
    return questions


def _read_answer(answer: Any, passage: Passage, where: str) -> tuple[str, Span]:
    """The text of an answer, and its characters in the passage."""
    text, start = _part(answer, "text", str, where), _part(answer, "answer_start", int, where)
    if not text.strip():
        raise ValueError(f"{where}: an answer is empty")
    if start < 0 or not passage.text.startswith(text, start):
        raise ValueError(f"{where}: the answer {text!r} is not in the context at character {start}")
    return text, (start, start + len(text))


def _part(holder: Any, key: str, kind: type[T], where: str) -> T:
    """A value in an object of JSON."""
    if not isinstance(holder, dict):
        raise ValueError(f"{where}: is not an object with {key!r}")
    if key not in holder:
        raise ValueError(f"{where}: has no {key!r}")
    value = holder[key]
    if not isinstance(value, kind):
        raise ValueError(f"{where}: {key!r} should be a {kind.__name__}, not {value!r:.40}")
    return value
