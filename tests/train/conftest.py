"""A corpus and a recipe for tests."""

import json
from pathlib import Path

import pytest
from train.tiny import TINY, made_up_text

from elmo.train.corpus.prepare import prepare


@pytest.fixture(scope="session")
def corpus_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("corpora")
    (folder / "text.txt").write_text(made_up_text(400))
    (folder / "heldout.txt").write_text(made_up_text(40, seed=1))
    prepare(
        [str(folder / "text.txt")],
        folder / "corpus",
        heldout=[str(folder / "heldout.txt")],
        tokenizer="whitespace",
        keep_duplicates=True,
        min_count=1,
    )
    return folder / "corpus"


@pytest.fixture
def recipe_file(tmp_path: Path) -> Path:
    path = tmp_path / "recipe.json"
    path.write_text(json.dumps(TINY.to_dict()))
    return path
