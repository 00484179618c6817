"""A corpus: tokenised text on disk, ready to be read by a training run.

    corpus.json          counts, settings, inputs, and a hash of the other files
    types.txt            every distinct word form, one a line: <S>, </S>, <UNK>, then by falling count
    counts.npy           int64, how often each line of types.txt occurs in the training text
    train.ids.npy        int32, the words of all sentences end to end, as line numbers of types.txt
    train.offsets.npy    int64, where each sentence begins in it, and the end
    heldout.ids.npy, heldout.offsets.npy

The vocabulary (what the model can predict) is the head of types.txt. The forms behind it are there because the
model reads characters: as an input such a word is spelled out, only as a target it is ``<UNK>``. Forms that
stand in the held-out text alone have the count 0. Sentences carry no boundary markers, so ``<S>`` and ``</S>``
have the count 0 too, and the counts add up to the words of the training text.

Arrays are memory-mapped, and nothing here is ever unpickled.
"""

import functools
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from elmo.text.vocabulary import Vocabulary

FORMAT_VERSION = 1

FACTS_FILE = "corpus.json"
TYPES_FILE = "types.txt"
COUNTS_FILE = "counts.npy"
IDS_FILE = "{part}.ids.npy"
OFFSETS_FILE = "{part}.offsets.npy"
PARTS = ("train", "heldout")

# Spelled out here since the modules they come from (elmo.text) import torch, and workers should not.
MARKERS = ("<S>", "</S>", "<UNK>")
"""The first lines of types.txt: before every sentence, after it, and for every other word."""
UNKNOWN_ID = 2

_SIZES = (1000, 10_000, 50_000, 100_000, 200_000, 500_000, 1_000_000)
_CHECKED_AT_ONCE = 1 << 24  # elements: an open corpus costs memory for its types, not for its text


@dataclass(frozen=True, eq=False)
class Sentences:
    """Sentences of word ids, on disk until they are looked at."""

    ids: np.ndarray
    """(words,) int32"""
    offsets: np.ndarray
    """(sentences + 1,) int64"""

    def __len__(self) -> int:
        return len(self.offsets) - 1

    def __getitem__(self, index: int) -> np.ndarray:
        index = range(len(self))[index]
        return self.ids[self.offsets[index] : self.offsets[index + 1]]

    def __iter__(self) -> Iterator[np.ndarray]:
        return map(self.__getitem__, range(len(self)))

    @property
    def lengths(self) -> np.ndarray:
        """Words of each sentence, (sentences,)."""
        return np.diff(self.offsets)


@dataclass(frozen=True, eq=False)
class Corpus:
    """An open corpus."""

    types: tuple[str, ...]
    counts: np.ndarray
    """(types,) int64"""
    train: Sentences
    heldout: Sentences
    facts: dict[str, Any]
    """What corpus.json says."""

    @functools.cached_property
    def vocabulary(self) -> "Vocabulary":
        """The words the model can predict; their ids are those of the corpus."""
        from elmo.text.vocabulary import Vocabulary

        return Vocabulary(self.types[: self.facts["counts"]["vocabulary"]])


def is_corpus(folder: str | Path) -> bool:
    """Whether a folder holds a finished corpus."""
    return (Path(folder) / FACTS_FILE).is_file()


def open_corpus(folder: str | Path) -> Corpus:
    """Open a corpus, after a check that its files are whole and fit together."""
    folder = Path(folder)
    facts = _read_facts(folder)
    types = _read_types(folder / TYPES_FILE)
    counts = _read_array(folder / COUNTS_FILE, np.int64)
    train, heldout = (_read_sentences(folder, part, len(types)) for part in PARTS)
    found = {
        "types": len(types),
        "train_sentences": len(train),
        "train_tokens": len(train.ids),
        "heldout_sentences": len(heldout),
        "heldout_tokens": len(heldout.ids),
    }
    for name, number in found.items():
        if facts["counts"][name] != number:
            raise ValueError(f"{folder}: {FACTS_FILE} says {facts['counts'][name]} {name}, but there are {number}")
    if len(counts) != len(types):
        raise ValueError(f"{folder}: {COUNTS_FILE} counts {len(counts)} types, but {TYPES_FILE} has {len(types)}")
    if counts.sum() != len(train.ids):
        raise ValueError(f"{folder}: {COUNTS_FILE} adds up to {counts.sum()} words, but there are {len(train.ids)}")
    if not len(MARKERS) <= facts["counts"]["vocabulary"] <= len(types):
        raise ValueError(f"{folder}: a vocabulary of {facts['counts']['vocabulary']} out of {len(types)} types")
    return Corpus(types, counts, train, heldout, facts)


def coverage(corpus: Corpus, sizes: Sequence[int] = _SIZES) -> dict[int, float]:
    """The share of the training text that the most frequent types make up, for several numbers of them."""
    covered = np.cumsum(corpus.counts[len(MARKERS) :])
    total = len(corpus.train.ids)
    if not len(covered):
        return dict.fromkeys(sizes, 0.0)
    return {size: float(covered[min(size, len(covered)) - 1]) / total if size > 0 else 0.0 for size in sizes}


