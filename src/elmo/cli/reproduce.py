"""``elmo reproduce``: the tables and figures of the ELMo paper."""

import dataclasses
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from elmo.cli.options import CoveOption, DataOption, DeviceOption, ModelsOption, ResultsOption, chosen_device

if TYPE_CHECKING:
    from elmo.paper.exhibit import Exhibit, Setup
    from elmo.results import Result


def reproduce(
    names: Annotated[
        list[str],
        typer.Argument(
            metavar="NAME",
            help="table1: six tasks; table2: how the layers are weighted; table3: where ELMo is added; table4: nearest "
            "neighbors of play; table5: word senses; table6: parts of speech; figure1: sample efficiency; figure2: "
            "learned layer weights; perplexity: of held-out text, and of task data from other domains; korean: four "
            "Korean datasets, with static vectors and with ELMo.",
        ),
    ],
    data: DataOption = None,
    model: ModelsOption = None,
    tasks: Annotated[
        str | None,
        typer.Option(
            help="Comma-separated tasks, or TASK/DATASET for one of several datasets, such as ner/general (default: "
            "those that the paper shows)."
        ),
    ] = None,
    seeds: Annotated[
        int | None,
        typer.Option(min=1, max=1000, help="Number of runs per setting, with seeds 1, 2, ... (default: 3, quick: 1)."),
    ] = None,
    vectors: Annotated[
        Path | None, typer.Option(help="Text file of static word vectors (default: the largest in the data folder).")
    ] = None,
    corpus: Annotated[
        Path | None,
        typer.Option(help="Corpus of elmo prepare to train static vectors on, for korean, unless --vectors is given."),
    ] = None,
    vector_epochs: Annotated[
        int | None,
        typer.Option(min=1, max=100, help="Number of passes over --corpus to train static vectors (default: 5)."),
    ] = None,
    cove: CoveOption = None,
    heldout: Annotated[
        Path | None,
        typer.Option(help="Folder of further held-out texts, NAME-dev.txt and NAME-test.txt, for perplexity."),
    ] = None,
    sentences: Annotated[
        int | None,
        typer.Option(min=1, help="Maximum number of sentences of a text, for perplexity (default: 10,000)."),
    ] = None,
    finetuned: Annotated[
        bool,
        typer.Option(
            "--finetuned",
            help="Also train models on the biLM fine-tuned on the training text of each task, for table1.",
        ),
    ] = False,
    output: ResultsOption = Path("results"),
    quick: Annotated[
        bool, typer.Option("--quick", help="Train small models on a part of the data, in minutes on a CPU.")
    ] = False,
    jobs: Annotated[
        int, typer.Option(min=1, max=256, help="Number of runs at a time; a GPU has room for several.")
    ] = 1,
    minutes: Annotated[
        float | None,
        typer.Option(
            min=0.01, help="Stop after this many minutes and save checkpoints; the same command continues from them."
        ),
    ] = None,
    show: Annotated[
        bool, typer.Option("--show", help="Start no runs; show the results of those that have finished. Needs no data.")
    ] = False,
    device: DeviceOption = "auto",
) -> None:
    """Reproduce tables and figures of the ELMo paper, or measure perplexities and Korean models.

    The data folder contains tasks/squad, tasks/snli, and so on, with files whose names contain train, dev and test. If
    there are several datasets for a task, each is an archive or a folder in the task's folder. To reproduce the paper's
    own setting, put its datasets there.

    Tables 1 to 3, both figures and korean train task models. Every finished run is stored in tasks.jsonl and never
    repeated. Tables that are named together share one queue of runs. If the command is interrupted or killed, the same
    command resumes the runs from their last checkpoints. The options --tasks, --seeds, --quick, --jobs, --minutes and
    --show apply to these only, and they take one model. --cove applies to tables 5 and 6, --heldout and --sentences to
    perplexity.

    The data for korean, in tasks/korean, is split into words first, in OUTPUT/data/korean-tokenized, which also gets
    the static vectors. On a machine without the tokenizer, give that folder as --data.
    """
    from elmo.datasets.folders import data_folder, find_vectors
    from elmo.paper.exhibit import Setup, check_results_folder
    from elmo.paper.korean import MODEL as KOREAN_MODEL
    from elmo.paper.korean import korean_setup
    from elmo.paper.perplexity import Perplexities
    from elmo.paper.reproduce import chosen_exhibits, task_exhibit
    from elmo.paper.task_runs import RunsFailedError, run_specs
    from elmo.paper.task_tables import needed_runs
    from elmo.settings import Positive, check_value
    from elmo.text.counts import counted
    from elmo.weights.locate import DEFAULT

    exhibits = chosen_exhibits(names)
    check_value(minutes, Positive | None, "minutes")
    trained = {name: found for name, exhibit in exhibits.items() if (found := task_exhibit(exhibit)) is not None}
    korean = "korean" in exhibits
    if korean and len(exhibits) > 1:
        raise ValueError("korean uses its own data and cannot be combined with others")
    if corpus is not None and not korean:
        raise ValueError("--corpus applies to korean")
    if vector_epochs is not None and corpus is None:
        raise ValueError("--vector-epochs applies to the vectors that are trained on a --corpus")
    if finetuned and "table1" not in exhibits:
        raise ValueError("--finetuned applies to table1")
    for name, exhibit in exhibits.items():
        if show and name not in trained:
            raise ValueError(
                f"--show: {name} has no stored runs; the option applies to tables 1 to 3, the figures and korean"
            )
        if name in trained and model and len(model) > 1:
            raise ValueError(f"--model: {name} takes one model, not {len(model)}")
        if not isinstance(exhibit, Perplexities) and (heldout or sentences):
            raise ValueError(f"{'--heldout' if heldout else '--sentences'} applies to perplexity, not to {name}")
    folder = None if show else data_folder(data)  # stored runs need no data
    needs_none = list(exhibits) in (["perplexity"], ["korean"])
    setup = Setup(
        output=output,
        data=folder,
        models=tuple(model or [KOREAN_MODEL if korean else DEFAULT]),
        vectors=vectors or (None if folder is None or needs_none else find_vectors(folder)),
        cove=cove,
        device=chosen_device(device),
        heldout=heldout,
        max_sentences=sentences,
        tasks=None if tasks is None else tuple(tasks.split(",")),
        seeds=seeds,
        finetuned=finetuned,
        quick=quick,
        jobs=jobs,
        minutes=minutes,
        only_finished=show,
    )
    check_results_folder(setup.output, [setup.vectors])
    if korean:
        setup = korean_setup(setup, corpus, vector_epochs)
    failed, missing = None, 0
    if trained and not show:
        specs = needed_runs(trained.values(), setup)
        try:
            finished: Mapping[str, Result] = run_specs(specs, setup)
        except RunsFailedError as error:  # raised at the end, after the tables without these runs
            failed, finished = error, error.finished
        setup, missing = dataclasses.replace(setup, finished=finished), len(specs) - len(finished)
    for exhibit in exhibits.values():
        produce(exhibit, setup)
    if failed is not None:
        raise failed
    if missing:
        typer.echo(f"stopped with {counted(missing, 'run')} to go; the same command continues", err=True)


def produce(exhibit: "Exhibit[Any]", setup: "Setup", inputs: Iterable[Path | None] = ()) -> None:
    """Run the measurements of a table or figure, print its tables and write its files.

    Args:
        exhibit: The table or figure.
        setup: What to measure, and the folder for the results.
        inputs: Further files that are read, which must not be replaced.
    """
    from rich.console import Console

    from elmo.paper.exhibit import ANALYSIS_FILE, check_results_folder

    check_results_folder(setup.output, [setup.vectors, *inputs])
    results = exhibit.run(setup)
    tables = exhibit.collect(results)
    console = Console()
    for table in tables.values():
        console.print(table.rich(console.width))
    setup.output.mkdir(parents=True, exist_ok=True)
    (setup.output / ANALYSIS_FILE).touch()  # marks a folder of results, also after analyses without numbers
    written = exhibit.render(results, tables, setup.output)
    typer.echo(f"written: {', '.join(map(str, written))}", err=True)
