"""How surprised a model is by a text, word by word, in each direction."""

import math
from collections.abc import Iterable
from dataclasses import dataclass

import torch

from elmo.model.batches import by_length, collate, in_runs
from elmo.model.language_model import LanguageModel
from elmo.text.markers import BEGIN_SENTENCE, END_SENTENCE, UNKNOWN

BATCH_TOKENS = 8192
TOKENS_AT_ONCE = 1 << 18


@dataclass(frozen=True)
class Perplexity:
    """Perplexities of a text under the full softmax, every sentence from a zero state.

    Predicted are the words and the closing boundary of each direction, never the opening one.
    """

    forward: float
    backward: float
    tokens: int
    """Predictions in each direction: words, and one boundary a sentence."""
    unknown: float
    """Share of the words that are outside the vocabulary and count as ``<UNK>``."""

    @property
    def arithmetic(self) -> float:
        """Mean of the two directions' perplexities, as the paper gives it."""
        return (self.forward + self.backward) / 2

    @property
    def geometric(self) -> float:
        """Exponential of the mean surprise of both directions, as bilm-tf prints it."""
        return math.sqrt(self.forward * self.backward)


def perplexity(model: LanguageModel, sentences: Iterable[list[str]]) -> Perplexity:
    """Measure a text of tokenised sentences."""
    vocabulary = model.vocabulary
    device = model.softmax.weight.device
    totals, tokens, words, unknown = [0.0, 0.0], 0, 0, 0
    unknown_id = vocabulary.id(UNKNOWN)
    was_training = model.training
    model.eval()
    for run in in_runs(sentences, TOKENS_AT_ONCE):
        for group in by_length([len(sentence) + 2 for sentence in run], BATCH_TOKENS):
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
        raise ValueError("there is no sentence to measure")
    forward, backward = (math.exp(total / tokens) for total in totals)
    return Perplexity(forward, backward, tokens, unknown / max(words, 1))
