"""Which parts of the evaluation data occur in a training text, by n-grams of words.

Words are runs of letters and digits in lower case; punctuation is ignored, so that tokenized and raw text agree. A
unit of a dataset (a passage, a document or a sentence) is compared with the training text in two ways:

* It is contaminated if at least 70 % of its 8-grams occur in the text, as in the PaLM report (Chowdhery et al. 2022).
* It overlaps if any of its 13-grams occurs in the text, as in the GPT-3 report (Brown et al. 2020). This also finds
  quotations, titles and set phrases.

Units of fewer than 8 words are not counted. Only the n-grams of the evaluation data are kept in memory; the training
text is read once, in blocks, and may have any size.
"""

import itertools
import re
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from elmo.datasets.coreference import CorefDocument
from elmo.datasets.evaluation_texts import EVALUATION_DATA, TextUnit, read_evaluation_texts
from elmo.datasets.folders import data_folder
from elmo.datasets.lines import uncompressed_name
from elmo.datasets.squad import Question
from elmo.files import checksum, write_json_lines
from elmo.paper.exhibit import DATA_FOLDER, Exhibit, Measurement, Setup, progress_bars, record
from elmo.paper.perplexity import held_out_texts
from elmo.paper.report import Table
from elmo.tasks.trained import TrainedTask
from elmo.text.reading import blocks, check_texts, find_texts

SHORT, LONG = 8, 13
"""Lengths of the n-grams, in words."""
THRESHOLD = 0.7
"""Fraction of its 8-grams from which a unit is contaminated."""
UNITS_FILE = "contamination-units.jsonl"
"""Which passages and documents of development and test data are contaminated, in the output folder."""
SENTENCE = "sentence"
"""The unit of datasets whose units have no names."""
ALL = "all"
"""The name of all training texts together."""
SEED = 0
"""Seed of the random numbers that words are hashed to."""

Hashes = NDArray[np.uint64]
_FILTER_BITS = 26
_MULTIPLIER = np.uint64(0x9E3779B97F4A7C15)
_PUNCTUATION = re.compile(rb"\xe2\x80[\x80-\xbf]|\xc2[\x80-\xbf]")
"""Dashes, typographic quotation marks and spaces of Unicode (U+2000 to U+203F, U+0080 to U+00BF) in UTF-8."""
_LETTERS = bytes(
    ord(chr(byte).lower()) if byte < 128 and chr(byte).isalnum() else byte if byte >= 128 else ord(" ")
    for byte in range(256)
)
"""Letters and digits of ASCII in lower case, and bytes of other characters; all else is a space."""


def comparable_words(text: bytes) -> list[bytes]:
    """Split UTF-8 text into the words that are compared."""
    return _PUNCTUATION.sub(b" ", text).translate(_LETTERS).split()


class NGrams:
    """The n-grams of the evaluation data, by which those of a training text are recognized.

    A word is a random 64-bit number, and an n-gram the value of a polynomial of its words. With some million n-grams
    on one side and some hundred million on the other, a chance agreement is very unlikely (below one in a thousand).
    """

    def __init__(self, units: Iterable[Sequence[bytes]]) -> None:
        lists = list(units)
        words = dict.fromkeys(word for unit in lists for word in unit)
        self._ids = {word: number for number, word in enumerate(words, 1)}  # 0 is any other word
        self._values = np.random.default_rng(SEED).integers(0, 1 << 63, len(words) + 1, np.uint64)
        self.of_unit = [tuple(_hashes(self.numbers(unit))) for unit in lists]
        """The 8-grams and the 13-grams of each unit, as hashes in the order of the text."""
        self.known = [
            np.unique(np.concatenate([np.empty(0, np.uint64), *found])) for found in zip(*self.of_unit, strict=True)
        ]
        """All 8-grams and all 13-grams, sorted."""
        self._filters = [_filter(known) for known in self.known]

    def numbers(self, words: Sequence[bytes]) -> Hashes:
        """Return the numbers of words."""
        ids = np.fromiter(map(self._ids.get, words, itertools.repeat(0)), np.int64, len(words))
        return self._values[ids]

    def found_in(self, words: Sequence[bytes]) -> list[NDArray[np.int64]]:
        """Return the positions in ``known`` of the 8-grams and the 13-grams that occur in a text."""
        found = []
        for hashes, known, is_candidate in zip(_hashes(self.numbers(words)), self.known, self._filters, strict=True):
            candidates = np.unique(hashes[is_candidate[hashes >> np.uint64(64 - _FILTER_BITS)]])
            positions = np.searchsorted(known, candidates)
            inside = positions < len(known)
            found.append(positions[inside][known[positions[inside]] == candidates[inside]])
        return found


