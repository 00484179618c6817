from collections.abc import Sequence

import pytest
import torch

from elmo.config import CharCNNConfig
from elmo.model.batches import by_length, collate, from_ids, in_runs
from elmo.model.token_layers import CharCNN
from elmo.text import characters

CNN = CharCNN(CharCNNConfig(filters=((1, 2), (48, 2)), projection_dim=2))  # so wide that nothing is trimmed


def words_to_ids(words: Sequence[str]) -> torch.Tensor:
    return torch.from_numpy(characters.words_to_ids(words))


def test_collate_encodes_each_word_once() -> None:
    batch = collate([["a", "b", "a"], [], ["b"]], words_to_ids)
    assert batch.lengths == (5, 2, 3)
    assert torch.equal(batch.words, words_to_ids(["<S>", "</S>", "a", "b"]))
    assert batch.positions.tolist() == [[0, 2, 3, 2, 1], [0, 1, 0, 0, 0], [0, 3, 1, 0, 0]]
    assert batch.mask.sum(1).tolist() == [5, 2, 3]


def test_character_ids_give_the_same_batch() -> None:
    sentences = [["b", "a"], [], ["a"]]
    ids = torch.zeros(3, 2, 50, dtype=torch.long)
    for row, sentence in zip(ids, sentences, strict=True):
        row[: len(sentence)] = words_to_ids(sentence)
    direct, batch = collate(sentences, words_to_ids), from_ids(ids, CNN)
    assert batch.lengths == direct.lengths
    mask = batch.mask
    assert torch.equal(batch.words[batch.positions][mask], direct.words[direct.positions][mask])


@pytest.mark.parametrize(
    ("ids", "message"),
    [
        pytest.param(torch.ones(2, 50, dtype=torch.long), "axes", id="two axes"),
        pytest.param(torch.tensor([[[0] * 5, [1, 2, 3, 4, 5]]]), "padding before a word", id="padding on the left"),
    ],
)
def test_bad_character_ids(ids: torch.Tensor, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        from_ids(ids, CNN)


def test_in_runs() -> None:
    stream = [["a"], [], ["b", "c"], ["d"] * 20, []]
    assert list(in_runs(stream, 5)) == [stream[:2], stream[2:4], stream[4:]]
    assert list(in_runs([], 5)) == []


def test_by_length() -> None:
    groups = list(by_length([3, 9, 1, 3, 20], budget=10))
    assert groups == [[4], [1], [0, 3, 2]]
    assert list(by_length([], 10)) == []
    with pytest.raises(ValueError, match="at least 1"):
        list(by_length([1], 0))
