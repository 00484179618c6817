"""Where embedded sentences go: HDF5, Parquet, safetensors or npz, one sentence at a time.

    with open_sink("out.h5", "hdf5") as write:
        for sentence in model.embed_stream(lines):
            write(sentence)

The file appears under its name when the block ends without error, and not before. Sentences are numbered
from 0 in the order in which they are written. What grows with the number of sentences stays on disk
(``elmo.embed.on_disk``), so that memory does not depend on the size of the input.
"""

import contextlib
import io
import json
import struct
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any, BinaryIO, Protocol, get_args

import h5py
import numpy as np
from numpy.typing import NDArray

from elmo.config import Format
from elmo.embed.on_disk import SentenceIndex, StoredZip, blocks
from elmo.embed.select import EmbeddedSentence
from elmo.files import FileForHDF5, replacing_file, writing


class Sink(Protocol):
    """Takes sentences until it is closed."""

    def write(self, sentence: EmbeddedSentence) -> None:
        """Add one sentence."""

    def close(self) -> None:
        """Finish the file; ``open_sink`` does it."""


@contextlib.contextmanager
def open_sink(
    path: str | Path, format: Format, by_layer: bool = True, first: int = 0
) -> Iterator[Callable[[EmbeddedSentence], None]]:
    """Write to ``path``, all or nothing; gives the function that adds a sentence.

    ``by_layer``: the first axis of the vectors counts the layers. ``first``: the number of the first sentence.
    """
    if format not in get_args(Format):
        raise ValueError(f"format must be one of {', '.join(get_args(Format))}, not {format!r}")
    with replacing_file(path) as temporary:
        with writing(path):
            sink: Sink
            if format == "hdf5":
                sink = HDF5Sink(temporary, first=first)
            elif format == "parquet":
                sink = ParquetSink(temporary, by_layer, first)
            elif format == "safetensors":
                sink = SafetensorsSink(temporary, first)
            else:
                sink = NpzSink(temporary, first)

        def write(sentence: EmbeddedSentence) -> None:
            with writing(path):  # errors name the final path, not the temporary one
                sink.write(sentence)

        try:
            yield write
        except BaseException:
            with contextlib.suppress(Exception):  # the first error is the one to tell
                sink.close()
            raise
        with writing(path):
            sink.close()


class HDF5Sink:
    """AllenNLP's layout: a dataset "0", "1", ... for each sentence, and ``sentence_to_index``.

    ``sentence_to_index`` is one JSON object from each sentence (words joined by a space) to its number as
    text; of equal sentences the last one counts. ``by_sentence`` names the datasets by the sentences instead
    (the first of equal ones counts, empty ones are left out); ``with_index=False`` leaves the index out, and so
    does an index of more than 4 GiB, which no string in HDF5 can hold.
    """

    _LONGEST_STRING = (1 << 32) - 1

    def __init__(self, path: Path, by_sentence: bool = False, with_index: bool = True, first: int = 0) -> None:
        self._disk = FileForHDF5(path)
        self._file = h5py.File(self._disk, "w")
        self._by_sentence = by_sentence
        self._scratch = path.with_name(path.name + ".sentences")
        self._index = SentenceIndex(self._scratch) if with_index else None
        self._next = first

    def write(self, sentence: EmbeddedSentence) -> None:
        """Add one dataset."""
        text = " ".join(sentence.tokens)
        name = text if self._by_sentence else str(self._next)
        if name and name not in self._file:
            self._file.create_dataset(name, data=sentence.layers)
        if self._index is not None:
            self._index.add(text, self._next)
        self._next += 1
        self._disk.check()

    def close(self) -> None:
        """Write the index and close."""
        with self._disk, self._file:
            if self._index is not None:
                try:
                    self._write_index(self._index)
                finally:
                    self._index.close()
        self._disk.check()

    def _write_index(self, index: SentenceIndex) -> None:
        """HDF5 writes a string from memory in one go, so only its place is made there; we fill it ourselves."""
        length = sum(map(len, index.as_json()))
        if length > self._LONGEST_STRING:
            return
        kind = h5py.h5t.C_S1.copy()
        kind.set_size(length)
        kind.set_cset(h5py.h5t.CSET_UTF8)
        place = h5py.h5p.create(h5py.h5p.DATASET_CREATE)
        place.set_layout(h5py.h5d.CONTIGUOUS)
        place.set_alloc_time(h5py.h5d.ALLOC_TIME_EARLY)
        place.set_fill_time(h5py.h5d.FILL_TIME_NEVER)
        place.set_obj_track_times(False)  # equal content gives equal files
        dataset = h5py.h5d.create(self._file.id, b"sentence_to_index", kind, h5py.h5s.create_simple((1,)), place)
        self._file.flush()
        self._disk.seek(dataset.get_offset())
        for piece in index.as_json():
            self._disk.write(piece)


