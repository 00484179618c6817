"""The files of a model, in a folder or in a zip archive. ``archive.zip/folder/file`` is a path like any other.

Archives are not trusted: every error of ``zipfile`` becomes one line that names the archive, no file outside the
archive is reached, and a member that expands to far more than its stored size is rejected before it is read.
"""

import io
import zipfile
from collections.abc import Iterable
from pathlib import Path, PurePosixPath
from typing import IO

from elmo.files import reason_of

MAX_EXPANSION = 16
"""How much larger than its compressed form a member may be. Weights shrink by less than a half."""
SMALL_BYTES = 32 << 20
"""Members up to this size may expand as they like: lists of words compress well."""


def is_archive(path: Path) -> bool:
    """Whether a path is a zip archive."""
    return path.is_file() and zipfile.is_zipfile(path)


def file_names(home: Path) -> list[str]:
    """The names of the files in a folder, or of all files in an archive, relative to it.

    Raises:
        ValueError: If the archive is damaged, or if a name leads out of it.
    """
    if home.is_dir():
        return [file.name for file in home.iterdir()]
    with home.open("rb") as file:
        try:
            with zipfile.ZipFile(file) as archive:
                names = [member.filename for member in archive.infolist() if not member.is_dir()]
        except Exception as error:  # damaged archives raise almost anything
            raise _damaged(home, error) from None
    for name in names:
        if PurePosixPath(name).is_absolute() or ".." in PurePosixPath(name).parts:
            raise ValueError(f"{home}: has a file with the unsafe name {name!r}")
    return names


def exists(path: Path) -> bool:
    """Whether a file exists, in a folder or in an archive."""
    archive = _archive_of(path)
    return path.is_file() if archive is None else path.relative_to(archive).as_posix() in file_names(archive)


def open_file(path: Path) -> IO[bytes]:
    """Open a file, in a folder or in an archive.

    Raises:
        ValueError: If the archive is damaged, or if the file is suspiciously large.
        OSError: If there is no such file, or if it cannot be read.
    """
    archive = _archive_of(path)
    if archive is None:
        if not path.exists():
            raise FileNotFoundError(f"{path}: no such file")
        return path.open("rb")
    name = path.relative_to(archive).as_posix()
    if name not in file_names(archive):
        raise FileNotFoundError(f"{path}: no such file in the archive")
    with archive.open("rb") as file:
        try:
            with zipfile.ZipFile(file) as members:
                check_expansion(path, [members.getinfo(name)], archive.stat().st_size)
                # In memory, because HDF5 seeks back and forth, which is slow in a compressed member.
                return io.BytesIO(members.read(name))
        except TooLargeError:
            raise
        except Exception as error:
            raise _damaged(path, error) from None


def read_bytes(path: Path) -> bytes:
    """Read a whole file, in a folder or in an archive; see ``open_file``."""
    with open_file(path) as file:
        return file.read()


class TooLargeError(ValueError):
    """A file that expands to far more than its stored size."""


def check_expansion(path: Path, members: Iterable[zipfile.ZipInfo], archive_bytes: int) -> None:
    """Check that members of an archive do not expand to far more than their stored size.

    Raises:
        TooLargeError: If one is.
    """
    for member in members:
        stored = min(member.compress_size, archive_bytes)
        if member.file_size > max(SMALL_BYTES, MAX_EXPANSION * stored):
            raise TooLargeError(
                f"{path}: would expand from {stored:,} to {member.file_size:,} bytes, which no model does; not read"
            )


def _archive_of(path: Path) -> Path | None:
    """The archive that a path leads into, if any."""
    return next((parent for parent in path.parents if parent.is_file()), None)


def _damaged(path: Path, error: Exception) -> ValueError:
    return ValueError(f"{path}: damaged zip archive ({reason_of(error)})")
