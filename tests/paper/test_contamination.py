"""Evaluation data in training text: n-grams against a slow twin, and the command as a whole."""

import hashlib
import json
import random
from pathlib import Path

import pytest
from commands import error_of, run
from paper.evaluation_data import DOCUMENT, PASSAGE, write_evaluation_data

from elmo.datasets.evaluation_texts import TextUnit
from elmo.datasets.squad import Question, read_squad
from elmo.paper.contamination import ALL, LONG, SHORT, NGrams, comparable_words, compare, scores_by_contamination
from elmo.results import read_results
from elmo.tasks.task import task_named


def test_comparable_words_do_not_depend_on_the_tokenization() -> None:
    raw = "“I don't like the Café’s co-op—no,” he said: 1,000 times."
    tokenized = "\" I don 't like the Café 's co-op - no , \" he said : 1,000 times ."
    expected = "i don t like the café s co op no he said 1 000 times".encode()
    assert b" ".join(comparable_words(raw.encode())) == b" ".join(comparable_words(tokenized.encode())) == expected


def ngrams(words: list[bytes], n: int) -> list[tuple[bytes, ...]]:
    return [tuple(words[i : i + n]) for i in range(len(words) - n + 1)]


@pytest.mark.parametrize("seed", range(5))
def test_the_same_ngrams_as_the_slow_twin(seed: int) -> None:
    chance = random.Random(seed)
    alphabet = [b"a", b"b", b"c"]
    units = [[chance.choice(alphabet) for _ in range(chance.randrange(30))] for _ in range(20)]
    text = [chance.choice([*alphabet, b"other"]) for _ in range(3000)]
    fast = NGrams(units)
    for n, length, found in zip((0, 1), (SHORT, LONG), fast.found_in(text), strict=True):
        inside = set(ngrams(text, length))
        known = dict(zip(fast.known[n].tolist(), range(len(fast.known[n])), strict=True))
        for unit, hashes in zip(units, fast.of_unit, strict=True):
            twin = [gram in inside for gram in ngrams(unit, length)]
            assert [known[value] in found for value in hashes[n].tolist()] == twin


def test_thresholds_and_texts(tmp_path: Path) -> None:
    words = [f"w{n}" for n in range(40)]
    (tmp_path / "a.txt").write_text(" ".join(words[:20]) + "\n")
    (tmp_path / "b.txt").write_text(" ".join(words[20:33]) + "\n")
    units = {
        "whole": words[:20], "most": [*words[:17], "x", "y"], "half": [*words[:13], *"uvwxyzst"],
        "other": words[20:33], "short": words[:7], "none": ["x"] * 20,
    }  # fmt: skip
    data = {"data": ("passage", [TextUnit(name, [text]) for name, text in units.items()])}
    result = compare(data, [tmp_path / "a.txt", tmp_path / "b.txt"])
    (text,) = result.texts
    assert text.names == ["whole", "most", "half", "other", "none"]  # too short to be measured
    assert text.n_units == 6
    assert text.fractions["a"].tolist() == [1, 10 / 12, 6 / 14, 0, 0]
    assert text.contaminated("a") == 40
    assert text.contaminated("b") == 20
    assert text.contaminated(ALL) == 60
    assert text.overlapping(ALL) == 80  # also the half
    assert [unit["unit"] for unit in result.units()] == ["whole", "most", "other"]
    assert result.words == {"a": 20, "b": 13}
    assert result.hashes["a"] == hashlib.sha256((tmp_path / "a.txt").read_bytes()).hexdigest()
    assert [len(m.details["text_hashes"]) for m in result.results()] == [1, 1, 1, 1, 2, 2]
    assert result.table().rows == [["data", "passage", "5 of 6", "40.0 %", "20.0 %", "60.0 %", "80.0 %"]]


def test_command(tmp_path: Path) -> None:
    data = write_evaluation_data(tmp_path / "data")
    (tmp_path / "train.txt").write_text(f"Some text.\n{PASSAGE}\n{DOCUMENT.upper()}\n", "utf-8")
    results = tmp_path / "results"
    command = ("analyze", "contamination", tmp_path / "train.txt", "--data", data, "-o", results)
    assert run(*command).returncode == 0
    table = (results / "contamination.md").read_text()
    assert "| SQuAD, dev | passage | 2 | 50.0 % | 50.0 % |" in table
    assert "| LitBank, dev and test | document | 2 | 100.0 % | 100.0 % |" in table
    assert "| held out: en, dev | sentence | 1 of 2 | 0.0 % | 0.0 % |" in table
    found = [json.loads(line) for line in (results / "contamination-units.jsonl").read_text().splitlines()]
    assert {"data": "SQuAD, dev", "unit": "q1", "found": 1.0} in found
    recorded = read_results(results / "analysis.jsonl")
    assert {result.what for result in recorded} == {"contamination"}
    assert [r.value for r in recorded if r.details["data"] == "SQuAD, dev"] == [50, 50]
    assert "no such file" in error_of(run("analyze", "contamination", tmp_path / "none.txt", *command[3:])).lower()


class KnowsEverything:
    """In place of a trained model: it gives the right answers, but for the first passage only."""

    task = task_named("squad")

    def predict(self, questions: list[Question]) -> list[tuple[int, int]]:
        return [(8, 12) if question.id != "q3" else (0, 3) for question in questions]  # "king"


def test_scores_of_both_parts(tmp_path: Path) -> None:
    questions = read_squad(write_evaluation_data(tmp_path) / "tasks/squad/dev-v1.1.json")
    scores = scores_by_contamination(KnowsEverything(), questions, ["q1"])
    assert scores["contaminated"]["examples"] == 2  # both questions about the passage
    assert scores["contaminated"]["F1"] == 100
    assert scores["clean"]["examples"] == 1
    assert scores["clean"]["F1"] == 0
    assert list(scores_by_contamination(KnowsEverything(), questions, [])) == ["clean"]
