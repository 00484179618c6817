"""The stream through the GPU; what it does with sentences and results is the same on a CPU."""

import numpy as np
import pytest
import torch

import elmo
from elmo.embed.on_gpu import embed_on_gpu
from elmo.embed.select import Choice
from elmo.engines.cuda import GPUEngine

TEXT = [["The", "play", "was", "sold", "out", "."], [], ["They", "play"], ["x"] * 20, ["."], []]


@pytest.mark.parametrize("pool", [None, "mean", "max"])
@pytest.mark.parametrize("layers", ["all", "top", "average", 0])
def test_all_choices(model: elmo.Embedder, layers, pool) -> None:
    engine = GPUEngine(model.bilm, torch.float32, ((8, 2), (16, 2)))
    choose = Choice(layers, pool, model.bilm.config.n_representations)
    found = list(embed_on_gpu(engine, iter(TEXT), choose, positions=12))  # several runs
    for ours, expected in zip(found, model.embed(TEXT, layers, pool), strict=True):
        assert ours.tokens == expected.tokens
        np.testing.assert_allclose(ours.layers, expected.layers, atol=2e-5, rtol=1e-4)
        assert ours.layers.dtype == np.float32
        assert ours.layers.base is None  # nothing holds the whole run in memory


def test_nothing(model: elmo.Embedder) -> None:
    engine = GPUEngine(model.bilm, torch.float32)
    assert list(embed_on_gpu(engine, iter([]), Choice("all", None, 3))) == []


@pytest.mark.gpu
@pytest.mark.parametrize("precision", ["float32", "bf16"])
def test_on_a_gpu(precision: str) -> None:
    on_gpu, on_cpu = elmo.load(device="cuda", precision=precision), elmo.load()
    for options in ({}, {"layers": "top", "pool": "mean"}, {"initial_state": "warm"}):
        for ours, expected in zip(on_gpu.embed(TEXT, **options), on_cpu.embed(TEXT, **options), strict=True):
            if precision == "float32":
                np.testing.assert_allclose(ours.layers, expected.layers, atol=1e-4, rtol=1e-4)
            else:
                products = (ours.layers * expected.layers).sum(-1)
                lengths = np.linalg.norm(ours.layers, axis=-1) * np.linalg.norm(expected.layers, axis=-1)
                assert (products >= 0.999 * lengths - 1e-9).all()
    with pytest.raises(ValueError, match="int8 is for the CPU"):
        elmo.load(device="cuda", precision="int8").embed(TEXT)
