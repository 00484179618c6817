"""One vector per whitespace-separated word, for tokenizers that split such words further.

A Korean word between two spaces (an eojeol) is several morphemes, and ``words`` splits ``didn't`` and ``end.``. The
language model reads the parts; this module puts their vectors together again.
"""

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import get_args

import numpy as np
from numpy.typing import NDArray

from elmo.config import Merge
from elmo.embed.select import EmbeddedSentence
from elmo.text.alignment import whitespace_words
from elmo.validation import checked_choice, checked_sentences


class Merger:
    """Remembers the words of the sentences that are being embedded, and merges the vectors of their tokens.

    Args:
        how: "mean" of the vectors of a word's tokens, or the "last" one.
        split: Splits a string into tokens.

    Raises:
        ValueError: If there is no such way to merge.
    """

    def __init__(self, how: Merge, split: Callable[[str], list[str]]) -> None:
        checked_choice("merge", how, get_args(Merge))
        self.how: Merge = how
        self._split = split
        self._last: tuple[list[str], list[int]] | None = None
        self._waiting: deque[tuple[list[str], list[int]] | None] = deque()
        """The words of the sentences that have been read but not merged; None for a sentence given as a list."""

    def tokens(self, sentences: Iterable[str | Sequence[str]]) -> Iterator[list[str]]:
        """Return the tokens of each sentence, like ``checked_sentences``."""
        return self._remembered(checked_sentences(sentences, self._split_text))

    def merged(self, embedded: Iterable[EmbeddedSentence]) -> Iterator[EmbeddedSentence]:
        """Merge the vectors of the sentences that ``tokens`` returned; the words of a list stay as they are."""
        for sentence in embedded:
            found = self._waiting.popleft()
            if found is None:
                yield sentence
            else:
                words, counts = found
                yield EmbeddedSentence(words, merge_vectors(sentence.layers, counts, self.how))

    def _split_text(self, text: str) -> list[str]:
        tokens = self._split(text)
        self._last = whitespace_words(text, tokens)
        return tokens

    def _remembered(self, sentences: Iterator[list[str]]) -> Iterator[list[str]]:
        for tokens in sentences:
            self._waiting.append(self._last)
            self._last = None
            yield tokens


def merge_vectors(vectors: NDArray[np.float32], counts: Sequence[int], how: Merge) -> NDArray[np.float32]:
    """Merge the vectors of tokens (..., n, D) to those of words (..., w, D), which have ``counts`` tokens (w)."""
    if not counts:
        return vectors
    ends = np.cumsum(counts)
    if how == "last":
        return vectors[..., ends - 1, :]
    sums = np.add.reduceat(vectors, [0, *ends[:-1]], axis=-2)
    return (sums / np.array(counts)[:, None]).astype(np.float32)
