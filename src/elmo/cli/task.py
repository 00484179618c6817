"""``elmo task``: train, evaluate and use task models."""

import dataclasses
import json
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from elmo.cli.app import App
from elmo.cli.options import (
    DeviceOption,
    JsonOption,
    OverwriteOption,
    ResumeOption,
    RunOption,
    SeedOption,
    VectorsOption,
    chosen_device,
    given,
)
from elmo.cli.resuming import Recorded, check_agreement, check_recipe, same_model, same_paths
from elmo.text.counts import counted

if TYPE_CHECKING:
    from elmo.datasets.folders import TaskData
    from elmo.tasks.results import TaskResult
    from elmo.tasks.trained import TaskText, TrainedTask
    from elmo.tasks.trainer import TaskStart

app = App(
    name="task",
    help="Train, evaluate and use task models, with or without ELMo.",
    no_args_is_help=True,
)

FILE_SUFFIXES = (".txt", ".json", ".jsonl", ".conll", ".conllu", ".tsv", ".gz", ".xz", ".zst", ".bz2")
"""An argument of one word that ends like this is a file, never a text."""

RunArgument = Annotated[
    str,
    typer.Argument(metavar="MODEL", help="Name of an installed task model, such as ner, or folder of a trained one."),
]


@app.command(
    epilog="Example: elmo task train ner --train train.conll --dev dev.conll --elmo small --vectors glove.txt -o run"
)
def train(
    context: typer.Context,
    name: Annotated[str, typer.Argument(metavar="TASK", help="Task: squad, snli, srl, coref, ner or sst.")],
    output: RunOption,
    train: Annotated[
        list[str] | None, typer.Option(help="File or folder of training data. Repeat the option for several.")
    ] = None,
    dev: Annotated[
        list[str] | None, typer.Option(help="File or folder of development data, which selects the best model.")
    ] = None,
    test: Annotated[
        list[str] | None, typer.Option(help="File or folder of test data, on which the best model is evaluated.")
    ] = None,
    elmo: Annotated[
        str | None, typer.Option(help="Name or folder of an ELMo model (default: none, for the baseline).")
    ] = None,
    vectors: VectorsOption = None,
    max_vectors: Annotated[
        int | None,
        typer.Option(
            min=0,
            help="Maximum number of words with a static vector, and with a learned one, for a small model (default: "
            "those of the data, and the 50,000 at the top of the file).",
        ),
    ] = None,
    placement: Annotated[
        Literal["input", "output", "both"] | None,
        typer.Option(help="Where to add ELMo vectors to the task model (default: as in the recipe)."),
    ] = None,
    layers: Annotated[
        Literal["all", "top"] | None,
        typer.Option(help="Mix all layers of ELMo, or use only the top one (default: as in the recipe)."),
    ] = None,
    unit: Annotated[
        Literal["sequence", "sentence"] | None,
        typer.Option(help="Let ELMo read whole sequences, such as passages, or sentences (default: as in the recipe)."),
    ] = None,
    penalty: Annotated[
        float | None, typer.Option("--lambda", help="L2 penalty on the layer weights (default: as in the recipe).")
    ] = None,
    tune_elmo: Annotated[
        bool, typer.Option("--tune-elmo", help="Fine-tune ELMo along with the task model (slow).")
    ] = False,
    recipe: Annotated[
        str | None, typer.Option(help="JSON file with a recipe (default: the recipe of the task).")
    ] = None,
    epochs: Annotated[
        float | None, typer.Option(help="Number of passes over the training data (default: as in the recipe).")
    ] = None,
    batch: Annotated[
        int | None, typer.Option(min=1, help="Number of examples per batch (default: as in the recipe).")
    ] = None,
    learning_rate: Annotated[float | None, typer.Option(help="Peak learning rate (default: as in the recipe).")] = None,
    fraction: Annotated[float, typer.Option(help="Fraction of the training examples to use.")] = 1.0,
    seed: SeedOption = 1,
    resume: ResumeOption = False,
    device: DeviceOption = "auto",
) -> None:
    """Train a task model, select the best checkpoint on the development data, and evaluate it.

    Without --elmo, this trains the baseline; with it, the same model with ELMo vectors added. Data files may be
    compressed (.gz, .xz, .bz2, .zst).

    An interrupted run continues with --resume, which needs only TASK and --output: the run keeps its data and settings.
    """
    from elmo.datasets.folders import TaskData
    from elmo.tasks.recipe import TaskRecipe, read_task_recipe
    from elmo.tasks.task import task_named
    from elmo.tasks.trainer import recorded_start, train_task

    task = task_named(name)
    inputs = given(context, placement=placement, layers=layers, unit=unit, penalty=penalty)
    if tune_elmo:
        inputs["frozen"] = False
    training = given(context, epochs=epochs, batch=batch, learning_rate=learning_rate)
    if epochs is not None:
        training["least_steps"] = 1  # what is asked for takes precedence over the recipe's minimum number of steps

    def changed(recipe: TaskRecipe) -> TaskRecipe:
        return dataclasses.replace(
            recipe,
            elmo=dataclasses.replace(recipe.elmo, **inputs),
            training=dataclasses.replace(recipe.training, **training),
        )

    if resume:
        start = recorded_start(task, output)
        data = dataclasses.replace(
            start.data,
            train=tuple(train or start.data.train),
            dev=tuple(dev or start.data.dev),
            test=tuple(test or start.data.test),
        )
        asked = given(
            context,
            train=train,
            dev=dev,
            test=test,
            elmo=elmo,
            vectors=vectors,
            max_vectors=max_vectors,
            placement=placement,
            layers=layers,
            unit=unit,
            penalty=penalty,
            tune_elmo=tune_elmo,
            epochs=epochs,
            batch=batch,
            learning_rate=learning_rate,
            fraction=fraction,
            seed=seed,
        )
        check_agreement(context, output, asked, _recorded(start, data))
        if recipe is not None:
            named, before = changed(read_task_recipe(task, recipe)), changed(start.recipe)
            check_recipe(output, recipe, named.to_dict(), before.to_dict())
        chosen, seed, bilm, static = start.recipe, start.seed, start.elmo, vectors or start.vectors
    else:
        if not train or not dev:
            raise ValueError("--train and --dev are required")
        if elmo is None and inputs:
            raise ValueError("--placement, --layers, --unit, --lambda and --tune-elmo require --elmo")
        data = TaskData(tuple(train), tuple(dev), tuple(test or ()), fraction)
        chosen, bilm, static = changed(read_task_recipe(task, recipe)), elmo, vectors
    metrics = train_task(
        task,
        chosen,
        data,
        output,
        _device(device),
        seed=seed,
        elmo=bilm,
        vectors=static,
        max_vectors=max_vectors,
        resume=resume,
    )
    typer.echo(f"{output}: training is complete", err=True)
    for split in ("dev", "test"):
        if metrics[split] is not None:
            typer.echo(f"{split}: {_scores(metrics[split])}")
    for file, scores in metrics["test_files"].items():
        typer.echo(f"test, {file}: {_scores(scores)}")
    for place, learned in metrics["layers"].items():
        weights = ", ".join(f"{weight:.2f}" for weight in learned["shares"])
        typer.echo(f"layer weights at the {place}: {weights}; gamma {learned['gamma']:.2f}")


