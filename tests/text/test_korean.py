"""Korean text: sentences and morphemes."""

import builtins
import lzma
import unicodedata
from itertools import islice
from typing import Any

import pytest
from conftest import DATA
from hypothesis import given, settings
from hypothesis import strategies as st

from elmo.text import korean
from elmo.text.alignment import whitespace_words, word_spans
from elmo.text.tokens import compose, tokenizer

pytest.importorskip("mecab", reason="python-mecab-ko is not installed (extra: korean)")


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("밥을 먹기 전에 손을 씻고 앉았다.", "밥 을 먹 기 전 에 손 을 씻 고 앉 았 다 ."),
        ("했다", "했 다"),
        ("아버지가방에들어가신다", "아버지 가 방 에 들어가 신다"),
        ("무궁화 꽃 이 피 었 다", "무궁화 꽃 이 피 었 다"),
        ("재밌다 . 최고 !", "재밌 다 . 최고 !"),
        ("1,000원과 3.14km", "1 , 000 원 과 3 . 14 km"),
        ("iPhone15가 BTS의", "iPhone 15 가 BTS 의"),
        ("大韓民國의 中國", "大韓 民國 의 中國"),
        ("ㅋㅋㅋㅋ ㅠㅠㅠ ㅎ", "ㅋㅋㅋㅋ ㅠㅠㅠ ㅎ"),
        ("좋아요😀👨‍👩‍👧🇰🇷👍🏽❤️1️⃣", "좋 아요 😀 👨‍👩‍👧 🇰🇷 👍🏽 ❤️ 1️⃣"),
        ("끝......!!!", "끝 ...... !!!"),
        ('《책》(5%)을 "봤다".', '《 책 》 ( 5 % ) 을 " 봤 다 " .'),
        ("http://example.com/a?b=c를 www.naver.com에", "http://example.com/a?b=c 를 www.naver.com 에"),
        ("me@naver.co.kr로", "me@naver.co.kr 로"),
        ("“그는 ‘아니다’라고 말했다.”", "“ 그 는 ‘ 아니 다 ’ 라고 말 했 다 . ”"),
        ("x\u0323\u0302y", "x\u0323\u0302 y"),
        ("안\u3000녕\u00a0\x1c하", "안 녕 하"),
        ("가\x00나", "가 \x00 나"),
        ("\ud800가", "\ud800 가"),
        ("", ""),
        (" \n", ""),
    ],
)
def test_morphemes(text: str, tokens: str) -> None:
    # Split at the space alone: some of the tokens are whitespace or joiners to Python.
    assert korean.words(text) == [compose(token) for token in tokens.split(" ") if token]


@pytest.mark.parametrize(
    "parts",
    [
        ["그는 갔다.", "나는 남았어요.", "왜 그랬을까?", "몰라!", "그렇죠."],
        ['그는 "나는 간다. 너는?" 하고 물었다.', '나는 "안 가." 라고 답했다.', "그는 웃었다."],
        ["“갔다.”", "그는 말했다."],
        ["'나는 간다. 너도 가라'고 했다.", "그랬다."],
        ["그는 1978. 5. 22. 서울에서 태어났다.", "키는 180.5 cm이다.", "iPhone을 샀다."],
        ["가. 서론이다.", "나. 본론이다.", "1. 결론이다."],
        ["Mr. 김은 U.S. 시민이다.", "A. 링컨은 vs. 누구였나?", "NASA."],
        ["음... 그게 말이죠...", "그래요…", "네."],
        ["《무한도전! 토요일》 방송이다.", "〈어디 가니? 나도〉를 불렀다.", "(그렇다.)", "끝났다."],
        ["2010년(?) 태생이다.", "좋다! 😀"],
        ["정말 재밌다 .", "최고 !", "또 봐야지 ㅋㅋ"],
        ["인구는 3%다.", "3,940명이다.", "www.naver.com을 보라."],
        ['"닫히지 않은 인용이다.', "다음 문장이다."],
    ],
)
def test_sentences(parts: list[str]) -> None:
    assert korean.sentences(" ".join(parts)) == parts


def test_sentences_without_a_space_and_in_lines() -> None:
    assert korean.sentences("했다.그러나 갔어요.왜?") == ["했다.", "그러나 갔어요.", "왜?"]
    assert korean.sentences("제목\n\n본문이다\r\n끝 ") == ["제목", "본문이다", "끝"]
    assert korean.sentences('"갔다."라고 했다.') == ['"갔다."라고 했다.']
    assert korean.sentences("") == []


