"""A path is a path; a bare name is a bundled model."""

import warnings
from pathlib import Path

import pytest
from commands import error_of, run

import elmo
from elmo.weights.locate import BUNDLED, locate
from elmo.weights.packages import package_folder


@pytest.fixture
def here(model: elmo.Embedder, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A working directory with a model in a folder named like a bundled one."""
    model.save(tmp_path / "small")
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize("name", [Path("small"), Path("./small"), "./small", "small/", "../{}/small"], ids=repr)
def test_a_path_is_a_path(here: Path, model: elmo.Embedder, name: str | Path) -> None:
    name = name.format(here.name) if isinstance(name, str) else name
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert elmo.load(name).bilm.config == model.bilm.config


def test_a_bare_name_that_is_both_says_which(here: Path) -> None:
    with pytest.warns(UserWarning, match=r"'small' is both .* bundled model is used .* write '\./small'"):
        assert locate("small") == BUNDLED / "small"
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert locate("medium") == package_folder("medium")
        assert locate(None) == BUNDLED / "small"
    with warnings.catch_warnings():
        warnings.simplefilter("default")
        result = run("info", "small")
    assert result.returncode == 0
    assert result.stderr.decode().startswith("warning: 'small' is both")
    assert len(result.stderr.decode().splitlines()) == 1


@pytest.mark.parametrize(
    "name",
    [Path("smal"), Path("no/where"), "./smal", "../smal", "small/x", "a/b/c", "/no/where", "~/x", "x.zip/y z"],
    ids=repr,
)
def test_a_typo_in_a_path_is_about_the_path(here: Path, name: str | Path) -> None:
    with pytest.raises(FileNotFoundError, match="no such folder or archive"):
        locate(name)


def test_a_typo_on_the_command_line(here: Path) -> None:
    assert error_of(run("info", "./smal")) == "elmo: smal: no such folder or archive"
    assert "not the name of a model, and not a folder or archive here; did you mean small" in error_of(
        run("info", "smal")
    )


@pytest.mark.parametrize(
    ("file", "problem"),
    [
        ("corpus.json", "is a corpus, not a model; elmo pretrain trains one on it"),
        ("run.json", "the training has not finished; continue it with --resume"),
    ],
)
def test_folders_that_are_not_models_yet(file: str, problem: str, tmp_path: Path) -> None:
    (tmp_path / file).write_text("{}")
    with pytest.raises(ValueError, match=problem):
        elmo.load(tmp_path)
