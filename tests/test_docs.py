"""What the READMEs, the model cards and the pages of docs/ say is true: snippets run, commands and their options exist.

A page is run from top to bottom in an empty folder and one Python session, so what is made in one place can be used
below. Code in it looks like this:

- ```` ```python ````: runs.
- ```` ```console ````: the lines after ``$`` are commands and run; the others are what the command prints.
- ```` ```text ```` right behind either: what it prints.
- A first line of ``# not tested: WHY`` in the first two: does not run, for the reason given.

``elmo serve`` and ``python -m http.server`` run in the background until the end of the page, on a free port instead of
the one that the page names. ``export NAME=VALUE`` holds until the end of the page.

Of what is printed, words and whole numbers must agree, decimals nearly; seconds are free, and ``...`` is anything.
"""

import contextlib
import io
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import many_langs_files
import pytest
import typer
from commands import run

from elmo.cli.main import app

ROOT = Path(__file__).parents[1]
DOCS = ROOT / "docs"
PAGES = sorted(page for page in DOCS.rglob("*.md") if "_build" not in page.parts)
CARDS = [*(ROOT / "src" / "elmo" / "data").glob("*/README.md"), *(ROOT / "models").rglob("README.md")]
OTHERS = [ROOT / "README.md", ROOT / "README.ko.md", *sorted(CARDS)]
NOT_RUN = re.compile(r"# not tested: \S")
CHECKED_ELSEWHERE = {
    "interop.md": "tests/interop runs each example and checks its output, with the library it is about",
}
"""Pages that are not run here, and who runs what they show. That their commands exist is checked here."""
CODE = {"python", "console", "text", "json", "ini", "toml", "dockerfile", "javascript"}
PIECES = CODE | {"math", "{toctree}", "{eval-rst}"}


def _download_many_langs() -> None:
    """A random model that knows the words of the page stands in for a released one, which is too large."""
    words = [*many_langs_files.WORDS, "De", "slaapt", ".", "Hij", "woont", "in", "Gent"]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(many_langs_files, "WORDS", words)
        shutil.make_archive("download", "zip", many_langs_files.write(Path("download")))
    shutil.rmtree("download")


READER_HAS = {
    "many-languages.md": _download_many_langs,
    "results.md": lambda: shutil.copytree(ROOT / "results", "results"),
}
"""What puts the files in place that a page expects its readers to have."""


@dataclass
class Piece:
    """A fenced piece of a page."""

    kind: str
    code: str
    line: int
    prints: str | None = None
    """What the page says that it prints."""

    @property
    def is_run(self) -> bool:
        return self.kind in ("python", "console") and not NOT_RUN.match(self.code)


def pieces(page: Path) -> list[Piece]:
    """All fenced pieces; the output behind one belongs to it."""
    text = page.read_text("utf-8")
    found: list[Piece] = []
    end = -1
    for match in re.finditer(r"^(`{3,})([^\n`]*)\n(.*?)^\1$", text, flags=re.MULTILINE | re.DOTALL):
        kind, code = match[2].strip(), match[3]
        if kind == "text" and found and not text[end : match.start()].strip():
            found[-1].prints = code
        else:
            found.append(Piece(kind, code, text[: match.start()].count("\n") + 2))
        end = match.end()
    return found


def commands_in(console: str) -> Iterator[tuple[str, str | None]]:
    """Commands and what they print, None where nothing is shown.

    A backslash continues a command on the next line. A here-document belongs to its command.
    """
    for part in re.split(r"^\$ ", console.replace("\\\n", ""), flags=re.MULTILINE)[1:]:
        command = re.match(r"[^\n]*<<'(\w+)'\n(?:.*\n)*?\1$|.*", part, flags=re.MULTILINE)
        assert command is not None
        yield command[0], part[command.end() + 1 :] or None


