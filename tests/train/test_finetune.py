"""Fine-tuning, as a user runs it."""

import json
import shutil
from pathlib import Path

import pytest
import typer
from commands import error_of, run
from train.tiny import made_up_text

from elmo.cli.main import app
from elmo.weights.locate import read_language_model

OTHER_WORLD = made_up_text(60, seed=5).replace("fish", "bread").replace("the", "a")


def test_perplexity_falls(trained: Path, tmp_path: Path) -> None:
    (tmp_path / "text.txt").write_text(OTHER_WORLD)
    (tmp_path / "heldout.txt").write_text(made_up_text(20, seed=6).replace("the", "a"))
    result = run(
        "finetune", trained, tmp_path / "text.txt", "-o", tmp_path / "run", "--pretokenized", "--heldout",
        tmp_path / "heldout.txt", "--learning-rate", "0.02", "--rows", "4", "--epochs", "8",
    )  # fmt: skip
    assert result.returncode == 0, result.stderr.decode()
    before, after = (
        float(line.split("mean ")[1].split()[0]) for line in result.stdout.decode().splitlines() if "mean" in line
    )
    assert after < 0.8 * before
    record = json.loads((tmp_path / "run" / "run.json").read_text())
    assert record["heldout_before"]["arithmetic"] == pytest.approx(before, abs=0.01)
    assert record["heldout"]["arithmetic"] == pytest.approx(after, abs=0.01)
    assert "already exists" in error_of(run("finetune", trained, tmp_path / "text.txt", "-o", tmp_path / "run"))
    assert read_language_model(tmp_path / "run").vocabulary == read_language_model(trained).vocabulary


def test_resumed_as_it_was_started(trained: Path, published_folder: Path, tmp_path: Path) -> None:
    (tmp_path / "text.txt").write_text(OTHER_WORLD)
    command = ("finetune", trained, tmp_path / "text.txt", "-o", tmp_path / "run", "--pretokenized")
    assert run(*command, "--rows", "4", "--epochs", "3", "--seed", "5").returncode == 0
    first = (tmp_path / "run/model.safetensors").read_bytes()
    again = run(*command, "--resume")  # finished already: nothing is trained, nothing changes
    assert again.returncode == 0, again.stderr.decode()
    assert (tmp_path / "run/model.safetensors").read_bytes() == first
    assert json.loads((tmp_path / "run/run.json").read_text())["recipe"]["rows"]["rows"] == 4
    assert "cannot be resumed" in error_of(run("finetune", published_folder, *command[2:], "--resume"))


def test_what_is_given_to_resume_must_agree_with_the_run(trained: Path, tmp_path: Path) -> None:
    text, heldout, other = (tmp_path / name for name in ("text.txt", "heldout.txt", "other.txt"))
    for path, seed in ((text, 5), (heldout, 6), (other, 7)):
        path.write_text(made_up_text(60, seed))
    raw = tmp_path / "raw"
    shutil.copytree(trained, raw)
    config = json.loads((raw / "config.json").read_text())
    (raw / "config.json").write_text(json.dumps({**config, "tokenizer": "words"}))
    shutil.copytree(raw, tmp_path / "copy")
    command = ("finetune", "-o", tmp_path / "run", "--device", "cpu")
    started = (text, "--model", raw, "--rows", 4, "--heldout", heldout)
    assert run(*command, *started).returncode == 0
    differing = {
        "TEXT": (other, text),
        "--model": (trained, raw),
        "--heldout": (other, heldout),
        "--epochs": (3.0, 1.0),
        "--learning-rate": (0.5, 0.001),
        "--rows": (8, 4),
        "--seed": (1, 0),
    }
    for option, (value, recorded) in differing.items():
        given = [value] if option == "TEXT" else [option, value]
        message = error_of(run(*command, "--resume", *given))
        assert message.endswith(
            f"/run: cannot be resumed: {option} is {value}, but the run was started with {recorded}"
        )
    without = "is given, but the run was started without it"
    assert f"--pretokenized {without}" in error_of(run(*command, "--resume", "--pretokenized"))
    message = error_of(run(*command, "--resume", "--heldout-fraction", 0.1))
    assert "--heldout-fraction is 0.1, but the run was started without it" in message
    assert "No such file" in error_of(run(*command, "--resume", tmp_path / "missing.txt"))
    finetune = typer.main.get_command(app).commands["finetune"]
    options = {parameter.opts[0] for parameter in finetune.params} - {"texts", "--output", "--resume", "--device"}
    assert options == {*differing, "--pretokenized", "--heldout-fraction"} - {"TEXT"}, "every other option must agree"

    for same in ((), started, (raw, text), ("--model", tmp_path / "copy")):
        result = run(*command, "--resume", *same)
        assert result.returncode == 0, result.stderr.decode()
    text.write_text("a\n")
    assert f"{text} (TEXT) has changed since the run was started" in error_of(run(*command, "--resume", text))


