"""Commands that are killed at any file operation and started again end with the same bits, and leave nothing behind.

A seeded sample of the kill points is tested; ``ELMO_TEST_FULL=1`` tests all of them, and all tasks.
"""

import dataclasses
import importlib
import json
import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest
from robustness.killing import KILLED, command
from train.tiny import TINY, made_up_text

from elmo.tasks.recipe import TaskTraining, read_task_recipe
from elmo.tasks.task import TASKS, task_named

FULL = "ELMO_TEST_FULL" in os.environ
SAMPLE = 1
"""Kill points per command in a normal run."""
SIZES = {"dim": 8, "hidden": 8, "features": 4, "n_layers": 1, "predicate_dim": 4}


@dataclass(frozen=True)
class Job:
    """A command, and what counts of its output."""

    arguments: tuple[object, ...]
    content: Callable[[Path], object]
    resumes: bool = True
    """Whether the command takes --resume: ``prepare`` always, the others once ``run.json`` exists."""


def files(*names: str) -> Callable[[Path], object]:
    return lambda folder: {name: (folder / name).read_bytes() for name in names}


def all_files(folder: Path) -> object:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def results(folder: Path) -> object:
    """The results of a table without the times."""
    found = []
    for line in (folder / "tasks.jsonl").read_text().splitlines():
        result = json.loads(line)
        details = result["details"]
        found.append((details["run"], result["value"], details["dev"], details["test"], details["layers"]))
    return sorted(found, key=str)


@pytest.fixture(scope="module")
def inputs(published_folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Everything that the commands read."""
    folder = tmp_path_factory.mktemp("inputs")
    (folder / "text.txt").write_text(made_up_text(60))
    (folder / "model").symlink_to(published_folder)
    assert command(folder / "x", "prepare", folder / "text.txt", "-o", folder / "corpus", "--heldout-fraction", "0.2",
                   "--workers", "1").code == 0  # fmt: skip
    training = dataclasses.replace(TINY.training, steps=4, evaluate_every=2, save_every_minutes=0.0, patience=5)
    (folder / "tiny.json").write_text(json.dumps(dataclasses.replace(TINY, training=training).to_dict()))
    for name in TASKS:
        sample = importlib.import_module(f"tasks.samples.{name}")
        for seed, part in enumerate(("train", "dev")):
            sample.write(
                folder / f"{name}-{part}.{'json' if name == 'squad' else 'x'}", 4 if name == "coref" else 12, seed
            )
        recipe = read_task_recipe(task_named(name))
        known = {field.name for field in dataclasses.fields(recipe.model)}
        small = dataclasses.replace(recipe.model, **{key: value for key, value in SIZES.items() if key in known})
        training = TaskTraining(
            batch=4, epochs=0.01, least_steps=4, evaluations=2, learning_rate=0.03, save_every_minutes=0.0
        )
        small_inputs = dataclasses.replace(recipe.inputs, dim=8)
        changed = dataclasses.replace(recipe, model=small, inputs=small_inputs, training=training)
        (folder / f"{name}.json").write_text(json.dumps(changed.to_dict()))
    data = folder / "data/tasks/ner"
    data.mkdir(parents=True)
    (folder / "data/tasks/vectors").mkdir()
    (folder / "data/tasks/vectors/v.txt").write_text("in 1 2 3\nthe 2 3 4\nold 0 1 1\n")
    for seed, part in enumerate(("train", "dev", "test")):
        importlib.import_module("tasks.samples.ner").write(data / f"{part}.conll", 12, seed)
    return folder


def job(name: str, inputs: Path) -> Job:
    if name == "prepare":
        options = ("--workers", "1", "--heldout-fraction", "0.2")
        return Job(("prepare", inputs / "text.txt", *options), all_files)
    if name == "pretrain":
        weights = files("model.safetensors", "softmax.safetensors", "vocab.txt")
        return Job(("pretrain", inputs / "corpus", "--recipe", inputs / "tiny.json"), weights)
    if name == "finetune":
        weights = files("model.safetensors", "softmax.safetensors", "vocab.txt")
        return Job(("finetune", inputs / "text.txt", "--model", inputs / "model", "--rows", "4"), weights)
    if name == "reproduce":
        options = ("--quick", "--data", inputs / "data", "--tasks", "ner", "--model", inputs / "model")
        return Job(("reproduce", "table1", *options), results, resumes=False)
    suffix = "json" if name == "squad" else "x"
    data = ("--train", inputs / f"{name}-train.{suffix}", "--dev", inputs / f"{name}-dev.{suffix}")
    elmo = ("--elmo", inputs / "model", "--recipe", inputs / f"{name}.json", "--seed", "7")
    return Job(("task", "train", name, *data, *elmo), files("model.safetensors", "words.txt", "learned.txt"))


def leftovers(folder: Path) -> list[str]:
    found = [path for path in folder.rglob("*") if path.name.startswith(".")]
    return [str(path) for path in (*found, *folder.rglob("*.part"), *folder.rglob("*.parts"))]


NAMES = ["prepare", "pretrain", "finetune", "reproduce", *(TASKS if FULL else ("ner", "sst"))]


@pytest.mark.timeout(3600 if FULL else 240)
@pytest.mark.parametrize("name", NAMES)
def test_killed_and_started_again(name: str, inputs: Path, tmp_path: Path) -> None:
    chosen = job(name, inputs)
    whole = command(tmp_path / "whole", *chosen.arguments, "-o", tmp_path / "whole/out")
    assert whole.code == 0, whole.error
    expected = chosen.content(tmp_path / "whole/out")
    assert whole.operations > 10
    points = range(1, whole.operations + 1)
    for point in points if FULL else sorted(random.Random(name).sample(points, SAMPLE)):
        home = tmp_path / f"killed-{point}"
        output = home / "out"
        assert command(home, *chosen.arguments, "-o", output, kill_at=point).code == KILLED
        begun = chosen.resumes and ((output / "run.json").exists() or name == "prepare")
        again = command(home, *chosen.arguments, "-o", output, *(("--resume",) if begun else ()))
        assert again.code == 0, (point, again.error)
        assert chosen.content(output) == expected, f"killed before operation {point}"
        assert not leftovers(home), point


@pytest.mark.parametrize("name", ["pretrain", "ner"] if FULL else ["ner"])
def test_really_killed(name: str, inputs: Path, tmp_path: Path) -> None:
    """SIGKILL at a random time, several times over, in separate processes."""
    chosen, output = job(name, inputs), tmp_path / "killed"
    assert command(tmp_path / "whole", *chosen.arguments, "-o", tmp_path / "whole/out").code == 0
    line = [sys.executable, "-m", "elmo", *map(str, chosen.arguments), "-o", str(output)]
    environment = {**os.environ, "OMP_NUM_THREADS": "1", "PYTHONHASHSEED": "3"}
    for moment in [0.01 * number for number in range(12)] if FULL else [0.02]:
        resume = ["--resume"] if (output / "run.json").exists() else []
        process = subprocess.Popen(
            [*line, *resume], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=environment
        )
        end = time.monotonic() + 60
        while not (output / "checkpoints").exists() and process.poll() is None and time.monotonic() < end:
            time.sleep(0.005)
        time.sleep(moment)
        process.send_signal(signal.SIGKILL)
        process.wait()
    assert command(output, *chosen.arguments, "-o", output, "--resume").code == 0
    assert chosen.content(output) == chosen.content(tmp_path / "whole/out")
