"""Find trained task models by their names, load them, and save them.

Task models that were trained with the same ELMo model can share it, so that it is in memory only once::

    model = elmo.load("medium")
    ner, srl = elmo.load_task("ner", elmo=model), elmo.load_task("srl", elmo=model)
    ner, srl = load_tasks(["ner", "srl"])       # the same, whatever they were trained with
"""

import warnings
from collections.abc import Iterable
from pathlib import Path

import torch

from elmo.embed.embedder import Embedder
from elmo.engines.devices import checked_device
from elmo.files import WEIGHTS_FILE
from elmo.tasks.task import TASKS
from elmo.tasks.trained import TrainedTask
from elmo.tasks.trainer import ELMO_FOLDER, RECORDED, load_run, trained_with
from elmo.train.checkpoints import save_weights
from elmo.train.run import METRICS_FILE, RunFolder, write_record
from elmo.validation import checked_instance, checked_list, kind
from elmo.weights.folder import CARD_FILE, write_folder
from elmo.weights.packages import TASK_GROUP, how_to_install_tasks, installed, package_folder


def load_task(
    name: str | Path, *, elmo: Embedder | None = None, device: str | torch.device | None = None
) -> TrainedTask:
    """Load a trained task model, which is then called with text.

    Args:
        name: Name of a task whose model is installed ("ner", "srl", "coref", "squad", "snli" or "sst"), or the folder
            that ``elmo task train`` wrote.
        elmo: The ELMo model that it was trained with, if it is loaded already: the result of ``elmo.load``, or the
            attribute ``elmo`` of another task. Both then use the same memory, and no two threads may use them at the
            same time. By default, the model is loaded.
        device: Where to compute, for example "cpu" or "cuda". By default, the device of ``elmo``, or else the CPU.

    Returns:
        The model.

    Raises:
        ValueError: If the model is not installed, if the folder is not a finished run of a task, if a file in it is
            damaged, or if it was trained with another ELMo model.
        OSError: If a file cannot be read.
    """
    checked_instance("elmo", elmo, Embedder, "such as elmo.load('medium')", optional=True)
    checked = None if device is None else checked_device(device)  # before any large file is read
    if checked is not None and elmo is not None and checked.type != elmo.device.type:
        raise ValueError(f"device is {checked}, but elmo is on {elmo.device}; leave out device=")
    return load_run(locate_task(name), checked, elmo)


def load_tasks(
    names: Iterable[str | Path], *, elmo: Iterable[Embedder] = (), device: str | torch.device | None = None
) -> list[TrainedTask]:
    """Load several trained task models, and each ELMo model that they were trained with only once.

    Args:
        names: Names or folders, as for ``load_task``.
        elmo: ELMo models that are loaded already. Those that tasks were trained with are not loaded again.
        device: Where to compute; see ``load_task``.

    Returns:
        The models, in the order of the names.

    Raises:
        ValueError: As for ``load_task``.
        OSError: If a file cannot be read.
    """
    loaded = checked_list("elmo", elmo)
    tasks = []
    for name in checked_list("names", names):
        folder = locate_task(name)
        shared = next((model for model in loaded if trained_with(folder, model)), None)
        task = load_task(folder, elmo=shared, device=device)
        if task.elmo is not None and shared is None:
            loaded.append(task.elmo)
        tasks.append(task)
    return tasks


def locate_task(name: str | Path) -> Path:
    """Return the run folder of a trained task model: that of an installed package, or a folder here.

    Raises:
        ValueError: If there is no such model.
    """
    if not isinstance(name, str | Path):
        raise ValueError(f"name must be the name of a task or a run folder, not {kind(name)}")
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
            f"{name}: no trained model of this task is installed; {how_to_install_tasks()}, or train one with elmo "
            f"task train {name}, and name its folder"
        )
    names = ", ".join(sorted({*TASKS, *installed(TASK_GROUP)}))
    raise ValueError(f"{name}: is not a run folder, and not the name of a task ({names})")


def save_task(task: TrainedTask, folder: str | Path, *, with_elmo: bool = True) -> None:
    """Write a run folder with all that ``load_task`` needs.

    Args:
        task: A model that was loaded.
        folder: The folder to write. It must be empty or absent.
        with_elmo: Also write the ELMo model of the task. Without it, ``load_task`` needs that model as ``elmo=``.

    Raises:
        ValueError: If the folder is not empty, or if the model is still being trained.
    """
    if task.record is None:
        raise ValueError("the model is still being trained; load it from its run folder before you save it")
    metadata, words = task.record
    inputs, bilm = task.model.words, task.model.words.bilm if task.elmo is None else task.elmo.bilm_to_read
    recorded = {name: metadata[name] for name in RECORDED}
    if bilm is not None:
        recorded["elmo"] = ELMO_FOLDER
        recorded["base_model"] = metadata.get("base_model") or bilm.fingerprint()  # older runs do not record it

    def add_files(target: Path) -> None:
        words.write(target)
        save_weights(task.model.state_dict(), target / WEIGHTS_FILE)
        write_record({**task.card.scores, "layers": inputs.layer_weights()}, target / METRICS_FILE)
        (target / CARD_FILE).write_text(f"---\ntrained_on: {task.card.trained_on}\n---\n", "utf-8")
        if bilm is not None and (with_elmo or task.elmo is None):
            write_folder(bilm, target / ELMO_FOLDER)

    RunFolder(Path(folder)).begin(recorded, add_files)
