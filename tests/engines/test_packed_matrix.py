import pytest
import torch

from elmo.engines import packed_matrix
from elmo.engines.packed_matrix import packed

LARGEST_ERROR = {"float32": 1e-6, "bf16": 2e-2, "int8": 2e-2}
"""Of a product of 64 numbers around 1 with weights around 1/8."""


@pytest.fixture(params=[True, False], ids=["oneDNN", "plain"])
def _library(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    if not request.param:
        monkeypatch.setattr(packed_matrix, "_has_onednn", lambda: False)
    elif not packed_matrix._has_onednn():
        pytest.skip("this torch has no oneDNN")


def drawn(*shape: int) -> torch.Tensor:
    return torch.randn(*shape, generator=torch.Generator().manual_seed(sum(shape)))


@pytest.mark.usefixtures("_library")
@pytest.mark.parametrize("precision", ["float32", "bf16", "int8"])
class TestProducts:
    @pytest.mark.parametrize("with_bias", [False, True])
    def test_equal_to_plain_ones(self, precision, with_bias: bool) -> None:
        weight, x = drawn(64, 96) / 8, drawn(33, 64)
        bias = drawn(96) if with_bias else None
        matrix = packed(weight, bias, precision)
        product = matrix.times(matrix.rows(x)).float()
        expected = x @ weight if bias is None else x @ weight + bias
        assert (product - expected).abs().max() <= LARGEST_ERROR[precision] * expected.abs().max()

    def test_a_row_does_not_depend_on_others(self, precision) -> None:
        matrix = packed(drawn(4096, 48) / 64, drawn(48), precision)
        x = drawn(40, 4096)
        together = matrix.times(matrix.rows(x))
        large = torch.cat([x, 1000 * x])
        for count in (1, 2, 5, 33):
            torch.testing.assert_close(matrix.times(matrix.rows(x[:count])), together[:count], atol=1e-6, rtol=1e-5)
        torch.testing.assert_close(matrix.times(matrix.rows(large))[:40], together, atol=1e-6, rtol=1e-5)

    @pytest.mark.parametrize("count", [1, 2, 33])
    def test_something_is_added(self, precision, count: int) -> None:
        weight, x, plus = drawn(64, 96) / 8, drawn(count, 64), drawn(count + 1, 96)[1:]
        matrix = packed(weight, drawn(96), precision)
        given = plus if precision == "float32" else plus.bfloat16()  # as the products with the inputs are
        total = matrix.times(matrix.rows(x), given).float()
        expected = x @ weight + drawn(96) + plus
        assert (total - expected).abs().max() <= LARGEST_ERROR[precision] * expected.abs().max()

    def test_zeros(self, precision) -> None:
        matrix = packed(torch.zeros(8, 4), torch.arange(4.0), precision)
        assert matrix.times(matrix.rows(torch.zeros(3, 8))).tolist() == [[0, 1, 2, 3]] * 3
