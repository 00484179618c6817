"""Word senses by the nearest sense: what a layer knows about the meaning of a word in its context.

After Peters et al. (2018), section 5.3 and table 5. Nothing is learned: each sense of SemCor is the mean of the
vectors of its occurrences, and a word has the sense whose mean is nearest, of those that WordNet gives for its lemma
and part of speech. A word that SemCor never shows gets WordNet's first sense. The paper does not say what near means;
here it is the cosine.

The test words are those of Raganato, Camacho-Collados & Navigli (2017), five sets in one format. The paper has one
score a model and does not name the sets behind it, but WordNet's first sense, which needs no model, tells: it has 65.2
on all five, and the paper's 65.9 without semeval2007, which is often kept for choosing settings. So both are shown,
and the paper's numbers most likely compare with the second.
"""

from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from elmo.datasets.semcor import ALL_SETS, SenseTaggedSentence, SenseTarget
from elmo.datasets.wordnet import PARTS_OF_SPEECH, SenseInventory
from elmo.paper.probes.sources import Source
from elmo.paper.report import Table

DEVELOPMENT_SET = "semeval2007"
SAME = 1e-6
"""Cosines that differ by less are the same: of vectors without context, only rounding tells the senses apart."""
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
    """Those of them that training shows. Without any it gets the first sense; with one there is nothing to choose."""


@dataclass(frozen=True)
class Answers:
    """What a layer of a source says."""

    source: str
    layer: str
    keys: tuple[str, ...]
    """One for each instance, in order."""


