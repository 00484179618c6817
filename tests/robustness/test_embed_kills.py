"""``embed`` survives kills, errors of the file system, full disks and damaged files at any point.

Whatever happens to a run, the resumed one gives the same output, byte for byte, and leaves nothing else behind. The
normal run draws a sample of the points; ``ELMO_TEST_FULL=1`` goes through all of them.
"""

import contextlib
import errno
import functools
import io
import itertools
import os
import random
import resource
import signal
import warnings
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
import pytest
from robustness.damage import flipped

import elmo
from elmo.config import Format
from elmo.embed.job import embed_file
from elmo.files import parts_folder

FULL = bool(os.environ.get("ELMO_TEST_FULL"))
LINES = ["The play was sold out .", "", "손을 씻고", "a b", "a b", "Dem Volke", "last"]
FORMATS: list[Format] = ["hdf5", "parquet", "safetensors", "npz"]
SPACE_CONSUMING = ("mkdir", "open", "write", "fsync", "rename", "replace")
pytestmark = pytest.mark.filterwarnings("ignore:This process.*multi-threaded:DeprecationWarning")
Case = TypeVar("Case")


def sample(cases: Sequence[Case], count: int, seed: object) -> list[Case]:
    """Draw some of the cases, or return all of them if everything is to be tested."""
    return list(cases) if FULL or len(cases) <= count else random.Random(str(seed)).sample(cases, count)


@pytest.fixture
def text(tmp_path: Path) -> Path:
    (tmp_path / "text.txt").write_text("\n".join(LINES), "utf-8")
    return tmp_path / "text.txt"


def run(text: Path, output: Path, model: elmo.Embedder, format: Format, sharded: bool, resume: bool = False) -> Any:
    return embed_file(text, output, model, format=format, sharded=sharded, resume=resume, shard_lines=2)


def finish(text: Path, output: Path, model: elmo.Embedder, format: Format, sharded: bool) -> None:
    """Do what a user does after an interruption: resume, unless the output is there and nothing else is left."""
    if not output.exists() or parts_folder(output).exists():
        try:
            run(text, output, model, format, sharded, resume=True)
        except FileExistsError:  # there was nothing to resume: the run was interrupted after its last step but one
            assert output.exists()


def contents(path: Path) -> dict[str, bytes]:
    """Return the content of a file, or of the files in a folder."""
    return {file.name: file.read_bytes() for file in path.iterdir()} if path.is_dir() else {"": path.read_bytes()}


@contextlib.contextmanager
def before_each_operation(act: Callable[[int, str], None]) -> Iterator[None]:
    """Call a function with a running number and a name before every operation that changes the file system."""
    numbers = itertools.count()

    def wrap(name: str, operation: Callable) -> Callable:
        @functools.wraps(operation)
        def wrapped(*arguments: Any, **options: Any) -> Any:
            act(next(numbers), name)
            return operation(*arguments, **options)

        return wrapped

    def opening(path: Any, mode: str = "r", *arguments: Any, **options: Any) -> Any:
        if set(mode) & set("wax+"):
            act(next(numbers), "open")
        return plain_open(path, mode, *arguments, **options)

    plain_open = io.open
    with pytest.MonkeyPatch.context() as patch:
        for name in ("mkdir", "rename", "replace", "unlink", "rmdir", "write", "fsync"):
            patch.setattr(os, name, wrap(name, getattr(os, name)))
        patch.setattr(io, "open", opening)
        yield


def operations(text: Path, output: Path, model: elmo.Embedder, format: Format, sharded: bool) -> list[str]:
    """Run a job without interruption, and return the names of its operations."""
    names: list[str] = []
    with before_each_operation(lambda number, name: names.append(name)):
        run(text, output, model, format, sharded)
    return names


def in_child(action: Callable[[], object]) -> int:
    """Run an action in a process of its own, and return the exit code: 0, 2 for an expected error, -9 if killed."""
    if (child := os.fork()) == 0:
        code = 1
        try:
            action()
            code = 0
        except (OSError, ValueError):
            code = 2
        finally:
            os._exit(code)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


def kill_at(moment: int) -> Callable[[int, str], None]:
    return lambda number, name: os.kill(os.getpid(), signal.SIGKILL) if number == moment else None


