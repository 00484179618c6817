"""A map of a word: its occurrences in a text as points in a plane, close together where their vectors are similar.

The vectors of one layer are scaled to length 1 and projected to two dimensions, by PCA or by UMAP (McInnes et al.
2018). Colors show given senses, or clusters that were found without knowing the senses (``elmo.search.clusters``).
"""

import importlib
import re
import textwrap
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray
from tqdm import tqdm

from elmo.config import TokenizerName
from elmo.datasets.lines import bad_line, numbered_lines
from elmo.embed.embedder import load
from elmo.paper.exhibit import Exhibit, Setup, model_names
from elmo.paper.probes.representations import BiLMRepresentation, Representation, layer_index, tokenizer_of
from elmo.paper.report import COLORS, Table, large_text, new_figure, save_figure
from elmo.search.clusters import (
    MIN_OCCURRENCES,
    N_COMPONENTS,
    Clusters,
    cluster,
    distances,
    mean_silhouette,
    nearby_words,
    typical_words,
)
from elmo.search.occurrences import normalize_word, split_context
from elmo.search.sample_texts import raw_tokenizer, sample_for
from elmo.search.vectors import Floats, principal_components
from elmo.text.alignment import spacing
from elmo.text.counts import counted
from elmo.text.reading import read_raw_sentences
from elmo.text.tokens import tokenizer as tokenizer_named

Method = Literal["auto", "pca", "umap"]
_STYLES = tuple(zip((color for color in COLORS if color != "#F0E442"), "osD^vPX", strict=True))
"""Color and marker of each group (without yellow, whose thin lines are hard to see). Further groups are gray dots."""
MAX_EXAMPLES, MAX_EXAMPLES_PER_SIDE = 10, 6
"""Numbers of snippets in a figure."""
_NO_SPACE_BEFORE = re.compile(r" ([.,;:!?%)\]}”]|['’](?:s|t|d|m|re|ve|ll)\b)")
_NO_SPACE_AFTER = re.compile(r"([(\[{“]) ")


@dataclass(frozen=True)
class Occurrence:
    """A word in a sentence."""

    words: tuple[str, ...]
    position: int
    sense: str | None = None
    spaced: tuple[bool, ...] | None = None
    """Whether a space precedes each word, as it was written; None if that is not known."""

    def snippet(self, width: int = 4) -> str:
        """Return the word in brackets with up to ``width`` words on each side, as written, or else detokenized."""
        before, word, after = split_context(self.words, self.position, width, self.spaced)
        text = f"{before}[{word}]{after}"
        if self.spaced is None or all(self.spaced):  # words with spaces between all of them
            text = _NO_SPACE_AFTER.sub(r"\1", _NO_SPACE_BEFORE.sub(r"\1", text))
        if self.position > width:
            text = "…" + text.lstrip("… .,;:!?)")
        return text.removesuffix(" …") + "…" if text.endswith(" …") else text


@dataclass(frozen=True)
class OccurrenceMap:
    """The occurrences of a word in a plane."""

    word: str
    source: str
    layer: str
    method: str
    """"pca" or "umap"."""
    occurrences: tuple[Occurrence, ...]
    points: Floats
    """(n, 2)."""
    explained: tuple[float, float] | None
    """Fractions of the variance along the two axes; None for UMAP."""
    labels: tuple[str, ...]
    """The group of each occurrence: its sense, or "cluster 1" for the largest cluster, and so on."""
    distances: Floats
    """Distance of each occurrence from the center of its group, (n,)."""
    silhouette: float | None
    """How well separated the groups are, from -1 to 1; None for a single group."""
    same_sense: float | None
    """Fraction of occurrences whose nearest neighbor has the same sense; None for clusters."""
    seed: int

    def groups(self) -> dict[str, list[int]]:
        """Return the indices of the occurrences in each group, the most typical first; the largest group is first."""
        sizes = Counter(self.labels)
        names = sorted(sizes, key=lambda name: (-sizes[name], name))
        order = np.argsort(self.distances, kind="stable")
        return {name: [int(number) for number in order if self.labels[number] == name] for name in names}

    def typical_words(self, name: str, max_words: int = 4) -> list[str]:
        """Return words that occur near the word more often in a group than in the other groups."""
        inside: list[set[str]] = []
        outside: list[set[str]] = []
        for occurrence, label in zip(self.occurrences, self.labels, strict=True):
            (inside if label == name else outside).append(nearby_words(occurrence.words, occurrence.position))
        return typical_words(inside, outside, max_words)

    def table(self, examples: int = 3) -> Table:
        """Return one row per group: its size, words nearby, and typical snippets."""
        rows = []
        for name, members in self.groups().items():
            snippets = list(dict.fromkeys(self.occurrences[number].snippet() for number in members))[:examples]
            rows.append([name, str(len(members)), ", ".join(self.typical_words(name)), " / ".join(snippets)])
        note = f"{len(self.occurrences)} occurrences; the examples are closest to the center of their group; "
        note += f"seed {self.seed}."
        if self.silhouette is not None:
            note += f" Silhouette {self.silhouette:.2f}."
        if self.same_sense is not None:
            note += f" {100 * self.same_sense:.0f} % have the same sense as their nearest neighbor."
        title = f"Occurrences of “{self.word}”: {self.source}, {self.layer}"
        return Table(title, ["group", "occurrences", "words nearby", "examples"], rows, note)


