"""Files of a run that were changed before it is resumed: one line that names the file, or the same bits in the end.

Every file that resuming or loading a run reads is truncated, emptied, overwritten, bit-flipped and, if it is JSON,
given values of other types. A seeded sample is tested; ``ELMO_TEST_FULL=1`` tests all of them.
"""

import copy
import dataclasses
import json
import os
import random
import shutil
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import torch
from commands import run
from tasks.samples import ner
from train.tiny import TINY, made_up_text

from elmo.recipes import recipe_folder
from elmo.tasks.recipe import TaskRecipe, TaskTraining, read_task_recipe
from elmo.tasks.task import TASKS, task_named
from elmo.tasks.trainer import load_run
from elmo.train.checkpoints import TrainingState
from elmo.train.corpus.corpus import open_corpus
from elmo.train.loop import TrainingSettings
from elmo.train.pretrain import BatchShape, Recipe, read_recipe

FULL = "ELMO_TEST_FULL" in os.environ
OTHER_VALUES = (None, True, 0, -1, 1.5, 1e308, 10**30, "text", "", [], ["text"], {}, {"a": 1})
DEEP = b"[" * 100_000


def sampled(cases: list[Any], count: int, seed: str) -> list[Any]:
    return cases if FULL or len(cases) <= count else random.Random(seed).sample(cases, count)


