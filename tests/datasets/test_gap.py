"""GAP: the reader and the scores."""

from pathlib import Path

import pytest

from elmo.datasets.gap import COLUMNS, AmbiguousPronoun, gap_scores, read_gap, says_same
from elmo.tasks.coref import Document

TEXT = "The judge, Dr. Ann Lee-Poe, met Mary Roe. She left."
ROW = ["test-1", TEXT, "She", "42", "Ann Lee", "15", "TRUE", "Mary Roe", "32", "FALSE", "http://some.where/"]


def written(tmp_path: Path, *rows: list[str]) -> Path:
    path = tmp_path / "gap.tsv"
    path.write_text("\n".join("\t".join(row) for row in (list(COLUMNS), *rows)) + "\n", "utf-8")
    return path


def test_reads_examples_and_finds_their_words(tmp_path: Path) -> None:
    (example,) = read_gap(written(tmp_path, ROW))
    words = [word for sentence in example.document.sentences for word in sentence]
    found = [words[start:end] for start, end in (example.pronoun, *example.names)]
    assert found == [["She"], ["Ann", "Lee-Poe"], ["Mary", "Roe"]]
    assert example.same == (True, False)
    assert not example.masculine
    assert len(example.document.sentences) == 2


@pytest.mark.parametrize(
    ("column", "value", "reason"),
    [
        (2, "It", "'It' is none of he, him"),
        (3, "x", "Pronoun, 'She', is not at 'x' in the text"),
        (5, "14", "A, 'Ann Lee', is not at '14' in the text"),
        (8, "999", "B, 'Mary Roe', is not at '999'"),
        (9, "maybe", "B-coref is 'maybe', not TRUE or FALSE"),
        (10, "a\tb", "has 12 columns, not 11"),
    ],
)
def test_names_the_line_that_is_broken(tmp_path: Path, column: int, value: str, reason: str) -> None:
    broken = [*ROW[:column], value, *ROW[column + 1 :]]
    with pytest.raises(ValueError, match=rf"gap\.tsv, line 3: {reason}"):
        read_gap(written(tmp_path, ROW, broken))


def test_refuses_other_files(tmp_path: Path) -> None:
    path = tmp_path / "other.tsv"
    path.write_text("one\ttwo\n")
    with pytest.raises(ValueError, match=r"other\.tsv, line 1: is not the heading"):
        read_gap(path)


def test_a_name_may_be_mentioned_in_part_or_with_a_title() -> None:
    pronoun, name = (20, 21), (5, 7)
    for mention in [(5, 7), (6, 7), (5, 6), (4, 7)]:
        assert says_same([[mention, pronoun]], pronoun, name)
        assert not says_same([[mention], [pronoun]], pronoun, name)
    for mention in [(3, 7), (5, 8), (4, 6), (7, 8)]:
        assert not says_same([[mention, pronoun]], pronoun, name)
    assert not says_same([], pronoun, name)


def test_scores_by_gender() -> None:
    def example(masculine: bool, *same: bool) -> AmbiguousPronoun:
        return AmbiguousPronoun(Document("", [], []), (9, 10), ((0, 1), (2, 3)), (same[0], same[1]), masculine)

    examples = [example(True, True, False), example(True, False, True), example(False, True, False)]
    predictions = [[[(0, 1), (9, 10)]], [[(0, 1), (9, 10)]], [[(0, 1), (2, 3), (9, 10)]]]
    scores = gap_scores(examples, predictions)
    assert scores["F1 masculine"] == pytest.approx(50)  # 1 of 2 said, 1 of 2 to be said
    assert scores["F1 feminine"] == pytest.approx(100 * 2 / 3)
    assert scores["F1"] == pytest.approx(100 * 2 * (2 / 4) * (2 / 3) / (2 / 4 + 2 / 3))
    assert scores["bias"] == pytest.approx(4 / 3)
    assert gap_scores(examples, [[], [], []])["bias"] == 0
