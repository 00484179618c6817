"""``elmo task``: train, measure and use models for the six tasks."""

import dataclasses
import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from elmo.cli.options import chosen_device

if TYPE_CHECKING:
    from elmo.tasks.trainer import TrainedTask

app = typer.Typer(
    name="task",
    help="Train a model for a task, with or without ELMo; measure it; use it.",
    no_args_is_help=True,
)

Device = Annotated[str, typer.Option(help="cpu, cuda, or auto: a GPU if there is one.")]
Run = Annotated[Path, typer.Argument(help="The folder of a trained task.")]


@app.command(
    epilog="Example: elmo task train ner --train train.conll --dev dev.conll --elmo small --vectors glove.txt -o run"
)
def train(
    name: Annotated[str, typer.Argument(help="squad, snli, srl, coref, ner or sst.")],
    output: Annotated[Path, typer.Option("--output", "-o", help="Folder for the model and its logs.")],
    train: Annotated[
        list[str] | None, typer.Option(help="Training data: files or folders (repeat the option).")
    ] = None,
    dev: Annotated[list[str] | None, typer.Option(help="Development data, which decides which model is best.")] = None,
    test: Annotated[list[str] | None, typer.Option(help="Test data, measured once at the end.")] = None,
    elmo: Annotated[str | None, typer.Option(help="A model's name or folder; without it, the baseline.")] = None,
    vectors: Annotated[Path | None, typer.Option(help="Static word vectors as text (GloVe).")] = None,
    placement: Annotated[
        Literal["input", "output", "both"] | None, typer.Option(help="Where ELMo comes in (default: the recipe's).")
    ] = None,
    layers: Annotated[Literal["all", "top"] | None, typer.Option(help="Mix all layers, or take the top one.")] = None,
    penalty: Annotated[float | None, typer.Option("--lambda", help="Penalty on the layers' weights.")] = None,
    tune_elmo: Annotated[
        bool, typer.Option("--tune-elmo", help="Train the biLM along (slow); default: frozen.")
    ] = False,
    recipe: Annotated[str | None, typer.Option(help="A .json file in place of the task's own recipe.")] = None,
    epochs: Annotated[float | None, typer.Option(help="Times through the training data.")] = None,
    batch: Annotated[int | None, typer.Option(help="Examples in a batch.")] = None,
    learning_rate: Annotated[float | None, typer.Option(help="Highest learning rate.")] = None,
    fraction: Annotated[float, typer.Option(help="Use this share of the training examples.")] = 1.0,
    seed: Annotated[int, typer.Option(help="Of all random choices.")] = 1,
    resume: Annotated[
        bool, typer.Option("--resume", help="Go on with the run in the folder, as it was begun.")
    ] = False,
    device: Device = "auto",
) -> None:
    """Train a model, keep the one that is best on the development data, and measure it.

    Without --elmo it is the baseline of the paper; with it, the same model that also reads ELMo. A run that was
    stopped or killed goes on with --resume. Files may be packed (.gz, .xz).
    """
    from elmo.datasets.folders import TaskData
    from elmo.tasks.task import task_named
    from elmo.tasks.trainer import TaskRecipe, read_task_recipe, train_task
    from elmo.train.pretrain import read_run

    task = task_named(name)
    if resume:
        facts = read_run(output)
        if facts.get("task") != name:
            raise ValueError(f"{output}: was not begun as {name}")
        data = TaskData.from_dict(facts["data"])
        chosen = TaskRecipe.from_dict(facts["recipe"], task)
        seed, vectors = facts["seed"], facts["vectors"]
        elmo = str(output / "elmo") if facts["elmo"] == "elmo" else facts["elmo"]
    else:
        if not train or not dev:
            raise ValueError("--train and --dev are needed")
        data = TaskData(tuple(train), tuple(dev), tuple(test or ()), fraction)
        chosen = read_task_recipe(task, recipe)
        changes = {"placement": placement, "layers": layers, "penalty": penalty, "frozen": False if tune_elmo else None}
        if elmo is None and any(value is not None for value in changes.values()):
            raise ValueError("--placement, --layers, --lambda and --tune-elmo go with --elmo")
        # Who asks for a number of epochs means it.
        least_steps = None if epochs is None else 1
        training = {"epochs": epochs, "batch": batch, "learning_rate": learning_rate, "least_steps": least_steps}
        chosen = dataclasses.replace(
            chosen,
            elmo=dataclasses.replace(chosen.elmo, **_given(changes)),
            training=dataclasses.replace(chosen.training, **_given(training)),
        )
    metrics = train_task(
        task,
        chosen,
        data,
        output,
        _device(device),
        seed=seed,
        elmo=elmo,
        vectors=vectors,
        resume=resume,
    )
    typer.echo(f"{output}: the model is ready", err=True)
    for part in ("dev", "test"):
        if metrics[part] is not None:
            typer.echo(f"{part}: {_scores(metrics[part])}")
    for place, learned in metrics["layers"].items():
        shares = ", ".join(f"{share:.2f}" for share in learned["shares"])
        typer.echo(f"layers at the {place}: {shares}; gamma {learned['gamma']:.2f}")


