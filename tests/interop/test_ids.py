import numpy as np
import pytest
import torch

import elmo
from elmo.config import LSTMConfig, WordTableConfig
from elmo.interop.ids import sentences_to_ids
from elmo.model.batches import from_ids, is_word
from elmo.text.vocabulary import Vocabulary

SENTENCES = [["the", "play"], [], ["the", "x" * 60, "the", ""]]


@pytest.fixture
def word_model() -> elmo.BiLM:
    config = elmo.BiLMConfig(WordTableConfig(5, 4), LSTMConfig(6, 4))
    return elmo.BiLM(config, Vocabulary(["<S>", "</S>", "<UNK>", "the", "play"])).eval()


@pytest.mark.parametrize("kind", ["characters", "words"])
def test_there_and_back(kind: str, model: elmo.Embedder, word_model: elmo.BiLM) -> None:
    bilm = model.bilm if kind == "characters" else word_model
    ids = sentences_to_ids(SENTENCES, bilm.config.token_layer, bilm.token_layer.vocabulary)
    assert ids.shape == ((3, 4, 50) if kind == "characters" else (3, 4))
    assert is_word(ids).sum(1).tolist() == [2, 0, 4]
    with torch.inference_mode():
        layers = bilm(from_ids(ids, bilm.token_layer)).layers
    for row, sentence in enumerate(elmo.Embedder(bilm).embed(SENTENCES)):
        ours = layers[:, row, 1 : 1 + len(sentence.tokens)].numpy()
        np.testing.assert_allclose(ours, sentence.layers, atol=1e-5, rtol=1e-5)


def test_distinct_words_are_read_once(model: elmo.Embedder) -> None:
    ids = sentences_to_ids([["the", "the"], ["the"]], model.bilm.config.token_layer, None)
    batch = from_ids(ids, model.bilm.token_layer)
    assert len(batch.words) == 3
    assert batch.words.shape[1] < 50
    assert batch.lengths == (4, 3)


def test_no_sentences(model: elmo.Embedder) -> None:
    assert sentences_to_ids([], model.bilm.config.token_layer, None).shape == (0, 0, 50)


def test_misuse(model: elmo.Embedder, word_model: elmo.BiLM) -> None:
    ids = sentences_to_ids(SENTENCES, model.bilm.config.token_layer, None)
    with pytest.raises(ValueError, match="on the right"):
        from_ids(ids.flip(1), model.bilm.token_layer)
    with pytest.raises(ValueError, match="shape \\(sentences, words, columns\\)"):
        from_ids(ids[0], model.bilm.token_layer)
    with pytest.raises(ValueError, match="shape \\(sentences, words\\)"):
        from_ids(ids, word_model.token_layer)
    with pytest.raises(ValueError, match="vocabulary"):
        sentences_to_ids(SENTENCES, word_model.config.token_layer, None)
