import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from safetensors.torch import load_file, save_file

import elmo
from elmo.weights import folder as folder_format
from elmo.weights.locate import BUNDLED, bundled


@pytest.fixture
def home(model: elmo.Embedder, tmp_path: Path) -> Path:
    model.save(tmp_path / "model")
    return tmp_path / "model"


def test_save_and_load(model: elmo.Embedder, home: Path) -> None:
    assert sorted(path.name for path in home.iterdir()) == [
        "README.md",
        "checksums.json",
        "config.json",
        "model.safetensors",
    ]
    again = elmo.load(home)
    assert again.bilm.config == model.bilm.config
    [a], [b] = model.embed(["the play"]), again.embed(["the play"])
    assert np.array_equal(a.layers, b.layers)


def test_saving_again_keeps_a_card_that_somebody_wrote(model: elmo.Embedder, home: Path) -> None:
    (home / "README.md").write_text("my card")
    (home / "notes.txt").write_text("mine")
    model.save(home)
    assert (home / "README.md").read_text() == "my card"
    assert (home / "notes.txt").read_text() == "mine"


def test_a_card_is_utf8_whatever_the_locale(home: Path) -> None:
    """As all readers of cards expect."""
    code = "import sys, elmo; from elmo.weights.folder import write_folder\n"
    code += "write_folder(elmo.load(sys.argv[1]).bilm, sys.argv[1], card='\\ud55c\\uad6d\\uc5b4')"
    environment = {**os.environ, "LC_ALL": "C", "PYTHONCOERCECLOCALE": "0", "PYTHONUTF8": "0"}
    subprocess.run([sys.executable, "-c", code, home], env=environment, check=True)
    assert (home / "README.md").read_text("utf-8") == "한국어"


def edit_config(change: Callable[[dict[str, Any]], Any]) -> Callable[[Path], None]:
    def edit(folder: Path) -> None:
        config = json.loads((folder / "config.json").read_text())
        change(config)
        (folder / "config.json").write_text(json.dumps(config))

    return edit


def edit_tensors(change: Callable[[dict[str, torch.Tensor]], Any]) -> Callable[[Path], None]:
    def edit(folder: Path) -> None:
        tensors = load_file(folder / "model.safetensors")
        change(tensors)
        save_file(tensors, folder / "model.safetensors")
        (folder / "checksums.json").unlink()

    return edit


BAD_FOLDERS = {
    "config is no JSON": (lambda f: (f / "config.json").write_text("{"), r"config\.json"),
    "config of another model": (
        lambda f: (f / "config.json").write_text('{"model_type": "bert"}'),
        "not an elmo",
    ),
    "no weights": (lambda f: (f / "model.safetensors").unlink(), r"no model\.safetensors"),
    "weights cut short": (
        lambda f: (f / "model.safetensors").write_bytes((f / "model.safetensors").read_bytes()[:5000]),
        "damaged",
    ),
    "weights are a pickle": (
        lambda f: (torch.save({}, f / "model.safetensors"), (f / "checksums.json").unlink()),
        "damaged or not a safetensors",
    ),
    "a tensor is missing": (edit_tensors(lambda t: t.pop("lstm.layers.0.bias")), "bias is missing"),
    "a tensor too many": (edit_tensors(lambda t: t.update(extra=torch.zeros(1))), "extra is unexpected"),
    "another shape": (edit_config(lambda c: c["lstm"].update(dim=13)), "expected"),
    "more layers": (edit_config(lambda c: c["lstm"].update(n_layers=3)), "is missing"),
    "word table without vocabulary": (
        edit_config(lambda c: c.update(token_layer={"kind": "word_table", "vocabulary_size": 3, "output_dim": 8})),
        r"vocab\.txt",
    ),
}