@dataclass(frozen=True)
class WSDResult:
    """All instances, and the answers of all layers of all sources; WordNet's first sense stands first."""

    instances: tuple[Instance, ...]
    answers: tuple[Answers, ...]

    @property
    def sets(self) -> tuple[str, ...]:
        """The names of the sets, in order."""
        return tuple(dict.fromkeys(instance.set for instance in self.instances))

    @property
    def groups(self) -> dict[str, tuple[str, ...]]:
        """What is scored together: each set, and sets joined, by name."""
        names = self.sets
        groups: dict[str, tuple[str, ...]] = {name: (name,) for name in names}
        if len(names) > 1:
            groups[ALL_SETS] = names
        if len(names) > 2 and DEVELOPMENT_SET in names:
            groups[f"{ALL_SETS} but {DEVELOPMENT_SET}"] = tuple(name for name in names if name != DEVELOPMENT_SET)
        return groups

    def f1(self, answers: Answers, sets: Collection[str], pos: str | None = None) -> float:
        """The F1 in percent of some sets, and of a part of speech.

        As Raganato et al. count: an answer is right if it is one of the right keys. As every instance has one
        answer, precision, recall and F1 are the same.
        """
        right = [
            key in instance.target.keys
            for instance, key in zip(self.instances, answers.keys, strict=True)
            if instance.set in sets and pos in (None, instance.target.pos)
        ]
        return 100 * sum(right) / len(right) if right else 0.0

    def count(self, sets: Collection[str], pos: str | None = None, seen: int | None = None) -> int:
        """How many instances there are in some sets, of a part of speech, with so many senses seen in training."""
        return sum(
            instance.set in sets and pos in (None, instance.target.pos) and seen in (None, len(instance.seen))
            for instance in self.instances
        )

    def table(self) -> Table:
        """F1 by set."""
        groups = self.groups
        rows = [
            [row.source, row.layer, *(f"{self.f1(row, sets):.1f}" for sets in groups.values())] for row in self.answers
        ]
        rows.append(["instances", "", *(f"{self.count(sets):,}" for sets in groups.values())])
        rows.append(["of these backed off", "", *(f"{self.count(sets, seen=0):,}" for sets in groups.values())])
        return Table(
            "Word senses by the nearest sense (F1)", ["vectors", "layer", *groups], rows, f"{self._note()} {PAPER}"
        )

    def table_by_pos(self) -> Table:
        """F1 by part of speech, over all sets."""
        sets = self.sets
        kinds = [pos for pos in PARTS_OF_SPEECH if self.count(sets, pos)]
        rows = [[row.source, row.layer, *(f"{self.f1(row, sets, pos):.1f}" for pos in kinds)] for row in self.answers]
        rows.append(["instances", "", *(f"{self.count(sets, pos):,}" for pos in kinds)])
        rows.append(["of these backed off", "", *(f"{self.count(sets, pos, 0):,}" for pos in kinds)])
        title = "Word senses by the nearest sense, by part of speech (F1)"
        return Table(title, ["vectors", "layer", *kinds], rows, self._note())

    def results(self) -> list[tuple[str, str, float, dict[str, Any]]]:
        """What was measured, the metric, its value and how: by set, and over all sets by part of speech."""
        parts: list[tuple[str, str | None, tuple[str, ...]]] = [
            (name, None, sets) for name, sets in self.groups.items()
        ]
        whole = ALL_SETS if len(self.sets) > 1 else self.sets[0]
        parts += [(whole, pos, self.sets) for pos in PARTS_OF_SPEECH if self.count(self.sets, pos)]
        return [
            (
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
            for row in self.answers
            for name, pos, sets in parts
        ]

    def _note(self) -> str:
        total, off, settled = len(self.instances), self.count(self.sets, seen=0), self.count(self.sets, seen=1)
        return (
            f"Of {total:,} instances {off:,} have no sense seen in training and get WordNet's first, and {settled:,} "
            f"have only one; vectors choose in the other {total - off - settled:,}."
        )


def disambiguate(
    sources: Sequence[Source],
    training: Sequence[SenseTaggedSentence],
    sets: Mapping[str, Sequence[SenseTaggedSentence]],
    inventory: SenseInventory,
    progress: Callable[[str, int, int], Any] = lambda source, done, total: None,
) -> WSDResult:
    """Give every instance of the sets a sense, by every layer of every source.

    ``progress`` is told the source, and how many of how many sentences are done.
    """
    if ALL_SETS in sets and len(sets) > 1:
        raise ValueError(f"the set {ALL_SETS} has the instances of the other sets again; leave it out")
    counts = Counter(key for sentence in training for target in sentence.targets for key in target.keys)
    test = [sentence for sentences in sets.values() for sentence in sentences if sentence.targets]
    instances = tuple(
        _instance(name, target, inventory, counts)
        for name, sentences in sets.items()
        for sentence in sentences
        for target in sentence.targets
    )
    # Only the senses that some instance may take are summed, about a fifth of those in SemCor.
    rows = {key: row for row, key in enumerate(dict.fromkeys(key for one in instances for key in one.seen))}
    if not rows:
        raise ValueError("the training sentences show no sense of any instance")
    useful = [s for s in training if any(key in rows for target in s.targets for key in target.keys)]
    answers = [Answers(FIRST_SENSE, "", tuple(instance.candidates[0] for instance in instances))]
    for source in sources:
        answers += _answers(source, useful, test, instances, rows, progress)
    return WSDResult(instances, tuple(answers))


def _instance(name: str, target: SenseTarget, inventory: SenseInventory, counts: Mapping[str, int]) -> Instance:
    candidates = inventory.candidates(target.lemma, target.pos)
    if not candidates:
        raise ValueError(f"{name}: WordNet does not know {target.lemma} as {target.pos} (instance {target.id})")
    return Instance(name, target, candidates, tuple(key for key in candidates if key in counts))


def _answers(
    source: Source,
    training: Sequence[SenseTaggedSentence],
    test: Sequence[SenseTaggedSentence],
    instances: Sequence[Instance],
    rows: Mapping[str, int],
    progress: Callable[[str, int, int], Any],
) -> list[Answers]:
    """The answers of each layer; ``rows`` are those of the senses in the table of centroids."""
    total = len(training) + len(test)
    # Only directions matter to a cosine, so the sum does as well as the mean. In float64, since vectors without
    # context make senses that differ by rounding only.
    centroids = np.zeros((len(rows), len(source.layer_names), source.dim))  # (senses, L, D)
    for target, vector in _vectors(source, training, lambda done: progress(source.name, done, total)):
        for key in target.keys:
            if key in rows:
                centroids[rows[key]] += vector
    _normalise(centroids)
    chosen: list[Sequence[str]] = []  # of each instance, a key for each layer
    vectors = _vectors(source, test, lambda done: progress(source.name, len(training) + done, total))
    for instance, (_, vector) in zip(instances, vectors, strict=True):
        if not instance.seen:
            chosen.append([instance.candidates[0]] * len(vector))
            continue
        _normalise(vector)
        cosines = np.einsum("sld,ld->ls", centroids[[rows[key] for key in instance.seen]], vector)  # (L, seen)
        nearest = (cosines >= cosines.max(1, keepdims=True) - SAME).argmax(1)  # the first in WordNet's order
        chosen.append([instance.seen[number] for number in nearest])
    return [
        Answers(source.name, layer, tuple(keys[number] for keys in chosen))
        for number, layer in enumerate(source.layer_names)
    ]


def _vectors(
    source: Source, sentences: Sequence[SenseTaggedSentence], progress: Callable[[int], Any]
) -> Iterator[tuple[SenseTarget, NDArray[np.float64]]]:
    """Every target with its vector in each layer, (L, D); for several words, the mean of theirs."""
    layers = source.layers(sentence.words for sentence in sentences)
    for done, (sentence, values) in enumerate(zip(sentences, layers, strict=True), 1):  # (L, n, D)
        for target in sentence.targets:
            yield target, values[:, target.start : target.end].mean(1, dtype=np.float64)
        progress(done)


def _normalise(vectors: NDArray[np.float64]) -> None:
    """Bring vectors to length 1, in place; a vector of zeros (a word without static vector) stays so."""
    lengths = np.linalg.norm(vectors, axis=-1, keepdims=True)
    np.divide(vectors, lengths, out=vectors, where=lengths > 0)