@pytest.mark.parametrize("sharded", [False, True], ids=["file", "sharded"])
@pytest.mark.parametrize("format", FORMATS)
class TestInterrupted:
    def test_killed(self, model: elmo.Embedder, text: Path, tmp_path: Path, format: Format, sharded: bool) -> None:
        """Before any operation, and again while it resumes."""
        whole = tmp_path / "whole"
        moments = range(len(operations(text, whole, model, format, sharded)))
        assert len(moments) > 30
        for moment in sample(moments, 4, f"kill {format} {sharded}"):
            output = tmp_path / f"killed{moment:06}"
            with before_each_operation(kill_at(moment)):
                assert in_child(functools.partial(run, text, output, model, format, sharded)) == -9
            if moment % 2 and not output.exists():
                with before_each_operation(kill_at(moment // 2)):
                    again = in_child(functools.partial(run, text, output, model, format, sharded, resume=True))
                assert again in (0, -9)
            check(text, output, whole, model, format, sharded)

    @pytest.mark.parametrize("lasting", [False, True], ids=["once", "full disk"])
    def test_errors(
        self, model: elmo.Embedder, text: Path, tmp_path: Path, format: Format, sharded: bool, lasting: bool
    ) -> None:
        """An operation fails, alone or with all that follow because the disk is full."""
        whole = tmp_path / "whole"
        names = operations(text, whole, model, format, sharded)
        for moment in sample(range(len(names)), 5, f"error {format} {sharded} {lasting}"):
            output = tmp_path / f"failed{moment:06}"

            def fail(number: int, name: str, moment: int = moment) -> None:
                if number == moment or (lasting and number > moment and name in SPACE_CONSUMING):
                    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

            with before_each_operation(fail), contextlib.suppress(OSError):
                run(text, output, model, format, sharded)
            check(text, output, whole, model, format, sharded)

    def test_no_space(self, model: elmo.Embedder, text: Path, tmp_path: Path, format: Format, sharded: bool) -> None:
        """No file can grow beyond a limit, which also reaches the writes of SQLite, HDF5 and Arrow."""
        whole = tmp_path / "whole"
        run(text, whole, model, format, sharded)
        largest = max(map(len, contents(whole).values()))
        failed = 0
        limits = sorted({int(limit) for limit in np.geomspace(1, 2 * largest, 40)})
        for limit in sample(limits, 4, f"space {format} {sharded}"):
            output = tmp_path / f"limited{limit:06}"

            def limited(limit: int = limit, output: Path = output) -> None:
                signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
                resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))
                run(text, output, model, format, sharded)

            code = in_child(limited)
            assert code in (0, 2)
            failed += code == 2
            assert code == 0 or not output.exists()
            check(text, output, whole, model, format, sharded)
        assert failed or not FULL


