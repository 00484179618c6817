"""The geometry of each layer: how similar random words are, a word in different contexts, a word and its sentence.

After Ethayarajh (2019), "How contextual are contextualized word representations?", with the linear CKA of Kornblith
et al. (2019) between layers. Vectors in a narrow cone are similar whatever they represent, so similarities are also
reported minus the similarity of random words ("adjusted").

The tokens to compare are sampled from the text alone, so that all representations are measured on the same ones. Each
vector is seen once; what is kept are sums for each word and, in float16, the vectors of the sampled tokens.
"""

import hashlib
import math
import time
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from tqdm import tqdm

from elmo.paper.exhibit import ANALYSIS_FILE, Exhibit, Setup, read_corpus
from elmo.paper.probes.representations import AVERAGE, Representation, load_representations, tokenizer_of
from elmo.paper.report import COLORS, Table, large_text, new_figure, save_figure
from elmo.results import Result, append_results, commit, machine, versions
from elmo.search.vectors import Floats, unit
from elmo.text.counts import counted


@dataclass(frozen=True)
class Estimate:
    """A mean and its standard error."""

    value: float
    error: float

    def __str__(self) -> str:
        return "–" if math.isnan(self.value) else f"{self.value:.3f} ± {self.error:.3f}"


@dataclass(frozen=True)
class LayerGeometry:
    """The geometry of one layer. All values but ``first_component`` are mean cosines."""

    name: str
    anisotropy: Estimate
    """Of two random tokens."""
    first_component: float
    """Fraction of the variance of random tokens that the first principal component explains."""
    self_similarity: Estimate
    """Of two occurrences of the same word, averaged over words."""
    intra_sentence: Estimate
    """Of a word and the mean vector of its sentence (including the word), averaged over sentences."""

    @property
    def self_adjusted(self) -> float:
        """Self-similarity minus anisotropy."""
        return self.self_similarity.value - self.anisotropy.value

    @property
    def intra_adjusted(self) -> float:
        """Intra-sentence similarity minus anisotropy."""
        return self.intra_sentence.value - self.anisotropy.value


@dataclass(frozen=True)
class WordSimilarity:
    """The self-similarity of one word."""

    word: str
    count: int
    """Number of occurrences in the text, of which at most ``max_occurrences`` were compared."""
    similarities: tuple[float, ...]
    """One value per layer; nan if the word has no vector."""


@dataclass(frozen=True)
class GeometryResult:
    """The geometry of all layers of a representation."""

    source: str
    layers: tuple[LayerGeometry, ...]
    cka: NDArray[np.float64]
    """Linear CKA between every two layers, (L, L)."""
    words: tuple[WordSimilarity, ...]
    n_sentences: int
    n_tokens: int
    n_pairs: int
    """Number of random pairs of tokens that both have vectors."""
    seed: int
    data_hash: str
    seconds: float

    def words_table(self, layer: str | None = None, max_words: int = 10, min_count: int = 20) -> Table:
        """Return the words that depend most and least on their context, side by side.

        Args:
            layer: Name of the layer; None for the one with the lowest self-similarity.
            max_words: Number of words on each side.
            min_count: Minimum number of occurrences; rarer words can be similar by chance. Words without letters are
                left out as well.

        Raises:
            ValueError: If there is no such layer.
        """
        names = [layer.name for layer in self.layers]
        if layer is not None and layer not in names:
            raise ValueError(f"{self.source} has no layer {layer!r}; it has {', '.join(names)}")
        values = [layer.self_similarity.value for layer in self.layers]
        number = values.index(min(values)) if layer is None else names.index(layer)
        frequent = [w for w in self.words if w.count >= min_count and any(map(str.isalpha, w.word))]
        known = [w for w in frequent if not math.isnan(w.similarities[number])]
        known.sort(key=lambda w: w.similarities[number])
        rows = [
            [field for w in (low, high) for field in (w.word, str(w.count), f"{w.similarities[number]:.3f}")]
            for low, high in zip(known[:max_words], known[::-1][:max_words], strict=True)
        ]
        header = ["most context-dependent", "occurrences", "cosine", "least context-dependent", "occurrences", "cosine"]
        note = f"{counted(len(known), 'word')} with at least {min_count} occurrences. {self.sample_size()}"
        if not known:
            note = (
                f"no word of the text occurs {min_count} times or more, and only such words are compared. "
                f"{self.sample_size()} Use a longer text."
            )
        return Table(f"Words by context dependence: {self.source}, {names[number]}", header, rows, note)

    def results(self, device: str) -> list[Result]:
        """Return every value with the code, data and machine that it depends on; ``device`` computed the vectors."""
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
        shared = {"source": self.source, "sentences": self.n_sentences, "pairs": self.n_pairs}
        provenance = (self.seed, commit(), versions(), self.data_hash, machine(device), self.seconds)
        found = [(metric, value, details) for metric, value, details in found if not math.isnan(value)]
        return [Result("geometry", metric, value, *provenance, shared | details) for metric, value, details in found]

    def sample_size(self) -> str:
        """Describe how much was compared."""
        counts = (counted(self.n_sentences, "sentence"), counted(self.n_tokens, "token"))
        return f"{', '.join(counts)}, {counted(self.n_pairs, 'random pair')}, seed {self.seed}."


