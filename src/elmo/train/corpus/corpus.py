"""The corpus: tokenized text on disk that pretraining reads.

    corpus.json          counts, settings, input files, and a hash of the other files
    types.txt            the distinct words (types), one per line: <S>, </S>, <UNK>, then by decreasing frequency
    counts.npy           int64, the frequency of each type in the training text
    train.ids.npy        int32, the words of all sentences one after another, as line numbers of types.txt
    train.offsets.npy    int64, where each sentence begins in train.ids.npy, and where the last one ends
    heldout.ids.npy      the same for the held-out text
    heldout.offsets.npy
    checksums.json       size and SHA-256 of these files

The vocabulary, the words that the model learns to predict, is the beginning of types.txt. The other types are kept
because the model reads characters: such a word is spelled out as an input, and only as a target replaced by ``<UNK>``.
Types that occur only in the held-out text have a count of 0. Sentences are stored without boundary markers, so the
counts add up to the number of words in the training text.

The arrays are memory-mapped. Nothing is ever unpickled.
"""

import functools
import hashlib
import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np

from elmo.files import CORPUS_FILE, read_json_object, verify_checksums
from elmo.text.counts import counted
from elmo.text.markers import BEGIN_SENTENCE, END_SENTENCE, UNKNOWN
from elmo.text.reading import STDIN, check_texts, find_texts
from elmo.text.vocabulary import NOT_A_WORD, Vocabulary

FORMAT_VERSION = 1

TYPES_FILE = "types.txt"
COUNTS_FILE = "counts.npy"
IDS_FILE = "{part}.ids.npy"
OFFSETS_FILE = "{part}.offsets.npy"
PARTS = ("train", "heldout")

MARKERS = (BEGIN_SENTENCE, END_SENTENCE, UNKNOWN)
"""The first lines of types.txt, and the first entries of a vocabulary."""
BEGIN_ID, END_ID, UNKNOWN_ID = range(len(MARKERS))

COVERAGE_SIZES = (1000, 10_000, 50_000, 100_000, 200_000, 500_000, 1_000_000)
CHUNK = 1 << 24
"""Elements checked at a time when a corpus is opened, so that memory does not grow with the text."""


@dataclass(frozen=True, eq=False)
class Sentences:
    """Sentences as sequences of word ids, memory-mapped."""

    ids: np.ndarray
    """The ids of all words, (words,) int32."""
    offsets: np.ndarray
    """Where each sentence begins in ``ids``, and where the last one ends, (sentences + 1,) int64."""

    def __len__(self) -> int:
        return len(self.offsets) - 1

    def __getitem__(self, index: int) -> np.ndarray:
        index = range(len(self))[index]
        return self.ids[self.offsets[index] : self.offsets[index + 1]]

    def __iter__(self) -> Iterator[np.ndarray]:
        return map(self.__getitem__, range(len(self)))

    @property
    def lengths(self) -> np.ndarray:
        """The number of words in each sentence, (sentences,)."""
        return np.diff(self.offsets)


@dataclass(frozen=True, eq=False)
class Corpus:
    """A corpus that is open for reading."""

    types: tuple[str, ...]
    """The distinct words, by id."""
    counts: np.ndarray
    """The frequency of each type in the training text, (types,) int64."""
    train: Sentences
    heldout: Sentences
    metadata: dict[str, Any]
    """The content of ``corpus.json``."""

    def __repr__(self) -> str:
        train, heldout = counted(len(self.train), "sentence"), counted(len(self.heldout), "sentence")
        return f"Corpus({train} to train on, {heldout} held out, {counted(len(self.types), 'distinct word')})"

    @functools.cached_property
    def vocabulary(self) -> Vocabulary:
        """The words that a model learns to predict. Their ids are those of the corpus."""
        return Vocabulary(self.types[: self.metadata["counts"]["vocabulary"]])


def is_corpus(folder: str | Path) -> bool:
    """Return whether a folder contains a complete corpus."""
    return (Path(folder) / CORPUS_FILE).is_file()


