"""Tables as Markdown, LaTeX and terminal output, and figures as PNG and SVG files."""

import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rich.cells import cell_len
from rich.console import Group
from rich.table import Table as RichTable
from rich.text import Text

from elmo.files import replacing_file

COLORS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#F0E442", "#000000")
"""Colors that people with color blindness can tell apart (Okabe & Ito)."""
EAST_ASIAN_FONTS = ("Noto Sans CJK KR", "Noto Sans KR", "Apple SD Gothic Neo", "Malgun Gothic", "NanumGothic")
"""Fonts with Hangul, some of them with Chinese and Japanese, which matplotlib's own font lacks."""
_BORDERS = 3
"""Columns of the terminal that a column of a table takes besides its text."""
_MAX_COLUMN = 20
"""Width at which the text of a column wraps, in a table that is too wide for the terminal."""
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

    def rich(self, width: int) -> Group:
        """Format the table for a terminal of this many columns.

        A table that cannot fit is divided into several, each with the columns that identify a row. A table without
        rows is replaced by its note, which says what is missing.
        """
        if not self.rows:
            return Group(Text(f"{self.title}: {self.note}"))
        tables = []
        for number, columns in enumerate(self._parts(width)):
            table = RichTable(*(self.header[column] for column in columns), title="" if number else self.title)
            for row in self.rows:
                table.add_row(*(Text(row[column]) for column in columns))  # not markup: cells may have square brackets
            tables.append(table)
        return Group(*tables)

    def _parts(self, width: int) -> list[list[int]]:
        """Divide the columns, so that no word of a part has to be cut."""
        cells = list(zip(self.header, *self.rows, strict=True))
        words = [max(map(cell_len, " ".join(column).split()), default=0) for column in cells]
        if sum(words) + _BORDERS * len(words) + 1 <= width:
            return [list(range(len(words)))]
        whole = [max(map(cell_len, column)) for column in cells]
        widths = [max(least, min(full, _MAX_COLUMN)) for least, full in zip(words, whole, strict=True)]
        distinct = [len({tuple(row[:n]) for row in self.rows}) for n in range(len(words))]
        n_keys = distinct.index(len(self.rows), 1) if len(self.rows) in distinct[1:] else 1
        keys = list(range(n_keys))
        parts = [list(keys)]
        for column in range(n_keys, len(words)):
            part = [*parts[-1], column]
            if sum(widths[c] for c in part) + _BORDERS * len(part) + 1 > width and len(parts[-1]) > n_keys:
                parts.append([*keys, column])
            else:
                parts[-1].append(column)
        return parts

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
    """Return a context in which text is drawn large enough to be read on a slide, also Korean text."""
    from matplotlib import rc_context, rcParams
    from matplotlib.font_manager import get_font_names

    installed = set(get_font_names())
    fonts = [*rcParams["font.family"], *(font for font in EAST_ASIAN_FONTS if font in installed)]
    return rc_context({"font.size": 13, "axes.titlesize": 15, "font.family": fonts})


def save_figure(figure: Any, stem: Path) -> list[Path]:
    """Write ``stem.png`` and ``stem.svg``, and return their paths. Warn if a character is in none of the fonts."""
    from matplotlib import get_cachedir, rc_context

    written = []
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")  # matplotlib has one warning for each missing character
        for suffix in (".png", ".svg"):
            path = stem.with_name(stem.name + suffix)
            # Without a date and random ids, the same figure is written as the same bytes.
            with replacing_file(path) as scratch, rc_context({"svg.hashsalt": "elmo"}):
                figure.savefig(scratch, dpi=150, metadata={"Date": None} if suffix == ".svg" else {})
            written.append(path)
    missing = [warning for warning in caught if "missing from font" in str(warning.message)]
    for warning in caught:
        if warning not in missing:
            warnings.warn(warning.message, stacklevel=2)
    if missing:
        warnings.warn(  # without the name of the figure, so that many figures have one warning
            "some characters of a figure are boxes, because no font has them; install a font such as Noto Sans CJK, "
            f"and delete {get_cachedir()}, where matplotlib keeps its list of fonts",
            stacklevel=2,
        )
    return written
