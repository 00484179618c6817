"""Prepare a corpus (``elmo.train.corpus.corpus``) from raw text.

The text is read in blocks of lines. Worker processes tokenize the blocks; the main process takes the results in the
order of the text and assigns an id to every new type, so that the result does not depend on the number of workers.
Only after everything is read is it known which sentences are duplicates and how frequent each type is. Then the
sentences are read back and written with their final ids.

Until then the sentences are in temporary files next to the output, which take 4 bytes per word and 12 per sentence.
The files have no name, so nothing is left of them if the process is killed. The tokenized blocks are kept, so that the
next run need not tokenize them again (``elmo.train.corpus.kept_blocks``).

Memory suffices for 10 GB of English (2 billion words, 80 million sentences) in 2 GB:

* The types take about 130 bytes each (word, id, dictionary entry). There are at most 1.5 times ``max_types`` of them,
  1 GB. When there are more, the rarest so far are dropped and become ``<UNK>``. An id that was assigned costs 10 bytes.
* After the dictionary is freed, each sentence takes 3 bytes (is it a first occurrence, to train on, held out?), 240 MB.
  Duplicates are found by hash; the hashes are in a file and examined 4 million at a time, 250 MB.
* Each worker takes about 100 MB for its blocks and the tokenizer.

With 64-bit hashes, the chance that any two of 80 million different sentences are taken for duplicates is 1 in 5000.
"""

import contextlib
import itertools
import json
import math
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from elmo.config import CharCNNConfig, TokenizerName
from elmo.files import CORPUS_FILE, check_output_folder, replacing_folder, write_checksums, writing
from elmo.text.counts import counted
from elmo.text.reading import STDIN, blocks, check_texts, find_texts, warn_of_invalid_lines
from elmo.train.corpus.corpus import (
    COUNTS_FILE,
    FORMAT_VERSION,
    IDS_FILE,
    MARKERS,
    OFFSETS_FILE,
    TYPES_FILE,
    UNKNOWN_ID,
    hash_of_data,
    is_corpus,
    read_metadata,
    recorded_name,
    write_array_header,
)
from elmo.train.corpus.kept_blocks import KeptBlocks, kept_blocks, remove_parts
from elmo.train.corpus.staging import DEFAULT_LIMITS, SentenceStore, StagingLimits, TypeIndex
from elmo.train.corpus.tokenization import tokenize_all

HELDOUT_FRACTION = 0.001
MAX_HELDOUT = 10_000
"""Enough sentences for a stable perplexity, which is computed in minutes."""
MAX_WORD_BYTES = CharCNNConfig.max_characters - 2
"""What a character CNN reads of a word, unless a recipe says otherwise."""


