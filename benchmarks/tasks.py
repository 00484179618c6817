"""Measure trained task models on a CPU: speed, time to load, memory, and scores as packaged beside those as trained.

    python benchmarks/tasks.py [MODEL ...] [--threads 2] [--rounds 3] [-o results/benchmarks/tasks.jsonl]

MODEL is the name of an installed task model or a run folder (default: all six). The text is the English sample
text: single sentences for ner, srl and sst, documents of ten sentences for coref, passages of five sentences with a
question for squad, and pairs of sentences for snli. Every sentence that is read counts, except questions. Each model is
measured in a process of its own, and all of them together in two more: one in which they share their biLM, and one in
which each of them has a copy.
"""

import argparse
import json
import resource
import statistics
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import torch

import elmo
from elmo.files import checksum
from elmo.results import Result, append_results, commit, machine, versions
from elmo.search.sample_texts import ENGLISH
from elmo.tasks.load import load_tasks, locate_task
from elmo.tasks.task import TASKS, task_named
from elmo.tasks.trained import TrainedTask
from elmo.train.run import RunFolder

QUESTION = "What does the text say about it?"


def texts_for(task: str, sentences: list[str]) -> list[Any]:
    """Return what a model of the task reads."""

    def parts(size: int) -> list[list[str]]:
        return [sentences[start : start + size] for start in range(0, len(sentences) - size + 1, size)]

    match task:
        case "coref":
            return [" ".join(part) for part in parts(10)]
        case "squad":
            return [(QUESTION, " ".join(part)) for part in parts(5)]
        case "snli":
            return [tuple(part) for part in parts(2)]
        case _:
            return sentences


def memory_mb() -> float:
    """Return the largest amount of memory that this process has had."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def measure_one(model: str, sentences: list[str], rounds: int) -> dict[str, float]:
    """Load a model and measure its speed, in this process."""
    before = memory_mb()
    started = time.perf_counter()
    task = elmo.load_task(model)
    loaded = time.perf_counter()
    texts = texts_for(task.task.name, sentences)
    task(texts[:1])
    first = time.perf_counter()
    seconds = []
    for _ in range(rounds + 1):  # the first round is for warming up
        begin = time.perf_counter()
        task(texts)
        seconds.append(time.perf_counter() - begin)
    count = len(sentences) if texts is sentences else len(texts) * {"coref": 10, "squad": 5, "snli": 2}[task.task.name]
    return {
        "sentences/s": count / statistics.median(seconds[1:]),
        "load, s": loaded - started,
        "first result, s": first - loaded,
        "memory, MB": memory_mb(),
        "memory before, MB": before,
    }


def measure_all(models: list[str], sentences: list[str], apart: bool) -> dict[str, float]:
    """Load all models and use each once, in this process; ``apart`` gives each its own copy of the biLM."""
    before = memory_mb()
    started = time.perf_counter()
    tasks: list[TrainedTask] = [elmo.load_task(model) for model in models] if apart else load_tasks(models)
    loaded = time.perf_counter()
    for task in tasks:
        task(texts_for(task.task.name, sentences[:20]))
    return {"load, s": loaded - started, "memory, MB": memory_mb(), "memory before, MB": before}


def in_a_process(models: list[str], options: argparse.Namespace, apart: bool) -> dict[str, float]:
    """Measure one model, or several together, in a new process."""
    numbers = ["--sentences", options.sentences, "--rounds", options.rounds, "--threads", options.threads]
    command = [sys.executable, __file__, *models, "--here", *map(str, numbers), *(["--apart"] if apart else [])]
    done = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True)
    measured: dict[str, float] = json.loads(done.stdout.splitlines()[-1])
    return measured


def main() -> None:
    """Measure the models, and print and record the values."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("models", metavar="MODEL", nargs="*", default=list(TASKS))
    parser.add_argument("--sentences", type=int, default=300, help="number of sentences to read (default: 300)")
    parser.add_argument("--rounds", type=int, default=3, help="number of measurements; the median counts (default: 3)")
    parser.add_argument("--threads", type=int, default=2, help="number of threads (default: 2)")
    parser.add_argument("--here", action="store_true", help="measure in this process, and print JSON")
    parser.add_argument("--apart", action="store_true", help="with --here: do not share the biLM")
    parser.add_argument("-o", "--output", type=Path, help="JSON Lines file to append the results to")
    options = parser.parse_args()
    if options.here:
        torch.set_num_threads(options.threads)
        sentences = ENGLISH.sentences()[: options.sentences]
        several = len(options.models) > 1
        found = (
            measure_all(options.models, sentences, options.apart)
            if several
            else measure_one(options.models[0], sentences, options.rounds)
        )
        print(json.dumps(found))
        return
    columns = ["score", "as trained", "as packaged", "sentences/s", "load, s", "first result, s", "memory, MB"]
    print(f"| task | {' | '.join(columns)} |\n|---{'|---' * len(columns)}|")
    results = []
    together = [(None, "all"), (None, "all, a biLM each")] if len(options.models) > 1 else []
    for model, what in [*((model, "") for model in options.models), *together]:
        started = time.perf_counter()
        found = in_a_process(options.models if model is None else [model], options, what.endswith("each"))
        shown: dict[str, str] = {name: f"{value:,.1f}" for name, value in found.items()}
        details = {}
        if model is not None:
            run = RunFolder(locate_task(model))
            metadata, metrics = run.read(task=str), run.metrics()
            what = metadata["task"]
            before = metrics.get("unquantized", metrics)
            objective = task_named(what).objective
            split = "dev" if metrics["test"] is None else "test"
            details = {"score": f"{objective}, {split}", "as trained": before[split][objective]}
            details["as packaged"] = metrics[split][objective]
            shown |= {"score": details["score"]}
            shown |= {name: f"{details[name]:.2f}" for name in ("as trained", "as packaged")}
        print(f"| {what} | {' | '.join(shown.get(name, '') for name in columns)} |", flush=True)
        seconds = round(time.perf_counter() - started, 1)
        rest = (0, commit(), versions(), checksum(ENGLISH.path)["sha256"], machine("cpu"), seconds)
        details |= {"model": model or options.models, "threads": options.threads, "sentences": options.sentences}
        results += [Result(f"tasks: {what}", metric, value, *rest, details) for metric, value in found.items()]
    if options.output is not None:
        append_results(options.output, results)


if __name__ == "__main__":
    main()
