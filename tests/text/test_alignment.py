"""Words in the text that they were split from."""

import unicodedata

import pytest

from elmo.text.alignment import spacing, word_spans
from elmo.text.tokens import split_whitespace, words


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("It wasn't.", ["It", "wasn", "'t", "."]),
        ("cafe\u0301, x", ["cafe\u0301", ",", "x"]),
        ("\u1112\u1161\u11ab\u1100\u1173\u11af!", ["\u1112\u1161\u11ab\u1100\u1173\u11af", "!"]),
        ("q\u0307\u0323 b", ["q\u0307\u0323", "b"]),
        ("\u212b \u2126", ["\u212b", "\u2126"]),
        ("\u0301a", ["\u0301a"]),
        ("", []),
    ],
    ids=["composed", "accent", "jamo", "reordered", "singletons", "accent first", "empty"],
)
def test_parts(text: str, parts: list[str]) -> None:
    assert [text[start:end] for start, end in word_spans(text, words(text))] == parts


def test_every_character_that_composes() -> None:
    """Each character of Unicode that has a decomposition, in the middle of a text."""
    decomposable = [
        chr(point) for point in range(0x30000) if unicodedata.decomposition(chr(point))[:1] not in ("", "<")
    ]
    decomposable += [chr(point) for point in range(0xAC00, 0xD7A4, 97)]
    assert len(decomposable) > 2000
    for character in decomposable:
        text = f"a {unicodedata.normalize('NFD', character)} b"
        first, *middle, last = word_spans(text, split_whitespace(text))
        assert first == (0, 1)
        assert last == (len(text) - 1, len(text))
        assert middle == [(2, len(text) - 2)] or text.split() == ["a", "b"]


def test_long_runs_of_accents_take_no_time() -> None:
    text = "a" + "\u0301" * 100_000 + " b"
    assert word_spans(text, split_whitespace(text)) == [(0, 100_001), (100_002, 100_003)]


@pytest.mark.parametrize("text", ["It wasn't.", "  a\u00a0b \n(c)", "cafe\u0301, x", "", "..", "don't — 'I' can't"])
def test_spacing(text: str) -> None:
    found = words(text)
    spaced = spacing(text, found)
    written = "".join(" " * gap + word for gap, word in zip(spaced, found, strict=True))
    assert written.strip() == " ".join(unicodedata.normalize("NFC", text).split())
    assert all(spaced[:1])
    assert spacing(" ".join(found), found) == (True,) * len(found)
