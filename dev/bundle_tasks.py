"""Write the package ``models/tasks`` from the run folders of trained task models.

    python dev/bundle_tasks.py RUN ... [--data DATA] [--device cuda] [--package models/tasks] [--log FILE]

Each run becomes a folder of the package with quantized weights, the vectors of the most frequent words, the scores as
packaged beside those of the run, and a card. The biLM is not included, only its name and fingerprint. Tasks that are
not named keep what the package has. ``STEPS`` and ``VECTORS`` say how small a model becomes; ``dev/task_sizes.py``
measures what that costs.
"""

import argparse
import shutil
import tempfile
import textwrap
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import torch
from train_tasks import DATASETS

from elmo.datasets.columns import PredicateFrame
from elmo.datasets.folders import TaskData, data_folder, find_task_data
from elmo.results import Result, append_results, commit, machine, versions
from elmo.tasks.compact_run import write_compact_run
from elmo.tasks.examples import read_data
from elmo.tasks.metrics import span_scores
from elmo.tasks.task import TASKS, Task
from elmo.tasks.trained import TrainedTask
from elmo.tasks.trainer import final_scores, load_run
from elmo.train.run import METRICS_FILE, RunFolder
from elmo.weights.folder import CARD_FILE

ROOT = Path(__file__).parents[1]
LOG = ROOT / "results" / "task-package.jsonl"
MODULE = "elmo_model_tasks"
STEPS = 15
"""Quantization steps. The package may have 30 MB, and scores fall by at most 0.3 points, with one exception: sentiment
loses 0.36 points on the development data; with 24 steps 0.27, but then the package has 31 MB."""
VECTORS = {**dict.fromkeys(TASKS, 10_000), "srl": 0, "sst": 60_000}
"""Number of static vectors, and of learned ones, that each task keeps: all of those that the run was trained with."""


@dataclass(frozen=True)
class About:
    """What the card of a task says, apart from what was measured."""

    title: str
    tag: str
    license: str
    """Of the model, as the Hugging Face Hub names it: what the licenses of the data allow."""
    trained_on: str
    """The training data in one line, for pages that show predictions."""
    data: Sequence[tuple[str, str, str]]
    """Data, its size, and its license."""
    example: str
    limits: Sequence[str]


