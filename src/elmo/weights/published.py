"""Published models: ``options.json`` and an HDF5 file of weights, read and written.

This is the format of bilm-tf and AllenNLP, in which the English, NLPL, EMBEDDIA, protein and clinical models of
2018-2023 were released. A folder or a zip archive with both files is enough.
"""

import io
import json
import zipfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import IO, Any

import h5py
import numpy as np
import torch
from torch import Tensor

from elmo.config import BiLMConfig, CharCNNConfig, LSTMConfig, WordAndCharCNNConfig, WordTableConfig
from elmo.files import FileForHDF5, replacing_folder, writing
from elmo.model.bilm import BiLM
from elmo.text.vocabulary import Vocabulary
from elmo.weights.names import lstm_group, to_ours, to_published
from elmo.weights.strict import check_tensors, without_data

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
    if home.is_file():
        with zipfile.ZipFile(home) as archive:
            names = archive.namelist()
    else:
        names = [file.name for file in home.iterdir()]
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
    options = _read_options(files.options)
    datasets = _read_datasets(files.weights)
    if files.embedding is not None:
        datasets = {name: data for name, data in datasets.items() if name.startswith("RNN_")}
        datasets |= _read_datasets(files.embedding)
    datasets = _with_layer_level(datasets)
    try:
        config = config_from_options(options, datasets)
    except ValueError as error:
        raise ValueError(f"{files.options}: {error}") from None
    vocabulary = None
    if isinstance(config.token_layer, WordTableConfig):
        if files.vocabulary is None:
            raise ValueError(f"{files.weights}: the model looks words up, so its vocabulary file is needed too")
        try:
            with _open(files.vocabulary) as file:
                vocabulary = Vocabulary.from_bytes(file.read())
            if len(vocabulary) != config.token_layer.vocabulary_size:
                raise ValueError(
                    f"has {len(vocabulary)} words, but the word table of the model has "
                    f"{config.token_layer.vocabulary_size}"
                )
        except ValueError as error:
            raise ValueError(f"{files.vocabulary}: {error}") from None
    with without_data():
        bilm = BiLM(config, vocabulary)
    expected = {name: tuple(tensor.shape) for name, tensor in to_published(config, bilm.state_dict()).items()}
    check_tensors(files.weights, expected, datasets, files.options.name)
    bilm.load_state_dict(to_ours(config, datasets), strict=True, assign=True)
    return bilm.eval()


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


def config_from_options(options: Mapping[str, Any], datasets: Mapping[str, Tensor]) -> BiLMConfig:
    """Derive the configuration of a published model.

    The options do not say everything. The datasets show whether there is a projection (bilm-tf omits it if the widths
    are equal) and whether words are read by character or looked up.
    """
    lstm = _section(options, "lstm")
    dim = _number(lstm, "lstm", "dim")
    width = _number(lstm, "lstm", "projection_dim", dim)
    projected = f"{lstm_group(0, 0)}/W_P_0" in datasets
    if not projected and width != dim:
        raise ValueError(f"says projection_dim {width} with dim {dim}, but the weights have no projection (W_P_0)")
    lstm_config = LSTMConfig(
        dim=dim,
        projection_dim=width if projected else None,
        n_layers=_number(lstm, "lstm", "n_layers", 1),
        cell_clip=lstm.get("cell_clip"),
        projection_clip=lstm.get("proj_clip"),
        residual=bool(lstm.get("use_skip_connections", False)),
    )
    if "embedding" in datasets:
        rows, table_width = datasets["embedding"].shape
        return BiLMConfig(WordTableConfig(rows, table_width), lstm_config)
    cnn = _section(options, "char_cnn")
    filters = cnn.get("filters")
    if not isinstance(filters, list) or not all(
        isinstance(pair, list) and len(pair) == 2 and all(isinstance(n, int) for n in pair) for pair in filters
    ):
        raise ValueError("char_cnn.filters must be a list of [width, count]")
    n_filters = sum(count for _, count in filters)
    cnn_projected = "CNN_proj/W_proj" in datasets
    if not cnn_projected and n_filters != width:
        raise ValueError(
            f"has {n_filters} filters for word vectors of {width}, but the weights have no projection (CNN_proj)"
        )
    n_characters = cnn.get("n_characters", 262)
    if n_characters not in (261, 262):  # 261 in options written for training, 262 in those for use
        raise ValueError(f"char_cnn.n_characters is {n_characters!r}; only models of 261 (+1) characters exist")
    return BiLMConfig(
        CharCNNConfig(
            embedding_dim=_number(_section(cnn, "embedding", "char_cnn."), "char_cnn.embedding", "dim"),
            filters=tuple((width, count) for width, count in filters),
            activation=cnn.get("activation", "relu"),
            n_highway=cnn.get("n_highway") or 0,
            projection_dim=width if cnn_projected else None,
            max_characters=_number(cnn, "char_cnn", "max_characters_per_token", 50),
        ),
        lstm_config,
    )


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
    return options


