"""Words by lists that come with a model: one of Unicode characters, and maybe one of whole words.

This is how the ELMoForManyLangs models read. A row of ids is the word's own place in the list of words, then
its characters between two word markers, filled up to a fixed length:

    "kat"  ->  [word, begin-word, k, a, t, end-word, fill, fill, ...]

The ids are places in the lists plus one, since 0 means "nothing here". A character or word outside its list is
read as ``<oov>``. The program that trained these models took the marker ``<eow>`` for the beginning of a word and
``<bow>`` for its end; the weights learned it so, and it is kept.
"""

import json
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import torch
from torch import Tensor

from elmo.text.characters import BEGIN_SENTENCE, END_SENTENCE

UNKNOWN = "<oov>"
FILL = "<pad>"
BEGIN_WORD, END_WORD = "<eow>", "<bow>"  # swapped, see above
CHARACTER_MARKERS = ("<bos>", "<eos>", BEGIN_WORD, END_WORD, UNKNOWN, FILL)
"""What every list of characters has besides characters."""
WORD_MARKERS = (UNKNOWN,)
"""What every list of words has besides words."""

_BOUNDARIES = {BEGIN_SENTENCE: "<bos>", END_SENTENCE: "<eos>"}

_SHIFT = 1


class Dictionary:
    """Characters, and words or none, in the order of their ids."""

    def __init__(self, characters: Sequence[str], words: Sequence[str] = ()) -> None:
        self.characters = tuple(characters)
        self.words = tuple(words)
        self._character_ids = numbered(self.characters, CHARACTER_MARKERS)
        self._word_ids = numbered(self.words, WORD_MARKERS) if self.words else {}

    @property
    def fill_id(self) -> int:
        """The id that fills a row behind the word."""
        return self._character_ids[FILL]

    def words_to_ids(self, words: Sequence[str], max_characters: int) -> Tensor:
        """Rows of ids, (len(words), 1 + max_characters): the word, then its characters."""
        rows = np.full((len(words), 1 + max_characters), self.fill_id, dtype=np.int64)
        unknown_word, unknown_character = self._word_ids.get(UNKNOWN, 0), self._character_ids[UNKNOWN]
        for row, word in zip(rows, words, strict=True):
            # A word that is cut is also looked up as what is left of it.
            known = _BOUNDARIES.get(word) or word[: max_characters - 2]
            inner = [known] if known in _BOUNDARIES.values() else known  # boundaries have a character of their own
            spelling = [BEGIN_WORD, *inner, END_WORD]
            row[0] = self._word_ids.get(known, unknown_word)
            row[1 : 1 + len(spelling)] = [self._character_ids.get(entry, unknown_character) for entry in spelling]
        return torch.from_numpy(rows)


def numbered(entries: Sequence[str], markers: Sequence[str]) -> dict[str, int]:
    """The ids of the entries of a list, which must hold each once, and the markers among them."""
    ids = {entry: place + _SHIFT for place, entry in enumerate(entries)}
    if len(ids) < len(entries):
        twice = next(entry for place, entry in enumerate(entries) if ids[entry] != place + _SHIFT)
        raise ValueError(f"{twice!r} stands in it twice")
    for marker in markers:
        if marker not in ids:
            raise ValueError(f"{marker} is missing")
    return ids


def read_dictionary(path: Path) -> Dictionary:
    """Read what ``write_dictionary`` wrote."""
    try:
        content = json.loads(path.read_text("utf-8"))
        lists = [content["characters"], content["words"]]
        if not all(isinstance(entries, list) and all(isinstance(e, str) for e in entries) for entries in lists):
            raise ValueError("characters and words must be lists of strings")
        return Dictionary(*lists)
    except FileNotFoundError:
        raise FileNotFoundError(f"{path}: no such file, but the model reads words by it") from None
    except (ValueError, KeyError, TypeError) as error:
        raise ValueError(f"{path}: not a dictionary of characters and words ({error})") from None


def write_dictionary(dictionary: Dictionary, path: Path) -> None:
    """Write both lists as JSON, which keeps every character as it is, white space too."""
    content = {"characters": dictionary.characters, "words": dictionary.words}
    path.write_text(json.dumps(content, indent=0) + "\n")
