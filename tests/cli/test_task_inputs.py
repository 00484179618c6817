"""``elmo task predict`` with texts that no one would choose: a result, or one line that says what is wrong."""

import json
import os
from pathlib import Path

import pytest
from commands import error_of, run

from elmo.tasks.task import TASKS

PAIRS = ("squad", "snli")
FINDS_NOTHING = ("ner", "srl", "coref")
"""Tasks for which a text without anything to find is not an error."""


def typed(name: str, text: str) -> str:
    return f"Who came? ||| {text}" if name in PAIRS else text


@pytest.mark.parametrize("name", TASKS)
class TestEveryTask:
    @pytest.mark.parametrize(
        "text",
        [
            "😀 😀😀 👩🏽‍🚀",
            "나는 학교에 갔다. 그는 오지 않았다.",
            "Кошка сидит. 東京は大きい。",
            "!",
            "x" * 5000,
            "x " * 300 + "x",
        ],
    )
    def test_unusual_text(self, name: str, text: str, task_folders: dict[str, Path]) -> None:
        result = run("task", "predict", task_folders[name], typed(name, text))
        assert result.returncode == 0, result.stderr
        assert text[0] in result.stdout.decode()
        found = json.loads(run("task", "predict", task_folders[name], typed(name, text), "--json").stdout)
        assert text in (found.get("text"), found.get("passage"), found.get("hypothesis"))

    def test_empty_text(self, name: str, task_folders: dict[str, Path], tmp_path: Path) -> None:
        (tmp_path / "empty.txt").write_text(" \n\n")
        for arguments in ([""], [" "], ["", "  "], [tmp_path / "empty.txt"], []):
            assert (
                error_of(run("task", "predict", task_folders[name], *arguments)) == "elmo: there is no text to predict"
            )

    def test_a_file_that_is_missing(self, name: str, task_folders: dict[str, Path]) -> None:
        result = run("task", "predict", task_folders[name], "no-such-file.txt")
        assert error_of(result) == "elmo: no-such-file.txt: cannot be read (No such file or directory)"

    def test_a_very_long_text(self, name: str, task_folders: dict[str, Path], tmp_path: Path) -> None:
        count = 100_000 if os.environ.get("ELMO_TEST_FULL") else 3_000
        (tmp_path / "long.txt").write_text(typed(name, "word " * count))
        result = run("task", "predict", task_folders[name], tmp_path / "long.txt", "--json")
        if name == "snli":
            error = f"the hypothesis has {count:,} words; the model reads at most 1,000"
            assert error_of(result) == f"elmo: {tmp_path / 'long.txt'}, line 1: {error}"
        else:
            assert result.returncode == 0, result.stderr
            assert json.loads(result.stdout)

    def test_text_that_is_not_utf_8(self, name: str, task_folders: dict[str, Path], tmp_path: Path) -> None:
        (tmp_path / "latin.txt").write_bytes("Zoë".encode("latin-1"))
        assert "latin.txt" in error_of(run("task", "predict", task_folders[name], tmp_path / "latin.txt"))


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("squad", "Who came?", "write a question and a passage with ||| between them"),
        ("squad", "Who came? |||", "the passage is empty"),
        ("squad", "||| Ann came.", "the question is empty"),
        ("squad", "Who? ||| Ann ||| came.", "write a question and a passage with ||| between them"),
        ("squad", f"{'why ' * 1001} ||| Ann came.", "the question has 1,001 words; the model reads at most 1,000"),
        ("snli", "A man sleeps.", "write a premise and a hypothesis with ||| between them"),
        ("snli", "||| A man sleeps.", "the premise is empty"),
    ],
)
def test_a_missing_part(name: str, text: str, message: str, task_folders: dict[str, Path], tmp_path: Path) -> None:
    """The message says which text it is about, if there are several, and nothing else is printed."""
    folder = task_folders[name]
    assert error_of(run("task", "predict", folder, text)).startswith(f"elmo: {message}")
    assert error_of(run("task", "predict", folder, "a ||| b", text)).startswith(f"elmo: text 2: {message}")
    stdin = f"a ||| b\n\n{text}\n".encode()
    assert error_of(run("task", "predict", folder, stdin=stdin)).startswith(f"elmo: text 3: {message}")
    (tmp_path / "asked.txt").write_bytes(stdin)
    line = f"elmo: {tmp_path / 'asked.txt'}, line 3: {message}"
    assert error_of(run("task", "predict", folder, tmp_path / "asked.txt", "--json")).startswith(line)
    output = tmp_path / "results.jsonl"
    assert error_of(run("task", "predict", folder, tmp_path / "asked.txt", "-o", output)).startswith(line)
    assert not output.exists()


def test_markup_in_the_terminal(task_folders: dict[str, Path]) -> None:
    """Text that looks like the markup of Rich, or like an escape sequence, is printed as it is."""
    text = "[bold]Ann[/] saw [/red] \\[ Hugo"
    assert text in run("task", "predict", task_folders["sst"], text).stdout.decode()
