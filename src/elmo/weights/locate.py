"""Find a model by whatever name it has, and read it whatever its format is."""

import re
import zipfile
from pathlib import Path

from elmo.model.bilm import BiLM
from elmo.weights.folder import CONFIG_FILE, fetch_from_hub, read_folder
from elmo.weights.published import find_published, read_published

_HUB_ID = re.compile(r"[\w.-]+/[\w.-]+")


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
