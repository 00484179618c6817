"""Split raw text into sentences and words.

The language model reads one token per step. Its training text (the 1 Billion Word Benchmark, or text tokenized like it)
is split in a particular way: ``wasn 't`` rather than ``was n't``, hyphenated words kept whole. Text that is split
differently gets worse vectors, so raw text should be tokenized here.

Three properties hold for every string, and callers rely on them:

* characters are composed (Unicode NFC), so that an ``é`` gives the same token whether it was one character or a letter
  and an accent. This holds for every tokenizer, "whitespace" included; a list of words is taken as it is;
* nothing else is lost or changed: ``"".join(words(t)) == "".join(compose(t).split())``, and likewise for
  :func:`sentences`, so that a token can always be found in the text (``elmo.text.alignment``);
* tokenized text is left unchanged: ``words(" ".join(words(t))) == words(t)``.

The last one holds by construction. Each whitespace-separated chunk is split by one regular expression, and every piece
is split again on its own until it no longer changes, so that each piece is a fixed point. The only decisions that look
outside the chunk (a name after ``O``, an abbreviation at the end, ``No.`` before a number) look at characters that the
output keeps in place.
"""

import functools
import re
import unicodedata
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import get_args

from elmo.config import Tokenize, TokenizerName
from elmo.validation import checked_choice, checked_text

__all__ = [
    "compose",
    "is_abbreviation",
    "retokenize",
    "sentences",
    "split_at",
    "split_whitespace",
    "tokenizer",
    "tokenizer_for",
    "words",
]


def compose(text: str) -> str:
    """Compose the characters of a text (Unicode NFC); composed text, which nearly all text is, stays as it is."""
    return unicodedata.normalize("NFC", checked_text("text", text))


def split_whitespace(text: str) -> list[str]:
    """Split tokenized text into its words."""
    return compose(text).split()


def _listed(listed: str) -> frozenset[str]:
    """Make a set of the words in a string."""
    return frozenset(listed.split())


# Abbreviations that keep their period, except at the end of the text.
_TITLES = _listed("""
    Mr Mrs Ms Mx Dr Drs Prof Rev Hon Gen Brig Maj Col Lt Capt Cpl Sgt Pvt Cmdr Adm Sen Sens Rep Reps Gov
    Pres Supt Insp Det Messrs Mme Mlle Msgr mr mrs ms dr prof vs v cf viz approx ca esp eg ie ext Attn Fig
    Figs Mt Ft Vs VS e.g i.e E.g I.e P.S p.s
""")
_ABBREVIATIONS = _TITLES | _listed("""
    Jr Sr St Ste jr sr Inc Corp Co Ltd Bros Assn Dept Univ Intl Ave Blvd Rd etc al Etc est Jan Feb Mar Apr
    Jun Jul Aug Sep Sept Oct Nov Dec Mon Tue Tues Wed Thu Thur Thurs Fri Vol Vols vol vols pp ed eds fig
    figs Eq eq lb lbs oz ft Ph B.Sc M.Sc D.Phil M.Phil B.Ed M.Ed Ala Ariz Ark Calif Colo Conn Fla Kan Ky
    Mich Minn Mont Neb Nev Okla Pa Tenn Tex Va Vt Wis Wyo
""")
# Ordinary words, or letters, that are abbreviations only before a number.
_BEFORE_NUMBER = _listed("No Nos no nos Nr nr Para para Art art Sec sec Ch ch p c b d r fl n Op op Pt pt")
_DOTTED_BEFORE_NUMBER = frozenset(word + "." for word in _BEFORE_NUMBER)
# Letters before an apostrophe in names and elisions (O'Brien, d'Avignon, l'homme, o'clock, y'all).
# Not "a" or "I": those are words, and a quotation may begin after them (a 'good' idea).
_ELIDED = frozenset("cdjlmnostyCDJLMNOSTY")
_APOSTROPHES = frozenset("'’")
_CLOSERS = "\"'”’»›)]}〉》」』】）"
_CLOSING = frozenset([*_CLOSERS, "''"])
# Words that begin a sentence far more often than they continue "the U.S. ..." or "Acme Inc. ...".
_STARTERS = _listed("""
    The This That These Those There Then They He She It We You I His Her Its Their Our My In On At As By For
    From After Before During Since While When Where What Who Why How If And But Or So Yet However Although
    Though Because Also Another Both Each Some Many Most All No Not Once Until With Under According A An Is
    Are Was Were Do Does Did Can Could Will Would Please Thanks Today
""")
_LONGEST_CACHED = 64  # characters: longer chunks are rare, do not recur, and would fill the cache


