"""Words of a text: finding them in a sentence."""

import pytest

from elmo.search.occurrences import Occurrences, find_word


def test_find_word_exact_then_in_any_case() -> None:
    words = ["Tel", "a", "tel", ",", "TEL"]
    assert find_word(words, "tel") == 2
    assert find_word(words, "tEl") == 0
    assert [find_word(words, "tEl", number) for number in (1, 2, 3)] == [0, 2, 4]
    assert find_word(["die", "STRASSE"], "straße") == 1


def test_find_word_that_is_absent() -> None:
    with pytest.raises(ValueError, match="'te' is not a word of: Tel a"):
        find_word(["Tel", "a"], "te")
    with pytest.raises(ValueError, match="is not a word of: 물을"):
        find_word(["물을"], "손")
    with pytest.raises(ValueError, match="occurs once, so it has no occurrence 2, in: Tel a"):
        find_word(["Tel", "a"], "a", 2)
    with pytest.raises(ValueError, match="is not a word"):
        find_word(["Tel"], "")


def test_an_index_of_a_large_text_is_described_in_one_line() -> None:
    assert repr(Occurrences.of([["a", "b"], ["a"]])) == "Occurrences(2 sentences, 3 words, 2 distinct)"
