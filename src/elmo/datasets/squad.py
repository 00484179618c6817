"""Questions about passages in the JSON of SQuAD 1.1."""

import json
from bisect import bisect_left, bisect_right
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, TypeVar

from elmo.datasets.lines import bad_line
from elmo.text.alignment import Span, word_spans
from elmo.text.reading import read_text
from elmo.text.tokens import words as split_words

T = TypeVar("T")


@dataclass(frozen=True)
class Passage:
    """A text, its words and their positions. All questions about a text share one passage."""

    text: str
    words: tuple[str, ...]
    spans: tuple[Span, ...]
    """Characters of each word."""

    @classmethod
    def from_text(cls, text: str) -> "Passage":
        """Split a text into words."""
        words = tuple(split_words(text))
        return cls(text, words, tuple(word_spans(text, words)))

    def words_of(self, characters: Span) -> Span:
        """Return the span of the words that overlap a span of characters."""
        start, end = characters
        return bisect_right(self.spans, start, key=lambda span: span[1]), bisect_left(self.spans, (end,))


@dataclass(frozen=True)
class Question:
    """A question about a passage, with its answers."""

    id: str
    text: str
    words: tuple[str, ...]
    passage: Passage
    answers: tuple[str, ...]
    """The accepted answers."""
    span: Span
    """The words of the first answer, which is the training target; (0, 0) if there is none."""
    repeats: tuple[int, ...] = ()
    """Other places in the passage where the words of that answer begin, if one may be meant; see ``with_repeats``."""
    starts: Span | None = None
    """The words of the passage at which predicted answers may begin; None for all."""

    def with_repeats(self) -> "Question":
        """Return the question with all places where the words of its first answer occur in the passage."""
        first, after = self.span
        words, answer = self.passage.words, self.passage.words[first:after]
        repeats = tuple(
            place
            for place, word in enumerate(words)
            if word == answer[0] and place != first and words[place : place + len(answer)] == answer
        )
        return replace(self, repeats=repeats) if repeats else self


def read_squad(path: str | Path) -> list[Question]:
    """Read a file of SQuAD 1.1.

    Raises:
        ValueError: The file is not JSON, a value is missing or of the wrong type, or an answer is not in its passage.
            The message names the question, or the place in the file.
    """
    text = read_text(path)
    try:
        content = json.loads(text)
    except json.JSONDecodeError as error:
        raise bad_line(path, error.lineno, f"is not JSON ({error.msg})") from None
    except (RecursionError, ValueError) as error:  # too deeply nested, or an integer with thousands of digits
        raise ValueError(f"{path}: is not JSON that can be read ({error})") from None
    questions: list[Question] = []
    for number, article in enumerate(_value(content, "data", list, str(path))):
        where = f"{path}, data[{number}]"
        for index, paragraph in enumerate(_value(article, "paragraphs", list, where)):
            questions += _paragraph_questions(paragraph, path, f"{where}.paragraphs[{index}]")
    return questions


def _paragraph_questions(paragraph: Any, path: str | Path, where: str) -> list[Question]:
    passage = Passage.from_text(_value(paragraph, "context", str, where))
    if not passage.words:
        raise ValueError(f"{where}: the context is empty")
    questions: list[Question] = []
    for number, entry in enumerate(_value(paragraph, "qas", list, where)):
        name = _value(entry, "id", str, f"{where}.qas[{number}]")
        here = f"{path}, question {name}"
        text = _value(entry, "question", str, here).strip()
        if not text:
            raise ValueError(f"{here}: the question is empty")
        answers = [_answer(answer, passage, here) for answer in _value(entry, "answers", list, here)]
        if not answers:
            raise ValueError(f"{here}: has no answers (the unanswerable questions of SQuAD 2.0 are not supported)")
        words = tuple(split_words(text))
        span = passage.words_of(answers[0][1])
        questions.append(Question(name, text, words, passage, tuple(answer for answer, _ in answers), span))
    return questions


def _answer(answer: Any, passage: Passage, where: str) -> tuple[str, Span]:
    """Return the text of an answer, and its span of characters in the passage."""
    text, start = _value(answer, "text", str, where), _value(answer, "answer_start", int, where)
    if not text.strip():
        raise ValueError(f"{where}: an answer is empty")
    if start < 0 or not passage.text.startswith(text, start):
        raise ValueError(f"{where}: the answer {text!r} is not in the context at character {start}")
    return text, (start, start + len(text))


def _value(record: Any, key: str, kind: type[T], where: str) -> T:
    """Return a value of a JSON object, or raise an error that says where it is missing."""
    if not isinstance(record, dict):
        raise ValueError(f"{where}: is not an object with {key!r}")
    if key not in record:
        raise ValueError(f"{where}: has no {key!r}")
    value = record[key]
    if not isinstance(value, kind):
        raise ValueError(f"{where}: {key!r} must be a {kind.__name__}, not {value!r:.40}")
    return value
