"""A trained task model: from text to results.

Texts are read as a stream: memory depends on the longest text and on ``RUN_WORDS``, not on the number of texts.
"""

import functools
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import torch

from elmo.embed.embedder import Embedder
from elmo.model.batches import by_length
from elmo.tasks.results import TaskResult
from elmo.tasks.task import SEPARATOR, LabelSets, Task, TaskModel
from elmo.tasks.word_list import WordList
from elmo.text.counts import counted
from elmo.text.documents import Document
from elmo.text.tokens import Tokenizer, tokenizer
from elmo.validation import checked_list, checked_sentences, checked_stream, checked_text, kind

PREDICT_TOKENS, GPU_PREDICT_TOKENS = 8192, 32768
"""Positions per batch of predictions, padding included."""
RUN_WORDS = 32768
"""Texts are taken from a stream until they have this many words, and their sentences are batched by length."""


class TaskText(NamedTuple):
    """What one result is about: one text, or two (see ``Task.parts``), and the examples that were made of them."""

    documents: tuple[Document, ...]
    examples: list[Any]


@dataclass(frozen=True)
class TaskCard:
    """What users should know about a trained model."""

    trained_on: str = ""
    """The training data, in one line."""
    scores: dict[str, dict[str, float] | None] = field(default_factory=dict)
    """Scores in percent on the "dev" and "test" data, by the name of the score; None where there is no such data."""


class TaskRecord(NamedTuple):
    """How a model was trained, as far as it is needed to build it again."""

    metadata: dict[str, Any]
    """What ``run.json`` contains."""
    words: WordList