def changed_bytes(content: bytes, seed: str) -> Iterator[tuple[str, bytes]]:
    """Yield damaged versions of any file."""
    source = random.Random(seed)
    yield "empty", b""
    yield "half", content[: len(content) // 2]
    yield "one byte less", content[:-1]
    yield "one byte more", content + b"x"
    yield "not UTF-8", b"\xff" + content
    yield "deep", DEEP
    yield "another type", b"[1, 2]"
    yield "an empty object", b"{}"
    yield "overflow", b'{"step": 1e999, "seed": ' + b"9" * 5000 + b"}"
    for _ in range(12):
        bit = source.randrange(8 * len(content))
        flipped = bytearray(content)
        flipped[bit // 8] ^= 1 << bit % 8
        yield f"bit {bit}", bytes(flipped)


def changed_values(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[str, Any]]:
    """Yield copies of a JSON value in which one value has another type, or one key is missing."""
    places = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, inner in places:
        for other in OTHER_VALUES:
            if type(other) is not type(inner) or other != inner:
                changed = copy.copy(value)
                changed[key] = other
                yield f"{key} = {other!r}", changed
        if isinstance(value, dict):
            yield f"no {key}", {name: item for name, item in value.items() if name != key}
        for name, changed_inner in changed_values(inner):
            changed = copy.copy(value)
            changed[key] = changed_inner
            yield f"{key}.{name}", changed


def check_one_line(result: Any, what: object) -> bool:
    """Check that a command succeeded or failed with one line, warnings aside; return whether it succeeded."""
    lines = [line for line in result.stderr.decode().splitlines() if not line.startswith("warning: ")]
    if result.returncode == 0:
        return True
    assert result.returncode == 2, (what, lines)
    assert len(lines) == 1, (what, lines)
    assert lines[0].startswith("elmo: "), (what, lines)
    assert len(lines[0]) < 1000, what
    return False


def attempt(function: Callable[..., Any], *arguments: Any) -> tuple[Any, str]:
    """Return the result of a function, or the message of an error that a user can cause."""
    try:
        return function(*arguments), ""
    except (ValueError, OSError) as error:
        assert len(str(error).splitlines()) == 1  # noqa: PT017
        return None, str(error)


class Interrupted:
    """A run that was stopped in the middle, and what it comes to when it is resumed."""

    def __init__(self, home: Path, arguments: tuple[object, ...]) -> None:
        self.home, self.arguments = home, arguments
        assert self.resume(home).returncode == 0
        self.weights = (home / "model.safetensors").read_bytes()
        for path in (home / "model.safetensors", home / "metrics.json", home / "softmax.safetensors"):
            path.unlink(missing_ok=True)
        steps = sorted((home / "checkpoints").glob("step-*"))
        assert len(steps) == 2

    def resume(self, home: Path) -> Any:
        return run(*self.arguments, "-o", home, "--resume")

    def check(self, place: Path, file: str, content: bytes | None, what: object) -> None:
        """Resume a copy of the run with another content of a file."""
        shutil.copytree(self.home, place)
        if content is None:
            (place / file).unlink()
        else:
            (place / file).write_bytes(content)
        if check_one_line(self.resume(place), (file, what)):
            assert (place / "model.safetensors").read_bytes() == self.weights, (file, what)
        shutil.rmtree(place)


@pytest.fixture(scope="module")
def task_run(tmp_path_factory: pytest.TempPathFactory) -> Interrupted:
    folder = tmp_path_factory.mktemp("task")
    for seed, part in enumerate(("train", "dev")):
        ner.write(folder / f"{part}.conll", 10, seed)
    recipe = read_task_recipe(task_named("ner"))
    training = TaskTraining(batch=4, epochs=0.1, least_steps=4, evaluations=2, learning_rate=0.1, save_every_minutes=0)
    small = dataclasses.replace(
        recipe,
        inputs=dataclasses.replace(recipe.inputs, dim=4, characters=None),
        model=dataclasses.replace(recipe.model, dim=4, n_layers=1),
        training=training,
    )
    (folder / "recipe.json").write_text(json.dumps(small.to_dict()))
    data = ("--train", folder / "train.conll", "--dev", folder / "dev.conll", "--recipe", folder / "recipe.json")
    assert run("task", "train", "ner", *data, "-o", folder / "run").returncode == 0
    return Interrupted(folder / "run", ("task", "train", "ner"))


@pytest.fixture(scope="module")
def pretraining(tmp_path_factory: pytest.TempPathFactory) -> Interrupted:
    folder = tmp_path_factory.mktemp("pretraining")
    (folder / "text.txt").write_text(made_up_text(60))
    options = ("--workers", 1, "--heldout-fraction", 0.2)
    assert run("prepare", folder / "text.txt", "-o", folder / "corpus", *options).returncode == 0
    training = dataclasses.replace(TINY.training, steps=4, evaluate_every=2, save_every_minutes=0.0, patience=5)
    (folder / "tiny.json").write_text(json.dumps(dataclasses.replace(TINY, training=training).to_dict()))
    options = ("--recipe", folder / "tiny.json", "-o", folder / "run")
    assert run("pretrain", folder / "corpus", *options).returncode == 0
    return Interrupted(folder / "run", ("pretrain", folder / "corpus"))


def cases_of(home: Path) -> list[tuple[str, str, bytes | None]]:
    """Return all changes of all files that a resumed run reads."""
    cases: list[tuple[str, str, bytes | None]] = []
    for path in sorted(home.rglob("*")):
        name = str(path.relative_to(home))
        if path.is_dir() or name.split("/")[0] in ("tensorboard", "curve.png", "README.md", "config.json", "vocab.txt"):
            continue
        content = path.read_bytes()
        if not content or name == "checksums.json":
            continue
        cases.append((name, "missing", None))
        cases += [(name, what, changed) for what, changed in changed_bytes(content, name)]
        if path.suffix == ".json":
            for what, value in changed_values(json.loads(content)):
                cases.append((name, what, json.dumps(value).encode()))
    return cases


@pytest.mark.timeout(3600 if FULL else 240)
@pytest.mark.parametrize("kind", ["task", "pretraining"])
def test_resuming(kind: str, request: pytest.FixtureRequest, tmp_path: Path) -> None:
    interrupted = request.getfixturevalue("task_run" if kind == "task" else "pretraining")
    cases = cases_of(interrupted.home)
    assert len(cases) > 300
    assert {"run.json", "log.jsonl", "checkpoints/best.safetensors"} <= {file for file, _, _ in cases}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for number, (file, what, content) in enumerate(sampled(cases, 16, kind)):
            interrupted.check(tmp_path / str(number), file, content, what)


@pytest.mark.filterwarnings("always")
@pytest.mark.parametrize("damage", ["module.safetensors", "optimizer.safetensors", "state.json", "checksums.json"])
def test_a_damaged_checkpoint_is_replaced_by_the_one_before(
    damage: str, task_run: Interrupted, pretraining: Interrupted, tmp_path: Path
) -> None:
    for interrupted in (task_run, pretraining):
        home = tmp_path / interrupted.home.parent.name
        shutil.copytree(interrupted.home, home)
        before, newest = sorted((home / "checkpoints").glob("step-*"))
        (newest / damage).write_bytes(b"{")
        result = interrupted.resume(home)
        assert result.returncode == 0, result.stderr.decode()
        assert f"warning: {newest}: damaged" in result.stderr.decode()
        assert f"the run resumes from {before.name} instead" in result.stderr.decode()
        assert (home / "model.safetensors").read_bytes() == interrupted.weights


def test_without_an_intact_checkpoint(task_run: Interrupted, tmp_path: Path) -> None:
    shutil.copytree(task_run.home, tmp_path / "run")
    for checkpoint in (tmp_path / "run/checkpoints").glob("step-*"):
        (checkpoint / "state.json").write_text("{}")
    result = task_run.resume(tmp_path / "run")
    assert not check_one_line(result, "state.json")
    assert "delete" in result.stderr.decode()
    shutil.rmtree(tmp_path / "run/checkpoints")
    assert task_run.resume(tmp_path / "run").returncode == 0
    assert (tmp_path / "run/model.safetensors").read_bytes() == task_run.weights


def test_checkpoints_without_checksums(task_run: Interrupted, tmp_path: Path) -> None:
    """Earlier versions wrote none. The structure of the state is checked all the same."""
    state = json.loads(next((task_run.home / "checkpoints").glob("step-*/state.json")).read_text())
    for what, value in changed_values(state):
        read, error = attempt(TrainingState.from_dict, value)
        assert error or vars(read).keys() == state.keys(), what
    with pytest.raises(ValueError, match="step is missing"):
        TrainingState.from_dict({})


def test_loading_a_task_model(task_run: Interrupted, tmp_path: Path) -> None:
    home = tmp_path / "run"
    shutil.copytree(task_run.home, home)
    assert task_run.resume(home).returncode == 0
    cases = [
        case for case in cases_of(home) if case[0] in ("run.json", "words.txt", "learned.txt", "model.safetensors")
    ]
    expected = load_run(home).model.state_dict()
    for file, what, content in sampled(cases, 100, "load"):
        original = (home / file).read_bytes()
        (home / file).unlink() if content is None else (home / file).write_bytes(content)
        loaded, error = attempt(load_run, home)
        if loaded is None:
            assert str(home) in error, (file, what, error)
        else:
            weights = loaded.model.state_dict()
            assert all(torch.equal(expected[name], weights[name]) for name in expected), (file, what)
        (home / file).write_bytes(original)
    metrics = [case for case in cases_of(home) if case[0] == "metrics.json"]
    for file, what, content in sampled(metrics, 20, "metrics"):
        original = (home / file).read_bytes()
        (home / file).unlink() if content is None else (home / file).write_bytes(content)
        check_one_line(run("info", home), (file, what))
        (home / file).write_bytes(original)


def test_opening_a_corpus(pretraining: Interrupted, tmp_path: Path) -> None:
    shutil.copytree(pretraining.home.parent / "corpus", tmp_path / "corpus")
    for path in sorted((tmp_path / "corpus").iterdir()):
        content = path.read_bytes()
        for what, changed in changed_bytes(content, path.name):
            path.write_bytes(changed)
            _, error = attempt(open_corpus, tmp_path / "corpus")
            assert str(tmp_path) in error or path.name == "checksums.json", (path.name, what)
        path.write_bytes(content)


RECIPES: list[tuple[str, Callable[[str], Any], dict[str, Any]]] = [
    *((f"pretrain/{name}", read_recipe, read_recipe(name).to_dict()) for name in ("tiny",)),
    *(
        (
            f"tasks/{name}",
            lambda path, name=name: read_task_recipe(task_named(name), path),
            read_task_recipe(task_named(name)).to_dict(),
        )
        for name in TASKS
    ),
]


@pytest.mark.parametrize(("name", "read", "recipe"), RECIPES, ids=[name for name, _, _ in RECIPES])
def test_recipes(name: str, read: Callable[[str], Any], recipe: dict, tmp_path: Path) -> None:
    path = tmp_path / "recipe.json"
    content = json.dumps(recipe).encode()
    variants = [*changed_bytes(content, name)]
    variants += [(what, json.dumps(value).encode()) for what, value in changed_values(json.loads(content))]
    for what, changed in sampled(variants, 200, name):
        path.write_bytes(changed)
        made, error = attempt(read, str(path))
        if made is None:
            assert str(path) in error, (what, error)
        else:  # an equal recipe, or other values that are allowed
            assert isinstance(made, Recipe | TaskRecipe), what


def test_settings_are_all_checked() -> None:
    """A class of settings without a check would let anything through."""
    for cls in (TrainingSettings, BatchShape, TaskTraining, *(task_named(name).settings for name in TASKS)):
        for field in dataclasses.fields(cls):
            values = {other.name: None for other in dataclasses.fields(cls)}
            with pytest.raises(ValueError, match="must be"):
                cls(**{**values, field.name: object()})
    assert (recipe_folder("tasks") / "ner.json").exists()
