"""Where vectors come from: a biLM, static vectors, or CoVe. All give named layers of the words of a sentence."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from elmo.datasets.static_vectors import StaticVectors
from elmo.embed.embedder import Embedder

Layers = NDArray[np.float32]
"""The vectors of a sentence's n words in L layers, (L, n, D)."""


class Source(Protocol):
    """Something that turns sentences into layers of vectors."""

    name: str
    dim: int
    """Width D of a vector."""

    @property
    def layer_names(self) -> Sequence[str]:
        """One for each of the L layers."""

    def layers(self, sentences: Iterable[Sequence[str]]) -> Iterator[Layers]:
        """The layers of each sentence, in order; whatever stands before or beside it does not matter."""


class BiLMSource:
    """All layers of a biLM, and their average, which needs no learned weights."""

    def __init__(self, embedder: Embedder, name: str) -> None:
        self.name = name
        self._embedder = embedder
        count = embedder.bilm.config.n_representations
        self.layer_names = ["words", *(f"LSTM {number}" for number in range(1, count)), "average"]
        self.dim = embedder.bilm.config.output_dim

    def layers(self, sentences: Iterable[Sequence[str]]) -> Iterator[Layers]:
        """As many as the biLM has, and the average."""
        for sentence in self._embedder.embed_stream(sentences):
            yield np.concatenate([sentence.layers, sentence.layers.mean(0, keepdims=True)])


class StaticSource:
    """Vectors that do not depend on the context; a word is looked up as it is, then in lower case, else zero."""

    layer_names = ("static",)

    def __init__(self, vectors: StaticVectors, name: str) -> None:
        self.name, self.dim = name, vectors.dim
        self._values = np.concatenate([np.zeros((1, vectors.dim), np.float32), vectors.values])
        self._rows = {word: row for row, word in enumerate(vectors.words, 1)}

    def row(self, word: str) -> int:
        """The row of a word, 0 if it has none."""
        return self._rows.get(word) or self._rows.get(word.lower(), 0)

    def layers(self, sentences: Iterable[Sequence[str]]) -> Iterator[Layers]:
        """A single layer."""
        for sentence in sentences:
            yield self._values[None, [self.row(word) for word in sentence]]
