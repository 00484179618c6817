"""The scores that tasks are judged by, counted as the official scripts do; all in percent, 0 to 100.

A score with nothing to divide by is 0. Spans are (label, start, end) with the end exclusive.
"""

import importlib
import re
import string
from collections import Counter
from collections.abc import Callable, Collection, Hashable, Iterable, Sequence, Set
from dataclasses import dataclass
from typing import Any, TypeVar

Span = tuple[str, int, int]
"""Label, first position, position after the last."""
Argument = tuple[str, tuple[tuple[int, int], ...]]
"""A semantic role: its label, and the (start, end) of each of its pieces."""
Clusters = Sequence[Collection[Hashable]]
"""The clusters of one document. A mention is anything that compares, as a rule (start, end)."""

T = TypeVar("T")


def _percent(part: float, whole: float) -> float:
    return 100 * part / whole if whole else 0.0


def _harmonic(a: float, b: float) -> float:
    return 2 * a * b / (a + b) if a + b else 0.0


def _pairs(gold: Iterable[T], predicted: Iterable[T], what: str) -> list[tuple[T, T]]:
    gold, predicted = list(gold), list(predicted)
    if len(gold) != len(predicted):
        raise ValueError(f"gold has {len(gold)} {what}, the predictions have {len(predicted)}")
    return list(zip(gold, predicted, strict=True))


def accuracy(gold: Sequence[object], predicted: Sequence[object]) -> float:
    """Share of the items that are predicted as gold has them."""
    pairs = _pairs(gold, predicted, "items")
    return _percent(sum(a == b for a, b in pairs), len(pairs))


# Chunks: named entities, phrases


@dataclass(frozen=True)
class PRF:
    """Counts of things found, and the precision, recall and F1 that follow."""

    correct: int
    predicted: int
    gold: int

    @property
    def precision(self) -> float:
        """Share of the predicted that is correct."""
        return _percent(self.correct, self.predicted)

    @property
    def recall(self) -> float:
        """Share of gold that was found."""
        return _percent(self.correct, self.gold)

    @property
    def f1(self) -> float:
        """Harmonic mean of precision and recall."""
        return _harmonic(self.precision, self.recall)


_OPENING, _CLOSING = frozenset("BSU"), frozenset("ESLU")


def bio_spans(labels: Sequence[str]) -> list[Span]:
    """The chunks of a sentence's tags, as conlleval counts them.

    Takes IOB1, BIO (IOB2), BIOES and BILOU tags, well formed or not. A chunk opens at B, S and U, and at any
    tag after O, after a chunk's end (E, L, S, U) or after another type; so ``I-X`` after O opens one.
    """
    spans: list[Span] = []
    kind, start, is_open = "", 0, False
    before = "O"
    for place, label in enumerate([*labels, "O"]):
        prefix, _, new_kind = label.partition("-")
        if prefix not in {"B", "I", "E", "S", "L", "U"} and label != "O":
            raise ValueError(f"the tag {label!r} is neither O nor one of B-, I-, E-, S-, L-, U-")
        opens = label != "O" and (not is_open or prefix in _OPENING or before in _CLOSING or new_kind != kind)
        if is_open and (opens or label == "O"):
            spans.append((kind, start, place))
        if opens:
            kind, start = new_kind, place
        is_open, before = label != "O", prefix
    return spans


def span_scores(gold: Iterable[Collection[Span]], predicted: Iterable[Collection[Span]]) -> PRF:
    """Exact matches of spans, summed over the sentences; label and both ends must be right."""
    return _matches([(set(a), set(b)) for a, b in _pairs(gold, predicted, "sentences")])


def span_scores_by_label(gold: Iterable[Collection[Span]], predicted: Iterable[Collection[Span]]) -> dict[str, PRF]:
    """The same for each label by itself, in the order of the alphabet."""
    correct: Counter[str] = Counter()
    n_predicted: Counter[str] = Counter()
    n_gold: Counter[str] = Counter()
    for a, b in _pairs(gold, predicted, "sentences"):
        n_gold.update(label for label, _, _ in set(a))
        n_predicted.update(label for label, _, _ in set(b))
        correct.update(label for label, _, _ in set(a) & set(b))
    return {label: PRF(correct[label], n_predicted[label], n_gold[label]) for label in sorted(n_gold | n_predicted)}


