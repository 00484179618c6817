"""How vectors lie in space: how alike any two are, a word and itself elsewhere, a word and its sentence, two layers.

After Ethayarajh (2019), "How contextual are contextualized word representations?", with the linear CKA of Kornblith
et al. (2019) between layers. Vectors that fill a narrow cone are alike whatever they stand for; so likeness is also
given less the likeness of random words ("adjusted").

Which tokens to look at is drawn from the words alone, so that all sources are measured on the same ones. The vectors
are seen once; kept are sums for each word and, in half precision, the vectors of the tokens that were drawn.
"""

import hashlib
import math
import time
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from tqdm import tqdm

from elmo.paper.probes.sources import Source
from elmo.paper.report import COLOURS, Table, new_figure, readable, save_figure
from elmo.results import Result, commit, machine, versions

Floats = NDArray[np.floating[Any]]
AVERAGE = "average"
"""The layer that is made of the others, and is drawn apart from them."""


@dataclass(frozen=True)
class Estimate:
    """A mean, and how far it may be off."""

    value: float
    error: float
    """Standard error."""

    def __str__(self) -> str:
        return "–" if math.isnan(self.value) else f"{self.value:.3f} ± {self.error:.3f}"


@dataclass(frozen=True)
class LayerGeometry:
    """One layer. All but ``first_component`` are mean cosines."""

    name: str
    anisotropy: Estimate
    """Of two random tokens."""
    first_component: float
    """Share of the variance of random tokens that lies in one direction."""
    self_similarity: Estimate
    """Of two uses of a word, then over words."""
    intra_sentence: Estimate
    """Of a word and the mean vector of its sentence (the word included), then over sentences."""

    @property
    def self_adjusted(self) -> float:
        """Self-similarity beyond that of random words."""
        return self.self_similarity.value - self.anisotropy.value

    @property
    def intra_adjusted(self) -> float:
        """Likeness to the sentence beyond that of random words to each other."""
        return self.intra_sentence.value - self.anisotropy.value


@dataclass(frozen=True)
class WordSimilarity:
    """How alike the uses of one word are."""

    word: str
    count: int
    """In the text; at most ``most_uses`` of them were looked at."""
    similarities: tuple[float, ...]
    """The self-similarity in each layer; nan where the word has no vector."""


@dataclass(frozen=True)
class GeometryResult:
    """The layers of a source."""

    source: str
    layers: tuple[LayerGeometry, ...]
    cka: NDArray[np.float64]
    """Linear CKA of every two layers, (L, L)."""
    words: tuple[WordSimilarity, ...]
    n_sentences: int
    n_tokens: int
    n_pairs: int
    """Pairs of random tokens that both have vectors."""
    seed: int
    data_hash: str
    seconds: float

    def table(self) -> Table:
        """A row for each layer."""
        return geometry_table([self])

    def cka_table(self) -> Table:
        """The likeness of the layers."""
        names = [layer.name for layer in self.layers]
        rows = [[name, *(f"{value:.2f}" for value in row)] for name, row in zip(names, self.cka, strict=True)]
        return Table(f"Linear CKA between the layers of {self.source}", ["", *names], rows, self._note())

    def words_table(self, layer: str | None = None, most: int = 10, least_count: int = 20) -> Table:
        """The words that depend most and least on their context, side by side; those without letters are left out.

        ``layer``: without a name, the one where words depend most on their context.
        ``least_count``: words with fewer uses are left out, as theirs can be alike by chance.
        """
        names = [layer.name for layer in self.layers]
        if layer is not None and layer not in names:
            raise ValueError(f"{self.source} has no layer {layer!r}; it has {', '.join(names)}")
        values = [layer.self_similarity.value for layer in self.layers]
        number = values.index(min(values)) if layer is None else names.index(layer)
        frequent = [w for w in self.words if w.count >= least_count and any(map(str.isalpha, w.word))]
        known = [w for w in frequent if not math.isnan(w.similarities[number])]
        known.sort(key=lambda w: w.similarities[number])
        rows = [
            [field for w in (low, high) for field in (w.word, str(w.count), f"{w.similarities[number]:.3f}")]
            for low, high in zip(known[:most], known[::-1][:most], strict=True)
        ]
        head = ["most dependent on context", "uses", "cosine", "least dependent", "uses", "cosine"]
        note = f"{len(known)} words with at least {least_count} uses. {self._note()}"
        return Table(f"Words and their contexts: {self.source}, layer {names[number]}", head, rows, note)

    def results(self) -> list[Result]:
        """Every number, with where it comes from."""
        found: list[tuple[str, float, dict[str, Any]]] = []
        for layer in self.layers:
            for metric in ("anisotropy", "self_similarity", "intra_sentence"):
                estimate: Estimate = getattr(layer, metric)
                found.append((metric, estimate.value, {"layer": layer.name, "standard_error": estimate.error}))
            for metric in ("first_component", "self_adjusted", "intra_adjusted"):
                found.append((metric, getattr(layer, metric), {"layer": layer.name}))
        for row, first in enumerate(self.layers):
            for column, second in enumerate(self.layers[:row]):
                found.append(("cka", float(self.cka[row, column]), {"layers": [second.name, first.name]}))
        known = {"source": self.source, "sentences": self.n_sentences, "pairs": self.n_pairs}
        rest = (self.seed, commit(), versions(), self.data_hash, machine(), self.seconds)
        found = [(metric, value, more) for metric, value, more in found if not math.isnan(value)]
        return [Result("geometry", metric, value, *rest, known | more) for metric, value, more in found]

    def _note(self) -> str:
        return f"{self.n_sentences} sentences, {self.n_tokens} tokens, {self.n_pairs} random pairs, seed {self.seed}."


