"""Homonyms, on vectors of which it is known what they follow."""

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

import numpy as np
import pytest

from elmo.paper.exhibit import ANALYSIS_FILE, Setup
from elmo.paper.probes.homonyms import NEIGHBORS, Homonyms, HomonymUse, compare_homonyms, read_homonyms
from elmo.paper.probes.representations import LayerVectors
from elmo.results import read_results
from elmo.search.sample_texts import KOREAN

SENTENCES = [
    f"{word}\t{sense}\t{sense} name\t{sense}{number} {word}{ending} lorn."
    for word in ("bim", "fesk")
    for sense in ("tiv", "orv")
    for number, ending in enumerate(["un", "un", "", "", "ak", "ak", "ak"])
]


@pytest.fixture
def uses(tmp_path: Path) -> list[HomonymUse]:
    path = tmp_path / "senses.tsv"
    path.write_text("# a comment\n" + "\n".join(SENTENCES) + "\n")
    return read_homonyms(path, "words")


class Made:
    """In layer "sense", a word is the beginning of the one before; in "ending", its own end; "none" is constant."""

    name, layer_names, dim = "made", ("none", "ending", "sense"), 3

    def layers(self, sentences: Iterable[Sequence[str]]) -> Iterator[LayerVectors]:
        for words in sentences:
            senses = ["" if place == 0 else words[place - 1][:3] for place in range(len(words))]
            endings = [word[-2:] for word in words]
            codes = [[""] * len(words), endings, senses]
            yield np.array([[_vector(code) for code in layer] for layer in codes], np.float32)


def _vector(code: str) -> list[float]:
    return np.random.default_rng([1, *code.encode()]).normal(size=3).tolist()


def test_read(uses: list[HomonymUse]) -> None:
    assert len(uses) == 28
    assert (uses[0].word, uses[0].sense, uses[0].ending) == ("bim", "tiv (tiv name)", "un")
    assert [use.ending for use in uses[:7]] == ["un", "un", "", "", "ak", "ak", "ak"]
    assert uses[0].occurrence.snippet() == "tiv0 [bimun] lorn."
    assert uses[2].occurrence.position == 1


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ("bim\tone", "is not a word, its sense"),
        ("bim\t\tthe bim", "is not a word, its sense"),
        ("bim\tone\tthe lorn", "has the word 'bim' 0 times, not once"),
        ("bim\tone\tA Bim, a bim", "has the word 'bim' 2 times, not once"),
    ],
)
def test_broken(tmp_path: Path, line: str, problem: str) -> None:
    path = tmp_path / "senses.tsv"
    path.write_text(f"bim\tone\tthe bim\n{line}\n")
    with pytest.raises(ValueError, match=rf"senses.tsv, line 2: {problem}"):
        read_homonyms(path, "words")
    path.write_text("# nothing\n")
    with pytest.raises(ValueError, match="has no sentences"):
        read_homonyms(path, "words")


def test_agreement(uses: list[HomonymUse]) -> None:
    found = compare_homonyms(Made(), uses)
    none, ending, sense = found.senses
    assert none == pytest.approx(found.sense_chance)  # ties count as what they are expected to
    assert found.sense_chance == pytest.approx(6 / 13)
    assert sense == pytest.approx(1)
    assert (
        found.mean(found.endings[1])
        > found.mean(found.endings[2])
        == pytest.approx(found.mean(found.ending_chance), abs=0.1)
    )
    assert found.mean(ending) < 0.6
    assert not any(found.confusions)  # in the top layer
    rows = found.rows()
    assert [row[1:3] for row in rows] == [
        ["none", "46.2"],
        ["ending", rows[1][2]],
        ["sense", "100.0"],
        ["chance", "46.2"],
    ]
    assert [one.value for one in found.measurements()] == [float(score) for row in rows for score in row[2:]]
    assert found.measurements()[-1].details == {"source": "made", "layer": "chance", "word": "same ending"}
    rows = found.sense_table().rows
    assert rows[0] == ["bim", "tiv (tiv name)", "7", "46.2", rows[0][4], "100.0", "46.2", ""]
    with pytest.raises(ValueError, match=f"bim: needs more than {NEIGHBORS} sentences, has 5"):
        compare_homonyms(Made(), uses[:5])


