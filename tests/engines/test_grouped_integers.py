"""Weights as integers and scales: found from the weights alone, and with the same results to the last bit."""

from itertools import accumulate
from pathlib import Path

import numpy as np
import pytest
import torch
from torch import Tensor

import elmo
from elmo.config import BiLMConfig, CharCNNConfig, LSTMConfig
from elmo.engines import compiled, few_sentences
from elmo.engines.cpu import CPUEngine, CPUTuning
from elmo.engines.current import CurrentEngine
from elmo.engines.grouped_integers import GROUP, WEIGHTS_AT_A_TIME, GroupedIntegers, grouped_integers
from elmo.weights import compact

CNN = CharCNNConfig(embedding_dim=4, filters=((1, 8), (2, 8), (3, 16)), n_highway=1, projection_dim=64)
SENTENCES = [["the", "play", "was", "out"], [], ["one"], ["손을", "👍"] * 20, ["the"] * 7]


def stored(weight: Tensor, steps: int = 80) -> Tensor:
    """Weights as they are after storing and loading."""
    small, metadata = compact.compacted({"weight": weight}, steps)
    return compact.expand(small, compact.compact_shapes(metadata))["weight"]


def drawn(*shape: int) -> Tensor:
    return 0.1 * torch.from_numpy(np.random.default_rng(sum(shape)).standard_normal(shape, dtype=np.float32))


def weights_of(matrix: GroupedIntegers) -> np.ndarray:
    """The slow twin of what the compiled loop reads."""
    lower = (matrix.pairs << np.uint32(16)).view(np.float32)
    upper = (matrix.pairs & np.uint32(0xFFFF0000)).view(np.float32)
    weights = np.concatenate([lower, upper], -1) * matrix.scales[..., None]  # (G, K, 64)
    return weights.transpose(1, 0, 2).reshape(weights.shape[1], -1)


def assert_found(weight: Tensor) -> None:
    found = grouped_integers(weight.numpy())
    assert found is not None
    np.testing.assert_array_equal(weights_of(found), weight.numpy())


