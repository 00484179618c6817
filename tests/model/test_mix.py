import pytest
import torch

from elmo import ScalarMix


def test_starts_as_the_average() -> None:
    layers = torch.randn(3, 2, 4, 5)
    mix = ScalarMix(3)
    torch.testing.assert_close(mix(layers), layers.mean(0))
    torch.testing.assert_close(mix.layer_weights, torch.full((3,), 1 / 3))


def test_shares_and_gamma() -> None:
    layers = torch.randn(3, 2, 5)
    mix = ScalarMix(3)
    with torch.no_grad():
        mix.weights.copy_(torch.tensor([100.0, 0.0, 0.0]))
        mix.gamma.fill_(2.0)
    torch.testing.assert_close(mix(layers), 2 * layers[0])
    torch.testing.assert_close(mix.layer_weights.sum(), torch.tensor(1.0))


def test_penalty_is_on_the_raw_weights_alone() -> None:
    mix = ScalarMix(3)
    with torch.no_grad():
        mix.weights.copy_(torch.tensor([1.0, 2.0, -3.0]))
        mix.gamma.fill_(7.0)
    assert mix.penalty(0.5).item() == pytest.approx(7.0)


def test_one_layer_learns_its_scale_only() -> None:
    mix = ScalarMix(1)
    assert [name for name, _ in mix.named_parameters()] == ["gamma"]
    layers = torch.randn(1, 2, 5)
    torch.testing.assert_close(mix(layers), layers[0])
    assert mix.penalty(1.0).item() == 0.0
    torch.testing.assert_close(mix.layer_weights, torch.ones(1))


def test_layer_norm_looks_at_one_token() -> None:
    layers = torch.randn(3, 4, 6, 16) * 5 + 2
    mix = ScalarMix(3, layer_norm=True)
    whole, alone = mix(layers), mix(layers[:, 1:2])
    torch.testing.assert_close(whole[1:2], alone)
    with torch.no_grad():
        mix.weights.copy_(torch.tensor([100.0, 0.0, 0.0]))
    one = mix(layers)
    torch.testing.assert_close(one.mean(-1), torch.zeros(4, 6), atol=1e-5, rtol=0)
    torch.testing.assert_close(one.var(-1, correction=0), torch.ones(4, 6), atol=1e-3, rtol=0)


def test_misuse() -> None:
    with pytest.raises(ValueError, match="n_layers must be at least 1"):
        ScalarMix(0)
    with pytest.raises(ValueError, match="expected 2 layers, not 3"):
        ScalarMix(2)(torch.zeros(3, 1, 1))
