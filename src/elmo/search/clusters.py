"""Clusters of the occurrences of a word, and the words that are typical of each.

Clusters come from k-means. Their number is chosen by the silhouette (Rousseeuw 1987), compared with that of data of
the same spread without clusters: k-means splits any cloud of points, and a split counts only if it is clearer than
chance. Clusters are patterns of usage: grammar and capitalization separate occurrences as much as senses do.
"""

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from itertools import permutations
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from elmo.search.vectors import Floats

Ints = NDArray[np.int64]
N_COMPONENTS = 10
"""Principal components in which clusters are found. The others are mostly noise, in which all points are far apart."""
MIN_OCCURRENCES = 5
MAX_CLUSTERS = 6
NULL_SAMPLES = 20
"""Random samples without clusters to compare with. All must be less clear, which happens by chance once in 21 times."""
PHRASES = ((1, 0), (0, 1), (2, 0), (0, 2), (1, 1))
"""How many words before and after a word its phrases have."""
CONTEXT = 4
"""Number of positions on each side of a word in which the other words of its contexts are taken."""


class Clusters(NamedTuple):
    """The clusters of some points."""

    labels: Ints
    """The cluster of each point, from 0, the largest, (n,)."""
    silhouette: float | None
    """How well separated the clusters are, from -1 to 1; None for a single one."""

    def centers(self, points: Floats) -> Floats:
        """Return the mean of the points (n, d) of each cluster, (k, d)."""
        return np.stack([points[self.labels == number].mean(0) for number in range(self.labels.max() + 1)])


def cluster(points: Floats, seed: int) -> Clusters:
    """Cluster points (n, d).

    Of 2 to ``MAX_CLUSTERS`` clusters, the number is chosen whose silhouette exceeds by most the mean of random samples
    from a normal distribution with the same variances. If any of those samples exceeds the mean as much at any number,
    there is only one cluster, without a silhouette.
    """
    rng = np.random.default_rng(seed)
    numbers = range(2, min(MAX_CLUSTERS, len(points) - 1) + 1)
    # The points come first, and then the random samples to compare with. All are clustered together, to save time.
    samples = np.concatenate([points[None], rng.normal(size=(NULL_SAMPLES, *points.shape)) * points.std(0)])
    apart = [distances(sample, sample) for sample in samples]
    found = [k_means(samples, k, rng) for k in numbers]  # (S, n) each
    silhouettes = np.array(
        [[mean_silhouette(one, labels) for one, labels in zip(apart, of_k, strict=True)] for of_k in found]
    )  # (number of k, S)
    chance = silhouettes[:, 1:]
    excess = silhouettes[:, 0] - chance.mean(1)
    best = int(excess.argmax())
    if excess[best] <= (chance - chance.mean(1, keepdims=True)).max():
        return Clusters(np.zeros(len(points), np.int64), None)
    labels = found[best][0]
    by_size = np.argsort(-np.bincount(labels), kind="stable")
    return Clusters(np.argsort(by_size)[labels], float(silhouettes[best, 0]))


def k_means(points: Floats, k: int, rng: np.random.Generator, restarts: int = 4) -> Ints:
    """Return the best of several runs of Lloyd's algorithm, initialized by k-means++ (Arthur & Vassilvitskii 2007).

    Args:
        points: Several sets of points, (S, n, d), or one, (n, d).
        k: Number of clusters.
        rng: Where random numbers come from.
        restarts: Number of runs for each set.

    Returns:
        The cluster of each point, (S, n) or (n,).
    """
    if points.ndim == 2:
        one: Ints = k_means(points[None], k, rng, restarts)[0]
        return one
    runs = np.repeat(points, restarts, axis=0)  # (R, n, d)
    every = np.arange(len(runs))
    centers = runs[every, rng.integers(runs.shape[1], size=len(runs))][:, None]  # (R, 1, d)
    while centers.shape[1] < k:  # prefer points far from the centers chosen so far
        weights = np.cumsum(np.square(distances(runs, centers)).min(2) + 1e-12, axis=1)  # (R, n)
        chosen = (weights >= rng.random(len(runs))[:, None] * weights[:, -1:]).argmax(1)
        centers = np.concatenate([centers, runs[every, chosen][:, None]], 1)
    for _ in range(100):
        labels = distances(runs, centers).argmin(2)  # (R, n)
        members = (labels[..., None] == np.arange(k)).astype(runs.dtype)  # (R, n, k)
        sizes = members.sum(1)[..., None]  # (R, k, 1)
        moved = np.where(sizes > 0, members.transpose(0, 2, 1) @ runs / np.maximum(sizes, 1), centers)
        if np.array_equal(moved, centers):
            break
        centers = moved
    inertia = np.square(distances(runs, centers)).min(2).sum(1).reshape(-1, restarts)
    best: Ints = labels.reshape(len(points), restarts, -1)[np.arange(len(points)), inertia.argmin(1)]
    return best


