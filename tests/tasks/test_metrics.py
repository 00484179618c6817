"""Metrics against independent scorers, published examples and their definitions."""

import random
import sys
from itertools import permutations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from elmo.datasets.columns import bio_spans
from elmo.datasets.coreference import CorefDocument
from elmo.datasets.gap import AmbiguousPronoun
from elmo.tasks.metrics import (
    PRF,
    accuracy,
    b_cubed,
    ceaf_phi4,
    coref_scores,
    gap_scores,
    muc,
    normalize_answer,
    refers_to,
    span_scores,
    squad_scores,
    srl_arguments,
    srl_scores,
)

# Spans


TAGS = st.sampled_from(["O", *(f"{prefix}-{kind}" for prefix in "BIES" for kind in ("PER", "LOC", "MISC-X"))])
TAGGED = st.lists(st.lists(st.tuples(TAGS, TAGS), max_size=12), min_size=1, max_size=4)


@settings(max_examples=150, deadline=None)
@given(TAGGED)
def test_spans_match_seqeval(sentences: list[list[tuple[str, str]]]) -> None:
    """Compare on random tags, most of them ill formed."""
    from seqeval.metrics.sequence_labeling import get_entities, precision_recall_fscore_support

    gold, predicted = ([[pair[side] for pair in sentence] for sentence in sentences] for side in (0, 1))
    for tags in gold:
        assert bio_spans(tags) == [(kind, start, last + 1) for kind, start, last in get_entities(tags)]
    spans = ([bio_spans(tags) for tags in gold], [bio_spans(tags) for tags in predicted])
    if not any(map(any, spans)):
        return  # seqeval cannot score empty input
    ours = span_scores(*spans)
    theirs = precision_recall_fscore_support(gold, predicted, average="micro", zero_division=0)
    assert (ours.precision, ours.recall, ours.f1) == pytest.approx([100 * score for score in theirs[:3]])


def test_span_scores() -> None:
    gold = [[("A", 0, 2), ("B", 3, 4)], [], [("A", 1, 2)]]
    predicted = [[("A", 0, 2), ("B", 3, 5)], [("B", 0, 1)], {("B", 1, 2)}]
    assert span_scores(gold, predicted) == PRF(correct=1, predicted=4, gold=3)
    score = PRF(1, 4, 3)
    assert (score.precision, score.recall, score.f1) == pytest.approx((25, 100 / 3, 200 / 7))
    empty = span_scores([], [])
    assert (empty.precision, empty.recall, empty.f1) == (0, 0, 0)
    with pytest.raises(ValueError, match="gold has 3 sentences, the predictions have 2"):
        span_scores(gold, predicted[:2])


def test_accuracy() -> None:
    assert accuracy(["a", "b", "c", "d"], ["a", "b", "c", "x"]) == 75
    assert accuracy([], []) == 0
    with pytest.raises(ValueError, match="gold has 1 items, the predictions have 2"):
        accuracy([1], [1, 2])


# Semantic roles


def test_continuations_are_part_of_one_argument() -> None:
    spans = [("A1", 0, 2), ("V", 2, 3), ("C-A1", 3, 4), ("C-V", 4, 5), ("R-A1", 5, 6), ("C-A1", 6, 8)]
    assert srl_arguments(spans) == {("A1", ((0, 2), (3, 4), (6, 8))), ("R-A1", ((5, 6),))}
    assert srl_arguments(reversed(spans)) == srl_arguments(spans)


def test_continuation_of_the_nearest_or_of_none() -> None:
    assert srl_arguments([("A0", 0, 1), ("A0", 2, 3), ("C-A0", 4, 5)]) == {("A0", ((0, 1),)), ("A0", ((2, 3), (4, 5)))}
    # srl-eval.pl: "continuation phrase without heading phrase: turned into regular argument"
    assert srl_arguments([("C-A0", 0, 1), ("C-A0", 2, 3)]) == {("A0", ((0, 1), (2, 3)))}
    assert srl_arguments([("C-A0", 0, 1), ("A0", 2, 3)]) == {("A0", ((0, 1),)), ("A0", ((2, 3),))}
    assert srl_arguments([("C-R-A0", 0, 1)]) == {("R-A0", ((0, 1),))}
    assert srl_arguments([("C-V", 0, 1)]) == set()


