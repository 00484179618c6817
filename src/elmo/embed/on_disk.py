"""Lists that grow with the input, kept on disk until the output is closed.

HDF5 output ends with an index of all sentences, an npz archive with a directory of all arrays. Neither may
be held in memory when the input has any size. Both live beside the output while it is written, as files that
go away with it.
"""

import contextlib
import errno
import json
import sqlite3
import struct
import zlib
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import BinaryIO

BLOCK = 1 << 20
"""Bytes: what is copied at once."""


def blocks(file: BinaryIO) -> Iterator[bytes]:
    """The whole of a file from its beginning."""
    file.seek(0)
    while block := file.read(BLOCK):
        yield block


class SentenceIndex:
    """A dictionary from sentences to numbers in a small database; the last of equal sentences counts."""

    def __init__(self, path: Path) -> None:
        self._path = path
        with _as_disk_errors():
            self._database = sqlite3.connect(path)
            # A scratch file: nobody reads it after a crash.
            self._database.execute("PRAGMA journal_mode = OFF")
            self._database.execute("PRAGMA synchronous = OFF")
            self._database.execute("CREATE TABLE sentences (sentence TEXT UNIQUE, number INTEGER)")

    def add(self, sentence: str, number: int) -> None:
        """Note one sentence."""
        with _as_disk_errors():
            self._database.execute(
                "INSERT INTO sentences VALUES (?, ?) ON CONFLICT DO UPDATE SET number = excluded.number",
                (json.dumps(sentence), number),  # JSON, for a database takes no lone surrogates
            )

    def as_json(self) -> Iterator[bytes]:
        """One JSON object, in the order in which the sentences were first seen; numbers are text."""
        opening = "{"
        with _as_disk_errors():
            for sentence, number in self._database.execute("SELECT * FROM sentences ORDER BY rowid"):
                yield f'{opening}{sentence}: "{number}"'.encode()
                opening = ", "
        yield b"{}" if opening == "{" else b"}"

    def close(self) -> None:
        """Throw the database away."""
        self._database.close()
        self._path.unlink(missing_ok=True)


@contextlib.contextmanager
def _as_disk_errors() -> Iterator[None]:
    """What can go wrong with a scratch database is the disk."""
    try:
        yield
    except sqlite3.Error as error:
        raise OSError(errno.ENOSPC, str(error)) from error


class StoredZip:
    """A zip archive without compression, written member by member; the directory waits on disk.

    ``zipfile`` would keep an object for every member. All sizes are written in 64 bits, and dates are left
    out, so that equal content gives equal archives.
    """

    _LOCAL = struct.Struct("<4s5H3L2H" + "2H2Q")
    _CENTRAL = struct.Struct("<4s6H3L5H2L")
    _CENTRAL_EXTRA = struct.Struct("<2H3Q")
    _END = struct.Struct("<4sQ2H2L4Q" + "4sLQL" + "4s4H2LH")
    _VERSION, _NO_DATE = 45, (0, 0x21)  # 4.5 brought 64 bits; the first day that the format knows
    _ELSEWHERE = 0xFFFFFFFF  # the size stands in the 64-bit field

    def __init__(self, path: Path) -> None:
        self._file = path.open("wb")
        self._directory_path = path.with_name(path.name + ".directory")
        self._directory = self._directory_path.open("w+b")
        self._count = 0

    def add(self, name: str, content: Iterable[bytes]) -> None:
        """Add one member; its content comes in pieces."""
        start = self._file.tell()
        self._file.write(self._local(name, 0, 0))
        checksum = size = 0
        for piece in content:
            self._file.write(piece)
            checksum = zlib.crc32(piece, checksum)
            size += len(piece)
        end = self._file.tell()
        self._file.seek(start)
        self._file.write(self._local(name, checksum, size))
        self._file.seek(end)
        self._directory.write(self._central(name, checksum, size, start))
        self._count += 1

    def close(self) -> None:
        """Put the directory at the end of the archive."""
        with self._file as file, self._directory as directory:
            start = file.tell()
            for block in blocks(directory):
                file.write(block)
            file.write(self._end(start, file.tell() - start))
        self._directory_path.unlink()

    # The records below follow the fields of the format in their order (PKWARE APPNOTE 4.3).

    def _local(self, name: str, checksum: int, size: int) -> bytes:
        """What stands before a member. The name comes between the fixed fields and the 64-bit sizes."""
        record = self._LOCAL.pack(
            *(b"PK\3\4", self._VERSION, 0, 0, *self._NO_DATE, checksum, self._ELSEWHERE, self._ELSEWHERE),
            *(len(name), 20),
            *(1, 16, size, size),
        )
        return record[:30] + name.encode("ascii") + record[30:]

    def _central(self, name: str, checksum: int, size: int, start: int) -> bytes:
        """The line of a member in the directory."""
        return (
            self._CENTRAL.pack(
                *(b"PK\1\2", self._VERSION, self._VERSION, 0, 0, *self._NO_DATE),
                *(checksum, self._ELSEWHERE, self._ELSEWHERE),
                *(len(name), self._CENTRAL_EXTRA.size, 0, 0, 0, 0, self._ELSEWHERE),
            )
            + name.encode("ascii")
            + self._CENTRAL_EXTRA.pack(1, 24, size, size, start)
        )

    def _end(self, start: int, size: int) -> bytes:
        """Where the directory is: in 64 bits, where that stands, and as old programs want it."""
        few, many = min(self._count, 0xFFFF), self._count
        return self._END.pack(
            *(b"PK\6\6", 44, self._VERSION, self._VERSION, 0, 0, many, many, size, start),
            *(b"PK\6\7", 0, start + size, 1),
            *(b"PK\5\6", 0, 0, few, few, min(size, self._ELSEWHERE), min(start, self._ELSEWHERE), 0),
        )
