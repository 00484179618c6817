"""Compare the embedding speed of this library on a CPU with that of other installed systems.

    python benchmarks/embed.py --text TEXT [--full FOLDER] [--peer-python PYTHON] [--rounds 3] [-o results.jsonl]

Every measurement runs in a new process. Every round measures all systems one after another, so that other load on the
machine affects all of them; the table shows the medians over the rounds. Words/s per core count CPU time instead of
elapsed time, which is fairer on a busy machine. The first round also measures this library on a long text, the first
``--long-words`` words of TEXT: there, words repeat more often than in 1,000 sentences. ``embed_systems.py`` describes
what is measured and how the other systems are set up.
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
from elmo.config import CharCNNConfig, LSTMConfig
from elmo.results import Result, append_results, commit, machine, versions
from elmo.weights.locate import bundled
from elmo.weights.packages import installed
from elmo.weights.published import write_published

HERE = Path(__file__).parent
OURS = ("elmo float32", "elmo bf16", "elmo int8")
EXPORTED = "elmo onnxruntime"
"""Our models computed by another program, so that our goals do not apply."""
PEERS = (
    "simple_elmo as shipped",
    "simple_elmo in length order",
    "plain nn.LSTM",
    "BERT-base float32",
    "BERT-base bf16",
    "MiniLM-L6 float32",
    "MiniLM-L6 bf16",
)
GOALS = (
    ("words_per_s", "elmo float32", "simple_elmo as shipped", 4.0),
    ("words_per_s", "elmo float32", "simple_elmo in length order", 2.5),
    ("words_per_s", "elmo float32", "plain nn.LSTM", 3.5),
    ("words_per_s", "elmo bf16", "simple_elmo as shipped", 7.0),
    ("words_per_s", "elmo bf16", "simple_elmo in length order", 4.0),
    ("words_per_s", "elmo bf16", "BERT-base bf16", 1.7),
    ("latency_ms", "elmo float32", "simple_elmo as shipped", 1.5),
    ("latency_ms", "elmo bf16", "simple_elmo as shipped", 4.0),
    ("latency_ms", "elmo int8", "simple_elmo as shipped", 6.0),
)
"""Speedups to reach at full size: metric, our system, the other system, factor."""

LIMITS = {
    "full": {"elmo float32": 150, "elmo bf16": 60, "elmo int8": 45},
    "medium": {"elmo float32": 15},
    "small": {"elmo float32": 8},
}
"""Milliseconds that one sentence of ``LIMIT_WORDS`` words may take on two idle cores. Sentences of other lengths may
take as long per step; the opening boundary is a step, too."""
LIMIT_WORDS = 25
SLOWDOWN = 2.5
"""How many times that one sentence may take while another program keeps one of two cores busy."""

Case = tuple[str, str]
"""A system and the model it loads."""


def child(system: str, python: str, arguments: argparse.Namespace, *more: str) -> dict[str, float] | None:
    """Measure one system in a new process. If it fails, print the reason and return None."""
    command = [python, str(HERE / "embed_systems.py"), system, "--text", str(arguments.text), *more]
    command += ["--sentences", str(arguments.sentences), "--threads", str(arguments.threads)]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode == 0:
        return json.loads(done.stdout.splitlines()[-1])
    print(f"{system}: {(done.stderr.strip().splitlines() or ['failed'])[-1]}", file=sys.stderr)
    return None


def difference(one: Path, other: Path) -> float:
    """Return the largest absolute difference between the vectors in two files."""
    with np.load(one) as first, np.load(other) as second:
        return max(float(np.abs(first[name] - second[name]).max()) for name in first.files)


def rounds(cases: list[Case], arguments: argparse.Namespace, scratch: Path) -> Iterator[dict[Case, dict[str, float]]]:
    """Yield the measurements of all systems, round by round."""
    for number in range(arguments.rounds):
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
            if system in OURS:  # products of several precisions, each relative to its own peak
                found["of_peak"] = sum(found.get(f"{kind}_operations_per_s", 0.0) / peak[kind] for kind in peak)
                if number == 0 and arguments.long_words:
                    long = ("--model", model, "--long-words", str(arguments.long_words))
                    found |= child(system, sys.executable, arguments, *long) or {}
            exact = scratch / "elmo float32.npz"
            if keep and exact.exists():
                found["difference"] = difference(vectors, exact)
            measured[case] = found
            print(f"{system}, {Path(model).name or '-'}: {found['words_per_s']:,.0f} words/s", file=sys.stderr)
        yield measured


def table(medians: dict[Case, dict[str, float]]) -> str:
    """Format the measurements as a Markdown table with one row per system."""
    columns = [
        "system",
        "model",
        "words/s",
        "words/s, words cached",
        "words/s, long text",
        "words/s per core",
        "one sentence, ms",
        "one core busy, ms",
        "load, s",
        "first call, s",
        "memory, MB",
    ]
    columns += ["fraction of peak", "words cached", "words cached, long text", "max. difference"]
    lines = [f"| {' | '.join(columns)} |", "|---" * len(columns) + "|"]
    for (system, model), of in medians.items():
        peak = f"{of['of_peak']:.0%}" if "of_peak" in of else ""
        again = f"{of['words_per_s_again']:,.0f}" if "words_per_s_again" in of else ""
        long = f"{of['long_words_per_s']:,.0f}" if "long_words_per_s" in of else ""
        cached = f"{of['cached_words']:.0%}" if "cached_words" in of else ""
        cached_long = f"{of['long_cached_words']:.0%}" if "long_cached_words" in of else ""
        apart = f"{of['difference']:.1e}" if "difference" in of else ""
        lines.append(
            f"| {system} | {Path(model).name or '-'} | {of['words_per_s']:,.0f} | {again} | {long} | "
            f"{of['words_per_core_s']:,.0f} | {of['latency_ms']:,.1f} | {of['latency_busy_ms']:,.1f} | "
            f"{of['load_s']:.2f} | {of['first_s']:.2f} | {of['memory_mb']:,.0f} | {peak} | {cached} | {cached_long} | "
            f"{apart} |"
        )
    return "\n".join(lines)


def ratios(medians: dict[Case, dict[str, float]], full: str) -> Iterator[str]:
    """Yield one line per goal: the latency or the speedup, and whether it reaches the goal."""
    for (system, model), of in medians.items():
        limit = LIMITS.get("full" if model == full else model, {}).get(system)
        if limit is not None:
            limit *= (of["latency_words"] + 1) / (LIMIT_WORDS + 1)
            for metric, most in (("latency_ms", limit), ("latency_busy_ms", SLOWDOWN * limit)):
                verdict = "reached" if of[metric] <= most else "MISSED"
                yield f"{metric}: {system}, {Path(model).name}: {of[metric]:.1f} (goal: {most:.1f}, {verdict})"
    by_system = {system: of for (system, model), of in medians.items() if model in (full, "")}
    for metric, one, other, times in GOALS:
        if one in by_system and other in by_system:
            ratio = by_system[one][metric] / by_system[other][metric]
            ratio = 1 / ratio if metric == "latency_ms" else ratio
            verdict = "reached" if ratio >= times else "MISSED"
            yield f"{metric}: {one} is {ratio:.2f} times as fast as {other} (goal: {times}, {verdict})"


def main() -> None:
    """Run the benchmark and print the results."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--text", type=Path, required=True, help="text file with one tokenized sentence per line")
    parser.add_argument("--full", type=Path, help="full-size model in the published format (default: random weights)")
    parser.add_argument(
        "--peer-python",
        default=sys.executable,
        help="Python of an environment with simple_elmo, tensorflow, tf_keras and transformers (default: this one)",
    )
    parser.add_argument("--sentences", type=int, default=1000, help="number of sentences (default: 1000)")
    parser.add_argument(
        "--long-words", type=int, default=300000, help="words of the long text; 0: do not measure it (default: 300000)"
    )
    parser.add_argument("--threads", type=int, default=2, help="number of threads per system (default: 2)")
    parser.add_argument("--rounds", type=int, default=3, help="number of rounds (default: 3)")
    parser.add_argument(
        "--only", help="measure only systems whose name contains one of these texts, separated by commas"
    )
    parser.add_argument("--tiny", action="store_true", help="use a tiny model, to check that this script works")
    parser.add_argument("-o", "--output", type=Path, help="JSON Lines file to append the results to")
    arguments = parser.parse_args()
    start = time.perf_counter()
    with tempfile.TemporaryDirectory() as folder:
        scratch = Path(folder)
        full = arguments.full
        if full is None:
            full = scratch / "full"
            recipe = json.loads((HERE.parent / "recipes" / "pretrain" / "original.json").read_text())
            config = elmo.BiLMConfig.from_dict(recipe["model"])
            if arguments.tiny:
                config = elmo.BiLMConfig(CharCNNConfig(projection_dim=16), LSTMConfig(32, 16))
            torch.manual_seed(0)
            write_published(elmo.BiLM(config), full)
        cases = [(system, str(full)) for system in (*OURS, EXPORTED, *PEERS[:3])] + [
            (system, "") for system in PEERS[3:]
        ]
        cases += [
            (system, name) for name in (*bundled(), *installed()) for system in (*OURS, EXPORTED) if not arguments.tiny
        ]
        if arguments.only is not None:
            cases = [case for case in cases if any(text in case[0] for text in arguments.only.split(","))]
        measured = list(rounds(cases, arguments, scratch))
    medians = {
        case: {
            metric: statistics.median(of[case][metric] for of in measured if metric in of.get(case, {}))
            for metric in found
        }
        for case, found in measured[0].items()
    }
    print(table(medians))
    for line in ratios(medians, str(full)):
        print(line)
    if arguments.output is not None:
        seen = hashlib.sha256(arguments.text.read_bytes()).hexdigest()[:16]
        details = {"threads": arguments.threads, "sentences": arguments.sentences, "rounds": arguments.rounds}
        seconds = time.perf_counter() - start
        code = commit()  # once, because the log may be part of the repository, and writing to it is a change
        append_results(
            arguments.output,
            (
                Result(
                    f"embed: {system}, {Path(model).name or 'random weights'}",
                    metric,
                    value,
                    0,
                    code,
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
