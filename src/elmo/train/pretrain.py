"""Pretraining: train a language model on a corpus according to a recipe."""

import dataclasses
import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Literal, NamedTuple

import torch
from torch import Tensor, nn

from elmo import recipes
from elmo.config import BiLMConfig, from_fields
from elmo.engines.devices import multiplies_bfloat16
from elmo.engines.packed import PackedStack
from elmo.model.bilm import BiLM
from elmo.model.growth import can_grow, grow_bilm, grow_softmax
from elmo.model.language_model import LanguageModel, PackedBatch
from elmo.model.softmax import LogUniform, Softmax
from elmo.settings import Dropout, Range, Seed, Size, check_fields
from elmo.text.vocabulary import Vocabulary
from elmo.train.corpus.corpus import Corpus
from elmo.train.corpus.loader import EncodedTypes, PackedDataset, to_device
from elmo.train.corpus.packing import Position
from elmo.train.loop import TrainingBatch, TrainingSettings, train
from elmo.train.perplexity import Perplexity, perplexity
from elmo.train.run import RunFolder
from elmo.train.runtime import Runtime
from elmo.weights.folder import model_card, read_softmax, write_folder
from elmo.weights.locate import locate, read_model

EVALUATION_SENTENCES = 1000
"""Held-out sentences scored in each evaluation during training. The final evaluation scores all of them."""
GPU_WORKERS = 4
"""Worker processes that prepare batches for a GPU, unless the caller chooses a number."""


@dataclass(frozen=True)
class BatchShape:
    """The shape of a training batch, and how its loss is computed."""

    steps: Annotated[int, Range(1, 10_000)]
    """Time steps per row. Longer sentences are split."""
    rows: Annotated[int, Range(1, 100_000)]
    """Rows per batch, over all processes."""
    dropout: Dropout
    """Dropout on the input of every LSTM layer and of the softmax."""
    samples: Size | None
    """Number of words sampled for the softmax in each step; None uses the full softmax."""
    precision: Literal["float32", "bfloat16"]
    """Precision of matrix products. Without instructions for bfloat16, a CPU uses float32, as do the weights and the
    optimizer everywhere."""

    def __post_init__(self) -> None:
        """Check the types and limits of all settings."""
        check_fields(self)


@dataclass(frozen=True)
class Recipe:
    """All settings of a pretraining run except the corpus and the seed."""

    model: BiLMConfig
    rows: BatchShape
    training: TrainingSettings

    def to_dict(self) -> dict[str, Any]:
        """Return the recipe as JSON."""
        return {
            "model": self.model.to_dict(),
            "rows": dataclasses.asdict(self.rows),
            "training": dataclasses.asdict(self.training),
        }

    @classmethod
    def from_dict(cls, data: Any) -> "Recipe":
        """Read a recipe from the JSON that ``to_dict`` returns.

        Raises:
            ValueError: If a setting is missing, unknown or out of range.
        """
        if not isinstance(data, dict) or data.keys() != {"model", "rows", "training"}:
            raise ValueError("a pretraining recipe has exactly the sections model, rows and training")
        return cls(
            BiLMConfig.from_dict(data["model"]),
            from_fields(BatchShape, data["rows"], "rows"),
            from_fields(TrainingSettings, data["training"], "training"),
        )


def read_recipe(name: str | Path) -> Recipe:
    """Read a pretraining recipe by name, or from a ``.json`` file; see ``elmo.recipes.read_recipe``."""
    return recipes.read_recipe("pretrain", name, Recipe.from_dict)


