"""Reading a corpus, and the errors for damaged ones."""

import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from elmo.text.markers import BEGIN_SENTENCE, END_SENTENCE, UNKNOWN
from elmo.text.vocabulary import Vocabulary
from elmo.train.corpus.corpus import MARKERS, UNKNOWN_ID, Sentences, coverage, describe, is_corpus, open_corpus
from elmo.train.corpus.prepare import prepare

TEXT = "the cat saw the dog\nthe dog ran\na cat ran\n"
HELDOUT = "the cow ran\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "text.txt").write_text(TEXT)
    (tmp_path / "dev.txt").write_text(HELDOUT)
    prepare(
        [tmp_path / "text.txt"],
        tmp_path / "corpus",
        heldout=[tmp_path / "dev.txt"],
        tokenizer="whitespace",
        min_count=2,
    )
    return tmp_path / "corpus"


@pytest.fixture
def older_folder(folder: Path) -> Path:
    """A corpus as earlier versions wrote it, which only its structure protects."""
    (folder / "checksums.json").unlink()
    return folder


def read_back(corpus, sentences: Sentences) -> list[str]:
    return [" ".join(corpus.types[i] for i in sentence) for sentence in sentences]


def change_metadata(folder: Path, **changes) -> None:
    metadata = json.loads((folder / "corpus.json").read_text())
    for name, value in changes.items():
        place = metadata["counts"] if name in metadata["counts"] else metadata
        place[name] = value
    (folder / "corpus.json").write_text(json.dumps(metadata))


def test_markers_are_those_of_the_text_modules() -> None:
    assert MARKERS == (BEGIN_SENTENCE, END_SENTENCE, UNKNOWN)
    assert MARKERS[UNKNOWN_ID] == UNKNOWN


def test_content(folder: Path) -> None:
    corpus = open_corpus(folder)
    assert corpus.types == (*MARKERS, "the", "cat", "dog", "ran", "a", "saw", "cow")
    assert corpus.counts.tolist() == [0, 0, 0, 3, 2, 2, 2, 1, 1, 0]
    assert corpus.vocabulary == Vocabulary([*MARKERS, "the", "cat", "dog", "ran"])
    assert read_back(corpus, corpus.train) == TEXT.splitlines()
    assert read_back(corpus, corpus.heldout) == HELDOUT.splitlines()
    assert corpus.metadata["counts"]["train_unknown_rate"] == pytest.approx(2 / 11, abs=1e-6)
    assert corpus.metadata["counts"]["heldout_unknown_rate"] == pytest.approx(1 / 3, abs=1e-6)


def test_sentences(folder: Path) -> None:
    train = open_corpus(folder).train
    assert len(train) == 3
    assert train.lengths.tolist() == [5, 3, 3]
    assert train.ids.dtype == np.int32
    assert train.offsets.dtype == np.int64
    assert train[-1].tolist() == train[2].tolist() == list(train)[2].tolist()
    assert not train.ids.flags.writeable, "it is mapped, not read"
    with pytest.raises(IndexError):
        train[3]


def test_coverage(folder: Path) -> None:
    corpus = open_corpus(folder)
    assert coverage(corpus, (0, 1, 4, 1000)) == pytest.approx({0: 0, 1: 3 / 11, 4: 9 / 11, 1000: 1})
    assert coverage(corpus)[1000] == 1


def test_description(folder: Path) -> None:
    lines = describe(open_corpus(folder))
    assert lines["train"] == "3 sentences, 11 words (3.7 per sentence, at most 5)"
    assert lines["vocabulary"].startswith("7 ")


