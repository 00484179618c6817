"""Trained task models on text: what users call, give and get."""

import json
import os
import re
import shutil
from collections.abc import Iterator
from html.parser import HTMLParser
from importlib.metadata import EntryPoint
from pathlib import Path
from typing import Any

import pytest
from commands import error_of, run
from tasks.test_trainer import train

import elmo
from elmo.config import LSTMConfig, WordTableConfig
from elmo.datasets.coreference import CorefDocument
from elmo.datasets.folders import TaskData
from elmo.tasks import trained as trained_module
from elmo.tasks.inputs import TaskVocabulary
from elmo.tasks.load import load_tasks, save_task
from elmo.tasks.results import TaskResult
from elmo.tasks.task import TASKS
from elmo.tasks.trained import TrainedTask
from elmo.text.vocabulary import Vocabulary
from elmo.weights import packages

PAIRS = {"squad": ("question", "passage"), "snli": ("premise", "hypothesis")}
TEXT = "Ann saw mister Hugo in the old house. She ran."


@pytest.fixture(scope="module")
def tasks(task_folders: dict[str, Path]) -> dict[str, TrainedTask]:
    return {name: elmo.load_task(folder) for name, folder in task_folders.items()}


def whole(name: str, text: Any) -> Any:
    """A text for a task; the first of two is short."""
    return ("Who came?", text) if name in PAIRS else text


def spans_in(value: Any, text: str) -> Iterator[dict[str, Any]]:
    """Yield every object of a record that has characters."""
    if isinstance(value, dict):
        text = value.get("passage", text)
        if "start" in value:
            yield {**value, "whole": text}
        for inner in value.values():
            yield from spans_in(inner, text)
    elif isinstance(value, list):
        for inner in value:
            yield from spans_in(inner, text)


