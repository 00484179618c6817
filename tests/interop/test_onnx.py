"""ONNX graphs compute what the library computes, for every kind of model and any shape of batch."""

import json
import shutil
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

pytest.importorskip("onnx", reason="onnx is not installed (extra: onnx)")
pytest.importorskip("onnxruntime", reason="onnxruntime is not installed")

import onnx
import onnxruntime
from commands import error_of, run
from test_docs import DOCS, Piece, pieces

import elmo
from elmo.config import BiLMConfig, CharCNNConfig, LSTMConfig, WordAndCharCNNConfig, WordTableConfig
from elmo.interop.onnx import onnx_model, write_onnx
from elmo.text.characters import word_to_ids
from elmo.text.dictionary import CHARACTER_MARKERS, OUT_OF_VOCABULARY, Dictionary
from elmo.text.vocabulary import Vocabulary

CNN = CharCNNConfig(4, ((1, 4), (2, 8), (3, 12)), "relu", 2, 8)
LSTM = LSTMConfig(12, 8)
DICTIONARY = Dictionary((*CHARACTER_MARKERS, *"katrei語"), (OUT_OF_VOCABULARY, "<bos>", "<eos>", "kat", "eier"))
BYTES_AND_WORDS = WordAndCharCNNConfig(len(DICTIONARY.characters), 8, len(DICTIONARY.words), 6, 4, ((1, 4), (3, 8)))

MODELS = {
    "published options": (BiLMConfig(CNN, LSTM), None),
    "tanh, no highway layer, no residual": (
        BiLMConfig(replace(CNN, activation="tanh", n_highway=0), replace(LSTM, residual=False)),
        None,
    ),
    "no projection": (BiLMConfig(replace(CNN, projection_dim=None), LSTMConfig(24, None)), None),
    "no clips, three layers": (
        BiLMConfig(CNN, replace(LSTM, n_layers=3, cell_clip=None, projection_clip=None)),
        None,
    ),
    "narrow clips": (BiLMConfig(CNN, replace(LSTM, cell_clip=0.25, projection_clip=0.1)), None),
    "one layer, short words": (BiLMConfig(replace(CNN, max_characters=5), replace(LSTM, n_layers=1)), None),
    "word table": (BiLMConfig(WordTableConfig(5, 8), LSTM), Vocabulary(["<S>", "</S>", "<UNK>", "kat", "eier"])),
    "characters and words": (BiLMConfig(BYTES_AND_WORDS, LSTM), DICTIONARY),
    "listed characters": (
        BiLMConfig(replace(BYTES_AND_WORDS, vocabulary_size=0, word_dim=0), LSTM),
        Dictionary(DICTIONARY.characters),
    ),
}


def random_embedder(config: BiLMConfig, vocabulary: Any) -> elmo.Embedder:
    """A model with weights that are large enough for the clips to matter, and no bias left at zero."""
    torch.manual_seed(0)
    bilm = elmo.BiLM(config, vocabulary).eval()
    with torch.no_grad():
        for name, weight in bilm.named_parameters():
            weight.mul_(1.5).add_(torch.randn(weight.shape), alpha=0.3 if "bias" in name else 0.0)
    return elmo.Embedder(bilm)


def random_sentences(generator: np.random.Generator) -> list[list[str]]:
    """Sentences of different lengths, among them empty ones, of words that are known, new, empty, long or markers."""
    words = ["kat", "eier", "k", "", "<S>", "語", "語" * 30, "Grüße", "x" * 47, "x" * 48, "x" * 70, "ate"]
    lengths = generator.integers(0, 9, generator.integers(1, 7))
    return [[words[place] for place in generator.integers(0, len(words), length)] for length in lengths]


def run_graph(session: Any, model: elmo.Embedder, sentences: Sequence[Sequence[str]], padding: int) -> np.ndarray:
    layer = model.bilm.token_layer
    columns = layer.words_to_ids([], layer.config, layer.vocabulary).shape[1:]
    ids = np.full((len(sentences), max(map(len, sentences)), *columns), padding, np.int32)
    for row, sentence in zip(ids, sentences, strict=True):
        row[: len(sentence)] = layer.words_to_ids(sentence, layer.config, layer.vocabulary)
    [layers] = session.run(["layers"], {"ids": ids, "lengths": np.array([len(s) for s in sentences], np.int32)})
    return layers


def same(layers: np.ndarray, model: elmo.Embedder, sentences: Sequence[Sequence[str]]) -> None:
    assert layers.shape[1] == len(sentences)
    for row, sentence in enumerate(model.embed(sentences)):
        n = len(sentence.tokens)
        np.testing.assert_allclose(layers[:, row, :n], sentence.layers, atol=1e-5, rtol=1e-5)
        assert not layers[:, row, n:].any()


@pytest.mark.parametrize("kind", MODELS)
def test_equals_embed(kind: str) -> None:
    config, vocabulary = MODELS[kind]
    model = random_embedder(config, vocabulary)
    proto = onnx_model(model.bilm)
    onnx.checker.check_model(proto, full_check=True)
    session = onnxruntime.InferenceSession(proto.SerializeToString())
    generator = np.random.default_rng(0)
    batches = [[[]], [[], []], [["kat"]], *(random_sentences(generator) for _ in range(12))]
    for number, sentences in enumerate(batches):
        same(run_graph(session, model, sentences, padding=number % 3), model, sentences)


