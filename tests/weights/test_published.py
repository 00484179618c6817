import itertools
import json
import pickle
import shutil
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import h5py
import numpy as np
import pytest
from parity.numpy_bilm import random_model, write_published

import elmo
from elmo.weights import folder as folder_format
from elmo.weights import published as published_format


def datasets_of(path: Path) -> dict[str, tuple[str, tuple[int, ...], bytes]]:
    found: dict[str, Any] = {}
    with h5py.File(path) as file:
        file.visititems(
            lambda name, item: (
                found.update({name: (item.dtype.str, item.shape, item[...].tobytes())})
                if isinstance(item, h5py.Dataset)
                else None
            )
        )
    return found


SHAPES = [
    dict(zip(("activation", "n_highway", "n_layers", "residual", "dim", "filters"), values, strict=True))
    for values in itertools.product(
        ["relu", "tanh"], [None, 1], [1, 4], [True, False], [12, 8], [((1, 4), (2, 8)), ((1, 3), (3, 5))]
    )
]


@pytest.mark.parametrize("shape", SHAPES, ids=[" ".join(map(str, shape.values())) for shape in SHAPES])
def test_there_and_back_is_byte_identical(shape: dict[str, Any], tmp_path: Path) -> None:
    write_published(tmp_path / "first", *random_model(seed=0, projection_dim=8, **shape))
    elmo.load(tmp_path / "first").save(tmp_path / "ours")
    published_format.write_published(elmo.load(tmp_path / "ours").bilm, tmp_path / "second")
    first, second = (datasets_of(tmp_path / name / "weights.hdf5") for name in ("first", "second"))
    assert first == second
    for name, (dtype, _, _) in second.items():
        assert dtype == "<f4", name
    options = [json.loads((tmp_path / name / "options.json").read_text()) for name in ("first", "second")]
    options[0]["char_cnn"].setdefault("n_highway", 0)
    assert options[0] == options[1]


def test_published_test_models_there_and_back(published_vectors: Path, tmp_path: Path) -> None:
    for name in ("allennlp", "bilm-tf/model"):
        source = published_vectors / name
        model = elmo.load(options=source / "options.json", weights=source / "lm_weights.hdf5")
        model.save(tmp_path / name / "ours")
        published_format.write_published(elmo.load(tmp_path / name / "ours").bilm, tmp_path / name / "back")
        back = tmp_path / name / "back"
        assert datasets_of(source / "lm_weights.hdf5") == datasets_of(back / "weights.hdf5")
        assert json.loads((source / "options.json").read_text()) == json.loads((back / "options.json").read_text())


def test_word_table_there_and_back(tmp_path: Path) -> None:
    write_published(tmp_path / "first", *random_model(seed=0, token_vocabulary=4))
    (tmp_path / "first" / "vocab.txt").write_text("<S>\n</S>\n<UNK>\nthe\n")
    model = elmo.load(tmp_path / "first")
    model.save(tmp_path / "ours")
    again = elmo.load(tmp_path / "ours")
    assert again.bilm.token_layer.vocabulary == model.bilm.token_layer.vocabulary
    published_format.write_published(again.bilm, tmp_path / "second")
    assert datasets_of(tmp_path / "first/weights.hdf5") == datasets_of(tmp_path / "second/weights.hdf5")
    assert (tmp_path / "first/vocab.txt").read_text() == (tmp_path / "second/vocab.txt").read_text()
    [a], [b] = model.embed(["the cat"]), elmo.load(tmp_path / "second").embed(["the cat"])
    assert np.array_equal(a.layers, b.layers)


def test_one_layer_as_bilm_tf_dumps_it(tmp_path: Path) -> None:
    """Without the level MultiRNNCell/Cell0."""
    options, datasets = random_model(seed=0, n_layers=1)
    write_published(tmp_path / "usual", options, datasets)
    short = {name.replace("MultiRNNCell/Cell0/", ""): data for name, data in datasets.items()}
    del options["lstm"]["n_layers"]
    write_published(tmp_path / "short", options, short)
    [a], [b] = (elmo.load(tmp_path / name).embed(["the cat"]) for name in ("usual", "short"))
    assert np.array_equal(a.layers, b.layers)


