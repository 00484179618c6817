"""``elmo reproduce korean`` from made-up data to the table."""

import dataclasses
import json
import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from commands import error_of, run
from datasets.korean_samples import HANDS, HELP, TIMES, write_korean_data
from train.tiny import TINY

from elmo.datasets.korean import PREPARED_FILE
from elmo.datasets.static_vectors import read_vectors
from elmo.paper import task_runs
from elmo.paper.korean import EojeolRepresentation, _probe_row
from elmo.paper.task_runs import QuickSettings, recipe_of
from elmo.results import Result, read_results
from elmo.train.corpus.corpus import open_corpus
from elmo.train.corpus.prepare import prepare

SMALL = {"snli": QuickSettings(20, 6, 3, {"dim": 8}), "sst": QuickSettings(20, 6, 3, {"dim": 8})}


class Positions:
    """Vectors that say where a token is."""

    name, dim, layer_names = "positions", 1, ("only",)

    def layers(self, sentences):
        for sentence in list(sentences):  # reads ahead, as a model does in batches
            yield np.arange(len(sentence), dtype=np.float32)[None, :, None]


def test_eojeol() -> None:
    [first, second] = EojeolRepresentation(Positions()).layers([["손 을", "씻 었 다", "."], ["네"]])
    assert first[0, :, 0].tolist() == [0.5, 3, 5]
    assert second.shape == (1, 1, 1)


def test_the_row_of_a_probe() -> None:
    """The layer is chosen on the training and development data, not on the test data."""

    def result(elmo: bool, layer: str, dev: float, test: float, source: str = "s") -> list[Result]:
        details = {"elmo": elmo, "source": source, "layer": layer, "instances": 400}
        return [
            Result("UD Kaist", "accuracy", value, 0, "", {}, "", "", 0.0, {**details, "set": split})
            for split, value in (("dev", dev), ("test", test))
        ]

    results = result(False, "static", 70.0, 80.0) + result(True, "1", 90.0, 90.0) + result(True, "2", 80.0, 99.0)
    results += result(False, "", 95.0, 95.0, "most frequent tag of the word")  # no vectors
    deviation = math.hypot(math.sqrt(80 * 20 / 400), math.sqrt(90 * 10 / 400))
    assert _probe_row("UD Kaist", results)[2:] == ["80.0 ± 2.0", "90.0 ± 1.5", "+10.0", f"{10 / deviation:.1f}"]
    assert _probe_row("UD Kaist", results[:2])[2:] == ["–"] * 4
    for one in results:
        one.details["deviation_of_gain"] = 4.0  # of the same pairs
    assert _probe_row("UD Kaist", results)[-1] == "2.5"
    [dev, _] = result(True, "2", 92.0, 0.0)
    train = dataclasses.replace(dev, details={**dev.details, "set": "train", "instances": 4000})
    assert _probe_row("UD Kaist", [*results, train])[3] == "99.0 ± 0.5", "many more pairs count more"
    unknown = dataclasses.replace(train, value=100.0, details={**train.details, "set": "unknown"})
    assert _probe_row("UD Kaist", [*results, unknown])[3] == "90.0 ± 1.5", "unknown words are words of the test data"


