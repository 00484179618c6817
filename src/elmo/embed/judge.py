"""Warn once if a model does not suit the text that it embeds, or does not read all of it."""

import warnings
from collections.abc import Callable, Iterable, Iterator

from elmo.embed.embedder import Embedder
from elmo.embed.select import EmbeddedSentence
from elmo.text.counts import counted
from elmo.text.coverage import SAMPLE_WORDS

Split = Callable[[str], list[str]]


def warn_of_mismatch(embedder: Embedder, sentences: Iterable[list[str]]) -> None:
    """Warn if the beginning of a text shows that the model does not suit it."""
    if reason := embedder.mismatch(sentences):
        warnings.warn(str(reason), stacklevel=2)


def count_cut(embedder: Embedder, words: list[str], split: Split | None = None) -> int:
    """Count the words that are too long for the model.

    Args:
        embedder: The model.
        words: The words of a sentence.
        split: Splits them again if their tokens were merged, since the model reads tokens.
    """
    layer = embedder.bilm_to_read.token_layer
    found = layer.count_cut(words)
    return found if not found or split is None else sum(layer.count_cut(split(word)) for word in words)


def warn_of_cut(embedder: Embedder, count: int) -> None:
    """Warn if words were too long for the model."""
    if count:
        limit = embedder.bilm_to_read.token_layer.word_limit
        warnings.warn(
            f"longer than {limit}: {counted(count, 'word')}; the model reads only the beginning of such a word",
            stacklevel=2,
        )


def judged(stream: Iterable[EmbeddedSentence], embedder: Embedder, split: Split | None) -> Iterator[EmbeddedSentence]:
    """Pass sentences through; warn once when enough of them have been seen, or at the end.

    Args:
        stream: The sentences.
        embedder: The model.
        split: Splits the sentences again if their tokens were merged, since the model's vocabulary is of tokens.
    """
    sample: list[list[str]] = []
    words = cut = 0
    for sentence in stream:
        yield sentence
        cut += count_cut(embedder, sentence.tokens, split)
        if words < SAMPLE_WORDS:
            sample.append(sentence.tokens if split is None else split(" ".join(sentence.tokens)))
            words += len(sentence.tokens)
            if words >= SAMPLE_WORDS:
                warn_of_mismatch(embedder, sample)
                sample.clear()
    if sample:
        warn_of_mismatch(embedder, sample)
    warn_of_cut(embedder, cut)
