"""Run the ``elmo`` command in tests and read its one-line errors."""

import contextlib
import io
import subprocess
import sys

import pytest

from elmo.cli.main import main


def run(*arguments: object, stdin: bytes = b"") -> subprocess.CompletedProcess:
    """Run a command in this process, which saves importing torch again."""
    out, err = (io.TextIOWrapper(io.BytesIO(), "utf-8", write_through=True) for _ in range(2))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "argv", ["elmo", *map(str, arguments)])
        patch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin), "utf-8"))
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err), pytest.raises(SystemExit) as end:
            main()
    return subprocess.CompletedProcess(sys.argv, end.value.code, out.buffer.getvalue(), err.buffer.getvalue())


def run_apart(*arguments: object, **options) -> subprocess.CompletedProcess:
    """Run a command in a separate process."""
    return subprocess.run([sys.executable, "-m", "elmo", *map(str, arguments)], capture_output=True, **options)


def error_of(result: subprocess.CompletedProcess) -> str:
    """Return the single line of error output of a failed command."""
    assert result.returncode == 2, result.stderr.decode()
    lines = result.stderr.decode().splitlines()
    assert len(lines) == 1, lines
    assert lines[0].startswith("elmo: ")
    assert result.stdout == b""
    return lines[0]
