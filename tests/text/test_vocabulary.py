from pathlib import Path

import pytest

from elmo.text.vocabulary import Vocabulary, read_vocabulary, write_vocabulary


def test_ids_and_unknown() -> None:
    vocabulary = Vocabulary(["<S>", "</S>", "<UNK>", "the"])
    assert len(vocabulary) == 4
    assert "the" in vocabulary
    assert vocabulary.words_to_ids(["the", "cat", "<S>"]).tolist() == [4, 3, 1]


def test_unknown_word_without_unk_is_said() -> None:
    with pytest.raises(ValueError, match="'cat' is not in the vocabulary"):
        Vocabulary(["the"]).id("cat")


def test_a_word_listed_twice_takes_the_later_id() -> None:
    vocabulary = Vocabulary(["a", "b", "a"])
    assert (len(vocabulary), vocabulary.id("a")) == (3, 2)


def test_files(tmp_path: Path) -> None:
    path = tmp_path / "vocab.txt"
    path.write_bytes("<S>\r\n!!!MAXTERMID\nné\n손\n".encode())
    vocabulary = read_vocabulary(path)
    assert vocabulary.words == ("<S>", "né", "손")
    write_vocabulary(vocabulary, path)
    assert read_vocabulary(path) == vocabulary


@pytest.mark.parametrize(("content", "error"), [(None, FileNotFoundError), (b"\xff\xfe\n", ValueError)])
def test_bad_files(content: bytes | None, error: type[Exception], tmp_path: Path) -> None:
    path = tmp_path / "vocab.txt"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(error, match=r"vocab\.txt"):
        read_vocabulary(path)
