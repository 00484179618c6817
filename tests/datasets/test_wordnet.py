"""Reading the senses of WordNet."""

import gzip
from pathlib import Path

import pytest
from datasets.made_up_wordnet import BANK, BEAK, BLOCK, INDEX, made_up_wordnet

from elmo.datasets.wordnet import SenseInventory, read_wordnet


@pytest.fixture
def inventory(tmp_path: Path) -> SenseInventory:
    return made_up_wordnet(tmp_path)


def test_senses_are_ordered_and_satellites_are_adjectives(inventory: SenseInventory) -> None:
    assert inventory.candidates("blick", "NOUN") == (BANK, BEAK, BLOCK)
    assert inventory.candidates("Blick", "VERB") == ("blick%2:30:00::",)
    assert inventory.candidates("dax", "NOUN") == ("dax%1:05:00::", "dax%1:01:00::")
    assert inventory.candidates("wug", "ADJ") == ("wug%5:00:00:fep:00", "wug%3:00:00::")
    assert inventory.candidates("fep", "NOUN") == ()


def test_compressed_file(tmp_path: Path, inventory: SenseInventory) -> None:
    path = tmp_path / "index.sense.gz"
    path.write_bytes(gzip.compress(INDEX.encode()))
    assert read_wordnet(path) == inventory


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("blick%1:01:00:: 1 1", "is not a sense key, a synset offset"),
        ("blick%1:01:00:: 1 one 0", "is not a sense key, a synset offset"),
        ("blick 1 1 0", "'blick' is not a sense key like"),
        ("blick%7:01:00:: 1 1 0", "is not a sense key like"),
        ("blick%1:04:00:: 1 2 0", "has the same sense number, 2, as blick%1:02:00::"),
    ],
)
def test_malformed(tmp_path: Path, line: str, reason: str) -> None:
    path = tmp_path / "index.sense"
    path.write_text(INDEX + line, "utf-8")
    with pytest.raises(ValueError, match=rf"index\.sense, line 9: .*{reason}"):
        read_wordnet(path)
    path.write_text("\n", "utf-8")
    with pytest.raises(ValueError, match="has no senses"):
        read_wordnet(tmp_path)
