"""Locating the data files of a task."""

import tarfile
from pathlib import Path

import pytest
from tasks.samples import ner

from elmo.datasets.folders import TaskData, data_folder, find_task_data, find_vectors


@pytest.fixture
def data(tmp_path: Path) -> Path:
    folder = tmp_path / "data"
    inside = tmp_path / "inside"
    for place in (folder / "tasks/ner", folder / "tasks/vectors", inside):
        place.mkdir(parents=True)
    for number, name in enumerate(("mine-train.conll", "mine.dev.conll", "mine.test.conll")):
        ner.write(inside / name, 30, number)
    with tarfile.open(folder / "tasks/ner/mine.tar.xz", "w:xz") as tar:
        tar.add(inside, "mine")
    vectors = "".join(f"{word} {number} 1 0.5\n" for number, word in enumerate(ner.PLAIN))
    (folder / "tasks/vectors/v.txt").write_text(vectors)
    return folder


def test_archives_are_extracted_once(data: Path, tmp_path: Path) -> None:
    first = find_task_data(data, "ner", tmp_path / "extracted")
    assert [Path(p).name for p in (*first.train, *first.dev, *first.test)] == [
        "mine-train.conll",
        "mine.dev.conll",
        "mine.test.conll",
    ]
    assert find_task_data(data, "ner", tmp_path / "extracted") == first
    assert find_vectors(data).name == "v.txt"


@pytest.mark.parametrize(
    ("task", "names"),
    [
        ("ner", ["eng.train", "eng.testa", "eng.testb"]),
        ("sst", ["train.8544.txt", "trees/dev.txt", "trees/test.txt"]),
        ("squad", ["train-v1.1.json.xz", "dev-v1.1.json.xz"]),
        ("snli", ["snli_1.0_train.jsonl", "snli_1.0_dev.jsonl", "snli_1.0_test.jsonl"]),
    ],
)
def test_common_file_names(tmp_path: Path, task: str, names: list[str]) -> None:
    for name in (*names, "README.md"):
        path = tmp_path / "tasks" / task / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("")
    found = find_task_data(tmp_path, task, tmp_path / "extracted")
    parts = (found.train, found.dev, found.test)
    assert [str(tmp_path / "tasks" / task / name) for name in names] == [p for part in parts for p in part]


def test_annotated_test_file_takes_precedence(tmp_path: Path) -> None:
    (tmp_path / "tasks/ner").mkdir(parents=True)
    for name in ("wnut17train.conll", "emerging.dev.conll", "emerging.test.conll", "emerging.test.annotated"):
        (tmp_path / "tasks/ner" / name).write_text("")
    (test,) = find_task_data(tmp_path, "ner", tmp_path / "extracted").test
    assert test.endswith("annotated")


def test_documents_without_a_split(data: Path, tmp_path: Path) -> None:
    (data / "tasks/coref").mkdir()
    for number in range(20):
        (data / f"tasks/coref/{number:02d}_novel.conll").write_text("")
    found = find_task_data(data, "coref", tmp_path / "extracted")
    assert [Path(p).name[:2] for p in found.dev] == ["08", "18"]
    assert [Path(p).name[:2] for p in found.test] == ["09", "19"]
    assert len(found.train) == 16


def test_missing_data(data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("ELMO_DATA", raising=False)
    with pytest.raises(ValueError, match="--data"):
        data_folder(None)
    with pytest.raises(ValueError, match="no folder tasks"):
        data_folder(tmp_path)
    with pytest.raises(ValueError, match="no such folder"):
        find_task_data(data, "srl", tmp_path)
    (data / "tasks/srl").mkdir()
    with pytest.raises(ValueError, match="no file for train"):
        find_task_data(data, "srl", tmp_path)
    (data / "tasks/vectors/w.txt").write_text("a 1 2\n")
    with pytest.raises(ValueError, match=r"\(v.txt, w.txt\); choose one with --vectors"):
        find_vectors(data)
    (data / "tasks/ner/other.tar").write_text("no archive")
    with pytest.raises(ValueError, match="cannot be extracted"):
        find_task_data(data, "ner", tmp_path)
    monkeypatch.setenv("ELMO_DATA", str(data))
    assert data_folder(None) == data


def test_task_data_of_older_runs_is_read() -> None:
    old = {"train": ["a"], "dev": ["b"], "test": [], "fraction": 0.5, "most": [10, 20]}
    data = TaskData.from_dict(old)
    assert data == TaskData.from_dict({**{k: v for k, v in old.items() if k != "most"}, "max_examples": [10, 20]})
    assert (data.fraction, list(data.max_examples or ())) == (0.5, [10, 20])
