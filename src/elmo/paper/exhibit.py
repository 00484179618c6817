"""The interface that all tables and figures share, and what their measurements have in common.

Everything that ``elmo reproduce`` and ``elmo analyze`` produce is an ``Exhibit``: it runs its measurements, collects
them in tables, and renders the tables and figures as files.
"""

import contextlib
import hashlib
import itertools
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Generic, NamedTuple, TypeVar

from tqdm import tqdm

from elmo.config import TokenizerName
from elmo.files import check_output_file, check_output_folder
from elmo.paper.report import Table
from elmo.results import Result, append_results, commit, machine, versions
from elmo.text.reading import read_sentences
from elmo.weights.locate import DEFAULT

ANALYSIS_FILE = "analysis.jsonl"
"""Results of the analyses, in the output folder."""
TASKS_FILE = "tasks.jsonl"
"""Results of task models, in the output folder."""
DATA_FOLDER = "data"
"""Datasets that were extracted from archives, in the output folder."""
LAYERS_FOLDER = "layers"
"""The layers of frozen biLMs that the runs of task models share, in the output folder until all runs have finished."""
FINETUNED_FOLDER = "finetuned"
"""biLMs that were fine-tuned on the training text of a task, in the output folder."""
RUNS_FOLDER = "runs"
"""The runs of task models that have not finished, in the output folder."""
TRAINED_FOLDER = "trained"
"""The runs of task models that have finished, in the output folder, if they are kept."""
R = TypeVar("R")


@dataclass(frozen=True)
class Setup:
    """The models and data to measure, and the folder for the results."""

    output: Path
    data: Path | None = None
    """Folder that contains the datasets; None for ``$ELMO_DATA``."""
    models: tuple[str, ...] = (DEFAULT,)
    """Names or folders of biLMs."""
    vectors: Path | None = None
    """File of static word vectors."""
    cove: Path | None = None
    """Folder of a CoVe model."""
    device: str = "cpu"

    # Only for perplexities.
    heldout: Path | None = None
    """Folder of held-out texts, ``NAME-dev.txt`` and ``NAME-test.txt``, besides those in the data folder."""
    max_sentences: int | None = None
    """Maximum number of sentences of a text; None for the exhibit's own."""

    # Only for tables and figures about tasks.
    tasks: tuple[str, ...] | None = None
    """None for the tasks that the paper shows."""
    seeds: int | None = None
    """Number of runs per setting; None for 3, or 1 if ``quick``."""
    finetuned: bool = False
    """Also with the biLM fine-tuned on the training text of each task, in table 1."""
    quick: bool = False
    """Train small models on a part of the data."""
    jobs: int = 1
    """Number of runs at a time, each in its own process."""
    minutes: float | None = None
    """Time after which to stop all runs and save their checkpoints."""
    only_finished: bool = False
    """Start no runs; report those that have finished, whatever their inputs were."""
    finished: Mapping[str, Result] | None = None
    """The results of ``run_specs``, by key, for exhibits whose runs have ended; None to run what is missing."""
    keep_models: bool = False
    """Keep the run folders of trained models, in ``trained`` in the output folder. Otherwise they are deleted."""


def model_names(models: Sequence[str]) -> list[str]:
    """Return short names of models, also for names of files: the last part of a path, or all if two have the same."""
    names = [Path(model).absolute().name for model in models]
    if len(set(names)) == len(names):
        return names
    return ["-".join(part for part in Path(model).parts if part != Path(model).anchor) for model in models]


def check_results_folder(folder: Path, inputs: Iterable[Path | None] = ()) -> None:
    """Check, before anything is measured, that results may be written into a folder.

    Args:
        folder: The folder. It must be new, empty, or contain results already; its tables and figures are replaced.
        inputs: Files that the measurements read, which must not be among those that are replaced.

    Raises:
        OSError: If the folder contains something else.
    """
    check_output_folder(folder, "a folder of results", is_results_folder, overwrite=True)
    given = [path for path in inputs if path is not None]
    for file in folder.iterdir() if folder.exists() else ():
        if file.suffix in (".md", ".tex", ".png", ".svg", ".jsonl"):
            check_output_file(file, given, overwrite=True)


def is_results_folder(folder: Path) -> bool:
    """Return whether a folder contains results of analyses or tasks."""
    names = {entry.name for entry in folder.iterdir()}
    of_runs = (DATA_FOLDER, FINETUNED_FOLDER, LAYERS_FOLDER, RUNS_FOLDER, TRAINED_FOLDER)
    unfinished = all(name in of_runs or name.endswith(".part") for name in names)  # of a killed command
    return not names.isdisjoint([ANALYSIS_FILE, TASKS_FILE]) or unfinished


class Exhibit(ABC, Generic[R]):
    """A table or figure."""

    @abstractmethod
    def run(self, setup: Setup) -> R:
        """Run the measurements, and append numeric results to a file in the output folder."""

    @abstractmethod
    def collect(self, results: R) -> dict[str, Table]:
        """Arrange the measurements in tables, by file name without suffix."""

    def render(self, results: R, tables: Mapping[str, Table], folder: Path) -> list[Path]:
        """Write the tables, and the figures if there are any, and return the paths of the files."""
        return [path for name, table in tables.items() for path in table.write(folder / name)]


class Measurement(NamedTuple):
    """A measured value, as an analysis reports it."""

    what: str
    metric: str
    value: float
    details: dict[str, Any]


def record(measurements: Sequence[Measurement], data: Sequence[Path], seconds: float, setup: Setup) -> None:
    """Append measurements to the results file of a setup, with the code, data and machine that they depend on."""
    digest = hashlib.sha256()
    for path in data:
        for file in sorted(path.rglob("*")) if path.is_dir() else [path]:
            digest.update(file.read_bytes() if file.is_file() else b"")
    provenance = (0, commit(), versions(), digest.hexdigest(), machine(setup.device), round(seconds, 1))
    append_results(
        setup.output / ANALYSIS_FILE, [Result(m.what, m.metric, m.value, *provenance, m.details) for m in measurements]
    )


def find_file(folder: Path, pattern: str) -> Path:
    """Return the only file in a folder, or below it, whose name matches a pattern.

    Raises:
        ValueError: If there is not exactly one.
    """
    found = sorted(path for path in folder.rglob(pattern) if path.is_file())
    if len(found) != 1:
        raise ValueError(f"{folder}: expected one file that matches {pattern}, found {len(found)}")
    return found[0]


def read_corpus(texts: Sequence[Path], tokenizer: TokenizerName, max_sentences: int | None = None) -> list[list[str]]:
    """Read the sentences of text files, as lists of words.

    Raises:
        ValueError: If there are none.
    """
    sentences = read_sentences(texts, tokenizer)
    found = list(itertools.islice(sentences, max_sentences))
    if not found:
        raise ValueError(f"{', '.join(map(str, texts))}: no sentences found")
    return found


@contextlib.contextmanager
def progress_bars() -> Iterator[Callable[[str, int, int], None]]:
    """Yield a function that is called with a label, the amount done and the total, and shows one bar per label."""
    bars: dict[str, Any] = {}

    def progress(label: str, done: int, total: int) -> None:
        if label not in bars:
            bars[label] = tqdm(total=total, desc=label, unit_scale=True, disable=None)
        bars[label].update(done - bars[label].n)

    try:
        yield progress
    finally:
        for bar in bars.values():
            bar.close()
