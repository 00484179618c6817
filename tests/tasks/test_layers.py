"""Layers that several task models share."""

import pytest
import torch
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence

from elmo.engines.devices import multiplies_bfloat16
from elmo.tasks.layers import (
    Encoder,
    FeedForward,
    VariationalDropout,
    masked_max,
    masked_mean,
    masked_softmax,
    padded_rnn,
)


@pytest.mark.parametrize("kind", ["lstm", "gru"])
def test_padding_does_not_matter(kind: str) -> None:
    torch.manual_seed(0)
    encoder = Encoder(4, 3, 2, kind=kind)  # type: ignore[arg-type]
    x = torch.randn(2, 5, 4)
    together = encoder(x, [5, 2])
    torch.testing.assert_close(encoder(x[1:, :2], [2]), together[1:, :2])
    assert not together[1, 2:].any()


@pytest.mark.parametrize("lengths", [[2, 6, 1], [6], [1, 1], [2] * 7 + [40]], ids=["mixed", "one", "short", "long"])
@pytest.mark.parametrize("dtype", [torch.float32, torch.float64], ids=["float32", "float64"])
@pytest.mark.parametrize("kind", ["lstm", "gru"])
def test_the_padded_layer_has_the_outputs_and_gradients_of_the_packed_one(
    kind: str, dtype: torch.dtype, lengths: list[int]
) -> None:
    torch.manual_seed(0)
    layer = Encoder(4, 3, kind=kind).double().layers[0]  # type: ignore[arg-type]
    for parameter in layer.parameters():
        torch.nn.init.normal_(parameter)
    values, d_outputs = (torch.randn(len(lengths), max(lengths), size).double() for size in (4, 6))

    def packed(layer: torch.nn.Module, x: torch.Tensor, lengths: torch.Tensor) -> torch.Tensor:
        sequences = pack_padded_sequence(x, lengths, batch_first=True, enforce_sorted=False)
        return pad_packed_sequence(layer(sequences)[0], batch_first=True)[0]

    results = []
    layer.eval()  # in training, products may be in bfloat16
    for compute, one in ((packed, torch.float64), (padded_rnn, dtype)):
        layer.to(one).zero_grad()
        x = values.to(one, copy=True).requires_grad_()
        outputs = compute(layer, x, torch.tensor(lengths))
        outputs.backward(d_outputs.to(one))
        results.append([outputs, x.grad, *(parameter.grad.clone() for parameter in layer.parameters())])
    for ours, expected in zip(results[1], results[0], strict=True):
        tolerance = 1e-4 if dtype == torch.float32 else 1e-7
        torch.testing.assert_close(ours, expected.to(dtype), atol=tolerance, rtol=tolerance)


@pytest.mark.skipif(not multiplies_bfloat16(torch.device("cpu")), reason="the CPU has no instructions for bfloat16")
@pytest.mark.parametrize("length", [1, 10, 200])
def test_training_in_bfloat16_changes_outputs_and_gradients_by_less_than_1_percent(length: int) -> None:
    torch.manual_seed(0)
    layer = Encoder(60, 50).layers[0]
    lengths = torch.randint(1, length + 1, (8,))
    values, d_outputs = torch.randn(8, length, 60), torch.randn(8, length, 100)
    results = []
    for training in (False, True):
        layer.train(training).zero_grad()
        x = values.clone().requires_grad_()
        outputs = padded_rnn(layer, x, lengths)
        outputs.backward(d_outputs)
        results.append([outputs, x.grad, *(parameter.grad.clone() for parameter in layer.parameters())])
    for short, exact in zip(results[1], results[0], strict=True):
        assert short.dtype == torch.float32
        assert (short - exact).norm() <= 0.01 * exact.norm()
    assert not torch.equal(results[0][0], results[1][0])


def test_variational_dropout_is_the_same_at_every_position() -> None:
    torch.manual_seed(0)
    dropout = VariationalDropout(0.5)
    x = dropout(torch.ones(2, 7, 50))
    assert torch.equal(x, x[:, :1].expand_as(x))
    assert 0 < (x == 0).float().mean() < 1
    assert torch.equal(dropout.eval()(x), x)


def test_masks() -> None:
    x = torch.tensor([[[1.0], [5.0], [9.0]], [[2.0], [3.0], [4.0]]])
    mask = torch.tensor([[True, True, False], [True, True, True]])
    assert masked_max(x, mask).tolist() == [[5.0], [4.0]]
    assert masked_mean(x, mask).tolist() == [[3.0], [3.0]]
    weights = masked_softmax(x[..., 0], mask)
    assert weights[0, 2] == 0
    assert weights.sum(1).tolist() == pytest.approx([1, 1])
    assert not masked_softmax(torch.ones(1, 2), torch.zeros(1, 2, dtype=torch.bool)).any()


def test_feed_forward() -> None:
    assert FeedForward((4, 8, 2))(torch.zeros(3, 4)).shape == (3, 2)
