"""ELMoForManyLangs models, which were released for 44 languages. They are read, never written.

    config.json          training settings; ``config_path`` names the file with the shape of the model
    char.dic  word.dic   characters and words with their ids, separated by a tab
    token_embedder.pkl   weights of the token layer, in the format of ``torch.save``
    encoder.pkl          weights of the LSTM layers, likewise

A folder or a zip archive with these files is enough. The ``.pkl`` files are opened with ``weights_only=True``, which
accepts tensors and nothing else, so that no code in them can run.

The arithmetic is that of the published English models, with other names and conventions. Four conversions are needed:
gates are in the order i, f, j, o; the stored bias includes the forget bias of 1; a highway gate opens the carried path
instead of the transformed one; and tables have no row of zeros.
"""

import io
import zipfile
from collections.abc import Mapping, Sequence
from pathlib import Path, PurePosixPath, PureWindowsPath
from typing import Any

import torch
from torch import Tensor

from elmo.config import MAX_CONFIG_BYTES, PUBLISHED_FILTERS, BiLMConfig, LSTMConfig, WordAndCharCNNConfig
from elmo.files import WEIGHTS_FILE, parse_json_object
from elmo.model.bilm import BiLM
from elmo.model.lstm import FORGET_BIAS
from elmo.text.dictionary import CHARACTER_MARKERS, WORD_MARKERS, Dictionary, entry_ids
from elmo.validation import shown
from elmo.weights.archives import TooLargeError, check_expansion, exists, file_names, is_archive, read_bytes
from elmo.weights.names import WITHOUT_ROW_0
from elmo.weights.strict import Shapes, check_finite, check_tensors, without_data

CONFIG_FILE = "config.json"
CHARACTERS_FILE = "char.dic"
WORDS_FILE = "word.dic"
TOKENS_FILE = "token_embedder.pkl"
ENCODER_FILE = "encoder.pkl"

USUAL_SHAPES = ("cnn_50_100_512_4096_sample.json", "cnn_0_100_512_4096_sample.json")
"""Configuration files that came with the program, not with the models; both have the same content."""
USUAL_SHAPE = {
    "encoder": {"name": "elmo", "projection_dim": 512, "cell_clip": 3, "proj_clip": 3, "dim": 4096, "n_layers": 2},
    "token_embedder": {
        "name": "cnn",
        "activation": "relu",
        "filters": [list(pair) for pair in PUBLISHED_FILTERS],
        "n_highway": 2,
        "word_dim": 100,
        "char_dim": 50,
        "max_characters_per_token": 50,
    },
}

DIRECTIONS = ("forward", "backward")
MAX_DIGITS = 9  # of an id in a .dic file


def is_many_langs(path: Path) -> bool:
    """Whether a folder or zip archive has weights in this format, and is not a folder of our own format."""
    if not path.is_dir() and not is_archive(path):
        return False
    names = [PurePosixPath(name).name for name in file_names(path)]
    return (TOKENS_FILE in names or ENCODER_FILE in names) and WEIGHTS_FILE not in names


def read_many_langs(path: Path) -> BiLM:
    """Load an ELMoForManyLangs model.

    Args:
        path: A folder or zip archive.

    Returns:
        The biLM, in evaluation mode on the CPU.

    Raises:
        ValueError: If a file is damaged, or if the files do not match exactly.
        OSError: If a file is missing.
    """
    # In an archive, the files may be in a subfolder.
    files = [PurePosixPath(name) for name in file_names(path)]
    inside = {str(file.parent) for file in files if file.name in (TOKENS_FILE, ENCODER_FILE)}
    if len(inside) > 1:
        raise ValueError(f"{path}: has more than one model: {', '.join(sorted(inside))}")
    [folder] = inside
    return _read(path / folder)


def _read(home: Path) -> BiLM:
    """Load the model in a folder."""
    shape, described_by = _read_shape(home)
    tokens = _section(shape, "token_embedder", described_by)
    characters = _read_entries(home / CHARACTERS_FILE, CHARACTER_MARKERS)
    words = _read_entries(home / WORDS_FILE, WORD_MARKERS) if tokens.get("word_dim") else []
    try:
        config = config_from_shape(shape, len(characters), len(words))
    except (ValueError, TypeError) as error:
        raise ValueError(f"{described_by}: {error}") from None
    token_weights = _read_tensors(home / TOKENS_FILE, _token_shapes(config))
    encoder_weights = _read_tensors(home / ENCODER_FILE, _encoder_shapes(config.lstm))
    with without_data():
        bilm = BiLM(config, Dictionary(characters, words))
    ours = _tokens_to_ours(config, token_weights) | _encoder_to_ours(config.lstm, encoder_weights)
    bilm.load_state_dict(ours, strict=True, assign=True)
    return bilm.eval()


