"""The compiled loops beside the same in NumPy and torch."""

import numpy as np
import pytest
import torch

from elmo.config import CharCNNConfig
from elmo.engines import compiled
from elmo.engines.cpu import FilterTables, PackedCharacterEncoder
from elmo.engines.packed_matrix import packed
from elmo.model.token_layers import CharCNN


def drawn(*shape: int) -> np.ndarray:
    return np.random.default_rng(sum(shape)).standard_normal(shape, dtype=np.float32)


def sigmoid(x: np.ndarray) -> np.ndarray:
    return (1 + np.tanh(x / 2)) / 2


def short(x: np.ndarray) -> np.ndarray:
    """The bits of bfloat16 numbers."""
    return torch.from_numpy(x).bfloat16().view(torch.uint16).numpy()


def long(x: np.ndarray) -> np.ndarray:
    return torch.from_numpy(x).view(torch.bfloat16).double().numpy()


def updated(gates: np.ndarray, cells: np.ndarray, clip: float) -> tuple[np.ndarray, np.ndarray]:
    """New cells and half the output, in float64."""
    i, j, f, o = np.split(gates.astype(np.float64), 4, axis=1)
    new = np.clip(sigmoid(f) * cells + sigmoid(i) * np.tanh(j / 2), -clip, clip)
    return new, sigmoid(o) * np.tanh(new) / 2


@pytest.mark.parametrize("size", [0.1, 3, 40, 1e4])
def test_cells_are_exact_for_gates_of_any_size(size: float) -> None:
    gates, cells, hidden = np.float32(size) * drawn(7, 4 * 37), drawn(7, 37), np.empty((7, 37), np.float32)
    expected = updated(gates, cells, 3.0)
    compiled.update_summed_cells(gates, cells, hidden, np.float32(3))
    for found, exact in zip((cells, hidden), expected, strict=True):
        assert np.abs(found - exact).max() < 5e-7


@pytest.mark.parametrize("bits", [16, 32])
def test_scaled_products_and_inputs_are_added(bits: int) -> None:
    products, scales, inputs = (
        100 * drawn(5, 4 * 16),
        np.float32(0.01) * np.arange(1, 6, dtype=np.float32),
        drawn(3, 64),
    )
    index, cells, hidden = np.array([2, 0, 1, 1, 0]), drawn(5, 16), np.empty((5, 16), np.float32)
    given = inputs if bits == 32 else long(short(inputs)).astype(np.float32)
    expected = updated(products * scales[:, None] + given[index], cells, 0.5)
    compiled.update_cells(
        products, scales, inputs if bits == 32 else short(inputs), index, cells, hidden, np.float32(0.5)
    )
    for found, exact in zip((cells, hidden), expected, strict=True):
        assert np.abs(found - exact).max() < 5e-7


def test_bfloat16_is_rounded_as_torch_does() -> None:
    gates, cells = drawn(9, 4 * 16), drawn(9, 16)
    exact, rounded = np.empty((9, 16), np.float32), np.empty((9, 16), np.uint16)
    compiled.update_summed_cells(gates, cells.copy(), exact, np.float32(3))
    compiled.update_summed_cells(gates, cells.copy(), rounded, np.float32(3))
    assert np.array_equal(rounded, short(exact))
    found = np.empty((9, 16), np.float32)
    compiled.finish_step(rounded, found, found.copy(), np.float32(np.inf))
    assert np.array_equal(found, long(rounded))


def test_not_a_number_stays_visible() -> None:
    gates, cells, hidden = drawn(2, 4 * 16), drawn(2, 16), np.empty((2, 16), np.float32)
    gates[0, 3] = np.nan
    cells[1, 5] = np.nan
    compiled.update_summed_cells(gates, cells, hidden, np.float32(3))
    assert np.isnan(hidden).nonzero()[0].tolist() == [0, 1]
    compiled.finish_step(hidden, out := np.empty_like(hidden), np.empty_like(hidden), np.float32(3))
    assert np.isnan(out).sum() == 2


def test_rows_are_quantized_as_in_torch() -> None:
    x = drawn(6, 50)
    x[2] = 0
    x[3] *= 1000
    rows = packed(torch.ones(50, 2), None, "int8").rows(torch.from_numpy(x))
    integers, scales = np.empty((6, 50), np.uint8), np.empty(6, np.float32)
    compiled.quantize_rows(x, integers, scales)
    assert np.array_equal(scales, rows.scale[:, 0])
    assert np.array_equal(integers, rows.values)