def test_a_projection_as_wide_as_the_cell(tmp_path: Path) -> None:
    """Other programs may write W_P_0 where bilm-tf would not; what the file has is used."""
    options, datasets = random_model(seed=0, dim=8, projection_dim=8)
    for direction, layer in itertools.product((0, 1), (0, 1)):
        name = f"RNN_{direction}/RNN/MultiRNNCell/Cell{layer}/LSTMCell/W_P_0"
        datasets[name] = np.eye(8, dtype="<f4") * 0.5
    write_published(tmp_path, options, datasets)
    assert elmo.load(tmp_path).bilm.config.lstm.projection_dim == 8


@pytest.mark.parametrize("options_name", ["options.json", "elmo_2x4096_512_options.json"])
@pytest.mark.parametrize("weights_name", ["weights.hdf5", "model.h5", "elmo_2x4096_512_weights.hdf5"])
@pytest.mark.parametrize("archive", [False, True], ids=["folder", "zip"])
def test_names_people_use(
    published_folder: Path, tmp_path: Path, options_name: str, weights_name: str, archive: bool
) -> None:
    home = tmp_path / "model"
    home.mkdir()
    shutil.copy(published_folder / "options.json", home / options_name)
    shutil.copy(published_folder / "weights.hdf5", home / weights_name)
    if archive:
        with zipfile.ZipFile(tmp_path / "model.zip", "w") as file:
            for path in home.iterdir():
                file.write(path, f"inside/{path.name}")
        home = tmp_path / "model.zip"
    [ours], [expected] = (elmo.load(place).embed(["the cat"]) for place in (home, published_folder))
    assert np.array_equal(ours.layers, expected.layers)


def test_word_table_in_a_zip(tmp_path: Path) -> None:
    write_published(tmp_path / "model", *random_model(seed=0, token_vocabulary=3))
    with zipfile.ZipFile(tmp_path / "model.zip", "w") as file:
        for name in ("options.json", "weights.hdf5"):
            file.write(tmp_path / "model" / name, name)
        file.writestr("vocab.txt", "<S>\r\n</S>\n!!!MAXTERMID\n<UNK>\n")
    assert elmo.load(tmp_path / "model.zip").embed(["a b"])[0].layers.shape == (3, 2, 16)


def edit_options(change: Callable[[dict[str, Any]], Any]) -> Callable[[Path], None]:
    def edit(folder: Path) -> None:
        options = json.loads((folder / "options.json").read_text())
        change(options)
        (folder / "options.json").write_text(json.dumps(options))

    return edit


def edit_weights(change: Callable[[h5py.File], Any]) -> Callable[[Path], None]:
    def edit(folder: Path) -> None:
        with h5py.File(folder / "weights.hdf5", "r+") as file:
            change(file)

    return edit


def replace_dataset(file: h5py.File, name: str, data: np.ndarray) -> None:
    del file[name]
    file[name] = data


W_P_0 = "RNN_0/RNN/MultiRNNCell/Cell0/LSTMCell/W_P_0"

