"""Perplexity, in Python and on the command line."""

import json
import math
from pathlib import Path

import numpy as np
import pytest
import torch
from commands import error_of, run
from train.tiny import made_up_text

import elmo
from elmo.train.perplexity import Perplexity, perplexity
from elmo.weights.locate import read_language_model


def test_one_sentence_by_hand(trained: Path) -> None:
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


def test_batches_change_nothing(trained: Path) -> None:
    model = read_language_model(trained)
    sentences = [line.split() for line in made_up_text(30, seed=3).splitlines()]
    together = perplexity(model, sentences)
    alone = perplexity(model, sentences, batch_tokens=1)
    assert together.forward == pytest.approx(alone.forward, rel=1e-5)
    assert together.backward == pytest.approx(alone.backward, rel=1e-5)


def test_command(trained: Path, tmp_path: Path) -> None:
    (tmp_path / "text.txt").write_text("the cat eats fish .\nthe zebra eats fish .\n")
    values = json.loads(run("perplexity", trained, tmp_path / "text.txt", "--pretokenized", "--json").stdout)
    assert values["unknown words"] == 0.1
    assert values["predictions"] == 12
    assert "arithmetic mean" in run("perplexity", trained, tmp_path / "text.txt").stdout.decode()


def test_misuse(trained: Path, published_folder: Path, tmp_path: Path) -> None:
    (tmp_path / "empty.txt").touch()
    assert "no sentences" in error_of(run("perplexity", trained, tmp_path / "empty.txt"))
    assert "no softmax" in error_of(run("perplexity", published_folder, tmp_path / "empty.txt"))
    assert "cannot be read" in error_of(run("perplexity", trained, tmp_path / "none.txt"))


def test_bits_per_character_by_hand() -> None:
    """Two known words and "zebra" in one sentence: 4 predictions of 1 and 3 bits, and 6 bytes to spell."""
    result = Perplexity(2.0, 8.0, tokens=4, unknown=1 / 3, characters=16, spelling_bits=48)
    assert result.arithmetic == 5.0
    assert result.per_character.forward == (4 * 1 + 48) / 16
    assert result.per_character.backward == (4 * 3 + 48) / 16
    assert result.per_character.mean == (4 * 2 + 48) / 16
    assert result.per_syllable is None


def test_bits_per_syllable(trained: Path) -> None:
    """They do not depend on how a text is split, except for the predictions themselves."""
    model = read_language_model(trained)
    eojeol = perplexity(model, [["손을", "씻고", "3일", "."], ["밥을", "먹었다"]])
    morphemes = perplexity(model, [["손", "을", "씻", "고", "3", "일", "."], ["밥", "을", "먹", "었", "다"]])
    assert eojeol.syllables == morphemes.syllables == 10
    for result in (eojeol, morphemes):
        bits = [result.tokens * math.log2(each) + result.spelling_bits for each in (result.forward, result.backward)]
        assert result.per_syllable == pytest.approx([total / 10 for total in bits])
        assert result.per_syllable.mean == pytest.approx(sum(bits) / 20)
    mostly_latin = perplexity(model, [["the", "cat", "eats", "fish", "물", "."]])
    assert mostly_latin.syllables == 1
    assert mostly_latin.per_syllable is None


def test_bits_per_syllable_of_a_command(trained: Path, tmp_path: Path) -> None:
    (tmp_path / "text.txt").write_text("손을 씻고 밥을 먹었다.\n")
    command = ("perplexity", tmp_path / "text.txt", "--model", trained)
    values = json.loads(run(*command, "--json").stdout)
    assert values["syllables"] == 9
    assert values["bits per syllable"].keys() == {"forward", "backward", "mean"}
    assert "bits per syllable" in run(*command).stdout.decode().splitlines()[0]
    (tmp_path / "text.txt").write_text("the cat eats fish .\n")
    assert "syllable" not in run(*command).stdout.decode()
    assert "syllables" not in json.loads(run(*command, "--json").stdout)


def test_unknown_words_are_spelled(trained: Path) -> None:
    model = read_language_model(trained)
    known = perplexity(model, [["the", "cat", "eats", "fish", "."]])
    unknown = perplexity(model, [["the", "zebra", "eats", "물", "."]])
    assert (known.characters, known.spelling_bits) == (3 + 3 + 4 + 4 + 1 + 5, 0)
    assert (unknown.characters, unknown.spelling_bits) == (3 + 5 + 4 + 1 + 1 + 5, 8 * (5 + 1) + 8 * (3 + 1))
    expected = (6 * math.log2(unknown.forward) + unknown.spelling_bits) / 19
    assert unknown.per_character.forward == pytest.approx(expected)
    # A text of unknown words alone has a low perplexity once <UNK> is expected, but never few bits per character.
    assert perplexity(model, [["물"] * 20]).per_character.forward > 16


def test_unknown_words_cause_a_warning(trained: Path, tmp_path: Path) -> None:
    (tmp_path / "text.txt").write_text("the cat eats fish .\n나는 물을 마신다 .\n")
    result = run("perplexity", tmp_path / "text.txt", "--model", trained, "--pretokenized", "--json")
    assert result.stderr.decode().count("warning: 33% of the words are not in the model's vocabulary") == 1
    values = json.loads(result.stdout)
    assert values["unknown words"] == pytest.approx(1 / 3, abs=1e-6)
    assert values["bits per character"].keys() == {"forward", "backward", "mean"}
    assert values["characters"] == (3 + 3 + 4 + 4 + 1 + 5) + (2 + 2 + 3 + 1 + 4)
    (tmp_path / "text.txt").write_text("the cat eats fish .\nthe cat eats zebra .\n")
    assert run("perplexity", tmp_path / "text.txt", "--model", trained).stderr == b""
