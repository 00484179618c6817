"""Do the occurrences nearest to a homonym have its sense? Measured on labeled sentences, by layer and by word.

Every occurrence of a word is compared with all other occurrences of it. A layer that does not encode the sense finds
the right one as often as chance does. So do static vectors; therefore the mean of the static vectors of the sentence,
which depends on the context, is shown as well. The particle or ending after the word is compared, too: in Korean, it
is what vectors encode most if they do not encode the sense.
"""

import re
import time
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from elmo.config import TokenizerName
from elmo.datasets.lines import bad_line, numbered_lines
from elmo.paper.exhibit import Exhibit, Measurement, Setup, record
from elmo.paper.probes.maps import Method, Occurrence, OccurrenceMap, draw_map, map_found, word_in_file_name
from elmo.paper.probes.neighbors import expected_agreement
from elmo.paper.probes.representations import (
    BiLMRepresentation,
    LayerVectors,
    Representation,
    layer_index,
    load_representations,
    tokenizer_of,
)
from elmo.paper.probes.wic import SENTENCE
from elmo.paper.report import Table
from elmo.search.occurrences import normalize_word
from elmo.search.sample_texts import KOREAN, raw_tokenizer
from elmo.search.vectors import unit
from elmo.text.alignment import spacing, word_spans
from elmo.text.counts import counted
from elmo.text.tokens import compose
from elmo.text.tokens import tokenizer as tokenizer_named

Scores = NDArray[np.float64]
NEIGHBORS = 5
"""Number of nearest occurrences whose senses are compared, or fewer: no more than there are others of the sense."""
ALL, CHANCE, SAME_ENDING = "all", "chance", "same ending"
_ENDING = re.compile(r"\w*")


@dataclass(frozen=True)
class HomonymUse:
    """A word in a sentence, labeled with its sense."""

    word: str
    """The word as the file spells it; a verb in its dictionary form."""
    occurrence: Occurrence
    ending: str
    """What is written together with the word, after it: a particle or an ending; empty if there is nothing."""

    @property
    def sense(self) -> str:
        """The sense, which is unique among those of the word."""
        return str(self.occurrence.sense)


def read_homonyms(path: str | Path, tokenizer: TokenizerName = "korean") -> list[HomonymUse]:
    """Read sentences with homonyms: lines with a word, its sense, if need be the sense in English, and a sentence.

    The word is a token of the sentence, or what one token starts with (손 in 손을, where the tokenizer keeps them
    together). Of a Korean verb, that is the stem (타 of 타다).

    Args:
        path: A file with tab-separated columns. Empty lines and lines that start with # are skipped.
        tokenizer: How the sentences are split.

    Raises:
        ValueError: If a line is malformed, or its sentence does not have the word exactly once.
    """
    split = tokenizer_named(tokenizer).words
    uses = []
    for number, line in numbered_lines(path):
        if line.startswith("#"):
            continue
        fields = [field.strip() for field in line.split("\t")]
        if len(fields) not in (3, 4) or not all(fields):
            raise bad_line(path, number, "is not a word, its sense, the sense in English (optional) and a sentence")
        word, sense, *translation, sentence = fields
        words = split(sentence)
        positions = _positions(words, word)
        if len(positions) != 1:
            raise bad_line(path, number, f"has the word {word!r} {counted(len(positions), 'time')}, not once")
        label = f"{sense} ({translation[0]})" if translation else sense
        occurrence = Occurrence(tuple(words), positions[0], label, spacing(sentence, words))
        composed = compose(sentence)
        start, _ = word_spans(composed, words)[positions[0]]
        uses.append(HomonymUse(word, occurrence, _ending_after(composed, start, words[positions[0]], word)))
    if not uses:
        raise ValueError(f"{path}: has no sentences")
    return uses


def _positions(words: Sequence[str], word: str) -> list[int]:
    """Return where the word is: as a token, else its stem as a token, else a token that starts with the stem."""
    forms = [normalize_word(other) for other in words]
    whole = normalize_word(word)
    stem = _stem(whole)
    return (
        [place for place, form in enumerate(forms) if form == whole]
        or [place for place, form in enumerate(forms) if form == stem]
        or [place for place, form in enumerate(forms) if form.startswith(stem)]
    )


def _stem(word: str) -> str:
    return word.removesuffix("다") if len(word) > 1 else word


def _ending_after(sentence: str, start: int, token: str, word: str) -> str:
    """Return the letters between a word, whose token starts at ``start``, and the next space or mark."""
    length = len(word) if normalize_word(token).startswith(normalize_word(word)) else len(_stem(word))
    found = _ENDING.match(sentence, start + length)
    return "" if found is None else found.group()


