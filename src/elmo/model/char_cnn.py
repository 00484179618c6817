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
    """Words to vectors by their characters.

    ``n_characters``: rows of the character table; ``fill_id``: the character that fills a row behind the word.
    """

    convolutions: Sequence[nn.Conv1d]
    highways: Sequence[Highway]

    def __init__(self, config: CharCNNConfig, n_characters: int = N_CHARACTERS, fill_id: int = FILL_ID) -> None:
        super().__init__()
        self.config = config
        self.fill_id = fill_id
        # Row 0 stands for "no word" and stays zero.
        self.embedding = nn.Embedding(n_characters, config.embedding_dim, padding_idx=0)
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
            filters = torch.cat([self._filters_by_length(group) for group in ids.split(WORDS_AT_ONCE)])  # (U, F)
        for highway in self.highways:
            filters = highway(filters)
        return filters if self.projection is None else self.projection(filters)

    def _filters_by_length(self, ids: Tensor) -> Tensor:
        """As ``_filters``, but how a word is computed depends on that word alone, down to the rounding."""
        if ids.shape[1] < self.config.max_characters:
            return self._filters(ids)
        widest = max(width for width, _ in self.config.filters)
        long = (ids[:, -widest - 1 :] != self.fill_id).any(1)  # those that without_repeated_fill would not cut
        filters = self.embedding.weight.new_empty(len(ids), self.config.filters_dim)
        for chosen in (long, ~long):
            if chosen.any():
                filters[chosen] = self._filters(without_repeated_fill(ids[chosen], self.config, self.fill_id))
        return filters

    def _filters(self, ids: Tensor) -> Tensor:
        """Convolve and pool, (U, C) -> (U, F).

        A convolution is a matrix product over windows. Written so, it runs in full float32 on every device
        (cuDNN would use a shorter format by default).
        """
        characters = self.embedding(ids)  # (U, C, d)
        widest = max(width for width, _ in self.config.filters)
        if ids.shape[1] < self.config.max_characters:
            # Rows without repeated fill end in one window of fill, as wide as the widest filter: all windows
            # that count begin within the first C-widest+1 places, so one product serves all filters.
            padded = [nn.functional.pad(c.weight, (0, widest - c.kernel_size[0])) for c in self.convolutions]
            windows = characters.unfold(1, widest, 1).flatten(2)  # (U, C-widest+1, d*widest)
            highest = _highest(windows @ torch.cat(padded).flatten(1).T)
        else:
            highest = torch.cat([self._highest_of(convolution, characters) for convolution in self.convolutions], 1)
        biases = [convolution.bias for convolution in self.convolutions]
        activation = torch.relu if self.config.activation == "relu" else torch.tanh
        return activation(highest + torch.cat(biases))  # type: ignore[arg-type]

    def _highest_of(self, convolution: nn.Conv1d, characters: Tensor) -> Tensor:
        """One filter width over all places, (U, C, d) -> (U, n): the plain way, right for rows of any kind."""
        windows = characters.unfold(1, convolution.kernel_size[0], 1).flatten(2)  # (U, C-w+1, d*w)
        return _highest(windows @ convolution.weight.flatten(1).T)


def _highest(responses: Tensor) -> Tensor:
    """The maximum over places, (U, C, n) -> (U, n)."""
    # max keeps where it found its values, which makes it slower than amax but its gradient faster.
    return responses.max(1).values if torch.is_grad_enabled() else responses.amax(1)


def without_repeated_fill(ids: Tensor, config: CharCNNConfig, fill_id: int = FILL_ID) -> Tensor:
    """Cut the columns of (U, C) that add nothing: all windows of fill alone are alike, so one is enough."""
    used = int((ids != fill_id).sum(1).max()) if len(ids) else 0
    widest = max(width for width, _ in config.filters)
    # A row as long as the model reads is one that has not been cut; see _filters.
    return ids[:, : used + widest] if used + widest < config.max_characters else ids
