"""Read text files, compressed or not, as blocks of lines or as tokenized sentences.

Plain text, .gz, .xz, .bz2 and .zst are supported. ``-`` is standard input, and a folder means all files inside it.
"""

import bz2
import codecs
import contextlib
import functools
import gzip
import importlib
import lzma
import re
import sys
import warnings
from collections.abc import Callable, Generator, Iterator, Sequence
from pathlib import Path
from typing import Any, BinaryIO

from elmo.config import TokenizerName
from elmo.files import CORPUS_FILE, RUN_FILE, WEIGHTS_FILE
from elmo.text.counts import counted
from elmo.text.tokens import tokenizer as tokenizer_named

STDIN = "-"
BLOCK_BYTES = 4 << 20
"""Size of the blocks in which lines are read."""
MAX_LINE_BYTES = 1 << 20
"""Maximum length of a line. Longer lines are not text; they are split, so that any file can be read."""
_COMPRESSED_BYTES = 1 << 17

_COMPRESSED = {".gz": b"\x1f\x8b", ".xz": b"\xfd7zXZ\x00", ".zst": b"\x28\xb5\x2f\xfd"}
_UTF16 = (b"\xff\xfe", b"\xfe\xff")
_BEGINNING = 6
"""Bytes that tell what a file is."""
_FASTA = re.compile(
    rb"(?:\xef\xbb\xbf)?\s*>[^\r\n]*[\r\n]+(?:[A-Z][A-Z*-]{2,}|[A-Za-z][A-Za-z*-]{19,})[ \t]*(?:[\r\n]|\Z)"
)
"""A line that starts with > and a line of residues. Quotations in mail also start with >, but continue with words."""
_SAMPLE_BYTES = 1 << 14
"""Bytes at the beginning of a text that tell whether it is FASTA, or has another encoding."""
_MAX_INVALID = 0.3
"""Fraction of the characters that may be invalid. In CP949 or Shift JIS most are, in Latin-1 some letters with accents,
and stray bytes are few in any text."""
_NOT_TEXT = {CORPUS_FILE: "a corpus of elmo prepare", RUN_FILE: "a training run", WEIGHTS_FILE: "a model"}
"""Files in folders that people give in place of text, and what the folders are."""
_ARCHIVES = (".7z", ".zip", ".rar", ".tar", ".tgz", ".tar.gz", ".tar.xz", ".tar.bz2", ".tar.zst")


def read_sentences(paths: Sequence[str | Path], tokenizer: TokenizerName = "words") -> Iterator[list[str]]:
    """Read the sentences of text files.

    Args:
        paths: Files and folders.
        tokenizer: How to split the text; see ``elmo.text.tokens.tokenizer``.

    Yields:
        The words of each sentence.

    Warns:
        UserWarning: If lines are not valid UTF-8.
    """
    split = tokenizer_named(tokenizer).words
    for sentence in read_raw_sentences(paths, tokenizer):
        if words := split(sentence):
            yield words


def read_raw_sentences(paths: Sequence[str | Path], tokenizer: TokenizerName = "words") -> Iterator[str]:
    """Read the sentences of text files as they are written; see ``read_sentences``."""
    split = tokenizer_named(tokenizer).sentences
    files = find_texts(paths)
    check_texts(files)
    invalid_lines = 0
    for block in blocks(files):
        text, invalid = decode(block)
        invalid_lines += invalid
        yield from split(text)
    warn_of_invalid_lines(invalid_lines)


def warn_of_invalid_lines(count: int) -> None:
    """Warn that this number of lines, if it is not 0, had invalid UTF-8, which ``decode`` has replaced."""
    if count:
        warnings.warn(f"not valid UTF-8: {counted(count, 'line')}; invalid bytes became \ufffd", stacklevel=2)


def read_text(path: str | Path) -> str:
    """Read a whole file, compressed or not."""
    path = Path(path)
    check_texts([path])
    content = b"".join(piece for piece, _ in _content(path))
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise ValueError(f"{path}, line {line}: not valid UTF-8") from None


def check_texts(paths: Sequence[Path]) -> None:
    """Check that files can be read.

    Raises:
        ValueError: Naming the first file that cannot.
    """
    for path in paths:
        if str(path) == STDIN:
            continue
        if path.name.lower().endswith(_ARCHIVES):
            raise ValueError(f"{path}: is an archive; extract it first")
        if path.suffix.lower() == ".zst":
            _zstandard(path)
        if path.is_fifo():
            continue  # opened only once, because closing a pipe ends the program that writes to it
        try:
            with path.open("rb") as file:
                beginning = file.read(_BEGINNING)
        except OSError as error:
            raise ValueError(f"{path}: cannot be read ({error.strerror})") from None
        if beginning.startswith(_UTF16):
            raise ValueError(f"{path}: is UTF-16; save it as UTF-8")
        if (suffix := compression(beginning)) is not None and path.suffix.lower() != suffix:
            raise ValueError(f"{path}: is compressed; give it a name that ends in {suffix}")
        with contextlib.closing(_content(path, _SAMPLE_BYTES)) as content:
            _check_beginning(path, next(content, (b"", 0))[0])
    if list(paths).count(Path(STDIN)) > 1:
        raise ValueError("standard input (-) can be read only once")


def compression(beginning: bytes) -> str | None:
    """Return the usual suffix of a compressed file by its first bytes; None for any other file."""
    return next((suffix for suffix, magic in _COMPRESSED.items() if beginning.startswith(magic)), None)


