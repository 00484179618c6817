"""The occurrences of words in a text, numbered from 0 in reading order.

An index stores one vector per occurrence, in rows with these numbers. What the indexes share is here: finding the rows
of a word, and turning the most similar rows back into words in sentences.
"""

import itertools
import unicodedata
from array import array
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from elmo.config import TokenizerName
from elmo.search.vectors import descending
from elmo.text.alignment import spacing
from elmo.text.counts import counted
from elmo.text.korean import dictionary_form
from elmo.text.tokens import tokenizer as tokenizer_named
from elmo.validation import checked_sentences

RowIds = NDArray[np.int64]
Distinct = Literal["sentence", "word"]
MAX_ATTACHED = 5
"""Number of words by which a context may be longer, so that it ends at a space: the particles of a noun, a mark."""


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
    spaced: tuple[bool, ...] | None = None
    """Whether a space precedes each word of the sentence, as it was written; None if that is not known."""

    def to_dict(self) -> dict[str, Any]:
        """Return what the server and ``elmo neighbors --json`` say about the occurrence."""
        return {"tokens": self.words, "index": self.position, "similarity": self.similarity}

    def context(self, width: int = 20) -> tuple[str, str, str]:
        """Return the text before the word, the word, and the text after it; see ``split_context``."""
        return split_context(self.words, self.position, width, self.spaced)


@dataclass(frozen=True, eq=False)
class Occurrences:
    """A text in which every occurrence of a word has a row number."""

    types: list[str]
    """The distinct words."""
    word_ids: NDArray[np.int32]
    """The position in ``types`` of every word of the text, (N,)."""
    offsets: NDArray[np.int64]
    """The row at which each sentence starts, and N, (sentences + 1,)."""
    spaced: NDArray[np.bool_]
    """Whether a space precedes each word of the text, as it was written, or the word begins a sentence, (N,)."""

    def __repr__(self) -> str:
        sentences = counted(len(self.offsets) - 1, "sentence")
        return f"Occurrences({sentences}, {counted(len(self.word_ids), 'word')}, {len(self.types):,} distinct)"

    @classmethod
    def of(cls, sentences: Iterable[str | Sequence[str]], tokenizer: TokenizerName = "words") -> "Occurrences":
        """Number the words of some sentences; empty sentences are skipped.

        Args:
            sentences: Strings, whose spacing is remembered, or lists of words.
            tokenizer: How strings are split into words.

        Raises:
            ValueError: If there are no words, or a sentence is neither a string nor a list of words.
        """
        ids: dict[str, int] = {}
        word_ids, offsets, spaced = array("i"), array("q", [0]), bytearray()
        words_of = tokenizer_named(tokenizer).words

        def split(text: str) -> list[str]:
            words = words_of(text)
            spaced.extend(spacing(text, words))
            return words

        for sentence in checked_sentences(sentences, split):
            word_ids.extend(ids.setdefault(word, len(ids)) for word in sentence)
            spaced.extend(b"\1" * (len(word_ids) - len(spaced)))  # a list of words
            if len(word_ids) > offsets[-1]:
                offsets.append(len(word_ids))
        if not word_ids:
            raise ValueError("the text has no words to search")
        arrays = np.array(word_ids, np.int32), np.array(offsets, np.int64), np.frombuffer(bytes(spaced), np.bool_)
        return cls(list(ids), *arrays)

    @cached_property
    def _normalized_types(self) -> list[str]:
        return [normalize_word(word) for word in self.types]

    def sentence(self, number: int) -> tuple[str, ...]:
        """Return the words of a sentence."""
        return tuple(self.types[word] for word in self.word_ids[self.offsets[number] : self.offsets[number + 1]])

    def sentences(self) -> Iterator[tuple[str, ...]]:
        """Yield the words of each sentence."""
        return map(self.sentence, range(len(self.offsets) - 1))

    def spacing(self, number: int) -> tuple[bool, ...]:
        """Tell which words of a sentence follow a space; the first one does."""
        return tuple(self.spaced[self.offsets[number] : self.offsets[number + 1]].tolist())

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
            found.append(Neighbor(sentence, position, float(similarities[place]), count, self.spacing(number)))
            if len(found) == k:
                break
        return found


def normalize_word(word: str) -> str:
    """Fold the case of a word and compose its characters, so that Hangul syllables equal their decomposed form."""
    return unicodedata.normalize("NFC", word.casefold())


def find_word(words: Sequence[str], word: str, occurrence: int = 1) -> int:
    """Return the position of a word in a sentence.

    An exact match takes precedence over one in another case, and that over a Korean word with or without its particles:
    손 finds 손을, and 손을 finds 손 if the sentence is split into morphemes. There, the dictionary form of a verb
    finds its stem, also where it is contracted with its ending: 씻다 finds 씻, and 차다 finds 찼.

    Args:
        words: The sentence.
        word: The word to find.
        occurrence: Which of several matches to return, counted from 1.

    Raises:
        ValueError: If the sentence does not contain the word that often.
    """
    normalized = normalize_word(word)
    if not normalized.strip():
        raise ValueError("the word to find is empty")
    if not words:
        raise ValueError(f"the sentence is empty, so that {word!r} is not in it")
    forms = [normalize_word(other) for other in words]
    korean = "가" <= normalized[-1] <= "힣"
    verb, size = normalized.endswith("다"), len(normalized)
    positions = (
        [position for position, other in enumerate(words) if other == word]
        or [position for position, form in enumerate(forms) if form == normalized]
        or [position for position, form in enumerate(forms) if korean and form.startswith(normalized)]
        or [start for start in range(len(forms)) if korean and _are_together(forms[start : start + size], normalized)]
        or [position for position, form in enumerate(forms) if form and normalized == form + "다"]
        or [position for position, form in enumerate(forms) if verb and normalized == dictionary_form(form)]
    )
    sentence = " ".join(words)
    if not positions:
        raise ValueError(f"{word!r} is not a word of: {sentence}")
    if not 1 <= occurrence <= len(positions):
        times = "once" if len(positions) == 1 else f"{len(positions)} times"
        raise ValueError(f"{word!r} occurs {times}, so it has no occurrence {occurrence}, in: {sentence}")
    return positions[occurrence - 1]


def split_context(
    words: Sequence[str], position: int, width: int = 20, spaced: Sequence[bool] | None = None
) -> tuple[str, str, str]:
    """Return the text before a word, the word, and the text after it.

    Args:
        words: The sentence.
        position: Position of the word.
        width: Number of words on each side; a few more if the text would otherwise be cut between two spaces.
        spaced: Whether a space precedes each word, as it was written; None puts spaces between all words.
    """
    gaps = [" "] * len(words) if spaced is None else [" " * gap for gap in spaced]
    start, end = max(0, position - width), min(len(words), position + 1 + width)
    earlier, later = (
        range(start, max(-1, start - MAX_ATTACHED - 1), -1),
        range(end, min(len(words), end + MAX_ATTACHED) + 1),
    )
    start = next((place for place in earlier if gaps[place]), start)
    end = next((place for place in later if place == len(words) or gaps[place]), end)
    before = "".join(gaps[place] + words[place] for place in range(start, position)) + gaps[position]
    after = "".join(gaps[place] + words[place] for place in range(position + 1, end))
    if end < len(words):
        after += gaps[end] + "…"
    return "…" + before if start else before.removeprefix(" "), words[position], after


def _are_together(forms: Sequence[str], word: str) -> bool:
    """Return whether the first two or more of some morphemes are a word when they are written together."""
    return word in itertools.takewhile(lambda joined: len(joined) <= len(word), itertools.accumulate(forms))
