"""One vector per whitespace-separated word."""

import unicodedata
from pathlib import Path

import h5py
import numpy as np
import pytest
from commands import error_of, run
from hypothesis import given, settings
from hypothesis import strategies as st

import elmo
from elmo.embed.job import embed_file
from elmo.embed.merge import merge_vectors
from elmo.text.alignment import whitespace_words, word_spans
from elmo.text.tokens import compose, words

TEXT = "He didn't  go (home). "
WORDS = ["He", "didn't", "go", "(home)."]
COUNTS = [1, 2, 1, 4]


def test_whitespace_words() -> None:
    assert whitespace_words(TEXT, words(TEXT)) == (WORDS, COUNTS)
    assert whitespace_words("", []) == ([], [])
    with pytest.raises(ValueError, match="'go' is not made up of whole tokens"):
        whitespace_words("go on", ["goon"])
    with pytest.raises(ValueError, match="'on' is not made up of whole tokens"):
        whitespace_words("go on", ["go"])


@settings(max_examples=100, deadline=None)
@given(st.text(st.characters(exclude_categories=()), max_size=30))
def test_whitespace_words_of_any_text(text: str) -> None:
    for given_text in (text, unicodedata.normalize("NFD", text)):
        found, counts = whitespace_words(given_text, words(given_text))
        assert found == compose(text).split()
        assert sum(counts) == len(words(given_text))


@given(st.lists(st.integers(1, 4), max_size=6), st.sampled_from([(), (3,)]))
def test_merged_vectors_equal_those_of_a_loop(counts: list[int], layers: tuple[int, ...]) -> None:
    vectors = np.random.default_rng(0).standard_normal((*layers, sum(counts), 5)).astype(np.float32)
    parts = np.split(vectors, np.cumsum(counts)[:-1], -2) if counts else []
    mean, last = (merge_vectors(vectors, counts, how) for how in ("mean", "last"))
    assert mean.shape == last.shape == (*layers, len(counts), 5)
    assert mean.dtype == last.dtype == np.float32
    for word, part in enumerate(parts):
        np.testing.assert_allclose(mean[..., word, :], part.mean(-2), atol=1e-6)
        np.testing.assert_array_equal(last[..., word, :], part[..., -1, :])


@pytest.mark.parametrize("layers", ["all", "top"])
@pytest.mark.parametrize("initial_state", ["zero", "warm", "carry"])
def test_embed(model: elmo.Embedder, layers: str, initial_state: str) -> None:
    sentences = [TEXT, ["didn't", "go"], "", "One.", *[f"x{n}. y" for n in range(5)]]
    options = {"layers": layers, "initial_state": initial_state, "batch_tokens": 12}
    tokens = model.embed(sentences, **options)
    for how in ("mean", "last"):
        found = model.embed(sentences, merge=how, **options)
        assert [s.tokens for s in found[:4]] == [WORDS, ["didn't", "go"], [], ["One."]]
        np.testing.assert_array_equal(found[0].layers, merge_vectors(tokens[0].layers, COUNTS, how))
        np.testing.assert_array_equal(found[1].layers, tokens[1].layers)  # a list of words is taken as it is
        assert [s.layers.shape[-2] for s in found] == [4, 2, 0, 1, *[2] * 5]
    assert [TEXT[start:end] for start, end in word_spans(TEXT, found[0].tokens)] == WORDS


def test_wrong_options(model: elmo.Embedder) -> None:
    with pytest.raises(ValueError, match="merge must be mean or last"):
        model.embed([TEXT], merge="first")
    with pytest.raises(ValueError, match="merge cannot be combined with pool"):
        model.embed([TEXT], pool="mean", merge="mean")


def test_on_the_command_line(published_folder: Path, tmp_path: Path) -> None:
    (tmp_path / "in.txt").write_text(f"{TEXT}\n\n")
    expected = elmo.load(published_folder).embed([TEXT], "top", merge="last")[0].layers
    command = ["embed", tmp_path / "in.txt", "--model", published_folder, "--layers", "top", "--merge", "last", "-o"]
    assert run(*command, tmp_path / "out.h5").returncode == 0
    with h5py.File(tmp_path / "out.h5") as file:
        np.testing.assert_allclose(file["0"], expected, atol=1e-6)
        assert file["1"].shape == (0, expected.shape[1])
    assert "merge cannot be combined with pool" in error_of(run(*command, tmp_path / "pooled.h5", "--pool", "mean"))
    embed_file([TEXT], tmp_path / "stream.h5", published_folder, layers="top", merge="last")
    with h5py.File(tmp_path / "stream.h5") as file:
        np.testing.assert_allclose(file["0"], expected, atol=1e-6)
