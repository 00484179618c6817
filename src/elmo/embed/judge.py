"""Warn once if a model does not suit the text that it embeds."""

import warnings
from collections.abc import Callable, Iterable, Iterator

from elmo.embed.embedder import Embedder
from elmo.embed.select import EmbeddedSentence
from elmo.text.coverage import SAMPLE_WORDS


def warn_of_mismatch(embedder: Embedder, sentences: Iterable[list[str]]) -> None:
    """Warn if the beginning of a text shows that the model does not suit it."""
    if reason := embedder.mismatch(sentences):
        warnings.warn(str(reason), stacklevel=2)


def judged(
    stream: Iterable[EmbeddedSentence], embedder: Embedder, split: Callable[[str], list[str]] | None = None
) -> Iterator[EmbeddedSentence]:
    """Pass sentences through; warn once when enough of them have been seen, or at the end.

    Args:
        stream: The sentences.
        embedder: The model.
        split: Splits the sentences again if their tokens were merged, since the model's vocabulary is of tokens.
    """
    sample: list[list[str]] = []
    words = 0
    for sentence in stream:
        yield sentence
        if words < SAMPLE_WORDS:
            sample.append(sentence.tokens if split is None else split(" ".join(sentence.tokens)))
            words += len(sentence.tokens)
            if words >= SAMPLE_WORDS:
                warn_of_mismatch(embedder, sample)
                sample.clear()
    if sample:
        warn_of_mismatch(embedder, sample)
