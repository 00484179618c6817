"""Train CoVe: learn to translate from sentence pairs and GloVe vectors, and keep the encoder.

No held-out sentence pair has an English sentence that is also trained on.
"""

import dataclasses
import math
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional

from elmo.datasets.folders import TaskData
from elmo.datasets.static_vectors import read_vectors
from elmo.datasets.translation import TranslationPair, read_pairs
from elmo.model.batches import by_length
from elmo.paper.cove.model import (
    BATCH_TOKENS,
    BOUNDARY,
    GERMAN_FILE,
    UNKNOWN,
    VECTORS_FILE,
    WORDS_FILE,
    CoveRecipe,
    PairBatch,
    PairIds,
    Translator,
    build,
    collate,
    cove_run,
)
from elmo.recipes import read_recipe
from elmo.tasks.examples import random_fraction
from elmo.tasks.word_list import FREQUENT_VECTORS
from elmo.train.checkpoints import save_tensors
from elmo.train.loop import TrainingBatch, train
from elmo.train.run import RunFolder
from elmo.train.runtime import Runtime
from elmo.train.shuffling import example_batches

SPLIT_SEED = 0
"""Independent of the seed of a run, so that all runs are evaluated on the same pairs."""


def split_pairs(
    pairs: Sequence[TranslationPair], n_held_out: int
) -> tuple[list[TranslationPair], list[TranslationPair]]:
    """Split pairs into those to train on and all pairs of ``n_held_out`` random English sentences.

    Sentences that differ only in case or punctuation count as one: "Run!" reveals the translation of "Run.".
    """
    keys = [_key(pair.english) for pair in pairs]
    distinct = list(dict.fromkeys(keys))
    if n_held_out >= len(distinct):
        raise ValueError(
            f"cannot hold out {n_held_out} sentences: there are only {len(distinct)} distinct English sentences"
        )
    order = np.random.default_rng(SPLIT_SEED).permutation(len(distinct))
    chosen = {distinct[index] for index in order[len(distinct) - n_held_out :].tolist()}
    training = [pair for pair, key in zip(pairs, keys, strict=True) if key not in chosen]
    return training, [pair for pair, key in zip(pairs, keys, strict=True) if key in chosen]


def _key(words: Sequence[str]) -> str:
    spoken = [word.casefold() for word in words if any(map(str.isalnum, word))]
    return " ".join(spoken or words)


def read_cove_recipe(name: str | Path | None = None, *, quick: bool = False) -> CoveRecipe:
    """Read the recipe that comes with the package, or another one from a ``.json`` file.

    Args:
        name: Name or path of a recipe.
        quick: Apply the changes in the recipe's section "quick", for a small model that trains in minutes.
    """

    def parse(data: Any) -> CoveRecipe:
        changes = data.pop("quick", {}) if isinstance(data, dict) else {}
        if quick:
            data |= {**changes, "training": {**data.get("training", {}), **changes.get("training", {})}}
        return CoveRecipe.from_dict(data)

    return read_recipe("cove", name or "default", parse)


