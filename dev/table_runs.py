"""Train what is still missing behind tables 1 to 3 and figure 1, with more seeds for table 1 than for the others.

    python dev/table_runs.py OUTPUT squad:2 srl:3 --vectors FILE [--jobs 16] [--minutes 26]

``TASK:SEEDS`` says how many seeds table 1 has; all other runs, those with a fine-tuned biLM among them, have seed 1.
``elmo reproduce`` trains the same models with the same number of seeds for all tables, which takes hours on a GPU.
Results are appended to ``OUTPUT/tasks.jsonl``, and runs that are in it are not repeated. A command that was
stopped continues if it is given again.
"""

import argparse
from pathlib import Path

import torch

from elmo.paper.exhibit import Setup
from elmo.paper.task_runs import RunSpec, run_specs
from elmo.paper.task_tables import LayerWeighting, MainResults, Placement, SampleEfficiency, TaskExperiment


def specs(task: str, model: str, seeds: int, *, quick: bool = False) -> list[RunSpec]:
    """Return the runs of a task, those of table 1 first."""
    several = TaskExperiment(model, (task,), tuple(range(1, seeds + 1)), quick)
    one = TaskExperiment(model, (task,), (1,), quick, finetuned=True)
    others = [exhibit for exhibit in (LayerWeighting(), Placement(), SampleEfficiency()) if task in exhibit.tasks]
    runs = MainResults().specs(several, task) + MainResults().specs(one, task)
    return list(dict.fromkeys(runs + [run for exhibit in others for run in exhibit.specs(one, task)]))


def main() -> None:
    """Train the models and print their scores."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("output", type=Path)
    parser.add_argument("tasks", nargs="+", metavar="TASK:SEEDS")
    parser.add_argument("--data", type=Path, help="data folder (default: ELMO_DATA)")
    parser.add_argument("--model", default="medium")
    parser.add_argument("--vectors", type=Path, required=True, help="file of static word vectors")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--minutes", type=float)
    parser.add_argument("--quick", action="store_true", help="small models on a part of the data")
    parser.add_argument("--device", default="cuda" if torch.cuda.is_available() else "cpu")
    given = parser.parse_args()
    chosen: list[RunSpec] = []
    for argument in given.tasks:
        task, _, seeds = argument.partition(":")
        chosen += specs(task, given.model, int(seeds or 1), quick=given.quick)
    setup = Setup(
        given.output,
        given.data,
        (given.model,),
        given.vectors,
        device=given.device,
        jobs=given.jobs,
        minutes=given.minutes,
    )
    results = run_specs(chosen, setup)
    for spec in chosen:
        if spec.key in results:
            print(f"{spec}: {results[spec.key].metric} {results[spec.key].value:.2f} on dev")
        else:
            print(f"{spec}: not finished")


if __name__ == "__main__":
    main()
