"""A larger language model that computes what a smaller one does, to train the larger one from there.

Every width grows by a whole factor k, as in Net2Net (Chen et al., 2016): a word vector, a cell or an output becomes k
copies of itself. What reads the copies divides each of its weights among them at random, so that the sum is the same
while no two copies have the same gradient. A new highway layer begins as the identity.

k copies, 2 directions, P output, D cell, V words.
"""

import dataclasses

import torch
from torch import Tensor

from elmo.config import BiLMConfig, CharCNNConfig
from elmo.model.bilm import BiLM
from elmo.model.token_layers import CharCNN

SPREAD = 0.5
"""Maximum relative deviation of the fraction that a copy gets from 1/k."""


def can_grow(small: BiLMConfig, large: BiLMConfig) -> bool:
    """Say whether a model of the shape ``small`` can grow to the shape ``large``; equal shapes can."""
    words, more_words = small.token_layer, large.token_layer
    if not isinstance(words, CharCNNConfig) or not isinstance(more_words, CharCNNConfig):
        return small == large
    if None in (words.projection_dim, small.lstm.projection_dim, more_words.projection_dim, large.lstm.projection_dim):
        return small == large
    return (
        large.lstm.output_dim % small.lstm.output_dim == 0
        and large.lstm.dim % small.lstm.dim == 0
        and more_words.n_highway >= words.n_highway
        # A new highway layer is the identity for filters that are never negative.
        and (more_words.n_highway == words.n_highway or words.activation == "relu")
        and large
        == dataclasses.replace(
            small,
            token_layer=dataclasses.replace(
                words, projection_dim=more_words.projection_dim, n_highway=more_words.n_highway
            ),
            lstm=dataclasses.replace(small.lstm, dim=large.lstm.dim, projection_dim=large.lstm.projection_dim),
        )
    )


@torch.no_grad()
def grow_bilm(small: BiLM, large: BiLM, generator: torch.Generator) -> None:
    """Set the weights of ``large`` so that every layer has the outputs of ``small``, k times side by side.

    Args:
        small: The trained biLM.
        large: The biLM to change. Its shape is one that ``can_grow`` accepts.
        generator: Draws the fractions of the copies.
    """
    if (small.config.token_layer, small.config.lstm) == (large.config.token_layer, large.config.lstm):
        large.load_state_dict(small.state_dict())
        return
    k = large.config.lstm.output_dim // small.config.lstm.output_dim
    cells = large.config.lstm.dim // small.config.lstm.dim
    weights, grown = small.state_dict(), large.state_dict()
    for name in grown:
        if name.startswith("token_layer.projection."):
            grown[name] = torch.cat([weights[name]] * k)  # (kP, F), (kP,)
        elif name.startswith("token_layer."):
            grown[name] = weights.get(name, grown[name])
    for number in range(large.config.lstm.n_layers):
        layer = f"lstm.layers.{number}."
        weight = _copies(weights[layer + "weight"], -1, cells)  # (2, 2P, 4kD)
        from_input, from_state = weight.chunk(2, 1)
        grown[layer + "weight"] = torch.cat([_divided(part, 1, k, generator) for part in (from_input, from_state)], 1)
        grown[layer + "bias"] = _copies(weights[layer + "bias"], -1, cells)
        projection = torch.cat([weights[layer + "projection"]] * k, 2)  # (2, D, kP)
        grown[layer + "projection"] = _divided(projection, 1, cells, generator)
    large.load_state_dict(grown)
    assert isinstance(small.token_layer, CharCNN)
    assert isinstance(large.token_layer, CharCNN)
    for highway in large.token_layer.highways[len(small.token_layer.highways) :]:
        torch.nn.init.eye_(highway.transform.weight)  # relu(x) = x, so the gate chooses between equals
        torch.nn.init.zeros_(highway.transform.bias)


@torch.no_grad()
def grow_softmax(weight: Tensor, width: int, generator: torch.Generator) -> Tensor:
    """Return softmax weights (V, width) that give k copies of an output (kP = width) the logits of (V, P)."""
    return _divided(weight, 1, width // weight.shape[1], generator)


def _copies(gates: Tensor, dim: int, k: int) -> Tensor:
    """Repeat the cells of each of the four gates, (..., 4D) to (..., 4kD)."""
    return torch.cat([gate for gate in gates.chunk(4, dim) for _ in range(k)], dim)


def _divided(weight: Tensor, dim: int, k: int, generator: torch.Generator) -> Tensor:
    """Divide each weight among k copies of what it reads, which lie one after the other along ``dim``."""
    if k == 1:
        return weight
    noise = torch.rand(k, *weight.shape, generator=generator, device=weight.device) * 2 - 1
    fractions = (1 + SPREAD * (noise - noise.mean(0))) / k
    return torch.cat(list(fractions * weight), dim)
