"""Training CoVe: pairs of sentences and GloVe become a translator, whose encoder is the comparator.

The held-out pairs share no English sentence with those that are learned.
"""

import dataclasses
import json
import math
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import torch
from safetensors import SafetensorError
from safetensors.torch import save_file
from torch import Tensor, nn
from torch.nn import functional

from elmo.datasets.folders import TaskData
from elmo.datasets.static_vectors import read_vectors
from elmo.datasets.translation import TranslationPair, read_pairs
from elmo.files import replacing_folder, writing
from elmo.model.batches import by_length
from elmo.paper.cove.model import (
    BATCH_TOKENS,
    BOUNDARY,
    CONFIG_FILE,
    GERMAN_FILE,
    METRICS_FILE,
    UNKNOWN,
    VECTORS_FILE,
    WEIGHTS_FILE,
    WORDS_FILE,
    Batch,
    CoveRecipe,
    Numbers,
    Translator,
    build,
    collate,
    read_config,
)
from elmo.results import machine, versions
from elmo.tasks.trainer import FREQUENT_VECTORS, part_of
from elmo.train.loop import Fed, train
from elmo.train.meters import CURVE_FILE, draw_curve, read_log
from elmo.train.pretrain import RECIPES
from elmo.train.runtime import Runtime
from elmo.train.shuffling import feed_examples

SPLIT_SEED = 0
"""The held-out pairs are the same whatever the seed of a run, so that runs can be compared."""


def split_pairs(pairs: Sequence[TranslationPair], held_out: int) -> tuple[list[TranslationPair], list[TranslationPair]]:
    """Pairs to learn from, and all pairs of ``held_out`` English sentences taken at random.

    Sentences that differ in case and punctuation only are one: "Run!" tells how to translate "Run.".
    """
    keys = [_key(pair.english) for pair in pairs]
    distinct = list(dict.fromkeys(keys))
    if held_out >= len(distinct):
        raise ValueError(f"{held_out} sentences cannot be held out: there are {len(distinct)} distinct ones")
    order = np.random.default_rng(SPLIT_SEED).permutation(len(distinct))
    chosen = {distinct[index] for index in order[len(distinct) - held_out :].tolist()}
    learned = [pair for pair, key in zip(pairs, keys, strict=True) if key not in chosen]
    return learned, [pair for pair, key in zip(pairs, keys, strict=True) if key in chosen]


def _key(words: Sequence[str]) -> str:
    spoken = [word.casefold() for word in words if any(map(str.isalnum, word))]
    return " ".join(spoken or words)


def read_cove_recipe(path: str | Path | None = None, *, quick: bool = False) -> CoveRecipe:
    """The recipe that comes with the package, or another; ``quick`` puts in what its part "quick" says otherwise."""
    path = RECIPES / "cove.json" if path is None else Path(path)
    try:
        data = json.loads(path.read_text("utf-8"))
        changes = data.pop("quick", {}) if isinstance(data, dict) else {}
        if quick:
            data |= {**changes, "training": {**data.get("training", {}), **changes.get("training", {})}}
        return CoveRecipe.from_dict(data)
    except FileNotFoundError:
        raise ValueError(f"{path}: no such recipe") from None
    except ValueError as error:
        raise ValueError(f"{path}: {error}") from None


class CoveJob:
    """The job of learning to translate; see ``elmo.train.loop.Job``."""

    title = "train CoVe"
    unit = "pairs"
    objective = "perplexity"
    larger_is_better = False

    def __init__(
        self, model: Translator, pairs: Sequence[Numbers], dev: Sequence[Numbers], batch: int, seed: int
    ) -> None:
        self.module: nn.Module = model
        self.model, self.pairs, self.dev, self.batch, self.seed = model, pairs, dev, batch, seed
        self.sizes = [len(english) + len(german) for english, german in pairs]

    def feed(self, position: dict[str, Any] | None) -> Iterator[Fed]:
        """Batches of pairs of similar size, in another order in every epoch."""
        for fed in feed_examples(self.pairs, self.sizes, self.batch, self.seed, position):
            yield fed._replace(batch=collate(fed.batch, self.model.bias.device))

    def loss(self, module: nn.Module, batch: Batch, step: int) -> Tensor:
        """The loss of a batch."""
        loss: Tensor = module(batch)
        return loss

    @torch.no_grad()
    def evaluate(self) -> dict[str, float]:
        """Perplexity and accuracy of the next German word in the held-out pairs, the end of the sentence included."""
        lengths = [1 + max(len(english), len(german)) for english, german in self.dev]
        loss = right = count = 0.0
        for group in by_length(lengths, BATCH_TOKENS):
            batch = collate([self.dev[index] for index in group], self.model.bias.device)
            scores = self.model.target_scores(batch)
            loss += float(functional.cross_entropy(scores, batch.targets, reduction="sum"))
            right += int((scores.argmax(-1) == batch.targets).sum())
            count += len(batch.targets)
        return {"perplexity": math.exp(min(loss / count, 100)), "accuracy": right / count}


