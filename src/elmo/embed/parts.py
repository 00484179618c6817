"""The folder of finished parts of an embedding job: what is in it, and when it can be trusted.

    OUT.parts/
        _job.json      what the parts are made from, so that parts of different jobs are never mixed
        _parts.jsonl   size, SHA-256 and number of words of each part, recorded before the part appears under its name
        part-000000    finished parts
        _output.json   once the output is in its place: which file that is, so that only this folder is left to remove
        .*             scratch files of running and killed processes, removed when a job starts

The leading underscores make readers of Parquet folders ignore these files, because a sharded job's folder becomes its
output. There, ``_job.json`` contains these records as well.
"""

import contextlib
import errno
import json
import os
import shutil
import warnings
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from elmo.config import SUFFIXES, Format
from elmo.files import (
    START_OVER,
    checksum,
    damaged_parts,
    interrupted_run,
    only_run_in,
    parts_folder,
    read_json_object,
    replacing_file,
    writing,
)

MANIFEST = "_job.json"
CHECKSUMS = "_parts.jsonl"
OUTPUT_RECORD = "_output.json"
OPTIONS = ("layers", "pool", "tokenize", "merge", "initial_state", "precision", "shard_lines")
"""What the manifest records under the name of an option, and with its value."""
MAX_MANIFEST_BYTES = 1 << 28
"""Room for the checksums of two million parts."""


@dataclass(frozen=True)
class Shard:
    """A range of lines of the input."""

    number: int
    first: int
    """Index of its first line."""
    lines: int
    """Number of lines."""
    start: int
    """Offset of its first byte in the file."""
    size: int
    """Number of bytes."""
    digest: str
    """Hash of the bytes, to detect input that changes while the job runs."""
    text_digest: str
    """Hash of the text up to the end of the shard. It does not depend on how the text is cut."""


@dataclass(frozen=True)
class EmbeddingJob:
    """What to embed, how, and where to write it."""

    input: Path
    output: Path
    format: Format
    sharded: bool
    """Whether the output is a folder of parts, which are not joined."""
    options: dict[str, Any]
    """Keyword arguments of ``Embedder.embed_stream``."""

    @property
    def folder(self) -> Path:
        """The folder of finished parts."""
        return parts_folder(self.output)

    @property
    def part_format(self) -> Format:
        """The format of the parts.

        Parquet files are joined column by column. All other formats are joined sentence by sentence, from the format
        that is fastest to read.
        """
        return self.format if self.sharded or self.format == "parquet" else "safetensors"

    @property
    def by_layer(self) -> bool:
        """Whether the first axis of the vectors is the layer."""
        return bool(self.options["layers"] == "all")

    def part(self, shard: Shard) -> Path:
        """Return the path of the file for a finished shard."""
        suffix = next(suffix for suffix, format in SUFFIXES.items() if format == self.part_format)
        return self.folder / f"part-{shard.number:06}{suffix}"


@contextlib.contextmanager
def job_folder(job: EmbeddingJob, made_from: Mapping[str, Any], resume: bool) -> Iterator[None]:
    """Create and lock the folder of finished parts.

    The folder is removed when the block ends without any finished part; otherwise it stays, to be resumed.

    Args:
        job: The job.
        made_from: Everything that determines the content of the parts. Must be representable as JSON.
        resume: Whether parts of an earlier run may be used. They must be made from the same.
    """
    if job.folder.is_symlink():
        raise FileExistsError(f"{job.folder}: is a symbolic link, but must be a folder on the disk of {job.output}")
    with writing(job.output):
        job.folder.mkdir(parents=True, exist_ok=True)
    own = (".", "part-", MANIFEST, CHECKSUMS, OUTPUT_RECORD)
    if foreign := [path for path in job.folder.iterdir() if not path.name.startswith(own)]:
        raise FileExistsError(
            f"{foreign[0]}: unexpected file among the parts of {job.output}; move it or choose another output"
        )
    with only_run_in(job.folder):
        remove_scratch(job.folder)
        if _finished_parts(job) or output_is_written(job.output):
            _check_manifest(job, made_from, resume)
        else:
            with writing(job.output):
                for stale in (OUTPUT_RECORD, CHECKSUMS):
                    (job.folder / stale).unlink(missing_ok=True)
                _write_json(dict(made_from), job.folder / MANIFEST)
        try:
            yield
        finally:
            if job.folder.exists() and not _finished_parts(job):
                shutil.rmtree(job.folder, ignore_errors=True)


