"""Locate the data files of the experiments.

The data folder (``--data``, or the environment variable ``ELMO_DATA``) has a subfolder ``tasks/`` with one folder per
task: squad, snli, srl, coref, ner, sst, and vectors. Inside a task's folder, the file names say which part of the data
a file holds: they contain train, dev (or valid, testa) or test (testb). Files may be compressed, and may be members of
a .tar archive. To reproduce the paper's own setup, put OntoNotes, CoNLL-2003 or the full SNLI there.
"""

import hashlib
import os
import re
import tarfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from elmo.config import from_fields
from elmo.datasets.lines import uncompressed_name
from elmo.files import replacing_folder
from elmo.settings import Count, Fraction, check_fields
from elmo.text.reading import find_texts

VARIABLE = "ELMO_DATA"
_SPLITS = {
    "train": re.compile(r"train"),
    "dev": re.compile(r"dev|valid|testa"),
    "test": re.compile(r"test(?!a)"),
}
_SUFFIXES = {
    "squad": (".json",),
    "snli": (".jsonl",),
    "srl": (".conll", "_conll"),
    "coref": (".conll", "_conll"),
    "ner": (".annotated", ".conll", ".iob2", ".bio", ".txt", ".train", ".testa", ".testb"),
    "sst": (".txt",),
}
"""File name endings of each task's data, without the suffix of a compressed file."""


@dataclass(frozen=True)
class TaskData:
    """The data of a task run: files or folders for each split."""

    train: tuple[str, ...]
    dev: tuple[str, ...]
    test: tuple[str, ...] = ()
    fraction: Fraction = 1.0
    """Fraction of the training examples to use."""
    max_examples: tuple[Count, Count] | None = None
    """Maximum number of training examples, and of development and test examples each. None uses all of them."""

    def __post_init__(self) -> None:
        """Check the types and limits of all fields."""
        check_fields(self)

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> "TaskData":
        """Restore an instance from the JSON of ``dataclasses.asdict``.

        Raises:
            ValueError: If a value is missing, unknown or out of range.
        """
        renamed = {"max_examples" if name == "most" else name: value for name, value in data.items()}  # in older runs
        read = from_fields(cls, renamed, "data")
        return cls(tuple(read.train), tuple(read.dev), tuple(read.test), read.fraction, read.max_examples)

    def hash(self) -> str:
        """Return the SHA-256 digest of the contents of the training and development files."""
        digest = hashlib.sha256()
        for path in find_texts(self.train) + find_texts(self.dev):
            digest.update(hashlib.sha256(path.read_bytes()).digest())
        return digest.hexdigest()


def data_folder(given: Path | None) -> Path:
    """Return the data folder: ``given``, or else the one named by ``ELMO_DATA``.

    Raises:
        ValueError: No folder is named, or it has no subfolder ``tasks``.
    """
    folder = given or (Path(os.environ[VARIABLE]) if VARIABLE in os.environ else None)
    if folder is None:
        raise ValueError(f"no data folder: name it with --data, or set the environment variable {VARIABLE}")
    if not (folder / "tasks").is_dir():
        raise ValueError(f"{folder}: has no folder tasks")
    return folder


def find_task_data(folder: Path, task: str, extracted: Path) -> TaskData:
    """Find the files of each split of a task.

    Args:
        folder: The data folder.
        task: The name of the task.
        extracted: Folder into which archives are extracted, if they have not been before.

    Raises:
        ValueError: The task has no folder, no training files or no development files, or an archive is damaged.
    """
    home = folder / "tasks" / task
    if not home.is_dir():
        raise ValueError(f"{home}: no such folder")
    files = _files(home)
    for archive in sorted(home.glob("*.tar*")):
        files += _files(_extract(archive, extracted / task / archive.name.split(".")[0]))
    files = [file for file in files if uncompressed_name(file).endswith(_SUFFIXES[task])]
    splits = {
        name: tuple(str(file) for file in files if pattern.search(file.name.lower()))
        for name, pattern in _SPLITS.items()
    }
    if annotated := tuple(path for path in splits["test"] if path.endswith(".annotated")):
        splits["test"] = annotated  # WNUT-17 ships its test data twice; the other file is a draft
    if not splits["train"] and task == "coref":
        # The corpus has no split of its own: of every ten documents by name, one is for dev and one for test.
        documents = sorted(files, key=lambda file: file.name)
        splits["dev"] = tuple(map(str, documents[8::10]))
        splits["test"] = tuple(map(str, documents[9::10]))
        held_out = {*splits["dev"], *splits["test"]}
        splits["train"] = tuple(str(file) for file in documents if str(file) not in held_out)
    for name in ("train", "dev"):
        if not splits[name]:
            endings = ", ".join(_SUFFIXES[task])
            raise ValueError(f"{home}: no file for {name} (its name must contain {name} and end in {endings})")
    return TaskData(splits["train"], splits["dev"], splits["test"])


def unpacked_folder(home: Path, unpacked: Path) -> Path:
    """Return a folder with all files of ``home``: archives extracted, other files linked."""
    if not home.is_dir():
        raise ValueError(f"{home}: no such folder")
    target = unpacked / home.name
    for archive in sorted(home.glob("*.tar*")):
        _extract(archive, target / archive.name.split(".")[0])
    for file in _files(home):
        link = target / file.name
        if not link.exists():
            target.mkdir(parents=True, exist_ok=True)
            link.symlink_to(file.resolve())
    return target


def find_vectors(folder: Path) -> Path:
    """Return the only file of static vectors in the data folder."""
    home = folder / "tasks" / "vectors"
    files = [file for file in _files(home) if ".txt" in file.name]
    if not files:
        raise ValueError(f"{home}: has no file of static vectors (.txt); name one with --vectors")
    if len(files) > 1:
        names = ", ".join(file.name for file in files)
        raise ValueError(f"{home}: has several files of static vectors ({names}); choose one with --vectors")
    return files[0]


def _files(folder: Path) -> list[Path]:
    return sorted(path for path in folder.rglob("*") if path.is_file() and ".tar" not in path.name)


def _extract(archive: Path, target: Path) -> Path:
    if not target.exists():
        try:
            with tarfile.open(archive) as tar, replacing_folder(target) as scratch:
                tar.extractall(scratch, filter="data")
        except (tarfile.TarError, OSError, EOFError) as error:
            raise ValueError(f"{archive}: cannot be extracted ({error})") from None
    return target
