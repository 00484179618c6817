"""What task models find in a text, with its place in the text as it was given.

All positions called ``start`` and ``end`` count characters, so that ``text[found.start : found.end] == found.text``.
"""

import dataclasses
from abc import ABC, abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from elmo.tasks import html
from elmo.tasks.html import Mark
from elmo.text.alignment import Span
from elmo.text.documents import Document

ROLE_HUES = {"V": 7, "ARG0": 0, "ARG1": 1, "ARG2": 2, "ARG3": 3, "ARG4": 4}
OTHER_ROLE = 5


class TaskResult(ABC):
    """The result for one text."""

    def to_dict(self) -> dict[str, Any]:
        """Return the result as JSON: objects, lists, strings and numbers."""
        found: dict[str, Any] = _json(self)
        return found

    @abstractmethod
    def _html(self) -> str:
        """Return the HTML of the result, without the block around it."""

    def _repr_html_(self) -> str:
        """Return the result as a notebook shows it."""
        return html.block([self._html()])


def _json(value: Any) -> Any:
    if dataclasses.is_dataclass(value):
        items = ((field, getattr(value, field.name)) for field in dataclasses.fields(value))
        return {field.name: _json(inner) for field, inner in items if inner != field.default}
    if isinstance(value, dict):
        return {key: _json(inner) for key, inner in value.items()}
    return [_json(inner) for inner in value] if isinstance(value, list | tuple) else value


@dataclass(frozen=True)
class FoundSpan:
    """A part of a text, such as a mention."""

    text: str
    """Its characters."""
    start: int
    """First character in the text as given."""
    end: int
    """Character after the last."""
    words: Span
    """First word in the text, and word after the last. Words are counted through all sentences."""

    @classmethod
    def of(cls, document: Document, first: int, after: int, **more: Any) -> Any:
        """Return the words from ``first`` to before ``after`` of a document, with further fields of the class."""
        start, end = document.characters(first, after)
        return cls(document.text[start:end], start, end, (first, after), **more)


@dataclass(frozen=True)
class Entity(FoundSpan):
    """A named entity."""

    label: str
    """Its type."""
    probability: float
    """That exactly these words are an entity of this type."""


@dataclass(frozen=True)
class EntityResult(TaskResult):
    """The named entities of a text."""

    text: str
    """The text as given."""
    sentences: tuple[tuple[str, ...], ...]
    """The words that the model has read."""
    entities: tuple[Entity, ...]
    """In the order of the text."""

    def __iter__(self) -> Iterator[Entity]:
        return iter(self.entities)

    def __len__(self) -> int:
        return len(self.entities)

    def _html(self) -> str:
        labels = sorted({entity.label for entity in self.entities})
        marks = [Mark((e.start, e.end), e.label, labels.index(e.label)) for e in self.entities]
        return html.marked(self.text, marks)


@dataclass(frozen=True)
class Argument(FoundSpan):
    """An argument of a predicate."""

    label: str
    """Its role, such as ARG0 or ARGM-LOC."""


@dataclass(frozen=True)
class Frame:
    """A predicate and its arguments: who did what to whom."""

    predicate: FoundSpan
    """The word that the arguments belong to, mostly a verb."""
    arguments: tuple[Argument, ...]
    """In the order of the text, without the predicate itself."""
    sentence: FoundSpan
    """The sentence that they are in."""

    @property
    def labeled(self) -> list[Argument]:
        """The predicate with the label V, and the arguments, in the order of the text."""
        verb = self.predicate
        found = [Argument(verb.text, verb.start, verb.end, verb.words, "V"), *self.arguments]
        return sorted(found, key=lambda span: span.start)


