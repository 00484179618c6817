"""The request queue of a model: what shares a batch, what is rejected, and what is canceled."""

import math
import threading
import time
import weakref
from collections.abc import Iterator

import numpy as np
import pytest

import elmo
from elmo.serve.batching import Batcher
from elmo.serve.errors import APIError
from elmo.serve.metrics import Metrics
from elmo.serve.settings import ServeSettings


class Watched:
    """A model that records its batches and can be paused."""

    def __init__(self, model: elmo.Embedder) -> None:
        self.model = model
        self.batches: list[list[list[str]]] = []
        self.resume = threading.Event()
        self.resume.set()
        self.started = threading.Event()

    def embed(self, sentences, layers, pool):
        self.batches.append(sentences)
        self.started.set()
        assert self.resume.wait(10)
        if any("poison" in sentence for sentence in sentences):
            raise ValueError("poison is not a word")
        return self.model.embed(sentences, layers, pool)


@pytest.fixture
def watched(model: elmo.Embedder) -> Watched:
    return Watched(model)


@pytest.fixture
def start(watched: Watched) -> Iterator:
    started: list[Batcher] = []

    def make(**settings) -> Batcher:
        limits = {"max_request_words": 40, "max_sentences": 10, "queue_tokens": 200, "batch_wait": 0.0}
        batcher = Batcher("tiny", watched, ServeSettings(**{**limits, **settings}), Metrics())
        batcher.start()
        started.append(batcher)
        return batcher

    yield make
    watched.resume.set()
    for batcher in started:
        batcher.close()


def pause(batcher: Batcher, watched: Watched) -> None:
    """Keep the model busy until ``resume`` is set, so that further requests stay in the queue."""
    watched.resume.clear()
    watched.started.clear()
    batcher.embed([["first"]])
    assert watched.started.wait(10)
    watched.batches.clear()


def words(count: int, name: str = "w") -> list[str]:
    return [f"{name}{i}" for i in range(count)]


def test_results_are_those_of_the_model(start, watched: Watched, model: elmo.Embedder) -> None:
    batcher = start()
    pause(batcher, watched)
    asked = [
        ([words(3), words(7)], "all", None),
        ([words(5)], "top", None),
        ([words(2), [], words(9)], "average", "mean"),
        ([words(4)], 1, "max"),
        ([words(6)], "all", None),
        ([], "all", None),
    ]
    futures = [batcher.embed(*request) for request in asked]
    watched.resume.set()
    for (sentences, layers, pool), future in zip(asked, futures, strict=True):
        found, expected = future.result(10), model.embed(sentences, layers, pool)
        assert [sentence.tokens for sentence in found] == sentences
        for one, other in zip(found, expected, strict=True):
            np.testing.assert_allclose(one.layers, other.layers, atol=1e-6)
    shared = [[len(sentence) for sentence in batch] for batch in watched.batches]
    assert shared == [[3, 7, 6], [5], [2, 0, 9], [4]], "one call for each combination of layers and pooling"


def test_batches_are_bounded(start, watched: Watched) -> None:
    batcher = start(batch_tokens=20)
    pause(batcher, watched)
    futures = [batcher.embed([words(8)]) for _ in range(5)]
    watched.resume.set()
    for future in futures:
        future.result(10)
    assert [len(batch) for batch in watched.batches] == [2, 2, 1]


def test_without_micro_batching(start, watched: Watched) -> None:
    batcher = start(batch_requests=1)
    pause(batcher, watched)
    futures = [batcher.embed([words(2), words(3)]), batcher.embed([words(2)])]
    watched.resume.set()
    for future in futures:
        future.result(10)
    assert [len(batch) for batch in watched.batches] == [2, 1]


def test_large_requests_do_not_hold_up_others(start, watched: Watched) -> None:
    batcher = start(batch_tokens=12)
    pause(batcher, watched)
    large = batcher.embed([words(4, f"large{i}.") for i in range(5)])
    small = batcher.embed([["small"]])
    watched.resume.set()
    assert [sentence.tokens[0] for sentence in large.result(10)] == [f"large{i}.0" for i in range(5)]
    small.result(10)
    first_words = [[sentence[0] for sentence in batch] for batch in watched.batches]
    assert first_words == [["large0.0", "large1.0"], ["small", "large2.0"], ["large3.0", "large4.0"]]


def test_an_idle_model_waits_for_more_requests(start, watched: Watched) -> None:
    batcher = start(batch_wait=5.0, batch_requests=3)
    begin = time.monotonic()
    futures = [batcher.embed([words(2)]) for _ in range(3)]
    for future in futures:
        future.result(10)
    assert time.monotonic() - begin < 4, "a full batch does not wait"
    assert [len(batch) for batch in watched.batches] == [3]


def test_a_client_alone_does_not_wait(start, watched: Watched) -> None:
    batcher = start(batch_wait=2.0)
    batcher.embed([words(2)]).result(10)
    for _ in range(3):
        batcher.embed([words(2)]).result(1.5)  # the last batch had one request
    pause(batcher, watched)
    futures = [batcher.embed([words(2)]) for _ in range(2)]
    watched.resume.set()
    for future in futures:
        future.result(10)
    first = batcher.embed([words(2)])
    time.sleep(0.2)
    batcher.embed([words(3)]).result(10)
    assert first.done()
    assert [len(batch) for batch in watched.batches[-2:]] == [2, 2], "the batch before had several"


