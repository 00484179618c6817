"""The bidirectional language model: words in, all layers out.

    words -> token layer -> [x ; x]                    layer 0
                         -> LSTM layer 1, both ways    layer 1
                         -> LSTM layer 2, both ways    layer 2 (and so on)

Nothing is remembered between calls. To continue from an earlier text, pass its LSTM state; the new state is returned.
"""

import hashlib
import json
from dataclasses import dataclass

import torch
from torch import Tensor, nn

from elmo.config import BiLMConfig
from elmo.model.autocast import without_autocast
from elmo.model.batches import Batch
from elmo.model.lstm import BiLSTM, LSTMState
from elmo.model.token_layers import TokenVocabulary, build_token_layer
from elmo.validation import checked_instance, kind


@dataclass(frozen=True)
class BiLMOutput:
    """All layers of a batch of B sentences with T positions, both boundaries included."""

    layers: Tensor
    """(L+1, B, T, 2P); zero at padding. Layer 0 is the context-free word vector, repeated for both directions."""
    mask: Tensor
    """True where there is a word or a boundary, (B, T)."""
    state: LSTMState
    """The LSTM state at the end of each row."""


class BiLM(nn.Module):
    """A token layer, then LSTM layers in both directions.

    Args:
        config: The shape of the model.
        vocabulary: What the token layer looks words up in. A model that reads words by their bytes needs none.

    Raises:
        ValueError: If the vocabulary is missing or does not fit the configuration.
    """

    def __init__(self, config: BiLMConfig, vocabulary: TokenVocabulary = None) -> None:
        super().__init__()
        checked_instance("config", config, BiLMConfig, "such as elmo.load().config")
        if not isinstance(vocabulary, TokenVocabulary):
            raise ValueError(f"vocabulary must be the vocabulary of a token layer or None, not {kind(vocabulary)}")
        self.config = config
        self.token_layer = build_token_layer(config.token_layer, vocabulary)
        self.lstm = BiLSTM(config.lstm)
        self.init_weights()

    @property
    def device(self) -> torch.device:
        """The device of the weights."""
        return self.lstm.layers[0].weight.device

    def forward(self, batch: Batch, state: LSTMState | None = None) -> BiLMOutput:
        """Compute all layers of a batch, from a zero state unless ``state`` is given.

        Everything is computed in the data type of the weights, also inside ``torch.autocast``.
        """
        checked_instance("batch", batch, Batch, "made by collate")
        checked_instance("state", state, LSTMState, "that an earlier call returned", optional=True)
        if not batch.lengths:
            raise ValueError("the batch has no sentences")
        with without_autocast(self.device):
            x = self.token_layer(batch.words)[batch.positions]  # (B, T, P)
            mask = batch.mask.to(x.device)
            x = x * mask[:, :, None]
            outputs, state = self.lstm(x, batch.lengths, state)
            return BiLMOutput(torch.stack([torch.cat([x, x], -1), *outputs]), mask, state)

    def fingerprint(self) -> str:
        """Hash everything that the vectors depend on: configuration, vocabulary and weights.

        Two models with the same fingerprint give the same vectors. It identifies a model in resumable jobs and indexes.
        """
        digest = hashlib.blake2b(json.dumps(self.config.to_dict(), sort_keys=True).encode(), digest_size=16)
        for name, content in sorted(self.token_layer.files().items()):
            digest.update(f"\n{name} {len(content)}\n".encode() + content)
        for name, weight in self.state_dict().items():
            digest.update(f"\n{name} {weight.dtype} {tuple(weight.shape)}\n".encode())
            digest.update(weight.detach().cpu().contiguous().reshape(-1).view(torch.uint8).numpy().data)
        return digest.hexdigest()

    @torch.no_grad()
    def init_weights(self) -> None:
        """Draw fresh weights from torch's random state.

        | weights                   | initial values                                                |
        |---------------------------|---------------------------------------------------------------|
        | character embedding       | uniform in [-1, 1], row 0 zero                                |
        | convolutions              | relu: uniform in [-0.05, 0.05]; tanh: normal, 1/sqrt(width*d) |
        | highway gate              | normal, 1/sqrt(F); bias -2, so that words pass through        |
        | highway transform         | normal, 1/sqrt(F); bias 0                                     |
        | projection of token layer | normal, 1/sqrt(inputs); bias 0                                |
        | word table                | normal, 1/sqrt(P), row 0 zero                                 |
        | LSTM, projection          | Glorot uniform; bias 0                                        |
        """
        self.token_layer.init_weights()
        for layer in self.lstm.layers:
            for matrices in (layer.weight, layer.projection):
                if matrices is not None:
                    for matrix in matrices:
                        nn.init.xavier_uniform_(matrix)
            nn.init.zeros_(layer.bias)
