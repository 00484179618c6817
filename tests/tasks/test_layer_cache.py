"""The layers of a frozen biLM, computed once."""

import pytest
import torch

import elmo
from elmo.model.batches import collate
from elmo.model.elmo import without_boundaries
from elmo.tasks.layer_cache import LayerCache

SENTENCES = [["a", "fine", "day"], ["Hello"], ["a", "b", "c", "d", "e"]]


@pytest.fixture
def layers(model: elmo.Embedder) -> LayerCache:
    return LayerCache(model.bilm)


def test_kept_and_computed_are_alike(layers: LayerCache) -> None:
    computed = layers(SENTENCES)
    layers.prepare(SENTENCES[:2])
    layers.prepare(SENTENCES)
    kept = layers(SENTENCES)
    assert kept.dtype == torch.float32
    torch.testing.assert_close(kept, computed, atol=2e-3, rtol=2e-3)
    with torch.no_grad():  # the biLM itself, without an engine
        output = layers.bilm(collate(SENTENCES, layers.bilm.token_layer.encode))
    expected, mask = without_boundaries(output.layers, output.mask)
    torch.testing.assert_close(kept, expected, atol=1e-3, rtol=1e-3)
    assert not kept[:, ~mask].any()


def test_some_kept_some_new(layers: LayerCache) -> None:
    layers.prepare(SENTENCES[:1])
    assert layers(SENTENCES).shape[1:3] == (3, 5)


def test_nothing_to_do(layers: LayerCache) -> None:
    layers.prepare([])
    layers.prepare([[]])