def check(text: Path, output: Path, whole: Path, model: elmo.Embedder, format: Format, sharded: bool) -> None:
    """Resume a run; its output must be that of a whole run, and nothing else may be left."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")  # a part that was interrupted is not a damaged one
        finish(text, output, model, format, sharded)
    assert contents(output) == contents(whole)
    assert {path.name for path in text.parent.iterdir() if path.name.startswith((".", output.name))} == {output.name}


def test_killed_in_one_pass(model: elmo.Embedder, tmp_path: Path) -> None:
    """A stream cannot be resumed, but what it leaves is removed by the next run."""
    embed_file(iter(LINES), tmp_path / "whole.npz", model)
    names: list[str] = []
    with before_each_operation(lambda number, name: names.append(name)):
        embed_file(iter(LINES), tmp_path / "counted.npz", model)
    for moment in sample(range(len(names)), 5, "one pass"):
        output = tmp_path / f"killed{moment:06}.npz"
        with before_each_operation(kill_at(moment)):
            assert in_child(functools.partial(embed_file, iter(LINES), output, model)) == -9
        embed_file(iter(LINES), output, model, overwrite=output.exists())
        assert output.read_bytes() == (tmp_path / "whole.npz").read_bytes()
        assert [path.name for path in tmp_path.iterdir() if path.name.startswith(".")] == []


def interrupted(text: Path, output: Path, model: elmo.Embedder, format: Format, sharded: bool, parts: int = 3) -> Path:
    """Interrupt a job after some parts, and return the folder of these."""

    def stop(stage: str, sentences: int, total: int | None, words: int) -> None:
        if sentences > 2 * parts:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        embed_file(text, output, model, format=format, sharded=sharded, shard_lines=2, progress=stop)
    folder = parts_folder(output)
    assert len(list(folder.glob("part-*"))) == parts
    return folder


DAMAGE: dict[str, Callable[[bytes, random.Random], bytes | None]] = {
    "a flipped bit": flipped,
    "truncated": lambda content, rng: content[: rng.randrange(1, len(content))],
    "empty": lambda content, rng: b"",
    "longer": lambda content, rng: content + b"\0",
    "zeros": lambda content, rng: bytes(len(content)),
    "text": lambda content, rng: b"not a part\n",
    "missing": lambda content, rng: None,
}


@pytest.mark.parametrize("sharded", [False, True], ids=["file", "sharded"])
@pytest.mark.parametrize("format", FORMATS)
def test_damaged_parts(model: elmo.Embedder, text: Path, tmp_path: Path, format: Format, sharded: bool) -> None:
    """They are computed again, with a warning that names them."""
    run(text, whole := tmp_path / "whole", model, format, sharded)
    cases = list(itertools.product(DAMAGE, range(3), range(8 if FULL else 1)))
    for damage, number, seed in sample(cases, 4, f"damage {format} {sharded}"):
        output = tmp_path / f"{damage}{number}{seed}"
        folder = interrupted(text, output, model, format, sharded)
        part = sorted(folder.glob("part-*"))[number]
        content = DAMAGE[damage](part.read_bytes(), random.Random(f"{damage} {number} {seed}"))
        part.unlink() if content is None else part.write_bytes(content)
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            summary = run(text, output, model, format, sharded, resume=True)
        messages = [str(warning.message) for warning in caught]
        assert messages == (
            []
            if content is None
            else [f"{part} is damaged: it has changed since it was written; it will be computed again"]
        )
        assert summary.resumed == 4
        assert contents(output) == contents(whole)


def test_a_part_damaged_before_it_is_joined(model: elmo.Embedder, text: Path, tmp_path: Path) -> None:
    """Also within one run: parts are verified when all are there."""
    run(text, whole := tmp_path / "whole.npz", model, "npz", False)
    output = tmp_path / "out.npz"
    folder = parts_folder(output)

    def damage(stage: str, sentences: int, total: int | None, words: int) -> None:
        part = folder / "part-000001.safetensors"
        if sentences == len(LINES) and stage == "embed" and not (tmp_path / "done").exists():
            (tmp_path / "done").touch()
            part.write_bytes(flipped(part.read_bytes(), random.Random(1)))

    with pytest.warns(UserWarning, match=r"part-000001\.safetensors is damaged"):
        embed_file(text, output, model, shard_lines=2, progress=damage)
    assert output.read_bytes() == whole.read_bytes()


RECORDS = [
    "",
    "{",
    "null",
    "[]",
    '{"part": 1}\n' * 3,
    "\0" * 99,
    '{"part": "part-000000.npz", "size": "x", "sha256": 2}',
]


@pytest.mark.parametrize("name", ["_job.json", "_parts.jsonl", "_output.json"])
@pytest.mark.parametrize("content", [*RECORDS, "[" * 100_000, '{"parts": 1}', '{"parts": {"a": 1}}', None])
def test_damaged_records(model: elmo.Embedder, text: Path, tmp_path: Path, name: str, content: str | None) -> None:
    """Either the run resumes to the same output, or it refuses and says why."""
    run(text, whole := tmp_path / "whole", model, "npz", True)
    folder = interrupted(text, output := tmp_path / "out", model, "npz", True)
    if content is None:
        (folder / name).unlink(missing_ok=True)
    else:
        (folder / name).write_text(content)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        if name == "_job.json":
            with pytest.raises(ValueError, match=r"out\.parts: (cannot be resumed|the interrupted run differs in)"):
                run(text, output, model, "npz", True, resume=True)
            assert len(list(folder.glob("part-*"))) == 3
        else:
            run(text, output, model, "npz", True, resume=True)
            assert contents(output) == contents(whole) | (
                {name: content.encode()} if "_o" in name and content is not None else {}
            )


def test_output_made_meanwhile(model: elmo.Embedder, text: Path, tmp_path: Path) -> None:
    """A resumed run does not replace a file that somebody else has written since."""
    output = tmp_path / "out.npz"
    interrupted(text, output, model, "npz", False)
    output.write_text("precious")
    with pytest.raises(FileExistsError, match="already exists"):
        run(text, output, model, "npz", False, resume=True)
    assert output.read_text() == "precious"
    embed_file(text, output, model, shard_lines=2, resume=True, overwrite=True)
    run(text, tmp_path / "whole.npz", model, "npz", False)
    assert output.read_bytes() == (tmp_path / "whole.npz").read_bytes()


def test_a_foreign_part(model: elmo.Embedder, text: Path, tmp_path: Path) -> None:
    """A file that would end up in a sharded output by its name alone."""
    folder = interrupted(text, tmp_path / "out", model, "npz", True)
    (folder / "part-000009.npz").write_text("precious")
    with pytest.raises(FileExistsError, match=r"part-000009\.npz: is not a part of this job"):
        run(text, tmp_path / "out", model, "npz", True, resume=True)
    assert (folder / "part-000009.npz").read_text() == "precious"
