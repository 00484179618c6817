"""Maps of words, on vectors whose clusters are known."""

import gzip
import sys
import types
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import elmo
from elmo.datasets.static_vectors import StaticVectors
from elmo.paper.probes.maps import (
    Occurrence,
    draw_map,
    find_occurrences,
    map_occurrences,
    read_senses,
)
from elmo.paper.probes.representations import BiLMRepresentation, LayerVectors, StaticRepresentation, layer_index

DIM = 12
KINDS = {"lorn": 40, "fesk": 25, "tiv": 15}


def text(kinds: dict[str, int] = KINDS) -> list[list[str]]:
    """Sentences with the word "bim", after a word that tells how it is used."""
    rng = np.random.default_rng(0)
    fillers = [f"fil{letter}" for letter in "abcdefghijkl"]
    return [
        [*rng.choice(fillers, 4), kind, "bim", *rng.choice(fillers, 4), "."]
        for kind, count in kinds.items()
        for _ in range(count)
    ]


class ByPreviousWord:
    """In layer "context", a word is the previous word, with noise; in layer "word", the same everywhere."""

    name, layer_names, dim = "made", ("word", "context"), DIM

    def layers(self, sentences: Iterable[Sequence[str]]) -> Iterator[LayerVectors]:
        for words in sentences:
            rng = np.random.default_rng(list(" ".join(words).encode()))
            before = ["", *words[:-1]]
            kinds = np.stack([np.random.default_rng([9, *word.encode()]).normal(size=DIM) for word in before])
            yield np.stack([np.ones((len(words), DIM)), kinds + 0.3 * rng.normal(size=kinds.shape)]).astype(np.float32)


class TestOccurrences:
    def test_all_are_found_in_order(self) -> None:
        sentences = [["Bim", "a", "bim"], ["b"], ["c", "BIM"]]
        assert [(use.words[0], use.position) for use in find_occurrences(sentences, "bim")] == [
            ("Bim", 0),
            ("Bim", 2),
            ("c", 1),
        ]
        assert [use.sense for use in find_occurrences(sentences, "bim", senses=["x", "y", "z"])] == ["x", "x", "z"]
        decomposed = unicodedata.normalize("NFD", "눈")  # as some systems pass the arguments of a command
        assert len(find_occurrences(["밤새 눈 이 왔다"], decomposed)) == 1

    def test_many_are_sampled(self) -> None:
        sentences = [[f"w{number}", "bim"] for number in range(50)]
        first, again, other = (find_occurrences(sentences, "bim", max_occurrences=10, seed=seed) for seed in (1, 1, 2))
        assert first == again != other
        assert len(first) == 10
        assert first == sorted(first, key=lambda use: int(use.words[0][1:]))

    @pytest.mark.parametrize(
        ("words", "place", "snippet"),
        [
            ("a b c d e f g", 3, "…b c [d] e f…"),
            ("a b", 0, "[a] b"),
            ("It wasn 't a bim", 3, "…wasn't [a] bim"),
            ("( a ) bim , was it ?", 1, "([a]) bim…"),
            ("a , b , c d", 4, "…b, [c] d"),
            ("so we left .", 2, "so we [left]."),
        ],
    )
    def test_snippets(self, words: str, place: int, snippet: str) -> None:
        assert Occurrence(tuple(words.split()), place).snippet(2) == snippet

    def test_snippets_as_written(self) -> None:
        sentences = ["The 'bim' isn't\there.", ["A", "bim", "is", "n't", "."]]
        raw, listed = find_occurrences(sentences, "bim")
        assert raw.snippet(3) == "The '[bim]' isn't…"
        assert raw.snippet(1) == "…'[bim]'…"
        assert listed.snippet() == "A [bim] is n't."


class TestSenses:
    def test_read(self, tmp_path: Path) -> None:
        path = tmp_path / "senses.tsv.gz"
        path.write_bytes(gzip.compress(b"one\tThe bim's here.\r\n\ntwo\tA Bim fell.\n"))
        senses, sentences = read_senses(path, "bim")
        assert senses == ["one", "two"]
        assert sentences == ["The bim's here.", "A Bim fell."]
        with pytest.raises(ValueError, match="line 1: the word 'bam' is not in the sentence"):
            read_senses(path, "bam")

    @pytest.mark.parametrize("line", ["no tab with bim", "\tbim", "one\t", "one\ttwo\tbim"])
    def test_broken(self, tmp_path: Path, line: str) -> None:
        path = tmp_path / "senses.tsv"
        path.write_text(f"one\tA bim.\n{line}\n")
        with pytest.raises(ValueError, match=r"senses.tsv, line 2: is not a sense, a tab and a sentence"):
            read_senses(path, "bim")


