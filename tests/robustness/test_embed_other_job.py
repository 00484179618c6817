"""``embed --resume`` refuses whenever anything that the vectors depend on has changed."""

import dataclasses
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import torch
from commands import error_of, run
from safetensors.torch import load_file, save_file

import elmo
from elmo.config import BiLMConfig, CharCNNConfig, LSTMConfig, WordAndCharCNNConfig, WordTableConfig
from elmo.embed.embedder import Embedder
from elmo.embed.job import embed_file
from elmo.model.bilm import BiLM
from elmo.text.dictionary import CHARACTER_MARKERS, Dictionary
from elmo.text.vocabulary import Vocabulary

DICTIONARY = Dictionary([*CHARACTER_MARKERS, "t", "h", "e"], ["<oov>", "the"])
MODELS: dict[str, tuple[Any, Any]] = {
    "char_cnn": (CharCNNConfig(4, ((1, 4), (2, 8)), projection_dim=8, max_characters=12), None),
    "word_table": (WordTableConfig(4, 8), Vocabulary(["<S>", "</S>", "<UNK>", "the"])),
    "word_and_char_cnn": (WordAndCharCNNConfig(9, 8, 2, 4, embedding_dim=4, filters=((1, 8), (3, 16))), DICTIONARY),
}
CONFIG_KEYS = [
    (kind, part, field.name)
    for kind, (config, _) in MODELS.items()
    for part, fields in (("token_layer", dataclasses.fields(config)), ("lstm", dataclasses.fields(LSTMConfig)))
    for field in fields
]


def changed(value: Any) -> Any:
    """Return another value of the same type, which differs as little as possible."""
    match value:
        case bool():
            return not value
        case int() | float():
            return value + 1
        case str():
            return {"relu": "tanh", "tanh": "relu"}[value]
        case list():
            return value[::-1]
        case None:
            return 1


def model_folder(kind: str, folder: Path) -> Path:
    """Write a small model with random weights."""
    config, vocabulary = MODELS[kind]
    torch.manual_seed(1)
    Embedder(BiLM(BiLMConfig(config, LSTMConfig(16, 8)), vocabulary)).save(folder)
    (folder / "checksums.json").unlink()  # as if the changes below were made on purpose
    return folder


def interrupted_command(folder: Path, tmp_path: Path) -> list[object]:
    """Return the command that resumes a job of which one part is finished."""
    text = tmp_path / "text.txt"
    text.write_text("the play\nwas\nsold out\n.\n")

    def stop(stage: str, sentences: int, total: int | None, words: int) -> None:
        if sentences > 2:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        embed_file(text, tmp_path / "out.npz", folder, shard_lines=2, progress=stop)
    return ["embed", text, "-o", tmp_path / "out.npz", "-m", folder, "--shard-lines", 2, "--resume"]


def refused(command: list[object], tmp_path: Path, differs: str) -> None:
    message = error_of(run(*command))
    assert f"the interrupted run differs in {differs};" in message
    assert [path.name for path in (tmp_path / "out.npz.parts").glob("part-*")] == ["part-000000.safetensors"]


@pytest.mark.filterwarnings("ignore:.*of the words")
@pytest.mark.parametrize(("kind", "part", "key"), CONFIG_KEYS)
def test_configuration(tmp_path: Path, kind: str, part: str, key: str) -> None:
    folder = model_folder(kind, tmp_path / "model")
    command = interrupted_command(folder, tmp_path)
    config = json.loads((folder / "config.json").read_text())
    config[part][key] = changed(config[part][key])
    (folder / "config.json").write_text(json.dumps(config))
    try:
        elmo.load(folder)
    except ValueError:  # the weights do not fit any more
        error_of(run(*command))
    else:
        refused(command, tmp_path, "model")


def edit_weights(folder: Path) -> None:
    tensors = load_file(folder / "model.safetensors")
    next(iter(tensors.values())).view(-1)[0] += 1e-3
    save_file(tensors, folder / "model.safetensors", {"format": "pt"})


def edit_text(name: str, old: str, new: str) -> Callable[[Path], None]:
    def edit(folder: Path) -> None:
        text = (folder / name).read_text("utf-8")
        assert old in text
        (folder / name).write_text(text.replace(old, new), "utf-8")

    return edit


@pytest.mark.filterwarnings("ignore:.*of the words")
@pytest.mark.parametrize(
    ("kind", "edit"),
    [
        *((kind, edit_weights) for kind in MODELS),
        ("word_table", edit_text("vocab.txt", "the", "play")),
        ("word_and_char_cnn", edit_text("dictionary.json", '"the"', '"play"')),
        ("word_and_char_cnn", edit_text("dictionary.json", '"h"', '"p"')),
    ],
)
def test_model_files(tmp_path: Path, kind: str, edit: Callable[[Path], None]) -> None:
    folder = model_folder(kind, tmp_path / "model")
    command = interrupted_command(folder, tmp_path)
    edit(folder)
    refused(command, tmp_path, "model")


@pytest.mark.parametrize(
    ("options", "differs"),
    [
        (["--precision", "bf16"], "--precision (it was float32)"),
        (["--precision", "int8"], "--precision (it was float32)"),
        (["--layers", "top"], "--layers (it was all)"),
        (["--layers", "average"], "--layers (it was all)"),
        (["--layers", "0"], "--layers (it was all)"),
        (["--pool", "mean"], "--pool (it was not given)"),
        (["--pool", "max"], "--pool (it was not given)"),
        (["--tokenize", "words"], "--tokenize (it was model)"),
        (["--initial-state", "warm"], "--initial-state (it was zero), warm_up"),
        (["--shard-lines", "3"], "--shard-lines (it was 2)"),
        (["--format", "parquet"], "format"),
    ],
)
def test_options(tmp_path: Path, options: list[str], differs: str) -> None:
    command = interrupted_command(model_folder("char_cnn", tmp_path / "model"), tmp_path)
    refused([*command, *options], tmp_path, differs)


@pytest.mark.parametrize(
    "content", ["the play\nwas\nsold out\n!\n", "The play\nwas\nsold out\n.\n", "the play\nwas\nsold out\n.\n\n"]
)
def test_input(tmp_path: Path, content: str) -> None:
    command = interrupted_command(model_folder("char_cnn", tmp_path / "model"), tmp_path)
    (tmp_path / "text.txt").write_text(content)
    refused(command, tmp_path, "input")


def test_warm_up_text(tmp_path: Path) -> None:
    """Of a model that was given its own."""
    folder = model_folder("char_cnn", tmp_path / "model")
    interrupted_command(folder, tmp_path)
    bilm = elmo.load(folder).bilm

    def resume(warm_up: str) -> None:
        model = Embedder(bilm, [warm_up])
        embed_file(tmp_path / "text.txt", tmp_path / "new.npz", model, initial_state="warm", resume=True, shard_lines=1,
                   progress=stop)  # fmt: skip

    def stop(stage: str, sentences: int, total: int | None, words: int) -> None:
        if sentences > 1:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        resume("one text")
    with pytest.raises(ValueError, match="differs in warm_up;"):
        resume("another")


def test_another_version(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It may split text into other words."""
    command = interrupted_command(model_folder("char_cnn", tmp_path / "model"), tmp_path)
    monkeypatch.setattr("elmo.embed.job.__version__", "99")
    refused(command, tmp_path, "version")
