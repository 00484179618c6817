"""Building a corpus: the fast ways to look at text agree with plain regular expressions, and parts with the whole."""

import random
import re
import sys
from pathlib import Path

import pytest

sys.path.append(str(Path(__file__).parents[1] / "dev"))
import build_corpus
import corpus_prose
import corpus_readers

PIECES = [
    *"a an the of with by for and is are was where denotes Word x Smith don't it’s naïve Ünder 1999 2".split(),  # noqa: SIM905
    *"ACGTACGTACGT acgtacgtacgtacgt ABCDEFGHIJKLMNOPQRSTUV 5′- ( ) [ ] , . ; : ? ! ” = < ≈ ~ • * - ' _ ^".split(),  # noqa: SIM905
    *(" ", " ", " ", " ", "  ", "\t", "\xa0", "\u00ad", "\u200b", "²", "½", "µ", "×", "\u212a", "İ", '"'),
    *("';s ", "?s ", "&#39;s ", "`t ", "´re ", "PM: ", "PRIME MINISTER: "),
    *("doi: https://", "Competing interests exist", "accession number", "The following dataset"),
]
"""What matters to one of the patterns."""
CHARACTERS = [chr(code) for code in range(0x3000) if code != 0x0A]


def random_texts(number: int = 4000) -> list[str]:
    """Texts that are put together of pieces, the same ones every time."""
    rng = random.Random(0)
    return ["".join(rng.choices(PIECES, k=rng.randint(1, 25))) for _ in range(number)]


def test_words_and_character_counts() -> None:
    for text in random_texts() + [f"aB{character}c 1{character} {character}" for character in CHARACTERS]:
        without = corpus_prose.without_apostrophes(text)
        assert corpus_prose.plain_words(text) == re.findall(r"[^\W_]+", without.lower())
        lower = corpus_prose.without_apostrophes(text.lower())
        assert corpus_prose.letter_words(text) == re.findall("[a-z]+", lower)
        others = re.findall(r"[^\sA-Za-zÀ-ɏ]", text)
        expected = len(others), sum(map(str.isdigit, others)), len(re.findall(r"[A-ZÀ-Þ]", text))
        assert corpus_prose.character_counts(text) == expected


def test_missing_formulas() -> None:
    plain = re.compile(
        r"\(\s*\)|\[\s*\]|\S  +\S|\s[,;.](?:\s|$)|,,|[=<>≤≥≈∼~]\s*[,.;)]|\(\s*[,;=]|[,(]\s*\)|[a-z][:,]where\b"
        r"|\bwhere (?:is|are|and|denotes?|represents?)\b|\b(?:of|with|by|for|the|an?) (?:and|is|are|was|were)\b"
        r"|\b(?:of|with|by|the|an?)[,.;]"
    )
    for text in random_texts():
        assert corpus_readers._has_gap(text) == bool(plain.search(text)), text


def test_quick_tests_let_every_match_pass() -> None:
    for text in random_texts():
        assert corpus_readers._may_have_sequence(text) or not corpus_readers._SEQUENCE.search(text), text
        signs = any(sign in text.lower() for sign in corpus_readers._ELIFE_BOILERPLATE_SIGNS)
        assert signs or not corpus_readers._ELIFE_BOILERPLATE.search(text), text


@pytest.mark.parametrize(
    ("pattern", "plain"),
    [
        ("_SENTENCE_END", r"(?:(?<=[.!?])|(?<=[.!?][\"'”’)\]]))\s+(?=[\"'“‘(\[]*[A-Z0-9])"),
        ("_ROUND", r" ?[(\[]([^()\[\]]*)[)\]]"),
        ("_TRANSLITERATION", r"\w[@~^]\w"),
        ("_LOST_APOSTROPHE", r"(?<=[A-Za-z])(?:';|\?|&#0?39;|´|`)(?=(?:s|t|re|ve|ll|d|m)\b)"),
        (
            "_LABEL_INSIDE",
            r"(?<=[.?!]) (?:[A-Z]{4,}(?: [A-Z]{4,})?|PM|PRIME MINISTER|J)\s?[:.;](?= |$)",
        ),
        ("_DIGIT_INSIDE", r"[a-z]\d[a-z]"),
    ],
)
def test_patterns_that_look_back(pattern: str, plain: str) -> None:
    texts = random_texts()
    whole = pattern not in ("_TRANSLITERATION", "_DIGIT_INSIDE")  # of these it matters only whether there is a match
    for text in texts:
        module = corpus_prose if pattern == "_SENTENCE_END" else corpus_readers
        fast, slow = getattr(module, pattern).finditer(text), re.finditer(plain, text)
        if whole:
            assert [found.span() for found in fast] == [found.span() for found in slow], text
        else:
            assert any(fast) == any(slow), text
    assert any(re.search(plain, text) for text in texts)


def test_strays() -> None:
    plain = re.compile(r"[~|•■►▪·^\\{}<>*_¬§¶°]|(?<= )['.,;:] |^[-.,;:' ]+")
    for text in random_texts():
        assert corpus_readers.without_strays(text) == corpus_prose.tidy(plain.sub(" ", text)), text


@pytest.mark.parametrize("present", [False, True])
def test_parts_of_a_file_are_the_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, present: bool) -> None:
    documents = [[f"{number} {'word ' * (number % 7)}end" for number in range(size)] for size in (1, 5, 2, 40, 3)]
    path = tmp_path / "text"
    path.write_text("".join("\n".join(document) + "\n\n" for document in documents), "utf-8")
    for size in (1, 10, 100, 10_000):
        monkeypatch.setattr(build_corpus, "PART_BYTES", size)
        parts = [build_corpus.read_part(part) for part in build_corpus.text_parts(path, present)]
        read = [document for part in parts for document in part]
        if present:
            assert [text for document in read for text in document] == [text for one in documents for text in one]
        else:
            assert read == documents
