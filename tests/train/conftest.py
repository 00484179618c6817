"""A corpus, a recipe, and a model trained on that corpus."""

import dataclasses
import json
from pathlib import Path

import pytest
import torch
from train.tiny import TINY, made_up_text

from elmo.train.corpus.corpus import open_corpus
from elmo.train.corpus.prepare import prepare
from elmo.train.pretrain import pretrain
from elmo.train.runtime import Runtime


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


@pytest.fixture(scope="session")
def trained(corpus_folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("trained") / "run"
    longer = dataclasses.replace(TINY, training=dataclasses.replace(TINY.training, steps=300))
    pretrain(open_corpus(corpus_folder), longer, folder, Runtime(torch.device("cpu")), seed=0)
    return folder
