"""Micro-batching: sentences of many requests go through the model together.

A model computes thirty sentences in little more time than one. So each model has one thread that takes what is waiting,
from whatever requests, and hands it to ``Embedder.embed``, which sorts by length. While it computes, the next batch
gathers; an idle server lets a request wait a few milliseconds for company.

Large requests are cut: whoever has more sentences than fit in a batch goes to the end of the line with the rest. The
line is bounded, so that a server under too much load says so at once instead of answering too late.
"""

import contextlib
import itertools
import threading
import time
from collections import defaultdict, deque
from collections.abc import Callable, Sequence
from concurrent.futures import Future, InvalidStateError
from dataclasses import dataclass, field
from typing import Any, TypeVar

from elmo.config import Layers, Pool
from elmo.embed.embedder import Embedder
from elmo.embed.memory import give_back_memory
from elmo.embed.select import EmbeddedSentence
from elmo.serve.errors import Refusal
from elmo.serve.metrics import Metrics
from elmo.serve.settings import ServeSettings

T = TypeVar("T")

BATCHES_BETWEEN = 20
"""After so many batches, free memory goes back to the system."""


@dataclass(eq=False)
class _Job:
    """What one request wants of the model: sentences to embed, or a call with the model to itself."""

    future: "Future[Any]"
    tokens: int
    """What is left of it takes so much of the line."""
    sentences: Sequence[Sequence[str]] = ()
    """Those that were not in a batch yet."""
    layers: Layers = "all"
    pool: Pool | None = None
    call: Callable[[], Any] | None = None
    results: list[EmbeddedSentence] = field(default_factory=list)

    def first_sentences(self, room: int, at_least: int) -> Sequence[Sequence[str]]:
        """Take off the first sentences, as many as there is room for."""
        count = 0
        for sentence in self.sentences:
            room -= len(sentence) + 2
            if room < 0 and count >= at_least:
                break
            count += 1
        part, self.sentences = self.sentences[:count], self.sentences[count:]
        self.tokens -= _tokens(part)
        return part

    def succeed(self, result: object) -> None:
        """Hand over the result, if anybody still waits."""
        with contextlib.suppress(InvalidStateError):
            self.future.set_result(result)

    def fail(self, error: Exception) -> None:
        """Hand over an error, likewise."""
        with contextlib.suppress(InvalidStateError):
            self.future.set_exception(error)


_Piece = tuple[_Job, Sequence[Sequence[str]]]
"""A job, and those of its sentences that are in a batch."""


def _tokens(sentences: Sequence[Sequence[str]]) -> int:
    return sum(len(sentence) + 2 for sentence in sentences)


