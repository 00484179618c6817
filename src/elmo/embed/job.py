"""Embedding a file as a job that may be killed at any moment and goes on where it was.

    INPUT ── cut ──> shards ── embed each ──> OUT.parts/part-000000, ... ── join ──> OUT

A shard is a fixed number of lines, whatever the batches are. Its vectors depend on nothing but its lines, the
model and the options, so it does not matter who computes it, when, or after what. A finished shard is one
whole file under its final name; that name is all the state there is. So a killed job repeats the shards that
were under way and no others, a shard that is computed twice is written over with the same content, and the
end is the same as without the interruption.

``_job.json`` in the folder says what the parts were made from; parts of another job are never taken for ours.
"""

import contextlib
import hashlib
import itertools
import json
import os
import shutil
import tempfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch

from elmo.config import SUFFIXES, Format
from elmo.embed.embedder import Embedder
from elmo.embed.memory import give_back_memory
from elmo.embed.sinks import SafetensorsSink, join_parquet, open_sink, read_safetensors
from elmo.files import replacing_file, writing

MANIFEST = "_job.json"
"""Readers of Parquet folders pass over names that begin so."""

Tick = Callable[[int, int], None]
"""Told how many more sentences and words are done."""


@dataclass(frozen=True)
class Shard:
    """Some lines of the input."""

    number: int
    first: int
    """The number of its first line."""
    lines: int
    start: int
    """Its place in the file, in bytes."""
    size: int
    digest: str
    """What the bytes were when the job was planned."""


@dataclass(frozen=True)
class Job:
    """What to embed, how, and where to."""

    input: Path
    output: Path
    format: Format
    sharded: bool
    """The output is a folder of parts, which are never joined."""
    options: dict[str, Any]
    """For ``Embedder.embed_stream``: layers, pool, ..."""

    @property
    def folder(self) -> Path:
        """Where the finished parts are."""
        return self.output.with_name(self.output.name + ".parts")

    @property
    def part_format(self) -> Format:
        """Parquet is joined by columns, the other formats sentence by sentence from what reads fastest."""
        return self.format if self.sharded or self.format == "parquet" else "safetensors"

    def part(self, shard: Shard) -> Path:
        """The file of a finished shard."""
        suffix = next(suffix for suffix, format in SUFFIXES.items() if format == self.part_format)
        return self.folder / f"part-{shard.number:06}{suffix}"


def cut(path: Path, lines: int) -> list[Shard]:
    """Read a text once and cut it in shards; complain about what is not UTF-8 before any work is done."""
    shards: list[Shard] = []
    first = start = 0
    with path.open("rb") as file:
        while block := list(itertools.islice(file, lines)):
            content = b"".join(block)
            try:
                content.decode()
            except UnicodeDecodeError as error:
                line = first + content.count(b"\n", 0, error.start) + 1
                raise ValueError(f"{path}: line {line} is not UTF-8 ({error.reason})") from None
            shards.append(Shard(len(shards), first, len(block), start, len(content), _digest(content)))
            first += len(block)
            start += len(content)
    return shards


def read_lines(path: Path, shard: Shard) -> list[str]:
    """The lines of a shard, without their ends."""
    with path.open("rb") as file:
        file.seek(shard.start)
        content = file.read(shard.size)
    if _digest(content) != shard.digest:
        raise ValueError(f"{path}: has changed since this run began")
    text = content.decode("utf-8" if shard.start else "utf-8-sig")
    return [line.rstrip("\r") for line in text.removesuffix("\n").split("\n")]


def identity(job: Job, shards: Sequence[Shard], embedder: Embedder) -> dict[str, Any]:
    """All that the numbers in a part depend on; the size of the batches moves them by rounding alone."""
    return {
        "input": _digest("".join(shard.digest for shard in shards).encode()),
        "shard_lines": shards[0].lines if shards else 0,
        "model": fingerprint(embedder),
        "precision": embedder.precision,
        "format": job.part_format,
        **{name: choice for name, choice in job.options.items() if not name.startswith("batch_")},
    }


def fingerprint(embedder: Embedder) -> str:
    """The same for models with the same weights."""
    digest = hashlib.blake2b(digest_size=16)
    for name, weight in embedder.bilm.state_dict().items():
        digest.update(f"{name} {weight.dtype} {tuple(weight.shape)}".encode())
        digest.update(weight.detach().cpu().reshape(-1).view(torch.uint8).numpy().data)
    return digest.hexdigest()


