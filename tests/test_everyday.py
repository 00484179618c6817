"""The everyday examples are well formed, and what models find in them is counted as promised."""

import sys
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from elmo.results import read_results
from elmo.tasks.results import (
    Answer,
    AnswerResult,
    Argument,
    CorefResult,
    Entity,
    EntityResult,
    FoundSpan,
    Frame,
    RoleResult,
    SentimentResult,
)
from elmo.tasks.task import TASKS, task_named

sys.path.append(str(Path(__file__).parents[1] / "dev"))
import everyday

EXAMPLES = everyday.read_examples()


def test_twenty_for_each_task() -> None:
    assert Counter(example["task"] for example in EXAMPLES) == dict.fromkeys(TASKS, 20)
    assert len({example["id"] for example in EXAMPLES}) == 120
    assert {(example["task"], example["level"]) for example in EXAMPLES} == {
        (task, level) for task in TASKS for level in everyday.LEVELS
    }
    assert len({str(everyday.given(example)) for example in EXAMPLES}) == 120


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: example["id"])
def test_expectation_fits_the_text(example: dict[str, Any]) -> None:
    task, expected = task_named(example["task"]), example["expected"]
    assert set(everyday.given(example)) == set(task.parts)
    match task.name:
        case "squad":
            assert expected
            assert all(answer in example["passage"] for answer in expected)
        case "snli":
            assert expected in ("entailment", "neutral", "contradiction")
        case "sst":
            assert expected in ("very negative", "negative", "neutral", "positive", "very positive")
        case _:
            for marked in expected if task.name == "srl" else [expected]:
                text, spans = everyday.marked_spans(marked)
                assert text == example["text"]
                assert everyday.with_marks(text, spans) == marked
                labels = Counter(label for label, _, _ in spans)
                assert task.name != "ner" or labels.keys() <= {"PER", "ORG", "LOC"}
                assert task.name != "srl" or labels["V"] == 1
                assert task.name != "coref" or all(count > 1 for count in labels.values())


def spans_of(cls: type, marked: str, **more: Any) -> list[Any]:
    text, spans = everyday.marked_spans(marked)
    label = {"label": True} if cls is not FoundSpan else {}
    return [
        cls(text[start:end], start, end, (0, 1), **({"label": name} if label else {}), **more)
        for name, start, end in spans
    ]


def compared(expected: Any, result: Any) -> tuple[bool, int, int, int]:
    outcome = everyday.compare({"expected": expected}, result)
    return outcome.right, outcome.expected, outcome.found, outcome.extra


@pytest.mark.parametrize(
    ("marked", "counts"),
    [
        ("[PER Ann] met [PER Bo] in [LOC Rome].", (True, 3, 3, 0)),
        ("[PER Ann] met [ORG Bo] in Rome.", (False, 3, 1, 1)),
        ("Ann met Bo in Rome.", (False, 3, 0, 0)),
    ],
)
def test_entities(marked: str, counts: tuple[bool, int, int, int]) -> None:
    result = EntityResult("Ann met Bo in Rome.", (), tuple(spans_of(Entity, marked, probability=1.0)))
    assert compared("[PER Ann] met [PER Bo] in [LOC Rome].", result) == counts
    assert everyday.compare({"expected": marked}, result).came_out == marked


def test_roles_of_other_predicates_are_not_counted() -> None:
    text = "Ann wants to sell it."

    def frame(marked: str) -> Frame:
        found = spans_of(Argument, marked)
        [verb] = [span for span in found if span.label == "V"]
        predicate = FoundSpan(verb.text, verb.start, verb.end, verb.words)
        whole = FoundSpan(text, 0, len(text), (0, 6))
        return Frame(predicate, tuple(span for span in found if span is not verb), whole)

    wants, sell = "[ARG0 Ann] [V wants] [ARG1 to sell it].", "[ARG0 Ann] wants to [V sell] [ARG1 it]."
    result = RoleResult(text, (), (frame(wants), frame(sell)))
    assert compared([wants, sell], result) == (True, 4, 4, 0)
    assert compared([sell], result) == (True, 2, 2, 0)
    assert compared(["Ann wants to [V sell] [ARG1 it]."], result) == (False, 1, 1, 1)
    assert compared([wants], RoleResult(text, (), ())) == (False, 2, 0, 0)


def test_clusters_of_one_are_not_counted() -> None:
    marked = "[1 Ann] lost [2 [1 her] keys] in [3 Rome] . [1 She] found [2 them]."
    spans = spans_of(FoundSpan, marked)
    by_text = {span.text: span for span in spans}
    ann, keys = [by_text[t] for t in ("Ann", "her", "She")], [by_text[t] for t in ("her keys", "them")]
    result = CorefResult(everyday.marked_spans(marked)[0], (), (tuple(ann), (by_text["Rome"],), tuple(keys)))
    expected = marked.replace("[3 Rome]", "Rome")
    assert compared(expected, result) == (True, 2, 2, 0)
    assert everyday.compare({"expected": expected}, result).came_out == expected
    assert compared("[1 Ann] lost [1 her] keys in Rome . [1 She] found them.", result) == (False, 1, 1, 1)


def test_answers_and_labels() -> None:
    best = tuple(Answer(text, 0, 4, (0, 1), 0.3) for text in ("The noon.", "ten", "Sunday"))
    result = AnswerResult("When?", "The noon. ten Sunday", "The noon.", 0, 9, 0.3, best)
    assert compared(["noon"], result) == (True, 1, 1, 0)
    assert compared(["ten"], result) == (False, 1, 1, 0)
    assert compared(["never"], result) == (False, 1, 0, 0)
    sentiment = SentimentResult("Fine.", "positive", {}, ())
    assert compared("positive", sentiment) == (True, 1, 1, 0)
    assert compared("very positive", sentiment) == (False, 1, 1, 0)
    assert compared("neutral", sentiment) == (False, 1, 0, 0)


def test_log_and_table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """With a model that always says the same."""

    class Positive:
        task = task_named("sst")

        def __call__(self, text: str) -> SentimentResult:
            return SentimentResult(text, "positive", {}, ())

    monkeypatch.setattr(everyday.elmo, "load_task", lambda model: Positive())
    monkeypatch.setattr(sys, "argv", ["everyday.py", "sst", "--output", str(tmp_path / "everyday.jsonl")])
    everyday.main()
    [result] = read_results(tmp_path / "everyday.jsonl")
    assert (result.what, result.value, result.details["found"]) == ("sst", 4, 8)
    assert len(result.details["results"]) == 20
    row = "| sst | 4 of 20 | 1 of 7 | 2 of 7 | 1 of 6 | 8 of 20 right of negative, neutral and positive |"
    assert row in capsys.readouterr().out
