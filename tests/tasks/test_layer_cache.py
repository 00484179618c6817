"""The layers of a frozen biLM, computed once, in memory or in a file that processes share."""

import multiprocessing
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

import pytest
import torch

import elmo
from elmo.model.batches import collate
from elmo.model.elmo import without_boundaries
from elmo.tasks.layer_cache import LayerCache
from elmo.tasks.layer_file import open_layer_file, write_layer_file
from elmo.weights.locate import read_model

SENTENCES = [["a", "fine", "day"], ["Hello"], ["a", "b", "c", "d", "e"]]


@pytest.fixture
def layers(model: elmo.Embedder) -> LayerCache:
    return LayerCache(model.bilm)


def test_kept_and_computed_are_alike(layers: LayerCache) -> None:
    computed = layers(SENTENCES)
    layers.prepare(SENTENCES[:2])
    layers.prepare(SENTENCES)
    kept = layers(SENTENCES)
    assert kept.dtype == torch.float32
    assert kept.is_contiguous()
    torch.testing.assert_close(kept, computed, atol=2e-3, rtol=2e-3)
    with torch.no_grad():  # the biLM itself, without an engine
        output = layers.bilm(collate(SENTENCES, layers.bilm.token_layer.encode))
    expected, mask = without_boundaries(output.layers, output.mask)
    torch.testing.assert_close(kept, expected, atol=1e-3, rtol=1e-3)
    assert not kept[:, ~mask].any()


def test_some_kept_some_new(layers: LayerCache) -> None:
    layers.prepare(SENTENCES[:1])
    assert layers(SENTENCES).shape[1:3] == (3, 5)


def test_nothing_to_do(layers: LayerCache, tmp_path: Path) -> None:
    layers.prepare([])
    layers.prepare([[]])
    layers.prepare([[]], tmp_path)
    assert not list(tmp_path.iterdir())


def shared_files(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.glob("*.layers")}


class TestShared:
    def test_equal_to_those_of_one_process(self, model: elmo.Embedder, tmp_path: Path) -> None:
        own, first, second = LayerCache(model.bilm), LayerCache(model.bilm), LayerCache(model.bilm)
        own.prepare(SENTENCES)
        first.prepare(SENTENCES, tmp_path)
        files = shared_files(tmp_path)
        assert len(files) == 1
        second._compute_all = None  # type: ignore[assignment, method-assign]  # it has no need to compute
        second.prepare(SENTENCES, tmp_path)
        assert shared_files(tmp_path) == files
        for chosen in (SENTENCES, SENTENCES[1:], SENTENCES[::-1]):  # also a part of what was prepared
            assert torch.equal(own(chosen), first(chosen))
            assert torch.equal(own(chosen), second(chosen))

    def test_added_to_what_is_kept(self, model: elmo.Embedder, tmp_path: Path) -> None:
        layers = LayerCache(model.bilm)
        layers.prepare(SENTENCES[:1])
        layers.prepare(SENTENCES, tmp_path)
        expected = LayerCache(model.bilm)
        expected.prepare(SENTENCES)
        torch.testing.assert_close(layers(SENTENCES), expected(SENTENCES), atol=2e-3, rtol=2e-3)

    def test_other_sequences_and_other_weights_are_other_files(self, published_folder: Path, tmp_path: Path) -> None:
        bilm = read_model(published_folder)
        for number, sequences in enumerate(([["a", "b"]], [["a"], ["b"]], [["a b"]], [["b", "a"]]), 1):
            LayerCache(bilm).prepare(sequences, tmp_path)
            assert len(shared_files(tmp_path)) == number
        layers = LayerCache(bilm)
        layers.prepare(SENTENCES, tmp_path)
        before = layers(SENTENCES)
        with torch.no_grad():
            next(bilm.lstm.parameters()).mul_(2)
        layers.prepare(SENTENCES, tmp_path)
        assert len(shared_files(tmp_path)) == 6
        assert not torch.equal(layers(SENTENCES), before)

    @pytest.mark.parametrize("damage", ["cut", "zeros", "changed", "longer", "empty"])
    def test_a_file_that_is_not_whole_is_computed_again(
        self, damage: str, model: elmo.Embedder, tmp_path: Path
    ) -> None:
        LayerCache(model.bilm).prepare(SENTENCES, tmp_path)
        (path,) = tmp_path.glob("*.layers")
        whole = path.read_bytes()
        middle = len(whole) // 2
        path.write_bytes(
            {
                "cut": whole[:-8],
                "zeros": whole[:middle] + bytes(len(whole) - middle),
                "changed": whole[:middle] + bytes([whole[middle] ^ 1]) + whole[middle + 1 :],
                "longer": whole + whole[-8:],
                "empty": b"",
            }[damage]
        )
        layers = LayerCache(model.bilm)
        layers.prepare(SENTENCES, tmp_path)
        assert path.read_bytes() == whole
        expected = LayerCache(model.bilm)
        expected.prepare(SENTENCES)
        assert torch.equal(layers(SENTENCES), expected(SENTENCES))

    def test_an_interrupted_computation_leaves_no_file(
        self, model: elmo.Embedder, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        layers = LayerCache(model.bilm)

        def interrupted(*_: object) -> None:
            raise KeyboardInterrupt

        monkeypatch.setattr(layers, "_compute", interrupted)
        with pytest.raises(KeyboardInterrupt):
            layers.prepare(SENTENCES, tmp_path)
        assert [path.suffix for path in tmp_path.iterdir()] in ([], [".lock"])
        monkeypatch.undo()
        layers.prepare(SENTENCES, tmp_path)
        assert len(shared_files(tmp_path)) == 1

    def test_processes_compute_them_once(self, published_folder: Path, tmp_path: Path) -> None:
        context = multiprocessing.get_context("spawn")
        with ProcessPoolExecutor(2, mp_context=context) as pool:
            values = list(pool.map(prepare_and_read, [published_folder] * 2, [tmp_path] * 2))
        assert sum(computed for computed, _ in values) == 1
        assert values[0][1] == values[1][1]


def prepare_and_read(model: Path, folder: Path) -> tuple[bool, list]:
    torch.set_num_threads(1)
    layers = LayerCache(read_model(model))
    computed = []
    original = layers._compute_all
    layers._compute_all = lambda *a: (computed.append(1), original(*a))[1]  # type: ignore[method-assign, func-returns-value]
    layers.prepare(SENTENCES * 50, folder)
    return bool(computed), layers(SENTENCES).tolist()


def test_layer_files_of_any_size(tmp_path: Path) -> None:
    generator = torch.Generator().manual_seed(1)
    for shape in [(1, 1, 1), (3, 2, 5), (7, 3, 64), (2000, 3, 4)]:
        rows = torch.rand(shape, generator=generator).half()
        path = tmp_path / "x.layers"
        middle = shape[0] // 2
        write_layer_file(path, shape, [(middle, rows[middle:]), (0, rows[:middle])])
        found = open_layer_file(path, shape)
        assert found is not None
        assert torch.equal(found, rows)
        assert open_layer_file(path, (shape[0] + 1, *shape[1:])) is None
