"""Write embedded sentences to HDF5, Parquet, safetensors or npz files, one sentence at a time.

    with open_sink("out.h5", "hdf5") as write:
        for sentence in model.embed_stream(lines):
            write(sentence)

The file appears under its name when the block ends without an error, never earlier. Sentences are numbered in the
order in which they are written. Everything that grows with the number of sentences is kept on disk, so that memory
does not depend on the size of the input.
"""

import contextlib
import errno
import io
import itertools
import json
import math
import sqlite3
import struct
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any, BinaryIO, Protocol, get_args

import h5py
import numpy as np
from numpy.typing import NDArray

from elmo.config import Format
from elmo.embed.select import EmbeddedSentence
from elmo.embed.uncompressed_zip import UncompressedZip, blocks
from elmo.files import FileForHDF5, replacing_file, writing

MAX_SAFETENSORS_HEADER = 100_000_000
"""Maximum size in bytes of a safetensors header that readers of the format accept."""

MAX_HDF5_STRING = (1 << 32) - 1
"""Maximum length in bytes of a string in an HDF5 file."""


class Sink(Protocol):
    """A file that sentences are added to."""

    def write(self, sentence: EmbeddedSentence) -> None:
        """Add one sentence."""

    def close(self) -> None:
        """Complete the file and close it."""


@contextlib.contextmanager
def open_sink(
    path: str | Path, format: Format, by_layer: bool = True, first: int = 0, **options: Any
) -> Iterator[Callable[[EmbeddedSentence], None]]:
    """Open a file for embedded sentences; it appears only if the block ends without an error.

    Args:
        path: File to write.
        format: "hdf5", "parquet", "safetensors" or "npz".
        by_layer: Whether the first axis of the vectors is the layer, as with ``layers="all"``.
        first: Number of the first sentence.
        options: Further arguments of the sink class, such as ``rows_per_group`` of ``ParquetSink``.

    Yields:
        A function that adds one sentence.

    Raises:
        ValueError: If the format is unknown or needs a package that is not installed.
        OSError: If the file cannot be written.
    """
    if format not in get_args(Format):
        raise ValueError(f"format must be one of {', '.join(get_args(Format))}, not {format!r}")
    with replacing_file(path) as temporary:
        with writing(path):
            sink: Sink
            if format == "hdf5":
                sink = HDF5Sink(temporary, first=first, **options)
            elif format == "parquet":
                sink = ParquetSink(temporary, by_layer, first, **options)
            elif format == "safetensors":
                sink = SafetensorsSink(temporary, by_layer, first, **options)
            else:
                sink = NpzSink(temporary, by_layer, first, **options)

        def write(sentence: EmbeddedSentence) -> None:
            with writing(path):  # errors name the final path, not the temporary one
                sink.write(sentence)

        try:
            yield write
        except BaseException:
            with contextlib.suppress(Exception):  # report the first error, not what follows from it
                sink.close()
            raise
        with writing(path):
            sink.close()


