"""Micro-batching: what many requests ask of a model is computed together.

A model embeds thirty sentences in little more time than one. Each model therefore has one worker thread, which takes
whatever is queued and passes it to ``Embedder.embed`` as one batch. While it computes, the next batch collects. An idle
model whose last batch had several requests waits a few milliseconds for more to arrive; a client alone does not have to
wait. Task models that share a biLM also share its worker thread, and their examples are batched in the same way.

A request with more sentences than fit in a batch is split, and the remainder goes to the back of the queue. The queue
is bounded, so that an overloaded server answers with a 429 immediately instead of responding too late.
"""

import contextlib
import itertools
import threading
import time
from collections import defaultdict, deque
from collections.abc import Callable, Hashable, Sequence
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
R = TypeVar("R")

TRIM_INTERVAL = 2.0
"""Seconds after which free memory is returned to the operating system, which takes as long as a sentence."""


@dataclass(eq=False)
class _QueuedRequest:
    """A request: items, such as sentences, that are computed in one or more batches."""

    future: "Future[Any]"
    items: Sequence[Any]
    """The items still queued."""
    sizes: Sequence[int]
    """Number of tokens of each of them."""
    compute: Callable[[list[Any]], Sequence[Any]]
    """Returns the results of items."""
    key: Hashable
    """Items of requests with equal keys are computed in one call, by the ``compute`` of any of these requests."""
    results: list[Any] = field(default_factory=list)

    @property
    def tokens(self) -> int:
        """Number of tokens still queued."""
        return sum(self.sizes)

    def take(self, max_tokens: int, at_least: int) -> Sequence[Any]:
        """Remove and return the first items, up to ``max_tokens`` but at least ``at_least`` items."""
        count = 0
        for size in self.sizes:
            max_tokens -= size
            if max_tokens < 0 and count >= at_least:
                break
            count += 1
        taken, self.items, self.sizes = self.items[:count], self.items[count:], self.sizes[count:]
        return taken

    # The future may be canceled at any time, because the client disconnected or the request timed out.

    def succeed(self) -> None:
        with contextlib.suppress(InvalidStateError):
            self.future.set_result(self.results)

    def fail(self, error: Exception) -> None:
        with contextlib.suppress(InvalidStateError):
            self.future.set_exception(error)


_BatchPart = tuple[_QueuedRequest, Sequence[Any]]
"""A request and those of its items that are in a batch."""


