from collections.abc import Sequence

import numpy as np
import pytest
import torch

import elmo
from elmo.config import CharCNNConfig, LSTMConfig, WordTableConfig
from elmo.model.batches import by_length, collate, from_ids, in_runs, is_word, to_ids
from elmo.model.token_layers import CharCNN
from elmo.text import characters
from elmo.text.vocabulary import Vocabulary

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


class TestIds:
    """Ids in the form in which other libraries pass them around."""

    SENTENCES = (["the", "play"], [], ["the", "x" * 60, "the", ""])

    @pytest.fixture
    def word_model(self) -> elmo.BiLM:
        config = elmo.BiLMConfig(WordTableConfig(5, 4), LSTMConfig(6, 4))
        return elmo.BiLM(config, Vocabulary(["<S>", "</S>", "<UNK>", "the", "play"])).eval()

    @pytest.mark.parametrize("kind", ["characters", "words"])
    def test_there_and_back(self, kind: str, model: elmo.Embedder, word_model: elmo.BiLM) -> None:
        bilm = model.bilm if kind == "characters" else word_model
        ids = to_ids(self.SENTENCES, bilm.config.token_layer, bilm.token_layer.vocabulary)
        assert ids.shape == ((3, 4, 50) if kind == "characters" else (3, 4))
        assert is_word(ids).sum(1).tolist() == [2, 0, 4]
        with torch.inference_mode():
            layers = bilm(from_ids(ids, bilm.token_layer)).layers
        for row, sentence in enumerate(elmo.Embedder(bilm).embed(self.SENTENCES)):
            ours = layers[:, row, 1 : 1 + len(sentence.tokens)].numpy()
            np.testing.assert_allclose(ours, sentence.layers, atol=1e-5, rtol=1e-5)

    def test_distinct_words_are_read_once(self, model: elmo.Embedder) -> None:
        ids = to_ids([["the", "the"], ["the"]], model.bilm.config.token_layer, None)
        batch = from_ids(ids, model.bilm.token_layer)
        assert len(batch.words) == 3
        assert batch.words.shape[1] < 50
        assert batch.lengths == (4, 3)

    def test_no_sentences(self, model: elmo.Embedder) -> None:
        assert to_ids([], model.bilm.config.token_layer, None).shape == (0, 0, 50)

    def test_misuse(self, model: elmo.Embedder, word_model: elmo.BiLM) -> None:
        ids = to_ids(self.SENTENCES, model.bilm.config.token_layer, None)
        with pytest.raises(ValueError, match="on the right"):
            from_ids(ids.flip(1), model.bilm.token_layer)
        with pytest.raises(ValueError, match="shape \\(sentences, words, columns\\)"):
            from_ids(ids[0], model.bilm.token_layer)
        with pytest.raises(ValueError, match="shape \\(sentences, words\\)"):
            from_ids(ids, word_model.token_layer)
        with pytest.raises(ValueError, match="vocabulary"):
            to_ids(self.SENTENCES, word_model.config.token_layer, None)
