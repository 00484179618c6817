"""Words for the gaps of a sentence, as a model with a softmax expects them.

From what stands before a gap, from what comes after, and from both. "both" is the product of the two directions'
probabilities, divided by that of the word anywhere (as its rank in the vocabulary tells it), which otherwise would
count twice.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from elmo.model.batches import collate
from elmo.model.language_model import LanguageModel
from elmo.model.softmax import log_uniform
from elmo.text.tokens import words

GAP = "___"
N_MARKERS = 3
"""The first words of a vocabulary are none: the boundaries, and the one for unknown words."""


@dataclass(frozen=True)
class Guesses:
    """The likeliest words for a gap with their probabilities, the likeliest first."""

    index: int
    """Of the gap among the words."""
    both: list[tuple[str, float]]
    before: list[tuple[str, float]]
    after: list[tuple[str, float]]


def words_and_gaps(text: str) -> list[str]:
    """The words of a raw sentence, with ``GAP`` for each gap; there must be one."""
    first, *rest = text.split(GAP)
    if not rest:
        raise ValueError(f"the sentence has no gap; write {GAP} where the word is missing")
    tokens = words(first)
    for part in rest:
        tokens += [GAP, *words(part)]
    return tokens


def guess_gaps(model: LanguageModel, tokens: Sequence[str], count: int = 10) -> list[Guesses]:
    """Guess every word that is ``GAP``."""
    known = model.vocabulary.words
    batch = collate([tokens], model.bilm.token_layer.encode).to(model.softmax.weight.device)
    found = []
    for index in (place for place, token in enumerate(tokens) if token == GAP):
        before, after = model.log_probabilities(batch, index + 1)  # (V,) each; <S> is at 0
        both = (before + after - log_uniform(len(known)).to(before.device)).log_softmax(0)
        columns = []
        for scores in (both, before, after):
            best = scores[N_MARKERS:].exp().topk(min(count, len(known) - N_MARKERS))
            pairs = zip(best.indices.tolist(), best.values.tolist(), strict=True)
            columns.append([(known[N_MARKERS + place], probability) for place, probability in pairs])
        found.append(Guesses(index, *columns))
    return found
