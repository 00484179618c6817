"""Measure the embedding speed of a single system. ``benchmarks/embed.py`` runs this script once per measurement.

    python benchmarks/embed_systems.py SYSTEM --text TEXT [--model MODEL] [--sentences 1000] [--threads 2]
    python benchmarks/embed_systems.py SYSTEM --text TEXT [--model MODEL] --long-words 300000 [--threads 2]

The output is one line of JSON: words per second, milliseconds per single sentence (alone, and while another program
keeps one core busy), seconds to load, peak memory; for this library also the operations of matrix products per second,
by precision, the fraction of the words whose vectors were cached, and words per second when all of them are, as in long
texts.
``--vectors FILE`` saves the vectors of the first sentences, so that systems can be compared. ``--long-words`` measures
only one pass over a long text, with an empty cache of word vectors at the beginning.

All systems embed the same sentences and return a vector for every word and layer (the Transformer encoders: for the
last layer only). All of them batch sentences of similar length, except ``simple_elmo as shipped``. Only the standard
library is imported until a system is chosen, so each system can have its own environment.

The Transformer encoders have random weights, because speed does not depend on them. They get one token per word, fewer
than any subword vocabulary would produce, so they look faster here than they are.
"""

import argparse
import itertools
import json
import os
import resource
import subprocess
import sys
import time
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

Sentences = list[list[str]]
Embed = Callable[[Sentences], list[Any]]
"""Maps sentences to one array (layers, words, dimensions) each."""
PRECISIONS = {"torch.float32": "float32", "torch.bfloat16": "bf16", "torch.uint8": "int8"}
"""The precision of a product, by the type of its rows."""
POSITIONS = 4096
"""Positions per batch, padding included, for systems that do not batch by themselves."""
FIRST = 8
"""Number of sentences embedded before the measurement."""


def ours(model: str, precision: str) -> Embed:
    """Load this library."""
    import elmo

    _count_operations()
    embedder = elmo.load(model, precision=precision)
    _word_vectors.append(lambda: embedder.engine().word_vectors)
    return lambda sentences: [sentence.layers for sentence in embedder.embed(sentences)]


def simple_elmo(model: str, in_order: bool) -> Embed:
    """Load simple_elmo from PyPI.

    One session is kept open and the warm-up is skipped, so it runs faster than it does by default.
    """
    import logging

    import tensorflow as tf
    from simple_elmo import ElmoModel
    from simple_elmo.elmo import weight_layers

    system = ElmoModel()
    logging.disable(logging.CRITICAL)
    system.load(model)
    session = tf.compat.v1.Session()
    with session.as_default():
        system.elmo_sentence_input = weight_layers("input", system.sentence_embeddings_op, use_layers="all")
        session.run(tf.compat.v1.global_variables_initializer())

    def embed(sentences: Sentences) -> list[Any]:
        order = list(range(len(sentences)))
        if in_order:
            order.sort(key=lambda index: len(sentences[index]))
        vectors = system.get_elmo_vectors([sentences[n] for n in order], warmup=False, layers="all", session=session)
        place = {index: row for row, index in enumerate(order)}
        return [vectors[place[index], :, : len(sentence)] for index, sentence in enumerate(sentences)]

    return embed


