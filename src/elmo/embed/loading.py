"""``elmo.load``: one call for every kind of model."""

import re
import zipfile
from pathlib import Path

import torch

from elmo.embed.embedder import Embedder
from elmo.model.bilm import BiLM
from elmo.weights.folder import CONFIG_FILE, fetch_from_hub, read_folder
from elmo.weights.published import PublishedFiles, find_published, read_published

_HUB_ID = re.compile(r"[\w.-]+/[\w.-]+")


def load(
    model: str | Path | None = None,
    *,
    options: str | Path | None = None,
    weights: str | Path | None = None,
    vocabulary: str | Path | None = None,
    embedding: str | Path | None = None,
    device: str | torch.device = "cpu",
    revision: str | None = None,
    token: str | None = None,
) -> Embedder:
    """Load a model.

    ``model`` is a folder of ours, a folder or zip archive with ``options.json`` and one HDF5 file, or an id
    of the Hugging Face Hub; without it, the bundled model (there is none yet). Published files can also be named
    one by one with ``options`` and ``weights``; models that look words up need their ``vocabulary``, and
    ``embedding`` puts word vectors computed beforehand in the place of the character CNN.
    ``revision`` and ``token`` are for the Hub.

    Whatever is missing, damaged or contradictory is a ValueError (or OSError) that names the file.
    """
    if options is not None or weights is not None:
        if model is not None or options is None or weights is None:
            raise ValueError("give either a model, or both options and weights")
        files = PublishedFiles(
            Path(options),
            Path(weights),
            None if vocabulary is None else Path(vocabulary),
            None if embedding is None else Path(embedding),
        )
        bilm = read_published(files)
    elif vocabulary is not None or embedding is not None:
        raise ValueError("vocabulary and embedding go with options and weights")
    else:
        bilm = read_model(locate(model, revision=revision, token=token))
    return Embedder(bilm.to(device))


def locate(model: str | Path | None, *, revision: str | None = None, token: str | None = None) -> Path:
    """The folder or archive of a model on this machine, fetched from the Hub if need be."""
    if model is None:
        raise ValueError(
            "no model is bundled with this version; name one: a folder, a zip archive, an id of the Hub, "
            "or options= and weights= of published files"
        )
    path = Path(model)
    if path.exists():
        return path
    if _HUB_ID.fullmatch(str(model)):
        return fetch_from_hub(str(model), revision=revision, token=token)
    raise ValueError(f"{model}: no such folder, and not an id of the Hub (like name/model)")


def is_ours(path: Path) -> bool:
    """Whether a folder is of our own format."""
    return (path / CONFIG_FILE).exists()


def read_model(path: Path) -> BiLM:
    """Read the model in a folder or archive, of our own format or published."""
    if is_ours(path):
        return read_folder(path)
    if path.is_file() and not zipfile.is_zipfile(path):
        raise ValueError(f"{path}: is a file; give the folder it is in, or options= and weights=")
    files = find_published(path)
    if files is None:
        raise ValueError(
            f"{path}: no model here (neither config.json and model.safetensors nor options.json and one *.hdf5)"
        )
    return read_published(files)
