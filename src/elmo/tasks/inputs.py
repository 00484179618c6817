"""What a task model reads of its words: static vectors, characters, and ELMo at the input, the output, or both.

    sequences of words  ->  x     (B, T, input_dim)    [static ; characters ; ELMo]  for the lowest layer
                            extra (B, T, output_dim)   [ELMo], to be joined to that layer's output; may be 0 wide

Every place has its own mixture of the biLM's layers.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from elmo.config import CharCNNConfig
from elmo.datasets.static_vectors import StaticVectors
from elmo.model.batches import collate
from elmo.model.bilm import BiLM
from elmo.model.elmo import without_boundaries
from elmo.model.mix import ScalarMix
from elmo.model.token_layers import CharCNN
from elmo.tasks.layer_cache import LayerCache
from elmo.text.characters import word_to_ids

Placement = Literal["input", "output", "both"]
PAD, UNKNOWN = 0, 1
"""Rows of the table of static vectors before those of known words."""
MAX_CHARACTERS = 50
"""Of a word that a task's own character CNN reads, the two word markers counted."""


@dataclass(frozen=True)
class CharacterSettings:
    """A small character CNN of the task's own."""

    dim: int
    """Width of a character's embedding."""
    width: int
    """Characters that a filter sees."""
    filters: int


@dataclass(frozen=True)
class InputSettings:
    """What a word is to the task model, apart from ELMo."""

    tuned: bool
    """Whether static vectors are trained along; otherwise they stay as they were read."""
    dim: int
    """Width of word vectors that are learned from nothing, where no file of static vectors is given."""
    dropout: float
    """On the static vectors and characters."""
    characters: CharacterSettings | None = None


@dataclass(frozen=True)
class ElmoSettings:
    """How ELMo comes into the task model."""

    placement: Placement = "input"
    layers: Literal["all", "top"] = "all"
    dropout: float = 0.5
    layer_norm: bool = False
    penalty: float = 0.001
    """lambda: times the sum of squares of the layers' weights, added to the loss. 1 keeps the layers nearly alike."""
    frozen: bool = True
    """Leave the biLM as it is, so that its layers are computed only once; otherwise it is trained along."""

    def __post_init__(self) -> None:
        """Refuse what means nothing."""
        if self.placement not in ("input", "output", "both"):
            raise ValueError(f"placement must be input, output or both, not {self.placement!r}")
        if self.layers not in ("all", "top"):
            raise ValueError(f"layers must be all or top, not {self.layers!r}")
        if not self.penalty >= 0:
            raise ValueError(f"lambda must be 0 or more, not {self.penalty!r}")

    @property
    def places(self) -> tuple[str, ...]:
        """Where ELMo is used: a mixture for each."""
        return ("input", "output") if self.placement == "both" else (self.placement,)


class InputVectors(NamedTuple):
    """B sequences of up to T words, as a task model reads them."""

    x: Tensor
    """For the lowest layer, (B, T, input_dim); zero at padding."""
    extra: Tensor
    """To be joined to the output of that layer, (B, T, output_dim); 0 wide without ELMo there."""
    mask: Tensor
    """True at words, (B, T)."""
    lengths: tuple[int, ...]
    """Words in each row."""


class TaskVocabulary:
    """What is looked up of every word that turns up: its row in the static table, and its characters.

    A word is looked up once and then has a number; batches are made of numbers. Number 0 is padding.
    """

    def __init__(self, words: Sequence[str]) -> None:
        self._in_table = {word: row for row, word in enumerate(words, UNKNOWN + 1)}
        self._numbers: dict[str, int] = {}
        self._size = 1
        self.rows = np.full(1024, PAD, dtype=np.int64)
        """Row in the static table, by number."""
        self.characters = np.zeros((1024, MAX_CHARACTERS), dtype=np.int16)
        """Character ids, by number."""
        self.characters[0] = word_to_ids("", MAX_CHARACTERS)  # as short as can be; masked in the end

    def numbers(self, sequences: Sequence[Sequence[str]]) -> NDArray[np.int64]:
        """The numbers of words, (B, T)."""
        for word in {word for words in sequences for word in words} - self._numbers.keys():
            self._add(word)
        numbers = np.zeros((len(sequences), max(map(len, sequences), default=0)), dtype=np.int64)
        for row, words in zip(numbers, sequences, strict=True):
            row[: len(words)] = [self._numbers[word] for word in words]
        return numbers

    def _add(self, word: str) -> None:
        if self._size == len(self.rows):
            self.rows = np.concatenate([self.rows, self.rows])
            self.characters = np.concatenate([self.characters, self.characters])
        # Many published vectors are of lower-cased words.
        in_table = self._in_table
        self.rows[self._size] = in_table.get(word) or in_table.get(word.lower(), UNKNOWN)
        self.characters[self._size] = word_to_ids(word, MAX_CHARACTERS)
        self._numbers[word] = self._size
        self._size += 1


