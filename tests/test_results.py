import dataclasses
import subprocess
from pathlib import Path

import pytest

from elmo import results
from elmo.results import Result, append_results, commit, machine, read_results, versions

RESULT = Result("ner", "F1", 44.5, 1, "abc", {"torch": "2"}, "hash", "a machine", 12.5, {"place": "input"})


def test_there_and_back(tmp_path: Path) -> None:
    path = tmp_path / "folder" / "results.jsonl"
    assert read_results(path) == []
    other = dataclasses.replace(RESULT, seed=2)
    append_results(path, [RESULT])
    append_results(path, [other])
    assert read_results(path) == [RESULT, other]


def test_a_line_that_a_killed_process_left_incomplete(tmp_path: Path) -> None:
    path = tmp_path / "results.jsonl"
    append_results(path, [RESULT, RESULT])
    path.write_bytes(path.read_bytes()[:-10])
    assert read_results(path) == [RESULT]
    append_results(path, [RESULT])
    assert read_results(path) == [RESULT, RESULT]


@pytest.mark.parametrize("line", ["{", '{"what": "ner"}', '{"who": 1}'])
def test_damaged(tmp_path: Path, line: str) -> None:
    (tmp_path / "r.jsonl").write_text(line + "\n")
    with pytest.raises(ValueError, match="line 1"):
        read_results(tmp_path / "r.jsonl")


def test_where_a_result_comes_from(monkeypatch: pytest.MonkeyPatch) -> None:
    assert {"elmo", "torch"} <= versions().keys()
    assert "cores" in machine("cpu")
    assert commit()
    monkeypatch.setenv("ELMO_COMMIT", "told")
    assert commit() == "told"
    monkeypatch.delenv("ELMO_COMMIT")
    monkeypatch.setenv("PATH", "")
    assert commit().startswith("version ")


def test_a_package_that_is_installed_inside_of_another_repository(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    installed = tmp_path / ".venv" / "elmo"
    installed.mkdir(parents=True)
    (tmp_path / ".gitignore").write_text(".venv\n")
    git = ["git", "-C", tmp_path, "-c", "user.name=n", "-c", "user.email=e"]
    for command in (["init"], ["add", "."], ["commit", "-m", "the user's own code"]):
        subprocess.run([*git, *command], capture_output=True, check=True)
    monkeypatch.delenv("ELMO_COMMIT", raising=False)
    monkeypatch.setattr(results, "__file__", str(installed / "results.py"))
    assert commit().startswith("version ")
