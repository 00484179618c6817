"""Train what is still missing behind tables 1 to 3 and figure 1, with more seeds for table 1 than for the others.

    python dev/table_runs.py OUTPUT squad:2 srl:3 --vectors FILE [--jobs 16] [--minutes 26]

``TASK:SEEDS`` says how many seeds table 1 has; all other runs, those with a fine-tuned biLM among them, have seed 1.
``elmo reproduce`` trains the same models with the same number of seeds for all tables, which takes hours on a GPU.
Results are appended to ``OUTPUT/tasks.jsonl``, and runs that are in it are not repeated. A command that was
stopped continues if it is given again.
"""

from train_tasks import options, setup_of

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
    parser = options(__doc__)
    parser.add_argument("tasks", nargs="+", metavar="TASK:SEEDS")
    given = parser.parse_args()
    chosen: list[RunSpec] = []
    for argument in given.tasks:
        task, _, seeds = argument.partition(":")
        chosen += specs(task, given.model, int(seeds or 1), quick=given.quick)
    results = run_specs(chosen, setup_of(given))
    for spec in chosen:
        if spec.key in results:
            print(f"{spec}: {results[spec.key].metric} {results[spec.key].value:.2f} on dev")
        else:
            print(f"{spec}: not finished")


if __name__ == "__main__":
    main()