ABOUT = {
    "ner": About(
        "named entities: persons, organizations and places",
        "named-entity-recognition",
        "cc-by-sa-4.0",
        "web pages, Wikipedia and tweets (12,788 sentences)",
        [
            ("Broad Twitter Corpus, Wikigold, Universal NER (EWT)", "9,394 sentences", "CC BY 4.0, CC BY-SA 4.0"),
            ("WNUT-17", "3,394 sentences", "CC BY 4.0"),
        ],
        'task("Ada Lovelace met Charles Babbage in London.")',
        [
            "It knows persons (`PER`), organizations (`ORG`) and places (`LOC`), and nothing else: no products, works, "
            "dates or amounts. Corporations and groups of WNUT-17 count as organizations.",
            "Most of the training data is tweets, where user names are entities and capital letters mean little.",
        ],
    ),
    "srl": About(
        "semantic roles: who did what to whom",
        "semantic-role-labeling",
        "cc-by-sa-4.0",
        "PropBank over the English Web Treebank (12,526 sentences)",
        [("PropBank over the English Web Treebank", "12,526 sentences, 40,429 predicates", "CC BY-SA 4.0")],
        'task("The cat that chased the mouse fell asleep.")',
        [
            "It takes auxiliary verbs and nouns such as *decision* for predicates, as its training data does. It "
            "finds 40 predicates in a sentence at the most.",
            "It labels roles (`ARG0`, `ARG1`, `ARGM-TMP`, ...) and does not tell the senses of predicates apart.",
        ],
    ),
    "coref": About(
        "coreference: which words refer to the same person or thing",
        "coreference-resolution",
        "cc-by-nc-sa-4.0",
        "OntoGUM, 13 genres of modern text, and LitBank, novels before 1923 (257 documents)",
        [
            ("OntoGUM", "177 documents, 177,410 words", "annotations CC BY; texts CC BY, CC BY-SA, CC BY-NC-SA"),
            ("LitBank", "80 documents, 168,657 words", "CC BY 4.0"),
        ],
        'task("Ann lost her keys, so she called a friend.")',
        [
            "It finds clusters of two or more mentions; someone who is mentioned once is not reported.",
            "LitBank annotates only persons, places, buildings, vehicles and organizations, OntoGUM anything. So the "
            "model often misses things and ideas.",
            "It has the biases of its data, half of which are old novels. Do not use it to decide about people.",
        ],
    ),
    "squad": About(
        "question answering: the words of a passage that answer a question",
        "question-answering",
        "cc-by-sa-4.0",
        "SQuAD 1.1, questions about Wikipedia (87,599 questions)",
        [("SQuAD 1.1", "87,599 questions", "CC BY-SA 4.0")],
        'task(question="Who came late?", passage="Ann came early. Bo came late.")',
        [
            "It always answers, also where the passage has no answer: SQuAD 1.1 has no such questions.",
            "An answer is a part of the passage with up to 17 words. It cannot count, compare or say yes or no.",
        ],
    ),
    "snli": About(
        "entailment: whether a hypothesis follows from a premise",
        "natural-language-inference",
        "cc-by-sa-4.0",
        "20,000 of the 549,367 training pairs of SNLI, which are about captions of photos",
        [("SNLI, a sample", "20,000 of 549,367 pairs", "CC BY-SA 4.0")],
        'task(premise="A man is asleep.", hypothesis="Nobody is awake.")',
        [
            "It was trained on 20,000 of 549,367 pairs, so that its accuracy is lower than published ones.",
            "The premises are captions of photos. On other text, expect much less.",
            "Single words of a hypothesis give its label away in this data (nobody: contradiction), and the model has "
            "learned that too.",
        ],
    ),
    "sst": About(
        "sentiment in five classes, from very negative to very positive",
        "sentiment-analysis",
        "cc-by-nc-sa-4.0",
        "the Stanford Sentiment Treebank, sentences of film reviews (8,544 sentences and their phrases)",
        [("Stanford Sentiment Treebank", "8,544 sentences and all of their phrases", "for research")],
        'task("A warm, funny and moving film.")',
        [
            "It was trained on film reviews. Other text, and irony anywhere, is often judged wrongly.",
            "People agree on one of five classes about as often as not; neighboring classes are easily confused.",
            "A text of several sentences gets the mean over its sentences.",
        ],
    ),
}


def data_of(task: str, folder: Path, extracted: Path) -> TaskData:
    """Find the dataset of a packaged model."""
    return find_task_data(folder, "/".join([task, *([DATASETS[task]] if task in DATASETS else [])]), extracted)


def bundle(run: Path, package: Path, data: Path, extracted: Path, device: str) -> Result:
    """Write the folder of one task, and return its scores as packaged beside those of the run."""
    source = RunFolder(run)
    metadata, before = source.read(task=str, data=dict, data_hash=str, seed=int), source.metrics()
    name = metadata["task"]
    found = data_of(name, data, extracted)
    if found.hash() != metadata["data_hash"]:
        raise ValueError(f"{run}: was trained on other data than that in {data}")
    found = replace(found, max_examples=TaskData.from_dict(metadata["data"]).max_examples)  # of a quick run
    size = {"steps": STEPS, "vectors": VECTORS[name]}
    started = time.monotonic()
    with tempfile.TemporaryDirectory() as scratch:
        write_compact_run(run, Path(scratch, name), **size)
        trained = load_run(Path(scratch, name), torch.device(device))
        examples = read_data(trained.task, found)
        after = final_scores(trained, examples)
    metrics = {
        **after,
        **({"found predicates": found_predicates(trained, examples.dev)} if name == "srl" else {}),
        "unquantized": {part: before[part] for part in after},
        "layers": before["layers"],
        "trained": before["trained"],
    }
    target = package / "src" / MODULE / name
    shutil.rmtree(target, ignore_errors=True)
    write_compact_run(run, target, **size, metrics=metrics)
    n_bytes = sum(file.stat().st_size for file in target.iterdir())
    (target / CARD_FILE).write_text(card(trained, metrics, n_bytes), "utf-8")
    return Result(
        what=name,
        metric=trained.task.objective,
        value=after["dev"][trained.task.objective],
        seed=metadata["seed"],
        commit=commit(),
        versions=versions(),
        data_hash=metadata["data_hash"],
        machine=machine(device),
        seconds=round(time.monotonic() - started, 1),
        details={**metrics, "bytes": n_bytes, **size},
    )


