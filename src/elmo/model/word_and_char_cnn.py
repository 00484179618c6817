"""From a word's characters and the word as a whole to its vector, as the ELMoForManyLangs models have it.

    characters (U, C) -> character CNN (U, F) -+
                                               +-> joined (U, W+F) -> projection (U, P)
    word (U,)         -> word table (U, W) ----+

U words, C character positions, F filters in all, W width of the word table (there may be none), P projection.
"""

from collections.abc import Sequence

import torch
from torch import Tensor, nn

from elmo.config import WordAndCharCNNConfig
from elmo.model.char_cnn import CharCNN, without_repeated_fill
from elmo.text.dictionary import Dictionary


class WordAndCharCNN(nn.Module):
    """Words to vectors by their characters and, where the model has a word table, by look-up too."""

    def __init__(self, config: WordAndCharCNNConfig, fill_id: int) -> None:
        super().__init__()
        self.config = config
        # Row 0 of each table stands for "no word" and stays zero.
        self.characters = CharCNN(config.cnn, config.n_characters + 1, fill_id)
        self.words: nn.Embedding | None = None
        if config.vocabulary_size:
            self.words = nn.Embedding(config.vocabulary_size + 1, config.word_dim, padding_idx=0)
        self.projection = nn.Linear(config.word_dim + config.cnn.output_dim, config.output_dim)

    def forward(self, ids: Tensor) -> Tensor:
        """Map ids (U, 1 + C), the word before its characters, to word vectors (U, P)."""
        joined = self.characters(ids[:, 1:])  # (U, F)
        if self.words is not None:
            joined = torch.cat([self.words(ids[:, 0]), joined], 1)  # (U, W+F)
        return self.projection(joined)


def encode_by_dictionary(words: Sequence[str], dictionary: Dictionary, config: WordAndCharCNNConfig) -> Tensor:
    """The ids that the layer reads, (U, 1 + C), without columns that add nothing."""
    ids = dictionary.words_to_ids(words, config.max_characters)
    characters = without_repeated_fill(ids[:, 1:], config.cnn, dictionary.fill_id)
    return ids[:, : 1 + characters.shape[1]]
