"""Fine-tuning: continue the training of a language model on the text of a domain."""

import dataclasses
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import torch

from elmo.model.bilm import BiLM
from elmo.model.language_model import LanguageModel
from elmo.model.softmax import Softmax
from elmo.settings import Seed, check_value
from elmo.text.vocabulary import Vocabulary
from elmo.train.corpus.corpus import open_corpus
from elmo.train.corpus.prepare import prepare
from elmo.train.loop import TrainingSettings, train
from elmo.train.perplexity import Perplexity
from elmo.train.pretrain import (
    BatchShape,
    Pretraining,
    Recipe,
    finish_run,
    recorded_recipe,
    require_heldout,
    start_run,
)
from elmo.train.run import RunFolder
from elmo.train.runtime import Runtime
from elmo.weights.folder import read_softmax
from elmo.weights.locate import locate, read_model

CORPUS_FOLDER = "corpus"
"""The prepared text, inside the run folder."""
ROW_LENGTH = 64
"""Time steps per row, unless the caller has longer sentences."""


def finetuning_recipe(
    bilm: BiLM, *, epochs: float, learning_rate: float, rows: int, row_length: int = ROW_LENGTH
) -> Recipe:
    """Return a recipe for a model that is already trained: few passes over the text, and a low learning rate."""
    if not bilm.token_layer.trainable:
        raise ValueError("ELMoForManyLangs models cannot be fine-tuned: training does not support their token layer")
    return Recipe(
        model=bilm.config,
        rows=BatchShape(steps=row_length, rows=rows, dropout=0.1, samples=8192, precision="bfloat16"),
        training=TrainingSettings(
            learning_rate=learning_rate, warmup_steps=20, epochs=epochs, evaluate_every=200, log_every=10
        ),
    )


def finetune(
    model: str | Path,
    texts: Sequence[str | Path],
    folder: Path,
    runtime: Runtime,
    *,
    heldout: Sequence[str | Path] = (),
    heldout_fraction: float = 0.05,
    pretokenized: bool = False,
    epochs: float = 1.0,
    learning_rate: float = 1e-3,
    rows: int = 16,
    row_length: int = ROW_LENGTH,
    seed: int = 0,
    resume: bool = False,
    report_text: Callable[[Mapping[str, int]], None] | None = None,
    report_before: Callable[[Perplexity], None] | None = None,
) -> tuple[Perplexity, Perplexity]:
    """Fine-tune a model and write it to a folder, together with the prepared text and a record of the run.

    The model keeps its vocabulary. A model without a softmax gets a new one over the vocabulary of the text,
    which learns alone during the warm-up. Duplicate sentences and copies of held-out ones are removed from the text.

    Args:
        model: Name, folder or Hub id of the model.
        texts: Text files or folders of the domain.
        folder: The run folder. It must be empty or absent, unless the run is resumed.
        runtime: This process and its device.
        heldout: Text files or folders to evaluate on.
        heldout_fraction: Fraction of the sentences to evaluate on if ``heldout`` is empty.
        pretokenized: Whether the text has one tokenized sentence per line. Otherwise the model's tokenizer splits it.
        epochs: Passes over the text.
        learning_rate: Peak learning rate.
        rows: Rows per batch.
        row_length: Time steps per row. Longer sentences are split.
        seed: Seed of the order of the sentences, dropout and the sampled softmax.
        resume: Continue the run in the folder with the text, settings and seed it was started with.
        report_text: Called with the counts of the prepared text (see ``elmo.train.corpus.corpus``) when a run begins.
        report_before: Called with the perplexity of the held-out text before the training begins.

    Returns:
        The perplexity of the held-out text before and after.

    Raises:
        ValueError: If a file cannot be read, if the folder is not empty, or if the run cannot be resumed.
    """
    run = RunFolder(folder)
    path = locate(model)
    bilm = read_model(path)
    softmax = read_softmax(path, bilm)
    recorded = {"base_model": bilm.fingerprint()}
    if resume:
        recipe, seed = recorded_recipe(run)
        recipe = dataclasses.replace(recipe, model=bilm.config)  # compared with the recorded one
        recorded["data_hash"] = open_corpus(run.path / CORPUS_FOLDER).metadata["data_hash"]
        if "base_model" not in run.read():  # older runs do not record it
            del recorded["base_model"]
    else:
        recipe = finetuning_recipe(bilm, epochs=epochs, learning_rate=learning_rate, rows=rows, row_length=row_length)
        check_value(seed, Seed, "seed")

    def add_corpus(target: Path) -> dict[str, Any]:
        """Prepare the text. The corpus appears together with the record of the run, or not at all."""
        metadata = prepare(
            texts,
            target / CORPUS_FOLDER,
            heldout=heldout,
            heldout_fraction=heldout_fraction,
            tokenizer="whitespace" if pretokenized else bilm.config.tokenizer,
            min_count=1,
        )
        require_heldout(metadata["counts"]["heldout_sentences"])
        return {"data_hash": metadata["data_hash"]}

    start_run(
        run,
        recipe,
        runtime.device,
        seed=seed,
        resume=resume,
        base_model_name=str(model),
        add_files=add_corpus,
        **recorded,
    )
    corpus = open_corpus(run.path / CORPUS_FOLDER)
    if report_text is not None and not resume:
        report_text(corpus.metadata["counts"])
    late: Iterable[torch.nn.Parameter] = ()
    if softmax is None:
        late = bilm.parameters()
        torch.manual_seed(seed)
        # A model with a word table predicts the words it knows, so that one vocabulary serves both.
        known = bilm.token_layer.vocabulary
        softmax = Softmax(known if isinstance(known, Vocabulary) else corpus.vocabulary, bilm.config.lstm.output_dim)
    language_model = LanguageModel(bilm, softmax, recipe.rows.dropout)
    job = Pretraining(language_model, corpus, recipe.rows, runtime, seed=seed, workers=0, title="finetune")
    before = job.measure()
    if report_before is not None:
        report_before(before)
    train(job, recipe.training, run, runtime, seed=seed, resume=resume, late=late)
    after = job.measure()
    finish_run(run, language_model, corpus, after, before)
    return before, after