class NpzSink:
    """An array "0", "1", ... for each sentence, and ``tokens``: one JSON list of word lists."""

    def __init__(self, path: Path, first: int = 0) -> None:
        self._zip = StoredZip(path)
        self._tokens_path = path.with_name(path.name + ".tokens")
        self._tokens = self._tokens_path.open("w+b")
        self._tokens.write(b"[")
        self._next = self._first = first

    def write(self, sentence: EmbeddedSentence) -> None:
        """Add one array."""
        array = io.BytesIO()
        np.lib.format.write_array(array, sentence.layers, allow_pickle=False)
        self._zip.add(f"{self._next}.npy", [array.getvalue()])
        self._tokens.write(_listed(sentence.tokens, self._next == self._first))
        self._next += 1

    def close(self) -> None:
        """Write the words and close."""
        try:
            with self._tokens as tokens:
                tokens.write(b"]")
                self._zip.add("tokens.npy", _string_array(tokens))
        finally:
            self._zip.close()
        self._tokens_path.unlink()


def _listed(tokens: list[str], is_first: bool) -> bytes:
    """The words of one sentence as a member of a JSON list; JSON without other characters than ASCII."""
    return (("" if is_first else ", ") + json.dumps(tokens)).encode("ascii")


def _string_array(ascii_file: BinaryIO) -> Iterator[bytes]:
    """A file as NumPy writes one string: a header, then four bytes a character."""
    header = io.BytesIO()
    kind = {"descr": f"<U{ascii_file.tell()}", "fortran_order": False, "shape": ()}
    np.lib.format.write_array_header_1_0(header, kind)
    yield header.getvalue()
    for block in blocks(ascii_file):
        yield np.frombuffer(block, np.uint8).astype("<u4").tobytes()


class SafetensorsSink:
    """A tensor "0", "1", ... for each sentence; the words are in the file's metadata, as JSON.

    The format wants the sizes of all tensors first, so the numbers go to a file beside and are copied
    behind the header at the end.
    """

    LONGEST_HEADER = 100_000_000
    """Bytes: readers of the format refuse more."""

    def __init__(self, path: Path, first: int = 0) -> None:
        self._path = path
        self._numbers = path.with_name(path.name + ".numbers").open("w+b")
        self._tokens = bytearray(b'{"__metadata__": {"tokens": "[')
        self._sizes = bytearray(b']"}')
        self._next = self._first = first

    def write(self, sentence: EmbeddedSentence) -> None:
        """Add one tensor."""
        start = self._numbers.tell()
        self._numbers.write(np.ascontiguousarray(sentence.layers, dtype="<f4").data)
        size = {"dtype": "F32", "shape": sentence.layers.shape, "data_offsets": [start, self._numbers.tell()]}
        self._sizes += f', "{self._next}": {json.dumps(size)}'.encode("ascii")
        # JSON within a JSON string: quotation marks and backslashes are escaped once more.
        self._tokens += _listed(sentence.tokens, self._next == self._first).replace(b"\\", rb"\\").replace(b'"', rb"\"")
        self._next += 1
        if len(self._tokens) + len(self._sizes) > self.LONGEST_HEADER - 8:
            raise ValueError(
                f"safetensors has {self.LONGEST_HEADER:,} bytes for all words of a file, which are used up after "
                f"{self._next - self._first:,} sentences; take another format, or several files"
            )

    def close(self) -> None:
        """Write the header, copy the numbers behind it and close."""
        with self._numbers as numbers:
            header = self._tokens + self._sizes + b"}"
            header += b" " * (-len(header) % 8)
            with self._path.open("wb") as file:
                file.write(struct.pack("<Q", len(header)) + header)
                for block in blocks(numbers):
                    file.write(block)
        Path(self._numbers.name).unlink()


