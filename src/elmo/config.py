"""The shape of a biLM: what a model needs besides its weights, checked when it is made.

A ``BiLMConfig`` says how a word becomes a vector (``token_layer``) and how the two stacks of LSTM
layers read those vectors (``lstm``). It is immutable and goes to JSON and back without loss.
"""

import dataclasses
from dataclasses import dataclass
from typing import Any, Literal, TypeVar

FORMAT_VERSION = 1
"""Version of the ``config.json`` format; raised when an older reader could misread a newer file."""

Precision = Literal["float32", "bf16", "int8"]
"""float32 is exact. bf16 halves all matrices. int8 is bf16 with the largest ones, the LSTM's from state to state, in
8 bits: it is for one sentence at a time, when reading the weights is what takes the time."""
Layers = Literal["all", "top", "average"] | int
"""All layers, the top one, their average, or one by its number (0 is the word vector without context)."""
Pool = Literal["mean", "max"]
"""One vector a sentence: the mean or the maximum over its words."""
Tokenize = Literal["whitespace", "words"]
"""How a string becomes words: split at white space, or as raw text."""
InitialState = Literal["zero", "warm", "carry"]
"""What the LSTM layers remember when a sentence begins."""
Format = Literal["hdf5", "parquet", "safetensors", "npz"]
"""Kinds of output file."""

SUFFIXES: dict[str, Format] = {
    ".h5": "hdf5",
    ".hdf5": "hdf5",
    ".parquet": "parquet",
    ".safetensors": "safetensors",
    ".npz": "npz",
}
"""The kind of file that a name asks for."""


SHARD_LINES = 5000
"""Lines per part of an embedding job: seconds of work for a small model, minutes for a large one."""

PUBLISHED_FILTERS = ((1, 32), (2, 32), (3, 64), (4, 128), (5, 256), (6, 512), (7, 1024))
"""(width, count) of the character convolutions in all four published English models."""


@dataclass(frozen=True)
class CharCNNConfig:
    """Words are read character by character, so that any word has a vector."""

    embedding_dim: int = 16
    """Width of a character's embedding."""
    filters: tuple[tuple[int, int], ...] = PUBLISHED_FILTERS
    """(width, count) of each convolution, in the order in which their outputs are joined."""
    activation: Literal["relu", "tanh"] = "relu"
    """Non-linearity after the convolutions (the highway layers always use relu)."""
    n_highway: int = 1
    """Highway layers between the convolutions and the projection; may be 0."""
    projection_dim: int | None = 128
    """Width of the word vector; None leaves the joined filters as they are."""
    max_characters: int = 50
    """Characters kept of a word, the two word markers included; the rest of the word is cut off."""

    def __post_init__(self) -> None:
        """Refuse what cannot be built."""
        object.__setattr__(self, "filters", tuple((int(w), int(n)) for w, n in self.filters))
        _positive(self, "embedding_dim", "max_characters")
        if not self.filters:
            raise ValueError("a character CNN needs at least one filter")
        for width, count in self.filters:
            if not 1 <= width <= self.max_characters or count < 1:
                raise ValueError(f"filter ({width}, {count}) does not fit words of {self.max_characters}")
        if self.max_characters < 3:
            raise ValueError("max_characters must leave room for the two word markers and one character")
        if self.activation not in ("relu", "tanh"):
            raise ValueError(f"activation must be relu or tanh, not {self.activation!r}")
        if not isinstance(self.n_highway, int) or self.n_highway < 0:
            raise ValueError(f"n_highway must be 0 or more, not {self.n_highway!r}")
        if self.projection_dim is not None:
            _positive(self, "projection_dim")

    @property
    def filters_dim(self) -> int:
        """Width of all filters joined."""
        return sum(count for _, count in self.filters)

    @property
    def output_dim(self) -> int:
        """Width of the word vector."""
        return self.filters_dim if self.projection_dim is None else self.projection_dim


@dataclass(frozen=True)
class WordTableConfig:
    """Words are looked up in a table; a word outside it is read as ``<UNK>``."""

    vocabulary_size: int
    """Rows of the table."""
    output_dim: int
    """Width of the word vector."""

    def __post_init__(self) -> None:
        """Refuse what cannot be built."""
        _positive(self, "vocabulary_size", "output_dim")


@dataclass(frozen=True)
class WordAndCharCNNConfig:
    """Words are read by their Unicode characters and also looked up; lists of both come with the model.

    The fields of the character CNN mean what they mean in ``CharCNNConfig``. The projection is always there.
    """

    n_characters: int
    """Entries of the list of characters."""
    output_dim: int
    """Width of the word vector."""
    vocabulary_size: int = 0
    """Entries of the list of words; 0 where words are read by character alone."""
    word_dim: int = 0
    """Width of a looked-up word, before the projection; 0 likewise."""
    embedding_dim: int = 50
    filters: tuple[tuple[int, int], ...] = PUBLISHED_FILTERS
    activation: Literal["relu", "tanh"] = "relu"
    n_highway: int = 2
    max_characters: int = 50

    def __post_init__(self) -> None:
        """Refuse what cannot be built."""
        object.__setattr__(self, "filters", self.cnn.filters)
        _positive(self, "n_characters", "output_dim")
        if (self.vocabulary_size, self.word_dim) != (0, 0):
            _positive(self, "vocabulary_size", "word_dim")

    @property
    def cnn(self) -> CharCNNConfig:
        """The part that reads characters."""
        return CharCNNConfig(
            self.embedding_dim, self.filters, self.activation, self.n_highway, None, self.max_characters
        )


