"""Comparing two occurrences of a word."""

import numpy as np
import pytest

from elmo.datasets.korean import TokenizedOccurrence, TokenizedPair
from elmo.datasets.static_vectors import StaticVectors
from elmo.paper.probes.representations import TOKEN_LAYER, StaticRepresentation
from elmo.paper.probes.wic import (
    CONTEXT,
    SENTENCE,
    Compared,
    ContextScore,
    best_threshold,
    layer_cosines,
    score_cosines,
)


class Contexts:
    """Vectors that depend on the next word, as those of a perfect model would, and in a second layer not at all."""

    name, dim, layer_names = "contexts", 4, ("good", "useless")

    def layers(self, sentences):
        for sentence in sentences:
            good = np.full((len(sentence), 4), 50.0) + np.arange(4)  # large features that all words share
            for position, following in enumerate(sentence[1:]):
                good[position] += {"river": [1, 0, 0, 1], "money": [-1, 0, 0, -1]}.get(following, [0, 1, -1, 0])
            yield np.stack([good, np.ones_like(good)]).astype(np.float32)


def pairs(count: int, seed: int) -> list[TokenizedPair]:
    random = np.random.default_rng(seed)
    made = []
    for _ in range(count):
        senses = random.choice(["river", "money"], 2).tolist()
        words = [["the", "bank", sense, "x"] for sense in senses]
        occurrences = tuple(TokenizedOccurrence(each, (1, 2)) for each in words)
        made.append(TokenizedPair(occurrences, senses[0] == senses[1]))
    return made


def scores(representation, splits, compared: Compared = "words") -> list[ContextScore]:
    """Score every layer."""
    found = layer_cosines(representation, splits, compared)
    return [score_cosines(representation.name, layer, cosines, splits) for layer, cosines in found.items()]


SPLITS = {"train": pairs(40, 0), "dev": pairs(20, 1), "test": pairs(30, 2)}


def test_layers() -> None:
    good, useless = scores(Contexts(), SPLITS)
    assert good.accuracy == {"train": 100, "dev": 100, "test": 100}
    majority = 100 * np.mean([pair.same for pair in SPLITS["test"]])
    assert useless.accuracy["test"] in (pytest.approx(majority), pytest.approx(100 - majority))


def test_static_vectors() -> None:
    values = np.eye(5, dtype=np.float32)
    static = StaticRepresentation(StaticVectors(("the", "bank", "river", "money", "x"), values), "static")
    [word] = scores(static, SPLITS)
    [sentence] = scores(static, SPLITS, "sentences")
    assert word.accuracy["train"] < 70, "a word is the same everywhere"
    assert sentence.accuracy["test"] == 100, "the context tells"
    assert sentence.layer == f"static, {SENTENCE}"


class WordsAndContexts:
    """What a word has alone, more for some words than for others, plus what its context adds, in the LSTM layer."""

    name, dim, layer_names = "words and contexts", 12, (TOKEN_LAYER, "LSTM 1")

    def layers(self, sentences):
        for word, *context in sentences:
            token = np.tile([0, 0, *[float(word)] * 10], (1 + len(context), 1))
            sense, noise = map(float, context or (0, 0))
            added = np.array([noise + sense, noise - sense, *[0] * 10])
            yield np.stack([token, token + added]).astype(np.float32)


def test_contexts_do_not_depend_on_the_word() -> None:
    random = np.random.default_rng(0)
    made = []
    for word in random.uniform(-9, 9, 60).round(1):
        senses, noise = random.choice([1, -1], 2).tolist(), random.normal(0, 0.3, 2).tolist()
        sentences = [list(map(str, (word, *context))) for context in zip(senses, noise, strict=True)]
        occurrences = tuple(TokenizedOccurrence(sentence, (0, 1)) for sentence in sentences)
        made.append(TokenizedPair(occurrences, senses[0] == senses[1]))
    splits = {"train": made[:40], "test": made[40:]}
    _, words = scores(WordsAndContexts(), splits)
    [contexts] = scores(WordsAndContexts(), splits, "contexts")  # the token layer has none
    assert contexts.layer == f"LSTM 1, {CONTEXT}"
    assert words.accuracy["test"] < contexts.accuracy["test"] == 100


def test_targets_of_several_words_and_unknown_words() -> None:
    occurrences = (TokenizedOccurrence(["a", "bank", "river"], (0, 3)), TokenizedOccurrence(["b"], (0, 1)))
    static = StaticRepresentation(StaticVectors(("bank",), np.ones((1, 3), np.float32)), "static")
    [score] = scores(static, {"train": [TokenizedPair(occurrences, False)]})
    assert score.accuracy == {"train": 100}


@pytest.mark.parametrize("seed", range(20))
def test_the_threshold_is_the_best(seed: int) -> None:
    """The slow twin: try every threshold."""
    random = np.random.default_rng(seed)
    scores, same = random.integers(0, 6, 12) / 5, random.random(12) < 0.5
    candidates = [*np.unique(scores), 9.0]
    best = max(((scores >= candidate) == same).sum() for candidate in candidates)
    assert ((scores >= best_threshold(scores, same)) == same).sum() == best


def test_the_deviation_of_a_gain_counts_pairs_that_change() -> None:
    """The slow twin: the deviation of the mean of the differences, pair by pair."""
    random = np.random.default_rng(0)
    before, after = random.random((2, 50)) < [[0.6], [0.7]]
    difference = after.astype(float) - before
    score, baseline = (ContextScore("s", "1", 0.0, {"test": right}) for right in (after, before))
    assert score.deviation_of_gain(baseline, "test") == pytest.approx(100 * difference.std() / np.sqrt(50))
    assert score.deviation_of_gain(score, "test") == 0
