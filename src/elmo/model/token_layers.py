"""The token layer (layer 0): words to context-free vectors.

There are three kinds, and all of them are a ``TokenLayer``:

    CharCNN         UTF-8 bytes -> character CNN                        published English models, models trained here
    WordTable       word -> row of a table                              models with a fixed vocabulary
    WordAndCharCNN  Unicode characters -> character CNN, joined with    ELMoForManyLangs models
                    the word's row of a table, -> projection

A token layer owns everything that depends on its kind: how words become ids, the forward pass, the vocabulary it reads
by and the file that stores it, the initial weights, and how it is described to users.

Shapes: U words, C character positions, d character dimensions, F filters in all, W word dimensions, P output.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from typing import Any, ClassVar

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from elmo.config import CharCNNConfig, TokenLayerConfig, WordAndCharCNNConfig, WordTableConfig
from elmo.model.convolution import filter_maxima
from elmo.text import characters
from elmo.text.dictionary import Dictionary
from elmo.text.vocabulary import Vocabulary

TokenVocabulary = Vocabulary | Dictionary | None
"""What a token layer looks words up in; None if it reads bytes, which need no list."""


class TokenLayer(nn.Module, ABC):
    """Words to context-free vectors."""

    vocabulary_file: ClassVar[str | None] = None
    """File of a model folder that stores the vocabulary."""
    vocabulary_class: ClassVar[type[Vocabulary] | type[Dictionary] | None] = None
    trainable: ClassVar[bool] = True
    """Whether ``elmo finetune`` can train models with this layer."""

    config: Any
    vocabulary: TokenVocabulary

    @staticmethod
    @abstractmethod
    def words_to_ids(words: Sequence[str], config: Any, vocabulary: Any) -> NDArray[np.int64]:
        """Encode words without a layer: (U, columns) or (U,), always of the same width."""

    @abstractmethod
    def forward(self, ids: Tensor) -> Tensor:
        """Map the ids of U words to vectors (U, P)."""

    @abstractmethod
    def id_limits(self) -> list[int]:
        """Return the number of different ids: one number for each column, or a single one."""

    @abstractmethod
    def init_weights(self) -> None:
        """Draw fresh weights; see ``BiLM.init_weights``."""

    @abstractmethod
    def describe(self) -> dict[str, Any]:
        """Properties to show to users, by name."""

    @property
    def word_limit(self) -> str:
        """How much of a word is read, such as "48 bytes"; empty if all of it is."""
        return ""

    def count_cut(self, words: Sequence[str]) -> int:
        """Count the words of which only the beginning is read."""
        return 0

    def encode(self, words: Sequence[str]) -> Tensor:
        """Encode words as the ids that ``forward`` reads, without columns that are padding in all of them."""
        return self.trim(torch.from_numpy(self.words_to_ids(words, self.config, self.vocabulary)))

    def trim(self, ids: Tensor) -> Tensor:
        """Cut the columns that ``forward`` does not need, because they are padding in all rows."""
        if ids.dim() == 1 or not len(ids):
            return ids
        return ids[:, : self.columns_for(int(self.lengths(ids).max()))]

    def lengths(self, ids: Any) -> Any:
        """Count the columns of each row (U, columns) that are not padding; arrays and tensors are both accepted."""
        raise TypeError(f"the ids of {type(self).__name__} have no columns")

    def columns_for(self, length: int) -> int:
        """Return how many columns ``forward`` needs of rows of up to this length."""
        raise TypeError(f"the ids of {type(self).__name__} have no columns")

    def files(self) -> dict[str, bytes]:
        """The files that a model folder needs for this layer besides configuration and weights."""
        if self.vocabulary_file is None or self.vocabulary is None:
            return {}
        return {self.vocabulary_file: self.vocabulary.to_bytes()}

    def with_character_encoder(
        self, replace: Callable[["CharacterEncoder"], Callable[[Tensor], Tensor]]
    ) -> Callable[[Tensor], Tensor]:
        """Return the forward pass with the character CNN, if there is one, computed by ``replace(cnn)``."""
        return self


class Highway(nn.Module):
    """A highway layer: ``gate * relu(transform(x)) + (1 - gate) * x``.

    The published files call the weights of this gate "carry", although it opens the transformed path.
    """

    def __init__(self, dim: int) -> None:
        super().__init__()
        self.gate = nn.Linear(dim, dim)
        self.transform = nn.Linear(dim, dim)

    def forward(self, x: Tensor) -> Tensor:
        """Map (U, F) to (U, F)."""
        gate = torch.sigmoid(self.gate(x))
        return gate * torch.relu(self.transform(x)) + (1 - gate) * x


class CharacterEncoder(nn.Module):
    """Convolutions, max over time, highway layers, projection.

        characters (U, C) -> embeddings (U, C, d) -> filters (U, F) -> highway (U, F) -> vectors (U, P)

    Args:
        config: Sizes of the network.
        n_characters: Rows of the character embedding. Row 0 stands for "no word" and stays zero.
        padding_id: The character that pads a word.
    """

    words_per_group = 1024
    """Without gradients, words are convolved in groups of this size, which bounds the memory for their windows."""

    convolutions: Sequence[nn.Conv1d]
    highways: Sequence[Highway]

    def __init__(self, config: CharCNNConfig, n_characters: int, padding_id: int) -> None:
        super().__init__()
        self.config = config
        self.padding_id = padding_id
        self.widest = max(width for width, _ in config.filters)
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
        """Map character ids (U, C) to vectors (U, P). Rows may be cut to ``columns_for`` their longest word."""
        if ids.shape[1] > self.config.max_characters:
            raise ValueError(f"words have {ids.shape[1]} characters, but the model reads {self.config.max_characters}")
        if torch.is_grad_enabled():  # the windows are kept for the backward pass anyway
            filters = self._filters(ids)
        else:
            filters = torch.cat([self._filters_by_length(group) for group in ids.split(self.words_per_group)])  # (U, F)
        for highway in self.highways:
            filters = highway(filters)
        return filters if self.projection is None else self.projection(filters)

    def columns_for(self, length: int) -> int:
        """Return how many columns are needed: the word and one window of padding, since all such windows are equal."""
        return min(length + self.widest, self.config.max_characters)

    @torch.no_grad()
    def init_weights(self) -> None:
        """Draw fresh weights; see ``BiLM.init_weights``."""
        nn.init.uniform_(self.embedding.weight, -1.0, 1.0)[0] = 0
        for convolution in self.convolutions:
            if self.config.activation == "relu":
                nn.init.uniform_(convolution.weight, -0.05, 0.05)
            else:
                nn.init.normal_(convolution.weight, std=convolution.weight[0].numel() ** -0.5)
            nn.init.zeros_(convolution.bias)  # type: ignore[arg-type]
        if self.projection is not None:
            _init_linear(self.projection)
        for highway in self.highways:
            _init_linear(highway.gate)
            _init_linear(highway.transform)
            nn.init.constant_(highway.gate.bias, -2.0)

    def _filters_by_length(self, ids: Tensor) -> Tensor:
        """As ``_filters``, but how a word is computed depends on that word alone, down to the rounding."""
        if ids.shape[1] < self.config.max_characters:
            return self._filters(ids)
        long = (ids[:, -self.widest - 1 :] != self.padding_id).any(1)  # too long to be cut
        filters = self.embedding.weight.new_empty(len(ids), self.config.filters_dim)
        for chosen in (long, ~long):
            if chosen.any():
                length = int((ids[chosen] != self.padding_id).sum(1).max())
                filters[chosen] = self._filters(ids[chosen][:, : self.columns_for(length)])
        return filters

    def _filters(self, ids: Tensor) -> Tensor:
        """Convolve and pool, (U, C) -> (U, F)."""
        fast = torch.is_grad_enabled() and ids.device.type == "cpu"
        maxima = self._maxima_on_cpu(ids) if fast else self._maxima(ids)
        biases = [convolution.bias for convolution in self.convolutions]
        activation = torch.relu if self.config.activation == "relu" else torch.tanh
        return activation(maxima + torch.cat(biases))  # type: ignore[arg-type]

    def _maxima(self, ids: Tensor) -> Tensor:
        """The largest response of each filter, (U, C) -> (U, F).

        A convolution is written as a matrix product over windows, so that it runs in full float32 on every device
        (cuDNN would use a shorter format by default).
        """
        embedded = self.embedding(ids)  # (U, C, d)
        if ids.shape[1] == self.config.max_characters:
            return torch.cat([self._max_of(convolution, embedded) for convolution in self.convolutions], 1)
        # Rows that were cut end in one window of padding, as wide as the widest filter. All windows that matter begin
        # within the first C-widest+1 positions, so one product serves all filters.
        windows = embedded.unfold(1, self.widest, 1).flatten(2)  # (U, C-widest+1, d*widest)
        return _max_over_time(windows @ self._filters_of_one_width().flatten(1).T)

    def _maxima_on_cpu(self, ids: Tensor) -> Tensor:
        """As ``_maxima``, with a faster gradient."""
        columns = ids.shape[1]
        position = torch.arange(1, columns + 1, device=ids.device)
        lengths = torch.where(ids != self.padding_id, position, 0).amax(1)  # (U,)
        windows = (lengths + 1).clamp_max(columns - self.widest + 1)
        if columns == self.config.max_characters:
            # In a word that is too long to be cut, narrow filters also read windows close to its end.
            windows = torch.where(lengths > columns - self.widest, columns, windows)
            ids = nn.functional.pad(ids, (0, self.widest - 1))
        ends = [position.new_full((count,), columns - width + 1) for width, count in self.config.filters]
        filters = self._filters_of_one_width()
        return filter_maxima(self.embedding.weight, filters, ids, windows, torch.cat(ends))

    def _filters_of_one_width(self) -> Tensor:
        """All filters, the narrow ones padded with zeros, (F, d, widest)."""
        return torch.cat([nn.functional.pad(c.weight, (0, self.widest - c.kernel_size[0])) for c in self.convolutions])

    def _max_of(self, convolution: nn.Conv1d, embedded: Tensor) -> Tensor:
        """One filter width over all positions, (U, C, d) -> (U, n): the plain way, correct for any rows."""
        windows = embedded.unfold(1, convolution.kernel_size[0], 1).flatten(2)  # (U, C-w+1, d*w)
        return _max_over_time(windows @ convolution.weight.flatten(1).T)


class CharCNN(CharacterEncoder, TokenLayer):
    """Words to vectors by their UTF-8 bytes, so that any word has a vector."""

    def __init__(self, config: CharCNNConfig, vocabulary: None = None) -> None:
        super().__init__(config, characters.N_CHARACTERS, characters.PADDING_ID)
        self.vocabulary = None

    @staticmethod
    def words_to_ids(words: Sequence[str], config: CharCNNConfig, vocabulary: None = None) -> NDArray[np.int64]:
        """Character ids, (U, max_characters)."""
        return characters.words_to_ids(words, config.max_characters)

    @property
    def word_limit(self) -> str:
        """A number of bytes: two of the characters are the markers of a word."""
        return f"{self.config.max_characters - 2} bytes"

    def count_cut(self, words: Sequence[str]) -> int:
        """Count words with too many bytes."""
        limit = self.config.max_characters - 2
        if 4 * max(map(len, words), default=0) <= limit:  # a character has at most four bytes
            return 0
        return sum(len(word.encode("utf-8", "ignore")) > limit for word in words)

    def id_limits(self) -> list[int]:
        """One limit for all columns."""
        return [self.embedding.num_embeddings] * self.config.max_characters

    def lengths(self, ids: Any) -> Any:
        """Characters of each word, markers included."""
        return (ids != self.padding_id).sum(1)

    def describe(self) -> dict[str, Any]:
        """Properties to show to users, by name."""
        words = f"by character, at most {self.word_limit} per word"
        return {"words": words, **_describe(self.config)}

    def with_character_encoder(
        self, replace: Callable[[CharacterEncoder], Callable[[Tensor], Tensor]]
    ) -> Callable[[Tensor], Tensor]:
        """The layer is the character CNN."""
        return replace(self)


class WordTable(TokenLayer):
    """Words to vectors by lookup. A word outside the vocabulary is read as ``<UNK>``."""

    vocabulary_file = "vocab.txt"
    vocabulary_class = Vocabulary

    def __init__(self, config: WordTableConfig, vocabulary: Vocabulary | None) -> None:
        super().__init__()
        if vocabulary is None:
            raise ValueError("a model that looks words up needs its vocabulary")
        if len(vocabulary) != config.vocabulary_size:
            raise ValueError(
                f"the vocabulary has {len(vocabulary)} words, but the word table has {config.vocabulary_size} rows"
            )
        self.config, self.vocabulary = config, vocabulary
        # Row 0 stands for "no word" and stays zero.
        self.embedding = nn.Embedding(config.vocabulary_size + 1, config.output_dim, padding_idx=0)

    @staticmethod
    def words_to_ids(words: Sequence[str], config: WordTableConfig, vocabulary: Vocabulary | None) -> NDArray[np.int64]:
        """Rows of the table, (U,)."""
        if vocabulary is None:
            raise ValueError("a model that looks words up needs its vocabulary")
        return vocabulary.words_to_ids(words)

    def id_limits(self) -> list[int]:
        """Rows of the table."""
        return [self.embedding.num_embeddings]

    def forward(self, ids: Tensor) -> Tensor:
        """Map word ids (U,) to vectors (U, P)."""
        return self.embedding(ids)

    def init_weights(self) -> None:
        """Draw fresh weights; see ``BiLM.init_weights``."""
        _init_table(self.embedding.weight)

    def describe(self) -> dict[str, Any]:
        """Properties to show to users, by name."""
        return {"words": f"from a table of {self.config.vocabulary_size:,} words"}


class WordAndCharCNN(TokenLayer):
    """Words to vectors by their Unicode characters and, if the model has a word table, by lookup too.

    characters (U, C) -> character CNN (U, F) -+
                                               +-> joined (U, W+F) -> projection (U, P)
    word (U,)         -> word table (U, W) ----+
    """

    vocabulary_file = "dictionary.json"
    vocabulary_class = Dictionary
    trainable = False

    def __init__(self, config: WordAndCharCNNConfig, vocabulary: Dictionary | None) -> None:
        super().__init__()
        if vocabulary is None:
            raise ValueError("a model with its own list of characters needs its dictionary")
        sizes = (config.n_characters, config.vocabulary_size)
        if (len(vocabulary.characters), len(vocabulary.words)) != sizes:
            raise ValueError(
                f"the dictionary has {len(vocabulary.characters)} characters and {len(vocabulary.words)} words, "
                f"but the model has {sizes[0]} and {sizes[1]}"
            )
        self.config, self.vocabulary = config, vocabulary
        self.characters = CharacterEncoder(config.cnn, config.n_characters + 1, vocabulary.padding_id)
        self.words: nn.Embedding | None = None
        if config.vocabulary_size:
            self.words = nn.Embedding(config.vocabulary_size + 1, config.word_dim, padding_idx=0)
        self.projection = nn.Linear(config.word_dim + config.cnn.output_dim, config.output_dim)

    @staticmethod
    def words_to_ids(words: Sequence[str], config: WordAndCharCNNConfig, vocabulary: Dictionary) -> NDArray[np.int64]:
        """The word before its characters, (U, 1 + max_characters)."""
        return vocabulary.words_to_ids(words, config.max_characters)

    @property
    def word_limit(self) -> str:
        """A number of characters, without the two markers of a word."""
        return f"{self.config.max_characters - 2} characters"

    def count_cut(self, words: Sequence[str]) -> int:
        """Count words with too many characters."""
        return sum(len(word) > self.config.max_characters - 2 for word in words)

    def id_limits(self) -> list[int]:
        """The word before its characters. Without a table of words, the first column is not read."""
        words = torch.iinfo(torch.int64).max if self.words is None else self.words.num_embeddings
        return [words] + [self.characters.embedding.num_embeddings] * self.config.max_characters

    def forward(self, ids: Tensor) -> Tensor:
        """Map ids (U, 1 + C), the word before its characters, to vectors (U, P)."""
        return self._join(self.characters, ids)

    def _join(self, read_characters: Callable[[Tensor], Tensor], ids: Tensor) -> Tensor:
        joined = read_characters(ids[:, 1:])  # (U, F)
        if self.words is not None:
            joined = torch.cat([self.words(ids[:, 0]), joined], 1)  # (U, W+F)
        return self.projection(joined)

    def lengths(self, ids: Any) -> Any:
        """Characters of each word, markers included, and one for the word itself."""
        return (ids[:, 1:] != self.characters.padding_id).sum(1) + 1

    def columns_for(self, length: int) -> int:
        """One column for the word, and those of the character CNN."""
        return 1 + self.characters.columns_for(length - 1)

    def init_weights(self) -> None:
        """Draw fresh weights; see ``BiLM.init_weights``."""
        self.characters.init_weights()
        _init_linear(self.projection)
        if self.words is not None:
            _init_table(self.words.weight)

    def describe(self) -> dict[str, Any]:
        """Properties to show to users, by name."""
        config = self.config
        words = f"by character ({config.n_characters:,} known), at most {config.max_characters - 2} per word"
        words += f"; and from a table of {config.vocabulary_size:,} words" if config.vocabulary_size else ""
        return {"words": words, **_describe(config)}

    def with_character_encoder(
        self, replace: Callable[[CharacterEncoder], Callable[[Tensor], Tensor]]
    ) -> Callable[[Tensor], Tensor]:
        """The forward pass with another way to compute the character CNN."""
        read_characters = replace(self.characters)
        return lambda ids: self._join(read_characters, ids)


_LAYERS: dict[type, type[TokenLayer]] = {
    CharCNNConfig: CharCNN,
    WordTableConfig: WordTable,
    WordAndCharCNNConfig: WordAndCharCNN,
}


def build_token_layer(config: TokenLayerConfig, vocabulary: TokenVocabulary) -> TokenLayer:
    """Make the token layer of a configuration, with uninitialized weights."""
    return _LAYERS[type(config)](config, vocabulary)


def words_to_ids(words: Sequence[str], config: TokenLayerConfig, vocabulary: TokenVocabulary) -> NDArray[np.int64]:
    """Encode words for a token layer that is not here: (U, columns) or (U,), always of the same width."""
    return _LAYERS[type(config)].words_to_ids(words, config, vocabulary)


def vocabulary_file(config: TokenLayerConfig) -> str | None:
    """Return the name of the file that stores the vocabulary of a token layer, if it needs one."""
    return _LAYERS[type(config)].vocabulary_file


def read_vocabulary(config: TokenLayerConfig, read: Callable[[str], bytes]) -> TokenVocabulary:
    """Read the vocabulary that a token layer needs.

    Args:
        config: The token layer.
        read: Returns the content of a file of the model, given its name.
    """
    layer = _LAYERS[type(config)]
    if layer.vocabulary_file is None or layer.vocabulary_class is None:
        return None
    return layer.vocabulary_class.from_bytes(read(layer.vocabulary_file))


def _max_over_time(responses: Tensor) -> Tensor:
    """The maximum over positions, (U, C, n) -> (U, n)."""
    # max remembers where it found its values, which makes it slower than amax but its gradient faster.
    return responses.max(1).values if torch.is_grad_enabled() else responses.amax(1)


def _init_linear(linear: nn.Linear) -> None:
    nn.init.normal_(linear.weight, std=linear.in_features**-0.5)
    nn.init.zeros_(linear.bias)


@torch.no_grad()
def _init_table(table: Tensor) -> None:
    nn.init.normal_(table, std=table.shape[1] ** -0.5)[0] = 0


def _describe(config: CharCNNConfig | WordAndCharCNNConfig) -> dict[str, Any]:
    filters = " ".join(f"{width}x{count}" for width, count in config.filters)
    return {
        "character CNN": f"{config.embedding_dim}-d characters, filters {filters}, {config.activation}",
        "highway layers": config.n_highway,
    }