def _recorded(start: "TaskStart", data: "TaskData") -> dict[str, Any]:
    """Return what a run recorded, by option.

    Args:
        start: What it was started with.
        data: The same data, except for what is given now.
    """
    from elmo.files import checksum
    from elmo.weights.locate import locate, read_model

    recipe = start.recipe
    known = start.hashes["base_model"]
    if known is None and start.elmo is not None:  # in older runs
        known = read_model(locate(start.elmo)).fingerprint()

    def same_data(before: Sequence[str]) -> Recorded:
        return Recorded(before, lambda paths: same_paths(paths, before) or data.hash() == start.hashes["data_hash"])

    return {
        "train": same_data(start.data.train),
        "dev": same_data(start.data.dev),
        "test": Recorded(start.data.test, lambda paths: same_paths(paths, start.data.test)),
        "elmo": same_model(start.elmo, known),
        "vectors": Recorded(
            start.vectors,
            lambda path: (
                start.vectors is not None
                and (same_paths([path], [start.vectors]) or checksum(path)["sha256"] == start.hashes["vectors_hash"])
            ),
        ),
        "max_vectors": start.max_vectors,
        "placement": recipe.elmo.placement,
        "layers": recipe.elmo.layers,
        "unit": recipe.elmo.unit,
        "penalty": recipe.elmo.penalty,
        "tune_elmo": not recipe.elmo.frozen,
        "epochs": recipe.training.epochs,
        "batch": recipe.training.batch,
        "learning_rate": recipe.training.learning_rate,
        "fraction": start.data.fraction,
        "seed": start.seed,
    }


@app.command(epilog="Example: elmo task evaluate run test.conll")
def evaluate(
    run: RunArgument,
    data: Annotated[
        list[str], typer.Argument(metavar="DATA", help="Files or folders of labeled data, in the task's format.")
    ],
    as_json: JsonOption = False,
    device: DeviceOption = "auto",
) -> None:
    """Evaluate a trained model on labeled data."""
    from elmo.tasks.examples import read_examples
    from elmo.tasks.load import load_task

    trained = load_task(run, device=_device(device))
    examples = read_examples(trained.task, data)
    with _progress(len(examples), "evaluate") as bar:
        scores = trained.evaluate(examples, bar.update)
    _print_scores(scores, len(examples), as_json)


