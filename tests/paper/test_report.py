import io
from pathlib import Path

import matplotlib
import pytest
from rich.cells import cell_len
from rich.console import Console

from elmo.paper.report import Table, large_text, new_figure, save_figure

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
    console.print(table.rich(console.width))
    assert "[play] | stop" in console.file.getvalue()


def test_files(tmp_path: Path) -> None:
    written = TABLE.write(tmp_path / "some.table")
    assert [path.name for path in written] == ["some.table.md", "some.table.tex"]
    figure = new_figure()
    figure.subplots().plot([1, 2])
    first = [path.read_bytes() for path in save_figure(figure, tmp_path / "figure")]
    assert [path.read_bytes() for path in save_figure(figure, tmp_path / "figure")] == first


def test_characters_without_a_font_give_one_warning(tmp_path: Path) -> None:
    figure = new_figure()
    figure.subplots().set_title("\ue001\ue002\ue003")  # private use: no font has them
    with pytest.warns(UserWarning, match="install a font") as caught:
        save_figure(figure, tmp_path / "figure")
    assert len(caught) == 1


def test_korean_text_has_a_font_where_there_is_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("matplotlib.font_manager.get_font_names", lambda: ["DejaVu Sans", "NanumGothic"])
    with large_text():
        assert matplotlib.rcParams["font.family"] == ["sans-serif", "NanumGothic"]


class TestTerminal:
    """Tables in a terminal of 80 columns."""

    HEADER = ("task", "setting", "baseline", "with ELMo", "error reduction", "number of parameters")
    ROWS = tuple(
        (f"task{n // 2}", f"setting{n % 2}", "70.1 ± 0.1 (3)", "80.3", "한국어 손을 씻고", "1,000,000")
        for n in range(4)
    )

    def shown(self, table: Table, width: int) -> list[str]:
        console = Console(width=width, file=io.StringIO())
        console.print(table.rich(width))
        return console.file.getvalue().splitlines()

    @pytest.mark.parametrize("width", [20, 40, 60, 80, 200])
    def test_no_word_is_cut(self, width: int) -> None:
        lines = self.shown(Table("Scores", self.HEADER, self.ROWS), width)
        assert not any("…" in line for line in lines) or width < 40
        assert width < 40 or max(map(cell_len, lines)) <= width
        assert sum("task0" in line for line in lines) == sum("task1" in line for line in lines)

    def test_every_part_identifies_its_rows(self) -> None:
        lines = self.shown(Table("Scores", self.HEADER, self.ROWS), 60)
        assert sum("task " in line for line in lines) == sum("setting " in line for line in lines) > 1
        assert len(self.shown(Table("Scores", self.HEADER, self.ROWS), 200)) == 9

    def test_a_table_without_rows_says_why(self) -> None:
        assert self.shown(Table("Scores", self.HEADER, [], "nothing was measured."), 80) == [
            "Scores: nothing was measured."
        ]
