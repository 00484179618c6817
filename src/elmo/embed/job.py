"""Embed a text file of any size as a job that can be interrupted at any time and resumed.

    INPUT ── cut_shards ──> shards ── embed_shard ──> OUT.parts/part-000000, ... ── join_parts ──> OUT

A shard is a fixed number of lines. Its vectors depend only on those lines, the model and the options, so shards can
be embedded in any order and on any machine. A finished shard is a complete file under its final name, and these
files are the only state of a job: a resumed job embeds the shards that have no file yet, and its output is the same
as without the interruption. ``elmo.embed.parts`` keeps the folder of finished parts.
"""

import contextlib
import functools
import hashlib
import io
import itertools
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO, Literal, Protocol

from elmo import __version__
from elmo.config import SHARD_LINES, SUFFIXES, Format, InitialState, Layers, Merge, Pool, Precision, Tokenize
from elmo.embed.embedder import Embedder, load
from elmo.embed.judge import count_cut, judged, warn_of_cut, warn_of_mismatch
from elmo.embed.parts import (
    EmbeddingJob,
    Shard,
    job_folder,
    missing_shards,
    move_sharded_to_output,
    move_to_output,
    new_part,
    output_is_written,
    remove_damaged_parts,
    remove_parts,
    words_in_parts,
)
from elmo.embed.select import LAYER_NAMES, EmbeddedSentence
from elmo.embed.sinks import MAX_SAFETENSORS_HEADER, join_parquet, open_sink, read_safetensors
from elmo.engines.cpu import limit_compiled_products, release_memory
from elmo.files import check_output_file, parts_folder, writing
from elmo.text.reading import compression, refuse_fasta
from elmo.validation import checked_count, checked_layers

FASTA_LINES = 5
"""Lines at the beginning of a text that tell whether it is FASTA."""
MAX_ROUNDS = 3
"""How often parts that turn out to be damaged are computed again before the disk is considered to be failing."""


class Progress(Protocol):
    """A function that is called whenever more sentences are done."""

    def __call__(self, stage: Literal["embed", "join"], sentences: int, total: int | None, words: int) -> None:
        """Report progress.

        Args:
            stage: "embed" while vectors are computed, "join" while finished parts are copied into one file.
            sentences: Number of sentences done in this stage, including those of an earlier run.
            total: Number of sentences in the input, or None if it is a stream.
            words: Number of words embedded by this run.
        """


@dataclass(frozen=True)
class EmbeddingSummary:
    """What ``embed_file`` did."""

    output: Path
    sentences: int
    """Number of sentences in the output."""
    words: int
    """Number of words in the output."""
    resumed: int = 0
    """Number of sentences that an earlier, interrupted run had embedded."""
    resumed_words: int = 0
    """Number of words that it had embedded."""


