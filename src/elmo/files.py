"""Files that appear under their final name only when they are complete, checksums beside them, and strict JSON.

``replacing_file`` and ``replacing_folder`` write next to the target, so that the last step is a rename within one file
system. If the process is killed or the disk is full, whatever was there before remains. ``write_checksums`` records
what was written, and ``verify_checksums`` notices when it has changed since.
"""

import contextlib
import errno
import hashlib
import io
import json
import math
import os
import shutil
import tempfile
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

CHECKSUMS_FILE = "checksums.json"
"""Size and SHA-256 of the other files in a folder; see ``write_checksums``."""
MAX_JSON_BYTES = 16 << 20
"""Maximum size of a JSON file unless the reader says otherwise. Configurations and records have some kilobytes."""
_HASHED_BYTES = 1 << 20


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
                # The checksums last: they are valid when everything else is in its place.
                for file in sorted(filled.iterdir(), key=lambda file: file.name == CHECKSUMS_FILE):
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


def checksum(path: str | Path) -> dict[str, Any]:
    """Return the size of a file and the SHA-256 of its content, as ``checksums.json`` records them."""
    digest, size = hashlib.sha256(), 0
    with Path(path).open("rb", buffering=0) as file:
        block = memoryview(bytearray(_HASHED_BYTES))
        while read := file.readinto(block):
            digest.update(block[:read])
            size += read
    return {"size": size, "sha256": digest.hexdigest()}


def write_checksums(folder: str | Path, names: Iterable[str]) -> None:
    """Record the checksums of files in a folder. Call it last, when the files are complete.

    Args:
        folder: The folder. The record becomes its ``checksums.json``.
        names: Names of the files inside it.
    """
    folder = Path(folder)
    record = {name: checksum(folder / name) for name in sorted(names)}
    with replacing_file(folder / CHECKSUMS_FILE) as path, writing(folder / CHECKSUMS_FILE):
        path.write_text(json.dumps(record, indent=2) + "\n", "utf-8")


def verify_checksums(folder: str | Path, names: Iterable[str] | None = None) -> None:
    """Check that files are as they were written. A folder without ``checksums.json`` passes: older ones have none.

    Args:
        folder: The folder.
        names: The files that are about to be read (default: all that are recorded). Those that are not recorded pass.

    Raises:
        ValueError: Naming the first file that is missing or damaged.
        OSError: If a file cannot be read.
    """
    folder = Path(folder)
    path = folder / CHECKSUMS_FILE
    if not path.exists():
        return
    recorded = read_json_object(path)
    for name in sorted(recorded if names is None else recorded.keys() & set(names)):
        expected, file = recorded[name], folder / name
        if Path(name).name != name or not isinstance(expected, dict) or expected.keys() != {"size", "sha256"}:
            raise ValueError(f"{path}: damaged (the entry {name!r} is not a file name with size and sha256)")
        if not file.is_file():
            raise ValueError(f"{file}: is missing, but {CHECKSUMS_FILE} lists it")
        # The size is compared first, because it costs nothing.
        if file.stat().st_size != expected["size"] or checksum(file) != expected:
            raise ValueError(
                f"{file}: damaged (does not match {CHECKSUMS_FILE}; restore the file, or delete {CHECKSUMS_FILE} "
                "if you changed the file on purpose)"
            )


def read_json_object(path: str | Path, max_bytes: int = MAX_JSON_BYTES) -> dict[str, Any]:
    """Read a file that must contain a JSON object.

    Args:
        path: The file.
        max_bytes: Its maximum size.

    Raises:
        ValueError: Naming the file, if it contains something else (see ``parse_json_object``).
        OSError: If the file cannot be read.
    """
    path = Path(path)
    with path.open("rb") as file:
        content = file.read(max_bytes + 1)
    return parse_json_object(content, path, max_bytes)


def parse_json_object(content: bytes | str, source: object, max_bytes: int = MAX_JSON_BYTES) -> dict[str, Any]:
    """Parse a JSON object, strictly.

    Args:
        content: The JSON, in UTF-8 if it is bytes.
        source: Where it comes from, for the error message: a path, say.
        max_bytes: Its maximum size.

    Returns:
        The object. All its numbers are finite.

    Raises:
        ValueError: Naming the source, if the content is too large, not UTF-8, not JSON (NaN and Infinity are not), too
            deeply nested, not an object, or has a number outside the range of floating-point numbers or the same key
            twice.
    """
    if len(content) > max_bytes:
        raise ValueError(f"{source}: too large for a JSON file of its kind (more than {max_bytes:,} bytes)")
    try:
        text = content if isinstance(content, str) else content.decode("utf-8")
        value = json.loads(text, parse_float=_finite, parse_constant=_finite, object_pairs_hook=_unique_keys)
    except RecursionError:
        raise ValueError(f"{source}: not valid JSON (too deeply nested)") from None
    except ValueError as error:  # including UnicodeDecodeError and integers with too many digits
        raise ValueError(f"{source}: not valid JSON ({error})") from None
    if not isinstance(value, dict):
        raise ValueError(f"{source}: must be a JSON object")
    return value


def _finite(digits: str) -> float:
    number = float(digits)
    if not math.isfinite(number):
        raise ValueError(f"{digits} is not a finite number")
    return number


def _unique_keys(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    values = dict(pairs)
    if len(values) < len(pairs):
        [(key, _)] = Counter(key for key, _ in pairs).most_common(1)
        raise ValueError(f"the key {key!r} occurs twice")
    return values


def _flush(file: Path) -> None:
    """Flush a file to disk, so that the rename never precedes its content."""
    with file.open("rb") as handle:
        os.fsync(handle.fileno())
