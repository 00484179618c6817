#!/usr/bin/env python3
r"""Build a clean English training corpus from several public sources.

The sources are the corpus that is already there (en-0 ... en-3) and four that the readers of get.py take out of
copies of public repositories: research articles (elife), books (gutenberg), speeches and interviews of Australian
prime ministers (pm), and speeches in the general debate of the United Nations (un).

The work is done in three stages. Each leaves its result in the folder --work, and --stage repeats a single one:

  lexicon   unpack the present corpus, count its words, and hash its paragraphs. The lexicon of frequent words is
            how the next stage tells English from scanning errors and from other languages.
  clean     read every new source document by document, and keep the paragraphs that are prose.
  select    set documents of each new source aside as held-out text, leave out everything that is in held-out
            text (old and new), drop repeated paragraphs, sample the books, and write the result.

The output is CLEAN/{present,elife,gutenberg,pm,un}.txt with one paragraph per line, HELDOUT/{source}-{dev,test}.txt,
and CLEAN/summary.json, which tells what was kept, what was dropped, and why. The result depends on the input and
the seed only. Each stage shares its work among --processes processes, and puts the parts together in order.

For example:

  build_corpus.py --data DATA --output BUILD \
      --repository elife=elife-article-xml/.git \
      --repository gutenberg=copyshield-llm/.git \
      --repository pm=pm-transcripts/.git \
      --repository un=Emotions_in_the_United_Nations_General_Debates/.git

What is prose is decided in corpus_prose.py, and corpus_readers.py has a reader for every source. The script needs 7z
(Debian package p7zip-full), git, and NumPy.
"""

import argparse
import dataclasses
import hashlib
import importlib.util
import itertools
import json
import lzma
import multiprocessing
import random
import re
import shutil
import subprocess
import sys
import time
from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
from corpus_prose import Document, Drops, Judge, letter_words, plain_words, sentences
from corpus_readers import READERS, light_problem, pm_documents

FOLDERS = {"elife": "articles", "gutenberg": "data/text", "pm": "transcripts", "un": "data/data_original/TXT"}
"""The new sources, and where their repositories have the documents."""
SOURCES = tuple(FOLDERS)
PART_FILES = {"elife": 50, "gutenberg": 24, "pm": 300, "un": 200}
"""How many files a process cleans before it takes others: a few seconds of work."""
PART_BYTES = 4 << 20
"""How much text a process examines before it takes more."""
TASKS_AHEAD = 3
"""How many parts are given to each process before the first of them is asked for."""
PRESENT_FILES = tuple(f"corpus/en-{number}.txt.7z" for number in range(4))
HELDOUT_FILES = ("corpus/en-heldout-dev.txt.xz", "corpus/en-heldout-test.txt.xz")

LEXICON_COUNT = 5
"""How often a word must occur in the present corpus to count as known."""
BOOK_OVERLAP_LIMIT = 0.2
"""A book with a larger share of paragraphs that are in the corpus already is dropped whole."""
BOOK_RESERVE = 1.6
"""How many times the words wanted are cleaned; books that overlap with other text are dropped later."""
SENTENCE_WORDS = 8
"""A paragraph is dropped if it contains a held-out sentence of at least this many words,"""
BOOK_SENTENCE_WORDS = 12
"""and the whole book if the sentence has this many."""
HELDOUT_EXCERPT = 5000
"""Words taken from one document that is set aside; the rest of the document is not used at all."""


def by_reason(drops: Drops) -> dict[str, dict[str, int]]:
    """What was dropped, as it is written into files."""
    numbers: dict[str, dict[str, int]] = {}
    for (reason, unit), number in sorted(drops.items()):
        numbers.setdefault(reason, {})[unit] = number
    return numbers


def log(message: str) -> None:
    """Report progress."""
    print(time.strftime("%H:%M:%S"), message, file=sys.stderr, flush=True)


# Work in several processes


