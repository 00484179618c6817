"""``dev/bundle.py``: from a run to a model package."""

import json
import sys
from pathlib import Path

import pytest
import torch

import elmo
from elmo.model.softmax import Softmax
from elmo.text.vocabulary import Vocabulary
from elmo.train.perplexity import Perplexity
from elmo.weights.locate import locate, read_model

sys.path.append(str(Path(__file__).parents[1] / "dev"))
bundle = pytest.importorskip("bundle", reason="the folder dev is only in a checkout")


def test_the_package_of_the_checkout() -> None:
    """The script writes the files that ``models/medium`` has."""
    bilm = read_model(locate("medium"))
    for path, text in bundle.package_files("medium", bilm.config, bundle.parameter_count(bilm)).items():
        assert (bundle.ROOT / "models/medium" / path).read_text("utf-8") == text


def test_a_cut_vocabulary() -> None:
    softmax = Softmax(Vocabulary(["<S>", "</S>", "<UNK>", "a", "b", "c"]), 4)
    smaller = bundle.cut_vocabulary(softmax, 5)
    assert smaller.vocabulary.words == ("<S>", "</S>", "<UNK>", "a", "b")
    hidden = torch.randn(3, 4)
    torch.testing.assert_close(smaller(hidden), softmax(hidden)[:, :5])


def test_a_model_that_is_too_large(model: elmo.Embedder, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    model.save(tmp_path / "run")
    monkeypatch.setattr(bundle, "MAX_BYTES", 1000)
    with pytest.raises(SystemExit, match="so it was deleted; give --vocabulary-size or --without-softmax"):
        bundle.bundle(tmp_path / "run", "mine", root=tmp_path)
    assert not (tmp_path / "models/mine/src/elmo_model_mine/model").exists()


def test_a_card_needs_what_it_names(model: elmo.Embedder, tmp_path: Path) -> None:
    model.save(tmp_path / "run")
    with pytest.raises(SystemExit, match=r"cards/korean.md needs --corpus and a held-out text"):
        bundle.bundle(tmp_path / "run", "korean", root=tmp_path)


@pytest.mark.parametrize("name", ["small", "medium"])
def test_the_card_of_an_english_model_can_be_filled_in(name: str) -> None:
    runs = [
        json.loads((bundle.ROOT / f"results/pretrain/{run}/run.json").read_text()) for run in (name, f"{name}-first")
    ]
    counts = {"train_tokens": 1_000_000, "vocabulary": 100_000}
    test = Perplexity(50.0, 51.0, 1000, 0.02, 5000, 100)
    values = bundle.card_values(*runs, counts, read_model(locate(name)), None, test)
    template = (bundle.CARDS / bundle.TEMPLATES[name]).read_text("utf-8")
    card = template.format(name=name, **values, before=1.0, after=1.1, bilm_steps=80, softmax_steps=40)
    assert "| test | 50.0 | 51.0 | 50.5 |" in card
    assert "with Muon at a learning rate of" in card


def test_the_card_of_the_korean_model_can_be_filled_in() -> None:
    run = json.loads((bundle.ROOT / "results/pretrain/korean/run.json").read_text())
    counts = {
        "train_tokens": 157_514_139,
        "train_sentences": 5_209_337,
        "heldout_sentences": 3_855,
        "vocabulary": 100_000,
    }
    test = Perplexity(50.0, 51.0, 1000, 0.02, 2500, 100, 1200)
    values = bundle.card_values(run, None, counts, read_model(locate("korean")), None, test)
    template = (bundle.CARDS / "korean.md").read_text("utf-8")
    card = template.format(name="korean", **values, before=1.0, after=1.1, bilm_steps=48, softmax_steps=31)
    assert "trained_on: Korean Wikipedia, 158 million morphemes\n" in card
    assert f"| training | {run['trained']['step']:,} steps, " in card
    assert "| perplexity per morpheme, as stored here | 50.0 | 51.0 | 50.5 |" in card
