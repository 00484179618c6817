"""Table 4 on a made-up corpus, and the evaluation on labeled sentences."""

import json
import shutil
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray
from search.made_up_corpus import SENTENCES

import elmo
from elmo.datasets.static_vectors import StaticVectors
from elmo.paper.exhibit import ANALYSIS_FILE, Setup
from elmo.paper.probes.neighbors import PLAY, PlayNeighbors, evaluate_labeled, neighbor_table, read_labeled_uses
from elmo.results import read_results
from elmo.search.index import Index, build_index
from elmo.search.static_neighbors import StaticNeighbors


@pytest.fixture(scope="module")
def index(model: elmo.Embedder, tmp_path_factory: pytest.TempPathFactory) -> Index:
    return build_index(model, [*SENTENCES, []], tmp_path_factory.mktemp("indexes") / "index")


STATIC = StaticVectors(("tel", "brint", "dorn", "none"), np.array([[1, 0], [2, 0.2], [0, 1], [0, 0]], dtype=np.float32))


def test_table4(index: Index, model: elmo.Embedder) -> None:
    table = neighbor_table(
        index, model, [(["a", "Tel", "."], 1), (["tel", "."], 0)], StaticNeighbors(STATIC), k=2, same_word=True
    )
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


class TestLabeledUses:
    def test_shares(self, tmp_path: Path) -> None:
        (tmp_path / "uses.tsv").write_text(USES)
        uses = read_labeled_uses(tmp_path / "uses.tsv", ("tel", "tels"))
        assert [use.position for use in uses] == [1, 1, 2, 2, 2, 2, 2, 2]
        result = evaluate_labeled(Senses(), uses, 2)
        # X: two of the three forms of "tel" are right. Y: one that is right, then one of the two others.
        assert result.counts == (pytest.approx((4 / 3, 4 / 3)), pytest.approx((2, 1.5)))
        assert result.chance == pytest.approx((4 / 3, 4 / 3))
        assert result.accuracy("first word") == pytest.approx(0.875)
        assert result.accuracy("first word", "Y") == pytest.approx(0.75)
        assert [result.good(layer) for layer in result.layers] == [0, 1]
        assert list(result.table().rows[1]) == ["first word", "87.5", "100.0", "75.0", "1", "2", "1.5"]
        assert result.table().rows[2][0] == "chance"
        with pytest.raises(ValueError, match="only 3 occurrences to compare with: x tel a"):
            evaluate_labeled(Senses(), uses, 4)
        backwards = evaluate_labeled(Senses(), uses[::-1], 2)
        assert backwards.counts[1] == pytest.approx(result.counts[1][::-1])

    @pytest.mark.parametrize(
        ("line", "reason"),
        [
            ("X query x tel", "is not a sense"),
            ("X\tqueries\tx tel", "'queries' is neither"),
            ("X\tquery\tx tel Tel", "has 2 of the words tel, tels"),
            ("X\tquery\tx", "has 0 of the words"),
        ],
    )
    def test_broken_lists(self, tmp_path: Path, line: str, reason: str) -> None:
        path = tmp_path / "uses.tsv"
        path.write_text(f"X\tcorpus\tx tel\n{line}\n")
        with pytest.raises(ValueError, match=f"uses.tsv, line 2: {reason}"):
            read_labeled_uses(path, ("tel", "tels"))

    def test_the_list_of_play(self) -> None:
        uses = read_labeled_uses(PLAY)
        assert len(uses) == 100
        for sense in ("theatre", "sport"):
            assert sum(use.sense == sense and use.part == "query" for use in uses) >= 6
            assert sum(use.sense == sense and use.part == "corpus" for use in uses) >= 15


def test_models_in_folders_of_the_same_name(published_folder: Path, tmp_path: Path) -> None:
    """Neither replaces the tables of the other."""
    folders = [shutil.copytree(published_folder, tmp_path / name / "model") for name in ("one", "two")]
    words = [[word, word, "X", None] for word in ("They", "saw", "the", "play", ".")]
    (tmp_path / "semcor.jsonl").write_text(json.dumps({"toks": words}) + "\n")
    exhibit = PlayNeighbors(tmp_path / "semcor.jsonl")
    results = exhibit.run(Setup(tmp_path / "results", models=tuple(map(str, folders))))
    assert len(exhibit.collect(results)) == 6
    assert len({result.details["source"] for result in read_results(tmp_path / "results" / ANALYSIS_FILE)}) == 2
