"""Texts as task models read them."""

from elmo.text.documents import Document
from elmo.text.nesting import walk
from elmo.text.tokens import tokenizer


def test_split() -> None:
    text = " Jose\u0301 isn't here.\n\nShe left!"
    document = Document.split(text, tokenizer("words"))
    assert document.sentences == (("José", "isn", "'t", "here", "."), ("She", "left", "!"))
    assert [text[slice(*span)] for span in document.spans][:2] == ["Jose\u0301", "isn"]
    assert text[slice(*document.characters(5, 7))] == "She left"
    assert not document.tokenized
    assert Document.split(" \n", tokenizer("words")).sentences == ()


def test_joined() -> None:
    document = Document.joined([["New", "York", "!"], [], ["So", "what"]])
    assert document.text == "New York !\nSo what"
    assert [document.text[slice(*span)] for span in document.spans] == document.words
    assert Document.joined([]) == Document("", (), (), tokenized=True)


def test_pieces() -> None:
    document = Document.joined([list("abcde"), list("fg")])
    assert list(document.pieces(3)) == [(0, ["a", "b", "c"]), (3, ["d", "e"]), (5, ["f", "g"])]


def test_walk() -> None:
    """Nested and equal spans; every character is shown once."""
    spans = [(4, 7), (0, 7), (4, 7), (8, 9)]
    steps = list(walk("abcdefg.hi", spans))
    assert "".join(str(value) for kind, value in steps if kind == "text") == "abcdefg.hi"
    signs = {"open": "(", "close": ")"}
    assert "".join(signs.get(kind) or str(value) for kind, value in steps) == "(abcd((efg))).(h)i"
    assert "".join(str(value) for kind, value in walk("abcdef", [(2, 3)], (1, 4)) if kind == "text") == "bcd"
    crossing = walk("abcdef", [(0, 3), (2, 5)])
    assert "".join(str(value) for kind, value in crossing if kind == "text") == "abcdef"