def test_nothing_heavy_is_imported(folder: Path) -> None:
    code = (
        "import sys, elmo.train.corpus.prepare\n"
        f"from elmo.train.corpus.corpus import open_corpus; open_corpus({str(folder)!r})\n"
        "assert 'torch' not in sys.modules\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


def test_is_corpus(folder: Path) -> None:
    assert is_corpus(folder)
    assert not is_corpus(folder.parent)
    assert not is_corpus(folder / "none")
    with pytest.raises(ValueError, match="not a corpus"):
        open_corpus(folder.parent)


@pytest.mark.parametrize("name", ["types.txt", "counts.npy", "train.ids.npy", "heldout.offsets.npy"])
def test_missing_file(folder: Path, name: str) -> None:
    (folder / name).unlink()
    with pytest.raises(ValueError, match=rf"{name}: is missing"):
        open_corpus(folder)


@pytest.mark.parametrize("name", ["types.txt", "counts.npy", "train.ids.npy", "train.offsets.npy", "corpus.json"])
@pytest.mark.parametrize(
    "change", [lambda content: content[:-3], lambda content: b"", lambda content: content + b"\xff"]
)
def test_damaged_file(older_folder: Path, name: str, change) -> None:
    folder = older_folder
    (folder / name).write_bytes(change((folder / name).read_bytes()))
    with pytest.raises(ValueError, match=name):
        open_corpus(folder)


def test_a_word_that_no_model_can_store(older_folder: Path) -> None:
    types = (older_folder / "types.txt").read_text().split("\n")
    types[3] = "!!!MAXTERMID"
    (older_folder / "types.txt").write_text("\n".join(types))
    with pytest.raises(ValueError, match="no model can store; prepare the corpus again"):
        open_corpus(older_folder)


@pytest.mark.parametrize(
    ("name", "array", "message"),
    [
        ("train.ids.npy", np.zeros(11), "not a one-dimensional array of int32"),
        ("train.ids.npy", np.zeros((11, 1), np.int32), "not a one-dimensional array of int32"),
        ("train.ids.npy", np.full(11, 10, np.int32), "an id outside the 10 types"),
        ("train.ids.npy", np.full(11, -1, np.int32), "an id outside the 10 types"),
        ("train.ids.npy", np.zeros(10, np.int32), "does not run from 0 to the 10 words"),
        ("train.ids.npy", np.array([{}]), "damaged, or not an array"),
        ("train.offsets.npy", np.array([0, 5, 5, 11]), "an empty sentence"),
        ("train.offsets.npy", np.array([0, 8, 5, 11]), "an empty sentence"),
        ("train.offsets.npy", np.array([1, 5, 8, 11]), "does not run from 0"),
        ("train.offsets.npy", np.zeros(0, np.int64), "does not run from 0"),
        ("train.offsets.npy", np.array([0, 5, 11]), "says 3 train_sentences, but there are 2"),
        ("counts.npy", np.array([11]), "counts 1 types, but types.txt has 10"),
        ("counts.npy", np.ones(10, np.int64), "adds up to 10 words, but there are 11"),
    ],
)
def test_contradictory_arrays(older_folder: Path, name: str, array: np.ndarray, message: str) -> None:
    folder = older_folder
    np.save(folder / name, array, allow_pickle=True)
    with pytest.raises(ValueError, match=message) as error:
        open_corpus(folder)
    assert str(folder) in str(error.value)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"format_version": 2}, "format_version 2"),
        ({"types": "many"}, "the number of types is missing"),
        ({"counts": []}, "is missing"),
        ({"vocabulary": 2}, "a vocabulary of 2"),
        ({"vocabulary": 11}, "a vocabulary of 11 out of 10"),
        ({"heldout_tokens": 9}, "says 9 heldout_tokens"),
    ],
)
def test_contradictory_metadata(older_folder: Path, changes: dict, message: str) -> None:
    change_metadata(older_folder, **changes)
    with pytest.raises(ValueError, match=message):
        open_corpus(older_folder)


@pytest.mark.parametrize(
    "name", ["types.txt", "counts.npy", "train.ids.npy", "train.offsets.npy", "heldout.ids.npy", "corpus.json"]
)
def test_any_change_is_noticed(folder: Path, name: str) -> None:
    content = bytearray((folder / name).read_bytes())
    content[-2] ^= 1
    (folder / name).write_bytes(content)
    with pytest.raises(ValueError, match=name):
        open_corpus(folder)


def test_metadata_of_another_kind(folder: Path) -> None:
    (folder / "corpus.json").write_text("[]")
    with pytest.raises(ValueError, match="must be a JSON object"):
        open_corpus(folder)
    (folder / "corpus.json").write_text('{"format_version": 1}')
    with pytest.raises(ValueError, match="is missing"):
        open_corpus(folder)


def test_types_must_begin_with_the_markers(older_folder: Path) -> None:
    (older_folder / "types.txt").write_text("a\nb\nc\n")
    with pytest.raises(ValueError, match="must begin with the lines <S> </S> <UNK>"):
        open_corpus(older_folder)
