"""``elmo embed``: embed a file of sentences."""

import itertools
import sys
import time
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Annotated, Any

import typer

from elmo.cli.options import (
    DeviceOption,
    InitialStateOption,
    LayersOption,
    ModelOption,
    OutputOption,
    PoolOption,
    PrecisionOption,
    ResumeOption,
    TokenizeOption,
    chosen_device,
)
from elmo.config import SHARD_LINES, Format, Layers

HINT_LINES = 100
"""Number of lines at the start of the input that are checked for signs of raw text."""
HINT_MATCHES = 10
"""Number of these lines that must look like raw text before a hint is printed."""


def embed(
    input: Annotated[Path, typer.Argument(help="Text file with one sentence per line; - reads standard input.")],
    output: OutputOption,
    model: ModelOption = None,
    layers: LayersOption = "all",
    pool: PoolOption = None,
    format: Annotated[
        Format | None, typer.Option(help="Output format (default: from the suffix of the output file, or hdf5).")
    ] = None,
    tokenize: TokenizeOption = "whitespace",
    initial_state: InitialStateOption = "zero",
    batch_tokens: Annotated[
        int | None, typer.Option(min=1, help="Number of tokens per batch (default: chosen for the device).")
    ] = None,
    batch_sentences: Annotated[
        int,
        typer.Option(min=1, help="Number of sentences per batch with --initial-state carry."),
    ] = 1,
    device: DeviceOption = "auto",
    precision: PrecisionOption = "float32",
    resume: ResumeOption = False,
    sharded: Annotated[
        bool, typer.Option("--sharded", help="Write a folder of part files instead of a single file, for large jobs.")
    ] = False,
    shard_lines: Annotated[
        int, typer.Option(min=1, help="Number of lines per part. An interrupted run repeats at most one part.")
    ] = SHARD_LINES,
    ray: Annotated[bool, typer.Option("--ray", help="Distribute the parts over a Ray cluster.")] = False,
    ray_address: Annotated[
        str | None, typer.Option(help="Address of the Ray cluster (default: start Ray on this machine).")
    ] = None,
    ray_workers: Annotated[
        int | None, typer.Option(min=1, help="Maximum number of Ray workers (default: one per GPU or CPU).")
    ] = None,
) -> None:
    """Embed a text file with one sentence per line.

    The HDF5 output contains one dataset per line, named "0", "1", and so on. Its shape is (layers, words,
    dimensions) with --layers all and (words, dimensions) otherwise. An empty line gives an empty dataset.

    Finished parts are kept in OUTPUT.parts until the run is complete. Use --resume to continue a run that was
    interrupted.
    """
    start = time.perf_counter()
    if not ray and (ray_address or ray_workers):
        raise ValueError("--ray-address and --ray-workers require --ray")
    from elmo.embed.job import decode_lines, embed_file, parts_folder

    chosen_layers: Layers = int(layers) if layers.isdecimal() else layers  # type: ignore[assignment]
    source: Path | Iterator[str] = input
    if str(input) == "-":
        source = decode_lines(sys.stdin.buffer, "standard input")
    if tokenize == "whitespace":
        if not isinstance(source, Path):
            source = _with_hint(source)
        elif source.is_file():
            with source.open("rb") as file:
                for _ in _with_hint(decode_lines(itertools.islice(file, HINT_LINES), source)):
                    pass
    with _ProgressBars() as bars:
        try:
            summary = embed_file(
                source,
                output,
                model,
                layers=chosen_layers,
                pool=pool,
                format=format,
                tokenize=tokenize,
                initial_state=initial_state,
                batch_tokens=batch_tokens,
                batch_sentences=batch_sentences,
                device=device if ray else chosen_device(device),
                precision=precision,
                resume=resume,
                sharded=sharded,
                shard_lines=shard_lines,
                ray=ray,
                ray_address=ray_address,
                ray_workers=ray_workers,
                progress=bars,
            )
        except BaseException:
            if bars.total is not None and parts_folder(output).exists():
                bars.close()
                typer.echo(f"finished parts are kept in {parts_folder(output)}; continue with --resume", err=True)
            raise
    seconds = time.perf_counter() - start
    earlier = f" ({summary.resumed:,} embedded earlier)" if summary.resumed else ""
    typer.echo(
        f"{output}: {summary.sentences:,} sentences{earlier}, {summary.words:,} words in {seconds:.1f} s", err=True
    )


class _ProgressBars:
    """One progress bar per stage of the job; nothing is drawn where there is no terminal."""

    def __init__(self) -> None:
        self.total: int | None = None
        self._stage = ""
        self._bar: Any = None
        self._start = 0.0

    def __enter__(self) -> "_ProgressBars":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __call__(self, stage: str, sentences: int, total: int | None, words: int) -> None:
        if stage != self._stage:
            from tqdm import tqdm

            self.close()
            self._stage, self.total, self._start = stage, total, time.perf_counter()
            self._bar = tqdm(
                desc=stage,
                total=total,
                initial=sentences,
                unit=" sentences",
                unit_scale=True,
                disable=None,
                leave=False,
            )
        if not self._bar.disable:
            if stage == "embed" and words:
                rate = words / (time.perf_counter() - self._start)
                self._bar.set_postfix_str(f"{rate:,.0f} words/s", refresh=False)
            self._bar.update(sentences - self._bar.n)

    def close(self) -> None:
        if self._bar is not None:
            self._bar.close()


def _with_hint(lines: Iterable[str]) -> Iterator[str]:
    """Pass lines through, and print a hint if the first ones look like text that was not tokenized."""
    matches = 0
    for number, line in enumerate(lines):
        if number < HINT_LINES and _ends_with_attached_punctuation(line):
            matches += 1
            if matches == HINT_MATCHES:
                typer.echo("hint: this looks like raw text; --tokenize words separates words and punctuation", err=True)
        yield line


def _ends_with_attached_punctuation(line: str) -> bool:
    last = (line.split() or [""])[-1]
    return len(last) > 3 and last[-1] in ".!?" and last[:-1].isalpha()