class Pretraining:
    """The job of training a language model on a corpus; see ``elmo.train.loop.TrainingJob``.

    The model learns to predict the words of its own vocabulary.
    """

    unit = "tokens"
    objective = "perplexity"
    larger_is_better = False
    best_possible: float | None = None

    def __init__(
        self,
        model: LanguageModel,
        corpus: Corpus,
        shape: BatchShape,
        runtime: Runtime,
        *,
        seed: int,
        workers: int | None = None,
        title: str = "pretrain",
    ) -> None:
        self.title = title
        self.module: nn.Module = model.to(runtime.device)
        self.model, self.corpus, self.shape, self.runtime, self.seed = model, corpus, shape, runtime, seed
        on_gpu = runtime.device.type == "cuda"
        self.workers = workers if workers is not None else GPU_WORKERS if on_gpu else 0
        short = shape.precision == "bfloat16" and multiplies_bfloat16(runtime.device)
        dtype = torch.bfloat16 if short else torch.float32
        grouped = on_gpu and dtype == torch.float32
        self.types = EncodedTypes(corpus.types, model.vocabulary, model.bilm.token_layer, grouped=grouped)
        self.local_rows = runtime.local_rows(shape.rows)
        n_rows = self.local_rows.stop - self.local_rows.start
        self.lstm = PackedStack(model.bilm.lstm, shape.steps, n_rows, dtype, runtime.device)
        self.sampler = None
        if shape.samples is not None and shape.samples < len(model.vocabulary):
            self.sampler = LogUniform(len(model.vocabulary), shape.samples, runtime.device)
        self.generator = torch.Generator(runtime.device)

    def batches(self, position: dict[str, Any] | None) -> Iterator[TrainingBatch]:
        """Return packed batches from a position in the corpus."""
        dataset = PackedDataset(
            (self.corpus.train.ids, self.corpus.train.offsets),
            self.types,
            steps=self.shape.steps,
            rows=self.shape.rows,
            seed=self.seed,
            start=None if position is None else from_fields(Position, position, "position"),
            local_rows=self.local_rows,
        )
        return dataset.loader(self.workers, pin_memory=self.runtime.device.type == "cuda")

    def loss(self, module: nn.Module, batch: PackedBatch, step: int) -> Tensor:
        """Return the mean loss of a batch, multiplied by the number of processes because gradients are averaged."""
        sample = None
        if self.sampler is not None:  # all processes draw the same words
            sample = self.sampler.draw(self.generator.manual_seed(self.seed * 1_000_003 + step))
        loss: Tensor = module(to_device(batch, self.runtime.device), sample, self.lstm)
        return loss * self.runtime.world_size

    def evaluate(self) -> dict[str, float]:
        """Return the perplexities of a part of the held-out text."""
        measured = self.measure(EVALUATION_SENTENCES)
        return {
            "perplexity": measured.arithmetic,
            "forward perplexity": measured.forward,
            "backward perplexity": measured.backward,
        }

    def measure(self, max_sentences: int | None = None) -> Perplexity:
        """Return the perplexities of the held-out text, or of its first ``max_sentences`` sentences."""
        types, sentences = self.corpus.types, self.corpus.heldout
        count = len(sentences) if max_sentences is None else min(max_sentences, len(sentences))
        words = ([types[i] for i in sentences[index]] for index in range(count))
        return perplexity(self.model, words)


def fresh_model(recipe: Recipe, corpus: Corpus, seed: int) -> LanguageModel:
    """Return a model of the recipe's shape with random weights, for text that is split as the corpus was."""
    torch.manual_seed(seed)
    config = dataclasses.replace(recipe.model, tokenizer=corpus.metadata["settings"]["tokenizer"])
    # A word table looks words up in the vocabulary that is predicted; other token layers have no use for it.
    bilm = BiLM(config, corpus.vocabulary)
    return LanguageModel(bilm, Softmax(corpus.vocabulary, config.lstm.output_dim), recipe.rows.dropout)


class Start(NamedTuple):
    """The trained model that a run starts from."""

    fingerprint: str
    has_softmax: bool
    """Whether it could predict words, as published models cannot."""


