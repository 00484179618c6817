"""How fast sentences become vectors on a CPU, ours beside every peer that is installed, in one run.

    python benchmarks/embed.py --text TEXT [--full FOLDER] [--peer-python PYTHON] [--rounds 3] [-o results.jsonl]

``--text`` has one tokenised sentence a line. ``--full`` holds full-size weights in the published format, which every
ELMo system reads; without it they are drawn at random (speed does not depend on them). ``--peer-python`` is the Python
of an environment with the peers (simple_elmo with tensorflow and tf_keras; transformers), if they have their own.

Every measurement is a new process, and every round measures all systems one after the other, so that whatever else
the machine does falls on all of them; the table shows medians over the rounds. "A core" counts the time that the cores
worked for a system, waiting left out: where the machine is busy it is the fairer number. See ``embed_systems.py`` for
what is measured, and how the peers are treated.
"""

import argparse
import hashlib
import json
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import torch

import elmo
from elmo.results import Result, append_results, commit, machine, versions
from elmo.weights.locate import bundled
from elmo.weights.published import write_published

HERE = Path(__file__).parent
OURS = ("elmo float32", "elmo bf16", "elmo int8")
PEERS = (
    "simple_elmo as shipped",
    "simple_elmo in length order",
    "plain nn.LSTM",
    "BERT-base float32",
    "BERT-base bf16",
    "MiniLM-L6 float32",
    "MiniLM-L6 bf16",
)
PEAK = {"elmo float32": "float32", "elmo bf16": "bfloat16"}
"""Whose rate of matrix products is compared with which peak."""
WANTED = (
    ("words_per_s", "elmo float32", "simple_elmo as shipped", 4.0),
    ("words_per_s", "elmo float32", "simple_elmo in length order", 2.5),
    ("words_per_s", "elmo float32", "plain nn.LSTM", 3.5),
    ("words_per_s", "elmo bf16", "simple_elmo as shipped", 7.0),
    ("words_per_s", "elmo bf16", "simple_elmo in length order", 4.0),
    ("words_per_s", "elmo bf16", "BERT-base bf16", 1.8),
    ("latency_ms", "elmo float32", "simple_elmo as shipped", 1.5),
    ("latency_ms", "elmo bf16", "simple_elmo as shipped", 4.0),
    ("latency_ms", "elmo int8", "simple_elmo as shipped", 6.0),
)
"""How many times better ours must be at full size: metric, ours, theirs, times."""

Case = tuple[str, str]
"""A system and the weights it reads."""


def child(system: str, python: str, arguments: argparse.Namespace, *more: str) -> dict[str, float] | None:
    """Measure one system in a process of its own; None, with the reason shown, where it cannot run."""
    command = [python, str(HERE / "embed_systems.py"), system, "--text", str(arguments.text), *more]
    command += ["--sentences", str(arguments.sentences), "--threads", str(arguments.threads)]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode == 0:
        return json.loads(done.stdout.splitlines()[-1])
    print(f"{system}: {(done.stderr.strip().splitlines() or ['failed'])[-1]}", file=sys.stderr)
    return None


def difference(one: Path, other: Path) -> float:
    """The largest difference between the vectors in two files."""
    with np.load(one) as first, np.load(other) as second:
        return max(float(np.abs(first[name] - second[name]).max()) for name in first.files)


def rounds(cases: list[Case], arguments: argparse.Namespace, scratch: Path) -> Iterator[dict[Case, dict[str, float]]]:
    """Everything once, again and again."""
    for _ in range(arguments.rounds):
        measured = {}
        peak = child("matrix peak", sys.executable, arguments)
        assert peak is not None
        for case in cases:
            system, model = case
            theirs = system in PEERS and system != "plain nn.LSTM"
            vectors = scratch / f"{system}.npz"
            keep = ["--vectors", str(vectors)] if model and Path(model).is_dir() else []
            found = child(
                system, arguments.peer_python if theirs else sys.executable, arguments, "--model", model, *keep
            )
            if found is None:
                continue
            if system in PEAK:
                found["of_peak"] = found["operations_per_s"] / peak[PEAK[system]]
            exact = scratch / "elmo float32.npz"
            if keep and exact.exists():
                found["difference"] = difference(vectors, exact)
            measured[case] = found
            print(f"{system}, {Path(model).name or '-'}: {found['words_per_s']:,.0f} words/s", file=sys.stderr)
        yield measured


