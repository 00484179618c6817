"""``elmo finetune``: adapt a model to a domain."""

from typing import Annotated

import typer

from elmo.cli.options import (
    DeviceOption,
    HeldoutOption,
    ModelAndTextsArgument,
    ModelOption,
    PretokenizedOption,
    ResumeOption,
    RunOption,
    model_and_texts,
)
from elmo.settings import MAX_SEED


def finetune(
    texts: ModelAndTextsArgument,
    output: RunOption,
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
    without a softmax; they get a new one over the vocabulary of the text.
    """
    from elmo.train.finetune import finetune
    from elmo.train.runtime import start_runtime
    from elmo.weights.locate import DEFAULT

    model, files = model_and_texts(model, texts)
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
            report_before=lambda before: typer.echo(f"held-out perplexity before: {before}"),
        )
    typer.echo(f"held-out perplexity after: {after}")
    typer.echo(f"{output}: training is complete", err=True)
