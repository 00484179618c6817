"""The bidirectional language model: words in, all layers out.

    words -> token layer -> [x ; x]                    representation 0
                         -> LSTM layer 1, both ways    representation 1
                         -> LSTM layer 2, both ways    representation 2 (and so on)

Nothing is remembered between calls. Whoever wants the LSTM state of an earlier text to go on gives it as
an argument and gets the new one back.
"""

from dataclasses import dataclass

import torch
from torch import Tensor, nn

from elmo.config import BiLMConfig, CharCNNConfig, WordTableConfig
from elmo.model.char_cnn import CharCNN, without_repeated_fill
from elmo.model.lstm import BiLSTM, LSTMState
from elmo.text.batches import Batch, Encoder
from elmo.text.characters import words_to_ids
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
    """Character CNN or word table, then LSTM layers in both directions.

    ``vocabulary``: the words that the model can look up or predict. Models that look words up need it.
    """

    token_layer: CharCNN | WordTable

    def __init__(self, config: BiLMConfig, vocabulary: Vocabulary | None = None) -> None:
        super().__init__()
        self.config = config
        self.vocabulary = vocabulary
        if isinstance(config.token_layer, CharCNNConfig):
            self.token_layer = CharCNN(config.token_layer)
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
        assert self.vocabulary is not None  # the constructor has seen to it
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
        | CNN projection      | normal, 1/sqrt(F); bias 0                                        |
        | word table          | normal, 1/sqrt(P), row 0 zero                                    |
        | LSTM, projection    | Glorot uniform; bias 0                                           |
        """
        if isinstance(self.token_layer, CharCNN):
            cnn = self.token_layer
            nn.init.uniform_(cnn.embedding.weight, -1.0, 1.0)[0] = 0
            for convolution in cnn.convolutions:
                if cnn.config.activation == "relu":
                    nn.init.uniform_(convolution.weight, -0.05, 0.05)
                else:
                    nn.init.normal_(convolution.weight, std=convolution.weight[0].numel() ** -0.5)
                nn.init.zeros_(convolution.bias)  # type: ignore[arg-type]
            std = cnn.config.filters_dim**-0.5
            linears = [] if cnn.projection is None else [cnn.projection]
            for highway in cnn.highways:
                linears += [highway.gate, highway.transform]
            for linear in linears:
                nn.init.normal_(linear.weight, std=std)
                nn.init.zeros_(linear.bias)
            for highway in cnn.highways:
                nn.init.constant_(highway.gate.bias, -2.0)
        else:
            table = self.token_layer.embedding.weight
            nn.init.normal_(table, std=table.shape[1] ** -0.5)[0] = 0
        for layer in self.lstm.layers:
            for matrices in (layer.weight, layer.projection):
                if matrices is not None:
                    for matrix in matrices:
                        nn.init.xavier_uniform_(matrix)
            nn.init.zeros_(layer.bias)
