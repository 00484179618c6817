"""Tables about tasks, from small made-up data to the written page."""

import dataclasses
import os
import shutil
import signal
from pathlib import Path
from typing import Any

import pytest
from commands import error_of, run
from filelock import FileLock
from tasks.samples import ner
from tasks.samples.data_folder import write_data_folder

import elmo
from elmo.paper import task_runs
from elmo.paper.exhibit import Setup
from elmo.paper.reproduce import EXHIBITS
from elmo.paper.task_runs import QuickSettings, RunsFailedError, RunSpec, finished_runs, run_specs
from elmo.paper.task_tables import TaskExhibit, TaskExperiment, TaskResults, mean_and_deviation
from elmo.results import Result, append_results, read_results
from elmo.tasks.task import task_named
from elmo.train import loop
from elmo.train.run import RunFolder
from elmo.weights.folder import write_folder
from elmo.weights.locate import read_model


@pytest.fixture
def data(tmp_path: Path) -> Path:
    return write_data_folder(tmp_path)


SIZES = {"ner": QuickSettings(20, 10, 3)}


class TestRuns:
    def test_nothing_is_done_twice(self, data: Path, published_folder: Path, tmp_path: Path) -> None:
        setup = Setup(tmp_path / "results", data)
        experiment = TaskExperiment(str(published_folder), ("ner",), (1, 2), quick=True)
        specs = EXHIBITS["table1"].all_specs(experiment)
        first = run_specs(specs[:2], setup, SIZES)
        assert len(first) == 2
        both = run_specs(specs, setup, SIZES)
        assert len(both) == 4
        kept = read_results(setup.output / task_runs.TASKS_FILE)
        assert len(kept) == 4
        assert kept[-1].details["layers"]["input"]["shares"] != []
        assert not list(setup.output.glob("elmo-*"))
        row = EXHIBITS["table1"].rows(TaskResults(experiment, both))[1]
        assert "(2)" in row[2]

    @pytest.mark.parametrize("change", ["data", "vectors", "biLM", "recipe"])
    def test_other_inputs_make_another_run(self, data: Path, published_folder: Path, tmp_path: Path, change) -> None:
        model = tmp_path / "model"
        write_folder(read_model(published_folder), model)
        setup = Setup(tmp_path / "results", data, vectors=data / "tasks/vectors/v.txt")
        specs, sizes = [RunSpec("ner", str(model), quick=True)], SIZES
        first = run_specs(specs, setup, sizes)
        assert run_specs(specs, setup, sizes) == first
        if change == "data":
            shutil.rmtree(setup.output / "data")
            (data / "tasks/ner/mine.tar.xz").unlink()
            for number, name in enumerate(("train.conll", "dev.conll", "test.conll"), 7):
                ner.write(data / "tasks/ner" / name, 30, number)
        elif change == "vectors":
            setup.vectors.write_text(setup.vectors.read_text().replace("0.5", "0.25"))
        elif change == "biLM":
            bilm = read_model(published_folder)
            bilm.lstm.layers[0].bias.data[0, 0] += 0.5
            write_folder(bilm, model)
        else:
            sizes = {"ner": QuickSettings(20, 10, 4)}
        results = run_specs(specs, setup, sizes)
        assert results != first
        assert list(first.values()) + list(results.values()) == read_results(setup.output / task_runs.TASKS_FILE)
        assert finished_runs(specs, setup.output) == results

    def test_trained_models_can_be_kept(self, data: Path, published_folder: Path, tmp_path: Path) -> None:
        setup = Setup(tmp_path / "results", data, keep_models=True)
        spec = RunSpec("ner", str(published_folder), quick=True)
        [result] = run_specs([spec], setup, SIZES).values()
        folder = task_runs.trained_folder(spec, setup.output)
        assert elmo.load_task(folder)("Ann came.").text == "Ann came."
        assert RunFolder(folder).metrics()["dev"]["F1"] == result.value
        assert not (folder / "checkpoints").exists()
        assert not (setup.output / "runs").exists()

    def test_results_of_older_versions_are_read(self, tmp_path: Path) -> None:
        spec = RunSpec("ner", None)
        result = Result("ner", "F1", 50.0, 1, "c", {}, "h", "m", 1.0, {"cell": dataclasses.asdict(spec)})
        append_results(tmp_path / task_runs.TASKS_FILE, [result])
        assert finished_runs([spec], tmp_path) == {spec.key: result}

    def test_results_without_a_dataset_are_those_of_the_default(self, tmp_path: Path) -> None:
        specs = [RunSpec("ner", None), RunSpec("ner", None, dataset="general")]
        old = dataclasses.asdict(specs[0])
        del old["dataset"]
        result = Result("ner", "F1", 50.0, 1, "c", {}, "h", "m", 1.0, {"run": old})
        append_results(tmp_path / task_runs.TASKS_FILE, [result])
        assert finished_runs(specs, tmp_path) == {specs[0].key: result}

    def test_what_the_bilm_reads_at_once_is_a_variant(self, tmp_path: Path) -> None:
        specs = [RunSpec("squad", "small"), RunSpec("squad", "small", unit="sentence")]
        assert [spec.recipe(task_runs.QUICK["squad"]).elmo.unit for spec in specs] == ["sequence", "sentence"]
        old = dataclasses.asdict(specs[0])
        del old["unit"]
        result = Result("squad", "F1", 50.0, 1, "c", {}, "h", "m", 1.0, {"run": old})
        append_results(tmp_path / task_runs.TASKS_FILE, [result])
        assert finished_runs(specs, tmp_path) == {specs[0].key: result}

    def test_datasets_of_a_task_are_separate_runs(self, data: Path, tmp_path: Path) -> None:
        other = data / "tasks/ner/general"
        other.mkdir()
        for number, name in enumerate(("train", "dev", "test-a", "test-b")):
            ner.write(other / f"{name}.conll", 20, number)
        shutil.move(data / "tasks/ner/mine.tar.xz", data / "tasks/ner/wnut17.tar.xz")
        experiment = TaskExperiment("small", ("ner", "ner/general"), (1,), quick=False)
        specs = [spec for name in experiment.tasks for spec in experiment.specs(name, elmo=False, fraction=0.5)]
        short = [dataclasses.replace(spec, quick=True) for spec in specs]
        results = run_specs(short, Setup(tmp_path / "results", data), SIZES)
        assert [results[spec.key].what for spec in short] == ["ner", "ner/general"]
        first, second = (results[spec.key] for spec in short)
        assert first.data_hash != second.data_hash

    def test_several_at_once_are_what_one_after_the_other_is(self, data: Path, tmp_path: Path) -> None:
        values = []
        for jobs in (1, 2):
            setup = Setup(tmp_path / f"results{jobs}", data, jobs=jobs)
            specs = [RunSpec("ner", None, seed=seed, quick=True) for seed in (1, 2)]
            results = run_specs(specs, setup, SIZES)
            values.append([results[spec.key].value for spec in specs])
        assert values[0] == values[1]

    def test_runs_that_share_layers_are_those_that_do_not(
        self, data: Path, published_folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """Also those on a fraction of the data: all sentences are in one batch, whose layers are the same bits."""
        specs = [RunSpec("ner", str(published_folder), quick=True, fraction=fraction) for fraction in (1.0, 0.3)]
        setup = Setup(tmp_path / "shared", data)
        files = set()
        original = task_runs.train_task

        def train_task(*arguments: Any, shared_layers: Path, **options: Any) -> dict[str, Any]:
            metrics = original(*arguments, shared_layers=shared_layers, **options)
            files.update(path.name for path in shared_layers.glob("*.layers"))
            return metrics

        monkeypatch.setattr(task_runs, "train_task", train_task)
        shared = run_specs(specs, setup, SIZES)
        assert len(files) == 1  # the fraction uses the layers of the whole
        assert not (setup.output / "layers").exists()

        def train_alone(*arguments: Any, shared_layers: Path, **options: Any) -> dict[str, Any]:
            return original(*arguments, **options)

        monkeypatch.setattr(task_runs, "train_task", train_alone)
        alone = run_specs(specs, Setup(tmp_path / "alone", data), SIZES)
        for spec in specs:
            details = [dict(results[spec.key].details) for results in (shared, alone)]
            for one in details:
                one["trained"] = {**one["trained"], "seconds": 0}
            assert details[0] == details[1]


class TestInterruptions:
    """What is stopped continues, what fails does not stop the others."""

    @pytest.fixture
    def setup(self, data: Path, tmp_path: Path) -> Setup:
        return Setup(tmp_path / "results", data)

    def stop_at_evaluation(self, number: int, monkeypatch: pytest.MonkeyPatch) -> None:
        """Send SIGTERM during an evaluation, as someone who ends the command does."""
        task = type(task_named("ner"))
        original, calls = task.score, []

        def score(self: Any, *arguments: Any) -> dict[str, float]:
            calls.append(1)
            if len(calls) == number:
                os.kill(os.getpid(), signal.SIGTERM)
            return original(self, *arguments)

        monkeypatch.setattr(task, "score", score)

    def test_a_stopped_run_is_resumed(
        self, setup: Setup, tmp_path: Path, published_folder: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        sizes = {"ner": QuickSettings(20, 10, 12)}
        specs = [RunSpec("ner", str(published_folder), quick=True, seed=seed) for seed in (1, 2)]
        whole = run_specs(specs, Setup(tmp_path / "whole", setup.data), sizes)
        with monkeypatch.context() as patch:
            self.stop_at_evaluation(2, patch)
            with pytest.raises(KeyboardInterrupt):
                run_specs(specs, setup, sizes)
        (run,) = (path for path in (setup.output / "runs").glob("ner-*") if path.is_dir())
        assert [path.name for path in (run / "checkpoints").glob("step-*")] == [
            "step-00000009"
        ]  # the step after the evaluation
        assert not (run / "elmo").exists()  # the biLM is not copied to every run
        assert list((setup.output / "layers").glob("*.layers"))
        steps = []
        original = loop.seed_step
        monkeypatch.setattr(
            loop, "seed_step", lambda seed, step, rank: (steps.append(step), original(seed, step, rank))
        )
        results = run_specs(specs, setup, sizes)
        assert steps == [*range(9, 12), *range(12)]
        for spec in specs:
            details = [dict(found[spec.key].details, trained=None) for found in (whole, results)]
            assert details[0] == details[1]
        assert {path.name for path in setup.output.iterdir()} == {"data", "tasks.jsonl"}

    def test_other_settings_start_from_the_beginning(self, setup: Setup, monkeypatch: pytest.MonkeyPatch) -> None:
        spec = RunSpec("ner", None, quick=True)
        with monkeypatch.context() as patch:
            self.stop_at_evaluation(1, patch)
            with pytest.raises(KeyboardInterrupt):
                run_specs([spec], setup, {"ner": QuickSettings(20, 10, 30)})
        with pytest.warns(UserWarning, match=r"least_steps is 3, .* 30; it starts from the beginning"):
            results = run_specs([spec], setup, SIZES)
        assert results[spec.key].details["trained"]["step"] == 3

    def test_a_run_that_fails_does_not_stop_the_others(self, setup: Setup, monkeypatch: pytest.MonkeyPatch) -> None:
        specs = [RunSpec("ner", None, seed=seed, quick=True) for seed in (1, 2, 3)]
        original = task_runs.run_one

        def run_one(spec: RunSpec, *arguments: Any) -> Result:
            if spec.seed == 2:
                raise ValueError("bad luck")
            return original(spec, *arguments)

        with monkeypatch.context() as patch:
            patch.setattr(task_runs, "run_one", run_one)
            with (
                pytest.warns(UserWarning, match="ner, seed 2: failed: bad luck"),
                pytest.raises(RunsFailedError, match=r"1 run of 3 failed \(ner, seed 2: bad luck\)") as raised,
            ):
                run_specs(specs, setup, SIZES)
        assert set(raised.value.finished) == {specs[0].key, specs[2].key}
        assert set(finished_runs(specs, setup.output)) == {specs[0].key, specs[2].key}
        assert len(run_specs(specs, setup, SIZES)) == 3

    def test_only_one_command_at_a_time(self, setup: Setup) -> None:
        (setup.output / "runs").mkdir(parents=True)
        with (
            FileLock(setup.output / "runs" / task_runs.LOCK_FILE),
            pytest.raises(ValueError, match="another command is training models there"),
        ):
            run_specs([RunSpec("ner", None, quick=True)], setup, SIZES)


class TestTables:
    def test_mean_and_deviation(self) -> None:
        assert mean_and_deviation([]) == "–"
        assert mean_and_deviation([85.25]) == "85.2"
        assert mean_and_deviation([80.0, 82.0]) == "81.0 ± 1.4 (2)"

    def test_gains(self) -> None:
        experiment = TaskExperiment("small", ("ner",), (1, 2), quick=False)
        results = {}
        for spec in EXHIBITS["table1"].all_specs(experiment):
            value = (50.0 if spec.elmo is None else 60.0) + spec.seed
            details = {"run": dataclasses.asdict(spec), "test": {"F1": value - 10}, "layers": {}}
            results[spec.key] = Result("ner", "F1", value, spec.seed, "c", {"torch": "2"}, "h", "m", 1.0, details)
        _, row = EXHIBITS["table1"].rows(TaskResults(experiment, results))
        assert row[:2] == ["NER (F1)", "WNUT-17, not CoNLL-2003"]
        assert row[2:8] == ["51.5 ± 0.7 (2)", "61.5 ± 0.7 (2)", "+10.0", "14.1", "20.6 %", "41.5 ± 0.7 (2)"]

    def test_scores_on_each_test_file(self) -> None:
        experiment = TaskExperiment("small", ("ner", "ner/general"), (1,), quick=False)
        runs = {}
        for spec in EXHIBITS["table1"].all_specs(experiment):
            files = {"a.conll": {"F1": 20.0 if spec.elmo is None else 30.0}} if spec.dataset else {}
            details = {"test": {"F1": 1.0}, "test_files": files, "vectors": "v.txt"}
            runs[spec.key] = Result("ner", "F1", 1.0, 1, "c", {"torch": "2"}, "h", "m", 1.0, details)
        tables = EXHIBITS["table1"].collect(TaskResults(experiment, runs))
        assert tables["table1-test-files"].rows == [["NER (F1), general", "a.conll", "20.0", "30.0"]]
        assert "static vectors v.txt" in tables["table1"].note
        baseline = TaskExperiment("small", ("ner",), (1,), quick=False)
        assert list(EXHIBITS["table1"].collect(TaskResults(baseline, runs))) == ["table1"]

    def test_a_dataset_that_the_paper_does_not_have(self) -> None:
        experiment = TaskExperiment("small", ("ner/general", "coref/ontogum", "ner/mine"), (1,), quick=False)
        none = TaskResults(experiment, {})
        assert [row[:2] for row in EXHIBITS["table1"].rows(none)[1:]] == [
            ["NER (F1)", "web, Wikipedia and Twitter, not CoNLL-2003"],
            ["Coref (average F1)", "OntoGUM, not OntoNotes"],
            ["NER (F1)", "ner/mine"],
        ]
        assert EXHIBITS["table3"].rows(none)[1][0] == "NER (F1), general"

    @pytest.mark.parametrize(
        ("name", "runs"), [("table1", 16), ("table2", 12), ("table3", 9), ("figure1", 16), ("figure2", 6)]
    )
    def test_the_runs_they_need(self, name: str, runs: int) -> None:
        exhibit = EXHIBITS[name]
        specs = exhibit.all_specs(TaskExperiment("small", exhibit.tasks, (1,), quick=True))
        assert len(set(specs)) == runs

    def test_tables_share_runs_that_a_recipe_makes_anyhow(self) -> None:
        experiment = TaskExperiment("small", ("snli",), (1,), quick=False)  # its recipe has ELMo at both places
        with_elmo = EXHIBITS["table1"].all_specs(experiment)[1]
        assert with_elmo in EXHIBITS["table3"].all_specs(experiment)
        assert with_elmo in EXHIBITS["table2"].all_specs(experiment)
        assert [with_elmo] == EXHIBITS["figure2"].all_specs(experiment)


class TestCommand:
    def test_show_runs_nothing(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.delenv("ELMO_DATA", raising=False)
        result = run("reproduce", "table1", "--show", "--model", "not-here", "--tasks", "ner", "-o", tmp_path)
        assert result.returncode == 0, result.stderr.decode()
        assert "| – | – |" in (tmp_path / "table1.md").read_text()
        assert not (tmp_path / task_runs.TASKS_FILE).exists()

    def test_every_table_and_figure(
        self, data: Path, published_folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(task_runs, "QUICK", SIZES)
        hashed = []  # hashing the data takes seconds
        original = task_runs._hashes_of_inputs
        monkeypatch.setattr(task_runs, "_hashes_of_inputs", lambda *a: (hashed.append(1), original(*a))[1])
        output = tmp_path / "results"
        options = ("--quick", "--data", data, "--model", published_folder, "--tasks", "ner", "-o", output)
        names = [name for name, exhibit in EXHIBITS.items() if isinstance(exhibit, TaskExhibit)]
        assert names == ["table1", "table2", "table3", "figure1", "figure2"]
        result = run("reproduce", *names, *options)
        assert result.returncode == 0, result.stderr.decode()
        assert hashed == [1]
        assert result.stdout.decode().count("NER") >= len(names)
        for name in names:
            page = (output / f"{name}-quick.md").read_text()
            assert "NER (F1)" in page
            assert "Quick runs" in page
            assert "NER (F1)" in (output / f"{name}-quick.tex").read_text()
            if name.startswith("figure"):
                assert (output / f"{name}-quick.png").read_bytes().startswith(b"\x89PNG")
                assert "<svg" in (output / f"{name}-quick.svg").read_text()

    def test_a_limit_of_time(self, data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(task_runs, "QUICK", {"ner": QuickSettings(20, 10, 1_000_000)})
        options = ("--quick", "--data", data, "--tasks", "ner", "-o", tmp_path / "results")
        result = run("reproduce", "table1", "--minutes", "0.03", *options)
        assert result.returncode == 0, result.stderr.decode()
        assert "stopped with 2 runs to go; the same command continues" in result.stderr.decode()
        assert "| – |" in (tmp_path / "results/table1-quick.md").read_text()
        assert not (tmp_path / "results/tasks.jsonl").exists()

    @pytest.mark.filterwarnings("default")
    def test_failures_are_reported_at_the_end(
        self, data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(task_runs, "QUICK", SIZES)
        bad = tmp_path / "bad.txt"
        bad.write_text("a 1 2\nb 1 x\n")
        output = tmp_path / "results"
        options = ("--quick", "--data", data, "--tasks", "ner", "--vectors", bad, "-o", output)
        result = run("reproduce", "table1", *options)
        assert result.returncode == 2
        assert "2 runs of 2 failed (ner" in result.stderr.decode().splitlines()[-1]
        assert "NER" in result.stdout.decode()

    def test_bad_input(self, data: Path, tmp_path: Path) -> None:
        assert "table9: no such table or figure" in error_of(run("reproduce", "table1", "table9", "--data", data))
        assert "no such task" in error_of(run("reproduce", "table1", "--tasks", "chess", "--data", data))
        assert "not the name of a model" in error_of(run("reproduce", "table1", "--data", data, "--model", "huge"))
        assert "no folder tasks" in error_of(run("reproduce", "table1", "--data", tmp_path))
        assert "table5 has no stored runs" in error_of(run("reproduce", "table5", "--show", "--data", data))
