"""``elmo convert``: between published files and our own folders; from ELMoForManyLangs to our own folders."""

from pathlib import Path
from typing import Annotated, Literal

import typer


def convert(
    source: Annotated[str, typer.Argument(metavar="IN", help="Folder, zip archive or Hub id of a model.")],
    target: Annotated[Path, typer.Argument(metavar="OUT", help="Folder to write; it must be new or empty.")],
    to: Annotated[
        Literal["elmo", "published"] | None,
        typer.Option(help="Format to write; by default the one that IN does not have."),
    ] = None,
) -> None:
    """Convert a model: published files (options.json and HDF5) to a folder of ours, or back.

    No number changes on the way; there and back gives the same datasets, byte for byte. (The published format has no
    place for a softmax, so that is left behind.) Models of ELMoForManyLangs become folders of ours; there is no way
    back for them.
    """
    from elmo.weights.folder import read_softmax, write_folder
    from elmo.weights.locate import is_ours, locate, read_model
    from elmo.weights.published import write_published

    if target.exists() and (not target.is_dir() or any(target.iterdir())):
        raise ValueError(f"{target}: exists already; name a new folder")
    path = locate(source)
    bilm = read_model(path)
    to = to or ("published" if is_ours(path) else "elmo")
    if to == "elmo":
        write_folder(bilm, target, read_softmax(path, bilm))
    else:
        write_published(bilm, target)
    typer.echo(f"{target}: written ({to})", err=True)
