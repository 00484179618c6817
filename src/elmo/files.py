"""Files appear under their final name only when they are whole.

Both helpers write beside the target, so that the last step is a rename on one file system: a run that
is killed, or a disk that fills up, leaves whatever stood there before.
"""

import contextlib
import errno
import os
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path


@contextlib.contextmanager
def replacing_file(path: str | Path) -> Iterator[Path]:
    """Give a temporary path to write to, and move it to ``path`` when the block ends without error."""
    path = Path(path)
    if path.is_dir():
        raise IsADirectoryError(f"{path}: is a directory, a file is needed")
    with _scratch_folder_beside(path) as folder:
        temporary = folder / path.name
        yield temporary
        with writing(path):
            _flush(temporary)
            temporary.replace(path)


@contextlib.contextmanager
def replacing_folder(path: str | Path) -> Iterator[Path]:
    """Give a temporary folder to fill, and move its files into ``path`` when the block ends without error.

    Other files in an existing folder stay; those of the same name are replaced one by one.
    """
    path = Path(path)
    if path.exists() and not path.is_dir():
        raise NotADirectoryError(f"{path}: exists and is not a folder")
    with _scratch_folder_beside(path) as folder:
        filled = folder / path.name
        filled.mkdir()
        yield filled
        with writing(path):
            for file in filled.iterdir():
                _flush(file)
            if path.exists():
                for file in filled.iterdir():
                    file.replace(path / file.name)
            else:
                filled.replace(path)


@contextlib.contextmanager
def _scratch_folder_beside(path: Path) -> Iterator[Path]:
    """A hidden scratch folder next to ``path``, removed at the end in any case."""
    with writing(path):
        path.parent.mkdir(parents=True, exist_ok=True)
        folder = Path(tempfile.mkdtemp(prefix=f".{path.name}.", suffix=".part", dir=path.parent))
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


@contextlib.contextmanager
def writing(path: str | Path) -> Iterator[None]:
    """Say which output is meant when the system refuses to write (no space, no permission, ...)."""
    try:
        yield
    except OSError as error:
        # Libraries wrap the system's reason in their own words and lines; the number is the plain fact.
        reason = os.strerror(error.errno) if error.errno else str(error).splitlines()[0]
        raise OSError(error.errno or errno.EIO, f"cannot be written: {reason}", str(path)) from error


def _flush(file: Path) -> None:
    """Ask for the bytes to be on disk before the rename makes them official."""
    with file.open("rb") as handle:
        os.fsync(handle.fileno())
