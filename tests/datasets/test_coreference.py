"""Reading coreference."""

import lzma
import tarfile
from pathlib import Path

import pytest
from conftest import DATA

from elmo.datasets.coreference import CorefDocument, read_coreference

TEXT = """#begin document (nw/some); part 000
nw/some 0 0 Ann XX - (7)
nw/some 0 1 met XX - -
nw/some 0 2 the XX - (3
nw/some 0 3 girl XX - -
nw/some 0 4 with XX - -
nw/some 0 5 her XX - (4|(3)
nw/some 0 6 dog XX - 3)|4)

nw/some 0 0 She XX - (7)
#end document
#begin document (nw/some); part 001
nw/some 1 0 Silence XX - -
#end document
"""
SOME = CorefDocument(
    "nw/some part 000",
    [["Ann", "met", "the", "girl", "with", "her", "dog"], ["She"]],
    [[(0, 1), (7, 8)], [(2, 7), (5, 6)], [(5, 7)]],
)


def test_ontonotes(tmp_path: Path) -> None:
    path = tmp_path / "some.v4_gold_conll.xz"
    path.write_bytes(lzma.compress(TEXT.encode()))
    assert read_coreference(path) == [SOME, CorefDocument("nw/some part 001", [["Silence"]], [])]


def test_litbank_and_files_without_a_begin_line(tmp_path: Path) -> None:
    path = tmp_path / "some.conll"
    path.write_text("d\t0\t0\t#\t_\t\nd\t0\t1\tAnn\t_\t(0)\n\nd\t0\t0\tAnn\t_\t(0)|(1)\n")
    # A mention in two clusters counts for the first.
    assert read_coreference(path) == [CorefDocument("some.conll", [["#", "Ann"], ["Ann"]], [[(1, 2), (2, 3)]])]


def test_crossing_mentions(tmp_path: Path) -> None:
    path = tmp_path / "some.conll"
    path.write_text("".join(f"d 0 {i} w {mark}\n" for i, mark in enumerate(["(1", "(2|(1", "1)", "2)", "1)"])))
    assert read_coreference(path)[0].clusters == [[(0, 5), (1, 3)], [(1, 4)]]


def test_speakers(tmp_path: Path) -> None:
    """They are in column 10 of files with all columns, and a sentence has one."""
    path = tmp_path / "some.conll"
    sentences = [("Ann", ["Hi", "."]), ("-", ["Silence"]), ("Bo", ["Hi"]), ("_", ["More"])]
    lines = [
        f"d 0 {place} {word} UH * - - - {speaker} * -"
        for speaker, words in sentences
        for place, word in enumerate(words)
    ]
    lines[2:2] = lines[4:4] = lines[6:6] = [""]
    path.write_text("\n".join(lines) + "\n")
    (document,) = read_coreference(path)
    assert document.sentences == [["Hi", "."], ["Silence"], ["Hi"], ["More"]]
    assert document.speakers == ["Ann", "", "Bo", ""]
    path.write_text("\n".join(lines).replace("Ann", "-").replace("Bo", "_"))
    assert read_coreference(path)[0].speakers is None
    path.write_text("\n".join(line.replace(" UH", "") for line in lines))  # a column less: not those of CoNLL-2012
    assert read_coreference(path)[0].speakers is None


@pytest.mark.parametrize(
    ("part", "documents", "words"), [("train", 177, 177_410), ("dev", 30, 28_119), ("test", 30, 28_397)]
)
def test_ontogum(part: str, documents: int, words: int, tmp_path: Path) -> None:
    archive = DATA / "tasks" / "coref" / "ontogum.tar.xz"
    if not archive.exists():
        pytest.skip(f"OntoGUM is not at {archive}")
    with tarfile.open(archive) as tar:
        tar.extract(f"ontogum/ontogum.{part}.conll", tmp_path, filter="data")
    found = read_coreference(tmp_path / "ontogum" / f"ontogum.{part}.conll")
    assert len(found) == documents
    assert sum(len(sentence) for document in found for sentence in document.sentences) == words
    clusters = [cluster for document in found for cluster in document.clusters]
    assert sum(len(cluster) == 1 for cluster in clusters) < 0.005 * len(clusters)
    spoken = [document for document in found if document.speakers is not None]
    assert documents / 4 < len(spoken) < documents
    assert all(len(document.speakers) == len(document.sentences) for document in spoken)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("nw/some 0 1 met XX - 5)", r"'5\)' closes a mention that was not opened"),
        ("nw/some 0 1 met XX - (5", r"'\(5' opens a mention that is not closed in its document"),
        ("nw/some 0 1 met", "expected the columns document, part, number, word, .* found 4"),
        ("nw/some 0 1 met XX - (x", r"'\(x' is not - and not like"),
        ("nw/some 0 1 met XX - 5", "'5' is not - and not like"),
        ("nw/some 0 1 met XX - (5)|", "'' is not - and not like"),
    ],
)
def test_malformed(tmp_path: Path, line: str, reason: str) -> None:
    path = tmp_path / "broken.conll"
    path.write_text(TEXT.replace("nw/some 0 1 met XX - -", line))
    with pytest.raises(ValueError, match=rf"broken\.conll, line 3: {reason}"):
        read_coreference(path)
