"""A model of ELMoForManyLangs for the tests of all adapters."""

from pathlib import Path

import pytest
from weights.test_many_langs import write

import elmo


@pytest.fixture(scope="session")
def many_langs_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A small random model of ELMoForManyLangs as a model folder. Treat it as read-only."""
    folder = tmp_path_factory.mktemp("models")
    elmo.load(write(folder / "original")).save(folder / "many-langs")
    return folder / "many-langs"
