"""Published models: ``options.json`` and an HDF5 file of weights, read and written.

This is the format of bilm-tf and AllenNLP, in which the English, NLPL, EMBEDDIA, protein and clinical models of
2018-2023 were released. A folder or a zip archive with both files is enough.
"""

import contextlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Any, TypeVar

import h5py

from elmo.config import (
    MAX_CONFIG_BYTES,
    BiLMConfig,
    CharCNNConfig,
    LSTMConfig,
    WordAndCharCNNConfig,
    WordTableConfig,
)
from elmo.files import FileForHDF5, parse_json_object, replacing_folder, writing
from elmo.model.bilm import BiLM
from elmo.text.vocabulary import Vocabulary
from elmo.validation import shown
from elmo.weights.archives import file_names, read_bytes
from elmo.weights.hdf5 import open_datasets, read_dataset
from elmo.weights.names import lstm_group, to_ours, to_published
from elmo.weights.strict import Shapes, check_finite, check_shapes, without_data

OPTIONS_FILE = "options.json"
WEIGHTS_FILE = "weights.hdf5"
VOCABULARY_FILE = "vocab.txt"


@dataclass(frozen=True)
class PublishedFiles:
    """The files of a published model."""

    options: Path
    weights: Path
    vocabulary: Path | None = None
    """One word per line; only models that look words up need it."""
    embedding: Path | None = None
    """Precomputed word vectors that replace the character CNN."""


def find_published(home: Path) -> PublishedFiles | None:
    """Find the published model in a folder or zip archive; None if it has no options or no HDF5 file."""
    names = file_names(home)
    options = _best(names, OPTIONS_FILE, "options", (".json",))
    weights = _best(names, WEIGHTS_FILE, "weights", (".hdf5", ".h5"))
    vocabulary = _best(names, VOCABULARY_FILE, "vocab", (".txt",))
    for kind, found in (("options", options), ("weights", weights)):
        if len(found) > 1:
            raise ValueError(f"{home}: more than one file could be the {kind}: {', '.join(sorted(found))}")
    if not options or not weights:
        return None
    words = home / vocabulary[0] if len(vocabulary) == 1 else None
    return PublishedFiles(home / options[0], home / weights[0], words)


def _best(names: list[str], usual: str, hint: str, suffixes: tuple[str, ...]) -> list[str]:
    """Find files by their usual name, else by a hint in the name, else by the suffix.

    A JSON or text file can be anything, so only HDF5 files are found by suffix alone.
    """
    named = [name for name in names if PurePosixPath(name).name == usual]
    fitting = [name for name in names if name.endswith(suffixes)]
    hinted = [name for name in fitting if hint in PurePosixPath(name).name]
    return named or hinted or (fitting if usual == WEIGHTS_FILE else [])


def read_published(files: PublishedFiles) -> BiLM:
    """Load a published model.

    Args:
        files: Its files, from ``find_published`` or named one by one.

    Returns:
        The biLM, in evaluation mode on the CPU.

    Raises:
        ValueError: If a file is damaged, or if options and weights do not match exactly.
        OSError: If a file cannot be read.
    """
    options = parse_json_object(read_bytes(files.options), files.options, MAX_CONFIG_BYTES)
    with contextlib.ExitStack() as opened:
        datasets = _with_layer_level(opened.enter_context(open_datasets(files.weights)))
        home = dict.fromkeys(datasets, files.weights)
        if files.embedding is not None:
            vectors = opened.enter_context(open_datasets(files.embedding))
            datasets = {name: data for name, data in datasets.items() if name.startswith("RNN_")} | dict(vectors)
            home |= dict.fromkeys(vectors, files.embedding)
        shapes = {name: data.shape for name, data in datasets.items()}
        try:
            config = config_from_options(options, shapes)
        except ValueError as error:
            raise ValueError(f"{files.options}: {error}") from None
        vocabulary = _read_vocabulary(files, config)
        with without_data():
            bilm = BiLM(config, vocabulary)
        expected = {name: tuple(tensor.shape) for name, tensor in to_published(config, bilm.state_dict()).items()}
        check_shapes(files.weights, expected, shapes, files.options.name)
        tensors = {name: read_dataset(home[name], data) for name, data in datasets.items()}
    for name, tensor in tensors.items():
        check_finite(home[name], {name: tensor})
    bilm.load_state_dict(to_ours(config, tensors), strict=True, assign=True)
    return bilm.eval()


def _read_vocabulary(files: PublishedFiles, config: BiLMConfig) -> Vocabulary | None:
    """Read the vocabulary of a model that looks words up."""
    if not isinstance(config.token_layer, WordTableConfig):
        return None
    if files.vocabulary is None:
        raise ValueError(f"{files.weights}: the model looks words up, so its vocabulary file is needed too")
    content = read_bytes(files.vocabulary)
    try:
        vocabulary = Vocabulary.from_bytes(content)
    except ValueError as error:
        raise ValueError(f"{files.vocabulary}: {error}") from None
    if len(vocabulary) != config.token_layer.vocabulary_size:
        raise ValueError(
            f"{files.vocabulary}: has {len(vocabulary)} words, but the word table of the model has "
            f"{config.token_layer.vocabulary_size}"
        )
    return vocabulary