def config_from_shape(shape: Mapping[str, Any], n_characters: int, n_words: int) -> BiLMConfig:
    """Derive our configuration from that of ELMoForManyLangs."""
    tokens, encoder = shape["token_embedder"], shape["encoder"]
    for section, where, kind in ((tokens, "token_embedder", "cnn"), (encoder, "encoder", "elmo")):
        name = _field(section, where, "name")
        if str(name).lower() != kind:
            raise ValueError(f"{where}.name is {shown(name)}, but only {kind} is supported")
    if _field(tokens, "token_embedder", "char_dim") == 0:
        raise ValueError("token_embedder.char_dim is 0: models without characters are not supported")
    width = _field(encoder, "encoder", "projection_dim")
    return BiLMConfig(
        WordAndCharCNNConfig(
            n_characters=n_characters,
            output_dim=width,
            vocabulary_size=n_words,
            word_dim=_field(tokens, "token_embedder", "word_dim"),
            embedding_dim=tokens["char_dim"],
            filters=_field(tokens, "token_embedder", "filters"),
            activation=_field(tokens, "token_embedder", "activation"),
            n_highway=_field(tokens, "token_embedder", "n_highway"),
            max_characters=_field(tokens, "token_embedder", "max_characters_per_token"),
        ),
        LSTMConfig(
            dim=_field(encoder, "encoder", "dim"),
            projection_dim=width,
            n_layers=_field(encoder, "encoder", "n_layers"),
            cell_clip=_field(encoder, "encoder", "cell_clip") or None,  # 0 means no clipping
            projection_clip=_field(encoder, "encoder", "proj_clip") or None,
            residual=True,
        ),
    )


def _read_shape(home: Path) -> tuple[Mapping[str, Any], Path]:
    """Read the shape of the model in a folder; also return the file that it was read from.

    ``config_path`` is often a path on the machine that trained the model, so only its file name is used, and only this
    folder is searched.
    """
    path = home / CONFIG_FILE
    config = parse_json_object(_bytes_of(path), path, MAX_CONFIG_BYTES)
    if "encoder" not in config and "token_embedder" not in config:
        named = config.get("config_path")
        if not isinstance(named, str):
            raise ValueError(f"{path}: has neither the shape of the model nor a config_path that names its file")
        name = PureWindowsPath(named).name  # understands both kinds of slashes
        found = [place / name for place in (home, home / "configs") if exists(place / name)]
        if found:
            path = found[0]
            config = parse_json_object(_bytes_of(path), path, MAX_CONFIG_BYTES)
        elif name in USUAL_SHAPES:
            config = USUAL_SHAPE
        else:
            raise ValueError(
                f"{path}: the shape of the model is in {name:.60}, which is missing; put it next to this file"
            )
    _section(config, "encoder", path)
    return config, path


def _section(config: Mapping[str, Any], name: str, path: Path) -> Mapping[str, Any]:
    section = config.get(name)
    if not isinstance(section, dict):
        raise ValueError(f"{path}: {name} is missing")
    return section


def _field(section: Mapping[str, Any], where: str, name: str) -> Any:
    if name not in section:
        raise ValueError(f"{where}.{name} is missing")
    return section[name]


def _read_entries(path: Path, markers: Sequence[str]) -> list[str]:
    """Read the entries of a ``.dic`` file in the order of their ids, which must run from 0 without a gap."""
    try:
        lines = _bytes_of(path).decode("utf-8").split("\n")
    except UnicodeDecodeError as error:
        raise ValueError(f"{path}: not UTF-8 ({error.reason})") from None
    entries: dict[int, str] = {}
    for number, line in enumerate(lines, 1):
        if not line.strip("\r"):
            continue
        *entry, digits = line.strip().split("\t")
        if len(entry) > 1 or not digits.isdecimal() or len(digits) > MAX_DIGITS:
            raise ValueError(f"{path}, line {number}: expected an entry, a tab and an id, not {shown(line)}")
        if int(digits) in entries:
            raise ValueError(f"{path}, line {number}: the id {digits} is already used by {shown(entries[int(digits)])}")
        # When the program read its own file back, it lost whitespace entries and took them for U+3000.
        entries[int(digits)] = entry[0] if entry else "\u3000"
    for number in range(len(entries)):
        if number not in entries:
            raise ValueError(f"{path}: ids run from 0 to {max(entries)}, but no entry has the id {number}")
    ordered = [entries[number] for number in range(len(entries))]
    try:
        entry_ids(ordered, markers)
    except ValueError as error:
        raise ValueError(f"{path}: {error}") from None
    return ordered


def _read_tensors(path: Path, shapes: Shapes) -> dict[str, Tensor]:
    """Read the tensors of a file as float32: those of ``shapes`` and no others."""
    content = io.BytesIO(_bytes_of(path))
    try:
        if zipfile.is_zipfile(content):  # as torch.save writes since version 1.6
            check_expansion(path, zipfile.ZipFile(content).infolist(), content.getbuffer().nbytes)
        content.seek(0)
        tensors = torch.load(content, map_location="cpu", weights_only=True)
    except TooLargeError:
        raise
    except Exception as error:  # torch raises almost anything for damaged bytes, with advice that does not apply
        if "Unsupported" in str(error):
            raise ValueError(f"{path}: holds more than tensors, and could run arbitrary code; not loaded") from None
        raise ValueError(f"{path}: damaged, or not written by torch.save ({type(error).__name__})") from None
    if not isinstance(tensors, dict) or not all(isinstance(tensor, Tensor) for tensor in tensors.values()):
        raise ValueError(f"{path}: must hold tensors by name, as state_dict() returns them")
    check_tensors(path, shapes, tensors, "the configuration and the .dic files")
    tensors = {name: tensor.detach().float() for name, tensor in tensors.items()}
    check_finite(path, tensors)
    return tensors


