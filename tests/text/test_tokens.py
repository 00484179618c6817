"""Words and sentences: tables of text and what it must become."""

import numpy as np
import pytest

from elmo.text.tokens import sentences, split_sentences, tokenizer, tokenizer_for, words

# Text on the left, tokens joined by spaces on the right.
WORDS = {
    # clitics
    "negation": ("It wasn't. Don't!", "It wasn 't . Don 't !"),
    "possessive": ("Murray's boys' dogs", "Murray 's boys ' dogs"),
    "verbs": ("I'm, they've, we'll, I'd've", "I 'm , they 've , we 'll , I 'd 've"),
    "capitals": ("DON'T", "DON 'T"),
    "typographic": ("don’t “go”", "don ’t “ go ”"),
    "decade": ("the 1990's and '90s", "the 1990 's and '90s"),
    "elision": ("O'Brien's d'Avignon at ten o'clock", "O 'Brien 's d 'Avignon at ten o 'clock"),
    "other-apostrophe": ("Xi'an, Qur'an", "Xi'an , Qur'an"),
    "single-quotes": ("a 'good' idea, 'he said'", "a ' good ' idea , ' he said '"),
    "leading": ("get 'em, 'tis", "get 'em , 'tis"),
    "ukrainian": ("п'ять п’ять", "п'ять п’ять"),
    "korean-quote": ("'하녀'와", "' 하녀 ' 와"),
    "feet": ("5'10\"", "5 ' 10 \""),
    # dots
    "final-dot": ("The end.", "The end ."),
    "quoted-final-dot": ('He said "go."', 'He said " go . "'),
    "abbreviations": (
        "Mr. and Mrs. J. R. Hart of St. Ives, Inc.",
        "Mr. and Mrs. J. R. Hart of St. Ives , Inc .",
    ),
    "abbreviation-before-mark": ("(Smith et al.) and so on", "( Smith et al. ) and so on"),
    "abbreviation-last": ("Ask for Mr.", "Ask for Mr ."),
    "abbreviation-last-quoted": ('"on 3 Jan.")', '" on 3 Jan . " )'),
    "acronym-last": ("in the U.S.", "in the U.S."),
    "acronyms": ("U.S.-led, e.g. the Ph.D., 5 p.m.", "U.S.-led , e.g. the Ph.D. , 5 p.m."),
    "acronym-possessive": ("the U.S.'s", "the U.S. 's"),
    "number-sign": ("No. 5, no.5, No. I won't", "No. 5 , no. 5 , No . I won 't"),
    "year": ("(b. 1945) plan b. Then", "( b. 1945 ) plan b . Then"),
    "missing-space": ("the end.The start", "the end . The start"),
    "title-without-space": ("Mr.Smith", "Mr. Smith"),
    "ellipsis": ("wait... what…", "wait ... what …"),
    # numbers and marks
    "numbers": ("68.88 1,000 10:30 3rd 1990s 5km", "68.88 1,000 10:30 3rd 1990s 5km"),
    "signs": ("-5 (-5) .5 10-20", "-5 ( -5 ) .5 10-20"),
    "money": ("$5 US$5bn 5%", "$ 5 US $ 5bn 5 %"),
    "hyphens": ("two-thirds, bio-identical", "two-thirds , bio-identical"),
    "dashes": ("yes--no—never – 1–2", "yes -- no — never – 1 – 2"),
    "runs": ("what?! no!!!", "what ? ! no !!!"),
    "brackets": ("((a) [b])", "( ( a ) [ b ] )"),
    "slash": ("and/or", "and / or"),
    "ampersand": ("AT&T, R&D & C++, C#", "AT&T , R&D & C++ , C#"),
    "underscore": ("formula_41.", "formula_41 ."),
    "handles": ("@user #tag #1", "@user #tag # 1"),
    "addresses": ("See http://x.com/a?b=1, or me@x.co.uk.", "See http://x.com/a?b=1 , or me@x.co.uk ."),
    "address-in-brackets": ("(www.encar.com)에는", "( www.encar.com ) 에는"),
    "treebank": ("`` I does n't '' -LRB- x -RRB-", "`` I does n't '' -LRB- x -RRB-"),
    # scripts
    "korean": ("손을 씻고, 밥을 먹었다.", "손을 씻고 , 밥을 먹었다 ."),
    "chinese": ("我喝茶。", "我 喝 茶 。"),
    "japanese": ("東京のらーめんとコーヒー", "東 京 のらーめんと コーヒー"),
    "thai": ("ภาษาไทย", "ภาษาไทย"),
    "devanagari": ("नमस्ते दुनिया।", "नमस्ते दुनिया ।"),
    "persian": ("می\u200cخواهم، باشه؟", "می\u200cخواهم ، باشه ؟"),
    "hebrew": ('צה"ל צה״ל', 'צה"ל צה״ל'),
    "combining": ("cafe\u0301, x", "caf\u00e9 , x"),
    "emoji": ("👨‍👩‍👧👍🏽🇬🇧🇫🇷❤️!", "👨‍👩‍👧 👍🏽 🇬🇧 🇫🇷 ❤️ !"),
    "emoticons": ("ok :) and:( no;-)", "ok :) and : ( no ; - )"),
    "dates": ("on 16/11/2004, 9/11 and/or 1/2", "on 16/11/2004 , 9/11 and / or 1/2"),
    "prefixes": ("pre- and post-war, non-", "pre- and post-war , non-"),
    "nothing": (" \t\n\u3000", ""),
}