def plain_lstm(model: str) -> Embed:
    """Load the same weights into standard modules: ``Conv1d`` for every word, ``LSTM(proj_size)``, no clipping."""
    import torch
    from torch import nn

    import elmo
    from elmo.text.characters import words_to_ids

    bilm = elmo.load(model).bilm
    config, cnn = bilm.config.lstm, bilm.token_layer
    width, dim = config.output_dim, config.dim
    stacks = []
    for direction in (0, 1):
        stack = []
        for layer in bilm.lstm.layers:
            lstm = nn.LSTM(width, dim, proj_size=width, batch_first=True)
            i, j, f, o = layer.weight[direction].detach().T.chunk(4)  # torch expects i, f, j, o
            bias_i, bias_j, bias_f, bias_o = layer.bias[direction].detach().chunk(4)
            weight = torch.cat([i, f, j, o])
            lstm.load_state_dict(
                {
                    "weight_ih_l0": weight[:, :width],
                    "weight_hh_l0": weight[:, width:],
                    "bias_ih_l0": torch.cat([bias_i, bias_f + 1, bias_j, bias_o]),
                    "bias_hh_l0": torch.zeros(4 * dim),
                    "weight_hr_l0": layer.projection[direction].detach().T,
                }
            )
            stack.append(lstm)
        stacks.append(stack)

    @torch.inference_mode()
    def embed(sentences: Sentences) -> list[Any]:
        results: list[Any] = [None] * len(sentences)
        for group in _by_length(sentences):
            lengths = torch.tensor([len(sentences[index]) + 2 for index in group])
            steps = int(lengths.max())
            padded = [["<S>", *sentences[n], "</S>"] + [""] * (steps - 2 - len(sentences[n])) for n in group]
            characters = cnn.embedding(torch.from_numpy(words_to_ids([word for row in padded for word in row]))).mT
            x = torch.cat([torch.relu(c(characters).amax(-1)) for c in cnn.convolutions], 1)
            for highway in cnn.highways:
                x = highway(x)
            words = cnn.projection(x).view(len(group), steps, width)
            place = torch.arange(steps)
            reverse = torch.where(place < lengths[:, None], lengths[:, None] - 1 - place, place)[..., None]
            reverse = reverse.expand(-1, -1, width)
            layers = [torch.cat([words, words], -1)]
            streams = [words, words.gather(1, reverse)]
            for index in range(config.n_layers):
                outputs = []
                for direction in (0, 1):
                    rows = nn.utils.rnn.pack_padded_sequence(streams[direction], lengths, batch_first=True)
                    out, _ = nn.utils.rnn.pad_packed_sequence(stacks[direction][index](rows)[0], batch_first=True)
                    streams[direction] = out + streams[direction] if index and config.residual else out
                    outputs.append(streams[direction] if direction == 0 else streams[direction].gather(1, reverse))
                layers.append(torch.cat(outputs, -1))
            stacked = torch.stack(layers)
            for row, index in enumerate(group):
                results[index] = stacked[:, row, 1 : 1 + len(sentences[index])].numpy().copy()
        return results

    return embed


def onnx_runtime(model: str) -> Embed:
    """Export a model with ``elmo export`` and load the graph into onnxruntime."""
    import numpy as np
    import onnxruntime

    import elmo
    from elmo.interop.onnx import onnx_model

    bilm = elmo.load(model).bilm
    layer = bilm.token_layer
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = int(os.environ["OMP_NUM_THREADS"])
    session = onnxruntime.InferenceSession(onnx_model(bilm).SerializeToString(), options)

    def embed(sentences: Sentences) -> list[Any]:
        results: list[Any] = [None] * len(sentences)
        for group in _by_length(sentences):
            lengths = np.array([len(sentences[index]) for index in group], np.int32)
            columns = layer.words_to_ids([], layer.config, layer.vocabulary).shape[1:]
            ids = np.zeros((len(group), lengths.max(), *columns), np.int32)
            for row, index in zip(ids, group, strict=True):
                row[: len(sentences[index])] = layer.words_to_ids(sentences[index], layer.config, layer.vocabulary)
            [layers] = session.run(["layers"], {"ids": ids, "lengths": lengths})
            for row, index in enumerate(group):
                results[index] = layers[:, row, : len(sentences[index])].copy()
        return results

    return embed


def transformer(size: str, dtype: str) -> Embed:
    """Create a Transformer encoder of the size of BERT-base or MiniLM-L6."""
    import torch
    from transformers import BertConfig, BertModel

    shape = {} if size == "base" else {"hidden_size": 384, "num_hidden_layers": 6, "intermediate_size": 1536}
    model = BertModel(BertConfig(**shape), add_pooling_layer=False).eval().to(getattr(torch, dtype))

    @torch.inference_mode()
    def embed(sentences: Sentences) -> list[Any]:
        results: list[Any] = [None] * len(sentences)
        for group in _by_length(sentences):
            lengths = torch.tensor([len(sentences[index]) + 2 for index in group])
            mask = torch.arange(int(lengths.max())) < lengths[:, None]
            ids = torch.randint(1000, 30000, mask.shape)
            output = model(input_ids=ids, attention_mask=mask.long()).last_hidden_state.float()
            for row, index in enumerate(group):
                results[index] = output[None, row, 1 : 1 + len(sentences[index])].numpy().copy()
        return results

    return embed


