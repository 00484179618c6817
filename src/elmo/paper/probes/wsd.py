"""Word sense disambiguation by the nearest sense (table 5 of Peters et al. 2018, section 5.3).

Nothing is trained: a sense is represented by the mean vector of its occurrences in SemCor, and a word is assigned the
sense with the nearest mean, among the senses that WordNet lists for its lemma and part of speech. A word without any
sense in SemCor is assigned WordNet's first sense. The paper does not name its distance; here it is the cosine.

The test data is that of Raganato, Camacho-Collados & Navigli (2017), five sets in one format. The paper reports one
score per model and does not name the sets. WordNet's first sense, which needs no model, scores 65.2 on all five sets
here, and 65.9, the paper's number, without semeval2007, which is often used for development. So both scores are shown,
and the paper's numbers most likely compare with the second.
"""

import time
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from elmo.datasets.folders import data_folder, unpacked_folder
from elmo.datasets.semcor import ALL_SETS, SenseTaggedSentence, SenseTarget, read_evaluation_sets, read_semcor
from elmo.datasets.wordnet import PARTS_OF_SPEECH, SenseInventory, read_wordnet
from elmo.paper.exhibit import DATA_FOLDER, Exhibit, Measurement, Setup, find_file, progress_bars, record
from elmo.paper.probes.representations import Representation, load_representations
from elmo.paper.report import Table

DEVELOPMENT_SET = "semeval2007"
TIE = 1e-6
"""Cosines that differ by less are equal. The vectors of a representation without context differ only by rounding."""
FIRST_SENSE = "WordNet's first sense"
PAPER = (
    "Peters et al. (2018): first sense 65.9; CoVe 59.4 (layer 1), 64.7 (layer 2); biLM 67.4 (layer 1), 69.0 (layer 2). "
    f"Their first sense is that of all sets but {DEVELOPMENT_SET}."
)


@dataclass(frozen=True)
class Instance:
    """A word to be disambiguated."""

    set: str
    target: SenseTarget
    candidates: tuple[str, ...]
    """Its senses in WordNet, the first sense first."""
    seen: tuple[str, ...]
    """The candidates that occur in the training data."""


@dataclass(frozen=True)
class SensePredictions:
    """The senses that one layer of a representation predicts."""

    source: str
    layer: str
    keys: tuple[str, ...]
    """One sense key per instance, in order."""