def geometry_table(results: Sequence[GeometryResult]) -> Table:
    """A row for each layer of each source."""
    rows = [
        [
            result.source,
            layer.name,
            str(layer.anisotropy),
            f"{100 * layer.first_component:.1f} %",
            str(layer.self_similarity),
            _number_or_dash(layer.self_adjusted),
            str(layer.intra_sentence),
            _number_or_dash(layer.intra_adjusted),
        ]
        for result in results
        for layer in result.layers
    ]
    head = ["source", "layer", "two random tokens", "variance in one direction"]
    head += ["two uses of a word", "adjusted", "word and its sentence", "adjusted"]
    notes = ["Mean cosines with standard errors; adjusted: less that of two random tokens."]
    notes += [f"{result.source}: {result._note()}" for result in results]
    return Table("Geometry of the layers", head, rows, " ".join(notes))


def measure(
    source: Source,
    sentences: Iterable[Sequence[str]],
    seed: int = 1,
    *,
    pairs: int = 5000,
    least_uses: int = 5,
    most_uses: int = 100,
    most_words: int = 5000,
) -> GeometryResult:
    """Measure all layers of a source on sentences.

    ``pairs``: of random tokens, none of which is in two pairs, so that the standard error is an honest one.
    ``least_uses``, ``most_uses``, ``most_words``: self-similarity is over words with so many uses; of more uses or more
    words than the most, so many are drawn.
    """
    started = time.monotonic()
    text = [list(words) for words in sentences if words]
    sample = _Sample(text, seed, pairs, least_uses, most_uses, most_words)
    n_layers, dim = len(source.layer_names), source.dim
    kept = np.zeros((n_layers, len(sample.tokens), dim), np.float16)
    sums = np.zeros((len(sample.words), n_layers, dim), np.float32)
    uses = np.zeros((len(sample.words), n_layers), np.int64)
    intra = np.full((len(text), n_layers), np.nan)
    start = 0
    for number, layers in enumerate(tqdm(source.layers(text), source.name, len(text), disable=None)):
        after = start + layers.shape[1]
        first, last = np.searchsorted(sample.tokens, (start, after))
        kept[:, first:last] = layers[:, sample.tokens[first:last] - start]
        units, known = _units(layers)  # (L, n, D), (L, n)
        intra[number] = _to_mean(layers, units, known)
        word = sample.word_of[start:after]
        places = np.flatnonzero(word >= 0)
        np.add.at(sums, word[places], units[:, places].swapaxes(0, 1))
        np.add.at(uses, word[places], known[:, places].T)
        start = after
    similarities = mean_of_pairs(sums, uses)  # (words, L)
    complete = np.any(kept, axis=-1).all(0)  # tokens without a vector say nothing
    both = complete[sample.pairs].all(0)
    if not both.any():
        raise ValueError(f"{source.name}: has no vectors for the words of this text")
    cosines = np.stack([_cosines(layer, sample.pairs[:, both]) for layer in kept])  # (L, pairs)
    measured = tuple(
        LayerGeometry(name, _estimate(random), first_component(vectors[complete]), _estimate(own), _estimate(mean))
        for name, random, vectors, own, mean in zip(
            source.layer_names, cosines, kept, similarities.T, intra.T, strict=True
        )
    )
    words = zip(sample.words, sample.counts, map(tuple, similarities.tolist()), strict=True)
    return GeometryResult(
        source.name,
        measured,
        linear_cka(kept[:, complete]),
        tuple(WordSimilarity(*word) for word in words),
        len(text),
        start,
        int(both.sum()),
        seed,
        sample.hash,
        round(time.monotonic() - started, 1),
    )


