"""A word as character ids, exactly as the published models read it.

A word is its UTF-8 bytes between two word markers, filled up to a fixed length (50):

    "cat"  ->  [begin-word, c, a, t, end-word, fill, fill, ...]

The ids here are the published ones plus one, so that a row of zeros can mean "no word at this position".
Words of more than 48 bytes are cut (on a byte, even inside a character); the end-word marker is always kept.
Code points that UTF-8 cannot encode (lone surrogates) are left out.
"""

from collections.abc import Sequence

import numpy as np
import torch
from torch import Tensor

BEGIN_SENTENCE = "<S>"
"""The word before every sentence. It has a character of its own and is not spelled out."""
END_SENTENCE = "</S>"
"""The word after every sentence, likewise."""

_SHIFT = 1
BEGIN_SENTENCE_ID = 256 + _SHIFT
END_SENTENCE_ID = 257 + _SHIFT
BEGIN_WORD_ID = 258 + _SHIFT
END_WORD_ID = 259 + _SHIFT
FILL_ID = 260 + _SHIFT
"""Fills a row behind the word. It is a character like any other: the convolutions see it."""

N_CHARACTERS = 261 + _SHIFT
"""Rows of a character table: 0 for "no word", 256 bytes, 5 markers."""

_BOUNDARIES = {BEGIN_SENTENCE: BEGIN_SENTENCE_ID, END_SENTENCE: END_SENTENCE_ID}


def word_to_ids(word: str, max_characters: int = 50) -> list[int]:
    """The row of ids of one word."""
    if word in _BOUNDARIES:
        inner = [_BOUNDARIES[word]]
    else:
        encoded = word.encode("utf-8", "ignore")[: max_characters - 2]
        inner = [byte + _SHIFT for byte in encoded]
    row = [BEGIN_WORD_ID, *inner, END_WORD_ID]
    return row + [FILL_ID] * (max_characters - len(row))


def words_to_ids(words: Sequence[str], max_characters: int = 50) -> Tensor:
    """The rows of several words, (len(words), max_characters)."""
    rows = np.empty((len(words), max_characters), dtype=np.int64)
    for row, word in zip(rows, words, strict=True):
        row[:] = word_to_ids(word, max_characters)
    return torch.from_numpy(rows)
