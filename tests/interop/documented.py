"""Run the examples of docs/interop.md in the tests of each adapter."""

import contextlib
import io
from pathlib import Path
from typing import Any

from test_docs import expect, pieces

PAGE = Path(__file__).parents[2] / "docs" / "interop.md"


def run_examples(title: str) -> list[dict[str, Any]]:
    """Run each Python example under a title, check its output, and return the variables that each defines."""
    lines = PAGE.read_text("utf-8").splitlines()
    results = []
    for piece in pieces(PAGE):
        titles = [line for line in lines[: piece.line] if line.startswith("## ")]
        if piece.is_run and titles[-1:] == [f"## {title}"]:
            where = f"{PAGE.name}, line {piece.line},"
            names: dict[str, Any] = {}
            with contextlib.redirect_stdout(io.StringIO()) as output:
                exec(compile(piece.code, where, "exec"), names)
            expect(piece.prints, output.getvalue(), where)
            results.append(names)
    return results
