"""Predict the missing words of a sentence with a language model.

Each blank is predicted from the words before it, from the words after it, and from both. The last is the product of
the two directions' probabilities divided by the probability of the word in any context (estimated from its rank in
the vocabulary), which would otherwise count twice.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from elmo.model.batches import collate
from elmo.model.language_model import LanguageModel
from elmo.model.softmax import log_uniform
from elmo.train.corpus.corpus import MARKERS

BLANK = "___"
N_MARKERS = len(MARKERS)  # the first entries of a vocabulary, which are not words


@dataclass(frozen=True)
class BlankPredictions:
    """The most likely words for one blank with their probabilities, in decreasing order."""

    index: int
    """Index of the blank among the tokens."""
    both: list[tuple[str, float]]
    before: list[tuple[str, float]]
    after: list[tuple[str, float]]

    def to_dict(self) -> dict[str, Any]:
        """Return what the server and ``elmo predict --json`` say about the blank."""
        columns = {"both": self.both, "before": self.before, "after": self.after}
        return {
            "index": self.index,
            **{
                side: [{"word": word, "probability": probability} for word, probability in pairs]
                for side, pairs in columns.items()
            },
        }


def tokenize_with_blanks(text: str, split: Callable[[str], list[str]]) -> list[str]:
    """Return the tokens of a raw sentence, with ``BLANK`` for each blank.

    A blank may be next to letters, as in Korean, where it is a morpheme: ``___을 씻었다``. The sentence is split as a
    whole, because a tokenizer may need the context. Where it makes a blank part of a word, as in ``___ing``, the parts
    between the blanks are split. Any run of three or more underscores is one blank.

    Args:
        text: The sentence.
        split: Splits a text into words.

    Raises:
        ValueError: If the sentence has no blank.
    """
    text = re.sub(f"{BLANK}_*", BLANK, text)
    first, *rest = text.split(BLANK)
    if not rest:
        raise ValueError(f"the sentence has no blank; write {BLANK} in place of the missing word")
    whole = split(text)
    if whole.count(BLANK) == len(rest):
        return whole
    tokens = split(first)
    for part in rest:
        tokens += [BLANK, *split(part)]
    return tokens


def predict_blanks(model: LanguageModel, tokens: Sequence[str], count: int = 10) -> list[BlankPredictions]:
    """Return the ``count`` most likely words for every token that is ``BLANK``."""
    vocabulary = model.vocabulary.words
    count = min(count, len(vocabulary) - N_MARKERS)
    batch = collate([tokens], model.bilm.token_layer.encode).to(model.softmax.weight.device)
    predictions = []
    for index in (index for index, token in enumerate(tokens) if token == BLANK):
        before, after = model.log_probabilities(batch, index + 1)  # (V,) each; position 0 is <S>
        both = (before + after - log_uniform(len(vocabulary)).to(before.device)).log_softmax(0)
        columns = []
        for log_probabilities in (both, before, after):
            best = log_probabilities[N_MARKERS:].exp().topk(count)
            pairs = zip(best.indices.tolist(), best.values.tolist(), strict=True)
            columns.append([(vocabulary[N_MARKERS + word], probability) for word, probability in pairs])
        predictions.append(BlankPredictions(index, *columns))
    return predictions
