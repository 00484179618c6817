"""Evaluation metrics, computed as by the official scripts. All scores are percentages, from 0 to 100.

A score whose denominator is zero is 0.
"""

import importlib
import re
import string
from collections import Counter
from collections.abc import Callable, Collection, Hashable, Iterable, Sequence, Set
from dataclasses import dataclass
from typing import Any, TypeVar

from elmo.datasets.columns import LabeledSpan
from elmo.datasets.coreference import Clusters, Mention
from elmo.datasets.gap import AmbiguousPronoun

Argument = tuple[str, tuple[tuple[int, int], ...]]
"""A semantic role: its label, and the (start, end) of each of its parts."""
Partition = Sequence[Collection[Hashable]]
"""The clusters of one document. A mention is any hashable value, usually (start, end)."""

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
    """Return the percentage of items whose prediction equals gold."""
    pairs = _pairs(gold, predicted, "items")
    return _percent(sum(a == b for a, b in pairs), len(pairs))


# Spans


@dataclass(frozen=True)
class PRF:
    """Counts of correct, predicted and gold items, and the precision, recall and F1 that result from them."""

    correct: int
    predicted: int
    gold: int

    @property
    def precision(self) -> float:
        """Percentage of the predicted items that are correct."""
        return _percent(self.correct, self.predicted)

    @property
    def recall(self) -> float:
        """Percentage of the gold items that were predicted."""
        return _percent(self.correct, self.gold)

    @property
    def f1(self) -> float:
        """Harmonic mean of precision and recall."""
        return _harmonic(self.precision, self.recall)


def span_scores(gold: Iterable[Collection[LabeledSpan]], predicted: Iterable[Collection[LabeledSpan]]) -> PRF:
    """Count the spans whose label and both ends are correct, over all sentences."""
    return _matches([(set(a), set(b)) for a, b in _pairs(gold, predicted, "sentences")])


def _matches(pairs: Sequence[tuple[Set[Hashable], Set[Hashable]]]) -> PRF:
    return PRF(sum(len(a & b) for a, b in pairs), sum(len(b) for _, b in pairs), sum(len(a) for a, _ in pairs))


# Semantic roles


