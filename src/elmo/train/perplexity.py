"""Perplexity: how well a language model predicts a text, in each direction."""

import math
from collections.abc import Iterable
from dataclasses import dataclass

import torch

from elmo.model.batches import by_length, collate, in_runs
from elmo.model.language_model import LanguageModel
from elmo.text.markers import BEGIN_SENTENCE, END_SENTENCE, UNKNOWN

BATCH_TOKENS = 8192
"""Positions per batch, padding and boundaries included."""
RUN_TOKENS = 1 << 18
"""Positions of a text that are sorted by length together."""


@dataclass(frozen=True)
class Perplexity:
    """The perplexities of a text under the full softmax, with every sentence starting from a zero state.

    Each direction predicts the words and the closing boundary of a sentence, never the opening one.
    """

    forward: float
    backward: float
    tokens: int
    """Number of predictions in each direction, which is that of the words and one boundary per sentence."""
    unknown: float
    """Fraction of the words that are not in the vocabulary and are predicted as ``<UNK>``."""

    @property
    def arithmetic(self) -> float:
        """The mean of the two perplexities, as the paper reports it."""
        return (self.forward + self.backward) / 2

    @property
    def geometric(self) -> float:
        """The exponential of the mean negative log-likelihood of both directions, as bilm-tf reports it."""
        return math.sqrt(self.forward * self.backward)

    def __str__(self) -> str:
        return (
            f"forward {self.forward:.2f}, backward {self.backward:.2f}, mean {self.arithmetic:.2f} "
            f"({self.unknown:.2%} unknown words)"
        )


def perplexity(model: LanguageModel, sentences: Iterable[list[str]], *, batch_tokens: int = BATCH_TOKENS) -> Perplexity:
    """Compute the perplexity of tokenized sentences.

    Args:
        model: A language model, which is put in evaluation mode meanwhile.
        sentences: Lists of words, without boundary markers.
        batch_tokens: Maximum number of positions per batch, padding included. The result does not depend on it.

    Raises:
        ValueError: If there are no sentences.
    """
    vocabulary = model.vocabulary
    device = model.softmax.weight.device
    totals, tokens, words, unknown = [0.0, 0.0], 0, 0, 0
    unknown_id = vocabulary.id(UNKNOWN)
    was_training = model.training
    model.eval()
    for run in in_runs(sentences, RUN_TOKENS):
        for group in by_length([len(sentence) + 2 for sentence in run], batch_tokens):
            chosen = [run[index] for index in group]
            batch = collate(chosen, model.bilm.token_layer.encode)
            targets = torch.zeros_like(batch.positions)
            for row, sentence in enumerate(chosen):
                ids = [vocabulary.id(word) for word in (BEGIN_SENTENCE, *sentence, END_SENTENCE)]
                targets[row, : len(ids)] = torch.tensor(ids)
                words += len(sentence)
                unknown += ids.count(unknown_id)
            tokens += sum(batch.lengths) - len(batch.lengths)
            losses = model.negative_log_likelihood(batch.to(device), targets.to(device))
            for direction, loss in enumerate(losses):
                totals[direction] += float(loss.double().sum())
    model.train(was_training)
    if not tokens:
        raise ValueError("there are no sentences to compute a perplexity of")
    forward, backward = (math.exp(total / tokens) for total in totals)
    return Perplexity(forward, backward, tokens, unknown / max(words, 1))
