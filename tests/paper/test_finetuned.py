"""Table 1 with a biLM that is fine-tuned on the training text of a task."""

from pathlib import Path
from typing import Any

import pytest
import torch
from commands import error_of, run
from tasks.samples import ner
from train.tiny import TINY

import elmo
from elmo.datasets.folders import TaskData
from elmo.model.bilm import BiLM
from elmo.model.softmax import Softmax
from elmo.paper import finetuned, task_runs
from elmo.paper.finetuned import _row_length, finetuned_model
from elmo.paper.task_runs import QuickSettings
from elmo.results import read_results
from elmo.tasks.task import task_named
from elmo.text.markers import BEGIN_SENTENCE, END_SENTENCE, UNKNOWN
from elmo.text.vocabulary import Vocabulary
from elmo.weights.folder import write_folder

CPU = torch.device("cpu")


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A small model that can predict words."""
    folder = tmp_path_factory.mktemp("models") / "with-softmax"
    torch.manual_seed(1)
    words = Vocabulary([BEGIN_SENTENCE, END_SENTENCE, UNKNOWN, *sorted(set(ner.PLAIN))])
    write_folder(BiLM(TINY.model), folder, Softmax(words, TINY.model.lstm.output_dim))
    return folder


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("data")
    for part in ("ner", "vectors"):
        (folder / "tasks" / part).mkdir(parents=True)
    for seed, part in enumerate(("train", "dev", "test")):
        ner.write(folder / f"tasks/ner/{part}.conll", 30, seed)
    (folder / "tasks/vectors/v.txt").write_text("in 1 2 3\nthe 2 3 4\n")
    return folder


def test_table(model: Path, data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(task_runs, "QUICK", {"ner": QuickSettings(20, 10, 3)})
    made = []
    original = finetuned.finetune

    def finetune(base: str, texts: Any, *arguments: Any, heldout: Any, **options: Any) -> Any:
        made.append([[line.split() for line in path.read_text().splitlines()] for path in (*texts, *heldout)])
        return original(base, texts, *arguments, heldout=heldout, **options)

    monkeypatch.setattr(finetuned, "finetune", finetune)
    options = ("--data", data, "--tasks", "ner", "--model", model, "-o", tmp_path / "results", "--quick")
    result = run("reproduce", "table1", *options, "--finetuned", "--seeds", "2")
    assert result.returncode == 0, result.stderr.decode()
    page = (tmp_path / "results/table1-quick.md").read_text()
    assert "+ ELMo fine-tuned, dev" in page
    assert "+ ELMo fine-tuned, test" in page
    assert "Perplexity of the development text before and after fine-tuning: ner " in page

    [(train, dev)] = made  # once for both seeds, on what the runs read
    task = task_named("ner")
    for found, part, count in ((train, "train", 20), (dev, "dev", 10)):
        examples = task.read(data / f"tasks/ner/{part}.conll")[:count]
        assert found == [list(words) for words in dict.fromkeys(tuple(example.words) for example in examples)]

    results = read_results(tmp_path / "results/tasks.jsonl")
    measured = [result.details["finetuned"] for result in results if result.details["run"]["finetuned"]]
    assert len(measured) == 2
    assert measured[0] == measured[1]
    assert measured[0]["after"] < measured[0]["before"]
    (folder,) = (path for path in (tmp_path / "results/finetuned").iterdir() if path.is_dir())
    assert elmo.load(folder).bilm.fingerprint() != elmo.load(model).bilm.fingerprint()
    assert not (folder / "checkpoints").exists()

    result = run("reproduce", "table1", *options, "--show", "--seeds", "2")  # without the column
    assert result.returncode == 0, result.stderr.decode()
    assert "fine-tuned" not in (tmp_path / "results/table1-quick.md").read_text()


def test_an_interrupted_fine_tuning_continues(
    model: Path, data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    files = TaskData(*((str(data / f"tasks/ner/{part}.conll"),) for part in ("train", "dev")))
    given = (str(model), task_named("ner"), files, "sentence")
    whole = finetuned_model(*given, tmp_path / "whole", CPU)
    from elmo.train import finetune as module

    original = module.finish_run

    def interrupted(*_: Any) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(module, "finish_run", interrupted)
    with pytest.raises(KeyboardInterrupt):
        finetuned_model(*given, tmp_path / "again", CPU)
    monkeypatch.setattr(module, "finish_run", original)
    again = finetuned_model(*given, tmp_path / "again", CPU)
    assert (again.before, again.after) == (whole.before, whole.after)
    assert again.folder.name == whole.folder.name
    weights = [(found.folder / "model.safetensors").read_bytes() for found in (whole, again)]
    assert weights[0] == weights[1]


def test_rows_hold_most_sequences_whole() -> None:
    assert _row_length([]) == 64
    assert _row_length([63] * 19 + [1000]) == 64
    assert _row_length([64]) == 128  # with its closing marker, a sequence has 65 time steps
    assert _row_length([150] * 9 + [300]) == 512
    assert _row_length([10_000]) == 512


def test_bad_input(published_folder: Path, data: Path) -> None:
    options = ("--data", data, "--finetuned", "--tasks", "ner", "--model", published_folder)
    assert "has no softmax, which fine-tuning continues to train" in error_of(run("reproduce", "table1", *options))
    assert "--finetuned applies to table1" in error_of(run("reproduce", "table2", *options))
