"""The biLM as a language model: what pretraining optimises and perplexity measures."""

from collections.abc import Sequence
from typing import NamedTuple

import torch
from torch import Tensor, nn

from elmo.engines.packed import Workspace, packed_layer
from elmo.model.batches import Batch
from elmo.model.bilm import BiLM
from elmo.model.softmax import Sample, Softmax


class PackedBatch(NamedTuple):
    """Packed rows as tensors: 2 directions, T steps, B rows (see ``elmo.train.corpus.packing``)."""

    words: Sequence[Tensor]
    """Ids of the distinct words, in groups of similar length: (U, characters) each, or (U,)."""
    positions: Tensor
    """Which distinct word is read where, (2, T, B)."""
    targets: Tensor
    """The word to predict, as an id of the vocabulary, (2, T, B)."""
    keep: Tensor
    """1 where the state of the step before goes on, (T, B)."""
    weights: Tensor
    """What each prediction counts in the loss, (T, B); 0 where nothing stands."""


class LanguageModel(nn.Module):
    """A biLM and the softmax that both of its directions share."""

    def __init__(self, bilm: BiLM, softmax: Softmax, dropout: float = 0.0) -> None:
        super().__init__()
        if bilm.vocabulary is None or len(bilm.vocabulary) != len(softmax.bias):
            raise ValueError(f"a softmax over {len(softmax.bias)} words needs a model that knows which words they are")
        self.bilm = bilm
        self.softmax = softmax
        self.vocabulary = bilm.vocabulary
        self.dropout = nn.Dropout(dropout)

    def forward(self, batch: PackedBatch, sample: Sample | None, spaces: Sequence[Workspace]) -> Tensor:
        """The mean of the two directions' losses, each the sum of ``weights * -log p`` over its positions.

        ``sample`` restricts the softmax to some words, for speed; None takes them all. ``spaces`` are the
        LSTM layers' workspaces; their precision is the one to compute in.
        """
        dtype = spaces[0].inputs.dtype
        with torch.autocast(batch.keep.device.type, dtype=dtype, enabled=dtype == torch.bfloat16):
            vectors = torch.cat([self.bilm.token_layer(group) for group in batch.words])  # (U, P)
            x = nn.functional.embedding(batch.positions, vectors.to(dtype))  # (2, T, B, P)
        for index, (layer, space) in enumerate(zip(self.bilm.lstm.layers, spaces, strict=True)):
            # As in the original, the residual adds the input after its dropout.
            x = self.dropout(x)
            output = packed_layer(layer, x, batch.keep, space)
            x = output + x if self.bilm.config.lstm.residual and index > 0 else output
        hidden = self.dropout(x).flatten(0, 2)  # (2*T*B, P)
        weights = batch.weights.expand_as(batch.targets).flatten() / 2
        return self.softmax.loss(hidden, batch.targets.flatten(), weights, sample)

    @torch.no_grad()
    def guess(self, batch: Batch, position: int) -> tuple[Tensor, Tensor]:
        """Log probabilities (V,) by each direction for the word at a position of a batch of one sentence.

        Forwards only what stands before the position counts, backwards only what comes after.
        """
        forwards, backwards = self.bilm(batch).layers[-1, 0].chunk(2, -1)  # (T, P) each
        before, after = forwards[position - 1], backwards[position + 1]
        return self.softmax(before[None])[0].log_softmax(0), self.softmax(after[None])[0].log_softmax(0)

    @torch.no_grad()
    def surprise(self, batch: Batch, targets: Tensor) -> tuple[Tensor, Tensor]:
        """``-log p`` of every word by each direction, (words,) each, in the order of the rows of ``batch``.

        Every sentence starts from a zero state. ``targets`` (B, T) are the vocabulary's ids of all positions,
        boundaries included. Forwards the words and ``</S>`` are predicted, backwards the words and ``<S>``.
        """
        output = self.bilm(batch)
        forwards, backwards = output.layers[-1].chunk(2, -1)  # (B, T, P) each
        real = output.mask[:, 1:]
        return (
            self.softmax.surprise(forwards[:, :-1][real], targets[:, 1:][real]),
            self.softmax.surprise(backwards[:, 1:][real], targets[:, :-1][real]),
        )