def mean_silhouette(apart: Floats, labels: Ints) -> float:
    """Return how much closer points are to their own cluster than to the next one, from their distances (n, n).

    A point that is alone in its cluster counts as 0.
    """
    members = labels[:, None] == np.unique(labels)  # (n, k)
    sizes = members.sum(0)
    sums = apart @ members  # (n, k)
    own = np.where(members, sums, 0).sum(1) / np.maximum((members * sizes).sum(1) - 1, 1)
    other = np.where(members, np.inf, sums / sizes).min(1)
    alone = (members * sizes).sum(1) == 1
    return float(np.where(alone, 0, (other - own) / np.maximum(np.maximum(own, other), 1e-30)).mean())


def distances(points: Floats, others: Floats) -> Floats:
    """Return all distances between points (..., n, d) and (..., m, d), as (..., n, m)."""
    products = points @ np.swapaxes(others, -1, -2)
    squares = np.square(points).sum(-1)[..., :, None] + np.square(others).sum(-1)[..., None, :] - 2 * products
    return np.sqrt(np.maximum(squares, 0))


def nearby_words(words: Sequence[str], position: int, width: int = 3) -> set[str]:
    """Return the alphabetic words within ``width`` positions of a word, in lower case."""
    near = words[max(0, position - width) : position + 1 + width]
    return {word.lower() for word in near if word.isalpha()} - {words[position].lower()}


def contexts(
    words: Sequence[str],
    position: int,
    frequent: Collection[str],
    spaced: Sequence[bool] | None = None,
) -> set[str]:
    """Return phrases of two and three words with a word, and the rarer words near it, in lower case.

    Args:
        words: The sentence.
        position: Position of the word.
        frequent: Words that say little unless they are part of a phrase, in lower case.
        spaced: Which words follow a space; None for all. The others, such as the particles of a Korean noun, are only
            taken as part of a phrase, and do not begin it.
    """
    gaps = [" "] * len(words) if spaced is None else [" " * gap for gap in spaced]
    found = set()
    for before, after in PHRASES:
        places = range(max(0, position - before), min(len(words), position + 1 + after))
        if len(places) > 1 and gaps[places[0]] and all(words[place].isalpha() for place in places):
            found.add("".join(gaps[place] + words[place] for place in places).strip().lower())
    attached = {word.lower() for word, gap in zip(words, gaps, strict=True) if not gap}
    return found | (nearby_words(words, position, CONTEXT) - attached - set(frequent))


def typical_contexts(groups: Sequence[Sequence[Collection[str]]], max_contexts: int) -> list[list[str]]:
    """Return the ``contexts`` that are typical of each of several groups, best first; none is a part of another.

    A context describes only the group that it is most typical of, and only if one in ten of that group has it.

    Args:
        groups: The contexts of each occurrence in each group.
        max_contexts: Maximum number of contexts for a group.
    """
    found = []
    for number, inside in enumerate(groups):
        outside = [context for other in (*groups[:number], *groups[number + 1 :]) for context in other]
        found.append(_excess(inside, outside, min_count=max(2, len(inside) / 10)))
    best = {context: max(range(len(groups)), key=lambda n: found[n].get(context, 0)) for of in found for context in of}
    chosen: list[list[str]] = []
    for number, excess in enumerate(found):
        own: list[str] = []
        for context in _ranked(excess):
            parts = (f" {one} " in f" {other} " for known in own for one, other in permutations((known, context)))
            if best[context] == number and not any(parts):
                own.append(context)
        chosen.append(own[:max_contexts])
    return chosen


def typical_words(inside: Sequence[Collection[str]], outside: Sequence[Collection[str]], max_words: int) -> list[str]:
    """Return words that occur more often in the contexts of one group than in those of the others, best first.

    Args:
        inside: The distinct words in each context of the group; see ``nearby_words``.
        outside: Those in the contexts of all other groups.
        max_words: Maximum number of words.
    """
    return _ranked(_excess(inside, outside))[:max_words]


def _excess(
    inside: Sequence[Collection[str]], outside: Sequence[Collection[str]], min_count: float = 2
) -> dict[str, float]:
    """Return how much more often words occur inside than outside, of those that do.

    The difference is in standard deviations, so that words that are frequent everywhere do not win.
    """
    own = Counter(word for context in inside for word in context)
    rest = Counter(word for context in outside for word in context)
    total, others = len(inside) + len(outside), max(1, len(outside))
    excess: dict[str, float] = {}
    for word, count in own.items():
        rate, more = (count + rest[word]) / total, count / len(inside) - rest[word] / others
        if count >= min_count and rate < 1 and more > 0:
            excess[word] = more / (rate * (1 - rate)) ** 0.5
    return excess


def _ranked(excess: Mapping[str, float]) -> list[str]:
    return sorted(excess, key=lambda word: (-excess[word], word))