def read_safetensors(path: Path) -> Iterator[EmbeddedSentence]:
    """The sentences of a file that ``SafetensorsSink`` wrote, one at a time and without mapping it into memory."""
    with path.open("rb") as file:
        (length,) = struct.unpack("<Q", file.read(8))
        header = json.loads(file.read(length))
        tokens = json.loads(header.pop("__metadata__")["tokens"])
        for words, size in zip(tokens, header.values(), strict=True):
            start, stop = size["data_offsets"]
            yield EmbeddedSentence(words, np.frombuffer(file.read(stop - start), "<f4").reshape(size["shape"]))


class ParquetSink:
    """A row for each sentence: ``index``, ``tokens``, and its vectors.

    All layers stand in columns ``layer_0``, ``layer_1``, ...; a single layer or an average in ``vectors``. A
    cell is a list of vectors, one for each word, or one vector when pooled.
    """

    BYTES_AT_ONCE = 32 << 20
    """A row group is written when its vectors take so much."""
    ROWS_AT_ONCE = 1 << 16

    def __init__(self, path: Path, by_layer: bool, first: int = 0) -> None:
        self._arrow = _pyarrow()
        self._path = path
        self._by_layer = by_layer
        self._writer: Any = None
        self._rows: list[EmbeddedSentence] = []
        self._bytes = 0
        self._next = first

    def write(self, sentence: EmbeddedSentence) -> None:
        """Add one row."""
        self._rows.append(sentence)
        self._bytes += sentence.layers.nbytes
        if self._bytes >= self.BYTES_AT_ONCE or len(self._rows) == self.ROWS_AT_ONCE:
            self._flush()

    def close(self) -> None:
        """Write what is left and close."""
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
            "tokens": self._words([row.tokens for row in rows]),
        }
        if rows and self._by_layer:
            for layer in range(len(rows[0].layers)):
                columns[f"layer_{layer}"] = self._column([row.layers[layer] for row in rows])
        elif rows:
            columns["vectors"] = self._column([row.layers for row in rows])
        table = arrow.table(columns)
        if self._writer is None:
            self._writer = _parquet_writer(self._path, table.schema)
        self._writer.write_table(table)
        self._next += len(rows)
        self._rows, self._bytes = [], 0

    def _words(self, sentences: list[list[str]]) -> Any:
        kind = self._arrow.list_(self._arrow.string())
        try:
            return self._arrow.array(sentences, kind)
        except UnicodeEncodeError:  # a lone surrogate, which UTF-8 cannot hold
            return self._arrow.array([[w.encode("utf-8", "replace").decode() for w in s] for s in sentences], kind)

    def _column(self, cells: list[NDArray[np.float32]]) -> Any:
        """Vectors (D,), or lists of vectors (n, D), as one Arrow array."""
        arrow, dim = self._arrow, cells[0].shape[-1]
        numbers = arrow.array(np.concatenate([cell.reshape(-1) for cell in cells]), arrow.float32())
        vectors = arrow.FixedSizeListArray.from_arrays(numbers, dim)
        if cells[0].ndim == 1:
            return vectors
        offsets = np.cumsum([0, *(len(cell) for cell in cells)], dtype=np.int32)
        return arrow.ListArray.from_arrays(arrow.array(offsets), vectors)


def join_parquet(parts: Iterable[Path], path: Path) -> None:
    """One file of the rows of several (at least one), all or nothing. They are copied in groups, as columns."""
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
    """Words repeat and are kept in a dictionary; vectors do not, and nobody asks for their extremes."""
    words = ["tokens.list.element"]
    return _pyarrow().parquet.ParquetWriter(path, schema, use_dictionary=words, write_statistics=["index"])


def _pyarrow() -> Any:
    try:
        import pyarrow
        import pyarrow.parquet
    except ImportError:
        raise ValueError("Parquet needs an extra: pip install 'elmo-torch[parquet]'") from None
    return pyarrow