def _matches(pairs: Sequence[tuple[Set[Hashable], Set[Hashable]]]) -> PRF:
    return PRF(sum(len(a & b) for a, b in pairs), sum(len(b) for _, b in pairs), sum(len(a) for a, _ in pairs))


# Semantic roles


def srl_arguments(spans: Iterable[Span]) -> set[Argument]:
    """The arguments of one predicate, as srl-eval.pl (CoNLL-2005) makes them of its spans.

    ``C-X`` continues the nearest ``X`` before it: the two are pieces of one argument ``X``. Where there is no
    ``X`` before, it is an ``X`` itself. ``R-X`` is a label like any other. The verb, ``V`` with its ``C-V``, is
    left out, for it is given.
    """
    arguments: list[tuple[str, list[tuple[int, int]]]] = []
    latest: dict[str, list[tuple[int, int]]] = {}
    for label, start, end in sorted(spans, key=lambda span: span[1:]):
        kind = label.removeprefix("C-")
        if kind != label and kind in latest:
            latest[kind].append((start, end))
        else:
            latest[kind] = [(start, end)]
            arguments.append((kind, latest[kind]))
    return {(kind, tuple(pieces)) for kind, pieces in arguments if kind != "V"}


def srl_scores(gold: Iterable[Collection[Span]], predicted: Iterable[Collection[Span]]) -> PRF:
    """Arguments found, summed over the predicates, as srl-eval.pl counts them; one collection a predicate.

    An argument in several pieces counts as one, and is right when its label and all its pieces are.
    """
    return _matches([(srl_arguments(a), srl_arguments(b)) for a, b in _pairs(gold, predicted, "predicates")])


# Answers to questions


_ARTICLES = re.compile(r"\b(a|an|the)\b")
_NO_PUNCTUATION = str.maketrans("", "", string.punctuation)


def normalise_answer(text: str) -> str:
    """An answer as SQuAD compares it: lower case, no ASCII punctuation, no a, an, the, single spaces."""
    return " ".join(_ARTICLES.sub(" ", text.lower().translate(_NO_PUNCTUATION)).split())


def squad_scores(predictions: Sequence[str], answers: Sequence[Sequence[str]]) -> tuple[float, float]:
    """Exact match and F1 of the words, means over the questions; the best of a question's answers counts.

    Where nothing is left of an answer after ``normalise_answer``, F1 is exact match, as in SQuAD 2's script
    (the first one gave 0 even to equals).
    """
    if len(predictions) != len(answers):
        raise ValueError(f"{len(predictions)} predictions for {len(answers)} questions")
    exact = f1 = 0.0
    for place, (prediction, choices) in enumerate(zip(predictions, answers, strict=True)):
        if not choices:
            raise ValueError(f"question {place} has no gold answer (an empty one is written '')")
        found = normalise_answer(prediction)
        wanted = [normalise_answer(choice) for choice in choices]
        exact += found in wanted
        f1 += max(_word_f1(found.split(), choice.split()) for choice in wanted)
    return _percent(exact, len(predictions)), _percent(f1, len(predictions))


def _word_f1(found: list[str], wanted: list[str]) -> float:
    if not found or not wanted:
        return float(found == wanted)
    return 2 * (Counter(found) & Counter(wanted)).total() / (len(found) + len(wanted))


# Coreference


@dataclass(frozen=True)
class CorefScore:
    """Precision and recall as two fractions, summed over the documents before they are divided."""

    precision_part: float
    precision_whole: float
    recall_part: float
    recall_whole: float

    @property
    def precision(self) -> float:
        """How much of the predicted is right."""
        return _percent(self.precision_part, self.precision_whole)

    @property
    def recall(self) -> float:
        """How much of gold was found."""
        return _percent(self.recall_part, self.recall_whole)

    @property
    def f1(self) -> float:
        """Harmonic mean of precision and recall."""
        return _harmonic(self.precision, self.recall)


_Document = list[frozenset[Hashable]]


def muc(gold: Sequence[Clusters], predicted: Sequence[Clusters]) -> CorefScore:
    """Links (Vilain et al., 1995): how many of a cluster's least links survive in the other partition.

    A cluster of one mention has no link and does not count.
    """
    return _both_ways(gold, predicted, _muc)


def b_cubed(gold: Sequence[Clusters], predicted: Sequence[Clusters]) -> CorefScore:
    """Mentions (Bagga and Baldwin, 1998): the share of each one's cluster that is in its other cluster.

    A mention that the other side lacks has nothing in common with it.
    """
    return _both_ways(gold, predicted, _b_cubed)


