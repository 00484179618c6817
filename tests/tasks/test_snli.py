"""Entailment: learning made-up pairs."""

import json
from pathlib import Path

import pytest
import torch
from tasks.samples.snli import write

from elmo.config import BiLMConfig, CharCNNConfig, LSTMConfig
from elmo.datasets.nli import EntailmentPair
from elmo.model.bilm import BiLM
from elmo.tasks.inputs import ElmoSettings, InputSettings, TaskInputs
from elmo.tasks.layer_cache import LayerCache
from elmo.tasks.recipe import read_task_recipe
from elmo.tasks.snli import ESIM, Entailment, EntailmentPrediction, ESIMSettings
from elmo.tasks.task import task_named
from elmo.text.documents import Document
from elmo.text.tokens import tokenizer

TASK = Entailment()
TINY_BILM = BiLMConfig(CharCNNConfig(4, ((1, 4), (2, 8)), projection_dim=8, max_characters=12), LSTMConfig(16, 8))


@pytest.fixture
def pairs(tmp_path: Path) -> list[EntailmentPair]:
    write(tmp_path / "train.jsonl", 60, seed=1)
    return TASK.read(tmp_path / "train.jsonl")


def fresh(pairs: list[EntailmentPair], elmo: ElmoSettings | None = None) -> ESIM:
    torch.manual_seed(0)
    known = sorted({word for pair in pairs for words in TASK.sequences(pair) for word in words})
    layers = None if elmo is None else LayerCache(BiLM(TINY_BILM))
    words = TaskInputs(known[3:], InputSettings(tuned=True, dim=16, dropout=0.0), elmo, layers)
    return TASK.build(words, TASK.label_sets(pairs), ESIMSettings(dim=12, dropout=0.0))


@pytest.mark.parametrize("placement", [None, "input", "output", "both"])
def test_an_example_does_not_depend_on_its_batch(pairs: list[EntailmentPair], placement: str | None) -> None:
    elmo = None if placement is None else ElmoSettings(placement, dropout=0.0, layer_norm=True)  # type: ignore[arg-type]
    model = fresh(pairs, elmo).eval()
    chosen = [
        pairs[0],
        EntailmentPair(["a", *pairs[1].premise * 3], pairs[1].hypothesis, "neutral"),
        EntailmentPair(["x"], ["y"], "neutral"),
    ]
    with torch.no_grad():
        together = model.predict(chosen)
        alone = [model.predict([pair])[0] for pair in chosen]
        losses = torch.stack([model([pair]) for pair in chosen])
        assert model(chosen) == pytest.approx(float(losses.mean()), abs=1e-4)
    for one, other in zip(together, alone, strict=True):
        assert one.probabilities == pytest.approx(other.probabilities, abs=1e-4)
        assert sum(one.probabilities.values()) == pytest.approx(1, abs=1e-5)


def test_predictions_ignore_the_answers(pairs: list[EntailmentPair]) -> None:
    model = fresh(pairs).eval()
    unknown = [EntailmentPair(pair.premise, pair.hypothesis, None) for pair in pairs[:8]]
    with torch.no_grad():
        assert model.predict(pairs[:8]) == model.predict(unknown)


def test_learns_the_sample(pairs: list[EntailmentPair], tmp_path: Path) -> None:
    model = fresh(pairs)
    optimizer = torch.optim.Adam(model.parameters(), lr=0.02)
    first = float(model(pairs).detach())
    for _ in range(25):
        optimizer.zero_grad()
        loss = model(pairs)
        loss.backward()
        optimizer.step()
    assert float(loss.detach()) < first / 4
    write(tmp_path / "test.jsonl", 40, seed=2)
    test = TASK.read(tmp_path / "test.jsonl")
    with torch.no_grad():
        assert TASK.score(test, model.eval().predict(test))["accuracy"] > 90


def test_the_order_of_the_sentences_matters(pairs: list[EntailmentPair]) -> None:
    model = fresh(pairs).eval()
    swapped = [EntailmentPair(pair.hypothesis, pair.premise, None) for pair in pairs[:4]]
    with torch.no_grad():
        assert model.predict(swapped) != model.predict(pairs[:4])


def test_labels_unseen_in_training(pairs: list[EntailmentPair]) -> None:
    some = [pair for pair in pairs if pair.label != "neutral"]
    model = fresh(some).eval()
    assert model.labels == ["entailment", "contradiction"]
    with torch.no_grad():
        predictions = model.predict(pairs)
    assert 0 <= TASK.score(pairs, predictions)["accuracy"] < 100


def test_from_text() -> None:
    documents = [TASK.split(text, tokenizer("words")) for text in ("A man isn't here.", "Nobody!")]
    assert TASK.examples(documents, {}) == [
        EntailmentPair(["A", "man", "isn", "'t", "here", "."], ["Nobody", "!"], None)
    ]
    with pytest.raises(ValueError, match="the hypothesis is empty"):
        TASK.examples([documents[0], Document.joined([])], {})
    with pytest.raises(ValueError, match="the premise has 2,000 words; the model reads at most 1,000"):
        TASK.examples([Document.joined([["a"] * 2000]), documents[1]], {})


def test_result() -> None:
    pair = EntailmentPair(["A", "man", "."], ["Nobody", "."], None)
    relation = EntailmentPrediction("contradiction", {"entailment": 0.02, "neutral": 0.07, "contradiction": 0.91})
    record = TASK.result(TASK.documents(pair), [pair], [relation]).to_dict()
    assert json.loads(json.dumps(record)) == record
    assert (record["premise"], record["label"]) == ("A man .", "contradiction")


def test_recipe_matches_the_paper() -> None:
    task = task_named("snli")
    recipe = read_task_recipe(task)
    assert isinstance(recipe.model, ESIMSettings)
    assert (recipe.elmo.placement, recipe.elmo.layer_norm, recipe.elmo.penalty) == ("both", True, 0.001)
    assert not recipe.inputs.tuned
