"""Part-of-speech tagging by a linear probe on every layer (table 6 of Peters et al. 2018).

The probe is a multinomial logistic regression on fixed vectors. It is convex, so a layer has one solution, which
depends on no seed, learning rate or number of epochs: L-BFGS runs until the loss is provably within one percent of
its minimum. The L2 penalty is chosen on the development data, from strong to weak; each fit starts from the previous
one.
"""

import contextlib
import dataclasses
import math
import tempfile
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from elmo.datasets.conllu import Column, TaggedSentence, read_tagged
from elmo.datasets.folders import data_folder
from elmo.files import writing
from elmo.paper.exhibit import Exhibit, Measurement, Setup, find_file, progress_bars, record
from elmo.paper.probes.representations import Representation, load_representations
from elmo.paper.report import Table

L2_PENALTIES = (1e-1, 3e-2, 1e-2, 3e-3, 1e-3, 3e-4, 1e-4, 3e-5, 1e-5, 3e-6, 1e-6)
"""Candidates: ``l2 / 2`` times the squared weights is added to the mean loss per word."""
MIN_GAIN = 0.05
"""Percentage points that a weaker penalty must gain on the development data to count; less is noise."""
PATIENCE = 2
"""Number of consecutive penalties without that gain after which the search ends. The weakest take most of the time."""
TOLERANCE = 0.01
"""A fit ends when its loss is at most this fraction above the minimum."""
MAX_EVALUATIONS = 3000
HISTORY = 100
"""Steps that L-BFGS remembers. With 20, a fit took 40 % more evaluations."""
CHUNK = 8192
"""Words whose scores are computed at a time."""

BASELINE = "most frequent tag of the word"
PAPER = "Peters et al. (2018, table 6), first / second layer on WSJ: CoVe 93.3 / 92.8, biLM 97.3 / 96.8."


@dataclass(frozen=True)
class TagAccuracy:
    """Accuracy of tags, in percent."""

    dev: float
    test: float
    unknown: float
    """On the words of the test data that do not occur in the training data; nan if there are none."""


@dataclass(frozen=True)
class LayerScore:
    """The probe of one layer."""

    source: str
    layer: str
    accuracy: TagAccuracy
    l2: float
    """The penalty that was best on the development data."""
    tried: tuple[tuple[float, float], ...]
    """Each penalty with its accuracy on the development data."""
    gap: float
    """Bound on how far the loss is above its minimum, as a fraction of the loss. The fit did not converge if it is
    above ``TOLERANCE``."""
    evaluations: int
    """Number of evaluations of the loss over the training data, for all penalties."""


@dataclass(frozen=True)
class POSResult:
    """The probes of all layers, and the size of the data."""

    baseline: TagAccuracy
    """The most frequent tag of each word, and the most frequent tag overall for unknown words."""
    layers: tuple[LayerScore, ...]
    sentences: tuple[int, int, int]
    """Number of sentences in the training, development and test data."""
    words: tuple[int, int, int]
    unknown_words: int
    """Number of words of the test data that do not occur in the training data."""
    tags: int
    """Number of tags in the training data; other tags count as errors."""

    def table(self) -> Table:
        """Return the accuracy by layer."""
        rows = [[BASELINE, "", *_cells(self.baseline), "–"]]
        for layer in self.layers:
            l2 = f"{layer.l2:g}" + (" (not converged)" if layer.gap > TOLERANCE else "")
            rows.append([layer.source, layer.layer, *_cells(layer.accuracy), l2])
        sentences, words = (" / ".join(f"{n:,}" for n in counts) for counts in (self.sentences, self.words))
        note = (
            f"Accuracy in percent; {self.tags} tags. Train / dev / test: {sentences} sentences, {words} words. "
            f"{self.unknown_words:,} words of the test data are unknown. L2 is chosen on the development data. {PAPER}"
        )
        header = ("vectors", "layer", "dev", "test", "unknown words (test)", "best L2")
        return Table("Part-of-speech tagging by a linear probe (accuracy)", header, rows, note)

    def results(self) -> list[Measurement]:
        """Return the accuracies of each layer on the development data, the test data and its unknown words."""
        rows: list[tuple[TagAccuracy, dict[str, Any]]] = [(self.baseline, {"source": BASELINE, "layer": ""})]
        for layer in self.layers:
            details = dataclasses.asdict(layer)
            rows.append((layer.accuracy, {name: details[name] for name in details if name != "accuracy"}))
        return [
            Measurement("pos", "accuracy", value, {"set": name, **details})
            for accuracy, details in rows
            for name, value in dataclasses.asdict(accuracy).items()
            if not math.isnan(value)
        ]


