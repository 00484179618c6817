"""Locating the data files of a task."""

from pathlib import Path

import pytest
from tasks.samples.data_folder import write_data_folder

from elmo.datasets.folders import TaskData, data_folder, find_task_data, find_vectors, has_dataset, split_name


@pytest.fixture
def data(tmp_path: Path) -> Path:
    return write_data_folder(tmp_path)


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
        ("sst", ["trees/train.txt", "trees/dev.txt", "trees/test.txt"]),
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


class TestSeveralDatasets:
    @pytest.fixture
    def folder(self, data: Path, tmp_path: Path) -> Path:
        """Return a data folder with the datasets ``mine``, ``wnut17-own`` and ``conll2003``, and a read-me file."""
        home = data / "tasks/ner"
        for name in ("wnut17-own/own.train.conll", "wnut17-own/own.dev.conll", "conll2003/eng.train"):
            (home / name).parent.mkdir(exist_ok=True)
            (home / name).write_text("")
        (home / "conll2003/eng.testa").write_text("")
        (home / "README.txt").write_text("what this is")
        (home / "notes").mkdir()  # no data
        return data

    @pytest.mark.parametrize(
        ("name", "train"),
        [
            ("ner", "own.train.conll"),  # the default, whose name may go on
            ("ner/wnut17", "own.train.conll"),
            ("ner/wnut17-own", "own.train.conll"),
            ("ner/conll2003", "eng.train"),
            ("ner/mine", "mine-train.conll"),
        ],
    )
    def test_each_by_its_name(self, folder: Path, tmp_path: Path, name: str, train: str) -> None:
        found = find_task_data(folder, name, tmp_path / "extracted")
        assert [Path(path).name for path in found.train] == [train]
        assert len(found.dev) == 1
        assert has_dataset(folder, name)

    def test_files_beside_them_have_the_name_of_the_task(self, folder: Path, tmp_path: Path) -> None:
        for name in ("train.conll", "dev.conll"):
            (folder / "tasks/ner" / name).write_text("")
        found = find_task_data(folder, "ner/ner", tmp_path / "extracted")
        assert found.train == (str(folder / "tasks/ner/train.conll"),)

    def test_unclear_or_missing(self, folder: Path, tmp_path: Path) -> None:
        with pytest.raises(ValueError, match=r"no dataset conll \(found: ner/mine, ner/conll2003, ner/wnut17-own\)"):
            find_task_data(folder, "ner/conll", tmp_path)
        assert not has_dataset(folder, "ner/conll")
        assert not has_dataset(folder, "coref/ontogum")
        (folder / "tasks/ner/wnut17-other.tar").write_text("")
        with pytest.raises(ValueError, match="which dataset to use is not clear"):
            find_task_data(folder, "ner", tmp_path)

    def test_the_default_needs_no_name(self) -> None:
        assert split_name("ner/wnut17") == split_name("ner") == ("ner", None)
        assert split_name("coref/ontogum") == ("coref", "ontogum")


def test_missing_data(data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("ELMO_DATA", raising=False)
    with pytest.raises(ValueError, match="--data"):
        data_folder(None)
    with pytest.raises(ValueError, match="no folder tasks"):
        data_folder(tmp_path)
    with pytest.raises(ValueError, match="no such folder"):
        find_task_data(data, "srl", tmp_path)
    (data / "tasks/srl").mkdir()
    with pytest.raises(ValueError, match=r"not clear \(found: none\)"):
        find_task_data(data, "srl", tmp_path)
    (data / "tasks/srl/my.dev.conll").write_text("")
    with pytest.raises(ValueError, match="no file for train"):
        find_task_data(data, "srl", tmp_path)
    (data / "tasks/vectors/v.txt").unlink()
    with pytest.raises(ValueError, match="has no file of static vectors"):
        find_vectors(data)
    (data / "tasks/ner/other.tar").write_text("no archive")
    with pytest.raises(ValueError, match="cannot be extracted"):
        find_task_data(data, "ner/other", tmp_path)
    monkeypatch.setenv("ELMO_DATA", str(data))
    assert data_folder(None) == data


def test_the_largest_file_of_vectors(data: Path) -> None:
    home = data / "tasks/vectors"
    (home / "more.txt").write_text("a 1 2 3\n")  # a supplement
    assert find_vectors(data).name == "v.txt"
    (home / "a.txt").write_text((home / "v.txt").read_text() * 2)
    assert find_vectors(data).name == "a.txt"


def test_task_data_of_older_runs_is_read() -> None:
    old = {"train": ["a"], "dev": ["b"], "test": [], "fraction": 0.5, "most": [10, 20]}
    data = TaskData.from_dict(old)
    assert data == TaskData.from_dict({**{k: v for k, v in old.items() if k != "most"}, "max_examples": [10, 20]})
    assert (data.fraction, list(data.max_examples or ())) == (0.5, [10, 20])
