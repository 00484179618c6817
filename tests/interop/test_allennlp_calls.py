"""Calls of AllenNLP's ELMo classes as public repositories make them, with only the imports changed.

Each row names the repository in which a call of this form was found. The code is our own: the smallest that makes the
call. Where the original downloads a model, so does the row; the files of a small model are in the cache at that place.
"""

import copy
import io
from collections.abc import Callable
from pathlib import Path

import h5py
import numpy as np
import pytest
import torch

import elmo
from elmo.interop import allennlp
from elmo.interop.allennlp import (
    Elmo,
    ELMoCharacterMapper,
    ElmoEmbedder,
    ElmoTokenEmbedder,
    ScalarMix,
    _ElmoBiLm,
    batch_to_ids,
    remove_sentence_boundaries,
)
from elmo.weights.catalog import catalog

SENTENCES = [["First", "sentence", "."], ["Another", "."]]
WEST, PLAIN = "https://s3-us-west-2.amazonaws.com/allennlp", "https://allennlp.s3.amazonaws.com"


def urls(host: str = WEST, size: str = "2x4096_512_2048cnn_2xhighway") -> tuple[str, str]:
    start = f"{host}/models/elmo/{size}/elmo_{size}"
    return f"{start}_options.json", f"{start}_weights.hdf5"


class Published:
    """The small model that stands at every address, and what it should give."""

    def __init__(self, folder: Path, model: elmo.Embedder, scratch: Path) -> None:
        self.options, self.weights = str(folder / "options.json"), str(folder / "weights.hdf5")
        self.dim = model.config.output_dim
        self.scratch = scratch
        self._model = model

    def layers(self, words: list[str]) -> np.ndarray:
        return self._model.embed([words])[0].layers

    def check_mean(self, vectors: torch.Tensor, sentences: list[list[str]] = SENTENCES) -> None:
        """Check untrained mixtures, (B, T, D): the mean of the layers, and zero at padding."""
        assert vectors.shape == (len(sentences), max(map(len, sentences)), self.dim)
        for row, words in zip(vectors.detach().numpy(), sentences, strict=True):
            np.testing.assert_allclose(row[: len(words)], self.layers(words).mean(0), atol=1e-5)
            assert not row[len(words) :].any()

    def check_layers(self, layers: np.ndarray, words: list[str]) -> None:
        np.testing.assert_allclose(layers, self.layers(words), atol=1e-5)


def two_representations_from_urls(m: Published) -> None:
    module = Elmo(*urls(PLAIN), 2, dropout=0)
    out = module(batch_to_ids(SENTENCES))
    assert len(out["elmo_representations"]) == 2
    m.check_mean(out["elmo_representations"][1])
    assert out["mask"].long().tolist() == [[1, 1, 1], [1, 1, 0]]


def one_word_by_hand(m: Published) -> None:
    ids = torch.LongTensor(np.reshape(ELMoCharacterMapper.convert_word_to_char_ids("hello"), [1, 1, 50]))
    module = Elmo(*urls(), 1)
    m.check_mean(module.eval()(torch.autograd.Variable(ids))["elmo_representations"][0], [["hello"]])


def local_files_and_three_representations(m: Published) -> None:
    embeddings = Elmo(m.options, m.weights, 3, dropout=0)(batch_to_ids(SENTENCES))
    assert len(embeddings["elmo_representations"]) == 3
    assert len(embeddings["elmo_representations"][0]) == 2


def shown_and_with_dropout(m: Published) -> None:
    module = Elmo(m.options, m.weights, 2, dropout=0.1)
    assert "scalar_mix_1" in str(module)
    m.check_mean(module.eval()(batch_to_ids(SENTENCES))["elmo_representations"][0])


def another_size_by_url(m: Published) -> None:
    module = Elmo(*urls(WEST, "2x4096_512_2048cnn_2xhighway_5.5B"), 2, dropout=0)
    m.check_mean(module(batch_to_ids(SENTENCES))["elmo_representations"][0])


def with_boundaries(m: Published) -> None:
    module = Elmo(
        options_file=urls()[0],
        weight_file=urls()[1],
        num_output_representations=1,
        dropout=0.5,
        requires_grad=False,
        keep_sentence_boundaries=True,
    )
    project = torch.nn.Linear(module.get_output_dim(), 4, False)
    x = project(module(batch_to_ids(SENTENCES))["elmo_representations"][0])
    assert x[:, 1:][:, :-1].shape == (2, 3, 4)


