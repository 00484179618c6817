"""``elmo embed``: embed a file of sentences."""

import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any

import typer

from elmo.cli.options import (
    DeviceOption,
    InitialStateOption,
    LayersOption,
    MergeOption,
    ModelOption,
    OutputOption,
    OverwriteOption,
    PoolOption,
    PrecisionOption,
    ResumeOption,
    TokenizeOption,
    chosen_device,
)
from elmo.config import SHARD_LINES, Format, Layers
from elmo.text.counts import counted


def embed(
    input: Annotated[
        Path, typer.Argument(metavar="INPUT", help="Text file with one sentence per line; - reads standard input.")
    ],
    output: OutputOption,
    model: ModelOption = None,
    layers: LayersOption = "all",
    pool: PoolOption = None,
    format: Annotated[
        Format | None, typer.Option(help="Output format (default: from the extension of the output file).")
    ] = None,
    tokenize: TokenizeOption = "model",
    merge: MergeOption = None,
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
    overwrite: OverwriteOption = False,
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
    from elmo.embed.job import decode_lines, embed_file
    from elmo.files import check_output_file, parts_folder

    chosen_layers: Layers = int(layers) if layers.isdecimal() else layers  # type: ignore[assignment]
    source: Path | Iterator[str] = input
    if str(input) == "-":
        check_output_file(output, [0], overwrite=True)  # standard input may be a file, too
        source = decode_lines(sys.stdin.buffer, "standard input")
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
                merge=merge,
                initial_state=initial_state,
                batch_tokens=batch_tokens,
                batch_sentences=batch_sentences,
                device=device if ray else chosen_device(device),
                precision=precision,
                resume=resume,
                overwrite=overwrite,
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
    size, earlier = _size(summary.sentences, summary.words), _size(summary.resumed, summary.resumed_words)
    resumed = f" ({earlier} embedded earlier)" if summary.resumed else ""
    typer.echo(f"{output}: {size}{resumed} in {seconds:.1f} s", err=True)


def _size(sentences: int, words: int) -> str:
    return f"{counted(sentences, 'sentence')}, {counted(words, 'word')}"


class _ProgressBars:
    """One progress bar per stage of the job; nothing is drawn where there is no terminal."""

    def __init__(self) -> None:
        self.total: int | None = None
        self._stage = ""
        self._bar: Any = None
        self._estimate = RemainingTime(0, 0.0)

    def __enter__(self) -> "_ProgressBars":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __call__(self, stage: str, sentences: int, total: int | None, words: int) -> None:
        now = time.perf_counter()
        if stage != self._stage:
            from tqdm import tqdm

            self.close()
            self._stage, self.total, self._start = stage, total, now
            self._estimate = RemainingTime(sentences, now)
            self._bar = tqdm(
                desc=stage,
                total=total,
                initial=sentences,
                unit=" sentences",
                unit_scale=True,
                disable=None,
                leave=False,
                # Without tqdm's estimate of the remaining time, which counts the first seconds in full.
                bar_format="{l_bar}{bar}| {n_fmt}/{total_fmt} [{elapsed}{postfix}]" if total else None,
            )
        if not self._bar.disable:
            notes = []
            if total and (remaining := self._estimate(sentences, total, now)) is not None:
                notes.append(f"{self._bar.format_interval(remaining)} left")
            if stage == "embed" and words and now > self._start:
                notes.append(f"{words / (now - self._start):,.0f} words/s")
            self._bar.set_postfix_str(", ".join(notes), refresh=False)
            self._bar.update(sentences - self._bar.n)

    def close(self) -> None:
        if self._bar is not None:
            self._bar.close()


class RemainingTime:
    """Estimates the remaining time of a job.

    The first seconds are not representative: the libraries warm up, and the words of the first batch are all new. They
    are left out, and there is no estimate until the same time has passed again.

    Args:
        sentences: Number of sentences that an earlier run has done.
        now: The time in seconds.
    """

    warm_up = 3.0
    """Seconds that are left out."""

    def __init__(self, sentences: int, now: float) -> None:
        self._begin, self._from, self._sentences = now, None, sentences  # type: float, float | None, int

    def __call__(self, sentences: int, total: int, now: float) -> float | None:
        """Return the number of seconds left, or None if that is not known yet."""
        if self._from is None:
            if now - self._begin >= self.warm_up and sentences > self._sentences:
                self._from, self._sentences = now, sentences
            return None
        done = sentences - self._sentences
        if now - self._from < self.warm_up or done == 0:
            return None
        return (now - self._from) / done * (total - sentences)
