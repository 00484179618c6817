"""Ctrl-C at any moment ends a command."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from elmo.cli.interrupts import interrupts_after_imports

SWALLOWING = """
import signal
try:
    signal.raise_signal(signal.SIGINT)
except KeyboardInterrupt:
    pass
complete = True
"""
"""A module that ignores Ctrl-C while it is imported, as extension modules do."""


@pytest.fixture(autouse=True)
def listen_to_ctrl_c() -> Iterator[None]:
    """Shells start programs in the background with Ctrl-C ignored, and so they may have started these tests."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


def test_an_import_is_completed_and_then_interrupted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "swallowing.py").write_text(SWALLOWING)
    monkeypatch.syspath_prepend(tmp_path)
    with interrupts_after_imports():
        import swallowing

        assert swallowing.complete
        with pytest.raises(KeyboardInterrupt):
            time.sleep(10)
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_an_interrupt_outside_an_import_is_raised_at_once() -> None:
    with interrupts_after_imports(), pytest.raises(KeyboardInterrupt):
        signal.raise_signal(signal.SIGINT)


def test_ctrl_c_that_is_ignored_stays_ignored() -> None:
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        with interrupts_after_imports():
            signal.raise_signal(signal.SIGINT)
    finally:
        signal.signal(signal.SIGINT, before)


def test_exit_code(tmp_path: Path) -> None:
    """The command line is interrupted while its own modules are imported."""
    (tmp_path / "swallowing.py").write_text(SWALLOWING)
    os.mkfifo(tmp_path / "pipe")  # the command would wait for it forever
    code = (
        "import sys, importlib.abc\n"
        "class Finder(importlib.abc.MetaPathFinder):\n"
        "    def find_spec(self, name, *_):\n"
        "        if name == 'elmo.cli.embed':\n"
        "            import swallowing\n"
        "sys.meta_path.insert(0, Finder())\n"
        f"sys.path.insert(0, {str(tmp_path)!r})\n"
        "sys.argv = ['elmo', 'embed', 'pipe', '-o', 'out.npz']\n"
        "from elmo.__main__ import main\n"
        "main()\n"
    )
    result = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, capture_output=True, timeout=60)
    assert (result.returncode, result.stderr.decode()) == (130, "elmo: interrupted\n")
