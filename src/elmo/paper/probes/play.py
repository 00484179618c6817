"""A list of uses of a word with known senses says how often its nearest neighbours in context are right."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from elmo.paper.probes.sources import Source
from elmo.paper.report import Table
from elmo.search.occurrences import normalize_word
from elmo.search.vectors import unit
from elmo.text.reading import read_text

PLAY = Path(__file__).with_name("play.tsv")
"""Uses of "play" and "plays", written by hand before any model had seen them, and not changed since."""
SAME = 1e-6
"""Similarities that differ by less are equal: a word without its context has the same vector everywhere."""


@dataclass(frozen=True)
class Use:
    """A use of a word, with its sense."""

    sense: str
    part: str
    """query or corpus."""
    words: tuple[str, ...]
    position: int


def read_uses(path: str | Path, forms: Collection[str] = ("play", "plays")) -> list[Use]:
    """A list of uses of a word: sense, query or corpus, and a sentence in words with one of the word's forms in it."""
    path = Path(path)
    plain = {normalize_word(form) for form in forms}
    uses = []
    for number, line in enumerate(read_text(path).splitlines(), 1):
        if not line.strip() or line.startswith("#"):
            continue
        fields = line.split("\t")
        if len(fields) != 3 or not fields[0]:
            raise ValueError(f"{path}, line {number}: is not sense, query or corpus, and sentence, with tabs between")
        sense, part, words = fields[0], fields[1], tuple(fields[2].split())
        if part not in ("query", "corpus"):
            raise ValueError(f"{path}, line {number}: {part!r} is neither query nor corpus")
        places = [place for place, word in enumerate(words) if normalize_word(word) in plain]
        if len(places) != 1:
            raise ValueError(f"{path}, line {number}: has {len(places)} of the words {', '.join(forms)}, not one")
        uses.append(Use(sense, part, words, places[0]))
    return uses


@dataclass(frozen=True)
class JudgeResult:
    """How many of the nearest uses have the sense of the query."""

    source: str
    queries: tuple[Use, ...]
    layers: tuple[str, ...]
    k: int
    right: tuple[tuple[float, ...], ...]
    """For each layer and query, how many of the k nearest; of uses equally near, the number to be expected."""
    chance: tuple[float, ...]
    """For each query, how many to expect of k uses drawn blindly."""

    def share(self, layer: str, sense: str | None = None) -> float:
        """Right neighbours of all, over the queries (of a sense)."""
        return _mean(self.right[self.layers.index(layer)], self.queries, sense) / self.k

    def good(self, layer: str) -> int:
        """Queries with at least four in five right."""
        return sum(count >= 0.8 * self.k - SAME for count in self.right[self.layers.index(layer)])

    def table(self) -> Table:
        """Layers in rows; shares in per cent, over all queries and for each sense, and each sense's first query."""
        senses = list(dict.fromkeys(query.sense for query in self.queries))
        firsts = [next(n for n, query in enumerate(self.queries) if query.sense == sense) for sense in senses]
        rows = []
        for layer, right in zip((*self.layers, "chance"), (*self.right, self.chance), strict=True):
            shares = [_mean(right, self.queries, sense) / self.k for sense in (None, *senses)]
            good = str(self.good(layer)) if layer in self.layers else ""
            rows.append(
                [layer, *(f"{100 * share:.1f}" for share in shares), good, *(f"{right[n]:.3g}" for n in firsts)]
            )
        head = ["layer", "all", *senses, "good", *(f"first {sense}" for sense in senses)]
        note = (
            f"Of the {self.k} nearest uses, per cent with the sense of the query, over {len(self.queries)} queries; "
            f"good: queries with at least four in five right. Vectors: {self.source}."
        )
        return Table("Neighbours with the right sense", head, rows, note)


def judge(source: Source, uses: Sequence[Use], k: int = 5, *, same_form: bool = True) -> JudgeResult:
    """Compare each query with the corpus part of a list; ``same_form``: "plays" with uses of "plays" only."""
    queries = [use for use in uses if use.part == "query"]
    corpus = [use for use in uses if use.part == "corpus"]
    layers = list(source.layers(use.words for use in (*queries, *corpus)))
    places = (use.position for use in (*queries, *corpus))
    picked = [values[:, place] for values, place in zip(layers, places, strict=True)]
    units = unit(np.stack(picked, 1).astype(np.float64))  # (L, uses, D)
    similarities = units[:, : len(queries)] @ units[:, len(queries) :].transpose(0, 2, 1)  # (L, queries, corpus)
    form = [normalize_word(use.words[use.position]) for use in corpus]
    right = np.zeros(similarities.shape[:2])
    chance = []
    for number, query in enumerate(queries):
        own = normalize_word(query.words[query.position])
        pool = [place for place in range(len(corpus)) if not same_form or form[place] == own]
        if len(pool) < k:
            raise ValueError(f"the corpus part has only {len(pool)} uses to compare with: {' '.join(query.words)}")
        agrees = np.array([corpus[place].sense == query.sense for place in pool])
        chance.append(k * float(agrees.mean()))
        for layer in range(len(right)):
            right[layer, number] = _expected(similarities[layer, number, pool], agrees, k)
    counts = tuple(tuple(map(float, row)) for row in right)
    return JudgeResult(source.name, tuple(queries), tuple(source.layer_names), k, counts, tuple(chance))


def _expected(similarities: NDArray[np.float64], agrees: NDArray[np.bool_], k: int) -> float:
    """How many of the k nearest agree; where equals compete for the last places, all have the same chance."""
    edge = np.sort(similarities)[-k]
    nearer = similarities > edge + SAME
    equal = ~nearer & (similarities >= edge - SAME)
    return float(agrees[nearer].sum() + (k - nearer.sum()) * agrees[equal].mean())


def _mean(counts: Sequence[float], queries: Sequence[Use], sense: str | None) -> float:
    return float(np.mean([n for n, query in zip(counts, queries, strict=True) if sense in (None, query.sense)]))
