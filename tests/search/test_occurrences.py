"""Words of a text: finding them in a sentence, and showing them in it."""

import pytest

from elmo.search.occurrences import Neighbor, Occurrences, find_word, split_context


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
    for nothing in ("", " "):
        with pytest.raises(ValueError, match="the word to find is empty"):
            find_word(["Tel"], nothing)
    with pytest.raises(ValueError, match="the sentence is empty, so that 'a' is not in it"):
        find_word([], "a")


def test_find_a_korean_word_with_or_without_its_particles() -> None:
    assert find_word(["밥을", "손을"], "손") == 1
    morphemes = ["삼촌", "은", "배", "를", "타", "고", "배", "를", "먹", "었", "다"]
    assert [find_word(morphemes, "배를", number) for number in (1, 2)] == [2, 6]
    assert find_word(morphemes, "먹었다") == 8
    assert find_word(["배", "배", "를"], "배를") == 1
    assert [find_word(morphemes, verb) for verb in ("타다", "먹다")] == [4, 8]
    for absent in ("를타", "배르", "먹었다가", "고배를먹는"):
        with pytest.raises(ValueError, match="is not a word of"):
            find_word(["삼촌", "은", "배", "를"], absent)


def test_find_a_korean_verb_that_is_contracted_with_its_ending() -> None:
    pytest.importorskip("mecab")
    words = ["배", "가", "고파서", "공", "을", "찼", "다"]
    assert [find_word(words, verb) for verb in ("고프다", "차다")] == [2, 5]
    with pytest.raises(ValueError, match="is not a word of"):
        find_word(words, "사다")


def test_an_index_of_a_large_text_is_described_in_one_line() -> None:
    assert repr(Occurrences.of([["a", "b"], ["a"]])) == "Occurrences(2 sentences, 3 words, 2 distinct)"


def test_sentences_are_shown_as_they_were_written() -> None:
    text = Occurrences.of(["It's  a\t(new) play.", ["a", "play", "."], "", "e\u0301te\u0301!"])
    shown = []
    for number, words in enumerate(text.sentences()):
        before, word, after = split_context(words, 1, spaced=text.spacing(number))
        shown.append(f"{before}[{word}]{after}")
    assert shown == ["It['s] a (new) play.", "a [play] .", "été[!]"]


def test_korean_is_shown_as_it_was_written() -> None:
    pytest.importorskip("mecab", reason="python-mecab-ko is not installed (extra: korean)")
    text = Occurrences.of(["밥을 먹기 전에 손을 씻고 자리에 앉았다."], "korean")
    [words] = text.sentences()
    near = Neighbor(words, words.index("손"), 0.5, spaced=text.spacing(0))
    assert near.context() == ("밥을 먹기 전에 ", "손", "을 씻고 자리에 앉았다.")
    assert near.context(2) == ("… 전에 ", "손", "을 씻고 …")  # not 을 씻…
    assert near.context(3) == ("… 먹기 전에 ", "손", "을 씻고 …")
    assert near.context(7) == ("밥을 먹기 전에 ", "손", "을 씻고 자리에 앉았다.")


def test_context_of_a_list_of_words() -> None:
    assert split_context(["a", "b", "c", "d", "e"], 2, 1) == ("… b ", "c", " d …")
    assert split_context(["a"], 0) == ("", "a", "")
    spaceless = [True] + [False] * 30
    assert split_context("x" * 31, 15, 1, spaceless) == ("…x", "x", "x…")
