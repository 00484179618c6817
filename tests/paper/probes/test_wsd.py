import gzip
import json
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import elmo
from elmo.datasets.static_vectors import StaticVectors
from elmo.datasets.wordnet import SenseInventory, read_wordnet
from elmo.paper.probes.sources import BiLMSource, Layers, StaticSource
from elmo.paper.probes.wsd import (
    FIRST_SENSE,
    TaggedSentence,
    Target,
    disambiguate,
    read_evaluation,
    read_semcor,
    read_sets,
)

# Made-up words: a "blick" has three senses as a noun and one as a verb, a "dax" two that training never shows.
INDEX = """\
blick%1:01:00:: 00000001 1 9
blick%1:02:00:: 00000002 2 4
blick%1:03:00:: 00000003 3 0
blick%2:30:00:: 00000004 1 2
dax%1:01:00:: 00000006 2 0
dax%1:05:00:: 00000005 1 0
wug%5:00:00:fep:00 00000007 1 3
wug%3:00:00:: 00000008 2 1
"""
BANK, BEAK, BLOCK = "blick%1:01:00::", "blick%1:02:00::", "blick%1:03:00::"


def token(surface: str, keys: Any = None) -> list[Any]:
    return [surface, surface.lower(), "NN", keys]


def semcor(path: Path, *sentences: Any) -> Path:
    path.write_text("".join(json.dumps({"doc": "d", "sent": 1, "toks": s}) + "\n" for s in sentences), "utf-8")
    return path


def evaluation(folder: Path, name: str, sentences: str, gold: str) -> tuple[Path, Path]:
    folder.mkdir(parents=True, exist_ok=True)
    xml, keys = folder / f"{name}.data.xml", folder / f"{name}.gold.key.txt"
    body = f'<corpus lang="en" source="{name}"><text id="d0">{sentences}</text></corpus>'
    xml.write_text(f'<?xml version="1.0" encoding="UTF-8" ?>\n{body}\n', "utf-8")
    keys.write_text(gold, "utf-8")
    return xml, keys


def asked(key: str, *words: str, lemma: str = "blick", pos: str = "NOUN", place: int = 1) -> TaggedSentence:
    return TaggedSentence(words, (Target(place, place + 1, (key,), lemma, pos, "x"),))


@pytest.fixture
def inventory(tmp_path: Path) -> SenseInventory:
    (tmp_path / "dict").mkdir()
    (tmp_path / "dict" / "index.sense").write_text(INDEX, "utf-8")
    return read_wordnet(tmp_path / "dict")


class Neighbours:
    """Two layers, of words without context and of the word before; each word has its own direction."""

    name, layer_names, dim = "toy", ("word", "before"), 4
    places: dict[str, list[float]]

    def __init__(self, **places: list[float]) -> None:
        self.places = places

    def layers(self, sentences: Iterable[Sequence[str]]) -> Iterator[Layers]:
        for sentence in sentences:
            words = np.array([self.places.get(word, [0, 0, 0, 1]) for word in sentence], np.float32)  # (n, 4)
            yield np.stack([words, np.roll(words, 1, axis=0)])


# WordNet


def test_wordnet_orders_senses_by_number_and_joins_both_kinds_of_adjective(inventory: SenseInventory) -> None:
    assert inventory.candidates("blick", "NOUN") == (BANK, BEAK, BLOCK)
    assert inventory.candidates("Blick", "VERB") == ("blick%2:30:00::",)
    assert inventory.candidates("dax", "NOUN") == ("dax%1:05:00::", "dax%1:01:00::")
    assert inventory.candidates("wug", "ADJ") == ("wug%5:00:00:fep:00", "wug%3:00:00::")
    assert inventory.candidates("fep", "NOUN") == ()


