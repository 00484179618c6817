"""``elmo convert``: convert models between the published format and the format of this library."""

from pathlib import Path
from typing import Annotated, Literal

import typer


def convert(
    source: Annotated[
        str, typer.Argument(metavar="IN", help="Name, folder, zip archive or Hub id of the model to convert.")
    ],
    target: Annotated[Path, typer.Argument(metavar="OUT", help="Folder to write. It must be new or empty.")],
    to: Annotated[
        Literal["elmo", "published"] | None,
        typer.Option(help="Format to write (default: elmo for a published model, published for an elmo model)."),
    ] = None,
) -> None:
    """Convert a model between the published format and the elmo format.

    The published format is options.json and HDF5, the elmo format config.json and safetensors.

    The conversion is lossless: converting a model there and back gives the same datasets, byte for byte. Only the
    softmax is lost in the published format, which has no place for it. Models of ELMoForManyLangs can be converted
    to the elmo format, but not back.
    """
    from elmo.files import check_output_folder
    from elmo.weights.folder import read_softmax, write_folder
    from elmo.weights.locate import is_ours, locate, read_model
    from elmo.weights.published import write_published

    check_output_folder(target)
    path = locate(source)
    bilm = read_model(path)
    to = to or ("published" if is_ours(path) else "elmo")
    if to == "elmo":
        write_folder(bilm, target, read_softmax(path, bilm))
    else:
        write_published(bilm, target)
    typer.echo(f"{target}: written in the {to} format", err=True)