def _hashes(numbers: Hashes) -> Iterator[Hashes]:
    """Yield the hashes of all 8-grams and of all 13-grams, by the position of their first word."""
    hashes = numbers
    for length in range(2, LONG + 1):
        with np.errstate(over="ignore"):
            hashes = hashes[: max(len(numbers) - length + 1, 0)] * _MULTIPLIER + numbers[length - 1 :]
        if length in (SHORT, LONG):
            yield hashes


def _filter(known: Hashes) -> NDArray[np.bool_]:
    """Return which first bits occur, since looking up every n-gram of a large text would take too long."""
    bits = np.zeros(1 << _FILTER_BITS, bool)
    bits[known >> np.uint64(64 - _FILTER_BITS)] = True
    return bits


@dataclass(frozen=True)
class ComparedText:
    """The units of a dataset, and what of them was found in each training text."""

    name: str
    unit: str
    names: list[str]
    """The names of the units that have at least 8 words."""
    n_units: int
    """Number of all units."""
    fractions: dict[str, NDArray[np.float64]]
    """Fraction of its 8-grams that was found, for each unit; by training text, and in all of several together."""
    overlaps: dict[str, NDArray[np.bool_]]
    """Whether any 13-gram was found, for each unit."""

    def contaminated(self, text: str) -> float:
        """Percentage of the units that are contaminated."""
        return _percent(self.fractions[text] >= THRESHOLD)

    def overlapping(self, text: str) -> float:
        """Percentage of the units that share a 13-gram with a training text."""
        return _percent(self.overlaps[text])


def _percent(values: NDArray[np.bool_]) -> float:
    return 100 * float(values.mean()) if len(values) else 0.0


@dataclass(frozen=True)
class ContaminationResult:
    """What was found of each dataset."""

    texts: list[ComparedText]
    sources: list[str]
    """The training texts, by the names of their files; if there are several, the last stands for all of them."""
    words: dict[str, int]
    """Number of words of each training text."""
    hashes: dict[str, str]
    """SHA-256 digest of each file of training text; standard input has none."""

    def table(self) -> Table:
        """Return the contaminated part of each dataset, by training text and in total."""
        header = ["data", "unit", "number", *self.sources, f"a {LONG}-gram"]
        rows = [
            [
                text.name,
                text.unit,
                f"{len(text.names):,}" + (f" of {text.n_units:,}" if text.n_units > len(text.names) else ""),
                *(f"{text.contaminated(source):.1f} %" for source in self.sources),
                f"{text.overlapping(self.sources[-1]):.1f} %",
            ]
            for text in self.texts
        ]
        sizes = ", ".join(f"{name} {count / 1e6:.1f}M" for name, count in self.words.items())
        note = (
            f"The percentage of units of which at least {100 * THRESHOLD:.0f} % of the {SHORT}-grams occur in a text, "
            f"and in the last column, of which at least one {LONG}-gram does. Words are compared in lower case and "
            f"without punctuation; units of fewer than {SHORT} words are not counted. Words of the texts: {sizes}."
        )
        return Table("Evaluation data in the training text", header, rows, note)

    def results(self) -> list[Measurement]:
        """Return the percentages of all datasets."""
        return [
            Measurement(
                "contamination",
                metric,
                value,
                {
                    "data": text.name,
                    "unit": text.unit,
                    "units": len(text.names),
                    "of": text.n_units,
                    "text": source,
                    "text_hashes": [hash_ for name, hash_ in self.hashes.items() if source in (name, ALL)],
                },
            )
            for text in self.texts
            for source in self.sources
            for metric, value in (
                (f"{SHORT}-grams", text.contaminated(source)),
                (f"{LONG}-gram", text.overlapping(source)),
            )
        ]

    def units(self) -> list[dict[str, Any]]:
        """Return the passages and documents of dev and test that are contaminated, with the fraction that was found."""
        return [
            {"data": text.name, "unit": name, "found": round(float(fraction), 3)}
            for text in self.texts
            if text.unit != SENTENCE and not text.name.endswith("train")
            for name, fraction in zip(text.names, text.fractions[self.sources[-1]], strict=True)
            if fraction >= THRESHOLD
        ]


