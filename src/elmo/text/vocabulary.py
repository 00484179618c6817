"""A list of words with ids, for models that look words up instead of reading their characters."""

from collections.abc import Sequence
from pathlib import Path

import torch
from torch import Tensor

UNKNOWN = "<UNK>"
"""Stands for every word outside the vocabulary."""

_NOT_A_WORD = "!!!MAXTERMID"  # a line some published vocabulary files carry


class Vocabulary:
    """Words in the order of their ids.

    A word listed twice keeps both places and takes the later id, as the published readers had it: the
    rows of the weights are counted by line.
    """

    def __init__(self, words: Sequence[str]) -> None:
        self.words = tuple(words)
        self._ids = {word: index for index, word in enumerate(self.words)}

    def __len__(self) -> int:
        return len(self.words)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Vocabulary) and self.words == other.words

    __hash__ = None  # type: ignore[assignment]

    def __contains__(self, word: str) -> bool:
        return word in self._ids

    def id(self, word: str) -> int:
        """The id of a word, or of ``<UNK>`` for a word outside the vocabulary."""
        found = self._ids.get(word)
        if found is None:
            found = self._ids.get(UNKNOWN)
        if found is None:
            raise ValueError(f"{word!r} is not in the vocabulary, and the vocabulary has no {UNKNOWN}")
        return found

    def words_to_ids(self, words: Sequence[str]) -> Tensor:
        """Rows of the word table, (len(words),): ids plus one, since row 0 means "no word"."""
        return torch.tensor([self.id(word) + 1 for word in words], dtype=torch.long)


def read_vocabulary(path: str | Path) -> Vocabulary:
    """Read a file of one word a line."""
    path = Path(path)
    try:
        return parse_vocabulary(path.read_bytes(), path)
    except FileNotFoundError:
        raise FileNotFoundError(f"{path}: no such vocabulary file") from None


def parse_vocabulary(content: bytes, path: Path) -> Vocabulary:
    """The vocabulary in a file's content; ``path`` is for complaints."""
    try:
        lines = content.decode("utf-8").split("\n")
    except UnicodeDecodeError as error:
        raise ValueError(f"{path}: not a UTF-8 vocabulary file ({error.reason})") from None
    if lines[-1] == "":
        lines.pop()
    words = [line.strip() for line in lines]
    return Vocabulary([word for word in words if word != _NOT_A_WORD])


def write_vocabulary(vocabulary: Vocabulary, path: str | Path) -> None:
    """Write a file of one word a line."""
    Path(path).write_bytes("".join(f"{word}\n" for word in vocabulary.words).encode("utf-8"))
