from pathlib import Path

import pytest
import torch
from tasks.samples.ner import write

from elmo.tasks.inputs import InputSettings, TaskInputs
from elmo.tasks.ner import NamedEntities, NERModel, NERSettings, Sentence, bio_labels

TASK = NamedEntities()


def model_for(examples: list[Sentence], dropout: float = 0.0) -> NERModel:
    torch.manual_seed(1)
    words = TaskInputs(sorted({w for e in examples for w in e.words}), InputSettings(True, 12, 0.0))
    return TASK.build(words, TASK.label_sets(examples), NERSettings(12, 1, dropout))


class TestReader:
    def test_columns(self, tmp_path: Path) -> None:
        first_sentence = "EU NNP I-NP I-ORG\nrejects VBZ I-VP O\n\n"
        text = f"-DOCSTART- -X- O O\n\n{first_sentence}Peter NNP I-NP B-PER\nB. NNP I-NP I-PER\n"
        (tmp_path / "a.conll").write_text(text)
        first, second = TASK.read(tmp_path / "a.conll")
        assert first == Sentence(["EU", "rejects"], [("ORG", 0, 1)])
        assert second == Sentence(["Peter", "B."], [("PER", 0, 2)])

    @pytest.mark.parametrize(
        ("text", "message"),
        [("a O\nb\n", "line 2: has 1 column"), ("a O\n\nb X-LOC\n", "line 3: 'X-LOC'"), ("b B-\n", "line 1: 'B-'")],
        ids=["columns", "label", "no kind"],
    )
    def test_broken(self, tmp_path: Path, text: str, message: str) -> None:
        (tmp_path / "a.conll").write_text(text)
        with pytest.raises(ValueError, match=message):
            TASK.read(tmp_path / "a.conll")


class TestModel:
    def test_learns_and_does_not_look_at_batch_mates(self, tmp_path: Path) -> None:
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

    def test_a_label_that_training_did_not_have(self, tmp_path: Path) -> None:
        write(tmp_path / "a", 5, 1)
        model = model_for(TASK.read(tmp_path / "a"))
        assert torch.isfinite(model([Sentence(["x", "y"], [("new", 0, 2)])]))


def test_bio_labels() -> None:
    assert bio_labels([("A", 1, 3), ("B", 3, 4)], 5) == ["O", "B-A", "I-A", "B-B", "O"]


def test_for_people_and_programs() -> None:
    (example,) = TASK.from_text("Ada lived in London.", {})
    prediction = [("person", 0, 1), ("place", 3, 4)]
    assert TASK.show(example, prediction).plain == "[Ada person] lived in [London place] ."
    assert TASK.record(example, prediction)["entities"][1] == {"label": "place", "start": 3, "end": 4}