@dataclass(frozen=True)
class WordMapFigure(Exhibit[OccurrenceMap]):
    """The map of a word in a corpus, in sentences labeled with senses, or else in the sample text for the model."""

    word: str
    corpus: Sequence[Path] | None = None
    senses: Path | None = None
    """A file in place of a corpus: lines with a sense, a tab and a sentence."""
    layer: str | int = "top"
    method: Method = "auto"
    max_occurrences: int = 500
    pretokenized: bool = False

    def run(self, setup: Setup) -> OccurrenceMap:
        """Find and project the occurrences."""
        [model] = setup.models
        embedder = load(model, device=setup.device)
        representation = BiLMRepresentation(embedder, *model_names([model]))
        split = tokenizer_of([representation], self.pretokenized)
        labels: Sequence[str] | None = None
        sentences: Iterable[str]
        if self.senses is not None:
            labels, sentences = read_senses(self.senses, self.word, split)
        elif self.corpus is not None:
            sentences = read_raw_sentences(self.corpus, split)
        else:
            split = raw_tokenizer(embedder.config.tokenizer)
            sentences = sample_for(embedder.mismatch, split).sentences()
        return map_occurrences(
            representation,
            sentences,
            self.word,
            self.layer,
            tokenizer=split,
            senses=labels,
            max_occurrences=self.max_occurrences,
            method=self.method,
        )

    def collect(self, results: OccurrenceMap) -> dict[str, Table]:
        """Return the table of groups."""
        return {f"map-{word_in_file_name(results.word)}": results.table()}

    def render(self, results: OccurrenceMap, tables: Mapping[str, Table], folder: Path) -> list[Path]:
        """Write the table and draw the map."""
        return super().render(results, tables, folder) + draw_map(results, folder / next(iter(tables)))


def word_in_file_name(word: str) -> str:
    """Return a word as a part of the name of a file: letters and digits stay as they are."""
    return "".join(character if character.isalnum() else "_" for character in word)


def read_senses(path: Path, word: str, tokenizer: TokenizerName = "words") -> tuple[list[str], list[str]]:
    """Read the senses and the sentences of a file with lines ``sense<TAB>sentence``.

    Raises:
        ValueError: If a line is malformed, or its sentence does not contain the word.
    """
    senses: list[str] = []
    sentences: list[str] = []
    for number, line in numbered_lines(path):
        fields = [field.strip() for field in line.split("\t")]
        if len(fields) != 2 or not all(fields):
            raise bad_line(path, number, "is not a sense, a tab and a sentence")
        if not _positions(tokenizer_named(tokenizer).words(fields[1]), word):
            raise bad_line(path, number, f"the word {word!r} is not in the sentence")
        senses.append(fields[0])
        sentences.append(fields[1])
    return senses, sentences


def find_occurrences(
    sentences: Iterable[str | Sequence[str]],
    word: str,
    *,
    tokenizer: TokenizerName = "words",
    senses: Sequence[str] | None = None,
    max_occurrences: int = 500,
    seed: int = 1,
) -> list[Occurrence]:
    """Return the occurrences of a word in any case, in order, or a random sample of them if there are too many.

    Sentences that are strings are split by ``tokenizer``. ``senses`` gives the sense of the word in each sentence.
    """
    split = tokenizer_named(tokenizer).words
    found = []
    for number, sentence in enumerate(sentences):
        words = split(sentence) if isinstance(sentence, str) else sentence
        if positions := _positions(words, word):
            spaced = spacing(sentence, words) if isinstance(sentence, str) else None
            sense = None if senses is None else senses[number]
            found += [Occurrence(tuple(words), position, sense, spaced) for position in positions]
    if len(found) > max_occurrences:
        chosen = np.random.default_rng(seed).choice(len(found), max_occurrences, replace=False)
        found = [found[number] for number in sorted(chosen)]
    return found


def _positions(words: Sequence[str], word: str) -> list[int]:
    wanted = normalize_word(word)
    return [position for position, found in enumerate(words) if normalize_word(found) == wanted]


