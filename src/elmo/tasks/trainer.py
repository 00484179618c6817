"""Train a task model, keep it in a run folder, and load it again.

Besides the files of every run (see ``elmo.train.run``), the folder contains:

    words.txt      the words with a static vector, one per line
    learned.txt    the words with a learned one
    elmo/          the biLM, unless it is one that comes with the package

``run.json`` also records the label sets of the model, and ``metrics.json`` the learned weights of the biLM's layers,
the percentage of words without a vector, and the scores on each file of test data if there are several.
"""

import dataclasses
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
from torch import Tensor, nn

from elmo.datasets.folders import TaskData
from elmo.embed.embedder import Embedder
from elmo.engines.engine import Engine
from elmo.files import checksum
from elmo.model.bilm import BiLM
from elmo.settings import Seed, Size
from elmo.tasks.examples import TaskExamples, read_data
from elmo.tasks.inputs import TaskInputs
from elmo.tasks.layer_cache import LayerCache
from elmo.tasks.recipe import TaskRecipe
from elmo.tasks.task import Task, TaskModel, task_named
from elmo.tasks.trained import TaskCard, TaskRecord, TrainedTask
from elmo.tasks.word_list import WordList, choose_words
from elmo.train.loop import TrainingBatch, train
from elmo.train.run import METRICS_FILE, RunFolder
from elmo.train.runtime import Runtime, fast_products
from elmo.train.shuffling import example_batches
from elmo.weights.folder import CARD_FILE, write_folder
from elmo.weights.listing import front_matter
from elmo.weights.locate import kind_of_name, locate, read_model

ELMO_FOLDER = "elmo"

RECORDED = {
    "task": str,
    "elmo": str | None,
    "vectors": str | None,
    "dim": Size | None,
    "recipe": dict,
    "data": dict,
    "data_hash": str,
    "seed": Seed,
    "inventory": dict[str, list[str]],
}
"""What ``run.json`` contains, and the type of each value."""


