"""The tokenized blocks of a text on disk, so that an interrupted ``elmo prepare`` can be resumed.

    CORPUS.parts/
        tokenizer.json   the tokenizer and its version, so that blocks of different tokenizers are never mixed
        blocks           the tokenized blocks, one after another

A block is found by the hash of its text. Whatever has changed since, files, their order or repetitions, each block of
the text is the one that was tokenized before or is tokenized again. A block that was being written when the process was
killed, or that is damaged, is dropped with all that follow it.

Tokenizing takes most of the time; all that follows is repeated. The file takes 2 to 3 bytes per word.
"""

import contextlib
import hashlib
import importlib.metadata
import json
import os
import struct
from collections.abc import Iterator
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple

import numpy as np

from elmo import __version__
from elmo.config import TokenizerName
from elmo.files import (
    START_OVER,
    damaged_parts,
    interrupted_run,
    only_run_in,
    parts_folder,
    read_json_object,
    remove_abandoned,
    writing,
)

TOKENIZER_FILE = "tokenizer.json"
BLOCKS_FILE = "blocks"
_DIGEST_BYTES = 16
_HEADER = struct.Struct(f"<{_DIGEST_BYTES}s{_DIGEST_BYTES}s4Q")
"""Hash of the text, hash of what follows, then the number of bytes of types, words, sentences, and invalid lines."""
_NARROW = 1 << 16
"""Blocks of at most this many types store a word in 2 bytes."""


class TokenizedBlock(NamedTuple):
    """The sentences of a block of text. It has few, flat fields because it travels between processes."""

    types: bytes
    """The distinct words, one per line."""
    ids: np.ndarray
    """The words of all sentences as line numbers of ``types``, (words,) int32."""
    lengths: np.ndarray
    """The number of words in each sentence, (sentences,) int32."""
    hashes: np.ndarray
    """A hash of each sentence, (sentences,) uint64."""
    invalid_lines: int
    """The number of lines that were not valid UTF-8."""


class KeptBlocks:
    """A file of tokenized blocks.

    Args:
        output: The folder that is being prepared, for error messages.
        file: The file, open for reading and writing. Blocks that it has already are available.
    """

    def __init__(self, output: Path, file: BinaryIO) -> None:
        self._output, self._file = output, file
        self._places: dict[bytes, int] = {}  # where each block begins, by the hash of its text
        self._end = 0
        while (read := self._read(self._end)) is not None:
            text, _ = read
            self._places[text], self._end = self._end, file.tell()
        file.truncate(self._end)

    def __len__(self) -> int:
        return len(self._places)

    def get(self, text: bytes) -> TokenizedBlock | None:
        """Return the block of a text, or None if there is none."""
        place = self._places.get(_digest(text))
        read = None if place is None else self._read(place)
        return None if read is None else read[1]

    def add(self, text: bytes, block: TokenizedBlock) -> TokenizedBlock:
        """Append the block of a text, and return it."""
        ids = block.ids.astype(np.uint16 if _n_types(block.types) <= _NARROW else np.int32)
        content = b"".join((block.types, ids.tobytes(), block.lengths.tobytes(), block.hashes.tobytes()))
        digest = _digest(text)
        sizes = (len(block.types), len(block.ids), len(block.lengths), block.invalid_lines)
        rest = memoryview(_HEADER.pack(digest, _digest(content), *sizes) + content)
        with writing(self._output):
            self._file.seek(self._end)
            while rest:
                rest = rest[self._file.write(rest) :]
        self._places[digest], self._end = self._end, self._file.tell()
        return block

    def _read(self, place: int) -> tuple[bytes, TokenizedBlock] | None:
        """Return the hash of a text and its block, or None if there is no intact block at this place."""
        self._file.seek(place)
        header = self._file.read(_HEADER.size)
        if len(header) < _HEADER.size:
            return None
        text, digest, type_bytes, n_words, n_sentences, invalid_lines = _HEADER.unpack(header)
        left = os.fstat(self._file.fileno()).st_size - self._file.tell()
        if max(type_bytes, n_words, n_sentences) > left:
            return None
        types = self._file.read(type_bytes)
        id_type = np.dtype(np.uint16 if _n_types(types) <= _NARROW else np.int32)
        sizes = (n_words * id_type.itemsize, n_sentences * 4, n_sentences * 8)
        ids, lengths, hashes = map(self._file.read, sizes)
        if _digest(types + ids + lengths + hashes) != digest:
            return None
        return text, TokenizedBlock(
            types,
            np.frombuffer(ids, id_type).astype(np.int32),
            np.frombuffer(lengths, np.int32),
            np.frombuffer(hashes, np.uint64),
            invalid_lines,
        )


