"""``elmo embed``: a file of sentences to a file of vectors."""

import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any, BinaryIO

import typer

from elmo.embed.options import BATCH_TOKENS, SUFFIXES, Format, InitialState, Layers, Pool, Tokenize

STDIN = "-"


def embed(
    input: Annotated[Path, typer.Argument(help="Text, one sentence a line; - reads standard input.")],
    output: Annotated[Path, typer.Option("--output", "-o", help="File to write.")],
    model: Annotated[
        str | None, typer.Option("--model", "-m", help="Folder, zip archive or Hub id of a model.")
    ] = None,
    layers: Annotated[str, typer.Option(help="all, top, average, or the number of one layer (0: no context).")] = "all",
    pool: Annotated[Pool | None, typer.Option(help="One vector a sentence instead of one a word.")] = None,
    format: Annotated[
        Format | None, typer.Option(help="Kind of output; by default what the file name says, or hdf5.")
    ] = None,
    tokenize: Annotated[
        Tokenize, typer.Option(help="whitespace for tokenised text, words for raw text.")
    ] = "whitespace",
    state: Annotated[
        InitialState,
        typer.Option(help="How sentences begin: from zero, after a warm-up text, or where the last one ended."),
    ] = "zero",
    batch_tokens: Annotated[int, typer.Option(min=1, help="Words computed at once.")] = BATCH_TOKENS,
    batch_sentences: Annotated[
        int,
        typer.Option(min=1, help="With --state carry: sentences read side by side, as in a batch of old."),
    ] = 1,
    device: Annotated[str, typer.Option(help="cpu, cuda, or auto: a GPU if there is one.")] = "auto",
) -> None:
    """Embed a file of sentences, one a line, words separated by spaces.

    HDF5 output has one dataset a line, "0", "1", ..., of shape (layers, words, dimensions) for --layers all
    and (words, dimensions) otherwise; an empty line gives an empty dataset.
    """
    with _open(input) as source:
        from elmo.embed.embedder import load
        from elmo.embed.sinks import open_sink

        start = time.perf_counter()
        embedder = load(model, device=_device(device))
        chosen: Layers = int(layers) if layers.isdecimal() else layers  # type: ignore[assignment]
        stream = embedder.embed_stream(
            _lines(source, input, tokenize),
            chosen,
            pool,
            tokenize=tokenize,
            initial_state=state,
            batch_tokens=batch_tokens,
            batch_sentences=batch_sentences,
        )
        sentences = words = 0
        kind = format or SUFFIXES.get(output.suffix.lower(), "hdf5")
        with open_sink(output, kind, by_layer=chosen == "all") as write:
            for sentence in stream:
                write(sentence)
                sentences += 1
                words += len(sentence.tokens)
        seconds = time.perf_counter() - start
    typer.echo(f"{output}: {sentences:,} sentences, {words:,} words in {seconds:.1f} s", err=True)


def _open(path: Path) -> BinaryIO:
    if str(path) == STDIN:
        return sys.stdin.buffer
    try:
        return path.open("rb")
    except OSError as error:
        raise ValueError(f"{path}: cannot be read ({error.strerror})") from None


def _lines(source: BinaryIO, path: Path, tokenize: Tokenize) -> Iterator[str]:
    """The lines of a text, without their ends; the bar shows how much has been read."""
    untokenised = 0
    for number, raw in enumerate(_with_progress(source, path), 1):
        try:
            line = raw.decode("utf-8-sig" if number == 1 else "utf-8").rstrip("\r\n")
        except UnicodeDecodeError as error:
            raise ValueError(f"{path}: line {number} is not UTF-8 ({error.reason})") from None
        if tokenize == "whitespace" and number <= 100:
            untokenised += _ends_in_a_mark(line)
            if untokenised == 10:
                typer.echo("hint: this looks like raw text; --tokenize words splits marks from words", err=True)
        yield line


def _ends_in_a_mark(line: str) -> bool:
    last = (line.split() or [""])[-1]
    return len(last) > 3 and last[-1] in ".!?" and last[:-1].isalpha()


def _with_progress(source: BinaryIO, path: Path) -> Iterator[bytes]:
    from tqdm import tqdm

    size = None if str(path) == STDIN else path.stat().st_size
    bar: Any = tqdm(total=size, unit="B", unit_scale=True, desc="embed", disable=None, leave=False)
    with bar:
        for raw in source:
            bar.update(len(raw))
            yield raw


def _device(name: str) -> str:
    import torch

    if name == "auto":
        return "cuda" if torch.cuda.is_available() else "cpu"
    try:
        torch.empty(0, device=name)
    except (RuntimeError, AssertionError) as error:
        raise ValueError(f"--device {name}: {str(error).splitlines()[0]}") from None
    return name
