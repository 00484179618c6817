"""From a word's characters to its vector: convolutions, max over time, highway layers, projection.

    characters (U, C) -> embeddings (U, C, d) -> filters (U, F) -> highway (U, F) -> vector (U, P)

U words, C character positions, d character dimensions, F filters in all, P projection.
"""

from collections.abc import Sequence

import torch
from torch import Tensor, nn

from elmo.config import CharCNNConfig
from elmo.text.characters import FILL_ID, N_CHARACTERS

WORDS_AT_ONCE = 1024
"""Without gradients, words are convolved in groups of this many, which bounds the memory for their windows."""


class Highway(nn.Module):
    """``gate * relu(transform(x)) + (1 - gate) * x``.

    The published files call the weights of this gate "carry", though it opens the transformed path.
    """

    def __init__(self, dim: int) -> None:
        super().__init__()
        self.gate = nn.Linear(dim, dim)
        self.transform = nn.Linear(dim, dim)

    def forward(self, x: Tensor) -> Tensor:
        """Map (U, F) to (U, F)."""
        gate = torch.sigmoid(self.gate(x))
        return gate * torch.relu(self.transform(x)) + (1 - gate) * x


class CharCNN(nn.Module):
    """Words to vectors by their characters."""

    convolutions: Sequence[nn.Conv1d]
    highways: Sequence[Highway]

    def __init__(self, config: CharCNNConfig) -> None:
        super().__init__()
        self.config = config
        # Row 0 stands for "no word" and stays zero.
        self.embedding = nn.Embedding(N_CHARACTERS, config.embedding_dim, padding_idx=0)
        self.convolutions = nn.ModuleList(  # type: ignore[assignment]
            nn.Conv1d(config.embedding_dim, count, width) for width, count in config.filters
        )
        self.highways = nn.ModuleList(  # type: ignore[assignment]
            Highway(config.filters_dim) for _ in range(config.n_highway)
        )
        self.projection = (
            None if config.projection_dim is None else nn.Linear(config.filters_dim, config.projection_dim)
        )

    def forward(self, ids: Tensor) -> Tensor:
        """Map character ids (U, C) to word vectors (U, P); ``without_repeated_fill`` makes C small."""
        if ids.shape[1] > self.config.max_characters:
            raise ValueError(f"words have {ids.shape[1]} characters, the model reads {self.config.max_characters}")
        if torch.is_grad_enabled():  # the windows are kept for the backward pass anyhow
            filters = self._filters(ids)
        else:
            filters = torch.cat([self._filters(group) for group in ids.split(WORDS_AT_ONCE)])  # (U, F)
        for highway in self.highways:
            filters = highway(filters)
        return filters if self.projection is None else self.projection(filters)

    def _filters(self, ids: Tensor) -> Tensor:
        """Convolve and pool, (U, C) -> (U, F)."""
        characters = self.embedding(ids)  # (U, C, d)
        activation = torch.relu if self.config.activation == "relu" else torch.tanh
        pooled = []
        for convolution in self.convolutions:
            # A convolution is a matrix product over windows. Written so, it runs in full float32 on
            # every device (cuDNN would use a shorter format by default).
            width = convolution.kernel_size[0]
            windows = characters.unfold(1, width, 1).flatten(2)  # (U, C-w+1, d*w)
            responses = windows @ convolution.weight.flatten(1).T  # (U, C-w+1, n)
            # max keeps where it found its values, which makes it slower than amax but its gradient faster.
            highest = responses.max(1).values if torch.is_grad_enabled() else responses.amax(1)
            pooled.append(activation(highest + convolution.bias))
        return torch.cat(pooled, 1)


def without_repeated_fill(ids: Tensor, config: CharCNNConfig) -> Tensor:
    """Cut the columns of (U, C) that add nothing: all windows of fill alone are alike, so one is enough."""
    used = int((ids != FILL_ID).sum(1).max()) if len(ids) else 0
    widest = max(width for width, _ in config.filters)
    return ids[:, : used + widest]
