"""Whether a model suits a text."""

import pytest

from elmo.text.coverage import SAMPLE_WORDS, mismatch, script_of
from elmo.text.dictionary import CHARACTER_MARKERS, Dictionary
from elmo.text.vocabulary import Vocabulary

ENGLISH = Vocabulary([f"word{number}" for number in range(1000)] + ["и"])
KOREAN = ["나는", "오늘", "학교에", "갔다"]
DUTCH = Dictionary([*CHARACTER_MARKERS, *"abcdefghijklmnopqrstuvwxyz"], ["<oov>", "kat", "vis"])


@pytest.mark.parametrize(
    ("word", "script"),
    [
        ("play", "Latin"),
        ("Élan", "Latin"),
        ("ｗｉｄｅ", "Latin"),
        ("и", "Cyrillic"),
        ("손을", "Hangul"),
        ("東京", "Han"),
        ("カタカナ", "Katakana"),
        ("שלום", "Hebrew"),
        ("«2nd", "Latin"),
        ("1999", None),
        ("...", None),
        ("", None),
        ("\ud800", None),
    ],
)
def test_scripts(word: str, script: str | None) -> None:
    assert script_of(word) == script


def test_a_script_that_the_model_has_hardly_seen() -> None:
    message = str(mismatch([KOREAN], None, ENGLISH))
    assert message.startswith("100% of the words are in a script that the model has hardly seen (Hangul: 0 of")
    assert "Cyrillic: 1 of" in str(mismatch([["мы", "ещё", "word1"]], None, ENGLISH))


def test_several_scripts_count_together() -> None:
    text = ["word1"] * 7 + ["나는", "мы", "שלום"]
    assert "30% of the words" in str(mismatch([text], None, ENGLISH))


@pytest.mark.parametrize(
    "sentences",
    [[], [[]], [["1999", "..."]], [["anything", "in", "Latin"]], [["word"] * 8 + KOREAN[:2]]],
    ids=["no text", "no words", "no letters", "known script", "a quotation"],
)
def test_nothing_to_say(sentences: list[list[str]]) -> None:
    assert mismatch(sentences, None, ENGLISH) is None


def test_nothing_is_known() -> None:
    """A model that reads bytes and predicts nothing."""
    assert mismatch([KOREAN], None, None) is None


def test_words_that_cannot_be_looked_up() -> None:
    message = str(mismatch([["word1", "word2", "other", "word3"]], ENGLISH))
    assert message == "25% of the words are unknown to the model; expect poor results"
    assert mismatch([["word1", "word2", "other", "word3", "word4"]], ENGLISH) is None


def test_dictionaries_know_words_and_characters() -> None:
    assert mismatch([["kat", "boom"]], DUTCH) is None
    assert "100% of the words are in a script" in str(mismatch([KOREAN], DUTCH))
    by_character = Dictionary(DUTCH.characters)
    assert mismatch([["kat", "boom"]], by_character) is None
    assert "100% of the words are unknown" in str(mismatch([KOREAN], by_character))


def test_only_the_beginning_is_read() -> None:
    def endless():
        while True:
            yield ["word1"] * (SAMPLE_WORDS // 10)

    assert mismatch(endless(), None, ENGLISH) is None
