"""Every task: train, evaluate, predict and resume, on fifty small examples."""

import dataclasses
import importlib
import json
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
import torch
import typer
from commands import error_of, run
from safetensors.torch import load_file, save_file

import elmo
from elmo.cli.main import app
from elmo.cli.predictions import render_result
from elmo.tasks.examples import random_fraction, read_examples
from elmo.tasks.recipe import TaskRecipe, TaskTraining, read_task_recipe
from elmo.tasks.task import TASKS, task_named
from elmo.tasks.trainer import TaskData, load_run, train_task

SMALL = {"dim": 8, "hidden": 8, "features": 4, "n_layers": 2, "predicate_dim": 4}
"""Sizes that the models have in common."""


def small_recipe(name: str, steps: int = 6, **elmo_changes: Any) -> TaskRecipe:
    recipe = read_task_recipe(task_named(name))
    known = {field.name for field in dataclasses.fields(recipe.model)}
    sizes = {key: value for key, value in SMALL.items() if key in known}
    return TaskRecipe(
        inputs=dataclasses.replace(recipe.inputs, dim=8, characters=None),
        elmo=dataclasses.replace(recipe.elmo, **elmo_changes),
        model=dataclasses.replace(recipe.model, **sizes),
        training=TaskTraining(batch=8, epochs=0.01, least_steps=steps, evaluations=3, learning_rate=0.03),
    )


def write_sample(name: str, path: Path, count: int, seed: int) -> Path:
    importlib.import_module(f"tasks.samples.{name}").write(path, count, seed)
    return path


SUFFIXES = {"squad": "json", "snli": "jsonl", "sst": "txt"}


