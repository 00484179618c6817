#!/usr/bin/env python3
r"""Build a clean English training corpus from several public sources.

The sources are the corpus that is already there (en-0 ... en-3) and four that the readers of get.py take out of
copies of public repositories: research articles (elife), books (gutenberg), speeches and interviews of Australian
prime ministers (pm), and speeches in the general debate of the United Nations (un).

The work is done in three stages. Each leaves its result in the folder --work, and --stage repeats a single one:

  lexicon   unpack the present corpus, count its words, and hash its paragraphs. The lexicon of frequent words is
            how the next stage tells English from scanning errors and from other languages.
  clean     read every new source document by document, and keep the paragraphs that are prose.
  select    set documents of each new source aside as held-out text, leave out everything that is in held-out
            text (old and new), drop repeated paragraphs, sample the books, and write the result.

The output is CLEAN/{present,elife,gutenberg,pm,un}.txt with one paragraph per line, HELDOUT/{source}-{dev,test}.txt,
and CLEAN/summary.json, which tells what was kept, what was dropped, and why. The result depends on the input and
the seed only. Each stage shares its work among --processes processes, and puts the parts together in order.

For example:

  build_corpus.py --data DATA --output BUILD \
      --repository elife=elife-article-xml/.git \
      --repository gutenberg=copyshield-llm/.git \
      --repository pm=pm-transcripts/.git \
      --repository un=Emotions_in_the_United_Nations_General_Debates/.git

It needs 7z (Debian package p7zip-full), git, and NumPy.
"""

import argparse
import dataclasses
import hashlib
import html
import importlib.util
import itertools
import json
import lzma
import multiprocessing
import random
import re
import shutil
import string
import subprocess
import sys
import time
from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np

FOLDERS = {"elife": "articles", "gutenberg": "data/text", "pm": "transcripts", "un": "data/data_original/TXT"}
"""The new sources, and where their repositories have the documents."""
SOURCES = tuple(FOLDERS)
PART_FILES = {"elife": 50, "gutenberg": 24, "pm": 300, "un": 200}
"""How many files a process cleans before it takes others: a few seconds of work."""
PART_BYTES = 4 << 20
"""How much text a process examines before it takes more."""
TASKS_AHEAD = 6
"""How many parts are given to the processes before the first of them is done."""
PRESENT_FILES = tuple(f"corpus/en-{number}.txt.7z" for number in range(4))
HELDOUT_FILES = ("corpus/en-heldout-dev.txt.xz", "corpus/en-heldout-test.txt.xz")

LEXICON_COUNT = 5
"""How often a word must occur in the present corpus to count as known."""
UNKNOWN_LIMIT = {"elife": 0.30, "gutenberg": 0.08, "pm": 0.07, "un": 0.06}
"""The largest share of unknown words in a paragraph; research articles have many technical terms."""
LETTERS_LIMIT = {"elife": 0.78, "gutenberg": 0.85, "pm": 0.85, "un": 0.85}
"""The smallest share of letters among the characters of a paragraph that are not spaces."""
BOOK_LOSS_LIMIT = 0.4
"""A book that loses a larger share of its words (verse, tables, other languages) is dropped whole."""
BOOK_OVERLAP_LIMIT = 0.2
"""A book with a larger share of paragraphs that are in the corpus already is dropped whole."""
BOOK_RESERVE = 1.6
"""How many times the words wanted are cleaned; books that overlap with other text are dropped later."""
LONG_S_LIMIT = 1 / 100
"""The largest share of paragraphs of a book with a word that looks like a scanning error of the long s."""
SENTENCE_WORDS = 8
"""A paragraph is dropped if it contains a held-out sentence of at least this many words,"""
BOOK_SENTENCE_WORDS = 12
"""and the whole book if the sentence has this many."""
HELDOUT_EXCERPT = 5000
"""Words taken from one document that is set aside; the rest of the document is not used at all."""

Drops = Counter
"""Paragraphs and words dropped, by (reason, "paragraphs" or "words")."""


def by_reason(drops: Drops) -> dict[str, dict[str, int]]:
    """What was dropped, as it is written into files."""
    numbers: dict[str, dict[str, int]] = {}
    for (reason, unit), number in sorted(drops.items()):
        numbers.setdefault(reason, {})[unit] = number
    return numbers


def log(message: str) -> None:
    """Report progress."""
    print(time.strftime("%H:%M:%S"), message, file=sys.stderr, flush=True)


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
_LONG_S = frozenset(
    """fuch thofe thefe moft muft firft fome fhall fhould alfo himfelf themfelves itfelf faid againft becaufe ufe
    houfe laft juft feveral fince fent fays whofe greateft pleafure perfon perfons caufe reafon prefent poffible
    paffed neceffary bufinefs goodnefs happinefs likewife otherwife occafion courfe""".split()  # noqa: SIM905
)
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


def fingerprint(words: Sequence[str]) -> int:
    """A hash of the words of a paragraph; 64 bits, so that chance matches are not to be expected."""
    return int.from_bytes(hashlib.blake2b(" ".join(words).encode(), digest_size=8).digest(), "little")


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


# Readers of the sources: each makes a raw document of its source a list of tidy paragraphs

Document = list[str]


# elife

