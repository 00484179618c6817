"""Sentiment: learning made-up sentences."""

import json
from pathlib import Path

import pytest
import torch
from tasks.samples.sst import write

from elmo.config import BiLMConfig, CharCNNConfig, LSTMConfig
from elmo.datasets.trees import SentimentExample
from elmo.model.bilm import BiLM
from elmo.tasks.inputs import ElmoSettings, InputSettings, TaskInputs
from elmo.tasks.layer_cache import LayerCache
from elmo.tasks.recipe import read_task_recipe
from elmo.tasks.sst import BCN, BCNSettings, Sentiment, SentimentPrediction
from elmo.tasks.task import task_named
from elmo.text.documents import Document
from elmo.text.tokens import tokenizer

TASK = Sentiment()
TINY_BILM = BiLMConfig(CharCNNConfig(4, ((1, 4), (2, 8)), projection_dim=8, max_characters=12), LSTMConfig(16, 8))
GOOD = "(3 (2 It) (4 (3 works) (2 .)))"


@pytest.fixture
def sentences(tmp_path: Path) -> list[SentimentExample]:
    write(tmp_path / "train.txt", 60, seed=1)
    return TASK.read(tmp_path / "train.txt")


def fresh(sentences: list[SentimentExample], elmo: ElmoSettings | None = None, compare_elmo: bool = False) -> BCN:
    torch.manual_seed(0)
    known = sorted({word for sentence in sentences for word in sentence.words})
    layers = None if elmo is None else LayerCache(BiLM(TINY_BILM))
    words = TaskInputs(known, InputSettings(tuned=True, dim=16, dropout=0.0), elmo, layers)
    return TASK.build(words, TASK.label_sets(sentences), BCNSettings(12, 0.0, compare_elmo))


def test_is_labeled(tmp_path: Path) -> None:
    for name, content, labeled in [
        ("a.txt", GOOD, True),
        ("b.txt", "(Not bad)\n", False),
        ("c.txt", "Not bad\n", False),
        ("d.txt", "(7 broken)", True),
        ("e.ptb", GOOD, True),
    ]:
        (tmp_path / name).write_text(content)
        assert TASK.is_labeled(tmp_path / name) is labeled


def test_trains_on_all_distinct_phrases(tmp_path: Path) -> None:
    tree = "(3 (2 (2 a) (2 b)) (4 (2 c) (1 d)))"
    (tmp_path / "some.txt").write_text(f"{tree}\n{tree}\n{tree.replace('(4', '(0', 1)}\n")
    training = TASK.for_training(TASK.read(tmp_path / "some.txt"))
    found = [("".join(one.words), one.label) for one in training]
    assert sorted(found) == sorted(
        [*zip("abcd", (2, 2, 2, 1), strict=True), ("ab", 2), ("cd", 4), ("abcd", 3), ("cd", 0)]
    )


@pytest.mark.parametrize("placement", [None, "input", "output", "both"])
def test_an_example_does_not_depend_on_its_batch(sentences: list[SentimentExample], placement: str | None) -> None:
    elmo = None if placement is None else ElmoSettings(placement, dropout=0.0)  # type: ignore[arg-type]
    model = fresh(sentences, elmo).eval()
    chosen = [sentences[0], SentimentExample(sentences[1].words * 3, 4, []), SentimentExample(["unseen"], 0, [])]
    with torch.no_grad():
        together = model.predict(chosen)
        alone = [model.predict([sentence])[0] for sentence in chosen]
        losses = torch.stack([model([sentence]) for sentence in chosen])
        assert model(chosen) == pytest.approx(float(losses.mean()), abs=1e-4)
    for one, other in zip(together, alone, strict=True):
        assert one.probabilities == pytest.approx(other.probabilities, abs=1e-4)
        assert sum(one.probabilities) == pytest.approx(1, abs=1e-5)


@pytest.mark.parametrize("compare_elmo", [True, False])
def test_large_elmo_vectors_and_attention(
    sentences: list[SentimentExample], compare_elmo: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Their norm decides what a word attends to only if they are compared."""
    model = fresh(sentences, ElmoSettings("both", dropout=0.0), compare_elmo=compare_elmo).eval()
    seen: list[torch.Tensor] = []
    attention = model._attention
    monkeypatch.setattr(model, "_attention", lambda x, mask: seen.append(attention(x, mask)) or seen[-1])
    for gamma in (1.0, 1000.0):
        model.words.mixes["output"].gamma.data.fill_(gamma)
        with torch.no_grad():
            model.predict(sentences[:1])
    assert torch.equal(seen[0], seen[1]) != compare_elmo


def test_runs_of_older_versions_compare_elmo() -> None:
    assert BCNSettings(dim=12, dropout=0.0).compare_elmo
    assert not read_task_recipe(TASK).model.compare_elmo


def test_predictions_ignore_the_answers(sentences: list[SentimentExample]) -> None:
    model = fresh(sentences).eval()
    unknown = [SentimentExample(sentence.words, None, []) for sentence in sentences[:8]]
    with torch.no_grad():
        assert model.predict(sentences[:8]) == model.predict(unknown)


def test_learns_the_sample(sentences: list[SentimentExample], tmp_path: Path) -> None:
    training = TASK.for_training(sentences)
    model = fresh(sentences)
    optimizer = torch.optim.Adam(model.parameters(), lr=0.02)
    first = float(model(training).detach())
    for step in range(80):
        optimizer.zero_grad()
        model(training[step % 4 :: 4]).backward()
        optimizer.step()
    assert float(model(training).detach()) < first / 4
    write(tmp_path / "test.txt", 40, seed=2)
    test = TASK.read(tmp_path / "test.txt")
    with torch.no_grad():
        assert TASK.score(test, model.eval().predict(test))["accuracy"] > 90


def test_from_text() -> None:
    documents = [TASK.split("It isn't (so) bad. Good!", tokenizer("words"))]
    assert TASK.examples(documents, {}) == [
        SentimentExample(["It", "isn", "'t", "(", "so", ")", "bad", "."], None, []),
        SentimentExample(["Good", "!"], None, [], 8),
    ]
    with pytest.raises(ValueError, match="the text is empty"):
        TASK.examples([Document.joined([])], {})


def test_result() -> None:
    """The sentiment of a text is the mean of its sentences."""
    documents = [TASK.split("Not bad. Bad!", tokenizer("words"))]
    predictions = [SentimentPrediction(3, [0, 0, 0.25, 0.75, 0]), SentimentPrediction(0, [1, 0, 0, 0, 0])]
    result = TASK.result(documents, TASK.examples(documents, {}), predictions)
    assert [(sentence.text, sentence.label) for sentence in result] == [
        ("Not bad.", "positive"),
        ("Bad!", "very negative"),
    ]
    assert result.label == "very negative"
    assert list(result.probabilities.values()) == [0.5, 0, 0.125, 0.375, 0]
    record = result.to_dict()
    assert json.loads(json.dumps(record)) == record


def test_recipe_matches_the_paper() -> None:
    recipe = read_task_recipe(task_named("sst"))
    assert isinstance(recipe.model, BCNSettings)
    assert (recipe.elmo.placement, recipe.elmo.penalty, recipe.elmo.dropout) == ("both", 0.001, 0.5)
    assert not recipe.inputs.tuned
