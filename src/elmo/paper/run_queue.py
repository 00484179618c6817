"""Many runs, several at a time, each in a process of its own: a run that fails or crashes does not affect the others.

A queue stops when its time is up, or when the command is interrupted. Runs in progress are then asked to stop:
the training loop saves a checkpoint, from which they can be resumed. They also stop if the command is killed.
"""

import contextlib
import multiprocessing
import multiprocessing.connection
import os
import signal
import threading
import time
import traceback
from _thread import interrupt_main
from collections import deque
from collections.abc import Callable, Generator, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from elmo.train.stop_signals import StopSignals

R = TypeVar("R")
SECONDS_TO_SAVE = 120
"""Time for a run to finish an evaluation and save a checkpoint, before its process is killed."""
SECONDS_TO_NEXT_INTERRUPT = 5


@dataclass(frozen=True)
class Failure:
    """What a run returns that has failed."""

    reason: str
    """One line."""


def run_all(
    function: Callable[..., R], arguments: Sequence[tuple[Any, ...]], jobs: int, minutes: float | None = None
) -> Generator[tuple[int, R | Failure], None, None]:
    """Call a function with each of several tuples of arguments.

    Args:
        function: The function, at the top level of a module.
        arguments: The arguments of each call. Calls begin in this order.
        jobs: Number of calls at a time, each in a new process. A single one is made in this process.
        minutes: Time after which to stop.

    Yields:
        The index of each call that has ended, with what it returned. Those that were stopped are left out.

    Raises:
        KeyboardInterrupt: If this process was interrupted. All calls have stopped.
    """
    deadline = None if minutes is None else time.monotonic() + 60 * minutes
    each = _in_this_process if jobs == 1 else _in_processes
    try:
        with _terminated_like_interrupted():
            yield from each(function, arguments, jobs, deadline)
    except KeyboardInterrupt:
        if deadline is None or time.monotonic() < deadline:
            raise


def _in_this_process(
    function: Callable[..., R], arguments: Sequence[tuple[Any, ...]], jobs: int, deadline: float | None
) -> Iterator[tuple[int, R | Failure]]:
    ended = threading.Event()
    if deadline is not None:
        threading.Thread(target=_interrupt, args=(deadline, ended), daemon=True).start()
    try:
        for index, given in enumerate(arguments):
            yield index, _attempt(function, given)
    finally:
        ended.set()


def _interrupt(deadline: float, ended: threading.Event) -> None:
    """Interrupt the main thread when its time is up, and again until it ends.

    Once may not be enough: an exception that is raised while Python collects garbage is ignored.
    """
    wait = max(0.0, deadline - time.monotonic())
    while not ended.wait(wait):
        interrupt_main(signal.SIGTERM)
        wait = SECONDS_TO_NEXT_INTERRUPT


def _in_processes(
    function: Callable[..., R], arguments: Sequence[tuple[Any, ...]], jobs: int, deadline: float | None
) -> Iterator[tuple[int, R | Failure]]:
    context = _context(function.__module__)
    waiting = deque(enumerate(arguments))
    running: dict[Any, tuple[int, Any]] = {}
    """The index of a call and its process, by the connection on which it sends what it returns."""
    try:
        while (waiting or running) and (deadline is None or time.monotonic() < deadline):
            while waiting and len(running) < jobs:
                index, given = waiting.popleft()
                receiver, sender = context.Pipe(duplex=False)
                process = context.Process(target=_work, args=(function, given, sender))
                with StopSignals() as stop:  # a process that has started must be among those that are stopped
                    process.start()
                    sender.close()  # so that the end of the process is the end of the connection
                    running[receiver] = index, process
                if stop.received:
                    raise KeyboardInterrupt
            left = None if deadline is None else max(0.0, deadline - time.monotonic())
            for connection in multiprocessing.connection.wait(list(running), left):
                index, process = running.pop(connection)
                outcome = _receive(connection)
                process.join()
                yield index, Failure(_end_of(process)) if outcome is None else outcome
        for _, process in running.values():
            process.terminate()
        end = time.monotonic() + SECONDS_TO_SAVE
        for connection, (index, process) in running.items():
            left = max(0.0, end - time.monotonic())
            if connection.poll(left) and (outcome := _receive(connection)) is not None:  # it ended just now
                yield index, outcome
            process.join(max(0.0, end - time.monotonic()))
    finally:
        _stop([process for _, process in running.values()])


def _context(module: str) -> Any:
    """Return how to start processes: by fork from one that has imported everything, but has not touched a GPU."""
    if "forkserver" not in multiprocessing.get_all_start_methods():
        return multiprocessing.get_context("spawn")
    context: Any = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload([module])
    return context


def _work(function: Callable[..., Any], arguments: tuple[Any, ...], connection: Any) -> None:
    """Call the function, in a process of its own, and send what it returns."""
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # also outside the training loop, files are removed
    threading.Thread(target=_stop_with_parent, daemon=True).start()
    with contextlib.suppress(KeyboardInterrupt, BrokenPipeError):
        connection.send(_attempt(function, arguments))


def _attempt(function: Callable[..., R], arguments: tuple[Any, ...]) -> R | Failure:
    try:
        return function(*arguments)
    except OSError as error:
        return Failure(f"{error.filename}: {error.strerror}" if error.filename else str(error))
    except ValueError as error:
        return Failure(str(error))
    except Exception as error:  # a bug, or a GPU without memory: the other runs continue
        traceback.print_exc()
        return Failure(f"{type(error).__name__}: {(str(error).splitlines() or [''])[0]}")


def _receive(connection: Any) -> Any:
    """Return what a process sent, or None if it ended before."""
    try:
        return connection.recv()
    except (EOFError, OSError):
        return None
    finally:
        connection.close()


def _end_of(process: Any) -> str:
    if process.exitcode is not None and process.exitcode < 0:
        return f"the process was ended by {signal.Signals(-process.exitcode).name}"
    return f"the process ended with exit code {process.exitcode}"


def _stop(processes: Sequence[Any]) -> None:
    """Ask processes to stop, and wait until they have."""
    for process in processes:
        process.terminate()
    end = time.monotonic() + SECONDS_TO_SAVE
    for process in processes:
        process.join(max(0.0, end - time.monotonic()))
        process.kill()
        process.join()


def _stop_with_parent() -> None:
    """Wait until the process that started this one has ended, however it ended, and stop, too."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os.kill(os.getpid(), signal.SIGTERM)


@contextlib.contextmanager
def _terminated_like_interrupted() -> Iterator[None]:
    """Within the block, SIGTERM raises a KeyboardInterrupt, as Ctrl-C does."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)