@app.command(epilog="Example: elmo task gap coref-run gap-test.tsv")
def gap(
    run: RunArgument,
    data: Annotated[Path, typer.Argument(metavar="DATA", help="GAP file (.tsv).")],
    as_json: JsonOption = False,
    device: DeviceOption = "auto",
) -> None:
    """Evaluate a coreference model on GAP: which of two names a pronoun refers to.

    Reports F1 overall and by gender, and the ratio of feminine to masculine F1 (bias).
    """
    from elmo.datasets.gap import read_gap
    from elmo.tasks.load import load_task
    from elmo.tasks.metrics import gap_scores

    trained = load_task(run, device=_device(device))
    if trained.task.name != "coref":
        raise ValueError(f"{run}: is a model for {trained.task.name}, not for coref")
    examples = read_gap(data)
    with _progress(len(examples), "gap") as bar:
        scores = gap_scores(examples, trained.predict([example.document for example in examples], bar.update))
    _print_scores(scores, len(examples), as_json)


@app.command(epilog='Example: elmo task predict run "Ada Lovelace was born in London."')
def predict(
    run: RunArgument,
    texts: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="TEXT",
            help="Texts, .txt files with one text per line, or files in the task's format (default: standard input).",
        ),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object per prediction.")] = False,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help="File to write, as JSON lines (default: print).")
    ] = None,
    overwrite: OverwriteOption = False,
    device: DeviceOption = "auto",
) -> None:
    """Predict with a trained model.

    Write ||| between a question and its passage, or between a premise and its hypothesis. For srl, put an asterisk
    before and after each predicate; otherwise the model finds them.
    """
    from rich.console import Console

    from elmo.cli.predictions import render_result
    from elmo.files import check_output_file, write_json_lines
    from elmo.tasks.load import load_task

    if output is not None:
        check_output_file(output, [run, *filter(_is_file, texts or ()), 0], overwrite=overwrite)
    trained = load_task(run, device=_device(device))
    with _progress(None, "predict") as bar:
        results = _counted(trained.results(_texts(trained, texts)), bar)
        if output is not None:
            write_json_lines((result.to_dict() for result in results), output)
        elif as_json:
            for result in results:
                typer.echo(json.dumps(result.to_dict(), ensure_ascii=False))
        else:
            console = Console(highlight=False, soft_wrap=True)
            for index, result in enumerate(results):
                rendered = render_result(result)
                if index and "\n" in rendered.plain:
                    console.print()  # a blank line between predictions that have several lines
                console.print(rendered)


@app.command("list", epilog="Example: elmo task list")
def list_tasks(as_json: JsonOption = False) -> None:
    """List the task models that can be used by name, and the tasks for which none is installed."""
    from elmo.tasks.listing import task_models

    found = task_models()
    if as_json:
        rows = [{**dataclasses.asdict(model), "path": model.path and str(model.path)} for model in found]
        typer.echo(json.dumps(rows, indent=2, ensure_ascii=False))
        return
    typer.echo(str(found))


def _texts(trained: "TrainedTask", texts: list[str] | None) -> Iterator["TaskText"]:
    """Yield the given texts, those in files, or those in standard input.

    Raises:
        ValueError: If there are none.
    """
    from elmo.text.reading import read_text

    task, empty, several = trained.task, True, texts is None or len(texts) > 1
    for number, text in enumerate(texts if texts is not None else sys.stdin, 1):
        path = Path(text)
        is_file = texts is not None and _is_file(text)
        if texts is not None and not is_file and path.suffix in FILE_SUFFIXES and not any(map(str.isspace, text)):
            raise ValueError(f"{text}: cannot be read (No such file or directory)")
        if is_file and task.is_labeled(path):
            for example in task.read(path):
                empty = False
                yield trained.labeled(example)
            continue
        lines = read_text(path).split("\n") if is_file else [text.rstrip("\n")]
        for line_number, line in enumerate(lines, 1):
            if line.strip():
                empty = False
                try:
                    yield trained.read(line)
                except ValueError as error:
                    place = f"{path}, line {line_number}: " if is_file else f"text {number}: " if several else ""
                    raise ValueError(f"{place}{error}") from None
    if empty:
        raise ValueError("there is no text to predict")


def _is_file(text: str) -> bool:
    """Return whether an argument is the path of a file, rather than a text."""
    try:
        return Path(text).is_file()
    except OSError:  # most texts are too long for a path
        return False


def _counted(results: Iterator["TaskResult"], bar: Any) -> Iterator["TaskResult"]:
    for result in results:
        yield result
        bar.update()


def _progress(total: int | None, title: str) -> Any:
    from tqdm import tqdm

    return tqdm(total=total, desc=title, unit=" examples", disable=None, leave=False)


def _device(name: str) -> Any:
    import torch

    return torch.device(chosen_device(name))


def _scores(scores: dict[str, float]) -> str:
    return ", ".join(f"{name} {value:.2f}" for name, value in scores.items())


def _print_scores(scores: dict[str, float], count: int, as_json: bool) -> None:
    typer.echo(json.dumps(scores) if as_json else f"{_scores(scores)} ({counted(count, 'example')})")
