"""The example in the help of every command runs, on small files with the names that it uses."""

import gzip
import json
import re
import shlex
import shutil
from pathlib import Path

import pytest
import torch
from cli.test_commands import COMMANDS
from commands import run
from tasks.samples import coref, ner

from elmo.config import BiLMConfig, CharCNNConfig, LSTMConfig
from elmo.datasets.gap import COLUMNS as GAP_COLUMNS
from elmo.model.bilm import BiLM
from elmo.model.softmax import Softmax
from elmo.tasks.recipe import read_task_recipe
from elmo.tasks.task import task_named
from elmo.text.vocabulary import Vocabulary
from elmo.weights.folder import write_folder

TEXT = "We play a game. She likes the play. They play it well.\n" * 10
WORDS = ["we", "play", "a", "game", "she", "likes", "the", "they", "it", "well", ".", "mister", "in", "old", "red"]
SHORTER = {
    "pretrain": ["--minutes", "0.01"],
    "finetune": ["--model", "my-model"],
    "serve": ["--port", "0"],
    "explore": ["--port", "0", "--no-browser", "--model", "my-model"],
    "task": ["--recipe", "ner.json", "--elmo", "my-model"],
    "task train": ["--recipe", "ner.json", "--elmo", "my-model"],
    "analyze cove-train": ["--recipe", "cove.json"],
}
"""Options that are added to an example, so that it takes no time."""
ELSEWHERE = {
    "reproduce": "trains models for minutes; tests/paper/test_task_tables.py runs it with smaller ones",
}


@pytest.fixture(scope="module")
def models(tmp_path_factory: pytest.TempPathFactory, published_folder: Path) -> Path:
    """Models and task models under the names that the examples use."""
    home = tmp_path_factory.mktemp("models")
    torch.manual_seed(1)
    config = BiLMConfig(CharCNNConfig(4, ((1, 4), (2, 8)), projection_dim=8, max_characters=12), LSTMConfig(16, 8))
    write_folder(BiLM(config).eval(), home / "my-model", Softmax(Vocabulary(["<S>", "</S>", "<UNK>", *WORDS]), 8))
    shutil.copytree(home / "my-model", home / "my-folder")
    shutil.copytree(published_folder, home / "published-model")
    for name, sample in (("ner", ner), ("coref", coref)):
        recipe = json.loads(json.dumps(read_task_recipe(task_named(name)).to_dict()))
        recipe["inputs"] |= {"dim": 8, "characters": None}
        recipe["model"] |= {size: 8 for size in ("dim", "hidden") if size in recipe["model"]}
        recipe["training"] |= {"batch": 8, "epochs": 0.01, "least_steps": 3, "evaluations": 1}
        (home / f"{name}.json").write_text(json.dumps(recipe))
        sample.write(home / f"{name}.conll", 12, 0)
        data = ("--train", home / f"{name}.conll", "--dev", home / f"{name}.conll", "--recipe", home / f"{name}.json")
        run_folder = home / ("run" if name == "ner" else "coref-run")
        assert run("task", "train", name, *data, "-o", run_folder, "--device", "cpu").returncode == 0
    return home