def embed_file(
    input: str | Path | Iterable[str | Sequence[str]],
    output: str | Path,
    model: Embedder | str | Path | None = None,
    *,
    layers: Layers = "all",
    pool: Pool | None = None,
    format: Format | None = None,
    tokenize: Tokenize = "model",
    merge: Merge | None = None,
    initial_state: InitialState = "zero",
    batch_tokens: int | None = None,
    batch_sentences: int = 1,
    device: str = "cpu",
    precision: Precision = "float32",
    resume: bool = False,
    overwrite: bool = False,
    sharded: bool = False,
    shard_lines: int = SHARD_LINES,
    ray: bool = False,
    ray_address: str | None = None,
    ray_workers: int | None = None,
    progress: Progress | None = None,
) -> EmbeddingSummary:
    """Embed a file with one sentence per line, and write the vectors to a file.

    Finished parts are kept in ``OUTPUT.parts`` until the job is complete, so an interrupted job can be resumed.
    Input that can be read only once, and input embedded with ``initial_state="carry"``, is written in a single pass
    and cannot be resumed.

    Args:
        input: Path of a UTF-8 text file, or an iterable of sentences.
        output: Path to write. It appears when the job is complete.
        model: A loaded model, or anything that ``elmo.load`` accepts. None is the bundled model.
        layers: "all", "top", "average", or the index of one layer (0 is the token layer).
        pool: "mean" or "max" for a single vector per sentence.
        format: Output format. By default it follows from the extension of ``output``.
        tokenize: How lines are split into words; see ``Embedder.embed``.
        merge: "mean" or "last" for one vector per whitespace-separated word; see ``Embedder.embed``.
        initial_state: LSTM state at the start of each sentence, as in ``Embedder.embed``.
        batch_tokens: Number of tokens per batch; None chooses it for the device. It affects speed and memory only.
        batch_sentences: Number of sentences per batch with ``initial_state="carry"``.
        device: Device to compute on, unless ``model`` is loaded already. With Ray, "auto" selects the GPUs of the
            cluster if it has any.
        precision: Numeric precision, unless ``model`` is loaded already.
        resume: Whether to keep the finished parts of an interrupted job and embed only the rest. Parts that were
            damaged in the meantime are embedded again, with a warning.
        overwrite: Whether to replace an existing output file.
        sharded: Whether to write a folder of part files instead of a single file.
        shard_lines: Number of lines per part.
        ray: Whether to distribute the parts over a Ray cluster.
        ray_address: Address of the cluster. By default, Ray is started on this machine.
        ray_workers: Maximum number of Ray workers. By default, one per GPU or, without GPUs, one per CPU.
        progress: Function that is called as sentences are done.

    Returns:
        The number of sentences and words.

    Warns:
        UserWarning: If the model's vocabulary shows that the model does not suit the text (``Embedder.mismatch``), or
            if words are too long for the model.

    Raises:
        ValueError: If an option is invalid, the input is not UTF-8, or ``resume`` does not match the earlier run.
        FileExistsError: If the output exists and ``overwrite`` is false, or if finished parts of an interrupted run
            exist and ``resume`` is false.
        OSError: If a file cannot be read or written.
    """
    if not ray and (ray_address or ray_workers):
        raise ValueError("ray_address and ray_workers require ray=True")
    if ray and isinstance(model, Embedder):
        raise ValueError("Ray workers load the model themselves: pass its name or folder instead of a loaded model")
    layers = checked_layers(layers, LAYER_NAMES)  # an ordinary integer, which the record of the job can store
    shard_lines = checked_count("shard_lines", shard_lines)
    batch_sentences = checked_count("batch_sentences", batch_sentences)
    if ray_workers is not None:
        ray_workers = checked_count("ray_workers", ray_workers)
    output = Path(output)
    inputs = [path for path in (input, model) if isinstance(path, str | Path)]
    if not sharded:
        with contextlib.suppress(OSError):  # a run that was killed at the very end may have left an empty folder
            parts_folder(output).rmdir()
        check_output_file(output, inputs, overwrite=overwrite or (resume and output_is_written(output)))
    elif output.exists() or output.is_symlink():
        raise FileExistsError(f"{output}: already exists; sharded output needs a new folder")
    format = format or _format_of(output)
    report: Progress = progress or (lambda *_: None)
    options: dict[str, Any] = {
        "layers": layers,
        "pool": pool,
        "tokenize": tokenize,
        "merge": merge,
        "initial_state": initial_state,
        "batch_tokens": batch_tokens,
    }
    limit_compiled_products()
    load_model = _loader(model, precision, absolute=ray)
    with contextlib.ExitStack() as stack:
        lines: Iterable[str | Sequence[str]]
        if isinstance(input, str | Path):
            input = Path(input)
            lines = decode_lines(stack.enter_context(_open(input)), input)
        else:
            lines = input
        if not isinstance(input, Path) or not input.is_file():
            reason = "the input can be read only once; write it to a file first"
        elif initial_state == "carry":
            reason = 'with the initial state "carry", each sentence depends on all sentences before it'
        else:
            paths = (input.absolute(), output.absolute()) if ray else (input, output)
            job = EmbeddingJob(*paths, format, sharded, options)
            cluster = {"address": ray_address, "workers": ray_workers} if ray else None
            return _run_job(job, shard_lines, load_model, device, resume, cluster, report)
        for name, requested in {"resume": resume, "sharded": sharded, "ray": ray}.items():
            if requested:
                raise ValueError(f"{name} is not possible: {reason}")
        embedder = load_model(device=device)
        stream = embedder.embed_stream(lines, batch_sentences=batch_sentences, **options)
        split = None if merge is None else embedder.tokenizer(tokenize).words
        return _run_in_one_pass(judged(stream, embedder, split), output, format, layers == "all", report)