def test_perfect_vectors_reach_100_percent_with_few_sentences(uses: list[HomonymUse]) -> None:
    few = [use for use in uses if use.word == "bim"]
    few = [*few[:3], *few[-4:]]  # three of one sense, four of the other
    assert compare_homonyms(Made(), few).senses[2] == pytest.approx(1)
    with pytest.raises(ValueError, match=r"bim: the sense 'tiv.*' has one sentence; it needs at least two"):
        compare_homonyms(Made(), [few[0], *uses[7:14]])


def test_confusions(uses: list[HomonymUse]) -> None:
    class ByEnding(Made):
        layer_names = ("ending",)

        def layers(self, sentences: Iterable[Sequence[str]]) -> Iterator[LayerVectors]:
            return (layers[1:2] for layers in super().layers(sentences))

    rows = compare_homonyms(ByEnding(), uses).sense_table().rows
    assert rows[0][-1].startswith("orv (orv name) ")


def test_static_vectors_beside_a_model(published_folder: Path, tmp_path: Path) -> None:
    """The vector of a word is the same everywhere, so it is as good as chance; the mean of the sentence is not."""
    lines = [line for line in SENTENCES if line.endswith(("bim lorn.", "fesk lorn."))] * 4
    (tmp_path / "senses.tsv").write_text("\n".join(lines) + "\n")
    (tmp_path / "made.txt").write_text("tiv2 1 0\ntiv3 1 0.1\norv2 0 1\norv3 0.1 1\nbim 1 1\nfesk 1 1\nlorn 1 1\n")
    setup = Setup(tmp_path / "results", models=(str(published_folder),), vectors=tmp_path / "made.txt")
    exhibit = Homonyms(tmp_path / "senses.tsv", layer=1)
    found = exhibit.run(setup)
    tables = exhibit.collect(found)
    table = tables["homonyms"]
    assert table.header == ["vectors", "layer", "all", "bim", "fesk", "same ending"]
    scores = {(row[0], row[1]): row[2] for row in table.rows}
    assert scores["made", "static"] == scores["made", "chance"] == scores["published", "chance"] == "46.7"
    assert scores["made", "static, mean of the sentence"] == "100.0"
    recorded = read_results(tmp_path / "results" / ANALYSIS_FILE)
    assert [one.value for one in recorded if one.details["word"] == "all"] == list(map(float, scores.values()))
    names = {path.name for path in exhibit.render(found, tables, tmp_path / "results")}
    assert {"homonyms.md", "homonyms-made-senses.md", "homonyms-published-senses.md"} <= names
    assert {name for name in names if name.endswith(".svg")} == {
        "homonyms-published-bim.svg",
        "homonyms-published-fesk.svg",
    }
    (tmp_path / "open.tsv").write_text("".join(f"24/7\t{'ab'[n % 2]}\tOpen 24/7 day {n}.\n" for n in range(7)))
    exhibit = Homonyms(tmp_path / "open.tsv")
    written = exhibit.render(exhibit.run(setup), {}, tmp_path / "results")
    assert written[-1] == tmp_path / "results" / "homonyms-published-24_7.svg", "not in a folder of its own"
    with pytest.raises(ValueError, match="in Korean only; give labeled sentences with --senses"):
        Homonyms().run(setup)
    with pytest.raises(ValueError, match=r"lorn: is not a word of .*senses.tsv \(choose from bim, fesk\)"):
        Homonyms(tmp_path / "senses.tsv", ("bim", "lorn")).run(setup)


def test_the_sample_text() -> None:
    pytest.importorskip("mecab", reason="python-mecab-ko is not installed (extra: korean)")
    uses = read_homonyms(KOREAN.path, "korean")
    assert uses[0].occurrence.words[uses[0].occurrence.position] == "배"
    assert {use.ending for use in uses if use.word == "타다"} >= {"고", "는", "면", "지", "기"}
    assert len(read_homonyms(KOREAN.path, "words")) == len(uses)  # 손을 is one word
    for sense in {(use.word, use.sense) for use in uses}:
        first = [use.occurrence.position == 0 for use in uses if (use.word, use.sense) == sense]
        assert sum(first) <= 3, sense  # a model may tell senses apart by their position only