def settings_after_construction(m: Published) -> None:
    module = Elmo(m.options, m.weights, 1, dropout=0)
    module._elmo_lstm._elmo_lstm.stateful = False
    module._elmo_lstm.requires_grad_(False)
    module.scalar_mix_0.scalar_parameters.requires_grad_(False)
    for parameter in module.scalar_mix_0.scalar_parameters[:-1]:
        parameter.data.fill_(-9e10)
    module.scalar_mix_0.gamma.requires_grad_(False)
    [top] = module(inputs=batch_to_ids(SENTENCES[:1]))["elmo_representations"]
    module._elmo_lstm._elmo_lstm.reset_states()
    np.testing.assert_allclose(top[0].numpy(), m.layers(SENTENCES[0])[-1], atol=1e-5)


def carried_state_on_request(m: Published) -> None:
    module = Elmo(m.options, m.weights, 1, dropout=0)
    module._elmo_lstm._elmo_lstm.stateful = True
    first, second = (module(batch_to_ids(SENTENCES))["elmo_representations"][0] for _ in range(2))
    module._elmo_lstm._elmo_lstm.reset_states()
    third = module(batch_to_ids(SENTENCES))["elmo_representations"][0]
    assert not torch.allclose(first, second, atol=1e-4)
    torch.testing.assert_close(first, third)


def untrained_gamma_and_packed_words(m: Published) -> None:
    module = Elmo(
        options_file=m.options,
        weight_file=m.weights,
        num_output_representations=1,
        requires_grad=False,
        do_layer_norm=False,
        keep_sentence_boundaries=True,
        dropout=0.2,
    )
    module.scalar_mix_0.gamma.requires_grad = False
    out = module.forward(batch_to_ids(SENTENCES))
    packed = out["elmo_representations"][0][out["mask"].bool()].view(5 + 4, -1)
    assert packed.shape == (9, m.dim)
    state = {name: value for name, value in module.state_dict().items() if "scalar_mix" in name}
    module.load_state_dict({**module.state_dict(), **state})


def penalty_on_the_layer_weights(m: Published) -> None:
    module = Elmo(m.options, m.weights, 1, dropout=0)
    optimizer = torch.optim.Adamax([p for p in module.parameters() if p.requires_grad])
    for _ in range(2):
        weights = module.scalar_mix_0.scalar_parameters
        loss = 0.001 * (weights[0] ** 2 + weights[1] ** 2 + weights[2] ** 2)
        loss = loss + module(batch_to_ids(SENTENCES))["elmo_representations"][0].pow(2).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    assert [p.shape for p in module.scalar_mix_0.parameters()] == [(1,)] * 4
    assert all(p.item() for p in module.scalar_mix_0.parameters())


def reading_the_layer_weights(m: Published) -> None:
    module = Elmo(m.options, m.weights, 1)
    assert module.scalar_mix_0.gamma.item() == 1
    assert [module.scalar_mix_0.scalar_parameters[k].detach().item() for k in range(3)] == [0, 0, 0]


def one_fixed_layer_per_mixture(m: Published) -> None:
    class Layers(Elmo):
        def __init__(self) -> None:
            super().__init__(
                options_file=m.options,
                weight_file=m.weights,
                num_output_representations=1,
                scalar_mix_parameters=[-9e10, 1.0, -9e10],
                requires_grad=False,
                dropout=0,
            )

    [middle] = Layers()(batch_to_ids(SENTENCES[:1]))["elmo_representations"]
    np.testing.assert_allclose(middle[0].detach().numpy(), m.layers(SENTENCES[0])[1], atol=1e-5)


def activations_of_the_bilm(m: Published) -> None:
    out = _ElmoBiLm(m.options, m.weights)(batch_to_ids(SENTENCES[:1]))
    inner = [remove_sentence_boundaries(layer, out["mask"]) for layer in out["activations"]]
    layers = torch.cat([vectors[:, None] for vectors, _ in inner], dim=1)
    words = int(inner[0][1][0, :].sum())
    m.check_layers(layers[0, :, :words, :].detach().numpy(), SENTENCES[0])


