"""The package of trained task models, from run folders to an installed wheel."""

import dataclasses
import os
import subprocess
import sys
from pathlib import Path

import pytest
import torch
from tasks.test_trainer import small_recipe, write_sample

from elmo.results import append_results, read_results
from elmo.tasks.load import load_task
from elmo.tasks.task import TASKS, task_named
from elmo.tasks.trainer import train_task
from elmo.train.run import RunFolder
from elmo.weights.listing import front_matter

sys.path.append(str(Path(__file__).parents[1] / "dev"))
import bundle_tasks
import fill_tables
import task_sizes

CHOSEN = {"ner": "everyday/{}.conll", "snli": "{}.jsonl"}


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("data")
    for name, files in CHOSEN.items():
        for seed, split in enumerate(("train", "dev", "test")):
            path = folder / "tasks" / name / files.format(split)
            path.parent.mkdir(parents=True, exist_ok=True)
            write_sample(name, path, 20, seed)
    return folder


@pytest.fixture(scope="module")
def runs(data: Path, tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    folder = tmp_path_factory.mktemp("runs")
    for name in CHOSEN:
        found = bundle_tasks.data_of(name, data, folder / "extracted")
        train_task(
            task_named(name), small_recipe(name), found, folder / name, torch.device("cpu"), seed=1, elmo="small"
        )
    return [folder / name for name in CHOSEN]


@pytest.fixture(scope="module")
def package(data: Path, runs: list[Path], tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("package")
    with pytest.MonkeyPatch.context() as patch:
        arguments = [*runs, "--data", data, "--package", folder / "tasks", "--log", folder / "log.jsonl"]
        patch.setattr(sys, "argv", ["bundle_tasks.py", *map(str, arguments)])
        bundle_tasks.main()
    return folder / "tasks"


def test_every_task_is_described() -> None:
    assert bundle_tasks.ABOUT.keys() == bundle_tasks.VECTORS.keys() == set(TASKS)


@pytest.mark.parametrize("name", CHOSEN)
def test_folder_and_card(name: str, package: Path, runs: list[Path]) -> None:
    folder = package / "src" / bundle_tasks.MODULE / name
    [run] = [run for run in runs if run.name == name]
    metrics, before = RunFolder(folder).metrics(), RunFolder(run).metrics()
    assert metrics["unquantized"] == {part: before[part] for part in ("dev", "test", "test_files")}
    [logged] = [result for result in read_results(package.parent / "log.jsonl") if result.what == name]
    assert logged.value == metrics["dev"][logged.metric] == pytest.approx(before["dev"][logged.metric], abs=20)
    card = (folder / "README.md").read_text()
    assert front_matter(folder / "README.md")["trained_on"] == bundle_tasks.ABOUT[name].trained_on
    assert load_task(folder).card.trained_on == bundle_tasks.ABOUT[name].trained_on
    assert load_task(folder).card.scores["test"] == metrics["test"]
    scores = " | ".join(f"{value:.1f}" for value in metrics["test"].values())
    assert f"| test data | {scores} | {before['test'][logged.metric]:.1f} |\n" in card
    weights = before["layers"]["input"]
    shares = " | ".join(f"{share:.2f}" for share in weights["shares"])
    assert f"| input | {shares} | {weights['gamma']:.2f} |\n" in card
    assert all(len(line) <= 120 for line in card.splitlines())


def test_table_of_the_documentation(package: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fill_tables, "RESULTS", tmp_path)
    assert len(fill_tables.packaged_tasks()) == len(fill_tables.task_speed()) == len(fill_tables.everyday()) == 1
    log = read_results(package.parent / "log.jsonl")
    append_results(tmp_path / "task-package.jsonl", log)
    [_, *rows] = fill_tables.packaged_tasks()
    assert [row[0] for row in rows] == list(CHOSEN)
    assert rows[0][3] == f"{log[0].value:.1f}"
    for what, metric, value in (("ner", "sentences/s", 41.3), ("all", "load, s", 2.34), ("all", "memory, MB", 1234.5)):
        result = dataclasses.replace(log[0], what=f"tasks: {what}", metric=metric, value=value)
        append_results(tmp_path / "benchmarks/tasks.jsonl", [result])
    [_, *rows] = fill_tables.task_speed()
    assert rows == [["ner", "41", "–", "–"], ["all six together", "–", "2.3", "1,234"]]


def test_other_data_is_refused(data: Path, runs: list[Path], tmp_path: Path) -> None:
    other = tmp_path / "data"
    for split in ("train", "dev"):
        (other / "tasks/ner/everyday").mkdir(parents=True, exist_ok=True)
        write_sample("ner", other / f"tasks/ner/everyday/{split}.conll", 5, 7)
    with pytest.raises(ValueError, match="was trained on other data"):
        bundle_tasks.bundle(runs[0], tmp_path / "package", other, tmp_path / "extracted", "cpu")


def test_sizes(data: Path, runs: list[Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    log = tmp_path / "sizes.jsonl"
    options = ["--steps", "127,3", "--vectors", "0,5", "--log", log, "--data", data]
    monkeypatch.setattr(sys, "argv", ["task_sizes.py", *map(str, [runs[0], *options])])
    task_sizes.main()
    results = read_results(log)
    sizes = {(result.details["steps"], result.details["vectors"]): result.details["bytes"] for result in results}
    assert sizes[15, 0] < sizes[15, 5] < sizes[127, None] < sizes[None, None]
    assert sizes[3, None] < sizes[127, None]
    assert results[0].value == RunFolder(runs[0]).metrics()["dev"]["F1"]
    table = log.with_suffix(".md").read_text()
    assert "| ner | none | all | 15 | 5 | " in table
    assert len(table.splitlines()) == 2 + 2 + 5 + 2


def test_installed_wheel(package: Path, tmp_path: Path) -> None:
    """Without the checkout: tasks are found by name."""
    pip = [sys.executable, "-m", "pip"]
    build = ["wheel", "--quiet", "--no-deps", "--no-build-isolation", "-w", tmp_path / "wheels", package]
    subprocess.run([*pip, *build], check=True)
    install = ["install", "--quiet", "--no-deps", "--no-index", "--target", tmp_path / "site"]
    subprocess.run([*pip, *install, *(tmp_path / "wheels").glob("*.whl")], check=True)
    program = "import elmo; print(elmo.load_task('ner').card.trained_on); print(elmo.load_task('snli'))"
    path = os.pathsep.join([str(tmp_path / "site"), *sys.path])
    run = [sys.executable, "-c", program]
    found = subprocess.run(run, env={**os.environ, "PYTHONPATH": path}, cwd=tmp_path, capture_output=True, text=True)
    assert found.stdout.splitlines() == [
        bundle_tasks.ABOUT["ner"].trained_on,
        "TrainedTask('snli', 3 labels)",
    ], found.stderr
