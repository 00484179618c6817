import pytest

from elmo.text.characters import word_to_ids, words_to_ids

FILL, BEGIN, END = 261, 259, 260


@pytest.mark.parametrize(
    ("word", "inner"),
    [
        pytest.param("The", [85, 105, 102], id="bytes plus one"),
        pytest.param(".", [47], id="mark"),
        pytest.param("", [], id="empty"),
        pytest.param("<S>", [257], id="begin of sentence"),
        pytest.param("</S>", [258], id="end of sentence"),
        pytest.param("<s>", [61, 116, 63], id="only the exact boundary is special"),
        pytest.param("é", [0xC3 + 1, 0xA9 + 1], id="two bytes"),
        pytest.param("손", [0xEC + 1, 0x86 + 1, 0x90 + 1], id="Korean"),
        pytest.param("\x00", [1], id="NUL"),
        pytest.param("a\ud800b", [98, 99], id="lone surrogate is left out"),
        pytest.param("👍", [0xF0 + 1, 0x9F + 1, 0x91 + 1, 0x8D + 1], id="emoji"),
        pytest.param("x" * 1_000_000, [121] * 48, id="1 MB word is cut"),
        pytest.param("a" + "é" * 24, [98] + [0xC3 + 1, 0xA9 + 1] * 23 + [0xC3 + 1], id="cut inside a character"),
    ],
)
def test_rows(word: str, inner: list[int]) -> None:
    row = [BEGIN, *inner, END]
    assert word_to_ids(word) == row + [FILL] * (50 - len(row))


def test_other_width() -> None:
    assert word_to_ids("abcdef", 5) == [BEGIN, 98, 99, 100, END]


def test_several_words() -> None:
    ids = words_to_ids(["a", "b"], 4)
    assert ids.tolist() == [[BEGIN, 98, END, FILL], [BEGIN, 99, END, FILL]]
    assert words_to_ids([]).shape == (0, 50)
