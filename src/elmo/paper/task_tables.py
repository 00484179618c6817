"""Tables 1 to 3 and figures 1 and 2: what ELMo adds to six tasks. Each says which runs it needs, and shows them."""

import dataclasses
import statistics
from abc import abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Any, ClassVar

from elmo.datasets.folders import data_folder, has_dataset, split_name
from elmo.paper.exhibit import Exhibit, Setup
from elmo.paper.finetuned import require_softmax
from elmo.paper.probes.representations import TOKEN_LAYER
from elmo.paper.report import COLORS, Table, large_text, new_figure, save_figure
from elmo.paper.task_runs import RunSpec, finished_runs, recipe_of, run_specs
from elmo.results import Result
from elmo.text.counts import counted
from elmo.weights.locate import locate

TASKS = ("squad", "snli", "srl", "coref", "ner", "sst")
TITLES = {
    "squad": "SQuAD (F1)",
    "snli": "SNLI (accuracy)",
    "srl": "SRL (F1)",
    "coref": "Coref (average F1)",
    "ner": "NER (F1)",
    "sst": "SST-5 (accuracy)",
}
DATASETS = {
    "squad": "SQuAD 1.1, all",
    "snli": "SNLI, 20k of 549k training pairs",
    "srl": "EWT-PropBank, not OntoNotes",
    "coref": "LitBank, not OntoNotes",
    "coref/ontogum": "OntoGUM, not OntoNotes",
    "ner": "WNUT-17, not CoNLL-2003",
    "ner/general": "web, Wikipedia and Twitter, not CoNLL-2003",
    "sst": "SST-5, all",
}
"""The data behind our numbers. Where the paper's data requires a license, free data takes its place.

A task's default dataset has the name of the task, others ``TASK/DATASET``.
"""
MISSING = "–"

PAPER_TABLE1 = {
    "squad": (81.1, 85.8),
    "snli": (88.0, 88.7),
    "srl": (81.4, 84.6),
    "coref": (67.2, 70.4),
    "ner": (90.15, 92.22),
    "sst": (51.4, 54.7),
}
"""Test scores in Peters et al. (2018): baseline, with ELMo."""


@dataclass(frozen=True)
class TaskExperiment:
    """The settings that the runs of a table or figure share."""

    model: str
    tasks: tuple[str, ...]
    """``TASK`` for a task's default dataset, or ``TASK/DATASET``."""
    seeds: tuple[int, ...]
    quick: bool
    finetuned: bool = False
    """Whether table 1 also shows the biLM fine-tuned on the training text of each task."""

    def specs(self, task: str, *, elmo: bool = True, **changes: Any) -> list[RunSpec]:
        """Return the runs behind one number, one per seed.

        A change to a value that the task's recipe has anyway is dropped, so that tables share their runs.
        """
        task, dataset = split_name(task)
        recipe = dataclasses.asdict(recipe_of(task, dataset).elmo)
        changes = {name: value for name, value in changes.items() if name not in recipe or recipe[name] != value}
        model = self.model if elmo else None
        return [RunSpec(task, model, seed=seed, quick=self.quick, dataset=dataset, **changes) for seed in self.seeds]


