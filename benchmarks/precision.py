"""Measure how much bf16 and int8 change the vectors of a model on a CPU, and what a probe of parts of speech loses.

    python benchmarks/precision.py --text TEXT [--models small,medium] [--pos FOLDER] [-o results.jsonl]

For every model and layer, this is the lowest cosine between the vector of a word and its float32 version, over all
words of the text. With ``--pos``, the folder of train, dev and test data in CoNLL-U, it is also the accuracy of a
linear classifier on the vectors (table 6), trained on ``--train-sentences`` sentences.
"""

import argparse
import hashlib
import itertools
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np

import elmo
from elmo.datasets.conllu import read_tagged
from elmo.paper.exhibit import find_file
from elmo.paper.probes.pos import probe
from elmo.paper.probes.representations import BiLMRepresentation
from elmo.results import Result, append_results, commit, machine, versions
from elmo.text.reading import read_sentences

PRECISIONS = ("float32", "bf16", "int8")

Value = tuple[str, str, float, dict[str, Any]]
"""What was measured, the metric, its value, and details."""


def lowest_cosines(name: str, sentences: Sequence[Sequence[str]]) -> Iterator[Value]:
    """Yield the lowest cosine of each layer and precision, and over all layers."""
    vectors = {}
    for precision in PRECISIONS:
        found = [s.layers for s in elmo.load(name, precision=precision).embed(sentences)]
        layers = np.concatenate(found, axis=1).astype(np.float64)  # (L, words, D)
        vectors[precision] = layers / np.linalg.norm(layers, axis=2, keepdims=True)
    for precision in PRECISIONS[1:]:
        cosines = (vectors["float32"] * vectors[precision]).sum(2)  # (L, words)
        details = {"model": name, "precision": precision, "words": cosines.shape[1]}
        for layer, lowest in enumerate(cosines.min(1).tolist()):
            yield "precision", "lowest cosine", lowest, {**details, "layer": layer}
        yield "precision", "lowest cosine", float(cosines.min()), {**details, "layer": "all"}


def probe_accuracies(name: str, folder: Path, train_sentences: int) -> Iterator[Value]:
    """Yield the accuracy of the probe on the test data, by layer and precision."""
    train, dev, test = (read_tagged(find_file(folder, f"*{split}*")) for split in ("train", "dev", "test"))
    for precision in PRECISIONS:
        representation = BiLMRepresentation(elmo.load(name, precision=precision), name)
        for layer in probe([representation], train[:train_sentences], dev, test).layers:
            details = {"model": name, "precision": precision, "layer": layer.layer, "sentences": train_sentences}
            yield "precision, parts of speech", "accuracy", layer.accuracy.test, details


def main() -> None:
    """Measure every model, and print and record the values."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--text", type=Path, required=True, help="text file with one tokenized sentence per line")
    parser.add_argument("--models", default="small", help="models, separated by commas (default: small)")
    parser.add_argument("--sentences", type=int, default=300, help="number of sentences (default: 300)")
    parser.add_argument("--pos", type=Path, help="folder of CoNLL-U files, for the probe")
    parser.add_argument(
        "--train-sentences", type=int, default=4000, help="number of training sentences of the probe (default: 4000)"
    )
    parser.add_argument("-o", "--output", type=Path, help="JSON Lines file to append the results to")
    options = parser.parse_args()
    start = time.perf_counter()
    sentences = list(itertools.islice(read_sentences([options.text], "whitespace"), options.sentences))
    values: list[Value] = []
    for name in options.models.split(","):
        values += lowest_cosines(name, sentences)
        if options.pos is not None:
            values += probe_accuracies(name, options.pos, options.train_sentences)
    print("| measured | model | precision | layer | |\n|---|---|---|---|---|")
    for _, metric, value, details in values:
        print(f"| {metric} | {details['model']} | {details['precision']} | {details['layer']} | {value:.5f} |")
    if options.output is not None:
        digest = hashlib.sha256(options.text.read_bytes()).hexdigest()[:16]
        rest = (0, commit(), versions(), digest, machine("cpu"), round(time.perf_counter() - start, 1))
        append_results(options.output, [Result(*measured, *rest, details) for *measured, details in values])


if __name__ == "__main__":
    main()