def _section(options: Mapping[str, Any], name: str, where: str = "") -> Mapping[str, Any]:
    section = options.get(name)
    if not isinstance(section, dict):
        raise ValueError(f"{where}{name} is missing")
    return section


def _number(section: Mapping[str, Any], where: str, name: str, default: int | None = None) -> int:
    value = section.get(name, default)
    if isinstance(value, bool) or not isinstance(value, int) or value < 1:
        raise ValueError(f"{where}.{name} must be a positive integer, not {value!r}")
    return value


def _open(path: Path) -> IO[bytes]:
    """Open a file, or a member of a zip archive written as ``archive.zip/member``."""
    for archive in path.parents:
        if archive.is_file():
            with zipfile.ZipFile(archive) as members:
                # HDF5 seeks back and forth, which is slow in a compressed member.
                return io.BytesIO(members.read(path.relative_to(archive).as_posix()))
    if not path.exists():
        raise FileNotFoundError(f"{path}: no such file")
    return path.open("rb")


def _read_options(path: Path) -> Mapping[str, Any]:
    with _open(path) as file:
        try:
            options = json.loads(file.read().decode("utf-8"))
        except ValueError as error:
            raise ValueError(f"{path}: not valid JSON ({error})") from None
    if not isinstance(options, dict):
        raise ValueError(f"{path}: must be a JSON object with the options of a model")
    return options


def _read_datasets(path: Path) -> dict[str, Tensor]:
    """All datasets of an HDF5 file, by their path inside it, as float32."""
    datasets: dict[str, Tensor] = {}

    def collect(name: str, item: Any) -> None:
        if isinstance(item, h5py.Dataset):
            if not np.issubdtype(item.dtype, np.floating):
                raise ValueError(f"{path}: dataset {name} holds {item.dtype}, not floating-point numbers")
            datasets[name] = torch.from_numpy(np.asarray(item[...], dtype=np.float32))

    with _open(path) as file:
        start = file.read(8)
        if start != b"\x89HDF\r\n\x1a\n":
            raise ValueError(f"{path}: not an HDF5 file{_what_it_is(start)}")
        file.seek(0)
        try:
            with h5py.File(file, "r") as hdf5:
                hdf5.visititems(collect)
        except (OSError, RuntimeError, KeyError) as error:
            raise ValueError(f"{path}: damaged HDF5 file ({str(error).splitlines()[0]})") from None
    return datasets


def _what_it_is(start: bytes) -> str:
    if start[:1] == b"\x80":
        return " but a Python pickle, which is never loaded because it can run arbitrary code"
    return " but a zip archive" if start[:2] == b"PK" else ""


def _with_layer_level(datasets: dict[str, Tensor]) -> dict[str, Tensor]:
    """Rename the datasets of one-layer models, where bilm-tf omits a level, to the names that all others have."""
    short = {f"RNN_{direction}/RNN/LSTMCell": lstm_group(direction, 0) for direction in (0, 1)}
    renamed = {}
    for name, data in datasets.items():
        group, _, last = name.rpartition("/")
        renamed[f"{short.get(group, group)}/{last}" if group else last] = data
    return renamed