class TrainedTask:
    """A task together with a trained model. ``elmo.load_task`` makes one.

    Call it with a text to get a result, or with several texts to get a list of results::

        task("Ada Lovelace met Charles Babbage in London.")
        task(["First text.", "Second text."])
        task([["Ada", "met", "Charles", "."]])                      # the words of one sentence
        task(question="Who came?", passage="Ann came.")             # squad
        task(premise="A man sleeps.", hypothesis="Nobody sleeps.")  # snli

    Args:
        task: What the model is for.
        model: The network.
        label_sets: What it can predict.
        elmo: Computes the layers of its frozen biLM, which several tasks may share; None if it has none.
        card: What is known about it.
        record: How it was trained; None if it is still being trained.
    """

    def __init__(
        self,
        task: Task[Any, Any],
        model: TaskModel[Any, Any],
        label_sets: LabelSets,
        elmo: Embedder | None = None,
        card: TaskCard | None = None,
        record: TaskRecord | None = None,
    ) -> None:
        self.task, self.model, self.label_sets = task, model, label_sets
        self.elmo, self.card, self.record = elmo, card or TaskCard(), record

    def __repr__(self) -> str:
        return f"TrainedTask({self.task.name!r}, {counted(len(self.label_sets.get('labels', ())), 'label')})"

    def __call__(self, texts: Any = None, /, **parts: Any) -> Any:
        """Apply the model to a text, or to several.

        Args:
            texts: A string, or an iterable of texts. Each of them is a string, the words of a sentence as a list, or a
                list of such sentences. For ``squad`` and ``snli``, a text is a pair, a dictionary with the keywords
                below, or a string with ``|||`` between its two texts.
            parts: Instead of ``texts``, for a single result: ``text=``; for ``squad``, ``question=`` and ``passage=``;
                for ``snli``, ``premise=`` and ``hypothesis=``. Each is a string, a list of words, or a list of
                sentences.

        Returns:
            The result, or a list of results if ``texts`` is not a string; see ``elmo.tasks.results``.

        Raises:
            ValueError: If a text is missing, or is empty or too long for the task.
        """
        if parts or texts is None or isinstance(texts, str | Mapping):
            if parts and texts is not None:
                raise ValueError(f"give either texts or {' and '.join(f'{part}=' for part in self.task.parts)}")
            [result] = self.results([self.read(texts if texts is not None else parts)])
            return result
        return list(self.stream(texts))

    def stream(self, texts: Iterable[Any]) -> Iterator[TaskResult]:
        """Yield the results of texts, in order, as they are read; see ``__call__``."""
        return self.results(self._numbered(checked_stream("texts", texts)))

    def results(self, texts: Iterable[TaskText]) -> Iterator[TaskResult]:
        """Yield the results of what ``read`` returned for texts, or of examples from files, in order."""
        run: list[TaskText] = []
        size = 0
        for text in texts:
            run.append(text)
            size += 1 + sum(len(words) for document in text.documents for words in document.sentences)
            if size >= RUN_WORDS:
                yield from self._run(run)
                run, size = [], 0
        yield from self._run(run)

    def read(self, text: Any) -> TaskText:
        """Split one text into sentences and words and make examples of them; see ``__call__`` for what it can be."""
        documents = tuple(self._document(part, given) for part, given in self._parts(text).items())
        return TaskText(documents, self.task.examples(documents, self.label_sets))

    def labeled(self, example: Any) -> TaskText:
        """Return an example from a file for ``results``."""
        return TaskText(self.task.documents(example), [example])

    def predict(self, examples: Sequence[Any], progress: Callable[[int], Any] = lambda done: None) -> list[Any]:
        """Return the predictions for any number of examples, in order.

        Args:
            examples: Examples of the task. Their labels are ignored.
            progress: Called after each batch with the number of examples in it.
        """
        return self._in_batches(self.model.predict, examples, progress)

    def evaluate(self, examples: Sequence[Any], progress: Callable[[int], Any] = lambda done: None) -> dict[str, float]:
        """Return the scores of the predictions for labeled examples, in percent."""
        return self.task.score(examples, self.predict(examples, progress))

    @property
    def labels(self) -> list[str]:
        """The labels that a result can have."""
        return self.task.labels(self.label_sets)

    @functools.cached_property
    def tokenizer(self) -> Tokenizer:
        """The tokenizer of the biLM."""
        config = self.model.words.bilm_config
        return tokenizer("words" if config is None else config.tokenizer)

    def _numbered(self, texts: Iterable[Any]) -> Iterator[TaskText]:
        for number, text in enumerate(texts):
            try:
                yield self.read(text)
            except ValueError as error:
                raise ValueError(f"text {number}: {error}") from None

    def _parts(self, text: Any) -> dict[str, Any]:
        """Return what was given for each of the texts that the task reads."""
        names = self.task.parts
        if not isinstance(text, Mapping):
            if len(names) == 1:
                return {names[0]: text}
            if isinstance(text, str):
                text = [part.strip() for part in checked_text("text", text).split(SEPARATOR)]
            elif not isinstance(text, list | tuple):
                raise ValueError(f"expected a {names[0]} and a {names[1]}, got {kind(text)}")
            if len(text) != 2:
                form = f"task({names[0]}=..., {names[1]}=...)"
                raise ValueError(
                    f"write a {names[0]} and a {names[1]} with {SEPARATOR} between them (in Python, {form})"
                )
            return dict(zip(names, text, strict=True))
        if unknown := [name for name in text if name not in names]:
            raise ValueError(f"{self.task.name} does not read a {unknown[0]}, only a {' and a '.join(names)}")
        if missing := [name for name in names if text.get(name) is None]:
            raise ValueError(f"the {missing[0]} is missing: {self.task.name} reads a {' and a '.join(names)}")
        return {name: text[name] for name in names}

    def _document(self, part: str, given: Any) -> Document:
        """Split a text into sentences and words, or take the words as they are."""
        if isinstance(given, str):
            return self.task.split(checked_text(part, given), self.tokenizer)
        items = checked_list(f"the {part}", given)
        is_sentence = any(isinstance(item, str) for item in items)
        return Document.joined(list(checked_sentences([items] if is_sentence else items)))

    def details(self, examples: Sequence[Any]) -> list[Any]:
        """Return what ``Task.result`` needs to know about each of any number of examples."""
        return self._in_batches(self.model.predict_in_detail, examples, lambda done: None)

    def _run(self, texts: Sequence[TaskText]) -> Iterator[TaskResult]:
        details = iter(self.details([example for text in texts for example in text.examples]))
        for documents, examples in texts:
            yield self.task.result(documents, examples, [next(details) for _ in examples])

    @torch.no_grad()
    def _in_batches(
        self, predict: Callable[[Sequence[Any]], list[Any]], examples: Sequence[Any], progress: Callable[[int], Any]
    ) -> list[Any]:
        self.model.eval()
        examples = checked_list("examples", examples)
        sizes = [self._padded_size(number, example) for number, example in enumerate(examples)]
        predictions: list[Any] = [None] * len(examples)
        on_gpu = self.model.words.device.type == "cuda"
        for group in by_length(sizes, GPU_PREDICT_TOKENS if on_gpu else PREDICT_TOKENS):
            for index, prediction in zip(group, predict([examples[i] for i in group]), strict=True):
                predictions[index] = prediction
            progress(len(group))
        return predictions

    def _padded_size(self, number: int, example: Any) -> int:
        try:
            sequences = list(checked_sentences(self.task.sequences(example)))
        except (AttributeError, TypeError, IndexError, KeyError):
            raise ValueError(
                f"example {number}: expected an example of the task {self.task.name}, got {kind(example)}"
            ) from None
        except ValueError as error:
            raise ValueError(f"example {number}: {error}") from None
        return len(sequences) * max(map(len, sequences), default=0)
