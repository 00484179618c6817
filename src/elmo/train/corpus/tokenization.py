"""Blocks of text to blocks of words that are numbered within the block, in several processes."""

import hashlib
import itertools
import multiprocessing
import os
import signal
import threading
from array import array
from collections import defaultdict, deque
from collections.abc import Generator, Iterable
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from typing import Literal, NamedTuple

import numpy as np

from elmo.text.reading import decode
from elmo.text.tokens import sentences, words
from elmo.train.corpus.corpus import MARKERS, UNKNOWN_ID

Tokenizer = Literal["words", "whitespace"]


class Block(NamedTuple):
    """What a worker makes of a block of text; few and flat objects, since it travels between processes."""

    forms: bytes
    """The distinct words, one a line."""
    ids: np.ndarray
    """(words,) int32, lines of ``forms``"""
    lengths: np.ndarray
    """(sentences,) int32"""
    hashes: np.ndarray
    """(sentences,) uint64"""
    invalid: int
    """Lines that were not UTF-8."""


def tokenise(block: bytes, tokenizer: Tokenizer) -> Block:
    """Split lines of text in sentences and words."""
    text, invalid = decode(block)
    places: defaultdict[str, int] = defaultdict(itertools.count().__next__)  # a new word gets the next number
    ids, lengths, hashes = array("i"), array("i"), []
    markers = frozenset(MARKERS)
    raw = tokenizer == "words"
    for sentence in sentences(text) if raw else text.split("\n"):
        tokens = words(sentence) if raw else sentence.split()
        if not tokens:
            continue
        if "<" in sentence and not markers.isdisjoint(tokens):
            tokens = [MARKERS[UNKNOWN_ID] if token in markers else token for token in tokens]
        ids.extend(map(places.__getitem__, tokens))
        lengths.append(len(tokens))
        hashes.append(hashlib.blake2b(" ".join(tokens).encode(), digest_size=8).digest())
    return Block(
        "\n".join(places).encode(),
        np.array(ids, np.int32),
        np.array(lengths, np.int32),
        np.frombuffer(b"".join(hashes), "<u8").astype(np.uint64),
        invalid,
    )


def tokenised(blocks: Iterable[bytes], tokenizer: Tokenizer, workers: int) -> Generator[Block]:
    """Tokenise blocks in other processes; they come back in the order they were given."""
    if workers == 1:
        yield from (tokenise(block, tokenizer) for block in blocks)
        return
    context = multiprocessing.get_context("spawn")  # a fork would copy the memory of threads and libraries
    waiting: deque[Future[Block]] = deque()
    try:
        with ProcessPoolExecutor(workers, context, _start_worker) as pool:
            try:
                for block in blocks:
                    waiting.append(pool.submit(tokenise, block, tokenizer))
                    if len(waiting) > 2 * workers:
                        yield waiting.popleft().result()
                while waiting:
                    yield waiting.popleft().result()
            finally:
                for future in waiting:
                    future.cancel()
    except BrokenProcessPool:
        raise ValueError("a worker process died, perhaps for want of memory; try fewer workers") from None


def _start_worker() -> None:
    """The parent decides what an interrupt means; and a worker does not outlive a parent that was killed."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)