@dataclass(frozen=True)
class TaskResults:
    """The finished runs of an experiment, by key."""

    experiment: TaskExperiment
    runs: Mapping[str, Result]

    def of(self, task: str, **changes: Any) -> list[Result]:
        """Return the finished runs behind one number; the arguments are those of ``TaskExperiment.specs``."""
        specs = self.experiment.specs(task, **changes)
        return [self.runs[spec.key] for spec in specs if spec.key in self.runs]

    def scores(self, task: str, **changes: Any) -> list[float]:
        """Return the scores of finished runs on the development data."""
        return [result.value for result in self.of(task, **changes)]

    def test_scores(self, task: str, file: str | None = None, **changes: Any) -> list[float]:
        """Return the scores of finished runs on the test data, where there is any, or on one of its files."""
        runs = self.of(task, **changes)
        tests = [r.details["test"] if file is None else r.details.get("test_files", {}).get(file) for r in runs]
        return [test[run.metric] for run, test in zip(runs, tests, strict=True) if test is not None]

    def test_files(self, task: str) -> list[str]:
        """Return the files of test data on which finished runs of table 1 have scores of their own."""
        runs = self.of(task, elmo=False) + self.of(task)
        return list(dict.fromkeys(file for run in runs for file in run.details.get("test_files", ())))

    def perplexities(self) -> str:
        """Name the perplexities before and after fine-tuning, if there are runs with a fine-tuned biLM."""
        measured = {run.what: run.details["finetuned"] for run in self.runs.values() if "finetuned" in run.details}
        if not measured:
            return ""
        shown = (f"{what} {values['before']:.1f} → {values['after']:.1f}" for what, values in sorted(measured.items()))
        return f"Perplexity of the development text before and after fine-tuning: {', '.join(shown)}. "

    def provenance(self) -> str:
        """Describe the code, machines, data and time behind the runs."""
        runs = list(self.runs.values())
        commits = ", ".join(sorted({r.commit for r in runs}))
        machines = "; ".join(sorted({r.machine for r in runs}))
        torches = ", ".join(sorted({r.versions["torch"] for r in runs}))
        data = ", ".join(f"{what} {hash_[:12]}" for what, hash_ in sorted({(r.what, r.data_hash) for r in runs}))
        seeds = ", ".join(map(str, sorted({r.seed for r in runs})))
        vectors = ", ".join(sorted({r.details["vectors"] for r in runs if r.details.get("vectors")}))
        minutes = sum(r.seconds for r in runs) / 60
        return (
            f"{counted(len(runs), 'run')}, {minutes:.0f} minutes of computation in total; seeds {seeds}; "
            f"code {commits}; torch {torches}; {machines}; data {data}"
            f"{f'; static vectors {vectors}' if vectors else ''}. "
            "Mean scores ± standard deviation (number of runs)."
        )


class TaskExhibit(Exhibit[TaskResults]):
    """A table or figure about tasks."""

    name: ClassVar[str]
    title: ClassVar[str]
    tasks: ClassVar[tuple[str, ...]] = TASKS
    """The tasks that the paper shows, with further datasets as ``TASK/DATASET`` where we have them."""

    @abstractmethod
    def specs(self, experiment: TaskExperiment, task: str) -> list[RunSpec]:
        """Return the runs that the exhibit needs for a task."""

    @abstractmethod
    def rows(self, results: TaskResults) -> list[list[str]]:
        """Return the table, starting with its header."""

    def all_specs(self, experiment: TaskExperiment) -> list[RunSpec]:
        """Return the runs that the exhibit needs."""
        return [spec for task in experiment.tasks for spec in self.specs(experiment, task)]

    def experiment(self, setup: Setup) -> TaskExperiment:
        """Return the settings that the runs share.

        Raises:
            ValueError: If a task or the model is unknown.
        """
        tasks = self.tasks if setup.tasks is None else setup.tasks
        for name in tasks:
            if split_name(name)[0] not in TASKS:
                raise ValueError(f"{name}: no such task (choose from {', '.join(TASKS)})")
        (model,) = setup.models
        folder = setup.data
        if not setup.only_finished:  # fail before the first run, not between runs
            folder = data_folder(setup.data)
            locate(model)
            if setup.finetuned:
                require_softmax(model)
        if setup.tasks is None and folder is not None:  # further datasets are optional
            tasks = tuple(name for name in tasks if name in TASKS or has_dataset(folder, name))
        count = setup.seeds if setup.seeds is not None else (1 if setup.quick else 3)
        return TaskExperiment(model, tasks, tuple(range(1, count + 1)), setup.quick, setup.finetuned)

    def run(self, setup: Setup) -> TaskResults:
        """Train and evaluate the models whose results are missing, unless the setup has or wants finished runs only.

        Raises:
            ValueError: If a task or the model is unknown, or if runs failed.
        """
        experiment = self.experiment(setup)
        specs = self.all_specs(experiment)
        if setup.finished is not None:
            runs = {spec.key: setup.finished[spec.key] for spec in specs if spec.key in setup.finished}
        else:
            runs = finished_runs(specs, setup.output) if setup.only_finished else run_specs(specs, setup)
        return TaskResults(experiment, runs)

    def collect(self, results: TaskResults) -> dict[str, Table]:
        """Return the table, or the numbers behind the figure, with their provenance."""
        experiment = results.experiment
        header, *rows = self.rows(results)
        quick = "Quick runs on a part of the data: the numbers mean little. " if experiment.quick else ""
        note = f"ELMo: {experiment.model}. {quick}{results.perplexities()}{results.provenance()}"
        return {f"{self.name}{'-quick' if experiment.quick else ''}": Table(self.title, header, rows, note)}