@dataclass(frozen=True)
class HomonymAgreement:
    """How often the nearest occurrences of a word have the same sense, and how often the same ending."""

    source: str
    layers: tuple[str, ...]
    uses: tuple[HomonymUse, ...]
    senses: Scores
    """For each layer and use, the fraction of the nearest occurrences that have the same sense, (L, n)."""
    sense_chance: Scores
    """For each use, the same fraction of all other occurrences of the word, (n,)."""
    endings: Scores
    """For each layer and use, the fraction of the nearest occurrences that have the same ending, (L, n)."""
    ending_chance: Scores
    confusions: tuple[Counter[str], ...]
    """For each use, how many of the nearest occurrences in the top layer have each other sense."""

    @property
    def words(self) -> list[str]:
        """The words, in the order of the file."""
        return list(dict.fromkeys(use.word for use in self.uses))

    def mean(self, scores: Scores, word: str | None = None) -> float:
        """Return the mean over the uses (n,) of a word, or the mean of all words, which count the same."""
        if word is None:
            return float(np.mean([self.mean(scores, each) for each in self.words]))
        return float(np.mean([score for score, use in zip(scores, self.uses, strict=True) if use.word == word]))

    def rows(self) -> list[list[str]]:
        """Return one row per layer, and one for chance: the agreement over all words, by word, and that of endings."""
        rows = []
        measured = (*self.layers, CHANCE), (*self.senses, self.sense_chance), (*self.endings, self.ending_chance)
        for layer, senses, endings in zip(*measured, strict=True):
            scores = [*(self.mean(senses, word) for word in (None, *self.words)), self.mean(endings)]
            rows.append([self.source, layer, *(f"{100 * score:.1f}" for score in scores)])
        return rows

    def measurements(self) -> list[Measurement]:
        """Return what ``rows`` shows, to be recorded."""
        found = []
        for row in self.rows():
            source, layer, *scores = row
            for name, score in zip((ALL, *self.words, SAME_ENDING), scores, strict=True):
                details = {"source": source, "layer": layer, "word": name}
                found.append(Measurement("homonyms", "agreement", float(score), details))
        return found

    def sense_table(self) -> Table:
        """Return one row per sense: its agreement in every layer, and the sense that it is confused with most."""
        rows = []
        for word, sense in dict.fromkeys((use.word, use.sense) for use in self.uses):
            members = [number for number, use in enumerate(self.uses) if (use.word, use.sense) == (word, sense)]
            confused: Counter[str] = sum((self.confusions[number] for number in members), Counter())
            others = ", ".join(f"{other} {count}" for other, count in confused.most_common(2))
            scores = [f"{100 * row[members].mean():.1f}" for row in (*self.senses, self.sense_chance)]
            rows.append([word, sense, str(len(members)), *scores, others])
        note = (
            "As in the table of words, by sense. Confused with: the senses of the other neighbors in the top layer and "
            f"their numbers, of up to {NEIGHBORS} for each occurrence. Vectors: {self.source}."
        )
        header = ["word", "sense", "occurrences", *self.layers, CHANCE, "confused with"]
        return Table("Homonyms by sense", header, rows, note)


class InSentence:
    """Static vectors, and as a second layer the mean of the vectors of the whole sentence."""

    def __init__(self, words: Representation) -> None:
        self._words = words
        self.name, self.dim = words.name, words.dim
        self.layer_names = [*words.layer_names, *(f"{layer}, {SENTENCE}" for layer in words.layer_names)]

    def layers(self, sentences: Iterable[Sequence[str]]) -> Iterator[LayerVectors]:
        """Yield the vectors of the words, and the mean of them for every word."""
        for layers in self._words.layers(sentences):
            yield np.concatenate([layers, np.broadcast_to(layers.mean(1, keepdims=True), layers.shape)])