@app.command(epilog="Example: elmo task evaluate run test.conll")
def evaluate(
    run: Run,
    data: Annotated[list[str], typer.Argument(help="Files or folders with answers, in the task's format.")],
    as_json: Annotated[bool, typer.Option("--json", help="Scores as JSON.")] = False,
    device: Device = "auto",
) -> None:
    """Measure a trained model on other data."""
    from elmo.tasks.trainer import load_run, read_all

    trained = load_run(run, _device(device))
    examples = read_all(trained.task, data)
    with _progress(len(examples), "evaluate") as bar:
        scores = trained.evaluate(examples, bar.update)
    typer.echo(json.dumps(scores) if as_json else f"{_scores(scores)} ({len(examples):,} examples)")


@app.command(epilog="Example: elmo task gap coref-run gap-test.tsv")
def gap(
    run: Annotated[Path, typer.Argument(help="The folder of a trained coref model.")],
    data: Annotated[Path, typer.Argument(help="A file of GAP (.tsv).")],
    as_json: Annotated[bool, typer.Option("--json", help="Scores as JSON.")] = False,
    device: Device = "auto",
) -> None:
    """Ask a coreference model which of two names a pronoun means (GAP), without having trained it on that."""
    from elmo.datasets.gap import gap_scores, read_gap
    from elmo.tasks.trainer import load_run

    trained = load_run(run, _device(device))
    if trained.task.name != "coref":
        raise ValueError(f"{run}: is a model for {trained.task.name}, not for coref")
    examples = read_gap(data)
    with _progress(len(examples), "gap") as bar:
        scores = gap_scores(examples, trained.predict([example.document for example in examples], bar.update))
    typer.echo(json.dumps(scores) if as_json else f"{_scores(scores)} ({len(examples):,} examples)")


@app.command(epilog='Example: elmo task predict run "Ada Lovelace was born in London ."')
def predict(
    run: Run,
    texts: Annotated[
        list[str] | None, typer.Argument(help="Texts, or files: in the task's format, or .txt with a text a line.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="A JSON object a line.")] = False,
    output: Annotated[Path | None, typer.Option("--output", "-o", help="Write JSON lines to this file.")] = None,
    device: Device = "auto",
) -> None:
    """Use a trained model on texts; without any, on the lines of standard input.

    Two texts that belong together (a question and its passage, a premise and a hypothesis) are written with |||
    between them.
    """
    from rich.console import Console

    from elmo.tasks.trainer import load_run, write_json_lines

    trained = load_run(run, _device(device))
    examples = _examples(trained, texts)
    with _progress(len(examples), "predict") as bar:
        predictions = trained.predict(examples, bar.update)
    pairs = list(zip(examples, predictions, strict=True))
    if output is not None:
        write_json_lines([trained.task.record(*pair) for pair in pairs], output)
    elif as_json:
        for pair in pairs:
            typer.echo(json.dumps(trained.task.record(*pair), ensure_ascii=False))
    else:
        console = Console(highlight=False, soft_wrap=True)
        for number, pair in enumerate(pairs):
            shown = trained.task.show(*pair)
            if number and "\n" in shown.plain:
                console.print()  # answers of several lines would run together
            console.print(shown)


def _examples(trained: "TrainedTask", texts: list[str] | None) -> list[Any]:
    """What was typed, or is in the files that were named."""
    from elmo.text.reading import read_text

    task, examples = trained.task, []
    for text in texts if texts is not None else sys.stdin:
        path = Path(text)
        is_file = texts is not None and len(text) < 4096 and "\n" not in text and path.is_file()
        if is_file and task.is_labeled(path):
            examples += task.read(path)
            continue
        lines = read_text(path).split("\n") if is_file else [text]
        for line in lines:
            if line.strip():
                examples += task.from_text(line.strip(), trained.label_sets)
    if not examples:
        raise ValueError("there is no text")
    return examples


def _progress(total: int, title: str) -> Any:
    from tqdm import tqdm

    return tqdm(total=total, desc=title, unit=" examples", disable=None, leave=False)


def _device(name: str) -> Any:
    import torch

    return torch.device(chosen_device(name))


def _given(changes: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in changes.items() if value is not None}


def _scores(scores: dict[str, float]) -> str:
    return ", ".join(f"{name} {value:.2f}" for name, value in scores.items())
