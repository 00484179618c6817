"""The input vectors of a task model: static vectors, characters, and ELMo at the input, the output, or both.

    word sequences  ->  x     (B, T, input_dim)    [static ; characters ; ELMo]  input of the lowest layer
                        extra (B, T, output_dim)   [ELMo]  to concatenate to the output of that layer; may be empty

ELMo at the input and at the output has a scalar mix for each.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Literal, NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn.utils.rnn import pad_sequence

from elmo.config import BiLMConfig, CharCNNConfig
from elmo.datasets.static_vectors import StaticVectors
from elmo.engines.cuda import to_device
from elmo.engines.packed_sentences import layers_with_gradients
from elmo.model.bilm import BiLM
from elmo.model.mix import ScalarMix
from elmo.model.token_layers import CharCNN
from elmo.settings import Dropout, NotNegative, Range, Size, check_fields
from elmo.tasks.layer_cache import LayerCache
from elmo.text.characters import PADDING_ID, word_to_ids
from elmo.text.tokens import split_sentences

Placement = Literal["input", "output", "both"]
PAD, UNKNOWN = 0, 1
"""The first rows of both embedding tables, before those of the known words."""
MAX_CHARACTERS = 50
"""Maximum number of characters of a word for the task's own character CNN, including the two word markers."""
MAX_REMEMBERED = 100_000
"""Number of words besides those of the prepared sequences whose ids are kept; beyond it, they are computed again."""
FilterWidth = Annotated[int, Range(1, MAX_CHARACTERS)]


@dataclass(frozen=True)
class CharacterSettings:
    """The task's own character CNN."""

    dim: Size
    """Dimension of a character embedding."""
    width: FilterWidth | list[FilterWidth]
    """Number of characters that a filter spans, or a list of several such widths."""
    filters: Size
    """Number of filters of each width."""

    def __post_init__(self) -> None:
        """Check the types and limits of all settings."""
        check_fields(self)
        self.cnn_config()  # there must be a filter

    def cnn_config(self) -> CharCNNConfig:
        """Return the configuration of the character CNN."""
        widths = [self.width] if isinstance(self.width, int) else self.width
        filters = tuple((width, self.filters) for width in widths)
        return CharCNNConfig(self.dim, filters, n_highway=0, projection_dim=None, max_characters=MAX_CHARACTERS)


@dataclass(frozen=True)
class InputSettings:
    """The word vectors of a task model, apart from ELMo."""

    tuned: bool
    """Whether to fine-tune the static vectors."""
    dim: Size
    """Dimension of the word vectors if no static vectors are given and they are learned from scratch."""
    dropout: Dropout
    """On the static vectors and the character vectors."""
    characters: CharacterSettings | None = None

    def __post_init__(self) -> None:
        """Check the types and limits of all settings."""
        check_fields(self)


@dataclass(frozen=True)
class ElmoSettings:
    """How a task model uses ELMo."""

    placement: Placement = "input"
    """Where ELMo vectors are added: to the input of the lowest layer, to its output, or both."""
    layers: Literal["all", "top"] = "all"
    """Mix all layers of the biLM, or use only the top one."""
    unit: Literal["sequence", "sentence"] = "sequence"
    """What the biLM reads at once: a whole sequence, such as a passage, or each of its sentences, as in pretraining."""
    dropout: Dropout = 0.5
    layer_norm: bool = False
    penalty: NotNegative = 0.001
    """lambda, the L2 penalty on the layer weights, added to the loss. With 1, all layers have nearly equal weights."""
    frozen: bool = True
    """Keep the biLM fixed, so that its layers are computed only once. Otherwise it is fine-tuned along."""

    def __post_init__(self) -> None:
        """Check the types and limits of all settings."""
        check_fields(self)

    @property
    def places(self) -> tuple[str, ...]:
        """The places where ELMo is used, each with a scalar mix of its own."""
        return ("input", "output") if self.placement == "both" else (self.placement,)


class InputVectors(NamedTuple):
    """The input vectors of B sequences of up to T words."""

    x: Tensor
    """Input of the lowest layer, (B, T, input_dim); zero at padding."""
    extra: Tensor
    """To concatenate to the output of that layer, (B, T, output_dim); output_dim is 0 without ELMo there."""
    mask: Tensor
    """True at words, (B, T)."""
    lengths: tuple[int, ...]
    """Number of words of each sequence."""