class HDF5Sink:
    """The layout that AllenNLP writes: one dataset "0", "1", ... per sentence, and ``sentence_to_index``.

    ``sentence_to_index`` is one JSON object that maps each sentence (its words joined by spaces) to its number as a
    string; among equal sentences the last one wins, as in AllenNLP.

    Args:
        path: File to write.
        by_sentence: Whether to name the datasets after the sentences instead. Then the first of equal sentences wins,
            and empty sentences are left out.
        with_index: Whether to write ``sentence_to_index``.
        first: Number of the first sentence.
        max_index: Maximum size of the index in bytes. A longer index is left out.
    """

    def __init__(
        self,
        path: Path,
        by_sentence: bool = False,
        with_index: bool = True,
        first: int = 0,
        max_index: int = MAX_HDF5_STRING,
    ) -> None:
        with contextlib.ExitStack() as opened:
            self._disk = opened.enter_context(FileForHDF5(path))
            self._file = opened.enter_context(h5py.File(self._disk, "w"))
            self._index = SentenceIndex(path.with_name(path.name + ".sentences")) if with_index else None
            opened.pop_all()  # from here on, ``close`` closes them
        self._by_sentence = by_sentence
        self._max_index = max_index
        self._next = first
        self._properties = h5py.h5p.create(h5py.h5p.DATASET_CREATE)
        self._properties.set_obj_track_times(False)  # equal content gives equal files

    def write(self, sentence: EmbeddedSentence) -> None:
        """Add one dataset."""
        text = " ".join(sentence.tokens)
        if not self._by_sentence:
            self._create(str(self._next).encode(), sentence.layers)
        elif text and text not in self._file:
            self._file.create_dataset(text, data=sentence.layers)
        if self._index is not None:
            self._index.add(text, self._next)
        self._next += 1
        self._disk.check()

    def _create(self, name: bytes, vectors: NDArray[np.float32]) -> None:
        """Do what ``h5py.Group.create_dataset`` does, in a fifth of the time: an input may have millions of lines."""
        space = h5py.h5s.create_simple(vectors.shape)
        dataset = h5py.h5d.create(self._file.id, name, h5py.h5t.IEEE_F32LE, space, self._properties)
        if vectors.size:
            dataset.write(h5py.h5s.ALL, h5py.h5s.ALL, np.ascontiguousarray(vectors, np.float32))

    def close(self) -> None:
        """Write the index and close the file."""
        with self._disk, self._file:
            if self._index is not None:
                try:
                    self._write_index(self._index)
                finally:
                    self._index.close()
        self._disk.check()

    def _write_index(self, index: "SentenceIndex") -> None:
        """Allocate the string through HDF5 and write its bytes directly: HDF5 would need all of it in memory."""
        length = sum(map(len, index.as_json()))
        if length > self._max_index:
            return
        kind = h5py.h5t.C_S1.copy()
        kind.set_size(length)
        kind.set_cset(h5py.h5t.CSET_UTF8)
        properties = h5py.h5p.create(h5py.h5p.DATASET_CREATE)
        properties.set_layout(h5py.h5d.CONTIGUOUS)
        properties.set_alloc_time(h5py.h5d.ALLOC_TIME_EARLY)
        properties.set_fill_time(h5py.h5d.FILL_TIME_NEVER)
        properties.set_obj_track_times(False)  # equal content gives equal files
        dataset = h5py.h5d.create(self._file.id, b"sentence_to_index", kind, h5py.h5s.create_simple((1,)), properties)
        self._file.flush()
        self._disk.seek(dataset.get_offset())
        for piece in index.as_json():
            self._disk.write(piece)


class SentenceIndex:
    """A dictionary from sentences to their numbers, kept in a temporary database; the last of equal sentences wins."""

    def __init__(self, path: Path) -> None:
        self._path = path
        with _database_errors():
            self._database = sqlite3.connect(path)
            # The file is temporary, so it need not survive a crash.
            self._database.execute("PRAGMA journal_mode = OFF")
            self._database.execute("PRAGMA synchronous = OFF")
            self._database.execute("CREATE TABLE sentences (sentence TEXT UNIQUE, number INTEGER)")

    def add(self, sentence: str, number: int) -> None:
        """Add one sentence."""
        with _database_errors():
            self._database.execute(
                "INSERT INTO sentences VALUES (?, ?) ON CONFLICT DO UPDATE SET number = excluded.number",
                (json.dumps(sentence), number),  # as JSON, because SQLite rejects lone surrogates
            )

    def as_json(self) -> Iterator[bytes]:
        """Yield the pieces of one JSON object, with sentences in the order in which they were first added."""
        separator = "{"
        with _database_errors():
            for sentence, number in self._database.execute("SELECT * FROM sentences ORDER BY rowid"):
                yield f'{separator}{sentence}: "{number}"'.encode()
                separator = ", "
        yield b"{}" if separator == "{" else b"}"

    def close(self) -> None:
        """Delete the database."""
        self._database.close()
        self._path.unlink(missing_ok=True)


