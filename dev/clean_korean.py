"""Clean Korean Wikipedia as WikiExtractor leaves it: ``clean_korean.py < kowiki.txt > clean.txt``.

One paragraph per line. Templates are lost in extraction and leave holes: 존 로지 베어드(, 1888년 8월 13일 ~ ). Lines
that are not Korean prose (code, formulas, tables, titles in other languages) are dropped; the rest of the text is kept.
"""

import re
import sys

MIN_HANGUL = 0.3
"""Minimum fraction of Hangul among the letters and digits of a line. Below it are code, formulas and foreign titles."""

_NOT_PROSE = re.compile(
    r"^\s*[|!{}]|\|\||colspan|rowspan|\[\[(?:분류|파일|그림|File|Image|Category):|[;{]\s*$|\bformula_\d"
)
_LINK = re.compile(r"\[\[(?:[^\[\]|]*\|)?([^\[\]|]*)\]\]")
_NOTE = re.compile(r"<ref\b[^<>]*/>|<ref\b[^<>]*>.*?</ref>", re.IGNORECASE)
_TAG = re.compile(
    r"</?(?:br|ref|p|del|small|sub|sup|nowiki|section|score|chem|math|poem|div|span|i|b|u|s|center|references)"
    r"(?=[\s/>])[^<>]{0,200}>",
    re.IGNORECASE,
)
# What a lost template leaves in parentheses: separators at either end, labels without a value, nothing at all.
_OPENING = re.compile(r"([(（])\s*(?:[,;:·，：]\s*)+")
_CLOSING = re.compile(r"\s*(?:[,;·，]\s*)+(?=[)）])")
_EMPTY = re.compile(r"\s*[(（](?:[^()（）]{0,8}[:：])?\s*[)）]")
_REPEATED_COMMA = re.compile(r",(?:\s*,)+")
_SPACES = re.compile(r"\s+")


def cleaned(line: str) -> str:
    """Return the line without what extraction left behind, or an empty string if the line is not Korean prose."""
    if _NOT_PROSE.search(line):
        return ""
    if "[" in line:
        line = _LINK.sub(r"\1", line)
    if "<" in line:
        line = _TAG.sub(" ", _NOTE.sub("", line))
    if "(" in line or "（" in line:
        line = _EMPTY.sub("", _CLOSING.sub("", _OPENING.sub(r"\1", line)))
    line = _SPACES.sub(" ", _REPEATED_COMMA.sub(",", line)).strip()
    letters = sum(map(str.isalnum, line))
    hangul = sum("가" <= char <= "힣" for char in line)
    return line if hangul > MIN_HANGUL * letters else ""


def main() -> None:
    """Clean standard input."""
    counts = {"lines": 0, "kept": 0, "changed": 0}
    for line in sys.stdin:
        line = line.strip()
        result = cleaned(line)
        counts["lines"] += 1
        counts["kept"] += bool(result)
        counts["changed"] += result not in ("", line)
        if result:
            sys.stdout.write(result + "\n")
    sys.stderr.write(", ".join(f"{count:,} {name}" for name, count in counts.items()) + "\n")


if __name__ == "__main__":
    main()
