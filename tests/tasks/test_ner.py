"""Named entities: learning made-up sentences."""

from pathlib import Path

import pytest
import torch
from tasks.samples.ner import write

from elmo.datasets.columns import NERExample, bio_spans
from elmo.tasks.inputs import InputSettings, TaskInputs
from elmo.tasks.ner import NamedEntities, NERModel, NERSettings
from elmo.tasks.results import Entity
from elmo.text.tokens import tokenizer

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


def test_result() -> None:
    document = TASK.split("He left. Ada lived in London.", tokenizer("words"))
    examples = TASK.examples([document], {})
    assert [(example.offset, len(example.words)) for example in examples] == [(0, 3), (3, 5)]
    result = TASK.result([document], examples, [[], [(("person", 0, 1), 0.9), (("place", 3, 4), 0.5)]])
    london = Entity("London", 22, 28, (6, 7), label="place", probability=0.5)
    assert list(result)[1] == london
    assert result.to_dict()["entities"][1] == {
        "text": "London", "start": 22, "end": 28, "words": [6, 7], "label": "place", "probability": 0.5
    }  # fmt: skip
    tokenized = NERExample(["Ada", "lived", "in", "London", "."], [])
    found = TASK.result(TASK.documents(tokenized), [tokenized], [[(("place", 3, 4), 0.5)]])
    assert found.text == "Ada lived in London ."
    assert found.entities[0].words == (3, 4)


def test_offsets_refer_to_the_text_as_given() -> None:
    """The words are composed, but the text need not be."""
    text = "Jose\u0301 sah  Zu\u0308rich."
    document = TASK.split(text, tokenizer("words"))
    (example,) = TASK.examples([document], {})
    assert example.words == ["José", "sah", "Zürich", "."]
    (person, place) = TASK.result([document], [example], [[(("person", 0, 1), 1.0), (("place", 2, 3), 1.0)]])
    assert text[person.start : person.end] == person.text == "Jose\u0301"
    assert text[place.start : place.end] == place.text == "Zu\u0308rich"


def test_probabilities_of_entities(tmp_path: Path) -> None:
    """They are those of all tag sequences that contain the entity, counted one by one."""
    write(tmp_path / "a", 8, 1)
    examples = [example for example in TASK.read(tmp_path / "a") if len(example.words) < 6][:4]
    torch.manual_seed(1)
    model = model_for(examples).eval()
    with torch.no_grad():
        model.crf.transitions.normal_()
        model.project.weight.mul_(5)
        scores, mask = model._scores(examples)
        found = [[("person", 0, 2), ("person", 2, 3)], [("person", len(examples[1].words) - 1, len(examples[1].words))]]
        found += [[] for _ in examples[2:]]
        given = model._probabilities(scores, mask, found).tolist()
        expected = []
        for row, spans in enumerate(found):
            length = len(examples[row].words)
            paths = torch.cartesian_prod(*[torch.arange(len(model.tags))] * length)  # (paths, length)
            likelihoods = []
            for path in paths:
                try:
                    value = model.crf.log_likelihood(
                        scores[row : row + 1, :length], path[None], mask[row : row + 1, :length]
                    )
                except ValueError:  # forbidden
                    continue
                likelihoods.append((bio_spans([model.tags[tag] for tag in path]), value.exp().item()))
            expected += [sum(p for spans_of, p in likelihoods if span in spans_of) for span in spans]
        assert given == pytest.approx(expected, rel=1e-4)
        detailed = model.predict_in_detail(examples)
        assert [[span for span, _ in spans] for spans in detailed] == model.predict(examples)
