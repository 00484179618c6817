"""``elmo models`` and ``elmo download``: models by name."""

import dataclasses
import json as json_module
from typing import Annotated

import typer

from elmo.cli.options import JsonOption


def models(
    language: Annotated[
        str | None,
        typer.Option("--language", "-l", help="Show only models for this language (English name or ISO 639 code)."),
    ] = None,
    json: JsonOption = False,
) -> None:
    """List the models that can be loaded by name.

    A model is bundled, installed as a package, downloaded, or available for download.
    """
    from elmo.weights.listing import models as list_models

    found = list_models(language)
    if json:
        rows = [{**dataclasses.asdict(model), "path": model.path and str(model.path)} for model in found]
        typer.echo(json_module.dumps(rows, indent=2, ensure_ascii=False))
        return
    if not found:
        raise ValueError(f"{language}: no model for this language (elmo models lists all of them)")
    typer.echo(str(found))


def download(
    names: Annotated[list[str], typer.Argument(metavar="NAME", help="Names of published models; see elmo models.")],
) -> None:
    """Download published models, so that they can be loaded without a network.

    An interrupted download is continued. The folder for downloaded models is chosen by the operating system; set the
    environment variable ELMO_CACHE to use another one.
    """
    from elmo.weights.catalog import catalog, did_you_mean
    from elmo.weights.locate import read_model

    for name in names:
        if name not in catalog():
            raise ValueError(f"{name}: not the name of a published model; {did_you_mean(name, catalog())}")
    for name in names:
        path = catalog()[name].fetch()
        read_model(path)  # checks every weight
        typer.echo(f"{name}: {path}")