def srl_arguments(spans: Iterable[LabeledSpan]) -> set[Argument]:
    """Return the arguments of a predicate, as srl-eval.pl (CoNLL-2005) derives them from its spans.

    ``C-X`` continues the nearest ``X`` before it: the two are parts of one argument ``X``. Without an ``X`` before it,
    it is an ``X`` itself. ``R-X`` is a label like any other. The verb (``V`` and ``C-V``) is given and left out.
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
    return {(kind, tuple(parts)) for kind, parts in arguments if kind != "V"}


def srl_scores(gold: Iterable[Collection[LabeledSpan]], predicted: Iterable[Collection[LabeledSpan]]) -> PRF:
    """Count the correct arguments over all predicates, as srl-eval.pl does; one collection of spans per predicate.

    An argument of several parts counts once, and is correct if its label and all its parts are.
    """
    return _matches([(srl_arguments(a), srl_arguments(b)) for a, b in _pairs(gold, predicted, "predicates")])


# Question answering


_ARTICLES = re.compile(r"\b(a|an|the)\b")
_NO_PUNCTUATION = str.maketrans("", "", string.punctuation)


def normalize_answer(text: str) -> str:
    """Normalize an answer as SQuAD does: lowercase, without ASCII punctuation and articles, single spaces."""
    return " ".join(_ARTICLES.sub(" ", text.lower().translate(_NO_PUNCTUATION)).split())


def squad_scores(predictions: Sequence[str], answers: Sequence[Sequence[str]]) -> tuple[float, float]:
    """Return exact match and F1 of words, averaged over the questions. The best of a question's answers counts.

    If nothing is left of an answer after ``normalize_answer``, F1 is exact match, as in the script of SQuAD 2.0. (The
    script of SQuAD 1.1 scores 0, even for equal answers.)
    """
    if len(predictions) != len(answers):
        raise ValueError(f"{len(predictions)} predictions for {len(answers)} questions")
    exact = f1 = 0.0
    for index, (prediction, choices) in enumerate(zip(predictions, answers, strict=True)):
        if not choices:
            raise ValueError(f"question {index} has no gold answer (write an empty answer as '')")
        found = normalize_answer(prediction)
        gold = [normalize_answer(choice) for choice in choices]
        exact += found in gold
        f1 += max(_word_f1(found.split(), choice.split()) for choice in gold)
    return _percent(exact, len(predictions)), _percent(f1, len(predictions))


def _word_f1(found: list[str], gold: list[str]) -> float:
    if not found or not gold:
        return float(found == gold)
    return 2 * (Counter(found) & Counter(gold)).total() / (len(found) + len(gold))


# Coreference


@dataclass(frozen=True)
class CorefScore:
    """The numerators and denominators of precision and recall, summed over documents."""

    precision_numerator: float
    precision_denominator: float
    recall_numerator: float
    recall_denominator: float

    @property
    def precision(self) -> float:
        """Precision in percent."""
        return _percent(self.precision_numerator, self.precision_denominator)

    @property
    def recall(self) -> float:
        """Recall in percent."""
        return _percent(self.recall_numerator, self.recall_denominator)

    @property
    def f1(self) -> float:
        """Harmonic mean of precision and recall."""
        return _harmonic(self.precision, self.recall)


_ClusterSets = list[frozenset[Hashable]]


def muc(gold: Sequence[Partition], predicted: Sequence[Partition]) -> CorefScore:
    """Return the link-based MUC score (Vilain et al., 1995): the links of a cluster that the other partition keeps.

    A cluster with a single mention has no links and does not count.
    """
    return _both_ways(gold, predicted, _muc)


def b_cubed(gold: Sequence[Partition], predicted: Sequence[Partition]) -> CorefScore:
    """Return the mention-based B-cubed score (Bagga and Baldwin, 1998): the overlap of each mention's two clusters.

    A mention that the other partition lacks has no overlap.
    """
    return _both_ways(gold, predicted, _b_cubed)


def ceaf_phi4(gold: Sequence[Partition], predicted: Sequence[Partition]) -> CorefScore:
    """Return the entity-based CEAF score (Luo, 2005): the best one-to-one alignment of clusters by Dice coefficient.

    It requires SciPy.
    """
    total, n_predicted, n_gold = 0.0, 0, 0
    for a, b in _documents(gold, predicted):
        similarity = [[2 * len(one & other) / (len(one) + len(other)) for other in b] for one in a]
        if a and b:
            total += sum(similarity[i][j] for i, j in _alignment(similarity))
        n_gold += len(a)
        n_predicted += len(b)
    return CorefScore(total, n_predicted, total, n_gold)


def coref_scores(gold: Sequence[Partition], predicted: Sequence[Partition], singletons: bool) -> dict[str, float]:
    """Return MUC, B-cubed and CEAF, and the mean of their F1, which is the score of CoNLL-2012.

    Args:
        gold: The gold clusters of each document.
        predicted: The predicted clusters of each document.
        singletons: Whether to score clusters with a single mention, which CoNLL-2012 does not annotate.

    Returns:
        The F1 ``muc``, ``b_cubed`` and ``ceaf``, each also with ``_precision`` and ``_recall``, and ``average``.
    """
    min_size = 1 if singletons else 2
    gold, predicted = (
        [[cluster for cluster in document if len(set(cluster)) >= min_size] for document in side]
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
    gold: Sequence[Partition],
    predicted: Sequence[Partition],
    measure: Callable[[_ClusterSets, _ClusterSets], tuple[float, float]],
) -> CorefScore:
    """Sum a recall measure over the documents. With the sides swapped, it measures precision."""
    documents = _documents(gold, predicted)
    recalls = [measure(a, b) for a, b in documents]
    precisions = [measure(b, a) for a, b in documents]
    return CorefScore(
        sum(numerator for numerator, _ in precisions),
        sum(denominator for _, denominator in precisions),
        sum(numerator for numerator, _ in recalls),
        sum(denominator for _, denominator in recalls),
    )


def _documents(gold: Sequence[Partition], predicted: Sequence[Partition]) -> list[tuple[_ClusterSets, _ClusterSets]]:
    """Return pairs of documents whose clusters are non-empty sets."""
    pairs = _pairs(gold, predicted, "documents")
    return [
        (_partition(a, f"gold, document {i}"), _partition(b, f"predictions, document {i}"))
        for i, (a, b) in enumerate(pairs)
    ]


def _partition(clusters: Partition, where: str) -> _ClusterSets:
    document = [frozenset(cluster) for cluster in clusters if cluster]
    for mention, times in Counter(mention for cluster in document for mention in cluster).items():
        if times > 1:
            raise ValueError(f"{where}: the mention {mention} is in {times} clusters")
    return document


def _overlaps(cluster: frozenset[Hashable], document: _ClusterSets) -> list[int]:
    """Return the sizes of the non-empty intersections of a cluster with the clusters of a document."""
    return [n for other in document if (n := len(cluster & other))]


def _muc(document: _ClusterSets, other: _ClusterSets) -> tuple[float, float]:
    kept = sum(n - 1 for cluster in document for n in _overlaps(cluster, other))
    return kept, sum(len(cluster) - 1 for cluster in document)


def _b_cubed(document: _ClusterSets, other: _ClusterSets) -> tuple[float, float]:
    shared = sum(n * n / len(cluster) for cluster in document for n in _overlaps(cluster, other))
    return shared, sum(map(len, document))


def _alignment(similarity: list[list[float]]) -> list[tuple[int, int]]:
    """Return the rows and columns of the one-to-one alignment with the highest sum."""
    try:
        optimize: Any = importlib.import_module("scipy.optimize")
    except ImportError:
        raise ValueError("the CEAF score requires SciPy: pip install 'elmo-torch[tasks]'") from None
    rows, columns = optimize.linear_sum_assignment(similarity, maximize=True)
    return list(zip(rows.tolist(), columns.tolist(), strict=True))


def gap_scores(examples: Sequence[AmbiguousPronoun], predictions: Sequence[Clusters]) -> dict[str, float]:
    """Score clusters on GAP, as the authors' script does.

    Each example asks two questions: does the pronoun refer to the first name, and to the second?

    Returns:
        The F1 of the answer "yes", overall and for masculine and feminine pronouns, and ``bias``, the ratio of feminine
        to masculine F1.
    """
    answers = [
        (example.masculine, gold, refers_to(clusters, example.pronoun, name))
        for example, clusters in zip(examples, predictions, strict=True)
        for name, gold in zip(example.names, example.refers, strict=True)
    ]

    def f1(*genders: bool) -> float:
        pairs = [(gold, predicted) for masculine, gold, predicted in answers if masculine in genders]
        correct = sum(gold and predicted for gold, predicted in pairs)
        return PRF(correct, sum(predicted for _, predicted in pairs), sum(gold for gold, _ in pairs)).f1

    masculine, feminine = f1(True), f1(False)
    bias = feminine / masculine if masculine else 0.0
    return {"F1": f1(True, False), "F1 masculine": masculine, "F1 feminine": feminine, "bias": bias}


def refers_to(clusters: Clusters, pronoun: Mention, name: Mention) -> bool:
    """Return whether the cluster of the pronoun mentions the name.

    A mention matches a name if it is a part of it, or all of it with at most one word (a title, an article) before it.
    """
    cluster = next((cluster for cluster in clusters if pronoun in cluster), [])
    return any(
        name[0] <= start < end <= name[1] or (start in (name[0] - 1, name[0]) and end == name[1])
        for start, end in cluster
    )