def start_from(model: LanguageModel, path: Path, seed: int) -> Start:
    """Give a model the weights of a trained one.

    The biLM gets all its weights, and the softmax those of the words that both predict. A smaller model grows.

    Args:
        model: The model to change.
        path: The folder of the trained model.
        seed: Decides how a smaller model grows.

    Raises:
        ValueError: If the shape of the trained model is not that of ``model``, and cannot grow to it.
    """
    trained = read_model(path)
    if not can_grow(dataclasses.replace(trained.config, tokenizer=model.bilm.config.tokenizer), model.bilm.config):
        raise ValueError(
            f"{path}: training cannot start from this model, because its shape is not that of the recipe and cannot "
            "grow to it by a whole factor"
        )
    if isinstance(trained.token_layer.vocabulary, Vocabulary):
        raise ValueError(f"{path}: a model with a word table cannot learn the vocabulary of another corpus")
    generator = torch.Generator().manual_seed(seed)
    grow_bilm(trained, model.bilm, generator)
    softmax = read_softmax(path, trained)
    if softmax is not None:
        shared = [word for word in model.vocabulary.words if word in softmax.vocabulary]
        ours, theirs = ([words.id(word) for word in shared] for words in (model.vocabulary, softmax.vocabulary))
        with torch.no_grad():
            model.softmax.weight[ours] = grow_softmax(softmax.weight, model.softmax.weight.shape[1], generator)[theirs]
            model.softmax.bias[ours] = softmax.bias[theirs]
    return Start(trained.fingerprint(), softmax is not None)


def pretrain(
    corpus: Corpus,
    recipe: Recipe,
    folder: Path,
    runtime: Runtime,
    *,
    seed: int,
    start: str | Path | None = None,
    resume: bool = False,
    workers: int | None = None,
) -> Perplexity | None:
    """Train a language model and write it to a folder, together with a record of the run.

    Args:
        corpus: The training text and the held-out text.
        recipe: The shape of the model, and how to train it.
        folder: The run folder. It must be empty or absent, unless the run is resumed.
        runtime: This process and its device.
        seed: Seed of the initial weights, the order of the sentences, dropout and the sampled softmax.
        start: Name, folder or Hub id of a trained model to start from, of the same shape or of a smaller one that can
            grow to it (see ``elmo.model.growth``). If it has no softmax, a new one learns alone during the warm-up.
            None starts from random weights.
        resume: Continue the run in the folder. Its start, corpus, seed, model and batch shape must be the same; the
            budget may change.
        workers: Number of worker processes that prepare batches (default: 4 for a GPU, none for a CPU).

    Returns:
        The perplexity of the whole held-out text in the main process, None in all others.

    Raises:
        ValueError: If the folder is not empty, or if the run cannot be resumed.
    """
    run = RunFolder(folder)
    model = fresh_model(recipe, corpus, seed)
    trained = None if start is None else start_from(model, locate(start), seed)
    base: dict[str, Any] = {} if trained is None else {"base_model": trained.fingerprint}
    if runtime.is_main:
        require_heldout(len(corpus.heldout))
        if resume and not base and "base_model" in run.read():
            raise ValueError(f"{folder}: cannot be resumed: the run started from a model, which must be given again")
        data_hash = corpus.metadata["data_hash"]
        name = None if start is None else str(start)
        start_run(
            run, recipe, runtime.device, seed=seed, resume=resume, base_model_name=name, data_hash=data_hash, **base
        )
    job = Pretraining(model, corpus, recipe.rows, runtime, seed=seed, workers=workers)
    # The gradients of a softmax that knows nothing yet would spoil a biLM that is trained already.
    late = model.bilm.parameters() if trained is not None and not trained.has_softmax else ()
    train(job, recipe.training, run, runtime, seed=seed, resume=resume, late=late)
    if not runtime.is_main:
        return None
    result = job.measure()
    finish_run(run, model, corpus, result)
    return result


