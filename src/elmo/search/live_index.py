"""An in-memory index of a text, searched by any mix of a model's layers while the text is still being embedded.

A word's vector is a weighted sum of its layers, ``sum_j s_j h_j``, and the weights change with every request. So the
mixed vectors are never stored: their dot products with a query are sums of the layers' dot products, and their lengths
follow from the dot products of each word's layers with one another, which are computed once.

L layers (including the token layer), N words of text, D dimensions.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from elmo.config import TokenizerName
from elmo.search.clusters import MIN_OCCURRENCES, N_COMPONENTS, cluster, contexts, distances, typical_contexts
from elmo.search.occurrences import Distinct, Neighbor, Occurrences, RowIds
from elmo.search.vectors import Floats, principal_components, unit
from elmo.text.alignment import spacing
from elmo.text.tokens import tokenizer as tokenizer_named

Vectors = NDArray[np.float32]
Measure = Literal["cosine", "dot"]
MAX_WORDS, MAX_BYTES = 200_000, 1 << 30
"""Limits of a text: it is searched while a user waits for the answer, and its vectors must fit in memory."""
CLUSTERED = 120
"""Number of occurrences of a word that are clustered; of more, the others are assigned to the clusters of these."""
TYPICAL_CONTEXTS = 3
"""Number of phrases and words that describe a cluster."""
FREQUENT_WORDS = 60
"""Number of the most frequent words of the text, which describe a cluster only as part of a phrase."""


class TypedWord(NamedTuple):
    """An occurrence of a word in a sentence that is not part of the text."""

    words: tuple[str, ...]
    """The sentence."""
    position: int
    """Position of the word in the sentence."""
    vectors: Vectors
    """The layers of the word, (L, D)."""


class MapPoint(NamedTuple):
    """An occurrence of a word on a map."""

    words: tuple[str, ...]
    """The sentence."""
    spaced: tuple[bool, ...] | None
    """Which of its words follow a space; None for a sentence that is not part of the text."""
    position: int
    """Position of the word in the sentence."""
    x: float
    y: float
    similarity: float
    """Cosine similarity to the occurrence that was asked about."""
    typed: bool
    """Whether the occurrence is one of those given with the request."""
    cluster: int
    """Its cluster, from 0, the largest."""


class MapCluster(NamedTuple):
    """Occurrences of a word on a map that are used in a similar way."""

    size: int
    """Number of occurrences on the map."""
    contexts: list[str]
    """What is typical of them: phrases with the word, and words near it; may be empty."""
    center: int
    """Number of the point that is closest to the center of the cluster."""


class WordMap(NamedTuple):
    """The occurrences of a word projected to two dimensions, starting with the one that was asked about."""

    points: list[MapPoint]
    clusters: list[MapCluster]
    """The largest first; a single one if the occurrences do not fall into several."""
    explained_variance: tuple[float, float]
    """Fraction of the variance along each axis."""
    total: int
    """Number of occurrences, of which the map may show a sample."""


class LiveIndex:
    """The words of a text and the vectors of those embedded so far.

    ``pending`` yields the sentences to embed next, and ``add`` takes their vectors. Repeated sentences are skipped.

    Args:
        sentences: The text: strings, whose spacing is remembered, or lists of words.
        n_layers: Number of layers L of the model.
        dim: Dimension D of a vector.
        max_words: Maximum number of words to index; fewer if their vectors would not fit in memory.
        tokenizer: How strings are split into words.

    Attributes:
        sentences: The distinct sentences.
        spacing: Which words of each sentence follow a space; all words of one that was given as a list.
        truncated: Whether the text is longer than what is indexed.
    """

    def __init__(
        self,
        sentences: Iterable[str | Sequence[str]],
        n_layers: int,
        dim: int,
        max_words: int = MAX_WORDS,
        tokenizer: TokenizerName = "words",
    ) -> None:
        max_words = min(max_words, MAX_BYTES // (4 * n_layers * dim))
        split = tokenizer_named(tokenizer).words
        self.spacing: dict[tuple[str, ...], tuple[bool, ...]] = {}
        count = 0
        self.truncated = False
        for sentence in sentences:
            words = tuple(split(sentence) if isinstance(sentence, str) else sentence)
            if not words or words in self.spacing:
                continue
            self.truncated = count + len(words) > max_words
            if self.truncated:
                break
            self.spacing[words] = spacing(sentence, words) if isinstance(sentence, str) else (True,) * len(words)
            count += len(words)
        self.sentences = list(self.spacing)
        self._text = Occurrences.of(self.sentences)
        self._vectors = np.zeros((n_layers, count, dim), np.float32)
        self._products = np.zeros((count, n_layers, n_layers), np.float32)
        self._sentences_embedded = 0

    @property
    def n_words(self) -> int:
        """Number of words in the text."""
        return len(self._text.word_ids)

    @property
    def n_embedded(self) -> int:
        """Number of words that have vectors; these are searched."""
        return int(self._text.offsets[self._sentences_embedded])

    def pending(self, batch_words: int) -> Iterator[list[tuple[str, ...]]]:
        """Yield the sentences without vectors in batches of about ``batch_words`` words."""
        offsets = self._text.offsets
        while self._sentences_embedded < len(self.sentences):
            first = self._sentences_embedded
            end = int(np.searchsorted(offsets, offsets[first] + batch_words, "right")) - 1
            yield self.sentences[first : max(end, first + 1)]

    def add(self, vectors: Iterable[Vectors]) -> None:
        """Add the vectors (L, n, D) of the next sentences. A search that runs meanwhile does not see them yet."""
        count = 0
        for number, layers in enumerate(vectors, self._sentences_embedded):
            rows = slice(self._text.offsets[number], self._text.offsets[number + 1])
            self._vectors[:, rows] = layers
            self._products[rows] = np.einsum("ind,jnd->nij", layers, layers)
            count += 1
        self._sentences_embedded += count

    def search(
        self,
        query: Vectors,
        weights: Vectors,
        k: int,
        *,
        word: str | None = None,
        measure: Measure = "cosine",
        distinct: Distinct = "sentence",
        exclude_sentence: Sequence[str] | None = None,
    ) -> list[Neighbor]:
        """Find the ``k`` occurrences nearest to a word by a mix of its layers, the nearest first.

        Args:
            query: The vectors of the word, (L, D).
            weights: The weights of the mix, (L,).
            k: Number of neighbors.
            word: Search only occurrences of this word, in any case.
            measure: Compare by cosine or by dot product.
            distinct: Return at most one occurrence per sentence, or per distinct word. The latter suits the token
                layer, in which all occurrences of a word have the same vector.
            exclude_sentence: Skip this sentence.
        """
        rows = np.arange(self.n_embedded) if word is None else self._rows_of(word)
        similarities = self._similarities(query, weights, rows, measure)
        return self._text.nearest(similarities, rows, k, exclude=exclude_sentence, distinct=distinct)

    def count(self, word: str) -> int:
        """Return how often a word has been embedded, in any case."""
        return len(self._rows_of(word))

    def map(self, typed: Sequence[TypedWord], weights: Vectors, max_points: int = 400) -> WordMap | None:
        """Project the occurrences of a word to their first two principal components, by a mix of layers.

        Occurrences that are used in a similar way are in the same cluster.

        Args:
            typed: Occurrences outside of the text; the first is the one that is asked about.
            weights: The weights of the mix, (L,).
            max_points: Maximum number of occurrences in the text; of more, an evenly spaced sample is shown.

        Returns:
            The map, which starts with the typed occurrences, or None if there is only one occurrence.
        """
        shown = [(word.words, word.position) for word in typed]
        word = typed[0].words[typed[0].position]
        located = [(int(row), *self._text.locate(int(row))) for row in self._rows_of(word)]
        found = [(row, self.sentences[number], place) for row, number, place in located]
        found = [(row, words, place) for row, words, place in found if (words, place) not in shown]
        total = len(typed) + len(found)
        if total == 1:
            return None
        chosen = np.unique(np.linspace(0, len(found) - 1, min(max_points, len(found))).astype(np.int64))
        found = [found[number] for number in chosen]
        shown += [(words, place) for _, words, place in found]
        layers = np.concatenate(
            [np.stack([word.vectors for word in typed], 1), self._vectors[:, [row for row, _, _ in found]]], 1
        )  # (L, n, D)
        vectors = unit(np.tensordot(weights, layers, 1))
        coordinates, explained = principal_components(vectors, N_COMPONENTS)
        plane = np.zeros((len(vectors), 2))  # identical vectors are all at 0, and collinear ones on a line
        plane[:, : coordinates.shape[1]] = coordinates[:, :2]
        # Without context, occurrences differ in spelling only.
        labels = _cluster(coordinates) if weights[1:].any() else np.zeros(len(vectors), np.int64)
        cosines = vectors @ vectors[0]
        points = [
            MapPoint(
                words=words,
                spaced=self.spacing.get(words),
                position=place,
                x=float(plane[number, 0]),
                y=float(plane[number, 1]),
                similarity=float(cosines[number]),
                typed=number < len(typed),
                cluster=int(labels[number]),
            )
            for number, (words, place) in enumerate(shown)
        ]
        across, up = [*map(float, explained), 0.0, 0.0][:2]
        return WordMap(points, self._describe_clusters(points, coordinates), (across, up), total)

    def _describe_clusters(self, points: Sequence[MapPoint], coordinates: Floats) -> list[MapCluster]:
        """Describe the clusters of points by their typical contexts."""
        count = max(point.cluster for point in points) + 1
        members = [[place for place, point in enumerate(points) if point.cluster == number] for number in range(count)]
        near = [contexts(point.words, point.position, self._frequent_words, spaced=point.spaced) for point in points]
        typical = typical_contexts([[near[place] for place in own] for own in members], TYPICAL_CONTEXTS)
        found = []
        for own, described in zip(members, typical, strict=True):
            from_center = np.linalg.norm(coordinates[own] - coordinates[own].mean(0), axis=1)
            found.append(MapCluster(len(own), described, own[int(from_center.argmin())]))
        return found

    @cached_property
    def _frequent_words(self) -> frozenset[str]:
        counts = Counter(word.lower() for sentence in self.sentences for word in sentence)
        return frozenset(word for word, _ in counts.most_common(FREQUENT_WORDS))

    def _rows_of(self, word: str) -> RowIds:
        """Return the rows of a word, in any case, that have vectors."""
        return self._text.rows_of(word, end=self.n_embedded)

    def _similarities(self, query: Vectors, weights: Vectors, rows: RowIds, measure: Measure) -> Vectors:
        """Compare the mixed query with the mixed vectors of some rows, (rows,)."""
        mixed = weights @ query  # (D,)
        everything = len(rows) == self.n_embedded
        scores = np.zeros(len(rows), np.float32)
        for weight, vectors in zip(weights, self._vectors, strict=True):
            if weight:
                scores += weight * ((vectors[: len(rows)] if everything else vectors[rows]) @ mixed)
        if measure == "dot":
            return scores
        squares = np.einsum("nij,i,j->n", self._products[rows], weights, weights)
        lengths = np.sqrt(np.maximum(squares, 0)) * np.linalg.norm(mixed)
        return (scores / np.where(lengths > 0, lengths, 1)).astype(np.float32)


def _cluster(coordinates: Floats) -> NDArray[np.int64]:
    """Return the cluster of each point (n, d), (n,). Of many points, a sample is clustered, to save time."""
    if len(coordinates) < MIN_OCCURRENCES or coordinates.shape[1] < 2:
        return np.zeros(len(coordinates), np.int64)
    chosen = np.unique(np.linspace(0, len(coordinates) - 1, min(CLUSTERED, len(coordinates))).astype(np.int64))
    sample = coordinates[chosen]
    labels = distances(coordinates, cluster(sample, seed=1).centers(sample)).argmin(1)
    by_size = np.argsort(-np.bincount(labels), kind="stable")
    numbered: NDArray[np.int64] = np.argsort(by_size)[labels]
    return numbered


def mix_weights(logits: Sequence[float]) -> Vectors:
    """Return the weights s_j of a mix: the softmax of its parameters."""
    exponents = np.exp(np.array(logits, np.float64) - max(logits))
    return (exponents / exponents.sum()).astype(np.float32)
