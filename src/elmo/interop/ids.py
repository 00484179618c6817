"""Sentences as one tensor of ids, the form in which other libraries hand them from their tokenizers to their models.

    character CNN   (B, T, characters)    word table   (B, T)

Sentence boundaries are left out and added again by the model's side; zeros are padding, on the right only. A ``Batch``
is smaller and faster to make, but its words are not the rows of its sentences, so it cannot be cut or joined by row.
"""

from collections.abc import Sequence
from dataclasses import replace

from torch import Tensor

from elmo.config import BiLMConfig, CharCNNConfig
from elmo.model.batches import Batch, from_ids
from elmo.model.char_cnn import without_repeated_fill
from elmo.text.characters import BEGIN_SENTENCE, END_SENTENCE, words_to_ids
from elmo.text.vocabulary import Vocabulary


def sentences_to_ids(
    sentences: Sequence[Sequence[str]], config: BiLMConfig, vocabulary: Vocabulary | None = None
) -> Tensor:
    """Ids (B, T, characters) or (B, T) of tokenised sentences."""
    lengths = [len(sentence) for sentence in sentences]
    ids = _encode([word for sentence in sentences for word in sentence], config, vocabulary)
    padded = ids.new_zeros(len(sentences), max(lengths, default=0), *ids.shape[1:])
    for row, words in zip(padded, ids.split(lengths), strict=True):
        row[: len(words)] = words
    return padded


def ids_to_batch(ids: Tensor, config: BiLMConfig, vocabulary: Vocabulary | None = None) -> Batch:
    """The batch of such ids, with boundaries, each distinct word once."""
    by_character = isinstance(config.token_layer, CharCNNConfig)
    if ids.dim() != (3 if by_character else 2):
        axes = "3 (sentences, words, characters)" if by_character else "2 (sentences, words)"
        raise ValueError(f"input_ids have {ids.dim()} axes, not {axes}")
    batch = from_ids(ids, _encode([BEGIN_SENTENCE, END_SENTENCE], config, vocabulary))
    if not isinstance(config.token_layer, CharCNNConfig):
        return batch
    return replace(batch, words=without_repeated_fill(batch.words, config.token_layer))


def _encode(words: Sequence[str], config: BiLMConfig, vocabulary: Vocabulary | None) -> Tensor:
    """Ids of words, all of one width: (U, characters) or (U,)."""
    if isinstance(config.token_layer, CharCNNConfig):
        return words_to_ids(words, config.token_layer.max_characters)
    if vocabulary is None:
        raise ValueError("a model that looks words up needs its vocabulary")
    return vocabulary.words_to_ids(words)