def found_predicates(trained: TrainedTask, frames: Sequence[PredicateFrame]) -> dict[str, float]:
    """Score the predicates that a model finds where they are not given."""
    gold = {tuple(frame.words): frame.predicates for frame in frames}
    details = trained.details([PredicateFrame(list(words), None, [], ()) for words in gold])
    scores = span_scores(
        [[("V", place, place + 1) for place in places] for places in gold.values()],
        [[("V", place, place + 1) for place, _ in found] for found in details],
    )
    return {"F1": scores.f1, "precision": scores.precision, "recall": scores.recall}


def card(trained: TrainedTask, metrics: Mapping[str, Any], n_bytes: int) -> str:
    """Write the card of a task."""
    name = trained.task.name
    about = ABOUT[name]
    parameters = sum(parameter.numel() for parameter in trained.model.parameters())
    data = "".join(f"| {' | '.join(row)} |\n" for row in about.data)
    layers = "".join(
        f"| {place} | {' | '.join(f'{share:.2f}' for share in learned['shares'])} | {learned['gamma']:.2f} |\n"
        for place, learned in metrics["layers"].items()
    )
    count = max(len(learned["shares"]) for learned in metrics["layers"].values())
    limits = "".join(textwrap.fill(f"- {limit}", 120, subsequent_indent="  ") + "\n" for limit in about.limits)
    return f"""---
library_name: elmo-torch
language: en
license: {about.license}
parameters: {parameters / 1e6:.1f}M
trained_on: {about.trained_on}
tags: [elmo, {about.tag}]
---
# {name}: {about.title}

```python
import elmo

task = elmo.load_task("{name}")
{about.example}
```

A task model on top of the ELMo model `{trained.elmo.name}`, which is a package of its own. Its recipe is
`recipes/tasks/{name}.json`.

## Data

| data | size | license |
|---|---|---|
{data}
## Scores

{score_table(trained.task, metrics)}
{found_note(metrics)}The {trained.task.objective} on the development data chose the best model during training. To make
the model small ({n_bytes / 1e6:.1f} MB), weights are stored as integers ({STEPS} levels on either side of zero)
with a scale for every 64 values. "As trained" is the model before that.

{vectors_note(trained)}

## Layers

The weights that the model has learned for the layers of ELMo, and their common factor gamma:

| ELMo at the | token layer | {" | ".join(f"LSTM layer {number}" for number in range(1, count))} | gamma |
|---|{"---|" * (count + 1)}
{layers}
## Limitations

{limits}"""


def found_note(metrics: Mapping[str, Any]) -> str:
    """Say how well predicates are found, for the only task that has them."""
    found = metrics.get("found predicates")
    if found is None:
        return ""
    f1, precision, recall = (f"{found[name]:.1f}" for name in ("F1", "precision", "recall"))
    return (
        "These are the scores of given predicates. Where none are given, the model finds those of the development\n"
        f"data with an F1 of {f1} (precision {precision}, recall {recall}).\n\n"
    )


def vectors_note(trained: TrainedTask) -> str:
    """Say which words have vectors besides those of ELMo."""
    words = trained.record.words if trained.record is not None else None
    if words is None or not words.static:
        return "It reads nothing but ELMo and characters. Static word vectors did not make it better."
    learned = len(words.learned or ())
    return f"It has static vectors (GloVe 6B) for {len(words.static):,} words, and learned ones for {learned:,}."