def test_a_dataset_may_have_a_recipe_of_its_own() -> None:
    assert recipe_of("sst", "nsmc").training.epochs < recipe_of("sst", None).training.epochs
    assert recipe_of("snli", "another") == recipe_of("snli", None)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Data, a corpus, and a model that was trained on it in a few seconds."""
    pytest.importorskip("mecab", reason="python-mecab-ko is not installed (extra: korean)")
    pytest.importorskip("gensim", reason="gensim is not installed (extra: word2vec)")
    folder = tmp_path_factory.mktemp("korean")
    write_korean_data(folder / "data", 40)
    lines = (f"나는 {time} {act}. 그는 {time} {act}." for time in TIMES for act in HANDS + HELP)
    (folder / "text.txt").write_text("\n".join(lines) + "\n", "utf-8")
    options = {"tokenizer": "korean", "heldout_fraction": 0.1, "min_count": 1}
    prepare([folder / "text.txt"], folder / "corpus", **options)
    recipe = dataclasses.replace(TINY, training=dataclasses.replace(TINY.training, steps=20))
    (folder / "recipe.json").write_text(json.dumps(recipe.to_dict()))
    command = ["pretrain", folder / "corpus", "-o", folder / "model", "--recipe", folder / "recipe.json"]
    assert run(*command, "--device", "cpu").returncode == 0
    return folder


@pytest.fixture(autouse=True)
def _small(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(task_runs, "QUICK", SMALL)


def test_one_command(folder: Path, tmp_path: Path, monkeypatch) -> None:
    output = tmp_path / "results"
    command = ["reproduce", "korean", "--model", folder / "model", "--quick", "-o", output, "--device", "cpu"]
    corpus = ["--corpus", folder / "corpus", "--vector-epochs", "2"]
    result = run(*command, "--data", folder / "data", *corpus, "--seeds", "2")
    assert result.returncode == 0, result.stderr.decode()
    table = (output / "korean-quick.md").read_text()
    for name in ("KoBEST-WiC |", "KoBEST-WiC, word and sentence", "UD Kaist", "KLUE-NLI", "NSMC, own split"):
        [row] = [line for line in table.splitlines() if line.startswith(f"| {name}")]
        assert "–" not in row.split("|")[3:6], row
    layers = (output / "korean-layers-quick.md").read_text()
    assert "| KoBEST-WiC | model | LSTM 2 |" in layers
    assert "mean of the sentence" in layers
    assert "-epochs-2 |" in layers, "vectors that are not trained as usual say so"
    assert "| UD Kaist | most frequent tag of the word |" in layers
    assert "| mean |" in (output / "korean-perplexity-quick.md").read_text()
    assert "bits per syllable" in (output / "korean-perplexity-quick.md").read_text()
    assert len(read_results(output / "tasks.jsonl")) == 8
    recorded = read_results(output / "analysis.jsonl")

    # The tokenized data is enough on another machine, which has neither the tokenizer nor gensim.
    prepared = output / "data/korean-tokenized"
    assert (prepared / PREPARED_FILE).exists()
    for package in ("mecab", "gensim"):
        monkeypatch.setitem(__import__("sys").modules, package, None)
    elsewhere = [*command[:-3], tmp_path / "elsewhere", "--device", "cpu", "--data", prepared, "--seeds", "1"]
    result = run(*elsewhere)
    assert result.returncode == 0, result.stderr.decode()
    again = read_results(tmp_path / "elsewhere/analysis.jsonl")
    assert [(one.what, one.value) for one in again] == [(one.what, one.value) for one in recorded]

    # Nothing is measured twice, and what is recorded can be shown without data.
    assert run(*elsewhere).returncode == 0
    assert len(read_results(tmp_path / "elsewhere/analysis.jsonl")) == len(again)
    (output / "korean-quick.md").unlink()
    assert run(*command, "--show", "--seeds", "2").returncode == 0
    assert (output / "korean-quick.md").read_text() == table


def test_static_vectors(folder: Path, tmp_path: Path) -> None:
    """The words of the datasets have vectors, and no others."""
    from elmo.paper.word2vec import train_vectors

    train_vectors(open_corpus(folder / "corpus"), tmp_path / "v.txt", {"손", "을", "모르는말"}, dim=8)
    vectors = read_vectors(tmp_path / "v.txt")
    assert set(vectors.words) == {"손", "을"}
    assert vectors.values.shape == (2, 8)
    train_vectors(open_corpus(folder / "corpus"), tmp_path / "again.txt", {"손", "을", "모르는말"}, dim=8)
    assert (tmp_path / "again.txt").read_bytes() == (tmp_path / "v.txt").read_bytes(), "one worker is deterministic"


def test_static_vectors_resume(folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A training that was interrupted twice ends with the same vectors, and leaves nothing behind."""
    from gensim.models import Word2Vec

    from elmo.paper import word2vec

    corpus = open_corpus(folder / "corpus")
    monkeypatch.setattr(word2vec, "PIECE", 30)
    pieces = -(-len(corpus.train) // 30)
    assert pieces > 1
    word2vec.train_vectors(corpus, tmp_path / "whole.txt", dim=8)
    rates: list[float] = []
    stops = [3, 4]

    def train(model: Word2Vec, **options: Any) -> None:
        if len(rates) in stops:
            stops.remove(len(rates))
            raise KeyboardInterrupt
        rates.append(options["start_alpha"])
        trained(model, **options)

    trained = Word2Vec.train
    monkeypatch.setattr(Word2Vec, "train", train)
    for _ in range(2):
        with pytest.raises(KeyboardInterrupt):
            word2vec.train_vectors(corpus, tmp_path / "resumed.txt", dim=8)
    assert not [path for path in (tmp_path / "resumed.txt.part").iterdir() if ".txt" in path.name]  # no vectors yet
    word2vec.train_vectors(corpus, tmp_path / "resumed.txt", dim=8)
    assert len(rates) == word2vec.EPOCHS * pieces
    assert rates == sorted(rates, reverse=True)
    assert (tmp_path / "resumed.txt").read_bytes() == (tmp_path / "whole.txt").read_bytes()
    assert not (tmp_path / "resumed.txt.part").exists()


def test_misuse(folder: Path, published_folder: Path, tmp_path: Path) -> None:
    data = ["--data", folder / "data", "-o", tmp_path / "results", "--quick"]
    korean = ["reproduce", "korean", *data]
    model = ["--model", folder / "model"]
    assert "cannot be combined" in error_of(run("reproduce", "korean", "table1", *data))
    assert "--corpus applies to korean" in error_of(run("reproduce", "table1", *data, "--corpus", folder / "corpus"))
    assert "--vector-epochs applies to" in error_of(run("reproduce", "korean", *data, "--vector-epochs", "1"))
    assert "takes one model" in error_of(run(*korean, *model, *model))
    assert "name the corpus of the model with --corpus" in error_of(run(*korean, *model))
    english = tmp_path / "english"
    prepare([folder / "text.txt"], english, heldout_fraction=0.1)
    assert "was split by the tokenizer words" in error_of(run(*korean, *model, "--corpus", english))
    prepared = tmp_path / "results/data/korean-tokenized"
    other = ["reproduce", "korean", "--data", prepared, "-o", tmp_path / "other", "--model", published_folder]
    assert "was split by the tokenizer korean" in error_of(run(*other))
