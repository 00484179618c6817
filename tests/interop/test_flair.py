"""``make test`` runs these tests on their own: Flair needs an older version of Transformers than the other adapters."""

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
import torch

pytest.importorskip(
    "flair", reason="flair is not installed (make test runs these tests with the packages of flair-requirements.txt)"
)

import flair
from flair.data import Corpus, Sentence
from flair.datasets import FlairDatapointDataset
from flair.embeddings import StackedEmbeddings, TokenEmbeddings
from flair.models import SequenceTagger
from flair.trainers import ModelTrainer
from interop.documented import run_examples

import elmo
from elmo.interop.flair import ELMoEmbeddings

SENTENCES = [["The", "play", "was", "out"], ["one"], ["Grüße", "日本語", "!"]]


@pytest.fixture(autouse=True)
def _on_the_cpu(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(flair, "device", torch.device("cpu"))


def vectors(embeddings: TokenEmbeddings, words: list[list[str]]) -> list[np.ndarray]:
    sentences = [Sentence(tokens, use_tokenizer=False) for tokens in words]
    embeddings.embed(sentences)
    return [np.stack([token.embedding.numpy() for token in sentence]) for sentence in sentences]


def expected(model: elmo.Embedder, mode: str) -> list[np.ndarray]:
    arrays = [sentence.layers for sentence in model.embed(SENTENCES, mode)]
    return [np.concatenate(list(array), 1) for array in arrays] if mode == "all" else arrays


@pytest.mark.parametrize("mode", ["all", "top", "average"])
def test_modes(mode: str, published_folder: Path, model: elmo.Embedder) -> None:
    files = {"options_file": published_folder / "options.json", "weight_file": published_folder / "weights.hdf5"}
    for embeddings in (
        ELMoEmbeddings(published_folder, embedding_mode=mode),
        ELMoEmbeddings(**files, embedding_mode=mode),
        ELMoEmbeddings("original", str(files["options_file"]), str(files["weight_file"]), mode),
    ):
        assert embeddings.embedding_length == (48 if mode == "all" else 16)
        assert embeddings.static_embeddings
        for ours, theirs in zip(expected(model, mode), vectors(embeddings, SENTENCES), strict=True):
            np.testing.assert_allclose(theirs, ours, atol=1e-5, rtol=1e-5)


def test_models_of_many_langs(many_langs_folder: Path) -> None:
    theirs = vectors(ELMoEmbeddings(many_langs_folder), SENTENCES)
    for one, other in zip(expected(elmo.load(many_langs_folder), "all"), theirs, strict=True):
        np.testing.assert_allclose(other, one, atol=1e-5, rtol=1e-5)


def test_stacked(published_folder: Path, model: elmo.Embedder) -> None:
    stack = StackedEmbeddings(
        [ELMoEmbeddings(published_folder, embedding_mode="top"), ELMoEmbeddings(published_folder, embedding_mode="all")]
    )
    assert stack.embedding_length == 64
    for ours, top, theirs in zip(
        expected(model, "all"), expected(model, "top"), vectors(stack, SENTENCES), strict=True
    ):
        np.testing.assert_allclose(theirs, np.concatenate([top, ours], 1), atol=1e-5, rtol=1e-5)


@pytest.mark.filterwarnings("default")  # Flair's trainer calls deprecated functions of torch
def test_training_a_tagger(published_folder: Path, tmp_path: Path) -> None:
    sentences = []
    for words, tags in (("the cat sat", "D N V"), ("a dog ran", "D N V"), ("cat ran", "N V"), ("dog sat", "N V")):
        sentence = Sentence(words.split(), use_tokenizer=False)
        for token, tag in zip(sentence, tags.split(), strict=True):
            token.add_label("pos", tag)
        sentences.append(sentence)
    data = FlairDatapointDataset(sentences)
    corpus = Corpus(train=data, dev=data, test=data)
    flair.set_seed(0)
    tagger = SequenceTagger(
        embeddings=StackedEmbeddings([ELMoEmbeddings(published_folder)]),
        tag_dictionary=corpus.make_label_dictionary("pos", add_unk=False),
        tag_type="pos",
        hidden_size=16,
        use_crf=False,
        dropout=0.0,
        word_dropout=0.0,
        locked_dropout=0.0,
        reproject_embeddings=False,
    )
    result = ModelTrainer(tagger, corpus).train(tmp_path / "run", learning_rate=0.3, mini_batch_size=1, max_epochs=40)
    assert result["test_score"] >= 0.9  # 0.4 by guessing

    again = SequenceTagger.load(tmp_path / "run" / "best-model.pt")
    predicted = []
    for model in (tagger, again):
        text = Sentence(["the", "dog", "sat"], use_tokenizer=False)
        model.predict(text)
        predicted.append([(token.get_label("pos").value, token.get_label("pos").score) for token in text])
    assert [tag for tag, _ in predicted[0]] == ["D", "N", "V"]
    assert predicted[0] == predicted[1]


def test_another_model_under_the_same_name(published_folder: Path) -> None:
    params = ELMoEmbeddings(published_folder).to_params()
    assert ELMoEmbeddings.from_params(params).to_params() == params
    with pytest.raises(ValueError, match="not the model"):
        ELMoEmbeddings.from_params({**params, "fingerprint": "0" * 32})


def test_misuse(published_folder: Path) -> None:
    with pytest.raises(ValueError, match="embedding_mode must be all, top or average, not 'mix'"):
        ELMoEmbeddings(published_folder, embedding_mode="mix")
    with pytest.raises(ValueError, match="both options_file and weight_file"):
        ELMoEmbeddings(options_file=published_folder / "options.json")


def test_example(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    [names] = run_examples("Flair")
    ours = elmo.load().embed([[token.text for token in names["sentence"]]], "average")[0].layers
    np.testing.assert_allclose(np.stack([t.embedding.numpy() for t in names["sentence"]]), ours, atol=1e-5, rtol=1e-5)


def test_the_class_is_known_after_the_import() -> None:
    """And only then, as docs/interop.md says."""
    code = "from flair.embeddings.base import EMBEDDING_CLASSES as known; name = 'elmo.interop.flair.ELMoEmbeddings'\n"
    code += "assert name not in known\nimport elmo.interop.flair\nassert name in known"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