def prepare(
    texts: Sequence[str | Path],
    output: str | Path,
    *,
    repeat: Mapping[str | Path, int] | None = None,
    heldout: Sequence[str | Path] = (),
    heldout_fraction: float = HELDOUT_FRACTION,
    max_heldout: int = MAX_HELDOUT,
    tokenizer: TokenizerName = "words",
    keep_duplicates: bool = False,
    vocabulary_size: int = 100_000,
    min_count: int = 2,
    max_types: int = 5_000_000,
    seed: int = 0,
    workers: int = 1,
    resume: bool = False,
    overwrite: bool = False,
    limits: StagingLimits = DEFAULT_LIMITS,
) -> dict[str, Any]:
    """Prepare a corpus from text files.

    Args:
        texts: Text files, compressed or not, and folders of them.
        output: The folder to write.
        repeat: How often an epoch sees the sentences of a text, by its name in ``texts``; the others are seen once. The
            vocabulary is that of the mixture.
        heldout: Text files or folders to hold out. Copies of their sentences are removed from the training text.
        heldout_fraction: Fraction of the distinct sentences to hold out if ``heldout`` is empty.
        max_heldout: Maximum number of sentences to hold out if ``heldout`` is empty.
        tokenizer: How to split the text; see ``elmo.text.tokens.tokenizer``.
        keep_duplicates: Keep sentences that repeat an earlier one.
        vocabulary_size: Maximum number of words to predict, including three markers.
        min_count: Minimum frequency of a word in the vocabulary.
        max_types: Maximum number of distinct words to keep, including three markers. The others become ``<UNK>``.
        seed: Determines which sentences are held out if ``heldout`` is empty.
        workers: Number of processes. The result does not depend on it.
        resume: Use the tokenized text of an interrupted run, from the folder ``OUTPUT.parts``. The result is the same.
            If the run was finished already, nothing is done.
        overwrite: Replace an existing corpus.
        limits: How much of the text is in memory at a time.

    Returns:
        The content of ``corpus.json``.

    Warns:
        UserWarning: If lines are not valid UTF-8, or if words are longer than what a model reads of a word.

    Raises:
        ValueError: If a file cannot be read, or if there is no text.
        OSError: If the output exists and must not be replaced, or if an interrupted run must be resumed or removed.
    """
    output = Path(output)
    _check_settings(vocabulary_size, min_count, max_types, heldout_fraction, workers)
    sources, heldout_files = _sources(texts, repeat or {}), find_texts(heldout)
    train_files = [file for source in sources for file in source.files]
    inputs = train_files + heldout_files
    check_texts(inputs)  # now, because it would otherwise stop the run after an hour
    settings: dict[str, Any] = {
        "tokenizer": tokenizer,
        "min_count": min_count,
        "vocabulary_size": vocabulary_size,
        "max_types": max_types,
        "heldout": list(map(recorded_name, heldout_files)) or heldout_fraction,
        "keep_duplicates": keep_duplicates,
        "seed": seed,
    }
    if repeat:
        settings["repeat"] = {recorded_name(Path(text)): times for text, times in repeat.items()}
    if resume and not overwrite and _is_prepared(output, settings, train_files, heldout_files):
        remove_parts(output)
        return read_metadata(output)
    check_output_folder(output, "a corpus", is_corpus, inputs, overwrite=overwrite)
    with contextlib.ExitStack() as stack:
        kept = stack.enter_context(kept_blocks(output, tokenizer, resume))
        index = TypeIndex(max_types, limits)
        train = _read(sources, SentenceStore(output, stack, limits), index, tokenizer, workers, kept)
        held_out = [_Source(heldout_files, 1)] if heldout_files else []
        separate = _read(held_out, SentenceStore(output, stack, limits), index, tokenizer, workers, kept)
        warn_of_invalid_lines(train.invalid_lines + separate.invalid_lines)
        types, type_of_id = index.close()  # now, because the next steps need its memory
        first = train.store.first_occurrences()
        if heldout_files:
            split = _split(train, separate.store, first, _copies_of(separate.store), keep_duplicates)
        else:
            chosen = _random_choice(train.store, first, heldout_fraction, max_heldout, seed)
            split = _split(train, None, first, chosen, keep_duplicates)
        for paths, purpose, chosen_sentences in (
            (texts, "train on", split.in_train[0]),
            (heldout, "hold out", split.in_heldout[0]),
        ):
            if paths and not chosen_sentences.any():
                remove_parts(output)  # this text cannot be prepared, so there is nothing to resume
                raise ValueError(f"{', '.join(map(str, paths))}: no sentences to {purpose}")
        ranking = _rank(split, type_of_id, len(types), vocabulary_size, min_count, max_types)
        counts = {
            "train_sentences": sum(int(part.sum()) for part in split.in_train),
            "train_tokens": ranking.train_tokens,
            "heldout_sentences": int(split.in_heldout[0].sum()),
            "heldout_tokens": ranking.heldout_tokens,
            "types": len(ranking.order),
            "vocabulary": ranking.vocabulary,
            "duplicates_removed": split.duplicates_removed,
            "overlap_removed": split.overlap_removed,
            "invalid_lines": train.invalid_lines + separate.invalid_lines,
            "forms_forgotten": index.n_dropped,
            "train_unknown_rate": ranking.train_unknown_rate,
            "heldout_unknown_rate": ranking.heldout_unknown_rate,
        }
        metadata = {
            "format_version": FORMAT_VERSION,
            "counts": counts,
            "settings": settings,
            "inputs": train.inputs,
            "heldout_inputs": separate.inputs,
        }
        if repeat:
            metadata["repeated"] = _ranges_of_repetitions(split.in_train)
        _write_corpus(output, types, split, ranking, metadata)
        remove_parts(output)
        if long := _count_long_words(types, ranking):
            warnings.warn(
                f"longer than {MAX_WORD_BYTES} bytes: {counted(long, 'word')}; a model reads only the beginning of "
                "such a word",
                stacklevel=2,
            )
    return metadata