def needed_runs(exhibits: Iterable[TaskExhibit], setup: Setup) -> list[RunSpec]:
    """Return the runs that several tables and figures need, each once.

    Raises:
        ValueError: If a task or the model is unknown.
    """
    specs = (spec for exhibit in exhibits for spec in exhibit.all_specs(exhibit.experiment(setup)))
    return list(dict.fromkeys(specs))


class MainResults(TaskExhibit):
    """Table 1: the baseline of each task, and the same model with ELMo, fine-tuned or not."""

    name = "table1"
    title = "Six tasks, without and with ELMo"
    tasks = tuple(DATASETS)

    def specs(self, experiment: TaskExperiment, task: str) -> list[RunSpec]:
        """Return the runs with and without ELMo."""
        finetuned = experiment.specs(task, finetuned=True) if experiment.finetuned else []
        return experiment.specs(task, elmo=False) + experiment.specs(task) + finetuned

    def rows(self, results: TaskResults) -> list[list[str]]:
        """Return one row per dataset."""
        finetuned = results.experiment.finetuned
        models: list[dict[str, Any]] = [{"elmo": False}, {}, *([{"finetuned": True}] if finetuned else [])]
        names = ["baseline", "+ ELMo", *(["+ ELMo fine-tuned"] if finetuned else [])]
        header = ["task", "data", *(f"{name}, dev" for name in names), "gain", "gain / std. dev.", "error reduction"]
        rows = [[*header, *(f"{name}, test" for name in names), "paper (test)"]]
        for task in results.experiment.tasks:
            before, after = results.scores(task, elmo=False), results.scores(task)
            gains = [MISSING] * 3
            if before and after:
                gain = statistics.mean(after) - statistics.mean(before)
                reduction = 100 * gain / (100 - statistics.mean(before))
                gains = [f"{gain:+.1f}", in_deviations(gain, before, after), f"{reduction:.1f} %"]
            rows.append(
                [
                    TITLES[split_name(task)[0]],
                    DATASETS.get(task, task),
                    *(mean_and_deviation(results.scores(task, **model)) for model in models),
                    *gains,
                    *(mean_and_deviation(results.test_scores(task, **model)) for model in models),
                    "{} → {}".format(*PAPER_TABLE1[split_name(task)[0]]),
                ]
            )
        return rows

    def collect(self, results: TaskResults) -> dict[str, Table]:
        """Return the table, and another one with the scores on each file of test data where there are several."""
        tables = super().collect(results)
        rows = [
            [
                _title(task),
                file,
                *(mean_and_deviation(results.test_scores(task, file, elmo=elmo)) for elmo in (False, True)),
            ]
            for task in results.experiment.tasks
            for file in results.test_files(task)
        ]
        if rows:
            [(name, table)] = tables.items()
            header = ["task", "test file", "baseline", "+ ELMo"]
            tables[f"{name}-test-files"] = Table("Scores on each file of test data", header, rows, table.note)
        return tables


