"""The training runs behind the tables and figures about tasks. No run is repeated.

A ``RunSpec`` says what to train and evaluate. Its result is appended to a file as soon as the run has finished, and
tables share the runs that they have in common. A run is only repeated if its recipe, its data, the weights of the biLM
or the static vectors have changed since. An interrupted experiment resumes where it stopped, in the middle of its
runs: until they have finished, they keep their checkpoints.
"""

import contextlib
import dataclasses
import hashlib
import json
import os
import shutil
import time
import warnings
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import torch
from filelock import FileLock, Timeout
from tqdm import tqdm

from elmo.datasets.folders import data_folder, find_task_data
from elmo.files import checksum
from elmo.paper.exhibit import (
    DATA_FOLDER,
    FINETUNED_FOLDER,
    LAYERS_FOLDER,
    RUNS_FOLDER,
    TASKS_FILE,
    TRAINED_FOLDER,
    Setup,
)
from elmo.paper.finetuned import finetuned_model
from elmo.paper.run_queue import Failure, run_all
from elmo.recipes import recipe_folder
from elmo.results import Result, append_results, commit, machine, read_results, versions
from elmo.tasks.recipe import TaskRecipe, read_task_recipe
from elmo.tasks.task import task_named
from elmo.tasks.trainer import TaskJob, train_task
from elmo.text.counts import counted
from elmo.train.run import DifferentRunError, RunFolder
from elmo.weights.locate import locate, read_model

LOCK_FILE = "command.lock"
"""Held by the command that trains models in an output folder."""


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
    "srl": QuickSettings(1500, 150, 250, {"dim": 64, "n_layers": 2}),
    "coref": QuickSettings(12, 2, 120, {"dim": 64, "hidden": 32, "antecedents": 50}),
    "snli": QuickSettings(2000, 300, 250),
    "sst": QuickSettings(500, 200, 250),
    "ner": QuickSettings(1500, 300, 500),
}
"""The tasks are in the order of how long their full runs take, the longest first."""


def recipe_of(task: str, dataset: str | None) -> TaskRecipe:
    """Return the recipe of a task, or that of a dataset which has its own: ``TASK-DATASET``."""
    name = f"{task}-{dataset}"
    has_own = (recipe_folder("tasks") / f"{name}.json").exists()
    return read_task_recipe(task_named(task), name if has_own else None)


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
    finetuned: bool = False
    """Whether the biLM is fine-tuned on the training text before it is frozen."""
    max_vectors: int | None = None
    """Maximum number of words with a static vector, and with a learned one; None keeps all. See ``train_task``."""

    @property
    def name(self) -> str:
        """``TASK``, or ``TASK/DATASET`` if the dataset is not the task's default."""
        return self.task if self.dataset is None else f"{self.task}/{self.dataset}"

    def __str__(self) -> str:
        changed = [f"{name} {getattr(self, name)}" for name in ("elmo", "placement", "layers", "penalty", "seed")]
        shown = [self.name, *(text for text in changed if not text.endswith(" None"))]
        shown += ["fine-tuned"] if self.finetuned else []
        return ", ".join(shown + ([f"{100 * self.fraction:g} % of the data"] if self.fraction < 1 else []))

    @property
    def key(self) -> str:
        """A string that is equal for equal runs."""
        return json.dumps(dataclasses.asdict(self), sort_keys=True)

    def recipe(self, quick: QuickSettings) -> TaskRecipe:
        """Return the task's recipe with the changes of this run."""
        recipe = recipe_of(self.task, self.dataset)
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
    later = {"dataset": None, "unit": None, "finetuned": False, "max_vectors": None}  # not in older results
    for result in read_results(output / TASKS_FILE):
        spec = result.details.get("run") or result.details.get("cell") or {}  # the second is the name in older files
        found[json.dumps({**later, **spec}, sort_keys=True)] = result
    return {key: result for key, result in found.items() if key in wanted}


def _with_inputs(runs: Mapping[str, Result], hashes: Mapping[str, str]) -> dict[str, Result]:
    return {key: result for key, result in runs.items() if result.details.get("inputs") == hashes[key]}


