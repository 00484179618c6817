"""The commands as a user runs them."""

import json
import re
import resource
import shlex
import shutil
import subprocess
import sys
import time
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import h5py
import numpy as np
import pytest
import typer
from commands import error_of, run, run_apart

import elmo
from elmo.cli.main import OLD_SPELLINGS, _each_warning_once, app

TEXT = "The play was sold out .\n\n손을 씻고\r\nlast line without an end"


@pytest.fixture
def text(tmp_path: Path) -> Path:
    path = tmp_path / "text.txt"
    path.write_bytes(TEXT.encode())
    return path


class TestEmbed:
    def test_file_to_hdf5(self, text: Path, published_folder: Path, model: elmo.Embedder, tmp_path: Path) -> None:
        result = run_apart("embed", text, "-o", tmp_path / "out.h5", "--model", published_folder)
        assert result.returncode == 0, result.stderr.decode()
        assert "4 sentences, 13 words" in result.stderr.decode()
        expected = model.embed([line.rstrip("\r") for line in TEXT.split("\n")])
        with h5py.File(tmp_path / "out.h5") as file:
            assert sorted(file) == ["0", "1", "2", "3", "sentence_to_index"]
            for index, sentence in enumerate(expected):
                np.testing.assert_allclose(file[str(index)][...], sentence.layers, atol=1e-6)

    @pytest.mark.parametrize(
        ("options", "name", "expected"),
        [
            pytest.param([], "out.npz", {}, id="format by name"),
            pytest.param(["--format", "npz"], "out.bin", {}, id="format by option"),
            pytest.param(["--layers", "top"], "out.npz", {"layers": "top"}, id="top"),
            pytest.param(["--layers", "0", "--pool", "mean"], "out.npz", {"layers": 0, "pool": "mean"}, id="pool"),
            pytest.param(["--state", "warm"], "out.npz", {"initial_state": "warm"}, id="warm"),
            pytest.param(
                ["--initial-state", "carry", "--batch-sentences", "2"],
                "out.npz",
                {"initial_state": "carry", "batch_sentences": 2},
                id="carry",
            ),
            pytest.param(["--tokenize", "words", "--batch-tokens", "9"], "out.npz", {"tokenize": "words"}, id="words"),
        ],
    )
    def test_options(self, published_folder, model, tmp_path: Path, options, name, expected) -> None:
        lines = ["I can't wait.", "It was sold out ."]
        result = run(
            "embed",
            "-",
            "-o",
            tmp_path / name,
            "-m",
            published_folder,
            *options,
            stdin="\n".join(lines).encode(),
        )
        assert result.returncode == 0, result.stderr.decode()
        with np.load(tmp_path / name) as file:
            for index, sentence in enumerate(model.embed(lines, **expected)):
                found = file["vectors"][index] if "pool" in expected else file[str(index)]
                np.testing.assert_allclose(found, sentence.layers, atol=2e-6)

    def test_a_byte_order_mark_is_no_word(self, published_folder, tmp_path: Path) -> None:
        stdin = "\ufeffa b\n".encode()
        assert run("embed", "-", "-o", tmp_path / "o.h5", "-m", published_folder, stdin=stdin).returncode == 0
        with h5py.File(tmp_path / "o.h5") as file:
            assert json.loads(file["sentence_to_index"].asstr()[0]) == {"a b": "0"}

    @pytest.mark.parametrize(
        ("arguments", "message"),
        [
            (["{text}", "-o", "{tmp}/o.h5", "-m", "{tmp}/none"], "no such folder or archive"),
            (["{text}", "-o", "{tmp}/o.h5", "-m", "{tmp}"], "no model found"),
            (["{tmp}/none.txt", "-o", "{tmp}/o.h5", "-m", "{model}"], "none.txt: cannot be read"),
            (["{tmp}", "-o", "{tmp}/o.h5", "-m", "{model}"], "cannot be read"),
            (["{text}", "-o", "{text}/o.h5", "-m", "{model}"], "o.h5: cannot be written"),
            (["{text}", "-o", "{tmp}", "-m", "{model}"], "is a directory"),
            (["{text}", "-o", "{tmp}/o.h5", "-m", "{model}", "--layers", "7"], "layers must be"),
            (["{text}", "-o", "{tmp}/o.h5", "-m", "{model}", "--layers", "bottom"], "layers must be"),
            (["{text}", "-o", "{tmp}/o.h5", "-m", "{model}", "--pool", "min"], "--pool"),
            (["{text}", "-o", "{tmp}/o.h5", "-m", "{model}", "--batch-tokens", "0"], "--batch-tokens"),
            (["{text}", "-o", "{tmp}/o.h5", "-m", "{model}", "--device", "abacus"], "--device abacus"),
            (["{text}", "-m", "{model}"], "--output"),
            (["-", "-o", "{tmp}/o.h5", "-m", "{model}", "--resume"], "resume is not possible: the input can be read"),
            (["-", "-o", "{tmp}/o.h5", "-m", "{model}", "--ray"], "ray is not possible"),
            (
                ["{text}", "-o", "{tmp}/o.h5", "-m", "{model}", "--resume", "--state", "carry"],
                "depends on all sentences before it",
            ),
            (["{text}", "-o", "{tmp}/o.h5", "-m", "{model}", "--ray-workers", "2"], "require --ray"),
            (["{text}", "-o", "{text}", "-m", "{model}", "--sharded"], "text.txt: already exists"),
            (["{text}", "-o", "{tmp}/o.csv", "-m", "{model}"], "use .h5, .hdf5, .parquet, .safetensors, .npz, or"),
            (["{text}", "-o", "{tmp}/o", "-m", "{model}", "--sharded"], "o: the extension does not name a format"),
        ],
    )
    def test_bad_input(self, text: Path, published_folder, tmp_path: Path, arguments, message) -> None:
        before = sorted(tmp_path.iterdir())
        places = {"text": text, "tmp": tmp_path, "model": published_folder}
        assert message in error_of(run("embed", *(argument.format(**places) for argument in arguments)))
        assert sorted(tmp_path.iterdir()) == before, "nothing is left behind"

    def test_text_that_is_not_utf8(self, published_folder, tmp_path: Path) -> None:
        result = run("embed", "-", "-o", tmp_path / "o.h5", "-m", published_folder, stdin=b"fine\n\xff\xfe\n")
        assert "standard input: line 2 is not valid UTF-8" in error_of(result)
        assert not list(tmp_path.iterdir())

    def test_parts(self, published_folder, model: elmo.Embedder, tmp_path: Path) -> None:
        """The vectors do not depend on how the input is cut into parts."""
        lines = [f"sentence number {i}" for i in range(20)]
        (tmp_path / "text.txt").write_text("\n".join(lines))
        command = ("embed", tmp_path / "text.txt", "-m", published_folder, "--shard-lines", "3")
        result = run(*command, "-o", tmp_path / "o.npz")
        assert "20 sentences, 60 words in" in result.stderr.decode()
        with np.load(tmp_path / "o.npz") as file:
            for index, sentence in enumerate(model.embed(lines)):
                np.testing.assert_allclose(file[str(index)], sentence.layers, atol=1e-6)
        assert run(*command, "-o", tmp_path / "o", "--format", "npz", "--sharded").returncode == 0
        assert len(list((tmp_path / "o").glob("part-*.npz"))) == 7

    @pytest.mark.parametrize("name", ["o.h5", "o.npz", "o.safetensors", "o.parquet"])
    def test_full_disk(self, text: Path, published_folder, tmp_path: Path, name: str) -> None:
        """A limit on the file size simulates a full disk."""
        home = tmp_path / "full"
        home.mkdir()
        (home / name).write_text("precious")
        text.write_text("\n".join(f"word{i} " * 20 for i in range(2000)))
        result = run_apart(
            "embed",
            text,
            "-o",
            home / name,
            "-m",
            published_folder,
            "--overwrite",
            preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (200_000, 200_000)),
        )
        assert f"{home / name}: cannot be written" in error_of(result)
        assert [(p.name, p.read_text()) for p in home.iterdir()] == [(name, "precious")]

    def test_killed(self, published_folder, tmp_path: Path) -> None:
        """A killed run leaves no file under the final name."""
        with subprocess.Popen(
            [
                sys.executable,
                "-m",
                "elmo",
                "embed",
                "-",
                "-o",
                str(tmp_path / "o.h5"),
                "-m",
                str(published_folder),
            ],
            stdin=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        ) as process:
            process.stdin.write(b"some words\n" * 5000)
            process.stdin.flush()
            for _ in range(600):
                if list(tmp_path.glob(".o.h5.*/o.h5")):
                    break
                time.sleep(0.05)
            else:
                pytest.fail("the run never started to write")
            process.kill()
        assert not (tmp_path / "o.h5").exists()


