"""No command replaces anything that it was not told to replace.

Every command that writes is tried with every kind of target that may be there already: what was there must be the same
afterwards, and the error is one line. The normal run draws a sample; ``ELMO_TEST_FULL=1`` tries everything.
"""

import itertools
import os
import random
import socket
import stat
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

import pytest
import typer
from commands import error_of, run, run_apart

import elmo
from elmo.cli.main import app

FILE_COMMANDS: dict[str, list[str]] = {
    "embed": ["embed", "{text}", "-m", "{model}", "-o", "{out}", "--format", "npz"],
    "embed -": ["embed", "-", "-m", "{model}", "-o", "{out}", "--format", "npz"],
    "embed --state carry": ["embed", "{text}", "-m", "{model}", "-o", "{out}", "--format", "npz", "--state", "carry"],
    "embed --resume": ["embed", "{text}", "-m", "{model}", "-o", "{out}", "--format", "npz", "--resume"],
    "export": ["export", "{model}", "{out}"],
    "task predict": ["task", "predict", "{text}", "{text}", "-o", "{out}"],
}
"""Commands that write a file."""
FOLDER_COMMANDS: dict[str, list[str]] = {
    "embed --sharded": ["embed", "{text}", "-m", "{model}", "-o", "{out}", "--format", "npz", "--sharded"],
    "convert": ["convert", "{model}", "{out}"],
    "prepare": ["prepare", "{text}", "-o", "{out}", "--workers", "1"],
    "prepare --overwrite": ["prepare", "{text}", "-o", "{out}", "--workers", "1", "--overwrite"],
    "pretrain": ["pretrain", "{corpus}", "-o", "{out}", "--recipe", "tiny", "--device", "cpu"],
    "pretrain --resume": ["pretrain", "{corpus}", "-o", "{out}", "--resume", "--device", "cpu"],
    "finetune": ["finetune", "{text}", "-m", "small", "-o", "{out}", "--device", "cpu"],
    "finetune --resume": ["finetune", "{text}", "-m", "small", "-o", "{out}", "--resume", "--device", "cpu"],
    "task train": ["task", "train", "sst", "--train", "{trees}", "--dev", "{trees}", "-o", "{out}", "--device", "cpu"],
    "task train --resume": ["task", "train", "sst", "-o", "{out}", "--resume", "--device", "cpu"],
    "analyze cove-train": ["analyze", "cove-train", "{pairs}", "--vectors", "{vectors}", "-o", "{out}"],
    "analyze wsd": ["analyze", "wsd", "--data", "{data}", "-m", "{model}", "-o", "{out}"],
    "analyze pos": ["analyze", "pos", "--data", "{data}", "-m", "{model}", "-o", "{out}"],
    "analyze play": ["analyze", "play", "--data", "{data}", "-m", "{model}", "-o", "{out}"],
    "analyze contamination": ["analyze", "contamination", "{text}", "--data", "{data}", "-o", "{out}"],
    "analyze geometry": ["analyze", "geometry", "{text}", "-m", "{model}", "-o", "{out}"],
    "analyze homonyms": ["analyze", "homonyms", "--senses", "{text}", "-m", "{model}", "-o", "{out}"],
    "analyze map": ["analyze", "map", "the", "--corpus", "{text}", "-m", "{model}", "-o", "{out}"],
    "reproduce": [
        "reproduce",
        "table1",
        "--data",
        "{data}",
        "-m",
        "{model}",
        "-o",
        "{out}",
        "--quick",
        "--vectors",
        "{vectors}",
    ],
    "neighbors": ["neighbors", "the", "--in", "the play", "--corpus", "{text}", "-m", "{model}", "--index", "{out}"],
    "serve": ["serve", "--model", "{model}", "--corpus", "{text}", "--index", "{out}", "--port", "0"],
}
"""Commands that write a folder."""
OUTPUTS = {"output", "target", "index"}
"""Names of the parameters that are written to."""