class TestFinding:
    @pytest.mark.parametrize("steps", [1, 48, 80, 127])
    @pytest.mark.parametrize("shape", [(64, 64), (4, 1024), (36, 320), (WEIGHTS_AT_A_TIME // 64 + 4, 128)])
    def test_weights_of_stored_models(self, steps: int, shape: tuple[int, int]) -> None:
        assert_found(stored(drawn(*shape), steps))

    def test_any_integers_in_any_order(self) -> None:
        integers = np.random.default_rng(0).integers(-127, 128, (256, 192)).astype(np.float32)
        integers[:8] = 0
        integers[8:16] *= 0.25
        integers[16:24] = np.rint(integers[16:24] / 3) * 3  # without a 1
        integers[24:32] = np.where(integers[24:32] > 0, 127, 126)
        scales = np.random.default_rng(1).random((256, 3, 1)).astype(np.float16).astype(np.float32)
        rounded = np.rint(integers).reshape(256, 3, 64) * scales
        assert_found(torch.from_numpy(rounded.reshape(256, 192)))

    @pytest.mark.parametrize("value", ["next", "nan", "inf"])
    @pytest.mark.parametrize("row", [0, 17, 63])
    def test_one_weight_between_the_steps(self, value: str, row: int) -> None:
        weight = stored(drawn(64, 128)).numpy()
        weight[row, 70] = weight[row, 64:].max()  # not the one that tells the scale
        weight[row, 71] = np.nextafter(weight[row, 70], np.float32(0)) if value == "next" else float(value)
        assert grouped_integers(weight) is None

    def test_trained_weights_have_none(self) -> None:
        assert grouped_integers(drawn(64, 128).numpy()) is None
        assert grouped_integers(stored(drawn(64, 128), 127).numpy() * np.float32(0.999)) is None

    def test_larger_integers(self) -> None:
        weight = np.arange(-128, 128, dtype=np.float32).reshape(4, 64)
        assert grouped_integers(weight) is None  # -128
        weight[0, 0] = -127
        assert_found(torch.from_numpy(weight))

    @pytest.mark.parametrize("shape", [(64, 100), (64, 32), (66, 64), (7, 128)])
    def test_other_shapes(self, shape: tuple[int, int]) -> None:
        assert grouped_integers(np.ones(shape, np.float32)) is None

    def test_the_numbers_agree(self) -> None:
        assert GROUP == compact.GROUP
        loops = Path(compiled.__file__).with_name("loops.py").read_text(encoding="utf-8")
        assert f"\nHALF = {GROUP // 2}\n" in loops


@pytest.mark.parametrize("batch", [1, 2, 5])
@pytest.mark.parametrize(("width", "dim"), [(64, 64), (64, 80), (192, 48)])
def test_a_layer_has_the_same_bits(batch: int, width: int, dim: int) -> None:
    rows = [1, *[batch] * 5, max(1, batch - 1), 1]
    starts = [0, *accumulate(rows)]
    state, projection = stored(drawn(width, 4 * dim)), stored(drawn(dim, width))
    weights = drawn(width, 4 * dim), drawn(4 * dim), state, torch.ones(4 * dim), projection
    integers = [grouped_integers(matrix.numpy()) for matrix in (state, projection)]
    assert None not in integers
    results = []
    for more in (None, tuple(torch.from_numpy(part) for matrix in integers for part in matrix)):
        h, c, out = drawn(batch, width), drawn(batch, dim), torch.empty(starts[-1], width)
        compiled.read_layer(drawn(starts[-1], width), torch.tensor(starts), *weights, more, h, c, out, 3.0, 3.0, True)
        results.append((h, c, out))
    for one, other in zip(*results, strict=True):
        assert torch.equal(one, other)


def made(lstm: LSTMConfig) -> elmo.BiLM:
    torch.manual_seed(0)
    bilm = elmo.BiLM(BiLMConfig(CNN, lstm)).eval()
    with torch.no_grad():
        for layer in bilm.lstm.layers:
            layer.weight.copy_(stored(layer.weight + 0.05 * torch.randn_like(layer.weight)))
            layer.projection.copy_(stored(layer.projection + 0.05 * torch.randn_like(layer.projection)))
    return bilm


def are_integers(engine: CPUEngine) -> list[bool]:
    """Whether the integers of each layer of each direction were found."""
    return [layer.integers is not None for layers in engine.few.weights for layer in layers]


class TestEngine:
    @pytest.mark.parametrize("lstm", [LSTMConfig(128, 64), LSTMConfig(80, 64, n_layers=3, projection_clip=0.1)])
    @pytest.mark.parametrize("threads", [1, 2])
    def test_the_bits_of_float32(self, lstm: LSTMConfig, threads: int, monkeypatch: pytest.MonkeyPatch) -> None:
        bilm, tuning = made(lstm), CPUTuning(few_products=2**40)
        before = torch.get_num_threads()
        try:
            torch.set_num_threads(threads)
            engine = CPUEngine(bilm, tuning=tuning)
            found = [engine([sentence]).layers for sentence in SENTENCES]
            together = engine(SENTENCES).layers
            assert are_integers(engine) == [True] * 2 * bilm.config.lstm.n_layers
            monkeypatch.setattr(few_sentences, "grouped_integers", lambda weight: None)
            twin = CPUEngine(bilm, tuning=tuning)
            expected = [twin([sentence]).layers for sentence in SENTENCES]
            assert not any(are_integers(twin))
        finally:
            torch.set_num_threads(before)
        for one, other in zip(found, expected, strict=True):
            assert torch.equal(one, other)
        assert torch.equal(together, torch.cat(expected, 1))

    @pytest.mark.parametrize("precision", ["bf16", "int8"])
    def test_other_precisions_need_none(self, precision) -> None:
        engine = CPUEngine(made(LSTMConfig(128, 64)), precision)
        engine(SENTENCES[:1])
        assert not any(are_integers(engine))

    def test_a_changed_weight(self) -> None:
        bilm = made(LSTMConfig(128, 64))
        current = CurrentEngine(bilm)
        before = current.get()(SENTENCES[:1]).layers
        layer = bilm.lstm.layers[0]
        layer.weight.data[0, 100, 5] += 0.3  # not an integer any more
        after = current.get()(SENTENCES[:1]).layers
        assert are_integers(current.get()) == [False, True, True, True]
        assert not torch.equal(after, before)
        assert torch.equal(after, CPUEngine(bilm)(SENTENCES[:1]).layers)
        layer.weight.data.copy_(stored(layer.weight.data))  # integers again, but others
        again = current.get()(SENTENCES[:1]).layers
        assert all(are_integers(current.get()))
        assert not torch.equal(again, after)
        assert torch.equal(again, CPUEngine(bilm)(SENTENCES[:1]).layers)

    def test_the_bundled_model(self, monkeypatch: pytest.MonkeyPatch) -> None:
        bilm = elmo.load("small").bilm
        engine = CPUEngine(bilm)
        found = engine(SENTENCES[:1]).layers
        assert are_integers(engine) == [True] * 2 * bilm.config.lstm.n_layers
        monkeypatch.setattr(few_sentences, "grouped_integers", lambda weight: None)
        assert torch.equal(found, CPUEngine(bilm)(SENTENCES[:1]).layers)
