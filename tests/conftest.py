"""Small models and the places of data, shared by all tests."""

import os
from pathlib import Path

import pytest
import torch
from parity.numpy_bilm import random_model, write_published

import elmo

os.environ["OMP_NUM_THREADS"] = "1"  # for the processes that tests start, for the reason given below

DATA = Path(os.environ.get("ELMO_DATA", Path(__file__).parents[2] / "shared" / "data"))
"""Corpora and task data; tests that need them skip where they are absent."""


@pytest.fixture(scope="session", autouse=True)
def _one_thread() -> None:
    """Small models are faster so, and workers do not fight over the cores."""
    torch.set_num_threads(1)


@pytest.fixture(scope="session")
def published_vectors() -> Path:
    """Folder of the test vectors published with bilm-tf and AllenNLP."""
    folder = DATA.parent / "fixtures"
    if not folder.is_dir():
        pytest.skip(f"the published test vectors are not at {folder} (set ELMO_DATA to a folder beside them)")
    return folder


@pytest.fixture(scope="session")
def published_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A small random model in the published format. Treat it as read-only."""
    folder = tmp_path_factory.mktemp("models") / "published"
    write_published(folder, *random_model(seed=1, scale=2.0))
    return folder


@pytest.fixture(scope="session")
def model(published_folder: Path) -> elmo.Embedder:
    """The same small model, loaded."""
    return elmo.load(published_folder)


@pytest.fixture(scope="session")
def task_folders(tmp_path_factory: pytest.TempPathFactory, published_folder: Path) -> dict[str, Path]:
    """A run folder for each task, of a tiny model that was trained for a few steps. Treat it as read-only."""
    from tasks.test_trainer import SUFFIXES, train, write_sample

    from elmo.datasets.folders import TaskData
    from elmo.tasks.task import TASKS

    folder = tmp_path_factory.mktemp("tasks")
    for name in TASKS:
        path = str(write_sample(name, folder / f"{name}.{SUFFIXES.get(name, 'conll')}", 10, 0))
        train(name, TaskData((path,), (path,)), folder / name, published_folder)
    return {name: folder / name for name in TASKS}


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Skip what needs a GPU where there is none."""
    if not torch.cuda.is_available():
        for item in items:
            if item.get_closest_marker("gpu"):
                item.add_marker(pytest.mark.skip(reason="no CUDA device"))
