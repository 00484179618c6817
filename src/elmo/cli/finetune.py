"""``elmo finetune``: adapt a model to a domain."""

from typing import TYPE_CHECKING, Annotated, Any

import typer

from elmo.cli.options import (
    DeviceOption,
    HeldoutOption,
    ModelOption,
    OptionalModelAndTextsArgument,
    PretokenizedOption,
    ResumeOption,
    RunOption,
    given,
    model_and_texts,
)
from elmo.cli.prepare import report_removed
from elmo.cli.resuming import check_agreement, same_model, same_texts
from elmo.settings import MAX_SEED

if TYPE_CHECKING:
    from elmo.train.run import RunFolder


def finetune(
    context: typer.Context,
    output: RunOption,
    texts: OptionalModelAndTextsArgument = None,
    model: ModelOption = None,
    pretokenized: PretokenizedOption = False,
    heldout: HeldoutOption = None,
    heldout_fraction: Annotated[
        float, typer.Option(help="Fraction of sentences held out for validation, unless --heldout is given.")
    ] = 0.05,
    epochs: Annotated[float, typer.Option(help="Number of passes over the text.")] = 1.0,
    learning_rate: Annotated[float, typer.Option(help="Peak learning rate.")] = 1e-3,
    rows: Annotated[int, typer.Option(help="Rows per batch, with 64 time steps each.")] = 16,
    seed: Annotated[
        int, typer.Option(min=0, max=MAX_SEED, help="Random seed; determines the order of the sentences and dropout.")
    ] = 0,
    resume: ResumeOption = False,
    device: DeviceOption = "auto",
) -> None:
    """Continue the training of a model on the text of a domain.

    Prints the perplexity of held-out text before and after. The model keeps its vocabulary. Published models come
    without a softmax; they get a new one over the vocabulary of the text. Duplicate sentences and copies of held-out
    sentences are removed from the text.

    An interrupted run continues with --resume, which needs only --output: the run keeps its text and settings.
    """
    from elmo.train.finetune import finetune
    from elmo.train.pretrain import recorded_base
    from elmo.train.run import RunFolder
    from elmo.train.runtime import start_runtime
    from elmo.weights.locate import DEFAULT

    if heldout and given(context, heldout_fraction=heldout_fraction):
        raise ValueError("--heldout-fraction cannot be combined with --heldout")
    model, files = model_and_texts(model, texts or ())
    if resume:
        name, fingerprint = recorded_base(RunFolder(output))
        asked = given(
            context,
            texts=files,
            pretokenized=pretokenized,
            heldout=heldout,
            heldout_fraction=heldout_fraction,
            epochs=epochs,
            learning_rate=learning_rate,
            rows=rows,
            seed=seed,
        )
        if model is not None and fingerprint is not None:  # older runs do not record it
            asked["model"] = model
        check_agreement(context, output, asked, _recorded(RunFolder(output)))
        model = model or name
    elif not files:
        raise ValueError("there is no text to train on; name text files (see elmo finetune --help)")
    with start_runtime(device) as runtime:
        _, after = finetune(
            model or DEFAULT,
            files,
            output,
            runtime,
            heldout=heldout or (),
            heldout_fraction=heldout_fraction,
            pretokenized=pretokenized,
            epochs=epochs,
            learning_rate=learning_rate,
            rows=rows,
            seed=seed,
            resume=resume,
            report_text=report_removed,
            report_before=lambda before: typer.echo(f"held-out perplexity before: {before}"),
        )
    typer.echo(f"held-out perplexity after: {after}")
    typer.echo(f"{output}: training is complete", err=True)


def _recorded(run: "RunFolder") -> dict[str, Any]:
    """Return what a run recorded, by option."""
    from elmo.files import CORPUS_FILE, verify_checksums
    from elmo.train.corpus.corpus import read_metadata
    from elmo.train.finetune import CORPUS_FOLDER
    from elmo.train.pretrain import recorded_base, recorded_recipe

    recipe, seed = recorded_recipe(run)
    verify_checksums(run.path / CORPUS_FOLDER, [CORPUS_FILE])
    corpus = read_metadata(run.path / CORPUS_FOLDER)
    tokenizer, heldout = corpus["settings"]["tokenizer"], corpus["settings"]["heldout"]
    return {
        "texts": same_texts(corpus["inputs"]),
        "model": same_model(*recorded_base(run)),
        "pretokenized": tokenizer == "whitespace",
        "heldout": same_texts(corpus["heldout_inputs"]),
        "heldout_fraction": None if isinstance(heldout, list) else heldout,
        "epochs": recipe.training.epochs,
        "learning_rate": recipe.training.learning_rate,
        "rows": recipe.rows.rows,
        "seed": seed,
    }
