"""The same vectors under torch's global settings: autocast, default data types, default devices."""

import contextlib
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest
import torch

import elmo
from elmo.embed.select import EmbeddedSentence
from elmo.interop.allennlp import Elmo, ElmoEmbedder, batch_to_ids
from elmo.interop.sentence_transformers import ELMoModule

TEXT = [["the", "play", "was", "long"], ["Hello"], [], ["the"] * 20]


@contextlib.contextmanager
def default_dtype(dtype: torch.dtype) -> Iterator[None]:
    before = torch.get_default_dtype()
    torch.set_default_dtype(dtype)
    try:
        yield
    finally:
        torch.set_default_dtype(before)


SETTINGS: dict[str, Callable[[], contextlib.AbstractContextManager[object]]] = {
    "autocast to bfloat16": lambda: torch.autocast("cpu", torch.bfloat16),
    "autocast to float16": lambda: torch.autocast("cpu", torch.float16),
    "default float64": lambda: default_dtype(torch.float64),
    "default bfloat16": lambda: default_dtype(torch.bfloat16),
    "default float16": lambda: default_dtype(torch.float16),
    "default device meta": lambda: torch.device("meta"),
    "inference mode": torch.inference_mode,
    "no grad": torch.no_grad,
}


@pytest.fixture(params=SETTINGS)
def setting(request: pytest.FixtureRequest) -> Callable[[], contextlib.AbstractContextManager[object]]:
    return SETTINGS[request.param]


def same(found: list[EmbeddedSentence], expected: list[EmbeddedSentence]) -> None:
    for one, other in zip(found, expected, strict=True):
        assert one.layers.dtype == np.float32
        np.testing.assert_array_equal(one.layers, other.layers)


@pytest.mark.parametrize("initial_state", ["zero", "warm", "carry"])
@pytest.mark.parametrize("precision", ["float32", "bf16", "int8"])
def test_embed(setting, precision: str, initial_state: str, published_folder: Path) -> None:
    """Whether the model was loaded before or under the setting."""
    expected = elmo.load(published_folder, precision=precision).embed(TEXT, initial_state=initial_state)
    before = elmo.load(published_folder, precision=precision)
    with setting():
        under = elmo.load(published_folder, precision=precision)
        for model in (before, under):
            same(model.embed(TEXT, initial_state=initial_state), expected)
    same(under.embed(TEXT, initial_state=initial_state), expected)


def test_bundled_model(setting) -> None:
    expected = elmo.load("small").embed(TEXT)
    with setting():
        same(elmo.load("small").embed(TEXT), expected)


def test_own_format(setting, published_folder: Path, tmp_path: Path) -> None:
    expected = elmo.load(published_folder).embed(TEXT)
    with setting():
        elmo.load(published_folder).save(tmp_path / "saved")
    same(elmo.load(tmp_path / "saved").embed(TEXT), expected)


@pytest.mark.parametrize("freeze", [True, False])
@pytest.mark.parametrize("layer_norm", [True, False])
def test_module(setting, freeze: bool, layer_norm: bool, published_folder: Path) -> None:
    """The biLM computes in the type of its weights, and a mixture at least in that type."""
    bilm = elmo.load(published_folder).bilm
    expected = elmo.ELMo(bilm, freeze=freeze, layer_norm=layer_norm)(TEXT).representations[0].detach()
    with setting():
        module = elmo.ELMo(bilm, freeze=freeze, layer_norm=layer_norm)
        found = module(TEXT).representations[0].detach()
    assert found.dtype == torch.promote_types(torch.float32, module.mixes[0].gamma.dtype)
    torch.testing.assert_close(found.float(), expected, atol=1e-6, rtol=1e-6)


def test_allennlp(setting, published_folder: Path) -> None:
    files = str(published_folder / "options.json"), str(published_folder / "weights.hdf5")
    expected = Elmo(*files, 1, dropout=0)(batch_to_ids(TEXT))["elmo_representations"][0].detach()
    layers = ElmoEmbedder(*files).embed_batch(TEXT)
    with setting():
        found = Elmo(*files, 1, dropout=0)(batch_to_ids(TEXT))["elmo_representations"][0].detach()
        for one, other in zip(ElmoEmbedder(*files).embed_batch(TEXT), layers, strict=True):
            np.testing.assert_array_equal(one, other)
    torch.testing.assert_close(found.float(), expected, atol=1e-6, rtol=1e-6)


def test_sentence_transformers(setting, published_folder: Path) -> None:
    def vectors() -> torch.Tensor:
        module = ELMoModule(elmo.load(published_folder).bilm).eval()
        features = module(module.preprocess(["the play was long", "Hello"]))
        return features["token_embeddings"].detach()

    expected = vectors()
    with setting():
        found = vectors()
    torch.testing.assert_close(found.float(), expected, atol=1e-6, rtol=1e-6)


class Tagger(torch.nn.Module):
    def __init__(self, bilm: elmo.BiLM, freeze: bool) -> None:
        super().__init__()
        self.elmo = elmo.ELMo(bilm, freeze=freeze)
        self.lstm = torch.nn.LSTM(self.elmo.output_dim, 8, batch_first=True)
        self.linear = torch.nn.Linear(8, 2)

    def forward(self, sentences: list[list[str]]) -> torch.Tensor:
        return self.linear(self.lstm(self.elmo(sentences).representations[0])[0])


@pytest.mark.parametrize("freeze", [True, False])
@pytest.mark.parametrize("setting", ["autocast to bfloat16", "default float64", "no setting"])
def test_training_a_tagger(setting: str, freeze: bool, published_folder: Path) -> None:
    """Whether a word is "play": learned in mixed precision, in double precision, and as usual."""
    sentences = [["the", "play", "was", "long"], ["a", "play"], ["the", "game", "was", "long"], ["play", "the", "game"]]
    tags = torch.tensor([[word == "play" for word in (*words, *["pad"] * (4 - len(words)))] for words in sentences])
    torch.manual_seed(0)
    default = torch.float64 if setting == "default float64" else torch.float32
    with default_dtype(default):
        tagger = Tagger(elmo.load(published_folder).bilm, freeze)
        optimizer = torch.optim.Adam([weight for weight in tagger.parameters() if weight.requires_grad], lr=0.02)
        losses = []
        for _ in range(40):
            optimizer.zero_grad()
            with torch.autocast("cpu", torch.bfloat16, enabled=setting.startswith("autocast")):
                loss = torch.nn.functional.cross_entropy(tagger(sentences).flatten(0, 1), tags.long().flatten())
            loss.backward()
            optimizer.step()
            losses.append(loss.item())
        assert losses[-1] < 0.3 * losses[0]
        assert (tagger(sentences).argmax(-1).bool() == tags).all()