class CoveJob:
    """The job of learning to translate; see ``elmo.train.loop.TrainingJob``."""

    title = "train CoVe"
    unit = "pairs"
    objective = "perplexity"
    larger_is_better = False
    best_possible: float | None = None

    def __init__(
        self,
        model: Translator,
        pairs: Sequence[PairIds],
        dev: Sequence[PairIds],
        batch_size: int,
        seed: int,
        *,
        batch_tokens: int = BATCH_TOKENS,
    ) -> None:
        self.module: nn.Module = model
        self.model, self.pairs, self.dev, self.batch_size, self.seed = model, pairs, dev, batch_size, seed
        self.batch_tokens = batch_tokens
        self.sizes = [len(english) + len(german) for english, german in pairs]

    def batches(self, position: dict[str, Any] | None) -> Iterator[TrainingBatch]:
        """Return batches of pairs of similar length, in a new order every epoch."""
        for batch in example_batches(self.pairs, self.sizes, self.batch_size, self.seed, position):
            yield batch._replace(inputs=collate(batch.inputs, self.model.bias.device))

    def loss(self, module: nn.Module, batch: PairBatch, step: int) -> Tensor:
        """Return the loss of a batch."""
        loss: Tensor = module(batch)
        return loss

    @torch.no_grad()
    def evaluate(self) -> dict[str, float]:
        """Return perplexity and accuracy of the next German word in the held-out pairs, sentence ends included."""
        lengths = [1 + max(len(english), len(german)) for english, german in self.dev]
        loss = correct = count = 0.0
        for group in by_length(lengths, self.batch_tokens):
            batch = collate([self.dev[index] for index in group], self.model.bias.device)
            scores = self.model.target_scores(batch)
            loss += float(functional.cross_entropy(scores, batch.targets, reduction="sum"))
            correct += int((scores.argmax(-1) == batch.targets).sum())
            count += len(batch.targets)
        return {"perplexity": math.exp(min(loss / count, 100)), "accuracy": correct / count}


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
    """Train a translation model and write it to a run folder.

    Args:
        pairs_path: File of English and German sentences; see ``elmo.datasets.translation.read_pairs``.
        vectors_path: Text file of static word vectors, such as GloVe.
        folder: The run folder. It must be empty or absent, unless the run is resumed.
        recipe: The settings of the model and of its training.
        device: The device to train on.
        seed: Seed of the initial weights, the order of the pairs and dropout.
        resume: Continue the run in the folder. Its data, recipe and seed must be the same.

    Returns:
        The content of ``metrics.json``.

    Raises:
        ValueError: If a file cannot be read, if the folder is not empty, or if the run cannot be resumed.
    """
    run, device = cove_run(folder), torch.device(device)
    pairs, dev = split_pairs(read_pairs(pairs_path), recipe.held_out)
    pairs = [pair for pair in random_fraction(pairs, recipe.fraction) if max(map(len, pair)) <= recipe.longest]
    if not pairs:
        raise ValueError(f"{pairs_path}: has no sentence pairs that can be trained on")
    data_hash = TaskData((str(pairs_path),), ()).hash()
    metadata = {"recipe": dataclasses.asdict(recipe), "data_hash": data_hash, "seed": seed}
    if resume:
        run.resume(metadata)
    else:
        _begin(run, metadata, pairs, vectors_path, recipe, device)
    torch.manual_seed(seed)
    model, vocabulary = build(run)
    model.to(device)
    training, evaluation = [vocabulary.ids(pair) for pair in pairs], [vocabulary.ids(pair) for pair in dev]
    job = CoveJob(model, training, evaluation, recipe.training.batch, seed)
    train(job, recipe.training.settings(len(training)), run, Runtime(device), seed=seed, resume=resume)
    return _finish(run, job)


def _begin(
    run: RunFolder,
    metadata: dict[str, Any],
    pairs: Sequence[TranslationPair],
    vectors_path: str | Path,
    recipe: CoveRecipe,
    device: torch.device,
) -> None:
    """Choose the vocabularies, and start the run with them."""
    run.require_empty()  # before the vectors are read, which takes a while
    english = Counter(word for pair in pairs for word in pair.english)
    vectors = read_vectors(vectors_path, FREQUENT_VECTORS, english)
    known = set(vectors.words)
    missing: Counter[str] = Counter()
    for word, count in english.items():
        if word not in known and word.lower() not in known:
            missing[word.lower()] += count
    min_count = recipe.learned_count
    learned = [word for word, count in missing.most_common() if min_count is not None and count >= min_count]
    frequent = Counter(word for pair in pairs for word in pair.german).most_common(recipe.german_words)
    german = [UNKNOWN, BOUNDARY, *(word for word, count in frequent if count >= recipe.german_count)]

    def add_files(folder: Path) -> None:
        for name, words in ((WORDS_FILE, (*vectors.words, *learned)), (GERMAN_FILE, german)):
            (folder / name).write_text("".join(f"{word}\n" for word in words), "utf-8")
        save_tensors({"vectors": torch.from_numpy(vectors.values).half()}, folder / VECTORS_FILE)

    sizes = {"pairs": len(pairs), "fixed": len(known), "learned": len(learned), "german": len(german)}
    run.begin({"model_type": "cove", **metadata, "vectors": str(vectors_path), "sizes": sizes}, add_files, device)


def _finish(run: RunFolder, job: CoveJob) -> dict[str, Any]:
    """Evaluate the best model and write it, its scores and the learning curve."""
    job.model.eval()
    targets = [word for _, german in job.dev for word in german]
    metrics = {
        **job.evaluate(),
        "unknown": targets.count(0) / len(targets),
        "held_out_pairs": len(job.dev),
        "training_pairs": len(job.pairs),
        "trained": run.amount_trained(job.unit),
    }
    run.finish(job.model, metrics)
    run.draw_curve(job.unit, {"perplexity": "held-out pairs"}, "perplexity of German words")
    return metrics
