"""Models of ELMoForManyLangs, as they were given away for 44 languages; they are read, never written.

    config.json          how it was trained; its ``config_path`` names the file that says the shape
    char.dic  word.dic   characters and words with their ids, a tab between
    token_embedder.pkl   weights from a word to its vector, in the format of ``torch.save``
    encoder.pkl          weights of the LSTM layers, likewise

A folder or a zip archive with these files is enough. The ``.pkl`` files are opened in a mode of ``torch.load``
that accepts tensors alone, so that no code in them can run.

The arithmetic is that of the published English models, with other names and conventions. Four changes of layout
bring it to ours: gates stand in the order i, f, j, o; the forget bias of 1 is part of the stored bias; a highway
gate opens the carried path instead of the transformed one; and tables have no row of zeros.
"""

import io
import json
import zipfile
from collections.abc import Mapping, Sequence
from pathlib import Path, PurePosixPath, PureWindowsPath
from typing import Any

import torch
from torch import Tensor

from elmo.config import PUBLISHED_FILTERS, BiLMConfig, LSTMConfig, WordAndCharCNNConfig
from elmo.model.bilm import BiLM
from elmo.model.lstm import FORGET_BIAS
from elmo.text.dictionary import CHARACTER_MARKERS, WORD_MARKERS, Dictionary, numbered
from elmo.weights.names import WITHOUT_ROW_0
from elmo.weights.strict import without_data

CONFIG_FILE = "config.json"
CHARACTERS_FILE = "char.dic"
WORDS_FILE = "word.dic"
TOKENS_FILE = "token_embedder.pkl"
ENCODER_FILE = "encoder.pkl"

USUAL_SHAPES = ("cnn_50_100_512_4096_sample.json", "cnn_0_100_512_4096_sample.json")
"""Files of shapes that came with the program and not with the models; both say the same."""
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
MOST_DIGITS = 9  # of an id in a .dic file

Home = Path | zipfile.Path
"""Where the files of a model are: a folder, or a folder inside a zip archive."""
Shapes = dict[str, tuple[int, ...]]


def is_many_langs(path: Path) -> bool:
    """Whether a folder or zip archive has weights of this format, and is no folder of ours."""
    if path.is_dir():
        names = [file.name for file in path.iterdir()]
    elif zipfile.is_zipfile(path):
        with zipfile.ZipFile(path) as archive:
            names = [PurePosixPath(member).name for member in archive.namelist()]
    else:
        return False
    return (TOKENS_FILE in names or ENCODER_FILE in names) and "model.safetensors" not in names


def read_many_langs(path: Path) -> BiLM:
    """Load a model from a folder or zip archive. Its files must fit each other exactly."""
    if path.is_dir():
        return _read(path)
    with zipfile.ZipFile(path) as archive:
        # Archives may have the files in a folder of their own.
        weights = [PurePosixPath(member) for member in archive.namelist()]
        inside = {str(file.parent) for file in weights if file.name in (TOKENS_FILE, ENCODER_FILE)}
        if len(inside) > 1:
            raise ValueError(f"{path}: which is the model? There are {', '.join(sorted(inside))}")
        [folder] = inside
        return _read(zipfile.Path(archive, "" if folder == "." else f"{folder}/"))


def _read(home: Home) -> BiLM:
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
        bilm = BiLM(config, dictionary=Dictionary(characters, words))
    ours = _tokens_to_ours(config, token_weights) | _encoder_to_ours(config.lstm, encoder_weights)
    bilm.load_state_dict(ours, strict=True, assign=True)
    return bilm.eval()


def config_from_shape(shape: Mapping[str, Any], n_characters: int, n_words: int) -> BiLMConfig:
    """The shape of a model, as its program wrote it down."""
    tokens, encoder = shape["token_embedder"], shape["encoder"]
    for section, where, kind in ((tokens, "token_embedder", "cnn"), (encoder, "encoder", "elmo")):
        name = _field(section, where, "name")
        if str(name).lower() != kind:
            raise ValueError(f"{where}.name is {name!r}, only {kind} can be read here")
    if _field(tokens, "token_embedder", "char_dim") == 0:
        raise ValueError("token_embedder.char_dim is 0: models that read no characters cannot be read here")
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
            cell_clip=_field(encoder, "encoder", "cell_clip") or None,  # 0 means none there
            projection_clip=_field(encoder, "encoder", "proj_clip") or None,
            residual=True,
        ),
    )


def _read_shape(home: Home) -> tuple[Mapping[str, Any], Home]:
    """The shape of the model in a folder, and the file that says it.

    ``config_path`` is often a path on the machine that trained the model, so only its last part counts, and
    only this folder is searched.
    """
    path = home / CONFIG_FILE
    config = _read_json(path)
    if "encoder" not in config and "token_embedder" not in config:
        named = config.get("config_path")
        if not isinstance(named, str):
            raise ValueError(f"{path}: says neither the shape of the model nor, with config_path, where it stands")
        name = PureWindowsPath(named).name  # which takes both kinds of slashes
        found = [place / name for place in (home, home / "configs") if (place / name).is_file()]
        if found:
            path = found[0]
            config = _read_json(path)
        elif name in USUAL_SHAPES:
            config = USUAL_SHAPE
        else:
            raise ValueError(f"{path}: the shape of the model is in {name}, which is missing; put it beside this file")
    _section(config, "encoder", path)
    return config, path


