"""Reading part-of-speech tags: CoNLL-U, Penn trees and words with tags."""

import lzma
from pathlib import Path

import pytest

from elmo.datasets.conllu import TaggedSentence, read_tagged


def row(number: str, word: str, upos: str = "_", xpos: str = "_") -> str:
    return "\t".join([number, word, "_", upos, xpos, "_", "_", "_", "_", "_"]) + "\n"


CONLLU = (
    "# newdoc\n# text = Bim dagu.\n"
    + row("1-2", "Bimda")
    + row("1", "Bim", "NOUN", "NN")
    + row("1.1", "zero", "VERB", "VB")
    + row("2", "dagu", "VERB", "VBZ")
    + row("3", "10 000", "NUM", "CD")
    + "\n\n# another\n"
    + row("1", "#", "SYM", "$")
)


def written(folder: Path, name: str, text: str) -> Path:
    path = folder / name
    path.write_text(text, "utf-8", newline="")
    return path


def test_conllu_without_multiword_tokens_and_empty_nodes(tmp_path: Path) -> None:
    path = written(tmp_path, "a.conllu", CONLLU)
    words = [("Bim", "dagu", "10 000"), ("#",)]
    assert read_tagged(path) == [
        TaggedSentence(w, t) for w, t in zip(words, [("NN", "VBZ", "CD"), ("$",)], strict=True)
    ]
    assert [s.tags for s in read_tagged(path, "upos")] == [("NOUN", "VERB", "NUM"), ("SYM",)]


def test_compressed_files_and_windows_line_ends(tmp_path: Path) -> None:
    compressed = tmp_path / "b.CONLLU.xz"
    compressed.write_bytes(lzma.compress(CONLLU.replace("\n", "\r\n").encode()))
    assert read_tagged(compressed) == read_tagged(written(tmp_path, "a.conllu", CONLLU))


@pytest.mark.parametrize(
    ("text", "where"),
    [
        ("1\tBim\tNN\n", "line 1: expected the 10 columns of CoNLL-U, found 3"),
        (row("1", "Bim", "NOUN", "NN") + row("3", "dagu", "VERB", "VB"), "line 2: expected word 2 .*, found '3'"),
        (row("1", "Bim", "NOUN", "NN") + "\n" + row("1", "dagu", "VERB"), "line 3: has no xpos"),
        (row("1", "", "NOUN", "NN"), "line 1: has no word"),
        ("# nothing\n", "has no sentences"),
    ],
)
def test_malformed_conllu(tmp_path: Path, text: str, where: str) -> None:
    path = written(tmp_path, "broken.conllu", text)
    with pytest.raises(ValueError, match=f"{path}.*{where}"):
        read_tagged(path)


def test_unknown_column(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="xpos or upos, not 'lemma'"):
        read_tagged(tmp_path, "lemma")  # type: ignore[arg-type]


@pytest.mark.parametrize("text", ["ba/or_CC -LRB-_-LRB-\n\n1\\/2_CD \n", "ba_or/CC -LRB-/-LRB-\n1\\/2/CD"])
def test_lines_of_words_with_tags(tmp_path: Path, text: str) -> None:
    first, second = read_tagged(written(tmp_path, "a.txt", text))
    assert first == TaggedSentence((text[:5], "("), ("CC", "-LRB-"))
    assert second == TaggedSentence(("1/2",), ("CD",))


@pytest.mark.parametrize("token", ["bim", "_NN", "bim_", "bim/NN"])
def test_malformed_lines(tmp_path: Path, token: str) -> None:
    path = written(tmp_path, "a.pos", f"dagu_VB\ndagu_VB {token}\n")
    with pytest.raises(ValueError, match=f"{path}, line 2: '{token}' is not a word, _ and a tag"):
        read_tagged(path)


def test_trees(tmp_path: Path) -> None:
    text = (
        "( (S (NP-SBJ (DT the) (NN dagu))\n   (VP (VBD was) (NP (-NONE- *-1)))\n (-LRB- -LRB-) (. .)) )\n"
        "(TOP (UH bim))(NN dagu) ((NP (-NONE- 0)))"
    )
    assert read_tagged(written(tmp_path, "wsj.mrg", text)) == [
        TaggedSentence(("the", "dagu", "was", "(", "."), ("DT", "NN", "VBD", "-LRB-", ".")),
        TaggedSentence(("bim",), ("UH",)),
        TaggedSentence(("dagu",), ("NN",)),
    ]


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("(S\n(NN bim)", "line 2: a bracket is not closed"),
        ("(NN bim)\n)", r"line 2: '\)' is outside"),
        ("bim", "line 1: 'bim' is outside"),
        ("(S (NN bim dagu))", r"line 1: the bracket '\(NN \.\.\.\)' has more than"),
        ("(S\n(NN bim) dagu)", r"line 2: the bracket '\(S \.\.\.\)' has more than"),
        ("(S bim\n(NN dagu))", r"line 2: the bracket '\(S \.\.\.\)' has more than"),
        ("(S (NN))", r"line 1: the bracket '\(NN\)' has no words"),
        ("()", r"line 1: the bracket '\(\)' has no words"),
    ],
)
def test_malformed_trees(tmp_path: Path, text: str, reason: str) -> None:
    path = written(tmp_path, "a.parse", text)
    with pytest.raises(ValueError, match=f"{path}, {reason}"):
        read_tagged(path)


def test_a_folder(tmp_path: Path) -> None:
    for name, text in (("1.mrg", "(NN bim)"), ("2.txt", "dagu_VB")):
        written(tmp_path, name, text)
    assert [s.words for s in read_tagged(tmp_path)] == [("bim",), ("dagu",)]
