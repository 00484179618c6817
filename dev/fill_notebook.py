"""Run a notebook from top to bottom in an empty folder, and store what its cells print and show.

    python dev/fill_notebook.py [examples/tour.ipynb]

Cells must be plain Python. The last expression of a cell is shown, as in Jupyter: as HTML if it can be, and as text.
"""

import ast
import contextlib
import io
import json
import os
import sys
import tempfile
from pathlib import Path
from typing import Any

TOUR = Path(__file__).parents[1] / "examples" / "tour.ipynb"
Output = dict[str, Any]
"""What a cell prints (``stream``) or shows (``execute_result``), as notebooks store it."""


def read_notebook(path: Path = TOUR) -> dict[str, Any]:
    """Read a notebook."""
    notebook: dict[str, Any] = json.loads(path.read_text("utf-8"))
    return notebook


def code_cells(notebook: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the cells with code."""
    return [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]


def run_cell(source: str, names: dict[str, Any], number: int) -> list[Output]:
    """Run the code of a cell, and return its outputs."""
    tree = ast.parse(source)
    last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    printed, shown = io.StringIO(), None
    with contextlib.redirect_stdout(printed):
        exec(compile(tree, f"cell {number}", "exec"), names)
        if isinstance(last, ast.Expr):
            shown = eval(compile(ast.Expression(last.value), f"cell {number}", "eval"), names)
    outputs: list[Output] = []
    if printed.getvalue():
        outputs.append({"name": "stdout", "output_type": "stream", "text": _lines(printed.getvalue())})
    if shown is not None:
        data = {"text/plain": _lines(repr(shown))}
        if hasattr(shown, "_repr_html_"):
            data["text/html"] = _lines(shown._repr_html_())
        outputs.append({"data": data, "execution_count": number, "metadata": {}, "output_type": "execute_result"})
    return outputs


def run(notebook: dict[str, Any]) -> list[list[Output]]:
    """Run all cells in the working directory, and return the outputs of each cell with code."""
    names: dict[str, Any] = {"__name__": "__main__"}
    return [run_cell("".join(cell["source"]), names, number) for number, cell in enumerate(code_cells(notebook), 1)]


def _lines(text: str) -> list[str]:
    return text.splitlines(keepends=True)


def main(path: str = str(TOUR)) -> None:
    """Run the notebook and write it back."""
    file = Path(path).resolve()
    notebook = read_notebook(file)
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        outputs = run(notebook)
        os.chdir(file.parent)
    for number, (cell, found) in enumerate(zip(code_cells(notebook), outputs, strict=True), 1):
        cell |= {"outputs": found, "execution_count": number}
    file.write_text(json.dumps(notebook, indent=1, ensure_ascii=False) + "\n", "utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:])
