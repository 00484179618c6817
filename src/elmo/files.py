"""Files that appear under their final name only when they are complete, checksums beside them, and strict JSON.

``replacing_file`` and ``replacing_folder`` write next to the target, so that the last step is a rename within one file
system. If the process is killed or the disk is full, whatever was there before remains. ``write_checksums`` records
what was written, and ``verify_checksums`` notices when it has changed since.

``check_output_file`` and ``check_output_folder`` decide what a command may write to, before it does any work.
"""

import contextlib
import errno
import hashlib
import io
import json
import math
import os
import shutil
import stat
import tempfile
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

CORPUS_FILE = "corpus.json"
"""What is recorded about a corpus; see ``elmo.train.corpus.corpus``."""
RUN_FILE = "run.json"
"""What is recorded about a training run; see ``elmo.train.run``."""
WEIGHTS_FILE = "model.safetensors"
"""The weights of a model or of a finished run."""
CHECKSUMS_FILE = "checksums.json"
"""Size and SHA-256 of the other files in a folder; see ``write_checksums``."""
MAX_JSON_BYTES = 16 << 20
"""Maximum size of a JSON file unless the reader says otherwise. Configurations and records have some kilobytes."""
START_OVER = "delete the folder to start over"
_HASHED_BYTES = 1 << 20


@contextlib.contextmanager
def replacing_file(path: str | Path) -> Iterator[Path]:
    """Provide a temporary path to write to, and move it to ``path`` if the block ends without an error."""
    path = Path(path)
    _check_regular(path)
    with scratch_folder_beside(path) as folder:
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
    _check_folder(path)
    with scratch_folder_beside(path) as folder:
        filled = folder / path.name
        filled.mkdir()
        yield filled
        with writing(path):
            for file in filled.rglob("*"):
                if file.is_file():
                    _flush(file)
            if path.exists() and any(path.iterdir()):
                # The checksums last: they are valid when everything else is in its place.
                for file in sorted(filled.iterdir(), key=lambda file: file.name == CHECKSUMS_FILE):
                    file.replace(path / file.name)
            else:
                filled.replace(path)


def check_output_file(path: str | Path, inputs: Iterable[str | Path | int] = (), *, overwrite: bool = False) -> None:
    """Check that a command may write a file, before it does any work.

    Args:
        path: The file to write.
        inputs: What the command reads: files, folders (all files directly inside them) and open file descriptors. Those
            that do not exist are ignored.
        overwrite: Whether an existing file may be replaced.

    Raises:
        OSError: If the path is a folder, a symbolic link, a device or a pipe, is one of the inputs under any name, or
            exists and ``overwrite`` is false.
    """
    path = Path(path)
    if str(path) == "-":
        raise IsADirectoryError("-: standard output is not supported as an output; name a file")
    _check_regular(path)
    if not path.exists():
        return
    for name in inputs:
        is_folder = not isinstance(name, int) and Path(name).is_dir()
        if any(_is_same(path, file) for file in (Path(str(name)).iterdir() if is_folder else [name])):
            raise FileExistsError(f"{path}: is also read as input; choose another output")
    if not overwrite:
        raise FileExistsError(f"{path}: already exists; use --overwrite (overwrite=True in Python) to replace it")


def check_output_folder(
    path: str | Path,
    kind: str | None = None,
    is_own: Callable[[Path], bool] = lambda folder: False,
    inputs: Iterable[str | Path] = (),
    *,
    overwrite: bool = False,
) -> None:
    """Check that a command may write its files into a folder, before it does any work.

    Args:
        path: The folder to write. A new or empty one is always accepted.
        kind: What the folder will be, for error messages: "an index", say. None if it must be new or empty.
        is_own: Tells whether a folder is of this kind, so that its files may be replaced.
        inputs: Files that the command reads. None may be inside an existing folder.
        overwrite: Whether the files of an existing folder of this kind may be replaced.

    Raises:
        OSError: If the path is not a folder, or contains files that must not be replaced.
    """
    path = Path(path)
    _check_folder(path)
    if not path.exists() or not any(path.iterdir()):
        return
    if kind is None:
        raise FileExistsError(f"{path}: already exists and is not empty; choose another folder")
    if not is_own(path):
        raise FileExistsError(f"{path}: is not empty and not {kind}; choose another folder")
    for name in inputs:
        if path.resolve() in Path(name).resolve().parents:
            raise FileExistsError(f"{name}: is read as input but is inside {path}, which is written to")
    if not overwrite:
        raise FileExistsError(f"{path}: already contains {kind}; use --overwrite to replace it")


_KINDS = {
    stat.S_IFDIR: "a directory",
    stat.S_IFLNK: "a symbolic link",
    stat.S_IFIFO: "a pipe",
    stat.S_IFSOCK: "a socket",
    stat.S_IFCHR: "a device",
    stat.S_IFBLK: "a device",
}


def _check_regular(path: Path) -> None:
    """Check that a path is free or a regular file. Anything else would be lost when a file takes its place."""
    with contextlib.suppress(FileNotFoundError, NotADirectoryError):
        mode = stat.S_IFMT(path.lstat().st_mode)
        if mode != stat.S_IFREG:
            error = IsADirectoryError if mode == stat.S_IFDIR else FileExistsError
            raise error(f"{path}: is {_KINDS.get(mode, 'a special file')}; name a regular file to write")


