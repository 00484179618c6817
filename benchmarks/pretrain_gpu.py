"""Measure the pretraining speed on a GPU, and compare it with the same model built from standard modules.

    python benchmarks/pretrain_gpu.py [--corpus CORPUS] [--sizes original,medium,small] [--seconds 10]
    python benchmarks/pretrain_gpu.py --device cpu --sizes tiny    # only checks that this script works

"Ours" is a whole training step with its data pipeline (packing, distinct words, transfer), sampled softmax, gradient
clipping and Adam.

"Plain" is the same model with ``nn.Conv1d`` over all characters of the distinct words, one cuDNN ``nn.LSTM`` with
``proj_size`` per direction and layer, autocast to bfloat16, and the same softmax and optimizer. It has less to do:
cuDNN can neither clip nor reset the state where a sentence begins within a row.

The output is one line of JSON per model size.
"""

import argparse
import json
import time
from functools import partial
from itertools import islice
from pathlib import Path

import numpy as np
import torch
from torch import nn

import elmo
from elmo.config import CharCNNConfig, LSTMConfig
from elmo.engines.packed import PackedStack
from elmo.model.language_model import LanguageModel
from elmo.model.softmax import LogUniform, Softmax
from elmo.results import commit, machine
from elmo.text.vocabulary import Vocabulary
from elmo.train.corpus.loader import EncodedTypes, PackedDataset, to_device

SIZES = {"original": (4096, 512, 2), "medium": (2048, 256, 1), "small": (1024, 128, 1), "tiny": (32, 16, 1)}
VOCABULARY = 100_000
PEAK = 989e12
"""Peak dense bfloat16 rate of an H100 or H200 according to its data sheet, in FLOP/s."""