class SettingsTable(TaskExhibit):
    """A table with one column per setting."""

    tasks = TASKS[:3]
    columns: ClassVar[Mapping[str, Mapping[str, Any]]]
    """The changes to the recipe by the header of the column."""
    paper: ClassVar[Mapping[str, Sequence[float]]]
    """Development scores in Peters et al. (2018), column by column."""

    def specs(self, experiment: TaskExperiment, task: str) -> list[RunSpec]:
        """Return the runs of all columns."""
        return [spec for changes in self.columns.values() for spec in experiment.specs(task, **changes)]

    def rows(self, results: TaskResults) -> list[list[str]]:
        """Return one row per task."""
        rows = [["task, dev", *self.columns, "paper"]]
        for task in results.experiment.tasks:
            scores = [mean_and_deviation(results.scores(task, **changes)) for changes in self.columns.values()]
            rows.append([_title(task), *scores, " / ".join(map(str, self.paper.get(task, ()))) or MISSING])
        return rows


class LayerWeighting(SettingsTable):
    """Table 2: only the last layer, or a weighted sum of all layers with more or less regularization."""

    name = "table2"
    title = "How the layers are weighted"
    columns = MappingProxyType(
        {
            "baseline": {"elmo": False},
            "last layer only": {"layers": "top"},
            "all layers, lambda 1": {"layers": "all", "penalty": 1.0},
            "all layers, lambda 0.001": {"layers": "all", "penalty": 0.001},
        }
    )
    paper = MappingProxyType(
        {"squad": (80.8, 84.7, 85.0, 85.2), "snli": (88.1, 89.1, 89.3, 89.5), "srl": (81.6, 84.1, 84.6, 84.8)}
    )


class Placement(SettingsTable):
    """Table 3: ELMo at the input of the task model, at its output, or both."""

    name = "table3"
    title = "Where ELMo is added"
    columns = MappingProxyType(
        {
            "input": {"placement": "input"},
            "input and output": {"placement": "both"},
            "output": {"placement": "output"},
        }
    )
    paper = MappingProxyType({"squad": (85.1, 85.6, 84.8), "snli": (88.9, 89.5, 88.7), "srl": (84.7, 84.3, 80.9)})


class SampleEfficiency(TaskExhibit):
    """Figure 1: scores by the size of the training set, without and with ELMo."""

    name = "figure1"
    title = "Scores by size of the training set"
    tasks = ("snli", "srl")
    fractions = (0.001, 0.01, 0.1, 1.0)

    def specs(self, experiment: TaskExperiment, task: str) -> list[RunSpec]:
        """Return the runs with and without ELMo on each fraction of the training data."""
        pairs = [(fraction, elmo) for fraction in self.fractions for elmo in (False, True)]
        return [spec for fraction, elmo in pairs for spec in experiment.specs(task, elmo=elmo, fraction=fraction)]

    def rows(self, results: TaskResults) -> list[list[str]]:
        """Return one row per task and fraction."""
        rows = [["task, dev", "training data", "baseline", "+ ELMo", "gain"]]
        for task in results.experiment.tasks:
            for fraction in self.fractions:
                before, after = (results.scores(task, elmo=elmo, fraction=fraction) for elmo in (False, True))
                gain = f"{statistics.mean(after) - statistics.mean(before):+.1f}" if before and after else MISSING
                scores = [mean_and_deviation(before), mean_and_deviation(after)]
                rows.append([_title(task), f"{100 * fraction:g} %", *scores, gain])
        return rows

    def render(self, results: TaskResults, tables: Mapping[str, Table], folder: Path) -> list[Path]:
        """Write the table, and draw one panel per task."""
        tasks = results.experiment.tasks
        figure = new_figure(5 * len(tasks), 4)
        with large_text():
            for axes, task in zip(figure.subplots(1, len(tasks), squeeze=False)[0], tasks, strict=True):
                for elmo, label, color in ((False, "baseline", COLORS[1]), (True, "+ ELMo", COLORS[0])):
                    by_fraction = {100 * f: results.scores(task, elmo=elmo, fraction=f) for f in self.fractions}
                    points = [(percent, scores) for percent, scores in by_fraction.items() if scores]
                    if not points:
                        continue
                    means = [statistics.mean(scores) for _, scores in points]
                    spread = [statistics.stdev(scores) if len(scores) > 1 else 0.0 for _, scores in points]
                    percents = [percent for percent, _ in points]
                    axes.errorbar(percents, means, spread, label=label, color=color, marker="o", capsize=3)
                axes.set(title=_title(task), xlabel="training data (%)", ylabel="development score", xscale="log")
                axes.set_xticks([100 * f for f in self.fractions], [f"{100 * f:g}" for f in self.fractions])
                axes.grid(alpha=0.3)
                axes.legend()
        return super().render(results, tables, folder) + save_figure(figure, folder / next(iter(tables)))


