"""The index of a corpus: what is found, what is skipped, and what is kept on disk."""

import os
import unicodedata
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray
from parity.numpy_bilm import random_model, write_published
from search.made_up_corpus import SENTENCES

import elmo
from elmo.search import index as module
from elmo.search.index import Index, build_index, default_index_folder, open_index
from elmo.search.occurrences import find_word

SUMS = ("0", "1", "2", "average")


@pytest.fixture(scope="module")
def index(model: elmo.Embedder, tmp_path_factory: pytest.TempPathFactory) -> Index:
    return build_index(model, [*SENTENCES, []], tmp_path_factory.mktemp("indexes") / "index")


def cosines(model: elmo.Embedder, vector: NDArray[np.float32], layer: str) -> list[tuple[float, int, int]]:
    """Every word of the corpus, slowly: similarity, sentence and place."""
    found = []
    for number, embedded in enumerate(model.embed(SENTENCES)):
        layers = embedded.layers.astype(np.float64)
        values = layers.mean(0) if layer == "average" else layers[int(layer)]
        for place, value in enumerate(values):
            cosine = value @ vector / np.linalg.norm(value) / np.linalg.norm(vector)
            found.append((float(cosine), number, place))
    return found


class TestIndex:
    def test_files(self, index: Index) -> None:
        assert index.metadata.sentences == len(SENTENCES)
        assert index.metadata.tokens == sum(map(len, SENTENCES))
        assert [list(index.text.sentence(n)) for n in range(len(SENTENCES))] == SENTENCES
        assert list(index.vectors) == index.metadata.layers == list(SUMS)
        for vectors in index.vectors.values():
            assert isinstance(vectors, np.memmap)
            assert vectors.dtype == np.float16
            assert np.linalg.norm(vectors.astype(np.float32), axis=1) == pytest.approx(1, abs=2e-3)

    @pytest.mark.parametrize("layer", SUMS)
    def test_search_agrees_with_slow_twin(self, index: Index, model: elmo.Embedder, layer: str) -> None:
        embedded = model.embed([["a", "dorn", "brint"]])[0].layers
        vector = (embedded.mean(0) if layer == "average" else embedded[int(layer)])[1]
        expected = sorted((cosine for cosine, _, _ in cosines(model, vector, layer)), reverse=True)
        found = index.search(vector, layer, 1000, distinct_sentences=False)
        assert [n.similarity for n in found] == pytest.approx(expected, abs=2e-3)
        by_place = {(tuple(SENTENCES[s]), p): cosine for cosine, s, p in cosines(model, vector, layer)}
        assert [by_place[n.words, n.position] for n in found] == pytest.approx([n.similarity for n in found], abs=2e-3)

    def test_small_chunks_find_the_same(self, index: Index, model: elmo.Embedder) -> None:
        vector = model.embed([["tel", "dorn"]], "top")[0].layers[1]
        whole = index.search(vector, "top", 9)
        found = replace(index, chunk_size=3).search(vector, "top", 9)
        assert [(n.words, n.position) for n in found] == [(n.words, n.position) for n in whole]
        # A product of few rows may add in another order than one of many.
        assert [n.similarity for n in found] == pytest.approx([n.similarity for n in whole], abs=1e-5)

    def test_repeated_sentences_count_once(self, index: Index, model: elmo.Embedder) -> None:
        vector = model.embed([SENTENCES[1]], "top")[0].layers[1]
        every = index.search(vector, "top", 3, distinct_sentences=False)
        assert [n.words for n in every[:2]] == [tuple(SENTENCES[1])] * 2
        assert every[0].similarity == pytest.approx(1, abs=1e-3)
        once = index.search(vector, "top", 100)
        assert len({n.words for n in once}) == len(once) == len(SENTENCES) - 1
        excluded = index.search(vector, "top", 100, exclude_sentence=SENTENCES[1])
        assert excluded == once[1:]

    def test_equals_come_in_the_order_of_the_corpus(self, index: Index, model: elmo.Embedder) -> None:
        vector = model.embed([["brint"]], 0)[0].layers[0]
        found = index.search(vector, 0, 100, "brint", distinct_sentences=False)
        lower = [n.words for n in found if n.words[n.position] == "brint"]
        assert lower == [tuple(s) for s in SENTENCES if "brint" in s]
        assert [n.words[n.position] for n in found][-1] == "Brint"

    def test_only_some_layers(self, model: elmo.Embedder, tmp_path: Path) -> None:
        index = build_index(model, SENTENCES, tmp_path / "i", "top")
        assert index.metadata.layers == ["2"]
        vector = model.embed([["tel"]], "top")[0].layers[0]
        assert index.search(vector, 2, 1) == index.search(vector, "top", 1)
        with pytest.raises(ValueError, match="has no layer average, only 2"):
            index.search(vector, "average")
        assert build_index(model, SENTENCES, tmp_path / "i", [0, "average"]).metadata.layers == ["0", "average"]
        assert not (tmp_path / "i" / "layer-2.npy").exists()

    def test_reuse(self, model: elmo.Embedder, tmp_path: Path) -> None:
        done: list[int] = []
        build_index(model, iter(SENTENCES), tmp_path / "i", 0, done.append)
        assert sum(done) == sum(map(len, SENTENCES))
        build_index(model, iter(SENTENCES), tmp_path / "i", 0, lambda words: pytest.fail("was built again"))
        # The same words with other boundaries are another corpus.
        done.clear()
        joined = [[*SENTENCES[0], *SENTENCES[1]], *SENTENCES[2:]]
        assert build_index(model, joined, tmp_path / "i", 0, done.append).metadata.sentences == len(joined)
        assert done

    def test_a_broken_index_is_built_again(self, model: elmo.Embedder, tmp_path: Path) -> None:
        folder = tmp_path / "i"
        build_index(model, SENTENCES, folder, 0)
        os.truncate(folder / "layer-0.npy", 200)
        with pytest.raises(ValueError, match="build it again"):
            open_index(folder)
        assert build_index(model, SENTENCES, folder, 0).metadata.tokens == sum(map(len, SENTENCES))
        open_index(folder)

    def test_a_failed_build_leaves_nothing(self, model: elmo.Embedder, tmp_path: Path) -> None:
        def stop(words: int) -> None:
            raise RuntimeError("stop")

        with pytest.raises(RuntimeError):
            build_index(model, SENTENCES, tmp_path / "i", 0, stop)
        assert list(tmp_path.iterdir()) == []
        with pytest.raises(ValueError, match="is not an index"):
            open_index(tmp_path / "i")

    def test_files_that_do_not_belong_together(self, model: elmo.Embedder, tmp_path: Path) -> None:
        build_index(model, SENTENCES, tmp_path / "i", 0)
        build_index(model, SENTENCES[:3], tmp_path / "j", 0)
        (tmp_path / "j" / "words.npy").replace(tmp_path / "i" / "words.npy")
        with pytest.raises(ValueError, match=r"words\.npy: damaged"):
            open_index(tmp_path / "i")
        (tmp_path / "i" / "checksums.json").unlink()
        with pytest.raises(ValueError, match="do not belong together"):
            open_index(tmp_path / "i")

    def test_other_formats(self, model: elmo.Embedder, tmp_path: Path) -> None:
        build_index(model, SENTENCES, tmp_path / "i", 0)
        path = tmp_path / "i" / "index.json"
        path.write_text(path.read_text().replace('"format": 2', '"format": 9'))
        with pytest.raises(ValueError, match="has format 9, and this version reads format 2"):
            open_index(tmp_path / "i")

    def test_nonsense(self, model: elmo.Embedder, index: Index, tmp_path: Path) -> None:
        with pytest.raises(ValueError, match="no words"):
            build_index(model, [[], []], tmp_path / "i")
        with pytest.raises(ValueError, match="sentence 0: expected a string or a list of words"):
            build_index(model, [7], tmp_path / "i")  # type: ignore[list-item]
        with pytest.raises(ValueError, match="top, average or a number from 0 to 2, not 3"):
            build_index(model, SENTENCES, tmp_path / "i", 3)
        with pytest.raises(ValueError, match="at least 1"):
            index.search(np.ones(index.metadata.dim), "top", 0)

    def test_a_zero_vector_finds_something(self, index: Index) -> None:
        assert len(index.search(np.zeros(index.metadata.dim), "top", 2)) == 2

    def test_large_without_faiss(self, index: Index, monkeypatch: pytest.MonkeyPatch) -> None:
        assert index.note == ""
        before = index.search(np.ones(index.metadata.dim), "top", 3)
        monkeypatch.setattr(module, "_has_faiss", lambda: False)
        large = replace(index, exact_up_to=5)
        assert "elmo-torch[analysis]" in large.note
        assert large.search(np.ones(index.metadata.dim), "top", 3) == before

    def test_large_with_faiss(self, model: elmo.Embedder, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        pytest.importorskip("faiss", reason="faiss-cpu is not installed")
        random = np.random.default_rng(0)
        words = [*"abcdefghij", "tel", "brint", "dorn"]
        many = [random.choice(words, 6).tolist() for _ in range(500)]
        index = build_index(model, many, tmp_path / "i", "top")
        vector = model.embed([many[7]], "top")[0].layers[2]
        exact = index.search(vector, "top", 5, exclude_sentence=many[7])
        index = replace(index, exact_up_to=100)
        assert "FAISS" in index.note
        for opened in (index, replace(index)):  # builds, then reads
            assert opened.search(vector, "top", 5, exclude_sentence=many[7]) == exact
            assert (tmp_path / "i" / "layer-2.faiss").exists()
        with monkeypatch.context() as patch:
            patch.setattr(module, "checksum", lambda path: pytest.fail("a large file was read again"))
            assert index.search(vector, "top", 5, exclude_sentence=many[7]) == exact
        assert len(index.search(vector, "top", 2000, distinct_sentences=False)) == 2000  # more than FAISS proposes
        # Another corpus in the same folder does not meet the old cells.
        build_index(model, many[:200], tmp_path / "i", "top")
        assert not (tmp_path / "i" / "layer-2.faiss").exists()


class TestNeighbors:
    def test_other_occurrences_of_the_word(self, index: Index, model: elmo.Embedder) -> None:
        found = index.neighbors(model, ["a", "BRINT", "!"], 1, k=50, same_word=True)
        assert {n.words[n.position] for n in found} == {"brint", "Brint"}
        assert len(found) == 5  # six sentences have it, two of them the same
        assert [n.similarity for n in found] == sorted((n.similarity for n in found), reverse=True)
        assert index.neighbors(model, ["unseen"], 0, same_word=True) == []

    @pytest.mark.parametrize(
        ("words", "position", "message"),
        [
            (["a", "brint"], 2, "position must be at most 1, not 2"),
            (["a", "brint"], -1, "position must be at least 0, not -1"),
            (["a", "brint"], "brint", "position must be an integer, not 'brint'"),
            ([], 0, "the sentence has no words"),
            ("a brint", 0, "expected a list of words, got a string"),
        ],
    )
    def test_bad_positions(self, index: Index, model: elmo.Embedder, words, position, message: str) -> None:
        with pytest.raises(ValueError, match=message):
            index.neighbors(model, words, position)

    def test_own_sentence_is_left_out(self, index: Index, model: elmo.Embedder) -> None:
        found = index.neighbors(model, SENTENCES[1], 0, k=50)
        assert tuple(SENTENCES[1]) not in {n.words for n in found}
        assert len(found) == len(SENTENCES) - 2

    def test_korean(self, index: Index, model: elmo.Embedder) -> None:
        words = ["내", "손을", "잡아", "."]
        place = find_word(words, "손")
        assert words[place] == "손을"
        same = index.neighbors(model, words, place, same_word=True)
        assert [n.words[n.position] for n in same] == ["손을"]
        stems = index.neighbors(model, words, place, stem="손")
        assert {n.words[n.position] for n in stems} == {"손을", "손이"}
        in_letters = unicodedata.normalize("NFD", "손")
        assert find_word(words, in_letters) == place
        assert index.neighbors(model, words, place, stem=in_letters) == stems

    def test_of_another_model(self, index: Index, tmp_path: Path) -> None:
        write_published(tmp_path / "other", *random_model(seed=2))
        other = elmo.load(tmp_path / "other")
        assert not index.matches(other)
        with pytest.raises(ValueError, match="another model"):
            index.neighbors(other, ["tel"], 0)


def test_indexes_are_kept_where_downloads_are(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("ELMO_CACHE", raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", "")  # the same as none
    assert default_index_folder("small", "all", ["a.txt"]).is_absolute()
    monkeypatch.setenv("ELMO_CACHE", str(tmp_path))
    assert default_index_folder("small", "all", ["a.txt"]).parent == tmp_path
