"""Word sense disambiguation by the nearest sense."""

import json
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

import numpy as np
import pytest
from datasets.made_up_wordnet import BANK, BEAK, BLOCK, made_up_wordnet

import elmo
from elmo.datasets.semcor import SenseTaggedSentence, SenseTarget
from elmo.datasets.static_vectors import StaticVectors
from elmo.datasets.wordnet import SenseInventory
from elmo.paper.probes.representations import BiLMRepresentation, LayerVectors, StaticRepresentation
from elmo.paper.probes.wsd import FIRST_SENSE, disambiguate


def asked(key: str, *words: str, lemma: str = "blick", pos: str = "NOUN", place: int = 1) -> SenseTaggedSentence:
    return SenseTaggedSentence(words, (SenseTarget(place, place + 1, (key,), lemma, pos, "x"),))


@pytest.fixture
def inventory(tmp_path: Path) -> SenseInventory:
    return made_up_wordnet(tmp_path)


class ByPreviousWord:
    """Two layers, of words without context and of the word before; each word has its own direction."""

    name, layer_names, dim = "toy", ("word", "before"), 4
    places: dict[str, list[float]]

    def __init__(self, **places: list[float]) -> None:
        self.places = places

    def layers(self, sentences: Iterable[Sequence[str]]) -> Iterator[LayerVectors]:
        for sentence in sentences:
            words = np.array([self.places.get(word, [0, 0, 0, 1]) for word in sentence], np.float32)  # (n, 4)
            yield np.stack([words, np.roll(words, 1, axis=0)])


TRAINING = [
    asked(BANK, "red", "blick"),
    asked(BANK, "pink", "blick"),
    asked(BEAK, "blue", "blick"),
    asked("wug%3:00:00::", "red", "wug"),
    SenseTaggedSentence(("nothing", "here"), ()),
]
PLACES = {"red": [1, 0, 0, 0], "pink": [0.8, 0.6, 0, 0], "blue": [0, 0, 1, 0], "blick": [0.0, 1, 1, 0]}
TEST = {
    "senseval2": [
        asked(BEAK, "blue", "blick"),
        asked(BANK, "red", "blick"),
        asked(BLOCK, "blue", "blick"),
        asked("wug%5:00:00:fep:00", "blue", "wug", lemma="wug", pos="ADJ"),
    ],
    "semeval2007": [asked("dax%1:05:00::", "red", "dax", lemma="dax"), asked(BEAK, "green", "blick")],
    "semeval2013": [asked(BEAK, "blue", "blick")],
}


def test_the_nearest_sense_wins(inventory: SenseInventory) -> None:
    steps: list[tuple[str, int, int]] = []
    result = disambiguate([ByPreviousWord(**PLACES)], TRAINING, TEST, inventory, lambda *step: steps.append(step))
    first, word, before = result.predictions
    assert (first.source, first.layer, word.layer, before.layer) == (FIRST_SENSE, "", "word", "before")
    assert first.keys == (BANK, BANK, BANK, "wug%5:00:00:fep:00", "dax%1:05:00::", BANK, BANK)
    # The word itself tells nothing, so the first of the senses seen wins; what was never seen gets the first sense.
    assert word.keys == (BANK, BANK, BANK, "wug%3:00:00::", "dax%1:05:00::", BANK, BANK)
    # "green" is as far from both.
    assert before.keys == (BEAK, BANK, BEAK, "wug%3:00:00::", "dax%1:05:00::", BANK, BEAK)
    assert [len(instance.seen) for instance in result.instances] == [2, 2, 2, 1, 0, 2, 2]
    assert steps == [("toy", done, 11) for done in range(1, 12)]


def test_scores_and_tables(inventory: SenseInventory) -> None:
    result = disambiguate([ByPreviousWord(**PLACES)], TRAINING, TEST, inventory)
    table = result.table()
    assert list(table.header) == ["vectors", "layer", *TEST, "ALL", "ALL but semeval2007"]
    assert list(table.rows) == [
        [FIRST_SENSE, "", "50.0", "50.0", "0.0", "42.9", "40.0"],
        ["toy", "word", "25.0", "50.0", "0.0", "28.6", "20.0"],
        ["toy", "before", "50.0", "50.0", "100.0", "57.1", "60.0"],
        ["instances", "", "4", "2", "1", "7", "5"],
        ["of these backed off", "", "0", "1", "0", "1", "0"],
    ]
    assert table.note.startswith("Of 7 instances, 1 have no sense in the training data")
    assert "1 have only one; vectors decide the other 5." in table.note
    by_pos = result.table_by_pos()
    assert list(by_pos.header) == ["vectors", "layer", "NOUN", "ADJ"]
    assert list(by_pos.rows[2]) == ["toy", "before", "66.7", "0.0"]
    results = result.results()
    assert len(results) == 3 * (5 + 2)
    assert results[2 * 7 + 4][:3] == ("wsd", "F1", 60.0)
    assert results[2 * 7 + 4][3] == {
        "source": "toy",
        "layer": "before",
        "set": "ALL but semeval2007",
        "pos": "any",
        "instances": 5,
        "backed_off": 0,
    }
    assert json.loads(json.dumps(results))