def _cells(accuracy: TagAccuracy) -> list[str]:
    return ["–" if math.isnan(value) else f"{value:.2f}" for value in dataclasses.astuple(accuracy)]


@dataclass(frozen=True)
class PartsOfSpeech(Exhibit[POSResult]):
    """Table 6. Files that are not given are found in the folder tasks/pos of the data."""

    train: Path | None = None
    dev: Path | None = None
    test: Path | None = None
    column: Column = "xpos"
    """The tags to read from a CoNLL-U file."""

    def run(self, setup: Setup) -> POSResult:
        """Train a probe on every layer."""
        started = time.monotonic()
        given = {"train": self.train, "dev": self.dev, "test": self.test}
        instead = "give --train, --dev and --test"
        files = [
            path or find_file(data_folder(setup.data, instead) / "tasks" / "pos", f"*{split}*")
            for split, path in given.items()
        ]
        representations = load_representations(setup)
        splits = [read_tagged(path, self.column) for path in files]
        with progress_bars() as progress:
            result = probe(representations, *splits, device=setup.device, progress=progress)
        record(result.results(), files, time.monotonic() - started, setup)
        return result

    def collect(self, results: POSResult) -> dict[str, Table]:
        """Return the accuracy by layer."""
        return {"table6": results.table()}


def probe(
    representations: Sequence[Representation],
    train: Sequence[TaggedSentence],
    dev: Sequence[TaggedSentence],
    test: Sequence[TaggedSentence],
    *,
    device: str = "cpu",
    progress: Callable[[str, int, int], Any] = lambda what, done, total: None,
) -> POSResult:
    """Train a probe on each layer of each representation.

    The vectors of a representation are kept in a temporary file (in TMPDIR if that is set), and one layer at a time is
    in memory.

    Args:
        representations: The representations to compare.
        train: Sentences to fit the probes on.
        dev: Sentences to choose the penalties on.
        test: Sentences to evaluate on.
        device: Device on which the probes are trained.
        progress: Called with a label and the amount done and in total: words that have vectors, then layers.

    Raises:
        ValueError: If a split has no sentences, or a vector does not fit in float16.
    """
    splits = (train, dev, test)
    for name, split in zip(("training", "development", "test"), splits, strict=True):
        if not split:
            raise ValueError(f"the {name} data has no sentences")
    names = sorted({tag for sentence in train for tag in sentence.tags})
    ids = {name: number for number, name in enumerate(names)}
    # A tag that does not occur in the training data is -1, which is never predicted.
    gold = [torch.tensor([ids.get(tag, -1) for s in split for tag in s.tags], device=device) for split in splits]
    known = {word for sentence in train for word in sentence.words}
    unknown = torch.tensor([word not in known for s in test for word in s.words], device=device)

    sentences = [sentence.words for split in splits for sentence in split]
    layers: list[LayerScore] = []
    for representation in representations:
        with tempfile.TemporaryFile() as file:
            with writing(Path(tempfile.gettempdir())):
                _store(representation, sentences, file, progress)
            count = len(representation.layer_names)
            shape = (count, sum(map(len, sentences)), representation.dim)
            stored = np.memmap(file, np.float16, "r", shape=shape)  # (L, n, D)
            for number, name in enumerate(representation.layer_names):
                vectors = _standardize(stored[number], [len(tags) for tags in gold], device)
                layers.append(_probe_layer(representation.name, name, vectors, gold, unknown, len(names)))
                del vectors  # free them before those of the next layer are loaded
                progress(f"{representation.name}, layers", number + 1, count)
            del stored  # some systems cannot remove a file that is mapped
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
    """Choose the penalty of one layer on the development data, and evaluate the probe on the test data."""
    start = torch.zeros(vectors[0].shape[1], n_tags, dtype=torch.float64, device=vectors[0].device)
    fit = LogisticFit(start, math.inf, 0)
    best_dev, best_l2, best, without_gain = -1.0, L2_PENALTIES[0], fit, 0
    tried: list[tuple[float, float]] = []
    evaluations = 0
    for l2 in L2_PENALTIES:
        fit = fit_logistic(vectors[0], gold[0], l2, fit.weights)
        evaluations += fit.evaluations
        dev = _accuracy(_predict(vectors[1], fit.weights) == gold[1])
        tried.append((l2, dev))
        without_gain = 0 if dev >= best_dev + MIN_GAIN else without_gain + 1
        if dev > best_dev:
            best_dev, best_l2, best = dev, l2, fit
        if without_gain == PATIENCE:
            break
    correct = _predict(vectors[2], best.weights) == gold[2]
    accuracy = TagAccuracy(best_dev, _accuracy(correct), _accuracy(correct[unknown]))
    return LayerScore(source, layer, accuracy, best_l2, tuple(tried), best.gap, evaluations)


