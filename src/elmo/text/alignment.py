"""Where words are in the text that they were split from, in characters of the text as it was given.

The tokenizers compose characters (NFC), so a word may have fewer characters than its part of the text: an ``é`` that
was given as ``e`` and an accent is one character of the word and two of the text.
"""

import unicodedata
from collections.abc import Sequence

from elmo.text.tokens import compose

Span = tuple[int, int]
"""First position, and position after the last; of words or of characters."""


def word_spans(text: str, words: Sequence[str]) -> list[Span]:
    """Find words in the text that a tokenizer split into them.

    Args:
        text: The text as it was given.
        words: All of its words, in order. Only whitespace is between them.

    Returns:
        The characters of each word in ``text``, which do not overlap.

    Raises:
        ValueError: If a word is not in the text.
    """
    composed = compose(text)
    places = None if composed == text else _places(text)  # of every position of the composed text
    spans: list[Span] = []
    end = 0
    for word in words:
        start = composed.index(word, end)
        end = start + len(word)
        spans.append((start, end) if places is None else (places[start], places[end]))
    return spans


def spacing(text: str, words: Sequence[str]) -> tuple[bool, ...]:
    """Tell which words of a text follow whitespace, so that the text can be written as it was from its words.

    Args:
        text: The text as it was given.
        words: All of its words, in order, as a tokenizer returned them.

    Returns:
        One value per word. That of the first word is True.

    Raises:
        ValueError: If a word is not in the text.
    """
    spans = word_spans(compose(text), words)
    return tuple(place == 0 or spans[place - 1][1] < start for place, (start, _) in enumerate(spans))


def whitespace_words(text: str, tokens: Sequence[str]) -> tuple[list[str], list[int]]:
    """Return the whitespace-separated words of a text, composed, and the number of tokens of each.

    Args:
        text: The text as it was given.
        tokens: All of its tokens, in order, as a tokenizer returned them.

    Raises:
        ValueError: If a token is not within a word.
    """
    words = compose(text).split()
    counts: list[int] = []
    lengths = iter(map(len, tokens))
    for word in words:
        left, count = len(word), 0
        while left > 0 and (length := next(lengths, 0)):
            left, count = left - length, count + 1
        if left:
            raise ValueError(f"the tokens are not those of the text: {word!r} is not made up of whole tokens")
        counts.append(count)
    return words, counts


def _places(text: str) -> list[int]:
    """Return the position in a text of each position between characters of its composed form.

    The text is cut before every character that does not combine with those before it, so that each piece is composed on
    its own. A position within a piece that changes has no exact counterpart; it is put as far into the piece.
    """
    places: list[int] = []
    start = 0
    for end in range(1, len(text) + 1):
        if end < len(text) and _combines(text, start, end):
            continue
        composed = len(compose(text[start:end]))
        places += (start + min(inner, end - start) for inner in range(composed))
        start = end
    return [*places, len(text)]


def _combines(text: str, start: int, end: int) -> bool:
    """Whether the character at ``end`` and the piece from ``start`` to before it change together when composed."""
    character = text[end]
    if character.isascii() or unicodedata.combining(character):
        return not character.isascii()
    piece = text[start:end]
    return compose(piece + character) != compose(piece) + compose(character)