def _hashes_of_inputs(specs: Iterable[RunSpec], setup: Setup, quick: Mapping[str, QuickSettings]) -> dict[str, str]:
    """Return a hash of everything that a run depends on and its key does not contain, by key."""
    specs = list(specs)
    vectors = None if setup.vectors is None else checksum(setup.vectors)["sha256"]
    models = {
        name: read_model(locate(name)).fingerprint() for name in {spec.elmo for spec in specs} if name is not None
    }
    data = {
        name: find_task_data(data_folder(setup.data), name, setup.output / DATA_FOLDER).hash()
        for name in sorted({spec.name for spec in specs})
    }
    hashes = {}
    for spec in specs:
        inputs = [spec.recipe(quick[spec.task]).to_dict(), data[spec.name], models.get(spec.elmo or ""), vectors]
        hashes[spec.key] = hashlib.sha256(json.dumps(inputs, sort_keys=True).encode()).hexdigest()[:16]
    return hashes


class RunsFailedError(ValueError):
    """Some runs of an experiment have failed; ``finished`` has the results of the others, by key."""

    def __init__(self, message: str, finished: Mapping[str, Result]) -> None:
        super().__init__(message)
        self.finished = finished


def run_specs(
    specs: Iterable[RunSpec], setup: Setup, quick: Mapping[str, QuickSettings] | None = None
) -> dict[str, Result]:
    """Run what has not finished yet, and return all results by key.

    The folder of a run is in ``OUTPUT/runs`` until the run has finished. Runs that were stopped, because the time was
    up or the command was interrupted or killed, are resumed from their checkpoints.

    Raises:
        RunsFailedError: After all runs have ended, if some of them failed.
        ValueError: If the data is missing, or if another command is at work in the output folder.
    """
    quick = QUICK if quick is None else quick
    specs = list(dict.fromkeys(specs))
    runs = setup.output / RUNS_FOLDER
    runs.mkdir(parents=True, exist_ok=True)
    failed: dict[RunSpec, Failure] = {}
    with _only_command_in(runs):
        hashes = _hashes_of_inputs(specs, setup, quick)
        finished = _with_inputs(finished_runs(specs, setup.output), hashes)
        for spec in specs:
            if spec.key in finished:  # its folder is still there if the command was killed just then
                _delete_run(spec, setup.output)
        missing = sorted((spec for spec in specs if spec.key not in finished), key=_longest_first)
        calls = [(spec, setup, quick[spec.task], hashes[spec.key]) for spec in missing]
        with (
            tqdm(total=len(specs), initial=len(finished), desc="runs", disable=None) as bar,
            contextlib.closing(run_all(run_one, calls, setup.jobs, setup.minutes)) as outcomes,
        ):
            for index, outcome in outcomes:
                if isinstance(outcome, Failure):
                    failed[missing[index]] = outcome
                    warnings.warn(f"{missing[index]}: failed: {outcome.reason}", stacklevel=2)
                    continue
                if setup.keep_models:
                    _keep_run(missing[index], setup.output)
                append_results(setup.output / TASKS_FILE, [outcome])
                _delete_run(missing[index], setup.output)
                bar.update()
    results = _with_inputs(finished_runs(specs, setup.output), hashes)
    if len(results) == len(specs):  # until then they are kept for a command that continues this one
        shutil.rmtree(setup.output / LAYERS_FOLDER, ignore_errors=True)
    with contextlib.suppress(OSError):
        (runs / LOCK_FILE).unlink()
        runs.rmdir()  # unless a run was stopped
    if failed:
        spec, failure = next(iter(failed.items()))
        raise RunsFailedError(
            f"{counted(len(failed), 'run')} of {len(specs)} failed ({spec}: {failure.reason}); the same command tries "
            "again",
            results,
        )
    return results


def _longest_first(spec: RunSpec) -> tuple[Any, ...]:
    """Sort runs so that none keeps running long after all others have ended."""
    return list(QUICK).index(spec.task), spec.name, -spec.fraction, spec.elmo is None, spec.key