def tensors_of_a_batch(m: Published) -> None:
    embedder = ElmoEmbedder(m.options, m.weights, cuda_device=-1)
    vectors, mask = embedder.batch_to_embeddings(SENTENCES)
    assert vectors.cpu().shape == (2, 3, 3, m.dim)
    assert mask.cpu().sum(1).tolist() == [3, 2]
    m.check_layers(vectors[1, :, :2].numpy(), SENTENCES[1])
    assert not np.asarray(vectors.data)[1, :, 2:].any()


def defaults_in_batches(m: Published) -> None:
    embedder = ElmoEmbedder(cuda_device=-1)
    for words, layers in zip(SENTENCES, embedder.embed_sentences(SENTENCES, batch_size=64), strict=True):
        m.check_layers(layers, words)
        assert np.average(layers, 0).shape == layers[-1, :, :].shape == np.swapaxes(layers, 0, 1)[:, 0].shape


def proteins(m: Published) -> None:
    embedder = ElmoEmbedder(weight_file=m.weights, options_file=m.options, cuda_device=-1)
    one = embedder.embed_sentence(list("SEQVEC"))
    assert one.sum(0).mean(0).shape == (m.dim,)
    for array, sequence in zip(embedder.embed_batch([list("SEQ"), list("VENCE")]), ("SEQ", "VENCE"), strict=True):
        m.check_layers(array, list(sequence))


def no_arguments(m: Published) -> None:
    vectors = ElmoEmbedder().embed_sentence(["I", "ate", "an", "apple"])
    assert len(vectors) == 3
    assert len(vectors[0]) == 4
    m.check_layers(vectors, ["I", "ate", "an", "apple"])


def a_file(m: Published) -> None:
    path = str(m.scratch / "layers.hdf5")
    ElmoEmbedder().embed_file(io.StringIO("First sentence .\nAnother .\n"), path, "all", 32, False, False)
    with h5py.File(path) as file:
        m.check_layers(file["1"][...], SENTENCES[1])


def device_of_another_library(m: Published) -> None:
    embedder = ElmoEmbedder(options_file=m.options, weight_file=m.weights, cuda_device=-1)
    embedder.elmo_bilm.to("cpu")
    embedder.cuda_device = -1
    average = embedder.embed_batch([["hello"]])[0].mean(0)
    np.testing.assert_allclose(average, m.layers(["hello"]).mean(0), atol=1e-5)


def cached_vocabulary(m: Published) -> None:
    vocabulary = ["@@PADDING@@", "@@UNKNOWN@@", ".", "First", "sentence", "Another"]
    module = Elmo(m.options, m.weights, 1, False, False, 0, vocabulary)
    ids = batch_to_ids(SENTENCES)
    m.check_mean(module(ids)["elmo_representations"][0])
    m.check_mean(module(ids, None)["elmo_representations"][0])
    words = torch.tensor([[3, 4, 2], [5, 2, 0]])
    m.check_mean(module(torch.ones_like(ids), words)["elmo_representations"][0])  # the characters are not needed
    m.check_mean(module(ids, words + 100)["elmo_representations"][0])  # not cached, so read by character


def token_embedder_around_elmo(m: Published) -> None:
    embedder = ElmoTokenEmbedder(m.options, m.weights, dropout=0.5, projection_dim=5, vocab_to_cache=["<pad>", "a"])
    assert embedder.get_output_dim() == 5
    assert embedder(batch_to_ids(SENTENCES), None).shape == (2, 3, 5)
    plain = ElmoTokenEmbedder(options_file=m.options, weight_file=m.weights, requires_grad=True).eval()
    m.check_mean(plain(batch_to_ids(SENTENCES)))
    m.check_mean(ElmoTokenEmbedder().eval()(batch_to_ids(SENTENCES)))


def shared_bilm(m: Published) -> None:
    first = Elmo(m.options, m.weights, 1, dropout=0)
    second = Elmo(None, None, 2, dropout=0, module=first._elmo_lstm)
    assert second._elmo_lstm is first._elmo_lstm
    assert second.get_output_dim() == m.dim
    m.check_mean(second(batch_to_ids(SENTENCES))["elmo_representations"][1])


def mixing_stored_layers(m: Published) -> None:
    layers = torch.from_numpy(m.layers(SENTENCES[0]))[:, None]  # (3, 1, T, D)
    mix = ScalarMix(3, do_layer_norm=False, trainable=True)
    np.testing.assert_allclose(mix(list(layers))[0].detach(), layers[:, 0].mean(0), atol=1e-6)
    mix = ScalarMix(mixture_size=3, do_layer_norm=True, initial_scalar_parameters=[0, 0, 9e9], trainable=False)
    out = mix(layers.unbind(), torch.ones(1, 3).long())
    assert not out.requires_grad
    assert abs(out.mean().item()) < 1e-5


