"""Every shape of model against an independent float64 twin that knows no batches, padding or masks."""

import itertools
from pathlib import Path

import numpy as np
import pytest
import torch
from parity.numpy_bilm import Twin, random_model, scalar_mix, write_published

import elmo
from elmo.model.batches import collate

SENTENCES = [
    ["The", "cat", "sat", "on", "the", "mat", "."],
    [],
    ["一", "é" * 30, "", "👩‍👩‍👧", "\x00", "\ud800x", "z" * 1000],
    ["one"],
    ["a", "a", "a", "b", "a", "a"],
]

COMBINATIONS = [
    pytest.param(
        {
            "activation": activation,
            "n_highway": n_highway,
            "n_layers": n_layers,
            "residual": residual,
            "dim": dim,
            "filters": filters,
            "cell_clip": clip,
            "proj_clip": clip,
        },
        id="-".join(
            [
                activation,
                f"highway{n_highway}",
                f"layers{n_layers}",
                "residual" if residual else "plain",
                "projected" if dim != 8 else "unprojected",
                "cnn_projected" if filters[-1][1] != 3 else "cnn_unprojected",
                f"clip{clip}",
            ]
        ),
    )
    for activation, n_highway, n_layers, residual, dim, filters, clip in itertools.product(
        ["relu", "tanh"],
        [None, 0, 2],
        [1, 2, 4],
        [True, False],
        [12, 8],
        [((1, 4), (2, 8), (7, 16)), ((1, 1), (2, 4), (5, 3))],
        [3.0, None],
    )
]


@pytest.mark.parametrize("shape", COMBINATIONS)
def test_all_layers_and_boundaries(shape: dict, tmp_path: Path) -> None:
    options, datasets = random_model(seed=7, projection_dim=8, scale=2.0, **shape)
    write_published(tmp_path, options, datasets)
    bilm = elmo.load(tmp_path).bilm
    expected, expected_state = Twin(options, datasets).run(SENTENCES)
    with torch.no_grad():
        output = bilm(collate(SENTENCES, bilm.token_layer.encode))
    for row, layers in enumerate(expected):
        ours = output.layers[:, row].numpy()
        length = layers.shape[1]
        np.testing.assert_allclose(ours[:, :length], layers, atol=1e-5, rtol=1e-5)
        assert not ours[:, length:].any(), "padding must be zero"
    # (rows, directions, layers, width) in the twin, (layers, directions, rows, width) here
    np.testing.assert_allclose(output.state.h.transpose(0, 2), expected_state.h, atol=1e-5, rtol=1e-5)
    np.testing.assert_allclose(output.state.c.transpose(0, 2), expected_state.c, atol=1e-5, rtol=1e-5)


@pytest.mark.parametrize(
    ("scale", "dtype", "tolerance"),
    [(1.0, torch.float32, 1e-5), (4.0, torch.float64, 1e-6)],
    ids=["small weights", "clips bind"],
)
def test_state_from_batch_to_batch(scale: float, dtype: torch.dtype, tolerance: float, tmp_path: Path) -> None:
    """Batches grow and shrink; rows that are not used keep their state.

    With weights so large that the clips bind, rounding errors grow over the batches; float64 shows that
    nothing but rounding is behind them.
    """
    options, datasets = random_model(seed=3, scale=scale)
    write_published(tmp_path, options, datasets)
    model, twin = elmo.load(tmp_path), Twin(options, datasets)
    model.bilm.to(dtype)
    state = twin_state = None
    for batch in (SENTENCES[:2], SENTENCES[:5], SENTENCES[3:4], SENTENCES[1:4]):
        embedded, state = model.embed_batch(batch, state)
        expected, twin_state = twin.run(batch, twin_state)
        for sentence, layers in zip(embedded, expected, strict=True):
            np.testing.assert_allclose(sentence.layers, layers[:, 1:-1], atol=tolerance, rtol=tolerance)
    np.testing.assert_allclose(state.c.transpose(0, 2), twin_state.c, atol=tolerance, rtol=tolerance)


def test_clips_of_this_test_bind() -> None:
    """A twin without its clips is far away, so the test above sees them."""
    options, datasets = random_model(seed=3, scale=4.0)
    expected, _ = Twin(options, datasets).run(SENTENCES)
    for clip in ("cell_clip", "proj_clip"):
        loose = {**options, "lstm": {**options["lstm"], clip: None}}
        unclipped, _ = Twin(loose, datasets).run(SENTENCES)
        difference = max(np.abs(a - b).max() for a, b in zip(unclipped, expected, strict=True))
        assert difference > 1e-3, clip


def test_word_table(tmp_path: Path) -> None:
    words = ["<S>", "</S>", "<UNK>", "the", "cat"]
    options, datasets = random_model(seed=5, token_vocabulary=len(words))
    write_published(tmp_path, options, datasets)
    (tmp_path / "vocab.txt").write_text("\n".join(words) + "\n")
    expected, _ = Twin(options, datasets, begin_id=0, end_id=1).run([[3, 4, 2], []])
    for sentence, layers in zip(elmo.load(tmp_path).embed(["the cat sat", ""]), expected, strict=True):
        np.testing.assert_allclose(sentence.layers, layers[:, 1:-1], atol=1e-5, rtol=1e-5)


def test_word_vectors_computed_beforehand(tmp_path: Path) -> None:
    """A table of the character CNN's own vectors gives the same layers as the CNN."""
    words = ["<S>", "</S>", "<UNK>", "the", "cat"]
    options, datasets = random_model(seed=5)
    write_published(tmp_path / "model", options, datasets)
    vectors = Twin(options, datasets).token_vectors(words)
    write_published(tmp_path / "cache", {}, {"embedding": vectors.astype("<f4")})
    (tmp_path / "words.txt").write_text("\n".join(words) + "\n")
    published = {"options": tmp_path / "model/options.json", "weights": tmp_path / "model/weights.hdf5"}
    cached = elmo.load(**published, embedding=tmp_path / "cache/weights.hdf5", vocabulary=tmp_path / "words.txt")
    [ours], [direct] = cached.embed(["the cat"]), elmo.load(**published).embed(["the cat"])
    np.testing.assert_allclose(ours.layers, direct.layers, atol=1e-6)


def test_mix(tmp_path: Path) -> None:
    options, datasets = random_model(seed=2)
    write_published(tmp_path, options, datasets)
    expected, _ = Twin(options, datasets).run(SENTENCES)
    mixed = elmo.ELMo(elmo.load(tmp_path).bilm, keep_boundaries=True).eval()
    weights, gamma = [0.2, 0.4, -0.6], 0.88
    with torch.no_grad():
        mixed.mixes[0].weights.copy_(torch.tensor(weights))
        mixed.mixes[0].gamma.fill_(gamma)
        [ours] = mixed(SENTENCES).representations
    for row, layers in enumerate(expected):
        np.testing.assert_allclose(
            ours[row, : layers.shape[1]], scalar_mix(layers, weights, gamma), atol=1e-5, rtol=1e-5
        )