@dataclass(frozen=True)
class WSDResult:
    """All instances, and the predictions of all layers, starting with WordNet's first sense."""

    instances: tuple[Instance, ...]
    predictions: tuple[SensePredictions, ...]

    @property
    def sets(self) -> tuple[str, ...]:
        """The names of the evaluation sets, in order."""
        return tuple(dict.fromkeys(instance.set for instance in self.instances))

    @property
    def groups(self) -> dict[str, tuple[str, ...]]:
        """The sets that are scored together, by name: each set alone, and unions of sets."""
        names = self.sets
        groups: dict[str, tuple[str, ...]] = {name: (name,) for name in names}
        if len(names) > 1:
            groups[ALL_SETS] = names
        if len(names) > 2 and DEVELOPMENT_SET in names:
            groups[f"{ALL_SETS} but {DEVELOPMENT_SET}"] = tuple(name for name in names if name != DEVELOPMENT_SET)
        return groups

    def f1(self, predictions: SensePredictions, sets: Collection[str], pos: str | None = None) -> float:
        """Return the F1 score in percent on some sets, and optionally for one part of speech.

        As in Raganato et al., a prediction is correct if it is one of the annotated keys. Every instance has exactly
        one prediction, so precision, recall and F1 are the same.
        """
        correct = [
            key in instance.target.keys
            for instance, key in zip(self.instances, predictions.keys, strict=True)
            if instance.set in sets and pos in (None, instance.target.pos)
        ]
        return 100 * sum(correct) / len(correct) if correct else 0.0

    def count(self, sets: Collection[str], pos: str | None = None, seen: int | None = None) -> int:
        """Count the instances of some sets, of a part of speech, and with ``seen`` senses in the training data."""
        return sum(
            instance.set in sets and pos in (None, instance.target.pos) and seen in (None, len(instance.seen))
            for instance in self.instances
        )

    def table(self) -> Table:
        """Return the F1 scores by set."""
        groups = self.groups
        rows = [
            [row.source, row.layer, *(f"{self.f1(row, sets):.1f}" for sets in groups.values())]
            for row in self.predictions
        ]
        rows.append(["instances", "", *(f"{self.count(sets):,}" for sets in groups.values())])
        rows.append(["of these backed off", "", *(f"{self.count(sets, seen=0):,}" for sets in groups.values())])
        title = "Word sense disambiguation by the nearest sense (F1)"
        return Table(title, ["vectors", "layer", *groups], rows, f"{self._note()} {PAPER}")

    def table_by_pos(self) -> Table:
        """Return the F1 scores by part of speech, over all sets."""
        sets = self.sets
        kinds = [pos for pos in PARTS_OF_SPEECH if self.count(sets, pos)]
        rows = [
            [row.source, row.layer, *(f"{self.f1(row, sets, pos):.1f}" for pos in kinds)] for row in self.predictions
        ]
        rows.append(["instances", "", *(f"{self.count(sets, pos):,}" for pos in kinds)])
        rows.append(["of these backed off", "", *(f"{self.count(sets, pos, 0):,}" for pos in kinds)])
        title = "Word sense disambiguation by part of speech (F1)"
        return Table(title, ["vectors", "layer", *kinds], rows, self._note())

    def results(self) -> list[Measurement]:
        """Return all scores: by set, and by part of speech over all sets."""
        parts: list[tuple[str, str | None, tuple[str, ...]]] = [
            (name, None, sets) for name, sets in self.groups.items()
        ]
        whole = ALL_SETS if len(self.sets) > 1 else self.sets[0]
        parts += [(whole, pos, self.sets) for pos in PARTS_OF_SPEECH if self.count(self.sets, pos)]
        return [
            Measurement(
                "wsd",
                "F1",
                self.f1(row, sets, pos),
                {
                    "source": row.source,
                    "layer": row.layer,
                    "set": name,
                    "pos": pos or "any",
                    "instances": self.count(sets, pos),
                    "backed_off": self.count(sets, pos, 0),
                },
            )
            for row in self.predictions
            for name, pos, sets in parts
        ]

    def _note(self) -> str:
        total, unseen, single = len(self.instances), self.count(self.sets, seen=0), self.count(self.sets, seen=1)
        return (
            f"Of {total:,} instances, {unseen:,} have no sense in the training data and back off to WordNet's first "
            f"sense, and {single:,} have only one; vectors decide the other {total - unseen - single:,}."
        )


@dataclass(frozen=True)
class WordSenses(Exhibit[WSDResult]):
    """Table 5. Files that are not given are found in the folder tasks/wsd of the data."""

    semcor: Path | None = None
    sets: Path | None = None
    wordnet: Path | None = None

    def run(self, setup: Setup) -> WSDResult:
        """Disambiguate all evaluation sets with every layer."""
        started = time.monotonic()
        semcor, sets, wordnet = self.semcor, self.sets, self.wordnet
        if semcor is None or sets is None or wordnet is None:
            source = data_folder(setup.data, "give --semcor, --sets and --wordnet") / "tasks" / "wsd"
            folder = unpacked_folder(source, setup.output / DATA_FOLDER)
            semcor = semcor or find_file(folder, "semcor*.jsonl*")
            wordnet = wordnet or find_file(folder, "index.sense*")
            sets = sets or folder
        representations = load_representations(setup)
        training, evaluation, inventory = read_semcor(semcor), read_evaluation_sets(sets), read_wordnet(wordnet)
        with progress_bars() as progress:
            result = disambiguate(representations, training, evaluation, inventory, progress)
        record(result.results(), [semcor, wordnet], time.monotonic() - started, setup)
        return result

    def collect(self, results: WSDResult) -> dict[str, Table]:
        """Return the scores by set and by part of speech."""
        return {"table5": results.table(), "table5-by-pos": results.table_by_pos()}