def test_wordnet_may_be_packed(tmp_path: Path, inventory: SenseInventory) -> None:
    path = tmp_path / "index.sense.gz"
    path.write_bytes(gzip.compress(INDEX.encode()))
    assert read_wordnet(path) == inventory


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("blick%1:01:00:: 1 1", "is not a sense key, a place"),
        ("blick%1:01:00:: 1 one 0", "is not a sense key, a place"),
        ("blick 1 1 0", "'blick' is not a sense key like"),
        ("blick%7:01:00:: 1 1 0", "is not a sense key like"),
        ("blick%1:04:00:: 1 2 0", "has the number 2, like blick%1:02:00::"),
    ],
)
def test_broken_wordnet(tmp_path: Path, line: str, reason: str) -> None:
    path = tmp_path / "index.sense"
    path.write_text(INDEX + line, "utf-8")
    with pytest.raises(ValueError, match=rf"index\.sense, line 9: .*{reason}"):
        read_wordnet(path)
    path.write_text("\n", "utf-8")
    with pytest.raises(ValueError, match="has no senses"):
        read_wordnet(tmp_path)


# Reading sentences


def test_semcor_takes_expressions_apart(tmp_path: Path) -> None:
    path = semcor(
        tmp_path / "semcor.jsonl",
        [token("The"), token("took_big_place", [BANK, BEAK]), token("_to"), token("_"), token("blicks", [BLOCK])],
        [],
        [token("Feps")],
    )
    first, second = read_semcor(path)
    assert first.words == ("The", "took", "big", "place", "to", "_", "blicks")
    assert [(t.start, t.end, t.keys) for t in first.targets] == [(1, 4, (BANK, BEAK)), (6, 7, (BLOCK,))]
    assert second == TaggedSentence(("Feps",), ())
    packed = tmp_path / "semcor.jsonl.gz"
    packed.write_bytes(gzip.compress(path.read_bytes()))
    assert read_semcor(packed) == [first, second]


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ('{"toks": [', "Expecting value"),
        ("[" * 100_000, "recursion|Expecting"),
        ("[1]", "is not an object with a list 'toks'"),
        ('{"toks": 3}', "is not an object with a list 'toks'"),
        ('{"toks": [["a", "a", "NN"]]}', "is not .surface, lemma"),
        ('{"toks": [["", "a", "NN", null]]}', "is not .surface, lemma"),
        ('{"toks": [["a", "a", "NN", "a%1"]]}', "is not .surface, lemma"),
        ('{"toks": [["a", "a", "NN", []]]}', "are not sense keys"),
        ('{"toks": [["a", "a", "NN", [5]]]}', "are not sense keys"),
        ('{"toks": [["a", "a", "NN", ["a.n.01"]]]}', "are not sense keys"),
    ],
)
def test_broken_semcor(tmp_path: Path, line: str, reason: str) -> None:
    path = tmp_path / "semcor.jsonl"
    path.write_text('{"toks": [["a", "a", "NN", null]]}\n' + line, "utf-8")
    with pytest.raises(ValueError, match=rf"semcor\.jsonl, line 2: .*({reason})"):
        read_semcor(path)


SENTENCES = """
<sentence id="s0"><wf lemma="the" pos="DET">The</wf><instance id="t0" lemma="blick" pos="NOUN">big blick</instance>
<wf lemma="&amp;" pos="."/><instance id="t1" lemma="wug" pos="ADJ">wug&apos;s</instance></sentence>
<sentence id="s1"/><sentence id="s2"><wf lemma="." pos=".">.</wf></sentence>"""
GOLD = f"t0 {BANK} {BEAK}\nt1 wug%3:00:00::\n"


def test_evaluation_set(tmp_path: Path) -> None:
    sentence, empty = read_evaluation(*evaluation(tmp_path, "toy", SENTENCES, GOLD))
    assert sentence.words == ("The", "big", "blick", "wug's")
    assert sentence.targets == (
        Target(1, 3, (BANK, BEAK), "blick", "NOUN", "t0"),
        Target(3, 4, ("wug%3:00:00::",), "wug", "ADJ", "t1"),
    )
    assert empty == TaggedSentence((".",), ())


