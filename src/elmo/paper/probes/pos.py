"""How much a layer knows about parts of speech: a linear probe for each, after table 6 of Peters et al. (2018).

The probe is a multinomial logistic regression on frozen vectors. It is convex, so that a layer has one answer, which
depends on no seed, no learning rate and no number of epochs: L-BFGS goes on until the loss is provably within a
hundredth of the least one. The L2 penalty is chosen on the development data, from strong to weak, each starting where
the one before ended.
"""

import contextlib
import dataclasses
import math
import tempfile
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from elmo.datasets.conllu import TaggedSentence
from elmo.files import writing
from elmo.paper.probes.sources import Source
from elmo.paper.report import Table

L2S = (1e-1, 3e-2, 1e-2, 3e-3, 1e-3, 3e-4, 1e-4, 3e-5, 1e-5, 3e-6, 1e-6)
"""Penalties to choose from: ``l2 / 2`` times the squared weights is added to the mean loss of a word."""
LEAST_GAIN = 0.05
"""Percent that a weaker penalty must gain on the development data for the search to go on; less is noise."""
PATIENCE = 2
"""How many penalties in turn may gain less before the search ends; the weakest ones cost most of the time."""
TOLERANCE = 0.01
"""A fit ends when its loss is within this share of the least."""
MOST_EVALUATIONS = 3000
HISTORY = 100
"""Steps that L-BFGS remembers. With 20 of them a fit took 40 % more evaluations."""
CHUNK = 8192
"""Words whose scores are computed at once."""

BASELINE = "most frequent tag of the word"
PAPER = "Peters et al. (2018, table 6), first / second layer on WSJ: CoVe 93.3 / 92.8, biLM 97.3 / 96.8."


@dataclass(frozen=True)
class Accuracy:
    """Of tags, in percent."""

    dev: float
    test: float
    unknown: float
    """On the words of the test data that the training data does not have; nan if it has all."""


@dataclass(frozen=True)
class LayerScore:
    """What the probe of one layer finds."""

    source: str
    layer: str
    accuracy: Accuracy
    l2: float
    """The penalty that was best on the development data."""
    tried: tuple[tuple[float, float], ...]
    """Each penalty, and its accuracy on the development data."""
    gap: float
    """The share of the loss by which it can at most be above the least; above ``TOLERANCE``, the fit is unfinished."""
    evaluations: int
    """Of the loss over the training data, for all penalties together."""


@dataclass(frozen=True)
class POSResult:
    """The probes of all layers, and what they were measured on."""

    baseline: Accuracy
    """Of the most frequent tag of each word, and of all for words that the training data does not have."""
    layers: tuple[LayerScore, ...]
    sentences: tuple[int, int, int]
    """In the training, development and test data."""
    words: tuple[int, int, int]
    unknown_words: int
    """How many words of the test data the training data does not have."""
    tags: int
    """How many the training data has; others count as errors."""

    def table(self) -> Table:
        """Accuracy by layer."""
        rows = [[BASELINE, "", *_percent(self.baseline), "–"]]
        for layer in self.layers:
            l2 = f"{layer.l2:g}" + (" (not converged)" if layer.gap > TOLERANCE else "")
            rows.append([layer.source, layer.layer, *_percent(layer.accuracy), l2])
        sentences, words = (" / ".join(f"{n:,}" for n in counts) for counts in (self.sentences, self.words))
        note = (
            f"Accuracy in percent; {self.tags} tags. Train / dev / test: {sentences} sentences, {words} words. "
            f"{self.unknown_words:,} words of the test data are unknown. L2 is chosen on the dev data. {PAPER}"
        )
        head = ("vectors", "layer", "dev", "test", "unknown words (test)", "best L2")
        return Table("Parts of speech by a linear probe (accuracy)", head, rows, note)

    def results(self) -> list[tuple[str, str, float, dict[str, Any]]]:
        """What was measured, the metric, its value and how: for each layer on dev, test and the unknown words."""
        rows: list[tuple[Accuracy, dict[str, Any]]] = [(self.baseline, {"source": BASELINE, "layer": ""})]
        for layer in self.layers:
            details = dataclasses.asdict(layer)
            rows.append((layer.accuracy, {name: details[name] for name in details if name != "accuracy"}))
        return [
            ("pos", "accuracy", value, {"set": name, **details})
            for accuracy, details in rows
            for name, value in dataclasses.asdict(accuracy).items()
            if not math.isnan(value)
        ]


def _percent(accuracy: Accuracy) -> list[str]:
    return ["–" if math.isnan(value) else f"{value:.2f}" for value in dataclasses.astuple(accuracy)]