# The sentences on the right, joined by spaces, are the text on the left.
SENTENCES = {
    "plain": ["It rained.", "We left!", "Why?", "Nobody knew…", "The end"],
    "closers": ['She said "go."', "(They went.)", "“No!”", "Then it stopped."],
    "quoted-question": ['"Why?" he asked.', '"Why not?"'],
    "titles": ["Mr. Hart met Dr. J. R. R. Lane vs. Gen. Poe.", "They spoke."],
    "latin": ["Use fruit, e.g. Apples, cf. Fig. 3.", "Peel it."],
    "acronym-name": ["The U.S. Army came.", "It left."],
    "acronym-start": ["He was in the U.S.", "The army was not."],
    "company": ["Acme Inc. Chairman Poe left Acme Inc.", "He was old."],
    "month": ["On Jan. 5 it was 3.5 degrees.", "2 days later it was 4."],
    "number-sign": ["See No. 5.", "No.", "I will not."],
    "list": ["1. The first.", "2. The second."],
    "lower-case": ["He ran approx. ten miles. then more"],
    "korean": ["비가 왔다.", "우리는 갔다.", "왜?"],
    "arabic-hindi": ["كيف؟", "جيد.", "नमस्ते।", "दुनिया।"],
    "money": ["He paid.", "$5 was enough."],
    "loose-quote": ['He said " go . "'],
}


@pytest.mark.parametrize(("text", "expected"), WORDS.values(), ids=WORDS.keys())
def test_words(text: str, expected: str) -> None:
    assert words(text) == expected.split()
    assert words(expected) == expected.split()


@pytest.mark.parametrize("expected", SENTENCES.values(), ids=SENTENCES.keys())
def test_sentences(expected: list[str]) -> None:
    assert sentences(" ".join(expected)) == expected
    assert sentences("\n".join(expected)) == expected


def test_sentences_without_spaces() -> None:
    assert sentences("好。「はい。」と言った。次！") == ["好。", "「はい。」と言った。", "次！"]


def test_sentences_at_line_ends() -> None:
    assert sentences("one\ntwo\r\n\n three ") == ["one", "two", "three"]
    assert sentences(" \n") == []


TOKENIZED = [
    "I do n't know , it 's 9/11 ;) w/ him .",
    "RT @ someone : I'm not sure ... can't say !",
    "`` The U.S. team 's non- and semi-pro players -LRB- all of them -RRB- left . ''",
    "Which Governor(s) do you most admire , and why ?",
    "Monday's starting , at 16/11/2004 , :-) he said",
]
"""By various conventions, none of them ours."""