@dataclass(frozen=True)
class Geometry(Exhibit[list[GeometryResult]]):
    """The geometry of all layers on the sentences of some texts."""

    texts: Sequence[Path]
    max_sentences: int = 10_000
    seed: int = 1
    pretokenized: bool = False

    def run(self, setup: Setup) -> list[GeometryResult]:
        """Measure every representation."""
        representations = load_representations(setup)
        sentences = read_corpus(self.texts, tokenizer_of(representations, self.pretokenized), self.max_sentences)
        results = [measure(representation, sentences, self.seed) for representation in representations]
        append_results(setup.output / ANALYSIS_FILE, [r for result in results for r in result.results(setup.device)])
        return results

    def collect(self, results: list[GeometryResult]) -> dict[str, Table]:
        """Return the table of all layers, and the table of words of each contextual representation."""
        tables = {"geometry": geometry_table(results)}
        contextual = [result for result in results if len(result.layers) > 1]
        return tables | {f"geometry-words-{n}": result.words_table() for n, result in enumerate(contextual, 1)}

    def render(self, results: list[GeometryResult], tables: Mapping[str, Table], folder: Path) -> list[Path]:
        """Write the tables and draw the figure."""
        return super().render(results, tables, folder) + draw_geometry(results, folder / "geometry")


def geometry_table(results: Sequence[GeometryResult]) -> Table:
    """Return one row per layer of each representation."""
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
    header = ["source", "layer", "anisotropy", "first component"]
    header += ["self-similarity", "self-similarity, adjusted"]
    header += ["intra-sentence similarity", "intra-sentence similarity, adjusted"]
    notes = [
        "Mean cosines with standard errors: of two random tokens (anisotropy), of two occurrences of a word "
        "(self-similarity), and of a word and its sentence (intra-sentence similarity). Adjusted: minus anisotropy. "
        "First component: fraction of the variance of random tokens that it explains."
    ]
    notes += [f"{result.source}: {result.sample_size()}" for result in results]
    return Table("Geometry of the layers", header, rows, " ".join(notes))


