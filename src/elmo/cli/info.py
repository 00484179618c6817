"""``elmo info``: what a model or a corpus is."""

import json as json_module
from typing import Annotated

import typer


def info(
    model: Annotated[
        str | None, typer.Argument(help="Folder, zip archive or Hub id of a model; or folder of a corpus.")
    ] = None,
    json: Annotated[bool, typer.Option("--json", help="For programs.")] = False,
) -> None:
    """Show the shape of a model, or the statistics of a corpus; reading it checks that all is there and fits."""
    from elmo.train.corpus import is_corpus

    if model is not None and is_corpus(model):
        _show_corpus(model, json)
        return
    from elmo.weights.folder import describe
    from elmo.weights.locate import is_ours, locate, read_model

    path = locate(model)
    bilm = read_model(path)
    kind = "elmo folder" if is_ours(path) else "published (options.json and HDF5)"
    if json:
        typer.echo(json_module.dumps({"model": str(path), "format": kind, **bilm.config.to_dict()}, indent=2))
        return
    _show({"model": str(path), "format": kind, **describe(bilm)})


def _show_corpus(folder: str, json: bool) -> None:
    from elmo.train.corpus import coverage, describe, open_corpus

    corpus = open_corpus(folder)
    if json:
        facts = {"corpus": folder, "format": "elmo corpus", **corpus.facts, "coverage": coverage(corpus)}
        typer.echo(json_module.dumps(facts, indent=2))
        return
    _show({"corpus": folder, **describe(corpus)})


def _show(facts: dict[str, str]) -> None:
    width = max(map(len, facts))
    for name, value in facts.items():
        typer.echo(f"{name:<{width}}  {value}")
