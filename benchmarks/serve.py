"""Measure a server under load from concurrent clients, with and without micro-batching.

    python benchmarks/serve.py [--seconds 60] [--clients 1,8,64] [--model small] [-o results.jsonl]

Each client requests the vector of one sentence from /v1/embeddings, waits for the response, and repeats, so there are
always as many requests in progress as clients. One server is measured with each number of clients in turn. Sentences
consist of words of the model's vocabulary with natural frequencies, and have natural lengths from 1 to 120 words.
Vectors are base64-encoded, as the OpenAI client requests them. The clients run in this process and the server in
another; both share the cores of the machine.

Expected: no status but 200, 429 and 503; and, with the largest number of clients, no memory growth, p99 below 5 times
p50, and a higher throughput than without micro-batching. The exit code is 1 if one of these fails.
"""

import argparse
import asyncio
import hashlib
import json
import re
import subprocess
import sys
import time
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from elmo.results import Result, append_results, commit, machine, versions
from elmo.weights.locate import locate

WARM_UP = 15.0
"""Seconds of load before the measurement, to fill the word-vector cache and the matrix library's kernel cache."""


@dataclass
class Measured:
    """Measurements of one run."""

    seconds: float = 0.0
    words: int = 0
    latencies: list[float] = field(default_factory=list)
    statuses: Counter[str] = field(default_factory=Counter)
    memory: list[float] = field(default_factory=list)
    """Memory of the server in MiB, sampled once per second."""

    @property
    def rate(self) -> float:
        """Successful responses per second."""
        return len(self.latencies) / self.seconds

    def percentile(self, percent: float) -> float:
        """Return a percentile of the latencies in milliseconds."""
        return 1000 * float(np.percentile(self.latencies, percent))

    def memory_by_third(self) -> dict[str, float]:
        """Return the median memory of each third of the run. Single samples vary with the batch that is in progress."""
        thirds = np.array_split(np.array(self.memory), 3)
        return {
            name: float(np.median(third if len(third) else self.memory))
            for name, third in zip(("start", "middle", "end"), thirds, strict=True)
        }

    def metrics(self) -> dict[str, float]:
        """Return everything that is reported, by name."""
        return {
            "requests/s": self.rate,
            "words/s": self.words / self.seconds,
            **{f"p{percent}_ms": self.percentile(percent) for percent in (50, 95, 99)},
            **{f"memory_{when}_mib": memory for when, memory in self.memory_by_third().items()},
        }


def random_sentences(model: str, count: int) -> list[list[str]]:
    """Return sentences of natural lengths, made of words of the vocabulary with natural frequencies."""
    vocabulary = (locate(model) / "vocab.txt").read_text("utf-8").split("\n")[3:-1]
    random = np.random.default_rng(0)
    sentences = []
    for length in np.clip(random.lognormal(2.9, 0.6, count).astype(int), 1, 120):
        ranks = np.minimum(len(vocabulary) ** random.random(length), len(vocabulary) - 1).astype(int)
        sentences.append([vocabulary[rank] for rank in ranks])
    return sentences


def random_requests(model: str, count: int = 4096) -> list[tuple[bytes, int]]:
    """Return HTTP requests as bytes, with the number of words of each."""
    requests = []
    for words in random_sentences(model, count):
        text = " ".join(words)
        content = {"model": Path(model).name, "input": text, "encoding_format": "base64", "tokenize": "whitespace"}
        body = json.dumps(content).encode()
        start = "POST /v1/embeddings HTTP/1.1\r\nhost: localhost\r\n"
        head = f"{start}content-type: application/json\r\ncontent-length: {len(body)}"
        requests.append((head.encode() + b"\r\n\r\n" + body, len(words)))
    return requests


