"""Perplexity, bits per character and bits per syllable: how well a model predicts a text, in each direction.

Perplexity depends on the vocabulary: every unknown word counts as the one word ``<UNK>``, which is easy to predict
where unknown words are frequent. Bits per character counts the whole text, so that an unknown word never helps:

    bits per character = (sum of -log2 p over all predictions + spelling of the unknown words) / characters

* A known word or a closing boundary costs ``-log2 p``.
* An unknown word costs ``-log2 p(<UNK>)`` and its spelling: 8 bits for each byte of its UTF-8 form and 8 bits for its
  end. This is the size of a code from which the word can be read back.
* Characters are the code points of the words, one separator between two words, and one line end per sentence.

So models with different vocabularies can be compared on the same text if they split it into the same words.

Models that split Korean text differently, into eojeol or morphemes, can be compared by bits per syllable: the same sum,
divided by the number of Hangul syllables of the text, which does not depend on how it is split. One thing is not equal:
eojeol say where the spaces are, and morphemes do not.
"""

import math
import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple

import torch

from elmo.model.batches import by_length, collate, in_runs
from elmo.model.language_model import LanguageModel
from elmo.text.markers import BEGIN_SENTENCE, END_SENTENCE, UNKNOWN

BATCH_TOKENS = 8192
"""Positions per batch, padding and boundaries included."""
RUN_TOKENS = 1 << 18
"""Positions of a text that are sorted by length together."""
MIN_HANGUL = 0.25
"""Minimum fraction of Hangul syllables among the characters of a text that bits per syllable are reported for."""
_SYLLABLE = re.compile("[가-힣]")


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
    characters: int
    """Number of characters of the words, counting the space or line end after each."""
    spelling_bits: int
    """Bits to spell the unknown words, which is 8 for each of their bytes and 8 for the end of each word."""
    syllables: int = 0
    """Number of Hangul syllables."""

    @property
    def arithmetic(self) -> float:
        """The mean of the two perplexities, as the paper reports it."""
        return (self.forward + self.backward) / 2

    @property
    def geometric(self) -> float:
        """The exponential of the mean negative log-likelihood of both directions, as bilm-tf reports it."""
        return math.sqrt(self.forward * self.backward)

    @property
    def per_character(self) -> "Bits":
        """Bits per character."""
        return self._bits(self.characters)

    @property
    def per_syllable(self) -> "Bits | None":
        """Bits per Hangul syllable, or None if the text is not Korean."""
        return self._bits(self.syllables) if self.syllables > MIN_HANGUL * self.characters else None

    def _bits(self, units: int) -> "Bits":
        forward, backward = (
            (self.tokens * math.log2(perplexity) + self.spelling_bits) / units
            for perplexity in (self.forward, self.backward)
        )
        return Bits(forward, backward)

    def __str__(self) -> str:
        return (
            f"forward {self.forward:.2f}, backward {self.backward:.2f}, mean {self.arithmetic:.2f} "
            f"({self.unknown:.2%} unknown words)"
        )


class Bits(NamedTuple):
    """Bits per unit of text in each direction, unknown words included."""

    forward: float
    backward: float

    @property
    def mean(self) -> float:
        """The mean of both directions."""
        return (self.forward + self.backward) / 2


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
    totals, tokens, words, characters, syllables = [0.0, 0.0], 0, 0, 0, 0
    unknown: Counter[str] = Counter()
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
                characters += sum(map(len, sentence)) + max(len(sentence), 1)
                syllables += sum(1 for _ in _SYLLABLE.finditer("".join(sentence)))
                unknown.update(word for word in sentence if word not in vocabulary or word == UNKNOWN)
            tokens += sum(batch.lengths) - len(batch.lengths)
            losses = model.negative_log_likelihood(batch.to(device), targets.to(device))
            for direction, loss in enumerate(losses):
                totals[direction] += float(loss.double().sum())
    model.train(was_training)
    if not tokens:
        raise ValueError("there are no sentences to compute a perplexity of")
    forward, backward = (float(torch.tensor(total / tokens).double().exp()) for total in totals)  # inf, not an error
    spelling_bits = sum(8 * count * (len(word.encode("utf-8", "ignore")) + 1) for word, count in unknown.items())
    unknown_rate = unknown.total() / max(words, 1)
    return Perplexity(forward, backward, tokens, unknown_rate, characters, spelling_bits, syllables)
