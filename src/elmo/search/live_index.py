"""All uses of all words of a text, in memory: searched by any mix of a model's layers, while it is still being read.

The vector of a use is a mix of its layers, ``sum_j s_j h_j``, and the weights change with every move of a slider. So
the mixed vectors are never made: their products with a query are mixes of the layers' products, and their lengths come
from the products of each word's layers with each other, which are computed once.

L layers (the words included), N words of the text, D dimensions.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from elmo.paper.probes.maps import principal_components
from elmo.search.index import falling, plain_word, unit

Floats = NDArray[np.float32]
Measure = Literal["cosine", "dot"]
MOST_WORDS, MOST_BYTES = 200_000, 1 << 30
"""Of a text that is kept: so many are searched while somebody waits, and fit in memory."""


class Found(NamedTuple):
    """A use of a word, and how near it is."""

    sentence: tuple[str, ...]
    position: int
    """Of the word in the sentence."""
    similarity: float
    alike: int
    """Uses that this one stands for; more than 1 only where every word is shown once."""


class Point(NamedTuple):
    """A use of a word on a map."""

    sentence: tuple[str, ...]
    position: int
    x: float
    y: float
    similarity: float
    """The cosine to the use that was asked about."""


class WordMap(NamedTuple):
    """The uses of a word on a plane, the one that was asked about first."""

    points: list[Point]
    shares: tuple[float, float]
    """Of the variance, across and up."""
    total: int
    """Uses in the text, of which some may be left out."""


class Uses:
    """The words of a text with their vectors, as far as they have been read: ``pending`` gives what is next to ``add``.

    ``most``: words to keep, fewer if they would not fit in memory; ``cut`` says whether there are more. A sentence that
    comes again is left out.
    """

    def __init__(self, sentences: Iterable[Sequence[str]], layers: int, dim: int, most: int = MOST_WORDS) -> None:
        most = min(most, MOST_BYTES // (4 * layers * dim))
        different: dict[tuple[str, ...], None] = {}
        types: dict[str, int] = {}
        numbers: list[int] = []
        starts = [0]
        self.cut = False
        for sentence in map(tuple, sentences):
            if not sentence or sentence in different:
                continue
            self.cut = len(numbers) + len(sentence) > most
            if self.cut:
                break
            different[sentence] = None
            numbers += (types.setdefault(word, len(types)) for word in sentence)
            starts.append(len(numbers))
        self.sentences = list(different)
        if not numbers:
            raise ValueError("the text has no words to explore")
        self._plain_types = np.array([plain_word(word) for word in types])
        self._numbers = np.array(numbers, np.int64)  # (N,), places in types
        self._starts = np.array(starts, np.int64)  # (sentences + 1,)
        self._vectors = np.zeros((layers, len(numbers), dim), np.float32)
        self._products = np.zeros((len(numbers), layers, layers), np.float32)
        self._sentences_done = 0

    @property
    def words(self) -> int:
        """Of the text."""
        return len(self._numbers)

    @property
    def done(self) -> int:
        """Words that have their vectors; searches look at these."""
        return int(self._starts[self._sentences_done])

    def pending(self, at_once: int) -> Iterator[list[tuple[str, ...]]]:
        """The sentences without vectors, in pieces of about ``at_once`` words."""
        while self._sentences_done < len(self.sentences):
            first = self._sentences_done
            past = int(np.searchsorted(self._starts, self._starts[first] + at_once, "right")) - 1
            yield self.sentences[first : max(past, first + 1)]

    def add(self, vectors: Iterable[Floats]) -> None:
        """The vectors (L, n, D) of the next sentences. Searches may go on meanwhile: they see them afterwards."""
        count = 0
        for number, layers in enumerate(vectors, self._sentences_done):
            here = slice(self._starts[number], self._starts[number + 1])
            self._vectors[:, here] = layers
            self._products[here] = np.einsum("ind,jnd->nij", layers, layers)
            count += 1
        self._sentences_done += count

    def search(
        self,
        query: Floats,
        weights: Floats,
        k: int,
        *,
        word: str | None = None,
        measure: Measure = "cosine",
        once_a_word: bool = False,
        exclude: Sequence[str] = (),
    ) -> list[Found]:
        """The uses nearest to a use with layers ``query`` (L, D), by the mix with ``weights`` (L,), the nearest first.

        ``word``: uses of this word only, whatever its case. ``once_a_word``: one use of each different word, for layers
        without context, in which all uses of a word are the same. ``exclude``: a sentence that does not count.
        """
        rows = np.arange(self.done) if word is None else self._rows(word)
        similarities = self._similarities(query, weights, rows, measure)
        excluded = tuple(exclude)
        counts = np.bincount(self._numbers[rows]) if once_a_word else None
        found: list[Found] = []
        seen: set[int] = set()
        for place in falling(np.round(similarities, 6)):
            row = int(rows[place])
            number = int(np.searchsorted(self._starts, row, "right")) - 1
            key = int(self._numbers[row]) if once_a_word else number
            if key in seen or self.sentences[number] == excluded:
                continue
            seen.add(key)
            alike = 1 if counts is None else int(counts[key])
            position = row - int(self._starts[number])
            found.append(Found(self.sentences[number], position, float(similarities[place]), alike))
            if len(found) == k:
                break
        return found

    def count(self, word: str) -> int:
        """How often a word has been read, whatever its case."""
        return len(self._rows(word))

    def map(
        self, query: Floats, weights: Floats, sentence: Sequence[str], position: int, most: int = 400
    ) -> WordMap | None:
        """The uses of a word along their two main directions, by the mix with ``weights`` (L,).

        The use at a position of a sentence, with layers ``query`` (L, D), comes first. Of more than ``most`` others, so
        many are taken, evenly. None: there is no other use.
        """
        rows = self._rows(sentence[position])
        numbers = np.searchsorted(self._starts, rows, "right") - 1
        itself = [
            self.sentences[number] == tuple(sentence) and row - self._starts[number] == position
            for row, number in zip(rows, numbers, strict=True)
        ]
        rows, numbers = rows[np.logical_not(itself)], numbers[np.logical_not(itself)]
        total = len(rows) + 1
        if not len(rows):
            return None
        chosen = np.unique(np.linspace(0, len(rows) - 1, min(most, len(rows))).astype(np.int64))
        rows, numbers = rows[chosen], numbers[chosen]
        mixed = np.tensordot(weights, self._vectors[:, rows], 1)  # (n, D)
        vectors = unit(np.concatenate([(weights @ query)[None], mixed]))
        scores, shares = principal_components(vectors, 2)
        plane = np.zeros((len(vectors), 2))
        plane[:, : scores.shape[1]] = scores  # all in one place, or on a line, where they have no other direction
        uses = [(tuple(sentence), position)] + [
            (self.sentences[number], int(row - self._starts[number])) for row, number in zip(rows, numbers, strict=True)
        ]
        cosines = vectors @ vectors[0]
        points = [
            Point(words, place, float(x), float(y), float(cosine))
            for (words, place), (x, y), cosine in zip(uses, plane, cosines, strict=True)
        ]
        across, up = [*(float(share) for share in shares), 0.0, 0.0][:2]
        return WordMap(points, (across, up), total)

    def _rows(self, word: str) -> NDArray[np.int64]:
        """Where a word has been read, whatever its case."""
        same = self._plain_types == plain_word(word)
        return np.flatnonzero(same[self._numbers[: self.done]])

    def _similarities(
        self, query: Floats, weights: Floats, rows: NDArray[np.int64], measure: Measure
    ) -> NDArray[np.float32]:
        """Of the mixed vectors of some words with the mixed query, (rows,)."""
        mixed = weights @ query  # (D,)
        everything = len(rows) == self.done
        scores = np.zeros(len(rows), np.float32)
        for weight, vectors in zip(weights, self._vectors, strict=True):
            if weight:
                scores += weight * ((vectors[: len(rows)] if everything else vectors[rows]) @ mixed)
        if measure == "dot":
            return scores
        squares = np.einsum("nij,i,j->n", self._products[rows], weights, weights)
        lengths = np.sqrt(np.maximum(squares, 0)) * np.linalg.norm(mixed)
        return (scores / np.where(lengths > 0, lengths, 1)).astype(np.float32)


def mix_weights(raw: Sequence[float]) -> Floats:
    """The weights s_j of a mix from raw ones: their softmax."""
    exponents = np.exp(np.array(raw, np.float64) - max(raw))
    return (exponents / exponents.sum()).astype(np.float32)


def cosines(first: Floats, second: Floats) -> Floats:
    """Of all words of one sentence (n, D) with all of another (m, D): (n, m)."""
    return unit(first) @ unit(second).T
