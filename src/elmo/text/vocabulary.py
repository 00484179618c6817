"""A list of words with ids: what a word embedding looks up, or what a softmax predicts."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from elmo.text.markers import UNKNOWN

NOT_A_WORD = "!!!MAXTERMID"
"""A line of some published vocabulary files that readers skip."""


def can_be_stored(word: str) -> bool:
    """Whether a word is the same after it was written to ``vocab.txt``, one word per line, and read back.

    ``!!!MAXTERMID`` is not: the published readers skip this line, and so does ``Vocabulary.from_bytes``. A vocabulary
    that is made from text must leave such words out; they are read as ``<UNK>``.
    """
    return word != NOT_A_WORD and "\n" not in word and word.strip() == word


class Vocabulary:
    """Words in the order of their ids.

    A word that is listed twice keeps both positions and takes the later id, as in the published readers: the rows of
    the weights are counted by line.
    """

    def __init__(self, words: Sequence[str]) -> None:
        self.words = tuple(words)
        self._ids = {word: index for index, word in enumerate(self.words)}

    def __repr__(self) -> str:
        return f"Vocabulary({len(self.words):,} words)"

    def __len__(self) -> int:
        return len(self.words)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Vocabulary) and self.words == other.words

    __hash__ = None  # type: ignore[assignment]

    def __contains__(self, word: str) -> bool:
        return word in self._ids

    def id(self, word: str) -> int:
        """Return the id of a word, or of ``<UNK>`` for a word outside the vocabulary.

        Raises:
            ValueError: If the word is unknown and the vocabulary has no ``<UNK>``.
        """
        found = self._ids.get(word)
        if found is None:
            found = self._ids.get(UNKNOWN)
        if found is None:
            raise ValueError(f"{word!r} is not in the vocabulary, and the vocabulary has no {UNKNOWN}")
        return found

    def words_to_ids(self, words: Sequence[str]) -> NDArray[np.int64]:
        """Rows of a word embedding, (len(words),): ids plus one, since row 0 means "no word"."""
        return np.array([self.id(word) + 1 for word in words], dtype=np.int64)

    def to_bytes(self) -> bytes:
        """The content of ``vocab.txt``: one word per line.

        Raises:
            ValueError: If a word could not be read back; see ``can_be_stored``.
        """
        for word in self.words:
            if not can_be_stored(word):
                raise ValueError(f"{word!r} cannot be part of a vocabulary file, because it would not be read back")
        return "".join(f"{word}\n" for word in self.words).encode("utf-8")

    @classmethod
    def from_bytes(cls, content: bytes) -> "Vocabulary":
        """Read a file of one word per line.

        Raises:
            ValueError: If the content is not UTF-8.
        """
        try:
            lines = content.decode("utf-8").split("\n")
        except UnicodeDecodeError as error:
            raise ValueError(f"not a UTF-8 vocabulary file ({error.reason})") from None
        if lines[-1] == "":
            lines.pop()
        words = [line.strip() for line in lines]
        return cls([word for word in words if word != NOT_A_WORD])
