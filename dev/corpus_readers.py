"""A reader for every source of the corpus: it makes a raw document of its source a list of tidy paragraphs.

build_corpus.py runs the readers, and tells about the sources.
"""

import html
import re
import string
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

from corpus_prose import (
    Document,
    Judge,
    character_counts,
    ends_sentence,
    join_lines,
    mend_hyphens,
    sentences,
    tidy,
    without_apostrophes,
    without_invisible,
)

BOOK_LOSS_LIMIT = 0.4
"""A book that loses a larger share of its words (verse, tables, other languages) is dropped whole."""
LONG_S_LIMIT = 1 / 100
"""The largest share of paragraphs of a book with a word that looks like a scanning error of the long s."""
_LONG_S = frozenset(
    """fuch thofe thefe moft muft firft fome fhall fhould alfo himfelf themfelves itfelf faid againft becaufe ufe
    houfe laft juft feveral fince fent fays whofe greateft pleafure perfon perfons caufe reafon prefent poffible
    paffed neceffary bufinefs goodnefs happinefs likewife otherwife occafion courfe""".split()  # noqa: SIM905
)

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
        for sentence in sentences(paragraph.strip()):
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
                for sentence in sentences(text):
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


# The present corpus


def light_problem(text: str) -> str | None:
    """Tell what is wrong with a paragraph of the present corpus, which was cleaned by others before."""
    if len(_LONG_S.intersection(text.split())) >= 2:
        return "long s"
    if "Gutenberg" in text and _LICENSE.search(text[:300]):
        return "license and production notes"
    if character_counts(text)[0] > 0.3 * (len(text) - text.count(" ")):
        return "mostly not letters"
    return None
