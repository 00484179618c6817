"""Words as character ids, exactly as the published models read them.

A word is its UTF-8 bytes between two word markers, padded to a fixed length (50 by default):

    "cat"  ->  [begin-word, c, a, t, end-word, padding, padding, ...]

The ids are the published ones plus one, so that a row of zeros can mean "no word at this position". Words longer than
48 bytes are truncated (at a byte, even within a character); the end-word marker is always kept. Code points that UTF-8
cannot encode (lone surrogates) are dropped.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from elmo.text.markers import BEGIN_SENTENCE, END_SENTENCE
from elmo.validation import checked_text

_OFFSET = 1
BEGIN_WORD_ID = 258 + _OFFSET
END_WORD_ID = 259 + _OFFSET
PADDING_ID = 260 + _OFFSET
"""Pads a word to the fixed length. It is a character like any other: the convolutions see it."""

N_CHARACTERS = 261 + _OFFSET
"""Rows of a character embedding: 0 for "no word", 256 bytes, 5 markers."""

_SENTENCE_MARKER_IDS = {BEGIN_SENTENCE: 256 + _OFFSET, END_SENTENCE: 257 + _OFFSET}
"""A sentence marker is one character of its own; it is not spelled out."""


def word_to_ids(word: str, max_characters: int = 50) -> list[int]:
    """Encode one word.

    Args:
        word: Any string. ``<S>`` and ``</S>`` are the sentence markers.
        max_characters: Length of the result, word markers included.

    Returns:
        ``max_characters`` ids.
    """
    if checked_text("word", word) in _SENTENCE_MARKER_IDS:
        inner = [_SENTENCE_MARKER_IDS[word]]
    else:
        inner = [byte + _OFFSET for byte in word.encode("utf-8", "ignore")[: max_characters - 2]]
    ids = [BEGIN_WORD_ID, *inner, END_WORD_ID]
    return ids + [PADDING_ID] * (max_characters - len(ids))


def words_to_ids(words: Sequence[str], max_characters: int = 50) -> NDArray[np.int64]:
    """Encode several words, one row each: (len(words), max_characters)."""
    ids = np.empty((len(words), max_characters), dtype=np.int64)
    for row, word in zip(ids, words, strict=True):
        row[:] = word_to_ids(word, max_characters)
    return ids
