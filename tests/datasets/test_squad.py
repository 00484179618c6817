"""Reading SQuAD."""

import json
import lzma
from pathlib import Path
from typing import Any

import pytest
from conftest import DATA

from elmo.datasets.squad import Passage, Question, read_squad
from elmo.tasks.metrics import squad_scores

CONTEXT = " Zoë didn't\u00a0pay  (she owed US$1,817.50, “a lot”)."


def entry(answers: list[tuple[str, int]], question: Any = "How much? ") -> dict[str, Any]:
    gold = [{"text": text, "answer_start": start} for text, start in answers]
    return {"id": "q7", "question": question, "answers": gold}


def squad(*qas: dict[str, Any], context: Any = CONTEXT) -> str:
    return json.dumps({"version": "1.1", "data": [{"title": "", "paragraphs": [{"context": context, "qas": qas}]}]})


def written(path: Path, text: str) -> Path:
    path.write_text(text, "utf-8")
    return path


def test_questions(tmp_path: Path) -> None:
    answers = [("US$1,817.50", CONTEXT.index("US$")), ("a lot", CONTEXT.index("a lot"))]
    path = tmp_path / "some.json.xz"
    path.write_bytes(lzma.compress(squad(entry(answers), {**entry(answers[1:]), "id": "q8"}).encode()))
    first, second = read_squad(path)
    passage = first.passage
    words = ("Zoë", "didn", "'t", "pay", "(", "she", "owed", "US", "$", "1,817.50", ",", "“", "a", "lot", "”", ")", ".")
    assert passage.words == words
    assert tuple(CONTEXT[start:end] for start, end in passage.spans) == words
    assert first == Question("q7", "How much?", ("How", "much", "?"), passage, ("US$1,817.50", "a lot"), (7, 10))
    assert second.span == (12, 14)
    assert second.passage is passage


@pytest.mark.parametrize(
    ("answer", "span"),
    [("817", (9, 10)), ("Zoë didn", (0, 2)), (" Zoë ", (0, 1)), ("\u00a0pay  ", (3, 4)), (").", (15, 17))],
)
def test_answers_extend_to_whole_words(answer: str, span: tuple[int, int]) -> None:
    start = CONTEXT.index(answer)
    assert Passage.from_text(CONTEXT).words_of((start, start + len(answer))) == span


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ('{\n"data": [', "line 2: is not JSON"),
        ("[" * 100_000, "is not JSON that can be read"),
        ('{"data": ' + "9" * 5000 + "}", "is not JSON that can be read"),
        ("[]", "is not an object with 'data'"),
        ("{}", "has no 'data'"),
        ('{"data": 1}', "'data' must be a list, not 1"),
        ('{"data": [{}]}', "data[0]: has no 'paragraphs'"),
        ('{"data": [{"paragraphs": [{"qas": []}]}]}', "data[0].paragraphs[0]: has no 'context'"),
        ('{"data": [{"paragraphs": [{"context": "It is."}]}]}', "data[0].paragraphs[0]: has no 'qas'"),
        (squad(context=" "), "data[0].paragraphs[0]: the context is empty"),
        (squad(context=None), "'context' must be a str, not None"),
        (squad({"question": "Who?"}), "data[0].paragraphs[0].qas[0]: has no 'id'"),
        (squad({"id": "q7"}), "question q7: has no 'question'"),
        (squad(entry([("Zoë", 1)], " ")), "question q7: the question is empty"),
        (squad(entry([("Zoë", 1)], ["Who?"])), "question q7: 'question' must be a str"),
        (squad({"id": "q7", "question": "Who?"}), "question q7: has no 'answers'"),
        (squad(entry([])), "question q7: has no answers"),
        (squad({**entry([]), "answers": [{"text": "Zoë"}]}), "question q7: has no 'answer_start'"),
        (squad({**entry([]), "answers": ["Zoë"]}), "question q7: is not an object with 'text'"),
        (squad(entry([("Zoë", 1), (" ", 0)])), "question q7: an answer is empty"),
        (squad(entry([("Zoë", 0)])), "question q7: the answer 'Zoë' is not in the context at character 0"),
        (squad(entry([("Zoë", 1), ("Ann", 1)])), "question q7: the answer 'Ann' is not in the context at character 1"),
        (squad(entry([("lot”).", -6)])), "question q7: the answer 'lot”).' is not in the context at character -6"),
    ],
)
def test_malformed(tmp_path: Path, text: str, reason: str) -> None:
    path = written(tmp_path / "broken.json", text)
    with pytest.raises(ValueError, match=r"broken\.json") as error:
        read_squad(path)
    assert str(error.value).startswith(f"{path}")
    assert reason in str(error.value)
    assert "\n" not in str(error.value)


def test_published_file() -> None:
    path = DATA / "tasks" / "squad" / "dev-v1.1.json.xz"
    if not path.exists():
        pytest.skip(f"SQuAD is not at {path}")
    questions = read_squad(path)
    assert len(questions) == 10_570
    spans = [(q.passage.spans[q.span[0]][0], q.passage.spans[q.span[1] - 1][1]) for q in questions]
    found = [q.passage.text[start:end] for q, (start, end) in zip(questions, spans, strict=True)]
    exact, _ = squad_scores(found, [q.answers for q in questions])
    assert exact > 98.9  # the rest are answers that begin or end inside a word
