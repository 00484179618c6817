"""The configuration of a biLM, and the options of embedding by the names that Python and the command line share.

A ``BiLMConfig`` describes how a word becomes a vector (``token_layer``) and how the two stacks of LSTM layers read
these vectors (``lstm``). It is validated when it is made, immutable, and converts to JSON and back without loss.

Nothing heavy is imported here, so that the command line can show its help quickly.
"""

import dataclasses
from dataclasses import dataclass
from typing import Any, Literal, TypeVar, get_args

from elmo.validation import shown

FORMAT_VERSION = 1
"""Version of the ``config.json`` format; raised when an older reader could misread a newer file."""

Precision = Literal["float32", "bf16", "int8"]
"""What vectors are computed in. float32 is exact, and bf16 is faster. int8 is bf16 with the largest matrices, the
recurrent ones, in 8 bits; it suits one sentence at a time, when reading the weights takes most of the time."""
Layers = Literal["all", "top", "average"] | int
"""All layers, the top one, their average, or one by its index (0 is the context-free word vector)."""
Pool = Literal["mean", "max"]
"""One vector per sentence: the mean or the maximum over its words."""
Merge = Literal["mean", "last"]
"""One vector per whitespace-separated word: the mean of its tokens, or the last one."""
TokenizerName = Literal["whitespace", "words", "korean"]
"""The tokenizers; see ``elmo.text.tokens.tokenizer``."""
Tokenize = Literal["model", "whitespace", "words", "korean"]
"""How a string is split into words: by the tokenizer that the model names, or by this one."""
InitialState = Literal["zero", "warm", "carry"]
"""The LSTM state at the start of a sentence."""
Format = Literal["hdf5", "parquet", "safetensors", "npz"]
"""Formats of output files."""

SUFFIXES: dict[str, Format] = {
    ".h5": "hdf5",
    ".hdf5": "hdf5",
    ".parquet": "parquet",
    ".safetensors": "safetensors",
    ".npz": "npz",
}
"""The format for each file extension."""

SHARD_LINES = 5000
"""Lines per part of an embedding job: seconds of work for a small model, minutes for a large one."""

MAX_CONFIG_BYTES = 1 << 20
"""Maximum size of a file with the configuration of a model."""
MAX_LAYERS = 1000
"""Maximum number of LSTM layers, highway layers or convolutions. A damaged file must not make us build millions."""
MAX_WIDTH = 1 << 20
"""Maximum width of a layer."""
MAX_ROWS = 1 << 24
"""Maximum number of words or characters in a table."""
MAX_CLIP = 1e30
"""Maximum of a clip; no clipping is written as null."""
MAX_CHARACTERS = 10_000
"""Maximum of ``max_characters``: every word takes this much memory, however short it is."""

PUBLISHED_FILTERS = ((1, 32), (2, 32), (3, 64), (4, 128), (5, 256), (6, 512), (7, 1024))
"""(width, count) of the character convolutions in all four published English models."""


@dataclass(frozen=True)
class CharCNNConfig:
    """A character CNN over UTF-8 bytes, so that any word has a vector."""

    embedding_dim: int = 16
    """Width of a character embedding."""
    filters: tuple[tuple[int, int], ...] = PUBLISHED_FILTERS
    """(width, count) of each convolution, in the order in which their outputs are concatenated."""
    activation: Literal["relu", "tanh"] = "relu"
    """Nonlinearity after the convolutions. Highway layers always use relu."""
    n_highway: int = 1
    """Number of highway layers between the convolutions and the projection."""
    projection_dim: int | None = 128
    """Width of the word vector; None means no projection."""
    max_characters: int = 50
    """Maximum length of a word, the two word markers included; longer words are truncated."""

    def __post_init__(self) -> None:
        """Validate the fields."""
        _check_integers(self, 1, MAX_WIDTH, "embedding_dim")
        _check_integers(self, 1, MAX_CHARACTERS, "max_characters")
        if self.max_characters < 3:
            raise ValueError("max_characters must leave room for the two word markers and one character")
        object.__setattr__(self, "filters", _filters(self.filters, self.max_characters))
        if self.activation not in ("relu", "tanh"):
            raise ValueError(f"activation must be relu or tanh, not {shown(self.activation)}")
        _check_integers(self, 0, MAX_LAYERS, "n_highway")
        if self.projection_dim is not None:
            _check_integers(self, 1, MAX_WIDTH, "projection_dim")

    @property
    def filters_dim(self) -> int:
        """Number of filters in all."""
        return sum(count for _, count in self.filters)

    @property
    def output_dim(self) -> int:
        """Width of the word vector."""
        return self.filters_dim if self.projection_dim is None else self.projection_dim