def start_run(
    run: RunFolder,
    recipe: Recipe,
    device: torch.device,
    *,
    seed: int,
    resume: bool,
    base_model_name: str | None = None,
    add_files: Callable[[Path], Mapping[str, Any]] | None = None,
    **recorded: Any,
) -> None:
    """Begin the run of a language model, or resume it with a budget that may have changed.

    Args:
        run: The run folder.
        recipe: The recipe of the run.
        device: The device that it begins on.
        seed: The seed of the run.
        resume: Resume the run instead of beginning it.
        base_model_name: The model that it begins with, if any, so that it need not be named again. A resumed run may
            find the model under another name.
        add_files: See ``RunFolder.begin``.
        recorded: What else defines the run, such as the hash of the corpus.
    """
    settings = recipe.to_dict()
    metadata = {"recipe": settings, "seed": seed, **recorded}
    if resume:
        run.resume({**metadata, "recipe": {name: settings[name] for name in ("model", "rows")}})
        run.update(recipe=settings)
    else:
        named = {} if base_model_name is None else {"base_model_name": base_model_name}
        run.begin(metadata | named, add_files, device)


def recorded_recipe(run: RunFolder) -> tuple[Recipe, int]:
    """Return the recipe and the seed that a run was started with.

    Raises:
        ValueError: If the folder is not the run of a language model, or if the record is damaged.
    """
    metadata = run.read(recipe=dict, seed=Seed)
    try:
        return Recipe.from_dict(metadata["recipe"]), metadata["seed"]
    except ValueError as error:
        raise ValueError(f"{run.path / run.metadata_file}: damaged ({error})") from None


def recorded_base(run: RunFolder) -> tuple[str | None, str | None]:
    """Return the name and the fingerprint of the model that a run began with; None for what is not recorded.

    Raises:
        ValueError: If the folder is not a run, or if the record is damaged.
    """
    names = ("base_model_name", "base_model")
    metadata = run.read(**{name: str for name in names if name in run.read()})
    return metadata.get(names[0]), metadata.get(names[1])


def require_heldout(sentences: int) -> None:
    """Raise a ValueError if a corpus has no held-out text."""
    if not sentences:
        raise ValueError(
            "the corpus has no held-out text to evaluate on; prepare it with --heldout or --heldout-fraction"
        )


def finish_run(
    run: RunFolder, model: LanguageModel, corpus: Corpus, result: Perplexity, before: Perplexity | None = None
) -> None:
    """Write the model, the results and the learning curve of a run.

    Args:
        run: The run folder.
        model: The trained model.
        corpus: What it was trained and evaluated on.
        result: The perplexity of the held-out text.
        before: The same before training, if the run continued the training of a model.
    """
    measured = {"heldout": result} | ({} if before is None else {"heldout_before": before})
    metadata = {
        **run.read(),
        "trained": run.amount_trained("tokens"),
        **{name: {**dataclasses.asdict(one), "arithmetic": one.arithmetic} for name, one in measured.items()},
    }
    write_folder(model.bilm, run.path, model.softmax, card=_card(model.bilm, metadata, corpus, result))
    run.update(**metadata)
    records = [
        {**record, "training": math.exp(min(record["loss"], 20))} if "loss" in record else record
        for record in run.records()
    ]
    series = {"perplexity": "held-out (full softmax)", "training": "training (sampled softmax)"}
    run.draw_curve("tokens", series, "perplexity", records=records)


def _card(bilm: BiLM, metadata: dict[str, Any], corpus: Corpus, result: Perplexity) -> str:
    """Return the model card, with a description of the run."""
    trained, counts = metadata["trained"], corpus.metadata["counts"]
    start = f", starting from the model {metadata['base_model'][:12]}" if "base_model" in metadata else ""
    history = (
        f"Trained for {trained['step']:,} steps on {trained['tokens']:,} tokens ({trained['epochs']:.2f} epochs) in "
        f"{trained['seconds'] / 60:.1f} minutes on {metadata['device']}, with seed {metadata['seed']} and a corpus of "
        f"{counts['train_sentences']:,} sentences (hash {metadata['data_hash'][:12]}){start}.\n\n"
        f"Held-out perplexity (full softmax, every sentence from a zero state): forward {result.forward:.2f}, "
        f"backward {result.backward:.2f}, mean {result.arithmetic:.2f}, over {result.tokens:,} predictions with "
        f"{100 * result.unknown:.2f}% unknown words."
    )
    return model_card(bilm, history)
