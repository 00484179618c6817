"""Published models by name, from a mirror on this machine."""

import json
import urllib.parse
from collections.abc import Iterator
from pathlib import Path

import h5py
import numpy as np
import pytest
from commands import error_of, run
from weights.file_server import FileServer, serving

import elmo
from elmo.weights.catalog import FORMATS, catalog
from elmo.weights.locate import locate


@pytest.fixture
def mirror(monkeypatch: pytest.MonkeyPatch) -> Iterator[FileServer]:
    """A server that has nothing yet; ``put`` adds models."""
    with serving() as server:
        monkeypatch.setenv("ELMO_MODELS_URL", server.url.removesuffix("/models/") + "/")
        yield server


def put(server: FileServer, name: str, *files: Path) -> None:
    for address, file in zip(catalog()[name].addresses, files, strict=True):
        server.files[urllib.parse.urlsplit(address).path] = file.read_bytes()


@pytest.mark.parametrize("model", catalog().values(), ids=lambda model: model.name)
def test_entries(model) -> None:
    assert model.name.isascii()
    assert " " not in model.name
    assert model.language
    assert model.code.isalpha()
    assert len(model.code) in (2, 3)
    assert model.trained_on
    assert len(model.addresses) == len(FORMATS[model.format])
    for address, suffix in zip(
        model.addresses, (".json", ".hdf5") if model.format == "bilm" else (".zip",), strict=True
    ):
        parts = urllib.parse.urlsplit(address)
        assert parts.scheme in ("http", "https")
        assert parts.hostname in ("allennlp.s3.amazonaws.com", "vectors.nlpl.eu")
        assert parts.path.endswith(suffix)
        assert parts.query == parts.fragment == ""


def test_all_are_there_once() -> None:
    models = catalog().values()
    assert sum(model.format == "bilm" for model in models) == 6
    assert sum(model.format == "many-langs" for model in models) == 44
    addresses = [address for model in models for address in model.addresses]
    assert len(set(addresses)) == len(addresses)
    assert len({model.code for model in models if model.format == "many-langs"}) == 44


def test_load_by_name(mirror: FileServer, published_folder: Path, model: elmo.Embedder, cache: Path) -> None:
    put(mirror, "english-small", published_folder / "options.json", published_folder / "weights.hdf5")
    assert "english-small" in {entry.name for entry in elmo.models() if entry.status == "available"}
    mirror.cut_after = [10**9, 1000]  # the second file, in the middle; the next attempt continues
    [expected] = model.embed(["the play"])
    np.testing.assert_array_equal(elmo.load("english-small").embed(["the play"])[0].layers, expected.layers)
    assert mirror.requests == [None, None, "bytes=1000-"]
    mirror.files.clear()  # from now on, the files are on this machine
    np.testing.assert_array_equal(elmo.load("english-small").embed(["the play"])[0].layers, expected.layers)
    [entry] = [entry for entry in elmo.models() if entry.name == "english-small"]
    assert (entry.status, entry.path) == ("downloaded", cache / "models" / "english-small")
    assert sorted(file.name for file in entry.path.iterdir()) == ["options.json", "weights.hdf5"]


@pytest.mark.parametrize("host", ["https://s3-us-west-2.amazonaws.com/allennlp", "https://allennlp.s3.amazonaws.com"])
def test_a_name_and_an_address_are_the_same_file(
    mirror: FileServer, published_folder: Path, cache: Path, host: str
) -> None:
    put(mirror, "english-small", published_folder / "options.json", published_folder / "weights.hdf5")
    start = f"{host}/models/elmo/2x1024_128_2048cnn_1xhighway/elmo_2x1024_128_2048cnn_1xhighway"
    elmo.load(options=f"{start}_options.json", weights=f"{start}_weights.hdf5")
    assert len(mirror.requests) == 2
    elmo.load("english-small")
    assert len(mirror.requests) == 2
    assert sorted(file.name for file in cache.rglob("*.*")) == ["options.json", "weights.hdf5"]