@contextlib.contextmanager
def job_folder(job: Job, made_from: dict[str, Any], resume: bool) -> Iterator[None]:
    """The folder of finished parts, ours alone within the block.

    It goes away when the job was finished, or when no part was; otherwise it stays for ``resume``.
    """
    if job.sharded and job.output.exists():
        raise FileExistsError(f"{job.output}: exists already, and parts are not mixed with other files")
    if job.output.is_dir():
        raise IsADirectoryError(f"{job.output}: is a directory, a file is needed")
    with writing(job.output):
        job.folder.mkdir(parents=True, exist_ok=True)
    if foreign := [path for path in job.folder.iterdir() if not path.name.startswith((".", "part-", MANIFEST))]:
        raise FileExistsError(f"{foreign[0]}: is in the way; the parts of {job.output} need a folder of their own")
    with _locked(job.folder):
        _remove_scratch(job.folder)
        if _finished_parts(job):
            _check_manifest(job, made_from, resume)
        else:
            with writing(job.output), replacing_file(job.folder / MANIFEST) as manifest:
                manifest.write_text(json.dumps(made_from, indent=1))
        try:
            yield
        finally:
            if job.folder.exists() and not _finished_parts(job):
                shutil.rmtree(job.folder, ignore_errors=True)


def embed_shard(job: Job, shard: Shard, embedder: Embedder, tick: Tick) -> None:
    """Compute one shard and put its part in place."""
    stream = embedder.embed_stream(read_lines(job.input, shard), **job.options)
    with (
        writing(job.output),
        open_sink(job.part(shard), job.part_format, job.options["layers"] == "all", shard.first) as write,
    ):
        for sentence in stream:
            write(sentence)
            tick(1, len(sentence.tokens))
    give_back_memory()


def finish(job: Job, shards: Sequence[Shard], tick: Tick) -> None:
    """Make the output of the parts and remove their folder."""
    if lost := missing(job, shards):
        raise ValueError(f"{job.part(lost[0])}: is missing")
    if job.sharded:
        _remove_scratch(job.folder)
        job.folder.rename(job.output)
        return
    if job.format == "parquet" and shards:
        join_parquet((_ticked(job, shard, tick) for shard in shards), job.output)
    else:
        with open_sink(job.output, job.format, job.options["layers"] == "all") as write:
            for shard in shards:
                for sentence in read_safetensors(_ticked(job, shard, tick)):
                    write(sentence)
    # Under its name the folder is whole or absent, even if we are killed while it is removed.
    with tempfile.TemporaryDirectory(prefix=f".{job.output.name}.", suffix=".part", dir=job.output.parent) as scratch:
        job.folder.rename(Path(scratch) / job.folder.name)


def missing(job: Job, shards: Sequence[Shard]) -> list[Shard]:
    """The shards that are still to be done."""
    there = _finished_parts(job)
    return [shard for shard in shards if job.part(shard).name not in there]


def unfinished(part: Path) -> int:
    """How many processes have begun a part without finishing it."""
    return sum(1 for _ in part.parent.glob(f".{part.name}.*"))


def check_limits(job: Job, shards: Sequence[Shard]) -> None:
    """Complain at once about output that could not be finished."""
    if job.format == "safetensors" and not job.sharded:
        least = sum(shard.size + len('"0": {"dtype":, "shape":, "data_offsets":}') * shard.lines for shard in shards)
        if least > SafetensorsSink.LONGEST_HEADER:
            raise ValueError(
                f"{job.input}: has more words than one safetensors file can hold; take another format, or --sharded"
            )


def _ticked(job: Job, shard: Shard, tick: Tick) -> Path:
    tick(shard.lines, 0)
    return job.part(shard)


def _digest(content: bytes) -> str:
    return hashlib.blake2b(content, digest_size=16).hexdigest()


def _finished_parts(job: Job) -> set[str]:
    return {path.name for path in job.folder.glob("part-*")}


def _remove_scratch(folder: Path) -> None:
    """What killed processes left half-written."""
    for path in folder.glob(".*"):
        shutil.rmtree(path, ignore_errors=True)


def _check_manifest(job: Job, made_from: dict[str, Any], resume: bool) -> None:
    begin_again = "delete the folder to begin again"
    if not resume:
        raise FileExistsError(
            f"{job.folder}: an earlier run left {len(_finished_parts(job))} finished parts here; "
            f"go on with --resume, or {begin_again}"
        )
    try:
        begun_with = json.loads((job.folder / MANIFEST).read_text("utf-8"))
    except (OSError, ValueError):
        raise ValueError(f"{job.folder}: does not say what its parts were made from; {begin_again}") from None
    others = sorted(key for key in begun_with.keys() | made_from.keys() if begun_with.get(key) != made_from.get(key))
    if others:
        raise ValueError(f"{job.folder}: was begun with another {', '.join(others)}; give the same, or {begin_again}")


@contextlib.contextmanager
def _locked(folder: Path) -> Iterator[None]:
    """Keep other runs off; the lock ends with the process, however that ends."""
    try:
        import fcntl
    except ImportError:  # Windows has none
        yield
        return
    handle = os.open(folder, os.O_RDONLY)
    try:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise ValueError(f"{folder}: another run is at work here") from None
        except OSError:  # some network file systems have no locks for folders
            pass
        yield
    finally:
        os.close(handle)
