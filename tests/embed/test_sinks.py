import json
import sys
import tracemalloc
import zipfile
from pathlib import Path

import h5py
import numpy as np
import pyarrow.parquet
import pytest
from safetensors import safe_open

import elmo
from elmo.config import Format
from elmo.embed.select import EmbeddedSentence
from elmo.embed.sinks import SentenceIndex, UncompressedZip, open_sink, read_safetensors

SENTENCES = ["The play was sold out .", "", "a b", "손을 씻고", "a b"]


def written(model: elmo.Embedder, path: Path, format: Format, layers="all", pool=None):
    embedded = model.embed(SENTENCES, layers, pool)
    with open_sink(path, format, by_layer=layers == "all") as write:
        for sentence in embedded:
            write(sentence)
            assert not path.exists(), "the file appears when it is whole"
    assert [p.name for p in path.parent.iterdir()] == [path.name], "nothing else is left"
    return embedded


@pytest.mark.parametrize("layers", ["all", "top"])
@pytest.mark.parametrize("pool", [None, "mean"])
class TestFormats:
    def test_hdf5(self, model: elmo.Embedder, tmp_path: Path, layers, pool) -> None:
        embedded = written(model, tmp_path / "out.h5", "hdf5", layers, pool)
        with h5py.File(tmp_path / "out.h5") as file:
            for index, sentence in enumerate(embedded):
                assert file[str(index)].dtype == np.float32
                assert np.array_equal(file[str(index)][...], sentence.layers)
            assert file["sentence_to_index"].shape == (1,)
            index = json.loads(file["sentence_to_index"].asstr()[0])
        assert index == {"The play was sold out .": "0", "": "1", "a b": "4", "손을 씻고": "3"}

    def test_npz(self, model: elmo.Embedder, tmp_path: Path, layers, pool) -> None:
        embedded = written(model, tmp_path / "out.npz", "npz", layers, pool)
        with np.load(tmp_path / "out.npz", allow_pickle=False) as file:
            if pool:
                assert sorted(file) == ["tokens", "vectors"]
                assert file["vectors"].dtype == np.float32
                assert np.array_equal(file["vectors"], [sentence.layers for sentence in embedded])
            else:
                for index, sentence in enumerate(embedded):
                    assert np.array_equal(file[str(index)], sentence.layers)
            assert json.loads(str(file["tokens"])) == [s.tokens for s in embedded]

    def test_safetensors(self, model: elmo.Embedder, tmp_path: Path, layers, pool) -> None:
        embedded = written(model, tmp_path / "out.safetensors", "safetensors", layers, pool)
        with safe_open(tmp_path / "out.safetensors", "np") as file:
            if pool:
                assert file.keys() == ["vectors"]
                assert np.array_equal(file.get_tensor("vectors"), [sentence.layers for sentence in embedded])
            else:
                assert sorted(file.keys(), key=int) == [str(i) for i in range(len(embedded))]
                for index, sentence in enumerate(embedded):
                    assert np.array_equal(file.get_tensor(str(index)), sentence.layers)
            assert json.loads(file.metadata()["tokens"]) == [s.tokens for s in embedded]
        for read, sentence in zip(read_safetensors(tmp_path / "out.safetensors"), embedded, strict=True):
            assert read.tokens == sentence.tokens
            assert np.array_equal(read.layers, sentence.layers)

    def test_parquet(self, model: elmo.Embedder, tmp_path: Path, layers, pool) -> None:
        embedded = written(model, tmp_path / "out.parquet", "parquet", layers, pool)
        rows = pyarrow.parquet.read_table(tmp_path / "out.parquet").to_pylist()
        assert [row["index"] for row in rows] == list(range(len(embedded)))
        for row, sentence in zip(rows, embedded, strict=True):
            assert row["tokens"] == sentence.tokens
            columns = [row[f"layer_{i}"] for i in range(3)] if layers == "all" else [row["vectors"]]
            ours = np.array(columns, dtype=np.float32).reshape(sentence.layers.shape)
            assert np.array_equal(ours, sentence.layers)