def test_commands(mirror: FileServer, published_folder: Path, cache: Path) -> None:
    put(mirror, "english-small", published_folder / "options.json", published_folder / "weights.hdf5")
    shown = run("info", "english-small").stdout.decode()
    assert "not downloaded" in shown
    assert "elmo download english-small" in shown
    assert (
        run("download", "english-small").stdout.decode().strip() == f"english-small: {cache / 'models/english-small'}"
    )
    assert "not downloaded" not in run("info", "english-small").stdout.decode()
    rows = json.loads(run("models", "--json").stdout)
    assert {row["name"]: row["status"] for row in rows}["english-small"] == "downloaded"
    assert len(rows) == len(elmo.models())
    assert "did you mean english-small" in error_of(run("download", "english-smal"))


def test_a_damaged_file_is_found_at_the_first_load(mirror: FileServer, published_folder: Path, tmp_path: Path) -> None:
    with h5py.File(published_folder / "weights.hdf5") as file, h5py.File(tmp_path / "other.hdf5", "w") as other:
        for name in file:
            file.copy(name, other)
        del other["CNN_proj"]
    put(mirror, "english-small", published_folder / "options.json", tmp_path / "other.hdf5")
    assert "CNN_proj" in error_of(run("download", "english-small"))


@pytest.mark.parametrize("statuses", [[404], [503] * 10])
def test_offline(mirror: FileServer, statuses: list[int], cache: Path) -> None:
    """The message names every file and where to put it; with the files there, the name works."""
    mirror.statuses = statuses
    with pytest.raises(OSError, match=r"english-5\.5B: cannot be downloaded") as error:
        elmo.load("english-5.5B")
    for path, url in catalog()["english-5.5B"].files().items():
        assert f"{url} as {path}" in str(error.value)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(b"x")
    mirror.requests.clear()
    assert locate("english-5.5B") == cache / "models" / "english-5.5B"
    assert mirror.requests == []


def test_languages() -> None:
    names = [entry.name for entry in elmo.models("ko")]
    assert names == [entry.name for entry in elmo.models("Korean")]
    assert "korean-manylangs" in names
    assert all(entry.language == "English" for entry in elmo.models("english"))
    assert "no model for this language" in error_of(run("models", "--language", "xx"))
    assert "korean-manylangs" in run("models", "--language", "KO").stdout.decode()


def test_tables() -> None:
    table = elmo.models()
    lines = str(table).splitlines()
    assert len(lines) == len(table) + 1
    assert lines[0].split()[:3] == ["name", "language", "status"]
    assert lines[1].startswith("small ")
    assert "<td>small</td>" in table._repr_html_()


def test_unknown_names() -> None:
    with pytest.raises(ValueError, match=r"englsh-small: not the name of a model.* did you mean english-small"):
        elmo.load("englsh-small")
    with pytest.raises(ValueError, match=r"norwegian: not the name.* did you mean norwegian-bokmal-manylangs, nor"):
        elmo.load("norwegian")


def test_published_vectors(mirror: FileServer, published_vectors: Path) -> None:
    """A model of the catalog gives the vectors that were published with it."""
    folder = published_vectors / "allennlp"
    put(mirror, "english-original", folder / "options.json", folder / "lm_weights.hdf5")
    rows = json.loads((folder / "sentences.json").read_text())
    sentences = [text.split() for batch in zip(*rows, strict=True) for text in batch]
    embedded = elmo.load("english-original").embed(sentences, "top", initial_state="carry", batch_sentences=3)
    with h5py.File(folder / "lm_embeddings_0.hdf5") as file:
        for index in range(len(sentences) // 3):
            expected = np.concatenate(list(file[str(index)][...]), -1)
            np.testing.assert_allclose(embedded[3 * index].layers, expected, atol=1e-6, rtol=1e-5)
