"""Find a model by its name, and read it whatever its format."""

import re
import warnings
from pathlib import Path
from typing import Any

from elmo.files import CORPUS_FILE, RUN_FILE
from elmo.model.bilm import BiLM
from elmo.model.language_model import LanguageModel
from elmo.validation import checked_text
from elmo.weights.archives import is_archive
from elmo.weights.catalog import catalog, did_you_mean
from elmo.weights.folder import CONFIG_FILE, fetch_from_hub, read_folder, read_softmax
from elmo.weights.many_langs import is_many_langs, read_many_langs
from elmo.weights.packages import KNOWN, how_to_install, installed, package_folder
from elmo.weights.published import find_published, read_published

BUNDLED = Path(__file__).parents[1] / "data"
"""Folder of the models that come with the package, by name."""
DEFAULT = "small"
"""The model that is used if none is named."""

HUB_ID = re.compile(r"[\w.-]+/[\w.-]+")
"""What the id of a model on the Hugging Face Hub looks like."""


def locate(model: str | Path | None, *, revision: str | None = None, token: str | None = None) -> Path:
    """Find a model on this machine, or download it.

    A bare name is looked for among the bundled model, the installed model packages, the catalog of published models,
    and the folders and archives in the working directory, in this order. A ``Path``, or a string with a separator, is a
    path if it exists, else a Hub id.

    Args:
        model: Name of a model (None is the default one), a folder, a zip archive, or a Hub id.
        revision: Revision of a model on the Hub.
        token: Access token for the Hub.

    Returns:
        The folder or archive.

    Raises:
        ValueError: If there is no such model.
    """
    if revision is not None:
        checked_text("revision", revision)
    secret: Any = token  # the Hub's library also takes True, for the stored token
    if secret is not None and not isinstance(secret, bool):
        checked_text("token", token)
    if model is None:
        return BUNDLED / DEFAULT
    path = Path(model)
    if isinstance(model, str) and (kind := kind_of_name(model)) is not None:
        if path.is_dir():
            warnings.warn(
                f"{model!r} is both the name of a model and a folder here; the {kind} is used (for the folder, write "
                f"'./{model}')",
                stacklevel=2,
            )
        if model in bundled():
            return BUNDLED / model
        return package_folder(model) if model in installed() else catalog()[model].fetch()
    if path.exists():
        return path
    if isinstance(model, str) and _could_be_on_the_hub(model):
        return fetch_from_hub(model, revision=revision, token=token)
    if isinstance(model, str) and path.name == model:
        if model in KNOWN:
            raise ValueError(f"{model}: this model is not installed; {how_to_install(model)}")
        hint = did_you_mean(model, [*bundled(), *installed(), *KNOWN, *catalog()])
        raise ValueError(f"{model}: not the name of a model, and not a folder or archive here; {hint}")
    raise FileNotFoundError(f"{path}: no such folder or archive")


def kind_of_name(name: str) -> str | None:
    """Return what kind of model has this name, for display; None if no available model has it."""
    if name in bundled():
        return "bundled model"
    if name in installed():
        return "installed model"
    return "published model" if name in catalog() else None


def _could_be_on_the_hub(model: str) -> bool:
    """Whether a string that is not an existing path can be a Hub id, rather than a path with a typo."""
    owner, _, _ = model.partition("/")
    return HUB_ID.fullmatch(model) is not None and owner not in (".", "..") and not Path(owner).exists()


def bundled() -> list[str]:
    """List the names of the models that come with the package."""
    return sorted(path.parent.name for path in BUNDLED.glob(f"*/{CONFIG_FILE}"))


def is_ours(path: Path) -> bool:
    """Whether a folder has our own format."""
    return (path / CONFIG_FILE).exists() and not is_many_langs(path)


def format_of(path: Path) -> str:
    """Name the format of a model, for display."""
    if is_many_langs(path):
        return "ELMoForManyLangs (char.dic and encoder.pkl)"
    return "elmo folder" if is_ours(path) else "published (options.json and HDF5)"


def read_model(path: Path) -> BiLM:
    """Read the model in a folder or archive, in our own or a published format.

    Args:
        path: What ``locate`` returned.

    Returns:
        The biLM, in evaluation mode on the CPU.

    Raises:
        ValueError: If there is no model, or if a file is damaged or does not match the others.
        OSError: If a file cannot be read.
    """
    if is_ours(path):
        return read_folder(path)
    if is_many_langs(path):
        return read_many_langs(path)
    if path.is_file() and not is_archive(path):
        raise ValueError(f"{path}: is a file; give the folder that contains the files of the model")
    files = find_published(path)
    if files is None:
        if (path / CORPUS_FILE).exists():
            raise ValueError(f"{path}: is a corpus, not a model; elmo pretrain trains one on it")
        if (path / RUN_FILE).exists():
            raise ValueError(f"{path}: the training has not finished; continue it with --resume")
        raise ValueError(
            f"{path}: no model found (expected config.json and model.safetensors; or options.json and one *.hdf5; "
            "or config.json, char.dic, token_embedder.pkl and encoder.pkl)"
        )
    return read_published(files)


def read_language_model(path: Path) -> LanguageModel:
    """Read a model that can predict words.

    Raises:
        ValueError: If the model has no softmax, or cannot be read (see ``read_model``).
    """
    bilm = read_model(path)
    softmax = read_softmax(path, bilm)
    if softmax is None:
        raise ValueError(f"{path}: has no softmax, so it cannot predict words (elmo finetune can add one)")
    return LanguageModel(bilm, softmax).eval()
