"""The catalog of models that others have published, and their files in the cache.

``catalog.tsv`` lists names, languages and addresses. The files of a model are downloaded once, to

    CACHE/models/NAME/options.json, weights.hdf5    models in the format of bilm-tf and AllenNLP
    CACHE/models/NAME/model.zip                     models of ELMoForManyLangs

and can be put there by hand where there is no network. A file that is given by its address is kept there, too, if it
belongs to one of these models; see ``local_file``.
"""

import csv
import difflib
import functools
import os
import re
import urllib.parse
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from elmo.weights.download import DownloadError, cache_folder, download, is_url

MIRROR_VARIABLE = "ELMO_MODELS_URL"
"""Environment variable with the address of a server that has the same files under the same paths."""

FORMATS = {
    "bilm": ("options.json", "weights.hdf5"),
    "many-langs": ("model.zip",),
}
"""Names of a model's files in the cache, by format, in the order of the addresses."""

_OTHER_ADDRESSES = re.compile(
    r"https?://(s3([.-]us-west-2)?\.amazonaws\.com/allennlp|allennlp\.s3([.-]us-west-2)?\.amazonaws\.com)/"
)
"""Hosts under which the files of ``allennlp.s3.amazonaws.com`` are available; old programs use all of them."""


@dataclass(frozen=True)
class PublishedModel:
    """A model that can be downloaded."""

    name: str
    language: str
    code: str
    """ISO 639 code of the language."""
    format: str
    """"bilm" or "many-langs"."""
    parameters: str
    """Number of parameters, if it is known."""
    trained_on: str
    addresses: tuple[str, ...]

    @property
    def folder(self) -> Path:
        """Where its files are kept."""
        return cache_folder() / "models" / self.name

    @property
    def path(self) -> Path:
        """The folder, or the archive in it; this is what ``read_model`` reads."""
        return self.folder / "model.zip" if self.format == "many-langs" else self.folder

    def files(self) -> dict[Path, str]:
        """The files of the model and where to get them."""
        mirror = os.environ.get(MIRROR_VARIABLE)
        urls = [_mirrored(address, mirror) if mirror else address for address in self.addresses]
        return {self.folder / name: url for name, url in zip(FORMATS[self.format], urls, strict=True)}

    def is_downloaded(self) -> bool:
        """Whether all files are in the cache."""
        return all(path.exists() for path in self.files())

    def fetch(self) -> Path:
        """Download what is missing, and return what ``read_model`` reads.

        Raises:
            OSError: If a file cannot be downloaded. The message says which files to put where by hand.
        """
        for file in self.files():
            self.fetch_file(file)
        return self.path

    def fetch_file(self, file: Path) -> Path:
        """Download one of the files unless it is there; see ``fetch``."""
        files = self.files()
        try:
            return download(files[file], to=file)
        except DownloadError as error:
            missing = "; ".join(f"{url} as {path}" for path, url in files.items() if not path.exists())
            raise DownloadError(
                f"{self.name}: cannot be downloaded ({error.reason}). Download by other means and save {missing}"
            ) from None


@functools.cache
def catalog() -> dict[str, PublishedModel]:
    """Read the catalog; models by name."""
    text = Path(__file__).with_suffix(".tsv").read_text("utf-8")
    rows = csv.DictReader(text.splitlines(), delimiter="\t")
    models = [PublishedModel(**{**row, "addresses": tuple(row["addresses"].split())}) for row in rows]  # type: ignore[arg-type]
    return {model.name: model for model in models}


def local_file(path: str | Path) -> Path:
    """Return a path on this machine: the path itself, or that of the downloaded file if a URL is given.

    The files of the catalog's models are kept in one place, whether they are asked for by name or by address.

    Raises:
        ValueError: If the URL is not valid (see ``download``).
        OSError: If it cannot be downloaded.
    """
    if isinstance(path, Path) or not re.match(r"[A-Za-z][A-Za-z0-9+.-]+://", path):
        return Path(path)
    if not is_url(path):
        raise ValueError(f"{path}: only http and https addresses can be downloaded; give the path of a local copy")
    address = _OTHER_ADDRESSES.sub("https://allennlp.s3.amazonaws.com/", path)
    for model in catalog().values():
        if address in model.addresses:
            return model.fetch_file(list(model.files())[model.addresses.index(address)])
    return download(path)


def did_you_mean(name: str, names: Iterable[str]) -> str:
    """Return a hint for a name that is not one of these; "norwegian" is the beginning of two."""
    known = sorted(set(names))
    close = [one for one in known if one.startswith(f"{name.lower()}-")] or difflib.get_close_matches(name, known, n=3)
    return f"did you mean {', '.join(close)}?" if close else "elmo models lists all names"


def _mirrored(address: str, mirror: str) -> str:
    """Replace scheme and host of an address by those of a mirror."""
    return mirror.rstrip("/") + urllib.parse.urlsplit(address).path