def test_srl_scores() -> None:
    gold = [[("A0", 0, 1), ("V", 1, 2), ("A1", 2, 4), ("C-A1", 5, 6)], [("V", 0, 1), ("R-A0", 3, 4)]]
    assert srl_scores(gold, gold) == PRF(3, 3, 3)
    half = [[("A0", 0, 1), ("V", 1, 2), ("A1", 2, 4)], [("V", 0, 2), ("A0", 3, 4)]]  # a part is missing, and an R-
    assert srl_scores(gold, half) == PRF(1, 3, 3)
    apart = [[("A0", 0, 1), ("V", 1, 2), ("A1", 2, 4), ("A1", 5, 6)], []]  # two arguments instead of one
    assert srl_scores(gold, apart) == PRF(1, 3, 3)
    with pytest.raises(ValueError, match="gold has 2 predicates"):
        srl_scores(gold, half[:1])


# Question answering


@pytest.mark.parametrize(
    ("text", "normal"),
    [
        ("The  Quick-brown\tfox.", "quickbrown fox"),
        ("a an the", ""),
        ("A. Theatre, an anthem", "theatre anthem"),
        ("“Ünïcode” — L'été", "“ünïcode” — lété"),
        ("the-end", "theend"),
        ("", ""),
    ],
)
def test_normalize_answer(text: str, normal: str) -> None:
    assert normalize_answer(text) == normal


def test_squad_scores() -> None:
    assert squad_scores(["the cat"], [["dog", "Cat!"]]) == (100, 100)
    exact, f1 = squad_scores(["a big black cat", "no"], [["black cat", "dog"], ["yes"]])
    assert exact == 0
    assert f1 == pytest.approx(100 * (2 * 2 / 5) / 2)  # 3 words against 2, 2 in common
    assert squad_scores(["cat cat"], [["cat"]])[1] == pytest.approx(200 / 3)  # repeated words count repeatedly
    assert squad_scores(["", "...", "x"], [[""], ["the"], [""]]) == pytest.approx((200 / 3, 200 / 3))
    assert squad_scores([], []) == (0, 0)
    with pytest.raises(ValueError, match="2 predictions for 1 questions"):
        squad_scores(["a", "b"], [["a"]])
    with pytest.raises(ValueError, match="question 0 has no gold answer"):
        squad_scores(["a"], [[]])


WORDS = st.sampled_from(
    ["the", "a", "An", "cat", "Cat", "İ", "ß", "été", "…", "--", "'s", "a.", "​", " ", "東", "٣", ""]
)
ANSWER = st.lists(WORDS, max_size=5).flatmap(lambda words: st.sampled_from([" ".join(words), "".join(words)]))
ANSWER = st.one_of(ANSWER, st.text(max_size=8))


@settings(max_examples=100, deadline=None)
@given(st.lists(st.tuples(ANSWER, st.lists(ANSWER, min_size=1, max_size=3)), min_size=1, max_size=4))
def test_squad_scores_match_torchmetrics(questions: list[tuple[str, list[str]]]) -> None:
    from torchmetrics.functional.text import squad

    predictions, answers = [prediction for prediction, _ in questions], [gold for _, gold in questions]
    theirs = squad(
        [{"prediction_text": text, "id": str(i)} for i, text in enumerate(predictions)],
        [{"answers": {"answer_start": [0] * len(a), "text": a}, "id": str(i)} for i, a in enumerate(answers)],
    )
    assert squad_scores(predictions, answers) == pytest.approx(
        (theirs["exact_match"].item(), theirs["f1"].item()), rel=1e-5
    )


# Coreference


def clusters(text: str) -> list[set[str]]:
    """``"abc de"`` is two clusters of letters."""
    return [set(word) for word in text.split()]