def _check_beginning(path: Path, beginning: bytes) -> None:
    """Check that a file begins like text in UTF-8; single bytes may be invalid."""
    refuse_fasta(path, beginning)
    decoded = beginning.decode("utf-8", "replace")
    invalid = decoded.count("\ufffd") - beginning.count("\ufffd".encode())
    if invalid > _MAX_INVALID * len(decoded):
        name = "standard input" if str(path) == STDIN else path
        raise ValueError(f"{name}: is not UTF-8; save it as UTF-8 (for CP949: iconv -f CP949 -t UTF-8)")


def refuse_fasta(path: str | Path, beginning: bytes) -> None:
    """Check that a text is not FASTA, whose sequences would be read as words.

    Args:
        path: Name of the text, for the error message.
        beginning: Its first lines.

    Raises:
        ValueError: If it is.
    """
    if _FASTA.match(beginning):
        name = "standard input" if str(path) == STDIN else path
        raise ValueError(
            f"{name}: is FASTA, not text; write each sequence as one line with a space between residues, without the "
            "line that starts with >"
        )


def find_texts(paths: Sequence[str | Path]) -> list[Path]:
    """List files; a folder means all files inside it, sorted, except hidden ones.

    Raises:
        ValueError: If a folder is empty, or contains a corpus or a model instead of text.
    """
    found: list[Path] = []
    for path in map(Path, paths):
        if not path.is_dir():
            found.append(path)
            continue
        for file, kind in _NOT_TEXT.items():
            if (path / file).exists():
                raise ValueError(f"{path}: is {kind}, not text")
        inside = [file for file in path.rglob("*") if file.is_file()]
        visible = [file for file in inside if not any(part.startswith(".") for part in file.relative_to(path).parts)]
        if not visible:
            raise ValueError(f"{path}: the folder has no files")
        found += sorted(visible)
    return found


def _zstandard(path: Path) -> Any:
    try:
        return importlib.import_module("zstandard")
    except ImportError:
        raise ValueError(f"{path}: .zst files need the package zstandard (pip install zstandard)") from None


def _unzstd(file: BinaryIO) -> Iterator[bytes]:
    """Decompress frame by frame; the package's own reader does not notice a truncated file."""
    start = _zstandard(Path(file.name)).ZstdDecompressor().decompressobj
    frame = None
    while compressed := file.read(_COMPRESSED_BYTES):
        while compressed:
            frame = frame or start()
            yield frame.decompress(compressed)
            compressed = frame.unused_data if frame.eof else b""
            frame = None if frame.eof else frame
    if frame is not None:
        raise EOFError("the file is truncated")


def _pieces(file: Any, size: int) -> Iterator[bytes]:
    return iter(functools.partial(file.read, size), b"")


_OPENERS: dict[str, Callable[[BinaryIO], Any]] = {".gz": gzip.open, ".xz": lzma.open, ".bz2": bz2.open}


def _decompress(file: BinaryIO, suffix: str, size: int) -> Iterator[bytes]:
    if suffix == ".zst":
        yield from _unzstd(file)
    elif suffix in _OPENERS:
        with _OPENERS[suffix](file) as decompressed:
            yield from _pieces(decompressed, size)
    else:
        yield from _pieces(file, size)


def _content(path: Path, size: int = MAX_LINE_BYTES) -> Generator[tuple[bytes, int]]:
    """Yield the content of a file in pieces of about this size, each with the number of bytes read from the file."""
    if str(path) == STDIN:
        yield from ((piece, len(piece)) for piece in _pieces(sys.stdin.buffer, size))
        return
    position = 0
    try:
        with path.open("rb") as file:
            for piece in _decompress(file, path.suffix.lower(), size):
                read = file.tell() if file.seekable() else position + len(piece)  # a pipe does not know its position
                yield piece, read - position
                position = read
    except Exception as error:  # every format has its own errors
        reason = getattr(error, "strerror", None) or str(error)
        raise ValueError(f"{path}: cannot be read or is damaged ({reason})") from None


def _whole_lines(path: Path, max_line_bytes: int) -> Iterator[tuple[bytes, int]]:
    """Like :func:`_content`, but pieces end at the end of a line, unless the line is too long."""
    rest = b""
    for index, (piece, size) in enumerate(_content(path, max_line_bytes)):
        if not index:
            _check_beginning(path, piece[:_SAMPLE_BYTES])  # a pipe is not read before
        text = rest + (piece if index else piece.removeprefix(codecs.BOM_UTF8))
        cut = text.rfind(b"\n") + 1
        if not cut and len(text) >= max_line_bytes:
            cut = text.rfind(b" ") + 1 or len(text)
        yield text[:cut], size
        rest = text[cut:]
    yield rest, 0


def blocks(
    paths: Sequence[Path],
    progress: Callable[[Path, int], None] = lambda path, taken: None,
    block_bytes: int = BLOCK_BYTES,
    max_line_bytes: int = MAX_LINE_BYTES,
) -> Iterator[bytes]:
    """Yield the lines of all files, in blocks large enough to be sent to another process.

    ``progress`` is called with a file and the number of its bytes that have been read since the last call.
    """
    pieces: list[bytes] = []
    size = 0
    for path in paths:
        progress(path, 0)
        for piece, taken in _whole_lines(path, max_line_bytes):
            progress(path, taken)
            pieces.append(piece if piece.endswith(b"\n") else piece + b"\n")
            size += len(piece)
            if size >= block_bytes:
                yield b"".join(pieces)
                pieces, size = [], 0
    yield b"".join(pieces)


def decode(block: bytes) -> tuple[str, int]:
    """Decode a block, replacing invalid UTF-8; also return the number of lines that had any."""
    try:
        return block.decode("utf-8"), 0
    except UnicodeDecodeError:
        lines = block.split(b"\n")
        valid = [line.decode("utf-8", "ignore").encode() == line for line in lines]
        return block.decode("utf-8", "replace"), valid.count(False)
