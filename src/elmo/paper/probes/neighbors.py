"""Nearest neighbors of "play", in context and by static vectors (table 4 of Peters et al. 2018).

"play" has one GloVe vector, whose neighbors belong to several senses at once. A biLM gives every occurrence its own
vector, so the nearest occurrences should have the same sense. How often they do is measured on a list of sentences
with known senses. Similarities are not comparable between layers, or between models.
"""

import time
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from tqdm import tqdm

from elmo.datasets.folders import data_folder, unpacked_folder
from elmo.datasets.lines import bad_line, numbered_lines
from elmo.datasets.semcor import read_semcor
from elmo.datasets.static_vectors import read_vectors
from elmo.embed.embedder import Embedder, load
from elmo.paper.exhibit import DATA_FOLDER, Exhibit, Measurement, Setup, find_file, model_names, record
from elmo.paper.probes.representations import BiLMRepresentation, Representation
from elmo.paper.report import Table
from elmo.search.index import Index, build_index, layer_name
from elmo.search.occurrences import normalize_word, split_context
from elmo.search.static_neighbors import StaticNeighbors
from elmo.search.vectors import unit

PLAY = Path(__file__).with_name("play.tsv")
"""A hundred sentences with "play" or "plays", labeled with the sense before any model had seen them."""
TIE = 1e-6
"""Similarities that differ by less are equal: in the token layer, a word has the same vector everywhere."""


@dataclass(frozen=True)
class LabeledUse:
    """A word in a sentence, labeled with its sense."""

    sense: str
    part: str
    """"query" or "corpus"."""
    words: tuple[str, ...]
    position: int


def read_labeled_uses(path: str | Path, forms: Collection[str] = ("play", "plays")) -> list[LabeledUse]:
    """Read a list of labeled sentences: lines with a sense, "query" or "corpus", and a tokenized sentence.

    Args:
        path: A file with tab-separated columns. Empty lines and lines that start with # are skipped.
        forms: The inflected forms of the word, one of which occurs exactly once in every sentence.

    Raises:
        ValueError: If a line is malformed.
    """
    normalized = {normalize_word(form) for form in forms}
    uses = []
    for number, line in numbered_lines(path):
        if line.startswith("#"):
            continue
        fields = line.split("\t")
        if len(fields) != 3 or not fields[0]:
            raise bad_line(path, number, "is not a sense, query or corpus, and a sentence, separated by tabs")
        sense, part, words = fields[0], fields[1], tuple(fields[2].split())
        if part not in ("query", "corpus"):
            raise bad_line(path, number, f"{part!r} is neither query nor corpus")
        positions = [position for position, word in enumerate(words) if normalize_word(word) in normalized]
        if len(positions) != 1:
            raise bad_line(path, number, f"has {len(positions)} of the words {', '.join(forms)}, not one")
        uses.append(LabeledUse(sense, part, words, positions[0]))
    return uses


@dataclass(frozen=True)
class SenseAgreement:
    """How many of the nearest neighbors have the sense of the query."""

    source: str
    queries: tuple[LabeledUse, ...]
    layers: tuple[str, ...]
    k: int
    counts: tuple[tuple[float, ...], ...]
    """For each layer and query, how many of the k nearest neighbors agree; an expected value if there are ties."""
    chance: tuple[float, ...]
    """For each query, the expected number if k neighbors were drawn at random."""

    def accuracy(self, layer: str, sense: str | None = None) -> float:
        """Return the fraction of neighbors that agree with their query, over all queries or those of one sense."""
        return _mean(self.counts[self.layers.index(layer)], self.queries, sense) / self.k

    def good(self, layer: str) -> int:
        """Count the queries of which at least four in five neighbors agree."""
        return sum(count >= 0.8 * self.k - TIE for count in self.counts[self.layers.index(layer)])

    def table(self) -> Table:
        """Return one row per layer: the accuracy overall and by sense, and the counts of each sense's first query."""
        senses = list(dict.fromkeys(query.sense for query in self.queries))
        firsts = [next(n for n, query in enumerate(self.queries) if query.sense == sense) for sense in senses]
        rows = []
        for layer, counts in zip((*self.layers, "chance"), (*self.counts, self.chance), strict=True):
            accuracies = [_mean(counts, self.queries, sense) / self.k for sense in (None, *senses)]
            good = str(self.good(layer)) if layer in self.layers else ""
            rows.append([layer, *(f"{100 * a:.1f}" for a in accuracies), good, *(f"{counts[n]:.3g}" for n in firsts)])
        header = ["layer", "all", *senses, "good", *(f"first {sense}" for sense in senses)]
        note = (
            f"Percentage of the {self.k} nearest neighbors that have the sense of the query, over {len(self.queries)} "
            f"queries. Good: queries of which at least four in five neighbors agree. Vectors: {self.source}."
        )
        return Table("Neighbors with the same sense", header, rows, note)


