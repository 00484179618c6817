"""Model packages, and the wheels that people install."""

import os
import subprocess
import sys
import zipfile
from importlib.metadata import EntryPoint
from pathlib import Path

import pytest

import elmo
from elmo.weights import packages
from elmo.weights.locate import locate
from elmo.weights.packages import KNOWN, installed, package_folder

ROOT = Path(__file__).parents[2]
PACKAGES = sorted(path.parent.name for path in ROOT.glob("models/*/pyproject.toml"))
MODELS = [name for name in PACKAGES if name != "tasks"]
MAX_CORE, MAX_MODEL, MAX_TASKS = 25_000_000, 60_000_000, 30_000_000


def test_all_packages_of_the_checkout_are_known_and_installed() -> None:
    assert sorted(KNOWN) == MODELS
    assert set(MODELS) <= set(installed())


@pytest.mark.parametrize("name", MODELS)
def test_models_of_packages_are_found(name: str) -> None:
    assert locate(name) == package_folder(name)
    [entry] = [entry for entry in elmo.models() if entry.name == name]
    assert entry.status == "installed"
    assert entry.parameters
    assert entry.trained_on


def entries(monkeypatch: pytest.MonkeyPatch, *found: EntryPoint) -> None:
    def select(group: str, name: str | None = None) -> list[EntryPoint]:
        return [entry for entry in found if group == entry.group and name in (None, entry.name)]

    monkeypatch.setattr(packages, "entry_points", select)


def test_a_known_model_that_is_not_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    entries(monkeypatch)
    with pytest.raises(ValueError, match=r"medium: this model is not installed; pip install elmo-model-medium"):
        elmo.load("medium")


@pytest.mark.parametrize("value", ["no_such_module:FOLDER", "elmo.weights.packages:NOTHING", "elmo:__version__"])
def test_a_damaged_package(monkeypatch: pytest.MonkeyPatch, value: str) -> None:
    entries(monkeypatch, EntryPoint("mine", value, packages.GROUP))
    with pytest.raises(ValueError, match="mine: the package that provides this model is damaged"):
        elmo.load("mine")


@pytest.fixture(scope="module")
def wheels(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheels of the core and of all model packages, built from this checkout."""
    folder = tmp_path_factory.mktemp("wheels")
    build = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--no-build-isolation", "-w", str(folder)]
    subprocess.run([*build, str(ROOT), *(str(ROOT / "models" / name) for name in PACKAGES)], check=True)
    return folder


def test_sizes(wheels: Path) -> None:
    sizes = {path.name.split("-")[0]: path.stat().st_size for path in wheels.glob("*.whl")}
    assert sizes.pop("elmo_torch") < MAX_CORE
    assert sorted(sizes) == [f"elmo_model_{name}" for name in PACKAGES]
    assert sizes.get("elmo_model_tasks", 0) < MAX_TASKS
    assert all(size < MAX_MODEL for size in sizes.values())
    [core] = wheels.glob("elmo_torch*.whl")
    assert not [name for name in zipfile.ZipFile(core).namelist() if "medium" in name and name.endswith("safetensors")]


def test_installed_wheels(wheels: Path, tmp_path: Path) -> None:
    """Without the checkout: the bundled model, the model packages, the catalog, the recipes and the page."""
    install = [
        sys.executable,
        "-m",
        "pip",
        "install",
        "--quiet",
        "--no-deps",
        "--no-index",
        "--target",
        tmp_path / "site",
    ]
    subprocess.run([*install, *wheels.glob("*.whl")], check=True)
    program = f"""
import elmo, pathlib
assert pathlib.Path(elmo.__file__).is_relative_to({str(tmp_path)!r}), elmo.__file__
for name in ("small", *{MODELS!r}):
    [entry] = [entry for entry in elmo.models() if entry.name == name]
    assert entry.path.is_relative_to({str(tmp_path)!r}), entry
    print(name, elmo.load(name).embed(["The play was sold out."])[0].layers.shape)
from elmo.weights.packages import TASK_GROUP, installed
for name in installed(TASK_GROUP) if "tasks" in {PACKAGES!r} else []:
    assert elmo.load_task(name).task.name == name
assert "english-5.5B" in [entry.name for entry in elmo.models()]
from elmo.train.pretrain import read_recipe
assert read_recipe("tiny")
"""
    environment = {**os.environ, "PYTHONPATH": str(tmp_path / "site")}
    run = [sys.executable, "-c", program]
    found = subprocess.run(run, env=environment, cwd=tmp_path, check=True, capture_output=True, text=True)
    assert found.stdout.startswith("small (3, 6, 256)\n")
