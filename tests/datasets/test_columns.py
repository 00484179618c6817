"""Reading CoNLL columns: tags, named entities and semantic roles."""

import gzip
from pathlib import Path

import pytest

from elmo.datasets.columns import NERExample, PredicateFrame, bio_spans, bio_tags, read_entities, read_frames


@pytest.mark.parametrize(
    ("tags", "spans"),
    [
        ("", []),
        ("O O", []),
        ("B-A I-A O B-B", [("A", 0, 2), ("B", 3, 4)]),
        ("B-A B-A", [("A", 0, 1), ("A", 1, 2)]),
        ("I-A I-A O I-A", [("A", 0, 2), ("A", 3, 4)]),  # IOB1
        ("I-A B-A I-A", [("A", 0, 1), ("A", 1, 3)]),  # IOB1: B only between adjacent spans
        ("O I-A", [("A", 1, 2)]),
        ("B-A I-B I-B", [("A", 0, 1), ("B", 1, 3)]),  # a change of type opens a span
        ("B-A I-A E-A S-B O", [("A", 0, 3), ("B", 3, 4)]),  # BIOES
        ("B-A I-A L-A U-B O", [("A", 0, 3), ("B", 3, 4)]),  # BILOU
        ("E-A I-A S-A I-A E-A E-A", [("A", 0, 1), ("A", 1, 2), ("A", 2, 3), ("A", 3, 5), ("A", 5, 6)]),
        ("U-A L-A I-A", [("A", 0, 1), ("A", 1, 2), ("A", 2, 3)]),
        ("B-C-ARG1 I-C-ARG1", [("C-ARG1", 0, 2)]),  # only the first dash counts
        ("B I O I", [("", 0, 2), ("", 3, 4)]),  # the label may be empty
    ],
)
def test_bio_spans(tags: str, spans: list) -> None:
    assert bio_spans(tags.split()) == spans


@pytest.mark.parametrize("tag", ["X-A", "PER", "", "b-A", "O-A", "BI-A"])
def test_invalid_tag(tag: str) -> None:
    with pytest.raises(ValueError, match="is neither O nor one of"):
        bio_spans(["O", tag])


def test_bio_tags() -> None:
    assert bio_tags([("A", 1, 3), ("B", 3, 4)], 5) == ["O", "B-A", "I-A", "B-B", "O"]


class TestEntities:
    def test_words_and_tags(self, tmp_path: Path) -> None:
        first_sentence = "EU NNP I-NP I-ORG\nrejects VBZ I-VP O\n\n"
        text = f"-DOCSTART- -X- O O\n\n{first_sentence}Peter NNP I-NP B-PER\nB. NNP I-NP I-PER\n"
        (tmp_path / "a.conll").write_text(text)
        first, second = read_entities(tmp_path / "a.conll")
        assert first == NERExample(["EU", "rejects"], [("ORG", 0, 1)])
        assert second == NERExample(["Peter", "B."], [("PER", 0, 2)])

    @pytest.mark.parametrize(
        ("text", "message"),
        [
            ("a O\nb\n", "line 2: expected a word and a tag, found 1 column"),
            ("a O\n\nb X-LOC\n", "line 3: 'X-LOC'"),
            ("b B-\n", "line 1: 'B-'"),
        ],
        ids=["columns", "label", "no kind"],
    )
    def test_malformed(self, tmp_path: Path, text: str, message: str) -> None:
        (tmp_path / "a.conll").write_text(text)
        with pytest.raises(ValueError, match=message):
            read_entities(tmp_path / "a.conll")


def columns(*rows: str) -> str:
    """Return a sentence in CoNLL-2012 columns; each row is "word sense roles..."."""
    lines = []
    for row in rows:
        word, sense, *roles = row.split()
        lines.append(" ".join(["doc", "0", "0", word, "X", "*", word, sense, "-", "-", "*", *roles, "-"]) + "\n")
    return "".join(lines) + "\n"


CAT = columns("The - (ARG0*", "cat - *)", "sat 01 (V*)", "there - (ARGM-LOC*)", ". - *")


def read(folder: Path, text: str) -> list[PredicateFrame]:
    path = folder / "some.conll"
    path.write_text(text, "utf-8")
    return read_frames(path)


def test_one_frame_per_argument_column(tmp_path: Path) -> None:
    two = columns("Cats 	- (ARG0*) *", "like 02 (V*) *", "to - (ARG1* *", "sleep 01 *) (V*)")
    assert read(tmp_path, "#begin document (x); part 000\n" + CAT + columns("Yes -") + two + "#end document\n") == [
        PredicateFrame(
            ["The", "cat", "sat", "there", "."], 2, [("ARG0", 0, 2), ("V", 2, 3), ("ARGM-LOC", 3, 4)], predicates=(2,)
        ),
        PredicateFrame(
            ["Cats", "like", "to", "sleep"], 1, [("ARG0", 0, 1), ("V", 1, 2), ("ARG1", 2, 4)], predicates=(1, 3)
        ),
        PredicateFrame(["Cats", "like", "to", "sleep"], 3, [("V", 3, 4)], predicates=(1, 3)),
    ]


def test_compressed_files_and_escapes(tmp_path: Path) -> None:
    path = tmp_path / "x.v4_gold_conll.gz"
    path.write_bytes(gzip.compress(columns("-LRB- - *", "go 01 (V*)", "/. - *").encode()))
    assert read_frames(path)[0].words == ["(", "go", "."]


def test_the_predicate_of_a_column(tmp_path: Path) -> None:
    # "side stepped" has two columns, "hung" has no sense, and the first word of a multiword verb is the predicate.
    (frame,) = read(tmp_path, columns("got - *", "hung - (V*", "up - *)"))
    assert (frame.predicate, frame.spans) == (1, [("V", 1, 3)])
    both = read(tmp_path, columns("side 01 (V* (V*)", "stepped - *) (C-V*)"))
    assert [frame.predicate for frame in both] == [0, 0]
    # Without V, the sense column decides.
    assert read(tmp_path, columns("he - (ARG0*)", "went 01 *"))[0].predicate == 1


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("doc 0 0 cat X * - -\n", "line 1: expected at least 12 columns .*, found 8"),
        (CAT.replace(" *)", ""), "line 2: found 12 columns, but the sentence begins with 13"),
        (CAT.replace("(ARGM-LOC*)", "(ARGM-LOC*"), "line 4: ARGM-LOC is opened here and not closed"),
        (CAT.replace("(V*)", "(V*"), "line 4: ARGM-LOC opens before V is closed"),
        (CAT.replace("(ARGM-LOC*)", "*)"), "line 4: an argument is closed that was not opened"),
        (CAT.replace("(V*)", "(ARG1(V*)"), r"line 3: '\(ARG1\(V\*\)' is not like"),
        (CAT.replace("(V*)", "V"), "line 3: 'V' is not like"),
        (CAT + columns("a 01 (V*)", "b 01 *"), "line 7: the sentence has 2 predicates, but 1 argument columns"),
        (columns("a 01 (V*) *", "b - * (ARG0*)"), "line 1: the predicate of column 13 is unknown"),
    ],
)
def test_malformed_roles(tmp_path: Path, text: str, reason: str) -> None:
    with pytest.raises(ValueError, match=rf"some\.conll, {reason}"):
        read(tmp_path, text)