def write_published(bilm: BiLM, folder: str | Path) -> None:
    """Write ``options.json`` and ``weights.hdf5``, which bilm-tf, AllenNLP and this library read."""
    if isinstance(bilm.config.token_layer, WordAndCharCNNConfig):
        raise ValueError(f"{folder}: the published format has no place for a model with its own list of characters")
    datasets = to_published(bilm.config, bilm.state_dict())
    with replacing_folder(folder) as scratch, writing(folder):
        (scratch / OPTIONS_FILE).write_text(json.dumps(options_from_config(bilm.config), indent=2) + "\n")
        with FileForHDF5(scratch / WEIGHTS_FILE) as disk:
            with h5py.File(disk, "w") as file:
                for name, data in datasets.items():
                    file.create_dataset(name, data=data.detach().cpu().numpy().astype("<f4", copy=False))
            disk.check()
        for name, content in bilm.token_layer.files().items():
            (scratch / name).write_bytes(content)


def config_from_options(options: Mapping[str, Any], shapes: Shapes) -> BiLMConfig:
    """Derive the configuration of a published model from its options and the shapes of its datasets.

    The options do not say everything. The datasets show whether there is a projection (bilm-tf omits it if the widths
    are equal) and whether words are read by character or looked up.
    """
    tokenizer = options.get("tokenizer", "words")  # written by this library only
    lstm = _section(options, "lstm")
    dim = _number(lstm, "lstm", "dim")
    width = _number(lstm, "lstm", "projection_dim", dim)
    projected = f"{lstm_group(0, 0)}/W_P_0" in shapes
    if not projected and width != dim:
        raise ValueError(f"says projection_dim {width} with dim {dim}, but the weights have no projection (W_P_0)")
    lstm_config = LSTMConfig(
        dim=dim,
        projection_dim=width if projected else None,
        n_layers=_number(lstm, "lstm", "n_layers", 1),
        cell_clip=lstm.get("cell_clip"),
        projection_clip=lstm.get("proj_clip"),
        residual=lstm.get("use_skip_connections") or False,
    )
    if "embedding" in shapes:
        if len(shapes["embedding"]) != 2:
            raise ValueError(f"the dataset embedding has shape {shapes['embedding']}, not one row per word")
        return BiLMConfig(WordTableConfig(*shapes["embedding"]), lstm_config, tokenizer)
    cnn = _section(options, "char_cnn")
    cnn_projected = "CNN_proj/W_proj" in shapes
    n_characters = cnn.get("n_characters", 262)
    if n_characters not in (261, 262):  # 261 in options written for training, 262 in those for use
        raise ValueError(f"char_cnn.n_characters is {shown(n_characters)}; only models of 261 (+1) characters exist")
    cnn_config = CharCNNConfig(
        embedding_dim=_number(_section(cnn, "embedding", "char_cnn."), "char_cnn.embedding", "dim"),
        filters=cnn.get("filters"),  # type: ignore[arg-type]  # checked there
        activation=cnn.get("activation", "relu"),
        n_highway=cnn.get("n_highway") or 0,
        projection_dim=width if cnn_projected else None,
        max_characters=_number(cnn, "char_cnn", "max_characters_per_token", 50),
    )
    if not cnn_projected and cnn_config.filters_dim != width:
        raise ValueError(
            f"has {cnn_config.filters_dim} filters for word vectors of {width}, but the weights have no projection "
            "(CNN_proj)"
        )
    return BiLMConfig(cnn_config, lstm_config, tokenizer)


def options_from_config(config: BiLMConfig) -> dict[str, Any]:
    """The inverse of ``config_from_options``."""
    lstm = config.lstm
    options: dict[str, Any] = {
        "lstm": {
            "use_skip_connections": lstm.residual,
            "projection_dim": lstm.output_dim,
            "cell_clip": lstm.cell_clip,
            "proj_clip": lstm.projection_clip,
            "dim": lstm.dim,
            "n_layers": lstm.n_layers,
        }
    }
    tokens = config.token_layer
    if isinstance(tokens, CharCNNConfig):
        options["char_cnn"] = {
            "activation": tokens.activation,
            "filters": [list(pair) for pair in tokens.filters],
            "n_highway": tokens.n_highway,
            "embedding": {"dim": tokens.embedding_dim},
            "n_characters": 262,
            "max_characters_per_token": tokens.max_characters,
        }
    else:
        options["n_tokens_vocab"] = tokens.vocabulary_size
    if config.tokenizer != "words":
        options["tokenizer"] = config.tokenizer  # older programs ignore it, since they take lists of words
    return options


def _section(options: Mapping[str, Any], name: str, where: str = "") -> Mapping[str, Any]:
    section = options.get(name)
    if not isinstance(section, dict):
        raise ValueError(f"{where}{name} is missing")
    return section


def _number(section: Mapping[str, Any], where: str, name: str, default: int | None = None) -> int:
    value = section.get(name, default)
    if isinstance(value, bool) or not isinstance(value, int) or value < 1:
        raise ValueError(f"{where}.{name} must be a positive integer, not {shown(value)}")
    return value


Data = TypeVar("Data")


def _with_layer_level(datasets: Mapping[str, Data]) -> dict[str, Data]:
    """Rename the datasets of one-layer models, where bilm-tf omits a level, to the names that all others have."""
    short = {f"RNN_{direction}/RNN/LSTMCell": lstm_group(direction, 0) for direction in (0, 1)}
    renamed = {}
    for name, data in datasets.items():
        group, _, last = name.rpartition("/")
        renamed[f"{short.get(group, group)}/{last}" if group else last] = data
    return renamed