class TaskVocabulary:
    """Maps words to ids, and ids to rows of the embedding tables and to character ids.

    A word gets an id when it is first seen, so that it is looked up only once. Id 0 is padding. The ids of sequences
    that are read in every epoch can be kept as well.

    Args:
        words: The words with a row of their own in the table of word vectors.
        learned: The words with a row of their own in the table of learned offsets.
    """

    def __init__(self, words: Sequence[str], learned: Sequence[str] = ()) -> None:
        self._known = {word: (UNKNOWN, row) for row, word in enumerate(learned, UNKNOWN + 1)}
        self._known |= {word: (row, PAD) for row, word in enumerate(words, UNKNOWN + 1)}
        self._ids: dict[str, int] = {}
        self._kept: dict[tuple[str, ...], NDArray[np.int32]] = {}
        self._size = 1
        self._n_prepared = 1
        self.rows = np.full((1024, 2), PAD, dtype=np.int64)
        """Rows of both embedding tables, by id."""
        self.characters = np.zeros((1024, MAX_CHARACTERS), dtype=np.int16)
        """Character ids, by id."""
        self.lengths = np.zeros(1024, dtype=np.int64)
        """Number of characters, markers included, by id."""
        self.characters[0] = word_to_ids("", MAX_CHARACTERS)  # padding: the shortest word, masked in the end
        self.lengths[0] = (self.characters[0] != PADDING_ID).sum()

    def prepare(self, sequences: Iterable[Sequence[str]]) -> None:
        """Keep the ids of sequences that will be read more than once."""
        for words in sequences:
            key = tuple(words)
            if key not in self._kept:
                self._kept[key] = self._ids_of(key)
        self._n_prepared = self._size

    def ids(self, sequences: Sequence[Sequence[str]]) -> NDArray[np.int32]:
        """Return the ids of words, (B, T). They are valid until the next call."""
        if self._size > self._n_prepared + MAX_REMEMBERED:  # a stream of texts never runs out of new words
            self._ids = {word: number for word, number in self._ids.items() if number < self._n_prepared}
            self._size = self._n_prepared
        ids = np.zeros((len(sequences), max(map(len, sequences), default=0)), dtype=np.int32)
        for row, words in zip(ids, sequences, strict=True):
            kept = self._kept.get(tuple(words))
            row[: len(words)] = self._ids_of(words) if kept is None else kept
        return ids

    def distinct(self, ids: NDArray[np.int32]) -> tuple[NDArray[np.int64], NDArray[np.int32]]:
        """Return the distinct ids (U,) in ascending order, and which one of them is at each position.

        The same as ``np.unique(ids, return_inverse=True)``, but without sorting.
        """
        occurs = np.zeros(self._size, dtype=bool)
        occurs[ids] = True
        distinct = occurs.nonzero()[0]
        place = np.empty(self._size, dtype=np.int32)
        place[distinct] = np.arange(len(distinct), dtype=np.int32)
        return distinct, place[ids]

    def _ids_of(self, words: Sequence[str]) -> NDArray[np.int32]:
        for word in words:
            if word not in self._ids:
                self._add(word)
        return np.array([self._ids[word] for word in words], dtype=np.int32)

    def _add(self, word: str) -> None:
        if self._size == len(self.rows):
            self.rows = np.concatenate([self.rows, self.rows])
            self.characters = np.concatenate([self.characters, self.characters])
            self.lengths = np.concatenate([self.lengths, self.lengths])
        # Many published vectors have only lowercase words.
        self.rows[self._size] = self._known.get(word) or self._known.get(word.lower(), (UNKNOWN, UNKNOWN))
        self.characters[self._size] = word_to_ids(word, MAX_CHARACTERS)
        self.lengths[self._size] = (self.characters[self._size] != PADDING_ID).sum()
        self._ids[word] = self._size
        self._size += 1