def _check_settings(vocabulary_size: int, min_count: int, max_types: int, fraction: float, workers: int) -> None:
    for name, value, minimum in (
        ("vocabulary_size", vocabulary_size, len(MARKERS) + 1),
        ("max_types", max_types, len(MARKERS) + 1),
        ("min_count", min_count, 1),
        ("workers", workers, 1),
    ):
        if value < minimum:
            raise ValueError(f"{name} must be at least {minimum}, not {value}")
    if not 0 <= fraction < 1:
        raise ValueError(f"heldout_fraction must be at least 0 and less than 1, not {fraction}")


def _is_prepared(output: Path, settings: dict[str, Any], train: Sequence[Path], heldout: Sequence[Path]) -> bool:
    """Return whether a corpus is there that was prepared with the same settings, from files of the same sizes."""
    if not is_corpus(output) or Path(STDIN) in (*train, *heldout):
        return False
    recorded = read_metadata(output)
    inputs = (
        [{"name": recorded_name(path), "bytes": path.stat().st_size} for path in part] for part in (train, heldout)
    )
    return [recorded[name] for name in ("settings", "inputs", "heldout_inputs")] == [settings, *inputs]


# Read the text.


@dataclass(frozen=True)
class _Source:
    """Files that are read one after another, and how often an epoch sees their sentences."""

    files: list[Path]
    times: int


def _sources(texts: Sequence[str | Path], repeat: Mapping[str | Path, int]) -> list[_Source]:
    """Return the files of all texts in order. Neighbors with the same weight are one source."""
    times = {Path(text): count for text, count in repeat.items()}
    if unknown := times.keys() - set(map(Path, texts)):
        raise ValueError(f"repeat: {min(unknown)} is not among the texts")
    if any(count < 1 for count in times.values()):
        raise ValueError(f"repeat: a text is seen at least once, not {min(times.values())} times")
    weighted = itertools.groupby(texts, lambda text: times.get(Path(text), 1))
    return [_Source(find_texts(list(group)), count) for count, group in weighted]


@dataclass(frozen=True)
class _Text:
    """Text that has been read."""

    store: SentenceStore
    passes: list[np.ndarray]
    """The sentences that an epoch sees at least once, at least twice, ..., (sentences,) bool each."""
    invalid_lines: int
    sizes: dict[str, int]
    """The size of each file in bytes, by name."""

    @property
    def inputs(self) -> list[dict[str, Any]]:
        return [{"name": name, "bytes": size} for name, size in self.sizes.items()]


def _read(
    sources: Sequence[_Source],
    store: SentenceStore,
    index: TypeIndex,
    tokenizer: TokenizerName,
    workers: int,
    kept: KeptBlocks,
) -> _Text:
    """Tokenize text files into a store."""
    sizes: dict[str, int] = {}
    paths = [file for source in sources for file in source.files]
    total = None if Path(STDIN) in paths else sum(path.stat().st_size for path in paths)
    bar = _progress_bar("tokenize", total, "B")

    def report(path: Path, n_bytes: int) -> None:
        sizes[recorded_name(path)] = sizes.get(recorded_name(path), 0) + n_bytes
        bar.update(n_bytes)

    invalid_lines = 0
    ends = []
    with bar:
        for source in sources:
            text = blocks(source.files, report, store.limits.block_bytes, store.limits.max_line_bytes)
            with contextlib.closing(tokenize_all(text, tokenizer, workers, kept)) as tokenized:
                for block in tokenized:
                    store.append(block, index.add(block))
                    invalid_lines += block.invalid_lines
            ends.append(store.n_sentences)
    times = np.repeat(np.array([source.times for source in sources], np.uint32), np.diff([0, *ends]))
    passes = [times > number for number in range(max((source.times for source in sources), default=1))]
    return _Text(store, passes, invalid_lines, sizes)


def _progress_bar(stage: str, total: int | None, unit: str) -> Any:
    """Make a progress bar, which is drawn only on a terminal and disappears at the end."""
    from tqdm import tqdm

    return tqdm(total=total, unit=unit, unit_scale=True, desc=stage, disable=None, leave=False)


# Choose the sentences to train on and to hold out.


@dataclass(frozen=True)
class _Split:
    """Which sentences are trained on and which are held out. No held-out sentence, nor a copy of it, is trained on."""

    train: SentenceStore
    in_train: list[np.ndarray]
    """(sentences of ``train``,) bool, for each pass over the store that an epoch consists of."""
    heldout: SentenceStore
    in_heldout: list[np.ndarray]
    """(sentences of ``heldout``,) bool, for one pass."""
    duplicates_removed: int
    overlap_removed: int
    """Sentences not trained on because they are copies of held-out ones."""


