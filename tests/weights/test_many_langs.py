"""Models of ELMoForManyLangs: random folders in exactly its files, against its arithmetic spelled out in NumPy."""

import json
import pickle
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from commands import error_of, run
from many_langs_files import CHARACTERS, SHAPE, WORDS, random_weights, shape, write

import elmo
from elmo.config import WordAndCharCNNConfig
from elmo.text.dictionary import Dictionary
from elmo.weights import many_langs

SENTENCES = [
    ["kat", "語", "ter"],
    ["unbekannt", "kat", "tañ", "😀k", "kat", "\u3000"],
    ["karakterekekar", "kat"],  # cut to ten characters, which makes it another word
    [],
    ["", "<oov>", "<pad>", "kat"],
]


def sigmoid(x: np.ndarray) -> np.ndarray:
    return 0.5 * (1 + np.tanh(x / 2))


class Twin:
    """The original arithmetic in float64, one sentence and one step at a time. It shares nothing with the library."""

    def __init__(self, shape: dict[str, Any]) -> None:
        self.tokens, self.encoder = shape["token_embedder"], shape["encoder"]
        token_weights, encoder_weights = random_weights(shape)
        self.weights = {name: t.numpy().astype(np.float64) for name, t in (token_weights | encoder_weights).items()}
        self.characters = {entry: number for number, entry in enumerate(CHARACTERS)}
        self.words = {entry: number for number, entry in enumerate(WORDS)}

    def layers(self, sentence: list[str]) -> np.ndarray:
        """All layers without the boundaries, (L+1, n, 2P)."""
        cut = self.tokens["max_characters_per_token"] - 2
        words = ["<bos>", *(word[:cut] for word in sentence), "<eos>"]
        x = np.stack([self.word_vector(word) for word in words])  # (n+2, P)
        layers = [np.concatenate([x, x], 1)]
        forward, backward = x, x[::-1]
        for layer in range(self.encoder["n_layers"]):
            outputs = [self.read("forward", layer, forward), self.read("backward", layer, backward)]
            if layer > 0:
                outputs = [outputs[0] + forward, outputs[1] + backward]
            forward, backward = outputs
            layers.append(np.concatenate([forward, backward[::-1]], 1))
        return np.stack(layers)[:, 1:-1]

    def word_vector(self, word: str) -> np.ndarray:
        spelled = [self.characters[word]] if word in ("<bos>", "<eos>") else None
        if spelled is None:
            spelled = [self.characters.get(character, self.characters["<oov>"]) for character in word]
        ids = [self.characters["<eow>"], *spelled, self.characters["<bow>"]]  # in this order
        ids += [self.characters["<pad>"]] * (self.tokens["max_characters_per_token"] - len(ids))
        embedded = self.weights["char_emb_layer.embedding.weight"][ids]  # (C, d)
        parts = []
        for i, (width, _) in enumerate(self.tokens["filters"]):
            kernel = self.weights[f"convolutions.{i}.weight"]  # (m, d, w)
            windows = [embedded[start : start + width] for start in range(len(ids) - width + 1)]
            responses = np.stack([np.einsum("wd,mdw->m", window, kernel) for window in windows])
            highest = responses.max(0) + self.weights[f"convolutions.{i}.bias"]
            parts.append(np.maximum(highest, 0) if self.tokens["activation"] == "relu" else np.tanh(highest))
        x = np.concatenate(parts)  # (F,)
        for i in range(self.tokens["n_highway"]):
            both = self.weights[f"highways._layers.{i}.weight"] @ x + self.weights[f"highways._layers.{i}.bias"]
            transformed, carried = np.maximum(both[: len(x)], 0), sigmoid(both[len(x) :])
            x = carried * x + (1 - carried) * transformed
        if self.tokens["word_dim"]:
            row = self.words.get(word, self.words["<oov>"])
            x = np.concatenate([self.weights["word_emb_layer.embedding.weight"][row], x])
        return self.weights["projection.weight"] @ x + self.weights["projection.bias"]

    def read(self, direction: str, layer: int, x: np.ndarray) -> np.ndarray:
        cell = f"{direction}_layer_{layer}"
        of_input, of_state, bias, projection = (
            self.weights[f"{cell}.{name}"]
            for name in (
                "input_linearity.weight",
                "state_linearity.weight",
                "state_linearity.bias",
                "state_projection.weight",
            )
        )
        c, h = np.zeros(self.encoder["dim"]), np.zeros(self.encoder["projection_dim"])
        outputs = []
        for step in x:
            i, f, j, o = np.split(of_input @ step + of_state @ h + bias, 4)
            c = self.clipped("cell_clip", sigmoid(i) * np.tanh(j) + sigmoid(f) * c)
            h = self.clipped("proj_clip", projection @ (sigmoid(o) * np.tanh(c)))
            outputs.append(h)
        return np.stack(outputs)

    def clipped(self, name: str, values: np.ndarray) -> np.ndarray:
        limit = self.encoder[name]
        return np.clip(values, -limit, limit) if limit else values


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A model with words and characters. Treat it as read-only."""
    return write(tmp_path_factory.mktemp("many") / "model")


@pytest.fixture(scope="module")
def many(home: Path) -> elmo.Embedder:
    return elmo.load(home)


SHAPES = {
    "words and characters": shape(),
    "characters alone": shape(word_dim=0),
    "fifty characters": shape(max_characters_per_token=50),
    "tanh, no highway, one layer": shape(activation="tanh", n_highway=0, n_layers=1),
    "three layers without clips": shape(n_layers=3, cell_clip=None, proj_clip=0),
    "cell as wide as its output": shape(dim=6),
}


@pytest.mark.parametrize("zipped", [True, False], ids=["zip format", "old format"])
@pytest.mark.parametrize("shape", SHAPES.values(), ids=SHAPES.keys())
def test_equals_the_original_arithmetic(shape: dict[str, Any], zipped: bool, tmp_path: Path) -> None:
    model = elmo.load(write(tmp_path / "model", shape, zipped=zipped))
    twin = Twin(shape)
    for words, embedded in zip(SENTENCES, model.embed(SENTENCES), strict=True):
        assert embedded.tokens == words
        np.testing.assert_allclose(embedded.layers, twin.layers(words), rtol=1e-5, atol=1e-5)
    if SHAPES["words and characters"] == shape:
        assert (np.abs(twin.layers(SENTENCES[1])[1]) == 0.5).any(), "the test is to see the clips at work"


def test_weights_saved_on_a_gpu(many: elmo.Embedder, tmp_path: Path) -> None:
    """As the released models were: the old format, with the type and the place of storage that a GPU leaves there."""
    folder = write(tmp_path / "model", zipped=False)
    for name in ("token_embedder.pkl", "encoder.pkl"):
        content = (folder / name).read_bytes()
        for old, new in (
            (b"ctorch\nFloatStorage", b"ctorch.cuda\nFloatStorage"),
            (b"X\x03\x00\x00\x00cpu", b"X\x06\x00\x00\x00cuda:2"),
        ):
            assert old in content
            content = content.replace(old, new)
        (folder / name).write_bytes(content)
    [a], [b] = many.embed(["kat ter"]), elmo.load(folder).embed(["kat ter"])
    assert np.array_equal(a.layers, b.layers)


def test_gradients_reach_both_tables(many: elmo.Embedder) -> None:
    mix = elmo.ELMo(many.bilm, mixes=2, freeze=False)
    output = mix([["kat", "xx"], ["ter"]])
    with torch.no_grad():
        assert torch.allclose(output.representations[0], mix([["kat", "xx"], ["ter"]]).representations[0], atol=1e-5)
    sum(one.sum() for one in output.representations).backward()
    tokens = many.bilm.token_layer
    for table in (tokens.words.weight, tokens.characters.embedding.weight):
        assert table.grad is not None
        assert table.grad.abs().sum() > 0
        table.grad = None
    many.bilm.requires_grad_(False)


def test_word_markers_are_swapped_as_in_training() -> None:
    ids = Dictionary(CHARACTERS, WORDS).words_to_ids(["kat", "<S>", "<bos>", "xñ"], 7)
    place = {entry: number + 1 for number, entry in enumerate(CHARACTERS)}
    begin, end, fill, unknown = (place[marker] for marker in ("<eow>", "<bow>", "<pad>", "<oov>"))
    assert ids.tolist() == [
        [1 + WORDS.index("kat"), begin, place["k"], place["a"], place["t"], end, fill, fill],
        [1 + WORDS.index("<bos>"), begin, place["<bos>"], end, fill, fill, fill, fill],
        [1 + WORDS.index("<bos>"), begin, place["<bos>"], end, fill, fill, fill, fill],
        [1 + WORDS.index("<oov>"), begin, unknown, place["ñ"], end, fill, fill, fill],
    ]


def test_alone_or_in_a_batch(many: elmo.Embedder) -> None:
    together = many.embed(SENTENCES)
    for words, embedded in zip(SENTENCES, together, strict=True):
        np.testing.assert_allclose(many.embed([words])[0].layers, embedded.layers, rtol=1e-5, atol=1e-5)


# Other places to load from, and other ways on


@pytest.mark.parametrize("inside", ["", "zhs.model"], ids=["flat", "in a folder"])
def test_zip_archive(home: Path, many: elmo.Embedder, tmp_path: Path, inside: str) -> None:
    shutil.copytree(home, tmp_path / "files" / inside, dirs_exist_ok=True)
    archive = shutil.make_archive(str(tmp_path / "144"), "zip", tmp_path / "files")
    [a], [b] = many.embed(["kat ter"]), elmo.load(archive).embed(["kat ter"])
    np.testing.assert_allclose(a.layers, b.layers, atol=1e-6)


@pytest.mark.parametrize("named", ["cnn.json", "configs/cnn.json", r"C:\elmo\cnn.json"])
@pytest.mark.parametrize("place", [".", "configs"])
def test_the_shape_is_found_in_the_folder(home: Path, tmp_path: Path, named: str, place: str) -> None:
    folder = shutil.copytree(home, tmp_path / "model")
    (folder / place).mkdir(exist_ok=True)
    (folder / "cnn.json").rename(folder / place / "cnn.json")
    (folder / "config.json").write_text(json.dumps({"config_path": named}))
    assert elmo.load(folder).bilm.config.lstm.dim == 9


def test_the_shape_stands_in_the_config_itself(home: Path, tmp_path: Path) -> None:
    folder = shutil.copytree(home, tmp_path / "model")
    (folder / "cnn.json").replace(folder / "config.json")
    assert elmo.load(folder).bilm.config.lstm.dim == 9


def test_the_usual_shape_need_not_be_there(home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = shutil.copytree(home, tmp_path / "model")
    (folder / "cnn.json").unlink()
    (folder / "config.json").write_text(json.dumps({"config_path": "/home/x/cnn_50_100_512_4096_sample.json"}))
    usual = many_langs.config_from_shape(many_langs.USUAL_SHAPE, 4000, 150_000)
    assert isinstance(usual.token_layer, WordAndCharCNNConfig)
    assert usual.output_dim == 1024
    with pytest.raises(ValueError, match=r"token_embedder\.pkl: .* expected \(15, 50\)"):
        elmo.load(folder)
    monkeypatch.setattr(many_langs, "USUAL_SHAPE", SHAPE)
    assert elmo.load(folder).bilm.config.lstm.dim == 9


@pytest.mark.parametrize("word_dim", [5, 0], ids=["words and characters", "characters alone"])
def test_convert_and_the_commands(tmp_path: Path, word_dim: int) -> None:
    source, ours = write(tmp_path / "theirs", shape(word_dim=word_dim)), tmp_path / "ours"
    assert run("convert", source, ours).returncode == 0
    assert sorted(p.name for p in ours.iterdir()) == [
        "README.md",
        "checksums.json",
        "config.json",
        "dictionary.json",
        "model.safetensors",
    ]
    before, after = elmo.load(source), elmo.load(ours)
    assert after.bilm.config == before.bilm.config
    for a, b in zip(before.embed(SENTENCES), after.embed(SENTENCES), strict=True):
        assert np.array_equal(a.layers, b.layers)

    after.save(tmp_path / "again")
    assert (tmp_path / "again" / "dictionary.json").read_bytes() == (ours / "dictionary.json").read_bytes()
    shown = run("info", ours).stdout.decode()
    assert "by character (15 known), at most 11 per word" in shown
    assert ("from a table of 8 words" in shown) == bool(word_dim)
    stored = sum(tensor.numel() for part in random_weights(shape(word_dim=word_dim)) for tensor in part.values())
    assert f"{stored:,}" in shown
    kind = json.loads(run("info", source, "--json").stdout)["token_layer"]["kind"]
    assert kind == "word_and_char_cnn"
    text = tmp_path / "text.txt"
    text.write_text("kat 語 ter\n", encoding="utf-8")
    assert run("embed", text, "-o", tmp_path / "vectors.npz", "--model", source).returncode == 0

    for folder in (ours, source):
        error = error_of(run("convert", folder, tmp_path / "published", "--to", "published"))
        assert "published format has no place" in error
    assert not (tmp_path / "published").exists()


# Damaged and contradictory folders


class Code:
    def __reduce__(self) -> tuple[Callable[[str], None], tuple[str]]:
        return (pytest.fail, ("code in a file was run",))


def edit(name: str, change: Callable[[Any], Any]) -> Callable[[Path], None]:
    """Change what a file of JSON or tensors holds."""

    def edited(folder: Path) -> None:
        path = folder / name
        if name.endswith(".json"):
            content = json.loads(path.read_text())
            change(content)
            path.write_text(json.dumps(content))
        else:
            content = torch.load(path, weights_only=True)
            change(content)
            torch.save(content, path)

    return edited


def remove(name: str) -> Callable[[Path], None]:
    return lambda folder: (folder / name).unlink()


def put(name: str, content: bytes) -> Callable[[Path], None]:
    return lambda folder: (folder / name).write_bytes(content)


def shorten(name: str) -> Callable[[Path], None]:
    return lambda folder: (folder / name).write_bytes((folder / name).read_bytes()[:-300])


def replace(name: str, old: str, new: str) -> Callable[[Path], None]:
    def replaced(folder: Path) -> None:
        text = (folder / name).read_text("utf-8")
        assert old in text
        (folder / name).write_text(text.replace(old, new), encoding="utf-8")

    return replaced


BIAS = "forward_layer_0.state_linearity.bias"
BAD_FOLDERS = {
    "no config": (remove("config.json"), r"config\.json: no such file"),
    "no characters": (remove("char.dic"), r"char\.dic: no such file"),
    "no words": (remove("word.dic"), r"word\.dic: no such file"),
    "no encoder": (remove("encoder.pkl"), r"encoder\.pkl: no such file"),
    "no token embedder": (remove("token_embedder.pkl"), r"token_embedder\.pkl: no such file"),
    "no shape": (remove("cnn.json"), r"config\.json: .* cnn\.json, which is missing"),
    "shape not named": (put("config.json", b"{}"), r"config\.json: has neither"),
    "config is no JSON": (put("config.json", b"{"), r"config\.json: not valid JSON"),
    "config is no UTF-8": (put("config.json", b'{"a": "\xff"}'), r"config\.json: not valid JSON"),
    "config is a list": (put("config.json", b"[]"), r"config\.json: must be a JSON object"),
    "shape without encoder": (edit("cnn.json", lambda c: c.pop("encoder")), r"cnn\.json: encoder is missing"),
    "shape without tokens": (edit("cnn.json", lambda c: c.pop("token_embedder")), r"cnn\.json: token_embedder is"),
    "shape without filters": (
        edit("cnn.json", lambda c: c["token_embedder"].pop("filters")),
        r"cnn\.json: token_embedder\.filters is missing",
    ),
    "filters are a number": (edit("cnn.json", lambda c: c["token_embedder"].update(filters=3)), r"cnn\.json: "),
    "width of zero": (edit("cnn.json", lambda c: c["encoder"].update(dim=0)), r"cnn\.json: dim must be"),
    "character LSTM": (edit("cnn.json", lambda c: c["token_embedder"].update(name="lstm")), "only cnn is supported"),
    "another encoder": (edit("cnn.json", lambda c: c["encoder"].update(name="lstm")), "only elmo is supported"),
    "words alone": (edit("cnn.json", lambda c: c["token_embedder"].update(char_dim=0)), "char_dim is 0"),
    "line without id": (replace("char.dic", "k\t1", "k"), r"char\.dic, line \d+: expected an entry, a tab and an id"),
    "id of two": (replace("word.dic", "kat\t4", "kat\t5"), r"word\.dic, line \d+: the id 5 is already used by"),
    "gap in the ids": (replace("char.dic", "k\t1\n", "k\t99\n"), r"char\.dic: .* no entry has the id 1"),
    "word twice": (replace("word.dic", "kat\t4", "ter\t4"), r"word\.dic: 'ter' occurs twice"),
    "no word marker": (replace("char.dic", "<eow>", "<x>"), r"char\.dic: <eow> is missing"),
    "no unknown word": (replace("word.dic", "<oov>", "<x>"), r"word\.dic: <oov> is missing"),
    "empty list": (put("char.dic", b""), r"char\.dic: <bos> is missing"),
    "not UTF-8": (put("char.dic", b"\xff\t0\n"), r"char\.dic: not UTF-8"),
    "a character too few": (replace("char.dic", "<eow>\t14\n", ""), r"char\.dic: <eow> is missing"),
    "a word too many": (
        replace("word.dic", "kat\t4\n", "kat\t4\nfoo\t8\n"),
        r"token_embedder\.pkl: word_emb_layer.* has shape \(8, 5\); expected \(9, 5\) from .*\.dic files",
    ),
    "weight missing": (edit("encoder.pkl", lambda t: t.pop(BIAS)), rf"encoder\.pkl: {BIAS} is missing"),
    "weight too many": (edit("encoder.pkl", lambda t: t.update(x=t[BIAS])), r"encoder\.pkl: x is unexpected"),
    "weight of another shape": (edit("encoder.pkl", lambda t: t.update({BIAS: t[BIAS][1:]})), r"has shape \(35,\)"),
    "weight of integers": (
        edit("encoder.pkl", lambda t: t.update({BIAS: t[BIAS].int()})),
        "floating-point numbers",
    ),
    "not a number": (edit("encoder.pkl", lambda t: t[BIAS].fill_(float("nan"))), "not finite"),
    "a list of tensors": (lambda f: torch.save([torch.ones(1)], f / "encoder.pkl"), "must hold tensors by name"),
    "code": (lambda f: torch.save({"x": Code()}, f / "encoder.pkl"), r"encoder\.pkl: holds more than tensors"),
    "code in the old format": (
        lambda f: torch.save({"x": Code()}, f / "encoder.pkl", _use_new_zipfile_serialization=False),
        r"encoder\.pkl: holds more than tensors",
    ),
    "code in a plain pickle": (lambda f: (f / "encoder.pkl").write_bytes(pickle.dumps(Code())), r"encoder\.pkl: "),
    "cut short": (shorten("encoder.pkl"), r"encoder\.pkl: damaged"),
    "no torch file": (put("token_embedder.pkl", b"hello"), r"token_embedder\.pkl: damaged"),
    "empty file": (put("token_embedder.pkl", b""), r"token_embedder\.pkl: damaged"),
}


@pytest.mark.parametrize(("damage", "message"), BAD_FOLDERS.values(), ids=BAD_FOLDERS.keys())
def test_bad_folders(home: Path, tmp_path: Path, damage: Callable[[Path], None], message: str) -> None:
    folder = shutil.copytree(home, tmp_path / "model")
    damage(folder)
    with pytest.raises((ValueError, OSError), match=message) as caught:
        elmo.load(folder)
    assert "\n" not in str(caught.value)
    assert str(folder) in str(caught.value)


def test_two_models_in_an_archive(home: Path, tmp_path: Path) -> None:
    for name in ("a", "b"):
        shutil.copytree(home, tmp_path / "files" / name)
    with pytest.raises(ValueError, match="more than one model"):
        elmo.load(shutil.make_archive(str(tmp_path / "both"), "zip", tmp_path / "files"))


BAD_COPIES = {
    "no dictionary": (remove("dictionary.json"), r"dictionary\.json: no such file"),
    "dictionary is no JSON": (put("dictionary.json", b"{"), r"dictionary\.json: not a dictionary"),
    "no words": (edit("dictionary.json", lambda d: d.pop("words")), r"dictionary\.json: not a dictionary"),
    "numbers": (edit("dictionary.json", lambda d: d.update(words=[1])), "lists of strings"),
    "twice": (edit("dictionary.json", lambda d: d["words"].append("kat")), "'kat' occurs twice"),
    "other size": (edit("dictionary.json", lambda d: d["words"].append("foo")), "15 characters and 9 words"),
    "half a word table": (edit("config.json", lambda c: c["token_layer"].update(word_dim=0)), "word_dim"),
}


@pytest.mark.parametrize(("damage", "message"), BAD_COPIES.values(), ids=BAD_COPIES.keys())
def test_bad_folders_of_ours(many: elmo.Embedder, tmp_path: Path, damage: Callable[[Path], None], message: str) -> None:
    many.save(tmp_path / "model")
    (tmp_path / "model" / "checksums.json").unlink()
    damage(tmp_path / "model")
    with pytest.raises((ValueError, OSError), match=message):
        elmo.load(tmp_path / "model")
