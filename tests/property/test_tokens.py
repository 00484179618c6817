"""Words and sentences: what must hold for every string there is."""

import unicodedata

from hypothesis import given, settings
from hypothesis import strategies as st

from elmo.text.alignment import word_spans
from elmo.text.tokens import compose, sentences, words

# Pieces that meet in the rules, so that examples hit the borders between them far more often than by chance.
MARKS = "'’.,:;!?-…—_@#&+/%$\"«”()[]<>`*|~ \n\t\x00\x1c\u00a0\u200b\u200c\u200d\u0301\ufe0f\ud800"
LETTERS = "aAbIOdlnostCp159éſİпїש손東かカー👩👍🏽🇬🇧²٣٫·‐−。！؟।"
PARTS = """
    's n't 'em 'cause ll 90 90s '' `` -LRB- ++ ... -- .5 Mr Mr. No No. p. St etc. Inc U.S. e.g B.Sc The He
    Brien Lt http:// www. x.com me@x.co.uk
"""
PIECES = st.sampled_from([*MARKS, *LETTERS, *PARTS.split()])
TEXTS = st.one_of(
    st.lists(PIECES, max_size=14).map("".join),
    st.text(alphabet="'’. -aAOs19n\"t,:dm", max_size=20),
    st.text(st.characters(exclude_categories=()), max_size=30),
)


@settings(max_examples=300, deadline=None)
@given(TEXTS)
def test_words_lose_nothing_and_are_stable(text: str) -> None:
    tokens = words(text)
    assert "".join(tokens) == "".join(compose(text).split())
    assert all(tokens)
    assert words(" ".join(tokens)) == tokens


@settings(max_examples=300, deadline=None)
@given(TEXTS)
def test_sentences_lose_nothing(text: str) -> None:
    parts = sentences(text)
    assert "".join("".join(parts).split()) == "".join(compose(text).split())
    assert all(part and part == part.strip() for part in parts)
    assert all(len(part.splitlines()) == 1 for part in parts)


@settings(max_examples=300, deadline=None)
@given(TEXTS)
def test_composed_and_decomposed_text_have_the_same_words(text: str) -> None:
    decomposed = unicodedata.normalize("NFD", text)
    assert words(decomposed) == words(text)
    assert sentences(decomposed) == sentences(text)


@settings(max_examples=300, deadline=None)
@given(TEXTS)
def test_words_are_found_in_the_text_as_given(text: str) -> None:
    for given_text in (text, unicodedata.normalize("NFD", text)):
        tokens = words(given_text)
        spans = word_spans(given_text, tokens)
        inside = [given_text[start:end] for start, end in spans]
        ends, starts = [0, *(end for _, end in spans)], [*(start for start, _ in spans), len(given_text)]
        assert all(not given_text[end:start].strip() and end <= start for end, start in zip(ends, starts, strict=True))
        assert compose("".join(inside)) == compose("".join(tokens))