def ceaf_phi4(gold: Sequence[Clusters], predicted: Sequence[Clusters]) -> CorefScore:
    """Clusters (Luo, 2005, "CEAF-e"): the best one-to-one alignment, two clusters' likeness being their Dice.

    Needs scipy.
    """
    part, n_predicted, n_gold = 0.0, 0, 0
    for a, b in _documents(gold, predicted):
        likeness = [[2 * len(one & other) / (len(one) + len(other)) for other in b] for one in a]
        if a and b:
            part += sum(likeness[i][j] for i, j in _alignment(likeness))
        n_gold += len(a)
        n_predicted += len(b)
    return CorefScore(part, n_predicted, part, n_gold)


def coref_scores(gold: Sequence[Clusters], predicted: Sequence[Clusters], singletons: bool) -> dict[str, float]:
    """F1 of MUC, B-cubed and CEAF-e and their mean, the CoNLL score, with the precision and recall of each.

    ``singletons=False`` drops the clusters of one mention on both sides first: CoNLL-2012 does not annotate
    them. The keys are ``muc``, ``muc_precision``, ``muc_recall``, the same for ``b_cubed`` and ``ceaf``, and
    ``average``.
    """
    least = 1 if singletons else 2
    gold, predicted = (
        [[cluster for cluster in document if len(set(cluster)) >= least] for document in side]
        for side in (gold, predicted)
    )
    scores: dict[str, float] = {}
    f1s: list[float] = []
    for name, measure in (("muc", muc), ("b_cubed", b_cubed), ("ceaf", ceaf_phi4)):
        score = measure(gold, predicted)
        scores |= {name: score.f1, f"{name}_precision": score.precision, f"{name}_recall": score.recall}
        f1s.append(score.f1)
    return scores | {"average": sum(f1s) / len(f1s)}


def _both_ways(
    gold: Sequence[Clusters],
    predicted: Sequence[Clusters],
    measure: Callable[[_Document, _Document], tuple[float, float]],
) -> CorefScore:
    """Sum a measure of recall over the documents, and with the sides swapped, which is precision."""
    documents = _documents(gold, predicted)
    recalls = [measure(a, b) for a, b in documents]
    precisions = [measure(b, a) for a, b in documents]
    return CorefScore(
        sum(part for part, _ in precisions),
        sum(whole for _, whole in precisions),
        sum(part for part, _ in recalls),
        sum(whole for _, whole in recalls),
    )


def _documents(gold: Sequence[Clusters], predicted: Sequence[Clusters]) -> list[tuple[_Document, _Document]]:
    """Documents in pairs, clusters as sets, none of them empty."""
    pairs = _pairs(gold, predicted, "documents")
    return [
        (_partition(a, f"gold, document {i}"), _partition(b, f"predictions, document {i}"))
        for i, (a, b) in enumerate(pairs)
    ]


def _partition(clusters: Clusters, where: str) -> _Document:
    document = [frozenset(cluster) for cluster in clusters if cluster]
    for mention, times in Counter(mention for cluster in document for mention in cluster).items():
        if times > 1:
            raise ValueError(f"{where}: the mention {mention} is in {times} clusters")
    return document


def _overlaps(cluster: frozenset[Hashable], document: _Document) -> list[int]:
    """How many of the cluster's mentions are in each cluster of the other side, where any."""
    return [n for other in document if (n := len(cluster & other))]


def _muc(document: _Document, other: _Document) -> tuple[float, float]:
    kept = sum(n - 1 for cluster in document for n in _overlaps(cluster, other))
    return kept, sum(len(cluster) - 1 for cluster in document)


def _b_cubed(document: _Document, other: _Document) -> tuple[float, float]:
    shared = sum(n * n / len(cluster) for cluster in document for n in _overlaps(cluster, other))
    return shared, sum(map(len, document))


def _alignment(likeness: list[list[float]]) -> list[tuple[int, int]]:
    """Rows and columns of the one-to-one alignment of the highest sum."""
    try:
        optimize: Any = importlib.import_module("scipy.optimize")
    except ImportError:
        raise ValueError("CEAF needs an extra: pip install 'elmo-torch[tasks]'") from None
    rows, columns = optimize.linear_sum_assignment(likeness, maximize=True)
    return list(zip(rows.tolist(), columns.tolist(), strict=True))