def sample(count: int, *values: Iterable[str]) -> list[tuple[str, ...]]:
    """Draw some combinations of the values, or return all of them if everything is to be tested."""
    cases = list(itertools.product(*values))
    return cases if os.environ.get("ELMO_TEST_FULL") else random.Random(1).sample(cases, count)


def commands(group: Any = None, path: tuple[str, ...] = ()) -> Iterator[tuple[str, Any]]:
    """List the commands of the command line, with their parameters."""
    group = group or typer.main.get_command(app)
    for name, command in group.commands.items():
        if hasattr(command, "commands"):
            yield from commands(command, (*path, name))
        else:
            yield " ".join((*path, name)), command


def test_every_command_that_writes_is_tried() -> None:
    """A new command must be added above, and a new option that writes must have one of the names."""
    writing = {name for name, command in commands() if OUTPUTS & {parameter.name for parameter in command.params}}
    tried = {name.split(" -")[0] for name in {**FILE_COMMANDS, **FOLDER_COMMANDS}}
    assert writing == tried
    for name, command in commands():
        for parameter in command.params:
            text = (getattr(parameter, "help", None) or "").lower()
            if any(word in text for word in ("file to write", "folder to write", "folder for", "folder of the index")):
                assert parameter.name in OUTPUTS, f"{name}: {parameter.name}"


def make_socket(path: Path) -> None:
    with socket.socket(socket.AF_UNIX) as connection:
        connection.bind(str(path))


def make_folder(path: Path) -> None:
    path.mkdir()
    (path / "precious").write_text("precious")


def make_folder_with_our_names(path: Path) -> None:
    """Files that other programs write under the names that we use as well."""
    path.mkdir()
    for name in ("index.json", "model.safetensors", "words.npy", "notes.txt", "table1.md"):
        (path / name).write_text("precious")


def make_link(target: str) -> Callable[[Path], None]:
    def link(path: Path) -> None:
        (path.parent / "target").write_text("precious")
        make_folder(path.parent / "target folder")
        path.symlink_to(path.parent / target)

    return link


KINDS: dict[str, Callable[[Path], object]] = {
    "file": lambda path: path.write_text("precious"),
    "empty file": lambda path: path.touch(),
    "read-only file": lambda path: (path.write_text("precious"), path.chmod(0o400)),
    "pipe": os.mkfifo,
    "socket": make_socket,
    "link to a file": make_link("target"),
    "link to a folder": make_link("target folder"),
    "broken link": make_link("nothing"),
    "link to a device": lambda path: path.symlink_to("/dev/null"),
    "folder": make_folder,
    "folder with our names": make_folder_with_our_names,
}


@pytest.fixture(scope="module")
def places(tmp_path_factory: pytest.TempPathFactory, published_folder: Path) -> dict[str, Path]:
    """What the commands read."""
    home = tmp_path_factory.mktemp("inputs")
    (home / "text").write_text("the play was sold out .\n" * 20)
    (home / "trees").write_text("(3 (2 good) (2 .))\n" * 4)
    (home / "pairs").write_text("the play\tdas Stück\n" * 4)
    (home / "vectors").write_text("the 1 2\nplay 3 4\n")
    (home / "data" / "tasks").mkdir(parents=True)
    assert run("prepare", home / "text", "-o", home / "corpus", "--workers", "1").returncode == 0
    names = ("text", "trees", "pairs", "vectors", "data", "corpus")
    return {name: home / name for name in names} | {"model": published_folder}


def snapshot(folder: Path) -> dict[str, Any]:
    """Describe everything below a folder."""
    found: dict[str, Any] = {}
    for path in sorted(folder.rglob("*")):
        status = path.lstat()
        content: Any = None
        if path.is_symlink():
            content = path.readlink()
        elif stat.S_ISREG(status.st_mode):
            content = path.read_bytes()
        found[str(path.relative_to(folder))] = (status.st_mode, status.st_ino, content)
    return found


