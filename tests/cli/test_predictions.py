"""How results look in the terminal."""

from typing import Any

import pytest

from elmo.cli.predictions import render_result
from elmo.tasks.results import (
    Answer,
    AnswerResult,
    Argument,
    CorefResult,
    EntailmentResult,
    Entity,
    EntityResult,
    FoundSpan,
    Frame,
    RoleResult,
    SentenceSentiment,
    SentimentResult,
)
from elmo.text.documents import Document

CLASSES = ("very negative", "negative", "neutral", "positive", "very positive")


def test_entities() -> None:
    document = Document.joined([["Ada", "lived", "in", "London", "."]])
    entities = (
        Entity.of(document, 0, 1, label="person", probability=1.0),
        Entity.of(document, 3, 4, label="place", probability=0.5),
    )
    shown = render_result(EntityResult(document.text, document.sentences, entities))
    assert shown.plain == "[Ada person] lived in [London place] ."
    assert [(shown.plain[span.start : span.end], str(span.style)) for span in shown.spans] == [
        ("[Ada person]", "bold green"),
        ("[London place]", "bold blue"),
    ]


def test_roles() -> None:
    document = Document.joined([["Well", ",", "the", "cat", "sat", "on", "the", "mat", "."], ["So", "."]])
    arguments = (Argument.of(document, 2, 4, label="ARG0"), Argument.of(document, 5, 8, label="ARGM-LOC"))
    frame = Frame(FoundSpan.of(document, 4, 5), arguments, FoundSpan.of(document, 0, 9))
    shown = render_result(RoleResult(document.text, document.sentences, (frame, frame)))
    line = "sat: Well , [ARG0 the cat] [V sat] [ARGM-LOC on the mat] ."
    assert shown.plain == f"{line}\n{line}"
    assert {str(span.style) for span in shown.spans} == {"bold", "blue", "cyan"}
    assert "no predicate was found; mark one like this" in render_result(RoleResult("So .", (("So", "."),), ())).plain


def clusters(sentences: list[list[str]], *found: list[tuple[int, int]]) -> CorefResult:
    document = Document.joined(sentences)
    spans = tuple(tuple(FoundSpan.of(document, *mention) for mention in cluster) for cluster in found)
    return CorefResult(document.text, document.sentences, spans)


def test_clusters() -> None:
    sentences = [["Ann", "met", "the", "girl", "with", "her", "dog"], ["She"]]
    shown = render_result(clusters(sentences, [(0, 1), (7, 8)], [(2, 7), (5, 6)], [(5, 7)]))
    assert shown.plain.splitlines() == [
        "[Ann]1 met [the girl with [[her]2 dog]]2",
        "[She]1",
        "",
        "1: Ann, She",
        "2: the girl with her dog, her",
    ]
    assert {"bold green", "bold blue", "dim"} <= {str(span.style) for span in shown.spans}
    again = render_result(clusters([["he", "and", "he"]], [(0, 1), (2, 3)]))
    assert again.plain.endswith("1: he (2 times)")
    assert render_result(clusters([["so"]])).plain == "so"


def test_entailment() -> None:
    probabilities = {"entailment": 0.02, "neutral": 0.07, "contradiction": 0.91}
    shown = render_result(EntailmentResult("A man .", "Nobody .", "contradiction", probabilities))
    assert shown.plain.splitlines() == [
        "contradiction 91%   neutral 7%   entailment 2%",
        "  premise:    A man .",
        "  hypothesis: Nobody .",
    ]
    assert any("red" in str(span.style) for span in shown.spans)


def sentiment(label: str, values: list[float], *sentences: Any) -> SentimentResult:
    return SentimentResult("Not bad .", label, dict(zip(CLASSES, values, strict=True)), sentences)


def test_sentiment() -> None:
    shown = render_result(sentiment("positive", [0.01, 0.02, 0.30, 0.57, 0.10]))
    assert shown.plain == "positive       57% [▁▁▃▅▁] Not bad ."
    assert any("green" in str(span.style) for span in shown.spans)
    certain = [1.0, 0.0, 0.0, 0.0, 0.0]
    found = SentenceSentiment("So .", 0, 4, (0, 2), "very negative", dict(zip(CLASSES, certain, strict=True)))
    lines = render_result(sentiment("very negative", certain, found, found)).plain.splitlines()
    assert lines[0].startswith("very negative 100% [█▁▁▁▁]")
    assert lines[1:] == ["  very negative 100% [█▁▁▁▁] So ."] * 2


def test_answer() -> None:
    best = (Answer("Ann", 0, 3, (0, 1), 0.75), Answer("Bob", 14, 17, (4, 5), 0.2))
    shown = render_result(AnswerResult("Who came ?", "Ann came, and Bob left.", "Ann", 0, 3, 0.75, best))
    assert shown.plain.splitlines() == ["Who came ?", "[Ann] came, and Bob left.", "   75% Ann", "   20% Bob"]
    assert [(span.start, span.end) for span in shown.spans if "green" in str(span.style)] == [(11, 16)]


def test_anything_else() -> None:
    with pytest.raises(TypeError, match="no task has results of type str"):
        render_result("text")  # type: ignore[arg-type]