def more_axes(m: Published) -> None:
    ids = torch.stack([batch_to_ids(SENTENCES), batch_to_ids(SENTENCES[::-1])])  # (2, 2, 3, 50)
    out = Elmo(m.options, m.weights, 1, dropout=0)(ids)
    assert out["elmo_representations"][0].shape == (2, 2, 3, m.dim)
    m.check_mean(out["elmo_representations"][0][0])


def copied_module(m: Published) -> None:
    module = copy.deepcopy(Elmo(m.options, m.weights, 1, dropout=0)).float().cpu()
    module.scalar_mix_0.gamma.data.fill_(0)
    assert not module(batch_to_ids(SENTENCES))["elmo_representations"][0].any()


CALLS: list[tuple[str, Callable[[Published], None]]] = [
    ("zhyang/CSE-5525-final-project-", two_representations_from_urls),
    ("ayush29/Fake-news-detection", two_representations_from_urls),
    ("chickenbestlover/QA-Pytorch", two_representations_from_urls),
    ("Aditi138/project747", one_word_by_hand),
    ("ForeverGoGOING/pj_checking_Front", local_files_and_three_representations),
    ("yangwei-nlp/PyTorch-Tutorial", local_files_and_three_representations),
    ("kdsuneraavinash/elmo", shown_and_with_dropout),
    ("machelreid/hiddic", another_size_by_url),
    ("yzhangcs/parser", with_boundaries),
    ("syuoni/eznlp", settings_after_construction),
    ("syuoni/eznlp", carried_state_on_request),
    ("nikitakit/self-attentive-parser", untrained_gamma_and_packed_words),
    ("hsinyuan-huang/FlowQA", penalty_on_the_layer_weights),
    ("allenai/allennlp, issue 2566", reading_the_layer_weights),
    ("allenai/allennlp, pull request 1992", one_fixed_layer_per_mixture),
    ("yeliudev/ConsNet", activations_of_the_bilm),
    ("sunyilgdx/SIFRank", tensors_of_a_batch),
    ("allanj/pytorch_neural_crf", defaults_in_batches),
    ("sacdallago/bio_embeddings", proteins),
    ("allenai/allennlp, tutorials/how_to/elmo.md", no_arguments),
    ("allenai/allennlp, allennlp/commands/elmo.py", a_file),
    ("flairNLP/flair, pull request 825", device_of_another_library),
    ("allenai/allennlp, issue 2688", cached_vocabulary),
    ("allenai/allennlp, pull requests 1955 and 3766", token_embedder_around_elmo),
    ("allenai/allennlp, allennlp/modules/elmo.py", shared_bilm),
    ("allenai/allennlp, allennlp/modules/scalar_mix.py", mixing_stored_layers),
    ("allenai/allennlp, allennlp/modules/elmo.py", more_axes),
    ("allenai/allennlp, allennlp/modules/elmo.py", copied_module),
]


@pytest.fixture
def published(
    published_folder: Path, model: elmo.Embedder, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Published:
    monkeypatch.setenv("ELMO_CACHE", str(tmp_path))
    monkeypatch.setattr("urllib.request.urlopen", lambda *_, **__: pytest.fail("nothing should be downloaded"))
    for name in ("english-original", "english-5.5B"):
        for file in catalog()[name].files():
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes((published_folder / file.name).read_bytes())
    return Published(published_folder, model, tmp_path)


@pytest.mark.parametrize(("repository", "call"), CALLS, ids=[f"{name}-{call.__name__}" for name, call in CALLS])
def test_call(repository: str, call: Callable[[Published], None], published: Published) -> None:
    call(published)


def test_defaults_are_those_of_allennlp() -> None:
    assert urls() == (allennlp.DEFAULT_OPTIONS_FILE, allennlp.DEFAULT_WEIGHT_FILE)


def test_word_inputs_without_a_vocabulary(published: Published, caplog: pytest.LogCaptureFixture) -> None:
    module = Elmo(published.options, published.weights, 1, dropout=0)
    published.check_mean(module(batch_to_ids(SENTENCES), torch.ones(2, 3).long())["elmo_representations"][0])
    assert "word_inputs are ignored" in caplog.text
