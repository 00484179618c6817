"""A text as task models read it: sentences of words, and where in the text each word is."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate, chain

from elmo.text.alignment import Span, word_spans
from elmo.text.tokens import Tokenizer


@dataclass(frozen=True)
class Document:
    """A text that was split into words, or words that were joined to a text."""

    text: str
    sentences: tuple[tuple[str, ...], ...]
    """The words of each sentence. No sentence is empty."""
    spans: tuple[Span, ...]
    """The characters of each word of the text, in order, without a break between sentences."""
    tokenized: bool = False
    """Whether the words were given, rather than split from the text."""
    marked: tuple[int, ...] = ()
    """Positions of the words that the user marked in the text."""
    name: str = ""
    """What its file calls it."""

    @classmethod
    def split(cls, text: str, tokenizer: Tokenizer) -> "Document":
        """Split a text into sentences and words."""
        split = (tuple(tokenizer.words(sentence)) for sentence in tokenizer.sentences(text))
        sentences = tuple(words for words in split if words)
        return cls(text, sentences, tuple(word_spans(text, list(chain.from_iterable(sentences)))))

    @classmethod
    def joined(cls, sentences: Sequence[Sequence[str]], name: str = "") -> "Document":
        """Join words by spaces, and sentences by line breaks."""
        kept = tuple(tuple(words) for words in sentences if words)
        words = list(chain.from_iterable(kept))
        ends = [end - 1 for end in accumulate(len(word) + 1 for word in words)]
        spans = tuple((end - len(word), end) for word, end in zip(words, ends, strict=True))
        return cls("\n".join(map(" ".join, kept)), kept, spans, tokenized=True, name=name)

    @property
    def words(self) -> list[str]:
        """The words of all sentences."""
        return list(chain.from_iterable(self.sentences))

    def characters(self, first: int, after: int) -> Span:
        """Return the characters of the words from ``first`` to before ``after``."""
        return self.spans[first][0], self.spans[after - 1][1]

    def pieces(self, longest: int) -> Iterator[tuple[int, list[str]]]:
        """Yield the sentences, each with the position of its first word; those that are too long are cut.

        Args:
            longest: Maximum number of words of a piece.
        """
        start = 0
        for words in self.sentences:
            for first in range(0, len(words), longest):
                yield start + first, list(words[first : first + longest])
            start += len(words)