@pytest.mark.parametrize("batch", [1, 2, 3, 4, 5, 9])
@pytest.mark.parametrize(("width", "dim"), [(8, 16), (7, 13), (19, 40)])
@pytest.mark.parametrize("spread", [True, False])
def test_a_layer_for_few_rows(batch: int, width: int, dim: int, spread: bool) -> None:
    rows = [1 if spread else batch, *[batch] * 9, max(1, batch - 1), 1]
    starts = np.concatenate([[0], np.cumsum(rows)])
    x, bias = drawn(starts[-1], width), drawn(4 * dim)
    from_input, from_state = drawn(width, 4 * dim) / 4, drawn(width + 1, 4 * dim)[1:] / 4
    scales, projection = np.abs(drawn(4 * dim)), drawn(dim, width) / 4
    h, c = drawn(batch, width), drawn(batch, dim)
    expected_h, expected_c, expected = h.astype(np.float64), c.astype(np.float64), []
    doubled = np.repeat([1, 2, 1, 1], dim)
    for step, n in enumerate(rows):
        gates = expected_h[:n] @ from_state * scales + x[starts[step] : starts[step + 1]] @ from_input + bias
        expected_c[:n], half = updated(gates * doubled, expected_c[:n], 0.9)
        expected_h[:n] = np.clip(2 * half @ projection, -1.1, 1.1)
        expected.append(expected_h[:n].copy())
        if spread and step == 0:
            expected_h[1:], expected_c[1:] = expected_h[0], expected_c[0]
    out = np.empty((starts[-1], width), np.float32)
    clips = np.float32(0.9), np.float32(1.1)
    weights = from_input, bias, from_state, scales, projection
    compiled.read_layer(x, starts, *weights, h, c, out, *clips, spread)
    for found, exact in ((out, np.concatenate(expected)), (h, expected_h), (c, expected_c)):
        assert np.abs(found - exact).max() < 5e-6


@pytest.mark.parametrize("bits", [32, 16, 8])
@pytest.mark.parametrize(("size", "columns"), [(8, 16), (7, 13), (19, 41), (37, 104)])
def test_a_row_has_the_same_bits_among_any_number_of_rows(bits: int, size: int, columns: int) -> None:
    x, weight = drawn(9, size), drawn(size, columns)
    weight = {32: weight, 16: short(weight), 8: (20 * weight).astype(np.int8)}[bits]
    alone = []
    for row in x:
        compiled._multiply(row[None], weight, out := np.ones((4, columns + 3), np.float32), 1, columns)
        alone.append(out[0])
    for rows in range(2, 10):
        out = np.ones((12, columns + 3), np.float32)
        compiled._multiply(x[:rows], weight, out, rows, columns)
        assert np.array_equal(out[:rows], alone[:rows])


WORDS = ["a", "play", "x" * 99, "y" * 48, "z" * 47, "w" * 41, "v" * 9, "", "손을", "👍", "antidisestablishmentarianism"]


@pytest.mark.parametrize("words", [WORDS, WORDS[:2], WORDS[4:6], [WORDS[2]]], ids=["all", "short", "long", "longest"])
@pytest.mark.parametrize("filters", [((1, 8), (2, 8), (3, 16)), ((2, 5), (7, 9)), ((4, 3),)])
def test_filters_from_tables(words: list[str], filters: tuple[tuple[int, int], ...]) -> None:
    torch.manual_seed(0)
    cnn = CharCNN(CharCNNConfig(embedding_dim=4, filters=filters, n_highway=1, projection_dim=8))
    cnn.init_weights()
    product, tables = (PackedCharacterEncoder(cnn, "float32", loops) for loops in (None, compiled))
    assert isinstance(tables.tables, FilterTables)
    with torch.inference_mode():
        ids = cnn.encode(words)
        torch.testing.assert_close(tables.tables(ids), product._filtered(ids), atol=2e-6, rtol=2e-6)
        torch.testing.assert_close(tables(ids), product(ids), atol=2e-6, rtol=2e-6)


def test_filters_in_another_order_are_multiplied() -> None:
    cnn = CharCNN(CharCNNConfig(embedding_dim=4, filters=((3, 8), (1, 8)), n_highway=1, projection_dim=8))
    assert PackedCharacterEncoder(cnn, "float32", compiled).tables is None
