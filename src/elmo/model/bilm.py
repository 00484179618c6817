"""The bidirectional language model: words in, all layers out.

    words -> token layer -> [x ; x]                    representation 0
                         -> LSTM layer 1, both ways    representation 1
                         -> LSTM layer 2, both ways    representation 2 (and so on)

Nothing is remembered between calls. Whoever wants the LSTM state of an earlier text to go on gives it as
an argument and gets the new one back.
"""

from dataclasses import dataclass
from functools import partial

import torch
from torch import Tensor, nn

from elmo.config import BiLMConfig, CharCNNConfig, WordAndCharCNNConfig, WordTableConfig
from elmo.model.batches import Batch, Encoder
from elmo.model.char_cnn import CharCNN, without_repeated_fill
from elmo.model.lstm import BiLSTM, LSTMState
from elmo.model.word_and_char_cnn import WordAndCharCNN, encode_by_dictionary
from elmo.text.characters import words_to_ids
from elmo.text.dictionary import Dictionary
from elmo.text.vocabulary import Vocabulary


@dataclass(frozen=True)
class BiLMOutput:
    """All layers of a batch of B sentences, T positions with both boundaries."""

    layers: Tensor
    """(L+1, B, T, 2P); zero at padding. Index 0 is the context-free word vector, given twice."""
    mask: Tensor
    """True at the positions in use, boundaries included, (B, T)."""
    state: LSTMState
    """What the LSTM layers remember at the end of each row."""


class WordTable(nn.Module):
    """Words to vectors by look-up. Row 0 stands for "no word" and stays zero."""

    def __init__(self, config: WordTableConfig) -> None:
        super().__init__()
        self.embedding = nn.Embedding(config.vocabulary_size + 1, config.output_dim, padding_idx=0)

    def forward(self, ids: Tensor) -> Tensor:
        """Map word ids (U,) to vectors (U, P)."""
        return self.embedding(ids)


class BiLM(nn.Module):
    """Character CNN, word table or both, then LSTM layers in both directions.

    ``vocabulary``: the words that the model can look up or predict. Models with a word table alone need it.
    ``dictionary``: the characters and words of a model that reads words both ways; such a model needs it.
    """

    token_layer: CharCNN | WordTable | WordAndCharCNN

    def __init__(
        self, config: BiLMConfig, vocabulary: Vocabulary | None = None, dictionary: Dictionary | None = None
    ) -> None:
        super().__init__()
        self.config = config
        self.vocabulary = vocabulary
        self.dictionary = dictionary
        if isinstance(config.token_layer, CharCNNConfig):
            self.token_layer = CharCNN(config.token_layer)
        elif isinstance(config.token_layer, WordAndCharCNNConfig):
            if dictionary is None:
                raise ValueError("a model with characters of its own needs its dictionary")
            sizes = (config.token_layer.n_characters, config.token_layer.vocabulary_size)
            if (len(dictionary.characters), len(dictionary.words)) != sizes:
                raise ValueError(
                    f"the dictionary has {len(dictionary.characters)} characters and {len(dictionary.words)} words, "
                    f"the model {sizes[0]} and {sizes[1]}"
                )
            self.token_layer = WordAndCharCNN(config.token_layer, dictionary.fill_id)
        else:
            if vocabulary is None:
                raise ValueError("a model that looks words up needs its vocabulary")
            if len(vocabulary) != config.token_layer.vocabulary_size:
                raise ValueError(
                    f"the vocabulary has {len(vocabulary)} words, the word table "
                    f"{config.token_layer.vocabulary_size} rows"
                )
            self.token_layer = WordTable(config.token_layer)
        self.lstm = BiLSTM(config.lstm)
        self.init_weights()

    @property
    def encode(self) -> Encoder:
        """Words to the ids that the token layer reads; what ``collate`` needs to make a batch."""
        tokens = self.config.token_layer
        if isinstance(tokens, CharCNNConfig):
            return lambda words: without_repeated_fill(words_to_ids(words, tokens.max_characters), tokens)
        if isinstance(tokens, WordAndCharCNNConfig):
            assert self.dictionary is not None  # the constructor has seen to it
            return partial(encode_by_dictionary, dictionary=self.dictionary, config=tokens)
        assert self.vocabulary is not None  # likewise
        return self.vocabulary.words_to_ids

    def forward(self, batch: Batch, state: LSTMState | None = None) -> BiLMOutput:
        """Run over a batch, from a zero state unless ``state`` is given."""
        x = self.token_layer(batch.words)[batch.positions]  # (B, T, P)
        mask = batch.mask.to(x.device)
        x = x * mask[:, :, None]
        outputs, state = self.lstm(x, batch.lengths, state)
        return BiLMOutput(torch.stack([torch.cat([x, x], -1), *outputs]), mask, state)

    @torch.no_grad()
    def init_weights(self) -> None:
        """Start from fresh weights, drawn from torch's random state.

        | weights             | start                                                            |
        |---------------------|------------------------------------------------------------------|
        | character table     | uniform in -1..1, row 0 zero                                     |
        | convolutions        | relu: uniform in -0.05..0.05; tanh: normal, 1/sqrt(width * dim)  |
        | highway gate        | normal, 1/sqrt(F); bias -2, so that words pass at first          |
        | highway transform   | normal, 1/sqrt(F); bias 0                                        |
        | projection of words | normal, 1/sqrt(its inputs); bias 0                               |
        | word table          | normal, 1/sqrt(its width), row 0 zero                            |
        | LSTM, projection    | Glorot uniform; bias 0                                           |
        """
        tokens = self.token_layer
        if isinstance(tokens, WordTable):
            _init_word_table(tokens.embedding.weight)
        else:
            cnn = tokens if isinstance(tokens, CharCNN) else tokens.characters
            nn.init.uniform_(cnn.embedding.weight, -1.0, 1.0)[0] = 0
            for convolution in cnn.convolutions:
                if cnn.config.activation == "relu":
                    nn.init.uniform_(convolution.weight, -0.05, 0.05)
                else:
                    nn.init.normal_(convolution.weight, std=convolution.weight[0].numel() ** -0.5)
                nn.init.zeros_(convolution.bias)  # type: ignore[arg-type]
            linears = [] if tokens.projection is None else [tokens.projection]
            for highway in cnn.highways:
                linears += [highway.gate, highway.transform]
            for linear in linears:
                nn.init.normal_(linear.weight, std=linear.in_features**-0.5)
                nn.init.zeros_(linear.bias)
            for highway in cnn.highways:
                nn.init.constant_(highway.gate.bias, -2.0)
            if isinstance(tokens, WordAndCharCNN) and tokens.words is not None:
                _init_word_table(tokens.words.weight)
        for layer in self.lstm.layers:
            for matrices in (layer.weight, layer.projection):
                if matrices is not None:
                    for matrix in matrices:
                        nn.init.xavier_uniform_(matrix)
            nn.init.zeros_(layer.bias)


def _init_word_table(table: Tensor) -> None:
    nn.init.normal_(table, std=table.shape[1] ** -0.5)[0] = 0
