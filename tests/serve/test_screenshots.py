"""The script that takes the pictures of the documentation."""

import sys
from pathlib import Path

import pytest

pytest.importorskip("playwright", reason="needs playwright (pip install playwright)")
pytest.importorskip("PIL", reason="needs Pillow")
from PIL import Image
from serve.explorer import TOKEN, explorer_app, running

sys.path.append(str(Path(__file__).parents[2] / "dev"))
import screenshots


def test_pictures_of_the_documentation(browser, small, task_folders, tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(screenshots, "DOCS", tmp_path)
    tasks = {"sst": task_folders["sst"]}
    with running(explorer_app(small, token=TOKEN, tasks=tasks)) as address:
        screenshots.take_for_docs(browser, address, TOKEN)
    assert {file.name for file in tmp_path.iterdir()} == {"explorer.png", "explorer-map.png", "explorer-sst.png"}
    for file in tmp_path.iterdir():
        with Image.open(file) as picture:
            width, height = picture.size
        assert width == 1.5 * screenshots.DESKTOP["width"]
        assert height > 500
    assert "ner: no model is installed" in capsys.readouterr().err
