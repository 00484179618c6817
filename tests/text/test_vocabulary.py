import pytest

from elmo.text.vocabulary import Vocabulary


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


def test_files() -> None:
    vocabulary = Vocabulary.from_bytes("<S>\r\n!!!MAXTERMID\nné\n손\n".encode())
    assert vocabulary.words == ("<S>", "né", "손")
    assert Vocabulary.from_bytes(vocabulary.to_bytes()) == vocabulary


def test_bytes_that_are_not_utf_8() -> None:
    with pytest.raises(ValueError, match="not a UTF-8 vocabulary file"):
        Vocabulary.from_bytes(b"\xff\xfe\n")