class BatchWorker:
    """A request queue and the thread that empties it. ``start`` and ``close`` it.

    Args:
        name: Name of the model, for messages and metrics.
        settings: How much is computed at once, and how much may be queued.
        metrics: Where batches are counted.
    """

    def __init__(self, name: str, settings: ServeSettings, metrics: Metrics) -> None:
        self.name = name
        self._settings = settings
        self._metrics = metrics
        self._queue: deque[_QueuedRequest] = deque()
        self._queued_tokens = 0
        self._wait_until = 0.0  # when a batch runs even if it is not full
        self._several = True  # whether the last batch had several requests
        self._closed = True
        self._changed = threading.Condition()
        self._thread: threading.Thread | None = None
        metrics.gauge("elmo_queue_tokens", lambda: self._queued_tokens, model=name)

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

    def submit(
        self, items: Sequence[T], sizes: Sequence[int], compute: Callable[[list[T]], Sequence[R]], key: Hashable
    ) -> "Future[list[R]]":
        """Queue items. Canceling the future removes them from the queue.

        Args:
            items: What to compute, for example sentences.
            sizes: The number of tokens of each item.
            compute: Returns the results of items; it runs in the worker thread.
            key: Items that are queued with equal keys may be computed together, by the ``compute`` of any of them.

        Returns:
            The future list of results, one for each item.

        Raises:
            APIError: They have more tokens than the queue can hold (413), the queue is full (429), or the server is
                shutting down (503).
        """
        future: Future[list[R]] = Future()
        if items:
            self._enqueue(_QueuedRequest(future, items, sizes, compute, key))
        else:
            future.set_result([])
        return future

    def _enqueue(self, request: _QueuedRequest) -> None:
        tokens, limit = request.tokens, self._settings.queue_tokens
        if tokens > limit:
            raise APIError(
                413,
                # A blank or a predicate, for example, makes the model read its whole sentence once more.
                f"the model would read {tokens} tokens, counted every time that it reads them, more than the limit of "
                f"{limit}; send less text",
            )
        with self._changed:
            if self._closed:
                raise APIError(503, "the server is shutting down and accepts no new requests")
            if self._queued_tokens + tokens > limit:
                raise APIError(429, f"too many requests are waiting for the model {self.name!r}; try again soon")
            if not self._queue:
                self._wait_until = time.monotonic() + (self._settings.batch_wait if self._several else 0.0)
            self._queue.append(request)
            self._queued_tokens += tokens
            if len(self._queue) == 1 or self._has_full_batch():  # otherwise the worker would keep waiting anyway
                self._changed.notify()
        # It refers to the worker alone: a future that referred to its request would keep the results in memory.
        request.future.add_done_callback(self._remove_failed)

    def _remove_failed(self, future: "Future[Any]") -> None:
        """Remove what is left of a request that was canceled, or of which an earlier part failed."""
        if not future.cancelled() and future.exception() is None:
            return
        with self._changed:
            request = next((request for request in self._queue if request.future is future), None)
            if request is not None:
                self._queue.remove(request)
                self._queued_tokens -= request.tokens

    def _work(self) -> None:
        trimmed = time.perf_counter()
        while self._run_next_batch():
            if time.perf_counter() - trimmed >= TRIM_INTERVAL:
                release_memory()
                trimmed = time.perf_counter()

    def _run_next_batch(self) -> bool:
        """Wait for a batch and compute it. Return whether there was one; it is gone when the worker waits again."""
        batch = self._next_batch()
        if not batch:
            return False
        start = time.perf_counter()
        groups: dict[Hashable, list[_BatchPart]] = defaultdict(list)
        for request, items in batch:
            groups[request.key].append((request, items))
        for parts in groups.values():
            self._compute(parts)
        self._metrics.count("elmo_compute_seconds_total", time.perf_counter() - start, model=self.name)
        self._metrics.observe("elmo_batch_requests", len(batch), model=self.name)
        return True

    def _next_batch(self) -> list[_BatchPart]:
        """Wait for the next batch. It is empty if the worker is closed and the queue is done."""
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
            self._several = len(batch) > 1
            return batch

    def _has_full_batch(self) -> bool:
        enough_tokens = self._queued_tokens >= self._settings.batch_tokens
        return enough_tokens or len(self._queue) >= self._settings.batch_requests

    def _take_batch(self) -> list[_BatchPart]:
        """Take the items at the front of the queue that fit in a batch, at least one."""
        batch: list[_BatchPart] = []
        room = self._settings.batch_tokens
        while self._queue and len(batch) < self._settings.batch_requests:
            request = self._queue[0]
            before = request.tokens
            items = request.take(room, at_least=0 if batch else 1)
            if not items:
                break
            self._queue.popleft()
            batch.append((request, items))
            room -= before - request.tokens
            if request.items:
                self._queue.append(request)  # behind the others, so that a large request does not hold them up
                break
        self._queued_tokens = sum(request.tokens for request in self._queue)
        return batch

    def _compute(self, parts: list[_BatchPart]) -> None:
        """Compute items of several requests in one call."""
        try:
            results = iter(parts[0][0].compute([item for _, items in parts for item in items]))
        except Exception as error:
            if len(parts) == 1:
                parts[0][0].fail(error)
            else:  # retry one by one, so that only the request that causes the error fails
                for part in parts:
                    self._compute([part])
            return
        for request, items in parts:
            request.results += itertools.islice(results, len(items))
            if not request.items:
                request.succeed()


class Batcher(BatchWorker):
    """The worker of a model, which embeds sentences."""

    def __init__(self, name: str, embedder: Embedder, settings: ServeSettings, metrics: Metrics) -> None:
        super().__init__(name, settings, metrics)
        self.embedder = embedder

    def embed(
        self, sentences: Sequence[Sequence[str]], layers: Layers = "all", pool: Pool | None = None
    ) -> "Future[list[EmbeddedSentence]]":
        """Queue sentences for ``Embedder.embed``; see ``submit``."""

        def compute(taken: list[Sequence[str]]) -> list[EmbeddedSentence]:
            embedded = self.embedder.embed(taken, layers, pool)
            # Before the clients get their results, so that they find them counted.
            self._metrics.observe("elmo_batch_sentences", len(taken), model=self.name)
            self._metrics.count("elmo_sentences_total", len(taken), model=self.name)
            self._metrics.count("elmo_words_total", sum(map(len, taken)), model=self.name)
            return embedded

        return self.submit(sentences, [len(words) + 2 for words in sentences], compute, (layers, pool))