@pytest.mark.parametrize(("command", "kind"), sample(60, [*FILE_COMMANDS, *FOLDER_COMMANDS], KINDS))
def test_nothing_is_replaced(
    places: dict[str, Path], tmp_path: Path, command: str, kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)  # the name of a socket must be short
    KINDS[kind](Path("out"))
    before = snapshot(tmp_path)
    arguments = {**FILE_COMMANDS, **FOLDER_COMMANDS}[command]
    filled = [argument.format(**places, out="out") for argument in arguments]
    for more in [[], ["--overwrite"]] if command in FILE_COMMANDS and "file" not in kind.split() else [[]]:
        message = error_of(run(*filled, *more, stdin=b"the play\n"))
        assert "out" in message
        assert snapshot(tmp_path) == before


@pytest.mark.parametrize(
    ("command", "source", "name"),
    sample(
        20,
        [name for name, command in FILE_COMMANDS.items() if "{text}" in command],
        ["text", "hard", "link"],
        ["text", "./text", "x/../text", "hard", "link", "folder/text"],
    ),
)
def test_the_input_is_never_replaced(
    places: dict[str, Path], tmp_path: Path, command: str, source: str, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("text").write_text("precious\n")
    Path("link").symlink_to("text")
    Path("hard").hardlink_to("text")
    Path("folder").symlink_to(".")
    Path("x").mkdir()
    before = snapshot(tmp_path)
    filled = [argument.format(**{**places, "text": source, "out": name}) for argument in FILE_COMMANDS[command]]
    message = error_of(run(*filled, "--overwrite"))
    assert "is also read as input" in message or "is a symbolic link" in message
    assert snapshot(tmp_path) == before


def test_standard_input_may_be_the_file(published_folder: Path, tmp_path: Path) -> None:
    (tmp_path / "text.npz").write_text("precious\n")
    with (tmp_path / "text.npz").open("rb") as text:
        result = run_apart("embed", "-", "-o", tmp_path / "text.npz", "-m", published_folder, "--overwrite", stdin=text)
    assert "is also read as input" in error_of(result)
    assert (tmp_path / "text.npz").read_text() == "precious\n"


def test_the_model_is_input(published_folder: Path, tmp_path: Path) -> None:
    elmo.load(published_folder).save(tmp_path / "model")
    (tmp_path / "text.txt").write_text("a\n")
    target = tmp_path / "model" / "model.safetensors"
    before = target.read_bytes()
    command = ["embed", tmp_path / "text.txt", "-m", tmp_path / "model", "-o", target, "--overwrite"]
    assert "is also read as input" in error_of(run(*command))
    assert target.read_bytes() == before


@pytest.mark.parametrize("target", ["/dev/null", "/dev/stdout", "/dev/full", "-"])
@pytest.mark.parametrize("command", FILE_COMMANDS)
def test_devices(places: dict[str, Path], command: str, target: str) -> None:
    """There is no output to a stream: formats need to seek, and ``task predict`` prints without ``-o``."""
    before = os.lstat(target) if target != "-" else None
    filled = [argument.format(**places, out=target) for argument in FILE_COMMANDS[command]]
    for more in ([], ["--overwrite"]):
        message = error_of(run(*filled, *more))
        assert "is a " in message or "standard output is not supported" in message
    assert target == "-" or os.lstat(target).st_ino == before.st_ino  # type: ignore[union-attr]


def test_overwrite(published_folder: Path, tmp_path: Path) -> None:
    """What may be replaced is replaced, when the command says so."""
    (tmp_path / "text.txt").write_text("a b\n")
    command = ["embed", tmp_path / "text.txt", "-m", published_folder, "-o"]
    assert run(*command, tmp_path / "new.npz").returncode == 0
    (tmp_path / "old.npz").write_text("old")
    assert "already exists; use --overwrite" in error_of(run(*command, tmp_path / "old.npz"))
    assert (tmp_path / "old.npz").read_text() == "old"
    assert run(*command, tmp_path / "old.npz", "--overwrite").returncode == 0
    assert (tmp_path / "old.npz").read_bytes() == (tmp_path / "new.npz").read_bytes()
