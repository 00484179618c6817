"""Task models in as little space as possible."""

import json
from pathlib import Path

import pytest
import torch
from commands import error_of, run
from tasks.samples import ner
from tasks.test_trainer import small_recipe, train, write_sample

import elmo
from elmo.config import BiLMConfig
from elmo.datasets.folders import TaskData
from elmo.tasks.compact_run import write_compact_run
from elmo.tasks.examples import read_examples
from elmo.tasks.task import TASKS, task_named
from elmo.tasks.trained import TrainedTask
from elmo.tasks.trainer import load_run, train_task
from elmo.tasks.word_list import WordList
from elmo.train.run import RunFolder
from elmo.weights.strict import is_compact

ALL = 1_000_000


@pytest.fixture(scope="module")
def samples(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    folder = tmp_path_factory.mktemp("samples")
    suffixes = {"squad": "json", "snli": "jsonl", "sst": "txt"}
    return {name: write_sample(name, folder / f"{name}.{suffixes.get(name, 'conll')}", 10, 0) for name in TASKS}


def train_on(path: Path, name: str, folder: Path, vectors: Path | None = None, tuned: bool = False) -> Path:
    recipe = small_recipe(name)
    object.__setattr__(recipe.inputs, "tuned", tuned)
    data = TaskData((str(path),), (str(path),))
    train_task(
        task_named(name),
        recipe,
        data,
        folder,
        torch.device("cpu"),
        seed=1,
        elmo="small",
        vectors=vectors,
        self_contained=True,
    )
    return folder


@pytest.mark.parametrize("name", TASKS)
def test_every_task(name: str, samples: dict[str, Path], tmp_path: Path) -> None:
    """Nearly the same scores and the same results, in much less space, wherever the original was."""
    source = train_on(samples[name], name, tmp_path / "run")
    write_compact_run(source, tmp_path / "compact", steps=127, vectors=ALL)
    assert is_compact(tmp_path / "compact" / "model.safetensors")
    size = {folder: (tmp_path / folder / "model.safetensors").stat().st_size for folder in ("run", "compact")}
    assert size["compact"] < 0.6 * size["run"]
    before, after = load_run(source), load_run(tmp_path / "compact")
    examples = read_examples(before.task, [str(samples[name])])
    # The weights are rounded.
    assert after.evaluate(examples) == pytest.approx(before.evaluate(examples), abs=15)
    for old, new in zip(before.model.state_dict().values(), after.model.state_dict().values(), strict=True):
        assert torch.allclose(old, new, atol=float(old.abs().max()) / 127 + 1e-6)
    assert after.card == before.card
    assert len({file.stat().st_mode for file in (tmp_path / "compact").iterdir()}) == 1, "as other files"
    metadata = RunFolder(tmp_path / "compact").read()
    assert metadata["data"]["train"] == [samples[name].name]
    assert str(tmp_path) not in (tmp_path / "compact" / "run.json").read_text()
    assert metadata["commit"] == RunFolder(source).read()["commit"]


@pytest.fixture(scope="module")
def vectors(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("vectors") / "v.txt"
    path.write_text("".join(f"{word} {number} 1 0.5\n" for number, word in enumerate(ner.PLAIN)))
    return path


def word_vectors(task: TrainedTask, words: list[str]) -> torch.Tensor:
    with torch.no_grad():
        return task.model.words._word_vectors(task.model.words.vocabulary.ids([words]))[0]


@pytest.mark.parametrize("tuned", [False, True])
@pytest.mark.parametrize("has_vectors", [False, True])
def test_words_without_their_vector_are_unknown(
    tuned: bool, has_vectors: bool, samples: dict[str, Path], vectors: Path, tmp_path: Path
) -> None:
    source = train_on(samples["ner"], "ner", tmp_path / "run", vectors if has_vectors else None, tuned)
    write_compact_run(source, tmp_path / "compact", steps=127, vectors=2)
    before, after = WordList.read(RunFolder(source)), WordList.read(RunFolder(tmp_path / "compact"))
    assert after.static == before.static[:2]
    assert after.learned == before.learned[:2]
    assert len(before.static) > 2 or not has_vectors
    assert len(before.learned) > 2
    kept, lost = [*after.static, *after.learned], [*before.static[2:], *before.learned[2:]]
    old, new = load_run(source), load_run(tmp_path / "compact")
    close = {"atol": 0.2, "rtol": 0.0}  # vectors are few here, and not quantized; see ``compacted``
    torch.testing.assert_close(word_vectors(new, kept), word_vectors(old, kept), **close)
    unknown = word_vectors(old, ["nobody-knows-this"] * len(lost))
    torch.testing.assert_close(word_vectors(new, lost), unknown, **close)
    assert not torch.allclose(word_vectors(old, lost), unknown)


def test_training_with_few_vectors(samples: dict[str, Path], vectors: Path, tmp_path: Path) -> None:
    """A model that is trained with few vectors loses none when it is packaged."""
    data = [str(samples["ner"])]
    options = ["--train", *data, "--dev", *data, "--elmo", "small", "--vectors", vectors, "--max-vectors", 3]
    assert run("task", "train", "ner", *options, "--epochs", 1, "-o", tmp_path / "run").returncode == 0
    words = WordList.read(RunFolder(tmp_path / "run"))
    assert len(words.static) == len(words.learned) == 3
    assert RunFolder(tmp_path / "run").read()["max_vectors"] == 3
    write_compact_run(tmp_path / "run", tmp_path / "compact", steps=31, vectors=3)
    assert WordList.read(RunFolder(tmp_path / "compact")) == words
    assert run("task", "train", "ner", "-o", tmp_path / "run", "--resume").returncode == 0


def test_without_any_vectors(samples: dict[str, Path], tmp_path: Path) -> None:
    source = train_on(samples["ner"], "ner", tmp_path / "run")
    write_compact_run(source, tmp_path / "compact", steps=31, vectors=0)
    assert elmo.load_task(tmp_path / "compact")("Ann came.").text == "Ann came."


def test_commands(samples: dict[str, Path], tmp_path: Path) -> None:
    """A compact run is a run folder like another."""
    write_compact_run(train_on(samples["ner"], "ner", tmp_path / "run"), tmp_path / "compact", steps=31, vectors=10)
    assert json.loads(run("task", "predict", tmp_path / "compact", "--json", "Ann came.").stdout)["text"] == "Ann came."
    assert b"small" in run("info", tmp_path / "compact").stdout
    assert "F1" in json.loads(run("task", "evaluate", tmp_path / "compact", samples["ner"], "--json").stdout)


@pytest.mark.parametrize("file", ["model.safetensors", "run.json", "learned.txt"])
def test_damaged_files(file: str, samples: dict[str, Path], tmp_path: Path) -> None:
    write_compact_run(train_on(samples["ner"], "ner", tmp_path / "run"), tmp_path / "compact", steps=31, vectors=10)
    path = tmp_path / "compact" / file
    content = path.read_bytes()
    path.write_bytes(content[:-9] + b"x" + content[-8:])
    assert str(path) in error_of(run("task", "predict", tmp_path / "compact", "Ann came."))


def test_a_run_with_a_bilm_of_its_own(samples: dict[str, Path], published_folder: Path, tmp_path: Path) -> None:
    data = TaskData((str(samples["ner"]),), (str(samples["ner"]),))
    train("ner", data, tmp_path / "run", published_folder)
    with pytest.raises(ValueError, match="was trained with a biLM of its own"):
        write_compact_run(tmp_path / "run", tmp_path / "compact", steps=31, vectors=10)


def test_another_version_of_the_bilm(samples: dict[str, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_compact_run(train_on(samples["ner"], "ner", tmp_path / "run"), tmp_path / "compact", steps=31, vectors=10)
    model = elmo.load("small")
    assert elmo.load_task(tmp_path / "compact", elmo=model).elmo is model
    monkeypatch.setattr(BiLMConfig, "to_dict", lambda config: {"another": "model"})
    with pytest.raises(ValueError, match="compact: was trained with another version of the model small"):
        elmo.load_task(tmp_path / "compact")
