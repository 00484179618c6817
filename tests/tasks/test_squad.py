"""Question answering: the parts of the model against slow computations, and learning made-up questions."""

import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from tasks.samples.squad import write

from elmo.config import BiLMConfig, CharCNNConfig, LSTMConfig
from elmo.datasets.squad import Passage, Question
from elmo.model.bilm import BiLM
from elmo.tasks.inputs import ElmoSettings, InputSettings, TaskInputs
from elmo.tasks.layer_cache import LayerCache
from elmo.tasks.recipe import read_task_recipe
from elmo.tasks.squad import (
    MAX_ANSWER,
    MAX_PASSAGE,
    AnswerScores,
    QAModel,
    QASettings,
    QuestionAnswering,
    SelfAttention,
    Trilinear,
    best_spans,
)
from elmo.tasks.task import task_named
from elmo.text.documents import Document
from elmo.text.tokens import tokenizer

TASK = QuestionAnswering()
TINY_BILM = BiLMConfig(CharCNNConfig(4, ((1, 4), (2, 8)), projection_dim=8, max_characters=12), LSTMConfig(16, 8))


@pytest.fixture
def questions(tmp_path: Path) -> list[Question]:
    write(tmp_path / "train.json", 48, seed=1)
    return TASK.read(tmp_path / "train.json")


def fresh(questions: list[Question], elmo: ElmoSettings | None = None, dropout: float = 0.0) -> QAModel:
    torch.manual_seed(0)
    known = sorted({word for question in questions for words in TASK.sequences(question) for word in words})
    layers = None if elmo is None else LayerCache(BiLM(TINY_BILM))
    words = TaskInputs(known[3:], InputSettings(tuned=True, dim=16, dropout=0.0), elmo, layers)
    return TASK.build(words, TASK.label_sets(questions), QASettings(dim=12, dropout=dropout))


def questions_about(length: int, *spans: tuple[int, int]) -> list[Question]:
    passage = Passage.from_text(" ".join(f"w{place}" for place in range(length)))
    return [Question(str(n), "Which?", ("Which", "?"), passage, ("w0",), span) for n, span in enumerate(spans)]


def test_training_drops_long_answers_and_truncates_long_passages() -> None:
    end = MAX_PASSAGE
    spans = [(0, MAX_ANSWER), (0, MAX_ANSWER + 1), (end - 1, end), (end - 1, end + 1), (end, end + 1), (0, 0)]
    examples = questions_about(MAX_PASSAGE + 5, *spans)
    first, second = TASK.for_training(examples)
    assert (first.id, second.id) == ("0", "2")
    assert first.passage is second.passage
    assert first.passage.words == examples[0].passage.words[:MAX_PASSAGE]
    short = questions_about(MAX_PASSAGE, (0, 1))
    assert TASK.for_training(short)[0] is short[0]
    with pytest.raises(ValueError, match="none of the training questions has an answer of at most 17 words"):
        TASK.for_training(examples[-1:])


# The model


def test_trilinear_scores_equal_the_sum_over_pairs() -> None:
    torch.manual_seed(0)
    trilinear, x, y = Trilinear(5), torch.randn(2, 4, 5), torch.randn(2, 3, 5)
    left, right = x[:, :, None].expand(2, 4, 3, 5), y[:, None].expand(2, 4, 3, 5)
    slow = trilinear.left(left) + trilinear.right(right) + (left * right) @ trilinear.both[:, None]
    torch.testing.assert_close(trilinear(x, y), slow.squeeze(-1))


def test_a_word_attends_to_others_but_not_to_itself() -> None:
    torch.manual_seed(0)
    attention = SelfAttention(6, 0.0)
    alone, mask = torch.randn(1, 1, 6), torch.ones(1, 1, dtype=torch.bool)
    encoded = attention.encoder(alone, [1])
    nothing = torch.cat([encoded, torch.zeros_like(encoded), torch.zeros_like(encoded)], -1)
    torch.testing.assert_close(attention(alone, mask, [1]), alone + torch.relu(attention.dense(nothing)))


@pytest.mark.parametrize("seed", range(5))
def test_best_spans_match_an_exhaustive_search(seed: int) -> None:
    torch.manual_seed(seed)
    n, longest = 9, 4
    lengths = [9, 5, 1]
    start, end = torch.randn(2, 3, n)
    for row, length in enumerate(lengths):
        start[row, length:] = end[row, length:] = torch.finfo(torch.float32).min
    expected = [
        max(
            ([i, j] for i in range(length) for j in range(i, min(i + longest, length))),
            key=lambda span: float(start[row, span[0]] + end[row, span[1]]),
        )
        for row, length in enumerate(lengths)
    ]
    assert best_spans(start, end, longest).tolist() == expected


