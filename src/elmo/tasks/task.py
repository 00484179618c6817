"""What a task is: examples from files, a model that learns from them, and a score for its predictions.

A task model takes examples as they are: ``model(examples)`` is the loss and ``model.predict(examples)`` the
predictions. Its lowest layer is a ``TaskInputs`` module, through which every task can use ELMo.
"""

import importlib
from abc import ABC, abstractmethod
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Generic, TypeVar

from torch import Tensor, nn

from elmo.tasks.inputs import TaskInputs

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


class Task(ABC, Generic[E, P]):
    """A task. It has no state: everything learned is in the model."""

    name: str
    objective: str
    """The score that selects the best model; larger is better."""
    settings: type
    """The dataclass with the hyperparameters of the task's model."""

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

    @abstractmethod
    def build(self, words: TaskInputs, label_sets: LabelSets, settings: Any) -> TaskModel[E, P]:
        """Build a model with new weights."""

    @abstractmethod
    def score(self, examples: Sequence[E], predictions: Sequence[P]) -> dict[str, float]:
        """Score predictions against the examples' answers, in percent."""

    @abstractmethod
    def from_text(self, text: str, label_sets: LabelSets) -> list[E]:
        """Make examples without answers from text that a user typed.

        Raises:
            ValueError: The text is not in the form that the task needs. The message shows that form.
        """

    @abstractmethod
    def record(self, example: E, prediction: P) -> dict[str, Any]:
        """Return a prediction as a JSON object."""

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