def measure(
    representation: Representation,
    sentences: Iterable[Sequence[str]],
    seed: int = 1,
    *,
    pairs: int = 5000,
    min_occurrences: int = 5,
    max_occurrences: int = 100,
    max_words: int = 5000,
) -> GeometryResult:
    """Measure all layers of a representation on sentences.

    Args:
        representation: The representation to measure.
        sentences: The text.
        seed: Seed of the samples.
        pairs: Number of pairs of random tokens. No token is in two pairs, so that the standard error is correct.
        min_occurrences: Self-similarity is measured on words with at least this many occurrences.
        max_occurrences: Number of occurrences of a word above which a sample is drawn.
        max_words: Number of words above which a sample is drawn.

    Raises:
        ValueError: If the text is too short, a parameter is out of range, or there are no vectors for the words.
    """
    started = time.monotonic()
    text = [list(words) for words in sentences if words]
    sample = _Sample(text, seed, pairs, min_occurrences, max_occurrences, max_words)
    n_layers, dim = len(representation.layer_names), representation.dim
    kept = np.zeros((n_layers, len(sample.tokens), dim), np.float16)
    sums = np.zeros((len(sample.words), n_layers, dim), np.float32)
    counts = np.zeros((len(sample.words), n_layers), np.int64)
    intra = np.full((len(text), n_layers), np.nan)
    start = 0
    for number, layers in enumerate(tqdm(representation.layers(text), representation.name, len(text), disable=None)):
        end = start + layers.shape[1]
        first, last = np.searchsorted(sample.tokens, (start, end))
        kept[:, first:last] = layers[:, sample.tokens[first:last] - start]
        units, known = unit(layers), layers.any(-1)  # (L, n, D), (L, n)
        intra[number] = _similarity_to_mean(layers, units, known)
        word = sample.word_of[start:end]
        positions = np.flatnonzero(word >= 0)
        np.add.at(sums, word[positions], units[:, positions].swapaxes(0, 1))
        np.add.at(counts, word[positions], known[:, positions].T)
        start = end
    similarities = mean_of_pairs(sums, counts)  # (words, L)
    complete = np.any(kept, axis=-1).all(0)  # tokens without a vector are left out
    both = complete[sample.pairs].all(0)
    if not both.any():
        raise ValueError(f"{representation.name}: has no vectors for the words of this text")
    cosines = np.stack([_cosines(layer, sample.pairs[:, both]) for layer in kept])  # (L, pairs)
    measured = tuple(
        LayerGeometry(name, _estimate(random), first_component(vectors[complete]), _estimate(own), _estimate(mean))
        for name, random, vectors, own, mean in zip(
            representation.layer_names, cosines, kept, similarities.T, intra.T, strict=True
        )
    )
    words = zip(sample.words, sample.counts, map(tuple, similarities.tolist()), strict=True)
    return GeometryResult(
        representation.name,
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
    """The tokens to compare. Tokens are numbered from 0 through the whole text."""

    def __init__(
        self,
        text: Sequence[Sequence[str]],
        seed: int,
        pairs: int,
        min_occurrences: int,
        max_occurrences: int,
        max_words: int,
    ) -> None:
        if pairs < 1 or not 2 <= min_occurrences <= max_occurrences:
            raise ValueError(
                "pairs must be at least 1, min_occurrences at least 2, and max_occurrences at least min_occurrences"
            )
        places: defaultdict[str, list[int]] = defaultdict(list)
        digest = hashlib.sha256()
        n_tokens = 0
        for words in text:
            digest.update(" ".join(words).encode() + b"\n")
            for word in words:
                places[word].append(n_tokens)
                n_tokens += 1
        if n_tokens < 4:
            raise ValueError(f"the text has {counted(n_tokens, 'word')}: too few to compare")
        self.hash = digest.hexdigest()
        # Separate generators: the number of pairs does not change which words are sampled.
        for_pairs, for_words = np.random.default_rng([seed, 0]), np.random.default_rng([seed, 1])
        drawn = for_pairs.choice(n_tokens, 2 * min(pairs, n_tokens // 2), replace=False)
        self.tokens = np.sort(drawn)
        self.pairs = np.searchsorted(self.tokens, drawn).reshape(2, -1)  # rows of ``tokens``
        frequent = sorted(word for word, found in places.items() if len(found) >= min_occurrences)
        if len(frequent) > max_words:
            frequent = sorted(for_words.choice(np.array(frequent, object), max_words, replace=False))
        self.words: list[str] = frequent
        self.counts = [len(places[word]) for word in frequent]
        self.word_of = np.full(n_tokens, -1, np.int32)  # index in ``words`` of each sampled token, otherwise -1
        for number, word in enumerate(frequent):
            found = np.array(places[word])
            self.word_of[for_words.choice(found, min(max_occurrences, len(found)), replace=False)] = number


def _similarity_to_mean(layers: Floats, units: Floats, known: NDArray[np.bool_]) -> Floats:
    """Return the mean cosine of words with their mean, (L,); nan if fewer than two words have vectors."""
    count = known.sum(1)  # (L,)
    mean = unit(layers.sum(1))  # (L, D): the sum has the direction of the mean
    cosines = np.einsum("lnd,ld->l", units, mean)
    return np.where(count > 1, cosines / np.maximum(count, 1), np.nan)


def mean_of_pairs(sums: Floats, counts: NDArray[np.int64]) -> NDArray[np.float64]:
    """Return the mean cosine of all pairs of vectors, given the sum of the unit vectors; nan for fewer than two.

    The squared length of a sum of n unit vectors consists of n squares, each 1, and the cosine of every pair twice.

    Args:
        sums: Sums of unit vectors, (..., D).
        counts: Number of vectors in each sum, (...).
    """
    n = counts.astype(np.float64)
    squares = np.square(sums, dtype=np.float64).sum(-1)
    return np.where(n > 1, (squares - n) / np.maximum(n * (n - 1), 1), np.nan)


def _cosines(vectors: Floats, pairs: NDArray[np.int64]) -> Floats:
    """Return the cosines of pairs of rows (2, pairs) of vectors (n, D)."""
    units = unit(vectors.astype(np.float32))
    return np.einsum("pd,pd->p", units[pairs[0]], units[pairs[1]])


def _estimate(values: Floats) -> Estimate:
    values = values[~np.isnan(values)].astype(np.float64)
    if not len(values):
        return Estimate(math.nan, math.nan)
    error = values.std(ddof=1) / math.sqrt(len(values)) if len(values) > 1 else 0.0
    return Estimate(float(values.mean()), float(error))


def _centered(vectors: Floats) -> NDArray[np.float64]:
    wide = vectors.astype(np.float64)
    return wide - wide.mean(-2, keepdims=True)


def first_component(vectors: Floats) -> float:
    """Return the fraction of the variance of vectors (n, D) along their first principal component.

    It is nan if the vectors are all the same.
    """
    centered = _centered(vectors)
    if not centered.any():
        return math.nan
    values = np.linalg.eigvalsh(centered.T @ centered)  # ascending
    return float(values[-1] / values.sum())


def linear_cka(layers: Floats) -> NDArray[np.float64]:
    """Return the linear CKA between layers, (L, n, D) to (L, L): their similarity up to rotation and scale.

    The number of vectors n should be much larger than D: few vectors look similar by chance.
    """
    centered = [_centered(layer) for layer in layers]
    products = np.array([[np.square(x.T @ y).sum() for y in centered] for x in centered])  # (L, L)
    scale = np.sqrt(np.outer(np.diag(products), np.diag(products)))
    return np.divide(products, scale, out=np.full(products.shape, np.nan), where=scale > 0)


def _number_or_dash(value: float) -> str:
    return "–" if math.isnan(value) else f"{value:.3f}"


PANELS = (
    ("Two random tokens\n(anisotropy)", "anisotropy", ""),
    ("Two occurrences of a word\n(self-similarity)", "self_similarity", "self_adjusted"),
    ("A word and its sentence\n(intra-sentence similarity)", "intra_sentence", "intra_adjusted"),
)
"""The panels of the figure: title, field, and field with the adjusted values."""


def draw_geometry(results: Sequence[GeometryResult], stem: Path) -> list[Path]:
    """Draw the similarities by layer, and the CKA between layers of each contextual representation."""
    contextual = [result for result in results if len(result.layers) > 1]
    n_panels = len(PANELS) + len(contextual)
    n_columns = 2 if n_panels == 4 else 3
    n_rows = math.ceil(n_panels / n_columns)
    figure = new_figure(12, 3.4 * n_rows + 0.6)
    with large_text():
        axes = list(figure.subplots(n_rows, n_columns, squeeze=False).flat)
        for panel, (title, raw, adjusted) in zip(axes, PANELS, strict=False):
            panel.set_title(title)
            _draw_lines(panel, results, contextual or results, raw, adjusted)
        for panel, result in zip(axes[len(PANELS) :], contextual, strict=False):
            panel.set_title(f"Similarity of layers (CKA)\n{result.source}")
            _draw_cka(panel, result)
        for panel in axes[n_panels:]:
            panel.remove()
        handles, labels = axes[1].get_legend_handles_labels()
        figure.legend(handles, labels, loc="outside lower center", ncols=min(4, len(labels)), frameon=False)
        return save_figure(figure, stem)


def _draw_lines(axes: Any, results: Sequence[GeometryResult], named: Sequence[GeometryResult], *fields: str) -> None:
    """Plot values by layer; a single layer becomes a horizontal line, and adjusted values a dashed one.

    The layers of ``named`` are the ticks of the horizontal axis.
    """
    found = dict.fromkeys(layer.name for result in named for layer in result.layers)
    names = sorted(found, key=lambda name: name == AVERAGE)  # stable: the others stay in order
    for number, result in enumerate(results):
        color = COLORS[number % len(COLORS)]
        for field, style, face in zip(fields, ("-", "--"), (color, "white"), strict=True):
            if not field:
                continue
            label = result.source + (", adjusted" if style == "--" else "")
            read = [getattr(layer, field) for layer in result.layers]
            values = [value.value if isinstance(value, Estimate) else value for value in read]
            if len(values) == 1:
                axes.axhline(values[0], color=color, linestyle=style, linewidth=2, label=label)
                continue
            points = [(names.index(layer.name), v) for layer, v in zip(result.layers, values, strict=True)]
            # The average is not a layer of the network, so no line leads to it.
            joined = [point for point in points if names[point[0]] != AVERAGE]
            look = {"color": color, "marker": "osD^vP*X"[number % 8], "markerfacecolor": face, "markersize": 8}
            axes.plot([x for x, _ in joined], [y for _, y in joined], style, linewidth=2.5, label=label, **look)
            single = [point for point in points if point not in joined]
            axes.plot([x for x, _ in single], [y for _, y in single], linestyle="none", **look)
    axes.set_xticks(range(len(names)), names)
    axes.set_xlim(-0.3, len(names) - 0.7)
    axes.set_ylim(min(0.0, axes.get_ylim()[0]), 1.03)  # the same in all panels
    axes.set_ylabel("mean cosine")
    axes.grid(axis="y", alpha=0.3)
    axes.spines[["top", "right"]].set_visible(False)


def _draw_cka(axes: Any, result: GeometryResult) -> None:
    """Draw a heat map with its values."""
    names = [layer.name for layer in result.layers]
    axes.imshow(result.cka, vmin=0, vmax=1, cmap="Blues", aspect="auto")
    for row, column in np.ndindex(result.cka.shape):
        value = result.cka[row, column]
        axes.text(column, row, f"{value:.2f}", ha="center", va="center", color="white" if value > 0.6 else "black")
    axes.set_xticks(range(len(names)), names)
    axes.set_yticks(range(len(names)), names)