@dataclass(frozen=True)
class WordTableConfig:
    """A table of word vectors. A word outside its vocabulary is read as ``<UNK>``."""

    vocabulary_size: int
    """Number of words in the table."""
    output_dim: int
    """Width of the word vector."""

    def __post_init__(self) -> None:
        """Validate the fields."""
        _check_integers(self, 1, MAX_ROWS, "vocabulary_size")
        _check_integers(self, 1, MAX_WIDTH, "output_dim")


@dataclass(frozen=True)
class WordAndCharCNNConfig:
    """A character CNN over Unicode characters, joined with a table of word vectors (ELMoForManyLangs).

    The fields of the character CNN are those of ``CharCNNConfig``. There is always a projection.
    """

    n_characters: int
    """Number of characters in the dictionary."""
    output_dim: int
    """Width of the word vector."""
    vocabulary_size: int = 0
    """Number of words in the dictionary; 0 if words are read by character alone."""
    word_dim: int = 0
    """Width of a looked-up word before the projection; 0 if words are read by character alone."""
    embedding_dim: int = 50
    filters: tuple[tuple[int, int], ...] = PUBLISHED_FILTERS
    activation: Literal["relu", "tanh"] = "relu"
    n_highway: int = 2
    max_characters: int = 50

    def __post_init__(self) -> None:
        """Validate the fields."""
        object.__setattr__(self, "filters", self.cnn.filters)
        _check_integers(self, 1, MAX_ROWS, "n_characters")
        _check_integers(self, 1, MAX_WIDTH, "output_dim")
        least = int((self.vocabulary_size, self.word_dim) != (0, 0))
        _check_integers(self, least, MAX_ROWS, "vocabulary_size")
        _check_integers(self, least, MAX_WIDTH, "word_dim")

    @property
    def cnn(self) -> CharCNNConfig:
        """The configuration of the character CNN."""
        return CharCNNConfig(
            self.embedding_dim, self.filters, self.activation, self.n_highway, None, self.max_characters
        )


TokenLayerConfig = CharCNNConfig | WordTableConfig | WordAndCharCNNConfig
"""The kinds of token layers."""

TOKEN_LAYERS: dict[str, type[TokenLayerConfig]] = {
    "char_cnn": CharCNNConfig,
    "word_table": WordTableConfig,
    "word_and_char_cnn": WordAndCharCNNConfig,
}
"""Token layers by ``token_layer.kind`` in ``config.json``."""


@dataclass(frozen=True)
class LSTMConfig:
    """The LSTM layers. Both directions have the same shape."""

    dim: int
    """Width of the cell."""
    projection_dim: int | None
    """Width of a layer's output; None means no projection, so that the output is as wide as the cell."""
    n_layers: int = 2
    """Number of LSTM layers per direction."""
    cell_clip: float | None = 3.0
    """The cell is clipped to plus or minus this value; None means no clipping."""
    projection_clip: float | None = 3.0
    """The same for the projected output; no effect without a projection."""
    residual: bool = True
    """Whether each layer's input is added to its output, from the second layer on."""

    def __post_init__(self) -> None:
        """Validate the fields."""
        _check_integers(self, 1, MAX_WIDTH, "dim")
        _check_integers(self, 1, MAX_LAYERS, "n_layers")
        if self.projection_dim is not None:
            _check_integers(self, 1, MAX_WIDTH, "projection_dim")
        for name in ("cell_clip", "projection_clip"):
            clip = getattr(self, name)
            if clip is not None:
                if isinstance(clip, bool) or not isinstance(clip, int | float) or not 0 < clip <= MAX_CLIP:
                    raise ValueError(f"{name} must be a positive number or null, not {shown(clip)}")
                object.__setattr__(self, name, float(clip))
        if not isinstance(self.residual, bool):
            raise ValueError(f"residual must be true or false, not {shown(self.residual)}")

    @property
    def output_dim(self) -> int:
        """Width of one direction of one layer."""
        return self.dim if self.projection_dim is None else self.projection_dim


