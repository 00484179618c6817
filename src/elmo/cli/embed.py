"""``elmo embed``: a file of sentences to a file of vectors."""

import functools
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, BinaryIO

import typer

from elmo.cli.options import chosen_device
from elmo.config import BATCH_TOKENS, SUFFIXES, Format, InitialState, Layers, Pool, Precision, Tokenize

if TYPE_CHECKING:
    from elmo.embed.embedder import Embedder
    from elmo.embed.job import Job
    from elmo.embed.select import EmbeddedSentence

STDIN = "-"
SHARD_LINES = 5000
"""Seconds of work with a small model, minutes with a large one."""
HINT_LINES = 100
"""So many are looked at before one says something about them."""


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
    precision: Annotated[
        Precision, typer.Option(help="float32 is exact; bf16 and, on a CPU, int8 are faster.")
    ] = "float32",
    resume: Annotated[bool, typer.Option("--resume", help="Go on with a run that was stopped.")] = False,
    sharded: Annotated[
        bool, typer.Option("--sharded", help="Write a folder of files instead of one file, for large jobs.")
    ] = False,
    shard_lines: Annotated[
        int, typer.Option(min=1, help="Sentences in one part: what a stopped run repeats at most.")
    ] = SHARD_LINES,
    ray: Annotated[bool, typer.Option("--ray", help="Spread the parts over a Ray cluster.")] = False,
    ray_address: Annotated[
        str | None, typer.Option(help="With --ray: the cluster; without it, one is started on this machine.")
    ] = None,
    ray_workers: Annotated[
        int | None, typer.Option(min=1, help="With --ray: at most so many workers; by default one a GPU or CPU.")
    ] = None,
) -> None:
    """Embed a file of sentences, one a line, words separated by spaces.

    HDF5 output has one dataset a line, "0", "1", ..., of shape (layers, words, dimensions) for --layers all
    and (words, dimensions) otherwise; an empty line gives an empty dataset.

    Finished parts wait in OUTPUT.parts until all are there; a run that was stopped goes on with --resume.
    """
    start = time.perf_counter()
    kind = format or SUFFIXES.get(output.suffix.lower(), "hdf5")
    chosen: Layers = int(layers) if layers.isdecimal() else layers  # type: ignore[assignment]
    options: dict[str, Any] = {
        "layers": chosen,
        "pool": pool,
        "tokenize": tokenize,
        "initial_state": state,
        "batch_tokens": batch_tokens,
    }
    if not ray and (ray_address or ray_workers):
        raise ValueError("--ray-address and --ray-workers go with --ray")
    with _open(input) as source:
        from elmo.embed.embedder import load
        from elmo.embed.job import Job
        from elmo.embed.memory import limit_compiled_products

        limit_compiled_products()
        loader = functools.partial(load, _absolute(model) if ray else model, precision=precision)
        lines = _lines(source, input, tokenize)
        if reason := _why_only_once(input, state):
            for name, wanted in {"--resume": resume, "--sharded": sharded, "--ray": ray}.items():
                if wanted:
                    raise ValueError(f"{name} is not possible: {reason}")
            embedder = loader(device=chosen_device(device))
            stream = embedder.embed_stream(lines, batch_sentences=batch_sentences, **options)
            done = _write(stream, output, kind, by_layer=chosen == "all")
        else:
            for _ in zip(range(HINT_LINES), lines, strict=False):
                pass  # they are read again, but now the user gets a hint
            places = (input.absolute(), output.absolute()) if ray else (input, output)
            job = Job(*places, kind, sharded, options)
            on_ray = {"address": ray_address, "workers": ray_workers} if ray else None
            done = _run(job, shard_lines, loader, device, resume, on_ray)
    seconds = time.perf_counter() - start
    before = f" ({done.before:,} of them before)" if done.before else ""
    typer.echo(f"{output}: {done.sentences:,} sentences{before}, {done.words:,} words in {seconds:.1f} s", err=True)


def _why_only_once(input: Path, state: InitialState) -> str | None:
    """Why a run cannot be cut in parts, if so."""
    if str(input) == STDIN or not input.is_file():
        return "the input can be read only once; write it to a file first"
    if state == "carry":
        return "with --state carry, every sentence depends on all before it"
    return None