class _Sample:
    """Which tokens to look at. They are numbered from 0 through the whole text."""

    def __init__(
        self, text: Sequence[Sequence[str]], seed: int, pairs: int, least_uses: int, most_uses: int, most_words: int
    ) -> None:
        if pairs < 1 or not 2 <= least_uses <= most_uses:
            raise ValueError("pairs must be at least 1, least_uses at least 2, and most_uses no less than that")
        places: defaultdict[str, list[int]] = defaultdict(list)
        digest = hashlib.sha256()
        n_tokens = 0
        for words in text:
            digest.update(" ".join(words).encode() + b"\n")
            for word in words:
                places[word].append(n_tokens)
                n_tokens += 1
        if n_tokens < 4:
            raise ValueError(f"the text has {n_tokens} words: too few to compare")
        self.hash = digest.hexdigest()
        # Streams of chance of their own: more pairs do not change which words are looked at.
        for_pairs, for_words = np.random.default_rng([seed, 0]), np.random.default_rng([seed, 1])
        drawn = for_pairs.choice(n_tokens, 2 * min(pairs, n_tokens // 2), replace=False)
        self.tokens = np.sort(drawn)
        self.pairs = np.searchsorted(self.tokens, drawn).reshape(2, -1)  # rows of ``tokens``
        frequent = sorted(word for word, found in places.items() if len(found) >= least_uses)
        if len(frequent) > most_words:
            frequent = sorted(for_words.choice(np.array(frequent, object), most_words, replace=False))
        self.words: list[str] = frequent
        self.counts = [len(places[word]) for word in frequent]
        self.word_of = np.full(n_tokens, -1, np.int32)  # which of ``words`` a token is a use of
        for number, word in enumerate(frequent):
            found = np.array(places[word])
            self.word_of[for_words.choice(found, min(most_uses, len(found)), replace=False)] = number


def _units(vectors: Floats) -> tuple[Floats, NDArray[np.bool_]]:
    """Vectors of length 1, zeros where there was none; and where there was one."""
    norms = np.linalg.norm(vectors, axis=-1, keepdims=True)
    known = norms > 0
    return vectors / np.where(known, norms, 1), known[..., 0]


def _to_mean(layers: Floats, units: Floats, known: NDArray[np.bool_]) -> Floats:
    """The mean cosine of words and their mean, (L,); nan where fewer than two words have vectors."""
    count = known.sum(1)  # (L,)
    mean, _ = _units(layers.sum(1))  # (L, D): the direction of the sum is that of the mean
    cosines = np.einsum("lnd,ld->l", units, mean)
    return np.where(count > 1, cosines / np.maximum(count, 1), np.nan)


def mean_of_pairs(sums: Floats, counts: NDArray[np.int64]) -> NDArray[np.float64]:
    """The mean cosine of all pairs of vectors, from the sum of those vectors at length 1; nan for fewer than two.

    (..., D) and (...) to (...). The square of a sum of n vectors holds n squares, each 1, and all pairs twice.
    """
    n = counts.astype(np.float64)
    squares = np.square(sums, dtype=np.float64).sum(-1)
    return np.where(n > 1, (squares - n) / np.maximum(n * (n - 1), 1), np.nan)


def _cosines(vectors: Floats, pairs: NDArray[np.int64]) -> Floats:
    """(n, D) and rows (2, pairs) to (pairs,)."""
    units, _ = _units(vectors.astype(np.float32))
    return np.einsum("pd,pd->p", units[pairs[0]], units[pairs[1]])


def _estimate(values: Floats) -> Estimate:
    values = values[~np.isnan(values)].astype(np.float64)
    if not len(values):
        return Estimate(math.nan, math.nan)
    error = values.std(ddof=1) / math.sqrt(len(values)) if len(values) > 1 else 0.0
    return Estimate(float(values.mean()), float(error))


def _centred(vectors: Floats) -> NDArray[np.float64]:
    wide = vectors.astype(np.float64)
    return wide - wide.mean(-2, keepdims=True)


def first_component(vectors: Floats) -> float:
    """The share of the variance of (n, D) vectors along the one direction that has most; nan if they do not vary."""
    centred = _centred(vectors)
    if not centred.any():
        return math.nan
    values = np.linalg.eigvalsh(centred.T @ centred)  # ascending
    return float(values[-1] / values.sum())


def linear_cka(layers: Floats) -> NDArray[np.float64]:
    """How alike layers are, up to rotation and scale: (L, n, D) to (L, L); 1 on the diagonal.

    Of n vectors, many more than their D dimensions: few look alike by chance.
    """
    centred = [_centred(layer) for layer in layers]
    products = np.array([[np.square(x.T @ y).sum() for y in centred] for x in centred])  # (L, L)
    scale = np.sqrt(np.outer(np.diag(products), np.diag(products)))
    return np.divide(products, scale, out=np.full(products.shape, np.nan), where=scale > 0)


def _number_or_dash(value: float) -> str:
    return "–" if math.isnan(value) else f"{value:.3f}"


PANELS = (
    ("Two random tokens\n(anisotropy)", "anisotropy", ""),
    ("Two uses of a word\n(self-similarity)", "self_similarity", "self_adjusted"),
    ("A word and its sentence\n(intra-sentence similarity)", "intra_sentence", "intra_adjusted"),
)
"""What is drawn over the layers: title, field, and field of the adjusted values."""


def draw(results: Sequence[GeometryResult], stem: Path) -> list[Path]:
    """Anisotropy, self-similarity and likeness to the sentence over the layers, and the CKA of layers."""
    several = [result for result in results if len(result.layers) > 1]
    n_panels = len(PANELS) + len(several)
    n_columns = 2 if n_panels == 4 else 3
    n_rows = math.ceil(n_panels / n_columns)
    figure = new_figure(12, 3.4 * n_rows + 0.6)
    with readable():
        axes = list(figure.subplots(n_rows, n_columns, squeeze=False).flat)
        for panel, (title, raw, adjusted) in zip(axes, PANELS, strict=False):
            panel.set_title(title)
            _draw_lines(panel, results, several or results, raw, adjusted)
        for panel, result in zip(axes[len(PANELS) :], several, strict=False):
            panel.set_title(f"Likeness of layers (CKA)\n{result.source}")
            _draw_cka(panel, result)
        for panel in axes[n_panels:]:
            panel.remove()
        handles, labels = axes[1].get_legend_handles_labels()
        figure.legend(handles, labels, loc="outside lower center", ncols=min(4, len(labels)), frameon=False)
        return save_figure(figure, stem)


def _draw_lines(axes: Any, results: Sequence[GeometryResult], named: Sequence[GeometryResult], *fields: str) -> None:
    """Values over layers; a source with a single layer is a level line. Adjusted values are broken lines."""
    found = dict.fromkeys(layer.name for result in named for layer in result.layers)
    names = sorted(found, key=lambda name: name == AVERAGE)  # stable: the others stay in order
    for number, result in enumerate(results):
        colour = COLOURS[number % len(COLOURS)]
        for field, style, face in zip(fields, ("-", "--"), (colour, "white"), strict=True):
            if not field:
                continue
            label = result.source + (", adjusted" if style == "--" else "")
            read = [getattr(layer, field) for layer in result.layers]
            values = [value.value if isinstance(value, Estimate) else value for value in read]
            if len(values) == 1:
                axes.axhline(values[0], color=colour, linestyle=style, linewidth=2, label=label)
                continue
            points = [(names.index(layer.name), v) for layer, v in zip(result.layers, values, strict=True)]
            deep = [point for point in points if names[point[0]] != AVERAGE]
            look = {"color": colour, "marker": "osD^vP*X"[number % 8], "markerfacecolor": face, "markersize": 8}
            axes.plot([x for x, _ in deep], [y for _, y in deep], style, linewidth=2.5, label=label, **look)
            apart = [point for point in points if point not in deep]
            axes.plot([x for x, _ in apart], [y for _, y in apart], linestyle="none", **look)
    axes.set_xticks(range(len(names)), names)
    axes.set_xlim(-0.3, len(names) - 0.7)
    axes.set_ylim(min(0.0, axes.get_ylim()[0]), 1.03)  # the same in all panels
    axes.set_ylabel("mean cosine")
    axes.grid(axis="y", alpha=0.3)
    axes.spines[["top", "right"]].set_visible(False)


def _draw_cka(axes: Any, result: GeometryResult) -> None:
    """A heat map with its numbers."""
    names = [layer.name for layer in result.layers]
    axes.imshow(result.cka, vmin=0, vmax=1, cmap="Blues", aspect="auto")
    for row, column in np.ndindex(result.cka.shape):
        value = result.cka[row, column]
        axes.text(column, row, f"{value:.2f}", ha="center", va="center", color="white" if value > 0.6 else "black")
    axes.set_xticks(range(len(names)), names)
    axes.set_yticks(range(len(names)), names)
