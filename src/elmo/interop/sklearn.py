"""Sentence vectors as a step of a scikit-learn pipeline.

    from elmo.interop.sklearn import ELMoVectorizer

    classifier = make_pipeline(ELMoVectorizer(), LogisticRegression())

The vectorizer holds the name of a model and never the model itself, so it can be cloned, pickled and sent to other
processes at no cost. The model is read when it is first needed, once a process, however many copies use it.
"""

import functools
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from elmo.config import BATCH_TOKENS, Layers, Pool, Tokenize
from elmo.embed.embedder import Embedder, load, tokenizer
from elmo.embed.select import Choice

try:
    from sklearn.base import BaseEstimator, ClassNamePrefixFeaturesOutMixin, TransformerMixin
except ImportError as error:
    raise ImportError("elmo.interop.sklearn needs an extra: pip install 'elmo-torch[sklearn]'") from error

MODELS_AT_ONCE = 2
"""Models that a process keeps; the one not used for the longest time goes first."""


class ELMoVectorizer(ClassNamePrefixFeaturesOutMixin, TransformerMixin, BaseEstimator):
    """Sentences, each a string or a list of words, to a matrix of one row a sentence.

    ``model``: what ``elmo.load`` takes: the name of a bundled model, a folder, or an id of the Hub.
    ``layers``: the "top" one, the "average", one by its number, or "all" of them side by side.
    ``pool``: the "mean" or "max" over the words of a sentence; a sentence without words is a row of zeros.
    ``tokenize``: how strings become words; "words" is for raw text, "whitespace" for text that is tokenised already.
    ``batch_tokens``: how many positions to compute at once; it changes speed and memory alone.

    Nothing is learned from the data, so ``transform`` works without ``fit``.
    """

    def __init__(
        self,
        model: str | Path | None = None,
        *,
        layers: Layers = "average",
        pool: Pool = "mean",
        tokenize: Tokenize = "words",
        batch_tokens: int = BATCH_TOKENS,
        device: str = "cpu",
    ) -> None:
        self.model = model
        self.layers = layers
        self.pool = pool
        self.tokenize = tokenize
        self.batch_tokens = batch_tokens
        self.device = device

    def fit(self, X: Iterable[str | Sequence[str]], y: object = None) -> "ELMoVectorizer":
        """Check the parameters; there is nothing to learn, and the sentences of a stream can be read only once."""
        self._checked_embedder()
        return self

    def transform(self, X: Iterable[str | Sequence[str]]) -> NDArray[np.float32]:
        """The vectors of sentences, (n, D), or (n, (L+1) * D) for all layers."""
        embedder = self._checked_embedder()
        sentences = _sentences(X)
        matrix = np.empty((len(sentences), self._n_features_out), np.float32)
        stream = embedder.embed_stream(
            sentences, self.layers, self.pool, tokenize=self.tokenize, batch_tokens=self.batch_tokens
        )
        for row, sentence in zip(matrix, stream, strict=True):
            row[:] = sentence.layers.ravel()
        return matrix

    @property
    def _n_features_out(self) -> int:
        """Columns of the matrix; scikit-learn names them by it (``elmovectorizer0``, ...)."""
        config = self._checked_embedder().bilm.config
        return config.output_dim * (config.n_representations if self.layers == "all" else 1)

    def _checked_embedder(self) -> Embedder:
        """The model, when all parameters make sense."""
        if self.pool is None:
            raise ValueError("pool must be mean or max: a row of the matrix is one vector")
        if self.batch_tokens < 1:
            raise ValueError(f"batch_tokens must be at least 1, not {self.batch_tokens}")
        tokenizer(self.tokenize)
        if not isinstance(self.model, str | Path | None):
            raise ValueError(f"model must be a name, a folder or None, not {type(self.model).__name__}")
        model = None if self.model is None else str(self.model)
        embedder = _shared(model, self.device, _last_written(model))
        Choice(self.layers, self.pool, embedder.bilm.config.n_representations)
        return embedder

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.string = True
        tags.input_tags.two_d_array = False
        tags.requires_fit = False
        return tags


@functools.lru_cache(maxsize=MODELS_AT_ONCE)
def _shared(model: str | None, device: str, last_written: int) -> Embedder:
    """One model for all vectorizers of a process: a grid search makes dozens of them."""
    return load(model, device=device)


def _last_written(model: str | None) -> int:
    """When a model on this machine was written last, so that a folder written anew is read anew."""
    if model is None or not (path := Path(model)).exists():
        return 0
    return max(file.stat().st_mtime_ns for file in (path, *path.glob("*")))


def _sentences(X: Iterable[str | Sequence[str]]) -> list[str | list[str]]:
    """Sentences as a list; what is neither text nor words is an error that names its place."""
    if isinstance(X, str):
        raise ValueError("sentences come in a list; put a single one in a list")
    sentences: list[str | list[str]] = []
    for number, sentence in enumerate(X):
        words = list(sentence) if isinstance(sentence, Iterable) else [sentence]
        if not all(isinstance(word, str) for word in words):
            raise ValueError(f"sentence {number} is neither a string nor a list of words: {sentence!r:.60}")
        sentences.append(sentence if isinstance(sentence, str) else words)
    return sentences