def test_removed_sentences_are_reported(trained: Path, tmp_path: Path) -> None:
    sentences = sorted(set(OTHER_WORLD.splitlines()))
    text, heldout = tmp_path / "text.txt", tmp_path / "heldout.txt"
    text.write_text("\n".join([*sentences, *sentences[2:5]]) + "\n")
    heldout.write_text(sentences[0] + "\n")
    command = ("finetune", text, "--model", trained, "-o", tmp_path / "run", "--rows", "4", "--heldout", heldout)
    assert "removed: 3 duplicates, 1 copy of held-out sentences\n" in run(*command).stderr.decode()


@pytest.mark.filterwarnings("default")
def test_invalid_utf8_is_reported(trained: Path, tmp_path: Path) -> None:
    text = tmp_path / "text.txt"
    text.write_bytes(OTHER_WORLD.encode() + b"a cat \xff fish .\na king \xff .\n")
    for command in (("finetune", text, "-o", tmp_path / "run", "--rows", "4"), ("perplexity", text)):
        result = run(*command, "--model", trained)
        assert result.returncode == 0, result.stderr.decode()
        assert "warning: not valid UTF-8: 2 lines; invalid bytes became \ufffd\n" in result.stderr.decode()


def test_text_is_required_to_begin(tmp_path: Path) -> None:
    assert "name text files" in error_of(run("finetune", "-o", tmp_path / "run"))


def test_heldout_text_and_a_fraction_cannot_be_combined(tmp_path: Path) -> None:
    (tmp_path / "text.txt").write_text(OTHER_WORLD)
    options = ("--heldout", tmp_path / "text.txt", "--heldout-fraction", "0.05")
    message = error_of(run("finetune", tmp_path / "text.txt", "-o", tmp_path / "run", *options))
    assert "--heldout-fraction cannot be combined with --heldout" in message


@pytest.mark.parametrize(
    ("section", "name", "value"),
    [
        ("lstm", "cell_clip", 1.0),
        ("lstm", "residual", False),
        ("token_layer", "activation", "tanh"),
        (None, None, None),
    ],
)
def test_no_resuming_with_another_model(trained: Path, tmp_path: Path, section, name, value) -> None:
    (tmp_path / "text.txt").write_text(OTHER_WORLD)
    shutil.copytree(trained, tmp_path / "model")
    command = ("finetune", tmp_path / "text.txt", "-m", tmp_path / "model", "-o", tmp_path / "run", "--pretokenized")
    assert run(*command, "--rows", "4").returncode == 0
    first = (tmp_path / "run/model.safetensors").read_bytes()
    if section is None:  # other weights in the same shape
        shutil.copytree(tmp_path / "run", tmp_path / "model", dirs_exist_ok=True)
        expected = "started with a different model"
    else:
        config = json.loads((tmp_path / "model/config.json").read_text())
        assert config[section][name] != value
        config[section][name] = value
        (tmp_path / "model/config.json").write_text(json.dumps(config))
        expected = "cannot be resumed"
    assert expected in error_of(run(*command, "--resume"))
    assert (tmp_path / "run/model.safetensors").read_bytes() == first


def test_published_weights_get_a_softmax(published_folder: Path, tmp_path: Path) -> None:
    (tmp_path / "text.txt").write_text(OTHER_WORLD)
    result = run("finetune", published_folder, tmp_path / "text.txt", "-o", tmp_path / "run", "--rows", "4")
    assert result.returncode == 0, result.stderr.decode()
    assert "bread" in read_language_model(tmp_path / "run").vocabulary


def test_text_is_split_by_the_tokenizer_of_the_model(trained: Path, tmp_path: Path) -> None:
    """The corpus of this model was pretokenized, so its text is split at whitespace without being asked to."""
    assert json.loads((trained / "config.json").read_text())["tokenizer"] == "whitespace"
    shutil.copytree(trained, tmp_path / "raw")
    config = json.loads((tmp_path / "raw/config.json").read_text())
    (tmp_path / "raw/config.json").write_text(json.dumps({**config, "tokenizer": "words"}))
    (tmp_path / "text.txt").write_text(OTHER_WORLD.replace(" .", "."))
    for model, name in ((trained, "whitespace"), (tmp_path / "raw", "words")):
        target = tmp_path / f"{name}-run"
        options = ("--model", model, "--rows", "4", "--heldout-fraction", "0.2")
        result = run("finetune", tmp_path / "text.txt", "-o", target, *options)
        assert result.returncode == 0, result.stderr.decode()
        assert json.loads((target / "corpus/corpus.json").read_text())["settings"]["tokenizer"] == name
        assert json.loads((target / "config.json").read_text())["tokenizer"] == name
