"""Locate the data files of the experiments.

The data folder (``--data``, or the environment variable ``ELMO_DATA``) has a subfolder ``tasks/`` with one folder per
task: squad, snli, srl, coref, ner, sst, and vectors. A task's folder holds one dataset or several: every folder and
every .tar archive in it is one, and so are the files beside them, taken together. The names of the files say which
part of the data they hold: they contain train, dev (or valid, testa) or test (testb). Files may be compressed. To
reproduce the paper's own setup, put OntoNotes, CoNLL-2003 or the full SNLI there.

The name of a dataset is ``TASK/DATASET``, like its path: ``ner/general`` is ``tasks/ner/general.tar.xz``. The name of
the task alone stands for its default dataset. ``ner/everyday`` and ``coref/both`` are made from two datasets each (see
``elmo.datasets.combined``).
"""

import hashlib
import os
import re
import tarfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from elmo.config import from_fields
from elmo.datasets.combined import COMBINED, write_combined
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
DEFAULT_DATASETS = {"coref": "litbank", "ner": "wnut17"}
"""The dataset that the name of a task stands for, if there are several."""


@dataclass(frozen=True)
class TaskData:
    """The data of a task run: files or folders for each split."""

    train: tuple[str, ...]
    dev: tuple[str, ...]
    test: tuple[str, ...] = ()
    fraction: Fraction = 1.0
    """Fraction of the training examples to use, chosen at random."""
    max_examples: tuple[Count, Count] | None = None
    """Maximum number of training examples, from which ``fraction`` is taken, and of development and test examples each.
    None uses all of them."""

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


def data_folder(given: Path | None, instead: str | None = None) -> Path:
    """Return the data folder: ``given``, or else the one named by ``ELMO_DATA``.

    Args:
        given: The folder that the user named.
        instead: What users can do who do not have such a folder, for the error message.

    Raises:
        ValueError: No folder is named, or it has no subfolder ``tasks``.
    """
    folder = given or (Path(os.environ[VARIABLE]) if VARIABLE in os.environ else None)
    if folder is None:
        named = f"no data folder: name it with --data, or set the environment variable {VARIABLE}"
        raise ValueError(named if instead is None else f"{named}; or {instead}")
    if not (folder / "tasks").is_dir():
        raise ValueError(f"{folder}: has no folder tasks")
    return folder


def split_name(name: str) -> tuple[str, str | None]:
    """Split ``TASK`` or ``TASK/DATASET`` into the task and the dataset, which is None for the task's default."""
    task, _, dataset = name.partition("/")
    return task, None if dataset in ("", DEFAULT_DATASETS.get(task)) else dataset


def has_dataset(folder: Path, name: str) -> bool:
    """Return whether the data folder has a dataset, named as in ``split_name``."""
    task, dataset = split_name(name)
    found = _datasets(folder / "tasks" / task)
    if dataset is None or _matching(found, dataset) is not None:
        return bool(found)
    return name in COMBINED and all(has_dataset(folder, source) for source in COMBINED[name])