def describe(corpus: Corpus) -> dict[str, str]:
    """The statistics of a corpus, for people."""
    counts, settings = corpus.facts["counts"], corpus.facts["settings"]
    sizes = [size for size in _SIZES if size < len(corpus.types)]
    lines = {
        "format": f"elmo corpus (version {FORMAT_VERSION})",
        "made from": ", ".join(text["name"] for text in corpus.facts["inputs"]),
        "words split by": settings["tokenizer"],
    }
    for part, sentences in zip(PARTS, (corpus.train, corpus.heldout), strict=True):
        lines[part] = f"{len(sentences):,} sentences, {len(sentences.ids):,} words"
        if len(sentences):
            longest = int(sentences.lengths.max())
            lines[part] += f" ({len(sentences.ids) / len(sentences):.1f} a sentence, at most {longest:,})"
    lines["removed"] = (
        f"{counts['duplicates_removed']:,} duplicates, {counts['overlap_removed']:,} sentences that are held out"
    )
    lines["not UTF-8"] = f"{counts['invalid_lines']:,} lines"
    lines["types"] = f"{counts['types']:,}"
    lines["vocabulary"] = f"{counts['vocabulary']:,} (at least {settings['min_count']} times in the training text)"
    lines["unknown"] = (
        f"{counts['train_unknown_rate']:.2%} of the training text, {counts['heldout_unknown_rate']:.2%} held out"
    )
    lines["coverage"] = ", ".join(f"{size:,}: {share:.1%}" for size, share in coverage(corpus, sizes).items())
    lines["data hash"] = corpus.facts["data_hash"]
    return {name: line for name, line in lines.items() if line}


def _read_facts(folder: Path) -> dict[str, Any]:
    path = folder / FACTS_FILE
    if not path.is_file():
        raise ValueError(f"{folder}: no corpus here (no {FACTS_FILE}); elmo prepare makes one")
    try:
        facts = json.loads(path.read_bytes())
    except ValueError:
        raise ValueError(f"{path}: damaged, not JSON") from None
    if not isinstance(facts, dict):
        raise ValueError(f"{path}: damaged, not a JSON object")
    version = facts.get("format_version")
    if version != FORMAT_VERSION:
        raise ValueError(f"{path}: has format_version {version!r}; this version of elmo reads {FORMAT_VERSION}")
    whole = {"types", "vocabulary", "duplicates_removed", "overlap_removed", "invalid_lines"}
    whole |= {f"{part}_{what}" for part in PARTS for what in ("sentences", "tokens")}
    counts = facts.get("counts")
    for name in sorted(whole):
        if not isinstance(counts, dict) or not isinstance(counts.get(name), int):
            raise ValueError(f"{path}: damaged, the number of {name} is missing")
    for name in ("settings", "inputs", "data_hash"):
        if name not in facts:
            raise ValueError(f"{path}: damaged, {name} is missing")
    return facts


def _read_types(path: Path) -> tuple[str, ...]:
    try:
        text = path.read_bytes().decode("utf-8")
    except FileNotFoundError:
        raise ValueError(f"{path}: is missing") from None
    except UnicodeDecodeError as error:
        raise ValueError(f"{path}: damaged, not UTF-8 ({error.reason})") from None
    if not text.endswith("\n"):
        raise ValueError(f"{path}: damaged, the last line is cut")
    types = tuple(text[:-1].split("\n"))
    if types[: len(MARKERS)] != MARKERS:
        raise ValueError(f"{path}: must begin with the lines {' '.join(MARKERS)}")
    return types


def _read_array(path: Path, dtype: type[np.generic]) -> np.ndarray:
    """Map an array, which must be flat, of the type, and as long as its file."""
    try:
        mapped = np.lib.format.open_memmap(path, mode="r")
    except FileNotFoundError:
        raise ValueError(f"{path}: is missing") from None
    except (ValueError, OSError) as error:
        raise ValueError(f"{path}: damaged or not an array ({error})") from None
    if mapped.dtype != dtype or mapped.ndim != 1:
        raise ValueError(f"{path}: is {mapped.dtype}{list(mapped.shape)}, not a list of {np.dtype(dtype)}")
    if path.stat().st_size != mapped.offset + mapped.nbytes:
        raise ValueError(f"{path}: damaged, its size is not that of {len(mapped)} numbers")
    return mapped.view(np.ndarray)  # still on disk; slices of a memmap are slow objects of their own


def _read_sentences(folder: Path, part: str, types: int) -> Sentences:
    ids_path, offsets_path = folder / IDS_FILE.format(part=part), folder / OFFSETS_FILE.format(part=part)
    ids, offsets = _read_array(ids_path, np.int32), _read_array(offsets_path, np.int64)
    if not len(offsets) or offsets[0] != 0 or offsets[-1] != len(ids):
        raise ValueError(f"{offsets_path}: does not run from 0 to the {len(ids)} words of {ids_path.name}")
    for start in range(0, len(offsets) - 1, _CHECKED_AT_ONCE):
        if np.diff(offsets[start : start + _CHECKED_AT_ONCE + 1]).min() <= 0:
            raise ValueError(f"{offsets_path}: damaged, a sentence without words")
    for start in range(0, len(ids), _CHECKED_AT_ONCE):
        # A negative id is a very large one when read without a sign.
        if ids[start : start + _CHECKED_AT_ONCE].view(np.uint32).max() >= types:
            raise ValueError(f"{ids_path}: damaged, an id outside the {types} types")
    return Sentences(ids, offsets)
