"""A Korean model reads raw text on every route: it is prepared, trained and used without another tokenizer."""

import dataclasses
import json
import re
import sys
import time
from importlib.metadata import EntryPoint
from pathlib import Path
from typing import Any

import h5py
import numpy as np
import pytest
from commands import error_of, run
from train.tiny import TINY

import elmo
from elmo.search.sample_texts import KOREAN
from elmo.text.alignment import word_spans
from elmo.text.tokens import tokenizer

pytest.importorskip("mecab", reason="python-mecab-ko is not installed (extra: korean)")
sys.path.append(str(Path(__file__).parents[2] / "dev"))

NOUNS = [
    "손을 씻었다",
    "밥을 먹었다",
    "배를 탔다",
    "말을 했다",
    "눈이 왔다",
    "차를 마셨다",
    "밤이 깊었다",
    "물을 마셨다",
]
TIMES = ["어제", "오늘", "아침에", "저녁에", "밤에", "먼저", "다시", "함께"]
TEXT = "\n".join(f"나는 {time} {noun}. 그는 {time} {noun}." for time in TIMES for noun in NOUNS) + "\n"
SENTENCE = "나는 어제 손을 씻었다."
MORPHEMES = ["나", "는", "어제", "손", "을", "씻", "었", "다", "."]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A text, a corpus, and a model that was trained on it in a few seconds."""
    folder = tmp_path_factory.mktemp("korean")
    (folder / "text.txt").write_text(TEXT)
    recipe = dataclasses.replace(TINY, training=dataclasses.replace(TINY.training, steps=20))
    (folder / "recipe.json").write_text(json.dumps(recipe.to_dict()))
    prepare = ["--tokenizer", "korean", "--heldout-fraction", "0.1", "--workers", "2", "--min-count", "1"]
    assert run("prepare", folder / "text.txt", "-o", folder / "corpus", *prepare).returncode == 0
    command = ["pretrain", folder / "corpus", "-o", folder / "model", "--recipe", folder / "recipe.json"]
    assert run(*command, "--device", "cpu").returncode == 0
    return folder


def test_the_tokenizer_is_recorded(folder: Path) -> None:
    assert json.loads((folder / "corpus/corpus.json").read_text())["settings"]["tokenizer"] == "korean"
    assert elmo.load(folder / "model").config.tokenizer == "korean"
    assert run("convert", folder / "model", folder / "published", "--to", "published").returncode == 0
    assert elmo.load(folder / "published").config.tokenizer == "korean"


def test_python(folder: Path) -> None:
    model = elmo.load(folder / "model")
    raw, listed = model.embed([SENTENCE, SENTENCE.split()])
    assert raw.tokens == MORPHEMES
    assert listed.tokens == SENTENCE.split()
    [stream] = model.embed_stream([SENTENCE], merge="last")
    assert stream.tokens == ["나는", "어제", "손을", "씻었다."]
    np.testing.assert_allclose(stream.layers, raw.layers[:, [1, 2, 4, 8]], atol=1e-6)
    [mean] = model.embed([SENTENCE], merge="mean")
    np.testing.assert_allclose(mean.layers[:, 2], raw.layers[:, 3:5].mean(1), atol=1e-6)
    assert [SENTENCE[start:end] for start, end in word_spans(SENTENCE, stream.tokens)] == stream.tokens


@pytest.mark.parametrize("source", ["file", "standard input"])
def test_embed(folder: Path, tmp_path: Path, source: str) -> None:
    (tmp_path / "in.txt").write_text(SENTENCE + "\n")
    name, stdin = (tmp_path / "in.txt", b"") if source == "file" else ("-", f"{SENTENCE}\n".encode())
    result = run("embed", name, "-o", tmp_path / "out.h5", "-m", folder / "model", "--merge", "mean", stdin=stdin)
    assert result.returncode == 0
    assert b"warning" not in result.stderr  # the vocabulary is of morphemes, and so is what it is compared with
    with h5py.File(tmp_path / "out.h5") as file:
        assert file["0"].shape[1] == 4
        assert json.loads(file["sentence_to_index"][0]) == {SENTENCE: "0"}


def test_neighbors(folder: Path, tmp_path: Path) -> None:
    options = ["-m", folder / "model", "--corpus", folder / "text.txt", "--index", tmp_path / "index"]
    found = run("neighbors", "손", "--in", SENTENCE, *options)
    assert found.returncode == 0
    first, *others = found.stdout.decode().splitlines()
    assert first.strip() == "나는 어제 [손]을 씻었다."
    assert all(line.partition("  ")[2].replace("[", "").replace("]", "") in TEXT for line in others)


@pytest.mark.filterwarnings("ignore:some characters of a figure are boxes")  # no font of this machine may have Hangul
def test_the_sample_text_is_korean(folder: Path, tmp_path: Path) -> None:
    query = "밥을 먹기 전에 손을 씻고 자리에 앉았다."
    found = run("neighbors", "손", "--in", query, "-m", folder / "model", "--index", tmp_path / "index", "--same-word")
    assert found.returncode == 0, found.stderr.decode()
    first, *others = found.stdout.decode().splitlines()
    assert first.strip() == "밥을 먹기 전에 [손]을 씻고 자리에 앉았다."
    sample = KOREAN.sentences()
    assert len(others) == 10
    for line in others:
        shown = line.partition("  ")[2].strip()
        assert shown.replace("[손]", "손") in set(sample) - {query}
    options = ["-m", folder / "model", "-o", tmp_path / "results", "--method", "pca"]
    assert run("analyze", "map", "배", *options).returncode == 0
    table = (tmp_path / "results" / "map-배.md").read_text()
    assert "35 occurrences" in table
    assert "[배]를 타고" in table or "[배]가" in table
    assert run("analyze", "homonyms", "--word", "손", "--word", "타다", *options).returncode == 0
    assert "| model | token layer | 26.9 | 31.0 | 22.9 | " in (tmp_path / "results" / "homonyms.md").read_text()
    assert (tmp_path / "results" / "homonyms-model-타다.svg").exists()
    assert "귀: is not a word of" in error_of(run("analyze", "homonyms", "--word", "귀", *options))


def test_predict_and_perplexity(folder: Path) -> None:
    found = run("predict", "나는 어제 ___을 씻었다.", "-m", folder / "model", "--json")
    assert json.loads(found.stdout)["gaps"][0]["index"] == 3
    several = run("predict", "___는 어제 ___을 씻었다.", "-m", folder / "model", "-n", "2").stdout.decode()
    assert "[___]는 어제 ___을 씻었다.\nboth" in several
    assert "___는 어제 [___]을 씻었다.\nboth" in several
    assert run("perplexity", folder / "text.txt", "-m", folder / "model").returncode == 0


def test_finetune(folder: Path, tmp_path: Path) -> None:
    options = ["-m", folder / "model", "--heldout-fraction", "0.2", "--epochs", "1", "--device", "cpu"]
    assert run("finetune", folder / "text.txt", "-o", tmp_path / "tuned", *options).returncode == 0
    assert elmo.load(tmp_path / "tuned").config.tokenizer == "korean"


def test_onnx(folder: Path, tmp_path: Path) -> None:
    onnx = pytest.importorskip("onnx", reason="onnx is not installed (extra: onnx)")
    assert run("export", folder / "model", tmp_path / "model.onnx").returncode == 0
    metadata = {entry.key: entry.value for entry in onnx.load(tmp_path / "model.onnx").metadata_props}
    assert json.loads(metadata["config.json"])["tokenizer"] == "korean"


def test_server_and_explorer(folder: Path) -> None:
    pytest.importorskip("fastapi", reason="needs elmo-torch[serve]")
    from serve.explorer import explorer_app
    from starlette.testclient import TestClient

    split = tokenizer("korean")
    sentences = [split.words(sentence) for sentence in split.sentences(TEXT)]
    with TestClient(explorer_app(elmo.load(folder / "model"), sentences=sentences)) as client:
        while (status := client.get("/explore/status").json())["embedded"] < status["words"]:
            time.sleep(0.01)
        assert client.post("/embed", json={"sentences": [SENTENCE]}).json()["sentences"][0]["tokens"] == MORPHEMES
        assert client.post("/predict", json={"sentence": "나는 ___을 했다."}).json()["gaps"][0]["index"] == 2
        page = client.post("/explore/sentences", json={"text": f"{SENTENCE} 그는 밥을 먹었다."}).json()
        assert page["sentences"] == [MORPHEMES, ["그", "는", "밥", "을", "먹", "었", "다", "."]]
        assert page["mismatch"] is None
        near = client.post("/explore/neighbors", json={"words": MORPHEMES, "position": 3, "same_word": True}).json()
        assert near["occurrences"] == 16


@pytest.fixture
def package(folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The model as a package with the name ``korean``, which counts as installed."""
    bundle = pytest.importorskip("bundle", reason="the folder dev is only in a checkout")
    from elmo.weights import packages

    run, text = folder / "model", folder / "text.txt"
    target: Path = bundle.bundle(run, "korean", root=tmp_path, corpus=folder / "corpus", test=text, texts=[str(text)])
    entry = EntryPoint("korean", "elmo_model_korean:FOLDER", packages.GROUP)
    monkeypatch.setattr(packages, "entry_points", lambda group, name=None: [entry] if group == packages.GROUP else [])
    monkeypatch.syspath_prepend(str(tmp_path / "models/korean/src"))
    monkeypatch.delitem(sys.modules, "elmo_model_korean", raising=False)
    return target


