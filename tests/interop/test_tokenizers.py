"""A string gives the same vectors everywhere: it is split by the tokenizer that the model names.

spaCy is not here, because it splits text itself.
"""

import dataclasses
import json
from collections.abc import Callable
from pathlib import Path

import h5py
import numpy as np
import pytest
from commands import error_of, run
from numpy.typing import NDArray

import elmo
from elmo.config import TokenizerName
from elmo.text.tokens import tokenizer, words

RAW = [
    "I can't wait.",
    "It's late, isn't it?",
    "Dr. Kim (of Acme Inc.) left the U.S. in 2018.",
    "One",
    "밥을 먹기 전에 손을 씻었다.",
]
TOKENIZED = [" ".join(words(text)) for text in RAW]


def in_python(folder: Path, texts: list[str]) -> list[NDArray[np.float32]]:
    return [sentence.layers for sentence in elmo.load(folder).embed(texts, "average", "mean")]


def in_batches(folder: Path, texts: list[str]) -> list[NDArray[np.float32]]:
    embedded, _ = elmo.load(folder).embed_batch(texts)
    return [sentence.layers.mean((0, 1)) for sentence in embedded]


def on_the_command_line(folder: Path, texts: list[str]) -> list[NDArray[np.float32]]:
    Path("texts.txt").write_text("\n".join(texts) + "\n")
    options = ("--layers", "average", "--pool", "mean", "--model", folder, "--overwrite")
    assert run("embed", "texts.txt", "-o", "vectors.h5", *options).returncode == 0
    with h5py.File("vectors.h5") as file:
        return [file[str(line)][...] for line in range(len(texts))]


def by_the_server(folder: Path, texts: list[str]) -> list[NDArray[np.float32]]:
    pytest.importorskip("fastapi", reason="needs elmo-torch[serve]")
    from starlette.testclient import TestClient

    from elmo.serve.app import create_app

    with TestClient(create_app({"model": elmo.load(folder)})) as client:
        answer = client.post("/v1/embeddings", json={"model": "model", "input": texts}).json()
    return [np.array(found["embedding"], np.float32) for found in answer["data"]]


def in_sklearn(folder: Path, texts: list[str]) -> list[NDArray[np.float32]]:
    pytest.importorskip("sklearn", reason="scikit-learn is not installed (extra: sklearn)")
    from elmo.interop.sklearn import ELMoVectorizer

    return list(ELMoVectorizer(folder).fit_transform(texts))


def in_sentence_transformers(folder: Path, texts: list[str]) -> list[NDArray[np.float32]]:
    pytest.importorskip("sentence_transformers", reason="not installed (extra: sentence-transformers)")
    from sentence_transformers import SentenceTransformer
    from sentence_transformers.sentence_transformer.modules import Pooling

    from elmo.interop.sentence_transformers import ELMoModule

    module = ELMoModule.load(folder)
    pooling = Pooling(module.get_embedding_dimension(), "mean")
    return list(SentenceTransformer(modules=[module, pooling], device="cpu").encode(texts))


def in_transformers(folder: Path, texts: list[str]) -> list[NDArray[np.float32]]:
    pytest.importorskip("transformers", reason="not installed (extra: transformers)")
    import torch

    from elmo.interop.transformers import ElmoModel, ElmoTokenizer

    inputs = ElmoTokenizer.from_pretrained(folder)(texts)
    with torch.no_grad():
        layers = torch.stack(ElmoModel.from_pretrained(folder)(**inputs).hidden_states)  # (L+1, B, T, D)
    lengths = inputs["attention_mask"].sum(1)
    return [layers[:, row, :length].mean((0, 1)).numpy() for row, length in enumerate(lengths)]


@pytest.fixture(scope="module", params=["words", "whitespace", "korean"])
def folder(
    request: pytest.FixtureRequest, published_folder: Path, tmp_path_factory: pytest.TempPathFactory
) -> tuple[TokenizerName, Path]:
    """A model that names a tokenizer."""
    name: TokenizerName = request.param
    if name == "korean":
        pytest.importorskip("mecab", reason="python-mecab-ko is not installed (extra: korean)")
    embedder = elmo.load(published_folder)
    embedder.bilm.config = dataclasses.replace(embedder.config, tokenizer=name)
    target = tmp_path_factory.mktemp("tokenizers") / name
    embedder.save(target)
    return name, target


@pytest.mark.parametrize(
    "vectors",
    [in_python, in_batches, on_the_command_line, by_the_server, in_sklearn, in_sentence_transformers, in_transformers],
)
def test_same_vectors_everywhere(
    folder: tuple[TokenizerName, Path],
    vectors: Callable[[Path, list[str]], list[NDArray[np.float32]]],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    name, path = folder
    for texts in (RAW, TOKENIZED):
        sentences = [tokenizer(name).words(text) for text in texts]
        expected = elmo.load(path).embed(sentences, "average", "mean")  # lists of words are taken as they are
        for found, sentence in zip(vectors(path, texts), expected, strict=True):
            np.testing.assert_allclose(found, sentence.layers, atol=1e-5, rtol=1e-5)


def test_the_caller_may_choose_another(folder: tuple[TokenizerName, Path]) -> None:
    model = elmo.load(folder[1])
    for name in ("words", "whitespace", "korean"):
        assert [s.tokens for s in model.embed(RAW, tokenize=name)] == [tokenizer(name).words(text) for text in RAW]


def test_it_is_shown_and_kept(folder: tuple[TokenizerName, Path], tmp_path: Path) -> None:
    name, path = folder
    assert json.loads((path / "config.json").read_text())["tokenizer"] == name
    assert f"tokenizer {name}" in " ".join(run("info", path).stdout.decode().split())
    assert json.loads(run("info", path, "--json").stdout)["tokenizer"] == name
    elmo.load(path).save(tmp_path / "copy")
    assert elmo.load(tmp_path / "copy").config.tokenizer == name


def test_transformers_keeps_it(folder: tuple[TokenizerName, Path], tmp_path: Path) -> None:
    pytest.importorskip("transformers", reason="not installed (extra: transformers)")
    from elmo.interop.transformers import ElmoModel

    ElmoModel.from_pretrained(folder[1]).save_pretrained(tmp_path / "copy")
    assert elmo.load(tmp_path / "copy").config.tokenizer == folder[0]


@pytest.mark.parametrize("value", ["bpe", "", 3, None, ["words"]], ids=repr)
def test_a_wrong_name_is_one_clear_error(folder: tuple[TokenizerName, Path], value: object, tmp_path: Path) -> None:
    elmo.load(folder[1]).save(tmp_path / "model")
    config = tmp_path / "model/config.json"
    config.write_text(json.dumps({**json.loads(config.read_text()), "tokenizer": value}))
    message = error_of(run("info", tmp_path / "model"))
    assert str(config) in message
    assert "tokenizer must be one of whitespace, words, korean" in message
