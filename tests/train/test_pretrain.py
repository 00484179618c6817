"""Pretraining learns, and an interrupted run ends like one that was not interrupted."""

import dataclasses
import json
import os
import resource
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Literal

import pytest
import torch
import typer
from commands import error_of, run, run_apart
from safetensors.torch import load_file
from train.tiny import TINY, made_up_text

import elmo
from elmo.cli.main import app
from elmo.config import BiLMConfig, CharCNNConfig, LSTMConfig
from elmo.recipes import recipe_folder
from elmo.settings import Schedule
from elmo.train import pretrain as module
from elmo.train.checkpoints import Checkpoints
from elmo.train.corpus.corpus import open_corpus
from elmo.train.corpus.prepare import prepare
from elmo.train.loop import TrainingSettings
from elmo.train.meters import read_log
from elmo.train.perplexity import perplexity
from elmo.train.pretrain import Recipe, fresh_model, pretrain, read_recipe, start_from
from elmo.train.runtime import Runtime
from elmo.weights.folder import read_softmax, write_folder
from elmo.weights.locate import read_language_model

CPU = Runtime(torch.device("cpu"))


def with_training(**changes: object) -> Recipe:
    return dataclasses.replace(TINY, training=dataclasses.replace(TINY.training, **changes))


def weights_of(folder: Path) -> bytes:
    return (folder / "model.safetensors").read_bytes() + (folder / "softmax.safetensors").read_bytes()