_Choice = Callable[[np.ndarray], np.ndarray]
"""Tells from the hashes of sentences which of them are held out, as booleans."""


def _copies_of(heldout: SentenceStore) -> _Choice:
    """Choose the sentences that occur in a separate held-out text."""
    known = np.unique(np.concatenate([np.empty(0, np.uint64), *(hashes for _, hashes in heldout.hashes())]))
    return lambda hashes: np.isin(hashes, known)


def _random_choice(train: SentenceStore, first: np.ndarray, fraction: float, max_heldout: int, seed: int) -> _Choice:
    """Choose a fraction of the distinct sentences, which depends on their words and the seed but not on their order."""
    distinct = int(first.sum())
    count = min(math.ceil(fraction * distinct), max_heldout, distinct - 1)
    if count <= 0:
        return lambda hashes: np.zeros(len(hashes), bool)
    smallest = np.empty(0, np.uint64)
    for chunk, hashes in train.hashes():
        keys = np.concatenate([smallest, _keys(hashes[first[chunk]], seed)])
        smallest = np.sort(np.partition(keys, count - 1)[:count]) if len(keys) > count else np.sort(keys)
    return lambda hashes: _keys(hashes, seed) <= smallest[-1]


def _keys(hashes: np.ndarray, seed: int) -> np.ndarray:
    """Permute the hashes in a way that depends on the seed (one step of splitmix64)."""
    keys = hashes + np.uint64((seed + 1) * 0x9E3779B97F4A7C15 % (1 << 64))
    keys = (keys ^ (keys >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    keys = (keys ^ (keys >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return keys ^ (keys >> np.uint64(31))


def _split(
    text: _Text, heldout: SentenceStore | None, first: np.ndarray, chosen: _Choice, keep_duplicates: bool
) -> _Split:
    """Remove duplicates and the chosen sentences from the training text.

    All sentences of ``heldout`` are held out, or if it is None, one copy of each chosen sentence.
    """
    train = text.store
    in_train, in_heldout = np.empty(train.n_sentences, bool), np.empty(train.n_sentences, bool)
    for chunk, hashes in train.hashes():
        held_out = chosen(hashes)
        in_train[chunk] = (first[chunk] | keep_duplicates) & ~held_out
        in_heldout[chunk] = first[chunk] & held_out
    duplicates = 0 if keep_duplicates else int((~first).sum())
    overlap = train.n_sentences - int(in_train.sum()) - duplicates
    passes = [in_train & wanted for wanted in text.passes]
    if heldout is not None:
        return _Split(train, passes, heldout, [np.ones(heldout.n_sentences, bool)], duplicates, overlap)
    return _Split(train, passes, train, [in_heldout], duplicates, overlap - int(in_heldout.sum()))


def _ranges_of_repetitions(passes: list[np.ndarray]) -> list[list[int]]:
    """Return which sentences of the first pass follow it again, as ranges [first, end), in order."""
    number = np.cumsum(passes[0]) - 1
    ranges: list[list[int]] = []
    for wanted in passes[1:]:
        seen = number[wanted]
        breaks = np.flatnonzero(np.diff(seen) != 1) + 1
        ranges += [[int(part[0]), int(part[-1]) + 1] for part in np.split(seen, breaks) if len(part)]
    return ranges


# Count the types and order them by frequency.


@dataclass(frozen=True)
class _Ranking:
    """The types of the corpus in their final order."""

    order: np.ndarray
    """Where each type is in the list of all types: the markers, then by decreasing frequency."""
    counts: np.ndarray
    """The frequency of each type in the training text, in the same order, int64."""
    final_ids: np.ndarray
    """The final id for each provisional id, int32."""
    vocabulary: int
    """The size of the vocabulary, which is the beginning of ``order``."""
    train_tokens: int
    heldout_tokens: int
    train_unknown_rate: float
    heldout_unknown_rate: float


def _rank(
    split: _Split, type_of_id: np.ndarray, n_types: int, vocabulary_size: int, min_count: int, max_types: int
) -> _Ranking:
    """Order the types that occur in the chosen sentences by decreasing frequency, ties alphabetically."""
    n_markers = len(MARKERS)
    train_counts = _count(split.train, split.in_train, type_of_id, n_types)
    heldout_counts = _count(split.heldout, split.in_heldout, type_of_id, n_types)
    used = n_markers + np.flatnonzero(train_counts[n_markers:] + heldout_counts[n_markers:])
    by_frequency = used[np.argsort(-train_counts[used], kind="stable")]
    order = np.concatenate([np.arange(n_markers), by_frequency])[:max_types]
    counts = train_counts[order]
    counts[UNKNOWN_ID] += train_counts.sum() - counts.sum()  # occurrences of the types beyond max_types
    vocabulary = min(vocabulary_size, n_markers + int((counts[n_markers:] >= min_count).sum()))
    known = order[n_markers:vocabulary]
    ranks = np.full(n_types, UNKNOWN_ID, np.int32)
    ranks[order] = np.arange(len(order), dtype=np.int32)
    return _Ranking(
        order,
        counts,
        ranks[type_of_id],
        vocabulary,
        int(train_counts.sum()),
        int(heldout_counts.sum()),
        _unknown_rate(train_counts, known),
        _unknown_rate(heldout_counts, known),
    )


def _count_long_words(types: Sequence[bytes], ranking: _Ranking) -> int:
    """Return how many words of the training text are longer than what a model reads of a word."""
    lengths = np.fromiter((len(types[index]) for index in ranking.order), np.int64, len(ranking.order))
    return int(ranking.counts[lengths > MAX_WORD_BYTES].sum())


def _count(store: SentenceStore, passes: list[np.ndarray], type_of_id: np.ndarray, n_types: int) -> np.ndarray:
    """Return the frequency of each type in the sentences of all passes, (types,) int64."""
    counts = np.zeros(n_types, np.int64)
    for _, ids in _select(store, passes, "count"):
        counts += np.bincount(type_of_id[ids], minlength=n_types)
    return counts


def _select(store: SentenceStore, passes: list[np.ndarray], stage: str) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """Yield the lengths and the word ids of the sentences of all passes, in chunks, and show the progress."""
    with _progress_bar(stage, sum(int(wanted.sum()) for wanted in passes), " sentences") as bar:
        for lengths, ids in itertools.chain.from_iterable(map(store.select, passes)):
            yield lengths, ids
            bar.update(len(lengths))


def _unknown_rate(counts: np.ndarray, known: np.ndarray) -> float:
    total = int(counts.sum())
    return round(1 - int(counts[known].sum()) / total, 6) if total else 0.0


# Write the corpus.


def _write_corpus(
    output: Path, types: Sequence[bytes], split: _Split, ranking: _Ranking, metadata: dict[str, Any]
) -> None:
    """Write all files of the corpus, and add the hash of the data to the metadata."""
    final_ids = ranking.final_ids
    with replacing_folder(output) as folder, writing(output):
        with (folder / TYPES_FILE).open("wb") as file:
            file.writelines(types[index] + b"\n" for index in ranking.order)
        np.save(folder / COUNTS_FILE, ranking.counts)
        _write_sentences(folder, "train", split.train, split.in_train, final_ids, ranking.train_tokens)
        _write_sentences(folder, "heldout", split.heldout, split.in_heldout, final_ids, ranking.heldout_tokens)
        metadata["data_hash"] = hash_of_data(folder)
        (folder / CORPUS_FILE).write_text(json.dumps(metadata, indent=2, ensure_ascii=False) + "\n", "utf-8")
        write_checksums(folder, [file.name for file in folder.iterdir()])


def _write_sentences(
    folder: Path, part: str, store: SentenceStore, passes: list[np.ndarray], final_ids: np.ndarray, n_words: int
) -> None:
    """Write the two arrays of a part in chunks. Memory-mapped files would kill the process when the disk is full."""
    end = 0
    with (
        (folder / IDS_FILE.format(part=part)).open("wb") as ids_file,
        (folder / OFFSETS_FILE.format(part=part)).open("wb") as offsets_file,
    ):
        write_array_header(ids_file, np.int32, n_words)
        write_array_header(offsets_file, np.int64, sum(int(wanted.sum()) for wanted in passes) + 1)
        offsets_file.write(np.int64(0).tobytes())
        for lengths, ids in _select(store, passes, "write"):
            ids_file.write(final_ids[ids].tobytes())
            offsets_file.write((end + np.cumsum(lengths, dtype=np.int64)).tobytes())
            end += len(ids)