def agree(shown: str, printed: str) -> bool:
    """Whether what a page shows is what came out."""
    decimal = r"\d[\d,]*\.\d+"
    shown, printed = " ".join(shown.split()), " ".join(printed.split())
    pattern = re.sub(r"(?:\\ )?\\\.\\\.\\\.(?:\\ )?", ".*", re.escape(shown))
    pattern = re.sub(r"\d[\d,]*(?:\\\.\d+)?\\ s\b", lambda _: r"[\d,.]+ s", pattern)
    pattern = re.sub(r"\d[\d,]*\\\.\d+", lambda _: f"({decimal})", pattern)
    match = re.fullmatch(pattern, printed)
    if match is None:
        return False
    expected = re.findall(rf"{decimal}(?!\d| s\b)", shown)
    return [float(text.replace(",", "")) for text in match.groups()] == pytest.approx(
        [float(text.replace(",", "")) for text in expected], abs=0.02, rel=0.03
    )


def expect(shown: str | None, printed: str, where: str) -> None:
    assert shown is None or agree(shown, printed), f"{where} prints\n{printed}\nand not\n{shown}"


def run_command(command: str) -> str:
    """Run a line of a console: ``elmo`` in this process, which saves the time to import torch, the rest in a shell."""
    if command.startswith("elmo "):
        result = run(*shlex.split(command)[1:])
    else:
        result = subprocess.run(["bash", "-c", command], capture_output=True, check=False)
    output = (result.stdout + result.stderr).decode()
    assert result.returncode == 0, f"{command}\n{output}"
    return output


class Servers:
    """The servers that a page has started."""

    def __init__(self) -> None:
        self.processes: list[subprocess.Popen[str]] = []
        self.ports: dict[str, str] = {}
        """From the port that the page names to the one in use."""

    def start(self, command: str) -> str:
        """Start a server, and return what it prints when it is ready."""
        if command.startswith("elmo serve"):
            options = shlex.split(command)[2:]
            named = options[options.index("--port") + 1] if "--port" in options else "8000"
            command_line = ["elmo", "serve", *options, "--port", "0"]
        else:  # python -m http.server PORT OPTIONS &
            named, *options = shlex.split(command.removesuffix("&"))[3:]
            command_line = ["http.server", "0", *options]
        process = subprocess.Popen(
            [sys.executable, "-u", "-m", *command_line], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
        )
        self.processes.append(process)
        assert process.stdout is not None
        ready = process.stdout.readline()
        match = re.search(r"127\.0\.0\.1:(\d+)", ready)
        assert match is not None, ready + process.stdout.read()
        self.ports[named] = match[1]
        return ready.replace(match[1], named)

    def redirect(self, code: str) -> str:
        """Let code use the ports that the servers listen on."""
        return re.sub(r"(?<=localhost:)\d+", lambda match: self.ports.get(match[0], match[0]), code)

    def stop(self) -> None:
        for process in self.processes:
            process.kill()
            process.communicate()


@pytest.fixture
def servers() -> Iterator[Servers]:
    started = Servers()
    yield started
    started.stop()


@pytest.mark.parametrize(
    "page",
    [page for page in [*OTHERS, *PAGES] if page.name not in CHECKED_ELSEWHERE],
    ids=lambda page: str(page.relative_to(ROOT)),
)
def test_page_runs(page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, servers: Servers) -> None:
    monkeypatch.chdir(tmp_path)
    if page.name in READER_HAS:
        READER_HAS[page.name]()
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    for name in ("ELMO_CACHE", "ELMO_MODELS_URL"):
        monkeypatch.delenv(name, raising=False)
    names: dict[str, Any] = {"__name__": "page"}
    for piece in pieces(page):
        where = f"{page.name}, line {piece.line},"
        if not piece.is_run:
            continue
        if piece.kind == "python":
            code = servers.redirect(piece.code)
            output = io.StringIO()
            with contextlib.redirect_stdout(output):
                exec(compile("\n" * (piece.line - 1) + code, page.name, "exec"), names)
            expect(piece.prints, output.getvalue(), where)
        else:
            for command, shown in commands_in(piece.code):
                if command.startswith(("elmo serve", "python -m http.server")):
                    expect(shown, servers.start(command), where)
                elif setting := re.fullmatch(r"export (\w+)=(\S+)", command):
                    monkeypatch.setenv(setting[1], servers.redirect(setting[2]))
                else:
                    expect(shown and servers.redirect(shown), run_command(servers.redirect(command)), where)