def disambiguate(
    representations: Sequence[Representation],
    training: Sequence[SenseTaggedSentence],
    sets: Mapping[str, Sequence[SenseTaggedSentence]],
    inventory: SenseInventory,
    progress: Callable[[str, int, int], Any] = lambda source, done, total: None,
) -> WSDResult:
    """Predict a sense for every instance of the evaluation sets, with every layer of every representation.

    Args:
        representations: The representations to compare.
        training: Sentences whose annotated words define the senses.
        sets: Evaluation sets by name.
        inventory: WordNet's senses.
        progress: Called with the name of the representation and the number of sentences done and in total.

    Raises:
        ValueError: If WordNet does not know an instance, or the training data has no sense of any instance.
    """
    if ALL_SETS in sets and len(sets) > 1:
        raise ValueError(f"the set {ALL_SETS} repeats the instances of the other sets; leave it out")
    counts = Counter(key for sentence in training for target in sentence.targets for key in target.keys)
    test = [sentence for sentences in sets.values() for sentence in sentences if sentence.targets]
    instances = tuple(
        _instance(name, target, inventory, counts)
        for name, sentences in sets.items()
        for sentence in sentences
        for target in sentence.targets
    )
    # Only the senses that some instance can have are needed, about a fifth of those in SemCor.
    rows = {key: row for row, key in enumerate(dict.fromkeys(key for one in instances for key in one.seen))}
    if not rows:
        raise ValueError("the training sentences contain no sense of any instance")
    useful = [s for s in training if any(key in rows for target in s.targets for key in target.keys)]
    predictions = [SensePredictions(FIRST_SENSE, "", tuple(instance.candidates[0] for instance in instances))]
    for representation in representations:
        predictions += _predict(representation, useful, test, instances, rows, progress)
    return WSDResult(instances, tuple(predictions))


def _instance(name: str, target: SenseTarget, inventory: SenseInventory, counts: Mapping[str, int]) -> Instance:
    candidates = inventory.candidates(target.lemma, target.pos)
    if not candidates:
        raise ValueError(f"{name}: WordNet does not know {target.lemma} as {target.pos} (instance {target.id})")
    return Instance(name, target, candidates, tuple(key for key in candidates if key in counts))


def _predict(
    representation: Representation,
    training: Sequence[SenseTaggedSentence],
    test: Sequence[SenseTaggedSentence],
    instances: Sequence[Instance],
    rows: Mapping[str, int],
    progress: Callable[[str, int, int], Any],
) -> list[SensePredictions]:
    """Return the predictions of each layer; ``rows`` assigns each sense a row in the array of centroids."""
    name, total = representation.name, len(training) + len(test)
    # The cosine depends only on directions, so sums serve as means. They are in float64 because the senses of a
    # representation without context differ only by rounding.
    centroids = np.zeros((len(rows), len(representation.layer_names), representation.dim))  # (senses, L, D)
    for target, vector in _vectors(representation, training, lambda done: progress(name, done, total)):
        for key in target.keys:
            if key in rows:
                centroids[rows[key]] += vector
    _normalize(centroids)
    chosen: list[Sequence[str]] = []  # for each instance, one key per layer
    vectors = _vectors(representation, test, lambda done: progress(name, len(training) + done, total))
    for instance, (_, vector) in zip(instances, vectors, strict=True):
        if not instance.seen:
            chosen.append([instance.candidates[0]] * len(vector))
            continue
        _normalize(vector)
        cosines = np.einsum("sld,ld->ls", centroids[[rows[key] for key in instance.seen]], vector)  # (L, seen)
        nearest = (cosines >= cosines.max(1, keepdims=True) - TIE).argmax(1)  # of ties, the first in WordNet's order
        chosen.append([instance.seen[number] for number in nearest])
    return [
        SensePredictions(name, layer, tuple(keys[number] for keys in chosen))
        for number, layer in enumerate(representation.layer_names)
    ]


def _vectors(
    representation: Representation, sentences: Sequence[SenseTaggedSentence], progress: Callable[[int], Any]
) -> Iterator[tuple[SenseTarget, NDArray[np.float64]]]:
    """Yield every target with its vector in each layer, (L, D); that of an expression is the mean over its words."""
    layers = representation.layers(sentence.words for sentence in sentences)
    for done, (sentence, values) in enumerate(zip(sentences, layers, strict=True), 1):  # (L, n, D)
        for target in sentence.targets:
            yield target, values[:, target.start : target.end].mean(1, dtype=np.float64)
        progress(done)


def _normalize(vectors: NDArray[np.float64]) -> None:
    """Scale vectors to length 1 in place; zero vectors (words without a static vector) stay zero."""
    lengths = np.linalg.norm(vectors, axis=-1, keepdims=True)
    np.divide(vectors, lengths, out=vectors, where=lengths > 0)
