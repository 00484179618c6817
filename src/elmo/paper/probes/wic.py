"""Whether a word has the same sense in two sentences, from the similarity of its vectors (word in context, WiC).

Nothing is trained but a threshold: the cosine of the two vectors says "same" if it is at least as large as a threshold,
which is the best one on the training data. A target of several tokens has the mean of their vectors. All vectors of a
layer are standardized first, feature by feature, with the mean and deviation of the training occurrences, because a few
large features that all words share would otherwise dominate the cosine.

Static vectors cannot tell the occurrences of a word apart. So there is a second baseline, which knows the context: the
mean of the static vectors of all words of the sentence.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from elmo.datasets.korean import TokenizedPair
from elmo.paper.probes.representations import Representation

SENTENCE = "mean of the sentence"


@dataclass(frozen=True)
class ContextScore:
    """The accuracies of one layer, in percent."""

    source: str
    layer: str
    threshold: float
    """Two occurrences with at least this cosine have the same sense."""
    accuracy: dict[str, float]
    """By split; the threshold is chosen on the training data."""


def compare_occurrences(
    representation: Representation,
    splits: Mapping[str, Sequence[TokenizedPair]],
    whole_sentences: bool = False,
    progress: Callable[[str, int, int], Any] = lambda source, done, total: None,
) -> list[ContextScore]:
    """Compare the two occurrences of each pair in every layer.

    Args:
        representation: The vectors.
        splits: The pairs by split, with "train" among them.
        whole_sentences: Compare the means of the sentences, rather than the target words.
        progress: Called with the name of the representation and the number of sentences done and in total.
    """
    pairs = [pair for split in splits.values() for pair in split]
    vectors = _vectors(representation, pairs, whole_sentences, progress)  # (pairs, 2, L, D)
    same = np.array([pair.same for pair in pairs])
    ends = np.cumsum([len(split) for split in splits.values()])
    parts = {name: slice(end - len(splits[name]), end) for name, end in zip(splits, ends.tolist(), strict=True)}
    scores = []
    for number, layer in enumerate(representation.layer_names):
        cosines = _cosines(vectors[:, :, number], parts["train"])
        threshold = best_threshold(cosines[parts["train"]], same[parts["train"]])
        right = (cosines >= threshold) == same
        accuracy = {name: 100 * float(right[part].mean()) for name, part in parts.items()}
        named = f"{layer}, {SENTENCE}" if whole_sentences else layer
        scores.append(ContextScore(representation.name, named, threshold, accuracy))
    return scores


def best_threshold(scores: NDArray[np.float64], same: NDArray[np.bool_]) -> float:
    """Return the threshold with the most correct answers; of several, the lowest. "Same" is at or above it."""
    candidates = np.unique(scores)  # ascending
    thresholds = np.concatenate([candidates[:1], (candidates[1:] + candidates[:-1]) / 2, candidates[-1:] + 1])
    order = np.argsort(scores, kind="stable")
    below = np.searchsorted(scores[order], thresholds, side="left")  # number of scores below each threshold
    same_below = np.concatenate([[0], np.cumsum(same[order])])[below]
    correct = (below - same_below) + (same.sum() - same_below)
    return float(thresholds[correct.argmax()])


def _cosines(vectors: NDArray[np.float32], train: slice) -> NDArray[np.float64]:
    """Return the cosine of each pair, (pairs, 2, D) to (pairs,), after standardizing."""
    flat = vectors[train].reshape(-1, vectors.shape[-1])
    deviation = flat.std(0)
    standardized = (vectors - flat.mean(0)) / np.where(deviation > 1e-6, deviation, 1)
    lengths = np.linalg.norm(standardized, axis=-1)
    products = np.einsum("pd,pd->p", standardized[:, 0], standardized[:, 1])
    # Rounded, because equal vectors must have equal cosines. A word without a vector is like no other.
    cosines: NDArray[np.float64] = np.round(products / np.maximum(lengths.prod(1), 1e-12), 6).astype(np.float64)
    return cosines


def _vectors(
    representation: Representation,
    pairs: Sequence[TokenizedPair],
    whole_sentences: bool,
    progress: Callable[[str, int, int], Any],
) -> NDArray[np.float32]:
    """Return the vectors of both occurrences of each pair, (pairs, 2, L, D)."""
    occurrences = [occurrence for pair in pairs for occurrence in pair.occurrences]
    found = np.empty((len(occurrences), len(representation.layer_names), representation.dim), np.float32)
    for index, layers in enumerate(representation.layers(one.words for one in occurrences)):  # (L, n, D)
        start, end = (0, layers.shape[1]) if whole_sentences else occurrences[index].span
        found[index] = layers[:, start:end].mean(1)
        progress(representation.name, index + 1, len(occurrences))
    return found.reshape(len(pairs), 2, *found.shape[1:])
