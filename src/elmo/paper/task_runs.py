"""The training runs behind the tables and figures about tasks. No run is repeated.

A ``RunSpec`` says what to train and evaluate. Its result is appended to a file as soon as the run has finished, so that
an interrupted experiment resumes where it stopped, and tables share the runs that they have in common.
"""

import dataclasses
import json
import multiprocessing
import shutil
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import torch
from tqdm import tqdm

from elmo.datasets.folders import data_folder, find_task_data
from elmo.files import scratch_folder_beside
from elmo.paper.exhibit import DATA_FOLDER, LAYERS_FOLDER, TASKS_FILE, Setup
from elmo.results import Result, append_results, commit, machine, read_results, versions
from elmo.tasks.task import task_named
from elmo.tasks.trainer import TaskRecipe, read_task_recipe, train_task


@dataclass(frozen=True)
class QuickSettings:
    """A short run that shows that everything works, in minutes on a CPU."""

    train_examples: int
    test_examples: int
    """Number of examples for each of development and test."""
    steps: int
    model: dict[str, int] = field(default_factory=lambda: {"dim": 64})
    """Sizes of the task's model that replace those of its recipe."""


QUICK = {
    "squad": QuickSettings(300, 100, 60),
    "snli": QuickSettings(2000, 300, 250),
    "srl": QuickSettings(1500, 150, 250, {"dim": 64, "n_layers": 2}),
    "coref": QuickSettings(12, 2, 120, {"dim": 64, "hidden": 32, "antecedents": 50}),
    "ner": QuickSettings(1500, 300, 500),
    "sst": QuickSettings(500, 200, 250),
}


@dataclass(frozen=True)
class RunSpec:
    """One run: a task model to train and evaluate."""

    task: str
    elmo: str | None
    """Name or folder of the biLM; None for the baseline."""
    placement: str | None = None
    """None for this and the next two: as in the task's recipe."""
    layers: str | None = None
    penalty: float | None = None
    fraction: float = 1.0
    """Fraction of the training data."""
    seed: int = 1
    quick: bool = False
    dataset: str | None = None
    """None for the default dataset of the task."""
    unit: str | None = None
    """What the biLM reads at once; None: as in the task's recipe."""

    @property
    def name(self) -> str:
        """``TASK``, or ``TASK/DATASET`` if the dataset is not the task's default."""
        return self.task if self.dataset is None else f"{self.task}/{self.dataset}"

    @property
    def key(self) -> str:
        """A string that is equal for equal runs."""
        return json.dumps(dataclasses.asdict(self), sort_keys=True)

    def recipe(self, quick: QuickSettings) -> TaskRecipe:
        """Return the task's recipe with the changes of this run."""
        recipe = read_task_recipe(task_named(self.task))
        changes = {"placement": self.placement, "layers": self.layers, "penalty": self.penalty, "unit": self.unit}
        given: dict[str, Any] = {name: value for name, value in changes.items() if value is not None}
        recipe = dataclasses.replace(recipe, elmo=dataclasses.replace(recipe.elmo, **given))
        if not self.quick:
            return recipe
        training = dataclasses.replace(
            recipe.training,
            epochs=0.001,
            least_steps=quick.steps,
            warmup_steps=min(recipe.training.warmup_steps, quick.steps // 10),
            evaluations=3,
        )
        return dataclasses.replace(recipe, training=training, model=dataclasses.replace(recipe.model, **quick.model))


def finished_runs(specs: Iterable[RunSpec], output: Path) -> dict[str, Result]:
    """Read the results of those runs that have finished, by their key."""
    wanted = {spec.key for spec in specs}
    found = {}
    later = {"dataset": None, "unit": None}  # fields that older results do not have
    for result in read_results(output / TASKS_FILE):
        spec = result.details.get("run") or result.details.get("cell") or {}  # the second is the name in older files
        found[json.dumps({**later, **spec}, sort_keys=True)] = result
    return {key: result for key, result in found.items() if key in wanted}


def run_specs(
    specs: Sequence[RunSpec], setup: Setup, quick: Mapping[str, QuickSettings] | None = None
) -> dict[str, Result]:
    """Run what has not finished yet, and return all results by key."""
    setup.output.mkdir(parents=True, exist_ok=True)
    finished = finished_runs(specs, setup.output)
    missing = [spec for spec in dict.fromkeys(specs) if spec.key not in finished]
    with tqdm(total=len(specs), initial=len(specs) - len(missing), desc="runs", disable=None) as bar:
        for result in _run_each(missing, setup, QUICK if quick is None else quick):
            append_results(setup.output / TASKS_FILE, [result])
            bar.update()
    shutil.rmtree(setup.output / LAYERS_FOLDER, ignore_errors=True)  # until then, for a command that continues this one
    return finished_runs(specs, setup.output)


def _run_each(specs: Sequence[RunSpec], setup: Setup, quick: Mapping[str, QuickSettings]) -> Iterator[Result]:
    for name in {spec.name for spec in specs}:  # extracts archives before parallel runs could do so at the same time
        find_task_data(data_folder(setup.data), name, setup.output / DATA_FOLDER)
    if setup.jobs == 1:
        for spec in sorted(specs, key=lambda spec: (list(quick).index(spec.task), spec.name, spec.fraction)):
            yield run_one(spec, setup, quick[spec.task])
        return
    context = multiprocessing.get_context("spawn")  # CUDA cannot be used after a fork
    with ProcessPoolExecutor(setup.jobs, mp_context=context) as pool:
        running = [pool.submit(run_one, spec, setup, quick[spec.task]) for spec in specs]
        for future in as_completed(running):
            yield future.result()


def run_one(spec: RunSpec, setup: Setup, quick: QuickSettings) -> Result:
    """Train and evaluate one model."""
    task = task_named(spec.task)
    data = find_task_data(data_folder(setup.data), spec.name, setup.output / DATA_FOLDER)
    data = dataclasses.replace(data, fraction=spec.fraction)
    if spec.quick:
        data = dataclasses.replace(data, max_examples=(quick.train_examples, quick.test_examples))
    started = time.monotonic()
    with scratch_folder_beside(setup.output / "run") as scratch:
        metrics = train_task(
            task,
            spec.recipe(quick),
            data,
            scratch / "run",
            torch.device(setup.device),
            seed=spec.seed,
            elmo=spec.elmo,
            vectors=setup.vectors,
            shared_layers=setup.output / LAYERS_FOLDER,
        )
    return Result(
        what=spec.name,
        metric=task.objective,
        value=metrics["dev"][task.objective],
        seed=spec.seed,
        commit=commit(),
        versions=versions(),
        data_hash=data.hash(),
        machine=machine(setup.device),
        seconds=round(time.monotonic() - started, 1),
        details={
            "run": dataclasses.asdict(spec),
            "vectors": None if setup.vectors is None else setup.vectors.name,
            **metrics,
        },
    )
