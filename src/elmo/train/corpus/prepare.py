"""Raw text to a corpus (``elmo.train.corpus.corpus``).

The text is read in blocks of lines. Workers split the blocks in words and number these within the block; the
parent process takes the blocks in the order of the text and gives every new form the next number. So the result
does not depend on how many workers there are. Only when all has been read is it known which sentences repeat
earlier ones and how often each form occurs; then the sentences are read back, and written under their final ids.

Until then they are in temporary files beside the output, which have no name, so that nothing of them is left
when a run is killed: 4 bytes a word and 12 a sentence.

In memory are, with room for 10 GB of English (2 billion words, 80 million sentences) in 2 GB:

* the forms: about 130 bytes each (word, number, entry of the dictionary), at most 1.5 times ``max_types`` of
  them, 1 GB; when there are more, those seen least so far are forgotten and their places become ``<UNK>``. A
  number that was given stays given, and costs 10 bytes;
* afterwards, in place of the dictionary, 3 bytes a sentence (is it the first of its kind, to train on, held out?),
  240 MB. Repeated sentences are found by their hashes, which lie in a file and are looked through in ranges of 4
  million, 250 MB;
* per worker some blocks under way and the memory of the tokenizer, about 100 MB.

Hashes of 64 bits take two different sentences for one with a chance of 1 in 5000 in 80 million sentences.
"""

import contextlib
import hashlib
import json
import math
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np

from elmo.files import replacing_folder, writing
from elmo.text.reading import STDIN, blocks, check_texts, find_texts
from elmo.train.corpus.corpus import (
    COUNTS_FILE,
    FACTS_FILE,
    FORMAT_VERSION,
    IDS_FILE,
    MARKERS,
    OFFSETS_FILE,
    PARTS,
    TYPES_FILE,
    UNKNOWN_ID,
    is_corpus,
)
from elmo.train.corpus.tokenization import Tokenizer, tokenised
from elmo.train.corpus.word_forms import Forms, Store

VOCABULARY_SIZE = 100_000
MIN_COUNT = 2
MAX_TYPES = 5_000_000
HELDOUT_FRACTION = 0.001
MOST_HELDOUT = 10_000
"""Sentences: enough for a steady perplexity, and scored in minutes."""