@pytest.mark.parametrize(
    ("measure", "gold", "predicted", "precision", "recall"),
    [
        # After Vilain et al., 1995: a key of 3 links in two parts keeps 2, and so on.
        (muc, "abcd", "ab cd", 2 / 2, 2 / 3),
        (muc, "ab cd", "abcd", 2 / 3, 2 / 2),
        (muc, "abcd", "ab d", 1 / 1, 1 / 3),
        (muc, "abc", "ac", 1 / 1, 1 / 2),
        (muc, "bcdegh ijk", "abc defgh ij", 5 / 7, 5 / 7),
        # Bagga and Baldwin, 1998: 5, 2 and 5 mentions, and two responses that MUC cannot tell apart.
        (muc, "abcde fg hijkl", "abcde fghijkl", 9 / 10, 1),
        (muc, "abcde fg hijkl", "abcdehijkl fg", 9 / 10, 1),
        (b_cubed, "abcde fg hijkl", "abcde fghijkl", (5 + (4 + 25) / 7) / 12, 1),  # 76.2
        (b_cubed, "abcde fg hijkl", "abcdehijkl fg", ((25 + 25) / 10 + 2) / 12, 1),  # 58.3
        # Luo, 2005, the same key: these, all in one, and each alone.
        (ceaf_phi4, "abcde fg hijkl", "abcde fghijkl", (1 + 10 / 12) / 2, (1 + 10 / 12) / 3),  # F1 .733
        (ceaf_phi4, "abcde fg hijkl", "abcdehijkl fg", (10 / 15 + 1) / 2, (10 / 15 + 1) / 3),  # F1 .667
        (ceaf_phi4, "abcde fg hijkl", "abcdefghijkl", 10 / 17, 10 / 17 / 3),  # F1 .294
        (ceaf_phi4, "abcde fg hijkl", "a b c d e f g h i j k l", (2 * 2 / 6 + 2 / 3) / 12, (2 * 2 / 6 + 2 / 3) / 3),
        # Pradhan et al., 2014, whose response has mentions that the key lacks.
        (muc, "abc defg", "ab cd fghi", 2 / 5, 2 / 5),
        (b_cubed, "abc defg", "ab cd fghi", (2 + 1 + 1) / 8, (5 / 3 + 5 / 4) / 7),
        (ceaf_phi4, "abc defg", "ab cd fghi", (4 / 5 + 4 / 8) / 3, (4 / 5 + 4 / 8) / 2),
    ],
)
def test_coreference_examples_of_the_papers(
    measure, gold: str, predicted: str, precision: float, recall: float
) -> None:
    score = measure([clusters(gold)], [clusters(predicted)])
    assert score.precision == pytest.approx(100 * precision)
    assert score.recall == pytest.approx(100 * recall)
    assert score.f1 == pytest.approx(200 * precision * recall / (precision + recall))


def test_coref_scores_by_name() -> None:
    """Score the example of Pradhan et al., 2014."""
    scores = coref_scores([clusters("abc defg")], [clusters("ab cd fghi")], singletons=True)
    assert scores == pytest.approx(
        {
            "muc": 40,
            "muc_precision": 40,
            "muc_recall": 40,
            "b_cubed": 500 / 11,
            "b_cubed_precision": 50,
            "b_cubed_recall": 500 / 12,
            "ceaf": 52,
            "ceaf_precision": 130 / 3,
            "ceaf_recall": 65,
            "average": (40 + 500 / 11 + 52) / 3,
        }
    )


def random_clusters(seed: int, most: int = 12) -> list[list[tuple[int, int]]]:
    """Return random mentions (start, end) in random clusters, including singletons."""
    dice = random.Random(seed)
    mentions = [(start, start + length) for start in range(6) for length in (1, 2)]
    found: dict[int, list[tuple[int, int]]] = {}
    for mention in dice.sample(mentions, dice.randint(0, most)):
        found.setdefault(dice.randint(0, 4), []).append(mention)
    return list(found.values())


SIDES = ([random_clusters(seed) for seed in range(40)], [random_clusters(1000 + seed) for seed in range(40)])


def test_ceaf_is_the_best_of_all_alignments() -> None:
    for gold, predicted in zip(*SIDES, strict=True):
        few, many = sorted((gold, predicted), key=len)
        best = max(
            sum(2 * len(set(a) & set(b)) / (len(a) + len(b)) for a, b in zip(few, order, strict=True))
            for order in permutations(many, len(few))
        )
        score = ceaf_phi4([gold], [predicted])
        assert score.recall_numerator == pytest.approx(best)
        assert (score.recall_denominator, score.precision_denominator) == (len(gold), len(predicted))


def test_b_cubed_is_its_definition_mention_by_mention() -> None:
    for gold, predicted in zip(*SIDES, strict=True):
        in_gold = {mention: set(cluster) for cluster in gold for mention in cluster}
        in_predicted = {mention: set(cluster) for cluster in predicted for mention in cluster}
        shared = [len(in_gold[m] & in_predicted.get(m, set())) / len(in_gold[m]) for m in in_gold]
        score = b_cubed([gold], [predicted])
        assert score.recall == pytest.approx(100 * sum(shared) / len(shared) if shared else 0)


