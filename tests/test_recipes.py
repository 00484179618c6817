"""Recipes by name and from files."""

import json
from pathlib import Path

import pytest

from elmo.recipes import read_recipe, recipe_folder


@pytest.mark.parametrize(("kind", "name"), [("pretrain", "tiny"), ("tasks", "ner"), ("cove", "default")])
def test_by_name(kind: str, name: str) -> None:
    assert "training" in read_recipe(kind, name, dict)
    assert read_recipe(kind, recipe_folder(kind) / f"{name}.json", dict) == read_recipe(kind, name, dict)


def test_errors_name_the_file(tmp_path: Path) -> None:
    with pytest.raises(
        ValueError, match="huge: no such recipe; choose one of cpu, medium, original, small, tiny, or give"
    ):
        read_recipe("pretrain", "huge", dict)
    with pytest.raises(ValueError, match=r"none\.json: no such recipe"):
        read_recipe("tasks", tmp_path / "none.json", dict)
    (tmp_path / "own.json").write_text("{")
    with pytest.raises(ValueError, match=r"own\.json: not valid JSON"):
        read_recipe("tasks", tmp_path / "own.json", dict)
    (tmp_path / "own.json").write_text(json.dumps("text"))
    with pytest.raises(ValueError, match=r"own\.json: .*"):
        read_recipe("tasks", tmp_path / "own.json", dict)
