"""``elmo info``: describe a model, a corpus or a trained task."""

import json as json_module
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from elmo.cli.options import JsonOption

if TYPE_CHECKING:
    from elmo.weights.catalog import PublishedModel


def info(
    model: Annotated[
        str | None,
        typer.Argument(
            metavar="MODEL",
            help="Name, folder, zip archive or Hub id of a model, name or folder of a trained task, or folder of a "
            "corpus (default: the bundled model).",
        ),
    ] = None,
    json: JsonOption = False,
) -> None:
    """Show the architecture of a model, the statistics of a corpus, or the scores of a trained task.

    All files are read, so the command also checks that they are complete and consistent.
    """
    from elmo.files import RUN_FILE
    from elmo.train.corpus.corpus import is_corpus
    from elmo.weights.packages import TASK_GROUP, installed, package_folder

    if model is not None and is_corpus(model):
        _show_corpus(model, json)
        return
    if model is not None and model in installed(TASK_GROUP):
        _show_task(package_folder(model, TASK_GROUP), json)
        return
    if model is not None and (Path(model) / "metrics.json").exists() and (Path(model) / RUN_FILE).exists():
        _show_task(Path(model), json)
        return
    from elmo.weights.catalog import catalog
    from elmo.weights.folder import describe
    from elmo.weights.locate import format_of, locate, read_model

    published = catalog().get(model or "")
    if published is not None and not published.is_downloaded():
        _show_published(published, json)
        return
    path = locate(model)
    bilm = read_model(path)
    kind = format_of(path)
    if json:
        typer.echo(json_module.dumps({"model": str(path), "format": kind, **bilm.config.to_dict()}, indent=2))
        return
    _show({"model": str(path), "format": kind, **describe(bilm)})


def _show_published(model: "PublishedModel", json: bool) -> None:
    """Show what the catalog knows about a model that has not been downloaded."""
    about = {
        "model": model.name,
        "status": "not downloaded",
        "language": f"{model.language} ({model.code})",
        "format": model.format,
        "parameters": model.parameters or "unknown",
        "trained on": model.trained_on,
        "addresses": " ".join(model.files().values()),
    }
    if json:
        typer.echo(json_module.dumps(about, indent=2, ensure_ascii=False))
        return
    _show(about | {"to download": f"elmo download {model.name}"})


def _show_corpus(folder: str, json: bool) -> None:
    from elmo.train.corpus.corpus import coverage, describe, open_corpus

    corpus = open_corpus(folder)
    if json:
        metadata = {"corpus": folder, "format": "elmo corpus", **corpus.metadata, "coverage": coverage(corpus)}
        typer.echo(json_module.dumps(metadata, indent=2))
        return
    _show({"corpus": folder, **describe(corpus)})


def _show_task(folder: Path, json: bool) -> None:
    from elmo.train.run import RunFolder

    run = RunFolder(folder).read(task=str, elmo=str | None, seed=int)
    scores = dict[str, float] | None
    metrics = RunFolder(folder).metrics(dev=scores, test=scores, layers=dict)
    if json:
        typer.echo(json_module.dumps({"run": str(folder), "format": "elmo task", **run, "metrics": metrics}, indent=2))
        return
    rows = {"run": str(folder), "task": run["task"], "ELMo": run["elmo"] or "none", "seed": str(run["seed"])}
    for part in ("dev", "test"):
        if metrics[part] is not None:
            rows[part] = ", ".join(f"{name} {value:.2f}" for name, value in metrics[part].items())
    for place, learned in metrics["layers"].items():
        weights = ", ".join(f"{weight:.2f}" for weight in learned["shares"])
        rows[f"layers, {place}"] = f"{weights}; gamma {learned['gamma']:.2f}"
    _show(rows)


def _show(rows: dict[str, str]) -> None:
    width = max(map(len, rows))
    for name, value in rows.items():
        typer.echo(f"{name:<{width}}  {value}")
