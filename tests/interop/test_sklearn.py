import pickle
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("sklearn", reason="scikit-learn is not installed (extra: sklearn)")

from interop.documented import run_examples
from sklearn.base import clone
from sklearn.exceptions import SkipTestWarning
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.utils import estimator_checks
from sklearn.utils.estimator_checks import parametrize_with_checks

import elmo
from elmo.interop import sklearn as adapter
from elmo.interop.sklearn import ELMoVectorizer

SENTENCES = ["The play was sold out.", ["Pre", "-", "tokenized"], "", "It wasn't."]


@pytest.fixture(scope="session")
def folder(model: elmo.Embedder, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("sklearn") / "model"
    model.save_pretrained(folder)
    return folder


@pytest.mark.parametrize(("layers", "pool"), [("average", "mean"), ("top", "max"), (1, "mean"), ("all", "mean")])
def test_vectors(model: elmo.Embedder, folder: Path, layers, pool) -> None:
    matrix = ELMoVectorizer(folder, layers=layers, pool=pool).fit_transform(SENTENCES)
    expected = [s.layers.ravel() for s in model.embed(SENTENCES, layers, pool, tokenize="words")]
    np.testing.assert_array_equal(matrix, np.stack(expected))
    assert matrix.dtype == np.float32


def test_example(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The example covers a pipeline, a grid search and two processes."""
    monkeypatch.chdir(tmp_path)
    [names] = run_examples("scikit-learn")
    expected = elmo.load().embed(names["texts"], "average", "mean", tokenize="words")
    np.testing.assert_allclose(names["vectors"], np.stack([s.layers for s in expected]), atol=1e-5, rtol=1e-5)
    assert names["search"].best_score_ > 0.5
    assert names["search"].predict(["A wonderful play."]) == [1]


with pytest.warns(SkipTestWarning):  # for text estimators, scikit-learn only checks cloning
    every_check_that_applies = parametrize_with_checks([ELMoVectorizer()])


@every_check_that_applies
def test_checks(estimator, check) -> None:
    check(estimator)


@pytest.mark.parametrize(
    "name",
    [
        "check_do_not_raise_errors_in_init_or_set_params",
        "check_estimator_repr",
        "check_estimator_tags_renamed",
        "check_get_params_invariance",
        "check_mixin_order",
        "check_no_attributes_set_in_init",
        "check_parameters_default_constructible",
        "check_set_params",
        "check_valid_tag_types",
    ],
)
def test_checks_without_data(name: str) -> None:
    """The checks of parameters, names and tags; all others pass numeric arrays."""
    getattr(estimator_checks, name)("ELMoVectorizer", ELMoVectorizer())


def test_pickled_by_name(folder: Path) -> None:
    vectorizer = ELMoVectorizer(folder, pool="max").fit(SENTENCES)
    expected = vectorizer.transform(SENTENCES)
    pickled = pickle.dumps(vectorizer)
    assert len(pickled) < 2000
    adapter._load_once.cache_clear()
    for copy in (pickle.loads(pickled), clone(vectorizer)):
        np.testing.assert_array_equal(copy.transform(SENTENCES), expected)
    assert adapter._load_once.cache_info().misses == 1


def test_constructor_reads_nothing() -> None:
    vectorizer = ELMoVectorizer("no-such-model")
    with pytest.raises(ValueError, match="no-such-model"):
        vectorizer.fit(SENTENCES)


def test_a_folder_written_anew_is_read_anew(model: elmo.Embedder, tmp_path: Path) -> None:
    folder = tmp_path / "model"
    model.save(folder)
    vectorizer = ELMoVectorizer(folder)
    before = vectorizer.transform(["the play"])
    other = elmo.load(folder)
    other.bilm.init_weights()
    other.save(folder)
    assert not np.allclose(vectorizer.transform(["the play"]), before)


def test_names_and_containers(folder: Path) -> None:
    vectorizer = ELMoVectorizer(folder)
    assert list(vectorizer.get_feature_names_out()[:2]) == ["elmovectorizer0", "elmovectorizer1"]
    assert len(ELMoVectorizer(folder, layers="all").get_feature_names_out()) == 48
    expected = vectorizer.transform(["a b", "c"])
    np.testing.assert_array_equal(vectorizer.transform(np.array(["a b", "c"])), expected)
    np.testing.assert_array_equal(vectorizer.fit_transform(s for s in ["a b", "c"]), expected)
    assert vectorizer.transform([]).shape == (0, 16)


def test_named_columns(folder: Path) -> None:
    pandas = pytest.importorskip("pandas", reason="pandas is not installed")
    vectorizer = ELMoVectorizer(folder).set_output(transform="pandas")
    table = vectorizer.transform(pandas.Series(["a b", "c"], index=[7, 9]))
    assert table.shape == (2, 16)
    assert table.columns[0] == "elmovectorizer0"


def test_cached_pipeline(folder: Path, tmp_path: Path) -> None:
    pipeline = make_pipeline(ELMoVectorizer(folder), LogisticRegression(), memory=str(tmp_path / "cache"))
    assert pipeline.fit(["good", "bad"], [1, 0]).score(["good", "bad"], [1, 0]) == 1


@pytest.mark.parametrize(
    ("parameters", "words"),
    [
        ({"layers": 7}, "layers must be"),
        ({"layers": "bottom"}, "layers must be"),
        ({"pool": None}, "pool must be"),
        ({"pool": "sum"}, "pool must be"),
        ({"tokenize": "letters"}, "tokenize must be"),
        ({"batch_tokens": 0}, "batch_tokens must be"),
        ({"model": 3}, "model must be"),
    ],
)
def test_wrong_parameters(folder: Path, parameters, words: str) -> None:
    with pytest.raises(ValueError, match=words):
        ELMoVectorizer(**{"model": folder, **parameters}).fit(SENTENCES)


@pytest.mark.parametrize(
    ("sentences", "words"),
    [
        ("one string", "into a list"),
        ([["a"], 3], "sentence 1: expected a string or a list of words, got int"),
        (np.ones((2, 2)), "sentence 0, word 0: expected a string, got float64"),
    ],
)
def test_wrong_sentences(folder: Path, sentences, words: str) -> None:
    with pytest.raises(ValueError, match=words):
        ELMoVectorizer(folder).fit_transform(sentences)