def test_muc_is_its_definition_by_partition() -> None:
    for gold, predicted in zip(*SIDES, strict=True):
        place = {mention: i for i, cluster in enumerate(predicted) for mention in cluster}
        parts = [len({place.get(mention, mention) for mention in cluster}) for cluster in gold]
        score = muc([gold], [predicted])
        assert score.recall_numerator == sum(map(len, gold)) - sum(parts)
        assert score.recall_denominator == sum(map(len, gold)) - len(gold)


@pytest.mark.parametrize("measure", [muc, b_cubed, ceaf_phi4])
def test_coreference_laws(measure) -> None:
    gold, predicted = SIDES
    forth, back = measure(gold, predicted), measure(predicted, gold)
    assert (forth.precision, forth.recall, forth.f1) == pytest.approx((back.recall, back.precision, back.f1))
    same = measure(gold, [document[::-1] for document in gold])
    assert (same.precision, same.recall, same.f1) == pytest.approx((100, 100, 100))
    # counts are summed over documents before the division
    parts = [measure([a], [b]) for a, b in zip(gold, predicted, strict=True)]
    assert forth.precision_numerator == pytest.approx(sum(part.precision_numerator for part in parts))
    assert forth.recall_denominator == sum(part.recall_denominator for part in parts)
    # nothing on one side or both
    for pair in (([], []), ([[]], [[]]), ([[]], [clusters("ab c")]), ([clusters("ab c")], [[]]), ([[[]]], [[[]]])):
        score = measure(*pair)
        assert (score.precision, score.recall, score.f1) == (0, 0, 0)
    with pytest.raises(ValueError, match="gold has 1 documents, the predictions have 0"):
        measure([[]], [])
    with pytest.raises(ValueError, match="predictions, document 1: the mention b is in 2 clusters"):
        measure([[], []], [[], clusters("ab bc")])


def test_singletons_are_dropped_on_demand() -> None:
    gold, predicted = [clusters("abc d"), clusters("x")], [clusters("ab c e"), clusters("x")]
    bare = coref_scores([clusters("abc"), []], [clusters("ab"), []], singletons=True)
    assert coref_scores(gold, predicted, singletons=False) == bare
    assert coref_scores(gold, predicted, singletons=True)["ceaf"] != bare["ceaf"]
    assert set(bare) == {
        f"{name}{part}" for name in ("muc", "b_cubed", "ceaf") for part in ("", "_precision", "_recall")
    } | {"average"}
    twice = coref_scores([[["a", "a"]]], [[["a"]]], singletons=False)  # the same mention twice
    assert set(twice.values()) == {0}


def test_ceaf_without_scipy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "scipy.optimize", None)
    with pytest.raises(ValueError, match=r"elmo-torch\[tasks\]"):
        ceaf_phi4([clusters("ab")], [clusters("ab")])


# GAP


def test_gap_mentions_may_be_part_of_a_name_or_have_a_title() -> None:
    pronoun, name = (20, 21), (5, 7)
    for mention in [(5, 7), (6, 7), (5, 6), (4, 7)]:
        assert refers_to([[mention, pronoun]], pronoun, name)
        assert not refers_to([[mention], [pronoun]], pronoun, name)
    for mention in [(3, 7), (5, 8), (4, 6), (7, 8)]:
        assert not refers_to([[mention, pronoun]], pronoun, name)
    assert not refers_to([], pronoun, name)


def test_gap_scores_by_gender() -> None:
    def example(masculine: bool, *refers: bool) -> AmbiguousPronoun:
        return AmbiguousPronoun(CorefDocument("", [], []), (9, 10), ((0, 1), (2, 3)), (refers[0], refers[1]), masculine)

    examples = [example(True, True, False), example(True, False, True), example(False, True, False)]
    predictions = [[[(0, 1), (9, 10)]], [[(0, 1), (9, 10)]], [[(0, 1), (2, 3), (9, 10)]]]
    scores = gap_scores(examples, predictions)
    assert scores["F1 masculine"] == pytest.approx(50)  # precision 1 of 2, recall 1 of 2
    assert scores["F1 feminine"] == pytest.approx(100 * 2 / 3)
    assert scores["F1"] == pytest.approx(100 * 2 * (2 / 4) * (2 / 3) / (2 / 4 + 2 / 3))
    assert scores["bias"] == pytest.approx(4 / 3)
    assert gap_scores(examples, [[], [], []])["bias"] == 0
