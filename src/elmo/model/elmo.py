"""ELMo as a part of your own network: a biLM and one or more learned mixtures of its layers."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import torch
from torch import Tensor, nn

from elmo.config import CharCNNConfig
from elmo.model.batches import Batch, collate
from elmo.model.batches import from_character_ids as batch_from_character_ids
from elmo.model.bilm import BiLM
from elmo.model.mix import ScalarMix


@dataclass(frozen=True)
class ELMoOutput:
    """One mixture of the layers for each place in the network that uses ELMo."""

    representations: list[Tensor]
    """(B, T, D) each; zero at padding."""
    mask: Tensor
    """True at real positions, (B, T)."""


class ELMo(nn.Module):
    """Contextual word vectors, mixed anew for every place that uses them.

    >>> elmo = ELMo(model.bilm, mixes=2, dropout=0.5)           # doctest: +SKIP
    >>> out = elmo([["The", "play"], ["Hello"]])                # doctest: +SKIP
    >>> out.representations[0].shape                            # doctest: +SKIP
    torch.Size([2, 2, 256])

    ``mixes``: how many independent mixtures one pass of the biLM feeds.
    ``layers``: mix "all" layers, or take the "top" one and learn only its scale.
    ``freeze``: leave the biLM as it is; False trains it along with your network.
    ``keep_boundaries``: keep the positions of ``<S>`` and ``</S>``, so T is two more.
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
        if mixes < 1:
            raise ValueError(f"at least one mixture is needed, not {mixes}")
        if layers not in ("all", "top"):
            raise ValueError(f"layers must be all or top, not {layers!r}")
        self.bilm = bilm.requires_grad_(not freeze)
        self.freeze = freeze
        self.layers = layers
        self.keep_boundaries = keep_boundaries
        n_layers = bilm.config.n_representations if layers == "all" else 1
        self.mixes = nn.ModuleList(  # type: ignore[assignment]
            ScalarMix(n_layers, layer_norm) for _ in range(mixes)
        )
        self.dropout = nn.Dropout(dropout)
        self.train(self.training)

    @property
    def output_dim(self) -> int:
        """Width D of every representation."""
        return self.bilm.config.output_dim

    def train(self, mode: bool = True) -> "ELMo":
        """As for any module, but a frozen biLM stays in evaluation mode."""
        super().train(mode)
        if self.freeze:
            self.bilm.eval()
        return self

    def forward(self, batch: Batch | Tensor | Sequence[Sequence[str]]) -> ELMoOutput:
        """Mix the layers of a batch.

        ``batch`` is a list of tokenised sentences, a ``Batch`` made of them by ``collate`` (in a data loader,
        say), or character ids (B, T, characters) without boundaries, where a row of zeros is padding.
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
        """``strength * sum(w^2)`` over all mixtures, to be added to the loss (lambda in the paper)."""
        return torch.stack([mix.penalty(strength) for mix in self.mixes]).sum()

    def _as_batch(self, batch: Batch | Tensor | Sequence[Sequence[str]]) -> Batch:
        if isinstance(batch, Tensor):
            if not isinstance(self.bilm.config.token_layer, CharCNNConfig):
                raise ValueError("this model reads no character ids; give it sentences as lists of words")
            batch = batch_from_character_ids(batch)
        elif not isinstance(batch, Batch):
            if any(isinstance(sentence, str) for sentence in batch):
                raise ValueError("sentences must be lists of words; split them first, for example with .split()")
            batch = collate(batch, self.bilm.encode)
        return batch.to(self.bilm.lstm.layers[0].weight.device)


def without_boundaries(layers: Tensor, mask: Tensor) -> tuple[Tensor, Tensor]:
    """Drop ``<S>`` and ``</S>`` from layers (L+1, B, T, D) and mask (B, T); T becomes two less."""
    inner = mask[:, 2:]  # a row of n+2 positions has n words, at 1..n
    return layers[:, :, 1:-1] * inner[:, :, None], inner
