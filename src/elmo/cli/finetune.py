"""``elmo finetune``: a model to a domain."""

from pathlib import Path
from typing import Annotated

import typer


def finetune(
    model: Annotated[str, typer.Argument(metavar="M", help="Bundled name, folder, zip archive or Hub id.")],
    texts: Annotated[list[Path], typer.Argument(metavar="TEXT...", help="Files or folders; - reads standard input.")],
    output: Annotated[Path, typer.Option("--output", "-o", help="Folder for the run and, at its end, the model.")],
    pretokenised: Annotated[bool, typer.Option("--pretokenised", help="A line is a sentence, words apart.")] = False,
    heldout: Annotated[list[Path] | None, typer.Option(help="Text to measure on; else a part of TEXT.")] = None,
    heldout_fraction: Annotated[float, typer.Option(help="That part, of the sentences.")] = 0.05,
    epochs: Annotated[float, typer.Option(help="Passes over the text.")] = 1.0,
    learning_rate: Annotated[float, typer.Option(help="Peak of the learning rate.")] = 1e-3,
    rows: Annotated[int, typer.Option(help="Rows of 64 words in a batch.")] = 16,
    seed: Annotated[int, typer.Option(min=0, help="Decides all that is random.")] = 0,
    resume: Annotated[
        bool, typer.Option("--resume", help="Go on with a run that was stopped, as it was begun.")
    ] = False,
    device: Annotated[str, typer.Option(help="cpu, cuda, or auto: a GPU if there is one.")] = "auto",
) -> None:
    """Train a model on, with the text of a domain, and show its perplexity there before and after.

    The model keeps its vocabulary; published weights, which come without a softmax, get a fresh one.
    """
    from elmo.train.corpus.corpus import open_corpus
    from elmo.train.corpus.prepare import prepare
    from elmo.train.finetune import finetune, finetuning_recipe
    from elmo.train.pretrain import Recipe, read_run
    from elmo.train.runtime import start_runtime
    from elmo.weights.folder import read_softmax
    from elmo.weights.locate import locate, read_model

    path = locate(model)
    bilm = read_model(path)
    softmax = read_softmax(path, bilm)
    prepared = output / "corpus"
    if not resume:
        if output.exists() and any(output.iterdir()):
            raise ValueError(f"{output}: exists already; --resume goes on with it, or name a new folder")
        recipe = finetuning_recipe(bilm, epochs=epochs, learning_rate=learning_rate, rows=rows)
        prepare(
            texts,
            prepared,
            heldout=heldout or (),
            heldout_fraction=heldout_fraction,
            tokenizer="whitespace" if pretokenised else "words",
            min_count=1,
        )
    else:
        begun = read_run(output)
        recipe, seed = Recipe.from_dict(begun["recipe"]), begun["seed"]
    with start_runtime(device) as runtime:
        before, after = finetune(
            bilm, softmax, open_corpus(prepared), recipe, output, runtime, seed=seed, resume=resume
        )
    for name, measured in (("before", before), ("after", after)):
        typer.echo(
            f"held-out perplexity {name}: forward {measured.forward:.2f}, backward {measured.backward:.2f}, "
            f"mean {measured.arithmetic:.2f} ({100 * measured.unknown:.2f} % unknown words)"
        )
    typer.echo(f"{output}: the model is ready", err=True)