def _ranges(codepoints: list[int]) -> str:
    """Write sorted code points as the content of a character class."""
    parts: list[str] = []
    start = previous = codepoints[0]
    for point in [*codepoints[1:], -1]:
        if point != previous + 1:
            parts.append(f"\\U{start:08x}-\\U{previous:08x}")
            start = point
        previous = point
    return "".join(parts)


@functools.cache
def _pattern() -> re.Pattern[str]:
    """Build the token expression, on first use: it walks through the Unicode tables, which takes about 50 ms."""
    han = "\u3005\u3007\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
    hiragana, katakana = "\u3041-\u309f", "\u30a0-\u30fa\u30fc-\u30ff\u31f0-\u31ff\uff66-\uff9f"
    emoji = "[\u2300-\u23ff\u2600-\u27bf\u2b00-\u2bff\U0001f004-\U0001f0ff\U0001f300-\U0001faff]"
    marks, letters = [], []  # `re` has no class for marks, and would split Devanagari at every vowel sign
    spaceless = re.compile(f"[{han}{hiragana}{katakana}]")
    for point in (*range(0x20000), *range(0xE0100, 0xE01F0)):
        char = chr(point)
        category = unicodedata.category(char)
        if category[0] == "M":
            marks.append(point)
        # Joiners, soft hyphens and direction marks (Cf) are part of a word; a zero-width space ends it.
        in_word = category[0] in "LNM" or char == "_" or (category == "Cf" and char != "\u200b")
        if in_word and not spaceless.match(char):
            letters.append(point)
    w, m = _ranges(letters), _ranges(marks)
    latin = "A-Za-zÀ-ÖØ-öø-ɏḀ-ỿ"
    cased, hyphen = latin + "Ͱ-ԯ", "[-\u2010\u2011]"
    # Korean has no apostrophe: between syllables it closes a quotation ('하녀'와).
    hangul = "[\u1100-\u11ff\u3130-\u318f\uac00-\ud7a3]"
    clitic = rf"(?:(?i:[stmd]|ll|re|ve)(?!\w|{hyphen}\w))"
    elided = r"(?<![\w'’])[" + "".join(sorted(_ELIDED)) + "]"
    join = rf"""(?:
        {hyphen} | (?<=\d)[.,:/٫٬](?=\d) | (?<=\d)\.(?=[a-z])
        | (?<=[{cased}])\.(?=[{cased}])(?![A-ZÀ-Þ][a-zß-ÿ])       # e.g, U.S, amazon.com, but not end.The
        | (?<=\.[{cased}])\.{hyphen}                              # U.S.-led
        | (?<!{hangul})['’](?!{clitic}|{hangul}|\d)               # Xi'an, п'ять
        | (?<=[A-Za-z])&(?=[A-Za-z]) | (?<=[א-ת])"(?=[א-ת]) | [·‧״׳་])"""
    word = rf"[{w}]+(?:{join}[{w}]+)*(?:(?<=\.[{cased}])\.(?!\.)|{hyphen}\Z)?"  # with the last period of U.S.; non-
    token = rf"""
        (?:(?:https?|ftp)://|www\.)[!-~]*[A-Za-z0-9_/&=+$~-]…?
        | (?<![\w.+%-])[A-Za-z0-9][\w.+%-]{{0,63}}@[A-Za-z0-9-]{{1,63}}(?:\.[A-Za-z0-9-]{{1,63}}){{1,8}}
        | (?<!\w)[@\#][A-Za-z_]\w*
        | -[LR][RCS]B-
        | [{han}][{m}]* | [{hiragana}][{hiragana}ー{m}]* | [{katakana}][{katakana}{m}]*
        | [\U0001f1e6-\U0001f1ff]{{2}}
        | {emoji}(?:[\ufe0f\u20e3\U0001f3fb-\U0001f3ff\U000e0020-\U000e007f]|\u200d{emoji})*
        | (?<![\w:;=])[:;=]['^]?-?[)(\]\[DPpOo3|/*]+(?!\w)     # emoticons
        | ([^{w}()\[\]{{}}])\1+
        | (?<!\w)[nN]['’][tT](?!\w) | ['’]{clitic}
        | (?<!\w)['’](?:(?i:em|tis|twas|til|cause|n)|\d\ds?)(?!\w)
        | (?<!\w)[A-Za-z](?:\+\+|\#(?!\w))
        | {elided}(?=['’][{latin}])(?!['’]{clitic})
        | (?:(?<![^(\[])[-−]?\.?(?=\d) | (?<={elided})['’](?=[{latin}]))?{word}    # -5, .5, 'Brien
        | [\s\S]
        """
    return re.compile(token, re.VERBOSE)