@contextlib.contextmanager
def _database_errors() -> Iterator[None]:
    """Report errors of a temporary database as what they are: a full or failing disk."""
    try:
        yield
    except sqlite3.Error as error:
        raise OSError(errno.ENOSPC, str(error)) from error


class NpzSink:
    """One array "0", "1", ... per sentence, and ``tokens``: one JSON list with the words of each sentence.

    If the words are pooled, there is one array ``vectors`` instead, with one row per sentence: (sentences, D), or
    (sentences, L+1, D) with all layers. Its header comes first and needs the number of rows, so they are written to a
    temporary file and copied at the end.

    Args:
        path: File to write.
        by_layer: Whether the first axis of the vectors of a sentence is the layer.
        first: Number of the first sentence.
    """

    def __init__(self, path: Path, by_layer: bool = True, first: int = 0) -> None:
        self._tokens_path, self._rows_path = (path.with_name(path.name + suffix) for suffix in (".tokens", ".rows"))
        with contextlib.ExitStack() as opened:
            self._tokens = opened.enter_context(self._tokens_path.open("w+b"))
            self._rows = opened.enter_context(self._rows_path.open("w+b"))
            self._tokens.write(b"[")
            self._zip = UncompressedZip(path)
            opened.pop_all()  # from here on, ``close`` closes it
        self._by_layer = by_layer
        self._row: tuple[int, ...] = ()
        """Shape of the pooled vectors of a sentence, if they are pooled."""
        self._next = self._first = first

    def write(self, sentence: EmbeddedSentence) -> None:
        """Add one array, or one row."""
        array = np.ascontiguousarray(sentence.layers, "<f4")
        content = array.data.cast("B") if array.size else b""
        if _is_pooled(sentence, self._by_layer):
            self._row = array.shape
            self._rows.write(content)
        else:
            self._zip.add(f"{self._next}.npy", [_array_header("<f4", array.shape), content])
        self._tokens.write(_list_item(sentence.tokens, self._next == self._first))
        self._next += 1

    def close(self) -> None:
        """Write the words and close the file."""
        try:
            with self._tokens as tokens, self._rows as rows:
                if self._row:
                    header = _array_header("<f4", (self._next - self._first, *self._row))
                    self._zip.add("vectors.npy", itertools.chain([header], blocks(rows)))
                tokens.write(b"]")
                self._zip.add("tokens.npy", _string_array(tokens))
        finally:
            self._zip.close()
        self._tokens_path.unlink()
        self._rows_path.unlink()


def _is_pooled(sentence: EmbeddedSentence, by_layer: bool) -> bool:
    """Return whether a sentence has a single vector (per layer) instead of one for each of its words."""
    return sentence.layers.ndim == 1 + by_layer


def _array_header(kind: str, shape: tuple[int, ...]) -> bytes:
    """Return what NumPy writes before the values of an array."""
    header = io.BytesIO()
    np.lib.format.write_array_header_1_0(header, {"descr": kind, "fortran_order": False, "shape": shape})
    return header.getvalue()


def _list_item(tokens: list[str], is_first: bool) -> bytes:
    """Return the words of one sentence as an item of a JSON list, in ASCII."""
    return (("" if is_first else ", ") + json.dumps(tokens)).encode("ascii")


def _string_array(ascii_file: BinaryIO) -> Iterator[bytes]:
    """Yield the content of a file as NumPy stores a string: a header, then four bytes per character."""
    yield _array_header(f"<U{ascii_file.tell()}", ())
    for block in blocks(ascii_file):
        yield np.frombuffer(block, np.uint8).astype("<u4").tobytes()


