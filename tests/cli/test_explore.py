"""``elmo explore``: what it starts, and its errors."""

import json
import re
import signal
import socket
import subprocess
import sys
import urllib.request
import webbrowser

import pytest

pytest.importorskip("uvicorn", reason="needs elmo-torch[serve]")
pytest.importorskip("fastapi", reason="needs elmo-torch[serve]")
from fastapi.testclient import TestClient

from elmo.cli.explore import explore


@pytest.fixture
def served(monkeypatch):
    """Collect the applications instead of serving them."""
    applications = []
    monkeypatch.setattr("elmo.serve.server.run", lambda app, listener: applications.append(app))
    return applications


def test_the_page_opens_in_a_browser_if_there_is_a_display(served, monkeypatch, published_folder, tmp_path, capsys):
    opened = []
    monkeypatch.setattr(webbrowser, "open", opened.append)
    monkeypatch.setenv("DISPLAY", ":0")
    text = tmp_path / "own.txt"
    text.write_text("A play. We play.", "utf-8")
    vectors = tmp_path / "glove.txt.gz"
    vectors.with_suffix("").write_text("play 1 0\ngame 1 1\n", "utf-8")
    explore([text], str(published_folder), vectors.with_suffix(""), port=0, device="cpu")
    url, token = re.search(
        r"exploring own.txt with published at (http://127.0.0.1:\d+/#token=(\S+))", capsys.readouterr().err
    ).groups()
    assert opened == [url]
    with TestClient(served[0], headers={"authorization": f"Bearer {token}"}) as client:
        status = client.get("/explore/status").json()
        assert (status["sentences"], status["words"], status["static"]) == (2, 6, "glove")
        assert [example["word"] for example in status["examples"]] == ["play"]
        assert client.get("/").status_code == 200
        assert client.get("/explore/status", headers={"authorization": ""}).status_code == 401
    monkeypatch.delenv("DISPLAY")
    monkeypatch.delenv("WAYLAND_DISPLAY", raising=False)
    explore([text], str(published_folder), port=0, device="cpu")
    explore([text], str(published_folder), port=0, device="cpu", browser=False)
    assert len(opened) == (1 if sys.platform.startswith("linux") else 2)


def test_task_models_are_given_by_folder(served, published_folder, task_folders, capsys):
    explore(
        None, str(published_folder), task=[str(task_folders["ner"]), str(task_folders["sst"])], port=0, device="cpu"
    )
    token = re.search(r"#token=(\S+)", capsys.readouterr().err)[1]
    with TestClient(served[0], headers={"authorization": f"Bearer {token}"}) as client:
        assert {"ner", "sst"} <= set(client.get("/explore/status").json()["tasks"])
        assert client.get("/v1/tasks").json()["data"] == []  # none is loaded yet
        assert client.post("/explore/tasks/ner", json={}).json()["title"] == "Named entities"
        assert [card["id"] for card in client.get("/v1/tasks").json()["data"]] == ["ner"]
        assert client.post("/v1/tasks/ner", json={"inputs": ["Ann ran."]}).json()["results"][0]["text"] == "Ann ran."
        assert client.post("/explore/tasks/nothing", json={}).status_code == 404


def test_errors(served, published_folder, tmp_path):
    missing, empty = tmp_path / "missing.txt", tmp_path / "empty.txt"
    empty.write_text("\n", "utf-8")
    model = str(published_folder)
    with pytest.raises(ValueError, match=r"missing\.txt: cannot be read"):
        explore([missing], model, port=0)
    with pytest.raises(ValueError, match=r"the text has no words"):
        explore([empty], model, port=0)
    with pytest.raises(ValueError, match=r"missing\.txt: cannot be read"):
        explore(None, model, missing, port=0)
    with pytest.raises(ValueError, match=r"nowhere: not the name of a model"):
        explore(None, "nowhere", port=0)
    with pytest.raises(ValueError, match=r"nowhere: is not a run folder, and not the name of a task"):
        explore(None, model, task=["nowhere"], port=0)
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        with pytest.raises(ValueError, match=f"cannot listen on 127.0.0.1, port {port}"):
            explore(None, model, port=port)
    assert served == []


def test_it_runs_until_it_is_stopped():
    program = """
import contextlib
from elmo.cli.explore import explore
with contextlib.suppress(KeyboardInterrupt):
    explore(port=0, browser=False, device="cpu")
"""
    with subprocess.Popen([sys.executable, "-c", program], stderr=subprocess.PIPE, text=True) as process:
        line = process.stderr.readline()
        url, token = re.search(r"(http://\S+)#token=(\S+)", line).groups()
        request = urllib.request.Request(f"{url}explore/status", headers={"authorization": f"Bearer {token}"})
        with urllib.request.urlopen(request) as answer:
            assert json.load(answer)["sentences"] > 500
        process.send_signal(signal.SIGINT)
        rest = process.stderr.read()
    assert (process.returncode, rest) == (0, "")