def prepare(
    texts: Sequence[str | Path],
    output: str | Path,
    *,
    heldout: Sequence[str | Path] = (),
    heldout_fraction: float = HELDOUT_FRACTION,
    tokenizer: Tokenizer = "words",
    keep_duplicates: bool = False,
    vocabulary_size: int = VOCABULARY_SIZE,
    min_count: int = MIN_COUNT,
    max_types: int = MAX_TYPES,
    seed: int = 0,
    workers: int = 1,
    overwrite: bool = False,
) -> dict[str, Any]:
    """Make a corpus of text files and folders of them, and return what its corpus.json says.

    ``heldout`` names text to hold out; without it, ``heldout_fraction`` of the sentences are held out, chosen by
    their hashes and the seed. Both sizes count the three markers.
    """
    output = Path(output)
    _check_numbers(vocabulary_size, min_count, max_types, heldout_fraction, workers)
    _check_output(output, overwrite)
    train_files, heldout_files = find_texts(texts), find_texts(heldout)
    _check_files(train_files + heldout_files, output)
    forms = Forms(max_types)
    with contextlib.ExitStack() as stack:
        train = held = Store(output, stack)
        invalid, sizes = _read(train_files, train, forms, tokenizer, workers)
        heldout_sizes: dict[str, int] = {}
        if heldout_files:
            held = Store(output, stack)
            heldout_invalid, heldout_sizes = _read(heldout_files, held, forms, tokenizer, workers)
            invalid += heldout_invalid
        names, places = forms.close()  # now, to have its memory for what follows
        first = train.first_occurrences()
        chosen = _occurring_in(held) if heldout_files else _with_smallest_keys(train, first, heldout_fraction, seed)
        in_train, in_heldout = _divide(train, first, chosen, keep_duplicates)
        removed = train.sentences - int(in_train.sum())
        if heldout_files:
            in_heldout = np.ones(held.sentences, bool)
        else:
            removed -= int(in_heldout.sum())
        if not in_train.any():
            raise ValueError(f"{', '.join(map(str, texts))}: no sentences to train on")
        if heldout_files and not held.sentences:
            raise ValueError(f"{', '.join(map(str, heldout))}: no sentences to hold out")
        train_counts, heldout_counts = (
            _count(store, wanted, places, len(names)) for store, wanted in ((train, in_train), (held, in_heldout))
        )
        order = _ranking(train_counts, heldout_counts)[:max_types]
        counts = train_counts[order]
        counts[UNKNOWN_ID] += train_counts.sum() - counts.sum()  # the forms that are left out
        vocabulary = min(vocabulary_size, len(MARKERS) + int((counts[len(MARKERS) :] >= min_count).sum()))
        known = order[len(MARKERS) : vocabulary]
        ranks = np.full(len(names), UNKNOWN_ID, np.int32)
        ranks[order] = np.arange(len(order), dtype=np.int32)
        final_ids = ranks[places]
        duplicates = 0 if keep_duplicates else int((~first).sum())
        facts = {
            "format_version": FORMAT_VERSION,
            "counts": {
                "train_sentences": int(in_train.sum()),
                "train_tokens": int(train_counts.sum()),
                "heldout_sentences": int(in_heldout.sum()),
                "heldout_tokens": int(heldout_counts.sum()),
                "types": len(order),
                "vocabulary": vocabulary,
                "duplicates_removed": duplicates,
                "overlap_removed": removed - duplicates,
                "invalid_lines": invalid,
                "forms_forgotten": forms.forgotten,
                "train_unknown_rate": _unknown_rate(train_counts, known),
                "heldout_unknown_rate": _unknown_rate(heldout_counts, known),
            },
            "settings": {
                "tokenizer": tokenizer,
                "min_count": min_count,
                "vocabulary_size": vocabulary_size,
                "max_types": max_types,
                "heldout": list(heldout_sizes) or heldout_fraction,
                "keep_duplicates": keep_duplicates,
                "seed": seed,
            },
            "inputs": [{"name": name, "bytes": size} for name, size in sizes.items()],
            "heldout_inputs": [{"name": name, "bytes": size} for name, size in heldout_sizes.items()],
        }
        with replacing_folder(output) as folder, writing(output):
            with (folder / TYPES_FILE).open("wb") as file:
                file.writelines(names[place] + b"\n" for place in order)
            np.save(folder / COUNTS_FILE, counts)
            _write_part(folder, "train", train, in_train, final_ids, int(train_counts.sum()))
            _write_part(folder, "heldout", held, in_heldout, final_ids, int(heldout_counts.sum()))
            facts["data_hash"] = _data_hash(folder)
            (folder / FACTS_FILE).write_text(json.dumps(facts, indent=2, ensure_ascii=False) + "\n", "utf-8")
    return facts


def _check_numbers(vocabulary_size: int, min_count: int, max_types: int, fraction: float, workers: int) -> None:
    least = len(MARKERS) + 1
    for name, number, minimum in (
        ("vocabulary_size", vocabulary_size, least),
        ("max_types", max_types, least),
        ("min_count", min_count, 1),
        ("workers", workers, 1),
    ):
        if number < minimum:
            raise ValueError(f"{name} must be at least {minimum}, not {number}")
    if not 0 <= fraction < 1:
        raise ValueError(f"heldout_fraction must be at least 0 and below 1, not {fraction}")


def _check_output(output: Path, overwrite: bool) -> None:
    if not output.exists():
        return
    if not output.is_dir():
        raise ValueError(f"{output}: exists and is not a folder")
    if any(output.iterdir()):
        if not is_corpus(output):
            raise ValueError(f"{output}: is not empty and not a corpus; name a new folder")
        if not overwrite:
            raise ValueError(f"{output}: a corpus is there already; --overwrite replaces it")


def _check_files(paths: list[Path], output: Path) -> None:
    """Complain now about what would otherwise stop the run in an hour."""
    check_texts(paths)
    for path in paths:
        if output.resolve() in path.resolve().parents:
            raise ValueError(f"{path}: lies inside {output}, which is to be written")


# Reading


def _read(
    paths: Sequence[Path], store: Store, forms: Forms, tokenizer: Tokenizer, workers: int
) -> tuple[int, dict[str, int]]:
    """Fill a store; gives the number of lines that were not UTF-8, and the sizes of the files."""
    from tqdm import tqdm

    sizes: dict[str, int] = {}
    total = None if Path(STDIN) in paths else sum(path.stat().st_size for path in paths)
    bar: Any = tqdm(total=total, unit="B", unit_scale=True, desc="prepare", disable=None, leave=False)

    def progress(path: Path, taken: int) -> None:
        sizes[str(path)] = sizes.get(str(path), 0) + taken
        bar.update(taken)

    invalid = 0
    with bar, contextlib.closing(tokenised(blocks(paths, progress), tokenizer, workers)) as found:
        for block in found:
            store.append(block, forms.numbers(block))
            invalid += block.invalid
    return invalid, sizes