def test_one_set_is_not_joined_with_anything(inventory: SenseInventory) -> None:
    result = disambiguate([], TRAINING, {"own": TEST["senseval2"]}, inventory)
    assert list(result.groups) == ["own"]
    assert {details["set"] for *_, details in result.results()} == {"own"}


def test_several_keys_count_for_each_and_any_is_right(inventory: SenseInventory) -> None:
    both = SenseTaggedSentence(("blue", "blick"), (SenseTarget(1, 2, (BEAK, BLOCK), "blick", "NOUN"),))
    test = {"own": [SenseTaggedSentence(("blue", "blick"), (SenseTarget(1, 2, (BLOCK, BEAK), "blick", "NOUN", "x"),))]}
    result = disambiguate([ByPreviousWord(**PLACES)], [*TRAINING[:2], both], test, inventory)
    assert result.instances[0].seen == (BANK, BEAK, BLOCK)
    assert [result.f1(answers, ["own"]) for answers in result.predictions] == [0.0, 0.0, 100.0]


def test_an_expression_is_the_mean_of_its_pieces(inventory: SenseInventory) -> None:
    # Between red and blue lies neither; the mean of "red blue" does.
    pair = SenseTarget(0, 2, (BLOCK,), "blick", "NOUN", "x")
    training = [
        SenseTaggedSentence(("red", "green"), (SenseTarget(0, 1, (BANK,), "blick", "NOUN"),)),
        SenseTaggedSentence(("blue", "green"), (SenseTarget(0, 1, (BEAK,), "blick", "NOUN"),)),
        SenseTaggedSentence(("red", "blue", "green"), (pair,)),
    ]
    test = {"own": [SenseTaggedSentence(("blue", "red", "green"), (pair,))]}
    result = disambiguate([ByPreviousWord(**PLACES)], training, test, inventory)
    assert result.predictions[1].keys == (BLOCK,)


def test_rounding_does_not_choose(inventory: SenseInventory) -> None:
    """Means of one vector over and over differ in their last digits; the sense listed first must win all the same."""
    rng = np.random.default_rng(0)
    training = [asked(BANK, "red", "blick")] * 7 + [asked(BEAK, "red", "blick")] * 3 + [asked(BLOCK, "red", "Blick")]
    test = {"own": [asked(BANK, "red", "blick"), asked(BANK, "red", "blickety")]}
    for _ in range(20):
        vectors = StaticVectors(("blick", "red"), rng.normal(size=(2, 50)).astype(np.float32))
        result = disambiguate([StaticRepresentation(vectors, "static")], training, test, inventory)
        assert result.predictions[1].keys == (BANK, BANK)  # the second word has no vector at all


def test_a_bilm(model: elmo.Embedder, inventory: SenseInventory) -> None:
    """An occurrence in the training data is recognized in its context, whatever the other sentences are."""
    training = [
        asked(BANK, "a", "blick", "of", "feps"),
        asked(BEAK, "she", "blick", "him", "now", "."),
        asked(BLOCK, "no", "blick"),
    ]
    source = BiLMRepresentation(model, "tiny")
    result = disambiguate([source], training, {"own": training}, inventory)
    assert [layer.layer for layer in result.predictions[1:]] == ["token layer", "LSTM 1", "LSTM 2", "average"]
    for answers in result.predictions[2:]:
        assert answers.keys == (BANK, BEAK, BLOCK)
    assert result.predictions[1].keys == (BANK, BANK, BANK)  # the layer below the LSTMs has no context
    turned = disambiguate([source], training[::-1], {"own": training[::-1]}, inventory)
    assert [answers.keys[::-1] for answers in turned.predictions] == [answers.keys for answers in result.predictions]


def test_what_cannot_be_answered(inventory: SenseInventory) -> None:
    with pytest.raises(ValueError, match=r"own: WordNet does not know fep as VERB \(instance x\)"):
        disambiguate([], TRAINING, {"own": [asked("fep%2:01:00::", "a", "fep", lemma="fep", pos="VERB")]}, inventory)
    with pytest.raises(ValueError, match="the training sentences contain no sense of any instance"):
        disambiguate([], TRAINING, {"own": [asked("dax%1:01:00::", "a", "dax", lemma="dax")]}, inventory)
    with pytest.raises(ValueError, match="leave it out"):
        disambiguate([], TRAINING, {**TEST, "ALL": TEST["senseval2"]}, inventory)