@pytest.mark.parametrize(("damage", "message"), BAD_FOLDERS.values(), ids=BAD_FOLDERS.keys())
def test_bad_folders(home: Path, damage: Any, message: str) -> None:
    damage(home)
    with pytest.raises((ValueError, FileNotFoundError), match=message) as caught:
        elmo.load(home)
    assert str(home) in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("nowhere", "not the name of a model, and not a folder"),
        ("a/b/c", "a/b/c: no such folder or archive"),
        ("", "no model found"),
    ],
)
def test_no_model(name: str | None, message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises((ValueError, FileNotFoundError), match=message):
        elmo.load(name)


def test_a_file_is_not_a_model(home: Path) -> None:
    with pytest.raises(ValueError, match="is a file"):
        elmo.load(home / "model.safetensors")


class TestHub:
    """Without a network: the real client against a local cache, and a stand-in for uploads."""

    @pytest.fixture
    def cached(self, home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
        """A model in the local cache of the Hub's client, as a download would have left it."""
        commit = "0123456789abcdef0123456789abcdef01234567"
        repository = tmp_path / "cache" / "models--somebody--elmo-test"
        shutil.copytree(home, repository / "snapshots" / commit)
        (repository / "refs").mkdir()
        (repository / "refs" / "main").write_text(commit)
        monkeypatch.setattr("huggingface_hub.constants.HF_HUB_CACHE", str(tmp_path / "cache"))
        monkeypatch.setattr("huggingface_hub.constants.HF_HUB_OFFLINE", True)
        return "somebody/elmo-test"

    def test_load_by_id(self, model: elmo.Embedder, cached: str) -> None:
        [expected] = model.embed(["the play"])
        for loaded in (elmo.load(cached), elmo.Embedder.from_pretrained(cached)):
            assert np.array_equal(loaded.embed(["the play"])[0].layers, expected.layers)

    def test_an_id_that_is_not_there(self, cached: str) -> None:
        with pytest.raises(
            ValueError, match="somebody/nothing: no such folder or archive, and not available"
        ) as caught:
            elmo.load("somebody/nothing")
        assert "\n" not in str(caught.value)

    def test_loading_is_strict(self, home: Path) -> None:
        edit_tensors(lambda tensors: tensors.pop("lstm.layers.0.bias"))(home)
        with pytest.raises(ValueError, match="is missing"):
            elmo.Embedder.from_pretrained(home)

    def test_save_and_push(self, model: elmo.Embedder, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        class Api:
            def __init__(self, token: str | None = None) -> None:
                assert token == "secret"

            def create_repo(self, repo_id: str, *, private: bool, exist_ok: bool) -> str:
                assert (private, exist_ok) == (True, True)
                return f"hub/{repo_id}"

            def upload_folder(self, *, repo_id: str, folder_path: Path, commit_message: str) -> None:
                shutil.copytree(folder_path, tmp_path / "uploaded")

        monkeypatch.setattr("huggingface_hub.HfApi", Api)
        assert model.push_to_hub("me/mine", private=True, token="secret") == "hub/me/mine"
        model.save_pretrained(tmp_path / "saved")
        for place in ("uploaded", "saved"):
            [ours], [expected] = elmo.load(tmp_path / place).embed(["the play"]), model.embed(["the play"])
            assert np.array_equal(ours.layers, expected.layers)
            assert (tmp_path / place / "checksums.json").exists()
        card = (tmp_path / "uploaded" / "README.md").read_text()
        assert card.startswith("---\nlibrary_name: elmo-torch")
        assert "3 (token layer and 2 LSTM)" in card


def test_word_table_vocabulary_of_another_size(tmp_path: Path) -> None:
    from parity.numpy_bilm import random_model, write_published

    write_published(tmp_path / "p", *random_model(seed=0, token_vocabulary=3))
    (tmp_path / "p/vocab.txt").write_text("<S>\n</S>\n<UNK>\n")
    elmo.load(tmp_path / "p").save(tmp_path / "ours")
    (tmp_path / "ours" / folder_format.PREDICTED_WORDS_FILE).write_text("<S>\n")
    (tmp_path / "ours" / "checksums.json").unlink()
    with pytest.raises(ValueError, match="has 1 words"):
        elmo.load(tmp_path / "ours")


class TestChecksums:
    @pytest.mark.parametrize("name", ["model.safetensors", "softmax.safetensors", "vocab.txt"])
    def test_a_flipped_bit(self, name: str, tmp_path: Path) -> None:
        shutil.copytree(BUNDLED / "small", tmp_path / "small")
        content = bytearray((tmp_path / "small" / name).read_bytes())
        content[len(content) // 2] ^= 1
        (tmp_path / "small" / name).write_bytes(content)
        with pytest.raises(ValueError, match=f"{re.escape(name)}: damaged"):
            elmo.load(tmp_path / "small")

    def test_a_softmax_that_was_lost(self, tmp_path: Path) -> None:
        shutil.copytree(BUNDLED / "small", tmp_path / "small")
        (tmp_path / "small" / "softmax.safetensors").unlink()
        with pytest.raises(ValueError, match=r"softmax\.safetensors: is missing"):
            elmo.load(tmp_path / "small")

    def test_the_configuration_may_be_edited(self, home: Path) -> None:
        edit_config(lambda c: c["lstm"].update(cell_clip=2.5))(home)
        assert elmo.load(home).bilm.config.lstm.cell_clip == 2.5

    def test_saving_over_another_model(self, model: elmo.Embedder, tmp_path: Path) -> None:
        shutil.copytree(BUNDLED / "small", tmp_path / "small")
        model.save(tmp_path / "small")
        again = elmo.load(tmp_path / "small")
        assert again.softmax is None
        assert again.bilm.config == model.bilm.config

    def test_all_bundled_models_have_them(self) -> None:
        for name in bundled():
            assert (BUNDLED / name / "checksums.json").exists()