LETTERS = "손을이가다요까죠했간ㅋㅠ大國はカภaZ19éİ👩👍🏽🇰🇷ᄒᆞᆫ\u1161\u11a8\ud800"
MARKS = ". ,!?…\"'“”‘’()〈〉「」-_@/~%\n\t\x00\x1c\u3000\u00a0\u200b\u200d\u0301\ufe0f\u20e3"
PARTS = ["했다.", "라고", "www.", "http://", "a@b.co", "3.14", "1,000", "......", "ㅋㅋㅋ", "U.S.", "손을 씻고 "]
PIECES = st.sampled_from([*LETTERS, *MARKS, *PARTS])
TEXTS = st.one_of(
    st.lists(PIECES, max_size=14).map("".join), st.text(st.characters(exclude_categories=()), max_size=30)
)


@settings(max_examples=300, deadline=None)
@given(TEXTS)
def test_nothing_is_lost_and_everything_has_a_place(text: str) -> None:
    for given_text in (text, unicodedata.normalize("NFD", text)):
        tokens = korean.words(given_text)
        assert "".join(tokens) == "".join(compose(text).split())
        assert all(tokens)
        assert whitespace_words(given_text, tokens)[0] == compose(text).split()
        spans = word_spans(given_text, tokens)
        assert compose("".join(given_text[start:end] for start, end in spans)) == compose("".join(tokens))
    parts = korean.sentences(text)
    assert "".join("".join(parts).split()) == "".join(compose(text).split())
    assert all(part and part == part.strip() and len(part.splitlines()) == 1 for part in parts)


def test_offsets_refer_to_the_text_as_given() -> None:
    text = unicodedata.normalize("NFD", "  손을 씻고")
    spans = word_spans(text, korean.words(text))
    assert [compose(text[start:end]) for start, end in spans] == ["손", "을", "씻", "고"]
    assert spans[0] == (2, 5)


@pytest.mark.parametrize(
    "text",
    ["가" * 50_000, "가나 " * 20_000, "!! " * 20_000, '"가다. ' * 20_000, ". " * 50_000, "a@" * 20_000, "(" * 50_000],
    ids=["no space", "words", "runs", "open quotes", "marks", "addresses", "brackets"],
)
def test_long_lines(text: str) -> None:
    """They are analyzed piece by piece; the time limit of the tests is what this checks."""
    assert "".join(korean.words(text)) == "".join(text.split())
    assert "".join("".join(korean.sentences(text)).split()) == "".join(text.split())


def test_long_text_is_cut_at_spaces() -> None:
    sentence = "밥을 먹기 전에 손을 씻고 앉았다. "
    assert korean.words(sentence * 500) == korean.words(sentence) * 500


def test_real_text() -> None:
    path = DATA / "corpus/ko-heldout.txt.xz"
    if not path.exists():
        pytest.skip(f"there is no {path}")
    with lzma.open(path, "rt", encoding="utf-8") as file:
        found = [sentence for line in islice(file, 200) for sentence in korean.sentences(line)]
    ends = [sentence.rstrip("\"'”’)")[-1] for sentence in found]
    assert sum(end in ".?!" for end in ends) > 0.95 * len(ends)
    assert sum(map(len, found)) / len(found) < 100
    again = [korean.words(" ".join(korean.words(sentence))) == korean.words(sentence) for sentence in found]
    assert sum(again) > 0.85 * len(again)  # analyzed again, most tokenized text stays as it is


@pytest.mark.parametrize(
    ("token", "verb"),
    [
        ("찼", "차다"),
        ("고파서", "고프다"),
        ("도와", "돕다"),
        ("큰", "크다"),
        ("먹", None),
        ("걸", None),
        ("", None),
        ("\ud800", None),
        ("찼" * 1_000_000, None),
    ],
    ids=lambda value: str(value)[:3].encode("unicode-escape").decode(),
)
def test_dictionary_forms_of_contractions(token: str, verb: str | None) -> None:
    assert korean.dictionary_form(token) == verb


def test_a_missing_package_is_one_clear_error(monkeypatch: pytest.MonkeyPatch) -> None:
    real = builtins.__import__

    def without_mecab(name: str, *arguments: Any) -> Any:
        if name == "mecab":
            raise ImportError(name)
        return real(name, *arguments)

    korean._analyzer.cache_clear()
    monkeypatch.setattr(builtins, "__import__", without_mecab)
    split = tokenizer("korean")  # lists of words need no tokenizer, so only text is an error
    with pytest.raises(ValueError, match=r"pip install 'elmo-torch\[korean\]'"):
        split.words("손")