def _check_folder(path: Path) -> None:
    """Check that a path is free or a folder, which a symbolic link may lead to."""
    if (path.exists() or path.is_symlink()) and not path.is_dir():
        broken = "a broken symbolic link" if path.is_symlink() and not path.exists() else "not a folder"
        raise NotADirectoryError(f"{path}: already exists and is {broken}; choose another folder")


def _is_same(path: Path, other: str | Path | int) -> bool:
    """Return whether two names, or a name and a file descriptor, lead to the same file."""
    try:
        return os.path.samestat(path.stat(), os.fstat(other) if isinstance(other, int) else Path(other).stat())
    except OSError:
        return False


@contextlib.contextmanager
def scratch_folder_beside(path: Path) -> Iterator[Path]:
    """Provide a hidden scratch folder next to ``path``, which is removed at the end.

    A killed process cannot remove its folder, but the next one that writes to ``path`` does: a folder whose lock is
    free belongs to nobody.
    """
    with writing(path):
        path.parent.mkdir(parents=True, exist_ok=True)
        prefix, suffix = f".{path.name}.", ".part"
        remove_abandoned(path.parent, prefix)
    with contextlib.ExitStack() as stack:
        while True:
            with writing(path):
                folder = Path(tempfile.mkdtemp(prefix=prefix, suffix=suffix, dir=path.parent))
            stack.callback(shutil.rmtree, folder, ignore_errors=True)
            # Before it was locked, another process may have taken it for abandoned.
            with contextlib.suppress(BlockingIOError, FileNotFoundError):
                stack.enter_context(lock_folder(folder))
                if folder.exists():
                    break
        yield folder


def remove_abandoned(folder: str | Path, prefix: str = ".") -> None:
    """Remove the scratch folders that killed processes left in a folder, if their names begin with ``prefix``."""
    with os.scandir(folder) as entries:
        left = [entry.path for entry in entries if entry.name.startswith(prefix) and entry.name.endswith(".part")]
    for abandoned in left:
        with contextlib.suppress(OSError), lock_folder(abandoned) as locked:
            if locked:
                shutil.rmtree(abandoned, ignore_errors=True)


@contextlib.contextmanager
def lock_folder(folder: str | Path) -> Iterator[bool]:
    """Lock a folder against other processes. The system releases the lock when the process ends, however it ends.

    Yields:
        False where folders cannot be locked: on Windows and on some network file systems.

    Raises:
        BlockingIOError: If the folder is locked already.
        OSError: If there is no such folder.
    """
    try:
        import fcntl
    except ImportError:
        yield False
        return
    handle = os.open(folder, os.O_RDONLY)
    try:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
            locked = True
        except BlockingIOError:
            raise
        except OSError:
            locked = False
        yield locked
    finally:
        os.close(handle)


def parts_folder(output: Path) -> Path:
    """Return the folder in which a command keeps what it needs to be resumed, until its output is complete."""
    return output.with_name(output.name + ".parts")


def interrupted_run(folder: Path, content: str) -> FileExistsError:
    """Return the error for a ``parts_folder`` with the content of an interrupted run that was not asked for."""
    return FileExistsError(
        f"{folder}: contains {content} of an interrupted run; use --resume (resume=True in Python) to continue it, or "
        f"{START_OVER}"
    )


def damaged_parts(folder: Path, record: str) -> ValueError:
    """Return the error for a ``parts_folder`` without the record that says what its content was made from."""
    return ValueError(f"{folder}: cannot be resumed because {record} is missing or damaged; {START_OVER}")


@contextlib.contextmanager
def only_run_in(folder: Path) -> Iterator[None]:
    """Keep other runs out of a folder.

    Raises:
        ValueError: If another run is at work there.
    """
    with contextlib.ExitStack() as stack:
        try:
            stack.enter_context(lock_folder(folder))
        except BlockingIOError:
            raise ValueError(f"{folder}: another run is writing here; wait for it or choose another output") from None
        yield


@contextlib.contextmanager
def writing(path: str | Path) -> Iterator[None]:
    """Name the output file in errors of the operating system (no space, no permission, ...)."""
    try:
        yield
    except OSError as error:
        # Libraries wrap the reason in their own words; the error number is reliable.
        reason = os.strerror(error.errno) if error.errno else reason_of(error)
        raise OSError(error.errno or errno.EIO, f"cannot be written: {reason}", str(path)) from error


def reason_of(error: Exception) -> str:
    """Return what a library says about a file that it cannot read or write, in one short line."""
    lines = str(error).strip().splitlines() or [type(error).__name__]
    return lines[0] if len(lines[0]) <= 200 else f"{lines[0][:200]}..."


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


def write_json_lines(records: Iterable[dict[str, Any]], path: Path) -> None:
    """Write a file with one JSON object per line. The file appears when it is complete."""
    with replacing_file(path) as scratch, writing(path), scratch.open("w", encoding="utf-8", newline="\n") as file:
        file.writelines(json.dumps(record, ensure_ascii=False) + "\n" for record in records)


def _finite(digits: str) -> float:
    number = float(digits)
    if not math.isfinite(number):
        raise ValueError(f"{digits} is not a finite number")
    return number


def _unique_keys(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    values = dict(pairs)
    if len(values) < len(pairs):
        [(key, _)] = Counter(key for key, _ in pairs).most_common(1)
        raise ValueError(f"the key {key[:60]!r} occurs twice")
    return values


def _flush(file: Path) -> None:
    """Flush a file to disk, so that the rename never precedes its content."""
    with file.open("rb") as handle:
        os.fsync(handle.fileno())