@pytest.mark.parametrize("placement", [None, "input", "output", "both"])
def test_an_example_does_not_depend_on_its_batch(questions: list[Question], placement: Any) -> None:
    elmo = None if placement is None else ElmoSettings(placement, dropout=0.0)
    model = fresh(questions, elmo).eval()
    word = Question("one", "Who?", ("Who",), Passage.from_text("Ann"), ("Ann",), (0, 1))
    chosen = [*sorted(questions, key=lambda question: len(question.passage.words))[:: len(questions) // 5], word]
    with torch.no_grad():
        alone = torch.stack([model([question]) for question in chosen])
        torch.testing.assert_close(model(chosen), alone.mean(), atol=1e-4, rtol=0)
        assert model.predict(chosen) == [model.predict([question])[0] for question in chosen]
        scores = model._scores(chosen)
        for row, question in enumerate(chosen):
            for together, apart in zip(scores, model._scores([question]), strict=True):
                torch.testing.assert_close(together[row, : apart.shape[1]], apart[0], atol=1e-4, rtol=0)
    assert model.predict([word]) == [(0, 3)]


def test_the_loss_sums_the_probabilities_of_all_places(questions: list[Question]) -> None:
    passage = Passage.from_text("Ann met Bob Ray . Then Bob Ray met Ann and Bob . Bob Ray left")
    asked = [
        Question("1", "Who?", ("Who", "?"), passage, ("Bob Ray",), (6, 8)),
        Question("2", "Who left?", ("Who", "left", "?"), passage, ("Ann",), (0, 1)),
        Question("3", "What?", ("What", "?"), passage, ("Then",), (5, 6)),
    ]
    chosen = TASK.for_training(asked)
    assert [question.repeats for question in chosen] == [(2, 13), (9,), ()]
    model = fresh(questions).eval()
    with torch.no_grad():
        start, end = (scores.softmax(1).tolist() for scores in model._scores(chosen))
        expected = 0.0
        for row, (firsts, length) in enumerate((((2, 6, 13), 2), ((0, 9), 1), ((5,), 1))):
            expected -= math.log(sum(start[row][first] for first in firsts)) / 6
            expected -= math.log(sum(end[row][first + length - 1] for first in firsts)) / 6
        assert model(chosen).item() == pytest.approx(expected, abs=1e-5)


def test_all_parameters_have_gradients(questions: list[Question]) -> None:
    model = fresh(questions, ElmoSettings("both")).train()
    model(questions).backward()
    # In self-attention, this term is the same for all other words, and softmax cancels it.
    idle = {"self_attention.scores.left.weight"}
    for name, parameter in model.named_parameters():
        assert parameter.grad is not None, name
        assert name in idle or parameter.grad.abs().max() > 0, name


def test_learns_the_sample(questions: list[Question], tmp_path: Path) -> None:
    model = fresh(questions, dropout=0.1)
    optimizer = torch.optim.Adam(model.parameters(), 0.02)
    losses = []
    for _ in range(60):
        loss = model(questions)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        losses.append(float(loss.detach()))
    write(tmp_path / "other.json", 48, seed=2)
    others = TASK.read(tmp_path / "other.json")
    model.eval()
    with torch.no_grad():
        scores = TASK.score(others, model.predict(others))
    assert losses[-1] < 0.2 * losses[0]
    assert scores["F1"] > 75
    assert scores["F1"] >= scores["EM"] > 60


# Text that users type


def test_scores() -> None:
    passage = Passage.from_text(" Zoë didn't\u00a0pay  (she owed US$1,817.50, “a lot”).")
    gold = [("a lot", "US$1,817.50"), ("Zoë",)]
    examples = [Question("q", "How much?", ("How", "much", "?"), passage, answers, (0, 1)) for answers in gold]
    assert TASK.score(examples, [(41, 46), (1, 11)]) == {"F1": pytest.approx((100 + 200 / 3) / 2), "EM": 50.0}


def test_from_text(questions: list[Question]) -> None:
    documents = [TASK.split(text, tokenizer("words")) for text in ("Who came ?", "Ann came, and Bob left.")]
    (typed,) = TASK.examples(documents, {})
    assert typed.text == "Who came ?"
    assert typed.passage.words == ("Ann", "came", ",", "and", "Bob", "left", ".")
    found = AnswerScores([(2.0, (14, 17)), (1.0, (0, 3))], 2.5)
    result = TASK.result(documents, [typed], [found])
    assert (result.text, result.start, result.end, result.best[0].words) == ("Bob", 14, 17, (4, 5))
    assert [answer.probability for answer in result] == pytest.approx([math.exp(-0.5), math.exp(-1.5)])
    with torch.no_grad():
        ((start, end),) = fresh(questions).eval().predict([typed])
    assert typed.passage.text[start:end]


def test_the_best_answers(questions: list[Question]) -> None:
    """The first is that of ``predict``, and the probabilities are those of all valid spans, one by one."""
    model = fresh(questions).eval()
    with torch.no_grad():
        starts, ends = model._scores(questions[:6])
        detailed, best = model.predict_in_detail(questions[:6]), model.predict(questions[:6])
    for question, start, end, found, span in zip(questions, starts, ends, detailed, best, strict=False):
        spans = question.passage.spans
        scores = {
            (spans[first][0], spans[last][1]): float(start[first] + end[last])
            for first in range(len(spans))
            for last in range(first, min(first + MAX_ANSWER, len(spans)))
        }
        assert found.spans[0][1] == span
        assert found.total == pytest.approx(math.log(sum(map(math.exp, scores.values()))), abs=1e-4)
        assert [score for score, _ in found.spans] == pytest.approx(
            sorted(scores.values())[: -len(found.spans) - 1 : -1]
        )


def test_windows_of_long_passages() -> None:
    words = [f"w{place}" for place in range(2500)]
    documents = [Document.joined([["Who"]]), Document.joined([words])]
    windows = TASK.examples(documents, {})
    assert [(window.passage.words[0], len(window.passage.words), window.starts) for window in windows] == [
        ("w0", 1000, (0, 900)),
        ("w800", 1000, (100, 900)),
        ("w1600", 900, (100, 900)),
    ]
    [whole] = TASK.examples([documents[0], Document.joined([words[:1000]])], {})
    assert whole.starts == (0, 1000)
    spans = documents[1].spans
    found = [AnswerScores([(1.0, spans[890])], 3.0), AnswerScores([(2.0, spans[900]), (1.5, spans[950])], 3.0)]
    result = TASK.result(documents, windows, [*found, AnswerScores([(0.0, spans[2000])], 1.0)])
    assert [answer.text for answer in result] == ["w900", "w950", "w890"]
    assert result.probability == pytest.approx(math.exp(2) / (2 * math.exp(3) + math.exp(1)))


@pytest.mark.parametrize("length", [5, 60, 61, 79, 80, 81, 100, 101, 140, 203])
def test_every_answer_counts_once(length: int, questions: list[Question], monkeypatch: pytest.MonkeyPatch) -> None:
    """Against a loop over all answers of a passage, each scored in the window in which it has the most context."""
    window, step, longest = 60, 20, 5
    monkeypatch.setattr("elmo.tasks.squad.WINDOW", window)
    monkeypatch.setattr("elmo.tasks.squad.STEP", step)
    monkeypatch.setattr("elmo.tasks.squad.MAX_ANSWER", longest)
    monkeypatch.setattr("elmo.tasks.squad.BEST", 10_000)
    model = fresh(questions).eval()
    words = [f"w{place}" for place in range(length)]
    documents = [Document.joined([["Who", "came"]]), Document.joined([words])]
    examples = TASK.examples(documents, {})
    with torch.no_grad():
        scores = [[row[0] for row in model._scores([example])] for example in examples]
        result = TASK.result(documents, examples, model.predict_in_detail(examples))

    begins = [int(example.passage.words[0][1:]) for example in examples]
    assert begins == list(range(0, max(length - (window - step), 1), step))
    slow = {}
    for first in range(length):
        for after in range(first + 1, min(first + longest, length) + 1):
            inside = [n for n, begin in enumerate(begins) if begin <= first and after <= begin + window]
            # Words before the answer's first, and from it on to the end of the window; not for the ends of the passage.
            chosen = max(
                inside,
                key=lambda n: (
                    min(
                        math.inf if n == 0 else first - begins[n] + 0.5,
                        math.inf if n == len(begins) - 1 else begins[n] + window - first,
                    ),
                    -n,
                ),
            )
            start, end = scores[chosen]
            slow[first, after] = float(start[first - begins[chosen]] + end[after - 1 - begins[chosen]])
    total = np.logaddexp.reduce(list(slow.values()))
    assert len(result.best) == len(slow), "every answer once"
    assert sum(answer.probability for answer in result) == pytest.approx(1, abs=1e-4)
    for answer in result:
        assert answer.probability == pytest.approx(math.exp(slow[answer.words] - total), rel=1e-3)


def test_recipe() -> None:
    task = task_named("squad")
    assert isinstance(task, QuestionAnswering)
    recipe = read_task_recipe(task)
    assert recipe.elmo.placement == "both"
    assert recipe.model == QASettings(dim=128, dropout=0.2)