@pytest.mark.parametrize("text", TOKENIZED)
def test_tokenized_text_is_only_split_at_whitespace(text: str) -> None:
    assert words(text) == text.split()


@pytest.mark.parametrize(
    "text",
    ['Leon "Bud" Carson ( – ) was a coach.', "I don't know , really.", "( see Mr. Poe's note, too )", "a , b, c d."],
)
def test_raw_text_with_loose_marks_is_tokenized(text: str) -> None:
    assert words(text) != text.split()


@pytest.mark.parametrize(
    ("text", "sentences_of_words"),
    [
        ("東京都に住んでいます。カタカナです！", ["東 京 都 に 住 んでいます 。", "カタカナ です ！"]),
        ("สวัสดีครับ ผมชื่อสมชาย", ["สวัสดีครับ ผมชื่อสมชาย"]),
        ("İstanbul'daki evlerimizden geldik. Ne güzel!", ["İstanbul'daki evlerimizden geldik .", "Ne güzel !"]),
        ("손을 씻고 앉았다. 끝.", ["손을 씻고 앉았다 .", "끝 ."]),
    ],
    ids=["Japanese", "Thai", "Turkish", "Korean"],
)
def test_languages_without_spaces_or_with_rich_morphology(text: str, sentences_of_words: list[str]) -> None:
    """A tokenizer for one language does not change what "words" does with others."""
    assert [" ".join(words(sentence)) for sentence in sentences(text)] == sentences_of_words


def test_whitespace() -> None:
    assert tokenizer("whitespace").words(" don't\tsplit. ") == ["don't", "split."]
    assert tokenizer("whitespace").sentences("Mr. Poe left. He ran.\n\n too ") == ["Mr. Poe left. He ran.", "too"]


def test_the_model_chooses_unless_the_caller_does() -> None:
    assert tokenizer_for("model", "words") == tokenizer("words")
    assert tokenizer_for("model", "whitespace") == tokenizer("whitespace")
    assert tokenizer_for("words", "whitespace") == tokenizer("words")


LONG = "a . \" ' a'a' o'b' 'em 1. a. A. a+ a@ a@b. ( \"' http://. 👩\u200d 東 's n't Mr. !? -1"


@pytest.mark.parametrize("unit", [*LONG.split(), "p. ", '." ', "! A "], ids=ascii)
def test_long_input_takes_linear_time(unit: str) -> None:
    # No clock here: were any of these quadratic (or recursive), the test run would hang (or fail).
    text = unit * (60_000 // len(unit))
    assert "".join(words(text)) == "".join(text.split())
    assert "".join("".join(sentences(text)).split()) == "".join(text.split())


@pytest.mark.parametrize(
    "marked",
    [
        "He left . | She said : `` No . '' | Then nothing .",
        'She said , " No way ! | I stay . " | He left .',
        'She said , " No . | We stay . " | He left ( by car . ) | [ 1 ] It rained .',
        "The U.S. | The state of the U.S. Senate . | It is Dr. No of Acme Inc. that won ...",
        "Really ?! | Yes ... | 1984 was a year . and more",
        "2 . The second . | 3 . The third .",
        ". | A",
        "これ は 本 。 | そう です 。",
        "one two",
    ],
)
def test_split_sentences(marked: str) -> None:
    expected = [tuple(sentence.split()) for sentence in marked.split("|")]
    assert split_sentences(marked.replace("|", " ").split()) == expected


def test_split_sentences_keeps_all_words() -> None:
    assert split_sentences([]) == [()]
    random = np.random.default_rng(0)
    for _ in range(300):
        paragraph = random.choice(['"', "'", ".", "!", "A", "b", "U.S.", ")", "(", "。", "''", "1", ""], 12).tolist()
        sentences = split_sentences(paragraph)
        assert [word for sentence in sentences for word in sentence] == paragraph
        assert all(sentences)
