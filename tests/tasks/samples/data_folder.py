"""A data folder with made-up named entities, in an archive, and static vectors."""

import tarfile
from pathlib import Path

from tasks.samples import ner


def write_data_folder(parent: Path) -> Path:
    """Write the folder ``data``, and return its path."""
    folder = parent / "data"
    inside = parent / "inside"
    for place in (folder / "tasks/ner", folder / "tasks/vectors", inside):
        place.mkdir(parents=True)
    for number, name in enumerate(("mine-train.conll", "mine.dev.conll", "mine.test.conll")):
        ner.write(inside / name, 30, number)
    with tarfile.open(folder / "tasks/ner/mine.tar.xz", "w:xz") as tar:
        tar.add(inside, "mine")
    vectors = "".join(f"{word} {number} 1 0.5\n" for number, word in enumerate(ner.PLAIN))
    (folder / "tasks/vectors/v.txt").write_text(vectors)
    return folder