_ROUND = re.compile(r"[ (\[](?:(?<= )[(\[]|(?<! ))([^()\[\]]*)[)\]]")
_YEAR = re.compile(r"\b(?:1[89]|20)\d\d[a-z]?\b")
_NAMES = re.compile(
    r"[A-ZÀ-Þ]|et$|al$|and$|see$|also$|in$|reviewed$|review$|by$|for$|e\.g$|eg$|de$|van$|von$|der$|den$|la$|le$"
    r"|reviews$|but$|cf$|as$|a$|other$|more$|references$|therein$|\d"
)
_REFERENCE = re.compile(
    r"(?:see|also|and|compare|shown|in|data|the|left|right|top|bottom|e\.g\.,?|i\.e\.,?|[ ,;])*"
    r"(?:Figs?\b|Figures?|Tables?|Videos?|Movies?|Supplement|Appendix|Source|Equations?|Eqs?\b|Box|Dataset|Data "
    r"|Key resources"
    r"|Materials and|Methods|‘Materials|RRID|Experimental procedures|Section|SI )",
    re.IGNORECASE,
)
_GAP = re.compile(
    r"[(\[,.;=<>≤≥≈∼~](?:(?<=\()\s*[),;=]|(?<=\[)\s*\]|(?<=,)(?:,|\s*\))|(?<=[=<>≤≥≈∼~])\s*[,.;)]"
    r"|(?<=[,.;])(?:(?<=\s.)(?:\s|$)|(?<=\bof.)|(?<=\bwith.)|(?<=\bby.)|(?<=\bthe.)|(?<=\ban.)|(?<=\ba.)))"
)
_GAP_WORD = re.compile(
    r" (?=(?:and|is|are|was|were)\b)(?:(?<=\bof.)|(?<=\bwith.)|(?<=\bby.)|(?<=\bfor.)|(?<=\bthe.)|(?<=\ban.)|(?<=\ba.))"
)
_GAP_SPACES = re.compile(r"\S  +\S")
_GAP_WHERE = re.compile(r"[a-z][:,]where\b|\bwhere (?:is|are|and|denotes?|represents?)\b")
"""Signs of a formula that is missing; one of them is a second space, so the text must not be tidy yet."""
_ELIFE_BOILERPLATE = re.compile(
    r"DOI: ?https?://|dx\.doi\.org/10\.7554|Creative Commons|This is an open[- ]access article|^Acknowledgements?$"
    r"|competing (?:financial )?interests exist|no competing interests|Major datasets|The following (?:data ?set"
    r"|previously published)"
    r"|^[^.]{0,60}accession (?:number|code)",
    re.IGNORECASE,
)
_ELIFE_BOILERPLATE_SIGNS = (
    *("doi:", "dx.doi.org", "creative commons", "this is an open", "acknowledgement", "interests", "major datasets"),
    *("the following data", "the following previously", "accession"),
)
"""One of these is in every match, in small letters."""
_SEQUENCE = re.compile(r"\b[ACGTUN]{10,}\b|\b[acgtu]{14,}\b|5[′'’]-|[A-Z]{20,}")
_SEQUENCE_LETTERS = bytes(
    97 if code in b"acgtu" else 65 if code in string.ascii_uppercase.encode() else 32 for code in range(256)
)


def _may_have_sequence(text: str) -> bool:
    """Whether a sequence is possible: a test for long runs of letters that is faster than the regular expression."""
    kinds = text.encode("ascii", "replace").translate(_SEQUENCE_LETTERS)
    return b"A" * 10 in kinds or b"a" * 14 in kinds or "5′-" in text or "5'-" in text or "5’-" in text


def _has_gap(sentence: str) -> bool:
    """Whether a formula seems to be missing."""
    return bool(
        _GAP.search(sentence)
        or _GAP_WORD.search(sentence)
        or ("  " in sentence and _GAP_SPACES.search(sentence))
        or ("where" in sentence and _GAP_WHERE.search(sentence))
    )


