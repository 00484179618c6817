"""Files appear under their final name only when they are whole.

Both helpers write beside the target, so that the last step is a rename on one file system: a run that
is killed, or a disk that fills up, leaves whatever stood there before.
"""

import contextlib
import errno
import io
import os
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any


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
            for file in filled.rglob("*"):
                if file.is_file():
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


class FileForHDF5(io.FileIO):
    """A file that remembers the first failed write instead of raising it; ``check`` raises it.

    The HDF5 library does not survive a failed write: it complains again for every object it still holds and
    may take the process down. So it is told that all went well, and the caller asks ``check``.
    """

    def __init__(self, path: Path) -> None:
        super().__init__(path, "w+b")
        self._error: OSError | None = None

    def check(self) -> None:
        """Raise the first error, if there was one."""
        if self._error is not None:
            raise self._error

    def write(self, data: Any) -> int:
        """Write all of ``data``, or nothing more after an error."""
        rest = memoryview(data).cast("B")
        size = len(rest)
        while len(rest) and self._error is None:
            try:
                rest = rest[super().write(rest) :]
            except OSError as error:
                self._error = error
        return size

    def truncate(self, size: int | None = None) -> int:
        """Set the size of the file."""
        try:
            return super().truncate(size)
        except OSError as error:
            self._error = self._error or error
            return self.tell() if size is None else size


def _flush(file: Path) -> None:
    """Ask for the bytes to be on disk before the rename makes them official."""
    with file.open("rb") as handle:
        os.fsync(handle.fileno())