def train_cove(
    pairs_path: str | Path,
    vectors_path: str | Path,
    folder: str | Path,
    recipe: CoveRecipe,
    device: str | torch.device = "cpu",
    *,
    seed: int = 0,
    resume: bool = False,
) -> dict[str, Any]:
    """Learn to translate into ``folder``, and give what ``metrics.json`` then holds."""
    folder, device = Path(folder), torch.device(device)
    pairs, dev = split_pairs(read_pairs(pairs_path), recipe.held_out)
    pairs = [pair for pair in part_of(pairs, recipe.fraction) if max(map(len, pair)) <= recipe.longest]
    if not pairs:
        raise ValueError(f"{pairs_path}: has nothing to learn from")
    data_hash = TaskData((str(pairs_path),), ()).hash()
    begun = {"recipe": dataclasses.asdict(recipe), "data_hash": data_hash, "seed": seed}
    if not resume:
        _begin(folder, begun | {"vectors": str(vectors_path)}, pairs, vectors_path, recipe)
    elif other := [name for name, value in begun.items() if read_config(folder).get(name) != value]:
        raise ValueError(f"{folder}: was begun with another {other[0]}")
    torch.manual_seed(seed)
    model, lexicon = build(folder)
    model.to(device)
    training, measured = [lexicon.numbers(pair) for pair in pairs], [lexicon.numbers(pair) for pair in dev]
    job = CoveJob(model, training, measured, recipe.training.batch, seed)
    train(job, recipe.training.settings(len(training)), folder, Runtime(device), seed=seed, resume=resume)
    return _finish(job, folder)


def _begin(
    folder: Path, begun: dict[str, Any], pairs: Sequence[TranslationPair], vectors_path: str | Path, recipe: CoveRecipe
) -> None:
    """Write down what is about to be done, and the words."""
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise ValueError(f"{folder}: exists already; --resume goes on with it, or name a new folder")
    english = Counter(word for pair in pairs for word in pair.english)
    vectors = read_vectors(vectors_path, FREQUENT_VECTORS, english)
    known = set(vectors.words)
    missing: Counter[str] = Counter()
    for word, count in english.items():
        if word not in known and word.lower() not in known:
            missing[word.lower()] += count
    least = recipe.learned_count
    learned = [word for word, count in missing.most_common() if least is not None and count >= least]
    frequent = Counter(word for pair in pairs for word in pair.german).most_common(recipe.german_words)
    german = [UNKNOWN, BOUNDARY, *(word for word, count in frequent if count >= recipe.german_count)]
    facts = {
        "model_type": "cove",
        **begun,
        "sizes": {"pairs": len(pairs), "fixed": len(known), "learned": len(learned), "german": len(german)},
        "versions": versions(),
        "device": machine(),
    }
    with replacing_folder(folder) as scratch, writing(folder):
        (scratch / CONFIG_FILE).write_text(json.dumps(facts, indent=1, ensure_ascii=False) + "\n", "utf-8")
        (scratch / WORDS_FILE).write_text("".join(f"{word}\n" for word in (*vectors.words, *learned)), "utf-8")
        (scratch / GERMAN_FILE).write_text("".join(f"{word}\n" for word in german), "utf-8")
        _save({"vectors": torch.from_numpy(vectors.values).half()}, scratch / VECTORS_FILE)


def _finish(job: CoveJob, folder: Path) -> dict[str, Any]:
    """Measure the best model, and write it."""
    job.model.eval()
    records = read_log(folder)
    last: dict[str, Any] = {}
    for record in records:
        last |= record
    targets = [number for _, german in job.dev for number in german]
    metrics = {
        **job.evaluate(),
        "unknown": targets.count(0) / len(targets),
        "held_out_pairs": len(job.dev),
        "training_pairs": len(job.pairs),
        "trained": {name: last.get(name, 0) for name in ("step", "pairs", "epochs", "seconds")},
    }
    with replacing_folder(folder) as scratch, writing(folder):
        _save({name: value.detach() for name, value in job.model.state_dict().items()}, scratch / WEIGHTS_FILE)
        (scratch / METRICS_FILE).write_text(json.dumps(metrics, indent=2) + "\n")
    draw_curve(records, "pairs", {"perplexity": "held-out pairs"}, folder / CURVE_FILE, "perplexity of German words")
    return metrics


def _save(tensors: dict[str, Tensor], path: Path) -> None:
    try:
        save_file({name: tensor.cpu().contiguous() for name, tensor in tensors.items()}, path, {"format": "pt"})
    except SafetensorError as error:
        raise OSError(str(error)) from error
