"""Recipes: complete settings of a training run, one JSON file each.

    recipes/pretrain/    shapes of language models, and how to train them: tiny, cpu, small, medium, original
    recipes/tasks/       one recipe per task, and TASK-DATASET for a dataset that needs another one
    recipes/cove/        the translation model behind CoVe

An installed package carries them in ``elmo/data/recipes``; a checkout has them in ``recipes/``.
"""

from collections.abc import Callable
from pathlib import Path
from typing import Any, Literal, TypeVar

from elmo.files import read_json_object

Kind = Literal["pretrain", "tasks", "cove"]
Recipe = TypeVar("Recipe")


def recipe_folder(kind: Kind) -> Path:
    """Return the folder with the recipes of one kind that come with the package."""
    installed, checkout = (Path(__file__).parent / "data" / "recipes", Path(__file__).parents[2] / "recipes")
    return (installed if installed.is_dir() else checkout) / kind


def read_recipe(kind: Kind, name: str | Path, build: Callable[[Any], Recipe]) -> Recipe:
    """Read a recipe by name, or from a JSON file.

    Args:
        kind: What the recipe is for.
        name: The name of a recipe that comes with the package, or the path of a ``.json`` file.
        build: Makes the recipe from the content of the file, or raises a ValueError.

    Raises:
        ValueError: If there is no such recipe, or if it is damaged or incomplete. The message names the file.
    """
    path = Path(name) if str(name).endswith(".json") else recipe_folder(kind) / f"{name}.json"
    try:
        return build(read_json_object(path))
    except FileNotFoundError:
        known = ", ".join(sorted(file.stem for file in recipe_folder(kind).glob("*.json")))
        raise ValueError(f"{name}: no such recipe; choose one of {known}, or give the path of a .json file") from None
    except ValueError as error:
        prefix = "" if str(error).startswith(f"{path}: ") else f"{path}: "
        raise ValueError(f"{prefix}{error}") from None
