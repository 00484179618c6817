"""The sense inventory of WordNet: the senses of each lemma, in order of frequency.

The file ``index.sense`` in WordNet's folder ``dict`` has one line per sense: its key (``bank%1:17:01::``, the lemma and
then a digit for the part of speech), the offset of its synset, its rank among the senses of that lemma and part of
speech (1 is the most frequent), and its count in tagged text.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from elmo.datasets.lines import bad_line, numbered_lines

PARTS_OF_SPEECH = ("NOUN", "VERB", "ADJ", "ADV")
_POS_OF_DIGIT = {"1": "NOUN", "2": "VERB", "3": "ADJ", "4": "ADV", "5": "ADJ"}
"""5 stands for satellite adjectives, which WordNet ranks together with the other adjectives."""


@dataclass(frozen=True)
class SenseInventory:
    """The senses of each lemma and part of speech."""

    senses: Mapping[tuple[str, str], tuple[str, ...]]
    """Sense keys in WordNet's order, by lemma (lower case, ``_`` between words) and part of speech."""

    def candidates(self, lemma: str, pos: str) -> tuple[str, ...]:
        """Return the sense keys of a word, most frequent first; none if WordNet does not have the word."""
        return self.senses.get((lemma.lower().replace(" ", "_"), pos), ())


def read_wordnet(path: str | Path) -> SenseInventory:
    """Read WordNet's folder ``dict``, or its file ``index.sense``, which may be compressed."""
    path = Path(path)
    path = path / "index.sense" if path.is_dir() else path
    ranked: dict[tuple[str, str], dict[int, str]] = {}
    for number, line in numbered_lines(path):
        fields = line.split()
        if len(fields) != 4 or not fields[2].isdecimal():
            raise bad_line(path, number, "is not a sense key, a synset offset, a sense number and a count")
        key, rank = fields[0], int(fields[2])
        lemma, percent, rest = key.rpartition("%")
        if not percent or not lemma or rest[:1] not in _POS_OF_DIGIT:
            raise bad_line(path, number, f"{key!r} is not a sense key like bank%1:17:01::")
        known = ranked.setdefault((lemma, _POS_OF_DIGIT[rest[0]]), {})
        if rank in known:
            raise bad_line(path, number, f"{key} has the same sense number, {rank}, as {known[rank]}")
        known[rank] = key
    if not ranked:
        raise ValueError(f"{path}: has no senses")
    return SenseInventory({word: tuple(keys[n] for n in sorted(keys)) for word, keys in ranked.items()})
