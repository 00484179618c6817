"""``elmo analyze`` and ``elmo neighbors`` on small files."""

import io
import json
from pathlib import Path

import pytest
from commands import error_of, run
from rich.console import Console

from elmo.cli.neighbors import format_neighbors
from elmo.results import read_results
from elmo.search.occurrences import Neighbor

SENTENCES = ["the old king rules the land .", "a quick dog sees the old cat .", "the king sees a dog ."] * 8


@pytest.fixture
def text(tmp_path: Path) -> Path:
    path = tmp_path / "text.txt"
    path.write_text("\n".join(SENTENCES) + "\n")
    return path


@pytest.fixture
def vectors(tmp_path: Path) -> Path:
    words = sorted({word for sentence in SENTENCES for word in sentence.split()} | {"play"})
    path = tmp_path / "vectors.txt"
    path.write_text("".join(f"{word} {number} 1 {number % 3}\n" for number, word in enumerate(words)))
    return path


def test_neighbors(text: Path, vectors: Path, published_folder: Path, tmp_path: Path) -> None:
    options = ("--corpus", text, "--model", published_folder, "--index", tmp_path / "index", "--pretokenized")
    query = ("neighbors", "king", "--in", "a king sees the cat .", "-n", 2)
    result = run(*query, *options, "--vectors", vectors)
    assert result.returncode == 0, result.stderr.decode()
    assert "[king]" in result.stdout.decode()
    assert "static vectors:" in result.stdout.decode()
    assert run(*query, *options).stdout != b""  # the index is there already
    assert run(*query[:-2], "-k", 2, *options).stdout == run(*query[:-2], "--count", 2, *options).stdout  # as it was
    answer = json.loads(run(*query, *options, "--vectors", vectors, "--json").stdout)
    assert (answer["tokens"], answer["index"]) == (["a", "king", "sees", "the", "cat", "."], 1)
    assert [set(near) for near in answer["neighbors"]] == [{"tokens", "index", "similarity"}] * 2
    assert [set(near) for near in answer["static"]] == [{"word", "similarity"}] * 2
    assert "static" not in json.loads(run(*query, *options, "--json").stdout)
    assert " -k " not in run("neighbors", "--help").stdout.decode()
    unknown = run("neighbors", "Zyx", "--in", "a Zyx sees the cat .", *options, "--vectors", vectors)
    assert "[dog]" in unknown.stdout.decode(), "the neighbors in context do not need a static vector"
    assert "static vectors: the word has none" in unknown.stdout.decode()
    assert "is not a word of" in error_of(run("neighbors", "queen", "--in", "a king .", *options))
    assert "layer must be" in error_of(run(*query, *options, "--layer", "9"))


def test_neighbors_without_a_corpus(published_folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    result = run("neighbors", "play", "--in", "They saw a play .", "--model", published_folder, "--same-word")
    assert result.returncode == 0, result.stderr.decode()
    assert result.stdout.decode().count("[play]") == 11
    assert list(tmp_path.glob("elmo/*/index.json"))


def test_geometry(text: Path, vectors: Path, published_folder: Path, tmp_path: Path) -> None:
    result = run(
        "analyze",
        "geometry",
        text,
        "--model",
        published_folder,
        "--vectors",
        vectors,
        "-o",
        tmp_path / "results",
        "--pretokenized",
    )
    assert result.returncode == 0, result.stderr.decode()
    assert (tmp_path / "results" / "geometry.png").exists()
    assert "LSTM 2" in (tmp_path / "results" / "geometry.md").read_text()
    assert {r.what for r in read_results(tmp_path / "results" / "analysis.jsonl")} == {"geometry"}


def test_map(text: Path, published_folder: Path, tmp_path: Path) -> None:
    options = ("--model", published_folder, "--method", "pca", "-o", tmp_path / "results", "--pretokenized")
    result = run("analyze", "map", "the", "--corpus", text, *options)
    assert result.returncode == 0, result.stderr.decode()
    assert (tmp_path / "results" / "map-the.svg").exists()
    assert run("analyze", "map", "play", *options).returncode == 0  # in the sample text
    assert (tmp_path / "results" / "map-play.svg").exists()
    assert "not both" in error_of(run("analyze", "map", "king", "--corpus", text, "--senses", text, *options))


def test_cove(text: Path, vectors: Path, tmp_path: Path) -> None:
    pairs = tmp_path / "pairs.txt"
    pairs.write_text("".join(f"{number} {line}\tdas ist {number} .\n" for number, line in enumerate(SENTENCES)))
    recipe = tmp_path / "recipe.json"
    from elmo.paper.cove.training import read_cove_recipe

    settings = json.loads(json.dumps(read_cove_recipe(quick=True), default=vars))
    settings |= {"dim": 4, "held_out": 4, "fraction": 1.0, "german_count": 1}
    settings["training"] |= {"epochs": 0.01, "least_steps": 3, "evaluations": 1}
    recipe.write_text(json.dumps(settings))
    result = run(
        "analyze",
        "cove-train",
        pairs,
        "--vectors",
        vectors,
        "--recipe",
        recipe,
        "-o",
        tmp_path / "cove",
        "--device",
        "cpu",
    )
    assert result.returncode == 0, result.stderr.decode()
    assert "perplexity" in result.stdout.decode()


def test_pos(published_folder: Path, vectors: Path, tmp_path: Path) -> None:
    tags = {"the": "DT", "a": "DT", ".": ".", "rules": "VBZ", "sees": "VBZ", "old": "JJ", "quick": "JJ"}
    for part in ("train", "dev", "test"):
        lines = [" ".join(f"{w}_{tags.get(w, 'NN')}" for w in line.split()) for line in SENTENCES]
        (tmp_path / f"{part}.txt").write_text("\n".join(lines) + "\n")
    files = [item for part in ("train", "dev", "test") for item in (f"--{part}", tmp_path / f"{part}.txt")]
    result = run(
        "analyze", "pos", *files, "--model", published_folder, "--vectors", vectors, "-o", tmp_path / "results"
    )
    assert result.returncode == 0, result.stderr.decode()
    assert "LSTM 1" in (tmp_path / "results" / "table6.md").read_text()


def test_bad_input(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("ELMO_DATA", raising=False)
    assert "--data" in error_of(run("analyze", "wsd", "-o", tmp_path))
    assert "--data" in error_of(run("reproduce", "table5", "-o", tmp_path))
    (tmp_path / "tasks" / "wsd").mkdir(parents=True)
    assert "found 0" in error_of(run("analyze", "wsd", "--data", tmp_path, "-o", tmp_path / "out"))


def shown(*args: object) -> str:
    console = Console(file=io.StringIO(), width=200)
    console.print(format_neighbors(*args))  # type: ignore[arg-type]
    return console.file.getvalue()  # type: ignore[attr-defined]


def test_format_neighbors() -> None:
    words = [*"abcdefghijklmnopqrstuvwxyz", "tel", "[red]", "."]
    found = [Neighbor(tuple(words), 26, 0.51239), Neighbor(("손", "을", "."), 0, 0.2, spaced=(True, False, False))]
    text = shown(("the ", "손을", "."), found, [("brint", 0.987)], "how")
    assert "the [손을]." in text
    assert "0.200  [손]을." in text
    assert "0.512  … g h" in text
    assert "z [tel] [red] ." in text
    assert "(how)\nstatic vectors: brint 0.99" in text
    assert "static vectors: the word has none" in shown(("", "tel", ""), found, [])
    assert "no other occurrence" in shown(("", "tel", ""), [])
