"""Find a trained task model by its name, and load it."""

import warnings
from pathlib import Path

import torch

from elmo.engines.devices import checked_device
from elmo.tasks.task import TASKS
from elmo.tasks.trained import TrainedTask
from elmo.tasks.trainer import load_run
from elmo.validation import kind
from elmo.weights.packages import TASK_GROUP, installed, package_folder


def load_task(name: str | Path, *, device: str | torch.device = "cpu") -> TrainedTask:
    """Load a trained task model, which is then called with text.

    Args:
        name: Name of a task whose model is installed ("ner", "srl", "coref", "squad", "snli" or "sst"), or the folder
            that ``elmo task train`` wrote.
        device: Where to compute, for example "cpu" or "cuda".

    Returns:
        The model.

    Raises:
        ValueError: If the model is not installed, if the folder is not a finished run of a task, or if a file in it is
            damaged.
        OSError: If a file cannot be read.
    """
    if not isinstance(name, str | Path):
        raise ValueError(f"name must be the name of a task or a run folder, not {kind(name)}")
    checked = checked_device(device)  # before any large file is read
    return load_run(locate_task(name), checked)


def locate_task(name: str | Path) -> Path:
    """Return the run folder of a trained task model: that of an installed package, or a folder here.

    Raises:
        ValueError: If there is no such model.
    """
    path = Path(name)
    if isinstance(name, str) and name in installed(TASK_GROUP):
        if path.is_dir():
            warnings.warn(
                f"{name!r} is both the name of a task and a folder here; the installed model is used (for the folder, "
                f"write './{name}')",
                stacklevel=3,
            )
        return package_folder(name, TASK_GROUP)
    if path.exists():
        return path
    if isinstance(name, str) and name in TASKS:
        raise ValueError(
            f"{name}: no trained model of this task is installed; train one with elmo task train {name}, and name its "
            "folder"
        )
    names = ", ".join(sorted({*TASKS, *installed(TASK_GROUP)}))
    raise ValueError(f"{name}: is not a run folder, and not the name of a task ({names})")