def _split(chunk: str) -> tuple[str, ...]:
    """Split a chunk without whitespace into pieces that do not split any further."""
    if len(chunk) == 1 or (chunk.isascii() and chunk.isalpha()):
        return (chunk,)
    pieces: list[str] = []
    for match in _pattern().finditer(chunk):
        piece = match.group()
        if piece == "." and pieces and is_abbreviation(pieces[-1]):
            pieces[-1] += "."
        else:
            pieces.append(piece)
    if len(pieces) == 1:
        return (chunk,)
    out: list[str] = []
    for before, piece in zip(["", *pieces], pieces, strict=False):
        # 'Brien is a token only after O, so the two are tried together.
        pair = before + piece if before in _ELIDED and piece[0] in _APOSTROPHES else ""
        whole = pair and (pair == chunk or _split_cached(pair) == (before, piece))
        out += (piece,) if whole else _split_cached(piece)
    return tuple(out)


_remember = functools.lru_cache(maxsize=1 << 16)(_split)


def _split_cached(chunk: str) -> tuple[str, ...]:
    """Split a chunk, and cache the result unless the chunk is long."""
    return _remember(chunk) if len(chunk) <= _LONGEST_CACHED else _split(chunk)


def is_abbreviation(word: str) -> bool:
    """Whether a period right after the word may be part of it."""
    return (len(word) == 1 and word.isupper()) or word in _ABBREVIATIONS or word in _BEFORE_NUMBER


@dataclass(frozen=True)
class Tokenizer:
    """Splits text into sentences, and sentences into words."""

    sentences: Callable[[str], list[str]]
    """The sentences of a text, without surrounding whitespace."""
    words: Callable[[str], list[str]]
    """The words of a sentence."""


def tokenizer(name: TokenizerName) -> Tokenizer:
    """Return a tokenizer by its name.

    Args:
        name: "words" for raw text; "whitespace" for text with one sentence per line and spaces between its words;
            "korean" for raw Korean text, which is split into morphemes (``elmo.text.korean``).

    Raises:
        ValueError: If there is no such tokenizer.
    """
    checked_choice("tokenize", name, get_args(TokenizerName))
    if name == "whitespace":
        return Tokenizer(_lines, split_whitespace)
    if name == "korean":
        from elmo.text import korean  # here, because it is built on this module

        return Tokenizer(korean.sentences, korean.words)
    return Tokenizer(sentences, words)


def tokenizer_for(tokenize: Tokenize, model: TokenizerName) -> Tokenizer:
    """Return the tokenizer for a model's text: its own, unless another one is asked for."""
    checked_choice("tokenize", tokenize, get_args(Tokenize))
    return tokenizer(model if tokenize == "model" else tokenize)


def _lines(text: str) -> list[str]:
    return [line for line in map(str.strip, text.split("\n")) if line]