def test_a_full_queue_rejects_requests(start, watched: Watched) -> None:
    batcher = start()
    pause(batcher, watched)
    futures = [batcher.embed([words(38)]) for _ in range(5)]
    assert batcher.queued_tokens == 200
    with pytest.raises(APIError, match="too many requests are waiting for the model 'tiny'") as error:
        batcher.embed([[]])
    assert error.value.status == 429
    futures[0].cancel()
    watched.resume.set()
    futures[-1].result(10)
    assert batcher.queued_tokens == 0
    assert sum(map(len, watched.batches)) == 4, "canceled requests are not computed"


def test_canceled_requests_leave_the_queue_at_once(start, watched: Watched) -> None:
    """While the model is busy, they must not keep others out."""
    batcher = start(queue_tokens=60, batch_tokens=20)
    pause(batcher, watched)
    waiting = [batcher.embed([words(8)]) for _ in range(6)]
    with pytest.raises(APIError) as error:
        batcher.embed([words(8)])
    assert error.value.status == 429
    for future in waiting[:5]:
        future.cancel()
    assert batcher.queued_tokens == 10
    waiting[5:] = [waiting[5], *(batcher.embed([words(8, "new")]) for _ in range(5))]
    watched.resume.set()
    for future in waiting[5:]:
        future.result(10)
    assert sum(map(len, watched.batches)) == 6
    assert batcher.queued_tokens == 0


def test_the_rest_of_a_canceled_request_leaves_the_queue_at_once(start, watched: Watched) -> None:
    batcher = start(queue_tokens=60, batch_tokens=20)
    watched.resume.clear()
    future = batcher.embed([words(8) for _ in range(6)])
    assert watched.started.wait(10)
    assert batcher.queued_tokens == 40
    future.cancel()
    assert batcher.queued_tokens == 0


def test_one_bad_request_does_not_affect_others(start, watched: Watched) -> None:
    batcher = start(batch_tokens=24)
    pause(batcher, watched)
    good = [batcher.embed([words(3)]), batcher.embed([words(2)])]
    bad = batcher.embed([["poison"], *(words(4) for _ in range(6))])
    watched.resume.set()
    for future in good:
        assert len(future.result(10)) == 1
    with pytest.raises(ValueError, match="poison is not a word"):
        bad.result(10)
    batcher.close()
    assert batcher.queued_tokens == 0


def test_other_work(start, watched: Watched) -> None:
    """Whatever is queued runs in the same thread, together with what has the same key."""
    batcher = start()
    pause(batcher, watched)

    def names(items: list[int]) -> list[str]:
        return [f"{threading.current_thread().name} {len(items)} {item}" for item in items]

    before, first = batcher.embed([["a"]]), batcher.submit([1, 2], [3, 3], names, "names")
    after, second = batcher.embed([["b"]]), batcher.submit([3], [3], names, "names")
    broken = batcher.submit([1], [10], lambda items: [1 // 0 for _ in items], "broken")
    watched.resume.set()
    assert first.result(10) == ["model tiny 3 1", "model tiny 3 2"]
    assert second.result(10) == ["model tiny 3 3"]
    assert len(before.result(10)) == len(after.result(10)) == 1
    with pytest.raises(ZeroDivisionError):
        broken.result(10)


def test_an_idle_worker_keeps_no_results(start) -> None:
    """The vectors of a large request take a hundred megabytes."""
    batcher = start()
    future = batcher.submit([1], [3], lambda items: [np.zeros(3) for _ in items], "zeros")
    kept = weakref.ref(future.result(10)[0])
    del future
    end = time.monotonic() + 10
    while kept() is not None and time.monotonic() < end:
        time.sleep(0.01)
    assert kept() is None


def test_closing_finishes_the_queue(start, watched: Watched) -> None:
    batcher = start(batch_requests=1)
    pause(batcher, watched)
    futures = [batcher.embed([words(2)]) for _ in range(3)]
    closing = threading.Thread(target=batcher.close)
    closing.start()
    while not batcher._closed:
        time.sleep(0.001)
    with pytest.raises(APIError, match="shutting down") as error:
        batcher.embed([["late"]])
    assert error.value.status == 503
    watched.resume.set()
    closing.join(10)
    assert not closing.is_alive()
    assert all(future.done() for future in futures)
    batcher.start()
    assert len(batcher.embed([["again"]]).result(10)) == 1


def test_many_threads(start, model: elmo.Embedder) -> None:
    batcher = start(batch_tokens=50, queue_tokens=10_000, batch_wait=0.001)
    expected = {n: model.embed([words(n)])[0].layers for n in range(12)}
    wrong: list[int] = []

    def client(seed: int) -> None:
        random = np.random.default_rng(seed)
        for _ in range(20):
            lengths = random.integers(0, 12, random.integers(1, 8)).tolist()
            for n, sentence in zip(lengths, batcher.embed([words(n) for n in lengths]).result(10), strict=True):
                if not np.allclose(sentence.layers, expected[n], atol=1e-6):
                    wrong.append(n)

    threads = [threading.Thread(target=client, args=(seed,)) for seed in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(30)
    assert not wrong


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"max_body": 0}, "max_body must be greater than 0"),
        ({"batch_wait": -1.0}, "batch_wait must not be negative"),
        ({"batch_wait": math.nan}, "batch_wait must not be negative"),
        ({"request_timeout": math.nan}, "request_timeout must be greater than 0"),
        ({"queue_tokens": 100}, "queue_tokens must be at least 9216"),
        ({"api_key": ""}, "API key"),
        ({"api_key": "ключ"}, "API key"),
    ],
)
def test_invalid_settings(settings, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        ServeSettings(**settings)
