"""The notebook runs from top to bottom, and prints and shows what is stored in it."""

import sys
from pathlib import Path
from typing import Any

import pytest
from test_docs import agree

sys.path.append(str(Path(__file__).parents[1] / "dev"))
import fill_notebook

VARIES = "varies"
"""Tag of cells whose output depends on what is installed, or on the machine."""


def text_of(outputs: list[dict[str, Any]]) -> str:
    return "".join("".join(output.get("text", output.get("data", {}).get("text/plain", ""))) for output in outputs)


def kinds(outputs: list[dict[str, Any]]) -> list[list[str]]:
    return [[output["output_type"], *output.get("data", {})] for output in outputs]


def test_tour(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """If outputs have changed, run ``python dev/fill_notebook.py``."""
    monkeypatch.chdir(tmp_path)
    notebook = fill_notebook.read_notebook()
    cells = fill_notebook.code_cells(notebook)
    found = fill_notebook.run(notebook)
    for number, (cell, outputs) in enumerate(zip(cells, found, strict=True), 1):
        if VARIES not in cell["metadata"].get("tags", ()):
            assert kinds(outputs) == kinds(cell["outputs"]), f"cell {number}"
            assert agree(text_of(cell["outputs"]), text_of(outputs)), f"cell {number} prints\n{text_of(outputs)}"
    assert any("text/html" in kind for cell in cells for kind in kinds(cell["outputs"]))
    assert [cell["execution_count"] for cell in cells] == list(range(1, len(cells) + 1))


def test_outputs_of_a_cell() -> None:
    names: dict[str, Any] = {}
    assert fill_notebook.run_cell("x = 1", names, 1) == []
    printed, shown = fill_notebook.run_cell("print('a')\nx + 1", names, 2)
    assert (printed["text"], shown["data"]) == (["a\n"], {"text/plain": ["2"]})
    assert fill_notebook.run_cell("print(x)", names, 3) == [
        {"name": "stdout", "output_type": "stream", "text": ["1\n"]}
    ]
