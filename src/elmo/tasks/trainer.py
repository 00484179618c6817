"""Train a task model, keep it in a folder, and use it again.

run.json           what was asked for: task, recipe, data, seed; and what the model can say
words.txt          the words with a static vector, one a line
model.safetensors  the weights
metrics.json       scores, and the learned weights of the biLM's layers
elmo/              the biLM, where it is not one that comes with the package
log.jsonl, curve.png, checkpoints/
"""

import dataclasses
import json
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import numpy as np
import torch
from safetensors import SafetensorError
from safetensors.torch import load_file, save_file
from torch import Tensor, nn

from elmo.config import from_fields
from elmo.datasets.folders import TaskData
from elmo.datasets.static_vectors import read_vectors
from elmo.files import replacing_file, replacing_folder, writing
from elmo.model.batches import by_length
from elmo.model.bilm import BiLM
from elmo.results import machine, versions
from elmo.tasks.inputs import CharacterSettings, ElmoSettings, InputSettings, TaskInputs
from elmo.tasks.layer_cache import LayerCache
from elmo.tasks.task import LabelSets, Task, TaskModel, task_named
from elmo.text.reading import find_texts
from elmo.train.loop import Fed, Settings, train
from elmo.train.meters import CURVE_FILE, draw_curve, read_log
from elmo.train.pretrain import RECIPES, read_run
from elmo.train.runtime import Runtime
from elmo.train.shuffling import feed_examples
from elmo.weights.folder import write_folder
from elmo.weights.locate import bundled, locate, read_model

RUN_FILE = "run.json"
WORDS_FILE = "words.txt"
WEIGHTS_FILE = "model.safetensors"
METRICS_FILE = "metrics.json"
ELMO_FOLDER = "elmo"

FREQUENT_VECTORS = 50_000
"""Static vectors that a model keeps for words it has not seen in its data: so many from the top of the file."""
LEAST_COUNT = 2
"""A word without a static vector gets one of its own if the training data has it so often."""
SAVE_EVERY_MINUTES = 2.0
PREDICT_TOKENS = 8192
"""Positions in a batch of predictions."""


