"""How many threads the CPU engine computes with. It changes the speed, never the results.

Torch's number of threads belongs to the calling thread, and the number that was set last, in whatever thread, is the
default of new threads. The engine sets its own threads only, and leaves that default to the program around it.
"""

import threading
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from math import inf
from typing import Any, NamedTuple

import torch

WINDOW = 0.03
"""Seconds over which a number of threads is judged: several time slices of the operating system."""
FIRST_WAIT, LONGEST_WAIT = 0.25, 2.0
"""Seconds between two trials of another number of threads. Every trial that fails doubles the wait."""
SUSPICIOUS = 1.5
"""Fewer threads are tried when steps take this many times as long as they should."""


AfterStep = Callable[[int, float], None]
"""To be called after each step, with its number of rows and the value of ``time.perf_counter`` before it."""


class Team(NamedTuple):
    """The threads that compute one batch."""

    map: Callable[[Callable[..., Any], Sequence[Any]], list[Any]]
    """Applies a function to every item, perhaps in parallel."""
    after_step: AfterStep


@contextmanager
def pair_of_threads() -> Iterator[Team]:
    """Two threads, each with half of the threads that torch may use.

    A new pair is made for every batch: it takes less than a millisecond, and nothing is left behind.
    """
    allowed = torch.get_num_threads()
    if allowed == 1:
        yield Team(_one_by_one, _nothing)
        return
    ready = threading.Barrier(3)

    def start() -> None:
        torch.get_num_threads()  # lets a new thread take the default now, not when it first computes
        torch.set_num_threads(allowed // 2)
        with suppress(threading.BrokenBarrierError):  # interrupted: the pool is about to be shut down
            ready.wait()

    with ThreadPoolExecutor(2, "elmo", start) as pool:
        try:
            for _ in range(2):
                pool.submit(int)  # starts a thread, because none is idle before both are ready
            ready.wait()
        except BaseException:
            ready.abort()  # or a thread that did start would wait forever
            raise
        torch.set_num_threads(allowed)
        yield Team(lambda function, items: list(pool.map(function, items)), _nothing)


def in_two_threads(function: Callable[[int], Any]) -> list[Any]:
    """Return ``[function(0), function(1)]``, computed at the same time if torch may use two threads.

    The function must not compute with torch, whose numbers of threads are not set.
    """
    if torch.get_num_threads() == 1:
        return [function(0), function(1)]
    results: list[Any] = [None, None]
    errors: list[BaseException] = []

    def other() -> None:
        try:
            results[1] = function(1)
        except BaseException as error:
            errors.append(error)

    thread = threading.Thread(target=other, name="elmo")
    thread.start()
    try:
        results[0] = function(0)
    finally:
        thread.join()
    if errors:
        raise errors[0]
    return results


class ThreadChooser:
    """Chooses how many threads compute the steps of a few sentences, by measuring the time that steps take.

    A step of a few sentences takes a millisecond or less, and in each of its products all threads wait for the slowest.
    If another program runs on one of the cores, a thread loses its core for several milliseconds at a time, and the
    others spend that time in a busy loop. Fewer threads, for which there are free cores, are several times faster.

    When steps become slow, half as many threads are tried, and kept if they are faster; if they are not, a quarter is
    tried next, and so on. Later, more threads are tried again in the same way. While steps are fast, nothing is tried.

    Several threads may use one object at the same time: they slow each other down, and share what was learned.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._restart(0)

    def _restart(self, allowed: int) -> None:
        self.allowed = allowed
        """Torch's number of threads, the most that are used."""
        self.threads = allowed
        """The number of threads in use."""
        self.fastest: dict[int, float] = {}
        """Seconds of the fastest step with all threads, by number of rows."""
        self._measured = self._expected = 0.0  # seconds of the current window, and of as many fastest steps
        self._before: tuple[int, float] | None = None  # during a trial: threads and slowness before it
        self._wait, self._next_trial = FIRST_WAIT, -inf
        self._divisor = 2  # of the threads, when fewer are tried next

    @contextmanager
    def team(self) -> Iterator[Team]:
        """The current thread, with the chosen number of torch's threads; torch's number is restored at the end."""
        allowed = current = torch.get_num_threads()
        with self._lock:
            if allowed != self.allowed:
                self._restart(allowed)

        def follow() -> None:
            nonlocal current
            if current != self.threads:
                current = self.threads
                _set_own_threads(current, default=allowed)

        def after_step(rows: int, began: float) -> None:
            now = time.perf_counter()
            with self._lock:
                if current == self.threads:  # no other caller has changed it during this step
                    self.learn(rows, now - began, now)
            follow()

        try:
            if allowed > 1:
                follow()
            yield Team(_one_by_one, after_step if allowed > 1 else _nothing)
        finally:
            if current != allowed:
                torch.set_num_threads(allowed)

    def learn(self, rows: int, seconds: float, now: float) -> None:
        """Record the duration of a step that ended ``now``, and perhaps change the number of threads."""
        if self.threads == self.allowed:
            self.fastest[rows] = min(seconds, self.fastest.get(rows, inf))
        self._measured += seconds
        self._expected += self.fastest.get(rows, seconds * self.threads / self.allowed)
        if self._measured >= WINDOW:
            slowness = self._measured / self._expected
            self._measured = self._expected = 0.0
            self._judge(slowness, now)

    def _judge(self, slowness: float, now: float) -> None:
        """Start or end a trial. ``slowness`` is the duration of a window relative to the fastest steps."""
        if self._before is not None:
            threads, slowness_before = self._before
            failed = slowness >= slowness_before
            if failed and self.threads < threads:  # perhaps these were still too many
                self._divisor = 2 if self.threads == 1 else 2 * self._divisor
            else:
                self._divisor = 2
            if failed:
                self.threads = threads
            self._wait = min(2 * self._wait, LONGEST_WAIT) if failed else FIRST_WAIT
            self._before, self._next_trial = None, now + self._wait
        elif now >= self._next_trial:
            fewer, more = max(1, self.threads // self._divisor), min(2 * self.threads, self.allowed)
            # With perfect scaling, a fraction of the threads takes that much longer.
            slow = slowness > SUSPICIOUS * self.allowed / self.threads
            candidate = fewer if slow and self.threads > 1 else more
            if candidate != self.threads:
                self._before, self.threads = (self.threads, slowness), candidate


def _nothing(rows: int, began: float) -> None:
    """Measure nothing after a step."""


def _one_by_one(function: Callable[..., Any], items: Sequence[Any]) -> list[Any]:
    return [function(item) for item in items]


def _set_own_threads(count: int, default: int) -> None:
    """Set torch's number of threads for the current thread, and its default for new threads."""
    torch.set_num_threads(count)
    other = threading.Thread(target=torch.set_num_threads, args=(default,))
    other.start()
    other.join()
