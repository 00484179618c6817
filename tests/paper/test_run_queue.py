"""Runs in processes of their own: failures, crashes, interruptions and limits of time."""

import multiprocessing
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from elmo.paper import run_queue
from elmo.paper.run_queue import Failure, run_all


def work(kind: str, folder: Path) -> str:
    if kind == "value":
        raise ValueError("the data is bad")
    if kind == "file":
        raise FileNotFoundError(2, "No such file", "x.txt")
    if kind == "bug":
        raise RuntimeError("out of memory\nmore")
    if kind == "crash":
        os.kill(os.getpid(), signal.SIGKILL)
    if kind == "outside":  # not in the training loop
        try:
            (folder / f"started-{os.getpid()}").touch()
            time.sleep(60)
        finally:
            (folder / f"saved-{os.getpid()}").touch()
    if kind == "deaf":
        for name in ("lost", "ended"):
            try:
                for _ in range(3000):
                    time.sleep(0.01)
            except KeyboardInterrupt:
                if (folder / "lost").exists():
                    raise
            (folder / name).touch()  # as if the first one were raised while garbage is collected
    if kind == "exit":
        os._exit(7)
    if kind == "stuck":
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        (folder / f"started-{os.getpid()}").touch()
        time.sleep(60)
    if kind == "long":
        received = []  # as the training loop does, but without importing torch
        before = [signal.signal(number, lambda *_: received.append(1)) for number in (signal.SIGTERM, signal.SIGINT)]
        (folder / f"started-{os.getpid()}").touch()
        while not received:
            time.sleep(0.01)
        for number, handler in zip((signal.SIGTERM, signal.SIGINT), before, strict=True):
            signal.signal(number, handler)
        (folder / f"saved-{os.getpid()}").touch()
        raise KeyboardInterrupt
    return f"{kind} done"


FAILURES = {
    "value": "the data is bad",
    "file": "x.txt: No such file",
    "bug": "RuntimeError: out of memory",
    "crash": "the process was ended by SIGKILL",
    "exit": "the process ended with exit code 7",
}


@pytest.mark.parametrize("jobs", [1, 2])
def test_a_failure_does_not_affect_the_others(jobs: int, tmp_path: Path) -> None:
    failing = [kind for kind in FAILURES if jobs > 1 or kind not in ("crash", "exit")]
    kinds = [*failing, "a", "b", "c"]
    outcomes = dict(run_all(work, [(kind, tmp_path) for kind in kinds], jobs))
    assert sorted(outcomes) == list(range(len(kinds)))
    for index, kind in enumerate(kinds):
        assert outcomes[index] == (Failure(FAILURES[kind]) if kind in FAILURES else f"{kind} done")


@pytest.mark.parametrize("jobs", [1, 2])
def test_time_is_up(jobs: int, tmp_path: Path) -> None:
    """What has finished is returned, what is under way saves its state, and nothing else is started."""
    kinds = ["a", "long", "outside", "b"] if jobs == 2 else ["a", "long", "b"]
    handler = signal.getsignal(signal.SIGTERM)
    outcomes = dict(run_all(work, [(kind, tmp_path) for kind in kinds], jobs, minutes=2 / 60))
    assert outcomes == {0: "a done"}
    assert len(list(tmp_path.glob("started-*"))) == len(list(tmp_path.glob("saved-*"))) == jobs
    assert signal.getsignal(signal.SIGTERM) == handler


def test_an_interrupt_that_is_lost_is_repeated(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(run_queue, "SECONDS_TO_NEXT_INTERRUPT", 0.2)
    assert list(run_all(work, [("deaf", tmp_path)], 1, minutes=0.5 / 60)) == []
    assert [path.name for path in tmp_path.iterdir()] == ["lost"], "it was interrupted twice and did not end by itself"


def test_a_run_that_does_not_stop_is_killed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(run_queue, "SECONDS_TO_SAVE", 0.5)
    assert list(run_all(work, [("stuck", tmp_path)] * 2, 2, minutes=2 / 60)) == [], "not waited for until they end"
    assert len(list(tmp_path.glob("started-*"))) == 2


SCRIPT = """
import signal, sys
from pathlib import Path
from paper.test_run_queue import work
from elmo.paper.run_queue import run_all

if __name__ == "__main__":
    folder = Path(sys.argv[1])
    signal.signal(signal.SIGINT, signal.default_int_handler)  # where tests run in the background, it is ignored
    try:
        list(run_all(work, [("long", folder)] * 2, int(sys.argv[2])))
    except KeyboardInterrupt:
        (folder / "interrupted").touch()
"""


@pytest.mark.parametrize(
    ("number", "jobs"), [(signal.SIGTERM, 1), (signal.SIGINT, 2), (signal.SIGTERM, 2), (signal.SIGKILL, 2)]
)
def test_the_command_is_ended(number: signal.Signals, jobs: int, tmp_path: Path) -> None:
    """All runs save their state, even if the command is killed."""
    (tmp_path / "script.py").write_text(SCRIPT)
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    process = subprocess.Popen([sys.executable, tmp_path / "script.py", tmp_path, str(jobs)], env=environment)

    def wait_for(pattern: str, count: int) -> None:
        end = time.monotonic() + 60
        while len(list(tmp_path.glob(pattern))) < count and time.monotonic() < end:
            time.sleep(0.02)
        assert len(list(tmp_path.glob(pattern))) == count

    wait_for("started-*", jobs)
    process.send_signal(number)
    process.wait(60)
    wait_for("saved-*", jobs)
    assert (tmp_path / "interrupted").exists() == (number != signal.SIGKILL)


def test_interrupted_while_a_process_starts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Otherwise, nobody would stop that process, and the command would wait for it forever."""
    kind = multiprocessing.get_context("forkserver").Process
    original = kind.start

    def start(self: Any) -> None:
        original(self)
        os.kill(os.getpid(), signal.SIGINT)

    monkeypatch.setattr(kind, "start", start)
    others = set(multiprocessing.active_children())  # of other tests
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        with pytest.raises(KeyboardInterrupt):
            list(run_all(work, [("long", tmp_path)] * 2, 2))
    finally:
        signal.signal(signal.SIGINT, before)
    assert set(multiprocessing.active_children()) <= others
