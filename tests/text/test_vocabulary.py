import pytest

from elmo.text.vocabulary import Vocabulary, can_be_stored


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


@pytest.mark.parametrize("word", ["!!!MAXTERMID", " a", "a\u3000", "\u00a0", "a\nb", "a\r", "\x85"])
def test_words_that_would_not_be_read_back_are_not_written(word: str) -> None:
    assert not can_be_stored(word)
    with pytest.raises(ValueError, match="cannot be part of a vocabulary file"):
        Vocabulary(["<S>", word]).to_bytes()


@pytest.mark.parametrize("word", ["", "a b", "a\u3000b", "!!!MAXTERMID!", "\u200b", "né", "\x00"])
def test_all_other_words_are_read_back(word: str) -> None:
    assert can_be_stored(word)
    assert Vocabulary.from_bytes(Vocabulary(["<S>", word, word]).to_bytes()).words == ("<S>", word, word)
