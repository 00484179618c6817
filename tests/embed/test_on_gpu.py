"""Embedding through the engine for GPUs; what it does with sentences and results is the same on a CPU."""

import numpy as np
import pytest
import torch

import elmo
from elmo.engines import current as module
from elmo.engines.cuda import CUDAEngine

TEXT = [["The", "play", "was", "sold", "out", "."], [], ["They", "play"], ["x"] * 20, ["."], []]


@pytest.mark.parametrize("pool", [None, "mean", "max"])
@pytest.mark.parametrize("layers", ["all", "top", "average", 0])
def test_all_selections(model: elmo.Embedder, layers, pool, monkeypatch: pytest.MonkeyPatch) -> None:
    expected = model.embed(TEXT, layers, pool)
    engine = CUDAEngine(model.bilm, torch.float32, ((8, 2), (16, 2)))
    monkeypatch.setattr(module, "engine_for", lambda bilm, precision: engine)
    found = elmo.Embedder(model.bilm).embed(TEXT, layers, pool, batch_tokens=3)  # several runs of several batches
    for ours, theirs in zip(found, expected, strict=True):
        assert ours.tokens == theirs.tokens
        np.testing.assert_allclose(ours.layers, theirs.layers, atol=2e-5, rtol=1e-4)
        assert ours.layers.dtype == np.float32
        base = ours.layers.base  # nothing holds the whole run in memory
        assert base is None or base.untyped_storage().nbytes() == ours.layers.nbytes


def test_nothing(model: elmo.Embedder, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "engine_for", lambda bilm, precision: CUDAEngine(bilm))
    assert elmo.Embedder(model.bilm).embed([]) == []


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
    with pytest.raises(ValueError, match="int8 is available on the CPU only"):
        elmo.load(device="cuda", precision="int8").embed(TEXT)
