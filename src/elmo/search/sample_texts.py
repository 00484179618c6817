"""Texts that come with the package, to search where none is given: short sentences around words with several meanings.

A text has one sentence per line. Where a line has several columns, separated by tabs, the last one is the sentence.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from elmo.config import TokenizerName
from elmo.text.reading import read_text
from elmo.text.tokens import tokenizer as tokenizer_named


@dataclass(frozen=True)
class SampleText:
    """A text that comes with the package."""

    path: Path

    def sentences(self) -> list[str]:
        """Read the sentences, as they are written."""
        lines = read_text(self.path).splitlines()
        return [line.rpartition("\t")[2] for line in lines if not line.startswith("#")]


_FOLDER = Path(__file__).parent / "samples"
ENGLISH = SampleText(_FOLDER / "english.txt")
KOREAN = SampleText(_FOLDER / "korean.tsv")
"""It has four columns: a word, its sense, the sense in English, and a sentence with the word."""


def sample_for(
    mismatch: Callable[[Sequence[Sequence[str]]], object | None], tokenizer: TokenizerName = "words"
) -> SampleText:
    """Return the sample text for a model: the first that it suits, or else the English one.

    Args:
        mismatch: Says why the model does not suit some sentences, like ``Embedder.mismatch``.
        tokenizer: The tokenizer of the model. One with the tokenizer "korean" gets the Korean text, although it may
            know enough words in Latin script to suit the English one as well.
    """
    if tokenizer == "korean":
        return KOREAN
    split = tokenizer_named(raw_tokenizer(tokenizer)).words
    suitable = (text for text in (ENGLISH, KOREAN) if mismatch(list(map(split, text.sentences()))) is None)
    return next(suitable, ENGLISH)


def raw_tokenizer(tokenizer: TokenizerName) -> TokenizerName:
    """Return the tokenizer for raw text. A model of tokenized text has none; "words" is the best guess."""
    return "words" if tokenizer == "whitespace" else tokenizer