def decode_lines(lines: Iterable[bytes], path: str | Path, first: int = 0) -> Iterator[str]:
    """Decode the lines of a UTF-8 text, without line ends and without a byte order mark at the start of the text.

    Args:
        lines: Lines as bytes, such as a file opened in binary mode.
        path: Name of the text, for error messages.
        first: Index of the first line within the text.

    Raises:
        ValueError: If a line is not valid UTF-8, or if the text is FASTA.
    """
    beginning = b""
    for number, line in enumerate(lines, first + 1):
        if number <= FASTA_LINES:
            beginning += line
            refuse_fasta(path, beginning)
        try:
            yield line.decode("utf-8-sig" if number == 1 else "utf-8").rstrip("\r\n")
        except UnicodeDecodeError:
            raise ValueError(f"{path}: line {number} is not valid UTF-8; save the text as UTF-8") from None


def cut_shards(path: Path, shard_lines: int) -> list[Shard]:
    """Cut a text file into shards.

    Raises:
        ValueError: If a line is not valid UTF-8. All lines are checked here, before any work is done.
    """
    shards: list[Shard] = []
    first = start = 0
    text = hashlib.blake2b(digest_size=16)
    with path.open("rb") as file:
        if compression(file.peek()) is not None:
            raise ValueError(f"{path}: is compressed; decompress it first, or pipe the text to elmo embed -")
        while block := list(itertools.islice(file, shard_lines)):
            for _ in decode_lines(block, path, first):
                pass
            content = b"".join(block)
            text.update(content)
            shards.append(
                Shard(len(shards), first, len(block), start, len(content), _digest(content), text.hexdigest())
            )
            first += len(block)
            start += len(content)
    return shards


def read_shard(path: Path, shard: Shard) -> list[str]:
    """Return the lines of a shard.

    Raises:
        ValueError: If the file has changed since it was cut into shards.
    """
    with path.open("rb") as file:
        file.seek(shard.start)
        content = file.read(shard.size)
    if _digest(content) != shard.digest:
        raise ValueError(f"{path}: the file has changed since this run started")
    return list(decode_lines(io.BytesIO(content), path, shard.first))


def identity(job: EmbeddingJob, shards: Sequence[Shard], embedder: Embedder) -> dict[str, Any]:
    """Return everything that determines the content of the parts.

    Batch sizes and the device are not included: they change the vectors only by rounding.
    """
    return {
        "version": __version__,  # another version may split text into other words
        "input": shards[-1].text_digest if shards else "",
        "shard_lines": shards[0].lines if shards else 0,
        "model": embedder.fingerprint(),
        "precision": embedder.precision,
        "format": job.part_format,
        "warm_up": embedder.warm_up if job.options["initial_state"] == "warm" else None,
        **{name: value for name, value in job.options.items() if not name.startswith("batch_")},
    }


def embed_shard(job: EmbeddingJob, shard: Shard, embedder: Embedder, done: Callable[[int, int, int], None]) -> None:
    """Embed one shard and write its part.

    Args:
        job: The job that the shard belongs to.
        shard: The lines to embed.
        embedder: The model.
        done: Called with the number of new sentences, of their words, and of words that are too long for the model.
    """
    stream = embedder.embed_stream(read_shard(job.input, shard), **job.options)
    split = None if job.options["merge"] is None else embedder.tokenizer(job.options["tokenize"]).words
    with (
        new_part(job, shard) as (part, counts),
        open_sink(part, job.part_format, job.by_layer, shard.first) as write,
    ):
        for sentence in stream:
            write(sentence)
            counts["words"] += len(sentence.tokens)
            done(1, len(sentence.tokens), count_cut(embedder, sentence.tokens, split))
    release_memory()


def join_parts(job: EmbeddingJob, shards: Sequence[Shard], done: Callable[[int], None]) -> None:
    """Make the output from the parts and remove their folder; ``done`` is called with the number of new sentences."""
    if missing := missing_shards(job, shards):
        raise ValueError(f"{job.part(missing[0])}: the part is missing; resume the run to compute it again")
    if job.sharded:
        move_sharded_to_output(job)
        return
    joined = job.folder / ".joined"
    with writing(job.output):
        if job.format == "parquet" and shards:
            join_parquet(_parts(job, shards, done), joined)
        else:
            with open_sink(joined, job.format, job.by_layer) as write:
                for part in _parts(job, shards, done):
                    for sentence in read_safetensors(part):
                        write(sentence)
    move_to_output(job, joined)