def probe(
    sources: Sequence[Source],
    train: Sequence[TaggedSentence],
    dev: Sequence[TaggedSentence],
    test: Sequence[TaggedSentence],
    *,
    device: str = "cpu",
    progress: Callable[[str, int, int], Any] = lambda what, done, total: None,
) -> POSResult:
    """Train a probe for each layer of each source.

    ``device`` is where the probes are trained; a source brings its own. ``progress`` is told what is done, and how
    much of how much: words with vectors, then layers. The vectors of a source are kept in a temporary file (set
    TMPDIR for another place than the system's), of which one layer at a time is in memory.
    """
    parts = (train, dev, test)
    for name, part in zip(("training", "development", "test"), parts, strict=True):
        if not part:
            raise ValueError(f"the {name} data has no sentences")
    names = sorted({tag for sentence in train for tag in sentence.tags})
    numbers = {name: number for number, name in enumerate(names)}
    # A tag that the training data does not have is -1, which nothing predicts.
    gold = [torch.tensor([numbers.get(tag, -1) for s in part for tag in s.tags], device=device) for part in parts]
    known = {word for sentence in train for word in sentence.words}
    unknown = torch.tensor([word not in known for s in test for word in s.words], device=device)

    sentences = [sentence.words for part in parts for sentence in part]
    layers: list[LayerScore] = []
    for source in sources:
        with tempfile.TemporaryFile() as file:
            with writing(Path(tempfile.gettempdir())):
                _store(source, sentences, file, progress)
            shape = (len(source.layer_names), sum(map(len, sentences)), source.dim)
            stored = np.memmap(file, np.float16, "r", shape=shape)  # (L, n, D)
            for number, name in enumerate(source.layer_names):
                vectors = _standardised(stored[number], [len(tags) for tags in gold], device)
                layers.append(_probe_layer(source.name, name, vectors, gold, unknown, len(names)))
                del vectors  # before those of the next layer come
                progress(f"{source.name}, layers", number + 1, len(source.layer_names))
            del stored  # an open file cannot be removed everywhere
    return POSResult(
        baseline=_baseline(train, dev, test),
        layers=tuple(layers),
        sentences=(len(train), len(dev), len(test)),
        words=(len(gold[0]), len(gold[1]), len(gold[2])),
        unknown_words=int(unknown.sum()),
        tags=len(names),
    )


def _probe_layer(
    source: str, layer: str, vectors: Sequence[Tensor], gold: Sequence[Tensor], unknown: Tensor, n_tags: int
) -> LayerScore:
    """Choose the penalty of one layer on the development data, and measure it on the test data."""
    fit = Fit(torch.zeros(vectors[0].shape[1], n_tags, dtype=torch.float64, device=vectors[0].device), math.inf, 0)
    best_dev, best_l2, best, idle = -1.0, L2S[0], fit, 0
    tried: list[tuple[float, float]] = []
    evaluations = 0
    for l2 in L2S:
        fit = fit_logistic(vectors[0], gold[0], l2, fit.weights)
        evaluations += fit.evaluations
        dev = _share(_predict(vectors[1], fit.weights) == gold[1])
        tried.append((l2, dev))
        idle = 0 if dev >= best_dev + LEAST_GAIN else idle + 1
        if dev > best_dev:
            best_dev, best_l2, best = dev, l2, fit
        if idle == PATIENCE:
            break
    right = _predict(vectors[2], best.weights) == gold[2]
    accuracy = Accuracy(best_dev, _share(right), _share(right[unknown]))
    return LayerScore(source, layer, accuracy, best_l2, tuple(tried), best.gap, evaluations)


@dataclass(frozen=True)
class Fit:
    """A multinomial logistic regression."""

    weights: Tensor
    """(D + 1, tags), in float64; the last row is for the feature that is always 1."""
    gap: float
    """The share of the loss by which it can at most be above the least."""
    evaluations: int


class _CloseEnough(Exception):
    """Ends the search from inside the function that it minimises."""


def fit_logistic(features: Tensor, tags: Tensor, l2: float, start: Tensor, tolerance: float = TOLERANCE) -> Fit:
    """Minimise the mean cross-entropy and ``l2 / 2`` times the squared weights, from ``start``.

    ``features`` (n, D + 1) end in a 1, so that the offsets of the tags are weights like the others. With all weights in
    the penalty, the loss is strongly convex, and at any point it is at most |gradient|² / (2 l2) above the least.
    """
    weights = start.clone().requires_grad_()
    optimizer = torch.optim.LBFGS(
        [weights],
        max_iter=MOST_EVALUATIONS,
        max_eval=MOST_EVALUATIONS,
        tolerance_grad=0.0,
        tolerance_change=0.0,
        history_size=HISTORY,
        line_search_fn="strong_wolfe",
    )
    best, least_gap, evaluations = start, math.inf, 0

    def evaluate() -> float:
        nonlocal best, least_gap, evaluations
        loss, weights.grad = loss_and_gradient(features, tags, weights.detach(), l2)
        gap = float(weights.grad.square().sum()) / (2 * l2) / max(loss, 1e-30)  # with a single tag, 0 / 0
        evaluations += 1
        if gap < least_gap:
            best, least_gap = weights.detach().clone(), gap
        if gap <= tolerance:
            raise _CloseEnough  # the bound holds in the middle of a line search, too
        return loss

    with contextlib.suppress(_CloseEnough):
        optimizer.step(evaluate)
    return Fit(best, least_gap, evaluations)


