"""A map of a word: all its uses in a text as points of a plane, near each other where the vectors are.

The vectors of one layer are brought to length 1 and drawn along their two main directions (PCA), or by UMAP
(McInnes et al. 2018) where umap-learn is installed. Colours are clusters of uses, found without being told any
senses, or senses that are given.

Clusters come from k-means. How many there are is judged by the silhouette (Rousseeuw 1987), against data of the same
spread without clusters: k-means cuts any cloud in pieces, and pieces count only if they are further apart than those.
They are ways in which the word is used: grammar and capital letters part uses as much as senses do.
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

from elmo.paper.probes.sources import Source
from elmo.paper.report import COLOURS, Table, new_figure, readable, save_figure
from elmo.search.vectors import principal_components
from elmo.text.reading import read_text
from elmo.text.tokens import words as split_words

Floats = NDArray[np.floating[Any]]
Ints = NDArray[np.int64]
Method = Literal["auto", "pca", "umap"]
FEWEST = 5
"""Uses that make a map."""
COMPONENTS = 10
"""Clusters are sought in so many main directions: the others are mostly noise, in which all points are far apart."""
MOST_CLUSTERS = 6
NULL_DRAWS = 20
"""Sets of points without clusters to compare with: none may do better, which happens by chance once in 21 times."""
_LOOKS = tuple(zip((colour for colour in COLOURS if colour != "#F0E442"), "osD^vPX", strict=True))
"""Groups differ in colour and shape (without yellow: thin lines would not be seen); the rest are grey dots."""
EXAMPLES, MOST_BESIDE = 10, 6
"""Snippets in a picture, and on one side of it."""
_AFTER = re.compile(r" ([.,;:!?%)\]}”]|['’](?:s|t|d|m|re|ve|ll)\b)")
_BEFORE = re.compile(r"([(\[{“]) ")
"""No space stands before the former, nor after the latter."""


@dataclass(frozen=True)
class Use:
    """A word in a sentence."""

    words: tuple[str, ...]
    place: int
    sense: str | None = None

    def snippet(self, width: int = 4) -> str:
        """The word in brackets, and so many words on each side, as people write them."""
        left, right = max(0, self.place - width), self.place + 1 + width
        words = [*self.words[left : self.place], f"[{self.words[self.place]}]", *self.words[self.place + 1 : right]]
        text = _BEFORE.sub(r"\1", _AFTER.sub(r"\1", " ".join(words)))
        return ("…" + text.lstrip(" .,;:!?)") if left else text) + "…" * (right < len(self.words))

    def neighbours(self, width: int = 3) -> set[str]:
        """The words beside it, in lower case, without those that have no letters."""
        near = self.words[max(0, self.place - width) : self.place + 1 + width]
        return {word.lower() for word in near if word.isalpha()} - {self.words[self.place].lower()}


@dataclass(frozen=True)
class WordMap:
    """The uses of a word, in a plane."""

    word: str
    source: str
    layer: str
    method: str
    """"pca" or "umap"."""
    uses: tuple[Use, ...]
    points: Floats
    """(n, 2)."""
    explained: tuple[float, float] | None
    """The shares of the variance along the axes; none by UMAP."""
    labels: tuple[str, ...]
    """What group each use is in: its sense, or "cluster 1", the largest, and so on."""
    centrality: Floats
    """How far each use is from the centre of its group, (n,)."""
    silhouette: float | None
    """How well apart the groups are, from -1 to 1; None for a single one."""
    same_neighbour: float | None
    """The share of uses whose nearest other use has the same sense; None for clusters, which are made so."""
    seed: int

    def groups(self) -> dict[str, list[int]]:
        """The numbers of the uses in each group, the most typical first; the largest group first."""
        sizes = Counter(self.labels)
        names = sorted(sizes, key=lambda name: (-sizes[name], name))
        order = np.argsort(self.centrality, kind="stable")
        return {name: [int(number) for number in order if self.labels[number] == name] for name in names}

    def typical_words(self, name: str, most: int = 4) -> list[str]:
        """Words beside the uses of a group, and less so beside those of the others."""
        inside: Counter[str] = Counter()
        outside: Counter[str] = Counter()
        for use, label in zip(self.uses, self.labels, strict=True):
            (inside if label == name else outside).update(use.neighbours())
        total, size = len(self.labels), self.labels.count(name)
        others = max(1, total - size)
        excess: dict[str, float] = {}
        for word, count in inside.items():
            share = (count + outside[word]) / total
            if 1 < count < total and share < 1:  # in deviations, so that words frequent everywhere do not win
                excess[word] = (count / size - outside[word] / others) / (share * (1 - share)) ** 0.5
        return [word for word in sorted(excess, key=lambda word: (-excess[word], word))[:most] if excess[word] > 0]

    def table(self, examples: int = 3) -> Table:
        """The groups: size, words nearby, and typical snippets."""
        rows = []
        for name, members in self.groups().items():
            snippets = list(dict.fromkeys(self.uses[number].snippet() for number in members))[:examples]
            rows.append([name, str(len(members)), ", ".join(self.typical_words(name)), " / ".join(snippets)])
        note = f"{len(self.uses)} uses; the snippets are nearest to the centre of their group; seed {self.seed}."
        if self.silhouette is not None:
            note += f" Silhouette {self.silhouette:.2f}."
        if self.same_neighbour is not None:
            note += f" {100 * self.same_neighbour:.0f} % have the sense of the use nearest to them."
        title = f"Uses of “{self.word}”: {self.source}, layer {self.layer}"
        return Table(title, ["group", "uses", "words nearby", "typical uses"], rows, note)


def read_senses(path: Path, word: str, ignore_case: bool = True) -> tuple[list[str], list[list[str]]]:
    """The senses and the sentences of a file with lines ``sense<TAB>sentence``."""
    senses: list[str] = []
    sentences: list[list[str]] = []
    for number, line in enumerate(read_text(path).split("\n"), 1):
        if not line.strip():
            continue
        fields = [field.strip() for field in line.split("\t")]
        if len(fields) != 2 or not all(fields):
            raise ValueError(f"{path}, line {number}: is not a sense, a tab and a sentence")
        words = split_words(fields[1])
        if not _places(words, word, ignore_case):
            raise ValueError(f"{path}, line {number}: the word {word!r} is not in the sentence")
        senses.append(fields[0])
        sentences.append(words)
    return senses, sentences


def find_uses(
    sentences: Iterable[Sequence[str]],
    word: str,
    *,
    senses: Sequence[str] | None = None,
    ignore_case: bool = True,
    most: int = 500,
    seed: int = 1,
) -> list[Use]:
    """The uses of a word, in order; of more than ``most``, so many are drawn. ``senses``: one for each sentence."""
    found = [
        Use(tuple(words), place, None if senses is None else senses[number])
        for number, words in enumerate(sentences)
        for place in _places(words, word, ignore_case)
    ]
    if len(found) > most:
        chosen = np.random.default_rng(seed).choice(len(found), most, replace=False)
        found = [found[number] for number in sorted(chosen)]
    return found


def _places(words: Sequence[str], word: str, ignore_case: bool) -> list[int]:
    if not ignore_case:
        return [place for place, found in enumerate(words) if found == word]
    return [place for place, found in enumerate(words) if found.lower() == word.lower()]


def layer_number(source: Source, layer: str | int) -> int:
    """A layer by its name or number."""
    names = list(source.layer_names)
    if layer in names:
        return names.index(str(layer))
    if str(layer).isdecimal() and int(layer) < len(names):
        return int(layer)
    raise ValueError(f"{source.name} has no layer {layer!r}; it has {', '.join(names)} (or 0 to {len(names) - 1})")


def map_uses(
    source: Source,
    sentences: Iterable[Sequence[str]],
    word: str,
    layer: str | int,
    *,
    senses: Sequence[str] | None = None,
    ignore_case: bool = True,
    most: int = 500,
    method: Method = "auto",
    seed: int = 1,
) -> WordMap:
    """Map the uses of a word, by the vectors of one layer; in colours of ``senses`` (one a sentence), or of clusters.

    ``method``: "auto" is UMAP where it is installed, else PCA.
    """
    chosen = layer_number(source, layer)
    uses = find_uses(sentences, word, senses=senses, ignore_case=ignore_case, most=most, seed=seed)
    if len(uses) < FEWEST:
        raise ValueError(f"the text has {len(uses)} uses of {word!r}; a map needs at least {FEWEST}")
    vectors = _vectors(source, uses, chosen)
    norms = np.linalg.norm(vectors, axis=1, keepdims=True)
    where = f"{source.name}, layer {source.layer_names[chosen]}"
    if not norms.all():
        raise ValueError(f"{where}: has no vector for {word!r}")
    scores, shares = principal_components(vectors / norms, COMPONENTS)
    if scores.shape[1] < 2:
        raise ValueError(f"{where}: all uses of {word!r} have the same vector, or one of two")
    silhouette: float | None = None
    same: float | None = None
    if senses is None:
        numbers, silhouette = cluster(scores, seed)
        labels = tuple(f"cluster {number + 1}" for number in numbers)
    else:
        labels = tuple(str(use.sense) for use in uses)
        numbers = np.unique(np.array(labels), return_inverse=True)[1]
        apart = _distances(scores, scores)
        silhouette = mean_silhouette(apart, numbers) if numbers.any() else None
        same = float(np.mean(numbers[(apart + np.diag(np.full(len(uses), np.inf))).argmin(1)] == numbers))
    centres = np.stack([scores[numbers == number].mean(0) for number in range(numbers.max() + 1)])
    umap = None if method == "pca" else _umap(method)
    return WordMap(
        word,
        source.name,
        source.layer_names[chosen],
        "pca" if umap is None else "umap",
        tuple(uses),
        scores[:, :2] if umap is None else _by_umap(umap, vectors / norms, seed),
        (float(shares[0]), float(shares[1])) if umap is None else None,
        labels,
        np.linalg.norm(scores - centres[numbers], axis=1),
        silhouette,
        same,
        seed,
    )


def _vectors(source: Source, uses: Sequence[Use], layer: int) -> NDArray[np.float32]:
    """The vectors of the uses, (n, D); a sentence with several is read once."""
    rows: dict[tuple[str, ...], list[int]] = {}
    for row, use in enumerate(uses):
        rows.setdefault(use.words, []).append(row)
    vectors = np.empty((len(uses), source.dim), np.float32)
    embedded = tqdm(source.layers(list(rows)), source.name, len(rows), disable=None)
    for layers, here in zip(embedded, rows.values(), strict=True):
        vectors[here] = layers[layer, [uses[row].place for row in here]]
    return vectors


def _umap(method: Method) -> Any:
    """The package, or None where it is not there and need not be."""
    try:
        return importlib.import_module("umap")
    except ImportError:
        if method == "umap":
            raise ValueError("UMAP needs umap-learn: pip install 'elmo-torch[analysis]' umap-learn") from None
        return None


def _by_umap(umap: Any, vectors: Floats, seed: int) -> Floats:
    neighbours = min(15, len(vectors) - 1)
    reducer = umap.UMAP(n_neighbors=neighbours, metric="cosine", random_state=seed, n_jobs=1)
    return np.asarray(reducer.fit_transform(vectors), np.float64)


def cluster(points: Floats, seed: int, most: int = MOST_CLUSTERS) -> tuple[Ints, float | None]:
    """Clusters of (n, d) points, numbered from the largest, and their silhouette; a single cluster has none.

    Of 2 to ``most`` clusters, the number is taken whose silhouette is farthest above the mean of sets of points from a
    normal distribution with the same variances, if none of those sets is as far above the mean at any number.
    """
    rng = np.random.default_rng(seed)
    counts = range(2, min(most, len(points) - 1) + 1)
    found = [k_means(points, k, rng) for k in counts]
    distances = _distances(points, points)
    reached = np.array([mean_silhouette(distances, labels) for labels in found])
    chance = np.empty((NULL_DRAWS, len(counts)))
    for row in range(NULL_DRAWS):
        drawn = rng.normal(size=points.shape) * points.std(0)
        apart = _distances(drawn, drawn)
        chance[row] = [mean_silhouette(apart, k_means(drawn, k, rng)) for k in counts]
    excess = reached - chance.mean(0)
    best = int(excess.argmax())
    if excess[best] <= (chance - chance.mean(0)).max():
        return np.zeros(len(points), np.int64), None
    by_size = np.argsort(-np.bincount(found[best]), kind="stable")
    return np.argsort(by_size)[found[best]], float(reached[best])


def k_means(points: Floats, k: int, rng: np.random.Generator, restarts: int = 4) -> Ints:
    """The best of several runs of Lloyd's algorithm, begun as k-means++ (Arthur & Vassilvitskii 2007) says."""
    best, least = np.zeros(len(points), np.int64), np.inf
    for _ in range(restarts):
        centres = points[rng.integers(len(points), size=1)]
        while len(centres) < k:  # far from those that are there
            weights = np.square(_distances(points, centres).min(1)) + 1e-12
            centres = np.concatenate([centres, points[rng.choice(len(points), 1, p=weights / weights.sum())]])
        for _ in range(100):
            labels = _distances(points, centres).argmin(1)
            members = [points[labels == number] for number in range(k)]
            moved = np.stack([m.mean(0) if len(m) else c for m, c in zip(members, centres, strict=True)])
            if np.array_equal(moved, centres):
                break
            centres = moved
        inertia = np.square(_distances(points, centres).min(1)).sum()
        if inertia < least:
            best, least = labels, inertia
    return best