class LearnedLayerWeights(TaskExhibit):
    """Figure 2: the weights that the tasks learn for the layers, wherever their recipes have ELMo."""

    name = "figure2"
    title = "Learned layer weights"

    def specs(self, experiment: TaskExperiment, task: str) -> list[RunSpec]:
        """Return the runs with ELMo, which table 1 has, too."""
        return experiment.specs(task)

    def weights(self, results: TaskResults) -> dict[str, dict[str, list[float]]]:
        """Return the mean weights of the layers by place and task."""
        found: dict[str, dict[str, list[float]]] = {"input": {}, "output": {}}
        for task in results.experiment.tasks:
            runs = [result.details["layers"] for result in results.of(task)]
            for place, tasks in found.items():
                weights = [run[place]["shares"] for run in runs if place in run]
                if weights:
                    tasks[task] = [statistics.mean(column) for column in zip(*weights, strict=True)]
        return found

    def rows(self, results: TaskResults) -> list[list[str]]:
        """Return one row per place and task."""
        weights = self.weights(results)
        count = max((len(w) for tasks in weights.values() for w in tasks.values()), default=0)
        rows = [["place", "task", *(f"layer {number}" for number in range(count))]]
        for place, tasks in weights.items():
            rows += [[place, _title(task), *(f"{weight:.2f}" for weight in w)] for task, w in tasks.items()]
        return rows

    def render(self, results: TaskResults, tables: Mapping[str, Table], folder: Path) -> list[Path]:
        """Write the table, and draw one heat map per place."""
        figure = new_figure(11, 1.5 + 0.5 * len(results.experiment.tasks))
        with large_text():
            panels = figure.subplots(1, 2, squeeze=False)[0]
            for axes, (place, tasks) in zip(panels, self.weights(results).items(), strict=True):
                if not tasks:
                    axes.set_axis_off()
                    continue
                axes.imshow(list(tasks.values()), cmap="Blues", vmin=0, vmax=1, aspect="auto")
                axes.set_yticks(range(len(tasks)), [_title(task) for task in tasks])
                count = len(next(iter(tasks.values())))
                axes.set_xticks(range(count), [TOKEN_LAYER, *(f"LSTM {number}" for number in range(1, count))])
                axes.set_title(f"ELMo at the {place}")
                for row, weights in enumerate(tasks.values()):
                    for column, weight in enumerate(weights):
                        color = "white" if weight > 0.5 else "black"
                        axes.text(column, row, f"{weight:.2f}", ha="center", va="center", color=color)
        return super().render(results, tables, folder) + save_figure(figure, folder / next(iter(tables)))


def mean_and_deviation(scores: Sequence[float]) -> str:
    """Format the mean and the standard deviation of single runs, as in ``85.2 ± 0.3 (3)``."""
    if not scores:
        return MISSING
    if len(scores) == 1:
        return f"{scores[0]:.1f}"
    return f"{statistics.mean(scores):.1f} ± {statistics.stdev(scores):.1f} ({len(scores)})"


def _title(name: str) -> str:
    """Return the title of a row or panel: the task and its score, and the dataset if it is not the default."""
    task, dataset = split_name(name)
    return TITLES[task] if dataset is None else f"{TITLES[task]}, {dataset}"


def in_deviations(gain: float, before: Sequence[float], after: Sequence[float]) -> str:
    """Divide a gain by the larger of the two standard deviations."""
    if min(len(before), len(after)) < 2:
        return MISSING
    deviation = max(statistics.stdev(before), statistics.stdev(after))
    return f"{gain / deviation:.1f}" if deviation else MISSING
