"""The engine for GPUs against its readable twin; its arithmetic runs on a CPU, too."""

import numpy as np
import pytest
import torch

import elmo
from elmo.config import CharCNNConfig, LSTMConfig
from elmo.engines.cuda import CUDAEngine
from elmo.engines.reference import ReferenceEngine
from elmo.model.batches import collate, in_rows

WORDS = ["the", "play", "was", "sold", "out", ".", "x" * 60, "é", "They"]
SHAPES = ((8, 2), (8, 4), (16, 3))


def tiny(projection: int | None = 4, residual: bool = True, n_layers: int = 2) -> elmo.BiLM:
    """Weights so large that some clips bind."""
    torch.manual_seed(0)
    cnn = CharCNNConfig(3, ((1, 4), (3, 6)), projection_dim=projection or 5, max_characters=12)
    bilm = elmo.BiLM(elmo.BiLMConfig(cnn, LSTMConfig(5, projection, n_layers, 1.0, 0.5, residual)))
    with torch.no_grad():
        for parameter in bilm.lstm.parameters():
            parameter.copy_(torch.randn(parameter.shape) * 1.5)
    return bilm.double().eval()


def sentences(*lengths: int) -> list[list[str]]:
    random = np.random.default_rng(0)
    return [random.choice(WORDS, n).tolist() for n in lengths]


def plain(bilm: elmo.BiLM, text: list[list[str]]) -> torch.Tensor:
    """Sentence by sentence with ``BiLM.forward``."""
    with torch.no_grad():
        layers = [bilm(collate([words], bilm.token_layer.encode).to(bilm.device)).layers[:, 0, 1:-1] for words in text]
    return torch.cat(layers, 1)


@pytest.mark.parametrize("projection", [4, None], ids=["projected", "unprojected"])
@pytest.mark.parametrize("residual", [True, False], ids=["residual", "plain"])
@pytest.mark.parametrize("n_layers", [1, 2, 3])
def test_vectors_are_those_of_the_twin(projection: int | None, residual: bool, n_layers: int) -> None:
    bilm = tiny(projection, residual, n_layers)
    text = sentences(3, 0, 7, 1, 15, 7, 2, 40, 8, 5, 5, 5, 5, 3, 3, 3, 0)  # longer than a row, and none at all
    found = CUDAEngine(bilm, torch.float64, SHAPES)(text).layers
    torch.testing.assert_close(found, plain(bilm, text), atol=1e-9, rtol=1e-9)


@pytest.mark.parametrize("lengths", [(), (0, 0), (1,), (63, 64, 65)], ids=str)
def test_ends(lengths: tuple[int, ...]) -> None:
    bilm, text = tiny(), sentences(*lengths)
    found = CUDAEngine(bilm, torch.float64)(text).layers
    assert found.shape == (3, sum(lengths), 8)
    if sum(lengths):
        torch.testing.assert_close(found, plain(bilm, text), atol=1e-9, rtol=1e-9)


def test_forgetting_words_changes_nothing() -> None:
    engine, again = (CUDAEngine(tiny(), torch.float64, SHAPES, cached_words=count) for count in (12, 1000))
    text = [["one", "two", "three"], ["four", "five", "six"], ["seven", "one", "eight", "nine"]]
    for words in text:
        torch.testing.assert_close(engine([words]).layers, again([words]).layers, atol=0, rtol=0)
    assert len(engine.word_vectors.rows) <= 12
    torch.testing.assert_close(engine(text).layers, plain(engine.bilm, text), atol=1e-9, rtol=1e-9)


def test_half_precision_is_near() -> None:
    bilm = tiny().float()
    text = sentences(3, 7, 5)
    near, exact = CUDAEngine(bilm, torch.bfloat16, SHAPES)(text).layers.float(), plain(bilm, text)
    assert torch.nn.functional.cosine_similarity(near, exact, dim=2).min() > 0.99


def test_rows() -> None:
    lengths = [3, 8, 1, 5, 2, 2, 4, 7]
    rows = in_rows(lengths, 8)
    assert sorted(index for row in rows for index in row) == list(range(8))
    assert all(sum(lengths[index] for index in row) <= 8 for row in rows)
    assert len(rows) == 4
    with pytest.raises(ValueError, match="length 9 does not fit"):
        in_rows([9], 8)


def test_batches_keep_the_order_and_the_budget() -> None:
    engine = CUDAEngine(tiny())
    assert list(engine.batches([3, 4, 9, 2, 2], 8)) == [[0, 1], [2], [3, 4]]
    assert list(engine.batches([], 8)) == []


def test_a_start_state_goes_to_the_reference() -> None:
    bilm = tiny()
    engine, text = CUDAEngine(bilm, torch.float64, SHAPES), sentences(3, 5)
    ours, reference = engine(text, wants_state=True), ReferenceEngine(bilm)(text, wants_state=True)
    torch.testing.assert_close(ours.layers, reference.layers)
    engine.reference.batch_tokens = 6  # one sentence per batch, longest first
    torch.testing.assert_close(engine(text, ours.state).layers, ReferenceEngine(bilm)(text, reference.state).layers)
    again = engine(text, ours.state, wants_state=True)
    torch.testing.assert_close(again.layers, ReferenceEngine(bilm)(text, reference.state).layers)


@pytest.mark.gpu
@pytest.mark.parametrize("dtype", [torch.float32, torch.float16, torch.bfloat16], ids=str)
def test_on_a_gpu(dtype: torch.dtype) -> None:
    bilm = elmo.load("small", device="cuda").bilm.eval()
    text = sentences(*range(80), 300, 1100)
    exact = plain(bilm, text)
    engine = CUDAEngine(bilm, dtype)
    for _ in range(2):  # the second time from the captured graphs
        found = engine(text).layers.float()
        if dtype == torch.float32:
            torch.testing.assert_close(found, exact, atol=1e-4, rtol=1e-4)
        else:
            assert torch.nn.functional.cosine_similarity(found, exact, dim=2).min() > 0.999