def mean_silhouette(distances: Floats, labels: Ints) -> float:
    """How much nearer points (n, n) are to their own cluster than to the next one; 0 for a point alone in its own."""
    members = labels[:, None] == np.unique(labels)  # (n, k)
    sizes = members.sum(0)
    sums = distances @ members  # (n, k)
    own = np.where(members, sums, 0).sum(1) / np.maximum((members * sizes).sum(1) - 1, 1)
    other = np.where(members, np.inf, sums / sizes).min(1)
    alone = (members * sizes).sum(1) == 1
    return float(np.where(alone, 0, (other - own) / np.maximum(np.maximum(own, other), 1e-30)).mean())


def _distances(points: Floats, others: Floats) -> Floats:
    """(n, d) and (m, d) to (n, m)."""
    squares = np.square(points).sum(1)[:, None] + np.square(others).sum(1) - 2 * points @ others.T
    return np.sqrt(np.maximum(squares, 0))


def draw(found: WordMap, stem: Path) -> list[Path]:
    """The map, with snippets in the margins and lines from them to their points."""
    figure = new_figure(12, 6.75)
    with readable():
        figure.get_layout_engine().set(w_pad=0.15, h_pad=0.12)  # boxes are a little wider than their texts
        axes = figure.subplots()
        colours: dict[int, str] = {}
        groups = list(found.groups().items())
        rest = [number for _, members in groups[len(_LOOKS) :] for number in members]
        for (name, members), (colour, marker) in zip(groups, _LOOKS, strict=False):
            colours |= dict.fromkeys(members, colour)
            # Clusters are known by the words beside them; senses have names.
            near = ", ".join(found.typical_words(name) if found.same_neighbour is None else ())
            label = _plain(f"{name} ({len(members)})" + (f": {near}" if near else ""))
            _scatter(axes, found.points[members], label, colour, marker)
        if rest:
            _scatter(axes, found.points[rest], f"other ({len(rest)})", "#999999", "o")
        _annotate(axes, found, colours)
        axes.set_title(f"Uses of “{found.word}” ({found.source}, layer {found.layer})", parse_math=False)
        axes.set_xticks([])
        axes.set_yticks([])
        below = "UMAP: what is alike is near"
        if found.explained is not None:
            across, up = (f"{100 * share:.0f} %" for share in found.explained)
            below = f"two main directions ({across} of the variance across, {up} up)"
        axes.set_xlabel(below, fontsize=12)
        figure.legend(loc="outside lower center", ncols=2, frameon=False, markerscale=1.6)
        return save_figure(figure, stem)


