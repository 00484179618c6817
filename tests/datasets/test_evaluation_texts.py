"""The texts of the evaluation data."""

from pathlib import Path

from paper.evaluation_data import PASSAGE, TWEET, write_evaluation_data

from elmo.datasets.evaluation_texts import EVALUATION_DATA, OUT_OF_DOMAIN, EvaluationText, read_evaluation_texts


def read(tmp_path: Path, sources: tuple) -> dict[str, EvaluationText]:
    folder = write_evaluation_data(tmp_path / "data")
    return {text.source.name: text for text in read_evaluation_texts(sources, folder, tmp_path / "extracted")}


def test_only_what_is_there_and_in_plain_words(tmp_path: Path) -> None:
    texts = read(tmp_path, OUT_OF_DOMAIN)
    assert list(texts) == [
        "EWT, reviews",
        "SST, test",
        "Broad Twitter, test",
        "EWT, email",
        "SNLI, test",
    ]
    assert texts["SST, test"].sentences == [["the", "isn", "'t"]]
    assert texts["EWT, reviews"].sentences == [["Good", "(", "food"]]  # the same sentence twice counts once
    assert [unit.name for unit in texts["EWT, reviews"].units] == ["reviews-1", "reviews-2"]
    assert texts["Broad Twitter, test"].sentences == [TWEET.split()]
    assert texts["SNLI, test"].sentences == [["A", "dog", "sees", "a", "cat", "."]]


def test_units_and_their_names(tmp_path: Path) -> None:
    texts = read(tmp_path, EVALUATION_DATA)
    assert [unit.name for unit in texts["SQuAD, dev"].units] == ["q1", "q3"]
    assert "".join(texts["SQuAD, dev"].units[0].sentences[0]) == PASSAGE.replace(" ", "")
    assert [unit.name for unit in texts["LitBank, dev and test"].units] == ["8_brat part 0", "9_brat part 0"]
    assert len(texts["LitBank, train"].units) == 8
    assert "SNLI, dev and test" not in texts  # because one of the two is missing
