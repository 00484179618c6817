"""Where embedded sentences go: HDF5, Parquet, safetensors or npz, one sentence at a time.

    with open_sink("out.h5", "hdf5") as write:
        for sentence in model.embed_stream(lines):
            write(sentence)

The file appears under its name when the block ends without error, and not before. Sentences are numbered
from 0 in the order in which they are written.
"""

import contextlib
import json
import struct
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Protocol, get_args

import h5py
import numpy as np
from numpy.typing import NDArray

from elmo.embed.embedder import EmbeddedSentence
from elmo.embed.options import Format
from elmo.files import FileForHDF5, replacing_file, writing


class Sink(Protocol):
    """Takes sentences until it is closed."""

    def write(self, sentence: EmbeddedSentence) -> None:
        """Add one sentence."""

    def close(self) -> None:
        """Finish the file; ``open_sink`` does it."""


@contextlib.contextmanager
def open_sink(path: str | Path, format: Format, by_layer: bool = True) -> Iterator[Callable[[EmbeddedSentence], None]]:
    """Write to ``path``, all or nothing; gives the function that adds a sentence.

    ``by_layer``: the first axis of the vectors counts the layers.
    """
    if format not in get_args(Format):
        raise ValueError(f"format must be one of {', '.join(get_args(Format))}, not {format!r}")
    with replacing_file(path) as temporary:
        with writing(path):
            sink: Sink
            if format == "hdf5":
                sink = HDF5Sink(temporary)
            elif format == "parquet":
                sink = ParquetSink(temporary, by_layer)
            elif format == "safetensors":
                sink = SafetensorsSink(temporary)
            else:
                sink = NpzSink(temporary)

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
    (the first of equal ones counts, empty ones are left out); ``with_index=False`` leaves the index out.
    """

    def __init__(self, path: Path, by_sentence: bool = False, with_index: bool = True) -> None:
        self._disk = FileForHDF5(path)
        self._file = h5py.File(self._disk, "w")
        self._by_sentence = by_sentence
        self._index: dict[str, str] | None = {} if with_index else None
        self._count = 0

    def write(self, sentence: EmbeddedSentence) -> None:
        """Add one dataset."""
        text = " ".join(sentence.tokens)
        name = text if self._by_sentence else str(self._count)
        if name and name not in self._file:
            self._file.create_dataset(name, data=sentence.layers)
        if self._index is not None:
            self._index[text] = str(self._count)
        self._count += 1
        self._disk.check()

    def close(self) -> None:
        """Write the index and close."""
        with self._disk, self._file:
            if self._index is not None:
                index = self._file.create_dataset("sentence_to_index", (1,), dtype=h5py.string_dtype())
                index[0] = json.dumps(self._index)
        self._disk.check()


class NpzSink:
    """An array "0", "1", ... for each sentence, and ``tokens``: one JSON list of word lists."""

    def __init__(self, path: Path) -> None:
        self._zip = zipfile.ZipFile(path, "w", allowZip64=True)
        self._tokens: list[list[str]] = []

    def write(self, sentence: EmbeddedSentence) -> None:
        """Add one array."""
        self._add(str(len(self._tokens)), sentence.layers)
        self._tokens.append(sentence.tokens)

    def close(self) -> None:
        """Write the words and close."""
        try:
            self._add("tokens", np.array(json.dumps(self._tokens)))
        finally:
            self._zip.close()

    def _add(self, name: str, array: NDArray[Any]) -> None:
        with self._zip.open(f"{name}.npy", "w", force_zip64=True) as member:
            np.lib.format.write_array(member, array, allow_pickle=False)


class SafetensorsSink:
    """A tensor "0", "1", ... for each sentence; the words are in the file's metadata, as JSON.

    The format wants the sizes of all tensors first, so the numbers go to a file beside and are copied
    behind the header at the end.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._numbers = path.with_name(path.name + ".numbers").open("w+b")
        self._header: dict[str, Any] = {}
        self._tokens: list[list[str]] = []

    def write(self, sentence: EmbeddedSentence) -> None:
        """Add one tensor."""
        start = self._numbers.tell()
        self._numbers.write(np.ascontiguousarray(sentence.layers, dtype="<f4").tobytes())
        self._header[str(len(self._tokens))] = {
            "dtype": "F32",
            "shape": list(sentence.layers.shape),
            "data_offsets": [start, self._numbers.tell()],
        }
        self._tokens.append(sentence.tokens)

    def close(self) -> None:
        """Write the header, copy the numbers behind it and close."""
        with self._numbers as numbers:
            header = json.dumps({"__metadata__": {"tokens": json.dumps(self._tokens)}, **self._header}).encode()
            header += b" " * (-len(header) % 8)
            numbers.seek(0)
            with self._path.open("wb") as file:
                file.write(struct.pack("<Q", len(header)) + header)
                while block := numbers.read(1 << 24):
                    file.write(block)
        Path(self._numbers.name).unlink()


class ParquetSink:
    """A row for each sentence: ``index``, ``tokens``, and its vectors.

    All layers stand in columns ``layer_0``, ``layer_1``, ...; a single layer or an average in ``vectors``. A
    cell is a list of vectors, one for each word, or one vector when pooled.
    """

    ROWS_AT_ONCE = 256

    def __init__(self, path: Path, by_layer: bool) -> None:
        try:
            import pyarrow
            import pyarrow.parquet
        except ImportError:
            raise ValueError("Parquet needs an extra: pip install 'elmo-torch[parquet]'") from None
        self._arrow = pyarrow
        self._path = path
        self._by_layer = by_layer
        self._writer: Any = None
        self._rows: list[EmbeddedSentence] = []
        self._count = 0

    def write(self, sentence: EmbeddedSentence) -> None:
        """Add one row."""
        self._rows.append(sentence)
        if len(self._rows) == self.ROWS_AT_ONCE:
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
        words = [[word.encode("utf-8", "replace").decode() for word in row.tokens] for row in rows]
        columns = {
            "index": arrow.array(range(self._count, self._count + len(rows)), arrow.int64()),
            "tokens": arrow.array(words, arrow.list_(arrow.string())),
        }
        if rows and self._by_layer:
            for layer in range(len(rows[0].layers)):
                columns[f"layer_{layer}"] = self._column([row.layers[layer] for row in rows])
        elif rows:
            columns["vectors"] = self._column([row.layers for row in rows])
        table = arrow.table(columns)
        if self._writer is None:
            self._writer = arrow.parquet.ParquetWriter(self._path, table.schema)
        self._writer.write_table(table)
        self._count += len(rows)
        self._rows = []

    def _column(self, cells: list[NDArray[np.float32]]) -> Any:
        """Vectors (D,), or lists of vectors (n, D), as one Arrow array."""
        arrow, dim = self._arrow, cells[0].shape[-1]
        numbers = arrow.array(np.concatenate([cell.reshape(-1) for cell in cells]), arrow.float32())
        vectors = arrow.FixedSizeListArray.from_arrays(numbers, dim)
        if cells[0].ndim == 1:
            return vectors
        offsets = np.cumsum([0, *(len(cell) for cell in cells)], dtype=np.int32)
        return arrow.ListArray.from_arrays(arrow.array(offsets), vectors)