def _read_json(path: Home) -> dict[str, Any]:
    try:
        content = json.loads(_bytes_of(path))
    except ValueError as error:  # bytes that are not UTF-8 are one too
        raise ValueError(f"{path}: not valid JSON ({error})") from None
    if not isinstance(content, dict):
        raise ValueError(f"{path}: must hold a JSON object")
    return content


def _section(config: Mapping[str, Any], name: str, path: Home) -> Mapping[str, Any]:
    section = config.get(name)
    if not isinstance(section, dict):
        raise ValueError(f"{path}: {name} is missing")
    return section


def _field(section: Mapping[str, Any], where: str, name: str) -> Any:
    if name not in section:
        raise ValueError(f"{where}.{name} is missing")
    return section[name]


def _read_entries(path: Home, markers: Sequence[str]) -> list[str]:
    """The entries of a ``.dic`` file in the order of their ids, which must run from 0 without a gap."""
    try:
        lines = _bytes_of(path).decode("utf-8").split("\n")
    except UnicodeDecodeError as error:
        raise ValueError(f"{path}: not UTF-8 ({error.reason})") from None
    entries: dict[int, str] = {}
    for number, line in enumerate(lines, 1):
        if not line.strip("\r"):
            continue
        *entry, digits = line.strip().split("\t")
        if len(entry) > 1 or not digits.isdecimal() or len(digits) > MOST_DIGITS:
            raise ValueError(f"{path}, line {number}: must be an entry, a tab and a number, not {line!r}")
        if int(digits) in entries:
            raise ValueError(f"{path}, line {number}: the id {digits} is taken by {entries[int(digits)]!r} already")
        # White space is the one entry that the program lost when it read its own file; it took it for U+3000.
        entries[int(digits)] = entry[0] if entry else "\u3000"
    for number in range(len(entries)):
        if number not in entries:
            raise ValueError(f"{path}: ids run from 0 to {max(entries)}, but no entry has the id {number}")
    ordered = [entries[number] for number in range(len(entries))]
    try:
        numbered(ordered, markers)
    except ValueError as error:
        raise ValueError(f"{path}: {error}") from None
    return ordered


def _read_tensors(path: Home, shapes: Shapes) -> dict[str, Tensor]:
    """The tensors of a file, by name, as float32: those of ``shapes`` and no others."""
    content = io.BytesIO(_bytes_of(path))
    try:
        tensors = torch.load(content, map_location="cpu", weights_only=True)
    except Exception as error:  # damaged bytes make torch raise nearly anything, with advice we do not give
        if "Unsupported" in str(error):
            raise ValueError(f"{path}: holds more than tensors; not loaded, since that could run any code") from None
        raise ValueError(f"{path}: damaged, or not a file of torch.save ({type(error).__name__})") from None
    if not isinstance(tensors, dict) or not all(isinstance(tensor, Tensor) for tensor in tensors.values()):
        raise ValueError(f"{path}: must hold tensors by name, as state_dict() gives them")
    for name in sorted(shapes.keys() | tensors.keys(), key=str):
        if name not in tensors:
            raise ValueError(f"{path}: {name} is missing, but the configuration calls for it")
        if name not in shapes:
            raise ValueError(f"{path}: {name} has no place in a model of this configuration")
        if tuple(tensors[name].shape) != shapes[name]:
            raise ValueError(
                f"{path}: {name} is {tuple(tensors[name].shape)}, but the configuration and the .dic files "
                f"call for {shapes[name]}"
            )
        if tensors[name].layout is not torch.strided or not tensors[name].is_floating_point():
            raise ValueError(f"{path}: {name} is not a plain array of numbers with a fraction")
        if not bool(torch.isfinite(tensors[name]).all()):
            raise ValueError(f"{path}: {name} has values that are not finite numbers")
    return {name: tensor.detach().float() for name, tensor in tensors.items()}


def _bytes_of(path: Home) -> bytes:
    if not path.exists():
        raise FileNotFoundError(f"{path}: no such file, but a model of ELMoForManyLangs needs it")
    try:
        return path.read_bytes()
    except zipfile.BadZipFile as error:
        raise ValueError(f"{path}: damaged archive ({error})") from None


def _token_shapes(config: BiLMConfig) -> Shapes:
    """What ``token_embedder.pkl`` must hold."""
    tokens = config.token_layer
    assert isinstance(tokens, WordAndCharCNNConfig)  # as config_from_shape made it
    filters = tokens.cnn.filters_dim
    shapes: Shapes = {"char_emb_layer.embedding.weight": (tokens.n_characters, tokens.embedding_dim)}
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
    """What ``encoder.pkl`` must hold."""
    shapes: Shapes = {}
    for layer in range(lstm.n_layers):
        for direction in DIRECTIONS:
            cell = f"{direction}_layer_{layer}"
            shapes[f"{cell}.input_linearity.weight"] = (4 * lstm.dim, lstm.output_dim)
            shapes[f"{cell}.state_linearity.weight"] = (4 * lstm.dim, lstm.output_dim)
            shapes[f"{cell}.state_linearity.bias"] = (4 * lstm.dim,)
            shapes[f"{cell}.state_projection.weight"] = (lstm.output_dim, lstm.dim)
    return shapes


def _tokens_to_ours(config: BiLMConfig, theirs: Mapping[str, Tensor]) -> dict[str, Tensor]:
    """From a word to its vector: the parameters under our names."""
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
    """The LSTM layers: the parameters under our names."""
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
