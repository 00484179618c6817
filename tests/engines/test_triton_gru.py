"""The GRU layer that is one kernel per pass, against ``nn.GRU``. Only on a GPU."""

import pytest
import torch
from torch import nn

from elmo.tasks.layers import Encoder

pytestmark = pytest.mark.gpu


@pytest.mark.parametrize("dim", [5, 64, 90, 128])
@pytest.mark.parametrize(
    "lengths", [[7], [9, 1, 4], [40] * 16, [1, 60, 33, 2] * 17], ids=["one", "few", "tile", "many"]
)
def test_states_and_gradients_are_those_of_the_ordinary_layer(dim: int, lengths: list[int]) -> None:
    torch.manual_seed(0)
    encoder = Encoder(24, dim, 2, 0.0, "gru").cuda()
    for parameter in encoder.parameters():
        nn.init.uniform_(parameter, -2 * dim**-0.5, 2 * dim**-0.5)
    inside = (torch.arange(max(lengths)) < torch.tensor(lengths)[:, None])[:, :, None].cuda()
    inputs = torch.randn(len(lengths), max(lengths), 24, device="cuda") * inside
    direction = torch.randn(len(lengths), max(lengths), 2 * dim, device="cuda")
    results = []
    for fused in (False, True):
        encoder.fused = fused
        encoder.zero_grad()
        x = inputs.clone().requires_grad_()
        states = encoder(x, lengths)
        assert (states * ~inside == 0).all()
        (states * direction).sum().backward()
        with torch.no_grad():
            torch.testing.assert_close(encoder(inputs, lengths), states.detach())
        gradients = [parameter.grad.clone() for parameter in (x, *encoder.parameters())]
        results.append((states.detach(), gradients))
    (states, gradients), (fused_states, fused_gradients) = results
    # States are rounded to 11 bits as factors, so errors add up over two layers of up to 60 steps.
    torch.testing.assert_close(fused_states, states, atol=5e-3, rtol=0)
    for ours, theirs in zip(fused_gradients, gradients, strict=True):
        # The factors of the recurrent product are rounded to 8 bits in the backward pass.
        assert (ours - theirs).norm() < 0.01 * theirs.norm()