class TaskJob:
    """The job of training a task model; see ``elmo.train.loop.TrainingJob``."""

    unit = "examples"
    larger_is_better = True
    best_possible: float | None = 100.0

    def __init__(
        self, trained: TrainedTask, examples: Sequence[Any], dev: Sequence[Any], batch_size: int, seed: int
    ) -> None:
        self.title = f"train {trained.task.name}"
        self.objective = trained.task.objective
        self.module: nn.Module = trained.model
        self.trained, self.examples, self.dev, self.batch_size, self.seed = trained, examples, dev, batch_size, seed
        self.sizes = [sum(map(len, trained.task.sequences(example))) for example in examples]

    def batches(self, position: dict[str, Any] | None) -> Iterator[TrainingBatch]:
        """Return batches of examples of similar size, in a new order every epoch."""
        return example_batches(self.examples, self.sizes, self.batch_size, self.seed, position)

    def loss(self, module: nn.Module, examples: Sequence[Any], step: int) -> Tensor:
        """Return the loss of a batch, including the penalty on the layer weights."""
        loss: Tensor = module(examples)
        return loss + self.trained.model.words.penalty()

    def evaluate(self) -> dict[str, float]:
        """Return the scores on the development data."""
        return self.trained.evaluate(self.dev)


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
    max_vectors: int | None = None,
    shared_layers: Path | None = None,
    self_contained: bool = True,
    resume: bool = False,
) -> dict[str, Any]:
    """Train a model for a task and write it to a run folder.

    Args:
        task: The task.
        recipe: The settings of the model and of its training.
        data: The training, development and test files.
        folder: The run folder. It must be empty or absent, unless the run is resumed.
        device: The device to train on.
        seed: Seed of the initial weights, the order of the examples and dropout.
        elmo: Name or folder of a biLM; None trains the baseline.
        vectors: Text file of static word vectors.
        max_vectors: Maximum number of words with a static vector, those at the top of the file, and of words with a
            learned one, the most frequent ones, for a small model. All others are unknown words, also in training.
            None keeps the vectors of all words of the data.
        shared_layers: Folder in which runs on the same data share the layers of a frozen biLM, also runs on a fraction
            of it in other processes; see ``LayerCache.prepare``.
        self_contained: Copy a biLM that is not bundled to the run folder, so that the trained model can be used without
            it.
        resume: Continue the run in the folder. Its data, seed, model and inputs must be the same.

    Returns:
        The content of ``metrics.json``.

    Raises:
        ValueError: If the data cannot be read, if the folder is not empty, or if the run cannot be resumed.
    """
    run = RunFolder(folder)
    if not resume:
        run.require_empty()
    examples = read_data(task, data)
    bilm = None if elmo is None else read_model(locate(elmo)).to(device)
    given = {
        "base_model": None if bilm is None else bilm.fingerprint(),
        "vectors_hash": None if vectors is None else checksum(vectors)["sha256"],
    }
    if resume:
        metadata = run.read(**RECORDED)
        settings = {name: value for name, value in recipe.to_dict().items() if name != "training"}
        known = {name: value for name, value in given.items() if name in metadata}  # older runs do not record them
        run.resume({"task": task.name, "recipe": settings, "data_hash": data.hash(), "seed": seed, **known})
        metadata = run.update(recipe=recipe.to_dict())
    words, static = choose_words(_sequences(task, examples.train), _sequences(task, examples.evaluation), vectors)
    if not resume:
        copied = self_contained and not kind_of_name(str(elmo))
        bilm_name = None if elmo is None else ELMO_FOLDER if copied else str(elmo)
        words = words if max_vectors is None else words.most_frequent(max_vectors)

        def add_files(target: Path) -> None:
            words.write(target)
            if bilm is not None and bilm_name == ELMO_FOLDER:
                write_folder(bilm, target / ELMO_FOLDER)

        metadata = run.begin(
            {
                "task": task.name,
                "elmo": bilm_name,
                "vectors": None if vectors is None else str(vectors),
                "dim": None if static is None else static.dim,
                "max_vectors": max_vectors,
                "recipe": recipe.to_dict(),
                "data": dataclasses.asdict(data),
                "data_hash": data.hash(),
                "seed": seed,
                "inventory": task.label_sets(examples.train),
                **given,
            },
            add_files,
            device,
        )
    torch.manual_seed(seed)
    model = _build_model(task, run, metadata, bilm)
    if static is not None:
        model.words.load_vectors(static)
    model.to(device)
    training = task.for_training(examples.train)
    if not training:
        raise ValueError(f"{', '.join(data.train)}: has no examples that can be trained on")
    # The bits of a layer depend on the sentences that it is computed together with, so that all runs that share layers
    # prepare the same ones.
    prepared = training if shared_layers is None else task.for_training(examples.all_train)
    model.words.prepare(_sequences(task, [*prepared, *examples.evaluation]), shared_layers)
    trained = TrainedTask(task, model, metadata["inventory"])
    job = TaskJob(trained, training, examples.dev, recipe.training.batch, seed)
    with fast_products(device):
        train(job, recipe.training.settings(len(training)), run, Runtime(device), seed=seed, resume=resume)
    return _finish(run, trained, examples)


@dataclass(frozen=True)
class TaskStart:
    """What the run of a task was started with, as ``train_task`` takes it."""

    recipe: TaskRecipe
    data: TaskData
    seed: int
    elmo: str | Path | None
    vectors: str | None
    max_vectors: int | None
    hashes: dict[str, str | None]
    """``data_hash``, ``base_model`` and ``vectors_hash``, as far as they are recorded."""


