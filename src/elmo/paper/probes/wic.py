"""Whether a word has the same sense in two sentences, from the similarity of its vectors (word in context, WiC).

Nothing is trained but a threshold: the cosine of the two vectors says "same" if it is at least as large as a threshold,
which is the best one on the training data. A target of several tokens has the mean of their vectors. All vectors of a
layer are standardized first, feature by feature, with the mean and deviation of the training occurrences, because a few
large features that all words share would otherwise dominate the cosine.

A vector also encodes the word itself, which is the same in both sentences. How much of the vector that is varies from
word to word, so one threshold does not suit all words. Without this part, it does better: the vector of the word in the
sentence minus its vector as a sentence of its own is mostly what the context contributes.

Static vectors cannot tell the occurrences of a word apart. So there is a second baseline, which knows the context: the
mean of the static vectors of all words of the sentence. The cosine of two sentences can be added to that of two words.
"""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from elmo.datasets.korean import TokenizedPair
from elmo.paper.probes.representations import TOKEN_LAYER, Representation

SENTENCE, CONTEXT = "mean of the sentence", "minus the word alone"

Compared = Literal["words", "contexts", "sentences"]
"""The vectors of a pair: of the target words; of their contexts, which are the vectors of the target words minus those
of the same words as sentences of their own; or the means of the sentences."""
_LABELS: Mapping[Compared, str] = {"words": "", "contexts": f", {CONTEXT}", "sentences": f", {SENTENCE}"}

Splits = Mapping[str, Sequence[TokenizedPair]]
"""The pairs by split, with "train" among them."""


@dataclass(frozen=True)
class ContextScore:
    """How well one layer tells whether the senses are the same."""

    source: str
    layer: str
    threshold: float
    """Two occurrences with at least this cosine have the same sense. It is chosen on the training data."""
    right: dict[str, NDArray[np.bool_]]
    """Whether each pair of a split is judged correctly."""

    @property
    def accuracy(self) -> dict[str, float]:
        """The percentage of correct answers, by split."""
        return {split: 100 * float(right.mean()) for split, right in self.right.items()}

    def deviation_of_gain(self, baseline: "ContextScore", split: str) -> float:
        """Return the standard deviation of the difference of two accuracies in percent, measured on the same pairs."""
        right, before = self.right[split], baseline.right[split]
        return 100 * math.sqrt((right != before).sum() - (right.sum() - before.sum()) ** 2 / len(right)) / len(right)


def layer_cosines(
    representation: Representation,
    splits: Splits,
    compared: Compared = "words",
    progress: Callable[[str, int, int], Any] = lambda source, done, total: None,
) -> dict[str, NDArray[np.float64]]:
    """Return the cosine of the two occurrences of each pair, all splits one after another, by layer.

    Args:
        representation: The vectors.
        splits: The pairs.
        compared: Which vectors. The token layer has no contexts, because it does not depend on them.
        progress: Called with the name of the representation and the number of sentences done and in total.
    """
    pairs = [pair for split in splits.values() for pair in split]
    vectors = _vectors(representation, pairs, compared, progress)  # (pairs, 2, L, D)
    train = _parts(splits)["train"]
    return {
        f"{layer}{_LABELS[compared]}": _cosines(vectors[:, :, number], train)
        for number, layer in enumerate(representation.layer_names)
        if not (compared == "contexts" and layer == TOKEN_LAYER)
    }


def score_cosines(source: str, layer: str, cosines: NDArray[np.float64], splits: Splits) -> ContextScore:
    """Choose the threshold of cosines on the training pairs, and judge all pairs by it."""
    same = np.array([pair.same for split in splits.values() for pair in split])
    parts = _parts(splits)
    threshold = best_threshold(cosines[parts["train"]], same[parts["train"]])
    right = (cosines >= threshold) == same
    return ContextScore(source, layer, threshold, {name: right[part] for name, part in parts.items()})


def _parts(splits: Splits) -> dict[str, slice]:
    """Return where each split is among all pairs."""
    ends = np.cumsum([len(split) for split in splits.values()]).tolist()
    return {name: slice(end - len(splits[name]), end) for name, end in zip(splits, ends, strict=True)}


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
    compared: Compared,
    progress: Callable[[str, int, int], Any],
) -> NDArray[np.float32]:
    """Return the vectors of both occurrences of each pair, (pairs, 2, L, D)."""
    occurrences = [occurrence for pair in pairs for occurrence in pair.occurrences]

    def means(sentences: Sequence[Sequence[str]], spans: Sequence[tuple[int, int]]) -> NDArray[np.float32]:
        found = np.empty((len(spans), len(representation.layer_names), representation.dim), np.float32)
        for index, layers in enumerate(representation.layers(sentences)):  # (L, n, D)
            start, end = spans[index]
            found[index] = layers[:, start:end].mean(1)
            progress(representation.name, index + 1, len(spans))
        return found

    sentences = [one.words for one in occurrences]
    whole = [(0, len(sentence)) for sentence in sentences]
    found = means(sentences, whole if compared == "sentences" else [one.span for one in occurrences])
    if compared == "contexts":
        words = [tuple(one.words[slice(*one.span)]) for one in occurrences]
        rows = {word: row for row, word in enumerate(dict.fromkeys(words))}
        alone = means(list(rows), [(0, len(word)) for word in rows])
        found -= alone[[rows[word] for word in words]]
    return found.reshape(len(pairs), 2, *found.shape[1:])
