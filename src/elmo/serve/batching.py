"""Micro-batching: sentences from many requests go through the model together.

A model embeds thirty sentences in little more time than one. Each model therefore has one worker thread, which takes
whatever is queued and passes it to ``Embedder.embed`` as one batch. While it computes, the next batch collects; an
idle model waits a few milliseconds for more requests to arrive.

A request with more sentences than fit in a batch is split, and the remainder goes to the back of the queue. The queue
is bounded, so that an overloaded server answers with a 429 immediately instead of responding too late.
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
from elmo.embed.select import EmbeddedSentence
from elmo.engines.cpu import release_memory
from elmo.serve.errors import APIError
from elmo.serve.metrics import Metrics
from elmo.serve.settings import ServeSettings

T = TypeVar("T")

TRIM_INTERVAL = 20
"""Number of batches after which free memory is returned to the operating system."""


@dataclass(eq=False)
class _QueuedRequest:
    """A request for a model: sentences to embed, or a function that needs the model to itself."""

    future: "Future[Any]"
    tokens: int
    """Number of tokens still queued."""
    sentences: Sequence[Sequence[str]] = ()
    """The sentences still queued."""
    layers: Layers = "all"
    pool: Pool | None = None
    function: Callable[[], Any] | None = None
    results: list[EmbeddedSentence] = field(default_factory=list)

    def take_sentences(self, max_tokens: int, at_least: int) -> Sequence[Sequence[str]]:
        """Remove and return the first sentences, up to ``max_tokens`` but at least ``at_least`` sentences."""
        count = 0
        for sentence in self.sentences:
            max_tokens -= len(sentence) + 2
            if max_tokens < 0 and count >= at_least:
                break
            count += 1
        taken, self.sentences = self.sentences[:count], self.sentences[count:]
        self.tokens -= _count_tokens(taken)
        return taken

    # The future may be canceled at any time, because the client disconnected or the request timed out.

    def succeed(self, result: object) -> None:
        with contextlib.suppress(InvalidStateError):
            self.future.set_result(result)

    def fail(self, error: Exception) -> None:
        with contextlib.suppress(InvalidStateError):
            self.future.set_exception(error)


_BatchPart = tuple[_QueuedRequest, Sequence[Sequence[str]]]
"""A request and those of its sentences that are in a batch."""


def _count_tokens(sentences: Sequence[Sequence[str]]) -> int:
    return sum(len(sentence) + 2 for sentence in sentences)


class Batcher:
    """The request queue of a model and the worker thread that empties it. ``start`` and ``close`` it."""

    def __init__(self, name: str, embedder: Embedder, settings: ServeSettings, metrics: Metrics) -> None:
        self.name = name
        self.embedder = embedder
        self._settings = settings
        self._metrics = metrics
        self._queue: deque[_QueuedRequest] = deque()
        self._queued_tokens = 0
        self._wait_until = 0.0  # when a batch runs even if it is not full
        self._closed = True
        self._changed = threading.Condition()
        self._thread: threading.Thread | None = None

    def start(self) -> None:
        """Start the worker thread."""
        self._closed = False
        self._thread = threading.Thread(target=self._work, name=f"model {self.name}", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Reject new requests, finish those in the queue, and stop the worker thread."""
        with self._changed:
            self._closed = True
            self._changed.notify()
        if self._thread is not None:
            self._thread.join()

    @property
    def queued_tokens(self) -> int:
        """Number of tokens in the queue."""
        return self._queued_tokens

    def embed(
        self, sentences: Sequence[Sequence[str]], layers: Layers = "all", pool: Pool | None = None
    ) -> "Future[list[EmbeddedSentence]]":
        """Queue sentences for ``Embedder.embed``. Canceling the future removes them from the queue.

        Raises:
            APIError: The queue is full (429), or the server is shutting down (503).
        """
        future: Future[list[EmbeddedSentence]] = Future()
        if not sentences:
            future.set_result([])
            return future
        self._enqueue(_QueuedRequest(future, _count_tokens(sentences), sentences, layers, pool))
        return future

    def call(self, function: Callable[[], T], tokens: int) -> "Future[T]":
        """Queue a function that uses the model; it runs in the worker thread. ``tokens`` is its cost in the queue."""
        future: Future[T] = Future()
        self._enqueue(_QueuedRequest(future, tokens, function=function))
        return future

    def _enqueue(self, request: _QueuedRequest) -> None:
        with self._changed:
            if self._closed:
                raise APIError(503, "the server is shutting down and accepts no new requests")
            if self._queued_tokens + request.tokens > self._settings.queue_tokens:
                raise APIError(429, f"too many requests are waiting for the model {self.name!r}; try again soon")
            if not self._queue:
                self._wait_until = time.monotonic() + self._settings.batch_wait
            self._queue.append(request)
            self._queued_tokens += request.tokens
            if len(self._queue) == 1 or self._has_full_batch():  # otherwise the worker would keep waiting anyway
                self._changed.notify()

    def _work(self) -> None:
        for number in itertools.count(1):
            batch = self._next_batch()
            if not batch:
                return
            start = time.perf_counter()
            groups: dict[tuple[Layers, Pool | None], list[_BatchPart]] = defaultdict(list)
            for request, sentences in batch:
                if request.function is not None:
                    _run(request, request.function)
                else:
                    groups[request.layers, request.pool].append((request, sentences))
            for parts in groups.values():
                self._embed(parts)
            self._metrics.count("elmo_compute_seconds_total", time.perf_counter() - start, model=self.name)
            self._metrics.observe("elmo_batch_requests", len(batch), model=self.name)
            if number % TRIM_INTERVAL == 0:
                release_memory()

    def _next_batch(self) -> list[_BatchPart]:
        """Wait for the next batch. It is empty if the batcher is closed and the queue is done."""
        with self._changed:
            batch: list[_BatchPart] = []
            while not batch and (self._queue or not self._closed):
                while not self._queue and not self._closed:
                    self._changed.wait()
                while (
                    not self._has_full_batch()
                    and not self._closed
                    and (remaining := self._wait_until - time.monotonic()) > 0
                ):
                    self._changed.wait(remaining)
                batch = self._take_batch()
            return batch

    def _has_full_batch(self) -> bool:
        enough_tokens = self._queued_tokens >= self._settings.batch_tokens
        return enough_tokens or len(self._queue) >= self._settings.batch_requests

    def _take_batch(self) -> list[_BatchPart]:
        """Take the sentences at the front of the queue that fit in a batch, at least one; or a single function."""
        # Requests that are done here were canceled, or an earlier part of them failed.
        self._queue = deque(request for request in self._queue if not request.future.done())
        batch: list[_BatchPart] = []
        room = self._settings.batch_tokens
        while self._queue and len(batch) < self._settings.batch_requests:
            request = self._queue[0]
            if batch and request.function is not None:
                break
            sentences = request.take_sentences(room, at_least=0 if batch else 1)
            if request.function is None and not sentences:
                break
            self._queue.popleft()
            batch.append((request, sentences))
            room -= _count_tokens(sentences)
            if request.function is not None:
                break
            if request.sentences:
                self._queue.append(request)  # behind the others, so that a large request does not hold them up
                break
        self._queued_tokens = sum(request.tokens for request in self._queue)
        return batch

    def _embed(self, parts: list[_BatchPart]) -> None:
        """Embed sentences of several requests for the same layers and pooling in one call."""
        layers, pool = parts[0][0].layers, parts[0][0].pool
        sentences = [sentence for _, taken in parts for sentence in taken]
        try:
            embedded = iter(self.embedder.embed(sentences, layers, pool))
        except Exception as error:
            if len(parts) == 1:
                parts[0][0].fail(error)
            else:  # retry one by one, so that only the request that causes the error fails
                for part in parts:
                    self._embed([part])
            return
        # Before the clients get their results, so that they find them counted.
        self._metrics.observe("elmo_batch_sentences", len(sentences), model=self.name)
        self._metrics.count("elmo_sentences_total", len(sentences), model=self.name)
        self._metrics.count("elmo_words_total", sum(map(len, sentences)), model=self.name)
        for request, taken in parts:
            request.results += itertools.islice(embedded, len(taken))
            if not request.sentences:
                request.succeed(request.results)


def _run(request: _QueuedRequest, function: Callable[[], Any]) -> None:
    try:
        result = function()
    except Exception as error:
        request.fail(error)
    else:
        request.succeed(result)
