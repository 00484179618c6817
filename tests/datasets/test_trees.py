"""Reading sentiment trees, and undoing the escapes of treebanks. Penn trees are tested with the part-of-speech tags."""

import gzip
from pathlib import Path

import pytest

from elmo.datasets.trees import (
    SentimentExample,
    has_sentiment_trees,
    join_negations,
    plain_words,
    read_sentiment,
    unescape,
)
from elmo.text.tokens import words as split_words

GOOD = "(3 (2 It) (4 (3 works) (2 .)))"


def test_sentiment_trees(tmp_path: Path) -> None:
    path = tmp_path / "some.txt.gz"
    path.write_bytes(gzip.compress(f"{GOOD}\n\n(0 awful)\n".encode()))
    assert read_sentiment(path) == [
        SentimentExample(["It", "works", "."], 3, [(2, 0, 1), (3, 1, 2), (2, 2, 3), (4, 1, 3), (3, 0, 3)]),
        SentimentExample(["awful"], 0, [(0, 0, 1)]),
    ]


def test_classes_and_words(tmp_path: Path) -> None:
    """The words of such a line are taken as they are."""
    (tmp_path / "some.txt").write_text("1\t손 ( n't ``\n3\tgood\n")
    assert read_sentiment(tmp_path / "some.txt") == [
        SentimentExample(["손", "(", "n't", "``"], 1, [(1, 0, 4)]),
        SentimentExample(["good"], 3, [(3, 0, 1)]),
    ]
    assert has_sentiment_trees(tmp_path / "some.txt")


def test_sentiment_words_are_plain(tmp_path: Path) -> None:
    (tmp_path / "some.txt").write_text(r"(1 (2 (2 ca) (2 n't)) (2 (2 -LRB-) (2 (2 3\/4) (2 (2 -RRB-) (2 ``)))))")
    (sentence,) = read_sentiment(tmp_path / "some.txt")
    assert sentence.words == ["can", "'t", "(", "3/4", ")", '"']
    assert split_words("can't") == sentence.words[:2]


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("(3 (2 It) (4 works)", "a bracket is not closed"),
        ("(3 (2 It) (", "a bracket is not closed"),
        ("(3 (2 It) (4 works)))", r"'\)' is outside all brackets"),
        ("(3 (2 It) (4 works)) indeed", "'indeed' is outside all brackets"),
        ("(3 (2 It) (4 works)) (2 too)", "expected one tree, found 2"),
        ("(3 (2 It) (5 works))", "'5' is not a class from 0 to 4"),
        ("(3 (2 It) (works))", r"the bracket '\(works\)' has no words"),
        ("(-1 (2 It) (4 works))", "'-1' is not a class from 0 to 4"),
        ("()", r"the bracket '\(\)' has no words"),
        ("(3)", r"the bracket '\(3\)' has no words"),
        ("(3 (2 It) (2 ))", r"the bracket '\(2\)' has no words"),
        ("It works", "'It' is outside all brackets"),
        ("5\tIt works", "'5' is outside all brackets"),
        ("3\t ", "'3' is outside all brackets"),
        (") It", r"'\)' is outside all brackets"),
    ],
)
def test_malformed_sentiment_trees(tmp_path: Path, line: str, reason: str) -> None:
    path = tmp_path / "broken.txt"
    path.write_text(f"{GOOD}\n\n{line}\n")
    with pytest.raises(ValueError, match=rf"broken\.txt, line 3: {reason}"):
        read_sentiment(path)


@pytest.mark.parametrize(
    ("word", "plain"),
    [("-LRB-", "("), ("-RCB-", "}"), (r"1\/2", "1/2"), (r"\*\*", "**"), ("/.", ".")],
)
def test_escapes(word: str, plain: str) -> None:
    assert unescape(word) == plain


def test_negations() -> None:
    assert join_negations("He is n't here .") == "He isn't here ."
    assert plain_words(["is", "n't", "''"]) == ["isn", "'t", '"']
    assert plain_words(["n't"]) == ["n't"]
