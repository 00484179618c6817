"""``elmo pretrain``: a corpus to a model."""

import dataclasses
from pathlib import Path
from typing import Annotated, Literal

import typer


def pretrain(
    corpus: Annotated[Path, typer.Argument(help="Folder made by elmo prepare.")],
    output: Annotated[Path, typer.Option("--output", "-o", help="Folder for the run and, at its end, the model.")],
    recipe: Annotated[
        str, typer.Option(help="tiny, small, medium, original, or a .json file; see recipes/.")
    ] = "small",
    seed: Annotated[int, typer.Option(min=0, help="Decides all that is random.")] = 0,
    resume: Annotated[bool, typer.Option("--resume", help="Go on with a run that was stopped.")] = False,
    minutes: Annotated[float | None, typer.Option(help="Stop after this time, over all sittings.")] = None,
    epochs: Annotated[float | None, typer.Option(help="Stop after so many passes over the corpus.")] = None,
    steps: Annotated[int | None, typer.Option(help="Stop after so many updates.")] = None,
    patience: Annotated[
        int | None, typer.Option(help="Stop after so many evaluations without progress; keep the best model.")
    ] = None,
    optimizer: Annotated[
        Literal["adam", "adagrad"] | None,
        typer.Option(help="adagrad: as bilm-tf used it, at a constant rate (then --learning-rate 0.2)."),
    ] = None,
    learning_rate: Annotated[float | None, typer.Option(help="Peak of the learning rate.")] = None,
    dropout: Annotated[
        float | None, typer.Option(min=0, max=0.9, help="Share left out between layers; small corpora want more.")
    ] = None,
    rows: Annotated[int | None, typer.Option(help="Rows in a batch; fewer need less memory.")] = None,
    full_softmax: Annotated[bool, typer.Option("--full-softmax", help="Train against all words.")] = False,
    device: Annotated[str, typer.Option(help="cpu, cuda, or auto: a GPU if there is one.")] = "auto",
    workers: Annotated[int | None, typer.Option(help="Processes that prepare batches (default: 4 for a GPU).")] = None,
) -> None:
    """Train a biLM. Any of --minutes, --epochs, --steps replaces the recipe's own budget.

    The folder holds log.jsonl, curve.png, checkpoints and, in the end, the model; and TensorBoard logs where
    tensorboard is installed. A run that was stopped or killed goes on with --resume and ends as if nothing had
    happened. For several GPUs: torchrun --nproc-per-node N -m elmo pretrain ...
    """
    from elmo.train.corpus.corpus import open_corpus
    from elmo.train.pretrain import Recipe, pretrain, read_recipe, read_run
    from elmo.train.runtime import start_runtime

    chosen = Recipe.from_dict(read_run(output)["recipe"]) if resume else read_recipe(recipe)
    seed = read_run(output)["seed"] if resume else seed
    training, shape = chosen.training, chosen.rows
    if minutes is not None or epochs is not None or steps is not None:
        training = dataclasses.replace(training, minutes=minutes, epochs=epochs, steps=steps)
    if patience is not None:
        training = dataclasses.replace(training, patience=patience)
    if optimizer is not None:
        schedule = "constant" if optimizer == "adagrad" else training.schedule
        training = dataclasses.replace(training, optimizer=optimizer, schedule=schedule)
    if learning_rate is not None:
        training = dataclasses.replace(training, learning_rate=learning_rate)
    if dropout is not None:
        shape = dataclasses.replace(shape, dropout=dropout)
    if rows is not None:
        shape = dataclasses.replace(shape, rows=rows)
    if full_softmax:
        shape = dataclasses.replace(shape, samples=None)
    chosen = dataclasses.replace(chosen, training=training, rows=shape)
    opened = open_corpus(corpus)
    with start_runtime(device) as runtime:
        count = workers if workers is not None else (4 if runtime.device.type == "cuda" else 0)
        result = pretrain(opened, chosen, output, runtime, seed=seed, resume=resume, workers=count)
        if runtime.is_main:
            typer.echo(f"{output}: the model is ready", err=True)
            if result is not None:  # as in every main process
                typer.echo(
                    f"held-out perplexity: forward {result.forward:.2f}, backward {result.backward:.2f}, "
                    f"mean {result.arithmetic:.2f} ({100 * result.unknown:.2f} % unknown words)",
                    err=True,
                )