def recorded_start(task: Task[Any, Any], folder: Path) -> TaskStart:
    """Return what a run was started with, so that it can be resumed.

    Raises:
        ValueError: If the folder is not a run of the task, or if the record is damaged.
    """
    run = RunFolder(folder)
    if run.read().get("task") != task.name:
        raise ValueError(f"{folder}: is not a run of the task {task.name}")
    metadata = run.read(**RECORDED)
    try:
        data = TaskData.from_dict(metadata["data"])
    except ValueError as error:
        raise ValueError(f"{run.path / run.metadata_file}: damaged ({error})") from None
    name = metadata["elmo"]
    return TaskStart(
        _recorded_recipe(run, metadata, task),
        data,
        metadata["seed"],
        folder / ELMO_FOLDER if name == ELMO_FOLDER else name,
        metadata["vectors"],
        metadata.get("max_vectors"),
        {name: metadata.get(name) for name in ("data_hash", "base_model", "vectors_hash")},
    )


def load_run(folder: str | Path, device: str | torch.device | None = None, elmo: Embedder | None = None) -> TrainedTask:
    """Load a model that ``elmo task train`` wrote.

    Args:
        folder: The run folder.
        device: Where to compute; by default, the device of ``elmo``, or else the CPU.
        elmo: The ELMo model that the run was trained with, if it is already loaded. By default it is read.

    Raises:
        ValueError: If the folder is not a finished run of a task, if a file is damaged, or if the run was trained with
            another ELMo model.
    """
    run, metadata = _task_run(folder)
    task = task_named(metadata["task"])
    if elmo is not None and not trained_with(folder, elmo):
        raise ValueError(f"{folder}: was not trained with {elmo!r}; leave out elmo= to load the model that it needs")
    place = device or (torch.device("cpu") if elmo is None else elmo.device)
    if elmo is None and (name := metadata["elmo"]) is not None:
        elmo = Embedder(read_model(_bilm_path(run, metadata)).to(place), name=name, shared=False)
        wanted = metadata.get("base_model")  # older runs do not record it
        if name != ELMO_FOLDER and wanted not in (None, elmo.fingerprint()):
            raise ValueError(f"{folder}: was trained with another version of the model {name}; install that version")
    bilm, engine = (None, None) if elmo is None else (elmo.bilm_to_read, elmo.engine)
    model = _build_model(task, run, metadata, bilm, engine)
    run.load_weights(model)
    model.to(place).eval()
    shared = elmo if model.words.bilm is None else None  # a biLM that was trained along belongs to the task's model
    record = TaskRecord(metadata, WordList.read(run))
    return TrainedTask(task, model, metadata["inventory"], shared, read_card(folder)[1], record)


def task_of(folder: str | Path) -> str:
    """Return the name of the task that a run is for.

    Raises:
        ValueError: If the folder is not a run of a task, or if a file is damaged.
    """
    name: str = _task_run(folder)[1]["task"]
    return name


def trained_with(folder: str | Path, elmo: Embedder) -> bool:
    """Return whether a run was trained with an ELMo model and did not change it, so that it can share it with others.

    Raises:
        ValueError: If the folder is not a run of a task, or if a file is damaged.
    """
    run, metadata = _task_run(folder)
    if metadata["elmo"] is None or not _recorded_recipe(run, metadata, task_named(metadata["task"])).elmo.frozen:
        return False
    # Older runs do not record what the model was.
    wanted = metadata.get("base_model") or read_model(_bilm_path(run, metadata)).fingerprint()
    return bool(wanted == elmo.fingerprint())


def _task_run(folder: str | Path) -> tuple[RunFolder, dict[str, Any]]:
    run = RunFolder(Path(folder))
    if not (record := run.path / run.metadata_file).exists():
        raise ValueError(f"{folder}: not a run folder ({record.name} is missing); name one that elmo task train wrote")
    if "task" not in run.read():
        raise ValueError(f"{folder}: is the run of a language model, not of a task")
    return run, run.read(**RECORDED)


def _bilm_path(run: RunFolder, metadata: dict[str, Any]) -> Path:
    name = metadata["elmo"]
    if name != ELMO_FOLDER:
        return locate(name)
    if not (run.path / name).is_dir():
        raise ValueError(f"{run.path}: was saved without its ELMo model; give that model as elmo=")
    return run.path / name


