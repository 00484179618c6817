"""Every numeric option of every training command, with values that make no sense: one line, and nothing is written."""

import inspect
import typing
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any

import pytest
from commands import run
from train.tiny import made_up_text

from elmo.cli.finetune import finetune
from elmo.cli.prepare import prepare
from elmo.cli.pretrain import pretrain
from elmo.cli.reproduce import reproduce
from elmo.cli.task import train as task_train

COMMANDS = {
    "prepare": prepare,
    "pretrain": pretrain,
    "finetune": finetune,
    "task train": task_train,
    "reproduce": reproduce,
}
VALUES = ("0", "-1", "nan", "inf", "1e30", "1000000000000000000000000000000")
ALLOWED = {
    ("prepare", "--heldout-fraction", "0"),
    ("prepare", "--seed", "0"),
    ("pretrain", "--seed", "0"),
    ("pretrain", "--workers", "0"),
    ("pretrain", "--dropout", "0"),
    ("finetune", "--seed", "0"),
    ("task train", "--seed", "0"),
    ("task train", "--lambda", "0"),
    ("task train", "--max-vectors", "0"),
}
"""What does make sense among these values."""
HARMLESS = {("prepare", option, VALUES[-1]) for option in ("--vocabulary-size", "--min-count", "--max-types")}
HARMLESS |= {("task train", "--max-vectors", VALUES[-1])}
"""Limits that no text reaches."""


def numeric_options() -> Iterator[tuple[str, str]]:
    """Find the options whose type is a number."""
    for command, function in COMMANDS.items():
        for name, hint in typing.get_type_hints(function, include_extras=True).items():
            kinds = typing.get_args(hint)
            declared = [part for part in kinds[1:] if type(part).__name__ == "OptionInfo"]
            plain = kinds[0] if typing.get_origin(hint) is Annotated else hint
            if declared and ({int, float} & {plain, *typing.get_args(plain)}):
                spelled = (declared[0].default, *(declared[0].param_decls or ()))
                given = [text for text in spelled if str(text).startswith("--")]
                yield command, given[0] if given else f"--{name.replace('_', '-')}"


OPTIONS = sorted(numeric_options())


@pytest.fixture(scope="module")
def arguments(published_folder: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, tuple[Any, ...]]:
    """Valid arguments of every command, so that the option under test is the only mistake."""
    folder = tmp_path_factory.mktemp("options")
    (folder / "text.txt").write_text(made_up_text(30))
    (folder / "train.conll").write_text("in O\nElmo B-place\n\n" * 3)
    assert run("prepare", folder / "text.txt", "-o", folder / "corpus", "--heldout-fraction", 0.2).returncode == 0
    (folder / "data/tasks").mkdir(parents=True)
    data = ("--train", folder / "train.conll", "--dev", folder / "train.conll")
    return {
        "prepare": ("prepare", folder / "text.txt"),
        "pretrain": ("pretrain", folder / "corpus", "--recipe", "tiny"),
        "finetune": ("finetune", folder / "text.txt", "--model", published_folder),
        "task train": ("task", "train", "ner", *data, "--elmo", published_folder),
        "reproduce": ("reproduce", "table1", "--data", folder / "data"),
    }


def test_all_of_them_are_found() -> None:
    assert len(OPTIONS) >= 25
    assert {command for command, _ in OPTIONS} == COMMANDS.keys()
    assert inspect.signature(pretrain).parameters["rows"], "an option that is certainly numeric"
    assert ("pretrain", "--rows") in OPTIONS
    assert ("task train", "--lambda") in OPTIONS


@pytest.mark.parametrize(("command", "option"), OPTIONS, ids=lambda part: part.replace(" ", "-"))
def test_values_that_make_no_sense(command: str, option: str, arguments: dict, tmp_path: Path) -> None:
    for value in VALUES:
        if (command, option, value) in ALLOWED:
            continue
        output = tmp_path / f"run{value}"
        result = run(*arguments[command], "-o", output, option, value)
        if (command, option, value) in HARMLESS and result.returncode == 0:
            continue
        lines = result.stderr.decode().splitlines()
        assert result.returncode == 2, (value, lines)
        assert len(lines) == 1, lines
        name = option.removeprefix("--").replace("lambda", "penalty")
        assert name in lines[0].replace("_", "-"), lines[0]
        assert not output.exists() or command == "reproduce"