def loss_and_gradient(features: Tensor, tags: Tensor, weights: Tensor, l2: float) -> tuple[float, Tensor]:
    """The loss that ``fit_logistic`` minimises, and its gradient (D + 1, tags).

    Words are multiplied in float32, but summed in float64: else the loss is too rough for a line search in the end.
    """
    single = weights.to(features.dtype)
    loss = torch.zeros((), dtype=torch.float64, device=features.device)
    gradient = torch.zeros_like(weights)
    for x, y in zip(features.split(CHUNK), tags.split(CHUNK), strict=True):
        scores = torch.log_softmax(x @ single, 1)  # (chunk, tags)
        loss -= scores.gather(1, y[:, None]).sum(dtype=torch.float64)
        errors = scores.exp_()
        errors[torch.arange(len(y), device=y.device), y] -= 1
        gradient += (x.T @ errors).double()
    n = len(tags)
    return float(loss / n + l2 / 2 * weights.square().sum()), gradient / n + l2 * weights


def _predict(features: Tensor, weights: Tensor) -> Tensor:
    return torch.cat([(x @ weights.to(x.dtype)).argmax(1) for x in features.split(CHUNK)])  # (n,)


def _share(right: Tensor) -> float:
    """In percent."""
    return 100 * float(right.double().mean())


def _store(
    source: Source, sentences: Sequence[Sequence[str]], file: IO[bytes], progress: Callable[[str, int, int], Any]
) -> None:
    """Write the vectors of all words to a file, layer after layer: (L, n, D). They need half the space as float16."""
    n = sum(map(len, sentences))
    at = 0
    for layers in source.layers(sentences):  # (L, words, D)
        with np.errstate(over="ignore"):
            halves = layers.astype(np.float16)
        if not np.isfinite(halves).all():
            raise ValueError(f"{source.name}: has a vector with a number that is not finite, or above 65504")
        # Written rather than mapped: a full disk is then an error, and not the end of the process.
        for number, values in enumerate(halves):
            file.seek((number * n + at) * source.dim * halves.itemsize)
            file.write(values.tobytes())
        at += halves.shape[1]
        progress(f"{source.name}, words", at, n)
    file.flush()


def _standardised(stored: NDArray[np.float16], counts: Sequence[int], device: str) -> list[Tensor]:
    """Training, development and test vectors, (n, D + 1) each; with the training data's mean 0 and deviation 1."""
    parts: list[Tensor] = []
    at = 0
    for n in counts:
        part = torch.ones(n, stored.shape[1] + 1, device=device)
        for first in range(0, n, CHUNK):
            last = min(first + CHUNK, n)
            part[first:last, :-1] = torch.from_numpy(stored[at + first : at + last].astype(np.float32))
        parts.append(part)
        at += n
    vectors = parts[0][:, :-1]
    mean = sum(x.sum(0, dtype=torch.float64) for x in vectors.split(CHUNK)) / counts[0]  # (D,)
    variance = sum((x - mean).square().sum(0) for x in vectors.split(CHUNK)) / counts[0]
    # A number that all words share varies by rounding alone, which must not be blown up.
    deviation = torch.where(variance > 1e-12 * mean.square(), variance, 1).sqrt()
    for part in parts:
        part[:, :-1].sub_(mean).div_(deviation)
    return parts


def _baseline(
    train: Sequence[TaggedSentence], dev: Sequence[TaggedSentence], test: Sequence[TaggedSentence]
) -> Accuracy:
    """The most frequent tag of each word; of several, the first of the alphabet."""
    counts: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for word, tag in _pairs(train):
        counts[word][tag] += 1
    total = Counter(tag for _, tag in _pairs(train))
    best = {word: min(own, key=lambda tag: (-own[tag], tag)) for word, own in counts.items()}
    otherwise = min(total, key=lambda tag: (-total[tag], tag))

    def share(pairs: Iterable[tuple[str, str]]) -> float:
        return _share(torch.tensor([best.get(word, otherwise) == tag for word, tag in pairs]))

    unknown = [(word, tag) for word, tag in _pairs(test) if word not in best]
    return Accuracy(share(_pairs(dev)), share(_pairs(test)), share(unknown))


def _pairs(sentences: Sequence[TaggedSentence]) -> Iterator[tuple[str, str]]:
    for sentence in sentences:
        yield from zip(sentence.words, sentence.tags, strict=True)
