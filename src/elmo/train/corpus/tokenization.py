"""Tokenize blocks of text, in several processes."""

import hashlib
import itertools
import multiprocessing
import os
import signal
import threading
from array import array
from collections import defaultdict, deque
from collections.abc import Callable, Generator, Iterable
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool

import numpy as np

from elmo.config import TokenizerName
from elmo.text.markers import UNKNOWN
from elmo.text.reading import decode
from elmo.text.tokens import tokenizer as tokenizer_named
from elmo.text.vocabulary import NOT_A_WORD
from elmo.train.corpus.corpus import MARKERS
from elmo.train.corpus.kept_blocks import KeptBlocks, TokenizedBlock


def tokenize(block: bytes, tokenizer: TokenizerName) -> TokenizedBlock:
    """Split a block of lines into sentences and words.

    A word that looks like a marker becomes ``<UNK>``, and so does one that a vocabulary file cannot hold.
    """
    text, invalid_lines = decode(block)
    type_ids: defaultdict[str, int] = defaultdict(itertools.count().__next__)  # a new word gets the next id
    ids, lengths, hashes = array("i"), array("i"), []
    reserved = frozenset((*MARKERS, NOT_A_WORD))
    split = tokenizer_named(tokenizer)
    for sentence in split.sentences(text):
        tokens = split.words(sentence)
        if not tokens:
            continue
        if ("<" in sentence or NOT_A_WORD in sentence) and not reserved.isdisjoint(tokens):
            tokens = [UNKNOWN if token in reserved else token for token in tokens]
        ids.extend(map(type_ids.__getitem__, tokens))
        lengths.append(len(tokens))
        hashes.append(hashlib.blake2b(" ".join(tokens).encode(), digest_size=8).digest())
    return TokenizedBlock(
        "\n".join(type_ids).encode(),
        np.array(ids, np.int32),
        np.array(lengths, np.int32),
        np.frombuffer(b"".join(hashes), "<u8").astype(np.uint64),
        invalid_lines,
    )


def tokenize_all(
    blocks: Iterable[bytes], tokenizer: TokenizerName, workers: int, kept: KeptBlocks
) -> Generator[TokenizedBlock]:
    """Tokenize the blocks that are not kept, in worker processes, and yield all results in the order of the blocks.

    A new result is kept when its turn comes.
    """
    if workers == 1:
        yield from (kept.get(block) or kept.add(block, tokenize(block, tokenizer)) for block in blocks)
        return
    context = multiprocessing.get_context("spawn")  # forking would copy the state of threads and libraries
    pending: deque[Callable[[], TokenizedBlock]] = deque()

    def start(block: bytes) -> Callable[[], TokenizedBlock]:
        if (found := kept.get(block)) is not None:
            return lambda: found
        future = pool.submit(tokenize, block, tokenizer)
        return lambda: kept.add(block, future.result())

    try:
        with ProcessPoolExecutor(workers, context, _start_worker) as pool:
            try:
                for block in blocks:
                    pending.append(start(block))
                    if len(pending) > 2 * workers:
                        yield pending.popleft()()
                while pending:
                    yield pending.popleft()()
            finally:
                pool.shutdown(wait=False, cancel_futures=True)
    except BrokenProcessPool:
        raise ValueError(
            "a worker process died, perhaps because memory ran out; use fewer --workers and --resume"
        ) from None


def _start_worker() -> None:
    """Leave Ctrl-C to the main process, and exit if the main process is killed."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_exit_with_parent, daemon=True).start()


def _exit_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)
