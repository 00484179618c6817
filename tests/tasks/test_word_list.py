"""Which words of a task model have a vector of their own."""

import json
from pathlib import Path

import pytest

from elmo.tasks.word_list import LEARNED_FILE, WORDS_FILE, WordList, choose_words
from elmo.train.run import RunFolder

VECTORS = "the 1 0 0\ncat 0 1 0\ndog 0 0 1\n"
TRAINING = [["The", "Xoanon", "and", "the", "qat"], ["the", "Xoanon"], ["qat", "qat"], ["and", "cat"], ["zzz", "zzz"]]


@pytest.fixture
def vectors(tmp_path: Path) -> Path:
    path = tmp_path / "v.txt"
    path.write_text(VECTORS)
    return path


def test_words_in_several_sentences_learn_a_vector(vectors: Path) -> None:
    words, static = choose_words(TRAINING, [["dog", "Unseen"]], vectors)
    assert static is not None
    assert words.static == static.words == ("the", "cat", "dog")
    assert set(words.learned or ()) == {"Xoanon", "and", "qat"}  # zzz occurs twice, but in one sentence


def test_repeated_sentences_count_once(vectors: Path) -> None:
    once, _ = choose_words(TRAINING, [], vectors)
    assert choose_words(TRAINING * 5, [], vectors)[0] == once  # a passage comes once per question


def test_without_static_vectors(tmp_path: Path) -> None:
    words, static = choose_words(TRAINING, [], None)
    assert static is None
    assert words.static == ()
    assert set(words.learned or ()) == {"the", "Xoanon", "and", "qat"}


def test_missing(vectors: Path) -> None:
    words, _ = choose_words(TRAINING, [], vectors)
    # no static vector: Xoanon, qat, new; no vector at all: new
    assert words.missing([["The", "Xoanon", "qat", "new"], ["The", "Xoanon", "qat", "new"]]) == {
        "no static vector": 75.0,
        "unknown": 25.0,
    }
    assert words.missing([]) == {"no static vector": 0.0, "unknown": 0.0}


@pytest.mark.parametrize("learned", [None, (), ("b", "ä\u2028")], ids=str)
def test_run_folder(tmp_path: Path, learned: tuple[str, ...] | None) -> None:
    words = WordList(("a", "\u00a0"), learned)
    run = RunFolder(tmp_path / "run")
    run.begin({"task": "ner"}, words.write)
    assert WordList.read(run) == words
    for name in (WORDS_FILE, LEARNED_FILE) if learned else (WORDS_FILE,):
        (run.path / name).rename(tmp_path / name)
        with pytest.raises(ValueError, match=f"{name}: is missing"):
            WordList.read(run)
        (tmp_path / name).rename(run.path / name)


def test_older_runs_have_no_record_of_files(tmp_path: Path) -> None:
    run = RunFolder(tmp_path)
    (tmp_path / WORDS_FILE).write_text("a\n")
    (tmp_path / run.metadata_file).write_text(json.dumps({"task": "ner"}))
    assert WordList.read(run) == WordList(("a",), None)
