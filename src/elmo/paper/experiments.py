"""The runs behind the tables about tasks: each is one model, trained and measured; none is ever done twice.

A ``Cell`` says what to run. Its result is added to a file as soon as it is there, so that an experiment that was
stopped goes on where it was, and tables share the runs that they have in common.
"""

import dataclasses
import json
import multiprocessing
import tempfile
import time
from collections.abc import Iterable, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import torch
from tqdm import tqdm

from elmo.datasets.folders import find_task_data
from elmo.results import Result, append_results, commit, machine, read_results, versions
from elmo.tasks.layer_cache import LayerCache
from elmo.tasks.task import task_named
from elmo.tasks.trainer import TaskRecipe, read_task_recipe, train_task
from elmo.weights.locate import locate, read_model

FILE = "tasks.jsonl"
"""Where the results are, in the folder of results."""


@dataclass(frozen=True)
class Quick:
    """A quick look at a task: that everything works, in minutes on a CPU."""

    examples: int
    """To train on."""
    measured: int
    """To measure on."""
    steps: int
    model: dict[str, int] = field(default_factory=lambda: {"dim": 64})
    """Sizes of the task's model that are smaller than in its recipe."""


QUICK = {
    "squad": Quick(300, 100, 60),
    "snli": Quick(2000, 300, 250),
    "srl": Quick(1500, 150, 250, {"dim": 64, "n_layers": 2}),
    "coref": Quick(12, 2, 120, {"dim": 64, "hidden": 32, "antecedents": 50}),
    "ner": Quick(1500, 300, 500),
    "sst": Quick(500, 200, 250),
}


@dataclass(frozen=True)
class Cell:
    """One run."""

    task: str
    elmo: str | None
    """The biLM's name or folder; None for the baseline."""
    placement: str | None = None
    """None here and below: as in the task's recipe."""
    layers: str | None = None
    penalty: float | None = None
    fraction: float = 1.0
    seed: int = 1
    quick: bool = False

    @property
    def key(self) -> str:
        """What makes two runs the same."""
        return json.dumps(dataclasses.asdict(self), sort_keys=True)

    def recipe(self, quick: Quick) -> TaskRecipe:
        """The task's recipe with the cell's changes."""
        recipe = read_task_recipe(task_named(self.task))
        changes = {"placement": self.placement, "layers": self.layers, "penalty": self.penalty}
        given: dict[str, Any] = {name: value for name, value in changes.items() if value is not None}
        elmo = dataclasses.replace(recipe.elmo, **given)
        recipe = dataclasses.replace(recipe, elmo=elmo)
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


@dataclass(frozen=True)
class Place:
    """Where an experiment finds its data and puts its results."""

    data: Path
    vectors: Path | None
    results: Path
    device: str
    jobs: int = 1
    """Runs at the same time, each in a process of its own."""
    quick: dict[str, Quick] = field(default_factory=lambda: QUICK)
    """Quick looks by task."""


def done(place: Place, cells: Iterable[Cell]) -> dict[str, Result]:
    """The results that are there, by the key of their cell."""
    wanted = {cell.key for cell in cells}
    found = {json.dumps(r.details["cell"], sort_keys=True): r for r in read_results(place.results / FILE)}
    return {key: result for key, result in found.items() if key in wanted}


def run_cells(cells: Sequence[Cell], place: Place) -> dict[str, Result]:
    """Run what is not there yet, and give all results by key."""
    ready = done(place, cells)
    missing = [cell for cell in dict.fromkeys(cells) if cell.key not in ready]
    with tqdm(total=len(cells), initial=len(cells) - len(missing), desc="runs", disable=None) as bar:
        for result in _run_each(missing, place):
            append_results(place.results / FILE, [result])
            bar.update()
    return done(place, cells)


def _run_each(cells: Sequence[Cell], place: Place) -> Iterable[Result]:
    for task in {cell.task for cell in cells}:  # archives must not be unpacked by several at once
        find_task_data(place.data, task, place.results / "data")
    if place.jobs == 1:
        kept: dict[str, LayerCache] = {}
        for cell in sorted(cells, key=lambda cell: list(place.quick).index(cell.task)):
            yield run_cell(cell, place, kept)
        return
    context = multiprocessing.get_context("spawn")  # a GPU cannot be shared after a fork
    with ProcessPoolExecutor(place.jobs, mp_context=context) as pool:
        running = [pool.submit(run_cell, cell, place) for cell in cells]
        for future in as_completed(running):
            yield future.result()


def run_cell(cell: Cell, place: Place, kept: dict[str, LayerCache] | None = None) -> Result:
    """Train and measure one model.

    ``kept``: the frozen biLM of the task before, with its layers, where several cells run one after the other.
    """
    task = task_named(cell.task)
    data = dataclasses.replace(find_task_data(place.data, cell.task, place.results / "data"), fraction=cell.fraction)
    quick = place.quick[cell.task]
    if cell.quick:
        data = dataclasses.replace(data, max_examples=(quick.examples, quick.measured))
    layers = None
    if cell.elmo is not None:
        key = f"{cell.task} {cell.elmo}"
        layers = (kept or {}).get(key)
        if layers is None:
            layers = LayerCache(read_model(locate(cell.elmo)).to(place.device))
            if kept is not None:
                kept.clear()  # one task at a time: they take much memory
                kept[key] = layers
    started = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="elmo-", dir=place.results) as scratch:
        metrics = train_task(
            task,
            cell.recipe(quick),
            data,
            Path(scratch) / "run",
            torch.device(place.device),
            seed=cell.seed,
            elmo=cell.elmo,
            vectors=place.vectors,
            layers=layers,
        )
    details: dict[str, Any] = {"cell": dataclasses.asdict(cell), **metrics}
    return Result(
        what=cell.task,
        metric=task.objective,
        value=metrics["dev"][task.objective],
        seed=cell.seed,
        commit=commit(),
        versions=versions(),
        data_hash=data.hash(),
        machine=machine(place.device),
        seconds=round(time.monotonic() - started, 1),
        details=details,
    )