def test_parquet_in_several_groups(model: elmo.Embedder, tmp_path: Path) -> None:
    with open_sink(tmp_path / "out.parquet", "parquet", by_layer=False, rows_per_group=256) as write:
        for sentence in model.embed([f"w{i}" for i in range(600)], "top"):
            write(sentence)
    rows = pyarrow.parquet.read_table(tmp_path / "out.parquet").to_pylist()
    assert [row["tokens"] for row in rows] == [[f"w{i}"] for i in range(600)]
    assert rows[-1]["index"] == 599


@pytest.mark.parametrize("format", ["hdf5", "npz", "safetensors", "parquet"])
def test_no_sentences(tmp_path: Path, format: Format) -> None:
    with open_sink(tmp_path / "out", format):
        pass
    assert (tmp_path / "out").stat().st_size > 0


@pytest.mark.parametrize("format", ["hdf5", "npz", "safetensors", "parquet"])
def test_lone_surrogates(model: elmo.Embedder, tmp_path: Path, format: Format) -> None:
    with open_sink(tmp_path / "out", format) as write:
        write(model.embed([["a\ud800"]])[0])
    assert (tmp_path / "out").exists()


@pytest.mark.parametrize("format", ["hdf5", "npz", "safetensors", "parquet"])
def test_a_failure_leaves_what_was_there(model: elmo.Embedder, tmp_path: Path, format: Format) -> None:
    path = tmp_path / "out"
    path.write_text("precious")

    def half() -> None:
        with open_sink(path, format) as write:
            write(model.embed(["a"])[0])
            raise RuntimeError("in the middle")

    with pytest.raises(RuntimeError, match="in the middle"):
        half()
    assert path.read_text() == "precious"
    assert [p.name for p in tmp_path.iterdir()] == ["out"]


def test_misuse(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="format must be one of"), open_sink(tmp_path / "out", "csv"):
        pass
    with pytest.raises(IsADirectoryError), open_sink(tmp_path, "hdf5"):
        pass
    (tmp_path / "file").touch()
    with pytest.raises(OSError, match="cannot be written"), open_sink(tmp_path / "file" / "out", "hdf5"):
        pass


