"""Sentence embeddings as a step of a scikit-learn pipeline.

    from elmo.interop.sklearn import ELMoVectorizer

    classifier = make_pipeline(ELMoVectorizer(), LogisticRegression())

The vectorizer stores the name of a model, not the model itself, so it is cheap to clone, pickle and send to other
processes. The model is loaded on first use, once per process, however many copies of the vectorizer use it.
"""

import functools
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, get_args

import numpy as np
from numpy.typing import NDArray

from elmo.config import Layers, Pool, Tokenize
from elmo.embed.embedder import Embedder, load
from elmo.embed.select import Selection
from elmo.validation import checked_choice, checked_count, checked_sentences

try:
    from sklearn.base import BaseEstimator, ClassNamePrefixFeaturesOutMixin, TransformerMixin
except ImportError as error:
    raise ImportError("elmo.interop.sklearn needs an extra package: pip install 'elmo-torch[sklearn]'") from error

MAX_LOADED_MODELS = 2
"""Number of models that a process keeps loaded; the least recently used one is dropped first."""


class ELMoVectorizer(ClassNamePrefixFeaturesOutMixin, TransformerMixin, BaseEstimator):
    """Transform sentences, each a string or a list of words, to a matrix with one row per sentence.

    Nothing is learned from the data, so ``transform`` works without ``fit``.

    Args:
        model: Name of a bundled model, folder, or Hub id, as for ``elmo.load``.
        layers: "top", "average", the index of one layer, or "all" layers concatenated.
        pool: "mean" or "max" over the words of a sentence. A sentence without words becomes a row of zeros.
        tokenize: How strings are split into words; see ``Embedder.embed``.
        batch_tokens: Number of tokens per batch; None chooses it for the device. It affects speed and memory only.
        device: Device to compute on.
    """

    def __init__(
        self,
        model: str | Path | None = None,
        *,
        layers: Layers = "average",
        pool: Pool = "mean",
        tokenize: Tokenize = "model",
        batch_tokens: int | None = None,
        device: str = "cpu",
    ) -> None:
        self.model = model
        self.layers = layers
        self.pool = pool
        self.tokenize = tokenize
        self.batch_tokens = batch_tokens
        self.device = device

    def fit(self, X: Iterable[str | Sequence[str]], y: object = None) -> "ELMoVectorizer":
        """Check the parameters. The sentences are not read: there is nothing to learn from them."""
        self._checked_embedder()
        return self

    def transform(self, X: Iterable[str | Sequence[str]]) -> NDArray[np.float32]:
        """Return the sentence vectors, (n, D), or (n, (L+1) * D) for all layers."""
        embedder = self._checked_embedder()
        sentences = list(checked_sentences(X, embedder.tokenizer(self.tokenize).words))
        matrix = np.empty((len(sentences), self._n_features_out), np.float32)
        stream = embedder.embed_stream(sentences, self.layers, self.pool, batch_tokens=self.batch_tokens)
        for row, sentence in zip(matrix, stream, strict=True):
            row[:] = sentence.layers.ravel()
        return matrix

    @property
    def _n_features_out(self) -> int:
        """Number of columns, from which scikit-learn makes their names (``elmovectorizer0``, ...)."""
        config = self._checked_embedder().config
        return config.output_dim * (config.n_representations if self.layers == "all" else 1)

    def _checked_embedder(self) -> Embedder:
        """Check all parameters and return the model."""
        if self.pool is None:
            raise ValueError("pool must be mean or max, because each row of the matrix is a single vector")
        if self.batch_tokens is not None:
            checked_count("batch_tokens", self.batch_tokens)
        checked_choice("tokenize", self.tokenize, get_args(Tokenize))
        if not isinstance(self.model, str | Path | None):
            raise ValueError(f"model must be a name, a path or None, not {type(self.model).__name__}")
        model = None if self.model is None else str(self.model)
        embedder = _load_once(model, self.device, _last_modified(model))
        Selection(self.layers, self.pool, embedder.config.n_representations)
        return embedder

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.string = True
        tags.input_tags.two_d_array = False
        tags.requires_fit = False
        return tags


@functools.lru_cache(maxsize=MAX_LOADED_MODELS)
def _load_once(model: str | None, device: str, last_modified: int) -> Embedder:
    """Load a model once for all vectorizers of a process; a grid search creates dozens of them."""
    return load(model, device=device)


def _last_modified(model: str | None) -> int:
    """Return when a local model was last modified, so that a folder that changes is loaded again."""
    if model is None or not (path := Path(model)).exists():
        return 0
    return max(file.stat().st_mtime_ns for file in (path, *path.glob("*")))