@pytest.fixture(scope="module")
def samples(tmp_path_factory: pytest.TempPathFactory) -> dict[str, TaskData]:
    folder = tmp_path_factory.mktemp("samples")
    data = {}
    for name in TASKS:
        parts = []
        for seed, (part, count) in enumerate((("train", 50), ("dev", 10), ("test", 10))):
            path = folder / f"{name}-{part}.{SUFFIXES.get(name, 'conll')}"
            parts.append((str(write_sample(name, path, count if name != "coref" else count // 5, seed)),))
        data[name] = TaskData(*parts)
    return data


def train(name: str, data: TaskData, folder: Path, elmo_model: Path | None = None, **changes: Any) -> dict[str, Any]:
    recipe = small_recipe(name, **changes)
    return train_task(task_named(name), recipe, data, folder, torch.device("cpu"), seed=1, elmo=elmo_model)


def test_the_record_names_the_device_in_use(samples: dict, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("elmo.train.run.machine", lambda device: f"on {device}")
    train("ner", samples["ner"], tmp_path / "run")
    assert json.loads((tmp_path / "run" / "run.json").read_text())["device"] == "on cpu"


def test_a_run_without_room_for_static_vectors_is_resumed(samples: dict, tmp_path: Path) -> None:
    """All words are unknown, and have the mean of the vectors in the file, which is not in the checkpoints."""
    (tmp_path / "vectors.txt").write_text("the 1 0 0\na 0 1 0\n")
    options = {"vectors": tmp_path / "vectors.txt", "max_vectors": 0, "seed": 1}
    task, arguments = task_named("ner"), (samples["ner"], tmp_path / "run", torch.device("cpu"))
    metrics = train_task(task, small_recipe("ner"), *arguments, **options)
    before = load_file(tmp_path / "run" / "model.safetensors")
    again = train_task(task, small_recipe("ner"), *arguments, **options, resume=True)
    assert again["dev"] == metrics["dev"]
    after = load_file(tmp_path / "run" / "model.safetensors")
    assert all(torch.equal(before[name], after[name]) for name in before)


@pytest.mark.parametrize("name", TASKS)
def test_train_evaluate_predict(name: str, samples: dict, published_folder: Path, tmp_path: Path) -> None:
    data = samples[name]
    metrics = train(name, data, tmp_path / "run", published_folder, placement="both")
    task = task_named(name)
    assert task.objective in metrics["dev"]
    assert set(metrics["layers"]) == {"input", "output"}

    trained = load_run(tmp_path / "run")
    examples = task.read(Path(data.test[0]))
    assert trained.evaluate(examples) == pytest.approx(metrics["test"], abs=1e-4)
    shown = []
    for result in trained.results(map(trained.labeled, examples)):
        shown.append(render_result(result).plain)
        assert json.loads(json.dumps(result.to_dict())) == result.to_dict()
    assert all(shown)

    result = run("task", "evaluate", tmp_path / "run", data.test[0], "--json")
    assert json.loads(result.stdout) == pytest.approx(metrics["test"], abs=1e-4)
    result = run("task", "predict", tmp_path / "run", data.test[0], "--json")
    assert len(result.stdout.splitlines()) == len(examples)
    printed = run("task", "predict", tmp_path / "run", data.test[0]).stdout.decode()
    first, *others = shown
    assert printed == first + "".join(("\n\n" if "\n" in other else "\n") + other for other in others) + "\n"


@pytest.mark.parametrize(("name", "average"), [*((name, None) for name in TASKS), ("squad", 0.999)])
def test_a_resumed_run_ends_like_an_uninterrupted_one(
    name: str, average: float | None, samples: dict, tmp_path: Path
) -> None:
    data, task = samples[name], task_named(name)
    recipe = small_recipe(name)
    recipe = dataclasses.replace(recipe, training=dataclasses.replace(recipe.training, average=average))
    whole = train_task(task, recipe, data, tmp_path / "whole", torch.device("cpu"), seed=1)

    class Stop(Exception):
        pass

    calls = 0
    original = type(task).score

    def stopping(self: Any, *arguments: Any) -> dict[str, float]:
        nonlocal calls
        calls += 1
        if calls == 3:  # in the middle, after two evaluations
            raise Stop
        return original(self, *arguments)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(type(task), "score", stopping)
        often = dataclasses.replace(recipe.training, save_every_minutes=0.0)
        with pytest.raises(Stop):
            train_task(
                task, dataclasses.replace(recipe, training=often), data, tmp_path / "parts", torch.device("cpu"), seed=1
            )
    assert list((tmp_path / "parts/checkpoints").glob("step-*"))
    again = train_task(task, recipe, data, tmp_path / "parts", torch.device("cpu"), seed=1, resume=True)
    assert again["dev"] == whole["dev"]
    one, other = (load_file(tmp_path / folder / "model.safetensors") for folder in ("whole", "parts"))
    assert all(torch.equal(one[key], other[key]) for key in one)


class TestRuns:
    def test_a_perfect_score_ends_the_training(
        self, samples: dict, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
    ) -> None:
        scores = iter([50.0, 100.0, 100.0, 100.0, 100.0])
        monkeypatch.setattr(type(task_named("ner")), "score", lambda *_: {"F1": next(scores)})
        assert train("ner", samples["ner"], tmp_path / "run")["trained"]["step"] == 4
        assert "no later model can have a better score" in capsys.readouterr().out

    @pytest.mark.parametrize("name", ["snli", "ner"])  # static vectors are fixed, and tuned
    def test_words_without_a_static_vector(self, name: str, samples: dict, tmp_path: Path) -> None:
        vectors = tmp_path / "v.txt"
        vectors.write_text("the 1 0 1 0\na 0 1 0 1\nhelicopter 1 1 1 1\n")
        task, recipe = task_named(name), small_recipe(name)
        arguments = (task, recipe, samples[name])
        metrics = train_task(*arguments, tmp_path / "run", torch.device("cpu"), seed=1, vectors=vectors)
        counted = metrics["words"]
        learned = (tmp_path / "run/learned.txt").read_text().split()
        assert counted["static"] == 3
        assert counted["learned"] == len(learned) > 0
        assert 0 <= counted["train"]["unknown"] < counted["train"]["no static vector"] < 100
        weights = load_file(tmp_path / "run/model.safetensors")
        fixed = not recipe.inputs.tuned
        assert ("words.offsets.weight" in weights) == fixed
        assert weights["words.table.weight"].shape == (2 + 3 + (0 if fixed else len(learned)), 4)
        given = torch.tensor([[1.0, 0, 1, 0], [0, 1, 0, 1], [1, 1, 1, 1]])
        assert torch.equal(weights["words.table.weight"][2:5], given) == fixed
        moved = weights["words.offsets.weight"][1:] if fixed else weights["words.table.weight"][5:]
        assert (moved.std(0) > 0).all()
        examples = read_examples(task, samples[name].test)
        assert load_run(tmp_path / "run").evaluate(examples) == pytest.approx(metrics["test"])

    def test_runs_of_older_versions(self, samples: dict, tmp_path: Path) -> None:
        """They have no learned words, and a weight less."""
        vectors = tmp_path / "v.txt"
        vectors.write_text("the 1 0 1 0\na 0 1 0 1\n")
        folder, recipe = tmp_path / "run", small_recipe("snli")
        device = torch.device("cpu")
        train_task(task_named("snli"), recipe, samples["snli"], folder, device, seed=1, vectors=vectors)
        (folder / "learned.txt").unlink()
        record = json.loads((folder / "run.json").read_text())
        del record["files"], record["sha256"]
        (folder / "run.json").write_text(json.dumps(record))
        weights = load_file(folder / "model.safetensors")
        del weights["words.offsets.weight"]
        save_file(weights, folder / "model.safetensors")
        trained = load_run(folder)
        assert trained.model.words.offsets is None
        assert len(trained.predict(read_examples(trained.task, samples["snli"].test))) == 10

    def test_scores_on_each_test_file(self, samples: dict, tmp_path: Path) -> None:
        first, second = (write_sample("ner", tmp_path / f"{seed}.conll", 20 * seed, seed) for seed in (1, 2))
        data = dataclasses.replace(samples["ner"], test=(str(first), str(second)))
        metrics = train("ner", data, tmp_path / "run")
        trained, task = load_run(tmp_path / "run"), task_named("ner")
        alone = {path.name: trained.evaluate(read_examples(task, [str(path)])) for path in (first, second)}
        assert {name: pytest.approx(scores) for name, scores in metrics["test_files"].items()} == alone
        assert metrics["test_files"].keys() == {"1.conll", "2.conll"}
        assert metrics["test"] == pytest.approx(trained.evaluate(read_examples(task, data.test)))

    def test_the_bilm_can_be_fine_tuned(self, samples: dict, published_folder: Path, tmp_path: Path) -> None:
        train("ner", samples["ner"], tmp_path / "run", published_folder, frozen=False)
        bilm = load_run(tmp_path / "run").model.words.bilm
        assert bilm is not None
        before = elmo.load(published_folder).bilm.lstm.layers[0].weight
        assert not torch.equal(bilm.lstm.layers[0].weight, before)

    def test_a_copy_of_the_bilm_is_kept(self, samples: dict, model: Any, tmp_path: Path) -> None:
        model.save(tmp_path / "mine")
        train("ner", samples["ner"], tmp_path / "run", tmp_path / "mine")
        (tmp_path / "mine").rename(tmp_path / "gone")
        assert load_run(tmp_path / "run").model.words.elmo is not None

    def test_the_same_seed_gives_the_same_model(self, samples: dict, tmp_path: Path) -> None:
        for name in ("one", "two"):
            train("ner", samples["ner"], tmp_path / name)
        one, two = (load_file(tmp_path / name / "model.safetensors") for name in ("one", "two"))
        assert all(torch.equal(one[key], two[key]) for key in one)

    def test_what_load_run_rejects(self, samples: dict, tmp_path: Path) -> None:
        with pytest.raises(ValueError, match=r"not a run folder .* name one that elmo task train wrote"):
            load_run(tmp_path)
        train("ner", samples["ner"], tmp_path / "run")
        weights = tmp_path / "run/model.safetensors"
        weights.write_bytes(weights.read_bytes()[:100])
        with pytest.raises(ValueError, match="damaged"):
            load_run(tmp_path / "run")
        weights.unlink()
        with pytest.raises(ValueError, match="--resume"):
            load_run(tmp_path / "run")
        with pytest.raises(ValueError, match="already exists"):
            train("ner", samples["ner"], tmp_path / "run")
        (tmp_path / "run/run.json").write_text("{}")
        with pytest.raises(ValueError, match="not of a task"):
            load_run(tmp_path / "run")

    def test_no_resuming_with_different_data(self, samples: dict, tmp_path: Path) -> None:
        train("ner", samples["ner"], tmp_path / "run")
        other = dataclasses.replace(samples["ner"], train=samples["ner"].test)
        recipe = small_recipe("ner")
        with pytest.raises(ValueError, match="different data"):
            train_task(task_named("ner"), recipe, other, tmp_path / "run", torch.device("cpu"), seed=1, resume=True)

    def test_random_fraction(self) -> None:
        examples = list(range(1000))
        tenth, half = random_fraction(examples, 0.1), random_fraction(examples, 0.5)
        assert len(tenth) == 100
        assert set(tenth) < set(half)
        assert random_fraction(examples, 1e-9) != []
        with pytest.raises(ValueError, match="fraction"):
            TaskData(("a",), ("b",), fraction=0.0)


class TestRecipes:
    @pytest.mark.parametrize("name", TASKS)
    def test_every_recipe_is_complete(self, name: str) -> None:
        recipe = read_task_recipe(task_named(name))
        again = TaskRecipe.from_dict(json.loads(json.dumps(recipe.to_dict())), task_named(name))
        assert again == recipe

    @pytest.mark.parametrize("content", ["{", "{}", '{"inputs": {}, "elmo": {}, "model": {}, "training": {}}'])
    def test_bad_recipes(self, tmp_path: Path, content: str) -> None:
        (tmp_path / "r.json").write_text(content)
        with pytest.raises(ValueError, match=r"r\.json"):
            read_task_recipe(task_named("ner"), str(tmp_path / "r.json"))

    def test_steps_and_evaluations(self) -> None:
        training = TaskTraining(batch=10, epochs=2, least_steps=50, evaluations=5, learning_rate=1.0)
        assert training.settings(1000).steps == 200
        assert training.settings(1000).evaluate_every == 40
        assert training.settings(10).steps == 50


class TestCommands:
    def test_train_and_predict(self, samples: dict, tmp_path: Path) -> None:
        recipe = tmp_path / "recipe.json"
        recipe.write_text(json.dumps(small_recipe("ner", 200).to_dict()))
        data = samples["ner"]
        files = ("--train", data.train[0], "--dev", data.dev[0], "--test", data.test[0], "--recipe", recipe)
        result = run("task", "train", "ner", *files, "-o", tmp_path / "run", "--device", "cpu")
        assert result.returncode == 0, result.stderr.decode()
        assert "test: F1 100" in result.stdout.decode()
        for kind in ("curve.png", "metrics.json", "log.jsonl"):
            assert (tmp_path / "run" / kind).exists()
        result = run("task", "predict", tmp_path / "run", "the old mister Hugo .")
        assert "[Hugo person]" in result.stdout.decode()
        assert "F1 100" in run("info", tmp_path / "run").stdout.decode()
        assert json.loads(run("info", tmp_path / "run", "--json").stdout)["task"] == "ner"
        (tmp_path / "lines.txt").write_text("mister Dora .\n\nin Elmo .\n")
        result = run("task", "predict", tmp_path / "run", tmp_path / "lines.txt", "-o", tmp_path / "out.jsonl")
        assert result.returncode == 0
        assert len((tmp_path / "out.jsonl").read_text().splitlines()) == 2
        result = run("task", "predict", tmp_path / "run", stdin=b"mister Dora .\n")
        assert b"Dora" in result.stdout

    def test_bad_input(self, samples: dict, tmp_path: Path) -> None:
        data = samples["ner"]
        files = ("--train", data.train[0], "--dev", data.dev[0], "-o", tmp_path / "run")
        assert "no such task" in error_of(run("task", "train", "chess", *files))
        assert "--train and --dev" in error_of(run("task", "train", "ner", "-o", tmp_path / "run"))
        assert "require --elmo" in error_of(run("task", "train", "ner", *files, "--lambda", "1"))
        assert "not a run folder" in error_of(run("task", "train", "ner", *files, "--resume"))
        assert "not the name of a model" in error_of(run("task", "train", "ner", *files, "--elmo", "huge"))
        assert "no such recipe" in error_of(run("task", "train", "ner", *files, "--recipe", "huge.json"))
        broken = tmp_path / "broken.conll"
        broken.write_text("a O\nb\n")
        message = error_of(run("task", "train", "ner", "--train", broken, "--dev", data.dev[0], "-o", tmp_path / "run"))
        assert "broken.conll, line 2" in message
        assert not (tmp_path / "run").exists()
        assert "not a run folder" in error_of(run("task", "evaluate", tmp_path, data.dev[0]))

    def test_what_is_given_to_resume_must_agree_with_the_run(
        self, samples: dict, published_folder: Path, tmp_path: Path
    ) -> None:
        recipe, other = tmp_path / "recipe.json", tmp_path / "other.json"
        recipe.write_text(json.dumps(small_recipe("ner").to_dict()))
        changed = dataclasses.asdict(small_recipe("ner"))
        changed["training"]["clip_norm"] = 1.0
        other.write_text(json.dumps(changed))
        (tmp_path / "vectors.txt").write_text("the 1 0 0\na 0 1 0\n")
        (tmp_path / "others.txt").write_text("the 1 0 1\na 0 1 0\n")
        data, moved = samples["ner"], tmp_path / "moved.conll"
        shutil.copy(data.train[0], moved)
        command = ("task", "train", "ner", "-o", tmp_path / "run", "--device", "cpu")
        started = (
            "--train", data.train[0], "--dev", data.dev[0], "--recipe", recipe, "--elmo", published_folder,
            "--vectors", tmp_path / "vectors.txt", "--batch", 5,
        )  # fmt: skip
        assert run(*command, *started).returncode == 0
        differing = {
            "--train": (data.test[0], data.train[0]),
            "--dev": (data.test[0], data.dev[0]),
            "--test": (data.test[0], "without it"),
            "--elmo": ("small", "run/elmo"),
            "--vectors": (tmp_path / "others.txt", tmp_path / "vectors.txt"),
            "--max-vectors": (3, "without it"),
            "--placement": ("output", "input"),
            "--layers": ("top", "all"),
            "--unit": ("sentence", "sequence"),
            "--lambda": (0.5, small_recipe("ner").elmo.penalty),
            "--epochs": (2.0, small_recipe("ner").training.epochs),
            "--batch": (6, 5),
            "--learning-rate": (0.5, small_recipe("ner").training.learning_rate),
            "--fraction": (0.5, 1.0),
            "--seed": (2, 1),
        }
        for option, (value, recorded) in differing.items():
            message = error_of(run(*command, "--resume", option, value))
            assert "cannot be resumed" in message
            assert f"{option} is {value}, but the run was started with" in message
            assert str(recorded) in message
        flag = error_of(run(*command, "--resume", "--tune-elmo"))
        assert flag.endswith("--tune-elmo is given, but the run was started without it")
        message = error_of(run(*command, "--resume", "--recipe", other, "--batch", 5))
        assert f"training.clip_norm is 1.0 in --recipe {other}, but the run was started with 5.0" in message
        assert "No such file" in error_of(run(*command, "--resume", "--train", tmp_path / "missing.conll"))
        train_command = typer.main.get_command(app).commands["task"].commands["train"]
        options = {parameter.opts[0] for parameter in train_command.params} - {
            "name",
            "--output",
            "--resume",
            "--device",
        }
        assert options == {*differing, "--tune-elmo", "--recipe"}, "every other option must agree"

        for same in ((), started, ("--train", moved), ("--recipe", recipe, "--batch", 5)):
            result = run(*command, "--resume", *same)
            assert result.returncode == 0, result.stderr.decode()

    def test_gap(self, samples: dict, tmp_path: Path) -> None:
        from elmo.datasets.gap import COLUMNS

        for name in ("coref", "ner"):
            train(name, samples[name], tmp_path / name)
        row = ["x-1", "Ann met Eve . She left .", "She", "14", "Ann", "0", "TRUE", "Eve", "8", "FALSE", "url"]
        (tmp_path / "gap.tsv").write_text("\t".join(COLUMNS) + "\n" + "\t".join(row) + "\n")
        result = run("task", "gap", tmp_path / "coref", tmp_path / "gap.tsv", "--json")
        assert set(json.loads(result.stdout)) == {"F1", "F1 masculine", "F1 feminine", "bias"}
        assert "not for coref" in error_of(run("task", "gap", tmp_path / "ner", tmp_path / "gap.tsv"))

    def test_killed_and_resumed(self, samples: dict, tmp_path: Path) -> None:
        """SIGTERM saves a checkpoint, and --resume needs only the folder."""
        recipe = tmp_path / "recipe.json"
        recipe.write_text(json.dumps(small_recipe("ner", 100_000).to_dict()))
        data, folder = samples["ner"], tmp_path / "run"
        files = ("--train", data.train[0], "--dev", data.dev[0], "--recipe", str(recipe), "--device", "cpu")
        command = [sys.executable, "-m", "elmo", "task", "train", "ner", *files, "-o", str(folder)]
        process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        end = time.monotonic() + 60
        while not ((folder / "log.jsonl").exists() and (folder / "log.jsonl").read_text()):
            assert process.poll() is None
            assert time.monotonic() < end
            time.sleep(0.05)
        process.send_signal(signal.SIGTERM)
        process.communicate()
        assert process.returncode == 130
        metadata = json.loads((folder / "run.json").read_text())
        del metadata["sha256"]  # it is changed on purpose below
        step = int(sorted((folder / "checkpoints").glob("step-*"))[-1].name.split("-")[1])
        metadata["recipe"]["training"]["least_steps"] = step + 5
        (folder / "run.json").write_text(json.dumps(metadata))
        result = run("task", "train", "ner", "-o", folder, "--resume", "--device", "cpu")
        assert result.returncode == 0, result.stderr.decode()
        assert "dev: F1" in result.stdout.decode()
