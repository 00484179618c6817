"""Nearest neighbours in made-up corpora: what is found, what is left out, and what is kept on disk."""

import io
import os
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray
from parity.numpy_bilm import random_model, write_published
from rich.console import Console

import elmo
from elmo.datasets.static_vectors import StaticVectors
from elmo.paper.probes.neighbors import find_word, neighbours, show_neighbours, static_neighbours, table4
from elmo.paper.probes.play import PLAY, judge, read_uses
from elmo.search import index as module
from elmo.search.index import Index, Neighbour, build_index, model_hash, open_index

TEXT = """Mavo tel brint the dorn .
the dorn brint Mavo , tel
tel tel brint a lusk
the dorn brint Mavo , tel
Brint the lusk , a dorn of Mavo
손을 씻고 밥을 먹었다 .
그 사람은 손이 크다 .
brint"""
SENTENCES = [line.split() for line in TEXT.splitlines()]
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
        assert index.facts.sentences == len(SENTENCES)
        assert index.facts.tokens == sum(map(len, SENTENCES))
        assert [list(index.sentence(n)) for n in range(len(SENTENCES))] == SENTENCES
        assert list(index.vectors) == index.facts.layers == list(SUMS)
        for vectors in index.vectors.values():
            assert isinstance(vectors, np.memmap)
            assert vectors.dtype == np.float16
            assert np.linalg.norm(vectors.astype(np.float32), axis=1) == pytest.approx(1, abs=2e-3)

    @pytest.mark.parametrize("layer", SUMS)
    def test_search_agrees_with_slow_twin(self, index: Index, model: elmo.Embedder, layer: str) -> None:
        embedded = model.embed([["a", "dorn", "brint"]])[0].layers
        vector = (embedded.mean(0) if layer == "average" else embedded[int(layer)])[1]
        expected = sorted((cosine for cosine, _, _ in cosines(model, vector, layer)), reverse=True)
        found = index.search(vector, layer, 1000, once=False)
        assert [n.similarity for n in found] == pytest.approx(expected, abs=2e-3)
        by_place = {(tuple(SENTENCES[s]), p): cosine for cosine, s, p in cosines(model, vector, layer)}
        assert [by_place[n.words, n.position] for n in found] == pytest.approx([n.similarity for n in found], abs=2e-3)

    def test_small_chunks_find_the_same(
        self, index: Index, model: elmo.Embedder, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        vector = model.embed([["tel", "dorn"]], "top")[0].layers[1]
        whole = index.search(vector, "top", 9)
        monkeypatch.setattr(module, "AT_ONCE", 3)
        assert index.search(vector, "top", 9) == whole

    def test_repeated_sentences_count_once(self, index: Index, model: elmo.Embedder) -> None:
        vector = model.embed([SENTENCES[1]], "top")[0].layers[1]
        every = index.search(vector, "top", 3, once=False)
        assert [n.words for n in every[:2]] == [tuple(SENTENCES[1])] * 2
        assert every[0].similarity == pytest.approx(1, abs=1e-3)
        once = index.search(vector, "top", 100)
        assert len({n.words for n in once}) == len(once) == len(SENTENCES) - 1
        excluded = index.search(vector, "top", 100, exclude_sentence=SENTENCES[1])
        assert excluded == once[1:]

    def test_equals_come_in_the_order_of_the_corpus(self, index: Index, model: elmo.Embedder) -> None:
        vector = model.embed([["brint"]], 0)[0].layers[0]
        found = index.search(vector, 0, 100, "brint", once=False)
        lower = [n.words for n in found if n.words[n.position] == "brint"]
        assert lower == [tuple(s) for s in SENTENCES if "brint" in s]
        assert [n.words[n.position] for n in found][-1] == "Brint"

    def test_only_some_layers(self, model: elmo.Embedder, tmp_path: Path) -> None:
        index = build_index(model, SENTENCES, tmp_path / "i", "top")
        assert index.facts.layers == ["2"]
        vector = model.embed([["tel"]], "top")[0].layers[0]
        assert index.search(vector, 2, 1) == index.search(vector, "top", 1)
        with pytest.raises(ValueError, match="has no layer average, only 2"):
            index.search(vector, "average")
        assert build_index(model, SENTENCES, tmp_path / "i", [0, "average"]).facts.layers == ["0", "average"]
        assert not (tmp_path / "i" / "layer-2.npy").exists()

    def test_reuse(self, model: elmo.Embedder, tmp_path: Path) -> None:
        done: list[int] = []
        build_index(model, iter(SENTENCES), tmp_path / "i", 0, done.append)
        assert sum(done) == sum(map(len, SENTENCES))
        build_index(model, iter(SENTENCES), tmp_path / "i", 0, lambda words: pytest.fail("was built again"))
        # The same words with other boundaries are another corpus.
        done.clear()
        joined = [[*SENTENCES[0], *SENTENCES[1]], *SENTENCES[2:]]
        assert build_index(model, joined, tmp_path / "i", 0, done.append).facts.sentences == len(joined)
        assert done

    def test_a_broken_index_is_built_again(self, model: elmo.Embedder, tmp_path: Path) -> None:
        folder = tmp_path / "i"
        build_index(model, SENTENCES, folder, 0)
        os.truncate(folder / "layer-0.npy", 200)
        with pytest.raises(ValueError, match="build the index anew"):
            open_index(folder)
        assert build_index(model, SENTENCES, folder, 0).facts.tokens == sum(map(len, SENTENCES))
        open_index(folder)

    def test_a_failed_build_leaves_nothing(self, model: elmo.Embedder, tmp_path: Path) -> None:
        def stop(words: int) -> None:
            raise RuntimeError("stop")

        with pytest.raises(RuntimeError):
            build_index(model, SENTENCES, tmp_path / "i", 0, stop)
        assert list(tmp_path.iterdir()) == []
        with pytest.raises(ValueError, match="is no index"):
            open_index(tmp_path / "i")

    def test_files_that_do_not_belong_together(self, model: elmo.Embedder, tmp_path: Path) -> None:
        build_index(model, SENTENCES, tmp_path / "i", 0)
        build_index(model, SENTENCES[:3], tmp_path / "j", 0)
        (tmp_path / "j" / "words.npy").replace(tmp_path / "i" / "words.npy")
        with pytest.raises(ValueError, match="do not belong together"):
            open_index(tmp_path / "i")

    def test_other_formats(self, model: elmo.Embedder, tmp_path: Path) -> None:
        build_index(model, SENTENCES, tmp_path / "i", 0)
        path = tmp_path / "i" / "index.json"
        path.write_text(path.read_text().replace('"format": 1', '"format": 9'))
        with pytest.raises(ValueError, match="has format 9, this version reads 1"):
            open_index(tmp_path / "i")

    def test_nonsense(self, model: elmo.Embedder, index: Index, tmp_path: Path) -> None:
        with pytest.raises(ValueError, match="no words"):
            build_index(model, [[], []], tmp_path / "i")
        with pytest.raises(ValueError, match="lists of words"):
            build_index(model, ["tel brint"], tmp_path / "i")
        with pytest.raises(ValueError, match="top, average or a number from 0 to 2, not 3"):
            build_index(model, SENTENCES, tmp_path / "i", 3)
        with pytest.raises(ValueError, match="at least 1"):
            index.search(np.ones(index.facts.dim), "top", 0)

    def test_a_zero_vector_finds_something(self, index: Index) -> None:
        assert len(index.search(np.zeros(index.facts.dim), "top", 2)) == 2

    def test_large_without_faiss(self, index: Index, monkeypatch: pytest.MonkeyPatch) -> None:
        assert index.note == ""
        before = index.search(np.ones(index.facts.dim), "top", 3)
        monkeypatch.setattr(module, "EXACT_UP_TO", 5)
        monkeypatch.setattr(module, "_has_faiss", lambda: False)
        assert "elmo-torch[analysis]" in index.note
        assert index.search(np.ones(index.facts.dim), "top", 3) == before

    def test_large_with_faiss(self, model: elmo.Embedder, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        pytest.importorskip("faiss", reason="faiss-cpu is not installed")
        random = np.random.default_rng(0)
        words = [*"abcdefghij", "tel", "brint", "dorn"]
        many = [random.choice(words, 6).tolist() for _ in range(500)]
        index = build_index(model, many, tmp_path / "i", "top")
        vector = model.embed([many[7]], "top")[0].layers[2]
        exact = index.search(vector, "top", 5, exclude_sentence=many[7])
        monkeypatch.setattr(module, "EXACT_UP_TO", 100)
        assert "FAISS" in index.note
        for _ in range(2):  # builds, then reads
            assert index.search(vector, "top", 5, exclude_sentence=many[7]) == exact
            assert (tmp_path / "i" / "layer-2.faiss").exists()
        assert len(index.search(vector, "top", 2000, once=False)) == 2000  # more than FAISS proposes
        # Another corpus in the same folder does not meet the old cells.
        build_index(model, many[:200], tmp_path / "i", "top")
        assert not (tmp_path / "i" / "layer-2.faiss").exists()


class TestNeighbours:
    def test_other_uses_of_the_word(self, index: Index, model: elmo.Embedder) -> None:
        found = neighbours(index, model, ["a", "BRINT", "!"], 1, k=50, same_word=True)
        assert {n.words[n.position] for n in found} == {"brint", "Brint"}
        assert len(found) == 5  # six sentences have it, two of them the same
        assert [n.similarity for n in found] == sorted((n.similarity for n in found), reverse=True)
        assert neighbours(index, model, ["unseen"], 0, same_word=True) == []

    def test_own_sentence_is_left_out(self, index: Index, model: elmo.Embedder) -> None:
        found = neighbours(index, model, SENTENCES[1], 0, k=50)
        assert tuple(SENTENCES[1]) not in {n.words for n in found}
        assert len(found) == len(SENTENCES) - 2

    def test_korean(self, index: Index, model: elmo.Embedder) -> None:
        words = ["내", "손을", "잡아", "."]
        place = find_word(words, "손")
        assert words[place] == "손을"
        same = neighbours(index, model, words, place, same_word=True)
        assert [n.words[n.position] for n in same] == ["손을"]
        stems = neighbours(index, model, words, place, stem="손")
        assert {n.words[n.position] for n in stems} == {"손을", "손이"}
        in_letters = unicodedata.normalize("NFD", "손")
        assert find_word(words, in_letters) == place
        assert neighbours(index, model, words, place, stem=in_letters) == stems

    def test_of_another_model(self, index: Index, tmp_path: Path) -> None:
        write_published(tmp_path / "other", *random_model(seed=2))
        other = elmo.load(tmp_path / "other")
        assert model_hash(other) != index.facts.model
        with pytest.raises(ValueError, match="another model"):
            neighbours(index, other, ["tel"], 0)


class TestFindWord:
    def test_exact_then_any_case(self) -> None:
        words = ["Tel", "a", "tel", ",", "TEL"]
        assert find_word(words, "tel") == 2
        assert find_word(words, "tEl") == 0
        assert [find_word(words, "tEl", number) for number in (1, 2, 3)] == [0, 2, 4]
        assert find_word(["die", "STRASSE"], "straße") == 1

    def test_absent(self) -> None:
        with pytest.raises(ValueError, match="'te' is not a word of: Tel a"):
            find_word(["Tel", "a"], "te")
        with pytest.raises(ValueError, match="is not a word of: 물을"):
            find_word(["물을"], "손")
        with pytest.raises(ValueError, match="stands 1 times, so there is no number 2, in: Tel a"):
            find_word(["Tel", "a"], "a", 2)
        with pytest.raises(ValueError, match="is not a word"):
            find_word(["Tel"], "")


STATIC = StaticVectors(("tel", "brint", "dorn", "none"), np.array([[1, 0], [2, 0.2], [0, 1], [0, 0]], dtype=np.float32))


def test_static_neighbours() -> None:
    found = static_neighbours(STATIC, "Tel", 2)
    assert [word for word, _ in found] == ["brint", "dorn"]
    assert [s for _, s in found] == pytest.approx([1 / 1.01**0.5, 0])
    assert len(static_neighbours(STATIC, "tel", 10)) == 3
    # Equal vectors: the word itself need not come first.
    twins = StaticVectors(("a", "b", "c"), np.array([[1, 1], [1, 1], [-1, 1]], dtype=np.float32))
    assert [word for word, _ in static_neighbours(twins, "b", 1)] == ["a"]
    with pytest.raises(ValueError, match="'lusk' has no static vector"):
        static_neighbours(STATIC, "lusk")


def shown(*args: object) -> str:
    console = Console(file=io.StringIO(), width=200)
    console.print(show_neighbours(*args))  # type: ignore[arg-type]
    return console.file.getvalue()  # type: ignore[attr-defined]


def test_show() -> None:
    words = [*"abcdefghijklmnopqrstuvwxyz", "tel", "[red]", "."]
    text = shown(["the", "손을", "."], 1, [Neighbour(tuple(words), 26, 0.51239)], [("brint", 0.987)], "how")
    assert "the [손을] ." in text
    assert "0.512  … g h" in text
    assert "z [tel] [red] ." in text
    assert "(how)\nstatic vectors: brint 0.99" in text
    assert "no other use" in shown(["tel"], 0, [])


def test_table4(index: Index, model: elmo.Embedder) -> None:
    table = table4(index, model, [(["a", "Tel", "."], 1), (["tel", "."], 0)], STATIC, k=2, same_word=True)
    assert list(table.rows[0]) == ["static", "tel", "brint, dorn, none"]
    assert [row[1] for row in table.rows[1:]] == ["a *Tel* .", "", "*tel* .", ""]
    assert all("*tel*" in row[2] for row in table.rows[1:])
    assert "Layer 2" in table.note
    assert table.markdown()
    assert table.latex()


class Senses:
    """A source whose second layer knows the first word of a sentence, and nothing else."""

    name = "made up"
    layer_names = ("form", "first word")
    dim = 3

    def layers(self, sentences: Iterable[Sequence[str]]) -> Iterator[NDArray[np.float32]]:
        for words in sentences:
            one = np.eye(3, dtype=np.float32)["xyz".index(words[0])]
            yield np.stack([np.ones((len(words), 3), np.float32), np.stack([one] * len(words))])


USES = """# a comment
X\tquery\tx tel a

Y\tquery\ty tels a
X\tcorpus\tx a tel
X\tcorpus\tx a Tel
X\tcorpus\tx a tels
Y\tcorpus\ty a tel
Y\tcorpus\ty a tels
Y\tcorpus\tz a tels
"""


class TestJudge:
    def test_shares(self, tmp_path: Path) -> None:
        (tmp_path / "uses.tsv").write_text(USES)
        uses = read_uses(tmp_path / "uses.tsv", ("tel", "tels"))
        assert [use.position for use in uses] == [1, 1, 2, 2, 2, 2, 2, 2]
        result = judge(Senses(), uses, 2)
        # X: two of the three forms of "tel" are right. Y: one that is right, then one of the two others.
        assert result.right == (pytest.approx((4 / 3, 4 / 3)), pytest.approx((2, 1.5)))
        assert result.chance == pytest.approx((4 / 3, 4 / 3))
        assert result.share("first word") == pytest.approx(0.875)
        assert result.share("first word", "Y") == pytest.approx(0.75)
        assert [result.good(layer) for layer in result.layers] == [0, 1]
        assert list(result.table().rows[1]) == ["first word", "87.5", "100.0", "75.0", "1", "2", "1.5"]
        assert result.table().rows[2][0] == "chance"
        any_form = judge(Senses(), uses, 2, same_form=False)
        assert any_form.right == (pytest.approx((1, 1)), pytest.approx((2, 2)))
        with pytest.raises(ValueError, match="only 3 uses to compare with: x tel a"):
            judge(Senses(), uses, 4)
        backwards = judge(Senses(), uses[::-1], 2)
        assert backwards.right[1] == pytest.approx(result.right[1][::-1])

    @pytest.mark.parametrize(
        ("line", "reason"),
        [
            ("X query x tel", "is not sense"),
            ("X\tqueries\tx tel", "'queries' is neither"),
            ("X\tquery\tx tel Tel", "has 2 of the words tel, tels"),
            ("X\tquery\tx", "has 0 of the words"),
        ],
    )
    def test_broken_lists(self, tmp_path: Path, line: str, reason: str) -> None:
        path = tmp_path / "uses.tsv"
        path.write_text(f"X\tcorpus\tx tel\n{line}\n")
        with pytest.raises(ValueError, match=f"uses.tsv, line 2: {reason}"):
            read_uses(path, ("tel", "tels"))

    def test_the_list_of_play(self) -> None:
        uses = read_uses(PLAY)
        assert len(uses) == 100
        for sense in ("theatre", "sport"):
            assert sum(use.sense == sense and use.part == "query" for use in uses) >= 6
            assert sum(use.sense == sense and use.part == "corpus" for use in uses) >= 15