@contextlib.contextmanager
def kept_blocks(output: Path, tokenizer: TokenizerName, resume: bool) -> Iterator[KeptBlocks]:
    """Create or open the tokenized blocks of a corpus, and lock them.

    The folder stays if the block of code raises an error, unless it is empty; ``remove_parts`` removes it.

    Args:
        output: The folder that is being prepared.
        tokenizer: The name of the tokenizer.
        resume: Whether blocks of an interrupted run may be used. They must be made by the same tokenizer.

    Raises:
        OSError: If there are blocks of an interrupted run and ``resume`` is false.
        ValueError: If another run is writing here, or if the blocks were made by another tokenizer.
    """
    folder = parts_folder(output)
    made_by = _made_by(tokenizer)
    with writing(output):
        folder.mkdir(parents=True, exist_ok=True)
    with contextlib.ExitStack() as stack:
        stack.enter_context(only_run_in(folder))
        blocks = folder / BLOCKS_FILE
        if blocks.exists() and blocks.stat().st_size:
            _check_same(folder, made_by, resume)
        with writing(output):
            (folder / TOKENIZER_FILE).write_text(json.dumps(made_by, indent=2) + "\n", "utf-8")
            # Unbuffered, because a failed write must not be repeated when the file is closed.
            file = stack.enter_context(blocks.open("r+b" if blocks.exists() else "x+b", buffering=0))
        kept = KeptBlocks(output, file)
        try:
            yield kept
        except BaseException:
            if not len(kept):
                remove_parts(output)
            raise


def remove_parts(output: Path) -> None:
    """Remove the folder, and what a killed process left half written."""
    folder = parts_folder(output)
    for name in (BLOCKS_FILE, TOKENIZER_FILE):
        (folder / name).unlink(missing_ok=True)
    with contextlib.suppress(OSError):  # files that others put there are kept
        folder.rmdir()
    remove_abandoned(output.parent, f".{output.name}.")


def _made_by(tokenizer: TokenizerName) -> dict[str, Any]:
    packages = ("python-mecab-ko", "python-mecab-ko-dic") if tokenizer == "korean" else ()
    versions = {"elmo": __version__}
    for name in packages:
        with contextlib.suppress(importlib.metadata.PackageNotFoundError):
            versions[name] = importlib.metadata.version(name)
    return {"tokenizer": tokenizer, "versions": versions}


def _check_same(folder: Path, made_by: dict[str, Any], resume: bool) -> None:
    if not resume:
        raise interrupted_run(folder, "the tokenized text")
    try:
        recorded = read_json_object(folder / TOKENIZER_FILE)
    except (OSError, ValueError):
        raise damaged_parts(folder, TOKENIZER_FILE) from None
    if recorded != made_by:
        raise ValueError(f"{folder}: the interrupted run had another tokenizer, or another version; {START_OVER}")


def _n_types(types: bytes) -> int:
    return types.count(b"\n") + 1


def _digest(content: bytes) -> bytes:
    return hashlib.blake2b(content, digest_size=_DIGEST_BYTES).digest()
