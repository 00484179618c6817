"""The occurrences of words in a text, numbered from 0 in reading order.

An index stores one vector per occurrence, in rows with these numbers. What the indexes share is here: finding the rows
of a word, and turning the most similar rows back into words in sentences.
"""

import unicodedata
from array import array
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from elmo.search.vectors import descending
from elmo.text.counts import counted
from elmo.validation import checked_sentences

RowIds = NDArray[np.int64]
Distinct = Literal["sentence", "word"]


@dataclass(frozen=True)
class Neighbor:
    """An occurrence of a word that a search found."""

    words: tuple[str, ...]
    """The sentence."""
    position: int
    """Position of the word in the sentence."""
    similarity: float
    count: int = 1
    """Number of occurrences this one represents; more than 1 only in a search for distinct words."""


@dataclass(frozen=True, eq=False)
class Occurrences:
    """A text in which every occurrence of a word has a row number."""

    types: list[str]
    """The distinct words."""
    word_ids: NDArray[np.int32]
    """The position in ``types`` of every word of the text, (N,)."""
    offsets: NDArray[np.int64]
    """The row at which each sentence starts, and N, (sentences + 1,)."""

    def __repr__(self) -> str:
        sentences = counted(len(self.offsets) - 1, "sentence")
        return f"Occurrences({sentences}, {counted(len(self.word_ids), 'word')}, {len(self.types):,} distinct)"

    @classmethod
    def of(cls, sentences: Iterable[Sequence[str]]) -> "Occurrences":
        """Number the words of some sentences; empty sentences are skipped.

        Raises:
            ValueError: If there are no words, or a sentence is not a list of words.
        """
        ids: dict[str, int] = {}
        word_ids, offsets = array("i"), array("q", [0])
        for sentence in checked_sentences(sentences):
            word_ids.extend(ids.setdefault(word, len(ids)) for word in sentence)
            if len(word_ids) > offsets[-1]:
                offsets.append(len(word_ids))
        if not word_ids:
            raise ValueError("the text has no words to search")
        return cls(list(ids), np.array(word_ids, np.int32), np.array(offsets, np.int64))

    @cached_property
    def _normalized_types(self) -> list[str]:
        return [normalize_word(word) for word in self.types]

    def sentence(self, number: int) -> tuple[str, ...]:
        """Return the words of a sentence."""
        return tuple(self.types[word] for word in self.word_ids[self.offsets[number] : self.offsets[number + 1]])

    def locate(self, row: int) -> tuple[int, int]:
        """Return the sentence that an occurrence is in, and its position there."""
        number = int(np.searchsorted(self.offsets, row, "right")) - 1
        return number, row - int(self.offsets[number])

    def rows_of(self, word: str, *, prefix: bool = False, end: int | None = None) -> RowIds:
        """Return the rows of a word in any case, among the first ``end`` rows.

        With ``prefix``, return the rows of all words that start with ``word``.
        """
        wanted = normalize_word(word)
        found = [(known.startswith(wanted) if prefix else known == wanted) for known in self._normalized_types]
        return np.flatnonzero(np.array(found)[self.word_ids[:end]])

    def nearest(
        self,
        similarities: NDArray[np.float32],
        rows: RowIds | None,
        k: int,
        *,
        exclude: Sequence[str] | None = None,
        distinct: Distinct | None = "sentence",
    ) -> list[Neighbor]:
        """Return the ``k`` most similar occurrences, the most similar first and ties in the order of the text.

        Args:
            similarities: The similarity of each row to the query.
            rows: The rows that were compared; None for all.
            k: Maximum number of results.
            exclude: Skip sentences with exactly these words.
            distinct: Return at most one occurrence per distinct sentence, or per distinct word.
        """
        # Rounded: equal vectors may differ in the last digit, depending on which others they were multiplied with.
        similarities = np.round(similarities, 6)
        word_ids = self.word_ids if rows is None else self.word_ids[rows]
        counts = np.bincount(word_ids) if distinct == "word" else None
        excluded = None if exclude is None else tuple(exclude)
        found: list[Neighbor] = []
        seen: set[int | tuple[str, ...]] = set()
        for place in descending(similarities):
            word = int(word_ids[place])
            if distinct == "word" and word in seen:
                continue
            number, position = self.locate(int(place if rows is None else rows[place]))
            sentence = self.sentence(number)
            if sentence == excluded or (distinct == "sentence" and sentence in seen):
                continue
            seen.add(word if distinct == "word" else sentence)
            count = 1 if counts is None else int(counts[word])
            found.append(Neighbor(sentence, position, float(similarities[place]), count))
            if len(found) == k:
                break
        return found


def normalize_word(word: str) -> str:
    """Fold the case of a word and compose its characters, so that Hangul syllables equal their decomposed form."""
    return unicodedata.normalize("NFC", word.casefold())


def find_word(words: Sequence[str], word: str, occurrence: int = 1) -> int:
    """Return the position of a word in a sentence.

    An exact match takes precedence over one in another case, and that over a Korean word followed by particles (손 in
    손을).

    Args:
        words: The sentence.
        word: The word to find.
        occurrence: Which of several matches to return, counted from 1.

    Raises:
        ValueError: If the sentence does not contain the word that often.
    """
    normalized = normalize_word(word)
    korean = normalized != "" and "가" <= normalized[-1] <= "힣"
    positions = (
        [position for position, other in enumerate(words) if other == word]
        or [position for position, other in enumerate(words) if normalize_word(other) == normalized]
        or [position for position, other in enumerate(words) if korean and normalize_word(other).startswith(normalized)]
    )
    sentence = " ".join(words)
    if not positions:
        raise ValueError(f"{word!r} is not a word of: {sentence}")
    if not 1 <= occurrence <= len(positions):
        times = "once" if len(positions) == 1 else f"{len(positions)} times"
        raise ValueError(f"{word!r} occurs {times}, so it has no occurrence {occurrence}, in: {sentence}")
    return positions[occurrence - 1]


def split_context(words: Sequence[str], position: int, width: int = 20) -> tuple[str, str, str]:
    """Return the text before a word, the word, and the text after it, with at most ``width`` words on each side."""
    start, end = max(0, position - width), position + 1 + width
    before = "".join(word + " " for word in words[start:position])
    after = "".join(" " + word for word in words[position + 1 : end])
    return ("… " if start else "") + before, words[position], after + (" …" if end < len(words) else "")