def made_up_corpus(tokens: int = 4_000_000, types: int = 300_000):
    """Generate random words of natural length and sentences that follow Zipf's law.

    Returns:
        The word types, and the ids and offsets of the sentences.
    """
    random = np.random.default_rng(0)
    letters = np.array(list("etaoinshrdlucmfwypvbgkjqxz"))
    lengths = np.clip(random.poisson(6.5, types), 1, 30)
    names = [
        "".join(letters[np.minimum(random.geometric(0.12, n), 26) - 1]) + str(i % 97) for i, n in enumerate(lengths)
    ]
    ranks = np.minimum((types ** random.random(tokens)).astype(np.int64), types - 1)
    sentence = np.clip(random.lognormal(3.0, 0.55, tokens // 20).astype(np.int64), 1, 200)
    offsets = np.concatenate([[0], np.cumsum(sentence)])
    offsets = offsets[: np.searchsorted(offsets, tokens)]
    return ["<S>", "</S>", "<UNK>", *names][:types], (ranks + 3).clip(max=types - 1).astype(np.int32), offsets


def flops(config: elmo.BiLMConfig, tokens: int, words: float, samples: int) -> float:
    """Return the floating-point operations of a step: 2 per multiply-add, times 3 for forward and backward."""
    lstm, cnn = config.lstm, config.token_layer
    per_token = 2 * lstm.n_layers * (2 * lstm.output_dim * 4 * lstm.dim + lstm.dim * lstm.output_dim)
    per_token += 2 * samples * lstm.output_dim
    per_word = sum(16 * w * n * 17 for w, n in cnn.filters)
    per_word += cnn.n_highway * 2 * cnn.filters_dim**2 + cnn.filters_dim * lstm.output_dim
    return 6.0 * (tokens * per_token + words * per_word)


class PlainLanguageModel(nn.Module):
    """The same network built from standard modules."""

    def __init__(self, model: LanguageModel) -> None:
        super().__init__()
        config = model.bilm.config
        self.model, self.config = model, config
        self.lstms = nn.ModuleList(
            nn.LSTM(config.lstm.output_dim, config.lstm.dim, proj_size=config.lstm.output_dim) for _ in range(4)
        )

    def forward(self, batch, sample):
        """Return the loss, as ``LanguageModel`` does."""
        cnn = self.model.bilm.token_layer
        with torch.autocast(batch.positions.device.type, dtype=torch.bfloat16):
            ids = torch.cat([nn.functional.pad(g, (0, 50 - g.shape[1]), value=261) for g in batch.words])
            characters = cnn.embedding(ids).mT
            filters = torch.cat([torch.relu(c(characters).amax(-1)) for c in cnn.convolutions], 1)
            for highway in cnn.highways:
                filters = highway(filters)
            x = nn.functional.embedding(batch.positions, cnn.projection(filters))
            tops = []
            for direction in (0, 1):
                first, _ = self.lstms[direction](x[direction])
                second, _ = self.lstms[2 + direction](first)
                tops.append(first + second)
        hidden = torch.stack(tops).flatten(0, 2).to(torch.bfloat16)
        weights = batch.weights.expand_as(batch.targets).flatten() / 2
        return self.model.softmax.loss(hidden, batch.targets.flatten(), weights, sample)


class Trainer:
    """Runs optimization steps."""

    def __init__(self, module: nn.Module, loss_of, sampler: LogUniform, device: torch.device) -> None:
        self.module, self.loss_of, self.sampler, self.device = module, loss_of, sampler, device
        self.optimizer = torch.optim.Adam(module.parameters(), lr=1e-4, fused=True)
        self.generator = torch.Generator(device)

    def step(self, batch) -> None:
        """Run the forward and backward pass, clip the gradients and update the weights."""
        loss = self.loss_of(to_device(batch, self.device), self.sampler.draw(self.generator))
        self.optimizer.zero_grad(set_to_none=True)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(self.module.parameters(), 1.0)
        self.optimizer.step()

    def wait(self) -> None:
        """Wait until the GPU has finished."""
        if self.device.type == "cuda":
            torch.cuda.synchronize()


def measure(trainer: Trainer, feed, seconds: float) -> tuple[float, float]:
    """Return tokens per second over whole steps, data pipeline included, and the mean number of words per step.

    Words are counted once per step, however often they occur in it.
    """
    for batch in islice(feed, 4):
        trainer.step(batch.inputs)
    trainer.wait()
    tokens, words, start = 0, [], time.perf_counter()
    while time.perf_counter() - start < seconds:
        for batch in islice(feed, 5):
            trainer.step(batch.inputs)
            tokens += batch.size
            words.append(sum(map(len, batch.inputs.words)))
        trainer.wait()
    return tokens / (time.perf_counter() - start), float(np.mean(words))


def profile(trainer: Trainer, feed, path: Path) -> None:
    """Write a table of the kernels that take the most time."""
    activities = [torch.profiler.ProfilerActivity.CUDA, torch.profiler.ProfilerActivity.CPU]
    with torch.profiler.profile(activities=activities) as profiler:
        for batch in islice(feed, 3):
            trainer.step(batch.inputs)
        trainer.wait()
    averages = profiler.key_averages()
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(averages.table(sort_by="self_cuda_time_total", row_limit=50, max_name_column_width=90))


def main() -> None:
    """Measure every size and print one line of JSON for each."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--corpus", help="folder written by elmo prepare (default: random words)")
    parser.add_argument(
        "--sizes", default="original,medium,small", help="sizes, separated by commas (default: original,medium,small)"
    )
    parser.add_argument("--rows", type=int, default=640, help="rows per batch (default: 640)")
    parser.add_argument("--steps", type=int, default=64, help="positions per row (default: 64)")
    parser.add_argument("--samples", type=int, default=8192, help="negative samples of the softmax (default: 8192)")
    parser.add_argument("--seconds", type=float, default=10, help="seconds per measurement (default: 10)")
    parser.add_argument("--workers", type=int, default=4, help="data loader processes (default: 4)")
    parser.add_argument("--tokens", type=int, default=4_000_000, help="size of the random corpus (default: 4000000)")
    parser.add_argument("--device", default="cuda", help="device; cpu only checks that this works (default: cuda)")
    parser.add_argument("--no-plain", action="store_true", help="measure only our implementation")
    parser.add_argument("-o", "--output", type=Path, help="JSON Lines file to append the output to")
    parser.add_argument("--profile", type=Path, help="folder to write a table of the slowest kernels to")
    args = parser.parse_args()
    device = torch.device(args.device)
    on_gpu = device.type == "cuda"
    if args.corpus:
        from elmo.train.corpus.corpus import open_corpus

        corpus = open_corpus(args.corpus)
        types, sentences = corpus.types, (corpus.train.ids, corpus.train.offsets)
        data = corpus.metadata["data_hash"]
    else:
        data = "random words"
        types, *sentences = made_up_corpus(args.tokens, types=min(300_000, args.tokens))
    for size in args.sizes.split(","):
        dim, width, highway = SIZES[size]
        torch.manual_seed(0)
        config = elmo.BiLMConfig(CharCNNConfig(n_highway=highway, projection_dim=width), LSTMConfig(dim, width))
        shape = {"steps": args.steps, "rows": args.rows}
        vocabulary = Vocabulary(types[:VOCABULARY])
        table = EncodedTypes(types, vocabulary, elmo.BiLM(config).token_layer)
        feed = PackedDataset(tuple(sentences), table, seed=0, **shape)
        stream = feed.loader(args.workers, pin_memory=on_gpu)
        next(stream)  # start the workers before CUDA is initialized
        with device:
            model = LanguageModel(elmo.BiLM(config), Softmax(vocabulary, width), dropout=0.1)
        lstm = PackedStack(model.bilm.lstm, args.steps, args.rows, torch.bfloat16, device)
        sampler = LogUniform(len(vocabulary), args.samples, device)
        ours = Trainer(model, partial(model, lstm=lstm), sampler, device)
        speed, words = measure(ours, stream, args.seconds)
        work = flops(config, args.rows * args.steps, words, args.samples) / (args.rows * args.steps) * speed
        result = {
            "size": size,
            "tokens per step": args.rows * args.steps,
            "distinct words per step": round(words),
            "ours, tokens/s": round(speed),
            "TFLOP/s": round(work / 1e12, 1),
            "of peak": round(work / PEAK, 3),
            "memory, GB": round(torch.cuda.max_memory_allocated() / 1e9, 1) if on_gpu else None,
            "device": machine(args.device),
            "torch": torch.__version__,
            "commit": commit(),
            "seed": 0,
            "data": data,
        }
        if args.profile:
            profile(ours, stream, args.profile / f"profile-{size}.txt")
        if not args.no_plain:
            del ours, lstm
            torch.cuda.empty_cache()
            with device:
                plain = PlainLanguageModel(model)
            plain_speed, _ = measure(Trainer(plain, plain, sampler, device), stream, args.seconds)
            result |= {"plain, tokens/s": round(plain_speed), "times plain": round(speed / plain_speed, 2)}
        del stream
        print(json.dumps(result), flush=True)
        if args.output is not None:
            with args.output.open("a", encoding="utf-8") as file:
                file.write(json.dumps(result) + "\n")


if __name__ == "__main__":
    main()