@dataclass(frozen=True)
class BiLMConfig:
    """The configuration of a biLM."""

    token_layer: TokenLayerConfig
    """How a word becomes a vector."""
    lstm: LSTMConfig
    """How the word vectors are read in both directions."""
    tokenizer: TokenizerName = "words"
    """How text is split for this model, which is how its training text was split."""

    def __post_init__(self) -> None:
        """All layers must have the same width, since they are summed when they are mixed."""
        for name, kinds in (("token_layer", TokenLayerConfig), ("lstm", LSTMConfig)):
            if not isinstance(value := getattr(self, name), kinds):
                raise ValueError(f"{name} must be a configuration of that part, not {type(value).__name__}")
        if not isinstance(self.tokenizer, str) or self.tokenizer not in get_args(TokenizerName):
            names = ", ".join(get_args(TokenizerName))
            raise ValueError(f"tokenizer must be one of {names}, not {shown(self.tokenizer)}")
        if self.token_layer.output_dim != self.lstm.output_dim:
            raise ValueError(
                f"word vectors and LSTM outputs must have the same width, not {self.token_layer.output_dim} and "
                f"{self.lstm.output_dim}"
            )

    @property
    def n_representations(self) -> int:
        """Number of layers per word, the token layer included."""
        return self.lstm.n_layers + 1

    @property
    def output_dim(self) -> int:
        """Width of every layer, forward and backward direction together."""
        return 2 * self.lstm.output_dim

    def to_dict(self) -> dict[str, Any]:
        """Convert to the content of ``config.json``."""
        kind = next(name for name, cls in TOKEN_LAYERS.items() if isinstance(self.token_layer, cls))
        return {
            "model_type": "elmo",
            "format_version": FORMAT_VERSION,
            "tokenizer": self.tokenizer,
            "token_layer": {"kind": kind, **_jsonable(self.token_layer)},
            "lstm": _jsonable(self.lstm),
        }

    @classmethod
    def from_dict(cls, data: Any) -> "BiLMConfig":
        """Read what ``to_dict`` wrote.

        Raises:
            ValueError: If a field is unknown, missing or not valid.
        """
        if not isinstance(data, dict) or data.get("model_type") != "elmo":
            raise ValueError('not an elmo configuration: "model_type": "elmo" is missing')
        if data.get("format_version") != FORMAT_VERSION:
            raise ValueError(
                f"format_version is {shown(data.get('format_version'))}, but this version of elmo reads "
                f"{FORMAT_VERSION}"
            )
        token_layer = data.get("token_layer")
        if not isinstance(token_layer, dict):
            raise ValueError("token_layer is missing")
        kind = token_layer.get("kind")
        if not isinstance(kind, str) or kind not in TOKEN_LAYERS:
            raise ValueError(f"token_layer.kind must be one of {', '.join(TOKEN_LAYERS)}, not {shown(kind)}")
        fields = {name: value for name, value in token_layer.items() if name != "kind"}
        return cls(
            token_layer=from_fields(TOKEN_LAYERS[kind], fields, "token_layer"),
            lstm=from_fields(LSTMConfig, data.get("lstm"), "lstm"),
            tokenizer=data.get("tokenizer", "words"),
        )


Config = TypeVar("Config")


def from_fields(cls: type[Config], fields: Any, where: str) -> Config:
    """Build a dataclass from JSON.

    Raises:
        ValueError: Naming the first key that is unknown or missing.
    """
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
    """Convert a dataclass to what JSON would return: tuples become lists."""
    fields = dataclasses.asdict(config)
    if "filters" in fields:
        fields["filters"] = [list(pair) for pair in fields["filters"]]
    return fields


def _filters(filters: Any, max_characters: int) -> tuple[tuple[int, int], ...]:
    """Check a list of (width, count)."""
    if not isinstance(filters, list | tuple) or not all(
        isinstance(pair, list | tuple) and len(pair) == 2 and all(type(number) is int for number in pair)
        for pair in filters
    ):
        raise ValueError(f"filters must be a list of [width, count], not {shown(filters)}")
    if not 1 <= len(filters) <= MAX_LAYERS:
        raise ValueError(f"a character CNN needs at least one filter, and {MAX_LAYERS} at most, not {len(filters)}")
    for width, count in filters:
        if not 1 <= width <= max_characters or not 1 <= count <= MAX_WIDTH:
            raise ValueError(f"filter {shown((width, count))} does not fit words of {max_characters} characters")
    if sum(count for _, count in filters) > MAX_WIDTH:
        raise ValueError(f"has more than {MAX_WIDTH:,} filters in all")
    return tuple((width, count) for width, count in filters)


def _check_integers(config: Any, least: int, most: int, *names: str) -> None:
    """Check that fields are integers in a range."""
    for name in names:
        value = getattr(config, name)
        if type(value) is not int or not least <= value <= most:
            kind = "a positive integer" if least else "0 or a positive integer"
            raise ValueError(f"{name} must be {kind} of at most {most:,}, not {shown(value)}")