@contextlib.contextmanager
def _only_command_in(folder: Path) -> Iterator[None]:
    try:
        with FileLock(folder / LOCK_FILE, timeout=0):
            yield
    except Timeout:
        raise ValueError(
            f"{folder.parent}: another command is training models there; wait until it ends, or choose another folder"
        ) from None


def _run_folder(spec: RunSpec, output: Path) -> Path:
    return output / RUNS_FOLDER / f"{spec.task}-{hashlib.sha256(spec.key.encode()).hexdigest()[:16]}"


def trained_folder(spec: RunSpec, output: Path) -> Path:
    """Return where the run folder of a trained model is kept; see ``Setup.keep_models``."""
    return output / TRAINED_FOLDER / _run_folder(spec, output).name


def _keep_run(spec: RunSpec, output: Path) -> None:
    """Move the folder of a finished run to where it is kept, in place of an older one, without its checkpoints."""
    run, target = RunFolder(_run_folder(spec, output)), trained_folder(spec, output)
    shutil.rmtree(run.checkpoints.folder, ignore_errors=True)
    shutil.rmtree(target, ignore_errors=True)
    target.parent.mkdir(exist_ok=True)
    run.path.replace(target)


def _delete_run(spec: RunSpec, output: Path) -> None:
    folder = _run_folder(spec, output)
    shutil.rmtree(folder, ignore_errors=True)
    Path(f"{folder}.lock").unlink(missing_ok=True)


def run_one(spec: RunSpec, setup: Setup, quick: QuickSettings, inputs: str) -> Result:
    """Train and evaluate one model, or continue if it was stopped before; ``inputs`` is recorded with the result."""
    if setup.jobs > 1 and torch.device(setup.device).type != "cpu":
        torch.set_num_threads(max(1, (os.cpu_count() or 1) // setup.jobs))  # this process is one of several
    started = time.monotonic()
    task, recipe = task_named(spec.task), spec.recipe(quick)
    data = find_task_data(data_folder(setup.data), spec.name, setup.output / DATA_FOLDER)
    data = dataclasses.replace(data, fraction=spec.fraction)
    if spec.quick:
        data = dataclasses.replace(data, max_examples=(quick.train_examples, quick.test_examples))
    run = RunFolder(_run_folder(spec, setup.output))

    finetuned = None
    if spec.elmo is not None and spec.finetuned:
        models = setup.output / FINETUNED_FOLDER
        finetuned = finetuned_model(spec.elmo, task, data, recipe.elmo.unit, models, torch.device(setup.device))

    def train(resume: bool) -> dict[str, Any]:
        return train_task(
            task,
            recipe,
            data,
            run.path,
            torch.device(setup.device),
            seed=spec.seed,
            elmo=spec.elmo if finetuned is None else finetuned.folder,
            vectors=setup.vectors,
            max_vectors=spec.max_vectors,
            shared_layers=setup.output / LAYERS_FOLDER,
            self_contained=False,
            resume=resume,
        )

    with FileLock(f"{run.path}.lock"):  # the process of a command that was killed may still be saving a checkpoint
        earlier, metrics = 0.0, None
        if (run.path / run.metadata_file).exists():
            earlier = run.amount_trained(TaskJob.unit)["seconds"]
            try:
                run.resume({"recipe": recipe.to_dict()})  # train_task allows for other settings of the training
                metrics = train(resume=True)
            except DifferentRunError as error:
                warnings.warn(f"{error}; it starts from the beginning", stacklevel=2)
        if metrics is None:
            shutil.rmtree(run.path, ignore_errors=True)
            metrics = train(resume=False)
    return Result(
        what=spec.name,
        metric=task.objective,
        value=metrics["dev"][task.objective],
        seed=spec.seed,
        commit=commit(),
        versions=versions(),
        data_hash=data.hash(),
        machine=machine(setup.device),
        seconds=round(earlier + time.monotonic() - started, 1),
        details={
            "run": dataclasses.asdict(spec),
            "inputs": inputs,
            "vectors": None if setup.vectors is None else setup.vectors.name,
            **({} if finetuned is None else {"finetuned": {"before": finetuned.before, "after": finetuned.after}}),
            **metrics,
        },
    )