def _without_references(text: str) -> str:
    """Take out parentheses that hold nothing but citations, or references to figures and tables."""

    def replace(found: re.Match[str]) -> str:
        inside = found[1].strip()
        if _REFERENCE.match(inside) and len(inside) < 160:
            return ""
        if re.fullmatch(r"[\d,;–\- ]+", inside) and found[0].lstrip().startswith("["):
            return ""
        if _YEAR.search(inside):
            words = re.findall(r"[^\s,;.:–-]+", inside)
            if sum(not _NAMES.match(word) for word in words) <= max(1, len(words) // 8):
                return ""
        return found[0]

    for _ in range(2):
        text = _ROUND.sub(replace, text)
    return re.sub(r"  *([.,;:])", r"\1", text)


def elife(raw: list[str], judge: Judge) -> Document:
    """Research articles. Formulas are missing from the text, so sentences that show a gap are dropped."""
    document = []
    for paragraph in raw:
        paragraph = without_invisible(paragraph.replace("\xa0", " ").replace("\n", " "))
        lower = paragraph.lower()
        if any(sign in lower for sign in _ELIFE_BOILERPLATE_SIGNS) and _ELIFE_BOILERPLATE.search(paragraph):
            judge.drop("license, DOI, and data statements", paragraph)
            continue
        if _may_have_sequence(paragraph) and _SEQUENCE.search(paragraph):
            judge.drop("nucleotide and protein sequences", paragraph)
            continue
        whole = []
        for sentence in _SENTENCE_END.split(paragraph.strip()):
            if _has_gap(sentence) or (not whole and sentence[:1].islower()):
                judge.drop("sentence with a missing formula", sentence)
            else:
                whole.append(sentence)
        text = tidy(_without_references(" ".join(whole)))
        if text and judge.keeps(text):
            document.append(text)
    return document


# gutenberg

_LICENSE = re.compile(
    r"Project Gutenberg|Gutenberg(?:-tm|™| License)|\bE-?text\b|Etext|Produced by|Transcriber|Transcribed (?:from|by)"
    r"|Distributed Proof|pgdp|Internet Archive|HTML version|This file was|Updated editions|^\W*Pages? \d+[:.,]"
    r"|archive\.org|www\.|https?://"
    r"|PRINTED (?:IN|BY)|Printed (?:in|by) |All rights reserved|COPYRIGHT|Copyright,? |Entered according to|Electronic"
    r"|^\W*(?:THE )?END\b.{0,20}$|^\W*FINIS\b|^End of (?:the |Volume|Vol|Book|Part)|UTF-8|ASCII|ISO-8859"
    r"|typographical error",
    re.MULTILINE,
)
_CONTENTS = re.compile(
    r"\W*(?:(?:TABLE OF|THE|LIST OF|GENERAL|ANALYTICAL|ALPHABETICAL) )*(?:CONTENTS?|ILLUSTRATIONS?|INDEX|PLATES"
    r"|MAPS|FIGURES|BIBLIOGRAPHY"
    r"|GLOSSARY|ERRATA|ADVERTISEMENTS?|FOOTNOTES?|NOTES)\b(?!\s+(?:[a-z]+ ){2})",
    re.IGNORECASE,
)
_INLINE = re.compile(
    r"\[(?:Illustration|Sidenote|Pg|Page|Music|Decoration|Blank Page|Transcriber|Image|Plate"
    r"|Frontispiece)[^\]]*\]?|\[\d+\w?\]|\[[A-Za-z*†‡]{1,2}\]|\{\w{1,7}\}"
    r"|\[p\. ?\d+\]|\(\*?\d{1,3}\)|\[#[^\]]*\]|<[^<>]{1,40}>|\*+"
)
_INLINE_START = re.compile(r"[\[{(<*]")
_FOOTNOTE = re.compile(r"\s*(?:\[Footnote|\[Note|\[\d+\w?\]|\[[A-Z*]\]|Footnotes?:|\(\d+\) |\{\d+\}|\d{1,3} (?=[A-Z]))")
_LEADING_NUMBER = re.compile(r"^(?:§+ ?)?\d{1,3}[.)\]]+ (?=[\"'“‘A-Z])|^§+ ?[IVXLC\d]+\. ")
_TRANSLITERATION = re.compile(r"[@~^](?<=\w.)\w")
_DASH = re.compile(r" ?(?:--+|—+) ?")
_PLAY = re.compile(
    r"\s*(?:_?[A-Z][A-Z]+[A-Z. ]{0,20}_?[.:]|_[A-Z][a-z]{0,9}\._|\[_?(?:Enter|Exit|Exeunt)|(?:Enter|Exit|Exeunt)\b)"
)


def _book_block_problem(block: str, edge: bool) -> str | None:
    """Tell why a block of lines of a book, between blank lines, is not prose; edge: near an end of the book."""
    if (edge or "Gutenberg" in block or "Transcriber" in block) and _LICENSE.search(block):
        return "license and production notes"
    if _FOOTNOTE.match(block):
        return "footnotes"
    if "[Greek" in block or "[Hebrew" in block or _TRANSLITERATION.search(block) or "[Illustration" in block[:60]:
        return "illustrations and transliterations"
    lines = [line for line in block.split("\n") if line.strip()]
    number = len(lines)
    if "|" in block or "+--" in block or "____" in block or "....." in block:
        return "tables and contents"
    if number >= 2:
        inner = list(map(str.strip, lines))
        if "   " in block and sum("   " in line for line in inner) > 0.3 * number:
            return "tables and contents"
        if sum(map(str.isdigit, [line.rstrip(" .])")[-1:] for line in lines])) > 0.5 * number:
            return "tables and contents"
        starts = sum(map(str.isupper, [line.lstrip("\"'“‘(_-—[ ")[:1] for line in inner]))
        mean = sum(map(len, inner)) / number
        longest_but_last = max(map(len, lines[:-1]))
        if (number >= 3 and starts >= 0.75 * number and mean < 56) or (
            number == 2 and starts == 2 and longest_but_last < 60
        ):
            return "verse and lists"
        if mean < 42 and number >= 3 and all(line.startswith("  ") for line in lines):
            return "verse and lists"
    if _PLAY.match(block):
        return "drama (speaker names)"
    return None


def _is_index_entry(text: str) -> bool:
    """Whether a paragraph reads like an entry of an index: names and page numbers."""
    if not text[-4:].strip(".")[-1:].isalnum() and not re.search(r"\d, \d", text):
        return False
    return len(re.findall(r", \d+(?:[-–]\d+)?(?=[,;.]|$)", text)) >= 3 or bool(
        len(text) < 160 and re.search(r", (?:pp?\. )?[ivxlc\d]+\.?$", text)
    )


def gutenberg(blocks: list[str], judge: Judge) -> Document:
    """Books, in blocks of lines. Those in which little is prose are dropped whole."""
    document: Document = []
    words = skipping = 0
    long_s = 0
    for place, block in enumerate(blocks):
        text = tidy(block)
        if not text:
            continue
        count = text.count(" ") + 1
        words += count
        if count <= 8 and _CONTENTS.match(text):
            skipping = 40  # short blocks at most, until prose begins
            judge.drop("tables and contents", text)
            continue
        reason = _book_block_problem(block, edge=min(place, len(blocks) - place) < 80)
        if skipping:
            if (
                not reason
                and count >= 40
                and ends_sentence(text)
                and not _is_index_entry(text)
                and text.count("—") + text.count("--") < 4
            ):
                skipping = 0
            else:
                skipping -= count < 40
                judge.drop("tables and contents", text)
                continue
        if reason:
            judge.drop(reason, text)
            continue
        text = join_lines(block.split("\n"), judge.lexicon)
        text = _INLINE.sub(" ", text) if _INLINE_START.search(text) else text
        text = _LEADING_NUMBER.sub("", text.replace("_", "").replace("=", "").replace("~", ""))
        text = tidy(_DASH.sub(" — ", text) if "--" in text or "—" in text else text)
        if _is_index_entry(text):
            judge.drop("tables and contents", text)
        elif judge.keeps(text):
            long_s += not _LONG_S.isdisjoint(text.split())
            document.append(text)
    kept = sum(text.count(" ") + 1 for text in document)
    reason = None
    if long_s > LONG_S_LIMIT * len(document):
        reason = "whole book: long s"
    elif kept < (1 - BOOK_LOSS_LIMIT) * words:
        reason = "whole book: little prose"
    if reason:
        judge.drops = Counter({(reason, "words"): words, (reason, "paragraphs"): len(blocks), (reason, "documents"): 1})
        return []
    return document


# Speeches


def _unwrapped(lines: Sequence[str], width: int, lexicon: frozenset[str], starts: re.Pattern[str]) -> Iterator[str]:
    """Join lines of one block. A paragraph ends with a line that is short and ends a sentence."""
    paragraph: list[str] = []
    for line in lines:
        if paragraph and (
            starts.match(line)
            or (
                ends_sentence(paragraph[-1].strip())
                and (len(paragraph[-1].strip()) < 0.8 * width or line.startswith(" "))
            )
        ):
            yield join_lines(paragraph, lexicon)
            paragraph = []
        paragraph.append(line)
    if paragraph:
        yield join_lines(paragraph, lexicon)


def _usual_width(lines: Sequence[str]) -> int:
    """The width of hard-wrapped lines, as most of them have it."""
    widths = sorted(len(line.strip()) for line in lines if line.strip())
    return widths[int(0.9 * len(widths))] if widths else 0


_SPEAKER = re.compile(
    r"\s*(?:PM|P\.M\.?|PRIME MINISTER|Prime Minister|MR\.? [A-Z' -]+|JOURNALISTS?|Journalists?|JOURNO|REPORTER"
    r"|INTERVIEWER"
    r"|Interviewer|QUESTION|Question|COMPERE|PRESENTER|HOST|CALLER|[JQA]|[A-Z][A-Z' .-]{2,30}(?: MP)?)\s?[:;]\s?"
    r"|\s*[QA]\.? (?=[A-Z])"
)
_PM_FURNITURE = re.compile(
    r"\W*(?:PRIME MINISTER\W*$|FOR (?:THE )?(?:PRESS|MEDIA)|FCR PRESS|EMBARGO|E\.? ?(?:&|AND|and"
    r"|&amp;)? ?\.?O\.? ?E|PROOF|PRESS (?:OFFICE|STATEMENT|RELEASE"
    r"|CONFERENCE)|TRANSCRIPT|COMMONWEALTH OF|CHECK AGAINST|SUBJECTS?\b|Subjects? ?:|TOPICS|\[?ENDS?\]?\W*$"
    r"|\(?Ends?\)?\W*$|P\.? ?M\.? No|No\. \d"
    r"|MEDIA (?:RELEASE|STATEMENT|CONTACT)|Media [Cc]ontact|Contact(?:s|:)|Further (?:information|details) ?:"
    r"|Photo|SPEECH BY|ADDRESS BY|STATEMENT BY|Transcription|Transcript of|Statement by|Speech by|Address by"
    r"|Unclassified|PRESS CONTACT|Prepared by|Parliament House|For (?:further|more) information|Phone"
    r"|Tel(?:ephone)?\b[ :.]|Fax|\d{1,2} (?:January|February"
    r"|March|April|May|June|July|August|September|October|November|December),? \d{4}\W*$)|^[A-Z ,.\d&-]*$"
)
_LOST_APOSTROPHE = re.compile(
    r"['?&´`](?:(?<=[A-Za-z][?´`])|(?<=[A-Za-z]');|(?<=[A-Za-z]&)#0?39;)(?=(?:s|t|re|ve|ll|d|m)\b)"
)
_STRAY = re.compile(r"[~|•■►▪·^\\{}<>*_¬§¶°'.,;:](?:(?<=[^'.,;:])|(?<= .) )")


_LABEL_INSIDE = re.compile(r" (?<=[.?!] )(?:[A-Z]{4,}(?: [A-Z]{4,})?|PM|PRIME MINISTER|J)\s?[:.;](?= |$)")
_SCAN_ERROR = re.compile(
    r"\b[A-Za-z]+\d(?!\d*s?\b)|\b(?!\d+(?:st|nd|rd|th|s|m|km|am|pm|bn)\b)\d+[A-Za-z]"
    r"|\b[B-HJ-Zb-hj-z] [A-Za-z]{1,3}\b(?<!, )|\d\d/ ?\d\d/ ?\d\d|[a-z][A-Z]{2}|[()\[\]][^()\[\]]*$"
    r"|\b[a-z]+[,;:][a-z]"
)
_PARENTHESES = re.compile(r"\([^()]*\)|\[[^\[\]]*\]")
_SMALL_WORD = re.compile(r"(?<![A-Za-z])[a-z]{2,}\b")
_OPEN_SPACE = re.compile(r"([$(]) (?=\w)")
_DOTS = re.compile(r"\.{4,}")
_DATE_SPACE = re.compile(r"(\d)/ (?=\d)")
_DIGIT_INSIDE = re.compile(r"\d(?<=[a-z]\d)[a-z]")
_SPACED_QUOTATION = re.compile(r'(^|\s)" ([^"]{1,300}?)"')


def without_strays(text: str) -> str:
    """Make a text tidy, without signs that have no place in it."""
    return tidy(_STRAY.sub(" ", text.lstrip("-.,;:' ")))


def _scan_errors(sentence: str, lexicon: frozenset[str]) -> bool:
    """Whether a scanned sentence has a word in small letters that is not known, or other signs of bad scanning."""
    if _SCAN_ERROR.search(_PARENTHESES.sub("", sentence)):
        return True
    return not lexicon.issuperset(_SMALL_WORD.findall(without_apostrophes(sentence)))


def pm_documents(repository: Any) -> Iterator[list[str]]:
    """Transcripts in blocks of lines. Unlike get.py's reader this one tells line breaks from paragraphs."""
    for blob, name in repository.files("transcripts"):
        if not name.endswith(".xml") or (content := repository.read(blob)) is None:
            continue
        if found := re.search(r"<content>(.*?)</content>", content.decode("utf-8", "replace"), re.DOTALL):
            raw = html.unescape(html.unescape(found[1].replace("<![CDATA[", "").replace("]]>", "")))
            raw = re.sub(r"\s*<br ?/?>\s*|\s*\n\s*", "\n", re.sub(r"</(?:p|li|h\d|div|ul|tr|td)>", "\0", raw))
            yield [re.sub(r"<[^>]+>", " ", block) for block in raw.split("\0")]


def pm(blocks: list[str], judge: Judge) -> Document:
    """Speeches and interviews.

    The older ones are scanned, with hard-wrapped lines, and are checked sentence by sentence.
    """
    document = []
    for block in blocks:
        lines = []
        for line in block.split("\n"):
            if _PM_FURNITURE.match(line.strip()):
                if line.strip():
                    judge.drop("headers of transcripts", line)
            else:
                lines.append(line.strip())
        width = _usual_width(lines)
        scanned = len(lines) > 2 and 30 < width < 130
        paragraphs = _unwrapped(lines, width, judge.lexicon, _SPEAKER) if scanned else lines
        for text in paragraphs:
            text = _LOST_APOSTROPHE.sub("'", without_invisible(text)).replace("';", "'")
            text = _SPEAKER.sub("", text, count=1) if _SPEAKER.match(text) else text
            text = tidy(mend_hyphens(without_strays(_LABEL_INSIDE.sub("", text)), judge.lexicon))
            text = _OPEN_SPACE.sub(r"\1", _DOTS.sub("...", text) if "...." in text else text)
            text = _DATE_SPACE.sub(r"\1/", text) if "/ " in text else text
            text = _SPACED_QUOTATION.sub(r'\1"\2"', text) if '" ' in text else text
            if scanned or _DIGIT_INSIDE.search(text):
                good = []
                for sentence in _SENTENCE_END.split(text):
                    if _scan_errors(sentence, judge.lexicon):
                        judge.drop("sentence with scanning errors", sentence)
                    else:
                        good.append(sentence)
                text = " ".join(good)
            if text and judge.keeps(text):
                document.append(text)
    return document


_UN_FURNITURE = re.compile(
    r"\s*(?:[\d/().*]*\s*\d\d-\d{5}.{0,12}|\d{1,4}|A/\d+/PV\.?\d+.{0,20}|.{0,30}plenary meeting.{0,30}"
    r"|General Assembly.{0,40}session.{0,30}|/\.\.\.|\f)\s*$"
)
_UN_NUMBER = re.compile(r"\s*\d{1,3}\s?[.,]\s?(?=[\"'“‘(\[]?[A-Z])")
_UN_REFERENCE = re.compile(
    r" ?[\[(](?:see |para|ibid|resolution |document |[AES]/|\d+(?:st|nd|rd|th) (?:plenary )?meeting"
    r"|General Assembly resolution )[^\])]{0,90}[\])]"
    r"|\((?:spoke|interpretation|continued|original) [^)]*\)",
    re.IGNORECASE,
)


def un(raw: list[str], judge: Judge) -> Document:
    """Speeches in the general debate: numbered paragraphs in early years, hard-wrapped lines later."""
    lines = []
    for line in raw:
        line = without_invisible(line.replace("\t", " ").replace("\r", "").replace("\xa0", " "))
        if _UN_FURNITURE.match(line):
            judge.drop("page numbers and headers", line)
        elif line.strip():
            lines.append(line)
    if (width := _usual_width(lines)) < 110:
        paragraphs = list(_unwrapped(lines, width, judge.lexicon, _UN_NUMBER))
    else:
        paragraphs = []
        for line in map(str.strip, lines):
            if paragraphs and not _UN_NUMBER.match(line) and (line[0].islower() or not ends_sentence(paragraphs[-1])):
                paragraphs[-1] = join_lines([paragraphs[-1], line], judge.lexicon)
            else:
                paragraphs.append(line)
    document = []
    for text in paragraphs:
        text = _UN_REFERENCE.sub("", _UN_NUMBER.sub("", text, count=1))
        text = tidy(mend_hyphens(without_strays(text), judge.lexicon))
        if text and judge.keeps(text):
            document.append(text)
    return document


READERS = {"elife": elife, "gutenberg": gutenberg, "pm": pm, "un": un}


# Work in several processes


def in_order(pool: Any, function: Callable[[Any], Any], tasks: Iterable[Any]) -> Iterator[Any]:
    """Like pool.imap, but only a few tasks ahead of what is asked for, so that the caller may stop early."""
    waiting: deque[Any] = deque()
    for task in tasks:
        waiting.append(pool.apply_async(function, (task,)))
        if len(waiting) > TASKS_AHEAD:
            yield waiting.popleft().get()
    while waiting:
        yield waiting.popleft().get()


# Stage 1: lexicon


def count_words(archive: Path, unpacked: Path) -> tuple[Counter[str], np.ndarray]:
    """Unpack a file; give how often each word occurs, and the fingerprints of the paragraphs, (paragraphs,) uint64."""
    counts: Counter[str] = Counter()
    prints: list[int] = []
    reader = subprocess.Popen(["7z", "x", "-so", archive], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    with unpacked.open("wb") as out:
        for raw in reader.stdout:
            out.write(raw)
            text = raw.decode("utf-8", "replace")
            counts.update(letter_words(text))
            prints.append(fingerprint(plain_words(text)))
    if reader.wait():
        raise OSError(f"7z could not read {archive}")
    return counts, np.array(prints, np.uint64)


def make_lexicon(args: argparse.Namespace) -> None:
    """Unpack the present corpus; write its frequent words, and the fingerprints of its paragraphs."""
    counts: Counter[str] = Counter()
    prints = []
    files = [(args.data / name, args.work / f"present-{number}.txt") for number, name in enumerate(PRESENT_FILES)]
    log(f"lexicon: {len(files)} files")
    with multiprocessing.Pool(args.processes) as pool, (args.work / "present.txt").open("wb") as present:
        try:
            results = pool.starmap(count_words, files, chunksize=1)
        except OSError as error:
            sys.exit(str(error))
        for (_, unpacked), (part_counts, part_prints) in zip(files, results, strict=True):
            counts.update(part_counts)
            prints.append(part_prints)
            with unpacked.open("rb") as part:
                shutil.copyfileobj(part, present, 1 << 20)
            unpacked.unlink()
    known = sorted(word for word, count in counts.items() if count >= LEXICON_COUNT)
    (args.work / "lexicon.txt").write_text("\n".join(known) + "\n", "utf-8")
    everything = np.concatenate(prints)
    np.save(args.work / "present.npy", np.unique(everything))
    log(f"lexicon: {len(known):,} words, {len(everything):,} paragraphs")


# Stage 2: clean


def shuffled(items: Sequence[Any], seed: str) -> list[Any]:
    """The items in an order that depends on the seed only."""
    return random.Random(seed).sample(items, len(items))


def load_module(path: Path) -> ModuleType:
    """Import get.py, wherever it is."""
    spec = importlib.util.spec_from_file_location("get", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


class Cleaner:
    """Cleans parts of the files of one source in a process of its own."""

    def __init__(self, source: str, args: argparse.Namespace) -> None:
        self.source = source
        self._module = load_module(args.data / "get.py")
        self._repository = self._module.Repository(str(args.repository[source]))
        self._all_files = self._repository.files
        self._judge = Judge(source, frozenset((args.work / "lexicon.txt").read_text("utf-8").split()))

    def files(self) -> list[tuple[bytes, str]]:
        """The files with the documents of the source, in the order of the documents."""
        return self._all_files(FOLDERS[self.source])

    def clean(self, part: list[tuple[bytes, str]]) -> list[tuple[Document, Drops]]:
        """The documents in some of the files, with what was dropped of each."""
        self._repository.files = lambda folder: part if folder == FOLDERS[self.source] else self._all_files(folder)
        reader = pm_documents if self.source == "pm" else getattr(self._module, self.source)
        documents = []
        for raw in reader(self._repository):
            self._judge.drops = Counter()
            document = READERS[self.source](raw, self._judge)
            documents.append((document, self._judge.drops))
        return documents


def in_parts(files: list[tuple[bytes, str]], size: int) -> Iterator[list[tuple[bytes, str]]]:
    """Cut a list of files into parts of about this size; the versions of an article (elife-00001-v2) stay together."""
    part: list[tuple[bytes, str]] = []
    for _, versions in itertools.groupby(files, key=lambda file: file[1].split("-v")[0]):
        part.extend(versions)
        if len(part) >= size:
            yield part
            part = []
    if part:
        yield part


_worker: Any = None
"""What the processes of a pool work with."""


def start_cleaner(source: str, args: argparse.Namespace) -> None:
    """Begin a process that cleans."""
    global _worker
    _worker = Cleaner(source, args)


def clean_part(part: list[tuple[bytes, str]]) -> list[tuple[Document, Drops]]:
    """Clean a part of the files, in a process of a pool."""
    return _worker.clean(part)


def clean_source(source: str, args: argparse.Namespace) -> None:
    """Write the documents of a source, one paragraph per line and an empty line behind each document."""
    files = Cleaner(source, args).files()
    if source == "gutenberg":  # in random order, so that cleaning can stop when there is enough
        files = shuffled(files, f"{args.seed}-{source}")
    counts: Counter[str] = Counter()
    drops: Drops = Counter()
    with (
        multiprocessing.Pool(args.processes, start_cleaner, (source, args)) as pool,
        (args.work / f"{source}.docs").open("w", encoding="utf-8") as out,
    ):
        documents = itertools.chain.from_iterable(in_order(pool, clean_part, in_parts(files, PART_FILES[source])))
        for number, (document, dropped) in enumerate(itertools.islice(documents, args.limit), 1):
            drops.update(dropped)
            if document:
                out.write("\n".join(document) + "\n\n")
                counts["documents"] += 1
                counts["paragraphs"] += len(document)
                counts["words"] += sum(text.count(" ") + 1 for text in document)
            if source == "gutenberg" and counts["words"] > BOOK_RESERVE * args.book_words:
                break
            if number % 1000 == 0:
                log(f"{source}: {number:,} documents, {counts['words']:,} words")
    facts = {**counts, "dropped": by_reason(drops)}
    (args.work / f"{source}.json").write_text(json.dumps(facts, indent=1) + "\n", "utf-8")
    log(f"{source}: {counts['documents']:,} documents, {counts['words']:,} words")


# Stage 3: select


class HeldOut:
    """Finds sentences of held-out text inside other text.

    The first words of every sentence are hashed; where the hash of as many words of a text is the same, the whole
    sentence is compared.
    """

    _BITS = 22

    def __init__(self) -> None:
        self._ids: dict[str, int] = {}
        self._sentences: dict[int, list[list[str]]] = {}
        self._filter = np.zeros(1 << self._BITS, bool)
        odd = np.random.default_rng(0).integers(1 << 62, size=SENTENCE_WORDS, dtype=np.uint64) * 2 + 1
        self._factors = odd.astype(np.uint64)

    def __len__(self) -> int:
        return sum(map(len, self._sentences.values()))

    def add(self, paragraph: str) -> None:
        """Hold out the sentences of a paragraph."""
        for sentence in _SENTENCE_END.split(paragraph):
            words = plain_words(sentence)
            if len(words) >= SENTENCE_WORDS:
                first = [self._ids.setdefault(word, len(self._ids) + 1) for word in words[:SENTENCE_WORDS]]
                key = int(self._hashes(np.array(first, np.uint64))[0])
                known = self._sentences.setdefault(key, [])
                if words not in known:
                    known.append(words)
                self._filter[key >> (64 - self._BITS)] = True

    def _hashes(self, ids: np.ndarray) -> np.ndarray:
        """Of every SENTENCE_WORDS ids that follow each other, (ids - SENTENCE_WORDS + 1,) uint64."""
        count = len(ids) - SENTENCE_WORDS + 1
        hashes = np.zeros(count, np.uint64)
        for place, factor in enumerate(self._factors):
            hashes += ids[place : place + count] * factor
        hashes ^= hashes >> np.uint64(29)
        return hashes * np.uint64(0xBF58476D1CE4E5B9)

    def find(self, paragraphs: Sequence[list[str]]) -> list[int]:
        """For each paragraph, in plain words, the words of the longest held-out sentence in it, or 0."""
        found = [0] * len(paragraphs)
        words = list(itertools.chain.from_iterable(paragraphs))
        if len(words) < SENTENCE_WORDS:
            return found
        ids = np.fromiter(map(self._ids.get, words, itertools.repeat(0)), np.uint64, len(words))
        hashes = self._hashes(ids)
        ends = np.cumsum([len(paragraph) for paragraph in paragraphs])
        for start in np.flatnonzero(self._filter[hashes >> np.uint64(64 - self._BITS)]).tolist():
            for sentence in self._sentences.get(int(hashes[start]), ()):
                stop = start + len(sentence)
                if words[start:stop] == sentence:
                    place = int(np.searchsorted(ends, start, side="right"))
                    if stop <= ends[place]:
                        found[place] = max(found[place], len(sentence))
        return found


Part = tuple[Path, int, int, bool]
"""A piece of a file, from one byte to another; and whether it is text of the present corpus."""


def text_parts(path: Path, present: bool = False) -> Iterator[Part]:
    """Cut a file between documents, or, since the present corpus has no boundaries between them, between lines."""
    end = b"\n" if present else b"\n\n"
    start = 0
    with path.open("rb") as file:
        while content := file.read(PART_BYTES):
            while end not in content and (more := file.read(PART_BYTES)):
                content += more
            stop = start + (content.rfind(end) + len(end) if end in content else len(content))
            yield path, start, stop, present
            start = file.seek(stop)


def read_part(part: Part) -> list[Document]:
    """Read a piece of what clean_source wrote, or of the present corpus, which becomes one document."""
    path, start, stop, present = part
    with path.open("rb") as file:
        file.seek(start)
        text = file.read(stop - start).decode("utf-8")
    if present:
        return [[line for line in map(str.strip, text.split("\n")) if line]]
    return [document.split("\n") for document in text.removesuffix("\n\n").split("\n\n")]


@dataclasses.dataclass(frozen=True)
class Findings:
    """What is to be known of the paragraphs of a document, in lists of the same length."""

    prints: list[int]
    lengths: list[int]
    """How many plain words a paragraph has."""
    held_out: list[int]
    """How many words the longest held-out sentence in it has, or 0."""
    problems: list[str | None]


def examine(document: Document, held_out: HeldOut, present: bool = False) -> Findings:
    """Do what does not depend on other documents. Stage 2 does not clean the present corpus; it is checked here."""
    plain = [plain_words(text) for text in document]
    problems = [light_problem(text) if present else None for text in document]
    return Findings([fingerprint(words) for words in plain], list(map(len, plain)), held_out.find(plain), problems)


def start_examiner(held_out: HeldOut) -> None:
    """Begin a process that examines."""
    global _worker
    _worker = held_out


def examine_part(part: Part) -> list[Findings]:
    """Examine the documents of a part, in a process of a pool."""
    return [examine(document, _worker, present=part[3]) for document in read_part(part)]


def in_random_order(path: Path, seed: str) -> Iterator[tuple[int, Document]]:
    """Read documents in an order that depends on the seed only, with their numbers."""
    content = path.read_bytes()
    starts = [0, *(found.end() for found in re.finditer(b"\n\n", content))]
    for number in shuffled(range(len(starts) - 1), seed):
        yield number, content[starts[number] : starts[number + 1] - 2].decode("utf-8").split("\n")


class Writer:
    """Writes the paragraphs of one source, without repetitions and held-out sentences."""

    def __init__(self, path: Path, seen: set[int]) -> None:
        self.path = path
        self.counts: Counter[str] = Counter()
        self.drops: Drops = Counter()
        self._seen = seen
        self._digest = hashlib.sha256()
        self._file = path.open("wb")

    def drop(self, reason: str, paragraphs: Sequence[str], documents: int = 0) -> None:
        """Count what is dropped."""
        self.drops[reason, "paragraphs"] += len(paragraphs)
        self.drops[reason, "words"] += sum(len(text.split()) for text in paragraphs)
        if documents:
            self.drops[reason, "documents"] += documents

    def write(self, document: Document, findings: Findings, book: bool = False) -> None:
        """Write what remains of a document. A book is checked as a whole, too."""
        if book:
            if max(findings.held_out) >= BOOK_SENTENCE_WORDS:
                self.drop("whole book: contains held-out text", document, 1)
                return
            lengths = zip(findings.prints, findings.lengths, strict=True)
            long = [known for known, length in lengths if length >= 12]
            if sum(known in self._seen for known in long) > BOOK_OVERLAP_LIMIT * max(1, len(long)):
                self.drop("whole book: in the corpus already", document, 1)
                return
        kept = []
        paragraphs = zip(document, findings.prints, findings.held_out, findings.problems, strict=True)
        for text, known, held_out, problem in paragraphs:
            if held_out:
                self.drop("contains a held-out sentence", [text])
            elif known in self._seen:
                self.drop("repeated paragraph", [text])
            elif problem:
                self.drop(problem, [text])
            else:
                self._seen.add(known)
                kept.append(text)
        if not kept:
            return
        content = ("\n".join(kept) + "\n").encode()
        self._file.write(content)
        self._digest.update(content)
        words = sum(len(text.split()) for text in kept)
        self.counts.update(documents=1, paragraphs=len(kept), words=words)

    def close(self) -> dict:
        """Finish the file, and tell about it."""
        self._file.close()
        size, digest = self.path.stat().st_size, self._digest.hexdigest()
        return {**self.counts, "bytes": size, "sha256": digest, "dropped": by_reason(self.drops)}


def light_problem(text: str) -> str | None:
    """Tell what is wrong with a paragraph of the present corpus, which was cleaned by others before."""
    if len(_LONG_S.intersection(text.split())) >= 2:
        return "long s"
    if "Gutenberg" in text and _LICENSE.search(text[:300]):
        return "license and production notes"
    if character_counts(text)[0] > 0.3 * (len(text) - text.count(" ")):
        return "mostly not letters"
    return None


def set_aside(source: str, args: argparse.Namespace, held_out: HeldOut, present: np.ndarray) -> tuple[set[int], dict]:
    """Choose documents for the held-out text of a new source, and write it; gives the numbers of the documents."""
    chosen: set[int] = set()
    facts = {}
    parts = iter(("dev", "test"))
    part, texts, words, documents = next(parts), [], 0, 0
    for number, document in in_random_order(args.work / f"{source}.docs", f"{args.seed}-heldout-{source}"):
        plain = [plain_words(text) for text in document]
        length = sum(map(len, plain))
        if length < 300 or any(held_out.find(plain)):
            continue
        prints = np.array([fingerprint(words) for words in plain], np.uint64)
        if (present[np.searchsorted(present, prints) % len(present)] == prints).mean() > 0.05:
            continue
        chosen.add(number)
        start = 0  # an excerpt from the middle of a long document
        if length > 2 * HELDOUT_EXCERPT:
            start = len(document) // 3
        taken = 0
        for text in document[start:]:
            if taken >= HELDOUT_EXCERPT:
                break
            texts.append(text)
            taken += len(text.split())
        words += taken
        documents += 1
        if words >= args.heldout_words:
            content = ("\n".join(texts) + "\n").encode()
            path = args.output / "heldout" / f"{source}-{part}.txt"
            path.write_bytes(content)
            facts[part] = {
                "documents": documents,
                "paragraphs": len(texts),
                "words": words,
                "sha256": hashlib.sha256(content).hexdigest(),
            }
            part, texts, words, documents = next(parts, None), [], 0, 0
            if part is None:
                break
    return chosen, facts


def select(args: argparse.Namespace) -> None:
    """Write the corpus."""
    for name in ("clean", "heldout"):
        (args.output / name).mkdir(parents=True, exist_ok=True)
    held_out = HeldOut()
    for name in HELDOUT_FILES:
        with lzma.open(args.data / name, "rt", encoding="utf-8") as lines:
            for line in lines:
                held_out.add(line)
    log(f"select: {len(held_out):,} held-out sentences")
    present = np.load(args.work / "present.npy")
    summary: dict = {"seed": args.seed, "sources": {}, "heldout": {}}
    aside = {}
    for source in args.sources:
        aside[source], summary["heldout"][source] = set_aside(source, args, held_out, present)
        log(f"select: {source}: {len(aside[source])} documents set aside")
    for source in args.sources:
        for part in ("dev", "test"):
            path = args.output / "heldout" / f"{source}-{part}.txt"
            for line in path.read_text("utf-8").splitlines() if path.exists() else ():
                held_out.add(line)
    log(f"select: {len(held_out):,} held-out sentences with the new ones")
    seen: set[int] = set()
    pool = multiprocessing.Pool(args.processes, start_examiner, (held_out,))
    for source in ("present", *sorted(args.sources, key=lambda name: name == "gutenberg")):
        writer = Writer(args.output / "clean" / f"{source}.txt", seen)
        present, book = source == "present", source == "gutenberg"
        parts = list(text_parts(args.work / f"{source}.{'txt' if present else 'docs'}", present))
        documents = itertools.chain.from_iterable(map(read_part, parts))
        findings = itertools.chain.from_iterable(in_order(pool, examine_part, parts))
        for number, document in enumerate(documents):
            enough = book and writer.counts["words"] >= args.book_words
            found = None if enough else next(findings)
            if number in aside.get(source, ()):
                writer.drop("set aside as held-out text, or its rest", document, 1)
            elif found is None:
                writer.drop("book not in the sample", document, 1)
            else:
                writer.write(document, found, book)
        facts = writer.close()
        if present:
            facts.pop("documents", None)  # it has no boundaries between documents
        else:
            cleaned = json.loads((args.work / f"{source}.json").read_text("utf-8"))
            facts["dropped"] = {"while cleaning": cleaned["dropped"], "while selecting": facts["dropped"]}
        summary["sources"][source] = facts
        log(f"select: {source}: {writer.counts['words']:,} words")
    pool.terminate()
    everything = summary["sources"].values()
    summary["total"] = {unit: sum(facts[unit] for facts in everything) for unit in ("words", "paragraphs", "bytes")}
    (args.output / "clean" / "summary.json").write_text(
        json.dumps(summary, indent=1, ensure_ascii=False) + "\n", "utf-8"
    )
    log(f"select: {summary['total']['words']:,} words in all")


def main() -> None:
    """Run all stages, or one."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True, help="the folder with get.py and corpus/")
    parser.add_argument("--output", type=Path, required=True, help="the folder to write clean/ and heldout/ into")
    parser.add_argument("--work", type=Path, help="the folder for intermediate files (OUTPUT/work)")
    parser.add_argument(
        "--repository",
        action="append",
        default=[],
        metavar="SOURCE=GIT_DIR",
        help="where the copy of a source's repository is; give one for each",
    )
    parser.add_argument(
        "--sources", nargs="+", choices=SOURCES, default=list(SOURCES), help="the new sources to use (all)"
    )
    parser.add_argument(
        "--stage", choices=("lexicon", "clean", "select", "all"), default="all", help="the stage to run (all)"
    )
    parser.add_argument(
        "--book-words", type=int, default=150_000_000, help="words to sample from the books (150,000,000)"
    )
    parser.add_argument(
        "--heldout-words",
        type=int,
        default=60_000,
        help="words to set aside of each new source, for dev and for test (60,000)",
    )
    parser.add_argument("--processes", type=int, default=2, help="processes that share the work (2)")
    parser.add_argument("--limit", type=int, help="read only so many documents of each source, for a trial")
    parser.add_argument(
        "--seed", type=int, default=0, help="another one samples other books and sets aside other documents (0)"
    )
    args = parser.parse_args()
    try:
        args.repository = {source: Path(path) for source, path in (item.split("=", 1) for item in args.repository)}
    except ValueError:
        parser.error("--repository takes SOURCE=GIT_DIR")
    args.work = args.work or args.output / "work"
    if args.stage in ("clean", "all") and (missing := set(args.sources) - args.repository.keys()):
        parser.error(f"--repository is missing for {', '.join(sorted(missing))}")
    args.work.mkdir(parents=True, exist_ok=True)
    if args.stage in ("lexicon", "all"):
        make_lexicon(args)
    if args.stage in ("clean", "all"):
        for source in args.sources:
            clean_source(source, args)
    if args.stage in ("select", "all"):
        select(args)


if __name__ == "__main__":
    main()
