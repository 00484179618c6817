"""Split Korean text into sentences and morphemes.

Korean writes a noun together with its particles and a verb together with its endings. A word between two spaces (an
eojeol) is therefore rare even where its parts are frequent, so the parts are the tokens: 손을 is 손 and 을. They come
from MeCab with the dictionary mecab-ko-dic (package ``python-mecab-ko``, extra ``korean``).

For every string, as for the other tokenizers, characters are composed (NFC) and nothing else is lost or changed:
``"".join(words(t)) == "".join(compose(t).split())``. A morpheme is always a part of the text as written. Where
spelling contracts several morphemes into one syllable, they are one token: 했다 is 했 and 다, never 하, 았 and 다. So
every token has a place in the text (``elmo.text.alignment``), and no token reaches across a space.

MeCab decides where morphemes end, except in what it does not know: addresses, emoji, runs of the same mark or jamo
(``ㅋㅋㅋㅋ``, ``......``), and letters with combining marks are one token each. Digits, Latin letters and marks are
separated from each other, and so are different marks: ``1,000원`` is ``1``, ``,``, ``000`` and ``원``, and ``5%).`` is
``5``, ``%``, ``)`` and ``.``.

A string is analyzed even if it looks tokenized, unlike in ``elmo.text.tokens.words``: informal Korean often has spaces
before punctuation, so that marks that stand alone say nothing. Tokens that were split elsewhere are given as a list, or
with the tokenizer "whitespace".
"""

import functools
import importlib.util
import itertools
import re
import sys
import unicodedata
from collections.abc import Iterator
from typing import Any

from elmo.text.tokens import compose, is_abbreviation, split_at

__all__ = ["dictionary_form", "sentences", "words"]

MAX_ANALYZED = 2000
"""Maximum number of characters that are analyzed together. Longer text is cut at a space, because MeCab's time and
memory grow faster than the text."""
MAX_QUOTATION = 300
"""Maximum number of characters of a quotation; a mark that is not closed by then opens nothing."""


@functools.cache
def _analyzer() -> Any:
    """Load MeCab and its dictionary, on first use."""
    try:
        from mecab import MeCab
    except ImportError:
        raise ValueError("Korean text needs an extra package: pip install 'elmo-torch[korean]'") from None
    return MeCab()


@functools.cache
def _kept_whole() -> re.Pattern[str]:
    """Build the expression for what is one token whatever MeCab says."""
    emoji = "[\u2300-\u23ff\u2600-\u27bf\u2b00-\u2bff\U0001f004-\U0001f0ff\U0001f300-\U0001faff]"
    marks = "".join(
        re.escape(chr(point)) for point in range(sys.maxunicode + 1) if unicodedata.category(chr(point))[0] == "M"
    )
    return re.compile(
        rf"""
        (?:(?:https?|ftp)://|www\.)[!-~]*[A-Za-z0-9_/&=+$~-]
        | (?<![\w.+%-])[A-Za-z0-9][A-Za-z0-9_.+%-]{{0,63}}@[A-Za-z0-9-]{{1,63}}(?:\.[A-Za-z0-9-]{{1,63}}){{1,8}}
        | [\U0001f1e6-\U0001f1ff]{{2}}
        | {emoji}(?:[\ufe0f\u20e3\U0001f3fb-\U0001f3ff\U000e0020-\U000e007f]|\u200d{emoji})*
        | [0-9#*]\ufe0f?\u20e3
        | ([^\w\s()\[\]{{}}]|[_\u3131-\u318e])\1+
        | \S[{marks}]+
        """,
        re.VERBOSE,
    )


@functools.cache
def _between_marks() -> re.Pattern[str]:
    """Build the expression for places between two different marks. MeCab keeps some pairs together, such as ``%)``."""
    marks = "".join(
        re.escape(chr(point)) for point in range(sys.maxunicode + 1) if unicodedata.category(chr(point))[0] == "P"
    ).replace("_", "")
    return re.compile(rf"([{marks}])(?!\1)(?=[{marks}])")


# What nearly all lines are: nothing in it is kept whole. It saves the slower search.
_PLAIN = re.compile(r"[ 가-힣0-9A-Za-z]*(?:([,.()'\"!?~%-])(?!\1)[ 가-힣0-9A-Za-z]*)*")
# MeCab reads a string up to the first NUL, and the binding cannot encode half of a surrogate pair.
_UNREADABLE = re.compile("[\x00\ud800-\udfff]")


def words(text: str) -> list[str]:
    """Split one sentence of Korean text into morphemes, as they are written, and marks.

    Raises:
        ValueError: If the package python-mecab-ko is not installed.
    """
    analyzer = _analyzer()
    line = " ".join(compose(text).split())
    ends: list[int] = []
    end = 0
    for piece in _pieces(_UNREADABLE.sub("\ufffd", line)):
        for morpheme in analyzer.morphs(piece):
            end += len(morpheme) + (line[end] == " ")  # there is one space at most
            ends.append(end)
    if between := [found.end() for found in _between_marks().finditer(line)]:
        ends = sorted({*ends, *between})
    if not _PLAIN.fullmatch(line) or "www." in line:
        inside: set[int] = set()
        for whole in _kept_whole().finditer(line):
            inside.update(range(whole.start() + 1, whole.end()))
            ends += whole.span()
        ends = sorted(set(ends) - inside)
    tokens = (line[start:end].strip() for start, end in itertools.pairwise((0, *ends)))
    return [token for token in tokens if token]


