"""Fine-tuning, perplexity and prediction, as a user runs them."""

import dataclasses
import json
import math
from pathlib import Path

import numpy as np
import pytest
import torch
from commands import error_of, run
from train.tiny import TINY, made_up_text

import elmo
from elmo.train.corpus.corpus import open_corpus
from elmo.train.perplexity import Perplexity, perplexity
from elmo.train.pretrain import pretrain
from elmo.train.runtime import Runtime
from elmo.weights.locate import read_language_model

OTHER_WORLD = made_up_text(60, seed=5).replace("fish", "bread").replace("the", "a")


@pytest.fixture(scope="module")
def trained(corpus_folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("trained") / "run"
    longer = dataclasses.replace(TINY, training=dataclasses.replace(TINY.training, steps=300))
    pretrain(open_corpus(corpus_folder), longer, folder, Runtime(torch.device("cpu")), seed=0)
    return folder


class TestPerplexity:
    def test_one_sentence_by_hand(self, trained: Path) -> None:
        model = read_language_model(trained)
        words = ["the", "cat", "eats", "fish", "."]
        measured = perplexity(model, [words])
        ids = [0, *(model.vocabulary.id(word) for word in words), 1]
        layers = torch.from_numpy(np.concatenate([elmo.load(trained).embed([words], layers="top")[0].layers]))
        # Without boundaries: forwards the words after the first, backwards the words before the last.
        forward = model.softmax(layers[:-1, :8]).log_softmax(1)[range(4), ids[2:-1]]
        assert measured.tokens == 6
        batch_free = math.log(measured.forward) * 6 + float(forward.detach().sum())
        assert batch_free > 0  # what is left are the first word and </S>
        assert measured.geometric == pytest.approx(math.sqrt(measured.forward * measured.backward))

    def test_batches_change_nothing(self, trained: Path) -> None:
        model = read_language_model(trained)
        sentences = [line.split() for line in made_up_text(30, seed=3).splitlines()]
        together = perplexity(model, sentences)
        alone = perplexity(model, sentences, batch_tokens=1)
        assert together.forward == pytest.approx(alone.forward, rel=1e-5)
        assert together.backward == pytest.approx(alone.backward, rel=1e-5)

    def test_command(self, trained: Path, tmp_path: Path) -> None:
        (tmp_path / "text.txt").write_text("the cat eats fish .\nthe zebra eats fish .\n")
        values = json.loads(run("perplexity", trained, tmp_path / "text.txt", "--pretokenized", "--json").stdout)
        assert values["unknown words"] == 0.1
        assert values["predictions"] == 12
        assert "arithmetic mean" in run("perplexity", trained, tmp_path / "text.txt").stdout.decode()

    def test_misuse(self, trained: Path, published_folder: Path, tmp_path: Path) -> None:
        (tmp_path / "empty.txt").touch()
        assert "no sentences" in error_of(run("perplexity", trained, tmp_path / "empty.txt"))
        assert "no softmax" in error_of(run("perplexity", published_folder, tmp_path / "empty.txt"))
        assert "cannot be read" in error_of(run("perplexity", trained, tmp_path / "none.txt"))
        assert Perplexity(2.0, 8.0, 1, 0.0).arithmetic == 5.0


class TestPredict:
    def test_gap(self, trained: Path) -> None:
        answer = json.loads(run("predict", trained, "the king ___ land .", "--json", "-n", "2").stdout)
        assert {word for word, _ in answer["both"]} <= {"rules", "loves"}
        assert answer["gap"] == 2
        shown = run("predict", trained, "the ___ eats ___ .").stdout.decode()
        assert shown.count("both") == 2

    def test_no_gap(self, trained: Path) -> None:
        assert "has no blank" in error_of(run("predict", trained, "the king rules ."))


class TestFinetune:
    def test_perplexity_falls(self, trained: Path, tmp_path: Path) -> None:
        (tmp_path / "text.txt").write_text(OTHER_WORLD)
        (tmp_path / "heldout.txt").write_text(made_up_text(20, seed=6).replace("the", "a"))
        result = run(
            "finetune", trained, tmp_path / "text.txt", "-o", tmp_path / "run", "--pretokenized", "--heldout",
            tmp_path / "heldout.txt", "--learning-rate", "0.02", "--rows", "4", "--epochs", "8",
        )  # fmt: skip
        assert result.returncode == 0, result.stderr.decode()
        before, after = (
            float(line.split("mean ")[1].split()[0]) for line in result.stdout.decode().splitlines() if "mean" in line
        )
        assert after < 0.8 * before
        assert "already exists" in error_of(run("finetune", trained, tmp_path / "text.txt", "-o", tmp_path / "run"))
        assert read_language_model(tmp_path / "run").vocabulary == read_language_model(trained).vocabulary

    def test_resumed_as_it_was_begun(self, trained: Path, tmp_path: Path) -> None:
        (tmp_path / "text.txt").write_text(OTHER_WORLD)
        command = ("finetune", trained, tmp_path / "text.txt", "-o", tmp_path / "run", "--pretokenized")
        assert run(*command, "--rows", "4", "--epochs", "3", "--seed", "5").returncode == 0
        first = (tmp_path / "run/model.safetensors").read_bytes()
        again = run(*command, "--resume")  # finished already: nothing is trained, nothing changes
        assert again.returncode == 0, again.stderr.decode()
        assert (tmp_path / "run/model.safetensors").read_bytes() == first
        assert json.loads((tmp_path / "run/run.json").read_text())["recipe"]["rows"]["rows"] == 4

    def test_published_weights_get_a_softmax(self, published_folder: Path, tmp_path: Path) -> None:
        (tmp_path / "text.txt").write_text(OTHER_WORLD)
        result = run("finetune", published_folder, tmp_path / "text.txt", "-o", tmp_path / "run", "--rows", "4")
        assert result.returncode == 0, result.stderr.decode()
        assert "bread" in read_language_model(tmp_path / "run").vocabulary