def test_clips_matter_in_the_test_above() -> None:
    """Otherwise it could not notice that they are missing."""
    clipped, free = (
        random_embedder(BiLMConfig(CNN, replace(LSTM, cell_clip=cell, projection_clip=projection)), None)
        for cell, projection in ((0.25, 0.1), (None, None))
    )
    sentence = [["kat", "eier"]]
    assert np.abs(clipped.embed(sentence)[0].layers - free.embed(sentence)[0].layers).max() > 0.1


def test_the_file_describes_itself(model: elmo.Embedder, tmp_path: Path) -> None:
    write_onnx(model.bilm, tmp_path / "model.onnx")
    session = onnxruntime.InferenceSession(tmp_path / "model.onnx")
    metadata = session.get_modelmeta().custom_metadata_map
    assert BiLMConfig.from_dict(json.loads(metadata["config.json"])) == model.config
    assert metadata["fingerprint"] == model.fingerprint()
    assert [(value.name, value.type, value.shape) for value in (*session.get_inputs(), *session.get_outputs())] == [
        ("ids", "tensor(int32)", ["sentences", "words", 50]),
        ("lengths", "tensor(int32)", ["sentences"]),
        ("layers", "tensor(float)", [3, "sentences", "words", 16]),
    ]
    config, dictionary = MODELS["characters and words"]
    stored = {entry.key: entry.value for entry in onnx_model(elmo.BiLM(config, dictionary)).metadata_props}
    assert Dictionary.from_bytes(stored["dictionary.json"].encode()).words == dictionary.words


def test_the_bundled_model(tmp_path: Path) -> None:
    write_onnx(elmo.load().bilm, tmp_path / "small.onnx")
    sentences = [["The", "play", "was", "sold", "out", "."], [], ["Hello"]]
    session = onnxruntime.InferenceSession(tmp_path / "small.onnx")
    same(run_graph(session, elmo.load(), sentences, padding=0), elmo.load(), sentences)


def test_command(published_folder: Path, model: elmo.Embedder, tmp_path: Path) -> None:
    file = tmp_path / "model.onnx"
    done = run("export", published_folder, file)
    assert done.returncode == 0, done.stderr.decode()
    assert b"model.onnx: written" in done.stderr
    content = file.read_bytes()
    assert content == onnx_model(model.bilm).SerializeToString()
    file.write_bytes(b"mine")
    assert "already exists; use --overwrite" in error_of(run("export", published_folder, file))
    assert file.read_bytes() == b"mine"
    assert run("export", published_folder, file, "--overwrite").returncode == 0
    assert file.read_bytes() == content


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["{model}", "{tmp}/model.h5"], "model.h5: name a file that ends in .onnx"),
        (["{tmp}/none", "{tmp}/model.onnx"], "none"),
        (["{model}", "{tmp}/folder.onnx"], "folder.onnx: is a directory"),
    ],
)
def test_misuse_of_the_command(published_folder: Path, tmp_path: Path, arguments: list[str], message: str) -> None:
    (tmp_path / "folder.onnx").mkdir()
    places = {"tmp": tmp_path, "model": published_folder}
    assert message in error_of(run("export", *(argument.format(**places) for argument in arguments)))
    assert [path.name for path in tmp_path.iterdir()] == ["folder.onnx"]


def test_the_extra_is_named(published_folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(sys.modules, "elmo.interop.onnx")
    monkeypatch.setitem(sys.modules, "onnx", None)
    assert "elmo-torch[onnx]" in error_of(run("export", published_folder, tmp_path / "model.onnx"))


def test_a_model_that_is_too_large(model: elmo.Embedder, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("elmo.interop.onnx.MAX_BYTES", 1000)
    with pytest.raises(ValueError, match="2 GiB at most"):
        onnx_model(model.bilm)


WORDS = ["The", "", "Grüße", "日本語", "🙂" * 20, "x" * 47, "x" * 48, "x" * 49]


def documented(kind: str) -> list[Piece]:
    return [piece for piece in pieces(DOCS / "onnx.md") if piece.kind == kind]


def test_documented_python_needs_no_torch(tmp_path: Path) -> None:
    """The page is run by test_docs; here it runs where torch and this library cannot be imported."""
    write_onnx(elmo.load().bilm, tmp_path / "small.onnx")
    code = "import sys\nsys.modules['torch'] = sys.modules['elmo'] = None\n" + documented("python")[0].code
    code += f"import json\nprint(json.dumps([word_to_ids(word) for word in {WORDS!r}]))\n"
    done = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout.splitlines()[-1]) == [word_to_ids(word) for word in WORDS]


@pytest.mark.skipif(shutil.which("node") is None, reason="node is not installed")
def test_documented_javascript_encodes_words() -> None:
    code = f"{documented('javascript')[0].code}\n"
    code += f"console.log(JSON.stringify({json.dumps(WORDS)}.map((word) => Array.from(wordToIds(word)))));"
    done = subprocess.run(["node", "-e", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout) == [word_to_ids(word) for word in WORDS]
