"""``elmo reproduce perplexity``."""

from pathlib import Path

import pytest
from commands import error_of, run
from paper.evaluation_data import TWEET, write_evaluation_data

from elmo.paper.exhibit import model_names
from elmo.paper.perplexity import held_out_texts, sample
from elmo.results import read_results
from elmo.train.perplexity import perplexity
from elmo.weights.locate import locate, read_language_model


def test_every_text_is_measured_and_recorded(tmp_path: Path) -> None:
    data = write_evaluation_data(tmp_path / "data")
    (tmp_path / "more").mkdir()
    (tmp_path / "more" / "books-test.txt").write_text("The old king saw a dog.\n")
    options = ("--data", data, "-o", tmp_path / "results", "--device", "cpu", "--heldout", tmp_path / "more")
    result = run("reproduce", "perplexity", *options)
    assert result.returncode == 0, result.stderr.decode()
    recorded = {result.details["text"]: result for result in read_results(tmp_path / "results" / "analysis.jsonl")}
    names = ["en, dev", "en, test", "books, test", "EWT, reviews", "SST, test", "Broad Twitter, test", "EWT, email"]
    assert list(recorded) == [*names, "SNLI, test"]
    model = read_language_model(locate("small"))
    expected = perplexity(model, [TWEET.split()])
    tweets = recorded["Broad Twitter, test"]
    assert tweets.value == pytest.approx(expected.arithmetic)
    assert tweets.details["bits_per_character"] == pytest.approx(expected.per_character.mean)
    assert tweets.details["unknown"] == expected.unknown > 0
    assert tweets.details["tokens"] == len(TWEET.split()) + 1
    assert tweets.details["fingerprint"] == model.bilm.fingerprint()
    assert tweets.details["kind"] == "out of domain: tweets"
    assert (recorded["en, dev"].details["sentences"], recorded["en, dev"].details["of"]) == (2, 2)
    table = (tmp_path / "results" / "perplexity.md").read_text()
    assert f"| Broad Twitter, test | out of domain: tweets | small | {expected.forward:.1f} |" in table


def test_samples_are_drawn_with_a_seed_and_keep_the_order() -> None:
    sentences = [[str(number)] for number in range(100)]
    assert sample(sentences, 100) == sentences
    chosen = sample(sentences, 10)
    assert len(chosen) == 10
    assert chosen == sorted(chosen, key=lambda words: int(words[0])) == sample(sentences, 10) != sentences[:10]


def test_names() -> None:
    assert model_names(["small", "runs/original"]) == ["small", "original"]
    assert model_names(["small", "old/small", "/new/small"]) == ["small", "old-small", "new-small"]
    assert model_names(["."]) == [Path.cwd().name]


def test_misuse(tmp_path: Path, published_folder: Path) -> None:
    data = write_evaluation_data(tmp_path / "data")
    options = ("--data", data, "-o", tmp_path / "results", "--device", "cpu")
    assert "softmax" in error_of(run("reproduce", "perplexity", "-m", published_folder, *options))
    assert "no such folder" in error_of(run("reproduce", "perplexity", "--heldout", tmp_path / "none", *options))
    assert "--sentences" in error_of(run("reproduce", "table5", "--sentences", 5, *options))
    assert "one model" in error_of(run("reproduce", "table1", "-m", "small", "-m", "medium", *options))
    assert list(held_out_texts([tmp_path / "none"])) == []
