"""A small model with an index, and servers that speak real HTTP."""

import contextlib
from collections.abc import Callable
from pathlib import Path

import pytest

import elmo
from elmo.search.index import Index, build_index

pytest.importorskip("fastapi", reason="needs elmo-torch[serve]")
pytest.importorskip("uvicorn", reason="needs elmo-torch[serve]")
from serve.servers import CORPUS, random_model, running


@pytest.fixture(scope="session")
def speaker() -> elmo.Embedder:
    """A random model that can predict words."""
    return random_model()


@pytest.fixture(scope="session")
def index(speaker: elmo.Embedder, tmp_path_factory: pytest.TempPathFactory) -> Index:
    folder: Path = tmp_path_factory.mktemp("serve") / "index"
    return build_index(speaker, [line.split() for line in CORPUS], folder)


@pytest.fixture(scope="session")
def serve() -> Callable[..., contextlib.AbstractContextManager[int]]:
    return running
