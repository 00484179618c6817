import math

import pytest
import torch

import elmo
from elmo.model.softmax import Softmax
from elmo.text.vocabulary import Vocabulary
from elmo.weights.compact import compact_shapes, compacted, expand
from elmo.weights.folder import read_folder, read_softmax, write_folder
from elmo.weights.locate import BUNDLED, bundled, read_language_model


@pytest.mark.parametrize("steps", [127, 48, 31, 1])
@pytest.mark.parametrize("shape", [(64, 128), (2, 40, 100), (70, 65)])
def test_there_and_back(steps: int, shape: tuple[int, ...]) -> None:
    tensor = torch.randn(shape, generator=torch.Generator().manual_seed(0))
    small, metadata = compacted({"large": tensor, "bias": tensor[0]}, steps)
    assert small["large"].numel() <= tensor.numel() * (math.log2(2 * steps + 1) + 1) / 8 * (1 + 64 / shape[-1])
    back = expand(small, compact_shapes(metadata))
    assert back.keys() == {"large", "bias"}
    assert torch.equal(back["bias"], tensor[0])
    assert (back["large"] - tensor).abs().max() <= tensor.abs().max() / steps * 0.51


def test_zeros_and_misuse() -> None:
    small, metadata = compacted({"zero": torch.zeros(64, 64)}, 31)
    back = expand(small, compact_shapes(metadata))
    assert not back["zero"].any()
    with pytest.raises(ValueError, match="from 1 to 127"):
        compacted({}, 200)
    with pytest.raises(ValueError, match="zero"):
        expand({**small, "zero": small["zero"][:5]}, compact_shapes(metadata))


def test_folder(model: elmo.Embedder, tmp_path) -> None:
    torch.manual_seed(0)
    words = Vocabulary([f"w{i}" for i in range(600)])
    bilm = elmo.BiLM(model.bilm.config)
    softmax = Softmax(words, 8)
    write_folder(bilm, tmp_path, softmax, steps=(127, 31))
    again = read_folder(tmp_path)
    assert read_softmax(tmp_path, again).vocabulary == words
    torch.testing.assert_close(read_softmax(tmp_path, again).weight, softmax.weight, atol=0.05, rtol=0)
    (tmp_path / "vocab.txt").unlink()
    with pytest.raises(ValueError, match=r"vocab\.txt.* is missing"):
        read_softmax(tmp_path, read_folder(tmp_path))


class TestBundled:
    def test_default(self) -> None:
        assert "small" in bundled()
        [sentence] = elmo.load().embed(["The play was sold out ."])
        assert sentence.layers.shape == (3, 6, 256)
        [named] = elmo.load("small").embed(["The play was sold out ."])
        assert (sentence.layers == named.layers).all()

    def test_medium(self) -> None:
        [sentence] = elmo.load("medium").embed(["The play was sold out ."])
        assert sentence.layers.shape == (3, 6, 512)

    @pytest.mark.parametrize("name", bundled())
    def test_published_files_give_equal_vectors(self, name: str, tmp_path) -> None:
        from elmo.weights.published import write_published

        model = elmo.load(name)
        write_published(model.bilm, tmp_path / "published")
        text = ["The play was sold out .", "They play on Sunday ."]
        for ours, theirs in zip(model.embed(text), elmo.load(tmp_path / "published").embed(text), strict=True):
            assert (ours.layers == theirs.layers).all()

    def test_saved_again_it_still_predicts(self, tmp_path) -> None:
        elmo.load().save(tmp_path / "copy")
        again, model = read_language_model(tmp_path / "copy"), read_language_model(BUNDLED / "small")
        assert torch.equal(again.softmax.weight, model.softmax.weight)

    def test_it_predicts(self) -> None:
        from elmo.train.perplexity import perplexity

        model = read_language_model(BUNDLED / "small")
        natural = perplexity(model, [["The", "city", "is", "the", "capital", "of", "the", "country", "."]])
        jumbled = perplexity(model, [["capital", "the", ".", "of", "is", "The", "country", "the", "city"]])
        assert natural.arithmetic < 60 < jumbled.arithmetic

    def test_a_model_without_softmax_cannot(self, published_folder) -> None:
        with pytest.raises(ValueError, match="has no softmax"):
            read_language_model(published_folder)


def test_the_same_model_is_stored_as_the_same_bytes(model: elmo.Embedder, tmp_path) -> None:
    files = []
    for number in range(8):  # safetensors writes several entries of metadata in an order that varies
        write_folder(model.bilm, tmp_path / str(number), steps=(48, 31))
        files.append((tmp_path / str(number) / "model.safetensors").read_bytes())
    assert len(set(files)) == 1
