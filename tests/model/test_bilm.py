import pytest
import torch

import elmo
from elmo.config import CharCNNConfig, LSTMConfig, WordTableConfig
from elmo.model.batches import collate
from elmo.text.vocabulary import Vocabulary

SENTENCES = [["the", "play", "was", "x" * 60], ["sold"], []]


def test_groups_and_chunks_change_nothing(model: elmo.Embedder, monkeypatch: pytest.MonkeyPatch) -> None:
    """Words in small groups and steps in small chunks: the fast bounds against the plain way."""
    batch = collate(SENTENCES, model.bilm.token_layer.encode)
    with torch.no_grad():
        whole = model.bilm(batch)
        monkeypatch.setattr(model.bilm.token_layer, "words_per_group", 2)
        for layer in model.bilm.lstm.layers:
            monkeypatch.setattr(layer, "positions_per_product", 1)
        parts = model.bilm(batch)
    torch.testing.assert_close(whole.layers, parts.layers, atol=1e-6, rtol=1e-6)


def test_padding_beyond_one_window_changes_nothing(model: elmo.Embedder) -> None:
    words = ["a", "word", "x" * 44, "x" * 48, ""]
    cnn = model.bilm.token_layer
    with torch.no_grad():
        short = torch.cat([cnn(model.bilm.token_layer.encode([word])) for word in words])
        full = cnn(torch.from_numpy(cnn.words_to_ids(words, cnn.config)))
    assert model.bilm.token_layer.encode(["a"]).shape == (1, 3 + 3)
    torch.testing.assert_close(short, full, atol=1e-6, rtol=1e-6)


@pytest.mark.parametrize("activation", ["relu", "tanh"])
def test_fresh_weights(activation: str) -> None:
    torch.manual_seed(0)
    cnn = CharCNNConfig(16, ((1, 32), (3, 64)), activation, n_highway=2, projection_dim=32)
    bilm = elmo.BiLM(elmo.BiLMConfig(cnn, LSTMConfig(64, 32)))
    assert not bilm.token_layer.embedding.weight[0].any()
    assert bilm.token_layer.highways[1].gate.bias.unique().tolist() == [-2.0]
    assert not bilm.lstm.layers[0].bias.any()
    for name, parameter in bilm.named_parameters():
        assert torch.isfinite(parameter).all(), name
    torch.manual_seed(0)
    again = elmo.BiLM(bilm.config)
    assert all(torch.equal(a, b) for a, b in zip(bilm.parameters(), again.parameters(), strict=True))


def test_word_table_needs_its_vocabulary() -> None:
    config = elmo.BiLMConfig(WordTableConfig(2, 4), LSTMConfig(4, None))
    with pytest.raises(ValueError, match="needs its vocabulary"):
        elmo.BiLM(config)
    with pytest.raises(ValueError, match="has 1 words"):
        elmo.BiLM(config, Vocabulary(["a"]))
    assert not elmo.BiLM(config, Vocabulary(["a", "b"])).token_layer.embedding.weight[0].any()