_ALONE = _listed(""". , ? ! `` '' 's n't ’s n’t -LRB- -RRB-""")
_ATTACHED = re.compile(r"[^\W_][,;!?]\Z|[^\W_][^\W_]\.\Z")


def _is_split(chunks: list[str]) -> bool:
    """Whether a text, cut at whitespace, has been tokenized before: more marks stand alone than are attached."""
    alone = 0 if _ALONE.isdisjoint(chunks) else sum(chunk in _ALONE for chunk in chunks)
    if not alone:
        return False
    attached = [chunk for chunk in chunks if _ATTACHED.search(chunk)]
    return alone > sum(chunk[-1] != "." or not is_abbreviation(chunk[:-1]) for chunk in attached)


def words(text: str) -> list[str]:
    """Split one sentence of raw text into words and punctuation marks.

    Clitics keep their apostrophe (``'`` or ``’``): ``wasn 't``, ``Murray 's``, and likewise 'm, 'd, 'll, 're and 've.
    So does what follows a single letter, as in ``O 'Brien``, ``l 'homme`` and ``o 'clock``. Other apostrophes between
    letters stay inside the word (``Xi'an``, ``п'ять``), except next to Hangul, where it is a quotation mark.

    Hyphenated words, numbers, addresses, handles and emoji sequences are one token each. Other marks are separate
    tokens, and a run of the same mark is one token. Every Han character is a token; runs of hiragana and katakana are
    tokens. Abbreviations keep their period except at the end of the text; acronyms keep it even there.

    Text that has been tokenized before, by whatever conventions, is only split at whitespace. It is recognized by marks
    that stand alone and hardly ever do so in raw text, such as a comma between spaces.
    """
    chunks = compose(text).split()
    return chunks if _is_split(chunks) else _split_chunks(chunks)


def retokenize(text: str) -> list[str]:
    """Split one sentence as ``words`` does, even if it has been tokenized before, by other conventions."""
    return _split_chunks(compose(text).split())


def _split_chunks(chunks: list[str]) -> list[str]:
    """Split the chunks of a sentence; some decisions depend on the neighboring chunks."""
    out: list[str] = []
    for chunk in chunks:
        pieces = _remember(chunk) if len(chunk) <= _LONGEST_CACHED else _split(chunk)
        if len(pieces) > 1 and chunk[0] in _APOSTROPHES and out and out[-1] in _ELIDED:
            together = _split_cached(out[-1] + chunk)
            if together[0] == out[-1]:
                pieces = together[1:]
        out += pieces
    if not _DOTTED_BEFORE_NUMBER.isdisjoint(out):
        pairs = zip(out, [*out[1:], " "], strict=True)
        out = []
        for token, following in pairs:
            full_stop = token in _DOTTED_BEFORE_NUMBER and not following[0].isdigit()
            out += (token[:-1], ".") if full_stop else (token,)
    last = len(out) - 1
    while last >= 0 and out[last] in _CLOSING:
        last -= 1
    if last >= 0 and out[last].find(".") == len(out[last]) - 1 and is_abbreviation(out[last][:-1]):
        out[last : last + 1] = [out[last][:-1], "."]
    return out


_CANDIDATE = re.compile(
    rf"(?<![.!?…؟।॥۔])([.!?…؟।॥۔]+)[{re.escape(_CLOSERS)}]*\s+|[。！？｡]+[{re.escape(_CLOSERS)}]*\s*"
)
_FIRST_WORD = re.compile(r"[^\W\d_]+")
_ENUMERATOR = re.compile(r"[(\[]?(?:\d{1,3}|[A-Za-z]|[ivxIVX]{1,5})")
_LAST_WORD = re.compile(r"[\w.]*\Z")
_STARTING = "\"'“‘„«‹([{〈《「『【（¿¡$£€¥"