@pytest.mark.parametrize("page", [*OTHERS, *PAGES], ids=lambda page: str(page.relative_to(ROOT)))
def test_commands_exist(page: Path) -> None:
    """Every ``elmo`` command and each of its options, and every target of make."""
    text = page.read_text("utf-8")
    makefile = (ROOT / "Makefile").read_text()
    code = [*(piece.code for piece in pieces(page)), *re.findall(r"^(?:    .*\n)+", text, flags=re.MULTILINE)]
    lines = [line.strip().removeprefix("$ ") for part in code for line in part.replace("\\\n", "").splitlines()]
    lines += re.findall(r"`((?:elmo|make) [^`\n]+)`", text)
    for line in lines:
        if target := re.match(r"make ([\w-]+)", line):
            assert f"\n{target[1]}:" in makefile, line
        if re.match(r"elmo [a-z]", line):
            check_command(line)


def check_command(line: str) -> None:
    words = shlex.split(line.replace("[", "").replace("]", ""), comments=True)[1:]
    command: Any = typer.main.get_command(app)
    while words and words[0] in getattr(command, "commands", {}):
        command = command.commands[words.pop(0)]
    if hasattr(command, "commands"):  # a group of commands, as in "elmo task"
        assert not words, f"no such command: {line}"
    known = {name for option in command.params for name in (*option.opts, *option.secondary_opts)}
    for word in words:
        is_option = word.startswith("-") and word not in ("-", "-h", "--help")  # "-": standard input
        assert not is_option or word in known, f"no option {word}: {line}"


def test_pages_are_run_or_checked_elsewhere() -> None:
    """Nobody is on the list for nothing, and what is not run says why."""
    assert all((DOCS / page).exists() for page in CHECKED_ELSEWHERE)
    for page in PAGES:
        if page.name not in CHECKED_ELSEWHERE:
            kinds = {piece.kind for piece in pieces(page)}
            assert kinds <= PIECES, f"{page.name}: {kinds}"


@pytest.mark.parametrize(
    ("shown", "printed", "same"),
    [
        ("a (3, 6)\n", "a  (3, 6)", True),
        ("a (3, 6)", "a (3, 7)", False),
        ("cosine 0.53", "cosine 0.54", True),
        ("cosine 0.53", "cosine 0.63", False),
        ("2 words in 0.3 s", "2 words in 17.0 s", True),
        ("step 20, 3 s", "step 20, 14 s", True),
        ("step 20, 3 s", "step 30, 3 s", False),
        ("one\n...\nthree", "one two three", True),
        ("one", "one two", False),
    ],
)
def test_agree(shown: str, printed: str, same: bool) -> None:
    assert agree(shown, printed) is same


def test_commands_in() -> None:
    console = "$ cat > a <<'END'\nb\n\nc\nEND\n$ wc a \\\n    b\n3 5\n$ ls\n"
    assert list(commands_in(console)) == [("cat > a <<'END'\nb\n\nc\nEND", None), ("wc a     b", "3 5\n"), ("ls", None)]


def test_site_builds(tmp_path: Path) -> None:
    """As ``make docs`` does it, where Sphinx is installed: a warning is an error."""
    pytest.importorskip("sphinx", reason="the site needs the extra docs")
    command = [sys.executable, "-m", "sphinx", "-W", "--keep-going", "-q", "-d", str(tmp_path / "doctrees")]
    result = subprocess.run([*command, str(DOCS), str(tmp_path / "html")], capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stderr
    assert (tmp_path / "html" / "index.html").exists()
    # Sphinx reads "TYPE: TEXT" in the docstring of an attribute as its type, so such docstrings must have no colon.
    assert ">Type<" not in (tmp_path / "html" / "api.html").read_text("utf-8")


def test_demo(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.chdir(tmp_path)
    code = compile((ROOT / "examples" / "demo.py").read_text("utf-8"), "demo.py", "exec")
    exec(code, {"__name__": "__main__"})
    output = capsys.readouterr().out
    assert "3 layers x 12 words x 256 dimensions: The new play" in output
    stage, sports = map(float, re.findall(r"LSTM layer 2 +theater/stage ([\d.]+) +theater/sports ([\d.]+)", output)[0])
    assert stage > sports + 0.1
    shutil.rmtree(tmp_path / "demo")
