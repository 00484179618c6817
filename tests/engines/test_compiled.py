"""The compiled loops beside the same in torch."""

import hashlib
from itertools import accumulate
from pathlib import Path

import numpy as np
import pytest
import torch
from torch import Tensor

from elmo.config import CharCNNConfig
from elmo.engines import compiled
from elmo.engines.packed_characters import FilterTables, PackedCharacterEncoder
from elmo.engines.packed_matrix import packed
from elmo.model.token_layers import CharCNN


def drawn(*shape: int) -> Tensor:
    return torch.from_numpy(np.random.default_rng(sum(shape)).standard_normal(shape, dtype=np.float32))


def updated(gates: Tensor, cells: Tensor, clip: float) -> tuple[Tensor, Tensor]:
    """New cells and half the output, in float64."""
    i, j, f, o = gates.double().chunk(4, 1)
    new = (f.sigmoid() * cells + i.sigmoid() * torch.tanh(j / 2)).clamp(-clip, clip)
    return new, o.sigmoid() * new.tanh() / 2


def update_cells(gates: Tensor, cells: Tensor, hidden: Tensor, clip: float) -> None:
    """The compiled loop, from complete gates."""
    index = torch.zeros(len(gates), dtype=torch.long)
    compiled.update_cells(gates, torch.ones(len(gates)), torch.zeros_like(gates[:1]), index, cells, hidden, clip)


def test_the_loops_were_translated() -> None:
    """After changing them, run dev/translate_loops.py."""
    folder = Path(compiled.__file__).parent
    result = (folder / "loops.ll").read_text(encoding="utf-8")
    for name in ("loop_parts.py", "loops.py", "training_loops.py"):
        assert f"{name}: {hashlib.sha256((folder / name).read_bytes()).hexdigest()}" in result
    assert f"\nAPART = {compiled.APART}\n" in (folder / "loops.py").read_text(encoding="utf-8")


@pytest.mark.parametrize("size", [0.1, 3, 40, 1e4])
def test_cells_are_exact_for_gates_of_any_size(size: float) -> None:
    gates, cells, hidden = size * drawn(7, 4 * 37), drawn(7, 37), torch.empty(7, 37)
    expected = updated(gates, cells, 3.0)
    update_cells(gates, cells, hidden, 3.0)
    for found, exact in zip((cells, hidden), expected, strict=True):
        assert (found - exact).abs().max() < 5e-7


@pytest.mark.parametrize(
    ("dtype", "products"),
    [
        pytest.param(torch.float32, torch.float32, id="float32"),
        pytest.param(torch.bfloat16, torch.bfloat16, id="bf16"),
        pytest.param(torch.bfloat16, torch.float32, id="int8"),
    ],
)
def test_scaled_products_and_inputs_are_added(dtype: torch.dtype, products: torch.dtype) -> None:
    given = (100 * drawn(5, 4 * 16)).to(products)
    scales, inputs = 0.01 * torch.arange(1.0, 6.0), drawn(3, 64).to(dtype)
    index, cells, hidden = torch.tensor([2, 0, 1, 1, 0]), drawn(5, 16), torch.empty(5, 16, dtype=dtype)
    new, half = updated(given.float() * scales[:, None] + inputs[index].float(), cells, 0.5)
    compiled.update_cells(given, scales, inputs, index, cells, hidden, 0.5)
    assert (cells - new).abs().max() < 5e-7
    assert (hidden - half).abs().max() < (5e-7 if dtype == torch.float32 else 1e-3)


def test_bfloat16_is_rounded_as_torch_does() -> None:
    gates, cells = drawn(9, 4 * 16).bfloat16(), drawn(9, 16)
    exact, rounded = torch.empty(9, 16), torch.empty(9, 16, dtype=torch.bfloat16)
    update_cells(gates.float(), cells.clone(), exact, 3.0)
    update_cells(gates, cells.clone(), rounded, 3.0)
    assert torch.equal(rounded, exact.bfloat16())
    found = torch.empty(9, 16)
    compiled.finish_step(rounded, found, found.clone(), torch.inf)
    assert torch.equal(found, rounded.float())


