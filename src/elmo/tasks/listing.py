"""The trained task models that can be loaded by name."""

from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from elmo.tasks.task import TASKS, task_named
from elmo.tasks.trainer import read_card
from elmo.weights.listing import PrintedTable
from elmo.weights.packages import TASK_GROUP, installed, package_folder


@dataclass(frozen=True)
class ListedTask:
    """A task that ``elmo.load_task(name)`` loads, or would load."""

    name: str
    task: str
    """What the task is about, for display."""
    status: Literal["installed", "not installed"]
    score: str = ""
    """Of the model, on test data if there is any."""
    trained_on: str = ""
    path: Path | None = None
    """The run folder; None if no model is installed."""


class TaskTable(PrintedTable[ListedTask]):
    """A list of tasks that is printed as a table."""

    columns = ("name", "task", "status", "score", "trained_on")


def task_models() -> TaskTable:
    """List the installed task models, and the tasks without one.

    Raises:
        ValueError: If a package is damaged.
    """
    names = installed(TASK_GROUP)
    missing = [ListedTask(name, task_named(name).title, "not installed") for name in TASKS if name not in names]
    return TaskTable([*map(_listed, names), *missing])


def _listed(name: str) -> ListedTask:
    """Describe an installed model by its run folder."""
    folder = package_folder(name, TASK_GROUP)
    task, card = read_card(folder)
    split = "dev" if card.scores["test"] is None else "test"
    scores = card.scores[split]
    score = "" if scores is None else f"{task.objective} {scores[task.objective]:.1f} ({split})"
    return ListedTask(name, task.title, "installed", score, card.trained_on, folder)