class SafetensorsSink:
    """One tensor "0", "1", ... per sentence; the metadata of the file contains the words as JSON.

    If the words are pooled, there is one tensor ``vectors`` instead, with one row per sentence, as in ``NpzSink``.

    The header comes first and needs the sizes of all tensors, so the values are written to a temporary file and
    copied at the end.

    Args:
        path: File to write.
        by_layer: Whether the first axis of the vectors of a sentence is the layer.
        first: Number of the first sentence.
        max_header: Maximum size of the header in bytes.
    """

    def __init__(
        self, path: Path, by_layer: bool = True, first: int = 0, max_header: int = MAX_SAFETENSORS_HEADER
    ) -> None:
        self._path = path
        self._by_layer = by_layer
        self._row: tuple[int, ...] = ()
        """Shape of the pooled vectors of a sentence, if they are pooled."""
        self._values = path.with_name(path.name + ".values").open("w+b")
        self._tokens = bytearray(b'{"__metadata__": {"tokens": "[')
        self._tensors = bytearray(b']"}')
        self._max_header = max_header
        self._next = self._first = first

    def write(self, sentence: EmbeddedSentence) -> None:
        """Add one tensor, or one row."""
        start = self._values.tell()
        self._values.write(np.ascontiguousarray(sentence.layers, dtype="<f4").data)
        if _is_pooled(sentence, self._by_layer):
            self._row = sentence.layers.shape
        else:
            self._add_tensor(str(self._next), sentence.layers.shape, start)
        # The list is JSON within a JSON string, so quotation marks and backslashes are escaped once more.
        item = _list_item(sentence.tokens, self._next == self._first)
        self._tokens += item.replace(b"\\", rb"\\").replace(b'"', rb"\"")
        self._next += 1
        if len(self._tokens) + len(self._tensors) > self._max_header - 8:
            raise ValueError(
                f"a safetensors header can hold {self._max_header:,} bytes, which were reached after "
                f"{self._next - self._first:,} sentences; use another format or several files"
            )

    def close(self) -> None:
        """Write the header, append the values and close the file."""
        with self._values as values:
            if self._row:
                self._add_tensor("vectors", (self._next - self._first, *self._row), 0)
            header = self._tokens + self._tensors + b"}"
            header += b" " * (-len(header) % 8)
            with self._path.open("wb") as file:
                file.write(struct.pack("<Q", len(header)) + header)
                for block in blocks(values):
                    file.write(block)
        Path(self._values.name).unlink()

    def _add_tensor(self, name: str, shape: tuple[int, ...], start: int) -> None:
        """Describe a tensor whose values end where the file ends now."""
        tensor = {"dtype": "F32", "shape": shape, "data_offsets": [start, self._values.tell()]}
        self._tensors += f', "{name}": {json.dumps(tensor)}'.encode("ascii")


def read_safetensors(path: Path) -> Iterator[EmbeddedSentence]:
    """Yield the sentences of a file written by ``SafetensorsSink``, without mapping the file into memory."""
    with path.open("rb") as file:
        (length,) = struct.unpack("<Q", file.read(8))
        header = json.loads(file.read(length))
        tokens = json.loads(header.pop("__metadata__")["tokens"])
        pooled = header.get("vectors")
        shapes = [pooled["shape"][1:]] * len(tokens) if pooled else [tensor["shape"] for tensor in header.values()]
        for words, shape in zip(tokens, shapes, strict=True):
            yield EmbeddedSentence(words, np.frombuffer(file.read(4 * math.prod(shape)), "<f4").reshape(shape))