def evaluate_labeled(representation: Representation, uses: Sequence[LabeledUse], k: int = 5) -> SenseAgreement:
    """Find the ``k`` nearest neighbors of each query among the sentences of the corpus part, and compare the senses.

    Only occurrences of the same form are compared: "plays" with "plays".

    Raises:
        ValueError: If the corpus part has fewer than ``k`` occurrences of a form.
    """
    queries = [use for use in uses if use.part == "query"]
    corpus = [use for use in uses if use.part == "corpus"]
    layers = list(representation.layers(use.words for use in (*queries, *corpus)))
    positions = (use.position for use in (*queries, *corpus))
    vectors = [values[:, position] for values, position in zip(layers, positions, strict=True)]
    units = unit(np.stack(vectors, 1).astype(np.float64))  # (L, uses, D)
    similarities = units[:, : len(queries)] @ units[:, len(queries) :].transpose(0, 2, 1)  # (L, queries, corpus)
    forms = [normalize_word(use.words[use.position]) for use in corpus]
    counts = np.zeros(similarities.shape[:2])
    chance = []
    for number, query in enumerate(queries):
        form = normalize_word(query.words[query.position])
        pool = [place for place in range(len(corpus)) if forms[place] == form]
        if len(pool) < k:
            raise ValueError(
                f"the corpus part has only {len(pool)} occurrences to compare with: {' '.join(query.words)}"
            )
        agrees = np.array([corpus[place].sense == query.sense for place in pool])
        chance.append(k * float(agrees.mean()))
        for layer in range(len(counts)):
            counts[layer, number] = expected_agreement(similarities[layer, number, pool], agrees, k)
    return SenseAgreement(
        representation.name,
        tuple(queries),
        tuple(representation.layer_names),
        k,
        tuple(tuple(map(float, row)) for row in counts),
        tuple(chance),
    )


def expected_agreement(similarities: NDArray[np.float64], agrees: NDArray[np.bool_], k: int) -> float:
    """Return how many of the k nearest agree; all that are tied for the last places are equally likely to be chosen."""
    threshold = np.sort(similarities)[-k]
    nearer = similarities > threshold + TIE
    tied = ~nearer & (similarities >= threshold - TIE)
    return float(agrees[nearer].sum() + (k - nearer.sum()) * agrees[tied].mean())


def _mean(counts: Sequence[float], queries: Sequence[LabeledUse], sense: str | None) -> float:
    return float(np.mean([n for n, query in zip(counts, queries, strict=True) if sense in (None, query.sense)]))


@dataclass(frozen=True)
class PlayResult:
    """The neighbors of "play" by one model."""

    model: str
    neighbors: Table
    same_word: Table
    agreement: SenseAgreement


@dataclass(frozen=True)
class PlayNeighbors(Exhibit[list[PlayResult]]):
    """Table 4. SemCor is found in the folder tasks/wsd of the data if it is not given."""

    semcor: Path | None = None

    def run(self, setup: Setup) -> list[PlayResult]:
        """Index SemCor with each model, and search for the first query of each sense."""
        started = time.monotonic()
        semcor = self.semcor
        if semcor is None:
            source = data_folder(setup.data, "give --semcor") / "tasks" / "wsd"
            folder = unpacked_folder(source, setup.output / DATA_FOLDER)
            semcor = find_file(folder, "semcor*.jsonl*")
        static = None if setup.vectors is None else StaticNeighbors(read_vectors(setup.vectors))
        uses = read_labeled_uses(PLAY)
        sentences = [list(sentence.words) for sentence in read_semcor(semcor)]
        senses = ("theatre", "sport")
        firsts = [next(use for use in uses if use.part == "query" and use.sense == sense) for sense in senses]
        queries = [(use.words, use.position) for use in firsts]
        results = []
        for model, label in zip(setup.models, model_names(setup.models), strict=True):
            embedder = load(model, device=setup.device)
            folder = setup.output / DATA_FOLDER / f"semcor-{label}"
            with tqdm(total=sum(map(len, sentences)), desc=f"index, {label}", unit_scale=True, disable=None) as bar:
                index = build_index(embedder, sentences, folder, "top", bar.update)
            results.append(
                PlayResult(
                    label,
                    neighbor_table(index, embedder, queries, static),
                    neighbor_table(index, embedder, queries, static, same_word=True),
                    evaluate_labeled(BiLMRepresentation(embedder, label), uses),
                )
            )
        measurements = [
            Measurement("neighbors", "accuracy", 100 * r.agreement.accuracy(layer), {"source": r.model, "layer": layer})
            for r in results
            for layer in r.agreement.layers
        ]
        record(measurements, [PLAY], time.monotonic() - started, setup)
        return results

    def collect(self, results: list[PlayResult]) -> dict[str, Table]:
        """Return three tables per model: neighbors among all words, among occurrences of "play", and the agreement."""
        tables = {}
        for r in results:
            tables[f"table4-{r.model}"] = r.neighbors
            tables[f"table4-{r.model}-same-word"] = r.same_word
            tables[f"table4-{r.model}-judged"] = r.agreement.table()
        return tables


def neighbor_table(
    index: Index,
    embedder: Embedder,
    queries: Sequence[tuple[Sequence[str], int]],
    static: StaticNeighbors | None = None,
    k: int = 3,
    *,
    same_word: bool = False,
) -> Table:
    """Return the static neighbors of each query's word, and the occurrences nearest to each query in the top layer.

    A query is a sentence and the position of a word in it.
    """
    rows = []
    if static is not None:
        for word in dict.fromkeys(words[position].lower() for words, position in queries):
            rows.append(["static", word, ", ".join(other for other, _ in static.nearest(word))])
    for words, position in queries:
        found = index.neighbors(embedder, words, position, "top", k, same_word=same_word)
        for number, neighbor in enumerate(found):
            query = "*".join(split_context(words, position)) if number == 0 else ""
            near = f"{'*'.join(neighbor.context())} ({neighbor.similarity:.2f})"
            rows.append(["biLM" if number == 0 else "", query, near])
    metadata = index.metadata
    note = (
        f"Layer {layer_name('top', metadata.n_layers)} of the biLM; neighbors from {metadata.sentences:,} sentences "
        f"({metadata.tokens:,} words){', occurrences of the same word only' if same_word else ''}. "
        "In parentheses, the cosine similarity."
    )
    return Table("Nearest neighbors of a word in context", ["source", "word", "nearest neighbors"], rows, note)
