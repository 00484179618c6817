import io
import json
from pathlib import Path

import h5py
import numpy as np
import pytest
import torch
from parity.numpy_bilm import Twin, allennlp_layer_norm, read_published

import elmo
from elmo.interop.allennlp import Elmo, ElmoEmbedder, batch_to_ids

SENTENCES = [["the", "play"], [], ["one", "two", "three"]]


@pytest.fixture
def files(published_folder: Path) -> tuple[Path, Path]:
    return published_folder / "options.json", published_folder / "weights.hdf5"


@pytest.fixture
def twin(files: tuple[Path, Path]) -> Twin:
    return Twin(*read_published(*files))


def test_batch_to_ids() -> None:
    ids = batch_to_ids([["The", "."], ["<S>"]])
    assert ids.shape == (2, 2, 50)
    assert ids[0, 0, :6].tolist() == [259, 85, 105, 102, 260, 261]
    assert ids[1, 0, :4].tolist() == [259, 257, 260, 261]
    assert not ids[1, 1].any()
    assert batch_to_ids([]).shape == (0, 0, 50)


class TestElmoEmbedder:
    def test_without_state_by_default(self, files, model: elmo.Embedder) -> None:
        embedder = ElmoEmbedder(*files)
        expected = [s.layers for s in model.embed(SENTENCES)]
        for _ in range(2):
            for ours, theirs in zip(embedder.embed_batch(SENTENCES), expected, strict=True):
                np.testing.assert_allclose(ours, theirs, atol=1e-6)
        np.testing.assert_allclose(embedder.embed_sentence(SENTENCES[0]), expected[0], atol=1e-6)
        assert embedder.embed_sentence([]).shape == (3, 0, 16)

    def test_with_state_as_before(self, files, twin: Twin) -> None:
        embedder = ElmoEmbedder(*files, stateful=True)
        state = None
        for batch in (SENTENCES, SENTENCES[:1], SENTENCES):
            expected, state = twin.run(batch, state)
            for ours, theirs in zip(embedder.embed_batch(batch), expected, strict=True):
                np.testing.assert_allclose(ours, theirs[:, 1:-1], atol=1e-5, rtol=1e-5)

    def test_embed_sentences(self, files) -> None:
        embedder = ElmoEmbedder(*files)
        stream = embedder.embed_sentences(iter(SENTENCES), batch_size=2)
        assert [v.shape for v in stream] == [(3, 2, 16), (3, 0, 16), (3, 3, 16)]

    @pytest.mark.parametrize(("output_format", "shape"), [("all", (3, 2, 16)), ("top", (2, 16)), ("average", (2, 16))])
    def test_embed_file(self, files, tmp_path: Path, output_format, shape) -> None:
        path = tmp_path / "out.h5"
        ElmoEmbedder(*files).embed_file(io.StringIO("the play\n\nthe play\n"), path, output_format)
        with h5py.File(path) as file:
            assert [file[str(i)].shape[-2] for i in range(3)] == [2, 0, 2]
            assert file["0"].shape == shape
            assert json.loads(file["sentence_to_index"].asstr()[0]) == {"the play": "2", "": "1"}

    def test_embed_file_by_sentence(self, files, tmp_path: Path) -> None:
        path = tmp_path / "out.h5"
        ElmoEmbedder(*files).embed_file(
            io.StringIO("the play\n\nthe play\n"), path, forget_sentences=True, use_sentence_keys=True
        )
        with h5py.File(path) as file:
            assert list(file) == ["the play"]

    def test_misuse(self, files, tmp_path: Path) -> None:
        embedder = ElmoEmbedder(*files)
        with pytest.raises(ValueError, match="list of words"):
            embedder.embed_batch(["the play"])
        with pytest.raises(ValueError, match="output_format"):
            embedder.embed_file(io.StringIO("a"), tmp_path / "out.h5", "bottom")


class TestElmo:
    def test_representations(self, files, twin: Twin) -> None:
        module = Elmo(*files, num_output_representations=2, dropout=0)
        out = module(batch_to_ids(SENTENCES))
        expected, _ = twin.run(SENTENCES)
        assert len(out["elmo_representations"]) == 2
        assert out["mask"].sum(1).tolist() == [2, 0, 3]
        for row, layers in enumerate(expected):
            ours = out["elmo_representations"][1][row].detach().numpy()
            words = layers.shape[1] - 2
            np.testing.assert_allclose(ours[:words], layers.mean(0)[1:-1], atol=1e-5)
            assert not ours[words:].any()
        assert module.get_output_dim() == 16

    def test_layer_norm_over_the_batch(self, files, twin: Twin) -> None:
        module = Elmo(*files, 1, do_layer_norm=True, dropout=0, keep_sentence_boundaries=True)
        [ours] = module(batch_to_ids(SENTENCES))["elmo_representations"]
        expected = allennlp_layer_norm(twin.run(SENTENCES)[0])
        for row, layers in enumerate(expected):
            np.testing.assert_allclose(
                ours[row, : layers.shape[1]].detach().numpy(), layers.mean(0), atol=1e-5, rtol=1e-5
            )

    def test_layer_norm_leaves_padding_zero(self, files) -> None:
        module = Elmo(*files, 1, do_layer_norm=True, dropout=0)
        [ours] = module(batch_to_ids(SENTENCES))["elmo_representations"]
        assert not ours[0, 2:].any()

    def test_state(self, files) -> None:
        ids = batch_to_ids(SENTENCES)
        plain = Elmo(*files, 1, dropout=0)
        first, second = (plain(ids)["elmo_representations"][0] for _ in range(2))
        assert torch.equal(first, second)
        stateful = Elmo(*files, 1, dropout=0, stateful=True)
        first, second = (stateful(ids)["elmo_representations"][0] for _ in range(2))
        assert not torch.allclose(first, second, atol=1e-3)

    def test_options_to_choose_from(self, files) -> None:
        """Four axes: (batch, options, words, characters)."""
        ids = batch_to_ids(SENTENCES)
        module = Elmo(*files, 1, dropout=0)
        out = module(torch.stack([ids, ids.flip(0)], 1))
        assert out["elmo_representations"][0].shape == (3, 2, 3, 16)
        assert out["mask"].shape == (3, 2, 3)
        plain = module(ids)["elmo_representations"][0]
        torch.testing.assert_close(out["elmo_representations"][0][:, 0], plain)

    def test_fixed_mixture(self, files) -> None:
        module = Elmo(*files, 1, dropout=0, scalar_mix_parameters=[-9e10, -9e10, 1])
        assert not any(p.requires_grad for p in module.parameters())
        [ours] = module(batch_to_ids([["the"]]))["elmo_representations"]
        layers = ElmoEmbedder(*files).embed_sentence(["the"])
        np.testing.assert_allclose(ours[0].numpy(), layers[2], atol=1e-6)
        with pytest.raises(ValueError, match="must be 3 numbers"):
            Elmo(*files, 1, scalar_mix_parameters=[1.0])

    def test_gradients_on_request(self, files) -> None:
        module = Elmo(*files, 1, requires_grad=True)
        module(batch_to_ids(SENTENCES))["elmo_representations"][0].sum().backward()
        assert all(p.grad is not None for p in module.bilm.parameters())

    def test_no_representation(self, files) -> None:
        with pytest.raises(ValueError, match="at least 1"):
            Elmo(*files, 0)