def table(medians: dict[Case, dict[str, float]]) -> str:
    """All systems, one a line."""
    columns = [
        "system",
        "weights",
        "words/s",
        "words/s a core",
        "one sentence, ms",
        "load, s",
        "first, s",
        "memory, MB",
    ]
    columns += ["of matrix peak", "difference"]
    lines = [f"| {' | '.join(columns)} |", "|---" * len(columns) + "|"]
    for (system, model), of in medians.items():
        peak = f"{of['of_peak']:.0%}" if "of_peak" in of else ""
        apart = f"{of['difference']:.1e}" if "difference" in of else ""
        lines.append(
            f"| {system} | {Path(model).name or '-'} | {of['words_per_s']:,.0f} | "
            f"{of['words_per_core_s']:,.0f} | {of['latency_ms']:.0f} | "
            f"{of['load_s']:.2f} | {of['first_s']:.2f} | {of['memory_mb']:,.0f} | {peak} | {apart} |"
        )
    return "\n".join(lines)


def ratios(medians: dict[Case, dict[str, float]], full: str) -> Iterator[str]:
    """How far ours is ahead, and how far it must be."""
    by_system = {system: of for (system, model), of in medians.items() if model in (full, "")}
    for metric, one, other, times in WANTED:
        if one in by_system and other in by_system:
            ratio = by_system[one][metric] / by_system[other][metric]
            ratio = 1 / ratio if metric == "latency_ms" else ratio
            verdict = "reached" if ratio >= times else "MISSED"
            yield f"{metric}: {one} is {ratio:.2f} times better than {other} (wanted {times}: {verdict})"


def main() -> None:
    """Measure, and show."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--text", type=Path, required=True)
    parser.add_argument("--full", type=Path)
    parser.add_argument("--peer-python", default=sys.executable)
    parser.add_argument("--sentences", type=int, default=1000)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--only", help="measure only systems with this in their name")
    parser.add_argument("-o", "--output", type=Path, help="add the results to this file, as JSON lines")
    arguments = parser.parse_args()
    start = time.perf_counter()
    with tempfile.TemporaryDirectory() as folder:
        scratch = Path(folder)
        full = arguments.full
        if full is None:
            full = scratch / "full"
            recipe = json.loads((HERE.parent / "recipes" / "pretrain" / "original.json").read_text())
            torch.manual_seed(0)
            write_published(elmo.BiLM(elmo.BiLMConfig.from_dict(recipe["model"])), full)
        cases = [(system, str(full)) for system in (*OURS, *PEERS[:3])] + [(system, "") for system in PEERS[3:]]
        cases += [(system, name) for name in bundled() for system in OURS]
        cases = [case for case in cases if arguments.only is None or arguments.only in case[0]]
        measured = list(rounds(cases, arguments, scratch))
    medians = {
        case: {metric: statistics.median(of[case][metric] for of in measured if case in of) for metric in found}
        for case, found in measured[0].items()
    }
    print(table(medians))
    for line in ratios(medians, str(full)):
        print(line)
    if arguments.output is not None:
        seen = hashlib.sha256(arguments.text.read_bytes()).hexdigest()[:16]
        details = {"threads": arguments.threads, "sentences": arguments.sentences, "rounds": arguments.rounds}
        seconds = time.perf_counter() - start
        append_results(
            arguments.output,
            (
                Result(
                    f"embed: {system}, {Path(model).name or 'random weights'}",
                    metric,
                    value,
                    0,
                    commit(),
                    versions(),
                    seen,
                    machine("cpu"),
                    seconds,
                    details,
                )
                for (system, model), of in medians.items()
                for metric, value in of.items()
            ),
        )


if __name__ == "__main__":
    main()
