"""Words for gaps: where they stand, and how likely they are."""

import pytest
import torch

import elmo
from elmo.model.batches import collate
from elmo.model.language_model import LanguageModel
from elmo.model.softmax import log_uniform
from elmo.train.gaps import guess_gaps, words_and_gaps


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("The ___ sat.", ["The", "___", "sat", "."]),
        ("___", ["___"]),
        ("a___b ___", ["a", "___", "b", "___"]),
        ("It wasn't ___, was it?", ["It", "wasn", "'t", "___", ",", "was", "it", "?"]),
    ],
)
def test_words(text: str, tokens: list[str]) -> None:
    assert words_and_gaps(text) == tokens


def test_no_gap() -> None:
    with pytest.raises(ValueError, match="has no gap; write ___"):
        words_and_gaps("The cat sat .")


def test_guesses() -> None:
    small = elmo.load("small")
    model = LanguageModel(small.bilm, small.softmax).eval()
    tokens = ["The", "cat", "sat", "on", "the", "___", "and", "___", "."]
    found = guess_gaps(model, tokens, 5)
    assert [guesses.index for guesses in found] == [5, 7]
    for guesses in found:
        before, after = model.log_probabilities(collate([tokens], small.bilm.token_layer.encode), guesses.index + 1)
        both = torch.softmax(before.double() + after.double() - log_uniform(len(before)), 0)
        for scores, side in ((both, guesses.both), (before.exp(), guesses.before), (after.exp(), guesses.after)):
            assert len(side) == 5
            assert [chance for _, chance in side] == sorted((chance for _, chance in side), reverse=True)
            for word, chance in side:
                assert chance == pytest.approx(float(scores[model.vocabulary.id(word)]), rel=1e-4)
    assert {"floor", "ground", "table"} & {word for word, _ in found[0].both}