def test_not_a_number_stays_visible() -> None:
    gates, cells, hidden = drawn(2, 4 * 16), drawn(2, 16), torch.empty(2, 16)
    gates[0, 3] = torch.nan
    cells[1, 5] = torch.nan
    update_cells(gates, cells, hidden, 3.0)
    assert hidden.isnan().nonzero()[:, 0].tolist() == [0, 1]
    compiled.finish_step(hidden, out := torch.empty(2, 16), torch.empty(2, 16), 3.0)
    assert out.isnan().sum() == 2


def test_rows_are_quantized_as_in_torch() -> None:
    x = drawn(6, 50)
    x[2] = 0
    x[3] *= 1000
    rows = packed(torch.ones(50, 2), None, "int8").rows(x)
    integers, scales = torch.empty(6, 50, dtype=torch.uint8), torch.empty(6)
    compiled.quantize_rows(x, integers, scales)
    assert torch.equal(scales, rows.scale[:, 0])
    assert torch.equal(integers, rows.values)


def test_gaps_between_rows_are_noticed() -> None:
    with pytest.raises(AssertionError):
        update_cells(drawn(2, 99)[:, :64], drawn(2, 16), torch.empty(2, 16), 3.0)


@pytest.mark.parametrize("batch", [1, 2, 3, 4, 5, 9, 70])
@pytest.mark.parametrize(("width", "dim"), [(8, 16), (7, 13), (19, 40)])
@pytest.mark.parametrize("spread", [True, False])
def test_a_layer_for_few_rows(batch: int, width: int, dim: int, spread: bool) -> None:
    rows = [1 if spread else batch, *[batch] * 9, max(1, batch - 1), 1]
    starts = [0, *accumulate(rows)]
    x, bias = drawn(starts[-1], width), drawn(4 * dim)
    from_input, from_state = drawn(width, 4 * dim) / 4, drawn(width + 1, 4 * dim)[1:] / 4
    scales, projection = drawn(4 * dim).abs(), drawn(dim, width) / 4
    h, c = drawn(batch, width), drawn(batch, dim)
    expected_h, expected_c, expected = h.double(), c.double(), []
    doubled = torch.tensor([1, 2, 1, 1]).repeat_interleave(dim)
    for step, n in enumerate(rows):
        given = x[starts[step] : starts[step + 1]].double() @ from_input.double() + bias
        gates = expected_h[:n] @ from_state.double() * scales + given
        expected_c[:n], half = updated(gates * doubled, expected_c[:n], 0.9)
        expected_h[:n] = (2 * half @ projection.double()).clamp(-1.1, 1.1)
        expected.append(expected_h[:n].clone())
        if spread and step == 0:
            expected_h[1:], expected_c[1:] = expected_h[0], expected_c[0]
    out = torch.empty(starts[-1], width)
    weights = from_input, bias, from_state, scales, projection, None
    compiled.read_layer(x, torch.tensor(starts), *weights, h, c, out, 0.9, 1.1, spread)
    for found, exact in ((out, torch.cat(expected)), (h, expected_h), (c, expected_c)):
        assert (found - exact).abs().max() < 5e-6


@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16, torch.int8])
@pytest.mark.parametrize(("size", "columns"), [(8, 16), (7, 13), (19, 41), (37, 104)])
def test_a_row_has_the_same_bits_among_any_number_of_rows(dtype: torch.dtype, size: int, columns: int) -> None:
    x, weight = drawn(9, size), (20 * drawn(size, columns)).to(dtype)
    alone = []
    for row in x:
        compiled.multiply(row[None], weight, out := torch.ones(4, columns + 3), columns)
        alone.append(out[0])
    torch.testing.assert_close(torch.stack(alone)[:, :columns], 1 + x @ weight.float(), atol=2e-4, rtol=1e-5)
    for rows in range(2, 10):
        compiled.multiply(x[:rows], weight, out := torch.ones(12, columns + 3), columns)
        assert torch.equal(out[:rows], torch.stack(alone[:rows]))


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
