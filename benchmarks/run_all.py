"""Run the benchmarks that fit this machine, and compare with other systems and with the recorded runs.

    python benchmarks/run_all.py [--text TEXT] [--tiny]

The GPU benchmarks run if there is a GPU. The table has one row per measurement of this library. Ratios above 1 mean
that it is faster: than the other systems that are installed, and than the recorded run in ``results/benchmarks``, which
may be from another machine or text. ``--tiny`` only checks that everything works; its numbers mean nothing.
"""

import argparse
import json
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import torch
from serve import random_sentences

from elmo.results import read_results

HERE = Path(__file__).parent
RECORDED = HERE.parent / "results" / "benchmarks"
SHOWN = ("words_per_s", "latency_ms", "latency_busy_ms", "words/s", "tokens/s", "requests/s")
"""Metrics in the table. All others describe the measurement."""


class Measured(NamedTuple):
    """One value; ``peers`` are those of other systems for the same work."""

    what: str
    metric: str
    value: float
    peers: dict[str, float]


def embed(path: Path) -> Iterator[Measured]:
    """Read the results of ``embed.py``."""
    results = [result for result in read_results(path) if result.metric in SHOWN]
    for result in results:
        system, model = result.what.removeprefix("embed: ").split(", ")
        if system.startswith("elmo "):
            same = [other for other in results if other.metric == result.metric]
            others = {other.what.removeprefix("embed: ").split(", ")[0]: other.value for other in same}
            # The others have the size of the full model, so smaller models are not compared with them.
            peers = {name: value for name, value in others.items() if model == "full" and not name.startswith("elmo ")}
            yield Measured(result.what, result.metric, result.value, peers)


def embed_gpu(path: Path) -> Iterator[Measured]:
    """Read the results of ``embed_gpu.py``."""
    values = {tuple(json.loads(result.details["case"])): result.value for result in read_results(path)}
    for (model, precision, work), value in values.items():
        if work != "plain":
            plain = {"plain": values[model, "float32", "plain"]} if (model, "float32", "plain") in values else {}
            yield Measured(f"embed on a GPU: {model}, {precision}, {work}", "words/s", value, plain)


def pretrain_gpu(path: Path) -> Iterator[Measured]:
    """Read what ``pretrain_gpu.py`` prints."""
    for line in path.read_text("utf-8").splitlines():
        found = json.loads(line)
        plain = {"plain": found["plain, tokens/s"]} if "plain, tokens/s" in found else {}
        yield Measured(f"pretrain: {found['size']}", "tokens/s", found["ours, tokens/s"], plain)


def serve(path: Path) -> Iterator[Measured]:
    """Read the results of ``serve.py``."""
    found: dict[tuple[str, int], float] = {}
    for result in read_results(path):
        if result.metric == "requests/s":
            found[result.what, result.details["clients"]] = result.value
    for (what, clients), value in found.items():
        if what == "serve: micro-batching":
            without = {"without": found["serve: without", clients]}
            yield Measured(f"{what}, {clients} clients", "requests/s", value, without)


def train_cpu(path: Path) -> Iterator[Measured]:
    """Read the results of ``train_cpu.py``."""
    found = {(result.what, result.metric): result.value for result in read_results(path)}
    for (what, metric), value in found.items():
        if metric == "words_per_s":
            yield Measured(what, metric, value, {"plain": found[what, "plain_words_per_s"]})


READERS = {"train_cpu": train_cpu, "embed": embed, "embed_gpu": embed_gpu, "pretrain_gpu": pretrain_gpu, "serve": serve}


def commands(text: Path, tiny: bool) -> Iterator[tuple[str, list[str]]]:
    """Yield the name and the options of each benchmark that this machine can run."""
    yield (
        "embed",
        ["--text", str(text), *(["--tiny", "--rounds", "1", "--only", "elmo float32,nn.LSTM"] if tiny else [])],
    )
    if not tiny:
        yield "train_cpu", ["--text", str(text)]
    yield "serve", ["--seconds", "1", "--clients", "1,2"] if tiny else []
    if torch.cuda.is_available() and not tiny:
        yield "embed_gpu", ["--text", str(text)]
        yield "pretrain_gpu", []


def ratio(metric: str, value: float, other: float) -> float:
    """Return how many times as fast a value is as another one."""
    return other / value if metric.endswith("_ms") else value / other


def table(rows: list[Measured], recorded: list[Measured]) -> str:
    """Format the measurements as a Markdown table."""
    before = {(row.what, row.metric): row.value for row in recorded}
    lines = ["| measured | metric | value | times as fast as others | as the recorded run |", "|---|---|---|---|---|"]
    for what, metric, value, peers in rows:
        others = ", ".join(f"{name} {ratio(metric, value, other):.2f}" for name, other in peers.items())
        then = f"{ratio(metric, value, before[what, metric]):.2f}" if (what, metric) in before else "not recorded"
        lines.append(f"| {what} | {metric} | {value:,.0f} | {others or 'none found'} | {then} |")
    return "\n".join(lines)


def main() -> None:
    """Run the benchmarks and print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--text", type=Path, help="text with one tokenized sentence per line (default: random words)")
    parser.add_argument("--tiny", action="store_true", help="only check that the benchmarks work")
    arguments = parser.parse_args()
    rows, recorded, failed = [], [], []
    with tempfile.TemporaryDirectory() as folder:
        text = arguments.text
        if text is None:
            text = Path(folder, "text.txt")
            sentences = random_sentences("small", 4 if arguments.tiny else 1000)
            text.write_text("".join(" ".join(words) + "\n" for words in sentences), "utf-8")
        for name, options in commands(text, arguments.tiny):
            output = Path(folder, f"{name}.jsonl")
            done = subprocess.run([sys.executable, HERE / f"{name}.py", *options, "-o", output], check=False)
            if output.exists():
                rows += READERS[name](output)
            if done.returncode:
                failed.append(name)
            kept = RECORDED / output.name
            recorded += READERS[name](kept) if kept.exists() else []
    print(table(rows, recorded))
    if failed:
        sys.exit(f"failed or below expectations: {', '.join(failed)}")


if __name__ == "__main__":
    main()