def _write(stream: "Iterator[EmbeddedSentence]", output: Path, format: Format, by_layer: bool) -> "_Progress":
    """Straight from the model to the file."""
    from elmo.embed.sinks import open_sink

    with open_sink(output, format, by_layer) as write, _Progress("embed", None) as progress:
        for sentence in stream:
            write(sentence)
            progress.tick(1, len(sentence.tokens))
    return progress


def _run(
    job: "Job",
    shard_lines: int,
    loader: "functools.partial[Embedder]",
    device: str,
    resume: bool,
    on_ray: dict[str, Any] | None,
) -> "_Progress":
    """Part by part, here or on a cluster, and then one file of them all."""
    from elmo.embed import job as work

    shards = work.cut(job.input, shard_lines)
    work.check_limits(job, shards)
    embedder = loader(device="cpu" if on_ray else chosen_device(device))
    embedder.embed_stream([], **job.options)  # complains about options before anything is written
    made_from = work.identity(job, shards, embedder)
    with work.job_folder(job, made_from, resume):
        missing = work.missing(job, shards)
        sentences = sum(shard.lines for shard in shards)
        before = sentences - sum(shard.lines for shard in missing)
        try:
            with _Progress("embed", sentences, before) as progress:
                if on_ray is None:
                    for shard in missing:
                        work.embed_shard(job, shard, embedder, progress.tick)
                elif missing:
                    from elmo.embed.ray_job import embed_on_ray

                    embed_on_ray(job, missing, loader, device, made_from["model"], progress.tick, **on_ray)
            with _Progress("join", sentences) as joining:
                work.finish(job, shards, joining.tick)
        except BaseException:
            if len(work.missing(job, shards)) < len(shards):
                typer.echo(f"finished parts are kept in {job.folder}; go on with --resume", err=True)
            raise
    return progress


class _Progress:
    """What is done, with a bar on a terminal: sentences, time to go, words a second."""

    def __init__(self, name: str, total: int | None, before: int = 0) -> None:
        from tqdm import tqdm

        self.sentences = self.before = before
        self.words = 0
        self._start = time.perf_counter()
        self._bar: Any = tqdm(
            desc=name, total=total, initial=before, unit=" sentences", unit_scale=True, disable=None, leave=False
        )

    def __enter__(self) -> "_Progress":
        return self

    def __exit__(self, *_: object) -> None:
        self._bar.close()

    def tick(self, sentences: int, words: int) -> None:
        """Count what has been done since."""
        self.sentences += sentences
        self.words += words
        if not self._bar.disable:
            if self.words:
                rate = self.words / (time.perf_counter() - self._start)
                self._bar.set_postfix_str(f"{rate:,.0f} words/s", refresh=False)
            self._bar.update(sentences)


def _open(path: Path) -> BinaryIO:
    if str(path) == STDIN:
        return sys.stdin.buffer
    try:
        return path.open("rb")
    except OSError as error:
        raise ValueError(f"{path}: cannot be read ({error.strerror})") from None


def _lines(source: BinaryIO, path: Path, tokenize: Tokenize) -> Iterator[str]:
    """The lines of a text, without their ends."""
    untokenised = 0
    for number, raw in enumerate(source, 1):
        try:
            line = raw.decode("utf-8-sig" if number == 1 else "utf-8").rstrip("\r\n")
        except UnicodeDecodeError as error:
            raise ValueError(f"{path}: line {number} is not UTF-8 ({error.reason})") from None
        if tokenize == "whitespace" and number <= HINT_LINES:
            untokenised += _ends_in_a_mark(line)
            if untokenised == 10:
                typer.echo("hint: this looks like raw text; --tokenize words splits marks from words", err=True)
        yield line


def _ends_in_a_mark(line: str) -> bool:
    last = (line.split() or [""])[-1]
    return len(last) > 3 and last[-1] in ".!?" and last[:-1].isalpha()


def _absolute(model: str | None) -> str | None:
    """A folder or file by its full name, for processes that start elsewhere."""
    return str(Path(model).absolute()) if model is not None and Path(model).exists() else model
