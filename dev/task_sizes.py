"""Measure what smaller task models cost: fewer quantization steps, and vectors of fewer words.

    python dev/task_sizes.py RUN ... [--data DATA] [--device cuda] [--steps 127,48,31,15,7] [--vectors 0,2000,10000]
                                     [--examples N] [--log results/task-sizes.jsonl]

RUN is the folder of a trained model. Give runs with and without static vectors to see what these are worth. Each
variant is written as the package would store it, loaded, and scored on the development data. Steps vary with all
vectors, and vectors with ``--with-steps`` (default: 15). The table beside the log shows sizes and scores.
"""

import argparse
import tempfile
import time
from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import torch
from bundle_tasks import ROOT, data_of

from elmo.datasets.folders import TaskData, data_folder
from elmo.paper.report import Table
from elmo.results import Result, append_results, commit, machine, read_results, versions
from elmo.tasks.compact_run import write_compact_run
from elmo.tasks.examples import read_data
from elmo.tasks.trained import TrainedTask
from elmo.tasks.trainer import load_run
from elmo.train.run import RunFolder

LOG = ROOT / "results" / "task-sizes.jsonl"
ALL = 1_000_000
"""More vectors than any model has."""


def variants(steps: Sequence[int], vectors: Sequence[int], with_steps: int) -> list[tuple[int, int]]:
    """Return the numbers of steps and vectors to measure."""
    return list(dict.fromkeys([*((count, ALL) for count in steps), *((with_steps, count) for count in vectors)]))


def measure(
    run: Path, chosen: Iterable[tuple[int, int]], data: Path, device: str, extracted: Path, limit: int | None
) -> list[Result]:
    """Score the model of a run as it is, and as each of the variants."""
    source = RunFolder(run)
    metadata = source.read(task=str, data=dict, data_hash=str, seed=int, vectors=str | None)
    found = data_of(metadata["task"], data, extracted)
    if found.hash() != metadata["data_hash"]:
        raise ValueError(f"{run}: was trained on other data than that in {data}")
    found = replace(found, max_examples=TaskData.from_dict(metadata["data"]).max_examples)
    original = load_run(run, torch.device(device))
    dev = read_data(original.task, found).dev[:limit]
    layers = original.model.words.layers
    original.model.words.prepare(words for example in dev for words in original.task.sequences(example))
    results = []

    def add(trained: TrainedTask, n_bytes: int, steps: int | None, vectors: int | None) -> None:
        trained.model.words.layers = layers  # computed once
        started = time.monotonic()
        scores = trained.evaluate(dev)
        results.append(
            Result(
                what=metadata["task"],
                metric=trained.task.objective,
                value=scores[trained.task.objective],
                seed=metadata["seed"],
                commit=commit(),
                versions=versions(),
                data_hash=metadata["data_hash"],
                machine=machine(device),
                seconds=round(time.monotonic() - started, 1),
                details={
                    "static": metadata["vectors"] and Path(metadata["vectors"]).name,
                    "trained with": metadata.get("max_vectors"),
                    "steps": steps,
                    "vectors": vectors,
                    "kept": len(trained.model.words.words),
                    "bytes": n_bytes,
                    "examples": len(dev),
                    "dev": scores,
                },
            )
        )

    def size_of(folder: Path) -> int:
        files = ("model.safetensors", "words.txt", "learned.txt", "run.json")
        return sum((folder / name).stat().st_size for name in files)

    add(original, size_of(run), None, None)
    for steps, vectors in chosen:
        with tempfile.TemporaryDirectory() as scratch:
            folder = Path(scratch, "run")
            write_compact_run(run, folder, steps=steps, vectors=vectors)
            add(load_run(folder, elmo=original.elmo), size_of(folder), steps, None if vectors == ALL else vectors)
    return results


def rows(results: Iterable[Result]) -> list[list[str]]:
    """Return a table with the last result for each variant, starting with its header."""
    last: dict[tuple[Any, ...], Result] = {}
    for result in results:
        variant = (result.details[name] for name in ("static", "trained with", "steps", "vectors", "examples"))
        last[(result.what, *variant)] = result
    table = [["task", "static vectors", "trained with", "steps", "vectors", "MB", "score, dev", "change"]]
    for (task, static, most, steps, vectors, examples), result in last.items():
        original = last[task, static, most, None, None, examples]
        change = "" if steps is None else f"{result.value - original.value:+.2f}"
        kept = f"{result.details['kept']:,}" if vectors is None else f"{vectors:,}"
        size = f"{result.details['bytes'] / 1e6:.2f}"
        trained = "all" if most is None else f"{most:,}"
        numbers = [str(steps or "float32"), kept, size, f"{result.value:.2f}", change]
        table.append([task, static or "none", trained, *numbers])
    return table


def numbers(text: str) -> list[int]:
    """Parse comma-separated numbers."""
    return [int(number) for number in text.split(",")]


def main() -> None:
    """Write the log and the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("runs", metavar="RUN", type=Path, nargs="+")
    parser.add_argument("--data", type=Path, help="data folder (default: ELMO_DATA)")
    parser.add_argument("--device", default="cuda" if torch.cuda.is_available() else "cpu")
    parser.add_argument("--steps", type=numbers, default=[127, 48, 31, 15, 7])
    parser.add_argument("--vectors", type=numbers, default=[0, 1000, 2000, 5000, 10_000, 20_000, 50_000])
    parser.add_argument("--with-steps", type=int, default=15)
    parser.add_argument("--examples", type=int, help="number of development examples (default: all)")
    parser.add_argument("--log", type=Path, default=LOG)
    given = parser.parse_args()
    chosen = variants(given.steps, given.vectors, given.with_steps)
    with tempfile.TemporaryDirectory() as extracted:
        for run in given.runs:
            found = measure(run, chosen, data_folder(given.data), given.device, Path(extracted), given.examples)
            append_results(given.log, found)
    header, *table = rows(read_results(given.log))
    note = "Steps on either side of zero; vectors of the most frequent words with a static vector, and as many learned."
    Table("Size and score of task models", header, table, note).write(given.log.with_suffix(""))
    print(given.log.with_suffix(".md").read_text("utf-8"))


if __name__ == "__main__":
    main()