TokenLayerConfig = CharCNNConfig | WordTableConfig | WordAndCharCNNConfig
"""The ways in which a word becomes a vector."""

TOKEN_LAYERS: dict[str, type[TokenLayerConfig]] = {
    "char_cnn": CharCNNConfig,
    "word_table": WordTableConfig,
    "word_and_char_cnn": WordAndCharCNNConfig,
}
"""What ``token_layer.kind`` says in ``config.json``."""


@dataclass(frozen=True)
class LSTMConfig:
    """The LSTM layers; both directions have the same shape."""

    dim: int
    """Width of the cell."""
    projection_dim: int | None
    """Width of a layer's output; None means no projection, so the output is as wide as the cell."""
    n_layers: int = 2
    """LSTM layers per direction."""
    cell_clip: float | None = 3.0
    """The cell is kept within plus or minus this; None for no limit."""
    projection_clip: float | None = 3.0
    """The projected output likewise; it has no effect without a projection."""
    residual: bool = True
    """Add each layer's input to its output, from the second layer on."""

    def __post_init__(self) -> None:
        """Refuse what cannot be built."""
        _positive(self, "dim", "n_layers")
        if self.projection_dim is not None:
            _positive(self, "projection_dim")
        for name in ("cell_clip", "projection_clip"):
            clip = getattr(self, name)
            if clip is not None:
                if isinstance(clip, bool) or not isinstance(clip, int | float) or not clip > 0:
                    raise ValueError(f"{name} must be a number above 0 or null, not {clip!r}")
                object.__setattr__(self, name, float(clip))
        if not isinstance(self.residual, bool):
            raise ValueError(f"residual must be true or false, not {self.residual!r}")

    @property
    def output_dim(self) -> int:
        """Width of one direction of one layer."""
        return self.dim if self.projection_dim is None else self.projection_dim


@dataclass(frozen=True)
class BiLMConfig:
    """The shape of a whole biLM."""

    token_layer: TokenLayerConfig
    """How a word becomes a vector."""
    lstm: LSTMConfig
    """How the vectors are read in both directions."""

    def __post_init__(self) -> None:
        """Layers are summed when they are mixed, so all must have one width."""
        if self.token_layer.output_dim != self.lstm.output_dim:
            raise ValueError(
                f"word vectors are {self.token_layer.output_dim} wide but LSTM outputs "
                f"{self.lstm.output_dim}: they must be equal"
            )

    @property
    def n_representations(self) -> int:
        """Layers a word has: its context-free vector and one for each LSTM layer."""
        return self.lstm.n_layers + 1

    @property
    def output_dim(self) -> int:
        """Width of every representation: forward and backward side by side."""
        return 2 * self.lstm.output_dim

    def to_dict(self) -> dict[str, Any]:
        """The content of ``config.json``."""
        kind = next(name for name, cls in TOKEN_LAYERS.items() if isinstance(self.token_layer, cls))
        return {
            "model_type": "elmo",
            "format_version": FORMAT_VERSION,
            "token_layer": {"kind": kind, **_jsonable(self.token_layer)},
            "lstm": _jsonable(self.lstm),
        }

    @classmethod
    def from_dict(cls, data: Any) -> "BiLMConfig":
        """Read what ``to_dict`` wrote; anything unknown, missing or contradictory is a ValueError."""
        if not isinstance(data, dict) or data.get("model_type") != "elmo":
            raise ValueError('not an elmo configuration: "model_type": "elmo" is missing')
        if data.get("format_version") != FORMAT_VERSION:
            raise ValueError(f"format_version is {data.get('format_version')!r}, this version reads {FORMAT_VERSION}")
        token_layer = data.get("token_layer")
        if not isinstance(token_layer, dict):
            raise ValueError("token_layer is missing")
        kind = token_layer.get("kind")
        if not isinstance(kind, str) or kind not in TOKEN_LAYERS:
            raise ValueError(f"token_layer.kind must be one of {', '.join(TOKEN_LAYERS)}, not {kind!r}")
        fields = {name: value for name, value in token_layer.items() if name != "kind"}
        return cls(
            token_layer=from_fields(TOKEN_LAYERS[kind], fields, "token_layer"),
            lstm=from_fields(LSTMConfig, data.get("lstm"), "lstm"),
        )


Config = TypeVar("Config")


def from_fields(cls: type[Config], fields: Any, where: str) -> Config:
    """Build a config dataclass from JSON, naming the first key that does not belong or is absent."""
    if not isinstance(fields, dict):
        raise ValueError(f"{where} is missing")
    known = {field.name: field for field in dataclasses.fields(cls)}  # type: ignore[arg-type]
    for name in fields:
        if name not in known:
            raise ValueError(f"{where}.{name} is unknown")
    for name, field in known.items():
        if name not in fields and field.default is dataclasses.MISSING:
            raise ValueError(f"{where}.{name} is missing")
    try:
        return cls(**fields)
    except TypeError as error:
        raise ValueError(f"{where}: {error}") from None


def _jsonable(config: Any) -> dict[str, Any]:
    """A dataclass as JSON would give it back: tuples become lists."""
    fields = dataclasses.asdict(config)
    if "filters" in fields:
        fields["filters"] = [list(pair) for pair in fields["filters"]]
    return fields


def _positive(config: Any, *names: str) -> None:
    """Refuse fields that are not whole numbers above 0."""
    for name in names:
        value = getattr(config, name)
        if isinstance(value, bool) or not isinstance(value, int) or value < 1:
            raise ValueError(f"{name} must be a whole number above 0, not {value!r}")
