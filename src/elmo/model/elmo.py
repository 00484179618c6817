"""ELMo as a module of your own network: a biLM and one or more learned mixtures of its layers."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import torch
from torch import Tensor, nn

from elmo.config import MAX_LAYERS
from elmo.model.batches import Batch, collate, from_ids
from elmo.model.bilm import BiLM
from elmo.model.mix import ScalarMix
from elmo.validation import (
    checked_choice,
    checked_count,
    checked_flag,
    checked_fraction,
    checked_instance,
    checked_sentences,
)


@dataclass(frozen=True)
class ELMoOutput:
    """One mixture of the layers for each place where the network uses ELMo."""

    representations: list[Tensor]
    """(B, T, D) each; zero at padding."""
    mask: Tensor
    """True where there is a word, (B, T)."""


class ELMo(nn.Module):
    """Contextual word vectors, with separately learned layer weights for every place that uses them.

    >>> elmo = ELMo(model.bilm, mixes=2, dropout=0.5)           # doctest: +SKIP
    >>> out = elmo([["The", "play"], ["Hello"]])                # doctest: +SKIP
    >>> out.representations[0].shape                            # doctest: +SKIP
    torch.Size([2, 2, 256])

    Args:
        bilm: The language model, for example ``elmo.load().bilm``.
        mixes: Number of independent mixtures computed from one pass of the biLM.
        dropout: Dropout on every mixture.
        layer_norm: Normalize every token of every layer before mixing.
        freeze: Keep the biLM as it is. False trains it along with your network. Either way, this sets ``requires_grad``
            of the biLM that you give, which becomes a part of this module.
        layers: Mix "all" layers, or take the "top" layer and learn only its scale.
        keep_boundaries: Keep the positions of ``<S>`` and ``</S>``, so that T is two more.
    """

    mixes: Sequence[ScalarMix]

    def __init__(
        self,
        bilm: BiLM,
        mixes: int = 1,
        dropout: float = 0.0,
        layer_norm: bool = False,
        freeze: bool = True,
        layers: Literal["all", "top"] = "all",
        keep_boundaries: bool = False,
    ) -> None:
        super().__init__()
        checked_instance("bilm", bilm, BiLM, "such as elmo.load().bilm")
        checked_choice("layers", layers, ("all", "top"))
        mixes, dropout = checked_count("mixes", mixes, maximum=MAX_LAYERS), checked_fraction("dropout", dropout)
        freeze, keep_boundaries = checked_flag("freeze", freeze), checked_flag("keep_boundaries", keep_boundaries)
        self.bilm = bilm.requires_grad_(not freeze)
        self.freeze = freeze
        self.layers = layers
        self.keep_boundaries = keep_boundaries
        n_layers = bilm.config.n_representations if layers == "all" else 1
        self.mixes = nn.ModuleList(  # type: ignore[assignment]
            ScalarMix(n_layers, layer_norm, bilm.device) for _ in range(mixes)
        )
        self.dropout = nn.Dropout(dropout)
        self.train(self.training)

    @property
    def output_dim(self) -> int:
        """Width D of every representation."""
        return self.bilm.config.output_dim

    def train(self, mode: bool = True) -> "ELMo":
        """Set the training mode. A frozen biLM stays in evaluation mode."""
        super().train(mode)
        if self.freeze:
            self.bilm.eval()
        return self

    def forward(self, batch: Batch | Tensor | Sequence[Sequence[str]]) -> ELMoOutput:
        """Mix the layers of a batch.

        Args:
            batch: A list of tokenized sentences; a ``Batch`` that ``collate`` made of them (in a data loader, say); or
                ids without boundaries, (B, T, characters) for a character CNN, where a row of zeros is padding.
        """
        batch = self._as_batch(batch)
        with torch.set_grad_enabled(torch.is_grad_enabled() and not self.freeze):
            output = self.bilm(batch)
        layers, mask = output.layers, output.mask
        if self.layers == "top":
            layers = layers[-1:]
        if not self.keep_boundaries:
            layers, mask = without_boundaries(layers, mask)
        return ELMoOutput([self.dropout(mix(layers)) for mix in self.mixes], mask)

    def penalty(self, strength: float) -> Tensor:
        """Return ``strength * sum(w^2)`` over all mixtures, to be added to the loss (lambda in the paper)."""
        return torch.stack([mix.penalty(strength) for mix in self.mixes]).sum()

    def _as_batch(self, batch: Batch | Tensor | Sequence[Sequence[str]]) -> Batch:
        if isinstance(batch, Tensor):
            batch = from_ids(batch, self.bilm.token_layer)
        elif not isinstance(batch, Batch):
            batch = collate(list(checked_sentences(batch)), self.bilm.token_layer.encode)
        return batch.to(self.bilm.device)


def without_boundaries(layers: Tensor, mask: Tensor) -> tuple[Tensor, Tensor]:
    """Remove ``<S>`` and ``</S>`` from layers (L+1, B, T, D) and mask (B, T); T becomes two less."""
    inner = mask[:, 2:]  # a row of n+2 positions has n words, at 1..n
    return layers[:, :, 1:-1] * inner[:, :, None], inner