@pytest.fixture
def reader(models: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A working directory with everything that a reader of the help would have."""
    from elmo.paper.cove.training import read_cove_recipe

    for name in ("sentences.txt", "text.txt", "my-text.txt", "domain.txt", "dev.txt"):
        (tmp_path / name).write_text(TEXT if name != "dev.txt" else "A held-out sentence.\n")
    (tmp_path / "text.txt.gz").write_bytes(gzip.compress(TEXT.encode()))
    vectors = "".join(f"{word} {number} 1 {number % 3}\n" for number, word in enumerate(WORDS))
    for name in ("glove.txt", "glove.6B.100d.txt"):
        (tmp_path / name).write_text(vectors)
    for part in ("train", "dev", "test"):
        ner.write(tmp_path / f"{part}.conll", 12, 0)
        rows = ((number, word, "NN" if number % 2 else "VB") for number, word in enumerate(WORDS[:8], 1))
        sentence = "".join(f"{number}\t{word}\t_\tX\t{tag}\t_\t_\t_\t_\t_\n" for number, word, tag in rows)
        (tmp_path / f"{part}.conllu").write_text(f"{sentence}\n" * 4)
    (tmp_path / "pairs.txt").write_text("".join(f"we play {word} .\twir spielen {word} .\n" for word in WORDS * 3))
    cove = json.loads(json.dumps(read_cove_recipe(quick=True), default=vars))
    cove |= {"dim": 4, "held_out": 4, "fraction": 1.0, "german_count": 1}
    cove["training"] |= {"epochs": 0.01, "least_steps": 3, "evaluations": 1}
    (tmp_path / "cove.json").write_text(json.dumps(cove))
    row = ["gap-1", "Ann met Eve and she left.", "she", "16", "Ann", "0", "TRUE", "Eve", "8", "FALSE", "http://x"]
    (tmp_path / "gap-test.tsv").write_text("\t".join(GAP_COLUMNS) + "\n" + "\t".join(row) + "\n")
    uses = (f"play\t{('game', 'show')[number % 2]}\tthe {word} play .\n" for number, word in enumerate(WORDS[-8:]))
    (tmp_path / "homonyms.tsv").write_text("".join(uses))
    wsd = tmp_path / "data" / "tasks" / "wsd"
    (wsd / "dict").mkdir(parents=True)
    keys = [["play%1:10:01::"], ["play%2:33:00::"]]
    for number in range(20):
        tokens = [
            ["the", "the", "DET", None],
            ["play", "play", "NOUN", keys[number % 2]],
            [f"w{number}", "w", "X", None],
        ]
        with (wsd / "semcor.jsonl").open("a") as file:
            file.write(json.dumps({"toks": tokens}) + "\n")
    (wsd / "dict" / "index.sense").write_text("play%1:10:01:: 00000001 1 5\nplay%2:33:00:: 00000002 1 5\n")
    (wsd / "some.data.xml").write_text(
        '<corpus><text><sentence><wf lemma="a" pos="DET">a</wf>'
        '<instance id="d0.t0" lemma="play" pos="NOUN">play</instance></sentence></text></corpus>'
    )
    (wsd / "some.gold.key.txt").write_text("d0.t0 play%1:10:01::\n")
    for path in models.iterdir():
        (tmp_path / path.name).symlink_to(path)
    # So that the example of "elmo download" needs no network; tests/weights/test_catalog.py downloads.
    shutil.copytree(models / "published-model", tmp_path / "cache" / "elmo" / "models" / "english-small")
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("ELMO_CACHE", raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setenv("COLUMNS", "200")
    monkeypatch.setattr("elmo.serve.server.run", lambda *_: None)
    return tmp_path


@pytest.mark.filterwarnings("ignore::UserWarning")
@pytest.mark.parametrize("path", COMMANDS, ids=lambda path: " ".join(("elmo", *path)))
def test_the_example_runs(path: tuple[str, ...], reader: Path) -> None:
    name = " ".join(path)
    if name in ELSEWHERE:
        pytest.skip(ELSEWHERE[name])
    (example,) = re.findall(r"Example: elmo (.*)", run(*path, "--help").stdout.decode())
    if name == "convert":
        (reader / "my-model").unlink()
    arguments = shlex.split(example)
    outputs = [arguments[at + 1] for at, argument in enumerate(arguments) if argument == "-o"]
    for output in outputs:  # the folder "run" belongs to other examples
        (reader / output).unlink(missing_ok=True)
    if name == "pretrain":
        assert run("prepare", "text.txt", "-o", "corpus", "--min-count", "1", "--workers", "1").returncode == 0
    result = run(*arguments, *SHORTER.get(name, []))
    assert result.returncode == 0, result.stderr.decode()
    assert all((reader / output).exists() for output in outputs)


@pytest.mark.parametrize("layer", ["top", "average", "0", "1", "2", "3", "all", "bottom", "-1", "1.0"])
def test_layers_have_the_same_names_in_every_command(layer: str, reader: Path) -> None:
    """``all`` is the only one that suits embed alone: the others compare vectors of one layer."""
    commands = {
        "embed": ("embed", "text.txt", "-o", "out.npz", "-m", "my-model", "--layers", layer),
        "neighbors": (
            "neighbors",
            "play",
            "--in",
            "a play",
            "--corpus",
            "text.txt",
            "-m",
            "my-model",
            "--layer",
            layer,
        ),
        "map": (
            "analyze",
            "map",
            "play",
            "--corpus",
            "text.txt",
            "-m",
            "my-model",
            "--method",
            "pca",
            "--layer",
            layer,
        ),
    }
    for name, command in commands.items():
        result = run(*command)
        if (name, layer) == ("map", "0"):  # a layer without context has one vector for all occurrences
            assert "have the same vector" in result.stderr.decode()
            continue
        accepted = layer in ("top", "average", "0", "1", "2") or (layer == "all" and name == "embed")
        assert result.returncode == (0 if accepted else 2), (name, result.stderr.decode())
        if not accepted:
            expected = r"layers? must be .*top, average or (a number from 0 to 2|the index of a layer)"
            assert re.search(expected, result.stderr.decode())
