"""The biLM as a language model: the loss that pretraining minimizes, and the likelihoods behind perplexity."""

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple, Protocol

import torch
from torch import Tensor, nn

from elmo.model.batches import Batch
from elmo.model.bilm import BiLM
from elmo.model.softmax import Pointwise, Sample, Softmax
from elmo.model.token_layers import CharacterEncoder
from elmo.text.vocabulary import Vocabulary


class PackedBatch(NamedTuple):
    """Packed rows as tensors: 2 directions, T steps, B rows (see ``elmo.train.corpus.packing``)."""

    words: Sequence[Tensor]
    """Ids of the distinct words, in groups of similar length: (U, columns) each, or (U,)."""
    positions: Tensor
    """Index of the distinct word that is read at each position, (2, T, B)."""
    targets: Tensor
    """Vocabulary id of the word to predict, (2, T, B)."""
    keep: Tensor
    """1 where the state of the previous step continues, 0 where a sentence begins, (T, B)."""
    weights: Tensor
    """Weight of each prediction in the loss, (T, B); 0 at padding."""


class PackedLSTM(Protocol):
    """The LSTM layers over packed rows: ``elmo.engines.packed.PackedStack``."""

    dtype: torch.dtype
    """What is computed in."""
    sampled_pointwise: Pointwise
    """Computes ``elmo.model.softmax.sampled_pointwise`` on the same device."""

    def character_encoder(self, encoder: CharacterEncoder) -> Callable[[Tensor], Tensor]:
        """Return the forward pass of a character CNN that is fastest on the same device."""

    def __call__(self, x: Tensor, keep: Tensor, dropout: Callable[[Tensor], Tensor]) -> Iterator[Tensor]:
        """Yield the output of every layer, (2, T, B, P), for inputs ``x`` (2, T, B, P)."""


class LanguageModel(nn.Module):
    """A biLM and the softmax that both directions share."""

    def __init__(self, bilm: BiLM, softmax: Softmax, dropout: float = 0.0) -> None:
        super().__init__()
        self.bilm = bilm
        self.softmax = softmax
        self.dropout = nn.Dropout(dropout)

    @property
    def vocabulary(self) -> Vocabulary:
        """The words that are predicted."""
        return self.softmax.vocabulary

    def forward(self, batch: PackedBatch, sample: Sample | None, lstm: PackedLSTM) -> Tensor:
        """Compute the training loss: the mean of both directions' ``sum(weights * -log p)``.

        Args:
            batch: Packed rows.
            sample: Restricts the softmax to some words, for speed; None uses all of them.
            lstm: Computes the LSTM layers of ``self.bilm``, in its own precision.
        """
        with torch.autocast(batch.keep.device.type, dtype=lstm.dtype, enabled=lstm.dtype == torch.bfloat16):
            token_layer = self.bilm.token_layer.with_character_encoder(lstm.character_encoder)
            vectors = torch.cat([token_layer(group) for group in batch.words])  # (U, P)
            # On a CPU, the gradients of a word at all its positions would be added up in the type of the vectors.
            on_cpu = vectors.device.type == "cpu"
            vectors = vectors.to(self.softmax.weight.dtype if on_cpu else lstm.dtype)
            x = nn.functional.embedding(batch.positions, vectors).to(lstm.dtype)  # (2, T, B, P)
        for output in lstm(x, batch.keep, self.dropout):
            x = output
        hidden = self.dropout(x).flatten(0, 2)  # (2*T*B, P)
        weights = batch.weights.expand_as(batch.targets).flatten() / 2
        return self.softmax.loss(hidden, batch.targets.flatten(), weights, sample, lstm.sampled_pointwise)

    @torch.no_grad()
    def log_probabilities(self, batch: Batch, position: int) -> tuple[Tensor, Tensor]:
        """Log probabilities (V,) of each direction for the word at a position of a batch of one sentence.

        The forward direction sees only the words before the position, the backward direction those after it.
        """
        forward, backward = self.bilm(batch).layers[-1, 0].chunk(2, -1)  # (T, P) each
        before, after = forward[position - 1], backward[position + 1]
        return self.softmax(before[None])[0].log_softmax(0), self.softmax(after[None])[0].log_softmax(0)

    @torch.no_grad()
    def negative_log_likelihood(self, batch: Batch, targets: Tensor) -> tuple[Tensor, Tensor]:
        """Return ``-log p`` of every word by each direction, (words,) each, row by row.

        Every sentence starts from a zero state. The forward direction predicts the words and ``</S>``, the backward
        direction the words and ``<S>``.

        Args:
            batch: Sentences.
            targets: Vocabulary ids of all positions, boundaries included, (B, T).
        """
        output = self.bilm(batch)
        forward, backward = output.layers[-1].chunk(2, -1)  # (B, T, P) each
        predicted = output.mask[:, 1:]
        return (
            self.softmax.negative_log_likelihood(forward[:, :-1][predicted], targets[:, 1:][predicted]),
            self.softmax.negative_log_likelihood(backward[:, 1:][predicted], targets[:, :-1][predicted]),
        )