def _bytes_of(path: Path) -> bytes:
    if not exists(path):
        raise FileNotFoundError(f"{path}: no such file, but an ELMoForManyLangs model needs it")
    return read_bytes(path)


def _token_shapes(config: BiLMConfig) -> Shapes:
    """The tensors that ``token_embedder.pkl`` must hold."""
    tokens = config.token_layer
    assert isinstance(tokens, WordAndCharCNNConfig)  # as config_from_shape made it
    filters = tokens.cnn.filters_dim
    shapes: dict[str, tuple[int, ...]] = {
        "char_emb_layer.embedding.weight": (tokens.n_characters, tokens.embedding_dim)
    }
    if tokens.vocabulary_size:
        shapes["word_emb_layer.embedding.weight"] = (tokens.vocabulary_size, tokens.word_dim)
    for i, (width, count) in enumerate(tokens.filters):
        shapes[f"convolutions.{i}.weight"] = (count, tokens.embedding_dim, width)
        shapes[f"convolutions.{i}.bias"] = (count,)
    for i in range(tokens.n_highway):
        shapes[f"highways._layers.{i}.weight"] = (2 * filters, filters)
        shapes[f"highways._layers.{i}.bias"] = (2 * filters,)
    shapes["projection.weight"] = (tokens.output_dim, tokens.word_dim + filters)
    shapes["projection.bias"] = (tokens.output_dim,)
    return shapes


def _encoder_shapes(lstm: LSTMConfig) -> Shapes:
    """The tensors that ``encoder.pkl`` must hold."""
    shapes: dict[str, tuple[int, ...]] = {}
    for layer in range(lstm.n_layers):
        for direction in DIRECTIONS:
            cell = f"{direction}_layer_{layer}"
            shapes[f"{cell}.input_linearity.weight"] = (4 * lstm.dim, lstm.output_dim)
            shapes[f"{cell}.state_linearity.weight"] = (4 * lstm.dim, lstm.output_dim)
            shapes[f"{cell}.state_linearity.bias"] = (4 * lstm.dim,)
            shapes[f"{cell}.state_projection.weight"] = (lstm.output_dim, lstm.dim)
    return shapes


def _tokens_to_ours(config: BiLMConfig, theirs: Mapping[str, Tensor]) -> dict[str, Tensor]:
    """Convert the token layer to our names and layout."""
    tokens = config.token_layer
    assert isinstance(tokens, WordAndCharCNNConfig)
    cnn = "token_layer.characters"
    ours = {f"{cnn}.embedding.weight": WITHOUT_ROW_0.to_ours(theirs["char_emb_layer.embedding.weight"])}
    if tokens.vocabulary_size:
        ours["token_layer.words.weight"] = WITHOUT_ROW_0.to_ours(theirs["word_emb_layer.embedding.weight"])
    for part in ("weight", "bias"):
        for i in range(len(tokens.filters)):
            ours[f"{cnn}.convolutions.{i}.{part}"] = theirs[f"convolutions.{i}.{part}"]
        for i in range(tokens.n_highway):
            transform, carry = theirs[f"highways._layers.{i}.{part}"].chunk(2)
            ours[f"{cnn}.highways.{i}.transform.{part}"] = transform.clone()
            ours[f"{cnn}.highways.{i}.gate.{part}"] = -carry  # 1 - sigmoid(z) is sigmoid(-z)
        ours[f"token_layer.projection.{part}"] = theirs[f"projection.{part}"]
    return ours


def _encoder_to_ours(lstm: LSTMConfig, theirs: Mapping[str, Tensor]) -> dict[str, Tensor]:
    """Convert the LSTM layers to our names and layout."""
    ours = {}
    for layer in range(lstm.n_layers):
        weights, biases, projections = [], [], []
        for direction in DIRECTIONS:
            cell = f"{direction}_layer_{layer}"
            from_input, from_state = (theirs[f"{cell}.{part}_linearity.weight"].T for part in ("input", "state"))
            i, f, j, o = torch.cat([from_input, from_state]).chunk(4, 1)  # (2P, D) each
            weights.append(torch.cat([i, j, f, o], 1))
            i, f, j, o = theirs[f"{cell}.state_linearity.bias"].chunk(4)
            biases.append(torch.cat([i, j, f - FORGET_BIAS, o]))
            projections.append(theirs[f"{cell}.state_projection.weight"].T)
        ours[f"lstm.layers.{layer}.weight"] = torch.stack(weights)  # (2, 2P, 4D)
        ours[f"lstm.layers.{layer}.bias"] = torch.stack(biases)  # (2, 4D)
        ours[f"lstm.layers.{layer}.projection"] = torch.stack(projections)  # (2, D, P)
    return ours
