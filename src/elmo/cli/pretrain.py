"""``elmo pretrain``: train a language model on a corpus."""

import dataclasses
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from elmo.cli.options import DeviceOption, ResumeOption, RunOption, given
from elmo.cli.resuming import Recorded, check_agreement, check_recipe, same_model
from elmo.settings import MAX_SEED

if TYPE_CHECKING:
    from elmo.train.pretrain import Recipe
    from elmo.train.run import RunFolder

BUDGET = ("minutes", "epochs", "steps")


def pretrain(
    context: typer.Context,
    corpus: Annotated[Path, typer.Argument(metavar="CORPUS", help="Folder written by elmo prepare.")],
    output: RunOption,
    recipe: Annotated[
        str,
        typer.Option(help="Model shape and training settings: tiny, cpu, small, medium, original, or a .json file."),
    ] = "small",
    seed: Annotated[
        int,
        typer.Option(
            min=0, max=MAX_SEED, help="Random seed; determines the initial weights, the data order and dropout."
        ),
    ] = 0,
    start: Annotated[
        str | None,
        typer.Option(
            "--from",
            metavar="MODEL",
            help="Start from a trained model: its biLM, and its softmax for the words that are in both vocabularies. "
            "A smaller model grows if the widths of the recipe are multiples of its own (default: random weights).",
        ),
    ] = None,
    resume: ResumeOption = False,
    minutes: Annotated[
        float | None,
        typer.Option(
            help="Training time in minutes, summed over all sessions of a resumed run (default: as in the recipe)."
        ),
    ] = None,
    epochs: Annotated[
        float | None, typer.Option(help="Number of passes over the corpus (default: as in the recipe).")
    ] = None,
    steps: Annotated[int | None, typer.Option(help="Number of optimizer steps (default: as in the recipe).")] = None,
    patience: Annotated[
        int | None,
        typer.Option(
            help="Stop after this many evaluations without improvement, and keep the best model (default: as in the "
            "recipe)."
        ),
    ] = None,
    optimizer: Annotated[
        Literal["adam", "adagrad", "muon"] | None,
        typer.Option(
            help="Optimizer (default: as in the recipe). muon trains the LSTM weights with Muon and the "
            "rest with Adam. adagrad uses a constant learning rate, as bilm-tf did; add "
            "--learning-rate 0.2."
        ),
    ] = None,
    learning_rate: Annotated[float | None, typer.Option(help="Peak learning rate (default: as in the recipe).")] = None,
    dropout: Annotated[
        float | None,
        typer.Option(
            min=0, max=0.9, help="Dropout between layers; small corpora need more of it (default: as in the recipe)."
        ),
    ] = None,
    rows: Annotated[
        int | None, typer.Option(help="Rows per batch; fewer rows need less memory (default: as in the recipe).")
    ] = None,
    full_softmax: Annotated[
        bool, typer.Option("--full-softmax", help="Train with the full softmax instead of a sampled one.")
    ] = False,
    device: DeviceOption = "auto",
    workers: Annotated[
        int | None,
        typer.Option(
            min=0, max=256, help="Worker processes that prepare batches (default: 4 with a GPU, otherwise 0)."
        ),
    ] = None,
) -> None:
    """Train a bidirectional language model on a corpus.

    The run ends when the first of --minutes, --epochs and --steps is reached.

    The output folder receives the log, checkpoints, the learning curve and finally the model. An interrupted run
    continues with --resume and ends exactly as if it had not been interrupted; the budget, --patience and
    --learning-rate may change, and options that are not given are those of the run. To train on several GPUs, run
    torchrun --nproc-per-node N -m elmo pretrain ...
    """
    from elmo.train.corpus.corpus import open_corpus
    from elmo.train.pretrain import pretrain, read_recipe, recorded_base, recorded_recipe
    from elmo.train.run import RunFolder
    from elmo.train.runtime import start_runtime

    training = given(
        context,
        minutes=minutes,
        epochs=epochs,
        steps=steps,
        patience=patience,
        optimizer=optimizer,
        learning_rate=learning_rate,
    )
    if training.keys() & set(BUDGET):
        training = dict.fromkeys(BUDGET) | training  # a new budget replaces all limits of the recipe
    if optimizer == "adagrad":
        training["schedule"] = "constant"
    shape = given(context, dropout=dropout, rows=rows) | ({"samples": None} if full_softmax else {})

    def changed(recipe: "Recipe") -> "Recipe":
        return dataclasses.replace(
            recipe,
            training=dataclasses.replace(recipe.training, **training),
            rows=dataclasses.replace(recipe.rows, **shape),
        )

    if resume:
        run = RunFolder(output)
        before, before_seed = recorded_recipe(run)
        asked = given(
            context,
            corpus=corpus,
            start=start,
            seed=seed,
            optimizer=optimizer,
            dropout=dropout,
            rows=rows,
            full_softmax=full_softmax,
        )
        check_agreement(context, output, asked, _recorded(run, before, before_seed))
        if given(context, recipe=recipe):
            free = [f"training.{name}" for name in BUDGET]
            check_recipe(output, recipe, changed(read_recipe(recipe)).to_dict(), changed(before).to_dict(), free)
        chosen, seed = changed(before), before_seed
        start = start or recorded_base(run)[0]
    else:
        chosen = changed(read_recipe(recipe))
    with start_runtime(device) as runtime:
        result = pretrain(
            open_corpus(corpus), chosen, output, runtime, seed=seed, start=start, resume=resume, workers=workers
        )
        if result is not None:  # only in the main process
            typer.echo(f"{output}: training is complete", err=True)
            typer.echo(f"held-out perplexity: {result}", err=True)


def _recorded(run: "RunFolder", recipe: "Recipe", seed: int) -> dict[str, Any]:
    """Return what a run recorded, by option."""
    from elmo.train.corpus.corpus import read_metadata
    from elmo.train.pretrain import recorded_base

    data_hash = run.read(data_hash=str)["data_hash"]
    return {
        "corpus": Recorded(
            f"a corpus with the data hash {data_hash[:12]}",
            lambda folder: read_metadata(folder)["data_hash"] == data_hash,
        ),
        "start": same_model(*recorded_base(run)),
        "seed": seed,
        "optimizer": recipe.training.optimizer,
        "dropout": recipe.rows.dropout,
        "rows": recipe.rows.rows,
        "full_softmax": recipe.rows.samples is None,
    }
