"""``elmo export``: write a model as an ONNX graph."""

from pathlib import Path
from typing import Annotated

import typer

from elmo.cli.options import OverwriteOption


def export(
    model: Annotated[
        str, typer.Argument(metavar="MODEL", help="Name, folder, zip archive or Hub id of the model to export.")
    ],
    target: Annotated[Path, typer.Argument(metavar="OUT.onnx", help="File to write. Its name must end in .onnx.")],
    overwrite: OverwriteOption = False,
) -> None:
    """Export a model to ONNX, to use it without PyTorch.

    onnxruntime computes the graph in Python, JavaScript and other languages. It takes the ids of words and the lengths
    of sentences, and returns all layers. The documentation shows how words become ids.
    """
    from elmo.files import check_output_file
    from elmo.weights.locate import locate, read_model

    path = locate(model)
    check_output_file(target, [path], overwrite=overwrite)
    if target.suffix != ".onnx":
        raise ValueError(f"{target}: name a file that ends in .onnx")
    try:
        from elmo.interop.onnx import write_onnx
    except ImportError as error:
        raise ValueError(str(error)) from error
    write_onnx(read_model(path), target)
    typer.echo(f"{target}: written ({target.stat().st_size / 1e6:.0f} MB)", err=True)
