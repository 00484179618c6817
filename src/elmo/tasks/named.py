"""The tasks by name; each is imported when it is wanted."""

import importlib
from typing import Any

from elmo.tasks.task import Task

CLASSES = {
    "squad": "QuestionAnswering",
    "snli": "Entailment",
    "srl": "SemanticRoles",
    "coref": "Coreference",
    "ner": "NamedEntities",
    "sst": "Sentiment",
}
"""Module and class of each task."""


def task_named(name: str) -> Task[Any, Any]:
    """A task by its name."""
    if name not in CLASSES:
        raise ValueError(f"{name}: no such task (there are {', '.join(CLASSES)})")
    task: Task[Any, Any] = getattr(importlib.import_module(f"elmo.tasks.{name}"), CLASSES[name])()
    return task
