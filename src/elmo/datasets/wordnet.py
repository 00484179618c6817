"""WordNet's senses: which of them a lemma has, and which it lists first.

All of that is in one file of WordNet's folder ``dict``: ``index.sense`` has a line for each sense, with its key
(``bank%1:17:01::``: the lemma, and the part of speech as the digit after ``%``), the place of its synset, its number
among the senses of that lemma and part of speech (1 is the most frequent), and how often it was seen.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from elmo.text.reading import read_text

PARTS_OF_SPEECH = ("NOUN", "VERB", "ADJ", "ADV")
_POS_OF_DIGIT = {"1": "NOUN", "2": "VERB", "3": "ADJ", "4": "ADV", "5": "ADJ"}
"""5 marks adjectives that lean on another (satellites); WordNet numbers them together with the others."""


@dataclass(frozen=True)
class SenseInventory:
    """The senses of each lemma and part of speech."""

    senses: Mapping[tuple[str, str], tuple[str, ...]]
    """From lemma (lower case, pieces joined by ``_``) and part of speech to sense keys, in WordNet's order."""

    def candidates(self, lemma: str, pos: str) -> tuple[str, ...]:
        """The sense keys that a word may have, the first sense first; none if WordNet does not know it."""
        return self.senses.get((lemma.lower().replace(" ", "_"), pos), ())


def read_wordnet(path: str | Path) -> SenseInventory:
    """Read WordNet's folder ``dict``, or the file ``index.sense`` itself, packed or not."""
    path = Path(path)
    path = path / "index.sense" if path.is_dir() else path
    numbered: dict[tuple[str, str], dict[int, str]] = {}
    for number, line in enumerate(read_text(path).split("\n"), 1):
        if not line.strip():
            continue
        fields = line.split()
        if len(fields) != 4 or not fields[2].isdecimal():
            raise ValueError(f"{path}, line {number}: is not a sense key, a place, a number and a count")
        key, order = fields[0], int(fields[2])
        lemma, percent, rest = key.rpartition("%")
        if not percent or not lemma or rest[:1] not in _POS_OF_DIGIT:
            raise ValueError(f"{path}, line {number}: {key!r} is not a sense key like bank%1:17:01::")
        known = numbered.setdefault((lemma, _POS_OF_DIGIT[rest[0]]), {})
        if order in known:
            raise ValueError(f"{path}, line {number}: {key} has the number {order}, like {known[order]}")
        known[order] = key
    if not numbered:
        raise ValueError(f"{path}: has no senses")
    return SenseInventory({word: tuple(keys[n] for n in sorted(keys)) for word, keys in numbered.items()})
