import json
from pathlib import Path

import numpy as np
import pytest
import torch

pytest.importorskip("transformers", reason="transformers is not installed (extra: transformers)")

from interop.documented import run_examples
from transformers import AutoConfig, AutoModel, AutoTokenizer, pipeline

import elmo
from elmo.config import LSTMConfig, WordTableConfig
from elmo.files import read_json_object
from elmo.interop.transformers import ElmoConfig, ElmoModel, ElmoTokenizer
from elmo.text.vocabulary import Vocabulary
from elmo.weights.folder import write_folder

SENTENCES = [["the", "play", "was", "out"], [], ["one"]]


@pytest.fixture(scope="session")
def folder(model: elmo.Embedder, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("transformers") / "model"
    model.save_pretrained(folder)
    return folder


def same_layers(output, embedded: list[elmo.embed.embedder.EmbeddedSentence]) -> None:
    layers = torch.stack(output.hidden_states).detach().numpy()  # (L+1, B, T, D)
    for row, sentence in enumerate(embedded):
        n = len(sentence.tokens)
        np.testing.assert_allclose(layers[:, row, :n], sentence.layers, atol=1e-5, rtol=1e-5)
        assert not layers[:, row, n:].any()
    np.testing.assert_array_equal(output.last_hidden_state.detach().numpy(), layers[-1])


def test_example(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    [names] = run_examples("Transformers")
    texts = ["The play was sold out.", "He scored twice."]
    expected = elmo.load().embed(texts, tokenize="words")
    same_layers(names["output"], expected)
    for ours, theirs in zip(names["again"].embed(texts, tokenize="words"), expected, strict=True):
        np.testing.assert_array_equal(ours.layers, theirs.layers)


def test_auto_classes(model: elmo.Embedder, folder: Path) -> None:
    config = AutoConfig.from_pretrained(folder)
    assert isinstance(config, ElmoConfig)
    assert config.bilm == model.bilm.config
    assert (config.hidden_size, config.num_hidden_layers) == (16, 2)
    auto = AutoModel.from_pretrained(folder)
    assert isinstance(auto, ElmoModel)
    assert not auto.training
    inputs = AutoTokenizer.from_pretrained(folder)(SENTENCES)
    same_layers(auto(**inputs), model.embed(SENTENCES))
    same_layers(auto(inputs["input_ids"]), model.embed(SENTENCES))


@pytest.mark.parametrize("steps", [None, (48, 48)], ids=["plain", "compact"])
def test_folders(model: elmo.Embedder, steps, tmp_path: Path) -> None:
    write_folder(model.bilm, tmp_path / "in", steps=steps)
    ElmoModel.from_pretrained(tmp_path / "in").save_pretrained(tmp_path / "out")
    expected = elmo.load(tmp_path / "in").embed(SENTENCES)
    for ours, theirs in zip(elmo.load(tmp_path / "out").embed(SENTENCES), expected, strict=True):
        np.testing.assert_array_equal(ours.layers, theirs.layers)
    same_layers(AutoModel.from_pretrained(tmp_path / "out")(**tokens(tmp_path / "out")), expected)


def tokens(folder: Path):
    return AutoTokenizer.from_pretrained(folder)(SENTENCES)


def test_published_models(model: elmo.Embedder, published_folder: Path) -> None:
    inputs = ElmoTokenizer.from_pretrained(published_folder)(SENTENCES)
    same_layers(ElmoModel.from_pretrained(published_folder)(**inputs), model.embed(SENTENCES))


def test_models_that_look_words_up(tmp_path: Path) -> None:
    config = elmo.BiLMConfig(WordTableConfig(5, 4), LSTMConfig(6, 4))
    ours = elmo.Embedder(elmo.BiLM(config, Vocabulary(["<S>", "</S>", "<UNK>", "the", "play"])))
    ours.save_pretrained(tmp_path / "words")
    auto = AutoModel.from_pretrained(tmp_path / "words")
    inputs = tokens(tmp_path / "words")
    assert inputs["input_ids"].shape == (3, 4)
    same_layers(auto(**inputs), ours.embed(SENTENCES))
    auto.save_pretrained(tmp_path / "again")
    assert read_json_object(tmp_path / "again" / "checksums.json").keys() == {"model.safetensors", "vocab.txt"}
    assert elmo.load(tmp_path / "again").bilm.token_layer.vocabulary == ours.bilm.token_layer.vocabulary
    AutoTokenizer.from_pretrained(tmp_path / "words").save_pretrained(tmp_path / "alone")
    assert torch.equal(tokens(tmp_path / "alone")["input_ids"], inputs["input_ids"])
    with pytest.raises(ValueError, match="vocabulary"):
        ElmoModel(ElmoConfig.from_pretrained(tmp_path / "words"))


@pytest.mark.parametrize("kind", ["original", "many-langs"])
def test_models_of_many_langs(kind: str, many_langs_folder: Path, tmp_path: Path) -> None:
    """ELMoForManyLangs models load from their own files and from a model folder, and keep their dictionary."""
    folder = many_langs_folder.with_name(kind)
    ours = elmo.load(folder)
    sentences = [["kat", "語", "ter"], [], ["unbekannt", "kat"]]
    inputs = ElmoTokenizer.from_pretrained(folder)(sentences)
    auto = ElmoModel.from_pretrained(folder)
    same_layers(auto(**inputs), ours.embed(sentences))
    auto.save_pretrained(tmp_path / "again")
    same_layers(auto(**inputs), elmo.load(tmp_path / "again").embed(sentences))
    AutoTokenizer.from_pretrained(tmp_path / "again").save_pretrained(tmp_path / "alone")
    assert torch.equal(AutoTokenizer.from_pretrained(tmp_path / "alone")(sentences)["input_ids"], inputs["input_ids"])
    same_layers(AutoModel.from_pretrained(tmp_path / "again")(**inputs), ours.embed(sentences))


def test_options(folder: Path) -> None:
    inputs = tokens(folder)
    brief = ElmoModel.from_pretrained(folder, output_hidden_states=False, dtype=torch.bfloat16)
    assert brief.dtype == torch.bfloat16
    assert brief(**inputs).hidden_states is None
    assert len(brief(**inputs, output_hidden_states=True).hidden_states) == 3
    assert [type(part) for part in brief(**inputs, return_dict=False)] == [torch.Tensor]


def test_training(folder: Path, tmp_path: Path) -> None:
    model = AutoModel.from_pretrained(folder).train()
    model(**tokens(folder)).last_hidden_state.square().sum().backward()
    assert all(p.grad is not None for p in model.parameters())
    with torch.no_grad():
        for parameter in model.parameters():
            parameter -= 0.01 * parameter.grad
    model.save_pretrained(tmp_path, state_dict=model.state_dict())  # as Trainer calls it
    same_layers(model(**tokens(folder)), elmo.load(tmp_path).embed(SENTENCES))


def test_fresh_weights() -> None:
    model = ElmoModel(ElmoConfig())
    assert model.config.hidden_size == 256
    assert model(ElmoTokenizer(model.config)("One sentence.").input_ids).last_hidden_state.shape == (1, 3, 256)


def test_their_pipeline(model: elmo.Embedder, folder: Path) -> None:
    extract = pipeline(
        "feature-extraction", AutoModel.from_pretrained(folder), tokenizer=ElmoTokenizer.from_pretrained(folder)
    )
    expected = model.embed(["the play"], "top")[0].layers
    np.testing.assert_allclose(np.array(extract("the play"))[0], expected, atol=1e-5, rtol=1e-5)


class TestTokenizer:
    def test_kinds_of_text(self, folder: Path) -> None:
        tokenizer = AutoTokenizer.from_pretrained(folder)
        assert tokenizer.tokenize("It was out.") == ["It", "was", "out", "."]
        one = tokenizer("the play")
        assert one["attention_mask"].tolist() == [[1, 1]]
        for same in (["the play"], [["the", "play"]]):
            assert torch.equal(tokenizer(same, padding=True, return_tensors="pt")["input_ids"], one["input_ids"])
        assert torch.equal(tokenizer(["the", "play"], is_split_into_words=True)["input_ids"], one["input_ids"])
        assert tokenizer(["the", "play"])["attention_mask"].tolist() == [[1], [1]]
        with pytest.raises(ValueError, match="padded torch tensors"):
            tokenizer("the play", return_tensors="np")
        with pytest.raises(ValueError, match="needs a list of words"):  # it would be read as one word with a space
            tokenizer("the play", is_split_into_words=True)

    def test_saved(self, folder: Path, tmp_path: Path) -> None:
        tokenizer = AutoTokenizer.from_pretrained(folder, tokenize="whitespace")
        tokenizer.save_pretrained(tmp_path)
        assert AutoTokenizer.from_pretrained(tmp_path).tokenize("out.") == ["out."]
        assert AutoTokenizer.from_pretrained(tmp_path, tokenize="words").tokenize("out.") == ["out", "."]
        assert json.loads((tmp_path / "config.json").read_text())["model_type"] == "elmo"
        (tmp_path / "tokenizer_config.json").write_text("[]")
        with pytest.raises(ValueError, match="tokenizer_config"):
            ElmoTokenizer.from_pretrained(tmp_path)
