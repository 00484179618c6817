import io
from pathlib import Path

from rich.console import Console

from elmo.paper.report import Table, new_figure, save_figure

TABLE = Table("Scores & more", ["task", "F1"], [["a_b", "81.0 ± 1.4"]], "From 100 % of the data.")


def test_markdown() -> None:
    assert TABLE.markdown() == (
        "# Scores & more\n\n| task | F1 |\n| --- | --- |\n| a_b | 81.0 ± 1.4 |\n\nFrom 100 % of the data.\n"
    )


def test_latex_escapes_what_latex_reads_otherwise() -> None:
    text = TABLE.latex()
    assert r"a\_b & 81.0 $\pm$ 1.4 \\" in text
    assert r"\caption{Scores \& more. From 100 \% of the data.}" in text


def test_what_looks_like_markup() -> None:
    table = Table("t", ["a", "b"], [["[play] | stop", "a long sentence " * 4]])
    assert r"[play] \| stop" in table.markdown()
    assert r"{lp{0.4\linewidth}}" in table.latex()
    console = Console(width=200, file=io.StringIO())
    console.print(table.rich())
    assert "[play] | stop" in console.file.getvalue()


def test_files(tmp_path: Path) -> None:
    written = TABLE.write(tmp_path / "some.table")
    assert [path.name for path in written] == ["some.table.md", "some.table.tex"]
    figure = new_figure()
    figure.subplots().plot([1, 2])
    first = [path.read_bytes() for path in save_figure(figure, tmp_path / "figure")]
    assert [path.read_bytes() for path in save_figure(figure, tmp_path / "figure")] == first