@contextlib.contextmanager
def new_part(job: EmbeddingJob, shard: Shard) -> Iterator[tuple[Path, Counter[str]]]:
    """Provide a temporary path to write a part to, and a counter of its ``words``.

    When the block ends, the checksum of the part and the number of words are recorded, and the part is moved in place.
    """
    with writing(job.output), replacing_file(job.part(shard)) as temporary:
        counts = Counter(words=0)
        yield temporary, counts
        record = json.dumps({"part": job.part(shard).name, **checksum(temporary), **counts})
        # One write call, so that processes may append at the same time, and on a line of its own, even if the record
        # before is incomplete because the disk was full.
        handle = os.open(job.folder / CHECKSUMS, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o666)
        try:
            line = f"\n{record}\n".encode()
            if os.write(handle, line) < len(line):
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        finally:
            os.close(handle)


def missing_shards(job: EmbeddingJob, shards: Sequence[Shard]) -> list[Shard]:
    """Return the shards that are not finished."""
    finished = _finished_parts(job)
    return [shard for shard in shards if job.part(shard).name not in finished]


def words_in_parts(job: EmbeddingJob) -> int:
    """Return the number of words in the finished parts, or in the output once it is written."""
    if output_is_written(job.output):
        words = read_json_object(job.folder / OUTPUT_RECORD, MAX_MANIFEST_BYTES).get("words")
        return words if isinstance(words, int) else 0
    finished = _finished_parts(job)
    return sum(int(record["words"]) for name, record in _recorded_parts(job).items() if name in finished)


def remove_damaged_parts(job: EmbeddingJob, shards: Sequence[Shard]) -> None:
    """Compare the finished parts with their checksums, and remove those that differ, with a warning.

    Raises:
        FileExistsError: If there is a part that does not belong to the job.
    """
    recorded, finished = _recorded_parts(job), _finished_parts(job)
    for shard in shards:
        part = job.part(shard)
        if part.name not in finished:
            continue
        finished.remove(part.name)
        expected = recorded.get(part.name)
        # The size is compared first, because it costs nothing.
        if (
            expected is None
            or part.stat().st_size != expected["size"]
            or not checksum(part).items() <= expected.items()
        ):
            reason = "has no checksum" if expected is None else "is damaged: it has changed since it was written"
            warnings.warn(f"{part} {reason}; it will be computed again", stacklevel=2)
            part.unlink()
    if finished:
        raise FileExistsError(f"{job.folder / min(finished)}: is not a part of this job; move it away")


def move_to_output(job: EmbeddingJob, joined: Path) -> None:
    """Move the joined file, which is in the folder of parts, to the output, and remove the folder."""
    with writing(job.output):
        made_from, _ = _manifest(job)
        record = {"made_from": made_from, "words": words_in_parts(job), **_identity(joined.stat())}
        _write_json(record, job.folder / OUTPUT_RECORD)
        joined.replace(job.output)
    remove_parts(job)


def output_is_written(output: Path) -> bool:
    """Return whether a job that was interrupted at the very end has written this output already."""
    with contextlib.suppress(OSError, ValueError):
        record = read_json_object(parts_folder(output) / OUTPUT_RECORD, MAX_MANIFEST_BYTES)
        return isinstance(record.get("made_from"), dict) and _identity(output.lstat()).items() <= record.items()
    return False


def remove_parts(job: EmbeddingJob) -> None:
    """Remove the folder of parts. If that is interrupted, what is left says that the output is written."""
    remove_scratch(job.folder)
    for name in sorted(_finished_parts(job)):
        (job.folder / name).unlink()
    for name in (CHECKSUMS, MANIFEST, OUTPUT_RECORD):
        (job.folder / name).unlink(missing_ok=True)
    job.folder.rmdir()


