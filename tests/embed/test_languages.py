"""Languages without spaces between words, or with many forms of each: raw text in, vectors and offsets out."""

import unicodedata
from itertools import chain
from pathlib import Path

import h5py
import numpy as np
import pytest
from commands import run

import elmo
from elmo.text.documents import Document
from elmo.text.tokens import tokenizer

LANGUAGES = {
    "Japanese": (
        "私は東京で寿司を食べました。彼女は「美味しい！」と言った。",
        ["私 は 東 京 で 寿 司 を 食 べました 。", "彼 女 は 「 美 味 しい ！ 」 と 言 った 。"],
    ),
    "Thai": (
        "ฉันกินข้าวที่กรุงเทพฯ เมื่อวานนี้\nเขาไม่ชอบน้ำแข็ง (เย็นมาก)",
        ["ฉันกินข้าวที่กรุงเทพฯ เมื่อวานนี้", "เขาไม่ชอบน้ำแข็ง ( เย็นมาก )"],
    ),
    "Turkish": (
        "İstanbul'da yağmur yağıyordu. Evlerimizdeki çocuklar okula gidemediler, çünkü yollar kapalıydı.",
        [
            "İstanbul'da yağmur yağıyordu .",
            "Evlerimizdeki çocuklar okula gidemediler , çünkü yollar kapalıydı .",
        ],
    ),
}
"""A text, and its sentences with spaces between the words, as they were before there was a Korean tokenizer."""


@pytest.fixture(params=LANGUAGES.values(), ids=LANGUAGES)
def language(request: pytest.FixtureRequest) -> tuple[str, list[list[str]]]:
    text, sentences = request.param
    return text, [sentence.split() for sentence in sentences]


def test_vectors(model: elmo.Embedder, language) -> None:
    text, expected = language
    raw = tokenizer("words").sentences(text)
    embedded = model.embed(raw)
    assert [sentence.tokens for sentence in embedded] == expected
    for sentence, given in zip(embedded, model.embed(expected), strict=True):
        assert sentence.layers.shape == (3, len(given.tokens), model.config.output_dim)
        assert np.isfinite(sentence.layers).all()
        np.testing.assert_array_equal(sentence.layers, given.layers)
    [decomposed] = model.embed([unicodedata.normalize("NFD", raw[0])])
    assert decomposed.tokens == expected[0]
    np.testing.assert_allclose(decomposed.layers, embedded[0].layers, atol=1e-6)


@pytest.mark.parametrize("form", ["NFC", "NFD"])
def test_offsets(language, form: str) -> None:
    """Every word is where its offsets say, in the text as it was given."""
    text, expected = language
    given = unicodedata.normalize(form, text)
    document = Document.split(given, tokenizer("words"))
    assert [list(sentence) for sentence in document.sentences] == expected
    found = [unicodedata.normalize("NFC", given[start:end]) for start, end in document.spans]
    assert found == [unicodedata.normalize("NFC", word) for word in chain.from_iterable(expected)]


def test_one_vector_per_whitespace_separated_word(model: elmo.Embedder, language) -> None:
    text, _ = language
    [merged] = model.embed([text], merge="mean")
    assert merged.tokens == text.split()
    assert merged.layers.shape[1] == len(text.split())


@pytest.mark.filterwarnings("ignore:longer than 48 bytes")  # Thai has no spaces between words
def test_command(published_folder: Path, language, tmp_path: Path) -> None:
    text, expected = language
    (tmp_path / "text.txt").write_text("\n".join(tokenizer("words").sentences(text)), "utf-8")
    options = ("--model", published_folder, "-o", tmp_path / "out.h5")
    assert run("embed", tmp_path / "text.txt", *options).returncode == 0
    with h5py.File(tmp_path / "out.h5") as file:
        assert [file[str(number)].shape[1] for number in range(len(expected))] == list(map(len, expected))


@pytest.mark.filterwarnings("ignore:longer than 48 bytes")  # Thai has no spaces between words
def test_a_model_of_the_language(language, tmp_path: Path) -> None:
    """Text of any language can be prepared for training, with the same words."""
    text, expected = language
    (tmp_path / "text.txt").write_text(text + "\n", "utf-8")
    options = ("--heldout-fraction", "0", "--min-count", "1", "--workers", "1")
    assert run("prepare", tmp_path / "text.txt", "-o", tmp_path / "corpus", *options).returncode == 0
    types = (tmp_path / "corpus/types.txt").read_text("utf-8").split("\n")
    assert set(chain.from_iterable(expected)) == set(types[3:-1])