class TestConvert:
    def test_there_and_back(self, published_folder: Path, tmp_path: Path) -> None:
        assert run("convert", published_folder, tmp_path / "ours").returncode == 0
        assert run("convert", tmp_path / "ours", tmp_path / "back").returncode == 0
        assert sorted(p.name for p in (tmp_path / "back").iterdir()) == ["options.json", "weights.hdf5"]
        with (
            h5py.File(published_folder / "weights.hdf5") as a,
            h5py.File(tmp_path / "back/weights.hdf5") as b,
        ):
            a.visititems(
                lambda name, item: (
                    np.testing.assert_array_equal(item[...], b[name][...]) if isinstance(item, h5py.Dataset) else None
                )
            )

    def test_to_the_same_format(self, published_folder: Path, tmp_path: Path) -> None:
        assert run("convert", published_folder, tmp_path / "copy", "--to", "published").returncode == 0
        assert (tmp_path / "copy" / "weights.hdf5").exists()

    def test_never_over_something(self, published_folder: Path, tmp_path: Path) -> None:
        (tmp_path / "notes.txt").touch()
        assert "already exists" in error_of(run("convert", published_folder, tmp_path))
        assert "already exists" in error_of(run("convert", published_folder, tmp_path / "notes.txt"))

    def test_damaged_input(self, published_folder: Path, tmp_path: Path) -> None:
        shutil.copytree(published_folder, tmp_path / "bad")
        content = (tmp_path / "bad/weights.hdf5").read_bytes()
        (tmp_path / "bad/weights.hdf5").write_bytes(content[: len(content) // 2])
        assert "damaged HDF5" in error_of(run("convert", tmp_path / "bad", tmp_path / "out"))
        assert not (tmp_path / "out").exists()

    @pytest.mark.parametrize("to", ["elmo", "published"])
    def test_full_disk(self, published_folder: Path, tmp_path: Path, to: str) -> None:
        result = run_apart(
            "convert",
            published_folder,
            tmp_path / "out",
            "--to",
            to,
            preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (5000, 5000)),
        )
        assert "out: cannot be written" in error_of(result)
        assert not list(tmp_path.iterdir())


class TestInfo:
    def test_for_people(self, published_folder: Path) -> None:
        result = run("info", published_folder)
        assert result.returncode == 0
        output = result.stdout.decode()
        assert "published (options.json and HDF5)" in output
        assert "16 (8 forward, 8 backward)" in output

    def test_for_programs(self, published_folder: Path, tmp_path: Path) -> None:
        run("convert", published_folder, tmp_path / "ours")
        facts = json.loads(run("info", "--json", tmp_path / "ours").stdout)
        assert facts["format"] == "elmo folder"
        assert facts["lstm"]["dim"] == 12

    def test_bundled_default(self) -> None:
        assert "13,593,296" in run("info").stdout.decode()


def commands(group: Any, *path: str) -> Iterator[tuple[str, ...]]:
    """The path of every command and subcommand: (), ("embed",), ("task",), ("task", "train"), ..."""
    yield path
    for name, command in getattr(group, "commands", {}).items():
        yield from commands(command, *path, name)


COMMAND = typer.main.get_command(app)
COMMANDS = list(commands(COMMAND))


class TestHelp:
    @pytest.mark.parametrize("path", COMMANDS, ids=lambda path: " ".join(("elmo", *path)))
    def test_every_command_has_an_example_that_parses(
        self, path: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setenv("COLUMNS", "200")
        result = run(*path, "--help")
        assert result.returncode == 0
        (example,) = re.findall(r"Example: elmo (.*)", result.stdout.decode())
        arguments = shlex.split(example)
        assert tuple(arguments[: len(path)]) == path
        command, context = COMMAND, None
        while hasattr(command, "commands"):
            context = command.make_context("elmo", [arguments[0], "--"], parent=context)
            _, command, arguments = command.resolve_command(context, arguments)
        command.make_context("elmo", arguments, parent=context)  # raises if an option is unknown or missing

    @pytest.mark.parametrize("path", COMMANDS, ids=lambda path: " ".join(("elmo", *path)))
    def test_every_option_has_help(self, path: tuple[str, ...]) -> None:
        command = COMMAND
        for name in path:
            command = command.commands[name]
        assert [parameter.name for parameter in command.params if not parameter.help] == []
        shown = [command.help or "", *(parameter.help for parameter in command.params)]
        assert not [text for text in shown if re.search(r"<\w", text)], "the help leaves out what looks like a tag"

    @pytest.mark.parametrize("path", [(), *COMMANDS], ids=lambda path: " ".join(("elmo", *path)))
    def test_flags_have_no_type(self, path: tuple[str, ...]) -> None:
        shown = run(*path, "--help").stdout.decode()
        assert "--help" in shown
        assert "bool" not in shown.lower()

    @pytest.mark.parametrize("old", ["neighbours", "analyse"])
    def test_old_spellings_are_hidden_aliases(self, old: str) -> None:
        context = COMMAND.make_context("elmo", [old])
        _, command, _ = COMMAND.resolve_command(context, [old])
        assert command is COMMAND.commands[OLD_SPELLINGS[old]]
        assert old not in COMMAND.commands

    def test_version(self) -> None:
        assert run("--version").stdout.decode().strip() == f"elmo {elmo.__version__}"

    def test_unknown_command(self) -> None:
        assert "No such command 'fly'" in error_of(run_apart("fly"))

    def test_a_wrong_option_names_the_help_of_its_command(self) -> None:
        message = error_of(run("task", "train", "ner", "--layers", "middle"))
        assert "(see elmo task train --help)" in message
        assert "'middle' is not one of 'all', 'top'" in message
        assert "Value error" not in message

    def test_help_does_not_import_torch(self) -> None:
        code = (
            "import sys; sys.argv = ['elmo', '--help']\n"
            "from elmo.cli.main import main\n"
            "try: main()\n"
            "finally: assert not {'torch', 'numpy', 'h5py', 'huggingface_hub'} & sys.modules.keys()\n"
        )
        result = subprocess.run([sys.executable, "-c", code], capture_output=True)
        assert result.returncode == 0, result.stderr.decode()

    def test_a_reader_that_leaves_is_no_error(self, published_folder: Path) -> None:
        command = f"{sys.executable} -m elmo info {published_folder} | true"
        assert b"Traceback" not in subprocess.run(command, shell=True, capture_output=True).stderr


def test_a_repeated_warning_is_shown_once(capsys: pytest.CaptureFixture[str]) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("always")
        warnings.showwarning = _each_warning_once()
        for message in ("no font", "no data", "no  font"):
            warnings.warn(message, stacklevel=1)
    assert capsys.readouterr().err == "warning: no font\nwarning: no data\n"


class TestMismatch:
    """A model that has hardly seen the script of a text is used with a warning, once."""

    KOREAN = "나는 오늘 학교 에 갔다\n" * 30

    @pytest.mark.filterwarnings("default")
    @pytest.mark.parametrize("stream", [False, True], ids=["file", "stream"])
    def test_embed(self, tmp_path: Path, stream: bool) -> None:
        text = tmp_path / "text.txt"
        text.write_text(self.KOREAN, "utf-8")
        command = ("embed", "-" if stream else text, "-o", tmp_path / "o.npz", "--shard-lines", 10)
        result = run(*command, stdin=self.KOREAN.encode())
        assert result.returncode == 0
        lines = result.stderr.decode().splitlines()
        assert [line for line in lines if line.startswith("warning: 100% of the words are in a script")] == lines[:1]
        assert "(Hangul: 0 of the 100,000 words in its vocabulary)" in lines[0]

    def test_predict(self) -> None:
        result = run("predict", "나는 ___ 갔다", "-n", "1")
        assert result.stderr.decode().count("warning: ") == 1
        assert run("predict", "She went to ___ .", "-n", "1").stderr == b""

    def test_neighbors(self, tmp_path: Path) -> None:
        result = run("neighbors", "손", "--in", "손 을 씻고", "--index", tmp_path / "index", "-k", 1)
        assert result.stderr.decode().count("warning: ") == 1


def test_the_model_may_come_before_the_text() -> None:
    """The older spelling of predict, perplexity and finetune."""
    from elmo.cli.options import model_and_texts

    assert model_and_texts(None, ["small", "a.txt"]) == ("small", ["a.txt"])
    assert model_and_texts("medium", ["small", "a.txt"]) == ("medium", ["small", "a.txt"])
    assert model_and_texts(None, ["small"]) == (None, ["small"])
    assert model_and_texts(None, ["someone/model", "a.txt"]) == ("someone/model", ["a.txt"])
    assert model_and_texts(None, ["a.txt", "b.txt"]) == (None, ["a.txt", "b.txt"])
    new = run("predict", "She works as a ___ .", "--model", "small", "-n", "2")
    assert new.stdout == run("predict", "small", "She works as a ___ .", "-n", "2").stdout != b""
    assert "put it in quotes" in error_of(run("predict", "-m", "small", "She", "works ___"))
