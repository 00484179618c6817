"""The paper's tables and figures about tasks: which runs they need, and what they look like."""

import dataclasses
import statistics
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from elmo.paper.experiments import Cell
from elmo.paper.report import Table
from elmo.results import Result
from elmo.tasks.task import task_named
from elmo.tasks.trainer import read_task_recipe

TASKS = ("squad", "snli", "srl", "coref", "ner", "sst")
TITLES = {
    "squad": "SQuAD (F1)",
    "snli": "SNLI (accuracy)",
    "srl": "SRL (F1)",
    "coref": "Coref (average F1)",
    "ner": "NER (F1)",
    "sst": "SST-5 (accuracy)",
}
OURS = {
    "squad": "SQuAD 1.1, whole",
    "snli": "SNLI, 20k training pairs of 549k",
    "srl": "EWT-PropBank, not OntoNotes",
    "coref": "LitBank, not OntoNotes",
    "ner": "WNUT-17, not CoNLL-2003",
    "sst": "SST-5, whole",
}
"""What data the numbers here are from, where it is the data that comes to hand without a licence."""
LAYERS: dict[str, dict[str, Any]] = {
    "last layer only": {"layers": "top"},
    "all layers, lambda 1": {"layers": "all", "penalty": 1.0},
    "all layers, lambda 0.001": {"layers": "all", "penalty": 0.001},
}
PLACES: dict[str, dict[str, Any]] = {
    "input": {"placement": "input"},
    "both": {"placement": "both"},
    "output": {"placement": "output"},
}
FRACTIONS = (0.001, 0.01, 0.1, 1.0)

# From Peters et al. (2018): table 1 (test; baseline, with ELMo), tables 2 and 3 (development data).
PAPER_TABLE1 = {
    "squad": (81.1, 85.8),
    "snli": (88.0, 88.7),
    "srl": (81.4, 84.6),
    "coref": (67.2, 70.4),
    "ner": (90.15, 92.22),
    "sst": (51.4, 54.7),
}
PAPER_TABLE2 = {
    "squad": (80.8, 84.7, 85.0, 85.2),
    "snli": (88.1, 89.1, 89.3, 89.5),
    "srl": (81.6, 84.1, 84.6, 84.8),
}
PAPER_TABLE3 = {"squad": (85.1, 85.6, 84.8), "snli": (88.9, 89.5, 88.7), "srl": (84.7, 84.3, 80.9)}


@dataclass(frozen=True)
class Experiment:
    """A table or figure: the choices that its runs share."""

    elmo: str
    tasks: tuple[str, ...]
    seeds: tuple[int, ...]
    quick: bool

    def cells(self, task: str, elmo: str | None, **changes: Any) -> list[Cell]:
        """The runs of one number: a cell for each seed.

        A change that the task's recipe has anyhow is none, so that tables share their runs.
        """
        recipe = dataclasses.asdict(read_task_recipe(task_named(task)).elmo)
        changes = {name: value for name, value in changes.items() if name not in recipe or recipe[name] != value}
        return [Cell(task, elmo, seed=seed, quick=self.quick, **changes) for seed in self.seeds]


def cells_of(name: str, experiment: Experiment) -> list[Cell]:
    """All runs that a table or figure needs."""
    e = experiment
    cells: list[Cell] = []
    for task in e.tasks:
        if name == "table1":
            cells += e.cells(task, None) + e.cells(task, e.elmo)
        elif name == "table2":
            cells += e.cells(task, None) + [c for how in LAYERS.values() for c in e.cells(task, e.elmo, **how)]
        elif name == "table3":
            cells += [c for where in PLACES.values() for c in e.cells(task, e.elmo, **where)]
        elif name == "figure1":
            cells += [c for f in FRACTIONS for who in (None, e.elmo) for c in e.cells(task, who, fraction=f)]
        else:
            cells += e.cells(task, e.elmo, placement="both")
    return cells


def default_tasks(name: str) -> tuple[str, ...]:
    """The tasks that the paper shows."""
    return {"table2": TASKS[:3], "table3": TASKS[:3], "figure1": ("snli", "srl")}.get(name, TASKS)


class Values:
    """Results by cell, as numbers."""

    def __init__(self, results: Mapping[str, Result], test: bool = False) -> None:
        self.results, self.test = results, test

    def __call__(self, cells: Sequence[Cell]) -> list[float]:
        """The values of the cells that are there."""
        found = [self.results[cell.key] for cell in cells if cell.key in self.results]
        if not self.test:
            return [result.value for result in found]
        return [result.details["test"][result.metric] for result in found if result.details["test"] is not None]


def mean_and_deviation(values: Sequence[float]) -> str:
    """A mean with the standard deviation of single runs, as in ``85.2 ± 0.3 (3)``."""
    if not values:
        return "–"
    if len(values) == 1:
        return f"{values[0]:.1f}"
    return f"{statistics.mean(values):.1f} ± {statistics.stdev(values):.1f} ({len(values)})"