def dictionary_form(token: str) -> str | None:
    """Return the dictionary form of a verb that is contracted with its ending, such as 차다 for 찼.

    Returns:
        None if the token is not such a contraction, or if the package python-mecab-ko is not installed.
    """
    if len(token) > MAX_ANALYZED or importlib.util.find_spec("mecab") is None:
        return None
    analysis = _analyzer().parse(_UNREADABLE.sub("\ufffd", token))
    expression = analysis[0].feature.expression if len(analysis) == 1 else None  # of 찼: 차/VV/*+았/EP/*
    stem, tag, *_ = (expression or "//").split("/")
    return f"{stem}다" if tag in ("VV", "VA", "VX", "VCN") else None


def _pieces(line: str) -> Iterator[str]:
    """Cut a line into pieces that are not too long, at spaces where there are any."""
    start = 0
    while len(line) - start > MAX_ANALYZED:
        cut = line.rfind(" ", start + 1, start + MAX_ANALYZED)
        end = cut if cut > 0 else start + MAX_ANALYZED
        yield line[start:end]
        start = end
    yield line[start:]


_QUOTATIONS = "|".join(
    f"{opening}[^{opening}{closing}]{{1,{MAX_QUOTATION}}}{closing}"
    for opening, closing in ("“”", "‘’", "「」", "『』", "〈〉", "《》", '""', (r"\(", r"\)"), (r"\[", r"\]"))
)
_MARKS = ".!?…。！？｡"
_BREAK = re.compile(
    rf"(?P<quotation>{_QUOTATIONS}|(?<!\w)'[^']{{1,{MAX_QUOTATION}}}'(?![A-Za-z]))|[{_MARKS}]+[\"'”’」』)\]]*"
)
_INNER_MARKS = re.compile(rf"[{_MARKS}]+(?=[\"”’」』)\]']\Z)")
_FINAL_MARKS = re.compile(rf"[{_MARKS}]+")
_NEXT = re.compile(r"\s+[^\w\s]{0,5}\w")
# After a quotation: that which quotes it (라고 말했다, 하며 웃었다), or a particle.
_QUOTES = re.compile(r"\s+(?:(?:이?라|하)(?:고|며|면서|는|던|자)|고|며|는|라|이?란|했|하였)(?!\w*[,.])")
_ENDINGS = frozenset("다요까죠")
_LAST_WORD = re.compile(r"[A-Za-z.]*\Z")


def sentences(text: str) -> list[str]:
    """Split a paragraph of Korean text into sentences, without surrounding whitespace.

    A sentence ends at the end of a line, or at final punctuation (with closing quotes and brackets) before whitespace
    and more text. These do not end it: a period after a digit (2010. 5. 22.), a Latin initial or abbreviation, or the
    syllable of an enumeration (가.); dots that trail off, unless after an ending such as 다 or 요; whatever is inside a
    quotation, a title or parentheses; and a quotation that a verb or a particle continues ("가니?" 하고 물었다). If the
    space is missing, a sentence ends after 다, 요, 까 or 죠 with final punctuation before Hangul (했다.그러나).
    """
    return split_at(text, _BREAK, _ends)


def _ends(line: str, start: int, found: re.Match[str]) -> bool:
    """Whether what was found ends the sentence that began at ``start``: final punctuation, or a quotation with it."""
    is_quotation = found["quotation"] is not None
    closed = found.group()
    if is_quotation and closed[-1] in "〉》":
        return False  # a title
    matched = _INNER_MARKS.search(closed) if is_quotation else _FINAL_MARKS.match(closed)
    if matched is None:
        return False
    marks, at, after = matched.group(), found.start() + matched.start(), found.end()
    preceding = line[max(start, at - 24) : at].rstrip()  # informal text has a space before the mark, too
    before = preceding[-1:] or " "
    if not line[after].isspace():
        no_space_needed = marks[-1] in "。！？｡"
        return (
            not is_quotation
            and matched.end() == len(closed)
            and _is_hangul(line[after])
            and (no_space_needed or before in _ENDINGS)
        )
    if not (before.isalnum() or before in "\"'”’」』)]〉》%℃") or _NEXT.match(line, after) is None:
        return False
    if matched.end() < len(closed) and _QUOTES.match(line, after):
        return False
    if marks.strip(".…"):
        return True  # a question or an exclamation
    if marks not in (".", "。", "｡"):
        return before in _ENDINGS
    if before.isdigit() or (at - start <= 24 and preceding.lstrip() == before):
        return False  # a number, or the syllable or letter of an enumeration
    word = _LAST_WORD.findall(preceding)[0]
    return not word or not (is_abbreviation(word) or word[-2:-1] == ".")


def _is_hangul(character: str) -> bool:
    return "가" <= character <= "힣"
