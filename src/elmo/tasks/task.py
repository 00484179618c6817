"""What a task is: examples from files, a model that learns from them, predictions, and how good those are.

A task model reads examples as they are and does the rest itself: ``model(examples)`` is the loss,
``model.predict(examples)`` the answers. ``TaskInputs`` stands at its lower end, so that every task can have ELMo.
"""

import importlib
from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Generic, TypeVar

from rich.text import Text
from torch import Tensor, nn

from elmo.tasks.inputs import TaskInputs
from elmo.text.reading import read_text

E = TypeVar("E")
"""An example of a task."""
P = TypeVar("P")
"""A prediction for one."""
LabelSets = dict[str, list[str]]
"""What a model can say, by name: its labels, say. Learned from the training data and kept with the model."""


class TaskModel(nn.Module, ABC, Generic[E, P]):
    """A network for a task."""

    words: TaskInputs

    @abstractmethod
    def forward(self, examples: Sequence[E]) -> Tensor:
        """The mean loss of a batch of examples (without lambda's part, which the training adds)."""

    @abstractmethod
    def predict(self, examples: Sequence[E]) -> list[P]:
        """The answers for a batch of examples, whose own answers are not looked at."""


class Task(ABC, Generic[E, P]):
    """One of the tasks. It has no state: what is learned is in the model."""

    name: str
    objective: str
    """The score that decides which model is best; larger is better."""
    settings: type
    """The dataclass with the task's own sizes."""

    @abstractmethod
    def read(self, path: Path) -> list[E]:
        """The examples of a file in the task's usual format; a ValueError names file, line and reason."""

    @abstractmethod
    def sequences(self, example: E) -> Sequence[Sequence[str]]:
        """The sequences of words that the model reads, each on its own."""

    @abstractmethod
    def label_sets(self, examples: Sequence[E]) -> LabelSets:
        """What can be learned to say from these training examples."""

    @abstractmethod
    def build(self, words: TaskInputs, label_sets: LabelSets, settings: Any) -> TaskModel[E, P]:
        """A fresh model."""

    @abstractmethod
    def score(self, examples: Sequence[E], predictions: Sequence[P]) -> dict[str, float]:
        """How good predictions are, in percent."""

    @abstractmethod
    def from_text(self, text: str, label_sets: LabelSets) -> list[E]:
        """Examples without answers from what a user types; a ValueError says how to type it."""

    @abstractmethod
    def show(self, example: E, prediction: P) -> Text:
        """A prediction for people to read."""

    @abstractmethod
    def record(self, example: E, prediction: P) -> dict[str, Any]:
        """A prediction as JSON."""

    def for_training(self, examples: list[E]) -> list[E]:
        """The examples to train on, where they differ from those to measure on."""
        return examples

    def is_labeled(self, path: Path) -> bool:
        """Whether a file is in the task's own format, rather than plain text of a line each."""
        return path.name.split(".")[-1] not in ("txt", "text") and ".txt." not in path.name


def blocks_of_columns(path: Path) -> Iterator[list[tuple[int, list[str]]]]:
    """The blocks of a file in columns (CoNLL): the number and the fields of each line, up to an empty line."""
    block: list[tuple[int, list[str]]] = []
    for number, line in enumerate(read_text(path).split("\n"), 1):
        fields = line.split()
        if fields:
            block.append((number, fields))
        elif block:
            yield block
            block = []
    if block:
        yield block


TASKS = {
    "squad": "QuestionAnswering",
    "snli": "Entailment",
    "srl": "SemanticRoles",
    "coref": "Coreference",
    "ner": "NamedEntities",
    "sst": "Sentiment",
}
"""The class of each task, by name. The name is also that of its module."""


def task_named(name: str) -> Task[Any, Any]:
    """Return a task by name. Its module is imported on demand."""
    if name not in TASKS:
        raise ValueError(f"{name}: no such task; choose one of {', '.join(TASKS)}")
    task: Task[Any, Any] = getattr(importlib.import_module(f"elmo.tasks.{name}"), TASKS[name])()
    return task