def open_corpus(folder: str | Path) -> Corpus:
    """Open a corpus that ``elmo prepare`` wrote.

    Raises:
        ValueError: If a file is missing or damaged, or if the files do not fit together.
    """
    folder = Path(folder)
    metadata = read_metadata(folder)
    verify_checksums(folder)
    types = _read_types(folder / TYPES_FILE)
    counts = _read_array(folder / COUNTS_FILE, np.int64)
    train, heldout = (_read_sentences(folder, part, len(types)) for part in PARTS)
    actual = {
        "types": len(types),
        "train_sentences": len(train),
        "train_tokens": len(train.ids),
        "heldout_sentences": len(heldout),
        "heldout_tokens": len(heldout.ids),
    }
    recorded = metadata["counts"]
    for name, count in actual.items():
        if recorded[name] != count:
            raise ValueError(f"{folder}: {CORPUS_FILE} says {recorded[name]} {name}, but there are {count}")
    if len(counts) != len(types):
        raise ValueError(f"{folder}: {COUNTS_FILE} counts {len(counts)} types, but {TYPES_FILE} has {len(types)}")
    if counts.sum() != len(train.ids):
        raise ValueError(f"{folder}: {COUNTS_FILE} adds up to {counts.sum()} words, but there are {len(train.ids)}")
    if not len(MARKERS) <= recorded["vocabulary"] <= len(types):
        raise ValueError(
            f"{folder}: {CORPUS_FILE} has a vocabulary of {recorded['vocabulary']} out of {len(types)} types"
        )
    if NOT_A_WORD in types[: recorded["vocabulary"]]:
        raise ValueError(f"{folder}: has the word {NOT_A_WORD}, which no model can store; prepare the corpus again")
    return Corpus(types, counts, train, heldout, metadata)


def coverage(corpus: Corpus, sizes: Sequence[int] = COVERAGE_SIZES) -> dict[int, float]:
    """Return the fraction of the training text that the most frequent types cover, by number of types."""
    covered = np.cumsum(corpus.counts[len(MARKERS) :])
    total = len(corpus.train.ids)
    if not len(covered):
        return dict.fromkeys(sizes, 0.0)
    return {size: float(covered[min(size, len(covered)) - 1]) / total if size > 0 else 0.0 for size in sizes}


def describe(corpus: Corpus) -> dict[str, str]:
    """Return the statistics of a corpus as text, by name."""
    counts, settings = corpus.metadata["counts"], corpus.metadata["settings"]
    sizes = [size for size in COVERAGE_SIZES if size < len(corpus.types)]
    lines = {
        "format": f"elmo corpus (version {FORMAT_VERSION})",
        "input": ", ".join(text["name"] for text in corpus.metadata["inputs"]),
        "tokenizer": settings["tokenizer"],
    }
    for part, sentences in zip(PARTS, (corpus.train, corpus.heldout), strict=True):
        lines[part] = f"{counted(len(sentences), 'sentence')}, {counted(len(sentences.ids), 'word')}"
        if len(sentences):
            longest = int(sentences.lengths.max())
            lines[part] += f" ({len(sentences.ids) / len(sentences):.1f} per sentence, at most {longest:,})"
    lines["removed"] = removed(counts)
    lines["invalid UTF-8"] = counted(counts["invalid_lines"], "line")
    lines["types"] = f"{counts['types']:,}"
    lines["vocabulary"] = f"{counts['vocabulary']:,} (minimum count {settings['min_count']} in the training text)"
    lines["unknown words"] = (
        f"{counts['train_unknown_rate']:.2%} of the training text, "
        f"{counts['heldout_unknown_rate']:.2%} of the held-out text"
    )
    lines["coverage"] = ", ".join(f"{size:,}: {fraction:.1%}" for size, fraction in coverage(corpus, sizes).items())
    lines["data hash"] = corpus.metadata["data_hash"]
    return {name: line for name, line in lines.items() if line}


def removed(counts: Mapping[str, int]) -> str:
    """Return how many sentences of the text are not in the corpus, according to the counts in ``corpus.json``."""
    return (
        f"{counted(counts['duplicates_removed'], 'duplicate')}, "
        f"{counted(counts['overlap_removed'], 'copy', 'copies')} of held-out sentences"
    )


def read_metadata(folder: Path) -> dict[str, Any]:
    """Read ``corpus.json``.

    Raises:
        ValueError: If it is missing or damaged.
    """
    path = folder / CORPUS_FILE
    if not path.is_file():
        raise ValueError(f"{folder}: not a corpus ({CORPUS_FILE} is missing); create one with elmo prepare")
    metadata = read_json_object(path)
    version = metadata.get("format_version")
    if version != FORMAT_VERSION:
        raise ValueError(f"{path}: has format_version {version!r}; this version of elmo reads {FORMAT_VERSION}")
    required = {"types", "vocabulary", "duplicates_removed", "overlap_removed", "invalid_lines"}
    required |= {f"{part}_{what}" for part in PARTS for what in ("sentences", "tokens")}
    counts = metadata.get("counts")
    for name in sorted(required):
        if not isinstance(counts, dict) or not isinstance(counts.get(name), int):
            raise ValueError(f"{path}: damaged, the number of {name} is missing")
    for name in ("settings", "inputs", "data_hash"):
        if name not in metadata:
            raise ValueError(f"{path}: damaged, {name} is missing")
    return metadata


