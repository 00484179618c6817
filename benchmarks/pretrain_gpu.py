"""How fast one GPU trains, beside a plain PyTorch step, in one run.

    python benchmarks/pretrain_gpu.py [--corpus CORPUS] [--sizes original,medium,small] [--seconds 10]

Ours: the whole step with its data pipeline (packing, distinct words, transfer), sampled softmax, clipping and Adam.
Plain: the same model from stock parts (conv1d over all characters of all distinct words, cuDNN LSTMs with proj_size
and no clips, one for each direction and layer, autocast to bfloat16, the same softmax and optimiser), which cannot
drop its state inside a row and so gets rows of one sentence after the other without resets: easier work.
Without a corpus, words are made up and drawn as natural text draws them.
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
from elmo.text.vocabulary import Vocabulary
from elmo.train.corpus.loader import EncodedTypes, PackedDataset, to_device

SIZES = {"original": (4096, 512, 2), "medium": (2048, 256, 1), "small": (1024, 128, 1)}
VOCABULARY = 100_000
PEAK = 989e12
"""Dense bfloat16 rate of an H100/H200 by its data sheet, FLOP/s."""


def made_up_corpus(tokens: int = 4_000_000, types: int = 300_000):
    """Zipf's law over words of natural length."""
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
    """Multiply-adds of a step, twice for two operations, three times for forward and backward."""
    lstm, cnn = config.lstm, config.token_layer
    per_token = 2 * lstm.n_layers * (2 * lstm.output_dim * 4 * lstm.dim + lstm.dim * lstm.output_dim)
    per_token += 2 * samples * lstm.output_dim
    per_word = sum(16 * w * n * 17 for w, n in cnn.filters)
    per_word += cnn.n_highway * 2 * cnn.filters_dim**2 + cnn.filters_dim * lstm.output_dim
    return 6.0 * (tokens * per_token + words * per_word)


class PlainLanguageModel(nn.Module):
    """The same network from stock parts."""

    def __init__(self, model: LanguageModel) -> None:
        super().__init__()
        config = model.bilm.config
        self.model, self.config = model, config
        self.lstms = nn.ModuleList(
            nn.LSTM(config.lstm.output_dim, config.lstm.dim, proj_size=config.lstm.output_dim) for _ in range(4)
        )

    def forward(self, batch, sample):
        """The loss, as in ``LanguageModel``."""
        cnn = self.model.bilm.token_layer
        with torch.autocast("cuda", dtype=torch.bfloat16):
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
    """One optimisation step after the other."""

    def __init__(self, module: nn.Module, loss_of, samples: int) -> None:
        self.module, self.loss_of = module, loss_of
        self.optimizer = torch.optim.Adam(module.parameters(), lr=1e-4, fused=True)
        self.sampler = LogUniform(VOCABULARY, samples, "cuda")
        self.generator = torch.Generator("cuda")

    def step(self, batch) -> None:
        """Forward, backward, clip, update."""
        loss = self.loss_of(to_device(batch, torch.device("cuda")), self.sampler.draw(self.generator))
        self.optimizer.zero_grad(set_to_none=True)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(self.module.parameters(), 1.0)
        self.optimizer.step()


def measure(trainer: Trainer, feed, seconds: float) -> tuple[float, float]:
    """Tokens a second over whole steps, the data pipeline included; and distinct words a step."""
    for batch in islice(feed, 4):
        trainer.step(batch.inputs)
    torch.cuda.synchronize()
    tokens, words, start = 0, [], time.perf_counter()
    while time.perf_counter() - start < seconds:
        for batch in islice(feed, 5):
            trainer.step(batch.inputs)
            tokens += batch.size
            words.append(sum(map(len, batch.inputs.words)))
        torch.cuda.synchronize()
    return tokens / (time.perf_counter() - start), float(np.mean(words))


def profile(trainer: Trainer, feed, path: Path) -> None:
    """Where the time of a step goes."""
    activities = [torch.profiler.ProfilerActivity.CUDA, torch.profiler.ProfilerActivity.CPU]
    with torch.profiler.profile(activities=activities) as profiler:
        for batch in islice(feed, 3):
            trainer.step(batch.inputs)
        torch.cuda.synchronize()
    averages = profiler.key_averages()
    path.write_text(averages.table(sort_by="self_cuda_time_total", row_limit=50, max_name_column_width=90))


def main() -> None:
    """Measure every size and print one line of JSON for each."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--corpus")
    parser.add_argument("--sizes", default="original,medium,small")
    parser.add_argument("--rows", type=int, default=640)
    parser.add_argument("--steps", type=int, default=64)
    parser.add_argument("--samples", type=int, default=8192)
    parser.add_argument("--seconds", type=float, default=10)
    parser.add_argument("--workers", type=int, default=4)
    parser.add_argument("--no-plain", action="store_true")
    parser.add_argument("--profile", type=Path, help="folder for a table of kernels")
    args = parser.parse_args()
    if args.corpus:
        from elmo.train.corpus.corpus import open_corpus

        corpus = open_corpus(args.corpus)
        types, sentences = corpus.types, (corpus.train.ids, corpus.train.offsets)
    else:
        types, *sentences = made_up_corpus()
    for size in args.sizes.split(","):
        dim, width, highway = SIZES[size]
        torch.manual_seed(0)
        config = elmo.BiLMConfig(CharCNNConfig(n_highway=highway, projection_dim=width), LSTMConfig(dim, width))
        shape = {"steps": args.steps, "rows": args.rows}
        vocabulary = Vocabulary(types[:VOCABULARY])
        table = EncodedTypes(types, vocabulary, elmo.BiLM(config).token_layer)
        feed = PackedDataset(tuple(sentences), table, seed=0, **shape)
        stream = feed.loader(args.workers, pin_memory=True)
        next(stream)  # starts the workers before the GPU is touched
        with torch.device("cuda"):
            model = LanguageModel(elmo.BiLM(config), Softmax(vocabulary, width), dropout=0.1)
        lstm = PackedStack(model.bilm.lstm, args.steps, args.rows, torch.bfloat16, torch.device("cuda"))
        ours = Trainer(model, partial(model, lstm=lstm), args.samples)
        speed, words = measure(ours, stream, args.seconds)
        work = flops(config, args.rows * args.steps, words, args.samples) / (args.rows * args.steps) * speed
        result = {
            "size": size,
            "tokens a step": args.rows * args.steps,
            "distinct words a step": round(words),
            "ours, tokens/s": round(speed),
            "TFLOP/s": round(work / 1e12, 1),
            "of peak": round(work / PEAK, 3),
            "memory, GB": round(torch.cuda.max_memory_allocated() / 1e9, 1),
            "device": torch.cuda.get_device_name(),
            "torch": torch.__version__,
        }
        if args.profile:
            profile(ours, stream, args.profile / f"profile-{size}.txt")
        if not args.no_plain:
            del ours, lstm
            torch.cuda.empty_cache()
            with torch.device("cuda"):
                plain = PlainLanguageModel(model)
            plain_speed, _ = measure(Trainer(plain, plain, args.samples), stream, args.seconds)
            result |= {"plain, tokens/s": round(plain_speed), "times plain": round(speed / plain_speed, 2)}
        del stream
        print(json.dumps(result), flush=True)


if __name__ == "__main__":
    main()
