"""Run ``elmo`` commands in processes that die at a chosen file operation. As with SIGKILL, nothing is cleaned up.

The processes are forked from a server that has imported everything, so that each takes a fraction of a second.
"""

import contextlib
import io
import json
import multiprocessing
import os
import sys
import traceback
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import safetensors.torch
import torch
import torch._dynamo  # optimizers import it; here once, not in every process

import elmo.cli.main
import elmo.paper.task_runs
import elmo.tasks.trainer
import elmo.train.checkpoints
import elmo.train.finetune
import elmo.train.run
import elmo.weights.folder

with contextlib.suppress(ImportError):
    import torch.utils.tensorboard

KILLED = 137
WRITING = {"os.rename", "os.remove", "os.rmdir", "os.mkdir", "os.truncate", "os.symlink", "os.link"}
QUICK = {"ner": elmo.paper.task_runs.QuickSettings(12, 6, 3, {"dim": 8})}


class Ending(NamedTuple):
    """How a command ended."""

    code: int
    operations: int
    """File operations that it carried out under the watched folder."""
    error: str


def command(folder: Path, *arguments: object, kill_at: int = 0) -> Ending:
    """Run a command that writes under ``folder``, and kill it before its file operation number ``kill_at``."""
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(["robustness.killing"])
    report = folder.with_name(f"{folder.name}.report")
    report.unlink(missing_ok=True)
    process = context.Process(target=_child, args=(str(folder), list(map(str, arguments)), kill_at, str(report)))
    process.start()
    process.join(120)
    assert process.exitcode is not None, "the command hangs"
    operations, error = json.loads(report.read_text()) if report.exists() else (0, "")
    return Ending(process.exitcode, operations, error)


def _child(folder: str, arguments: list[str], kill_at: int, report: str) -> None:
    count = 0

    def operation(die: Callable[[], Any] = lambda: None) -> None:
        nonlocal count
        count += 1
        if count == kill_at:
            die()
            os._exit(KILLED)

    def watch(event: str, values: tuple[Any, ...]) -> None:
        writes = event in WRITING or (event == "open" and _writes(values))
        if writes and any(os.fsdecode(value).startswith(folder) for value in values if isinstance(value, str | bytes)):
            operation()

    def save_file(tensors: Any, path: Any, metadata: Any = None) -> None:
        operation()
        safetensors.torch.save_file(tensors, path, metadata)
        operation(lambda: os.truncate(path, Path(path).stat().st_size // 2))

    torch.set_num_threads(1)
    elmo.train.checkpoints.save_file = elmo.weights.folder.save_file = save_file  # its operations are not Python's
    elmo.paper.task_runs.QUICK = QUICK
    elmo.train.run.draw_curve = lambda *arguments: None  # takes longer than the rest
    errors = io.StringIO()
    sys.stderr, sys.stdout = errors, io.StringIO()
    sys.argv = ["elmo", *arguments]
    sys.addaudithook(watch)
    code: Any = 1
    try:
        elmo.cli.main.main()
    except SystemExit as end:
        code = end.code
    except BaseException:
        traceback.print_exc()
    finally:
        Path(report).write_text(json.dumps((count, errors.getvalue())))
    os._exit(int(code or 0))


def _writes(values: tuple[Any, ...]) -> bool:
    return bool(values[2] & (os.O_WRONLY | os.O_RDWR | os.O_CREAT)) if isinstance(values[2], int) else False