def check_size(job: EmbeddingJob, shards: Sequence[Shard], max_header: int = MAX_SAFETENSORS_HEADER) -> None:
    """Check before any work is done that the output format can hold the input.

    Raises:
        ValueError: If the output is a single safetensors file and its header would be too long.
    """
    if job.format == "safetensors" and not job.sharded:
        tensor = len('"0": {"dtype":, "shape":, "data_offsets":}') if job.options["pool"] is None else 0
        header = sum(shard.size + tensor * shard.lines for shard in shards)
        if header > max_header:
            raise ValueError(
                f"{job.input}: has more words than a single safetensors file can hold; "
                "use another format or sharded output"
            )


def _run_in_one_pass(
    stream: Iterator[EmbeddedSentence], output: Path, format: Format, by_layer: bool, report: Progress
) -> EmbeddingSummary:
    sentences = words = 0
    with open_sink(output, format, by_layer) as write:
        for sentence in stream:
            write(sentence)
            sentences += 1
            words += len(sentence.tokens)
            report("embed", sentences, None, words)
    return EmbeddingSummary(output, sentences, words)


def _run_job(
    job: EmbeddingJob,
    shard_lines: int,
    load_model: Callable[..., Embedder],
    device: str,
    resume: bool,
    cluster: dict[str, Any] | None,
    report: Progress,
) -> EmbeddingSummary:
    shards = cut_shards(job.input, shard_lines)
    check_size(job, shards)
    embedder = load_model(device="cpu" if cluster else device)
    embedder.embed_stream([], **job.options)  # checks the options before anything is written
    if shards:
        split = embedder.tokenizer(job.options["tokenize"]).words
        warn_of_mismatch(embedder, map(split, read_shard(job.input, shards[0])))
    made_from = identity(job, shards, embedder)
    total = sum(shard.lines for shard in shards)
    with job_folder(job, made_from, resume):
        if output_is_written(job.output):
            all_words = words_in_parts(job)
            remove_parts(job)
            return EmbeddingSummary(job.output, total, all_words, total, all_words)
        remove_damaged_parts(job, shards)
        resumed_words = words_in_parts(job)
        missing = missing_shards(job, shards)
        sentences = resumed = total - sum(shard.lines for shard in missing)
        words = cut = joined = 0

        def embedded(new_sentences: int, new_words: int, new_cut: int) -> None:
            nonlocal sentences, words, cut
            sentences += new_sentences
            words += new_words
            cut += new_cut
            report("embed", sentences, total, words)

        def copied(new_sentences: int) -> None:
            nonlocal joined
            joined += new_sentences
            report("join", joined, total, words)

        embedded(0, 0, 0)
        for _ in range(MAX_ROUNDS):
            if not missing:
                break
            if cluster is None:
                for shard in missing:
                    embed_shard(job, shard, embedder, embedded)
            else:
                from elmo.embed.ray_job import embed_on_ray

                embed_on_ray(job, missing, load_model, device, made_from["model"], embedded, **cluster)
            remove_damaged_parts(job, shards)
            missing = missing_shards(job, shards)
            sentences = total - sum(shard.lines for shard in missing)
        all_words = words_in_parts(job)
        join_parts(job, shards, copied)
    warn_of_cut(embedder, cut)
    return EmbeddingSummary(job.output, sentences, all_words, resumed, resumed_words)


def _loader(model: Embedder | str | Path | None, precision: Precision, absolute: bool) -> Callable[..., Embedder]:
    """Return a function of the device that returns the model; ``absolute``: also in another working directory."""
    if isinstance(model, Embedder):
        embedder = model
        return lambda device: embedder
    if absolute and model is not None and Path(model).exists():
        model = Path(model).absolute()
    return functools.partial(load, model, precision=precision)


def _format_of(output: Path) -> Format:
    try:
        return SUFFIXES[output.suffix.lower()]
    except KeyError:
        raise ValueError(
            f"{output}: the extension does not name a format; use {', '.join(SUFFIXES)}, or choose one with --format "
            "(format=... in Python)"
        ) from None


def _open(path: Path) -> BinaryIO:
    try:
        return path.open("rb")
    except OSError as error:
        raise ValueError(f"{path}: cannot be read ({error.strerror})") from None


def _parts(job: EmbeddingJob, shards: Sequence[Shard], done: Callable[[int], None]) -> Iterator[Path]:
    for shard in shards:
        yield job.part(shard)
        done(shard.lines)


def _digest(content: bytes) -> str:
    return hashlib.blake2b(content, digest_size=16).hexdigest()