@pytest.mark.parametrize(
    ("change", "gold", "reason"),
    [
        (("", ""), f"t0 {BANK}\n", r"toy\.gold\.key\.txt: has no key for instance t1"),
        (("", ""), GOLD + f"t9 {BANK}\n", r"toy\.gold\.key\.txt, line 3: there is no instance t9"),
        (("", ""), GOLD + f"t0 {BANK}\n", r"toy\.gold\.key\.txt, line 3: t0 is there twice"),
        (("", ""), GOLD + "t2\n", r"line 3: is not an instance and its sense keys"),
        (("", ""), GOLD + "t2 blick\n", r"line 3: is not an instance and its sense keys"),
        (('"t1"', '"t0"'), GOLD, r"toy\.data\.xml: instance t0 is there twice"),
        (('id="t1"', ""), GOLD, r"toy\.data\.xml: an instance has no id"),
        (('pos="ADJ"', 'pos="X"'), GOLD, r"toy\.data\.xml: instance t1 needs a text, a lemma and one of NOUN"),
        (("wug&apos;s", " "), GOLD, r"instance t1 needs a text"),
        (("</sentence>", ""), GOLD, r"toy\.data\.xml, line 5: is not XML"),
        ((SENTENCES, ""), "", r"toy\.data\.xml: has no instances"),
    ],
)
def test_broken_evaluation_set(tmp_path: Path, change: tuple[str, str], gold: str, reason: str) -> None:
    text = SENTENCES.replace(*change) if change[0] else SENTENCES
    with pytest.raises(ValueError, match=reason):
        read_evaluation(*evaluation(tmp_path, "toy", text, gold))


def test_all_sets_of_a_folder(tmp_path: Path) -> None:
    for name in ("own", "semeval2007", "senseval2", "ALL"):
        evaluation(tmp_path / name, name, SENTENCES, GOLD)
    assert list(read_sets(tmp_path)) == ["senseval2", "semeval2007", "own"]
    evaluation(tmp_path / "again", "own", SENTENCES, GOLD)
    with pytest.raises(ValueError, match="the set own is also in"):
        read_sets(tmp_path)
    (tmp_path / "again" / "own.gold.key.txt").unlink()
    with pytest.raises(ValueError, match=r"own\.data\.xml: there is no own\.gold\.key\.txt beside it"):
        read_sets(tmp_path / "again")
    (tmp_path / "again" / "own.data.xml").unlink()
    with pytest.raises(ValueError, match="has no sets"):
        read_sets(tmp_path / "again")


# Disambiguating


