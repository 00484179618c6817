"""The numbers in README.md, the model cards and docs/ are those of the logs in results/."""

import re
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

import elmo
from elmo.results import Result, read_results

ROOT = Path(__file__).parents[1]
sys.path.append(str(ROOT / "dev"))
from fill_tables import PAGES, TABLES, analysis, beside_simple_elmo, filled, latest, main_results  # noqa: E402

RESULTS = ROOT / "results"
CARDS = [*(ROOT / "src" / "elmo" / "data").glob("*/README.md"), *(ROOT / "models").glob("*/src/*/model/README.md")]
LOGS = [*RESULTS.glob("*.jsonl"), *RESULTS.glob("benchmarks/*.jsonl")]
OLDER_FORMAT = {"pretrain_gpu.jsonl", "contamination-units.jsonl"}
"""Files of other records than results."""


def cells(page: Path) -> list[list[str]]:
    """All rows of all tables of a page."""
    rows = re.findall(r"^\|(.*)\|$", page.read_text("utf-8"), flags=re.MULTILINE)
    return [[cell.strip() for cell in row.split("|")] for row in rows]


def row_of(page: Path, first: str) -> list[str]:
    """The only row that begins with a cell."""
    (row,) = [row for row in cells(page) if row[0].startswith(first)]
    return row


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_tables_are_written_from_the_logs(page: Path) -> None:
    """If this fails, run ``python dev/fill_tables.py``."""
    text = page.read_text("utf-8")
    names = re.findall(r"^<!-- table: (\S+)", text, flags=re.MULTILINE)
    assert set(names) <= TABLES.keys()
    assert text.count("<!-- end of table -->") == len(names)
    assert filled(text) == text


def test_filled_replaces_the_table_and_nothing_else() -> None:
    page = "a\n\n<!-- table: pretraining small -->\n\n| old |\n\n<!-- end of table -->\n\nb\n<!-- end of table -->\n"
    after = filled(page)
    assert after.startswith("a\n\n<!-- table: pretraining small -->\n\n| model | minutes |")
    assert after.endswith("|\n\n<!-- end of table -->\n\nb\n<!-- end of table -->\n")
    assert "old" not in after
    assert filled(after) == after


def test_the_korean_readme_has_the_same_numbers() -> None:
    """Row by row; word order differs between the languages."""
    english, korean = (
        [numbers for row in cells(ROOT / name) if (numbers := sorted(re.findall(r"\d[\d,.]*", " ".join(row))))]
        for name in ("README.md", "README.ko.md")
    )
    assert english == korean


def test_every_section_of_results_names_its_logs() -> None:
    page = (ROOT / "docs" / "results.md").read_text("utf-8")
    for section in re.split(r"^## ", page, flags=re.MULTILINE)[1:]:
        if "\n| " in section or "\n![" in section:
            title = section.partition("\n")[0]
            assert re.search(r"\bLogs?: (`results/|\[)", section), title


@pytest.mark.parametrize("page", [*PAGES, *CARDS], ids=lambda page: str(page.relative_to(ROOT)))
def test_the_logs_exist(page: Path) -> None:
    text = page.read_text("utf-8")
    named = re.findall(r"`(results/[^`\s]+)`", text) if page.name != "analysis.md" else []  # the reader's own files
    named += [f"results/{path}" for path in re.findall(r"\]\((?:\.\./)?results/([^)]+)\)", text)]
    assert [name for name in named if not (ROOT / name).exists()] == []


@pytest.mark.parametrize("log", LOGS, ids=lambda path: path.name)
def test_logs_say_where_numbers_come_from(log: Path) -> None:
    if log.name in OLDER_FORMAT:
        pytest.skip("not results with their provenance")
    results = read_results(log)
    assert results
    for result in results:
        assert re.fullmatch(r"[0-9a-f]{7,12}\+?", result.commit), result
        assert result.data_hash
        assert result.machine
        assert result.versions["torch"]


def measured_perplexities() -> dict[tuple[str, str], Result]:
    return latest(analysis("perplexity"), "model", "text")


def test_the_bundled_model_is_the_one_that_was_measured() -> None:
    found = {text: result for (model, text), result in measured_perplexities().items() if model == "small"}
    if not found:
        pytest.skip("the perplexity of small has no log yet")
    assert "en, test" in found
    assert {result.details["fingerprint"] for result in found.values()} == {elmo.load("small").fingerprint()}


@pytest.mark.parametrize("model", ["small", "medium"])
def test_perplexity_of_the_cards_and_the_readme(model: str) -> None:
    test = measured_perplexities().get((model, "en, test"))
    if test is None:
        pytest.skip(f"the perplexity of {model} on the test text has no log yet")
    values = [f"{value:.1f}" for value in (test.details["forward"], test.details["backward"], test.value)]
    (card,) = [card for card in CARDS if model in card.parts or f"elmo_model_{model}" in card.parts]
    assert row_of(card, "test")[1:4] == values
    assert row_of(ROOT / "README.md", f"`{model}`")[1] == values[-1]


@pytest.mark.parametrize("page", ["README.md", "README.ko.md"])
def test_task_scores_of_the_readme(page: str) -> None:
    table = cells(ROOT / page)
    start = next(number for number, row in enumerate(table) if row[0] in ("task", "과제") and len(row) == 4) + 2
    shown = [tuple(cell.strip("*") for cell in row[2:]) for row in table[start : start + 8]]
    *tested, squad = shown
    table = main_results("medium")
    assert set(tested) == scores("test", table) - {("–", "–")}  # SQuAD's test data is not public
    assert squad in scores("dev", table)


def scores(split: str, rows: Sequence[Sequence[str]]) -> set[tuple[str, ...]]:
    """Return the means of table 1, without and with ELMo."""
    header, *tasks = rows
    columns = header.index(f"baseline, {split}"), header.index(f"+ ELMo, {split}")
    return {tuple(row[column].split(" ")[0] for column in columns) for row in tasks}


def test_speeds_in_the_readme() -> None:
    """The speeds that the README compares are those of the page about performance."""
    words = {system: f"{speed:,.0f}" for system, speed in beside_simple_elmo().items()}
    ours = f"{words['elmo float32']} (bf16: {words['elmo bf16']})"
    line = f"| {ours} | not measured | not measured | {words['simple_elmo as shipped']} |"
    assert line in (ROOT / "README.md").read_text("utf-8")


def test_speeds_of_an_earlier_run() -> None:
    """The page about performance quotes medians of a run with an earlier version of TensorFlow."""
    commit = "261b9ce"
    page = " ".join((ROOT / "docs" / "performance.md").read_text("utf-8").split())
    _, found, quoted = page.partition(f"commit {commit}")
    assert found
    results = read_results(RESULTS / "benchmarks" / "embed.jsonl")
    words = {r.what: r.value for r in results if r.commit.startswith(commit) and r.metric == "words_per_s"}
    others = [words[f"embed: simple_elmo {how}, full"] for how in ("as shipped", "in length order")]
    assert "with {:.0f} words/s as shipped and {:.0f} in length order".format(*others) in quoted
    for precision, ending in (("float32", "fast in float32"), ("bf16", "fast in bf16")):
        ratios = [words[f"embed: elmo {precision}, full"] / other for other in others]
        assert "{:.1f} and {:.1f} times as ".format(*ratios) + ending in quoted
