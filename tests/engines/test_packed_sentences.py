"""The layers of a biLM that is trained along, against those of ``BiLM.forward``, with their gradients."""

import copy

import pytest
import torch
from engines.test_packed import tiny_model

import elmo
from elmo.config import LSTMConfig, WordTableConfig
from elmo.engines.packed_sentences import layers_with_gradients
from elmo.model.batches import collate
from elmo.model.elmo import without_boundaries
from elmo.text.vocabulary import Vocabulary

BATCHES = {
    "mixed lengths": [["the", "play", "was", "sold", "out", "."], [], ["play"], ["x" * 60, "the"], ["out"], ["."] * 3],
    "one sentence": [["the", "play", "was", "sold", "out", "."]],
    "no words": [[], []],
    "a long one": [["the"] * 70, ["play", "the"], ["was"]],
}


def word_table_model() -> elmo.BiLM:
    torch.manual_seed(0)
    words = ["<S>", "</S>", "<UNK>", "the", "play"]
    return elmo.BiLM(elmo.BiLMConfig(WordTableConfig(5, 4), LSTMConfig(5, 4, 2, 1.0, 0.5)), Vocabulary(words))


def twin_layers(bilm: elmo.BiLM, sentences: list[list[str]]) -> torch.Tensor:
    output = bilm(collate(sentences, bilm.token_layer.encode))
    layers, mask = without_boundaries(output.layers, output.mask)
    return layers[:, mask]


@pytest.mark.parametrize("sentences", BATCHES.values(), ids=BATCHES)
@pytest.mark.parametrize("kind", ["characters", "unprojected", "word table"])
def test_layers_and_gradients_are_those_of_the_twin(kind: str, sentences: list[list[str]]) -> None:
    bilm = word_table_model() if kind == "word table" else tiny_model(4 if kind == "characters" else None, scale=1).bilm
    twin, bilm = copy.deepcopy(bilm).double(), bilm.float()
    expected, layers = twin_layers(twin, sentences), layers_with_gradients(bilm, sentences)
    torch.testing.assert_close(layers, expected.float(), atol=1e-5, rtol=1e-5)
    torch.manual_seed(1)
    gradient = torch.randn(expected.shape, dtype=torch.float64)
    expected.backward(gradient)
    layers.backward(gradient.float())
    for (name, ours), theirs in zip(bilm.named_parameters(), twin.parameters(), strict=True):
        torch.testing.assert_close(ours.grad, theirs.grad.float(), atol=1e-4, rtol=1e-4, msg=name)


def test_a_network_may_read_several_batches_before_it_learns() -> None:
    bilm = tiny_model().bilm.float()
    batches = [BATCHES["mixed lengths"], BATCHES["a long one"]]
    together = sum(layers_with_gradients(bilm, sentences).square().sum() for sentences in batches)
    together.backward()
    ours = [parameter.grad.clone() for parameter in bilm.parameters()]
    bilm.zero_grad()
    for sentences in batches:
        layers_with_gradients(bilm, sentences).square().sum().backward()
    for one, parameter in zip(ours, bilm.parameters(), strict=True):
        torch.testing.assert_close(one, parameter.grad)


def test_without_gradients_and_in_float64_the_twin_computes() -> None:
    bilm = tiny_model().bilm
    expected = twin_layers(bilm, BATCHES["mixed lengths"])
    assert torch.equal(layers_with_gradients(bilm, BATCHES["mixed lengths"]), expected)
    with torch.no_grad():
        found = layers_with_gradients(bilm.float(), BATCHES["mixed lengths"])
    torch.testing.assert_close(found, expected.float())


def test_autocast_changes_nothing() -> None:
    bilm = tiny_model().bilm.float()
    expected = layers_with_gradients(bilm, BATCHES["mixed lengths"])
    with torch.autocast("cpu", torch.bfloat16):
        assert torch.equal(layers_with_gradients(bilm, BATCHES["mixed lengths"]), expected)