def find_task_data(folder: Path, name: str, extracted: Path) -> TaskData:
    """Find the files of each split of a task's dataset.

    Args:
        folder: The data folder.
        name: ``TASK/DATASET``. The name of the task alone stands for its default dataset, or for the only one there is.
        extracted: Folder into which archives are extracted and combined datasets are written, if they are not there.

    Raises:
        ValueError: The dataset is missing or ambiguous, it has no training files or no development files, or an
            archive is damaged.
    """
    task, dataset = split_name(name)
    home = folder / "tasks" / task
    is_combined = name in COMBINED and _matching(_datasets(home), dataset or "") is None
    source = _combine(folder, name, extracted) if is_combined else _find_dataset(home, dataset)
    if source == home:
        files = _task_files(home, task, "*")
    else:
        inside = source if source.is_dir() else _extract(source, extracted / task / _stem(source))
        files = _task_files(inside, task, "**/*")
    splits = {
        split: tuple(str(file) for file in files if pattern.search(file.name.lower()))
        for split, pattern in _SPLITS.items()
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
    for split in ("train", "dev"):
        if not splits[split]:
            endings = ", ".join(_SUFFIXES[task])
            raise ValueError(f"{source}: no file for {split} (its name must contain {split} and end in {endings})")
    return TaskData(splits["train"], splits["dev"], splits["test"])


def _combine(folder: Path, name: str, extracted: Path) -> Path:
    """Return the folder of a combined dataset, which is written if it does not exist."""
    target = extracted / name
    if not target.exists():
        found = {source: find_task_data(folder, source, extracted) for source in COMBINED[name]}
        splits = {source: {split: getattr(data, split) for split in _SPLITS} for source, data in found.items()}
        with replacing_folder(target) as scratch:
            write_combined(split_name(name)[0], splits, scratch)
    return target


def unpacked_folder(home: Path, unpacked: Path) -> Path:
    """Return a folder with all files of ``home``: archives extracted, other files linked."""
    if not home.is_dir():
        raise ValueError(f"{home}: no such folder")
    target = unpacked / home.name
    for archive in sorted(home.glob("*.tar*")):
        _extract(archive, target / _stem(archive))
    for file in _files(home):
        link = target / file.name
        if not link.exists():
            target.mkdir(parents=True, exist_ok=True)
            link.symlink_to(file.resolve())
    return target


def find_vectors(folder: Path) -> Path:
    """Return the file of static vectors in the data folder: the largest, which has most words, if there are several.

    Raises:
        ValueError: If there is none.
    """
    home = folder / "tasks" / "vectors"
    files = [file for file in _files(home) if ".txt" in file.name]
    if not files:
        raise ValueError(f"{home}: has no file of static vectors (.txt); name one with --vectors")
    return max(files, key=lambda file: file.stat().st_size)


def _find_dataset(home: Path, dataset: str | None) -> Path:
    """Return the archive or the folder of a dataset in a task's folder."""
    if not home.is_dir():
        raise ValueError(f"{home}: no such folder")
    found = _datasets(home)
    if dataset is None and len(found) == 1:
        return next(iter(found.values()))
    wanted = dataset or DEFAULT_DATASETS.get(home.name, home.name)
    if (source := _matching(found, wanted)) is None:
        names = ", ".join(f"{home.name}/{name}" for name in found) or "none"
        problem = "which dataset to use is not clear" if dataset is None else f"has no dataset {dataset}"
        raise ValueError(f"{home}: {problem} (found: {names})")
    return source


def _datasets(home: Path) -> dict[str, Path]:
    """Return the archives and folders of a task's datasets by name. Files beside them have the name of the task."""
    found = {_stem(archive): archive for archive in sorted(home.glob("*.tar*"))}
    folders = [path for path in sorted(home.glob("*")) if path.is_dir()]
    found |= {folder.name: folder for folder in folders if _task_files(folder, home.name, "**/*")}
    return found | ({home.name: home} if _task_files(home, home.name, "*") else {})


def _matching(found: Mapping[str, Path], dataset: str) -> Path | None:
    """Return the dataset with a name, or else the only one whose name continues it, like ``litbank-conll``."""
    longer = [path for name, path in found.items() if name.startswith(f"{dataset}-")]
    return found.get(dataset) or (longer[0] if len(longer) == 1 else None)


def _stem(path: Path) -> str:
    return path.name.split(".")[0]


def _task_files(folder: Path, task: str, pattern: str) -> list[Path]:
    named = [path for path in _files(folder, pattern) if uncompressed_name(path).endswith(_SUFFIXES[task])]
    return [path for path in named if not path.name.lower().startswith(("readme", "license"))]


def _files(folder: Path, pattern: str = "**/*") -> list[Path]:
    return sorted(path for path in folder.glob(pattern) if path.is_file() and ".tar" not in path.name)


def _extract(archive: Path, target: Path) -> Path:
    if not target.exists():
        try:
            with tarfile.open(archive) as tar, replacing_folder(target) as scratch:
                tar.extractall(scratch, filter="data")
        except (tarfile.TarError, OSError, EOFError) as error:
            raise ValueError(f"{archive}: cannot be extracted ({error})") from None
    return target
