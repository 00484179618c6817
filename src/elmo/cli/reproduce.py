"""``elmo reproduce``: the paper's tables and figures, each as one command."""

from pathlib import Path
from typing import Annotated, Any, Literal

import typer

from elmo.cli.options import chosen_device


def reproduce(
    name: Annotated[
        Literal["table1", "table2", "table3", "table4", "table5", "table6", "figure1", "figure2"],
        typer.Argument(
            help="table1: six tasks; table2: layer weighting; table3: where ELMo comes in; table4: neighbours of play; "
            "table5: word senses; table6: parts of speech; figure1: sample efficiency; figure2: learned layer weights."
        ),
    ],
    data: Annotated[Path | None, typer.Option(help="Folder with the data (default: $ELMO_DATA).")] = None,
    model: Annotated[str | None, typer.Option("--model", "-m", help="The biLM: a name or folder.")] = None,
    tasks: Annotated[str | None, typer.Option(help="Tasks, with commas between (default: the paper's).")] = None,
    seeds: Annotated[int | None, typer.Option(help="Runs of each kind, seeds 1, 2, ... (default: 3; quick: 1)")] = None,
    vectors: Annotated[Path | None, typer.Option(help="Static word vectors (default: those with the data).")] = None,
    cove: Annotated[Path | None, typer.Option(help="A CoVe of elmo analyze cove-train, for tables 5 and 6.")] = None,
    output: Annotated[Path, typer.Option("--output", "-o", help="Folder for results.")] = Path("results"),
    quick: Annotated[bool, typer.Option("--quick", help="A small part of the data, in minutes on a CPU.")] = False,
    jobs: Annotated[int, typer.Option(help="Runs at the same time (a GPU has room for several).")] = 1,
    show: Annotated[bool, typer.Option("--show", help="Run nothing: show what is done so far.")] = False,
    device: Annotated[str, typer.Option(help="cpu, cuda, or auto: a GPU if there is one.")] = "auto",
) -> None:
    """Run what a table or figure of the paper needs, and write it.

    Every finished run is kept in tasks.jsonl and not done again, so a command that was stopped goes on where it
    was, and tables share their runs. The data folder has tasks/squad, tasks/snli, ... with files named after train,
    dev and test; put your own there to run the paper's setting.
    """
    from rich.console import Console

    from elmo.cli import analyze as analyse
    from elmo.datasets.folders import data_folder, find_vectors
    from elmo.paper.experiments import Place, done, run_cells
    from elmo.paper.figures import DRAWINGS
    from elmo.paper.tables import TASKS, Experiment, cells_of, default_tasks, make_table
    from elmo.weights.locate import DEFAULT, locate

    folder = data_folder(data)
    vectors = vectors or find_vectors(folder)
    if name in ("table4", "table5", "table6"):
        shared: dict[str, Any] = {
            "data": folder,
            "model": [model or DEFAULT],
            "vectors": vectors,
            "output": output,
            "device": device,
        }
        if name == "table4":
            analyse.play(**shared)
        elif name == "table5":
            analyse.wsd(**shared, cove=cove)
        else:
            analyse.pos(**shared, cove=cove)
        return
    chosen = tuple(tasks.split(",")) if tasks is not None else default_tasks(name)
    for task in chosen:
        if task not in TASKS:
            raise ValueError(f"{task}: no such task (there are {', '.join(TASKS)})")
    model = model or DEFAULT
    locate(model)  # complain before the first run
    count = seeds if seeds is not None else (1 if quick else 3)
    experiment = Experiment(model, chosen, tuple(range(1, count + 1)), quick)
    device = chosen_device(device)
    output.mkdir(parents=True, exist_ok=True)
    place = Place(folder, vectors, output, device, jobs)
    cells = cells_of(name, experiment)
    results = done(place, cells) if show else run_cells(cells, place)
    table = make_table(name, experiment, results)
    Console().print(table.rich())
    stem = output / (f"{name}-quick" if quick else name)
    written = table.write(stem)
    if name in DRAWINGS:
        written += DRAWINGS[name](experiment, results, stem)
    typer.echo(f"written: {', '.join(map(str, written))}", err=True)
