import copy
import pickle
from collections.abc import Iterator

import numpy as np
import pytest

import elmo

TEXT = ["The play was sold out .", "", ["Pre", "-", "tokenised"], "one"]


def test_strings_and_lists_in_the_order_given(model: elmo.Embedder) -> None:
    embedded = model.embed(TEXT)
    assert [s.tokens for s in embedded] == [TEXT[0].split(), [], TEXT[2], ["one"]]
    assert [s.layers.shape for s in embedded] == [(3, n, 16) for n in (6, 0, 3, 1)]


@pytest.mark.parametrize(
    ("layers", "pick"),
    [
        ("top", lambda all_layers: all_layers[-1]),
        ("average", lambda all_layers: all_layers.mean(0)),
        (0, lambda all_layers: all_layers[0]),
        (1, lambda all_layers: all_layers[1]),
        (2, lambda all_layers: all_layers[2]),
    ],
)
def test_layers(model: elmo.Embedder, layers, pick) -> None:
    for chosen, every in zip(model.embed(TEXT, layers=layers), model.embed(TEXT), strict=True):
        np.testing.assert_allclose(chosen.layers, pick(every.layers), atol=1e-6)


@pytest.mark.parametrize("pool", ["mean", "max"])
@pytest.mark.parametrize("layers", ["all", "top"])
def test_pooling_ignores_padding_and_boundaries(model: elmo.Embedder, layers, pool) -> None:
    pooled = model.embed([*TEXT, "word " * 40], layers=layers, pool=pool)
    for one, words in zip(pooled, model.embed(TEXT, layers=layers), strict=False):
        if words.tokens:
            np.testing.assert_allclose(one.layers, getattr(words.layers, pool)(-2), atol=1e-6)
        else:
            assert not one.layers.any()
        assert one.layers.shape == (*words.layers.shape[:-2], 16)


def test_results_are_arrays_of_their_own(model: elmo.Embedder) -> None:
    [first, second] = model.embed(["a b", "c d"])
    assert first.layers.base is None
    assert second.layers.flags.owndata
    first.layers[:] = 0
    assert model.embed(["a b"])[0].layers.any()


def test_raw_text(model: elmo.Embedder) -> None:
    [sentence] = model.embed(["I can't wait."], tokenize="words")
    assert sentence.tokens == ["I", "can", "'t", "wait", "."]


def test_mismatch_reads_what_embed_reads() -> None:
    bundled = elmo.load()
    reasons = {str(bundled.mismatch(text)) for text in (["나는 학교에 갔다."], [["나는", "학교에", "갔다", "."]])}
    assert len(reasons) == 1
    assert "100% of the words are in a script" in reasons.pop()
    assert bundled.mismatch(["I went to school.", ["Yes"]]) is None


def test_a_stream_is_read_as_it_is_used(model: elmo.Embedder) -> None:
    read = 0

    def lines() -> Iterator[str]:
        nonlocal read
        for line in ("a", "b c", "d", "e f g", "h"):
            read += 1
            yield line

    stream = model.embed_stream(lines(), batch_tokens=1)
    assert read == 0
    assert next(stream).tokens == ["a"]
    assert read == 2
    assert [s.tokens[0] for s in stream] == ["b", "d", "e", "h"]


def test_embedding_leaves_the_training_mode_alone(model: elmo.Embedder) -> None:
    model.bilm.train()
    model.embed(["a"])
    assert model.bilm.training
    model.bilm.eval()
    model.embed(["a"])
    assert not model.bilm.training


@pytest.mark.parametrize("precision", ["bf16", "int8"])
@pytest.mark.parametrize("initial_state", ["zero", "warm", "carry"])
def test_fewer_bits_are_close(precision, initial_state) -> None:
    exact, faster = elmo.load("small"), elmo.load("small", precision=precision)
    for one, other in zip(
        faster.embed(TEXT, initial_state=initial_state), exact.embed(TEXT, initial_state=initial_state), strict=True
    ):
        assert not np.array_equal(one.layers, other.layers) or not one.tokens
        cosine = (one.layers * other.layers).sum(-1)
        cosine /= np.linalg.norm(one.layers, axis=-1) * np.linalg.norm(other.layers, axis=-1)
        assert (cosine > 0.999).all()


def test_copies(model: elmo.Embedder) -> None:
    [expected] = model.embed(["the play"])
    for again in (copy.deepcopy(model), pickle.loads(pickle.dumps(model))):
        np.testing.assert_array_equal(again.embed(["the play"])[0].layers, expected.layers)


def test_other_kinds_of_numbers_go_through_the_model_itself(model: elmo.Embedder) -> None:
    exact = elmo.Embedder(copy.deepcopy(model.bilm).double())
    for state in ("zero", "warm", "carry"):
        for one, other in zip(
            exact.embed(TEXT, initial_state=state), model.embed(TEXT, initial_state=state), strict=True
        ):
            np.testing.assert_allclose(one.layers, other.layers, atol=2e-6)


def test_precision_is_for_the_cpu(model: elmo.Embedder) -> None:
    with pytest.raises(ValueError, match="precision must be float32, bf16 or int8, not 'fp4'"):
        elmo.Embedder(model.bilm, precision="fp4")
    elsewhere = elmo.Embedder(copy.deepcopy(model.bilm).to("meta"), precision="int8")
    with pytest.raises(ValueError, match="precision int8 is available on the CPU only, but the model is on meta"):
        elsewhere.embed(["a"])


def test_nothing(model: elmo.Embedder) -> None:
    assert model.embed([]) == []
    embedded, state = model.embed_batch([])
    assert embedded == []
    assert state.h.shape[2] == 0
    assert model.embed_batch([], state)[1] is state


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"layers": 3}, "a number from 0 to 2, not 3"),
        ({"layers": -1}, "not -1"),
        ({"layers": "bottom"}, "layers must be all, top, average"),
        ({"layers": True}, "not True"),
        ({"pool": "min"}, "pool must be mean, max or None"),
        ({"tokenize": "bpe"}, "tokenize must be model, whitespace, words or korean"),
        ({"initial_state": "cold"}, "initial_state must be zero, warm or carry"),
        ({"batch_tokens": 0}, "at least 1"),
        ({"batch_sentences": 0}, "batch_sentences"),
    ],
)
def test_misuse(model: elmo.Embedder, arguments: dict, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        model.embed(["a"], **arguments)


def test_a_single_string_is_refused(model: elmo.Embedder) -> None:
    with pytest.raises(ValueError, match="put a single sentence into a list"):
        model.embed("The play was sold out .")


def test_public_names() -> None:
    assert sorted(dir(elmo)) == sorted(elmo.__all__)
    for name in elmo.__all__:
        assert getattr(elmo, name) is not None
    with pytest.raises(AttributeError, match="nothing"):
        elmo.nothing  # noqa: B018


def test_a_model_says_what_it_is(model: elmo.Embedder) -> None:
    assert repr(elmo.load()) == "Embedder('small', 3 layers, 256 dimensions, cpu, float32)"
    assert repr(elmo.Embedder(model.bilm, precision="bf16")).startswith("Embedder(3 layers, ")
    assert repr(elmo.load().softmax.vocabulary) == "Vocabulary(100,000 words)"
    assert repr(model.embed(["a b"])[0]) == "EmbeddedSentence(['a', 'b'], layers of shape (3, 2, 16))"
