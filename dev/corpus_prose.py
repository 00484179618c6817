"""What is prose in the sources of the corpus: words, characters, and signs of what is no prose."""

import re
import string
from collections import Counter
from collections.abc import Sequence

UNKNOWN_LIMIT = {"elife": 0.30, "gutenberg": 0.08, "pm": 0.07, "un": 0.06}
"""The largest share of unknown words in a paragraph; research articles have many technical terms."""
LETTERS_LIMIT = {"elife": 0.78, "gutenberg": 0.85, "pm": 0.85, "un": 0.85}
"""The smallest share of letters among the characters of a paragraph that are not spaces."""

Document = list[str]
"""Tidy paragraphs."""
Drops = Counter
"""Paragraphs and words dropped, by (reason, "paragraphs" or "words")."""


# Words and characters. A regular expression that is searched for in all of the text begins with a character or a set of
# characters, since Python finds these fast, and looks back from there.

_INVISIBLE = re.compile("[\u00ad\u200b-\u200f\u2028-\u202e\u2060\ufeff\x00-\x08\x0e-\x1f\x7f-\x84\x86-\x9f]")
_NOT_ASCII = re.compile(r"[^\x00-\x7f]")
_SPACE_PUNCTUATION = bytes(code if code > 127 or chr(code).isalnum() else 32 for code in range(256))
_SPACE_NOT_A_TO_Z = bytes(code if code in string.ascii_lowercase.encode() else 32 for code in range(256))
_ASCII_LETTERS_AND_SPACES = string.ascii_letters.encode() + bytes(code for code in range(128) if chr(code).isspace())
_LAST_PART = re.compile(r"([A-Za-z]+)-$")
_FIRST_PART = re.compile(r"[a-z]+")
_END = re.compile(r"[.!?…][\"'”’)\]]*$|[:;—][\"'”’)]*$")
_SENTENCE_END = re.compile(r"\s(?:(?<=[.!?]\s)|(?<=[.!?][\"'”’)\]]\s))\s*(?=[\"'“‘(\[]*[A-Z0-9])")
"""Frequent words as scanning programs read them that take the long s for an f."""
_NOT_LETTERS = re.compile(r"[^\sA-Za-zÀ-ɏ]")
_CAPITALS = re.compile(r"[A-ZÀ-Þ]")


def tidy(text: str) -> str:
    """One line with single spaces, without invisible characters."""
    text = " ".join(text.split())
    return text if text.isprintable() else " ".join(_INVISIBLE.sub("", text).split())


def without_invisible(text: str) -> str:
    """Take out characters that are not shown."""
    return text if text.isprintable() else _INVISIBLE.sub("", text)


def without_apostrophes(text: str) -> str:
    """Make don't one word."""
    return text.replace("'", "").replace("’", "").replace("‘", "")


def plain_words(text: str) -> list[str]:
    """The words of a text as they are compared: lower case, without punctuation and apostrophes."""
    text = without_apostrophes(text).lower()
    for character in () if text.isascii() else set(_NOT_ASCII.findall(text)):
        if not character.isalnum():
            text = text.replace(character, " ")
    return text.encode().translate(_SPACE_PUNCTUATION).decode().split()


def letter_words(text: str) -> list[str]:
    """The words of a text as they are in the lexicon: a to z only, everything but apostrophes separates them."""
    return without_apostrophes(text.lower()).encode("ascii", "replace").translate(_SPACE_NOT_A_TO_Z).decode().split()


def character_counts(text: str) -> tuple[int, int, int]:
    """How many characters are neither letters nor spaces, how many of these are digits, and how many are capitals."""
    ascii_only = text.encode("ascii", "ignore")
    others = ascii_only.translate(None, _ASCII_LETTERS_AND_SPACES)
    digits = len(others) - len(others.translate(None, string.digits.encode()))
    capitals = len(ascii_only) - len(ascii_only.translate(None, string.ascii_uppercase.encode()))
    if len(ascii_only) == len(text):
        return len(others), digits, capitals
    rest = "".join(_NOT_ASCII.findall(text))
    more = _NOT_LETTERS.findall(rest)
    return len(others) + len(more), digits + sum(map(str.isdigit, more)), capitals + len(_CAPITALS.findall(rest))


def sentences(text: str) -> list[str]:
    """Cut a text where a sentence seems to end and another one to begin."""
    return _SENTENCE_END.split(text)


def ends_sentence(text: str) -> bool:
    """Whether a text ends like a sentence, or like the introduction of a quotation or list."""
    return bool(_END.search(text[-6:]))


def join_lines(lines: Sequence[str], lexicon: frozenset[str]) -> str:
    """Join hard-wrapped lines. A hyphen at the end of a line stays unless the word is known without it."""
    parts: list[str] = []
    for line in map(str.strip, lines):
        if not line:
            continue
        if (
            parts
            and parts[-1].endswith("-")
            and (left := _LAST_PART.search(parts[-1]))
            and (right := _FIRST_PART.match(line))
        ):
            known = (left[1] + right[0]).lower() in lexicon
            parts[-1] = (parts[-1][:-1] if known else parts[-1]) + line
        else:
            parts.append(line)
    return " ".join(parts)


_BROKEN_WORD = re.compile(r"\b([A-Za-z]{2,})- ([A-Za-z]{2,})\b")
_SUSPENDED = frozenset(["and", "or", "to", "nor", "but", "versus", "vs", "as", "through", "than"])


def mend_hyphens(text: str, lexicon: frozenset[str]) -> str:
    """Close words like "inter- national" and "South- East", but not "pre- and postwar"."""

    def mend(found: re.Match[str]) -> str:
        left, right = found.groups()
        if right in _SUSPENDED:
            return found[0]
        return left + right if right.islower() and (left + right).lower() in lexicon else f"{left}-{right}"

    return _BROKEN_WORD.sub(mend, text) if "- " in text else text


# What is not prose


class Judge:
    """Decides which paragraphs of a source are prose, and counts what it drops."""

    def __init__(self, source: str, lexicon: frozenset[str]) -> None:
        self.lexicon = lexicon
        self.drops: Drops = Counter()
        self._unknown_limit, self._letters_limit = UNKNOWN_LIMIT[source], LETTERS_LIMIT[source]

    def drop(self, reason: str, text: str) -> None:
        """Count a paragraph that is dropped."""
        self.drops[reason, "paragraphs"] += 1
        self.drops[reason, "words"] += len(text.split())

    def keeps(self, text: str) -> bool:
        """Whether a tidy paragraph is to be kept."""
        reason = self._problem(text)
        if reason:
            self.drop(reason, text)
        return not reason

    def _problem(self, text: str) -> str | None:
        count = text.count(" ") + 1
        if count < 3:
            return "shorter than three words"
        if count < 20 and not ends_sentence(text):
            return "heading or fragment"
        if "\ufffd" in text:
            return "damaged characters"
        others, digits, capitals = character_counts(text)
        letters = len(text) - count + 1 - others
        if letters < self._letters_limit * (letters + others) - 4:  # a short reply may have four quotation marks
            return "mostly not letters"
        if digits > 0.08 * len(text):
            return "numbers"
        if capitals > 0.3 * letters:
            return "capitals"
        lower = letter_words(text)
        if count > 8 and letters < 2.5 * len(lower):
            return "single letters"
        unknown = len(lower) - sum(map(self.lexicon.__contains__, lower))
        if count >= 6 and unknown > max(1, self._unknown_limit * len(lower)):
            return "unknown words (scanning errors, other languages)"
        return None