BAD_MODELS = {
    "no options": (lambda f: (f / "options.json").unlink(), "no model found"),
    "no weights": (lambda f: (f / "weights.hdf5").unlink(), "no model found"),
    "two weights": (
        lambda f: (shutil.copy(f / "weights.hdf5", f / "a.hdf5"), (f / "weights.hdf5").rename(f / "b.hdf5")),
        "more than one file could be the weights",
    ),
    "options are no JSON": (lambda f: (f / "options.json").write_text("{"), r"options\.json: not valid JSON"),
    "options are a list": (lambda f: (f / "options.json").write_text("[]"), r"options\.json: must be"),
    "options are binary": (lambda f: (f / "options.json").write_bytes(b"\xff\x00"), r"options\.json"),
    "weights are text": (lambda f: (f / "weights.hdf5").write_text("hello there"), "not an HDF5 file"),
    "weights are empty": (lambda f: (f / "weights.hdf5").write_bytes(b""), "not an HDF5 file"),
    "weights are a pickle": (
        lambda f: (f / "weights.hdf5").write_bytes(pickle.dumps({"a": 1})),
        "pickle, which is never loaded",
    ),
    "weights are a torch file": (
        lambda f: (f / "weights.hdf5").write_bytes(b"PK\x03\x04...."),
        "zip archive",
    ),
    "weights are cut short": (
        lambda f: (f / "weights.hdf5").write_bytes((f / "weights.hdf5").read_bytes()[:5000]),
        "damaged HDF5",
    ),
    "no lstm": (edit_options(lambda o: o.pop("lstm")), "lstm is missing"),
    "no char_cnn": (edit_options(lambda o: o.pop("char_cnn")), "char_cnn is missing"),
    "bad filters": (edit_options(lambda o: o["char_cnn"].update(filters=[1])), "filters"),
    "strange alphabet": (edit_options(lambda o: o["char_cnn"].update(n_characters=60)), "n_characters"),
    "dim is text": (edit_options(lambda o: o["lstm"].update(dim="12")), "lstm.dim"),
    "gelu": (edit_options(lambda o: o["char_cnn"].update(activation="gelu")), "relu or tanh"),
    "another width": (edit_options(lambda o: o["lstm"].update(projection_dim=10)), "expected"),
    "another dim": (edit_options(lambda o: o["lstm"].update(dim=10)), "expected"),
    "more layers": (edit_options(lambda o: o["lstm"].update(n_layers=3)), "Cell2.* is missing"),
    "fewer layers": (edit_options(lambda o: o["lstm"].update(n_layers=1)), "unexpected"),
    "fewer highways": (edit_options(lambda o: o["char_cnn"].update(n_highway=1)), "unexpected"),
    "more filters": (edit_options(lambda o: o["char_cnn"]["filters"].append([2, 2])), "is missing"),
    "no projection": (edit_weights(lambda h: h.pop(W_P_0)), "no projection"),
    "no CNN projection": (edit_weights(lambda h: h.pop("CNN_proj")), "no projection"),
    "no bias": (edit_weights(lambda h: h.pop("CNN/b_cnn_0")), "b_cnn_0 is missing"),
    "not a number": (
        edit_weights(lambda h: replace_dataset(h, "CNN/b_cnn_0", np.full(4, np.nan, "f4"))),
        "not finite",
    ),
    "whole numbers": (
        edit_weights(lambda h: replace_dataset(h, "CNN/b_cnn_0", np.zeros(4, "i4"))),
        "b_cnn_0 holds int32",
    ),
    "something else": (edit_weights(lambda h: h.create_dataset("extra", data=[1.0])), "extra is unexpected"),
}


@pytest.mark.parametrize(("damage", "message"), BAD_MODELS.values(), ids=BAD_MODELS.keys())
def test_bad_models(published_folder: Path, tmp_path: Path, damage: Any, message: str) -> None:
    home = tmp_path / "model"
    shutil.copytree(published_folder, home)
    damage(home)
    with pytest.raises(ValueError, match=message) as caught:
        elmo.load(home)
    assert str(home) in str(caught.value)
    assert "\n" not in str(caught.value)


def test_word_table_without_or_with_another_vocabulary(tmp_path: Path) -> None:
    write_published(tmp_path, *random_model(seed=0, token_vocabulary=4))
    with pytest.raises(ValueError, match="vocabulary file is needed"):
        elmo.load(tmp_path)
    (tmp_path / "vocab.txt").write_text("<S>\n")
    with pytest.raises(ValueError, match="has 1 words"):
        elmo.load(tmp_path)


def test_names_one_by_one(published_folder: Path, tmp_path: Path) -> None:
    options, weights = published_folder / "options.json", published_folder / "weights.hdf5"
    with pytest.raises(ValueError, match="both options and weights"):
        elmo.load(options=options)
    with pytest.raises(ValueError, match="either a model"):
        elmo.load(published_folder, options=options, weights=weights)
    with pytest.raises(ValueError, match="together with options"):
        elmo.load(published_folder, vocabulary=options)
    with pytest.raises(FileNotFoundError, match=r"nothing\.hdf5"):
        elmo.load(options=options, weights=tmp_path / "nothing.hdf5")


@pytest.mark.parametrize(
    ("highway", "lstm", "count"),
    [(1, (1024, 128), 13_593_296), (1, (2048, 256), 28_027_728), (2, (4096, 512), 93_600_848)],
    ids=["small", "medium", "original"],
)
def test_parameters_of_the_published_models(highway: int, lstm: tuple[int, int], count: int) -> None:
    import torch

    from elmo.config import CharCNNConfig, LSTMConfig

    config = elmo.BiLMConfig(CharCNNConfig(n_highway=highway, projection_dim=lstm[1]), LSTMConfig(*lstm))
    with torch.device("meta"):
        bilm = elmo.BiLM(config)
    assert folder_format.describe(bilm)["parameters"] == f"{count:,}"