def table1(experiment: Experiment, results: Mapping[str, Result]) -> list[list[str]]:
    """Six tasks, baseline and with ELMo."""
    e = experiment
    rows = [
        [
            "task",
            "data",
            "baseline, dev",
            "+ ELMo, dev",
            "gain",
            "in deviations",
            "error reduction",
            "baseline, test",
            "+ ELMo, test",
            "paper (test)",
        ]
    ]
    dev, test = Values(results), Values(results, test=True)
    for task in e.tasks:
        base, elmo = e.cells(task, None), e.cells(task, e.elmo)
        before, after = dev(base), dev(elmo)
        better = ["–"] * 3
        if before and after:
            gain = statistics.mean(after) - statistics.mean(before)
            reduction = 100 * gain / (100 - statistics.mean(before))
            better = [f"{gain:+.1f}", _in_deviations(gain, before, after), f"{reduction:.1f} %"]
        rows.append(
            [
                TITLES[task],
                OURS[task],
                mean_and_deviation(before),
                mean_and_deviation(after),
                *better,
                mean_and_deviation(test(base)),
                mean_and_deviation(test(elmo)),
                "{} → {}".format(*PAPER_TABLE1[task]),
            ]
        )
    return rows


def _in_deviations(gain: float, before: Sequence[float], after: Sequence[float]) -> str:
    """The gain over the larger of the two standard deviations."""
    if min(len(before), len(after)) < 2:
        return "–"
    deviation = max(statistics.stdev(before), statistics.stdev(after))
    return f"{gain / deviation:.1f}" if deviation else "–"


def table2(experiment: Experiment, results: Mapping[str, Result]) -> list[list[str]]:
    """How the layers are weighted."""
    e, values = experiment, Values(results)
    rows = [["task, dev", "baseline", *LAYERS, "paper"]]
    for task in e.tasks:
        columns = [e.cells(task, None)] + [e.cells(task, e.elmo, **how) for how in LAYERS.values()]
        paper = " / ".join(map(str, PAPER_TABLE2.get(task, ()))) or "–"
        rows.append([TITLES[task], *(mean_and_deviation(values(cells)) for cells in columns), paper])
    return rows


def table3(experiment: Experiment, results: Mapping[str, Result]) -> list[list[str]]:
    """Where ELMo comes in."""
    e, values = experiment, Values(results)
    rows = [["task, dev", "input", "input and output", "output", "paper"]]
    for task in e.tasks:
        columns = [e.cells(task, e.elmo, **where) for where in PLACES.values()]
        paper = " / ".join(map(str, PAPER_TABLE3.get(task, ()))) or "–"
        rows.append([TITLES[task], *(mean_and_deviation(values(cells)) for cells in columns), paper])
    return rows


def figure1(experiment: Experiment, results: Mapping[str, Result]) -> list[list[str]]:
    """Sample efficiency, as a table."""
    e, values = experiment, Values(results)
    rows = [["task, dev", "share of the training data", "baseline", "+ ELMo", "gain"]]
    for task in e.tasks:
        for fraction in FRACTIONS:
            before, after = (values(e.cells(task, who, fraction=fraction)) for who in (None, e.elmo))
            gain = f"{statistics.mean(after) - statistics.mean(before):+.1f}" if before and after else "–"
            share = f"{100 * fraction:g} %"
            rows.append([TITLES[task], share, mean_and_deviation(before), mean_and_deviation(after), gain])
    return rows


def learned_shares(experiment: Experiment, results: Mapping[str, Result]) -> dict[str, dict[str, list[float]]]:
    """The mean shares of the layers by place and task."""
    found: dict[str, dict[str, list[float]]] = {"input": {}, "output": {}}
    for task in experiment.tasks:
        cells = experiment.cells(task, experiment.elmo, placement="both")
        runs = [results[cell.key].details["layers"] for cell in cells if cell.key in results]
        for place in found:
            shares = [run[place]["shares"] for run in runs]
            if shares:
                found[place][task] = [statistics.mean(column) for column in zip(*shares, strict=True)]
    return found


def figure2(experiment: Experiment, results: Mapping[str, Result]) -> list[list[str]]:
    """Learned layer weights, as a table."""
    shares = learned_shares(experiment, results)
    count = max((len(s) for tasks in shares.values() for s in tasks.values()), default=0)
    rows = [["place", "task", *(f"layer {number}" for number in range(count))]]
    for place, tasks in shares.items():
        rows += [[place, TITLES[task], *(f"{share:.2f}" for share in s)] for task, s in tasks.items()]
    return rows


TABLES = {"table1": table1, "table2": table2, "table3": table3, "figure1": figure1, "figure2": figure2}
CAPTIONS = {
    "table1": "Six tasks, without and with ELMo",
    "table2": "How the layers are weighted",
    "table3": "Where ELMo comes in",
    "figure1": "How much training data is needed",
    "figure2": "Learned weights of the layers",
}


def sources(results: Mapping[str, Result]) -> str:
    """Where the numbers come from: commits, machines, data and time."""
    values = list(results.values())
    commits = ", ".join(sorted({r.commit for r in values}))
    machines = "; ".join(sorted({r.machine for r in values}))
    torches = ", ".join(sorted({r.versions["torch"] for r in values}))
    data = ", ".join(f"{what} {hash_[:12]}" for what, hash_ in sorted({(r.what, r.data_hash) for r in values}))
    seeds = ", ".join(map(str, sorted({r.seed for r in values})))
    minutes = sum(r.seconds for r in values) / 60
    return (
        f"{len(values)} runs, {minutes:.0f} minutes of computing in all; seeds {seeds}; code {commits}; "
        f"torch {torches}; {machines}; data {data}. Means of scores with the standard deviation and number of runs."
    )


def make_table(name: str, experiment: Experiment, results: Mapping[str, Result]) -> Table:
    """A table, or the numbers behind a figure, with where they come from."""
    how = "A quick look at a part of the data: the numbers mean little. " if experiment.quick else ""
    head, *rows = TABLES[name](experiment, results)
    return Table(CAPTIONS[name], head, rows, f"ELMo: {experiment.elmo}. {how}{sources(results)}")
