"""Datasets that are made from two others."""

from pathlib import Path

import pytest

from elmo.datasets.columns import read_entities
from elmo.datasets.combined import without_singletons
from elmo.datasets.coreference import read_coreference
from elmo.datasets.folders import TaskData, find_task_data, has_dataset
from elmo.tasks.task import task_named


def write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)


@pytest.fixture
def entities(tmp_path: Path) -> Path:
    for name in ("general.train", "general.dev", "general.test-web", "general.test-wiki"):
        write(tmp_path / f"tasks/ner/general/{name}.conll", "Ann B-PER\nSmith I-PER\nslept O\n\nRome B-LOC\n")
    wnut = "Bo\tB-person\nin\tO\nRome\tB-location\n\t\niPhone\tB-product\nof\tO\nApple\tB-corporation\n"
    for name in ("train.conll", "emerging.dev.conll", "emerging.test.conll", "emerging.test.annotated"):
        write(
            tmp_path / "tasks/ner/wnut17" / name,
            f"{wnut}\t\nThe\tO\nBeatles\tB-group\nplay\tO\nHelp\tB-creative-work\n",
        )
    return tmp_path


def names(paths: tuple[str, ...]) -> list[str]:
    return [Path(path).name for path in paths]


def test_everyday_entities(entities: Path, tmp_path: Path) -> None:
    assert has_dataset(entities, "ner/everyday")
    found = find_task_data(entities, "ner/everyday", tmp_path / "extracted")
    assert names(found.train) == ["general.train.conll", "wnut17.train.conll"]
    assert names(found.dev) == ["general.dev.conll", "wnut17.dev.conll"]
    assert names(found.test) == ["general.test-web.conll", "general.test-wiki.conll", "wnut17.test.conll"]
    first, second = map(read_entities, found.train)
    assert [(example.words, example.spans) for example in first] == [
        (["Ann", "Smith", "slept"], [("PER", 0, 2)]),
        (["Rome"], [("LOC", 0, 1)]),
    ]
    assert [(example.words, example.spans) for example in second] == [
        (["Bo", "in", "Rome"], [("PER", 0, 1), ("LOC", 2, 3)]),
        (["iPhone", "of", "Apple"], [("ORG", 2, 3)]),
        (["The", "Beatles", "play", "Help"], [("ORG", 1, 2)]),
    ]
    labels = task_named("ner").label_sets([*first, *second])["labels"]
    assert labels == ["O", "B-LOC", "I-LOC", "B-ORG", "I-ORG", "B-PER", "I-PER"]


def test_written_once(entities: Path, tmp_path: Path) -> None:
    extracted = tmp_path / "extracted"
    first = find_task_data(entities, "ner/everyday", extracted)
    Path(first.train[0]).write_text("")
    assert find_task_data(entities, "ner/everyday", extracted) == first
    assert Path(first.train[0]).read_text() == ""


def test_a_dataset_of_that_name_takes_precedence(entities: Path, tmp_path: Path) -> None:
    for split in ("train", "dev"):
        write(entities / f"tasks/ner/everyday/{split}.conll", "Ann B-X\n")
    found = find_task_data(entities, "ner/everyday", tmp_path / "extracted")
    folder = entities / "tasks/ner/everyday"
    assert found == TaskData((str(folder / "train.conll"),), (str(folder / "dev.conll"),))


def test_a_source_is_missing(entities: Path, tmp_path: Path) -> None:
    (entities / "tasks/ner/general").rename(entities / "tasks/ner/other")
    assert not has_dataset(entities, "ner/everyday")
    with pytest.raises(ValueError, match=r"tasks/ner: has no dataset general"):
        find_task_data(entities, "ner/everyday", tmp_path / "extracted")
    assert not (tmp_path / "extracted/ner/everyday").exists()


LITBANK = """#begin document (book{number}); part 0
book 0 0 Ann _ _ _ _ _ _ _ _ (1)
book 0 1 met _ _ _ _ _ _ _ _
book 0 2 the _ _ _ _ _ _ _ _ (2
book 0 3 cook _ _ _ _ _ _ _ _ 2)

book 0 0 She _ _ _ _ _ _ _ _ (1)|(3
book 0 1 and _ _ _ _ _ _ _ _
book 0 2 4 _ _ _ _ _ _ _ _ 3)

#end document
"""
ONTOGUM = """#begin document (talk); part 0
talk 0 0 I PRP * - - - Zoe * (7)
talk 0 1 saw VBD * - - - Zoe * -
talk 0 2 me PRP * - - - Zoe * (7)

#end document
"""


def test_both_kinds_of_coreference(tmp_path: Path) -> None:
    for split in ("train", "dev", "test"):
        write(tmp_path / f"tasks/coref/ontogum/ontogum.{split}.conll", ONTOGUM)
    for number in range(20):
        write(tmp_path / f"tasks/coref/litbank/{number:02}.conll", LITBANK.format(number=number))
    found = find_task_data(tmp_path, "coref/both", tmp_path / "extracted")
    for split, count in (("train", 16), ("dev", 2), ("test", 2)):
        paths = getattr(found, split)
        assert names(paths) == [f"litbank.{split}.conll", f"ontogum.{split}.conll"]
        books, [talk] = map(read_coreference, paths)
        assert len(books) == count
        assert all(book.clusters == [[(0, 1), (4, 5)]] for book in books)
        assert books[0].sentences == [["Ann", "met", "the", "cook"], ["She", "and", "4"]]
        assert (talk.clusters, talk.speakers) == ([[(0, 1), (2, 3)]], ["Zoe"])
        assert task_named("coref").label_sets([*books, talk]) == {"clusters": []}


def test_without_singletons_in_every_document() -> None:
    """The same number in another document is another cluster."""
    first, second = ["#begin document (a)", "a 0 0 Ann - (1)"], ["#begin document (b)", "b 0 0 He - (1)"]
    expected = [[first[0], "a\t0\t0\tAnn\t-\t(1)"], ["a\t0\t0\tShe\t-\t(1)"], [second[0], "b\t0\t0\tHe\t-\t-"]]
    assert list(without_singletons([first, ["a 0 0 She - (1)|(2)"], second])) == expected