TRAINING = [
    asked(BANK, "red", "blick"),
    asked(BANK, "pink", "blick"),
    asked(BEAK, "blue", "blick"),
    asked("wug%3:00:00::", "red", "wug"),
    TaggedSentence(("nothing", "here"), ()),
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
    result = disambiguate([Neighbours(**PLACES)], TRAINING, TEST, inventory, lambda *step: steps.append(step))
    first, word, before = result.answers
    assert (first.source, first.layer, word.layer, before.layer) == (FIRST_SENSE, "", "word", "before")
    assert first.keys == (BANK, BANK, BANK, "wug%5:00:00:fep:00", "dax%1:05:00::", BANK, BANK)
    # The word itself tells nothing, so the first of the senses seen wins; what was never seen gets the first sense.
    assert word.keys == (BANK, BANK, BANK, "wug%3:00:00::", "dax%1:05:00::", BANK, BANK)
    # "green" is as far from both.
    assert before.keys == (BEAK, BANK, BEAK, "wug%3:00:00::", "dax%1:05:00::", BANK, BEAK)
    assert [len(instance.seen) for instance in result.instances] == [2, 2, 2, 1, 0, 2, 2]
    assert steps == [("toy", done, 11) for done in range(1, 12)]


def test_scores_and_tables(inventory: SenseInventory) -> None:
    result = disambiguate([Neighbours(**PLACES)], TRAINING, TEST, inventory)
    table = result.table()
    assert list(table.head) == ["vectors", "layer", *TEST, "ALL", "ALL but semeval2007"]
    assert list(table.rows) == [
        [FIRST_SENSE, "", "50.0", "50.0", "0.0", "42.9", "40.0"],
        ["toy", "word", "25.0", "50.0", "0.0", "28.6", "20.0"],
        ["toy", "before", "50.0", "50.0", "100.0", "57.1", "60.0"],
        ["instances", "", "4", "2", "1", "7", "5"],
        ["of these backed off", "", "0", "1", "0", "1", "0"],
    ]
    assert table.note.startswith("Of 7 instances 1 have no sense seen in training")
    assert "1 have only one; vectors choose in the other 5." in table.note
    by_pos = result.table_by_pos()
    assert list(by_pos.head) == ["vectors", "layer", "NOUN", "ADJ"]
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
    both = TaggedSentence(("blue", "blick"), (Target(1, 2, (BEAK, BLOCK), "blick", "NOUN"),))
    test = {"own": [TaggedSentence(("blue", "blick"), (Target(1, 2, (BLOCK, BEAK), "blick", "NOUN", "x"),))]}
    result = disambiguate([Neighbours(**PLACES)], [*TRAINING[:2], both], test, inventory)
    assert result.instances[0].seen == (BANK, BEAK, BLOCK)
    assert [result.f1(answers, ["own"]) for answers in result.answers] == [0.0, 0.0, 100.0]


def test_an_expression_is_the_mean_of_its_pieces(inventory: SenseInventory) -> None:
    # Between red and blue lies neither; the mean of "red blue" does.
    pair = Target(0, 2, (BLOCK,), "blick", "NOUN", "x")
    training = [
        TaggedSentence(("red", "green"), (Target(0, 1, (BANK,), "blick", "NOUN"),)),
        TaggedSentence(("blue", "green"), (Target(0, 1, (BEAK,), "blick", "NOUN"),)),
        TaggedSentence(("red", "blue", "green"), (pair,)),
    ]
    test = {"own": [TaggedSentence(("blue", "red", "green"), (pair,))]}
    result = disambiguate([Neighbours(**PLACES)], training, test, inventory)
    assert result.answers[1].keys == (BLOCK,)


def test_rounding_does_not_choose(inventory: SenseInventory) -> None:
    """Means of one vector over and over differ in their last digits; the sense listed first must win all the same."""
    rng = np.random.default_rng(0)
    training = [asked(BANK, "red", "blick")] * 7 + [asked(BEAK, "red", "blick")] * 3 + [asked(BLOCK, "red", "Blick")]
    test = {"own": [asked(BANK, "red", "blick"), asked(BANK, "red", "blickety")]}
    for _ in range(20):
        vectors = StaticVectors(("blick", "red"), rng.normal(size=(2, 50)).astype(np.float32))
        result = disambiguate([StaticSource(vectors, "static")], training, test, inventory)
        assert result.answers[1].keys == (BANK, BANK)  # the second word has no vector at all


def test_a_bilm(model: elmo.Embedder, inventory: SenseInventory) -> None:
    """An occurrence that training has shown is found again in context, whatever stands around the sentence."""
    training = [
        asked(BANK, "a", "blick", "of", "feps"),
        asked(BEAK, "she", "blick", "him", "now", "."),
        asked(BLOCK, "no", "blick"),
    ]
    source = BiLMSource(model, "tiny")
    result = disambiguate([source], training, {"own": training}, inventory)
    assert [answers.layer for answers in result.answers[1:]] == ["words", "LSTM 1", "LSTM 2", "average"]
    for answers in result.answers[2:]:
        assert answers.keys == (BANK, BEAK, BLOCK)
    assert result.answers[1].keys == (BANK, BANK, BANK)  # the layer below the LSTMs has no context
    turned = disambiguate([source], training[::-1], {"own": training[::-1]}, inventory)
    assert [answers.keys[::-1] for answers in turned.answers] == [answers.keys for answers in result.answers]


def test_what_cannot_be_answered(inventory: SenseInventory) -> None:
    with pytest.raises(ValueError, match=r"own: WordNet does not know fep as VERB \(instance x\)"):
        disambiguate([], TRAINING, {"own": [asked("fep%2:01:00::", "a", "fep", lemma="fep", pos="VERB")]}, inventory)
    with pytest.raises(ValueError, match="the training sentences show no sense of any instance"):
        disambiguate([], TRAINING, {"own": [asked("dax%1:01:00::", "a", "dax", lemma="dax")]}, inventory)
    with pytest.raises(ValueError, match="leave it out"):
        disambiguate([], TRAINING, {**TEST, "ALL": TEST["senseval2"]}, inventory)