@dataclass(frozen=True)
class LogisticFit:
    """A multinomial logistic regression."""

    weights: Tensor
    """(D + 1, tags) in float64; the last row belongs to the feature that is always 1."""
    gap: float
    """Bound on how far the loss is above its minimum, as a fraction of the loss."""
    evaluations: int


class _Converged(Exception):
    """Raised inside the closure of L-BFGS to end the optimization."""


def fit_logistic(
    features: Tensor,
    tags: Tensor,
    l2: float,
    start: Tensor,
    tolerance: float = TOLERANCE,
    max_evaluations: int = MAX_EVALUATIONS,
) -> LogisticFit:
    """Minimize the mean cross-entropy plus ``l2 / 2`` times the squared weights.

    All weights are penalized, so the loss is strongly convex, and at any point it is at most |gradient|² / (2 l2) above
    its minimum.

    Args:
        features: An array (n, D + 1) whose last column is 1, so that the biases of the tags are ordinary weights.
        tags: The tag ids, (n,).
        l2: The penalty.
        start: Initial weights, (D + 1, tags).
        tolerance: Stop when the loss is at most this fraction above its minimum.
        max_evaluations: Stop after this many evaluations in any case.
    """
    weights = start.clone().requires_grad_()
    optimizer = torch.optim.LBFGS(
        [weights],
        max_iter=max_evaluations,
        max_eval=max_evaluations,
        tolerance_grad=0.0,
        tolerance_change=0.0,
        history_size=HISTORY,
        line_search_fn="strong_wolfe",
    )
    best, smallest_gap, evaluations = start, math.inf, 0

    def evaluate() -> float:
        nonlocal best, smallest_gap, evaluations
        loss, weights.grad = loss_and_gradient(features, tags, weights.detach(), l2)
        gap = float(weights.grad.square().sum()) / (2 * l2) / max(loss, 1e-30)  # with a single tag, 0 / 0
        evaluations += 1
        if gap < smallest_gap:
            best, smallest_gap = weights.detach().clone(), gap
        if gap <= tolerance:
            raise _Converged  # the bound also holds in the middle of a line search
        return loss

    with contextlib.suppress(_Converged):
        optimizer.step(evaluate)
    return LogisticFit(best, smallest_gap, evaluations)


def loss_and_gradient(
    features: Tensor, tags: Tensor, weights: Tensor, l2: float, chunk: int = CHUNK
) -> tuple[float, Tensor]:
    """Return the loss that ``fit_logistic`` minimizes, and its gradient (D + 1, tags).

    The products are computed in float32 but summed in float64: otherwise the loss is too noisy for a line search near
    the minimum.
    """
    single = weights.to(features.dtype)
    loss = torch.zeros((), dtype=torch.float64, device=features.device)
    gradient = torch.zeros_like(weights)
    for x, y in zip(features.split(chunk), tags.split(chunk), strict=True):
        scores = torch.log_softmax(x @ single, 1)  # (chunk, tags)
        loss -= scores.gather(1, y[:, None]).sum(dtype=torch.float64)
        errors = scores.exp_()
        errors[torch.arange(len(y), device=y.device), y] -= 1
        gradient += (x.T @ errors).double()
    n = len(tags)
    return float(loss / n + l2 / 2 * weights.square().sum()), gradient / n + l2 * weights


