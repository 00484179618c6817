"""Zip archives of any number of members, written with little memory."""

import contextlib
import struct
import zlib
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import BinaryIO


class UncompressedZip:
    """A zip archive without compression, whose directory is kept on disk until the archive is closed.

    ``zipfile`` would keep an object in memory for every member. All sizes are 64-bit, and there are no dates, so that
    equal content gives equal archives.
    """

    _LOCAL = struct.Struct("<4s5H3L2H" + "2H2Q")
    _CENTRAL = struct.Struct("<4s6H3L5H2L")
    _CENTRAL_EXTRA = struct.Struct("<2H3Q")
    _END = struct.Struct("<4sQ2H2L4Q" + "4sLQL" + "4s4H2LH")
    _VERSION, _NO_DATE = 45, (0, 0x21)  # version 4.5 introduced 64-bit sizes; the earliest date of the format
    _IN_EXTRA = 0xFFFFFFFF  # the value is in the 64-bit field instead

    def __init__(self, path: Path) -> None:
        self._directory_path = path.with_name(path.name + ".directory")
        with contextlib.ExitStack() as opened:
            self._file = opened.enter_context(path.open("wb"))
            self._directory = opened.enter_context(self._directory_path.open("w+b"))
            opened.pop_all()  # from here on, ``close`` closes them
        self._count = 0

    def add(self, name: str, content: Iterable[bytes | memoryview]) -> None:
        """Add one member, whose content is given in pieces."""
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
        """Append the directory and close the archive."""
        with self._file as file, self._directory as directory:
            start = file.tell()
            for block in blocks(directory):
                file.write(block)
            file.write(self._end(start, file.tell() - start))
        self._directory_path.unlink()

    # The records below have the fields of the format in their order (PKWARE APPNOTE 4.3).

    def _local(self, name: str, checksum: int, size: int) -> bytes:
        """The header of a member; the name is between the fixed fields and the 64-bit sizes."""
        record = self._LOCAL.pack(
            *(b"PK\3\4", self._VERSION, 0, 0, *self._NO_DATE, checksum, self._IN_EXTRA, self._IN_EXTRA),
            *(len(name), 20),
            *(1, 16, size, size),
        )
        return record[:30] + name.encode("ascii") + record[30:]

    def _central(self, name: str, checksum: int, size: int, start: int) -> bytes:
        """The entry of a member in the directory."""
        return (
            self._CENTRAL.pack(
                *(b"PK\1\2", self._VERSION, self._VERSION, 0, 0, *self._NO_DATE),
                *(checksum, self._IN_EXTRA, self._IN_EXTRA),
                *(len(name), self._CENTRAL_EXTRA.size, 0, 0, 0, 0, self._IN_EXTRA),
            )
            + name.encode("ascii")
            + self._CENTRAL_EXTRA.pack(1, 24, size, size, start)
        )

    def _end(self, start: int, size: int) -> bytes:
        """The 64-bit end of the directory, its locator, and the end of the directory for older programs."""
        count, short_count = self._count, min(self._count, 0xFFFF)
        return self._END.pack(
            *(b"PK\6\6", 44, self._VERSION, self._VERSION, 0, 0, count, count, size, start),
            *(b"PK\6\7", 0, start + size, 1),
            *(b"PK\5\6", 0, 0, short_count, short_count, min(size, self._IN_EXTRA), min(start, self._IN_EXTRA), 0),
        )


def blocks(file: BinaryIO) -> Iterator[bytes]:
    """Yield a file from its beginning in blocks of one megabyte."""
    file.seek(0)
    while block := file.read(1 << 20):
        yield block
