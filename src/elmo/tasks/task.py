"""What a task is: examples from files, a model that learns from them, and a score for its predictions.

A task model takes examples as they are: ``model(examples)`` is the loss and ``model.predict(examples)`` the
predictions. Its lowest layer is a ``TaskInputs`` module, through which every task can use ELMo.

    text  ->  split: documents  ->  examples  ->  model.predict_in_detail  ->  result: what was found, and where
"""

import importlib
from abc import ABC, abstractmethod
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Generic, TypeVar

from torch import Tensor, nn

from elmo.tasks.inputs import TaskInputs
from elmo.tasks.results import TaskResult
from elmo.text.documents import Document
from elmo.text.tokens import Tokenizer

E = TypeVar("E")
"""The example class of a task."""
P = TypeVar("P")
"""The type of a prediction."""
LabelSets = dict[str, list[str]]
"""What a model can predict, by name; usually only "labels". Collected from the training data, saved with the model."""

TASKS = {
    "squad": "QuestionAnswering",
    "snli": "Entailment",
    "srl": "SemanticRoles",
    "coref": "Coreference",
    "ner": "NamedEntities",
    "sst": "Sentiment",
}
"""The class of each task, by the name of the task, which is also the name of its module."""

LONGEST_SENTENCE = 250
"""A sentence of a text that has more words is read in pieces of this size, which bounds time and memory."""
SEPARATOR = "|||"
"""Separates the two texts of a task that reads pairs, where a user types them as one."""


class TaskModel(nn.Module, ABC, Generic[E, P]):
    """A network for a task."""

    words: TaskInputs
    """Turns words into input vectors. The attribute's name is part of the weight names in saved models."""

    @abstractmethod
    def forward(self, examples: Sequence[E]) -> Tensor:
        """Return the mean loss of a batch of examples, without the penalty on the layer weights."""

    @abstractmethod
    def predict(self, examples: Sequence[E]) -> list[P]:
        """Return a prediction for each example of a batch. The examples' own answers are not used."""

    def predict_in_detail(self, examples: Sequence[E]) -> list[Any]:
        """Return the same predictions with what takes longer to compute, such as probabilities, if there is any."""
        return list(self.predict(examples))


class Task(ABC, Generic[E, P]):
    """A task. It has no state: everything learned is in the model."""

    name: str
    title: str
    """What the task is about, as a heading."""
    objective: str
    """The score that selects the best model; larger is better."""
    settings: type
    """The dataclass with the hyperparameters of the task's model."""
    parts: tuple[str, ...] = ("text",)
    """The names of the texts that a user gives for one result, which are one or two."""

    @abstractmethod
    def read(self, path: Path) -> list[E]:
        """Read the examples of a file in the usual format of the task.

        Raises:
            ValueError: The file is malformed. The message names the file, the line and the problem.
        """

    @abstractmethod
    def sequences(self, example: E) -> Sequence[Sequence[str]]:
        """Return the word sequences that the model reads for an example."""

    @abstractmethod
    def label_sets(self, examples: Sequence[E]) -> LabelSets:
        """Collect what a model can learn to predict from training examples."""

    def labels(self, label_sets: LabelSets) -> list[str]:
        """Return the labels that a result can have, for display."""
        return label_sets.get("labels", [])

    @abstractmethod
    def build(self, words: TaskInputs, label_sets: LabelSets, settings: Any) -> TaskModel[E, P]:
        """Build a model with new weights."""

    @abstractmethod
    def score(self, examples: Sequence[E], predictions: Sequence[P]) -> dict[str, float]:
        """Score predictions against the examples' answers, in percent."""

    def split(self, text: str, tokenizer: Tokenizer) -> Document:
        """Split a text that a user typed into sentences and words."""
        return Document.split(text, tokenizer)

    @abstractmethod
    def examples(self, documents: Sequence[Document], label_sets: LabelSets) -> list[E]:
        """Make examples without answers from the texts that a user gave, one for each of ``parts``.

        A long text gives several examples of limited size.

        Raises:
            ValueError: A text is empty or too long for the task.
        """

    @abstractmethod
    def documents(self, example: E) -> tuple[Document, ...]:
        """Return the texts of an example from a file, one for each of ``parts``."""

    @abstractmethod
    def result(self, documents: Sequence[Document], examples: Sequence[E], details: Sequence[Any]) -> TaskResult:
        """Return what was found in the texts.

        Args:
            documents: The texts, one for each of ``parts``.
            examples: All examples that were made from them.
            details: What ``TaskModel.predict_in_detail`` returned for each example.
        """

    def for_training(self, examples: list[E]) -> list[E]:
        """Return the examples to train on, where they differ from those to evaluate on."""
        return examples

    def is_labeled(self, path: Path) -> bool:
        """Return whether a file is in the format of the task, rather than plain text with one example per line."""
        return path.name.split(".")[-1] not in ("txt", "text") and ".txt." not in path.name


def task_named(name: str) -> Task[Any, Any]:
    """Return a task by name. Its module is imported on demand."""
    if name not in TASKS:
        raise ValueError(f"{name}: no such task; choose one of {', '.join(TASKS)}")
    task: Task[Any, Any] = getattr(importlib.import_module(f"elmo.tasks.{name}"), TASKS[name])()
    return task


def check_size(part: str, n_words: int, most: int) -> None:
    """Check the number of words of one of the texts that a user gave.

    Raises:
        ValueError: If it has none, or too many.
    """
    if not n_words:
        raise ValueError(f"the {part} is empty")
    if n_words > most:
        raise ValueError(f"the {part} has {n_words:,} words; the model reads at most {most:,}")