def map_occurrences(
    representation: Representation,
    sentences: Iterable[str | Sequence[str]],
    word: str,
    layer: str | int,
    *,
    tokenizer: TokenizerName = "words",
    senses: Sequence[str] | None = None,
    max_occurrences: int = 500,
    method: Method = "auto",
    seed: int = 1,
) -> OccurrenceMap:
    """Map the occurrences of a word by the vectors of one layer.

    Args:
        representation: The model whose vectors are mapped.
        sentences: The text.
        word: The word, in any case.
        layer: Name or index of the layer, or "top".
        tokenizer: How sentences that are strings are split into words.
        senses: The sense of the word in each sentence; without them, occurrences are clustered.
        max_occurrences: Number of occurrences above which a random sample is drawn.
        method: "pca", "umap", or "auto" for UMAP if it is installed and otherwise PCA.
        seed: Seed of the sample, the clusters and UMAP.

    Raises:
        ValueError: If the word is several tokens or occurs too rarely, its vectors do not differ, or UMAP is required
            but not installed.
    """
    found = find_occurrences(
        sentences, word, tokenizer=tokenizer, senses=senses, max_occurrences=max_occurrences, seed=seed
    )
    if not found and len(parts := tokenizer_named(tokenizer).words(word)) > 1:
        raise ValueError(f"{word!r} is several tokens in the text: {' '.join(parts)}; a map is of one token")
    return map_found(representation, found, word, layer, method=method, seed=seed)


def map_found(
    representation: Representation,
    found: Sequence[Occurrence],
    word: str,
    layer: str | int,
    *,
    method: Method,
    seed: int = 1,
) -> OccurrenceMap:
    """Map occurrences of a word that have been found; see ``map_occurrences``. Either all have a sense, or none."""
    chosen = layer_index(representation, layer)
    if len(found) < MIN_OCCURRENCES:
        raise ValueError(
            f"{word!r} occurs {counted(len(found), 'time')} in the text; a map needs at least {MIN_OCCURRENCES}"
        )
    vectors = _vectors(representation, found, chosen)
    norms = np.linalg.norm(vectors, axis=1, keepdims=True)
    where = f"{representation.name}, layer {representation.layer_names[chosen]}"
    if not norms.all():
        raise ValueError(f"{where}: has no vector for {word!r}")
    coordinates, explained = principal_components(vectors / norms, N_COMPONENTS)
    if coordinates.shape[1] < 2:
        raise ValueError(f"{where}: all occurrences of {word!r} have the same vector, or one of two")
    silhouette: float | None = None
    same_sense: float | None = None
    if found[0].sense is None:
        groups = cluster(coordinates, seed)
        silhouette = groups.silhouette
        labels = tuple(f"cluster {number + 1}" for number in groups.labels)
    else:
        labels = tuple(str(occurrence.sense) for occurrence in found)
        numbers = np.unique(np.array(labels), return_inverse=True)[1]
        apart = distances(coordinates, coordinates)
        silhouette = mean_silhouette(apart, numbers) if numbers.any() else None
        groups = Clusters(numbers, silhouette)
        nearest = (apart + np.diag(np.full(len(found), np.inf))).argmin(1)
        same_sense = float(np.mean(numbers[nearest] == numbers))
    umap = None if method == "pca" else _import_umap(method)
    return OccurrenceMap(
        word,
        representation.name,
        representation.layer_names[chosen],
        "pca" if umap is None else "umap",
        tuple(found),
        coordinates[:, :2] if umap is None else _project_by_umap(umap, vectors / norms, seed),
        (float(explained[0]), float(explained[1])) if umap is None else None,
        labels,
        np.linalg.norm(coordinates - groups.centers(coordinates)[groups.labels], axis=1),
        silhouette,
        same_sense,
        seed,
    )


def _vectors(representation: Representation, occurrences: Sequence[Occurrence], layer: int) -> NDArray[np.float32]:
    """Return the vectors of the occurrences, (n, D). A sentence with several of them is embedded once."""
    rows: dict[tuple[str, ...], list[int]] = {}
    for row, occurrence in enumerate(occurrences):
        rows.setdefault(occurrence.words, []).append(row)
    vectors = np.empty((len(occurrences), representation.dim), np.float32)
    embedded = tqdm(representation.layers(list(rows)), representation.name, len(rows), disable=None)
    for layers, here in zip(embedded, rows.values(), strict=True):
        vectors[here] = layers[layer, [occurrences[row].position for row in here]]
    return vectors


def _import_umap(method: Method) -> Any:
    """Return the package, or None if it is neither installed nor required."""
    try:
        return importlib.import_module("umap")
    except ImportError:
        if method == "umap":
            raise ValueError("UMAP requires umap-learn: pip install 'elmo-torch[analysis]'") from None
        return None


