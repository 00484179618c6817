"""Train the task models of the package ``models/tasks``.

    python dev/train_tasks.py OUTPUT [TASK ...] [--model medium] [--vectors FILE] [--jobs 6] [--minutes 25]

Trains a model for each task (default: all six) with its recipe, in one queue, and keeps their run folders in
``OUTPUT/trained``. They are printed at the end, for ``dev/task_sizes.py`` and ``dev/bundle_tasks.py``. Without
--vectors, all word vectors are learned. --max-vectors trains models that are as small as they will be in the package:
no vectors are taken away from a trained model. A command that was stopped continues if it is given again.
"""

import argparse
from pathlib import Path
from typing import Any

import torch

from elmo.paper.exhibit import Setup
from elmo.paper.task_runs import QUICK, RunSpec, run_specs, trained_folder

DATASETS = {"ner": "everyday", "coref": "both"}
"""The datasets of packaged models, where they are not the task's default."""


def specs(tasks: list[str], model: str, **settings: Any) -> list[RunSpec]:
    """Return the runs of tasks."""
    return [RunSpec(task, model, dataset=DATASETS.get(task), **settings) for task in tasks]


def options(description: str | None) -> argparse.ArgumentParser:
    """Return a parser with the options of every script that trains many task models."""
    parser = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("output", type=Path)
    parser.add_argument("--data", type=Path, help="data folder (default: ELMO_DATA)")
    parser.add_argument("--model", default="medium")
    parser.add_argument("--vectors", type=Path, help="file of static word vectors (default: none)")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--minutes", type=float)
    parser.add_argument("--quick", action="store_true", help="small models on a part of the data")
    parser.add_argument("--device", default="cuda" if torch.cuda.is_available() else "cpu")
    return parser


def setup_of(given: argparse.Namespace, *, keep_models: bool = False) -> Setup:
    """Return what the options say about data, models and time."""
    return Setup(
        given.output,
        given.data,
        (given.model,),
        given.vectors,
        device=given.device,
        jobs=given.jobs,
        minutes=given.minutes,
        keep_models=keep_models,
    )


def main() -> None:
    """Train the models and print their folders and scores."""
    parser = options(__doc__)
    parser.add_argument("tasks", nargs="*", metavar="TASK", default=list(QUICK))
    parser.add_argument("--max-vectors", type=int, help="most static vectors, and most learned ones (default: all)")
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    settings = {"seed": given.seed, "quick": given.quick, "max_vectors": given.max_vectors}
    chosen = specs(given.tasks, given.model, **settings)
    results = run_specs(chosen, setup_of(given, keep_models=True))
    for spec in chosen:
        if spec.key in results:
            result = results[spec.key]
            print(f"{trained_folder(spec, given.output)}  {spec.name}: {result.metric} {result.value:.2f} on dev")
        else:
            print(f"{spec.name}: not finished; the same command continues")


if __name__ == "__main__":
    main()