class TaskInputs(nn.Module):
    """Turns word sequences into the input vectors of a task model.

    If the static vectors are not tuned, words without one have the fixed vector of unknown words plus a learned offset,
    which is zero at first. A table of all vectors would have a gradient for each of them.

    Args:
        words: The words with a static vector. Vectors are random until ``load_vectors`` is called.
        settings: The word vectors.
        elmo: How to use ELMo; None for the baseline without it.
        layers: Computes the layers of a frozen biLM.
        bilm: A biLM to fine-tune, in place of ``layers``.
        dim: Dimension of the static vectors that will be loaded; None learns the vectors from scratch.
        learned: The words without a static vector that learn one of their own. If None, as in older runs, nothing is
            learned about unknown words unless the static vectors are tuned.
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
        learned: Sequence[str] | None = None,
    ) -> None:
        super().__init__()
        self.settings, self.elmo, self.layers, self.bilm = settings, elmo, layers, bilm
        self._units: dict[tuple[str, ...], list[tuple[str, ...]]] = {}
        self.dim = dim or settings.dim
        tuned = settings.tuned or dim is None  # vectors that are not loaded must be learned
        self.words = (*words, *(learned or ())) if tuned else tuple(words)
        self.table = nn.Embedding(len(self.words) + UNKNOWN + 1, self.dim, padding_idx=PAD)
        nn.init.normal_(self.table.weight.data, std=0.1)[PAD] = 0
        self.table.weight.requires_grad_(tuned)
        self.offsets = None
        if learned is not None and not tuned:
            self.offsets = nn.Embedding(len(learned) + UNKNOWN + 1, self.dim, padding_idx=PAD)
            nn.init.zeros_(self.offsets.weight)
        self.vocabulary = TaskVocabulary(self.words, () if self.offsets is None else learned or ())
        self.characters = None
        if settings.characters is not None:
            self.characters = CharCNN(settings.characters.cnn_config())
        self.dropout = nn.Dropout(settings.dropout)
        bilm_config = self.bilm_config
        if (elmo is None) != (bilm_config is None):
            raise ValueError("ELMo settings and a biLM go together: give both, or neither")
        self.mixes = nn.ModuleDict()
        self.elmo_dim = 0
        if elmo is not None and bilm_config is not None:
            count = bilm_config.n_representations if elmo.layers == "all" else 1
            self.mixes.update({place: ScalarMix(count, elmo.layer_norm) for place in elmo.places})
            self.elmo_dim = bilm_config.output_dim
        self.elmo_dropout = nn.Dropout(elmo.dropout if elmo is not None else 0.0)

    @property
    def bilm_config(self) -> BiLMConfig | None:
        """The configuration of the biLM; None without one."""
        return self.bilm.config if self.bilm is not None else self.layers.config if self.layers is not None else None

    def load_vectors(self, vectors: StaticVectors) -> None:
        """Load static vectors. Words that have none start with the mean of all vectors."""
        if vectors.dim != self.dim:
            raise ValueError(f"the static vectors have dimension {vectors.dim}, the model expects {self.dim}")
        with torch.no_grad():
            found = {word: row for row, word in enumerate(vectors.words)}
            values = vectors.values[[found[word] for word in self.words if word in found]]
            mean = torch.from_numpy(values.mean(0, dtype=np.float32) if len(values) else vectors.values.mean(0))
            self.table.weight[UNKNOWN:] = mean
            known = [row for row, word in enumerate(self.words, UNKNOWN + 1) if word in found]
            self.table.weight[known] = torch.from_numpy(values)

    @property
    def input_dim(self) -> int:
        """Dimension of ``x``."""
        characters = 0 if self.characters is None else self.characters.config.output_dim
        return self.dim + characters + (self.elmo_dim if "input" in self.mixes else 0)

    @property
    def output_dim(self) -> int:
        """Dimension of ``extra``."""
        return self.elmo_dim if "output" in self.mixes else 0

    @property
    def device(self) -> torch.device:
        """Device of the parameters."""
        return self.table.weight.device

    def forward(self, sequences: Sequence[Sequence[str]]) -> InputVectors:
        """Return the input vectors of word sequences."""
        lengths = tuple(len(words) for words in sequences)
        ids = self.vocabulary.ids(sequences)  # (B, T)
        mask = to_device(np.arange(ids.shape[1]) < np.array(lengths)[:, None], self.device)  # (B, T)
        parts = [self._word_vectors(ids)]  # (B, T, dim)
        if self.characters is not None:
            parts.append(self._read_characters(self.characters, ids))
        x = self.dropout(torch.cat(parts, -1)) * mask[:, :, None]
        extra = x[:, :, :0]
        if self.elmo is not None:
            layers = self._layers_of(sequences)
            mixed = {place: self.elmo_dropout(mix(layers)) * mask[:, :, None] for place, mix in self.mixes.items()}
            x = torch.cat([x, mixed["input"]], -1) if "input" in mixed else x
            extra = mixed.get("output", extra)
        return InputVectors(x, extra, mask, lengths)

    def prepare(self, sequences: Iterable[Sequence[str]], shared: Path | None = None) -> None:
        """Compute once whatever does not change in training.

        Args:
            sequences: Word sequences that will be read more than once.
            shared: Folder in which several processes share the layers of a frozen biLM; see ``LayerCache.prepare``.
        """
        distinct = list(dict.fromkeys(map(tuple, sequences)))
        self.vocabulary.prepare(distinct)
        if self.layers is not None:
            self._units = {words: self._units_of(words) for words in distinct}
            self.layers.prepare((unit for units in self._units.values() for unit in units), shared)

    def penalty(self) -> Tensor:
        """Return the L2 penalty on the layer weights."""
        total = self.table.weight.new_zeros(())
        for mix in self.mixes.values():
            total = total + mix.penalty(self.elmo.penalty)  # type: ignore[union-attr, operator]
        return total

    def layer_weights(self) -> dict[str, dict[str, Any]]:
        """Return the learned weights of the layers (which sum to 1) and gamma, by place, as in ``metrics.json``."""
        return {
            place: {"shares": mix.layer_weights.tolist(), "gamma": mix.gamma.item()}  # type: ignore[operator]
            for place, mix in self.mixes.items()
        }

    def _word_vectors(self, ids: NDArray[np.int32]) -> Tensor:
        """Return the static or learned vectors of words, (B, T) to (B, T, dim)."""
        rows, offset_rows = to_device(self.vocabulary.rows[ids], self.device).unbind(-1)  # (B, T) each
        vectors: Tensor = self.table(rows)
        return vectors if self.offsets is None else vectors + self.offsets(offset_rows)

    def _read_characters(self, cnn: CharCNN, ids: NDArray[np.int32]) -> Tensor:
        """Run the CNN once per distinct word, (B, T) to (B, T, filters)."""
        distinct, places = self.vocabulary.distinct(ids)
        columns = cnn.columns_for(int(self.vocabulary.lengths[distinct].max(initial=0)))
        characters = self.vocabulary.characters[distinct, :columns]  # (U, columns)
        vectors = cnn(to_device(characters, self.device).long())  # (U, filters)
        return nn.functional.embedding(to_device(places, self.device), vectors)

    def _layers_of(self, sequences: Sequence[Sequence[str]]) -> Tensor:
        """Return the layers of the biLM, (L+1, B, T, D), or only the top one, (1, B, T, D)."""
        texts = [self._units_of(tuple(words)) for words in sequences]
        if self.layers is not None:
            layers = self.layers.of_texts(texts)
        else:
            assert self.bilm is not None  # checked by the constructor
            layers = layers_with_gradients(self.bilm, [words for text in texts for words in text])  # (L+1, N, D)
            words = layers.split([sum(map(len, text)) for text in texts], 1)  # (L+1, n, D) each
            padded = pad_sequence([layers.transpose(0, 1) for layers in words], batch_first=True)  # (B, T, L+1, D)
            layers = padded.permute(2, 0, 1, 3)
        return layers[-1:] if self.elmo is not None and self.elmo.layers == "top" else layers

    def _units_of(self, words: tuple[str, ...]) -> list[tuple[str, ...]]:
        """Return the parts of a sequence that the biLM reads one by one."""
        if words in self._units:
            return self._units[words]
        by_sentence = self.elmo is not None and self.elmo.unit == "sentence"
        return split_sentences(words) if by_sentence else [words]
