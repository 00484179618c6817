"""A cache of its own for every test, so that none finds what another has downloaded."""

from pathlib import Path

import pytest

from elmo.weights import download


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("ELMO_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(download, "PAUSE", 0.001)
    return tmp_path / "cache"
