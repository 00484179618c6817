"""The character CNN of the CPU engine, with packed weights.

Shapes: U words, C characters, F filters, d embedding of a character, P output.
"""

from typing import Any

import numpy as np
import torch
from torch import Tensor

from elmo.config import CharCNNConfig, Precision
from elmo.engines.packed_matrix import PackedMatrix, packed
from elmo.model.token_layers import CharacterEncoder

WORDS_PER_CONVOLUTION = 64
"""Words convolved together without tables. Their windows should fit the cache."""
MAX_CHARACTERS_IN_TABLE = 1024
"""Up to this many characters, the responses of the filters to each of them are kept in a table."""


class PackedCharacterEncoder:
    """The character CNN with packed weights; see ``CharacterEncoder`` for what it computes."""

    def __init__(self, cnn: CharacterEncoder, precision: Precision, loops: Any | None) -> None:
        self.config = cnn.config
        self.embedding = cnn.embedding.weight.detach().float()
        self.widest = cnn.widest
        # Narrow filters are padded with zeros, so that one product serves all of them.
        padded = [torch.nn.functional.pad(c.weight, (0, self.widest - c.kernel_size[0])) for c in cnn.convolutions]
        filters = torch.cat(padded).detach()  # (F, d, widest)
        self.bias = torch.cat([c.bias.detach() for c in cnn.convolutions if c.bias is not None])  # (F,)
        self.tables: FilterTables | None = None
        widths = [width for width, _ in self.config.filters]
        if loops is not None and len(self.embedding) <= MAX_CHARACTERS_IN_TABLE and widths == sorted(widths):
            self.tables = FilterTables(self.embedding, filters, self.config, loops)
        else:
            self.filters = packed(filters.flatten(1).T, None, precision)
        self.highways = [
            packed(
                torch.cat([highway.gate.weight, highway.transform.weight]).T,
                torch.cat([highway.gate.bias, highway.transform.bias]),
                precision,
            )
            for highway in cnn.highways
        ]
        self.projection: PackedMatrix | None = None
        if cnn.projection is not None:
            self.projection = packed(cnn.projection.weight.T, cnn.projection.bias, precision)

    def __call__(self, ids: Tensor) -> Tensor:
        """Map character ids (U, C), cut to ``columns_for`` the longest word, to vectors (U, P)."""
        if self.tables is None:
            x = torch.cat([self._filtered(part) for part in ids.split(WORDS_PER_CONVOLUTION)])
        else:
            x = self.tables(ids)
        x.add_(self.bias)
        x = torch.relu_(x) if self.config.activation == "relu" else torch.tanh_(x)
        for highway in self.highways:
            gate, transformed = highway.times(highway.rows(x)).float().chunk(2, 1)
            x = torch.lerp(x, transformed.relu_(), gate.sigmoid_())
        return x if self.projection is None else self.projection.times(self.projection.rows(x)).float()

    def _filtered(self, ids: Tensor) -> Tensor:
        """Convolve and pool, (U, C) -> (U, F)."""
        count, length = ids.shape
        whole = length == self.config.max_characters
        characters = torch.nn.functional.embedding(ids, self.embedding)  # (U, C, d)
        if whole:  # nothing was cut off, so windows of narrow filters begin closer to the end
            characters = torch.nn.functional.pad(characters, (0, 0, 0, self.widest - 1))
        windows = characters.unfold(1, self.widest, 1).flatten(2)  # (U, windows, d*widest)
        responses = self.filters.times(self.filters.rows(windows.flatten(0, 1))).unflatten(0, (count, -1))
        if whole:
            begins = torch.arange(length, device="cpu")[:, None]  # a window must end within the word
            ends = [begins.new_full((n,), length - width) for width, n in self.config.filters]
            responses.masked_fill_(begins > torch.cat(ends), -torch.inf)
        return responses.amax(1).float()


class FilterTables:
    """The convolutions, by looking up what each character adds to each filter at each place of the window.

    Adding seven rows of a table is several times as fast as a product with 112 numbers, and exact.

    Args:
        embedding: Embeddings of the characters, (characters, d).
        filters: Filters of increasing width, padded with zeros, (F, d, widest).
        config: Sizes of the network.
        loops: The compiled loops.
    """

    def __init__(self, embedding: Tensor, filters: Tensor, config: CharCNNConfig, loops: Any) -> None:
        self.loops, self.max_characters = loops, config.max_characters
        self.tables = torch.einsum("cd,fdw->wcf", embedding, filters).contiguous()
        self.widths = np.repeat(*np.array(config.filters).T)  # (F,)
        self.widest = int(self.widths[-1])
        self.firsts = torch.from_numpy(np.searchsorted(self.widths, np.arange(self.widest), "right"))

    def __call__(self, ids: Tensor) -> Tensor:
        """Convolve and pool, (U, C) -> (U, F)."""
        count, length = ids.shape
        lasts = np.full(length - self.widest + 1, len(self.widths))
        if length == self.max_characters:  # nothing was cut off, so windows of narrow filters begin closer to the end
            lasts = np.searchsorted(self.widths, length - np.arange(length), "right")
        maxima = torch.empty(count, len(self.widths), dtype=torch.float32, device="cpu")
        self.loops.filter_words(ids.contiguous(), self.tables, self.firsts, torch.from_numpy(lasts), maxima)
        return maxima
