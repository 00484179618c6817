"""Reading SNLI."""

import json
import lzma
from pathlib import Path

import pytest

from elmo.datasets.nli import EntailmentPair, read_nli

GOOD = {"gold_label": "neutral", "sentence1": "A man waits.", "sentence2": "He isn't happy."}


def test_raw_and_pretokenized_pairs(tmp_path: Path) -> None:
    split = {**GOOD, "sentence1": "A man waits .", "sentence2": "He is n't happy .", "pairID": "7"}
    path = tmp_path / "some.jsonl.xz"
    undecided = {"gold_label": "-", "sentence1": "", "sentence2": ""}
    path.write_bytes(lzma.compress("\n\n".join(map(json.dumps, [GOOD, undecided, split])).encode()))
    words = (["A", "man", "waits", "."], ["He", "isn", "'t", "happy", "."])
    assert read_nli(path) == [EntailmentPair(*words, "neutral")] * 2


def test_lists_of_words_and_other_names(tmp_path: Path) -> None:
    lists = {"gold_label": "neutral", "sentence1": ["손", "을", "don't"], "sentence2": ["씻", "었", "다"]}
    klue = {"gold_label": "entailment", "premise": "A man waits.", "hypothesis": "He isn't happy."}
    (tmp_path / "some.jsonl").write_text("\n".join(map(json.dumps, [lists, klue])))
    first, second = read_nli(tmp_path / "some.jsonl")
    assert first == EntailmentPair(["손", "을", "don't"], ["씻", "었", "다"], "neutral")
    assert second == EntailmentPair(["A", "man", "waits", "."], ["He", "isn", "'t", "happy", "."], "entailment")


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ('{"gold_label": "neutral", ', "is not JSON"),
        ("[1, 2]", "has no gold_label"),
        (json.dumps({"gold_label": "neutral", "sentence1": "A man ."}), "has no sentence2"),
        (json.dumps({**GOOD, "sentence1": 3}), "has no sentence1"),
        (json.dumps({**GOOD, "gold_label": "maybe"}), "'maybe' is not a label"),
        (json.dumps({**GOOD, "sentence1": " "}), "sentence1 is empty"),
        (json.dumps({**GOOD, "sentence2": ""}), "sentence2 is empty"),
        (json.dumps({**GOOD, "sentence2": []}), "sentence2 is empty"),
        (json.dumps({**GOOD, "sentence2": ["a", 1]}), "has no sentence2"),
        (json.dumps({"gold_label": "neutral", "premise": "A man ."}), "has no hypothesis"),
    ],
)
def test_malformed(tmp_path: Path, line: str, reason: str) -> None:
    path = tmp_path / "broken.jsonl"
    path.write_text(f"{json.dumps(GOOD)}\n\n{line}\n")
    with pytest.raises(ValueError, match=rf"broken\.jsonl, line 3: {reason}"):
        read_nli(path)