class Batcher:
    """A model's line of requests, and the one thread that works on it. ``start`` begins, ``close`` ends it."""

    def __init__(self, name: str, embedder: Embedder, settings: ServeSettings, metrics: Metrics) -> None:
        self.name = name
        self.embedder = embedder
        self._settings = settings
        self._metrics = metrics
        self._line: deque[_Job] = deque()
        self._waiting = 0  # tokens in the line
        self._patience = 0.0  # until when the first in the line waits for others
        self._closed = True
        self._changed = threading.Condition()
        self._thread: threading.Thread | None = None

    def start(self) -> None:
        """Begin to work."""
        self._closed = False
        self._thread = threading.Thread(target=self._work, name=f"model {self.name}", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Refuse new work, finish what is in the line, and end the thread."""
        with self._changed:
            self._closed = True
            self._changed.notify()
        if self._thread is not None:
            self._thread.join()

    @property
    def waiting(self) -> int:
        """Tokens in the line."""
        return self._waiting

    def embed(
        self, sentences: Sequence[Sequence[str]], layers: Layers = "all", pool: Pool | None = None
    ) -> "Future[list[EmbeddedSentence]]":
        """The same as ``Embedder.embed``, later. A future that is cancelled costs no more work."""
        future: Future[list[EmbeddedSentence]] = Future()
        if not sentences:
            future.set_result([])
            return future
        self._enqueue(_Job(future, _tokens(sentences), sentences, layers, pool))
        return future

    def call(self, function: Callable[[], T], tokens: int) -> "Future[T]":
        """A function that uses the model, run by the thread that owns the model."""
        future: Future[T] = Future()
        self._enqueue(_Job(future, tokens, call=function))
        return future

    def _enqueue(self, job: _Job) -> None:
        with self._changed:
            if self._closed:
                raise Refusal(503, "the server is shutting down; no new requests are taken")
            if self._waiting + job.tokens > self._settings.queue_tokens:
                raise Refusal(429, f"too many requests are waiting for the model {self.name!r}; try again soon")
            if not self._line:
                self._patience = time.monotonic() + self._settings.batch_wait
            self._line.append(job)
            self._waiting += job.tokens
            if len(self._line) == 1 or self._full():  # there is no other news for the thread
                self._changed.notify()

    def _work(self) -> None:
        for number in itertools.count(1):
            batch = self._next_batch()
            if not batch:
                return
            start = time.perf_counter()
            groups: dict[tuple[Layers, Pool | None], list[_Piece]] = defaultdict(list)
            for job, sentences in batch:
                if job.call is not None:
                    _run(job, job.call)
                else:
                    groups[job.layers, job.pool].append((job, sentences))
            for pieces in groups.values():
                self._embed(pieces)
            self._metrics.count("elmo_compute_seconds_total", time.perf_counter() - start, model=self.name)
            self._metrics.observe("elmo_batch_requests", len(batch), model=self.name)
            if number % BATCHES_BETWEEN == 0:
                give_back_memory()

    def _next_batch(self) -> list[_Piece]:
        """What to do next; waits for it. Empty when the server stops and the line is done."""
        with self._changed:
            batch: list[_Piece] = []
            while not batch and (self._line or not self._closed):
                while not self._line and not self._closed:
                    self._changed.wait()
                while not self._full() and not self._closed and (rest := self._patience - time.monotonic()) > 0:
                    self._changed.wait(rest)
                batch = self._take()
            return batch

    def _full(self) -> bool:
        enough = self._waiting >= self._settings.batch_tokens
        return enough or len(self._line) >= self._settings.batch_requests

    def _take(self) -> list[_Piece]:
        """The first of the line, as many sentences as fit but at least one; or one call."""
        self._line = deque(job for job in self._line if not job.future.done())  # done: cancelled, or failed in part
        batch: list[_Piece] = []
        room = self._settings.batch_tokens
        while self._line and len(batch) < self._settings.batch_requests:
            job = self._line[0]
            if batch and job.call is not None:
                break
            part = job.first_sentences(room, at_least=0 if batch else 1)
            if job.call is None and not part:
                break
            self._line.popleft()
            batch.append((job, part))
            room -= _tokens(part)
            if job.call is not None:
                break
            if job.sentences:
                self._line.append(job)  # the rest lets others go first
                break
        self._waiting = sum(job.tokens for job in self._line)
        return batch

    def _embed(self, pieces: list[_Piece]) -> None:
        """Pieces that want the same layers, through the model together."""
        layers, pool = pieces[0][0].layers, pieces[0][0].pool
        sentences = [sentence for _, part in pieces for sentence in part]
        try:
            embedded = iter(self.embedder.embed(sentences, layers, pool))
        except Exception as error:
            if len(pieces) == 1:
                pieces[0][0].fail(error)
            else:  # one request's trouble is not the others'
                for piece in pieces:
                    self._embed([piece])
            return
        for job, part in pieces:
            job.results += itertools.islice(embedded, len(part))
            if not job.sentences:
                job.succeed(job.results)
        self._metrics.observe("elmo_batch_sentences", len(sentences), model=self.name)
        self._metrics.count("elmo_sentences_total", len(sentences), model=self.name)
        self._metrics.count("elmo_words_total", sum(map(len, sentences)), model=self.name)


def _run(job: _Job, call: Callable[[], Any]) -> None:
    try:
        result = call()
    except Exception as error:
        job.fail(error)
    else:
        job.succeed(result)
