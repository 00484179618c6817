"""Write files that appear under their final name only when they are complete.

Both helpers write next to the target, so that the last step is a rename within one file system. If the process is
killed or the disk is full, whatever was there before remains.
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
    """Provide a temporary path to write to, and move it to ``path`` if the block ends without an error."""
    path = Path(path)
    if path.is_dir():
        raise IsADirectoryError(f"{path}: is a directory, but must be a file")
    with _scratch_folder_beside(path) as folder:
        temporary = folder / path.name
        yield temporary
        with writing(path):
            _flush(temporary)
            temporary.replace(path)


@contextlib.contextmanager
def replacing_folder(path: str | Path) -> Iterator[Path]:
    """Provide a temporary folder, and move its files into ``path`` if the block ends without an error.

    Other files in an existing folder are kept; those of the same name are replaced one by one.
    """
    path = Path(path)
    if path.exists() and not path.is_dir():
        raise NotADirectoryError(f"{path}: exists but is not a folder")
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
    """Provide a hidden scratch folder next to ``path``, which is always removed at the end."""
    with writing(path):
        path.parent.mkdir(parents=True, exist_ok=True)
        folder = Path(tempfile.mkdtemp(prefix=f".{path.name}.", suffix=".part", dir=path.parent))
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


@contextlib.contextmanager
def writing(path: str | Path) -> Iterator[None]:
    """Name the output file in errors of the operating system (no space, no permission, ...)."""
    try:
        yield
    except OSError as error:
        # Libraries wrap the reason in their own words; the error number is reliable.
        reason = os.strerror(error.errno) if error.errno else str(error).splitlines()[0]
        raise OSError(error.errno or errno.EIO, f"cannot be written: {reason}", str(path)) from error


class FileForHDF5(io.FileIO):
    """A file that stores the first write error instead of raising it; ``check`` raises it.

    The HDF5 library does not survive a failed write: it reports it again for every open object and may crash the
    process. So the library sees only successful writes, and the caller calls ``check``.
    """

    def __init__(self, path: Path) -> None:
        super().__init__(path, "w+b")
        self._error: OSError | None = None

    def check(self) -> None:
        """Raise the first error, if there was one."""
        if self._error is not None:
            raise self._error

    def write(self, data: Any) -> int:
        """Write all of ``data``; after an error, write nothing."""
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
    """Flush a file to disk, so that the rename never precedes its content."""
    with file.open("rb") as handle:
        os.fsync(handle.fileno())
