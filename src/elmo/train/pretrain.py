"""Pretraining: a corpus and a recipe become a model.

A recipe holds the shape of the model and how to train it, whole; ``recipes/`` has the published shapes.
"""

import dataclasses
import json
import math
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import torch
from torch import Tensor, nn

from elmo.config import BiLMConfig
from elmo.engines.packed import PackedStack
from elmo.files import replacing_file
from elmo.model.bilm import BiLM
from elmo.model.language_model import LanguageModel, PackedBatch
from elmo.model.softmax import LogUniform, Softmax
from elmo.results import machine, versions
from elmo.train.corpus.corpus import Corpus
from elmo.train.corpus.loader import PackedFeed, WordTable, to_device
from elmo.train.corpus.packing import Position
from elmo.train.loop import Fed, Settings, train
from elmo.train.meters import CURVE_FILE, draw_curve, read_log
from elmo.train.perplexity import Perplexity, perplexity
from elmo.train.runtime import Runtime
from elmo.weights.folder import model_card, write_folder

RUN_FILE = "run.json"
"""How a run was begun and what came out, beside the model."""
QUICK_SENTENCES = 1000
"""Held-out sentences that are measured on the way; all of them at the end."""

RECIPES = next(
    (path for path in (Path(__file__).parents[1] / "recipes", Path(__file__).parents[3] / "recipes") if path.is_dir()),
    Path("recipes"),
)
"""The recipes that come with the package (or, in a checkout, with the repository)."""


@dataclass(frozen=True)
class Rows:
    """The shape of a training batch, and what the loss is."""

    steps: int
    """Positions in a row; longer sentences are cut."""
    rows: int
    """Rows in a batch, over all processes."""
    dropout: float
    """On the input of every LSTM layer and of the softmax."""
    samples: int | None
    """Words that the softmax is trained against at a step; null takes all."""
    precision: Literal["float32", "bfloat16"]
    """What a GPU computes in; weights and optimiser are float32 in any case. A CPU computes in float32."""


@dataclass(frozen=True)
class Recipe:
    """Everything about a pretraining run but the corpus and the seed."""

    model: BiLMConfig
    rows: Rows
    training: Settings

    def to_dict(self) -> dict[str, Any]:
        """As JSON."""
        return {
            "model": self.model.to_dict(),
            "rows": dataclasses.asdict(self.rows),
            "training": dataclasses.asdict(self.training),
        }

    @classmethod
    def from_dict(cls, data: Any) -> "Recipe":
        """Read what ``to_dict`` wrote."""
        if not isinstance(data, dict) or data.keys() != {"model", "rows", "training"}:
            raise ValueError("a recipe has the parts model, rows and training")
        try:
            return cls(BiLMConfig.from_dict(data["model"]), Rows(**data["rows"]), Settings(**data["training"]))
        except TypeError as error:
            raise ValueError(str(error).replace("__init__() got an ", "")) from None


def read_recipe(name: str) -> Recipe:
    """A recipe by name, or from a JSON file."""
    path = Path(name) if name.endswith(".json") else RECIPES / "pretrain" / f"{name}.json"
    if not path.exists():
        known = ", ".join(sorted(p.stem for p in (RECIPES / "pretrain").glob("*.json")))
        raise ValueError(f"{name}: no such recipe (there are {known}; or name a .json file)")
    try:
        return Recipe.from_dict(json.loads(path.read_text("utf-8")))
    except ValueError as error:
        raise ValueError(f"{path}: {error}") from None


class Pretraining:
    """The job of training a language model on a corpus; see ``elmo.train.loop.Job``.

    The model's own vocabulary is what it learns to predict.
    """

    unit = "tokens"
    objective = "perplexity"
    larger_is_better = False

    def __init__(
        self,
        model: LanguageModel,
        corpus: Corpus,
        rows: Rows,
        runtime: Runtime,
        *,
        seed: int,
        workers: int = 0,
        title: str = "pretrain",
    ) -> None:
        self.title = title
        self.module: nn.Module = model.to(runtime.device)
        self.model, self.corpus, self.rows, self.runtime = model, corpus, rows, runtime
        self.seed, self.workers = seed, workers
        self.table = WordTable(corpus.types, model.vocabulary, model.bilm.token_layer)
        on_gpu = runtime.device.type == "cuda"
        precise = not on_gpu or rows.precision == "float32"
        dtype = torch.float32 if precise else torch.bfloat16
        self.mine = runtime.share(rows.rows)
        count = self.mine.stop - self.mine.start
        self.lstm = PackedStack(model.bilm.lstm, rows.steps, count, dtype, runtime.device)
        self.sampler = None
        if rows.samples is not None and rows.samples < len(model.vocabulary):
            self.sampler = LogUniform(len(model.vocabulary), rows.samples, runtime.device)
        self.generator = torch.Generator(runtime.device)

    def feed(self, position: dict[str, Any] | None) -> Iterator[Fed]:
        """Packed rows from a position in the corpus."""
        feed = PackedFeed(
            (self.corpus.train.ids, self.corpus.train.offsets),
            self.table,
            steps=self.rows.steps,
            rows=self.rows.rows,
            seed=self.seed,
            start=None if position is None else Position(**position),
            mine=self.mine,
        )
        return feed.loader(self.workers, pin=self.runtime.device.type == "cuda")

    def loss(self, module: nn.Module, batch: PackedBatch, step: int) -> Tensor:
        """The mean loss of a batch; times the number of processes, whose gradients are averaged."""
        sample = None
        if self.sampler is not None:  # the same words in all processes
            sample = self.sampler.draw(self.generator.manual_seed(self.seed * 1_000_003 + step))
        loss: Tensor = module(to_device(batch, self.runtime.device), sample, self.lstm)
        return loss * self.runtime.world

    def evaluate(self) -> dict[str, float]:
        """Perplexities of a part of the held-out text."""
        measured = self.measure(QUICK_SENTENCES)
        return {
            "perplexity": measured.arithmetic,
            "forward perplexity": measured.forward,
            "backward perplexity": measured.backward,
        }

    def measure(self, most: int | None = None) -> Perplexity:
        """Perplexities of (the first ``most`` sentences of) the held-out text."""
        types, sentences = self.corpus.types, self.corpus.heldout
        count = len(sentences) if most is None else min(most, len(sentences))
        words = ([types[i] for i in sentences[index]] for index in range(count))
        return perplexity(self.model, words)