def _predict(features: Tensor, weights: Tensor) -> Tensor:
    return torch.cat([(x @ weights.to(x.dtype)).argmax(1) for x in features.split(CHUNK)])  # (n,)


def _accuracy(correct: Tensor) -> float:
    """Return the fraction of correct predictions, in percent."""
    return 100 * float(correct.double().mean())


def _store(
    representation: Representation,
    sentences: Sequence[Sequence[str]],
    file: IO[bytes],
    progress: Callable[[str, int, int], Any],
) -> None:
    """Write the vectors of all words to a file as float16, layer after layer: (L, n, D)."""
    name, n = representation.name, sum(map(len, sentences))
    at = 0
    for layers in representation.layers(sentences):  # (L, words, D)
        with np.errstate(over="ignore"):
            halves = layers.astype(np.float16)
        if not np.isfinite(halves).all():
            raise ValueError(f"{name}: has a vector with a value that is not finite, or above 65504")
        # Written rather than mapped: a full disk is then an error and does not kill the process.
        for number, values in enumerate(halves):
            file.seek((number * n + at) * representation.dim * halves.itemsize)
            file.write(values.tobytes())
        at += halves.shape[1]
        progress(f"{name}, words", at, n)
    file.flush()


def _standardize(stored: NDArray[np.float16], counts: Sequence[int], device: str, chunk: int = CHUNK) -> list[Tensor]:
    """Return the training, development and test vectors, (n, D + 1) each.

    They are scaled so that the training vectors have mean 0 and standard deviation 1; the last column is 1.
    """
    splits: list[Tensor] = []
    at = 0
    for n in counts:
        split = torch.ones(n, stored.shape[1] + 1, device=device)
        for first in range(0, n, chunk):
            last = min(first + chunk, n)
            split[first:last, :-1] = torch.from_numpy(stored[at + first : at + last].astype(np.float32))
        splits.append(split)
        at += n
    vectors = splits[0][:, :-1]
    mean = sum(x.sum(0, dtype=torch.float64) for x in vectors.split(chunk)) / counts[0]  # (D,)
    variance = sum((x - mean).square().sum(0) for x in vectors.split(chunk)) / counts[0]
    # A feature that is the same for all words varies only by rounding, which must not be amplified.
    deviation = torch.where(variance > 1e-12 * mean.square(), variance, 1).sqrt()
    for split in splits:
        split[:, :-1].sub_(mean).div_(deviation)
    return splits


def _baseline(
    train: Sequence[TaggedSentence], dev: Sequence[TaggedSentence], test: Sequence[TaggedSentence]
) -> TagAccuracy:
    """Predict the most frequent tag of each word; of several, the first in alphabetical order."""
    counts: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for word, tag in _pairs(train):
        counts[word][tag] += 1
    total = Counter(tag for _, tag in _pairs(train))
    best = {word: min(own, key=lambda tag: (-own[tag], tag)) for word, own in counts.items()}
    default = min(total, key=lambda tag: (-total[tag], tag))

    def accuracy(pairs: Iterable[tuple[str, str]]) -> float:
        return _accuracy(torch.tensor([best.get(word, default) == tag for word, tag in pairs]))

    unknown = [(word, tag) for word, tag in _pairs(test) if word not in best]
    return TagAccuracy(accuracy(_pairs(dev)), accuracy(_pairs(test)), accuracy(unknown))


def _pairs(sentences: Sequence[TaggedSentence]) -> Iterator[tuple[str, str]]:
    for sentence in sentences:
        yield from zip(sentence.words, sentence.tags, strict=True)