SYSTEMS: dict[str, Callable[[str], Embed]] = {
    "elmo float32": lambda model: ours(model, "float32"),
    "elmo bf16": lambda model: ours(model, "bf16"),
    "elmo int8": lambda model: ours(model, "int8"),
    "elmo onnxruntime": onnx_runtime,
    "simple_elmo as shipped": lambda model: simple_elmo(model, in_order=False),
    "simple_elmo in length order": lambda model: simple_elmo(model, in_order=True),
    "plain nn.LSTM": plain_lstm,
    "BERT-base float32": lambda _: transformer("base", "float32"),
    "BERT-base bf16": lambda _: transformer("base", "bfloat16"),
    "MiniLM-L6 float32": lambda _: transformer("mini", "float32"),
    "MiniLM-L6 bf16": lambda _: transformer("mini", "bfloat16"),
}
"""Systems by name. Each function takes the name or folder of a model; the Transformer encoders ignore it."""


def matrix_peak(dtype: str) -> float:
    """Return the highest rate of matrix products that torch reaches on this machine, in operations per second."""
    import torch

    from elmo.engines.packed_matrix import packed

    best = 0.0
    for size in (1024, 2048):
        a, b = torch.randn(2, size, size)
        matrix = packed(b, None, dtype)
        rows = matrix.rows(a)
        for _ in range(8):
            start = time.perf_counter()
            matrix.unscaled(rows)
            best = max(best, 2 * size**3 / (time.perf_counter() - start))
    return best


_operations: list[tuple[str, int]] = []
"""Precision and operations of each matrix product. This is a list because appending from two threads is safe."""
_word_vectors: list[Callable[[], Any]] = []
"""The cache of word vectors, if the system is this library."""


def _count_operations() -> None:
    """Record the number of operations of every matrix product of this library."""
    from elmo.engines import packed_matrix

    def counted(product_of: Callable[..., Any]) -> Callable[..., Any]:
        def wrapped(self: Any, rows: Any, *plus: Any) -> Any:
            product = product_of(self, rows, *plus)
            kind = PRECISIONS[str(rows.values.dtype)]
            _operations.append((kind, 2 * len(product) * rows.values.shape[1] * product.shape[1]))
            return product

        return wrapped

    products = ((packed_matrix._Floats, "times"), (packed_matrix._Floats, "unscaled"))
    for kind, name in (*products, (packed_matrix._Integers, "unscaled")):
        setattr(kind, name, counted(getattr(kind, name)))


def _by_length(sentences: Sentences) -> Iterable[list[int]]:
    """Group sentences of similar length into batches of at most ``POSITIONS`` positions, longest first."""
    group: list[int] = []
    for index in sorted(range(len(sentences)), key=lambda n: -len(sentences[n])):
        if group and (len(group) + 1) * (len(sentences[group[0]]) + 2) > POSITIONS:
            yield group
            group = []
        group.append(index)
    if group:
        yield group


def _latency(embed: Embed, sentences: Sentences) -> float:
    """Return the mean number of seconds that one sentence takes."""
    begin = time.perf_counter()
    for sentence in sentences:
        embed([sentence])
    return (time.perf_counter() - begin) / len(sentences)


