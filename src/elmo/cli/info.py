"""``elmo info``: what a model is."""

import json as json_module
from typing import Annotated

import typer


def info(
    model: Annotated[str | None, typer.Argument(help="Folder, zip archive or Hub id of a model.")] = None,
    json: Annotated[bool, typer.Option("--json", help="For programs.")] = False,
) -> None:
    """Show the shape of a model; loading it checks that all its weights are there and fit."""
    from elmo.weights.folder import describe
    from elmo.weights.locate import is_ours, locate, read_model

    path = locate(model)
    bilm = read_model(path)
    kind = "elmo folder" if is_ours(path) else "published (options.json and HDF5)"
    if json:
        typer.echo(json_module.dumps({"model": str(path), "format": kind, **bilm.config.to_dict()}, indent=2))
        return
    facts = {"model": str(path), "format": kind, **describe(bilm)}
    width = max(map(len, facts))
    for name, value in facts.items():
        typer.echo(f"{name:<{width}}  {value}")
