"""A made-up WordNet: a "blick" has three senses as a noun and one as a verb; a "dax" has two."""

from pathlib import Path

from elmo.datasets.wordnet import SenseInventory, read_wordnet

INDEX = """\
blick%1:01:00:: 00000001 1 9
blick%1:02:00:: 00000002 2 4
blick%1:03:00:: 00000003 3 0
blick%2:30:00:: 00000004 1 2
dax%1:01:00:: 00000006 2 0
dax%1:05:00:: 00000005 1 0
wug%5:00:00:fep:00 00000007 1 3
wug%3:00:00:: 00000008 2 1
"""
BANK, BEAK, BLOCK = "blick%1:01:00::", "blick%1:02:00::", "blick%1:03:00::"


def made_up_wordnet(parent: Path) -> SenseInventory:
    """Write the folder ``dict`` of WordNet, and read it."""
    (parent / "dict").mkdir()
    (parent / "dict" / "index.sense").write_text(INDEX, "utf-8")
    return read_wordnet(parent / "dict")