def move_sharded_to_output(job: EmbeddingJob) -> None:
    """Make the folder of parts the output, with what is recorded of each in ``_job.json``."""
    with writing(job.output):
        parts = {name: found for name, found in _recorded_parts(job).items() if name in _finished_parts(job)}
        made_from, _ = _manifest(job)
        _write_json({**made_from, "parts": dict(sorted(parts.items()))}, job.folder / MANIFEST)
        (job.folder / CHECKSUMS).unlink(missing_ok=True)
        remove_scratch(job.folder)
        job.folder.rename(job.output)


def count_attempt(part: Path) -> int:
    """Count that a process starts to compute a part, and return how often that has happened in this run."""
    with part.with_name(f".{part.name}.attempts").open("ab") as file:
        file.write(b".")
        return file.tell()


def remove_scratch(folder: Path) -> None:
    """Remove what killed processes left half written."""
    for path in folder.glob(".*"):
        if path.is_dir() and not path.is_symlink():
            shutil.rmtree(path, ignore_errors=True)
        else:
            path.unlink(missing_ok=True)


def _finished_parts(job: EmbeddingJob) -> set[str]:
    return {path.name for path in job.folder.glob("part-*")}


def _recorded_parts(job: EmbeddingJob) -> dict[str, dict[str, Any]]:
    """Read what is recorded of each part; the last record of a part counts, and incomplete records are skipped."""
    _, parts = _manifest(job)
    records = [{"part": name, **found} for name, found in parts.items()]
    with contextlib.suppress(FileNotFoundError):
        for line in (job.folder / CHECKSUMS).read_text("utf-8", "replace").splitlines():
            with contextlib.suppress(ValueError, RecursionError):
                records.append(json.loads(line))
    keys = {"part", "size", "sha256", "words"}
    complete = [record for record in records if isinstance(record, dict) and record.keys() == keys]
    return {str(record.pop("part")): record for record in complete if isinstance(record["words"], int)}


def _manifest(job: EmbeddingJob) -> tuple[dict[str, Any], dict[str, dict[str, Any]]]:
    """Read what the parts are made from, and, of a complete sharded job, what is recorded of each."""
    try:
        content = read_json_object(job.folder / MANIFEST, MAX_MANIFEST_BYTES)
        parts = content.pop("parts", {})
        if not isinstance(parts, dict) or not all(isinstance(record, dict) for record in parts.values()):
            raise ValueError("parts must be an object")
    except (OSError, ValueError):
        raise damaged_parts(job.folder, MANIFEST) from None
    return content, parts


def _check_manifest(job: EmbeddingJob, made_from: Mapping[str, Any], resume: bool) -> None:
    if not resume:
        raise interrupted_run(job.folder, f"{len(_finished_parts(job))} finished parts")
    if output_is_written(job.output):
        recorded = read_json_object(job.folder / OUTPUT_RECORD, MAX_MANIFEST_BYTES)["made_from"]
    else:
        recorded, _ = _manifest(job)
    expected = json.loads(json.dumps(dict(made_from)))
    different = sorted(key for key in recorded.keys() | expected.keys() if recorded.get(key) != expected.get(key))
    if "input" in different and "shard_lines" in different:
        different.remove("shard_lines")  # a shorter text may have fewer lines per part
    if different:
        names = ", ".join(_difference(key, recorded.get(key)) for key in different)
        raise ValueError(f"{job.folder}: the interrupted run differs in {names}; use the same, or {START_OVER}")


def _difference(key: str, recorded: Any) -> str:
    """Name what differs from an interrupted run, with its value there if that is the value of an option."""
    if key not in OPTIONS:
        return key
    return f"--{key.replace('_', '-')} (it was {'not given' if recorded is None else recorded})"


def _identity(status: os.stat_result) -> dict[str, int]:
    """What identifies a file, even if another one takes its name; a rename does not change it."""
    return {"inode": status.st_ino, "size": status.st_size, "modified": status.st_mtime_ns}


def _write_json(content: dict[str, Any], path: Path) -> None:
    with replacing_file(path) as temporary:
        temporary.write_text(json.dumps(content, indent=1))
