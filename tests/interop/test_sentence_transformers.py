import json
from pathlib import Path

import numpy as np
import pytest
import torch

pytest.importorskip(
    "sentence_transformers", reason="sentence-transformers is not installed (extra: sentence-transformers)"
)

from interop.documented import run_examples
from sentence_transformers import SentenceTransformer
from sentence_transformers.sentence_transformer.losses import CosineSimilarityLoss
from sentence_transformers.sentence_transformer.modules import Pooling

import elmo
from elmo.interop.sentence_transformers import MODULE_FILE, ELMoModule

SENTENCES = ["The play was sold out.", "It wasn't.", "", "One"]


@pytest.fixture
def bilm(published_folder: Path) -> elmo.BiLM:
    """A fresh model for each test, because adapters change ``requires_grad``."""
    return elmo.load(published_folder).bilm


def sentence_model(words: ELMoModule, pooling: str = "mean", **options) -> SentenceTransformer:
    pool = Pooling(words.get_embedding_dimension(), pooling, **options)
    return SentenceTransformer(modules=[words, pool], device="cpu")


def test_example(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    [names] = run_examples("sentence-transformers")
    expected = elmo.load().embed(names["texts"], "average", "mean", tokenize="words")
    np.testing.assert_allclose(names["vectors"], np.stack([s.layers for s in expected]), atol=1e-5, rtol=1e-5)
    np.testing.assert_array_equal(names["again"].encode(names["texts"]), names["vectors"])
    assert names["similarities"][0, 1] > names["similarities"][0, 2]


@pytest.mark.parametrize(("layers", "same"), [("mix", "average"), ("top", "top"), (1, 1)])
def test_vectors(bilm: elmo.BiLM, layers, same) -> None:
    vectors = sentence_model(ELMoModule(bilm, layers)).encode(SENTENCES)
    expected = elmo.Embedder(bilm).embed(SENTENCES, same, "mean")
    np.testing.assert_allclose(vectors, np.stack([s.layers for s in expected]), atol=1e-5, rtol=1e-5)


def test_words_and_tokens(bilm: elmo.BiLM) -> None:
    model = sentence_model(ELMoModule(bilm))
    np.testing.assert_allclose(model.encode([["It", "was", "n't"]]), model.encode(["It was n't"]), atol=1e-5, rtol=1e-5)
    [tokens] = model.encode(["The play"], output_value="token_embeddings")
    np.testing.assert_allclose(
        tokens, elmo.Embedder(bilm).embed(["The play"], "average")[0].layers, atol=1e-5, rtol=1e-5
    )


def test_prompt(bilm: elmo.BiLM) -> None:
    words = elmo.Embedder(bilm).embed(["query : The play"], "average")[0].layers
    with_prompt = sentence_model(ELMoModule(bilm)).encode(["The play"], prompt="query: ")
    without = sentence_model(ELMoModule(bilm), include_prompt=False).encode(["The play"], prompt="query: ")
    np.testing.assert_allclose(with_prompt[0], words.mean(0), atol=1e-5, rtol=1e-5)
    np.testing.assert_allclose(without[0], words[2:].mean(0), atol=1e-5, rtol=1e-5)


@pytest.mark.parametrize("freeze", [True, False])
def test_training_and_saving(bilm: elmo.BiLM, freeze: bool, tmp_path: Path) -> None:
    words = ELMoModule(bilm, tokenize="whitespace", freeze=freeze)
    model = sentence_model(words)
    loss = CosineSimilarityLoss(model)
    pair = [model.preprocess(["the play", "one two three"]), model.preprocess(["the game", "four"])]
    optimizer = torch.optim.Adam([p for p in model.parameters() if p.requires_grad], lr=0.1)
    losses = []
    for _ in range(5):
        optimizer.zero_grad()
        value = loss(pair, torch.tensor([-1.0, 1.0]))
        value.backward()
        optimizer.step()
        losses.append(value.item())
    assert losses[-1] < losses[0]
    assert words.mix is not None
    assert words.mix.weights.abs().max() > 0.01
    assert all((p.grad is None) == freeze for p in bilm.parameters())

    model.save(str(tmp_path / "trained"))
    again = SentenceTransformer(str(tmp_path / "trained"), trust_remote_code=True, device="cpu")
    np.testing.assert_array_equal(again.encode(SENTENCES), model.encode(SENTENCES))
    assert again[0].get_config_dict() == {"layers": "mix", "tokenize": "whitespace", "freeze": freeze}
    expected = elmo.Embedder(bilm).embed(SENTENCES)
    for ours, theirs in zip(elmo.load(tmp_path / "trained").embed(SENTENCES), expected, strict=True):
        np.testing.assert_array_equal(ours.layers, theirs.layers)


def test_a_folder_of_ours(bilm: elmo.BiLM, tmp_path: Path) -> None:
    elmo.Embedder(bilm).save_pretrained(tmp_path / "ours")
    vectors = sentence_model(ELMoModule.load(tmp_path / "ours")).encode(SENTENCES)
    np.testing.assert_array_equal(vectors, sentence_model(ELMoModule(bilm)).encode(SENTENCES))


def test_a_model_of_many_langs(many_langs_folder: Path, tmp_path: Path) -> None:
    sentences = ["kat 語 ter", "", "unbekannt kat"]
    model = sentence_model(ELMoModule.load(many_langs_folder))
    expected = elmo.load(many_langs_folder).embed(sentences, "average", "mean", tokenize="words")
    np.testing.assert_allclose(model.encode(sentences), np.stack([s.layers for s in expected]), atol=1e-5, rtol=1e-5)
    model.save(str(tmp_path / "saved"))
    again = SentenceTransformer(str(tmp_path / "saved"), trust_remote_code=True, device="cpu")
    np.testing.assert_array_equal(again.encode(sentences), model.encode(sentences))


def test_misuse(bilm: elmo.BiLM, tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="layers must be"):
        ELMoModule(bilm, layers=3)
    with pytest.raises(ValueError, match="tokenize must be"):
        ELMoModule(bilm, tokenize="letters")
    ELMoModule(bilm).save(str(tmp_path))
    facts = json.loads((tmp_path / MODULE_FILE).read_text())
    for damaged in ("{", json.dumps({**facts, "depth": 3}), json.dumps({**facts, "mix": {"gamma": 1.0}}), "[]"):
        (tmp_path / MODULE_FILE).write_text(damaged)
        with pytest.raises(ValueError, match=MODULE_FILE):
            ELMoModule.load(tmp_path)