def test_a_package(folder: Path, package: Path, tmp_path: Path) -> None:
    assert 'dependencies = ["elmo-torch[korean]"]' in (tmp_path / "models/korean/pyproject.toml").read_text()
    card = (package / "README.md").read_text("utf-8")
    assert "| training | 20 steps, " in card
    assert not set("{}") & set(card)
    [listed] = [model for model in elmo.models() if model.name == "korean"]
    assert (listed.language, listed.status, listed.path) == ("Korean", "installed", package)
    assert elmo.load("korean").embed([SENTENCE])[0].tokens == MORPHEMES
    query = "밥을 먹기 전에 손을 씻고 자리에 앉았다."
    found = run("neighbors", "손", "--in", query, "--model", "korean", "--index", tmp_path / "index")
    assert found.returncode == 0, found.stderr.decode()
    assert found.stdout.decode().splitlines()[0].strip() == "밥을 먹기 전에 [손]을 씻고 자리에 앉았다."
    found = run("predict", "korean", "나는 어제 ___을 씻었다.", "--json")
    assert json.loads(found.stdout)["gaps"][0]["index"] == 3
    (tmp_path / "in.txt").write_text(SENTENCE + "\n")
    assert run("embed", tmp_path / "in.txt", "-o", tmp_path / "out.h5", "--model", "korean").returncode == 0
    with h5py.File(tmp_path / "out.h5") as file:
        assert file["0"].shape[1] == len(MORPHEMES)