# Which sentences go where


_Choice = Callable[[np.ndarray], np.ndarray]  # hashes of sentences to bool: is it held out?


def _occurring_in(store: Store) -> _Choice:
    known = np.unique(np.concatenate([np.empty(0, np.uint64), *(hashes for _, hashes in store.hashes())]))
    return lambda hashes: np.isin(hashes, known)


def _with_smallest_keys(store: Store, first: np.ndarray, fraction: float, seed: int) -> _Choice:
    """Some sentences that depend on their words and the seed, not on where they stand."""
    distinct = int(first.sum())
    number = min(math.ceil(fraction * distinct), MOST_HELDOUT, distinct - 1)
    if number <= 0:
        return lambda hashes: np.zeros(len(hashes), bool)
    smallest = np.empty(0, np.uint64)
    for part, hashes in store.hashes():
        keys = np.concatenate([smallest, _keys(hashes[first[part]], seed)])
        smallest = np.sort(np.partition(keys, number - 1)[:number]) if len(keys) > number else np.sort(keys)
    return lambda hashes: _keys(hashes, seed) <= smallest[-1]


def _keys(hashes: np.ndarray, seed: int) -> np.ndarray:
    """Other numbers for other seeds, one to one (the steps of splitmix64)."""
    keys = hashes + np.uint64((seed + 1) * 0x9E3779B97F4A7C15 % (1 << 64))
    keys = (keys ^ (keys >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    keys = (keys ^ (keys >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return keys ^ (keys >> np.uint64(31))


def _divide(store: Store, first: np.ndarray, chosen: _Choice, keep_duplicates: bool) -> tuple[np.ndarray, np.ndarray]:
    """Which sentences to train on and which to hold out, (sentences,) bool each.

    What is held out is never trained on, not even a copy of it.
    """
    in_train, in_heldout = np.empty(store.sentences, bool), np.empty(store.sentences, bool)
    for part, hashes in store.hashes():
        out = chosen(hashes)
        in_train[part] = (first[part] | keep_duplicates) & ~out
        in_heldout[part] = first[part] & out
    return in_train, in_heldout


# Writing


def _count(store: Store, wanted: np.ndarray, places: np.ndarray, types: int) -> np.ndarray:
    """How often each form occurs in the wanted sentences, (types,) int64."""
    counts = np.zeros(types, np.int64)
    for _, ids in store.select(wanted):
        counts += np.bincount(places[ids], minlength=types)
    return counts


def _ranking(train: np.ndarray, heldout: np.ndarray) -> np.ndarray:
    """The places of the forms in use by falling count, behind the markers; those of a count stay in their order."""
    markers = len(MARKERS)
    used = markers + np.flatnonzero(train[markers:] + heldout[markers:])
    return np.concatenate([np.arange(markers), used[np.argsort(-train[used], kind="stable")]])


def _unknown_rate(counts: np.ndarray, known: np.ndarray) -> float:
    total = int(counts.sum())
    return round(1 - int(counts[known].sum()) / total, 6) if total else 0.0


def _write_part(folder: Path, part: str, store: Store, wanted: np.ndarray, final_ids: np.ndarray, size: int) -> None:
    """Write the two arrays of a part, in pieces; a memory map would end the process where the disk is full."""
    end = 0
    with (
        (folder / IDS_FILE.format(part=part)).open("wb") as ids_file,
        (folder / OFFSETS_FILE.format(part=part)).open("wb") as offsets_file,
    ):
        _write_header(ids_file, np.int32, size)
        _write_header(offsets_file, np.int64, int(wanted.sum()) + 1)
        offsets_file.write(np.int64(0).tobytes())
        for lengths, ids in store.select(wanted):
            ids_file.write(final_ids[ids].tobytes())
            offsets_file.write((end + np.cumsum(lengths, dtype=np.int64)).tobytes())
            end += len(ids)


def _write_header(file: BinaryIO, dtype: type[np.generic], length: int) -> None:
    header = {"descr": np.dtype(dtype).str, "fortran_order": False, "shape": (length,)}
    np.lib.format.write_array_header_1_0(file, header)


def _data_hash(folder: Path) -> str:
    """SHA-256 of the types, ids and offsets: the same data, whatever the names of its sources."""
    digest = hashlib.sha256()
    arrays = [name.format(part=part) for part in PARTS for name in (IDS_FILE, OFFSETS_FILE)]
    for name in [TYPES_FILE, *arrays]:
        with (folder / name).open("rb") as file:
            while piece := file.read(1 << 20):
                digest.update(piece)
    return digest.hexdigest()