def sentences(text: str) -> list[str]:
    """Split a paragraph of raw text into sentences, without surrounding whitespace.

    A sentence ends at the end of a line, or at final punctuation (with closing quotes and brackets) before whitespace
    and something that can begin a sentence; ideographic marks need no whitespace. A period after a title, an
    abbreviation, an initial or a list number does not end it. But after abbreviations that are often the last word of a
    sentence (``U.S.``, ``Inc.``, a single letter), a word such as ``The`` or ``He`` begins a new one.
    """
    return split_at(text, _CANDIDATE, _ends)


def split_at(text: str, candidates: re.Pattern[str], ends: Callable[[str, int, re.Match[str]], bool]) -> list[str]:
    """Split a paragraph at the ends of its lines, and after those candidates that end a sentence.

    Args:
        text: The paragraph.
        candidates: Matches what may end a sentence.
        ends: Tells whether a match inside a line ends the sentence; it gets the line and where the sentence begins.
    """
    out: list[str] = []
    for line in compose(text).splitlines():
        start = 0
        for match in candidates.finditer(line):
            if match.end() < len(line) and ends(line, start, match):
                out.append(line[start : match.end()].strip())
                start = match.end()
        out.append(line[start:].strip())
    return [sentence for sentence in out if sentence]


def _ends(line: str, start: int, match: re.Match[str]) -> bool:
    """Whether the final punctuation that was found ends the sentence that began at `start`."""
    following = line[match.end()]
    marks: str | None = match.group(1)
    if marks is None:
        # A quotation inside a sentence: 「はい。」と言った
        return not (match.group().rstrip()[-1] in _CLOSERS and "ぁ" <= following <= "ゟ")
    if following.islower() or not (following.isalnum() or following in _STARTING):
        return False
    if not any(map(str.isalnum, line[match.end() : match.end() + 3])) and len(line) - match.end() <= 3:
        return False  # a closing quotation mark after a space
    if marks != ".":
        return True
    begin = max(start, match.start() - 24)
    before = line[begin : match.start()].split()
    if not before:
        return True
    word = _LAST_WORD.findall(before[-1])[0]
    if word in _TITLES or (len(before) == 1 and begin == start and _ENUMERATOR.fullmatch(before[0])):
        return False
    if word in _BEFORE_NUMBER:
        return not following.isdigit()
    if word in _ABBREVIATIONS or (len(word) == 1 and word.isupper()) or word[-2:-1] == ".":
        first = _FIRST_WORD.match(line, match.end())
        return first is not None and first.group() in _STARTERS
    return True


_FINAL_MARKS = ".!?…؟।॥۔。！？｡"
_UNDIRECTED = frozenset("\"'")


def split_sentences(words: Sequence[str]) -> list[tuple[str, ...]]:
    """Split the words of a paragraph into sentences, by the rules of ``sentences`` as far as they apply to words.

    Args:
        words: The words of a text, as ``words`` or another tokenizer returned them.

    Returns:
        The same words in the same order, as at least one sentence.
    """
    out: list[tuple[str, ...]] = []
    start = end = 0
    quotes: set[str] = set()  # those that look the same on both sides and are open
    while end < len(words):
        word = words[end]
        end += 1
        if word in _UNDIRECTED:
            quotes ^= {word}
        if not word or word[-1] not in _FINAL_MARKS:
            continue
        is_mark = not word.strip(_FINAL_MARKS)
        enumerates = word == "." and end - start == 2 and _ENUMERATOR.fullmatch(words[start]) is not None
        while is_mark and end < len(words) and words[end] in _CLOSING - _UNDIRECTED | quotes:
            quotes.discard(words[end])
            end += 1
        if end < len(words) and not enumerates and _begins(words[end], None if is_mark else word):
            out.append(tuple(words[start:end]))
            start = end
    return [*out, tuple(words[start:])]


def _begins(word: str, abbreviation: str | None) -> bool:
    """Whether a word begins a sentence, given the word with a period of its own, if any, that comes before."""
    if abbreviation is not None:
        return abbreviation[:-1] not in _TITLES and word in _STARTERS
    first = word[:1]
    return word == "``" or (first.isalnum() and not first.islower()) or (bool(first) and first in _STARTING)
