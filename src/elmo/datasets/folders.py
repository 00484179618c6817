"""Where the data of the experiments is.

A folder (``--data``, or the variable ``ELMO_DATA``) has ``tasks/``, and in it a folder for each task: squad, snli,
srl, coref, ner, sst, vectors. Inside, files are told apart by their names, which contain train, dev (or valid,
testa) or test (testb); they may be packed, or lie together in one .tar archive. So whoever owns OntoNotes,
CoNLL-2003 or the whole of SNLI puts those files there, and the same commands run the paper's own setting.
"""

import os
import re
import tarfile
from pathlib import Path

from elmo.files import replacing_folder
from elmo.tasks.trainer import TaskData

VARIABLE = "ELMO_DATA"
_PARTS = {
    "train": re.compile(r"train"),
    "dev": re.compile(r"dev|valid|testa"),
    "test": re.compile(r"test(?!a)"),
}
_FORMATS = {
    "squad": (".json",),
    "snli": (".jsonl",),
    "srl": (".conll", "_conll"),
    "coref": (".conll", "_conll"),
    "ner": (".annotated", ".conll", ".iob2", ".bio", ".txt", ".train", ".testa", ".testb"),
    "sst": (".txt",),
}
"""How the names of a task's files end, once unpacked."""
_PACKED = (".gz", ".xz", ".bz2", ".zst")


def data_folder(given: Path | None) -> Path:
    """The folder with the data."""
    folder = given or (Path(os.environ[VARIABLE]) if VARIABLE in os.environ else None)
    if folder is None:
        raise ValueError(f"where is the data? Name its folder with --data, or set {VARIABLE}")
    if not (folder / "tasks").is_dir():
        raise ValueError(f"{folder}: has no folder tasks")
    return folder


def find_task_data(folder: Path, task: str, unpacked: Path) -> TaskData:
    """The files of a task; archives are unpacked into the folder ``unpacked``, once."""
    home = folder / "tasks" / task
    if not home.is_dir():
        raise ValueError(f"{home}: no such folder")
    files = _files(home)
    for archive in sorted(home.glob("*.tar*")):
        files += _files(_unpack(archive, unpacked / task / archive.name.split(".")[0]))
    files = [file for file in files if _plain_name(file).endswith(_FORMATS[task])]
    parts = {
        name: tuple(str(file) for file in files if pattern.search(file.name.lower()))
        for name, pattern in _PARTS.items()
    }
    if checked := tuple(path for path in parts["test"] if path.endswith(".annotated")):
        parts["test"] = checked  # WNUT-17 has its test data twice, and the other file is a draft
    if not parts["train"] and task == "coref":
        # Documents without a split of their own: of every ten, in the order of their names, one for dev, one for test.
        documents = sorted(files, key=lambda file: file.name)
        parts["dev"] = tuple(map(str, documents[8::10]))
        parts["test"] = tuple(map(str, documents[9::10]))
        held_out = {*parts["dev"], *parts["test"]}
        parts["train"] = tuple(str(file) for file in documents if str(file) not in held_out)
    for name in ("train", "dev"):
        if not parts[name]:
            raise ValueError(f"{home}: no file for {name} (ending in {', '.join(_FORMATS[task])})")
    return TaskData(parts["train"], parts["dev"], parts["test"])


def unpacked_folder(home: Path, unpacked: Path) -> Path:
    """A folder with all files of ``home``, archives unpacked; the others are linked."""
    if not home.is_dir():
        raise ValueError(f"{home}: no such folder")
    target = unpacked / home.name
    for archive in sorted(home.glob("*.tar*")):
        _unpack(archive, target / archive.name.split(".")[0])
    for file in _files(home):
        link = target / file.name
        if not link.exists():
            target.mkdir(parents=True, exist_ok=True)
            link.symlink_to(file.resolve())
    return target


def find_vectors(folder: Path) -> Path:
    """The file of static vectors."""
    files = [file for file in _files(folder / "tasks" / "vectors") if ".txt" in file.name]
    if len(files) != 1:
        raise ValueError(f"{folder / 'tasks' / 'vectors'}: has {len(files)} files of vectors, not one; use --vectors")
    return files[0]


def _files(folder: Path) -> list[Path]:
    return sorted(path for path in folder.rglob("*") if path.is_file() and ".tar" not in path.name)


def _plain_name(path: Path) -> str:
    """The path without an ending for packing."""
    name = str(path)
    return name[: -len(path.suffix)] if path.suffix in _PACKED else name


def _unpack(archive: Path, target: Path) -> Path:
    if not target.exists():
        try:
            with tarfile.open(archive) as tar, replacing_folder(target) as scratch:
                tar.extractall(scratch, filter="data")
        except (tarfile.TarError, OSError, EOFError) as error:
            raise ValueError(f"{archive}: cannot be unpacked ({error})") from None
    return target
