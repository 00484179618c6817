"""Tables and pictures on paper: Markdown, LaTeX and the terminal; PNG and SVG."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rich.table import Table as RichTable
from rich.text import Text

from elmo.files import replacing_file

COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#F0E442", "#000000")
"""Colours that everybody can tell apart (Okabe & Ito)."""
_LATEX = (
    {c: f"\\{c}" for c in "&%$#_{}"}
    | {"~": "\\textasciitilde{}", "^": "\\textasciicircum{}"}
    | {
        "\\": "\\textbackslash{}",
        "±": "$\\pm$",
        "→": "$\\rightarrow$",
        "–": "--",
        "λ": "$\\lambda$",
    }
)


@dataclass(frozen=True)
class Table:
    """A table with a head, and where it comes from."""

    title: str
    head: Sequence[str]
    rows: Sequence[Sequence[str]]
    note: str = ""
    """Below the table: what the numbers are, and what they come from."""

    def markdown(self) -> str:
        """As a page of Markdown."""
        rows = [[cell.replace("|", "\\|") for cell in row] for row in (self.head, *self.rows)]
        lines = [" | ".join(row) for row in (rows[0], ["---"] * len(self.head), *rows[1:])]
        table = "".join(f"| {line} |\n" for line in lines)
        return f"# {self.title}\n\n{table}" + (f"\n{self.note.strip()}\n" if self.note else "")

    def latex(self) -> str:
        """As a LaTeX table (needs the package booktabs)."""
        rows = [" & ".join(map(_escaped, row)) + r" \\" for row in self.rows]
        # A column of sentences must wrap; one of numbers stands to the right.
        widest = [max(map(len, column)) for column in zip(*self.rows, strict=True)] or [0] * len(self.head)
        columns = "".join("p{0.4\\linewidth}" if n > 40 else "lr"[at > 0] for at, n in enumerate(widest))
        body = "\n".join(rows)
        caption = _escaped(f"{self.title}. {self.note.strip()}")
        return (
            "\\begin{table}\n\\centering\n"
            f"\\begin{{tabular}}{{{columns}}}\n\\toprule\n{' & '.join(map(_escaped, self.head))} \\\\\n\\midrule\n"
            f"{body}\n\\bottomrule\n\\end{{tabular}}\n\\caption{{{caption}}}\n"
            "\\end{table}\n"
        )

    def rich(self) -> RichTable:
        """For the terminal."""
        table = RichTable(*self.head, title=self.title)
        for row in self.rows:
            table.add_row(*map(Text, row))  # as it is: square brackets are no markup here
        return table

    def write(self, stem: Path) -> list[Path]:
        """Write ``stem.md`` and ``stem.tex``, and say where."""
        written = []
        for suffix, text in ((".md", self.markdown()), (".tex", self.latex())):
            path = stem.with_name(stem.name + suffix)
            with replacing_file(path) as scratch:
                scratch.write_text(text, "utf-8")
            written.append(path)
        return written


def _escaped(text: str) -> str:
    return "".join(_LATEX.get(character, character) for character in text)


def new_figure(width: float = 8, height: float = 5) -> Any:
    """An empty figure (matplotlib's)."""
    try:
        from matplotlib.backends.backend_agg import FigureCanvasAgg
        from matplotlib.figure import Figure
    except ImportError:
        raise ValueError("pictures need matplotlib: pip install 'elmo-torch[analysis]'") from None
    figure = Figure(figsize=(width, height), layout="constrained")
    FigureCanvasAgg(figure)
    return figure


def readable() -> Any:
    """A context in which what is drawn has letters that can be read on a slide."""
    from matplotlib import rc_context

    return rc_context({"font.size": 13, "axes.titlesize": 15})


def save_figure(figure: Any, stem: Path) -> list[Path]:
    """Write ``stem.png`` and ``stem.svg``, and say where."""
    from matplotlib import rc_context

    written = []
    for suffix in (".png", ".svg"):
        path = stem.with_name(stem.name + suffix)
        # Without a date and random names, the same picture is the same file.
        with replacing_file(path) as scratch, rc_context({"svg.hashsalt": "elmo"}):
            figure.savefig(scratch, dpi=150, metadata={"Date": None} if suffix == ".svg" else {})
        written.append(path)
    return written