@pytest.fixture(scope="module")
def uninterrupted(corpus_folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("runs") / "uninterrupted"
    pretrain(open_corpus(corpus_folder), TINY, folder, CPU, seed=1)
    return folder


class TestOneRun:
    def test_it_learns(self, uninterrupted: Path) -> None:
        run = json.loads((uninterrupted / "run.json").read_text())
        assert run["heldout"]["arithmetic"] < 8  # 19 words; the first one tells which others can follow
        assert run["heldout"]["unknown"] == 0.0
        assert run["trained"]["step"] == 60
        assert run["trained"]["tokens"] > 60 * 8 * 16 * 0.8

    def test_the_folder_is_a_model(self, uninterrupted: Path) -> None:
        files = {"model.safetensors", "softmax.safetensors", "vocab.txt"}
        assert json.loads((uninterrupted / "checksums.json").read_text()).keys() == files
        model = elmo.load(uninterrupted)
        assert model.config.tokenizer == "whitespace"  # like the corpus
        [sentence] = model.embed(["the cat eats fish ."])
        assert sentence.layers.shape == (3, 5, 16)
        softmax = read_softmax(uninterrupted, model.bilm)
        assert softmax.weight.shape == (len(model.softmax.vocabulary), 8)
        card = (uninterrupted / "README.md").read_text()
        assert "60 steps" in card
        assert "Held-out perplexity" in card

    def test_log(self, uninterrupted: Path) -> None:
        records = read_log(uninterrupted)
        assert [r["step"] for r in records if "loss" in r] == list(range(5, 61, 5))
        assert [r["step"] for r in records if "perplexity" in r] == [20, 40, 60]
        assert {"tokens", "seconds", "rate", "tokens/s"} <= records[0].keys()
        losses = [r["loss"] for r in records if "loss" in r]
        assert losses[-1] < losses[0] * 0.7

    def test_the_same_seed_gives_the_same_weights(
        self, uninterrupted: Path, corpus_folder: Path, tmp_path: Path
    ) -> None:
        pretrain(open_corpus(corpus_folder), TINY, tmp_path / "same", CPU, seed=1)
        assert weights_of(tmp_path / "same") == weights_of(uninterrupted)
        pretrain(open_corpus(corpus_folder), with_training(steps=1), tmp_path / "other", CPU, seed=2)
        assert weights_of(tmp_path / "other") != weights_of(uninterrupted)

    def test_workers_change_nothing(self, uninterrupted: Path, corpus_folder: Path, tmp_path: Path) -> None:
        pretrain(open_corpus(corpus_folder), TINY, tmp_path / "run", CPU, seed=1, workers=2)
        assert weights_of(tmp_path / "run") == weights_of(uninterrupted)

    def test_full_softmax_and_adagrad(self, corpus_folder: Path, tmp_path: Path) -> None:
        recipe = with_training(
            optimizer="adagrad", learning_rate=0.2, schedule="constant", clip_norm=10.0, steps=None, epochs=5
        )
        recipe = dataclasses.replace(recipe, rows=dataclasses.replace(TINY.rows, samples=None))
        result = pretrain(open_corpus(corpus_folder), recipe, tmp_path / "run", CPU, seed=1)
        assert result.arithmetic < 15
        assert 5 <= json.loads((tmp_path / "run/run.json").read_text())["trained"]["epochs"] < 5.2

    def test_options_override_the_recipe(self, corpus_folder: Path, recipe_file: Path, tmp_path: Path) -> None:
        done = run(
            "pretrain", corpus_folder, "-o", tmp_path / "run", "--recipe", recipe_file, "--steps", 2, "--dropout", 0.3,
            "--rows", 4, "--optimizer", "adagrad", "--learning-rate", 0.2, "--full-softmax", "--patience", 3,
        )  # fmt: skip
        assert done.returncode == 0, done.stderr.decode()
        recipe = Recipe.from_dict(json.loads((tmp_path / "run/run.json").read_text())["recipe"])
        assert (recipe.rows.dropout, recipe.rows.rows, recipe.rows.samples) == (0.3, 4, None)
        training = recipe.training
        assert (training.optimizer, training.schedule, training.learning_rate) == ("adagrad", "constant", 0.2)
        assert (training.steps, training.patience) == (2, 3)

    @pytest.mark.parametrize(
        ("schedule", "expected"),
        [("cosine", [0.5, 1.7071, 1, 0]), ("linear", [0.5, 1.5, 1, 0]), ("constant", [0.5, 2, 2, 2])],
    )
    def test_schedules(self, schedule: Schedule, expected: list[float]) -> None:
        settings = TrainingSettings(learning_rate=2, schedule=schedule, warmup_steps=4, steps=100)
        rates = [settings.learning_rate_at(step, used) for step, used in ((0, 0), (25, 0.25), (50, 0.5), (100, 1))]
        assert rates == pytest.approx(expected, abs=1e-4)

    def test_time_budget(self, corpus_folder: Path, tmp_path: Path) -> None:
        recipe = with_training(steps=None, minutes=0.02)
        pretrain(open_corpus(corpus_folder), recipe, tmp_path / "run", CPU, seed=1)
        assert read_log(tmp_path / "run")[-1]["seconds"] >= 1.2

    def test_patience_gives_the_best_model(self, corpus_folder: Path, tmp_path: Path) -> None:
        recipe = with_training(steps=1000, evaluate_every=10, patience=2, learning_rate=0.3, schedule="constant")
        result = pretrain(open_corpus(corpus_folder), recipe, tmp_path / "run", CPU, seed=1)
        scores = [r["perplexity"] for r in read_log(tmp_path / "run") if "perplexity" in r]
        assert len(scores) < 100
        assert min(scores) == scores[-3]
        assert result.arithmetic == pytest.approx(min(scores), rel=1e-4)

    def test_a_loss_that_is_not_finite_stops_the_run(
        self, corpus_folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        original = module.Pretraining.loss

        def not_finite(self, model, batch, step):
            return original(self, model, batch, step) * (float("nan") if step == 33 else 1.0)

        monkeypatch.setattr(module.Pretraining, "loss", not_finite)
        recipe = with_training(save_every_minutes=1e-6)
        with pytest.raises(
            ValueError, match=r"the loss is nan near step 3\d; the last good checkpoint is .*step-000000"
        ):
            pretrain(open_corpus(corpus_folder), recipe, tmp_path / "run", CPU, seed=1)
        kept = load_file(Checkpoints(tmp_path / "run/checkpoints").all()[-1] / "module.safetensors")
        assert all(torch.isfinite(tensor).all() for tensor in kept.values())


class TestResuming:
    @pytest.mark.parametrize("moment", [0.0, 0.15, 0.4])
    def test_killed_at_any_moment(
        self, uninterrupted: Path, corpus_folder: Path, recipe_file: Path, tmp_path: Path, moment: float
    ) -> None:
        """SIGKILL some time after the first checkpoint, then resume."""
        recipe = json.loads(recipe_file.read_text())
        recipe["training"]["save_every_minutes"] = 1e-6
        recipe_file.write_text(json.dumps(recipe))
        folder = tmp_path / "run"
        arguments = ["pretrain", str(corpus_folder), "-o", str(folder)]
        command = [sys.executable, "-m", "elmo", *arguments, "--recipe", str(recipe_file), "--seed", "1"]
        with subprocess.Popen(command, stderr=subprocess.DEVNULL) as process:
            wait_for(lambda: len(Checkpoints(folder / "checkpoints").all()) > 0)
            time.sleep(moment)
            process.kill()
        assert run(*arguments, "--resume").returncode == 0
        assert weights_of(folder) == weights_of(uninterrupted)
        steps = [r["step"] for r in read_log(folder) if "loss" in r]
        assert steps == list(range(5, 61, 5))

    @pytest.mark.parametrize("workers", [0, 2])
    def test_interrupted(self, corpus_folder: Path, recipe_file: Path, tmp_path: Path, workers: int) -> None:
        """SIGTERM to the whole process group, as schedulers send it: a checkpoint is saved before the run ends."""
        run = tmp_path / "run"
        command = [sys.executable, "-m", "elmo", "pretrain", str(corpus_folder), "-o", str(run)]
        arguments = ["--recipe", str(recipe_file), "--steps", "100000", "--workers", str(workers)]
        pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
        with subprocess.Popen([*command, *arguments], start_new_session=True, **pipes) as process:
            wait_for(lambda: len(read_log(run)) > 3)
            os.killpg(process.pid, signal.SIGTERM)
            output, errors = process.communicate(timeout=60)
            assert process.returncode == 130
            assert output.decode().strip().endswith("saved a checkpoint; --resume continues from here")
            assert errors.decode().strip().endswith("elmo: interrupted")
        [checkpoint] = Checkpoints(run / "checkpoints").all()
        assert json.loads((checkpoint / "state.json").read_text())["step"] > 0

    def test_resume_with_a_larger_budget(self, corpus_folder: Path, tmp_path: Path) -> None:
        corpus = open_corpus(corpus_folder)
        pretrain(corpus, with_training(steps=10), tmp_path / "run", CPU, seed=1)
        pretrain(corpus, with_training(steps=20), tmp_path / "run", CPU, seed=1, resume=True)
        assert json.loads((tmp_path / "run/run.json").read_text())["trained"]["step"] == 20

    def test_muon(self, corpus_folder: Path, tmp_path: Path) -> None:
        corpus = open_corpus(corpus_folder)
        recipe = with_training(optimizer="muon", schedule="constant", steps=60)
        result = pretrain(corpus, recipe, tmp_path / "whole", CPU, seed=1)
        assert result.arithmetic < 6
        half = dataclasses.replace(recipe, training=dataclasses.replace(recipe.training, steps=30))
        pretrain(corpus, half, tmp_path / "run", CPU, seed=1)
        pretrain(corpus, recipe, tmp_path / "run", CPU, seed=1, resume=True)
        assert weights_of(tmp_path / "run") == weights_of(tmp_path / "whole")

    def test_full_disk(self, corpus_folder: Path, recipe_file: Path, tmp_path: Path) -> None:
        """Checkpoints saved before the disk was full are kept, and the run can be resumed."""
        folder = tmp_path / "run"
        arguments = ["pretrain", corpus_folder, "-o", folder]
        assert run(*arguments, "--recipe", recipe_file, "--steps", "10").returncode == 0
        result = run_apart(
            *arguments,
            "--resume",
            "--steps",
            "20",
            preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (3000, 3000)),
        )
        assert result.returncode == 2
        assert "File too large" in result.stderr.decode().splitlines()[-1]
        assert [path.name for path in Checkpoints(folder / "checkpoints").all()] == ["step-00000010"]
        assert elmo.load(folder).embed(["the cat"])
        assert run(*arguments, "--resume", "--steps", "20").returncode == 0

    @pytest.mark.parametrize(
        ("damage", "message"),
        [
            (
                lambda run: (run / "checkpoints/step-00000010/state.json").write_text("{"),
                "not a checkpoint of this model",
            ),
            (
                lambda run: (run / "checkpoints/step-00000010/module.safetensors").write_bytes(b"x"),
                "not a checkpoint of this model",
            ),
            (lambda run: (run / "run.json").write_text("{"), "not valid JSON"),
            (lambda run: (run / "run.json").unlink(), "not a run folder"),
        ],
    )
    def test_damage(self, corpus_folder: Path, tmp_path: Path, damage, message: str) -> None:
        corpus = open_corpus(corpus_folder)
        pretrain(corpus, with_training(steps=10), tmp_path / "run", CPU, seed=1)
        damage(tmp_path / "run")
        with pytest.raises(ValueError, match=message):
            pretrain(corpus, with_training(steps=20), tmp_path / "run", CPU, seed=1, resume=True)

    def test_different_runs_are_not_mixed(self, corpus_folder: Path, tmp_path: Path) -> None:
        corpus = open_corpus(corpus_folder)
        pretrain(corpus, with_training(steps=2), tmp_path / "run", CPU, seed=1)
        with pytest.raises(ValueError, match="already exists"):
            pretrain(corpus, with_training(steps=2), tmp_path / "run", CPU, seed=1)
        with pytest.raises(ValueError, match="seed is 2, but the run was started with 1"):
            pretrain(corpus, with_training(steps=2), tmp_path / "run", CPU, seed=2, resume=True)
        other_rows = dataclasses.replace(TINY, rows=dataclasses.replace(TINY.rows, rows=4))
        with pytest.raises(ValueError, match=r"recipe\.rows\.rows is 4, but the run was started with 8"):
            pretrain(corpus, other_rows, tmp_path / "run", CPU, seed=1, resume=True)

    def test_what_is_given_must_agree_with_the_run(
        self, trained: Path, corpus_folder: Path, recipe_file: Path, tmp_path: Path
    ) -> None:
        (tmp_path / "text.txt").write_text(made_up_text(50, seed=3))
        prepare([tmp_path / "text.txt"], tmp_path / "other", heldout_fraction=0.1)
        shutil.copytree(trained, tmp_path / "model")
        command = ("pretrain", corpus_folder, "-o", tmp_path / "run", "--device", "cpu")
        started = ("--recipe", recipe_file, "--rows", 4, "--steps", 4, "--from", tmp_path / "model", "--seed", 3)
        assert run(*command, *started).returncode == 0
        differing = {
            "--from": ("small", tmp_path / "model"),
            "--seed": (0, 3),
            "--optimizer": ("muon", "adam"),
            "--dropout": (0.2, 0.1),
            "--rows": (8, 4),
        }
        for option, (value, recorded) in differing.items():
            message = error_of(run(*command, "--resume", option, value))
            assert message.endswith(
                f"/run: cannot be resumed: {option} is {value}, but the run was started with {recorded}"
            )
        message = error_of(run("pretrain", tmp_path / "other", *command[2:], "--resume"))
        recorded = json.loads((corpus_folder / "corpus.json").read_text())["data_hash"][:12]
        assert f"CORPUS is {tmp_path / 'other'}, but the run was started with" in message
        assert recorded in message
        message = error_of(run(*command, "--resume", "--full-softmax"))
        assert message.endswith("--full-softmax is given, but the run was started without it")
        message = error_of(run(*command, "--resume", "--recipe", "tiny"))
        assert " in --recipe tiny, but the run was started with " in message
        pretrain_command = typer.main.get_command(app).commands["pretrain"]
        options = {parameter.opts[0] for parameter in pretrain_command.params} - {"corpus", "--output", "--resume"}
        free = {"--minutes", "--epochs", "--steps", "--patience", "--learning-rate", "--device", "--workers"}
        assert options == {*differing, *free, "--full-softmax", "--recipe"}

        for same in (
            (),
            started,
            ("--from", trained),
            ("--recipe", recipe_file, "--rows", 4),
            ("--steps", 6, "--patience", 9, "--learning-rate", 0.01, "--workers", 0),
        ):
            result = run(*command, "--resume", *same)
            assert result.returncode == 0, result.stderr.decode()
        assert json.loads((tmp_path / "run/run.json").read_text())["recipe"]["training"]["learning_rate"] == 0.01

    def test_a_run_without_a_start_does_not_get_one(
        self, trained: Path, corpus_folder: Path, recipe_file: Path, tmp_path: Path
    ) -> None:
        command = ("pretrain", corpus_folder, "-o", tmp_path / "run", "--recipe", recipe_file, "--steps", 2)
        assert run(*command).returncode == 0
        message = error_of(run(*command, "--resume", "--from", trained))
        assert message.endswith(f"--from is {trained}, but the run was started without it")

    def test_a_new_budget_is_recorded(self, corpus_folder: Path, tmp_path: Path) -> None:
        corpus = open_corpus(corpus_folder)
        pretrain(corpus, with_training(steps=5), tmp_path / "run", CPU, seed=1)
        pretrain(corpus, with_training(steps=7), tmp_path / "run", CPU, seed=1, resume=True)
        assert json.loads((tmp_path / "run/run.json").read_text())["recipe"]["training"]["steps"] == 7

    def test_a_corpus_without_heldout_text_is_rejected(self, corpus_folder: Path, tmp_path: Path) -> None:
        corpus = open_corpus(corpus_folder)
        nothing = type(corpus.heldout)(corpus.heldout.ids[:0], corpus.heldout.offsets[:1])
        with pytest.raises(ValueError, match="no held-out text"):
            pretrain(dataclasses.replace(corpus, heldout=nothing), TINY, tmp_path / "run", CPU, seed=1)
        assert not (tmp_path / "run").exists()


class TestSeveralProcesses:
    def losses(self, folder: Path) -> list[float]:
        return [r["loss"] for r in read_log(folder) if "loss" in r]

    def test_two_processes_learn_like_one(self, corpus_folder: Path, recipe_file: Path, tmp_path: Path) -> None:
        recipe = json.loads(recipe_file.read_text())
        recipe["rows"]["dropout"] = 0.0  # each process would draw its own
        recipe["training"] |= {"steps": 20, "evaluate_every": 10}
        recipe_file.write_text(json.dumps(recipe))
        arguments = ["pretrain", str(corpus_folder), "--recipe", str(recipe_file), "-o"]
        torchrun = [sys.executable, "-m", "torch.distributed.run", "--standalone", "--nproc-per-node", "2"]
        assert run(*arguments, tmp_path / "one").returncode == 0
        subprocess.run([*torchrun, "-m", "elmo", *arguments, str(tmp_path / "two")], check=True, capture_output=True)
        assert self.losses(tmp_path / "two") == pytest.approx(self.losses(tmp_path / "one"), rel=1e-4)
        results = [json.loads((tmp_path / name / "run.json").read_text())["heldout"] for name in ("one", "two")]
        assert results[1]["arithmetic"] == pytest.approx(results[0]["arithmetic"], rel=1e-3)

        # Resume with a different number of processes.
        assert run(*arguments, tmp_path / "two", "--resume", "--steps", "25").returncode == 0
        assert len(self.losses(tmp_path / "two")) == 5

    def test_rows_must_divide_evenly(self) -> None:
        assert Runtime(torch.device("cpu"), 1, 4).local_rows(8) == slice(2, 4)
        with pytest.raises(ValueError, match="divided evenly"):
            Runtime(torch.device("cpu"), 0, 3).local_rows(8)


@pytest.mark.parametrize("native", [True, False], ids=["with instructions", "without"])
@pytest.mark.parametrize("precision", ["bfloat16", "float32"])
def test_a_cpu_uses_bfloat16_if_it_has_instructions_for_it(
    native: bool, precision: Literal["bfloat16", "float32"], corpus_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "multiplies_bfloat16", lambda device: native)
    recipe = dataclasses.replace(TINY, rows=dataclasses.replace(TINY.rows, precision=precision))
    corpus = open_corpus(corpus_folder)
    model = fresh_model(recipe, corpus, 0)
    job = module.Pretraining(model, corpus, recipe.rows, Runtime(torch.device("cpu")), seed=0)
    expected = torch.bfloat16 if native and precision == "bfloat16" else torch.float32
    assert job.lstm.dtype == expected
    loss = job.loss(model, next(job.batches(None)).inputs, 0)
    loss.backward()
    assert loss.isfinite()
    assert {parameter.grad.dtype for parameter in model.parameters()} == {torch.float32}


class TestRecipes:
    @pytest.mark.parametrize(
        ("name", "shape"),
        [
            ("tiny", (128, 32)),
            ("cpu", (1024, 128)),
            ("small", (1024, 128)),
            ("medium", (2048, 256)),
            ("original", (4096, 512)),
        ],
    )
    def test_every_recipe_is_complete(self, name: str, shape: tuple[int, int]) -> None:
        recipe = read_recipe(name)
        assert (recipe.model.lstm.dim, recipe.model.lstm.projection_dim) == shape
        assert Recipe.from_dict(json.loads(json.dumps(recipe.to_dict()))) == recipe
        assert len(list(recipe_folder("pretrain").glob("*.json"))) == 5

    @pytest.mark.parametrize(
        ("content", "message"),
        [
            ("{", "recipe.json"),
            ("{}", "has exactly the sections"),
            (json.dumps({**TINY.to_dict(), "rows": {"steps": 1}}), "missing"),
            (json.dumps({**TINY.to_dict(), "training": {"learning_rate": 1}}), "needs a budget"),
        ],
    )
    def test_bad_recipes(self, tmp_path: Path, content: str, message: str) -> None:
        (tmp_path / "recipe.json").write_text(content)
        with pytest.raises(ValueError, match=message):
            read_recipe(str(tmp_path / "recipe.json"))

    def test_unknown_recipe(self) -> None:
        with pytest.raises(ValueError, match="choose one of cpu, medium, original, small, tiny"):
            read_recipe("huge")

    @pytest.mark.parametrize(
        "changes",
        [{"steps": 0}, {"learning_rate": -1}, {"optimizer": "sgd"}, {"schedule": "step"}],
        ids=lambda changes: next(iter(changes)),
    )
    def test_settings_out_of_range(self, changes: dict) -> None:
        with pytest.raises(ValueError, match=next(iter(changes))):
            TrainingSettings(**{"learning_rate": 0.1, "steps": 1, **changes})

    def test_the_message_lists_what_a_setting_can_be(self) -> None:
        with pytest.raises(ValueError, match="schedule must be cosine, linear, or constant, not 'step'"):
            TrainingSettings(learning_rate=0.1, steps=1, schedule="step")


def wait_for(condition, seconds: float = 60) -> None:
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "timed out"
        time.sleep(0.01)


class TestStartFromAModel:
    """``elmo pretrain --from``: the first evaluation is that of the trained model, also if the new one is larger."""

    WIDER = dataclasses.replace(
        TINY,
        model=BiLMConfig(
            CharCNNConfig(4, ((1, 4), (2, 8)), n_highway=2, projection_dim=16, max_characters=12), LSTMConfig(48, 16)
        ),
    )

    @pytest.mark.parametrize("recipe", [TINY, WIDER], ids=["same shape", "wider"])
    def test_it_begins_where_the_model_ended(self, uninterrupted: Path, corpus_folder: Path, recipe: Recipe) -> None:
        corpus = open_corpus(corpus_folder)
        trained = read_language_model(uninterrupted)
        model = fresh_model(recipe, corpus, seed=2)
        assert start_from(model, uninterrupted, seed=2) == (trained.bilm.fingerprint(), True)
        sentences = made_up_text(20, seed=3).split("\n")[:-1]
        before, after = (perplexity(one, [line.split() for line in sentences]) for one in (trained, model))
        assert after.forward == pytest.approx(before.forward, rel=1e-4)
        assert after.backward == pytest.approx(before.backward, rel=1e-4)

    def test_copies_learn_different_things(self, uninterrupted: Path, corpus_folder: Path, tmp_path: Path) -> None:
        recipe = dataclasses.replace(self.WIDER, training=dataclasses.replace(TINY.training, steps=20))
        result = pretrain(open_corpus(corpus_folder), recipe, tmp_path / "run", CPU, seed=1, start=uninterrupted)
        assert result.arithmetic < 8
        first, second = elmo.load(tmp_path / "run").bilm.token_layer.projection.weight.chunk(2)
        assert (first - second).abs().max() > 0.01

    @pytest.mark.parametrize("optimizer", ["adam", "muon"])
    def test_a_new_softmax_learns_before_the_bilm(
        self, uninterrupted: Path, corpus_folder: Path, tmp_path: Path, optimizer: str
    ) -> None:
        trained = elmo.load(uninterrupted).bilm
        write_folder(trained, tmp_path / "bilm")
        corpus, weights = open_corpus(corpus_folder), trained.state_dict()

        def changed(steps: int) -> set[str]:
            recipe = with_training(optimizer=optimizer, warmup_steps=10, schedule="constant", steps=steps)
            run = tmp_path / "run"
            pretrain(corpus, recipe, run, CPU, seed=1, start=tmp_path / "bilm", resume=run.exists())
            now = elmo.load(run).bilm.state_dict()
            return {name for name, weight in weights.items() if not torch.equal(now[name], weight)}

        assert not changed(10)
        assert json.loads((tmp_path / "run/run.json").read_text())["heldout"]["arithmetic"] < 19
        assert changed(11) == weights.keys()
        assert read_log(tmp_path / "run")[-1]["step"] == 11

    def test_the_start_is_recorded(self, uninterrupted: Path, corpus_folder: Path, tmp_path: Path) -> None:
        corpus, fingerprint = open_corpus(corpus_folder), elmo.load(uninterrupted).bilm.fingerprint()
        pretrain(corpus, with_training(steps=2), tmp_path / "run", CPU, seed=1, start=uninterrupted)
        assert json.loads((tmp_path / "run/run.json").read_text())["base_model"] == fingerprint
        assert f"starting from the model {fingerprint[:12]}" in (tmp_path / "run/README.md").read_text()
        with pytest.raises(ValueError, match="started from a model, which must be given again"):
            pretrain(corpus, with_training(steps=4), tmp_path / "run", CPU, seed=1, resume=True)
        pretrain(corpus, with_training(steps=4), tmp_path / "run", CPU, seed=1, start=uninterrupted, resume=True)

    def test_other_shapes_are_rejected(self, uninterrupted: Path, corpus_folder: Path, tmp_path: Path) -> None:
        model = dataclasses.replace(TINY.model, lstm=LSTMConfig(24, 8))
        recipe = dataclasses.replace(TINY, model=model)
        with pytest.raises(ValueError, match="cannot grow to it by a whole factor"):
            pretrain(open_corpus(corpus_folder), recipe, tmp_path / "run", CPU, seed=1, start=uninterrupted)
        assert not (tmp_path / "run").exists()
