"""The same sentence gives the same vectors, whatever stands beside it, came before it, or in which order."""

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

import elmo
from elmo.config import CharCNNConfig, LSTMConfig

WORDS = ["the", "play", "was", "sold", "out", ".", "손을", "씻고", "👍", "שלום", "x" * 99, ""]
SENTENCE = st.lists(st.sampled_from(WORDS), max_size=12)


@settings(max_examples=60, deadline=None)
@given(
    sentences=st.lists(SENTENCE, min_size=1, max_size=12),
    order=st.randoms(use_true_random=False),
    budget=st.integers(1, 200),
)
def test_neighbours_and_order(model: elmo.Embedder, sentences: list, order, budget: int) -> None:
    alone = [model.embed([sentence])[0].layers for sentence in sentences]
    places = list(range(len(sentences)))
    order.shuffle(places)
    together = model.embed([sentences[i] for i in places], batch_tokens=budget)
    for place, sentence in zip(places, together, strict=True):
        assert sentence.tokens == sentences[place]
        np.testing.assert_allclose(sentence.layers, alone[place], atol=2e-6, rtol=1e-6)


@settings(max_examples=30, deadline=None)
@given(earlier=st.lists(SENTENCE, max_size=5))
def test_earlier_calls(model: elmo.Embedder, earlier: list) -> None:
    [before] = model.embed(["the play was sold out ."])
    model.embed(earlier, initial_state="carry")
    model.embed_batch(earlier)
    [after] = model.embed(["the play was sold out ."])
    assert np.array_equal(before.layers, after.layers)


def test_full_size() -> None:
    """The published shape of 93.6 million parameters, freshly drawn."""
    torch.manual_seed(0)
    config = elmo.BiLMConfig(CharCNNConfig(n_highway=2, projection_dim=512), LSTMConfig(4096, 512))
    model = elmo.Embedder(elmo.BiLM(config).eval())
    sentences = [
        "The play was sold out .",
        "Play !",
        "",
        "They play in the second half of the season , too .",
    ]
    together = model.embed(sentences)
    for text, sentence in zip(sentences, together, strict=True):
        assert sentence.layers.shape == (3, len(text.split()), 1024)
        [alone] = model.embed([text])
        np.testing.assert_allclose(sentence.layers, alone.layers, atol=1e-5, rtol=0)


def test_warm_state_is_fixed_and_differs_from_zero(model: elmo.Embedder) -> None:
    zero, warm, again = (
        model.embed(["the play", "was sold out"], initial_state=state) for state in ("zero", "warm", "warm")
    )
    for a, b in zip(warm, again, strict=True):
        assert np.array_equal(a.layers, b.layers)
    assert np.abs(zero[0].layers[-1] - warm[0].layers[-1]).max() > 1e-3
    np.testing.assert_allclose(zero[0].layers[0], warm[0].layers[0], atol=1e-6)
    [alone] = model.embed(["was sold out"], initial_state="warm")
    np.testing.assert_allclose(warm[1].layers, alone.layers, atol=2e-6)


def test_warm_state_is_that_after_the_warm_up_text(model: elmo.Embedder) -> None:
    state = None
    for sentence in model.warm_up:
        _, state = model.embed_batch([sentence], state)
    [[expected], _], [warm] = (
        model.embed_batch(["the play"], state),
        model.embed(["the play"], initial_state="warm"),
    )
    np.testing.assert_allclose(warm.layers, expected.layers, atol=1e-6)
    cold = elmo.Embedder(model.bilm, warm_up=())
    [zero], [none] = model.embed(["the play"]), cold.embed(["the play"], initial_state="warm")
    assert np.array_equal(zero.layers, none.layers)


def test_carry_is_the_old_behaviour(model: elmo.Embedder) -> None:
    sentences = ["the play", "was sold out", "the play", "was"]
    carried = model.embed(sentences, initial_state="carry", batch_sentences=2)
    _, state = model.embed_batch(sentences[:2])
    expected, _ = model.embed_batch(sentences[2:], state)
    assert np.array_equal(carried[2].layers, expected[0].layers)
    assert np.array_equal(carried[3].layers, expected[1].layers)
    assert not np.allclose(carried[0].layers, carried[2].layers)


@pytest.mark.parametrize(
    ("sentence", "words"),
    [
        pytest.param("", 0, id="empty"),
        pytest.param("   \t ", 0, id="white space"),
        pytest.param("one", 1, id="one word"),
        pytest.param("word " * 10_000, 10_000, id="10,000 words"),
        pytest.param("x" * 1_000_000, 1, id="1 MB word"),
        pytest.param(["\ud800", "a\udfffb"], 2, id="lone surrogates"),
        pytest.param(["\x00", "a\x00b"], 2, id="NUL"),
        pytest.param("👩‍👩‍👧 👍🏽 🇰🇷", 3, id="emoji"),
        pytest.param("손을 씻고 손이 크니", 4, id="Korean"),
        pytest.param("مرحبا بالعالم שלום", 3, id="right to left"),
        pytest.param(["", " ", "\n"], 3, id="words of nothing"),
    ],
)
def test_unusual_sentences(model: elmo.Embedder, sentence: str | list[str], words: int) -> None:
    [alone] = model.embed([sentence])
    assert alone.layers.shape == (3, words, model.bilm.config.output_dim)
    assert alone.layers.dtype == np.float32
    assert np.isfinite(alone.layers).all()
    _, beside, _ = model.embed(["the play", sentence, "was sold out ."])
    np.testing.assert_allclose(beside.layers, alone.layers, atol=2e-6, rtol=1e-6)