class TestMap:
    def test_clusters(self) -> None:
        found = map_occurrences(ByPreviousWord(), text(), "bim", "context", method="pca")
        groups = found.groups()
        assert {name: len(members) for name, members in groups.items()} == {
            "cluster 1": 40,
            "cluster 2": 25,
            "cluster 3": 15,
        }
        assert found.typical_words("cluster 2")[0] == "fesk"
        assert found.points.shape == (80, 2)
        assert found.explained is not None
        assert 0 < found.explained[1] <= found.explained[0] < 1
        nearest = [found.distances[number] for number in groups["cluster 1"]]
        assert nearest == sorted(nearest)
        table = found.table()
        assert [row[1] for row in table.rows] == ["40", "25", "15"]
        assert "lorn [bim]" in table.rows[0][3]
        assert "Silhouette" in table.note

    def test_order_of_the_text_changes_nothing(self) -> None:
        there = map_occurrences(ByPreviousWord(), text(), "bim", 1, method="pca")
        back = map_occurrences(ByPreviousWord(), text()[::-1], "bim", 1, method="pca")
        assert np.allclose(there.points, back.points[::-1])
        assert there.labels == back.labels[::-1]

    def test_senses(self) -> None:
        senses = [name for name, count in KINDS.items() for _ in range(count)]
        found = map_occurrences(ByPreviousWord(), text(), "bim", "context", senses=senses, method="pca")
        assert [*found.groups()] == ["lorn", "fesk", "tiv"]
        assert found.same_sense == 1
        mixed = map_occurrences(ByPreviousWord(), text(), "bim", "context", senses=["x", "y"] * 40, method="pca")
        assert mixed.same_sense is not None
        assert mixed.same_sense < 0.8
        assert "have the same sense as their nearest neighbor" in mixed.table().note
        one = map_occurrences(ByPreviousWord(), text(), "bim", "context", senses=["x"] * 80, method="pca")
        assert one.silhouette is None
        assert len(one.table().rows) == 1

    def test_refuses(self) -> None:
        with pytest.raises(ValueError, match="'bum' occurs 0 times in the text; a map needs at least 5"):
            map_occurrences(ByPreviousWord(), text(), "bum", 1)
        with pytest.raises(ValueError, match="is several tokens in the text: didn 't; a map is of one token"):
            map_occurrences(ByPreviousWord(), text(), "didn't", 1)
        with pytest.raises(ValueError, match=r"made, layer word: all occurrences of 'bim' have the same vector"):
            map_occurrences(ByPreviousWord(), text(), "bim", "word")
        static = StaticRepresentation(StaticVectors(("other",), np.ones((1, 4), np.float32)), "static")
        with pytest.raises(ValueError, match="static, layer static: has no vector for 'bim'"):
            map_occurrences(static, text(), "bim", 0)

    def test_layers_by_name_or_number(self) -> None:
        assert [layer_index(ByPreviousWord(), layer) for layer in ("context", 1, "1", 0, "top")] == [1, 1, 1, 0, 1]
        for wrong in ("last", 2, -1, "-1"):
            with pytest.raises(ValueError, match=r"layer must be top, average or a number from 0 to 1, not "):
                layer_index(ByPreviousWord(), wrong)

    def test_a_bilm(self, model: elmo.Embedder) -> None:
        sentences = text({"lorn": 9, "fesk": 6})
        found = map_occurrences(BiLMRepresentation(model, "tiny"), sentences, "bim", "average", method="pca")
        assert len(found.occurrences) == 15
        assert np.isfinite(found.points).all()

    def test_without_umap(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setitem(sys.modules, "umap", None)
        assert map_occurrences(ByPreviousWord(), text(), "bim", 1).method == "pca"
        with pytest.raises(ValueError, match="pip install"):
            map_occurrences(ByPreviousWord(), text(), "bim", 1, method="umap")

    @pytest.mark.parametrize("method", ["auto", "umap"])
    def test_with_umap(self, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, method: Any) -> None:
        class UMAP:
            def __init__(self, n_neighbors: int, **options: Any) -> None:
                assert n_neighbors == 15
                assert options["random_state"] == 3

            def fit_transform(self, vectors: np.ndarray) -> np.ndarray:
                return vectors[:, :2]

        package = types.ModuleType("umap")
        package.UMAP = UMAP  # type: ignore[attr-defined]
        monkeypatch.setitem(sys.modules, "umap", package)
        found = map_occurrences(ByPreviousWord(), text(), "bim", 1, method=method, seed=3)
        assert found.method == "umap"
        assert found.explained is None
        assert draw_map(found, tmp_path / "map")


class TestPicture:
    def test_drawn_twice_alike(self, tmp_path: Path) -> None:
        found = map_occurrences(ByPreviousWord(), text(), "bim", "context", method="pca")
        written = draw_map(found, tmp_path / "map")
        assert [path.name for path in written] == ["map.png", "map.svg"]
        first = written[1].read_bytes()
        assert draw_map(found, tmp_path / "map")[1].read_bytes() == first

    def test_many_senses_and_odd_characters(self, tmp_path: Path) -> None:
        sentences = [["$", *words, "50", "%", "_x^", "$"] for words in text()]
        senses = [f"$sense_{number % 11}" for number in range(80)]
        found = map_occurrences(ByPreviousWord(), sentences, "bim", "context", senses=senses, method="pca")
        svg = draw_map(found, tmp_path / "map")[1].read_text()
        assert "other (" in svg

    def test_few_occurrences(self, tmp_path: Path) -> None:
        found = map_occurrences(ByPreviousWord(), text({"lorn": 3, "fesk": 2}), "bim", "context", method="pca")
        assert draw_map(found, tmp_path / "map")