def fresh_model(recipe: Recipe, corpus: Corpus, seed: int) -> LanguageModel:
    """A model of the recipe's shape with weights drawn from the seed."""
    torch.manual_seed(seed)
    # Only a word table looks words up, and then in the vocabulary that is predicted.
    bilm = BiLM(recipe.model, corpus.vocabulary)
    return LanguageModel(bilm, Softmax(corpus.vocabulary, recipe.model.lstm.output_dim), recipe.rows.dropout)


def pretrain(
    corpus: Corpus,
    recipe: Recipe,
    folder: Path,
    runtime: Runtime,
    *,
    seed: int,
    resume: bool = False,
    workers: int = 0,
) -> Perplexity | None:
    """Train a model, and write it to ``folder`` with a record of how it was made.

    Gives the perplexity of the whole held-out text (None in other processes than the main one).
    """
    if runtime.is_main:
        begin(folder, recipe, corpus, seed, resume)
    model = fresh_model(recipe, corpus, seed)
    job = Pretraining(model, corpus, recipe.rows, runtime, seed=seed, workers=workers)
    train(job, recipe.training, folder, runtime, seed=seed, resume=resume)
    if not runtime.is_main:
        return None
    result = job.measure()
    finish(folder, model, corpus.facts, result)
    return result


def begin(folder: Path, recipe: Recipe, corpus: Corpus, seed: int, resume: bool) -> None:
    """Write down what is about to be done; when resuming, check first that it goes on with what was begun.

    A run may be resumed with another budget, which then counts from there on.
    """
    if not len(corpus.heldout):
        raise ValueError("the corpus has no held-out text to measure on; prepare it with --heldout or a fraction")
    if not resume:
        if folder.exists() and any(path.name != "corpus" for path in folder.iterdir()):  # finetune puts its own there
            raise ValueError(f"{folder}: exists already; --resume goes on with it, or name a new folder")
        folder.mkdir(parents=True, exist_ok=True)
        facts = {"recipe": recipe.to_dict(), "seed": seed, "data_hash": corpus.facts["data_hash"]}
        facts |= {**versions(), "device": machine()}
    else:
        facts = read_run(folder)
        begun = Recipe.from_dict(facts["recipe"])
        if facts["data_hash"] != corpus.facts["data_hash"]:
            raise ValueError(f"{folder}: was begun with another corpus")
        if facts["seed"] != seed or begun.model != recipe.model or begun.rows != recipe.rows:
            raise ValueError(f"{folder}: was begun with another seed, model or shape of batches")
        facts["recipe"] = recipe.to_dict()
    with replacing_file(folder / RUN_FILE) as path:
        path.write_text(json.dumps(facts, indent=2) + "\n")


def read_run(folder: Path) -> dict[str, Any]:
    """How a run was begun, and what came out if it has ended."""
    try:
        return dict(json.loads((folder / RUN_FILE).read_text("utf-8")))
    except FileNotFoundError:
        raise ValueError(f"{folder}: no run was begun here") from None
    except ValueError as error:
        raise ValueError(f"{folder / RUN_FILE}: damaged ({error})") from None


def finish(folder: Path, model: LanguageModel, corpus_facts: dict[str, Any], result: Perplexity) -> None:
    """Write the model, the curve and the result of a run."""
    records = read_log(folder)
    last: dict[str, Any] = {}
    for record in records:
        last |= record
    facts = read_run(folder)
    facts["trained"] = {name: last.get(name, 0) for name in ("step", "tokens", "epochs", "seconds")}
    facts["heldout"] = {**dataclasses.asdict(result), "arithmetic": result.arithmetic}
    write_folder(model.bilm, folder, model.softmax, card=_card(model.bilm, facts, corpus_facts, result))
    with replacing_file(folder / RUN_FILE) as path:
        path.write_text(json.dumps(facts, indent=2) + "\n")
    train_curve = [{**r, "training": math.exp(min(r["loss"], 20))} for r in records if "loss" in r]
    series = {"perplexity": "held-out (full softmax)", "training": "training (sampled softmax)"}
    points = train_curve + [r for r in records if "perplexity" in r]
    draw_curve(points, "tokens", series, folder / CURVE_FILE, "perplexity")


def _card(bilm: BiLM, facts: dict[str, Any], corpus: dict[str, Any], result: Perplexity) -> str:
    """The model card, with how the model came to be."""
    done, counts = facts["trained"], corpus["counts"]
    text = (
        f"Trained for {done['step']:,} steps, {done['tokens']:,} tokens ({done['epochs']:.2f} epochs), "
        f"{done['seconds'] / 60:.1f} minutes on {facts['device']}, seed {facts['seed']}, on a corpus of "
        f"{counts['train_sentences']:,} sentences (hash {facts['data_hash'][:12]}).\n\n"
        f"Held-out perplexity (full softmax, every sentence from a zero state): forward {result.forward:.2f}, "
        f"backward {result.backward:.2f}, mean {result.arithmetic:.2f}, over {result.tokens:,} predictions with "
        f"{100 * result.unknown:.2f} % unknown words."
    )
    return model_card(bilm, text)