def read_card(folder: str | Path) -> tuple[Task[Any, Any], TaskCard]:
    """Return the task of a finished run, and what its metrics and the front matter of its card, if it has one, say.

    Raises:
        ValueError: If the folder is not a run of a task, or if a file is damaged.
    """
    run, metadata = _task_run(folder)
    scores: dict[str, dict[str, float] | None] = {"dev": None, "test": None}
    if (run.path / METRICS_FILE).exists():
        metrics = run.metrics(**dict.fromkeys(scores, dict[str, float] | None))
        scores = {split: metrics[split] for split in scores}
    files = ", ".join(Path(path).name for path in metadata["data"].get("train", ()))
    trained_on = front_matter(run.path / CARD_FILE).get("trained_on") or files
    return task_named(metadata["task"]), TaskCard(trained_on, scores)


def _sequences(task: Task[Any, Any], examples: Iterable[Any]) -> Iterator[Sequence[str]]:
    return (words for example in examples for words in task.sequences(example))


def _build_model(
    task: Task[Any, Any],
    run: RunFolder,
    metadata: dict[str, Any],
    bilm: BiLM | None,
    shared_engine: Callable[[], Engine] | None = None,
) -> TaskModel[Any, Any]:
    """Return a model with fresh weights, as the run folder describes it."""
    recipe = _recorded_recipe(run, metadata, task)
    words = WordList.read(run)
    elmo = None if bilm is None else recipe.elmo
    tuned = bilm if elmo is not None and not elmo.frozen else None
    frozen = LayerCache(bilm, shared_engine) if bilm is not None and tuned is None else None
    inputs = TaskInputs(words.static, recipe.inputs, elmo, frozen, tuned, metadata["dim"], words.learned)
    try:
        return task.build(inputs, metadata["inventory"], recipe.model)
    except KeyError as error:
        raise ValueError(f"{run.path / run.metadata_file}: damaged (the inventory has no {error})") from None


def _recorded_recipe(run: RunFolder, metadata: dict[str, Any], task: Task[Any, Any]) -> TaskRecipe:
    try:
        return TaskRecipe.from_dict(metadata["recipe"], task)
    except ValueError as error:
        raise ValueError(f"{run.path / run.metadata_file}: damaged ({error})") from None


def _finish(run: RunFolder, trained: TrainedTask, examples: TaskExamples) -> dict[str, Any]:
    """Evaluate the best model and write it, its scores and the learning curve."""
    metrics = {
        **final_scores(trained, examples),
        "layers": trained.model.words.layer_weights(),
        "words": _word_counts(run, trained.task, examples),
        "trained": run.amount_trained(TaskJob.unit),
    }
    run.finish(trained.model, metrics)
    objective = trained.task.objective
    run.draw_curve(TaskJob.unit, {objective: f"development data, {objective}"}, trained.task.name, scale="linear")
    return metrics


def final_scores(trained: TrainedTask, examples: TaskExamples) -> dict[str, Any]:
    """Return the scores on the development data, the test data, and each file of test data if there are several."""
    test = examples.test
    predictions = [] if test is None else trained.predict(test)
    score = trained.task.score
    return {
        "dev": trained.evaluate(examples.dev),
        "test": None if test is None else score(test, predictions),
        "test_files": {
            name: score((test or [])[part], predictions[part]) for name, part in examples.test_files.items()
        },
    }


def _word_counts(run: RunFolder, task: Task[Any, Any], examples: TaskExamples) -> dict[str, Any]:
    """Return how many words have a vector, and the percentage of words of the data that have none."""
    words = WordList.read(run)
    splits = {"train": examples.train, "dev": examples.dev, "test": examples.test or ()}
    missing = {split: words.missing(_sequences(task, found)) for split, found in splits.items()}
    return {"static": len(words.static), "learned": len(words.learned or ()), **missing}
