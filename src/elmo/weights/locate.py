"""Find a model by whatever name it has, and read it whatever its format is."""

import re
import zipfile
from pathlib import Path

from elmo.model.bilm import BiLM
from elmo.model.language_model import LanguageModel
from elmo.weights.folder import CONFIG_FILE, fetch_from_hub, read_folder, read_softmax
from elmo.weights.many_langs import is_many_langs, read_many_langs
from elmo.weights.published import find_published, read_published

BUNDLED = Path(__file__).parents[1] / "data"
"""Folders of the models that come with the package, by name."""
DEFAULT = "small"
"""The model that is meant when none is named."""

_HUB_ID = re.compile(r"[\w.-]+/[\w.-]+")


def locate(model: str | Path | None, *, revision: str | None = None, token: str | None = None) -> Path:
    """The folder or archive of a model on this machine, fetched from the Hub if need be."""
    if model is None:
        model = DEFAULT
    if str(model) in bundled():
        return BUNDLED / str(model)
    path = Path(model)
    if path.exists():
        return path
    if _HUB_ID.fullmatch(str(model)):
        return fetch_from_hub(str(model), revision=revision, token=token)
    names = ", ".join(bundled())
    raise ValueError(f"{model}: neither a bundled model ({names}) nor a folder, nor an id of the Hub (like name/model)")


def bundled() -> list[str]:
    """The names of the models that come with the package."""
    return sorted(path.parent.name for path in BUNDLED.glob(f"*/{CONFIG_FILE}"))


def is_ours(path: Path) -> bool:
    """Whether a folder is of our own format."""
    return (path / CONFIG_FILE).exists() and not is_many_langs(path)


def format_of(path: Path) -> str:
    """The name of a model's format, for people."""
    if is_many_langs(path):
        return "ELMoForManyLangs (char.dic and encoder.pkl)"
    return "elmo folder" if is_ours(path) else "published (options.json and HDF5)"


def read_model(path: Path) -> BiLM:
    """Read the model in a folder or archive, of our own format or published."""
    if is_ours(path):
        return read_folder(path)
    if is_many_langs(path):
        return read_many_langs(path)
    if path.is_file() and not zipfile.is_zipfile(path):
        raise ValueError(f"{path}: is a file; give the folder it is in, or options= and weights=")
    files = find_published(path)
    if files is None:
        raise ValueError(
            f"{path}: no model here (neither config.json and model.safetensors, nor options.json and one *.hdf5, "
            "nor config.json, char.dic, token_embedder.pkl and encoder.pkl)"
        )
    return read_published(files)


def read_language_model(path: Path) -> LanguageModel:
    """Read a model that can predict: one with a softmax."""
    bilm = read_model(path)
    softmax = read_softmax(path, bilm)
    if softmax is None:
        raise ValueError(f"{path}: has no softmax, so it cannot predict words (elmo finetune can give it one)")
    return LanguageModel(bilm, softmax).eval()