async def client(port: int, requests: list[tuple[bytes, int]], first: int, until: float, measured: Measured) -> None:
    """Send one request after the other, with minimal HTTP code so that the clients use little CPU time."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    number = first
    while time.perf_counter() < until:
        request, words = requests[number % len(requests)]
        number += 1
        start = time.perf_counter()
        writer.write(request)
        try:
            head = await reader.readuntil(b"\r\n\r\n")
            await reader.readexactly(int(re.search(rb"content-length: (\d+)", head).group(1)))
        except (asyncio.IncompleteReadError, ConnectionError):
            measured.statuses["broken connection"] += 1
            reader, writer = await asyncio.open_connection("127.0.0.1", port)
            continue
        status = head[9:12].decode()
        measured.statuses[status] += 1
        if status == "200":
            measured.latencies.append(time.perf_counter() - start)
            measured.words += words
        elif status in ("429", "503"):
            await asyncio.sleep(1)
    writer.close()


async def load(port: int, process: int, requests: list[tuple[bytes, int]], clients: int, seconds: float) -> Measured:
    """Run all clients for some seconds."""
    measured = Measured()
    start = time.perf_counter()
    step = len(requests) // clients
    tasks = [
        asyncio.create_task(client(port, requests, number * step, start + seconds, measured))
        for number in range(clients)
    ]
    while not all(task.done() for task in tasks):
        measured.memory.append(resident(process))
        await asyncio.wait(tasks, timeout=1)
    await asyncio.gather(*tasks)
    measured.seconds = time.perf_counter() - start
    return measured


def resident(process: int) -> float:
    """Return the resident memory of a process in MiB (Linux)."""
    status = Path(f"/proc/{process}/status").read_text()
    return int(re.search(r"VmRSS:\s+(\d+)", status).group(1)) / 1024


def measure(arguments: argparse.Namespace, requests: list[tuple[bytes, int]], *options: str) -> dict[int, Measured]:
    """Start a server, load it with each number of clients, and stop it."""
    command = [sys.executable, "-m", "elmo", "serve", "--model", arguments.model, "--port", "0", *options]
    server = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
    try:
        for line in server.stderr:
            if found := re.search(r"http://127\.0\.0\.1:(\d+)", line):
                break
            print(line, end="")
        else:
            raise SystemExit("the server did not start")
        port = int(found.group(1))
        most = max(arguments.clients)
        asyncio.run(load(port, server.pid, requests, most, min(WARM_UP, arguments.seconds)))
        return {n: asyncio.run(load(port, server.pid, requests, n, arguments.seconds)) for n in arguments.clients}
    finally:
        server.terminate()
        server.wait(60)


def report(name: str, clients: int, measured: Measured) -> None:
    """Print throughput, latencies, memory and statuses."""
    of = measured.metrics()
    print(
        f"{name:<16} {clients:>4} clients {of['requests/s']:7.1f} requests/s  {of['words/s']:8,.0f} words/s   "
        f"p50 {of['p50_ms']:6.1f} ms  p95 {of['p95_ms']:6.1f}  p99 {of['p99_ms']:6.1f}  "
        f"(p99/p50 {of['p99_ms'] / of['p50_ms']:.1f})   "
        f"memory {of['memory_start_mib']:.0f} -> {of['memory_middle_mib']:.0f} -> {of['memory_end_mib']:.0f} MiB"
    )
    print(f"{'':<29} responses by status: {', '.join(f'{k}: {v}' for k, v in sorted(measured.statuses.items()))}")


def results(measured: dict[str, dict[int, Measured]], arguments: argparse.Namespace, data: str) -> list[Result]:
    """Return all measurements with their provenance; ``data`` is the hash of the requests."""
    seconds = round(sum(of.seconds for by_clients in measured.values() for of in by_clients.values()), 1)
    rest = (0, commit(), versions(), data, machine("cpu"), seconds)
    return [
        Result(
            f"serve: {name}",
            metric,
            value,
            *rest,
            {"model": arguments.model, "clients": clients, "statuses": dict(of.statuses)},
        )
        for name, by_clients in measured.items()
        for clients, of in by_clients.items()
        for metric, value in of.metrics().items()
    ]


def main() -> None:
    """Measure both servers and check the expectations."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=60.0, help="seconds per measurement (default: 60)")
    parser.add_argument(
        "--clients",
        type=lambda text: [int(number) for number in text.split(",")],
        default=[1, 8, 64],
        help="numbers of concurrent clients, separated by commas (default: 1,8,64)",
    )
    parser.add_argument("--model", default="small", help="name or folder of a model with a vocabulary (default: small)")
    parser.add_argument("-o", "--output", type=Path, help="JSON Lines file to append the results to")
    arguments = parser.parse_args()
    requests = random_requests(arguments.model)
    modes = {"micro-batching": (), "without": ("--batch-requests", "1", "--batch-wait", "0")}
    measured = {}
    for name, options in modes.items():
        measured[name] = measure(arguments, requests, *options)
        for clients, of in measured[name].items():
            report(name, clients, of)
    if arguments.output is not None:
        digest = hashlib.sha256(b"".join(request for request, _ in requests)).hexdigest()[:16]
        append_results(arguments.output, results(measured, arguments, digest))
    statuses = {status for by_clients in measured.values() for of in by_clients.values() for status in of.statuses}
    batched, single = (measured[name][max(arguments.clients)] for name in modes)
    # Caches still fill in the first third; growth after that would be a leak.
    memory = batched.memory_by_third()
    growth = memory["end"] / memory["middle"]
    checks = {
        "no error status but 429 and 503": statuses <= {"200", "429", "503"},
        f"memory in the last third x {growth:.3f}, below 1.02": growth < 1.02,
        "p99 below 5 times p50": batched.percentile(99) < 5 * batched.percentile(50),
        f"throughput x {batched.rate / single.rate:.2f}, above 1": batched.rate > single.rate,
    }
    for name, holds in checks.items():
        print(f"{'yes' if holds else 'NO':<4} {name}")
    sys.exit(not all(checks.values()))


if __name__ == "__main__":
    main()