def _project_by_umap(umap: Any, vectors: Floats, seed: int) -> Floats:
    n_neighbors = min(15, len(vectors) - 1)
    reducer = umap.UMAP(n_neighbors=n_neighbors, metric="cosine", random_state=seed, n_jobs=1)
    return np.asarray(reducer.fit_transform(vectors), np.float64)


def draw_map(found: OccurrenceMap, stem: Path) -> list[Path]:
    """Draw the map, with snippets in the margins that are connected to their points by lines."""
    figure = new_figure(12, 6.75)
    with large_text():
        figure.get_layout_engine().set(w_pad=0.15, h_pad=0.12)  # the boxes are a little wider than their text
        axes = figure.subplots()
        colors: dict[int, str] = {}
        groups = list(found.groups().items())
        rest = [number for _, members in groups[len(_STYLES) :] for number in members]
        for (name, members), (color, marker) in zip(groups, _STYLES, strict=False):
            colors |= dict.fromkeys(members, color)
            # Clusters are described by the words near them; senses have names.
            near = ", ".join(found.typical_words(name) if found.same_sense is None else ())
            label = _legend_text(f"{name} ({len(members)})" + (f": {near}" if near else ""))
            _scatter(axes, found.points[members], label, color, marker)
        if rest:
            _scatter(axes, found.points[rest], f"other ({len(rest)})", "#999999", "o")
        _annotate(axes, found, colors)
        axes.set_title(f"Occurrences of “{found.word}” ({found.source}, {found.layer})", parse_math=False)
        axes.set_xticks([])
        axes.set_yticks([])
        label = "UMAP projection"
        if found.explained is not None:
            across, up = (f"{100 * fraction:.0f} %" for fraction in found.explained)
            label = f"PCA: the horizontal axis explains {across} of the variance, the vertical axis {up}"
        axes.set_xlabel(label, fontsize=12)
        figure.legend(loc="outside lower center", ncols=2, frameon=False, markerscale=1.6)
        return save_figure(figure, stem)


def _legend_text(text: str) -> str:
    """Escape what matplotlib would interpret in a legend: a leading underscore, and dollar signs as mathematics."""
    return text.lstrip("_").replace("$", r"\$")


def _scatter(axes: Any, points: Floats, label: str, color: str, marker: str) -> None:
    x, y = points.T
    axes.scatter(x, y, s=45, c=color, marker=marker, label=label, alpha=0.8, edgecolors="white", linewidths=0.5)


def _annotate(axes: Any, found: OccurrenceMap, colors: Mapping[int, str]) -> None:
    """Place examples on both sides, in the vertical order of their points, so that few lines cross."""
    examples = sorted(_examples(found, MAX_EXAMPLES), key=lambda number: found.points[number, 0])
    middle = found.points[:, 0].min() / 2 + found.points[:, 0].max() / 2
    half = int((found.points[examples, 0] < middle).sum())
    half = min(max(half, len(examples) - MAX_EXAMPLES_PER_SIDE), MAX_EXAMPLES_PER_SIDE)
    for side, numbers, x, edge in (("right", examples[:half], -0.04, 1), ("left", examples[half:], 1.04, 0)):
        numbers = sorted(numbers, key=lambda number: -found.points[number, 1])
        for number, y in zip(numbers, np.linspace(0.96, 0.04, max(2, len(numbers))), strict=False):
            axes.annotate(
                textwrap.fill(found.occurrences[number].snippet(), 27, break_on_hyphens=False),
                found.points[number],
                (x, y),
                textcoords="axes fraction",
                ha=side,
                va="center",
                parse_math=False,
                arrowprops={"arrowstyle": "-", "relpos": (edge, 0.5), "color": colors[number], "alpha": 0.8},
                bbox={"boxstyle": "round,pad=0.25", "facecolor": "white", "edgecolor": colors[number]},
            )


def _examples(found: OccurrenceMap, max_examples: int) -> list[int]:
    """Choose examples from each group in turn: the most typical one first, then typical ones far from those chosen."""
    groups = [members[: max(3, len(members) // 2)] for members in found.groups().values()][: len(_STYLES)]
    chosen: list[int] = []
    snippets: set[str] = set()
    for turn in range(max_examples):
        for members in groups:
            free = [number for number in members if found.occurrences[number].snippet() not in snippets]
            if free and len(chosen) < max_examples:
                far = distances(found.points[free], found.points[chosen]).min(1) if turn else np.zeros(1)
                chosen.append(free[int(far.argmax())])
                snippets.add(found.occurrences[chosen[-1]].snippet())
    return chosen