def test_parquet_without_its_library(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(ValueError, match=r"elmo-torch\[parquet\]"), open_sink(tmp_path / "out", "parquet"):
        pass


@pytest.mark.parametrize("format", ["hdf5", "npz", "safetensors", "parquet"])
def test_equal_sentences_give_equal_files(
    model: elmo.Embedder, tmp_path: Path, format: Format, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No dates, no paths and no uninitialized memory in the files."""
    for name, now in (("one", 1e9), ("two", 2e9)):
        monkeypatch.setattr("time.time", lambda now=now: now)
        with open_sink(tmp_path / name, format) as write:
            for sentence in model.embed(SENTENCES):
                write(sentence)
    assert (tmp_path / "one").read_bytes() == (tmp_path / "two").read_bytes()


@pytest.mark.parametrize("format", ["hdf5", "npz", "safetensors", "parquet"])
def test_memory_does_not_grow(model: elmo.Embedder, tmp_path: Path, format: Format) -> None:
    """Only the words of a safetensors file are kept in memory, for its header of at most 100 MB."""
    options = {"rows_per_group": 20} if format == "parquet" else {}
    (sentence,) = model.embed(["some words"], "top", "mean")
    tracemalloc.start()
    try:
        with open_sink(tmp_path / "out", format, by_layer=False, **options) as write:
            held = []
            for number in range(600):
                write(EmbeddedSentence([f"word{number}", *["longer"] * 100], sentence.layers))
                if number % 200 == 199:
                    held.append(tracemalloc.get_traced_memory()[0])
    finally:
        tracemalloc.stop()
    text = 200 * 100 * len("longer")
    assert held[2] - held[1] < (3 * text if format == "safetensors" else text / 2)


def test_numbers_may_begin_elsewhere(model: elmo.Embedder, tmp_path: Path) -> None:
    (sentence,) = model.embed(["a b"])
    formats: tuple[Format, ...] = ("hdf5", "npz", "safetensors", "parquet")
    for format in formats:
        with open_sink(tmp_path / format, format, first=7) as write:
            write(sentence)
    with h5py.File(tmp_path / "hdf5") as file:
        assert list(file) == ["7", "sentence_to_index"]
        assert json.loads(file["sentence_to_index"][0]) == {"a b": "7"}
    assert list(np.load(tmp_path / "npz")) == ["7", "tokens"]
    with safe_open(tmp_path / "safetensors", "np") as file:
        assert file.keys() == ["7"]
    assert pyarrow.parquet.read_table(tmp_path / "parquet")["index"].to_pylist() == [7]


class TestSafetensors:
    @pytest.mark.parametrize("words", [['quo"ted', "back\\slash", '\\"'], ["tab\t", "손을", "\U0001f600"], []])
    def test_words(self, model: elmo.Embedder, tmp_path: Path, words: list[str]) -> None:
        embedded = model.embed([words, words])
        with open_sink(tmp_path / "out", "safetensors") as write:
            for sentence in embedded:
                write(sentence)
        with safe_open(tmp_path / "out", "np") as file:
            assert json.loads(file.metadata()["tokens"]) == [words, words]
        for read, sentence in zip(read_safetensors(tmp_path / "out"), embedded, strict=True):
            assert read.tokens == words
            assert np.array_equal(read.layers, sentence.layers)

    def test_too_many_words(self, model: elmo.Embedder, tmp_path: Path) -> None:
        """Readers reject a longer header, so none is written."""
        (sentence,) = model.embed(["some words"])

        def write_many() -> None:
            with open_sink(tmp_path / "out", "safetensors", max_header=1000) as write:
                for _ in range(100):
                    write(sentence)

        with pytest.raises(ValueError, match="use another format or several files"):
            write_many()
        assert not list(tmp_path.iterdir())


def test_an_index_too_long_for_hdf5_is_left_out(model: elmo.Embedder, tmp_path: Path) -> None:
    with open_sink(tmp_path / "out", "hdf5", max_index=10) as write:
        write(model.embed(["some words"])[0])
    with h5py.File(tmp_path / "out") as file:
        assert list(file) == ["0"]


def test_archive(tmp_path: Path) -> None:
    """More members than a 16-bit count allows, and one member in pieces."""
    archive = UncompressedZip(tmp_path / "a.zip")
    for number in range(66_000):
        archive.add(str(number), [b"%d" % number])
    archive.add("pieces", (b"x" * size for size in range(100)))
    archive.close()
    with zipfile.ZipFile(tmp_path / "a.zip") as read:
        assert read.testzip() is None
        assert len(read.namelist()) == 66_001
        assert read.read("65999") == b"65999"
        assert read.read("pieces") == b"x" * (99 * 50)
    assert [path.name for path in tmp_path.iterdir()] == ["a.zip"]


def test_empty_archive(tmp_path: Path) -> None:
    UncompressedZip(tmp_path / "a.zip").close()
    assert zipfile.ZipFile(tmp_path / "a.zip").namelist() == []


@pytest.mark.parametrize("sentences", [[], ["a"], ["a", "b c", "a", "", 'quo"ted', "손을", "\ud800", "b c", "\\"]])
def test_index(tmp_path: Path, sentences: list[str]) -> None:
    index = SentenceIndex(tmp_path / "index")
    for number, sentence in enumerate(sentences):
        index.add(sentence, number)
    expected = {sentence: str(number) for number, sentence in enumerate(sentences)}
    assert b"".join(index.as_json()).decode() == json.dumps(expected)
    index.close()
    assert not list(tmp_path.iterdir())
