"""A biLM fine-tuned on the training text of a task before it is frozen, as in Peters et al. (2018), section 3.4.

It is made once per model and dataset, in ``OUTPUT/finetuned``, and used by the runs of all seeds. Only the training
text is trained on, in the task's own tokens; the development text measures the perplexity before and after.
"""

import hashlib
import shutil
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
from filelock import FileLock

from elmo.datasets.folders import TaskData
from elmo.files import scratch_folder_beside
from elmo.tasks.examples import read_examples
from elmo.tasks.task import Task
from elmo.text.tokens import split_sentences
from elmo.train.finetune import CORPUS_FOLDER, ROW_LENGTH, finetune
from elmo.train.run import CHECKPOINTS_FOLDER, RunFolder
from elmo.train.runtime import Runtime
from elmo.weights.folder import read_softmax
from elmo.weights.locate import locate, read_model

BATCH_TOKENS = 1024
"""Time steps per batch, however long the rows are."""
LONGEST_ROW = 512
WHOLE = 0.95
"""Fraction of the sequences that must fit in a row, so that the biLM learns to read them whole, as the task will."""


@dataclass(frozen=True)
class FinetunedModel:
    """A fine-tuned biLM."""

    folder: Path
    before: float
    """Perplexity of the development text before fine-tuning, the mean of both directions."""
    after: float


def require_softmax(model: str) -> None:
    """Raise a ValueError if a model cannot be fine-tuned because it lacks the softmax that it was trained with.

    A new softmax would have to be learned from the little text of a task, at the cost of the biLM.
    """
    path = locate(model)
    if read_softmax(path, read_model(path)) is None:
        raise ValueError(
            f"{model}: has no softmax, which fine-tuning continues to train; name a model that has one, such as the "
            "folder that elmo pretrain wrote"
        )


def finetuned_model(
    model: str, task: Task[Any, Any], data: TaskData, unit: str, folder: Path, device: torch.device
) -> FinetunedModel:
    """Return a fine-tuned model, which is made first unless it exists. Another process that needs it waits.

    Args:
        model: Name or folder of the biLM.
        task: The task.
        data: Its data. All training examples are used, whatever their fraction.
        unit: What the biLM reads at once, "sequence" or "sentence"; see ``ElmoSettings``.
        folder: The folder of all fine-tuned models.
        device: The device to train on.
    """
    given = (read_model(locate(model)).fingerprint(), data.hash(), data.max_examples, unit)
    run = RunFolder(folder / f"{task.name}-{hashlib.sha256(repr(given).encode()).hexdigest()[:16]}")
    folder.mkdir(parents=True, exist_ok=True)
    with FileLock(f"{run.path}.lock"):
        begun = (run.path / run.metadata_file).exists()
        if not begun or "heldout_before" not in run.read():  # recorded at the end
            with scratch_folder_beside(run.path) as scratch:
                texts = {"train": scratch / "train.txt", "dev": scratch / "dev.txt"}
                row_length = ROW_LENGTH  # a run that is resumed has recorded its own
                if not begun:
                    max_training, max_evaluation = data.max_examples or (None, None)
                    lengths = _write_text(texts["train"], task, read_examples(task, data.train)[:max_training], unit)
                    _write_text(texts["dev"], task, read_examples(task, data.dev)[:max_evaluation], unit)
                    row_length = _row_length(lengths)
                finetune(
                    model,
                    [texts["train"]],
                    run.path,
                    Runtime(device),
                    heldout=[texts["dev"]],
                    pretokenized=True,
                    rows=BATCH_TOKENS // row_length,
                    row_length=row_length,
                    resume=begun,
                )
        for needed_no_more in (CHECKPOINTS_FOLDER, CORPUS_FOLDER):
            shutil.rmtree(run.path / needed_no_more, ignore_errors=True)
        recorded = run.read(heldout=dict[str, float], heldout_before=dict[str, float])
    return FinetunedModel(run.path, recorded["heldout_before"]["arithmetic"], recorded["heldout"]["arithmetic"])


def _row_length(lengths: Sequence[int]) -> int:
    """Return the length of rows in which sequences of these lengths are trained on: a power of two."""
    row_length = ROW_LENGTH
    while row_length < LONGEST_ROW and sum(n < row_length for n in lengths) < WHOLE * len(lengths):  # n + 1 time steps
        row_length *= 2
    return row_length


def _write_text(path: Path, task: Task[Any, Any], examples: Iterable[Any], unit: str) -> list[int]:
    """Write what the biLM reads for examples, one tokenized line each, without repetitions; return their lengths."""
    sequences = dict.fromkeys(tuple(words) for example in examples for words in task.sequences(example))
    units: list[Sequence[str]] = list(sequences)
    if unit == "sentence":
        units = [sentence for words in sequences for sentence in split_sentences(words)]
    path.write_text("".join(f"{' '.join(words)}\n" for words in units), "utf-8")
    return [len(words) for words in units]
