"""Named entities: learning made-up sentences."""

from pathlib import Path

import pytest
import torch
from tasks.samples.ner import write

from elmo.datasets.columns import NERExample
from elmo.tasks.inputs import InputSettings, TaskInputs
from elmo.tasks.ner import NamedEntities, NERModel, NERSettings

TASK = NamedEntities()


def model_for(examples: list[NERExample], dropout: float = 0.0) -> NERModel:
    torch.manual_seed(1)
    words = TaskInputs(sorted({w for e in examples for w in e.words}), InputSettings(True, 12, 0.0))
    return TASK.build(words, TASK.label_sets(examples), NERSettings(12, 1, dropout))


class TestModel:
    def test_learns_independently_of_the_batch(self, tmp_path: Path) -> None:
        write(tmp_path / "a", 60, 1)
        examples = TASK.read(tmp_path / "a")
        model = model_for(examples)
        optimizer = torch.optim.Adam(model.parameters(), 0.02)
        for _ in range(30):
            optimizer.zero_grad()
            model(examples).backward()
            optimizer.step()
        model.eval()
        predictions = model.predict(examples)
        assert TASK.score(examples, predictions)["F1"] > 95
        assert model.predict(examples[:1]) == predictions[:1]
        with torch.no_grad():
            apart = sum(float(model([example])) for example in examples) / len(examples)
            assert apart == pytest.approx(float(model(examples)), rel=1e-4)

    def test_labels_unseen_in_training(self, tmp_path: Path) -> None:
        write(tmp_path / "a", 5, 1)
        model = model_for(TASK.read(tmp_path / "a"))
        assert torch.isfinite(model([NERExample(["x", "y"], [("new", 0, 2)])]))


def test_record() -> None:
    (example,) = TASK.from_text("Ada lived in London.", {})
    prediction = [("person", 0, 1), ("place", 3, 4)]
    record = TASK.record(example, prediction)
    assert record["text"] == "Ada lived in London."
    place = {"label": "place", "text": "London", "start": 3, "end": 4, "start_char": 13, "end_char": 19}
    assert record["entities"][1] == place
    tokenized = NERExample(["Ada", "lived", "in", "London", "."], [])
    assert TASK.record(tokenized, prediction)["text"] == "Ada lived in London ."
    assert TASK.record(tokenized, prediction)["entities"][1] == place


def test_offsets_refer_to_the_text_as_given() -> None:
    """The words are composed, but the text need not be."""
    text = "Jose\u0301 sah  Zu\u0308rich."
    (example,) = TASK.from_text(text, {})
    assert example.words == ["José", "sah", "Zürich", "."]
    (person, place) = TASK.record(example, [("person", 0, 1), ("place", 2, 3)])["entities"]
    assert text[person["start_char"] : person["end_char"]] == person["text"] == "Jose\u0301"
    assert text[place["start_char"] : place["end_char"]] == place["text"] == "Zu\u0308rich"
