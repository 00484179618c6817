import copy

import numpy as np
import pytest
import torch

import elmo
from elmo.model.batches import collate
from elmo.text.characters import words_to_ids

SENTENCES = [["the", "play"], [], ["one", "two", "three"]]


@pytest.fixture
def bilm(model: elmo.Embedder) -> elmo.BiLM:
    return copy.deepcopy(model.bilm)


def test_representations_and_mask(bilm: elmo.BiLM) -> None:
    out = elmo.ELMo(bilm, mixes=2)(SENTENCES)
    assert [tuple(r.shape) for r in out.representations] == [(3, 3, 16)] * 2
    assert out.mask.tolist() == [[True, True, False], [False] * 3, [True] * 3]
    assert not out.representations[0][~out.mask].any()


def test_inputs_of_all_kinds_agree(bilm: elmo.BiLM) -> None:
    module = elmo.ELMo(bilm)
    ids = torch.zeros(3, 3, 50, dtype=torch.long)
    for row, sentence in zip(ids, SENTENCES, strict=True):
        row[: len(sentence)] = torch.from_numpy(words_to_ids(sentence))
    [words], [batch], [characters] = (
        module(inputs).representations for inputs in (SENTENCES, collate(SENTENCES, bilm.token_layer.encode), ids)
    )
    torch.testing.assert_close(words, batch)
    torch.testing.assert_close(words, characters)
    with pytest.raises(ValueError, match="sentence 0: expected a list of words"):
        module(["a sentence"])


def test_the_mean_of_all_layers_is_the_average_that_embed_gives(model: elmo.Embedder) -> None:
    [out] = elmo.ELMo(model.bilm)(SENTENCES).representations
    for row, sentence in enumerate(model.embed(SENTENCES, layers="average")):
        ours = out[row, : len(sentence.tokens)].detach().numpy()
        np.testing.assert_allclose(ours, sentence.layers, atol=1e-6)


def test_top_layer_only(model: elmo.Embedder) -> None:
    module = elmo.ELMo(model.bilm, layers="top")
    [out] = module(SENTENCES).representations
    [first, *_] = model.embed(SENTENCES, layers="top")
    np.testing.assert_allclose(out[0, :2].detach().numpy(), first.layers, atol=1e-6)
    assert module.penalty(1.0).item() == 0.0


def test_boundaries_are_kept_on_request(bilm: elmo.BiLM) -> None:
    out = elmo.ELMo(bilm, keep_boundaries=True)(SENTENCES)
    assert out.mask.sum(1).tolist() == [4, 2, 5]
    inner = elmo.ELMo(bilm)(SENTENCES)
    torch.testing.assert_close(out.representations[0][0, 1:3], inner.representations[0][0, :2])


def test_dropout_only_in_training(bilm: elmo.BiLM) -> None:
    module = elmo.ELMo(bilm, dropout=0.5)
    assert not torch.equal(module(SENTENCES).representations[0], module(SENTENCES).representations[0])
    module.eval()
    assert torch.equal(module(SENTENCES).representations[0], module(SENTENCES).representations[0])


@pytest.mark.parametrize("freeze", [True, False], ids=["frozen", "trained"])
def test_gradients(bilm: elmo.BiLM, freeze: bool) -> None:
    module = elmo.ELMo(bilm, mixes=2, freeze=freeze)
    assert bilm.training is not freeze
    out = module(SENTENCES)
    loss = sum(r.square().sum() for r in out.representations) + module.penalty(0.001)
    loss.backward()
    assert all(p.grad is not None for p in module.mixes.parameters())
    got = {name for name, p in bilm.named_parameters() if p.grad is not None and p.grad.abs().sum() > 0}
    everything = {name for name, _ in bilm.named_parameters()}
    assert got == (set() if freeze else everything)
    if not freeze:
        assert not bilm.token_layer.embedding.weight.grad[0].any(), "the row for 'no word' stays zero"


def test_gradients_of_the_biLM_are_right() -> None:
    """Against finite differences, in float64, with rows of different length and clips that bind."""
    from elmo.config import CharCNNConfig, LSTMConfig

    torch.manual_seed(1)
    config = elmo.BiLMConfig(CharCNNConfig(3, ((1, 2), (2, 3)), projection_dim=4, max_characters=8), LSTMConfig(5, 4))
    bilm = elmo.BiLM(config).double()
    batch = collate([["ab", "c"], [], ["a", "b", "abcdefghi"]], bilm.token_layer.encode)

    def layers(*parameters: torch.Tensor) -> torch.Tensor:
        names = [name for name, _ in bilm.named_parameters()]
        return torch.func.functional_call(bilm, dict(zip(names, parameters, strict=True)), (batch,)).layers

    parameters = [p.detach().clone().requires_grad_() for p in bilm.parameters()]
    assert torch.autograd.gradcheck(layers, parameters, fast_mode=True, atol=1e-4)


def test_misuse(bilm: elmo.BiLM) -> None:
    with pytest.raises(ValueError, match="mixes must be at least 1"):
        elmo.ELMo(bilm, mixes=0)
    with pytest.raises(ValueError, match="all or top"):
        elmo.ELMo(bilm, layers="bottom")
    with pytest.raises(ValueError, match="characters"):
        elmo.ELMo(bilm)(torch.ones(1, 1, 60, dtype=torch.long))