def compare_homonyms(representation: Representation, uses: Sequence[HomonymUse]) -> HomonymAgreement:
    """Compare the senses and endings of every occurrence and its nearest ones among those of the same word.

    Raises:
        ValueError: If a word has too few occurrences.
    """
    layers = list(representation.layers(use.occurrence.words for use in uses))
    vectors = [values[:, use.occurrence.position] for values, use in zip(layers, uses, strict=True)]
    units = unit(np.stack(vectors, 1).astype(np.float64))  # (L, n, D)
    top = layer_index(representation, "top")
    shape = len(units), len(uses)
    senses, endings = np.zeros(shape), np.zeros(shape)
    sense_chance, ending_chance = np.zeros(len(uses)), np.zeros(len(uses))
    confusions: list[Counter[str]] = []
    for number, use in enumerate(uses):
        pool = [place for place, other in enumerate(uses) if other.word == use.word and place != number]
        if len(pool) < NEIGHBORS:
            raise ValueError(f"{use.word}: needs more than {NEIGHBORS} sentences, has {len(pool) + 1}")
        same_sense = np.array([uses[place].sense == use.sense for place in pool])
        same_ending = np.array([uses[place].ending == use.ending for place in pool])
        count = min(NEIGHBORS, int(same_sense.sum()))  # or the best vectors would not reach 100 %
        if not count:
            raise ValueError(f"{use.word}: the sense {use.sense!r} has one sentence; it needs at least two")
        sense_chance[number], ending_chance[number] = same_sense.mean(), same_ending.mean()
        for layer in range(len(units)):
            similarities = units[layer, pool] @ units[layer, number]  # (pool,)
            senses[layer, number] = expected_agreement(similarities, same_sense, count) / count
            endings[layer, number] = expected_agreement(similarities, same_ending, NEIGHBORS) / NEIGHBORS
        nearest = np.argsort(-(units[top, pool] @ units[top, number]), kind="stable")[:count]
        found = (uses[pool[place]].sense for place in nearest)
        confusions.append(Counter(sense for sense in found if sense != use.sense))
    return HomonymAgreement(
        representation.name,
        tuple(representation.layer_names),
        tuple(uses),
        senses,
        sense_chance,
        endings,
        ending_chance,
        tuple(confusions),
    )


@dataclass(frozen=True)
class HomonymResult:
    """What was measured with one representation, and the maps of the words."""

    agreement: HomonymAgreement
    maps: dict[str, OccurrenceMap]
    """By word; none for static vectors, which are the same everywhere."""


@dataclass(frozen=True)
class Homonyms(Exhibit[list[HomonymResult]]):
    """The senses of homonyms, and a map of every word, colored by sense."""

    senses: Path | None = None
    """Lines with a word, its sense, the sense in English (optional) and a sentence; None for the Korean sample text."""
    words: tuple[str, ...] = ()
    """The words to measure; all if empty."""
    layer: str | int = "top"
    """The layer to map."""
    method: Method = "pca"

    def run(self, setup: Setup) -> list[HomonymResult]:
        """Measure every representation, and project the occurrences of each word by each biLM."""
        started = time.monotonic()
        results = []
        representations = load_representations(setup)
        for representation in representations:
            contextual = isinstance(representation, BiLMRepresentation)
            uses = self._uses(tokenizer_of([representation] if contextual else representations, False))
            agreement = compare_homonyms(representation if contextual else InSentence(representation), uses)
            maps = {}
            for word in agreement.words if contextual else ():
                occurrences = [use.occurrence for use in uses if use.word == word]
                maps[word] = map_found(representation, occurrences, word, self.layer, method=self.method)
            results.append(HomonymResult(agreement, maps))
        measurements = [one for result in results for one in result.agreement.measurements()]
        record(measurements, [self.senses or KOREAN.path], time.monotonic() - started, setup)
        return results

    def _uses(self, tokenizer: TokenizerName) -> list[HomonymUse]:
        if self.senses is None and tokenizer != "korean":
            raise ValueError("the sample text has senses in Korean only; give labeled sentences with --senses")
        path = self.senses or KOREAN.path
        uses = read_homonyms(path, raw_tokenizer(tokenizer))
        known = {use.word for use in uses}
        for word in self.words:
            if word not in known:
                raise ValueError(f"{word}: is not a word of {path} (choose from {', '.join(sorted(known))})")
        return [use for use in uses if not self.words or use.word in self.words]

    def collect(self, results: list[HomonymResult]) -> dict[str, Table]:
        """Return the table by word, and one by sense for each representation."""
        first = results[0].agreement
        header = ["vectors", "layer", ALL, *first.words, SAME_ENDING]
        note = (
            f"Percentage of the {NEIGHBORS} nearest occurrences of a word, among {len(first.uses)} labeled ones, that "
            "have the sense of the occurrence (or of fewer, where the sense has fewer others); all: the mean of the "
            "words. Same ending: the percentage that have the same particle or ending after the word."
        )
        rows = [row for result in results for row in result.agreement.rows()]
        tables = {"homonyms": Table("Homonyms: neighbors with the same sense", header, rows, note)}
        for result in results:
            tables[f"homonyms-{result.agreement.source}-senses"] = result.agreement.sense_table()
        return tables

    def render(self, results: list[HomonymResult], tables: Mapping[str, Table], folder: Path) -> list[Path]:
        """Write the tables and draw the maps."""
        written = super().render(results, tables, folder)
        for result in results:
            for word, found in result.maps.items():
                written += draw_map(found, folder / f"homonyms-{result.agreement.source}-{word_in_file_name(word)}")
        return written
