"""Measure the embedding speed on a GPU, and compare it with the reference implementation.

    python benchmarks/embed_gpu.py --text TEXT [--sentences 100000] [--rounds 3] [--device cuda] [-o results.jsonl]

For each model and precision, the table shows four rates in words/s, as medians over the rounds, which are interleaved:

    pooled           from sentences in memory to one vector per sentence
    all layers       from sentences in memory to all layers of all words
    text to Parquet  from a text file to a Parquet file of pooled vectors, like ``elmo embed``
    plain            ``BiLM.forward`` over batches of similar length, on a subset of the sentences

The model ``original`` has random weights, because speed does not depend on them.
"""

import argparse
import hashlib
import itertools
import json
import statistics
import tempfile
import time
from pathlib import Path

import torch

import elmo
from elmo.embed.select import Selection
from elmo.embed.sinks import open_sink
from elmo.engines.reference import ReferenceEngine
from elmo.results import Result, append_results, commit, machine, versions
from elmo.train.pretrain import read_recipe

PRECISIONS = ("float32", "bf16")
PLAIN_EVERY = 20
"""``plain`` embeds only every n-th sentence."""


def make(name: str, precision: str, device: str) -> elmo.Embedder:
    """Load a bundled model, or create the original one with random weights."""
    if name != "original":
        return elmo.load(name, device=device, precision=precision)
    torch.manual_seed(0)
    return elmo.Embedder(elmo.BiLM(read_recipe(name).model).eval().to(device), precision=precision)


def read(text: Path) -> list[list[str]]:
    """Read the tokenized sentences of a file."""
    return [line.split() for line in text.read_text("utf-8").splitlines()]


class Measured:
    """A way to embed sentences whose speed is measured; here from sentences in memory to arrays."""

    def __init__(self, name: str, layers: str = "top", pool: str | None = "mean") -> None:
        self.name, self.layers, self.pool = name, layers, pool

    def rate(self, model: elmo.Embedder, text: Path) -> float:
        """Return the speed in words/s."""
        sentences = read(text)
        words = sum(map(len, sentences))
        start = time.perf_counter()
        self.work(model, text, sentences)  # ends with arrays in host memory, so the GPU has finished
        return words / (time.perf_counter() - start)

    def work(self, model: elmo.Embedder, text: Path, sentences: list[list[str]]) -> None:
        """Embed the sentences."""
        for _ in model.embed_stream(sentences, self.layers, self.pool):
            pass


class ToParquet(Measured):
    """From a text file to a Parquet file."""

    def work(self, model: elmo.Embedder, text: Path, sentences: list[list[str]]) -> None:
        """Embed the lines of the file, like ``elmo embed``."""
        with text.open(encoding="utf-8") as lines, open_sink(text.with_suffix(".parquet"), "parquet", False) as write:
            for sentence in model.embed_stream(lines, self.layers, self.pool):
                write(sentence)


class Plain(Measured):
    """The reference implementation."""

    @torch.inference_mode()
    def work(self, model: elmo.Embedder, text: Path, sentences: list[list[str]]) -> None:
        """Run ``BiLM.forward`` over batches of similar length."""
        select = Selection(self.layers, self.pool, model.bilm.config.n_representations)
        engine = ReferenceEngine(model.bilm)
        for group in engine.batches([len(words) + 2 for words in sentences], 16384):
            chosen = [sentences[index] for index in group]
            select(engine(chosen).layers, [len(words) for words in chosen]).float().cpu()


def main() -> None:
    """Run the benchmark and print the results."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--text", type=Path, required=True, help="text file with one tokenized sentence per line")
    parser.add_argument("--sentences", type=int, default=100_000, help="number of sentences (default: 100000)")
    parser.add_argument("--rounds", type=int, default=3, help="number of rounds (default: 3)")
    parser.add_argument(
        "--models", default="original,medium,small", help="models, separated by commas (default: original,medium,small)"
    )
    parser.add_argument("--device", default="cuda", help="device; cpu only checks that this works (default: cuda)")
    parser.add_argument("-o", "--output", type=Path, help="JSON Lines file to append the results to")
    options = parser.parse_args()
    with options.text.open(encoding="utf-8") as lines:
        chosen = list(itertools.islice(lines, options.sentences))
    works = (Measured("pooled"), Measured("all layers", "all", None), ToParquet("text to Parquet"), Plain("plain"))
    cases = [(name, precision) for name in options.models.split(",") for precision in PRECISIONS]
    found: dict[tuple[str, str, str], list[float]] = {}
    start = time.perf_counter()
    with tempfile.TemporaryDirectory() as folder:
        text, few = Path(folder, "text.txt"), Path(folder, "few.txt")
        text.write_text("".join(chosen), "utf-8")
        few.write_text("".join(chosen[::PLAIN_EVERY]), "utf-8")
        for name, precision in cases:
            model = make(name, precision, options.device)
            works[0].rate(model, text)  # fills the caches: CUDA graphs, kernels, word vectors
            for _, work in itertools.product(range(options.rounds), works):
                if not isinstance(work, Plain):
                    found.setdefault((name, precision, work.name), []).append(work.rate(model, text))
                elif precision == "float32":
                    found.setdefault((name, precision, work.name), []).append(work.rate(model, few))
            del model
            torch.cuda.empty_cache()
        words = sum(map(len, read(text)))
    print(f"{words:,} words in {len(chosen):,} sentences; words/s, medians of {options.rounds} rounds\n")
    print("| model | precision | " + " | ".join(work.name for work in works) + " |\n|---|---|" + "---|" * len(works))
    for name, precision in cases:
        values = [found.get((name, precision, work.name)) for work in works]
        shown = " | ".join("" if v is None else f"{statistics.median(v):,.0f}" for v in values)
        print(f"| {name} | {precision} | {shown} |")
    if options.output is not None:
        digest = hashlib.sha256("".join(chosen).encode()).hexdigest()
        rest = (0, commit(), versions(), digest, machine(options.device), round(time.perf_counter() - start, 1))
        results = [
            Result("embed on a GPU", "words/s", statistics.median(v), *rest, {"case": json.dumps(key), "rounds": v})
            for key, v in found.items()
        ]
        append_results(options.output, results)


if __name__ == "__main__":
    main()
