"""The run folder: beginning, resuming, finishing, and the runs of earlier versions."""

import json
from pathlib import Path

import pytest
import torch
from safetensors.torch import load_file
from torch import nn

from elmo.paper.exhibit import ANALYSIS_FILE, Measurement, Setup, record
from elmo.results import read_results
from elmo.train.checkpoints import Checkpoints, TrainingState
from elmo.train.pretrain import Recipe
from elmo.train.run import RunFolder

PUBLISHED_RUNS = sorted((Path(__file__).parents[2] / "results/pretrain").glob("*/run.json"))
METADATA = {"seed": 1, "data_hash": "abc", "recipe": {"model": {"dim": 8, "filters": (1, 2)}, "epochs": 3}}


@pytest.fixture
def run(tmp_path: Path) -> RunFolder:
    run = RunFolder(tmp_path / "run")

    def add_files(folder: Path) -> dict:
        (folder / "words.txt").write_text("a\n")
        return {"added": 1}

    run.begin(METADATA, add_files)
    return run


def test_begin(run: RunFolder) -> None:
    metadata = run.read()
    assert metadata["recipe"]["model"]["filters"] == [1, 2]
    assert {"commit", "versions", "device"} <= metadata.keys()
    assert (run.path / "words.txt").read_text() == "a\n"
    assert metadata["added"] == 1
    assert run.check_file("words.txt").read_text() == "a\n"
    run.update(seed=2)
    assert run.read() == {**metadata, "seed": 2}
    (run.path / "words.txt").write_text("b\n")
    with pytest.raises(ValueError, match=r"words\.txt: damaged"):
        run.check_file("words.txt")


def test_a_run_on_the_cpu_of_a_machine_with_a_gpu(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(torch.cuda, "is_available", lambda: True)
    monkeypatch.setattr(torch.cuda, "get_device_name", lambda device: "a GPU")
    assert RunFolder(tmp_path / "gpu").begin(METADATA)["device"] == "a GPU"
    assert "cores" in RunFolder(tmp_path / "cpu").begin(METADATA, device=torch.device("cpu"))["device"]
    record([Measurement("what", "metric", 1.0, {})], [], 1.0, Setup(tmp_path, device="cpu"))
    assert "cores" in read_results(tmp_path / ANALYSIS_FILE)[0].machine


def test_only_an_empty_folder_can_be_used(run: RunFolder, tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="run: already exists; resume the run with --resume"):
        run.begin(METADATA)
    (tmp_path / "file").touch()
    with pytest.raises(ValueError, match="file: already exists, but it is not a run"):
        RunFolder(tmp_path / "file").begin(METADATA)
    (tmp_path / "other/corpus").mkdir(parents=True)
    with pytest.raises(ValueError, match="other: already exists, but it is not a run"):
        RunFolder(tmp_path / "other").begin(METADATA)
    (tmp_path / "empty").mkdir()
    RunFolder(tmp_path / "empty").begin(METADATA)
    with pytest.raises(ValueError, match="must be valid UTF-8"):
        RunFolder(tmp_path / "\udcff").begin(METADATA)


def test_nothing_is_left_if_a_file_cannot_be_written(tmp_path: Path) -> None:
    def fail(folder: Path) -> None:
        raise OSError(28, "no space")

    with pytest.raises(OSError, match="run"):
        RunFolder(tmp_path / "run").begin(METADATA, fail)
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"seed": 2}, "run: cannot be resumed: seed is 2, but the run was started with 1"),
        ({"data_hash": "abd"}, "the run was started with different data"),
        ({"recipe": {"model": {"dim": 9}}}, r"recipe\.model\.dim is 9, but the run was started with 8"),
        ({"task": "ner"}, r"run\.json: damaged, task is missing"),
    ],
)
def test_resume(run: RunFolder, changes: dict, message: str) -> None:
    assert run.resume(METADATA) == run.read()
    assert run.resume({"recipe": {"model": {"dim": 8, "new": True}}}), "a nested setting that was not recorded"
    with pytest.raises(ValueError, match=message):
        run.resume({**METADATA, **changes})


@pytest.mark.parametrize(
    ("content", "message"),
    [("{", r"run\.json: not valid JSON"), ("[]", "must be a JSON object"), (None, "not a run folder")],
)
def test_damaged_metadata(run: RunFolder, content: str | None, message: str) -> None:
    path = run.path / "run.json"
    path.unlink() if content is None else path.write_text(content)
    with pytest.raises(ValueError, match=message):
        run.read()


def test_finish(run: RunFolder) -> None:
    (run.path / "log.jsonl").write_text(
        '{"step": 5, "pairs": 10, "epochs": 0.5}\n{"step": 6, "F1": 1.0, "seconds": 2}\n'
    )
    assert run.amount_trained("pairs") == {"step": 6, "pairs": 10, "epochs": 0.5, "seconds": 2}
    model, other = nn.Linear(2, 3), nn.Linear(2, 3)
    with pytest.raises(ValueError, match="training has not finished; continue it with --resume"):
        run.load_weights(other)
    run.finish(model, {"F1": 50.0})
    assert run.metrics() == {"F1": 50.0}
    run.load_weights(other)
    assert torch.equal(model.weight, other.weight)
    with pytest.raises(ValueError, match=r"model\.safetensors: damaged, or not the weights of this model"):
        run.load_weights(nn.Linear(2, 4))


@pytest.mark.parametrize("path", PUBLISHED_RUNS, ids=lambda path: path.parent.name)
def test_runs_of_earlier_versions_can_be_read(path: Path) -> None:
    metadata = RunFolder(path.parent).read()
    recorded = json.loads(json.dumps(metadata["recipe"]))
    recorded["model"].setdefault("tokenizer", "words")  # which earlier versions did not record
    recorded["training"].setdefault("average", None)
    assert Recipe.from_dict(metadata["recipe"]).to_dict() == recorded
    RunFolder(path.parent).resume({"recipe": {"model": metadata["recipe"]["model"]}, "seed": metadata["seed"]})


def test_checkpoints_leave_frozen_parameters_out(tmp_path: Path) -> None:
    def module(seed: int) -> nn.Sequential:
        torch.manual_seed(seed)
        made = nn.Sequential(nn.Embedding(100, 4), nn.Linear(4, 2))
        made[0].weight.requires_grad_(False)
        return made

    first = module(1)
    optimizer = torch.optim.Adam([p for p in first.parameters() if p.requires_grad])
    checkpoints = Checkpoints(tmp_path)
    checkpoints.save(TrainingState(step=3), first, optimizer)
    checkpoints.save_best(first)
    for file in tmp_path.rglob("*.safetensors"):
        assert not any(name.startswith("0.") for name in load_file(file)), file
    second = module(1)
    nn.init.zeros_(second[1].weight)
    state = checkpoints.restore(second, torch.optim.Adam([p for p in second.parameters() if p.requires_grad]))
    assert state is not None
    assert state.step == 3
    third = module(1)
    nn.init.zeros_(third[1].weight)
    checkpoints.restore_best(third)
    for restored in (second, third):
        assert all(torch.equal(a, b) for a, b in zip(restored.parameters(), first.parameters(), strict=True))
    first[0].weight.requires_grad_(True)  # a parameter that is trained must not be missing
    with pytest.raises(ValueError, match="not the weights of this model"):
        checkpoints.restore_best(first)
