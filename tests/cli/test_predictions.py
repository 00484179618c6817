"""How predictions look in the terminal."""

import pytest

from elmo.cli.predictions import render_prediction
from elmo.datasets.columns import NERExample, PredicateFrame
from elmo.datasets.coreference import CorefDocument
from elmo.datasets.nli import EntailmentPair
from elmo.datasets.squad import Passage, Question
from elmo.datasets.trees import SentimentExample
from elmo.tasks.snli import EntailmentPrediction
from elmo.tasks.sst import SentimentPrediction


def test_entities() -> None:
    example = NERExample(["Ada", "lived", "in", "London", "."], [])
    prediction = [("person", 0, 1), ("place", 3, 4)]
    assert render_prediction(example, prediction).plain == "[Ada person] lived in [London place] ."


def test_roles() -> None:
    frame = PredicateFrame(["Well", ",", "the", "cat", "sat", "on", "the", "mat", "."], 4, [], (4,))
    shown = render_prediction(frame, [("ARGM-LOC", 5, 8), ("ARG0", 2, 4), ("V", 4, 5)])
    assert shown.plain == "sat: Well , [ARG0 the cat] [V sat] [ARGM-LOC on the mat] ."
    assert {str(span.style) for span in shown.spans} == {"bold", "blue", "cyan"}


def test_clusters() -> None:
    sentences = [["Ann", "met", "the", "girl", "with", "her", "dog"], ["She"]]
    clusters = [[(5, 6), (2, 7)], [(0, 1), (7, 8)], [(5, 7)]]
    shown = render_prediction(CorefDocument("nw/some", sentences, []), clusters)
    assert shown.plain.splitlines() == [
        "[Ann]1 met [the girl with [[her]2 dog]]2",
        "[She]1",
        "",
        "1: Ann, She",
        "2: the girl with her dog, her",
    ]
    assert {"bold green", "bold blue", "dim"} <= {str(span.style) for span in shown.spans}
    again = render_prediction(CorefDocument("d", [["he", "and", "he"]], []), [[(0, 1), (2, 3)]])
    assert again.plain.endswith("1: he (2 times)")


def test_entailment() -> None:
    pair = EntailmentPair(["A", "man", "."], ["Nobody", "."], None)
    probabilities = {"entailment": 0.02, "neutral": 0.07, "contradiction": 0.91}
    shown = render_prediction(pair, EntailmentPrediction("contradiction", probabilities))
    assert shown.plain.splitlines() == [
        "contradiction 91%   neutral 7%   entailment 2%",
        "  premise:    A man .",
        "  hypothesis: Nobody .",
    ]
    assert any("red" in str(span.style) for span in shown.spans)


def test_sentiment() -> None:
    sentence = SentimentExample(["Not", "bad", "."], None, [])
    shown = render_prediction(sentence, SentimentPrediction(3, [0.01, 0.02, 0.30, 0.57, 0.10]))
    assert shown.plain == "positive       57% [▁▁▃▅▁] Not bad ."
    assert any("green" in str(span.style) for span in shown.spans)
    certain = render_prediction(sentence, SentimentPrediction(0, [1.0, 0.0, 0.0, 0.0, 0.0]))
    assert certain.plain.startswith("very negative 100% [█▁▁▁▁]")


def test_answer() -> None:
    passage = Passage.from_text("Ann came, and Bob left.")
    shown = render_prediction(Question("", "Who came ?", ("Who", "came", "?"), passage, (), (0, 0)), (0, 3))
    assert shown.plain == "Who came ?\n[Ann] came, and Bob left."
    assert [(span.start, span.end) for span in shown.spans if "green" in str(span.style)] == [(11, 16)]


def test_anything_else() -> None:
    with pytest.raises(TypeError, match="no task has examples of type str"):
        render_prediction("text", [])
