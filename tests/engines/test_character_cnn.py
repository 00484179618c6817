"""The character CNN with a hand-written backward pass against the readable one."""

import numpy as np
import pytest
import torch

from elmo.config import CharCNNConfig
from elmo.engines.character_cnn import TrainingEncoder, torch_cnn
from elmo.model.token_layers import CharCNN

WORDS = ["", "a", "the", "play", "sold", "playing", "wonderful"]
LONG = ["x" * 13, "y" * 14, "abcdefghijklmnop", "z" * 17, "q" * 18, "r" * 40]


def made(activation: str, projection: int | None, n_highway: int) -> CharCNN:
    torch.manual_seed(0)
    config = CharCNNConfig(
        3, ((1, 4), (2, 5), (4, 6)), activation, n_highway=n_highway, projection_dim=projection, max_characters=20
    )
    layer = CharCNN(config)
    layer.init_weights()
    with torch.no_grad():
        for parameter in layer.parameters():
            parameter.add_(0.3 * torch.randn(parameter.shape))
        layer.embedding.weight[0] = 0
    return layer


def results_of(layer: CharCNN, compute, ids: torch.Tensor) -> list[torch.Tensor]:
    """The vectors of words, and the gradients of all weights."""
    layer.zero_grad()
    vectors = compute(ids)
    generator = torch.Generator().manual_seed(1)
    direction = torch.randn(vectors.shape, generator=generator)
    (vectors * direction.to(vectors)).sum().backward()
    return [vectors.detach(), *(parameter.grad.clone() for parameter in layer.parameters())]


@pytest.mark.parametrize("words", [WORDS, WORDS + LONG], ids=["cut", "whole"])
@pytest.mark.parametrize("activation", ["relu", "tanh"])
@pytest.mark.parametrize(("projection", "n_highway"), [(7, 2), (None, 0)], ids=["highways", "filters"])
def test_vectors_and_gradients_are_those_of_the_twin(
    words: list[str], activation: str, projection: int | None, n_highway: int
) -> None:
    layer = made(activation, projection, n_highway).double()
    ids = layer.encode(words)
    assert (ids.shape[1] == 20) == (words != WORDS)
    encoder = TrainingEncoder(layer, torch.float64, torch_cnn)
    torch.testing.assert_close(results_of(layer, encoder, ids), results_of(layer, layer, ids))


@pytest.mark.gpu
@pytest.mark.parametrize("words", [WORDS, WORDS * 30 + LONG], ids=["cut", "whole"])
@pytest.mark.parametrize("activation", ["relu", "tanh"])
@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16], ids=["float32", "bfloat16"])
def test_triton_kernels_do_what_the_torch_ones_do(words: list[str], activation: str, dtype: torch.dtype) -> None:
    compare_kernels(made(activation, 7, 2), words, dtype)


@pytest.mark.gpu
@pytest.mark.parametrize("long", [[], ["z" * 44, "y" * 60]], ids=["cut", "whole"])
def test_triton_kernels_at_full_size(long: list[str]) -> None:
    torch.manual_seed(0)
    layer = CharCNN(CharCNNConfig())
    layer.init_weights()
    random = np.random.default_rng(0)
    letters = list("etaoinshrdlu")
    words = ["".join(random.choice(letters, size)) for size in sorted(random.integers(1, 20, 300))]
    compare_kernels(layer, words + long, torch.bfloat16)


def compare_kernels(layer: CharCNN, words: list[str], dtype: torch.dtype) -> None:
    from elmo.engines import triton_cnn

    ids = layer.encode(words).to("cuda")
    layer.to("cuda")
    encoders = [TrainingEncoder(layer, dtype, kernels) for kernels in (triton_cnn, torch_cnn)]
    tolerance = 1e-4 if dtype == torch.float32 else 2e-2
    for ours, theirs in zip(*(results_of(layer, encoder, ids) for encoder in encoders), strict=True):
        assert (ours - theirs).norm() <= tolerance * theirs.norm()
