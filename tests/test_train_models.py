"""``dev/train_models.py``: nobody waits for a model that is not being trained."""

import importlib.util
import sys
from pathlib import Path

import pytest

DEV = Path(__file__).parents[1] / "dev"


@pytest.fixture
def script(monkeypatch: pytest.MonkeyPatch):
    if not DEV.is_dir():
        pytest.skip("the folder dev is only in a checkout")
    monkeypatch.syspath_prepend(str(DEV))
    spec = importlib.util.spec_from_file_location("train_models", DEV / "train_models.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    yield module
    sys.modules.pop("move", None)


def test_wait(script, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit, match="a: nothing trains it"):
        script.wait(tmp_path, "a", seconds=10)
    (tmp_path / "a.started").touch()
    script.wait(tmp_path, "a", seconds=0)
    assert "still in training" in capsys.readouterr().out
    (tmp_path / "a.done").touch()
    script.wait(tmp_path, "a", seconds=10)
    (tmp_path / "b.failed").touch()
    with pytest.raises(SystemExit, match="b: nothing trains it"):
        script.wait(tmp_path, "b", seconds=10)


def test_parse(script) -> None:
    text = "big:small:corpus:2.5:from=medium:optimizer=muon:learning_rate=0.002:rows=64:length=96:dropout=0.1:seed=3"
    text += ":warmup_steps=9:evaluate_every=70"
    name, recipe, corpus, others = script.parse(text)
    assert (name, corpus, others) == ("big", Path("corpus"), {"start": "medium", "seed": 3})
    assert (recipe.training.minutes, recipe.training.optimizer, recipe.training.learning_rate) == (2.5, "muon", 0.002)
    assert (recipe.training.warmup_steps, recipe.training.evaluate_every) == (9, 70)
    assert (recipe.rows.rows, recipe.rows.steps, recipe.rows.dropout) == (64, 96, 0.1)
    with pytest.raises(SystemExit, match="unknown options: speed"):
        script.parse("a:small:corpus:1:speed=9")
