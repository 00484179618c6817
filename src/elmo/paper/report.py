"""Tables as Markdown, LaTeX and terminal output, and figures as PNG and SVG files."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rich.table import Table as RichTable
from rich.text import Text

from elmo.files import replacing_file

COLORS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#F0E442", "#000000")
"""Colors that people with color blindness can tell apart (Okabe & Ito)."""
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
    """A table of strings."""

    title: str
    header: Sequence[str]
    rows: Sequence[Sequence[str]]
    note: str = ""
    """Text below the table: what the numbers mean and how they were measured."""

    def markdown(self) -> str:
        """Format the table as a Markdown page."""
        rows = [[cell.replace("|", "\\|") for cell in row] for row in (self.header, *self.rows)]
        lines = [" | ".join(row) for row in (rows[0], ["---"] * len(self.header), *rows[1:])]
        table = "".join(f"| {line} |\n" for line in lines)
        return f"# {self.title}\n\n{table}" + (f"\n{self.note.strip()}\n" if self.note else "")

    def latex(self) -> str:
        """Format the table for LaTeX (requires the booktabs package)."""
        rows = [" & ".join(map(_escape_latex, row)) + r" \\" for row in self.rows]
        # Columns of sentences must wrap; the other columns after the first contain numbers and are right-aligned.
        widest = [max(map(len, column)) for column in zip(*self.rows, strict=True)] or [0] * len(self.header)
        columns = "".join("p{0.4\\linewidth}" if n > 40 else "lr"[at > 0] for at, n in enumerate(widest))
        header, body = " & ".join(map(_escape_latex, self.header)), "\n".join(rows)
        caption = _escape_latex(f"{self.title}. {self.note.strip()}")
        return (
            "\\begin{table}\n\\centering\n"
            f"\\begin{{tabular}}{{{columns}}}\n\\toprule\n{header} \\\\\n\\midrule\n"
            f"{body}\n\\bottomrule\n\\end{{tabular}}\n\\caption{{{caption}}}\n"
            "\\end{table}\n"
        )

    def rich(self) -> RichTable:
        """Format the table for the terminal."""
        table = RichTable(*self.header, title=self.title)
        for row in self.rows:
            table.add_row(*map(Text, row))  # as plain text: square brackets are not markup here
        return table

    def write(self, stem: Path) -> list[Path]:
        """Write ``stem.md`` and ``stem.tex``, and return their paths."""
        written = []
        for suffix, text in ((".md", self.markdown()), (".tex", self.latex())):
            path = stem.with_name(stem.name + suffix)
            with replacing_file(path) as scratch:
                scratch.write_text(text, "utf-8")
            written.append(path)
        return written


def _escape_latex(text: str) -> str:
    return "".join(_LATEX.get(character, character) for character in text)


def new_figure(width: float = 8, height: float = 5) -> Any:
    """Create an empty matplotlib figure; the size is in inches.

    Raises:
        ValueError: If matplotlib is not installed.
    """
    try:
        from matplotlib.backends.backend_agg import FigureCanvasAgg
        from matplotlib.figure import Figure
    except ImportError:
        raise ValueError("figures require matplotlib: pip install 'elmo-torch[analysis]'") from None
    figure = Figure(figsize=(width, height), layout="constrained")
    FigureCanvasAgg(figure)
    return figure


def large_text() -> Any:
    """Return a context in which text is drawn large enough to be read on a slide."""
    from matplotlib import rc_context

    return rc_context({"font.size": 13, "axes.titlesize": 15})


def save_figure(figure: Any, stem: Path) -> list[Path]:
    """Write ``stem.png`` and ``stem.svg``, and return their paths."""
    from matplotlib import rc_context

    written = []
    for suffix in (".png", ".svg"):
        path = stem.with_name(stem.name + suffix)
        # Without a date and random ids, the same figure is written as the same bytes.
        with replacing_file(path) as scratch, rc_context({"svg.hashsalt": "elmo"}):
            figure.savefig(scratch, dpi=150, metadata={"Date": None} if suffix == ".svg" else {})
        written.append(path)
    return written
