"""The lists of characters and words that an ELMoForManyLangs model reads by.

A word becomes its id in the list of words (if the model has one), followed by the ids of its Unicode characters between
two word markers, padded to a fixed length:

    "kat"  ->  [word, begin-word, k, a, t, end-word, padding, padding, ...]

Ids are positions in the lists plus one, since 0 means "no word". Characters and words outside the lists are read as
``<oov>``. The program that trained these models used ``<eow>`` to begin a word and ``<bow>`` to end it. The weights
learned it that way, so it is kept.
"""

import json
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from elmo.files import parse_json_object
from elmo.text.markers import BEGIN_SENTENCE, END_SENTENCE
from elmo.validation import shown

MAX_BYTES = 64 << 20
"""Maximum size of ``dictionary.json``: some million words."""
OUT_OF_VOCABULARY = "<oov>"
_PADDING = "<pad>"
_BEGIN_WORD, _END_WORD = "<eow>", "<bow>"  # swapped, see above
_SENTENCE_MARKERS = {BEGIN_SENTENCE: "<bos>", END_SENTENCE: "<eos>"}

CHARACTER_MARKERS = (*_SENTENCE_MARKERS.values(), _BEGIN_WORD, _END_WORD, OUT_OF_VOCABULARY, _PADDING)
"""Entries that every list of characters must have."""
WORD_MARKERS = (OUT_OF_VOCABULARY,)
"""Entries that every list of words must have."""


class Dictionary:
    """Characters and words in the order of their ids. A model that reads characters alone has no words."""

    def __init__(self, characters: Sequence[str], words: Sequence[str] = ()) -> None:
        self.characters = tuple(characters)
        self.words = tuple(words)
        self._character_ids = entry_ids(self.characters, CHARACTER_MARKERS)
        self._word_ids = entry_ids(self.words, WORD_MARKERS) if self.words else {}

    def __repr__(self) -> str:
        return f"Dictionary({len(self.characters):,} characters, {len(self.words):,} words)"

    def __contains__(self, word: str) -> bool:
        """Whether the word is listed, or all of its characters are."""
        return word in self._word_ids or all(character in self._character_ids for character in word)

    @property
    def padding_id(self) -> int:
        """The character id that pads a word to the fixed length."""
        return self._character_ids[_PADDING]

    def words_to_ids(self, words: Sequence[str], max_characters: int) -> NDArray[np.int64]:
        """Encode words, one row each: (len(words), 1 + max_characters), the word id before its characters."""
        ids = np.full((len(words), 1 + max_characters), self.padding_id, dtype=np.int64)
        unknown_word, unknown_character = (
            self._word_ids.get(OUT_OF_VOCABULARY, 0),
            self._character_ids[OUT_OF_VOCABULARY],
        )
        for row, word in zip(ids, words, strict=True):
            # A truncated word is also looked up truncated.
            entry = _SENTENCE_MARKERS.get(word) or word[: max_characters - 2]
            inner = [entry] if entry in _SENTENCE_MARKERS.values() else entry  # a sentence marker is one character
            spelling = [_BEGIN_WORD, *inner, _END_WORD]
            row[0] = self._word_ids.get(entry, unknown_word)
            row[1 : 1 + len(spelling)] = [self._character_ids.get(part, unknown_character) for part in spelling]
        return ids

    def to_bytes(self) -> bytes:
        """The content of ``dictionary.json``. JSON keeps every character as it is, whitespace included."""
        content = {"characters": self.characters, "words": self.words}
        return (json.dumps(content, indent=0) + "\n").encode()

    @classmethod
    def from_bytes(cls, content: bytes) -> "Dictionary":
        """Read what ``to_bytes`` wrote.

        Raises:
            ValueError: If the content is something else.
        """
        try:
            stored = parse_json_object(content, "dictionary", MAX_BYTES)
            lists = [stored["characters"], stored["words"]]
            if not all(isinstance(entries, list) and all(isinstance(e, str) for e in entries) for entries in lists):
                raise ValueError("characters and words must be lists of strings")
            return cls(*lists)
        except KeyError as error:
            raise ValueError(f"not a dictionary of characters and words ({error} is missing)") from None
        except ValueError as error:
            raise ValueError(f"not a dictionary of characters and words ({error})") from None


def entry_ids(entries: Sequence[str], markers: Sequence[str]) -> dict[str, int]:
    """Number the entries of a list from 1.

    Raises:
        ValueError: If an entry occurs twice or a marker is missing.
    """
    ids = {entry: position for position, entry in enumerate(entries, 1)}
    if len(ids) < len(entries):
        duplicate = next(entry for position, entry in enumerate(entries, 1) if ids[entry] != position)
        raise ValueError(f"{shown(duplicate)} occurs twice")
    for marker in markers:
        if marker not in ids:
            raise ValueError(f"{marker} is missing")
    return ids
