"""The word representations under study: the layers of a biLM, static vectors, and CoVe, behind one interface."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from elmo.config import TokenizerName
from elmo.datasets.static_vectors import StaticVectors, read_vectors
from elmo.embed.embedder import Embedder, load
from elmo.paper.exhibit import Setup, model_names

LayerVectors = NDArray[np.float32]
"""The vectors of a sentence's n words in L layers, (L, n, D)."""
TOKEN_LAYER, AVERAGE = "token layer", "average"


class Representation(Protocol):
    """A model that represents the words of a sentence by vectors, in one or more layers."""

    name: str
    dim: int
    """Dimension D of a vector."""

    @property
    def layer_names(self) -> Sequence[str]:
        """The names of the L layers."""

    def layers(self, sentences: Iterable[Sequence[str]]) -> Iterator[LayerVectors]:
        """Yield the layers of each sentence, in order. They do not depend on the other sentences."""


class BiLMRepresentation:
    """All layers of a biLM, and their average."""

    def __init__(self, embedder: Embedder, name: str) -> None:
        self.name = name
        self._embedder = embedder
        count = embedder.config.n_representations
        self.layer_names = [TOKEN_LAYER, *(f"LSTM {number}" for number in range(1, count)), AVERAGE]
        self.dim = embedder.config.output_dim
        self.tokenizer = embedder.config.tokenizer

    def layers(self, sentences: Iterable[Sequence[str]]) -> Iterator[LayerVectors]:
        """Yield the biLM's layers and their average for each sentence."""
        for sentence in self._embedder.embed_stream(sentences):
            yield np.concatenate([sentence.layers, sentence.layers.mean(0, keepdims=True)])


class StaticRepresentation:
    """Static vectors, as a single layer. A word is looked up as written, then in lower case; unknown words are zero."""

    layer_names = ("static",)

    def __init__(self, vectors: StaticVectors, name: str) -> None:
        self.name, self.dim = name, vectors.dim
        self._values = np.concatenate([np.zeros((1, vectors.dim), np.float32), vectors.values])
        self._rows = {word: row for row, word in enumerate(vectors.words, 1)}

    def layers(self, sentences: Iterable[Sequence[str]]) -> Iterator[LayerVectors]:
        """Yield the single layer of each sentence."""
        for sentence in sentences:
            yield self._values[None, [self._rows.get(word) or self._rows.get(word.lower(), 0) for word in sentence]]


def load_representations(setup: Setup) -> list[Representation]:
    """Load everything that a setup compares: its static vectors, its CoVe model and its biLMs."""
    from elmo.paper.cove.model import load_cove  # it depends on this module

    found: list[Representation] = []
    if setup.vectors is not None:
        found.append(StaticRepresentation(read_vectors(setup.vectors), setup.vectors.name.split(".txt")[0]))
    if setup.cove is not None:
        found.append(load_cove(setup.cove, setup.device))
    for model, name in zip(setup.models, model_names(setup.models), strict=True):
        found.append(BiLMRepresentation(load(model, device=setup.device), name))
    return found


def tokenizer_of(representations: Sequence[Representation], pretokenized: bool) -> TokenizerName:
    """Return the tokenizer for a text that all of these read: that of the first biLM, unless the text is tokenized."""
    if pretokenized:
        return "whitespace"
    return next((one.tokenizer for one in representations if isinstance(one, BiLMRepresentation)), "words")


def layer_index(representation: Representation, layer: str | int) -> int:
    """Return the index of a layer given as "top", "average", its index, or its name in tables.

    Raises:
        ValueError: If there is no such layer.
    """
    names = list(representation.layer_names)
    if layer == "top":
        return len(names) - 1 - (AVERAGE in names)
    if layer in names:
        return names.index(str(layer))
    n_layers = len(names) - (AVERAGE in names)  # the average is not a layer of the network, so it has no index
    if str(layer).isdecimal() and int(layer) < n_layers:
        return int(layer)
    raise ValueError(f"layer must be top, average or a number from 0 to {n_layers - 1}, not {layer!r}")