@pytest.mark.parametrize("name", TASKS)
class TestEveryTask:
    def test_forms_of_input(self, name: str, tasks: dict[str, TrainedTask]) -> None:
        """One text, several, a generator, words, sentences of words, keywords: the same results."""
        task = tasks[name]
        [result] = task([whole(name, TEXT)])
        assert isinstance(result, TaskResult)
        for again in (*task(whole(name, text) for text in [TEXT, TEXT]), *task.stream([whole(name, TEXT)])):
            assert _rounded(again.to_dict()) == _rounded(result.to_dict())
        assert task([]) == []
        if name in PAIRS:
            assert task(f"Who came? ||| {TEXT}") == result
            assert task(**dict(zip(PAIRS[name], whole(name, TEXT), strict=True))) == result
            assert task([dict(zip(PAIRS[name], whole(name, TEXT), strict=True))]) == [result]
        else:
            assert task(TEXT) == task(text=TEXT) == result
        sentences = [["Ann", "saw", "mister", "Hugo", "."], ["She", "ran", "."]]
        [by_words] = task([whole(name, sentences)])
        [by_sentence] = task([whole(name, sentences[0])])
        shown = json.dumps(by_words.to_dict())
        assert "Ann saw mister Hugo .\\nShe ran ." in shown
        assert "Ann saw mister Hugo ." in json.dumps(by_sentence.to_dict())

    def test_every_span_is_where_it_says(self, name: str, tasks: dict[str, TrainedTask]) -> None:
        text = f"  Zo\u0308e didn't\u00a0see <b>&amp;\n\n{TEXT} *ran* 😀 東京。"
        [result] = tasks[name]([whole(name, text)])
        record = result.to_dict()
        assert json.loads(json.dumps(record)) == record
        for found in spans_in(record, record.get("text", "")):
            assert found["whole"][found["start"] : found["end"]] == found["text"]
        for key in ("probability", "probabilities"):
            for value in re.findall(rf'"{key}": ([\d.e-]+)', json.dumps(record)):
                assert 0 <= float(value) <= 1.0001

    def test_one_text_does_not_depend_on_the_others(
        self, name: str, tasks: dict[str, TrainedTask], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """A stream is cut into runs, and its texts are read only as far as they are needed."""
        texts = [whole(name, f"{TEXT} " * count) for count in (1, 3, 2, 1)]
        expected = [text.to_dict() for one in texts for text in tasks[name]([one])]
        monkeypatch.setattr(trained_module, "RUN_WORDS", 30)
        taken = 0

        def source() -> Iterator[Any]:
            nonlocal taken
            for text in texts:
                taken += 1
                yield text

        stream = tasks[name].stream(source())
        first = next(stream)
        assert taken < len(texts)
        for result, record in zip([first, *stream], expected, strict=True):
            assert _rounded(result.to_dict()) == _rounded(record)

    @pytest.mark.parametrize("text", ["😀 😀😀", "Кошка сидит. 東京は大きい。", "!", "a" * 5000, "\ufeff\u200b."])
    def test_unusual_text(self, name: str, text: str, tasks: dict[str, TrainedTask]) -> None:
        [result] = tasks[name]([whole(name, text)])
        assert result._repr_html_()

    def test_empty_text(self, name: str, tasks: dict[str, TrainedTask]) -> None:
        if name in ("ner", "srl", "coref"):
            [result] = tasks[name]([" \n"])
            assert list(result) == []
            assert result.to_dict()["text"] == " \n"
        else:
            with pytest.raises(ValueError, match=r"text 1: the \w+ is empty"):
                tasks[name]([whole(name, TEXT), whole(name, " ")])

    def test_long_text(self, name: str, tasks: dict[str, TrainedTask]) -> None:
        """Thousands of words, with and without sentences."""
        count = 100_000 if os.environ.get("ELMO_TEST_FULL") else 3000
        for text in (f"{TEXT} " * (count // 12), "word " * count):
            if name == "snli":
                with pytest.raises(ValueError, match=r"the hypothesis has [\d,]+ words; the model reads at most 1,000"):
                    tasks[name]([whole(name, text)])
            else:
                [result] = tasks[name]([whole(name, text)])
                assert result.to_dict()

    def test_html(self, name: str, tasks: dict[str, TrainedTask]) -> None:
        """Well-formed, and text with markup is shown as it is."""
        markup = "<script>alert('Ann')</script> & \"She\" saw *Ann* <b>."
        [result] = tasks[name]([whole(name, f"{TEXT} {markup}")])
        shown = result._repr_html_()
        assert shown.count("<p ") == shown.count('<p dir="auto" ') > 0  # text from right to left
        assert "<script" not in shown
        assert "<b>." not in shown
        reader = _Reader()
        reader.feed(shown)
        assert reader.opened == []
        assert markup in reader.text or name == "srl"  # labels of mentions may be in between
        assert "http" not in shown

    def test_command(self, name: str, task_folders: dict[str, Path], tasks: dict[str, TrainedTask]) -> None:
        if name not in ("ner", "squad"):  # the others take the same path
            pytest.skip("one task of each kind is enough")
        given = f"Who came? ||| {TEXT}" if name in PAIRS else TEXT
        result = run("task", "predict", task_folders[name], given, "--json")
        [expected] = tasks[name]([given])
        assert _rounded(json.loads(result.stdout)) == _rounded(expected.to_dict())


class _Reader(HTMLParser):
    """Collects the text, and the elements that are open."""

    def __init__(self) -> None:
        super().__init__()
        self.opened: list[str] = []
        self.text = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.opened.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.opened.pop() == tag

    def handle_data(self, data: str) -> None:
        if "sub" not in self.opened:
            self.text += data


def _rounded(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _rounded(inner) for key, inner in value.items()}
    if isinstance(value, list):
        return [_rounded(inner) for inner in value]
    return pytest.approx(value, abs=1e-3) if isinstance(value, float) else value


def test_missing_and_wrong_texts(tasks: dict[str, TrainedTask]) -> None:
    squad, ner = tasks["squad"], tasks["ner"]
    for call, message in [
        (lambda: squad(question="Who?"), "the passage is missing: squad reads a question and a passage"),
        (lambda: squad("Who came?"), r"write a question and a passage with \|\|\| between them"),
        (lambda: squad("a ||| b ||| c"), r"write a question and a passage with \|\|\| between them"),
        (lambda: squad(question="", passage="Ann came."), "the question is empty"),
        (lambda: squad(question="Who?", passage=""), "the passage is empty"),
        (lambda: squad(question="Who?", text="Ann"), "squad does not read a text, only a question and a passage"),
        (lambda: squad(question="a " * 1001, passage="Ann"), "the question has 1,001 words; the model reads at most"),
        (lambda: squad([3]), "text 0: expected a question and a passage, got int"),
        (lambda: squad("Who?", passage="Ann"), "give either texts or question= and passage="),
        (lambda: ner(), "the text is missing"),
        (lambda: ner(3), "texts must be a list, not int"),
        (lambda: ner([None]), "text 0: the text must be a list, not NoneType"),
        (lambda: ner([["a", 3]]), "text 0: sentence 0, word 1: expected a string, got int"),
        (lambda: ner(b"bytes"), "texts must be a list"),
        (lambda: tasks["sst"](" "), "the text is empty; write a sentence"),
    ]:
        with pytest.raises(ValueError, match=message) as error:
            call()
        assert len(str(error.value).splitlines()) == 1


def test_a_document_without_sentences(tasks: dict[str, TrainedTask]) -> None:
    assert tasks["coref"].predict([CorefDocument("nothing", [], [])]) == [[]]


def test_words_of_a_stream_are_not_kept_forever(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("elmo.tasks.inputs.MAX_REMEMBERED", 5)
    vocabulary = TaskVocabulary(["b"])
    vocabulary.prepare([["a", "b"]])
    for number in range(50):
        ids = vocabulary.ids([["a", "b", f"w{number}", f"v{number}"]])
        assert vocabulary.ids([["a", "b"]])[0].tolist() == ids[0, :2].tolist() == [1, 2]
        assert vocabulary.characters[ids[0, 2]].tolist() != vocabulary.characters[ids[0, 3]].tolist()
    assert len(vocabulary._ids) < 12


class TestSharing:
    """Several tasks use one copy of the biLM, and find the same."""

    def test_one_copy(self, task_folders: dict[str, Path], tasks: dict[str, TrainedTask]) -> None:
        shared = load_tasks(task_folders.values())
        [model] = {id(task.elmo): task.elmo for task in shared}.values()
        assert model is not None
        assert all(task.model.words.layers.bilm is model.bilm for task in shared)
        engines = {id(task.model.words.layers._engine()) for task in shared}
        assert engines == {id(model.engine())}, "packed weights are shared, too"
        for task in shared:
            name = task.task.name
            text = whole(name, TEXT)
            assert _rounded(task([text])[0].to_dict()) == _rounded(tasks[name]([text])[0].to_dict())

    def test_with_a_loaded_model(self, task_folders: dict[str, Path], model: elmo.Embedder) -> None:
        ner = elmo.load_task(task_folders["ner"], elmo=model)
        srl = elmo.load_task(task_folders["srl"], elmo=ner.elmo)
        [sst] = load_tasks([task_folders["sst"]], elmo=[random_embedder(), model])
        assert ner.elmo is srl.elmo is sst.elmo is model
        assert [found.label for found in ner(TEXT)] == [
            found.label for found in elmo.load_task(task_folders["ner"])(TEXT)
        ]

    def test_a_shared_model_stays_as_it_is(self, task_folders: dict[str, Path], published_folder: Path) -> None:
        """The caller may be training it."""
        model = elmo.load(published_folder)
        model.bilm.train().requires_grad_(True)
        model.bilm.lstm.layers[0].bias.requires_grad_(False)
        before = {name: weight.requires_grad for name, weight in model.bilm.named_parameters()}
        ner = elmo.load_task(task_folders["ner"], elmo=model)
        ner(TEXT)
        assert {name: weight.requires_grad for name, weight in model.bilm.named_parameters()} == before
        assert all(module.training for module in model.bilm.modules())

    def test_other_models_are_not_shared(self, task_folders: dict[str, Path], tmp_path: Path) -> None:
        other = random_embedder()
        with pytest.raises(ValueError, match=r"was not trained with Embedder\(.*leave out elmo="):
            elmo.load_task(task_folders["ner"], elmo=other)
        [ner] = load_tasks([task_folders["ner"]], elmo=[other])
        assert ner.elmo is not other
        with pytest.raises(ValueError, match="elmo must be a Embedder"):
            elmo.load_task(task_folders["ner"], elmo="small")  # type: ignore[arg-type]
        baseline = tmp_path / "baseline"
        data = json.loads((task_folders["ner"] / "run.json").read_text())["data"]
        train("ner", TaskData(tuple(data["train"]), tuple(data["dev"])), baseline)
        with pytest.raises(ValueError, match="was not trained with"):
            elmo.load_task(baseline, elmo=other)
        assert load_tasks([baseline], elmo=[other])[0].elmo is None

    def test_a_model_that_was_trained_along_is_not_shared(
        self, task_folders: dict[str, Path], published_folder: Path, tmp_path: Path
    ) -> None:
        data = json.loads((task_folders["ner"] / "run.json").read_text())["data"]
        train(
            "ner", TaskData(tuple(data["train"]), tuple(data["dev"])), tmp_path / "own", published_folder, frozen=False
        )
        own, ner = load_tasks([tmp_path / "own", task_folders["ner"]])
        assert own.elmo is None
        assert ner.elmo is not None
        assert own.model.words.bilm is not ner.elmo.bilm

    def test_runs_that_do_not_record_the_model(self, task_folders: dict[str, Path], tmp_path: Path) -> None:
        folder = tmp_path / "older"
        shutil.copytree(task_folders["ner"], folder)
        record = json.loads((folder / "run.json").read_text())
        del record["base_model"], record["sha256"]
        (folder / "run.json").write_text(json.dumps(record))
        first, second = load_tasks([folder, task_folders["srl"]])
        assert first.elmo is second.elmo

    def test_another_version_of_a_model_by_name(
        self, task_folders: dict[str, Path], published_folder: Path, tmp_path: Path
    ) -> None:
        """Vectors of other weights would give wrong results without a word."""
        folder = tmp_path / "named"
        shutil.copytree(task_folders["ner"], folder)
        record = json.loads((folder / "run.json").read_text())
        del record["sha256"]
        (folder / "run.json").write_text(json.dumps(record | {"elmo": str(published_folder)}))
        model = elmo.load(str(published_folder))
        assert elmo.load_task(folder, elmo=model).elmo is model
        assert elmo.load_task(folder).elmo is not None
        record = {**record, "elmo": str(published_folder), "base_model": "other"}
        (folder / "run.json").write_text(json.dumps(record))
        with pytest.raises(ValueError, match="named: was trained with another version of the model"):
            elmo.load_task(folder)
        with pytest.raises(ValueError, match="named: was not trained with Embedder"):
            elmo.load_task(folder, elmo=model)


def random_embedder() -> elmo.Embedder:
    config = elmo.BiLMConfig(WordTableConfig(3, 4), LSTMConfig(6, 4))
    bilm = elmo.BiLM(config, Vocabulary(["<S>", "</S>", "<UNK>"]))
    bilm.init_weights()
    return elmo.Embedder(bilm)


def test_card(task_folders: dict[str, Path], tmp_path: Path) -> None:
    """What is known about a model: from its run, or from a card in its folder."""
    task = elmo.load_task(task_folders["ner"])
    assert task.card.trained_on == "ner.conll"
    assert task.card.scores["dev"].keys() == {"F1", "precision", "recall"}
    assert task.card.scores["test"] is None
    assert task.labels == ["person", "place"]
    assert elmo.load_task(task_folders["squad"]).labels == []
    assert "V" not in elmo.load_task(task_folders["srl"]).labels
    folder = tmp_path / "run"
    shutil.copytree(task_folders["ner"], folder)
    (folder / "README.md").write_text("---\ntrained_on: made-up names\n---\n# A model\n")
    (folder / "metrics.json").unlink()
    card = elmo.load_task(folder).card
    assert (card.trained_on, card.scores) == ("made-up names", {"dev": None, "test": None})


class TestSaving:
    @pytest.mark.parametrize("name", TASKS)
    def test_round_trip(self, name: str, tasks: dict[str, TrainedTask], tmp_path: Path) -> None:
        task = tasks[name]
        save_task(task, tmp_path / "saved")
        again = elmo.load_task(tmp_path / "saved")
        assert again.card == task.card
        assert again.labels == task.labels
        text = whole(name, f"{TEXT} Unbekannt.")
        assert again([text]) == task([text])
        save_task(again, tmp_path / "twice")
        assert elmo.load_task(tmp_path / "twice")([text]) == task([text])

    def test_without_the_shared_model(self, task_folders: dict[str, Path], tmp_path: Path) -> None:
        task = elmo.load_task(task_folders["ner"])
        save_task(task, tmp_path / "saved", with_elmo=False)
        assert not (tmp_path / "saved" / "elmo").exists()
        assert elmo.load_task(tmp_path / "saved", elmo=task.elmo)(TEXT) == task(TEXT)
        with pytest.raises(ValueError, match="saved: was saved without its ELMo model"):
            elmo.load_task(tmp_path / "saved")
        with pytest.raises(ValueError, match="already exists"):
            save_task(task, tmp_path / "saved")

    def test_a_model_that_was_trained_along(
        self, task_folders: dict[str, Path], published_folder: Path, tmp_path: Path
    ) -> None:
        data = json.loads((task_folders["ner"] / "run.json").read_text())["data"]
        files = TaskData(tuple(data["train"]), tuple(data["dev"]))
        train("ner", files, tmp_path / "own", published_folder, frozen=False)
        train("ner", files, tmp_path / "none")
        for name in ("own", "none"):
            task = elmo.load_task(tmp_path / name)
            save_task(task, tmp_path / f"{name}-saved", with_elmo=False)
            assert elmo.load_task(tmp_path / f"{name}-saved")(TEXT) == task(TEXT)

    def test_while_training(self, tasks: dict[str, TrainedTask], tmp_path: Path) -> None:
        ner = tasks["ner"]
        with pytest.raises(ValueError, match="still being trained"):
            save_task(TrainedTask(ner.task, ner.model, ner.label_sets), tmp_path / "saved")


class TestNames:
    def test_not_installed(self, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
        monkeypatch.setattr(packages, "entry_points", lambda **_: [])
        monkeypatch.chdir(tmp_path)
        for name in TASKS:
            with pytest.raises(
                ValueError,
                match=f"^{name}: no trained model of this task is installed; pip install elmo-model-tasks .*, or train",
            ):
                elmo.load_task(name)
        with pytest.raises(ValueError, match=r"chess: is not a run folder, and not the name of a task \(coref, ner, "):
            elmo.load_task("chess")
        with pytest.raises(ValueError, match="name must be the name of a task or a run folder, not int"):
            elmo.load_task(3)  # type: ignore[arg-type]

    def test_installed(self, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, task_folders: dict[str, Path]) -> None:
        """An entry point refers to a run folder; a folder of the same name is reached by its path."""
        entry = EntryPoint("ner", "installed_tasks:NER", packages.TASK_GROUP)
        (tmp_path / "installed_tasks.py").write_text(
            f"from pathlib import Path\nNER = Path({str(task_folders['ner'])!r})\n"
        )
        monkeypatch.syspath_prepend(tmp_path)
        monkeypatch.setattr(
            packages, "entry_points", lambda group, name="ner": [entry] if (group, name) == (entry.group, "ner") else []
        )
        monkeypatch.chdir(tmp_path)
        assert elmo.load_task("ner").task.name == "ner"
        (tmp_path / "ner").symlink_to(task_folders["sst"])
        with pytest.warns(UserWarning, match="both the name of a task and a folder"):
            assert elmo.load_task("ner").task.name == "ner"
        assert elmo.load_task("./ner").task.name == elmo.load_task(Path("ner")).task.name == "sst"

    def test_list(self, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, task_folders: dict[str, Path]) -> None:
        entry = EntryPoint("my-ner", "listed_tasks:NER", packages.TASK_GROUP)
        (tmp_path / "listed_tasks.py").write_text(
            f"from pathlib import Path\nNER = Path({str(task_folders['ner'])!r})\n"
        )
        monkeypatch.syspath_prepend(tmp_path)
        monkeypatch.setattr(packages, "entry_points", lambda group, name=None: [entry])
        first, *others = json.loads(run("task", "list", "--json").stdout)
        score = json.loads((task_folders["ner"] / "metrics.json").read_text())["dev"]["F1"]
        assert first == {
            "name": "my-ner",
            "task": "Named entities",
            "status": "installed",
            "score": f"F1 {score:.1f} (dev)",
            "trained_on": "ner.conll",
            "path": str(task_folders["ner"]),
        }
        assert [(task["name"], task["status"], task["path"]) for task in others] == [
            (name, "not installed", None) for name in TASKS
        ]
        lines = run("task", "list").stdout.decode().splitlines()
        assert lines[0].split() == ["name", "task", "status", "score", "trained", "on"]
        assert len(lines) == 8
        assert json.loads(run("info", "my-ner", "--json").stdout)["run"] == str(task_folders["ner"])

    def test_commands(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.chdir(tmp_path)
        assert "not a run folder" in error_of(run("task", "predict", "chess", "text"))
