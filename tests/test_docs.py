"""The README's Python runs, and its commands exist."""

import re
import shutil
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text("utf-8")
SNIPPETS = re.findall(r"```python\n(.*?)```", README, flags=re.DOTALL)


@pytest.mark.parametrize("snippet", SNIPPETS, ids=[s.splitlines()[-1][:40] for s in SNIPPETS])
def test_snippets(snippet: str) -> None:
    exec(compile(snippet, "README.md", "exec"), {})


def test_commands() -> None:
    makefile = (ROOT / "Makefile").read_text()
    for command in re.findall(r"^make (\w+)", README, flags=re.MULTILINE):
        assert f"\n{command}:" in makefile
    from elmo.cli.main import app

    known = {command.callback.__name__ for command in app.registered_commands}
    known |= {group.typer_instance.info.name for group in app.registered_groups}
    used = set(re.findall(r"^elmo (\w+) ", README, flags=re.MULTILINE))
    assert used
    assert used <= known


def test_demo(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.chdir(tmp_path)
    code = compile((ROOT / "examples" / "demo.py").read_text("utf-8"), "demo.py", "exec")
    exec(code, {"__name__": "__main__"})
    output = capsys.readouterr().out
    assert "12 words x 3 layers x 256 numbers" in output
    stage, sports = map(float, re.findall(r"second LSTM layer +on stage ([\d.]+), in sports ([\d.]+)", output)[0])
    assert stage > sports + 0.1
    shutil.rmtree(tmp_path / "demo")