def in_order(pool: Any, function: Callable[[Any], Any], tasks: Iterable[Any], ahead: int) -> Iterator[Any]:
    """Like pool.imap, but only a few tasks ahead of what is asked for, so that the caller may stop early."""
    waiting: deque[Any] = deque()
    for task in tasks:
        waiting.append(pool.apply_async(function, (task,)))
        if len(waiting) > ahead:
            yield waiting.popleft().get()
    while waiting:
        yield waiting.popleft().get()


# Stage 1: lexicon


def count_words(archive: Path, unpacked: Path) -> tuple[Counter[str], np.ndarray]:
    """Unpack a file; give how often each word occurs, and the fingerprints of the paragraphs, (paragraphs,) uint64."""
    counts: Counter[str] = Counter()
    prints: list[int] = []
    reader = subprocess.Popen(["7z", "x", "-so", archive], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    with unpacked.open("wb") as out:
        for raw in reader.stdout:
            out.write(raw)
            text = raw.decode("utf-8", "replace")
            counts.update(letter_words(text))
            prints.append(fingerprint(plain_words(text)))
    if reader.wait():
        raise OSError(f"7z could not read {archive}")
    return counts, np.array(prints, np.uint64)


def make_lexicon(args: argparse.Namespace) -> None:
    """Unpack the present corpus; write its frequent words, and the fingerprints of its paragraphs."""
    counts: Counter[str] = Counter()
    prints = []
    files = [(args.data / name, args.work / f"present-{number}.txt") for number, name in enumerate(PRESENT_FILES)]
    log(f"lexicon: {len(files)} files")
    with multiprocessing.Pool(args.processes) as pool, (args.work / "present.txt").open("wb") as present:
        try:
            results = pool.starmap(count_words, files, chunksize=1)
        except OSError as error:
            sys.exit(str(error))
        for (_, unpacked), (part_counts, part_prints) in zip(files, results, strict=True):
            counts.update(part_counts)
            prints.append(part_prints)
            with unpacked.open("rb") as part:
                shutil.copyfileobj(part, present, 1 << 20)
            unpacked.unlink()
    known = sorted(word for word, count in counts.items() if count >= LEXICON_COUNT)
    (args.work / "lexicon.txt").write_text("\n".join(known) + "\n", "utf-8")
    everything = np.concatenate(prints)
    np.save(args.work / "present.npy", np.unique(everything))
    log(f"lexicon: {len(known):,} words, {len(everything):,} paragraphs")


# Stage 2: clean


def shuffled(items: Sequence[Any], seed: str) -> list[Any]:
    """The items in an order that depends on the seed only."""
    return random.Random(seed).sample(items, len(items))


def load_module(path: Path) -> ModuleType:
    """Import get.py, wherever it is."""
    spec = importlib.util.spec_from_file_location("get", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


class Cleaner:
    """Cleans parts of the files of one source in a process of its own."""

    def __init__(self, source: str, args: argparse.Namespace) -> None:
        self.source = source
        self._module = load_module(args.data / "get.py")
        self._repository = self._module.Repository(str(args.repository[source]))
        self._all_files = self._repository.files
        self._judge = Judge(source, frozenset((args.work / "lexicon.txt").read_text("utf-8").split()))

    def files(self) -> list[tuple[bytes, str]]:
        """The files with the documents of the source, in the order of the documents."""
        return self._all_files(FOLDERS[self.source])

    def clean(self, part: list[tuple[bytes, str]]) -> list[tuple[Document, Drops]]:
        """The documents in some of the files, with what was dropped of each."""
        self._repository.files = lambda folder: part if folder == FOLDERS[self.source] else self._all_files(folder)
        reader = pm_documents if self.source == "pm" else getattr(self._module, self.source)
        documents = []
        for raw in reader(self._repository):
            self._judge.drops = Counter()
            document = READERS[self.source](raw, self._judge)
            documents.append((document, self._judge.drops))
        return documents


def in_parts(files: list[tuple[bytes, str]], size: int) -> Iterator[list[tuple[bytes, str]]]:
    """Cut a list of files into parts of about this size; the versions of an article (elife-00001-v2) stay together."""
    part: list[tuple[bytes, str]] = []
    for _, versions in itertools.groupby(files, key=lambda file: file[1].split("-v")[0]):
        part.extend(versions)
        if len(part) >= size:
            yield part
            part = []
    if part:
        yield part


_worker: Any = None
"""What the processes of a pool work with."""


def start_cleaner(source: str, args: argparse.Namespace) -> None:
    """Begin a process that cleans."""
    global _worker
    _worker = Cleaner(source, args)


def clean_part(part: list[tuple[bytes, str]]) -> list[tuple[Document, Drops]]:
    """Clean a part of the files, in a process of a pool."""
    return _worker.clean(part)


def clean_source(source: str, args: argparse.Namespace) -> None:
    """Write the documents of a source, one paragraph per line and an empty line behind each document."""
    files = Cleaner(source, args).files()
    if source == "gutenberg":  # in random order, so that cleaning can stop when there is enough
        files = shuffled(files, f"{args.seed}-{source}")
    counts: Counter[str] = Counter()
    drops: Drops = Counter()
    with (
        multiprocessing.Pool(args.processes, start_cleaner, (source, args)) as pool,
        (args.work / f"{source}.docs").open("w", encoding="utf-8") as out,
    ):
        documents = itertools.chain.from_iterable(
            in_order(pool, clean_part, in_parts(files, PART_FILES[source]), TASKS_AHEAD * args.processes)
        )
        for number, (document, dropped) in enumerate(itertools.islice(documents, args.limit), 1):
            drops.update(dropped)
            if document:
                out.write("\n".join(document) + "\n\n")
                counts["documents"] += 1
                counts["paragraphs"] += len(document)
                counts["words"] += sum(text.count(" ") + 1 for text in document)
            if source == "gutenberg" and counts["words"] > BOOK_RESERVE * args.book_words:
                break
            if number % 1000 == 0:
                log(f"{source}: {number:,} documents, {counts['words']:,} words")
    facts = {**counts, "dropped": by_reason(drops)}
    (args.work / f"{source}.json").write_text(json.dumps(facts, indent=1) + "\n", "utf-8")
    log(f"{source}: {counts['documents']:,} documents, {counts['words']:,} words")


# Stage 3: select


def fingerprint(words: Sequence[str]) -> int:
    """A hash of the words of a paragraph; 64 bits, so that chance matches are not to be expected."""
    return int.from_bytes(hashlib.blake2b(" ".join(words).encode(), digest_size=8).digest(), "little")


class HeldOut:
    """Finds sentences of held-out text inside other text.

    The first words of every sentence are hashed; where the hash of as many words of a text is the same, the whole
    sentence is compared.
    """

    _BITS = 22

    def __init__(self) -> None:
        self._ids: dict[str, int] = {}
        self._sentences: dict[int, list[list[str]]] = {}
        self._filter = np.zeros(1 << self._BITS, bool)
        odd = np.random.default_rng(0).integers(1 << 62, size=SENTENCE_WORDS, dtype=np.uint64) * 2 + 1
        self._factors = odd.astype(np.uint64)

    def __len__(self) -> int:
        return sum(map(len, self._sentences.values()))

    def add(self, paragraph: str) -> None:
        """Hold out the sentences of a paragraph."""
        for sentence in sentences(paragraph):
            words = plain_words(sentence)
            if len(words) >= SENTENCE_WORDS:
                first = [self._ids.setdefault(word, len(self._ids) + 1) for word in words[:SENTENCE_WORDS]]
                key = int(self._hashes(np.array(first, np.uint64))[0])
                known = self._sentences.setdefault(key, [])
                if words not in known:
                    known.append(words)
                self._filter[key >> (64 - self._BITS)] = True

    def _hashes(self, ids: np.ndarray) -> np.ndarray:
        """Of every SENTENCE_WORDS ids that follow each other, (ids - SENTENCE_WORDS + 1,) uint64."""
        count = len(ids) - SENTENCE_WORDS + 1
        hashes = np.zeros(count, np.uint64)
        for place, factor in enumerate(self._factors):
            hashes += ids[place : place + count] * factor
        hashes ^= hashes >> np.uint64(29)
        return hashes * np.uint64(0xBF58476D1CE4E5B9)

    def find(self, paragraphs: Sequence[list[str]]) -> list[int]:
        """For each paragraph, in plain words, the words of the longest held-out sentence in it, or 0."""
        found = [0] * len(paragraphs)
        words = list(itertools.chain.from_iterable(paragraphs))
        if len(words) < SENTENCE_WORDS:
            return found
        ids = np.fromiter(map(self._ids.get, words, itertools.repeat(0)), np.uint64, len(words))
        hashes = self._hashes(ids)
        ends = np.cumsum([len(paragraph) for paragraph in paragraphs])
        for start in np.flatnonzero(self._filter[hashes >> np.uint64(64 - self._BITS)]).tolist():
            for sentence in self._sentences.get(int(hashes[start]), ()):
                stop = start + len(sentence)
                if words[start:stop] == sentence:
                    place = int(np.searchsorted(ends, start, side="right"))
                    if stop <= ends[place]:
                        found[place] = max(found[place], len(sentence))
        return found


Part = tuple[Path, int, int, bool]
"""A piece of a file, from one byte to another; and whether it is text of the present corpus."""


def text_parts(path: Path, present: bool = False) -> Iterator[Part]:
    """Cut a file between documents, or, since the present corpus has no boundaries between them, between lines."""
    end = b"\n" if present else b"\n\n"
    start = 0
    with path.open("rb") as file:
        while content := file.read(PART_BYTES):
            while end not in content and (more := file.read(PART_BYTES)):
                content += more
            stop = start + (content.rfind(end) + len(end) if end in content else len(content))
            yield path, start, stop, present
            start = file.seek(stop)


def read_part(part: Part) -> list[Document]:
    """Read a piece of what clean_source wrote, or of the present corpus, which becomes one document."""
    path, start, stop, present = part
    with path.open("rb") as file:
        file.seek(start)
        text = file.read(stop - start).decode("utf-8")
    if present:
        return [[line for line in map(str.strip, text.split("\n")) if line]]
    return [document.split("\n") for document in text.removesuffix("\n\n").split("\n\n")]


@dataclasses.dataclass(frozen=True)
class Findings:
    """What is to be known of the paragraphs of a document, in lists of the same length."""

    prints: list[int]
    lengths: list[int]
    """How many plain words a paragraph has."""
    held_out: list[int]
    """How many words the longest held-out sentence in it has, or 0."""
    problems: list[str | None]


def examine(document: Document, held_out: HeldOut, present: bool = False) -> Findings:
    """Do what does not depend on other documents. Stage 2 does not clean the present corpus; it is checked here."""
    plain = [plain_words(text) for text in document]
    problems = [light_problem(text) if present else None for text in document]
    return Findings([fingerprint(words) for words in plain], list(map(len, plain)), held_out.find(plain), problems)


def start_examiner(held_out: HeldOut) -> None:
    """Begin a process that examines."""
    global _worker
    _worker = held_out


def examine_part(part: Part) -> list[Findings]:
    """Examine the documents of a part, in a process of a pool."""
    return [examine(document, _worker, present=part[3]) for document in read_part(part)]


def in_random_order(path: Path, seed: str) -> Iterator[tuple[int, Document]]:
    """Read documents in an order that depends on the seed only, with their numbers."""
    content = path.read_bytes()
    starts = [0, *(found.end() for found in re.finditer(b"\n\n", content))]
    for number in shuffled(range(len(starts) - 1), seed):
        yield number, content[starts[number] : starts[number + 1] - 2].decode("utf-8").split("\n")


class Writer:
    """Writes the paragraphs of one source, without repetitions and held-out sentences."""

    def __init__(self, path: Path, seen: set[int]) -> None:
        self.path = path
        self.counts: Counter[str] = Counter()
        self.drops: Drops = Counter()
        self._seen = seen
        self._digest = hashlib.sha256()
        self._file = path.open("wb")

    def drop(self, reason: str, paragraphs: Sequence[str], documents: int = 0) -> None:
        """Count what is dropped."""
        self.drops[reason, "paragraphs"] += len(paragraphs)
        self.drops[reason, "words"] += sum(len(text.split()) for text in paragraphs)
        if documents:
            self.drops[reason, "documents"] += documents

    def write(self, document: Document, findings: Findings, book: bool = False) -> None:
        """Write what remains of a document. A book is checked as a whole, too."""
        if book:
            if max(findings.held_out) >= BOOK_SENTENCE_WORDS:
                self.drop("whole book: contains held-out text", document, 1)
                return
            lengths = zip(findings.prints, findings.lengths, strict=True)
            long = [known for known, length in lengths if length >= 12]
            if sum(known in self._seen for known in long) > BOOK_OVERLAP_LIMIT * max(1, len(long)):
                self.drop("whole book: in the corpus already", document, 1)
                return
        kept = []
        paragraphs = zip(document, findings.prints, findings.held_out, findings.problems, strict=True)
        for text, known, held_out, problem in paragraphs:
            if held_out:
                self.drop("contains a held-out sentence", [text])
            elif known in self._seen:
                self.drop("repeated paragraph", [text])
            elif problem:
                self.drop(problem, [text])
            else:
                self._seen.add(known)
                kept.append(text)
        if not kept:
            return
        content = ("\n".join(kept) + "\n").encode()
        self._file.write(content)
        self._digest.update(content)
        words = sum(len(text.split()) for text in kept)
        self.counts.update(documents=1, paragraphs=len(kept), words=words)

    def close(self) -> dict:
        """Finish the file, and tell about it."""
        self._file.close()
        size, digest = self.path.stat().st_size, self._digest.hexdigest()
        return {**self.counts, "bytes": size, "sha256": digest, "dropped": by_reason(self.drops)}


def set_aside(source: str, args: argparse.Namespace, held_out: HeldOut, present: np.ndarray) -> tuple[set[int], dict]:
    """Choose documents for the held-out text of a new source, and write it; gives the numbers of the documents."""
    chosen: set[int] = set()
    facts = {}
    parts = iter(("dev", "test"))
    part, texts, words, documents = next(parts), [], 0, 0
    for number, document in in_random_order(args.work / f"{source}.docs", f"{args.seed}-heldout-{source}"):
        plain = [plain_words(text) for text in document]
        length = sum(map(len, plain))
        if length < 300 or any(held_out.find(plain)):
            continue
        prints = np.array([fingerprint(words) for words in plain], np.uint64)
        if (present[np.searchsorted(present, prints) % len(present)] == prints).mean() > 0.05:
            continue
        chosen.add(number)
        start = 0  # an excerpt from the middle of a long document
        if length > 2 * HELDOUT_EXCERPT:
            start = len(document) // 3
        taken = 0
        for text in document[start:]:
            if taken >= HELDOUT_EXCERPT:
                break
            texts.append(text)
            taken += len(text.split())
        words += taken
        documents += 1
        if words >= args.heldout_words:
            content = ("\n".join(texts) + "\n").encode()
            path = args.output / "heldout" / f"{source}-{part}.txt"
            path.write_bytes(content)
            facts[part] = {
                "documents": documents,
                "paragraphs": len(texts),
                "words": words,
                "sha256": hashlib.sha256(content).hexdigest(),
            }
            part, texts, words, documents = next(parts, None), [], 0, 0
            if part is None:
                break
    return chosen, facts


def select(args: argparse.Namespace) -> None:
    """Write the corpus."""
    for name in ("clean", "heldout"):
        (args.output / name).mkdir(parents=True, exist_ok=True)
    held_out = HeldOut()
    for name in HELDOUT_FILES:
        with lzma.open(args.data / name, "rt", encoding="utf-8") as lines:
            for line in lines:
                held_out.add(line)
    log(f"select: {len(held_out):,} held-out sentences")
    present = np.load(args.work / "present.npy")
    summary: dict = {"seed": args.seed, "sources": {}, "heldout": {}}
    aside = {}
    for source in args.sources:
        aside[source], summary["heldout"][source] = set_aside(source, args, held_out, present)
        log(f"select: {source}: {len(aside[source])} documents set aside")
    for source in args.sources:
        for part in ("dev", "test"):
            path = args.output / "heldout" / f"{source}-{part}.txt"
            for line in path.read_text("utf-8").splitlines() if path.exists() else ():
                held_out.add(line)
    log(f"select: {len(held_out):,} held-out sentences with the new ones")
    seen: set[int] = set()
    pool = multiprocessing.Pool(args.processes, start_examiner, (held_out,))
    for source in ("present", *sorted(args.sources, key=lambda name: name == "gutenberg")):
        writer = Writer(args.output / "clean" / f"{source}.txt", seen)
        present, book = source == "present", source == "gutenberg"
        parts = list(text_parts(args.work / f"{source}.{'txt' if present else 'docs'}", present))
        documents = itertools.chain.from_iterable(map(read_part, parts))
        findings = itertools.chain.from_iterable(in_order(pool, examine_part, parts, TASKS_AHEAD * args.processes))
        for number, document in enumerate(documents):
            enough = book and writer.counts["words"] >= args.book_words
            found = None if enough else next(findings)
            if number in aside.get(source, ()):
                writer.drop("set aside as held-out text, or its rest", document, 1)
            elif found is None:
                writer.drop("book not in the sample", document, 1)
            else:
                writer.write(document, found, book)
        facts = writer.close()
        if present:
            facts.pop("documents", None)  # it has no boundaries between documents
        else:
            cleaned = json.loads((args.work / f"{source}.json").read_text("utf-8"))
            facts["dropped"] = {"while cleaning": cleaned["dropped"], "while selecting": facts["dropped"]}
        summary["sources"][source] = facts
        log(f"select: {source}: {writer.counts['words']:,} words")
    pool.terminate()
    everything = summary["sources"].values()
    summary["total"] = {unit: sum(facts[unit] for facts in everything) for unit in ("words", "paragraphs", "bytes")}
    (args.output / "clean" / "summary.json").write_text(
        json.dumps(summary, indent=1, ensure_ascii=False) + "\n", "utf-8"
    )
    log(f"select: {summary['total']['words']:,} words in all")


def main() -> None:
    """Run all stages, or one."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True, help="the folder with get.py and corpus/")
    parser.add_argument("--output", type=Path, required=True, help="the folder to write clean/ and heldout/ into")
    parser.add_argument("--work", type=Path, help="the folder for intermediate files (OUTPUT/work)")
    parser.add_argument(
        "--repository",
        action="append",
        default=[],
        metavar="SOURCE=GIT_DIR",
        help="where the copy of a source's repository is; give one for each",
    )
    parser.add_argument(
        "--sources", nargs="+", choices=SOURCES, default=list(SOURCES), help="the new sources to use (all)"
    )
    parser.add_argument(
        "--stage", choices=("lexicon", "clean", "select", "all"), default="all", help="the stage to run (all)"
    )
    parser.add_argument(
        "--book-words", type=int, default=150_000_000, help="words to sample from the books (150,000,000)"
    )
    parser.add_argument(
        "--heldout-words",
        type=int,
        default=60_000,
        help="words to set aside of each new source, for dev and for test (60,000)",
    )
    parser.add_argument("--processes", type=int, default=2, help="processes that share the work (2)")
    parser.add_argument("--limit", type=int, help="read only so many documents of each source, for a trial")
    parser.add_argument(
        "--seed", type=int, default=0, help="another one samples other books and sets aside other documents (0)"
    )
    args = parser.parse_args()
    try:
        args.repository = {source: Path(path) for source, path in (item.split("=", 1) for item in args.repository)}
    except ValueError:
        parser.error("--repository takes SOURCE=GIT_DIR")
    args.work = args.work or args.output / "work"
    if args.stage in ("clean", "all") and (missing := set(args.sources) - args.repository.keys()):
        parser.error(f"--repository is missing for {', '.join(sorted(missing))}")
    args.work.mkdir(parents=True, exist_ok=True)
    if args.stage in ("lexicon", "all"):
        make_lexicon(args)
    if args.stage in ("clean", "all"):
        for source in args.sources:
            clean_source(source, args)
    if args.stage in ("select", "all"):
        select(args)


if __name__ == "__main__":
    main()
