"""Sentences as one tensor of ids, the form in which other libraries pass them from tokenizers to models."""

from collections.abc import Sequence

import torch
from torch import Tensor

from elmo.config import TokenLayerConfig
from elmo.model.token_layers import TokenVocabulary, words_to_ids


def sentences_to_ids(
    sentences: Sequence[Sequence[str]], config: TokenLayerConfig, vocabulary: TokenVocabulary
) -> Tensor:
    """Encode tokenized sentences as (B, T, columns) or (B, T), with zeros at padding; ``from_ids`` reads them."""
    lengths = [len(sentence) for sentence in sentences]
    words = [word for sentence in sentences for word in sentence]
    ids = torch.from_numpy(words_to_ids(words, config, vocabulary))
    padded = ids.new_zeros(len(sentences), max(lengths, default=0), *ids.shape[1:])
    for row, encoded in zip(padded, ids.split(lengths), strict=True):
        row[: len(encoded)] = encoded
    return padded