def _read_types(path: Path) -> tuple[str, ...]:
    try:
        text = path.read_bytes().decode("utf-8")
    except FileNotFoundError:
        raise ValueError(f"{path}: is missing") from None
    except UnicodeDecodeError as error:
        raise ValueError(f"{path}: damaged, not UTF-8 ({error.reason})") from None
    if not text.endswith("\n"):
        raise ValueError(f"{path}: damaged, the last line is incomplete")
    types = tuple(text[:-1].split("\n"))
    if types[: len(MARKERS)] != MARKERS:
        raise ValueError(f"{path}: must begin with the lines {' '.join(MARKERS)}")
    return types


def _read_array(path: Path, dtype: type[np.generic]) -> np.ndarray:
    """Memory-map an array. It must be one-dimensional, of the given type, and as long as its file."""
    try:
        mapped = np.lib.format.open_memmap(path, mode="r")
    except FileNotFoundError:
        raise ValueError(f"{path}: is missing") from None
    except (ValueError, OSError) as error:
        raise ValueError(f"{path}: damaged, or not an array ({error})") from None
    if mapped.dtype != dtype or mapped.ndim != 1:
        raise ValueError(
            f"{path}: is {mapped.dtype}{list(mapped.shape)}, not a one-dimensional array of {np.dtype(dtype)}"
        )
    if path.stat().st_size != mapped.offset + mapped.nbytes:
        raise ValueError(f"{path}: damaged, its size does not match its {len(mapped)} elements")
    return mapped.view(np.ndarray)  # still memory-mapped, but without the slow slicing of np.memmap


def _read_sentences(folder: Path, part: str, types: int) -> Sentences:
    ids_path, offsets_path = folder / IDS_FILE.format(part=part), folder / OFFSETS_FILE.format(part=part)
    ids, offsets = _read_array(ids_path, np.int32), _read_array(offsets_path, np.int64)
    if not len(offsets) or offsets[0] != 0 or offsets[-1] != len(ids):
        raise ValueError(f"{offsets_path}: damaged, it does not run from 0 to the {len(ids)} words of {ids_path.name}")
    for start in range(0, len(offsets) - 1, CHUNK):
        if np.diff(offsets[start : start + CHUNK + 1]).min() <= 0:
            raise ValueError(f"{offsets_path}: damaged, it contains an empty sentence")
    for start in range(0, len(ids), CHUNK):
        # A negative id is very large when read as unsigned.
        if ids[start : start + CHUNK].view(np.uint32).max() >= types:
            raise ValueError(f"{ids_path}: damaged, it contains an id outside the {types} types")
    return Sentences(ids, offsets)


def recorded_name(path: Path) -> str:
    """Return the name of a file for the record, with bytes that are not UTF-8 replaced."""
    return os.fsencode(path).decode("utf-8", "replace")


def same_inputs(texts: Sequence[str | Path], recorded: Sequence[Mapping[str, Any]]) -> bool:
    """Return whether texts are those that ``corpus.json`` records: files of the same names and sizes, in any folder.

    Raises:
        ValueError: If a file cannot be read.
    """
    files = find_texts(texts)
    check_texts(files)
    sizes: dict[Path, int] = {}
    for file in files:
        size = recorded[0]["bytes"] if recorded and str(file) == STDIN else file.stat().st_size  # it is not read again
        sizes[file] = sizes.get(file, 0) + size
    found = [(recorded_name(Path(file.name)), size) for file, size in sizes.items()]
    return found == [(Path(text["name"]).name, text["bytes"]) for text in recorded]


def write_array_header(file: BinaryIO, dtype: type[np.generic], length: int) -> None:
    """Write the beginning of an array file, whose elements follow."""
    header = {"descr": np.dtype(dtype).str, "fortran_order": False, "shape": (length,)}
    np.lib.format.write_array_header_1_0(file, header)


def hash_of_data(folder: Path) -> str:
    """Return the SHA-256 of types, ids and offsets, which does not depend on the names of the input files."""
    digest = hashlib.sha256()
    arrays = [name.format(part=part) for part in PARTS for name in (IDS_FILE, OFFSETS_FILE)]
    for name in [TYPES_FILE, *arrays]:
        with (folder / name).open("rb") as file:
            while chunk := file.read(1 << 20):
                digest.update(chunk)
    return digest.hexdigest()
