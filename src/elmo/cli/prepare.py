"""``elmo prepare``: raw text to a corpus to train on."""

import os
import time
from pathlib import Path
from typing import Annotated

import typer


def prepare(
    texts: Annotated[
        list[Path],
        typer.Argument(
            metavar="TEXT",
            help="Text files (plain, .gz, .xz, .bz2, .zst), folders of them, or - for standard input.",
        ),
    ],
    output: Annotated[Path, typer.Option("--output", "-o", metavar="CORPUS", help="Folder to write.")],
    pretokenised: Annotated[
        bool, typer.Option("--pretokenised", help="A line is a sentence, its words stand between spaces.")
    ] = False,
    heldout: Annotated[
        list[Path] | None, typer.Option(help="Text to hold out for evaluation; may be given several times.")
    ] = None,
    heldout_fraction: Annotated[
        float | None,
        typer.Option(min=0, max=0.9, help="Without --heldout: share of the sentences (0.001, at most 10,000)."),
    ] = None,
    vocabulary_size: Annotated[int, typer.Option(min=4, help="Words to predict, with three markers.")] = 100_000,
    min_count: Annotated[int, typer.Option(min=1, help="Rarer words are not predicted, only read.")] = 2,
    max_types: Annotated[int, typer.Option(min=4, help="Distinct words to keep; the rarest are lost.")] = 5_000_000,
    keep_duplicates: Annotated[
        bool, typer.Option("--keep-duplicates", help="Keep sentences that repeat an earlier one.")
    ] = False,
    seed: Annotated[int, typer.Option(min=0, help="Another one holds out other sentences.")] = 0,
    workers: Annotated[
        int | None, typer.Option(min=1, help="Processes; the result does not depend on it (all cores).")
    ] = None,
    overwrite: Annotated[bool, typer.Option("--overwrite", help="Replace a corpus that is there.")] = False,
) -> None:
    """Split text in sentences and words, count them, and write a corpus to train on.

    Every line is a paragraph of raw text, unless --pretokenised. Sentences that repeat an earlier one are left
    out, and so are those that are held out as well. Bytes that are not UTF-8 are replaced and counted.
    """
    from elmo.train.corpus.prepare import HELDOUT_FRACTION
    from elmo.train.corpus.prepare import prepare as make_corpus

    if heldout and heldout_fraction is not None:
        raise ValueError("--heldout-fraction: the text to hold out is named by --heldout already")
    start = time.perf_counter()
    facts = make_corpus(
        texts,
        output,
        heldout=heldout or (),
        heldout_fraction=HELDOUT_FRACTION if heldout_fraction is None else heldout_fraction,
        tokenizer="whitespace" if pretokenised else "words",
        keep_duplicates=keep_duplicates,
        vocabulary_size=vocabulary_size,
        min_count=min_count,
        max_types=max_types,
        seed=seed,
        workers=workers or _cores(),
        overwrite=overwrite,
    )
    seconds = time.perf_counter() - start
    counts = facts["counts"]
    typer.echo(
        f"{output}: {counts['train_sentences']:,} sentences, {counts['train_tokens']:,} words to train on; "
        f"{counts['heldout_sentences']:,} sentences, {counts['heldout_tokens']:,} words held out; "
        f"{counts['types']:,} types, {counts['vocabulary']:,} in the vocabulary; in {seconds:.1f} s",
        err=True,
    )
    removed = counts["duplicates_removed"], counts["overlap_removed"]
    if any(removed):
        typer.echo(f"left out: {removed[0]:,} duplicates, {removed[1]:,} sentences that are held out", err=True)
    if counts["invalid_lines"]:
        typer.echo(f"warning: {counts['invalid_lines']:,} lines were not UTF-8; the bad bytes are now \ufffd", err=True)
    if counts["forms_forgotten"]:
        typer.echo(f"warning: more distinct words than --max-types; {counts['forms_forgotten']:,} forgotten", err=True)


def _cores() -> int:
    """Cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
