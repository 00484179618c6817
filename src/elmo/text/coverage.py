"""Judge whether a model suits a text, from what the model is known to have seen.

A model gives numbers for any text, also for one in a language that it never read. Two things give that away:

* the fraction of words that the model cannot look up, if it reads words by a list;
* the script of the words, such as Hangul or Cyrillic, if hardly any word in the model's list is written in it. The list
  is the vocabulary that the model reads by or predicts, which holds the most frequent words of its training text.

A model that reads bytes and has no vocabulary, like the published English ones, can be judged by neither. Nothing is
said about it.
"""

import functools
import itertools
import unicodedata
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from elmo.text.dictionary import Dictionary
from elmo.text.vocabulary import Vocabulary

MAX_UNKNOWN = 0.2
"""Larger fractions of unknown words, or of words in a script that the model has hardly seen, cause a warning."""
MIN_SEEN = 0.005
"""A script is hardly seen if less than this fraction of the words in the model's vocabulary is written in it."""
SAMPLE_WORDS = 10_000
"""Number of words at the beginning of a text by which it is judged."""

_SCRIPT_NAMES = {"CJK": "Han"}
_WIDTHS = ("FULLWIDTH ", "HALFWIDTH ")


@dataclass(frozen=True)
class Mismatch:
    """Why a model does not suit a text. As a string, it is one line."""

    rate: float
    """Fraction of the words that are in a script which the model has hardly seen, or that it cannot look up."""
    script: str | None = None
    """The most frequent of those scripts; None if the words cannot be looked up."""
    known: int = 0
    """Number of words in the model's vocabulary that are written in this script."""
    vocabulary: int = 0
    """Number of words in the model's vocabulary."""

    def __str__(self) -> str:
        if self.script is None:
            return f"{self.rate:.0%} of the words are unknown to the model; expect poor results"
        return (
            f"{self.rate:.0%} of the words are in a script that the model has hardly seen "
            f"({self.script}: {self.known:,} of the {self.vocabulary:,} words in its vocabulary); expect poor results"
        )


def mismatch(
    sentences: Iterable[Sequence[str]], reads: Vocabulary | Dictionary | None, predicts: Vocabulary | None = None
) -> Mismatch | None:
    """Find out why a model does not suit a text.

    Args:
        sentences: Lists of words. No more than the first ``SAMPLE_WORDS`` words are taken.
        reads: What the token layer looks words up in; None if it reads their bytes.
        predicts: The vocabulary of the softmax; None if the model has none.

    Returns:
        The reason, with rates; None if the model suits the text or if nothing is known about it.
    """
    words = list(itertools.islice(itertools.chain.from_iterable(sentences), SAMPLE_WORDS))
    seen = reads.words if reads is not None and reads.words else () if predicts is None else predicts.words
    return _foreign_scripts(words, seen) or _unknown_words(words, reads)


def _foreign_scripts(words: Sequence[str], seen: Sequence[str]) -> Mismatch | None:
    """Report the scripts of the text that the model has hardly seen, if they are frequent."""
    counts, known = _scripts(words), _scripts(seen)
    foreign = Counter({script: n for script, n in counts.items() if known[script] < MIN_SEEN * len(seen)})
    if not seen or foreign.total() <= MAX_UNKNOWN * counts.total():
        return None
    script, _ = foreign.most_common(1)[0]
    return Mismatch(foreign.total() / counts.total(), script, known[script], len(seen))


def _unknown_words(words: Sequence[str], reads: Vocabulary | Dictionary | None) -> Mismatch | None:
    """Report how many words the model cannot look up, if they are many."""
    if reads is None or not words:
        return None
    unknown = sum(word not in reads for word in words) / len(words)
    return Mismatch(unknown) if unknown > MAX_UNKNOWN else None


def script_of(word: str) -> str | None:
    """Return the script of the first letter of a word, such as "Latin", or None if it has no letters.

    Scripts are told apart by the names of characters in the Unicode database.
    """
    return next((_script_of_letter(character) for character in word if character.isalpha()), None)


@functools.lru_cache(maxsize=1 << 16)
def _script_of_letter(letter: str) -> str:
    name = unicodedata.name(letter, "unknown")
    for width in _WIDTHS:
        name = name.removeprefix(width)
    first = name.split()[0]
    return _SCRIPT_NAMES.get(first, first.capitalize())


def _scripts(words: Iterable[str]) -> Counter[str]:
    """Count words by script; those without letters are left out."""
    return Counter(script for script in map(script_of, words) if script)
