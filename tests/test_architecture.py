"""Rules of the code base that no type checker knows; the order of imports is checked by import-linter."""

import ast
import importlib
import re
import subprocess
import sys
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

import pytest

import elmo
from elmo.files import CORPUS_FILE, RUN_FILE, WEIGHTS_FILE

PACKAGE = Path(elmo.__file__).parent
MODULES = {path.relative_to(PACKAGE).as_posix(): ast.parse(path.read_text("utf-8")) for path in PACKAGE.rglob("*.py")}

TOKEN_LAYER_KINDS = {"CharCNN", "WordTable", "WordAndCharCNN"}
TOKEN_LAYER_KINDS |= {f"{kind}Config" for kind in TOKEN_LAYER_KINDS}
ENGINES = {"CPUEngine", "CUDAEngine", "ReferenceEngine"}


def names_in(node: ast.AST) -> set[str]:
    names = {child.id for child in ast.walk(node) if isinstance(child, ast.Name)}
    return names | {child.attr for child in ast.walk(node) if isinstance(child, ast.Attribute)}


def calls(function: str) -> Iterator[tuple[str, ast.Call]]:
    for module, tree in MODULES.items():
        for node in ast.walk(tree):
            if isinstance(node, ast.Call) and function in names_in(node.func):
                yield module, node


def test_nobody_asks_for_the_kind_of_a_token_layer() -> None:
    """Except where kinds are defined (model/, config.py) and where file formats differ by kind (weights/)."""
    found = [
        f"{module}:{call.lineno}"
        for module, call in calls("isinstance")
        if len(call.args) == 2 and names_in(call.args[1]) & TOKEN_LAYER_KINDS
        if not module.startswith(("model/", "weights/")) and module != "config.py"
    ]
    assert found == []


def test_engines_are_chosen_in_one_place() -> None:
    """Engines are made by ``engine_for``, and everyone else asks ``CurrentEngine``, which notices changed weights."""
    found = [f"{module}:{call.lineno}" for engine in ENGINES for module, call in calls(engine)]
    assert [place for place in found if not place.startswith("engines/")] == []
    assert {module for module, _ in calls("engine_for")} == {"engines/current.py"}


@pytest.mark.parametrize("name", [CORPUS_FILE, RUN_FILE, WEIGHTS_FILE])
def test_the_files_that_tell_what_a_folder_is_are_named_once(name: str) -> None:
    constants = [
        module
        for module, tree in MODULES.items()
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant) and node.value == name
    ]
    assert constants == ["files.py"]


def test_no_two_classes_share_a_name() -> None:
    homes = defaultdict(list)
    for module, tree in MODULES.items():
        for node in ast.walk(tree):
            if isinstance(node, ast.ClassDef):
                homes[node.name].append(module)
    assert {name: places for name, places in homes.items() if len(places) > 1} == {}


def test_text_imports_no_torch() -> None:
    modules = [f"elmo.{name[:-3].replace('/', '.')}" for name in MODULES if name.startswith("text/")]
    code = f"import sys, {', '.join(modules)}; sys.exit('torch' in sys.modules)".replace(".__init__", "")
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_sentence_markers_are_written_once() -> None:
    markers = {"<S>", "</S>", "<UNK>"}
    found = {
        module
        for module, tree in MODULES.items()
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant) and node.value in markers
    }
    assert found == {"text/markers.py"}


CONTRIBUTING = PACKAGE.parents[1] / "CONTRIBUTING.md"


@pytest.mark.skipif(not CONTRIBUTING.exists(), reason="the package is installed without its repository")
def test_contributing_names_what_exists() -> None:
    text = CONTRIBUTING.read_text("utf-8")
    for name in set(re.findall(r"`(elmo\.[a-z_.]+\.[A-Za-z_.]+)`", text)):
        module, _, rest = name.partition(".")
        found = importlib.import_module(module)
        for part in rest.split("."):
            if not hasattr(found, part):
                found = importlib.import_module(f"{found.__name__}.{part}")
            else:
                found = getattr(found, part)
    paths = re.split(r"\n\*\*`.*`\*\*\n", text.split("## Four paths")[1].split("\n## ")[0])[1:]
    assert len(paths) == 4
    assert all(len(re.findall(r"^\d+\. ", path, re.MULTILINE)) <= 12 for path in paths)
    folders = {path.name for path in PACKAGE.iterdir() if path.is_dir() and (path / "__init__.py").exists()}
    assert folders == set(re.findall(r"^\| `(\w+)/` \|", text, re.MULTILINE))


def test_new_tensors_name_their_device() -> None:
    """Otherwise torch's default device decides, which users set for their own code; modules may follow it."""
    makers = {"tensor", "zeros", "ones", "empty", "full", "arange", "rand", "randn", "randint", "randperm", "linspace"}
    found = [
        f"{module}:{call.lineno} torch.{call.func.attr}"
        for maker in makers
        for module, call in calls(maker)
        if module.startswith(("model/", "engines/", "embed/", "weights/", "interop/"))
        if isinstance(call.func, ast.Attribute) and call.func.attr == maker
        if isinstance(call.func.value, ast.Name) and call.func.value.id == "torch"
        if not {"device", "generator", "pin_memory"} & {keyword.arg for keyword in call.keywords}
        if call not in _initial_values(MODULES[module])
    ]
    assert found == []


def _initial_values(tree: ast.AST) -> list[ast.expr]:
    """What parameters are made from."""
    made = [node for node in ast.walk(tree) if isinstance(node, ast.Call) and "Parameter" in names_in(node.func)]
    return [value for call in made for argument in call.args for value in ast.walk(argument)]