def _plain(text: str) -> str:
    """The text of a legend, in which matplotlib takes what is between dollars for mathematics."""
    return text.lstrip("_").replace("$", r"\$")  # and does not show what begins with _


def _scatter(axes: Any, points: Floats, label: str, colour: str, marker: str) -> None:
    x, y = points.T
    axes.scatter(x, y, s=45, c=colour, marker=marker, label=label, alpha=0.8, edgecolors="white", linewidths=0.5)


def _annotate(axes: Any, found: WordMap, colours: Mapping[int, str]) -> None:
    """Examples on both sides, from top to bottom as their points are, so that few lines cross."""
    examples = sorted(_examples(found, EXAMPLES), key=lambda number: found.points[number, 0])
    middle = found.points[:, 0].min() / 2 + found.points[:, 0].max() / 2
    half = int((found.points[examples, 0] < middle).sum())
    half = min(max(half, len(examples) - MOST_BESIDE), MOST_BESIDE)
    for side, numbers, x, edge in (("right", examples[:half], -0.04, 1), ("left", examples[half:], 1.04, 0)):
        numbers = sorted(numbers, key=lambda number: -found.points[number, 1])
        for number, y in zip(numbers, np.linspace(0.96, 0.04, max(2, len(numbers))), strict=False):
            axes.annotate(
                textwrap.fill(found.uses[number].snippet(), 27, break_on_hyphens=False),
                found.points[number],
                (x, y),
                textcoords="axes fraction",
                ha=side,
                va="center",
                parse_math=False,
                arrowprops={"arrowstyle": "-", "relpos": (edge, 0.5), "color": colours[number], "alpha": 0.8},
                bbox={"boxstyle": "round,pad=0.25", "facecolor": "white", "edgecolor": colours[number]},
            )


def _examples(found: WordMap, most: int) -> list[int]:
    """Uses to show, in turn from each group: the most typical one, then typical ones far from all those chosen."""
    groups = [members[: max(3, len(members) // 2)] for members in found.groups().values()][: len(_LOOKS)]
    chosen: list[int] = []
    snippets: set[str] = set()
    for turn in range(most):
        for members in groups:
            free = [number for number in members if found.uses[number].snippet() not in snippets]
            if free and len(chosen) < most:
                far = _distances(found.points[free], found.points[chosen]).min(1) if turn else np.zeros(1)
                chosen.append(free[int(far.argmax())])
                snippets.add(found.uses[chosen[-1]].snippet())
    return chosen
