"""Which words of a task model have a vector of their own: a static one from a file, or a learned one.

Static vectors never cover the data: names, numbers and misspellings are missing. A word of the training data without
a static vector learns one of its own if it occurs in several sentences. Those that occur in only one share the vector
of unknown words, which is trained by them, because they resemble the words of new text that training has not seen. So
no word has a vector that nothing was learned about, whether or not the static vectors are tuned.

The run folder keeps both lists of words:

    words.txt      the words with a static vector, one per line
    learned.txt    the words with a learned one; in older runs, either in words.txt or nowhere
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from elmo.datasets.static_vectors import StaticVectors, read_vectors
from elmo.train.run import RunFolder

WORDS_FILE, LEARNED_FILE = "words.txt", "learned.txt"
FREQUENT_VECTORS = 50_000
"""Static vectors kept from the top of the file, for words that do not occur in the data."""
MIN_SENTENCES = 2
"""Number of distinct sentences of the training data in which a word must occur to learn a vector of its own."""


@dataclass(frozen=True)
class WordList:
    """The words of a task model that have a vector of their own."""

    static: tuple[str, ...]
    """In a static vector file, and either frequent there or in the data of the run."""
    learned: tuple[str, ...] | None
    """Of the training data, the most frequent first. None in older runs, whose unknown words are not learned."""

    def write(self, folder: Path) -> None:
        """Write both lists into a run folder."""
        for name, words in ((WORDS_FILE, self.static), (LEARNED_FILE, self.learned)):
            if words is not None:
                (folder / name).write_text("".join(f"{word}\n" for word in words), "utf-8")

    @classmethod
    def read(cls, run: RunFolder) -> "WordList":
        """Read the lists of a run folder.

        Raises:
            ValueError: If a file is missing or damaged.
        """
        has_learned = LEARNED_FILE in run.read().get("files", {})
        return cls(_read_words(run, WORDS_FILE), _read_words(run, LEARNED_FILE) if has_learned else None)

    def most_frequent(self, count: int) -> "WordList":
        """Return the first ``count`` words of each list: published vectors are sorted by frequency as well."""
        return WordList(self.static[:count], None if self.learned is None else self.learned[:count])

    def missing(self, sequences: Iterable[Sequence[str]]) -> dict[str, float]:
        """Return the percentage of words without a static vector, and of those without any vector of their own."""
        counts = Counter(word for words in set(map(tuple, sequences)) for word in words)
        static, learned = set(self.static), set(self.learned or ())
        without = Counter({word: count for word, count in counts.items() if _key(word, static) is None})
        unknown = sum(count for word, count in without.items() if _key(word, learned) is None)
        total = max(counts.total(), 1)
        return {"no static vector": 100 * without.total() / total, "unknown": 100 * unknown / total}


def choose_words(
    training: Iterable[Sequence[str]], evaluation: Iterable[Sequence[str]], vectors: str | Path | None
) -> tuple[WordList, StaticVectors | None]:
    """Choose the words that get a vector, and read the static ones.

    Args:
        training: The word sequences of the training data. Sequences that occur several times count once.
        evaluation: Those of the development and test data.
        vectors: The file of static vectors, if there is one.
    """
    counts = Counter(word for words in dict.fromkeys(map(tuple, training)) for word in dict.fromkeys(words))
    found = None
    if vectors is not None:
        found = read_vectors(vectors, FREQUENT_VECTORS, {*counts, *(word for words in evaluation for word in words)})
    static = set() if found is None else set(found.words)
    frequent = (word for word, count in counts.most_common() if count >= MIN_SENTENCES)
    learned = tuple(word for word in frequent if _key(word, static) is None)
    return WordList(() if found is None else found.words, learned), found


def _key(word: str, known: Iterable[str]) -> str | None:
    """Return the form of a word that is known: many published vectors have only lowercase words."""
    return word if word in known else lower if (lower := word.lower()) in known else None


def _read_words(run: RunFolder, name: str) -> tuple[str, ...]:
    return tuple(run.check_file(name).read_text("utf-8").split("\n")[:-1])