def measure(system: str, model: str, sentences: Sentences, vectors: Path | None) -> dict[str, float]:
    """Load a system, embed all sentences in one call, then some of them one by one."""
    start = time.perf_counter()
    embed = SYSTEMS[system](model)
    loaded = time.perf_counter()
    first = embed(sentences[:FIRST])
    embed(sentences[:1])  # a single sentence may be computed in another way
    ready = time.perf_counter()
    if vectors is not None:
        import numpy as np

        np.savez(vectors, *first)
    _operations.clear()
    computed = _word_vectors[0]().computed if _word_vectors else 0
    begin, work = time.perf_counter(), time.process_time()
    embed(sentences)
    seconds, work = time.perf_counter() - begin, time.process_time() - work
    peak_memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    more = {f"{kind}_operations_per_s": 0.0 for kind, _ in _operations}
    for kind, count in _operations:
        more[f"{kind}_operations_per_s"] += count / seconds
    words = sum(len(sentence) for sentence in sentences)
    if _word_vectors:
        more["cached_words"] = 1 - (_word_vectors[0]().computed - computed) / words
        begin = time.perf_counter()
        embed(sentences)
        more["words_per_s_again"] = words / (time.perf_counter() - begin)
    some = sentences[:: max(1, len(sentences) // 30)]
    latency = _latency(embed, some)
    with subprocess.Popen([sys.executable, "-c", "while True: pass"]) as neighbor:
        try:
            busy = _latency(embed, some)
        finally:
            neighbor.kill()
    return {
        "words_per_s": words / seconds,
        "words_per_core_s": words / work,
        "latency_ms": 1000 * latency,
        "latency_busy_ms": 1000 * busy,
        "latency_words": sum(len(sentence) for sentence in some) / len(some),
        "load_s": loaded - start,
        "first_s": ready - loaded,
        "memory_mb": peak_memory / 1024,
        **more,
    }


def measure_long(system: str, model: str, sentences: Sentences) -> dict[str, float]:
    """Embed a long text with this library, sentence by sentence as in large jobs, from an empty cache."""
    import elmo

    _, precision = system.split()
    embedder = elmo.load(model, precision=precision)
    embedder.embed([["."]])  # packs the weights
    cache = embedder.engine().word_vectors
    computed, words = cache.computed, sum(len(sentence) for sentence in sentences)
    begin = time.perf_counter()
    for _ in embedder.embed_stream(sentences):
        pass
    seconds = time.perf_counter() - begin
    return {
        "long_words": words,
        "long_words_per_s": words / seconds,
        "long_cached_words": 1 - (cache.computed - computed) / words,
    }


def _first_words(sentences: Sentences, words: int) -> Sentences:
    """Return the first sentences that have at most this many words in all."""
    ends = itertools.accumulate(len(sentence) for sentence in sentences)
    return [sentence for sentence, end in zip(sentences, ends, strict=True) if end <= words]


def main() -> None:
    """Measure one system, or the peak rate of the machine."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("system", choices=[*SYSTEMS, "matrix peak"], help="system to measure, or the machine itself")
    parser.add_argument("--text", type=Path, help="text file with one tokenized sentence per line")
    parser.add_argument("--model", default="", help="name or folder of a model")
    parser.add_argument("--sentences", type=int, default=1000, help="number of sentences (default: 1000)")
    parser.add_argument("--threads", type=int, default=2, help="number of threads (default: 2)")
    parser.add_argument("--long-words", type=int, help="embed this many words of the text in one pass, nothing else")
    parser.add_argument("--vectors", type=Path, help="npz file for the vectors of the first sentences")
    arguments = parser.parse_args()
    os.environ.update(TF_USE_LEGACY_KERAS="1", TF_CPP_MIN_LOG_LEVEL="3", TF_NUM_INTEROP_THREADS="1")
    os.environ.update(dict.fromkeys(("OMP_NUM_THREADS", "TF_NUM_INTRAOP_THREADS"), str(arguments.threads)))
    if "simple_elmo" in arguments.system:
        import tensorflow  # noqa: F401 (so that loading does not include the import)
    else:
        import torch

        torch.set_num_threads(arguments.threads)
        if "elmo" not in arguments.system and arguments.system != "matrix peak":
            import transformers  # noqa: F401 (as above)
    if arguments.system == "matrix peak":
        print(json.dumps({dtype: matrix_peak(dtype) for dtype in PRECISIONS.values()}))
        return
    with arguments.text.open(encoding="utf-8") as lines:
        sentences = [words for line in lines if (words := line.split())]
    if arguments.long_words is not None:
        long = _first_words(sentences, arguments.long_words)
        print(json.dumps(measure_long(arguments.system, arguments.model, long)))
        return
    sentences = sentences[: arguments.sentences]
    print(json.dumps(measure(arguments.system, arguments.model, sentences, arguments.vectors)))


if __name__ == "__main__":
    main()