@dataclass(frozen=True)
class RoleResult(TaskResult):
    """The predicates of a text with their arguments."""

    text: str
    """The text as given."""
    sentences: tuple[tuple[str, ...], ...]
    """The words that the model has read."""
    frames: tuple[Frame, ...]
    """In the order of the text; empty if no predicates were found."""

    def __iter__(self) -> Iterator[Frame]:
        return iter(self.frames)

    def __len__(self) -> int:
        return len(self.frames)

    def _html(self) -> str:
        shown = [
            html.marked(
                self.text,
                [
                    Mark((a.start, a.end), a.label, ROLE_HUES.get(a.label.split("-", 1)[-1], OTHER_ROLE))
                    for a in frame.labeled
                ],
                (frame.sentence.start, frame.sentence.end),
            )
            for frame in self.frames
        ]
        return "".join(shown) or html.line(self.text)


@dataclass(frozen=True)
class CorefResult(TaskResult):
    """The clusters of mentions of a text, each of which refers to one person or thing."""

    text: str
    """The text as given."""
    sentences: tuple[tuple[str, ...], ...]
    """The words that the model has read."""
    clusters: tuple[tuple[FoundSpan, ...], ...]
    """The mentions of each cluster, in the order of the text. A cluster of one is a mention without another."""
    name: str = ""
    """Of a document from a file."""

    def __iter__(self) -> Iterator[tuple[FoundSpan, ...]]:
        return iter(self.clusters)

    def __len__(self) -> int:
        return len(self.clusters)

    def _html(self) -> str:
        several = [cluster for cluster in self.clusters if len(cluster) > 1]
        marks = [Mark((m.start, m.end), str(n + 1), n) for n, cluster in enumerate(several) for m in cluster]
        return html.marked(self.text, marks)


@dataclass(frozen=True)
class Answer(FoundSpan):
    """A possible answer to a question, as a part of the passage."""

    probability: float
    """Among all parts of the passage that are short enough to be an answer."""


@dataclass(frozen=True)
class AnswerResult(TaskResult):
    """The answer to a question about a passage."""

    question: str
    """The question as given."""
    passage: str
    """The passage as given."""
    text: str
    """The most probable answer."""
    start: int
    """Its first character in the passage as given."""
    end: int
    """Character after the last."""
    probability: float
    """Of this answer; see ``Answer``."""
    best: tuple[Answer, ...]
    """The three most probable answers, the best one first."""
    id: str = ""
    """Of a question from a file."""

    def __iter__(self) -> Iterator[Answer]:
        return iter(self.best)

    def _html(self) -> str:
        shown = [html.line(self.question), html.marked(self.passage, [Mark((self.start, self.end), "", 1)])]
        return "".join([*shown, html.bars({f"{n}. {a.text}": a.probability for n, a in enumerate(self.best, 1)})])


@dataclass(frozen=True)
class EntailmentResult(TaskResult):
    """Whether a hypothesis follows from a premise."""

    premise: str
    """The premise as given."""
    hypothesis: str
    """The hypothesis as given."""
    label: str
    """The most probable label."""
    probabilities: dict[str, float]
    """Of entailment, neutral and contradiction."""

    def _html(self) -> str:
        return (
            html.line(self.premise, "premise")
            + html.line(self.hypothesis, "hypothesis")
            + html.bars(self.probabilities)
        )


@dataclass(frozen=True)
class SentenceSentiment(FoundSpan):
    """The sentiment of one sentence of a text."""

    label: str
    """The most probable class."""
    probabilities: dict[str, float]
    """Of the classes from very negative to very positive."""


@dataclass(frozen=True)
class SentimentResult(TaskResult):
    """The sentiment of a text: the mean over its sentences, because the model was trained on single sentences."""

    text: str
    """The text as given."""
    label: str
    """The most probable class."""
    probabilities: dict[str, float]
    """Of the classes from very negative to very positive."""
    sentences: tuple[SentenceSentiment, ...]
    """In the order of the text."""

    def __iter__(self) -> Iterator[SentenceSentiment]:
        return iter(self.sentences)

    def __len__(self) -> int:
        return len(self.sentences)

    def _html(self) -> str:
        return html.line(self.text) + html.bars(self.probabilities)
