"""``elmo prepare``: turn raw text into a corpus for pretraining."""

import os
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated

import typer

from elmo.cli.options import HeldoutOption, PretokenizedOption, ResumeOption, TextsArgument
from elmo.config import TokenizerName
from elmo.settings import MAX_SEED
from elmo.text.counts import counted


def prepare(
    texts: TextsArgument,
    output: Annotated[Path, typer.Option("--output", "-o", help="Folder to write the corpus to.")],
    tokenizer: Annotated[
        TokenizerName | None,
        typer.Option(
            help="Tokenizer, which the trained model will name as its own: words, korean (morphemes), or whitespace "
            "(default: words)."
        ),
    ] = None,
    pretokenized: PretokenizedOption = False,
    repeat: Annotated[
        list[str] | None,
        typer.Option(
            metavar="TEXT=N",
            help="Let an epoch see the sentences of one of the texts N times, to give it more weight in a mixture.",
        ),
    ] = None,
    heldout: HeldoutOption = None,
    heldout_fraction: Annotated[
        float | None,
        typer.Option(
            min=0,
            max=0.9,
            help="Fraction of sentences held out for validation, unless --heldout is given (default: 0.001, at most "
            "10,000 sentences).",
        ),
    ] = None,
    vocabulary_size: Annotated[
        int, typer.Option(min=4, help="Maximum number of words that the model predicts, including three markers.")
    ] = 100_000,
    min_count: Annotated[
        int,
        typer.Option(min=1, help="Minimum frequency of a word that the model predicts. Rarer words are inputs only."),
    ] = 2,
    max_types: Annotated[
        int, typer.Option(min=4, help="Maximum number of distinct words to keep. The rarest are lost.")
    ] = 5_000_000,
    keep_duplicates: Annotated[
        bool, typer.Option("--keep-duplicates", help="Keep sentences that repeat an earlier one.")
    ] = False,
    seed: Annotated[
        int, typer.Option(min=0, max=MAX_SEED, help="Random seed; determines which sentences are held out.")
    ] = 0,
    workers: Annotated[
        int | None,
        typer.Option(
            min=1, max=1024, help="Number of processes. The result does not depend on it (default: one per core)."
        ),
    ] = None,
    resume: ResumeOption = False,
    overwrite: Annotated[bool, typer.Option("--overwrite", help="Replace an existing corpus.")] = False,
) -> None:
    """Tokenize text and write a corpus for pretraining.

    Every line is a paragraph of raw text, or one tokenized sentence with --pretokenized, which is short for
    --tokenizer whitespace. Duplicate sentences and copies of held-out sentences are removed. Invalid UTF-8 is replaced
    and reported.

    Tokenized text is kept in CORPUS.parts until the run is complete. Use --resume to continue a run that was
    interrupted.
    """
    from elmo.files import parts_folder
    from elmo.train.corpus.prepare import HELDOUT_FRACTION
    from elmo.train.corpus.prepare import prepare as prepare_corpus

    if heldout and heldout_fraction is not None:
        raise ValueError("--heldout-fraction cannot be combined with --heldout")
    if pretokenized and tokenizer not in (None, "whitespace"):
        raise ValueError(f"--pretokenized cannot be combined with --tokenizer {tokenizer}")
    start = time.perf_counter()
    try:
        metadata = prepare_corpus(
            texts,
            output,
            repeat=dict(map(_repetition, repeat or ())),
            heldout=heldout or (),
            heldout_fraction=HELDOUT_FRACTION if heldout_fraction is None else heldout_fraction,
            tokenizer="whitespace" if pretokenized else tokenizer or "words",
            keep_duplicates=keep_duplicates,
            vocabulary_size=vocabulary_size,
            min_count=min_count,
            max_types=max_types,
            seed=seed,
            workers=workers or _cores(),
            resume=resume,
            overwrite=overwrite,
        )
    except BaseException as error:
        if parts_folder(output).exists() and not isinstance(error, ValueError | FileExistsError):
            typer.echo(f"tokenized text is kept in {parts_folder(output)}; continue with --resume", err=True)
        raise
    seconds = time.perf_counter() - start
    counts = metadata["counts"]
    typer.echo(
        f"{output}: {counted(counts['train_sentences'], 'sentence')} ({counted(counts['train_tokens'], 'word')}) "
        f"to train on, {counts['heldout_sentences']:,} ({counted(counts['heldout_tokens'], 'word')}) held out; "
        f"{counts['types']:,} distinct words, {counts['vocabulary']:,} in the vocabulary; {seconds:.1f} s",
        err=True,
    )
    report_removed(counts)
    if counts["forms_forgotten"]:
        typer.echo(
            f"warning: there are more distinct words than --max-types; {counts['forms_forgotten']:,} became <UNK>",
            err=True,
        )


def report_removed(counts: Mapping[str, int]) -> None:
    """Print how many sentences were removed from the text, if any were; ``counts`` are those of ``corpus.json``."""
    from elmo.train.corpus.corpus import removed

    if counts["duplicates_removed"] or counts["overlap_removed"]:
        typer.echo(f"removed: {removed(counts)}", err=True)


def _repetition(value: str) -> tuple[str, int]:
    """Read TEXT=N."""
    text, _, times = value.rpartition("=")
    if not text or not times.isdecimal():
        raise ValueError(f"--repeat {value}: expected TEXT=N, for example news.txt=2")
    return text, int(times)


def _cores() -> int:
    """Return the number of cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
