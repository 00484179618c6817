"""Nearest neighbors of a word by static vectors: the same in every sentence, for comparison with those in context."""

from elmo.datasets.static_vectors import StaticVectors
from elmo.search.vectors import descending, unit


class StaticNeighbors:
    """Finds the words with the nearest static vectors. A word is looked up as written, then in lower case."""

    def __init__(self, vectors: StaticVectors, name: str = "static vectors") -> None:
        self.name = name
        self._words = vectors.words
        self._rows = {word: row for row, word in enumerate(vectors.words)}
        self._units = unit(vectors.values)  # (words, D)

    def __contains__(self, word: str) -> bool:
        return word in self._rows or word.lower() in self._rows

    def nearest(self, word: str, k: int = 10) -> list[tuple[str, float]]:
        """Return the ``k`` nearest words with their cosine similarities, the nearest first.

        Raises:
            ValueError: If the word has no vector.
        """
        row = self._rows.get(word, self._rows.get(word.lower()))
        if row is None:
            raise ValueError(f"{word!r} has no static vector")
        similarities = self._units @ self._units[row]
        nearest = [other for other, _ in zip(descending(similarities), range(k + 1), strict=False) if other != row]
        return [(self._words[other], float(similarities[other])) for other in nearest[:k]]