class ParquetSink:
    """One row per sentence, with the columns ``index``, ``tokens`` and its vectors.

    With all layers, the columns are ``layer_0``, ``layer_1``, ...; a single layer or an average is in ``vectors``. A
    cell is a list with one vector per word, or a single vector if the words are pooled.

    Args:
        path: File to write.
        by_layer: Whether the first axis of the vectors is the layer.
        first: Number of the first sentence.
        rows_per_group: Maximum number of rows in a row group.
        bytes_per_group: Size of the vectors, in bytes, at which a row group is written.
    """

    def __init__(
        self, path: Path, by_layer: bool, first: int = 0, rows_per_group: int = 1 << 16, bytes_per_group: int = 32 << 20
    ) -> None:
        self._arrow = _pyarrow()
        self._path = path
        self._by_layer = by_layer
        self._rows_per_group = rows_per_group
        self._bytes_per_group = bytes_per_group
        self._writer: Any = None
        self._rows: list[EmbeddedSentence] = []
        self._bytes = 0
        self._next = first

    def write(self, sentence: EmbeddedSentence) -> None:
        """Add one row."""
        self._rows.append(sentence)
        self._bytes += sentence.layers.nbytes
        if self._bytes >= self._bytes_per_group or len(self._rows) == self._rows_per_group:
            self._flush()

    def close(self) -> None:
        """Write the last row group and close the file."""
        try:
            if self._rows or self._writer is None:
                self._flush()
        finally:
            if self._writer is not None:
                self._writer.close()

    def _flush(self) -> None:
        arrow, rows = self._arrow, self._rows
        columns = {
            "index": arrow.array(np.arange(self._next, self._next + len(rows))),
            "tokens": self._token_column([row.tokens for row in rows]),
        }
        if rows and self._by_layer:
            for layer in range(len(rows[0].layers)):
                columns[f"layer_{layer}"] = self._vector_column([row.layers[layer] for row in rows])
        elif rows:
            columns["vectors"] = self._vector_column([row.layers for row in rows])
        table = arrow.table(columns)
        if self._writer is None:
            self._writer = _parquet_writer(self._path, table.schema)
        self._writer.write_table(table)
        self._next += len(rows)
        self._rows, self._bytes = [], 0

    def _token_column(self, sentences: list[list[str]]) -> Any:
        kind = self._arrow.list_(self._arrow.string())
        try:
            return self._arrow.array(sentences, kind)
        except UnicodeEncodeError:  # a lone surrogate, which UTF-8 cannot represent
            return self._arrow.array([[w.encode("utf-8", "replace").decode() for w in s] for s in sentences], kind)

    def _vector_column(self, cells: list[NDArray[np.float32]]) -> Any:
        """Convert cells of one vector (D,) or of several vectors (n, D) to one Arrow array."""
        arrow, dim = self._arrow, cells[0].shape[-1]
        values = arrow.array(np.concatenate([cell.reshape(-1) for cell in cells]), arrow.float32())
        vectors = arrow.FixedSizeListArray.from_arrays(values, dim)
        if cells[0].ndim == 1:
            return vectors
        offsets = np.cumsum([0, *(len(cell) for cell in cells)], dtype=np.int32)
        return arrow.ListArray.from_arrays(arrow.array(offsets), vectors)


def join_parquet(parts: Iterable[Path], path: Path) -> None:
    """Concatenate Parquet files (at least one); the result appears only when it is complete."""
    parquet = _pyarrow().parquet
    with replacing_file(path) as temporary, writing(path), contextlib.ExitStack() as stack:
        writer: Any = None
        for part in parts:
            with parquet.ParquetFile(part) as file:
                if writer is None:
                    writer = stack.enter_context(_parquet_writer(temporary, file.schema_arrow))
                for group in range(file.num_row_groups):
                    writer.write_table(file.read_row_group(group))


def _parquet_writer(path: Path, schema: Any) -> Any:
    """Use a dictionary for the words, which repeat. Dictionaries and statistics of vectors would be useless."""
    words = ["tokens.list.element"]
    return _pyarrow().parquet.ParquetWriter(path, schema, use_dictionary=words, write_statistics=["index"])


def _pyarrow() -> Any:
    try:
        import pyarrow
        import pyarrow.parquet
    except ImportError:
        raise ValueError("Parquet files need an extra package: pip install 'elmo-torch[parquet]'") from None
    return pyarrow