@dataclass(frozen=True)
class TaskTraining:
    """How to train a task model. Budgets do not depend on the amount of data, but for ``epochs``."""

    batch: int
    """Examples in a batch."""
    epochs: float
    least_steps: int
    """Small data is gone through more often, until so many steps are done."""
    evaluations: int
    """How often the model is measured on the development data, evenly over the run."""
    learning_rate: float
    warmup_steps: int = 0
    schedule: Literal["cosine", "constant"] = "cosine"
    clip_norm: float = 5.0
    patience: int | None = None
    """Stop after so many evaluations without a better one."""

    def settings(self, n_examples: int) -> Settings:
        """What the loop needs, for a number of training examples."""
        steps = max(round(self.epochs * -(-n_examples // self.batch)), self.least_steps)
        return Settings(
            learning_rate=self.learning_rate,
            schedule=self.schedule,
            warmup_steps=self.warmup_steps,
            clip_norm=self.clip_norm,
            steps=steps,
            # Without patience the best model is wanted all the same.
            patience=self.patience or self.evaluations + 1,
            evaluate_every=max(1, steps // self.evaluations),
            save_every_minutes=SAVE_EVERY_MINUTES,
            log_every=max(1, min(20, steps // self.evaluations)),
        )


@dataclass(frozen=True)
class TaskRecipe:
    """Everything about a task run but the data, the biLM and the seed."""

    inputs: InputSettings
    elmo: ElmoSettings
    model: Any
    """The task's own settings."""
    training: TaskTraining

    def to_dict(self) -> dict[str, Any]:
        """As JSON."""
        return dataclasses.asdict(self)

    @classmethod
    def from_dict(cls, data: Any, task: Task[Any, Any]) -> "TaskRecipe":
        """Read what ``to_dict`` wrote."""
        if not isinstance(data, dict) or data.keys() != {"inputs", "elmo", "model", "training"}:
            raise ValueError("a recipe for a task has the parts inputs, elmo, model and training")
        inputs = dict(data["inputs"])
        if inputs.get("characters") is not None:
            inputs["characters"] = from_fields(CharacterSettings, inputs["characters"], "inputs.characters")
        return cls(
            from_fields(InputSettings, inputs, "inputs"),
            from_fields(ElmoSettings, data["elmo"], "elmo"),
            from_fields(task.settings, data["model"], "model"),
            from_fields(TaskTraining, data["training"], "training"),
        )


def read_task_recipe(task: Task[Any, Any], name: str | None = None) -> TaskRecipe:
    """The recipe of a task, or another one from a JSON file."""
    path = RECIPES / "tasks" / f"{task.name}.json" if name is None else Path(name)
    try:
        return TaskRecipe.from_dict(json.loads(path.read_text("utf-8")), task)
    except FileNotFoundError:
        raise ValueError(f"{path}: no such recipe") from None
    except ValueError as error:
        raise ValueError(f"{path}: {error}") from None


class TrainedTask:
    """A task and a model for it."""

    def __init__(self, task: Task[Any, Any], model: TaskModel[Any, Any], label_sets: LabelSets) -> None:
        self.task, self.model, self.label_sets = task, model, label_sets

    @torch.no_grad()
    def predict(self, examples: Sequence[Any], progress: Callable[[int], Any] = lambda done: None) -> list[Any]:
        """The answers for any number of examples, in their order."""
        self.model.eval()
        sizes = [self._size(example) for example in examples]
        predictions: list[Any] = [None] * len(examples)
        for group in by_length(sizes, PREDICT_TOKENS):
            answers = self.model.predict([examples[index] for index in group])
            for index, answer in zip(group, answers, strict=True):
                predictions[index] = answer
            progress(len(group))
        return predictions

    def _size(self, example: Any) -> int:
        """The positions that an example takes, padding counted."""
        sequences = self.task.sequences(example)
        return len(sequences) * max(map(len, sequences))

    def evaluate(self, examples: Sequence[Any], progress: Callable[[int], Any] = lambda done: None) -> dict[str, float]:
        """Scores against the examples' own answers."""
        return self.task.score(examples, self.predict(examples, progress))


class TaskJob:
    """The job of training a task model; see ``elmo.train.loop.Job``."""

    unit = "examples"
    larger_is_better = True

    def __init__(
        self, trained: TrainedTask, examples: Sequence[Any], dev: Sequence[Any], batch: int, seed: int
    ) -> None:
        self.title = f"train {trained.task.name}"
        self.objective = trained.task.objective
        self.module: nn.Module = trained.model
        self.trained, self.examples, self.dev, self.batch, self.seed = trained, examples, dev, batch, seed
        self.sizes = [sum(map(len, trained.task.sequences(example))) for example in examples]

    def feed(self, position: dict[str, Any] | None) -> Iterator[Fed]:
        """Batches of examples of similar size, in another order in every epoch."""
        return feed_examples(self.examples, self.sizes, self.batch, self.seed, position)

    def loss(self, module: nn.Module, batch: Sequence[Any], step: int) -> Tensor:
        """The loss of a batch, with lambda's part."""
        loss: Tensor = module(batch)
        return loss + self.trained.model.words.penalty()

    def evaluate(self) -> dict[str, float]:
        """Scores on the development data."""
        return self.trained.evaluate(self.dev)


def read_all(task: Task[Any, Any], paths: Sequence[str]) -> list[Any]:
    """The examples of files and folders."""
    examples = [example for path in find_texts(paths) for example in task.read(path)]
    if not examples:
        raise ValueError(f"{', '.join(map(str, paths))}: has no examples")
    return examples


def part_of(examples: list[Any], fraction: float) -> list[Any]:
    """A random share of the examples; a smaller share is a part of a larger one. At least one is left."""
    if fraction == 1:
        return examples
    order = np.random.default_rng(0).permutation(len(examples))
    return [examples[index] for index in sorted(order[: max(1, round(fraction * len(examples)))].tolist())]


def train_task(
    task: Task[Any, Any],
    recipe: TaskRecipe,
    data: TaskData,
    folder: Path,
    device: torch.device,
    *,
    seed: int,
    elmo: str | Path | None = None,
    vectors: str | Path | None = None,
    layers: LayerCache | None = None,
    resume: bool = False,
) -> dict[str, Any]:
    """Train a model for a task into ``folder``, and give what ``metrics.json`` then holds.

    ``elmo``: the name or folder of a biLM, None for the baseline. ``vectors``: a file of static vectors.
    ``layers``: the frozen biLM with what it has computed in an earlier run, to save doing so again.
    """
    most_training, most_measured = data.max_examples or (None, None)
    examples = part_of(read_all(task, data.train), data.fraction)[:most_training]
    dev = read_all(task, data.dev)[:most_measured]
    test = read_all(task, data.test)[:most_measured] if data.test else None
    bilm = None if elmo is None else layers.bilm if layers is not None else read_model(locate(elmo)).to(device)
    if resume:
        facts = read_run(folder)
        if facts["data_hash"] != data.hash():
            raise ValueError(f"{folder}: was begun with other data")
    else:
        facts = _begin(task, recipe, data, folder, seed, elmo, bilm, examples, vectors, [*dev, *(test or ())])
    torch.manual_seed(seed)
    model = _model_of(task, facts, folder, bilm, layers)
    if vectors is not None:
        model.words.load_vectors(read_vectors(vectors, 0, model.words.words))
    model.to(device)
    training = task.for_training(examples)
    if not training:
        raise ValueError(f"{', '.join(data.train)}: has nothing to learn from")
    if model.words.layers is not None:
        everything = [*training, *dev, *(test or ())]
        model.words.layers.prepare(words for example in everything for words in task.sequences(example))
    trained = TrainedTask(task, model, facts["inventory"])
    job = TaskJob(trained, training, dev, recipe.training.batch, seed)
    train(job, recipe.training.settings(len(training)), folder, Runtime(device), seed=seed, resume=resume)
    return _finish(trained, folder, dev, test)


def _begin(
    task: Task[Any, Any],
    recipe: TaskRecipe,
    data: TaskData,
    folder: Path,
    seed: int,
    elmo: str | Path | None,
    bilm: BiLM | None,
    examples: list[Any],
    vectors: str | Path | None,
    others: list[Any],
) -> dict[str, Any]:
    """Write down what is about to be done, and what the model will know."""
    if folder.exists() and any(folder.iterdir()):
        raise ValueError(f"{folder}: exists already; --resume goes on with it, or name a new folder")
    counts = Counter(word for example in examples for words in task.sequences(example) for word in words)
    words: list[str] = []
    dim = None
    if vectors is not None:
        seen = {word for example in others for words in task.sequences(example) for word in words}
        found = read_vectors(vectors, FREQUENT_VECTORS, {*counts, *seen})
        words, dim = list(found.words), found.dim
    if dim is None or recipe.inputs.tuned:
        known = set(words)
        words += [w for w, n in counts.most_common() if n >= LEAST_COUNT and w not in known and w.lower() not in known]
    facts = {
        "task": task.name,
        "elmo": None if elmo is None else str(elmo) if str(elmo) in bundled() else ELMO_FOLDER,
        "vectors": None if vectors is None else str(vectors),
        "dim": dim,
        "recipe": recipe.to_dict(),
        "data": dataclasses.asdict(data),
        "data_hash": data.hash(),
        "seed": seed,
        "versions": versions(),
        "device": machine(),
        "inventory": task.label_sets(examples),
    }
    if facts["elmo"] == ELMO_FOLDER and bilm is not None:
        write_folder(bilm, folder / ELMO_FOLDER)
    folder.mkdir(parents=True, exist_ok=True)
    with replacing_folder(folder) as scratch:
        (scratch / WORDS_FILE).write_text("".join(f"{word}\n" for word in words), "utf-8")
        (scratch / RUN_FILE).write_text(json.dumps(facts, indent=1, ensure_ascii=False) + "\n", "utf-8")
    return facts


def _model_of(
    task: Task[Any, Any], facts: dict[str, Any], folder: Path, bilm: BiLM | None, layers: LayerCache | None = None
) -> TaskModel[Any, Any]:
    """A model as ``run.json`` describes it, with fresh weights."""
    recipe = TaskRecipe.from_dict(facts["recipe"], task)
    words = (folder / WORDS_FILE).read_text("utf-8").split("\n")[:-1]
    elmo = None if bilm is None else recipe.elmo
    trained_along = bilm if elmo is not None and not elmo.frozen else None
    if bilm is not None and trained_along is None and layers is None:
        layers = LayerCache(bilm)
    frozen = layers if trained_along is None and bilm is not None else None
    inputs = TaskInputs(words, recipe.inputs, elmo, frozen, trained_along, facts["dim"])
    return task.build(inputs, facts["inventory"], recipe.model)


def _finish(trained: TrainedTask, folder: Path, dev: list[Any], test: list[Any] | None) -> dict[str, Any]:
    """Measure the best model, and write it."""
    records = read_log(folder)
    last: dict[str, Any] = {}
    for record in records:
        last |= record
    metrics = {
        "dev": trained.evaluate(dev),
        "test": None if test is None else trained.evaluate(test),
        "layers": trained.model.words.layer_weights(),
        "trained": {name: last.get(name, 0) for name in ("step", "examples", "epochs", "seconds")},
    }
    with replacing_folder(folder) as scratch, writing(folder):
        tensors = {name: value.detach().cpu().contiguous() for name, value in trained.model.state_dict().items()}
        try:
            save_file(tensors, scratch / WEIGHTS_FILE, metadata={"format": "pt"})
        except SafetensorError as error:
            raise OSError(str(error)) from error
        (scratch / METRICS_FILE).write_text(json.dumps(metrics, indent=2) + "\n")
    series = {trained.task.objective: f"development data, {trained.task.objective}"}
    draw_curve(records, "examples", series, folder / CURVE_FILE, trained.task.name, scale="linear")
    return metrics


def load_run(folder: str | Path, device: str | torch.device = "cpu") -> TrainedTask:
    """A model that ``elmo task train`` has written."""
    folder = Path(folder)
    facts = read_run(folder)
    if "task" not in facts:
        raise ValueError(f"{folder}: is the run of a language model, not of a task")
    if not (folder / WEIGHTS_FILE).exists():
        raise ValueError(f"{folder}: is not trained to its end; elmo task train --resume goes on with it")
    task = task_named(facts["task"])
    name = facts["elmo"]
    bilm = None if name is None else read_model(folder / name if name == ELMO_FOLDER else locate(name)).to(device)
    model = _model_of(task, facts, folder, bilm)
    try:
        model.load_state_dict(load_file(folder / WEIGHTS_FILE))
    except (SafetensorError, RuntimeError, OSError) as error:
        raise ValueError(f"{folder / WEIGHTS_FILE}: damaged ({str(error).splitlines()[0]})") from None
    return TrainedTask(task, model.to(device).eval(), facts["inventory"])


def write_json_lines(records: Sequence[dict[str, Any]], path: Path) -> None:
    """A file of JSON lines, whole or absent."""
    with replacing_file(path) as scratch, writing(path):
        scratch.write_text("".join(json.dumps(record, ensure_ascii=False) + "\n" for record in records), "utf-8")