@dataclass(frozen=True)
class Contamination(Exhibit[ContaminationResult]):
    """The contaminated part of each dataset in the data folder, and of its held-out text."""

    texts: Sequence[Path]
    """Files of training text."""

    def run(self, setup: Setup) -> ContaminationResult:
        """Read all datasets, then the training texts.

        Raises:
            ValueError: If a file cannot be read, or there are no datasets.
        """
        started = time.monotonic()
        files = find_texts(self.texts)
        check_texts(files)
        folder = data_folder(setup.data)
        evaluation = read_evaluation_texts(EVALUATION_DATA, folder, setup.output / DATA_FOLDER)
        data = {text.source.name: (text.source.unit, text.units, text.files) for text in evaluation}
        for held_out in held_out_texts([folder / "corpus"]):
            sentences = enumerate(held_out.sentences("words"), 1)
            units = [TextUnit(str(number), [words]) for number, words in sentences]
            data[f"held out: {held_out.name}"] = (SENTENCE, units, held_out.files)
        if not data:
            raise ValueError(f"{folder}: has no datasets")
        with progress_bars() as progress:
            result = compare({name: (unit, units) for name, (unit, units, _) in data.items()}, files, progress)
        paths = list(dict.fromkeys(path for _, _, paths in data.values() for path in paths))
        record(result.results(), paths, time.monotonic() - started, setup)
        return result

    def collect(self, results: ContaminationResult) -> dict[str, Table]:
        """Return the contaminated part of each dataset."""
        return {"contamination": results.table()}

    def render(self, results: ContaminationResult, tables: Mapping[str, Table], folder: Path) -> list[Path]:
        """Write the table, and the list of contaminated passages and documents."""
        units = folder / UNITS_FILE
        write_json_lines(results.units(), units)
        return [*super().render(results, tables, folder), units]


def compare(
    data: Mapping[str, tuple[str, Sequence[TextUnit]]],
    files: Sequence[Path],
    progress: Callable[[str, int, int], None] = lambda label, done, total: None,
) -> ContaminationResult:
    """Look for datasets in training texts.

    Args:
        data: What a unit is, and the units, of each dataset by its name.
        files: The training texts.
        progress: Called with the name of a text, and how many of its bytes have been read of how many.
    """
    words = {
        name: [comparable_words(" ".join(word for s in unit.sentences for word in s).encode()) for unit in units]
        for name, (_, units) in data.items()
    }
    ngrams = NGrams(unit for units in words.values() for unit in units)
    names = [uncompressed_name(file).removesuffix(".txt") for file in files]
    names = names if len({*names, ALL}) == len(names) + 1 else [str(file) for file in files]
    counts, found = {}, {}
    for name, file in zip(names, files, strict=True):
        flags = [np.zeros(len(known), bool) for known in ngrams.known]
        counts[name] = 0
        for block in _blocks(file, name, progress):
            training = comparable_words(block)
            counts[name] += len(training)
            for flag, positions in zip(flags, ngrams.found_in(training), strict=True):
                flag[positions] = True
        found[name] = flags
    if len(found) > 1:
        found[ALL] = [np.logical_or.reduce(flags) for flags in zip(*found.values(), strict=True)]
    places = (
        [np.searchsorted(known, part) for known, part in zip(ngrams.known, of, strict=True)] for of in ngrams.of_unit
    )
    texts = []
    for name, (unit, units) in data.items():
        own = list(itertools.islice(places, len(units)))
        kept = [number for number, (short, _) in enumerate(own) if len(short)]
        fractions = {source: np.array([short[own[n][0]].mean() for n in kept]) for source, (short, _) in found.items()}
        overlaps = {source: np.array([long[own[n][1]].any() for n in kept]) for source, (_, long) in found.items()}
        texts.append(ComparedText(name, unit, [units[n].name for n in kept], len(units), fractions, overlaps))
    hashes = {name: checksum(file)["sha256"] for name, file in zip(names, files, strict=True) if file.is_file()}
    return ContaminationResult(texts, list(found), counts, hashes)


def _blocks(file: Path, name: str, progress: Callable[[str, int, int], None]) -> Iterator[bytes]:
    size = file.stat().st_size if file.is_file() else 0
    done = 0

    def advance(path: Path, taken: int) -> None:
        nonlocal done
        done += taken
        progress(name, done, size)

    return blocks([file], advance)


def scores_by_contamination(
    trained: TrainedTask, examples: Sequence[Question] | Sequence[CorefDocument], contaminated: Iterable[str]
) -> dict[str, dict[str, float]]:
    """Score a trained task model by whether the passages or documents are in the training text of the biLM.

    Args:
        trained: A model for questions or for coreference.
        examples: The development or test data, as a whole: a passage is named by its first question.
        contaminated: The names of contaminated passages or documents, which are the values of ``unit`` in
            ``contamination-units.jsonl``.

    Returns:
        The scores and the number of examples, for "contaminated" and for "clean"; a part without examples is left out.
    """
    names: list[str] = []
    first: dict[str, str] = {}
    for example in examples:
        named = first.setdefault(example.passage.text, example.id) if isinstance(example, Question) else example.name
        names.append(named)
    found = frozenset(contaminated)
    predictions = trained.predict(examples)
    scores = {}
    for part in ("contaminated", "clean"):
        chosen = [number for number, name in enumerate(names) if (name in found) == (part == "contaminated")]
        if chosen:
            own = trained.task.score([examples[n] for n in chosen], [predictions[n] for n in chosen])
            scores[part] = {"examples": len(chosen), **own}
    return scores