def test_explore_a_package(package: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """The page starts with Korean words and the Korean sample text."""
    pytest.importorskip("uvicorn", reason="needs elmo-torch[serve]")
    pytest.importorskip("fastapi", reason="needs elmo-torch[serve]")
    from starlette.testclient import TestClient

    from elmo.cli.explore import explore

    applications: list[Any] = []
    monkeypatch.setattr("elmo.serve.server.run", lambda app, listener: applications.append(app))
    explore(None, "korean", port=0, device="cpu", browser=False)
    token = re.search(r"#token=(\S+)", capsys.readouterr().err)[1]
    with TestClient(applications[0], headers={"authorization": f"Bearer {token}"}) as client:
        status = client.get("/explore/status").json()
        assert status["sentences"] == len(KOREAN.sentences())
        assert "손" in [example["word"] for example in status["examples"]]
        page = client.post("/explore/sentences", json={"text": SENTENCE}).json()
        assert page["sentences"] == [MORPHEMES]


def test_prepare_options(folder: Path, tmp_path: Path) -> None:
    command = ["prepare", folder / "text.txt", "-o", tmp_path / "corpus", "--pretokenized"]
    assert error_of(run(*command, "--tokenizer", "korean")).endswith(
        "--pretokenized cannot be combined with --tokenizer korean"
    )
    assert run(*command, "--tokenizer", "whitespace").returncode == 0
    assert json.loads((tmp_path / "corpus/corpus.json").read_text())["settings"]["tokenizer"] == "whitespace"