def score_table(task: Task[Any, Any], metrics: Mapping[str, Any]) -> str:
    """Return the scores as packaged and as trained, in rows."""
    before = metrics["unquantized"]
    pairs = {"development data": (metrics["dev"], before["dev"])}
    if metrics["test"] is not None:
        pairs["test data"] = (metrics["test"], before["test"])
    for file, scores in metrics["test_files"].items():
        pairs[f"test data, {file}"] = (scores, before["test_files"][file])
    names = list(metrics["dev"])
    rows = [
        f"| {part} | {' | '.join(f'{after[name]:.1f}' for name in names)} | {old[task.objective]:.1f} |"
        for part, (after, old) in pairs.items()
    ]
    header = f"| | {' | '.join(names)} | {task.objective}, as trained |"
    return "\n".join([header, "|---" * (len(names) + 2) + "|", *rows]) + "\n"


PYPROJECT = """[build-system]
requires = ["hatchling"]
build-backend = "hatchling.build"

[project]
name = "elmo-model-tasks"
version = "0.1.0"
description = "Trained task models for elmo-torch: {tasks}."
readme = "README.md"
requires-python = ">=3.10"
license = "CC-BY-SA-4.0 AND CC-BY-NC-SA-4.0"
dependencies = ["elmo-torch", "elmo-model-medium"]

[project.entry-points."elmo.tasks"]
{entries}
[tool.hatch.build.targets.wheel]
packages = ["src/{module}"]
"""
README = """# elmo-model-tasks

Trained task models for [elmo-torch](../../README.md), on top of the ELMo model `medium`.

```sh
pip install elmo-model-tasks    # in a checkout: pip install ./models/medium ./models/tasks
```

```python
import elmo

task = elmo.load_task("{first}")
```

The cards say how the models were trained, how good they are, what they cannot do, and under which license each of them
is shared.

| name | task | license |
|---|---|---|
{rows}"""


def write_package(package: Path) -> None:
    """Write what the package has besides the folders of its tasks."""
    module = package / "src" / MODULE
    tasks = [task for task in TASKS if (module / task / METRICS_FILE).exists()]
    entries = "".join(f'{task} = "{MODULE}:{task.upper()}"\n' for task in tasks)
    rows = "".join(
        f"| [`{task}`](src/{MODULE}/{task}/{CARD_FILE}) | {ABOUT[task].title} | {ABOUT[task].license.upper()} |\n"
        for task in tasks
    )
    pyproject = PYPROJECT.format(tasks=", ".join(tasks), entries=entries, module=MODULE)
    folders = "".join(f'{task.upper()} = Path(__file__).parent / "{task}"\n' for task in tasks)
    (package / "pyproject.toml").write_text(pyproject, "utf-8")
    (package / CARD_FILE).write_text(README.format(first=tasks[0], rows=rows), "utf-8")
    title = '"""Trained task models: ``elmo.load_task(NAME)`` finds them here."""'
    (module / "__init__.py").write_text(f"{title}\n\nfrom pathlib import Path\n\n{folders}", "utf-8")


def main() -> None:
    """Write the package and the log, and print how much the scores have changed."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("runs", metavar="RUN", type=Path, nargs="+")
    parser.add_argument("--data", type=Path, help="data folder (default: ELMO_DATA)")
    parser.add_argument("--device", default="cuda" if torch.cuda.is_available() else "cpu")
    parser.add_argument("--package", type=Path, default=ROOT / "models" / "tasks")
    parser.add_argument("--log", type=Path, default=LOG)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as extracted:
        for run in given.runs:
            result = bundle(run, given.package, data_folder(given.data), Path(extracted), given.device)
            append_results(given.log, [result])
            before = result.details["unquantized"]["dev"][result.metric]
            change = f"{result.metric} {before:.2f} -> {result.value:.2f} on dev"
            print(f"{result.what}: {change}, {result.details['bytes'] / 1e6:.2f} MB")
    write_package(given.package)


if __name__ == "__main__":
    main()