class TaskInputs(nn.Module):
    """Sequences of words to the inputs of a task model.

    ``words``: those with a row in the table of static vectors; ``vectors`` fills the rows, None starts at random.
    ``layers``: gives the biLM's layers where it is frozen; ``bilm`` is trained along where it is not.
    """

    mixes: nn.ModuleDict

    def __init__(
        self,
        words: Sequence[str],
        settings: InputSettings,
        elmo: ElmoSettings | None = None,
        layers: LayerCache | None = None,
        bilm: BiLM | None = None,
        dim: int | None = None,
    ) -> None:
        super().__init__()
        self.settings, self.elmo, self.layers, self.bilm = settings, elmo, layers, bilm
        self.words = tuple(words)
        self.vocabulary = TaskVocabulary(words)
        self.dim = dim or settings.dim
        self.table = nn.Embedding(len(words) + UNKNOWN + 1, self.dim, padding_idx=PAD)
        nn.init.normal_(self.table.weight.data, std=0.1)[PAD] = 0
        # Without a file to come from, vectors must be learned.
        self.table.weight.requires_grad_(settings.tuned or dim is None)
        self.characters = None
        if settings.characters is not None:
            s = settings.characters
            shape = CharCNNConfig(
                s.dim, ((s.width, s.filters),), n_highway=0, projection_dim=None, max_characters=MAX_CHARACTERS
            )
            self.characters = CharCNN(shape)
        self.dropout = nn.Dropout(settings.dropout)
        config = bilm.config if bilm is not None else layers.config if layers is not None else None
        if (elmo is None) != (config is None):
            raise ValueError("ELMo needs settings and a biLM, or neither")
        self.mixes = nn.ModuleDict()
        self.elmo_dim = 0
        if elmo is not None and config is not None:
            count = config.n_representations if elmo.layers == "all" else 1
            self.mixes.update({place: ScalarMix(count, elmo.layer_norm) for place in elmo.places})
            self.elmo_dim = config.output_dim
        self.elmo_dropout = nn.Dropout(elmo.dropout if elmo is not None else 0.0)

    def load_vectors(self, vectors: StaticVectors) -> None:
        """Put static vectors in the rows of their words; "unknown" is the mean of all."""
        if vectors.dim != self.dim:
            raise ValueError(f"the vectors are {vectors.dim} wide, the model's {self.dim}")
        with torch.no_grad():
            found = {word: row for row, word in enumerate(vectors.words)}
            for row, word in enumerate(self.words, UNKNOWN + 1):
                if word in found:
                    self.table.weight[row] = torch.from_numpy(vectors.values[found[word]])
            self.table.weight[UNKNOWN] = torch.from_numpy(vectors.values.mean(0))

    @property
    def input_dim(self) -> int:
        """Width of ``x``."""
        characters = 0 if self.characters is None else self.characters.config.output_dim
        return self.dim + characters + (self.elmo_dim if "input" in self.mixes else 0)

    @property
    def output_dim(self) -> int:
        """Width of ``extra``."""
        return self.elmo_dim if "output" in self.mixes else 0

    @property
    def device(self) -> torch.device:
        """Where the module is."""
        return self.table.weight.device

    def forward(self, sequences: Sequence[Sequence[str]]) -> InputVectors:
        """Read sequences of words."""
        lengths = tuple(len(words) for words in sequences)
        longest = max(lengths, default=0)
        mask = (torch.arange(longest) < torch.tensor(lengths)[:, None]).to(self.device)  # (B, T)
        numbers = self.vocabulary.numbers(sequences)  # (B, T)
        parts = [self.table(torch.from_numpy(self.vocabulary.rows[numbers]).to(self.device))]  # (B, T, dim)
        if self.characters is not None:
            parts.append(self._read_characters(self.characters, numbers))
        x = self.dropout(torch.cat(parts, -1)) * mask[:, :, None]
        extra = x[:, :, :0]
        if self.elmo is not None:
            layers = self._layers_of(sequences)
            mixed = {place: self.elmo_dropout(mix(layers)) * mask[:, :, None] for place, mix in self.mixes.items()}
            x = torch.cat([x, mixed["input"]], -1) if "input" in mixed else x
            extra = mixed.get("output", extra)
        return InputVectors(x, extra, mask, lengths)

    def penalty(self) -> Tensor:
        """What lambda adds to the loss."""
        total = self.table.weight.new_zeros(())
        for mix in self.mixes.values():
            total = total + mix.penalty(self.elmo.penalty)  # type: ignore[union-attr, operator]
        return total

    def layer_weights(self) -> dict[str, dict[str, list[float] | float]]:
        """The learned shares of the layers and gamma, by place."""
        return {
            place: {"shares": mix.layer_weights.tolist(), "gamma": mix.gamma.item()}  # type: ignore[operator]
            for place, mix in self.mixes.items()
        }

    def _read_characters(self, cnn: CharCNN, numbers: NDArray[np.int64]) -> Tensor:
        """Every distinct word once through the CNN, then to where it stands, (B, T) to (B, T, filters)."""
        distinct, places = np.unique(numbers, return_inverse=True)
        ids = torch.from_numpy(self.vocabulary.characters[distinct].astype(np.int64))
        vectors = cnn(cnn.trim(ids).to(self.device))  # (U, filters)
        return vectors[torch.from_numpy(places.reshape(numbers.shape)).to(self.device)]

    def _layers_of(self, sequences: Sequence[Sequence[str]]) -> Tensor:
        """The biLM's layers, (L+1, B, T, D), or the top one alone."""
        if self.layers is not None:
            layers = self.layers(sequences)
        else:
            assert self.bilm is not None  # the constructor has seen to it
            batch = collate(sequences, self.bilm.token_layer.encode).to(self.device)
            output = self.bilm(batch)
            layers, _ = without_boundaries(output.layers, output.mask)
        return layers[-1:] if self.elmo is not None and self.elmo.layers == "top" else layers
