"""The examples of a task run, from files and folders of labeled data."""

import itertools
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from elmo.datasets.folders import TaskData
from elmo.tasks.task import Task
from elmo.text.reading import find_texts


class TaskExamples(NamedTuple):
    """The examples of a task run."""

    train: list[Any]
    dev: list[Any]
    test: list[Any] | None
    test_files: dict[str, slice]
    """Where in ``test`` the examples of each file are, if there are several files."""
    all_train: list[Any]
    """The training examples that ``train`` is a fraction of."""

    @property
    def evaluation(self) -> list[Any]:
        """The development and test examples."""
        return [*self.dev, *(self.test or ())]


def read_examples(task: Task[Any, Any], paths: Sequence[str]) -> list[Any]:
    """Read the examples in files and folders.

    Raises:
        ValueError: If a file cannot be read, or if there are no examples.
    """
    return [example for examples in read_files(task, paths).values() for example in examples]


def read_files(task: Task[Any, Any], paths: Sequence[str]) -> dict[Path, list[Any]]:
    """Read the examples in files and folders, by file; see ``read_examples``."""
    examples = {path: task.read(path) for path in find_texts(paths)}
    if not any(examples.values()):
        raise ValueError(f"{', '.join(map(str, paths))}: has no examples")
    return examples


def random_fraction(examples: list[Any], fraction: float) -> list[Any]:
    """Return a random fraction of the examples, at least one. A smaller fraction is a subset of a larger one."""
    if fraction == 1:
        return examples
    order = np.random.default_rng(0).permutation(len(examples))
    return [examples[index] for index in sorted(order[: max(1, round(fraction * len(examples)))].tolist())]


def read_data(task: Task[Any, Any], data: TaskData) -> TaskExamples:
    """Read the examples of a run."""
    max_training, max_evaluation = data.max_examples or (None, None)
    all_train = read_examples(task, data.train)[:max_training]
    train = random_fraction(all_train, data.fraction)
    dev = read_examples(task, data.dev)[:max_evaluation]
    if not data.test:
        return TaskExamples(train, dev, None, {}, all_train)
    files = read_files(task, data.test)
    test = [example for examples in files.values() for example in examples][:max_evaluation]
    return TaskExamples(train, dev, test, _slices(files) if max_evaluation is None else {}, all_train)


def _slices(files: Mapping[Path, Sequence[Any]]) -> dict[str, slice]:
    """Return where the examples of each file are, if each file is a test set of its own."""
    # A file with a single example is a document of coreference data.
    if len(files) == 1 or any(len(examples) < 2 for examples in files.values()):
        return {}
    ends = itertools.accumulate(map(len, files.values()), initial=0)
    distinct = len({path.name for path in files}) == len(files)
    names = [path.name if distinct else str(path) for path in files]
    return {name: slice(*ends) for name, ends in zip(names, itertools.pairwise(ends), strict=True)}
