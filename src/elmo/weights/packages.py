"""Models that come as packages of their own: ``pip install elmo-model-medium`` makes ``elmo.load("medium")`` work.

A model package has an entry point in the group ``elmo.models``. Its name is the name of the model, and it refers to the
model folder, a ``Path``:

    [project.entry-points."elmo.models"]
    medium = "elmo_model_medium:FOLDER"

Trained task models have entry points in the group ``elmo.tasks``, which refer to run folders. Those of this project are
in one package, elmo-model-tasks, and use the model of elmo-model-medium.
"""

from importlib.metadata import entry_points
from pathlib import Path

GROUP = "elmo.models"
TASK_GROUP = "elmo.tasks"
KNOWN = ("korean", "medium")
"""Models that have a package, which may not be installed: the package of NAME is elmo-model-NAME."""


def installed(group: str = GROUP) -> list[str]:
    """List the names of the installed models, or of the installed task models."""
    return sorted({entry.name for entry in entry_points(group=group)})


def package_folder(name: str, group: str = GROUP) -> Path:
    """Return the folder of an installed model.

    Raises:
        ValueError: If the package is damaged.
    """
    [entry, *_] = entry_points(group=group, name=name)
    try:
        folder = Path(entry.load())
    except Exception as error:  # third-party code
        raise ValueError(f"{name}: the package that provides this model is damaged ({error})") from None
    if not folder.is_dir():
        raise ValueError(f"{name}: the package that provides this model is damaged ({folder} is missing)")
    return folder


def how_to_install(name: str) -> str:
    """The command that installs a known model."""
    return f"pip install elmo-model-{name} (in a checkout: pip install ./models/{name})"


def how_to_install_tasks() -> str:
    """The command that installs the task models of this project."""
    return "pip install elmo-model-tasks (in a checkout: pip install ./models/medium ./models/tasks)"
