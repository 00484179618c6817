"""``elmo serve`` as a user runs it."""

import json
import os
import re
import signal
import socket
import subprocess
import sys
import urllib.request
from pathlib import Path

import numpy as np
import pytest
from commands import error_of, run

import elmo

pytest.importorskip("fastapi", reason="needs elmo-torch[serve]")
pytest.importorskip("uvicorn", reason="needs elmo-torch[serve]")


def start(*arguments: object, **environment: str) -> tuple[subprocess.Popen, str]:
    """Start a server on a free port and return it with its URL."""
    command = [sys.executable, "-m", "elmo", "serve", "--port", "0", *map(str, arguments)]
    server = subprocess.Popen(command, stderr=subprocess.PIPE, text=True, env={**os.environ, **environment})
    line = server.stderr.readline()
    found = re.search(r"^serving (.+) at (http://127\.0\.0\.1:\d+) ", line)
    assert found, line + server.stderr.read()
    return server, found[2]


def request(url: str, body: object = None, **headers: str):
    data = None if body is None else json.dumps(body).encode()
    message = urllib.request.Request(url, data, {"content-type": "application/json", **headers})
    with urllib.request.urlopen(message, timeout=20) as response:
        return json.load(response)


def test_serve(model: elmo.Embedder, published_folder: Path, tmp_path: Path) -> None:
    (tmp_path / "text.txt").write_text("The dorn brint Mavo, tel.\nTel brint a lusk.\n")
    corpus = ["--corpus", tmp_path / "text.txt", "--index", tmp_path / "index"]
    named = ["--model", f"one={published_folder}", "--model", published_folder]
    server, url = start(*named, *corpus, ELMO_API_KEY="secret")
    try:
        assert request(f"{url}/health") == {"status": "ok", "models": ["one", "published"]}
        with pytest.raises(urllib.error.HTTPError, match="401"):
            request(f"{url}/v1/models")
        key = {"authorization": "Bearer secret"}
        answer = request(f"{url}/embed", {"sentences": ["It was sold out."]}, **key)
        assert answer["model"] == "one"
        expected = model.embed(["It was sold out ."])[0].layers
        np.testing.assert_allclose(answer["sentences"][0]["layers"], expected, atol=1e-6)
        found = request(f"{url}/neighbors", {"sentence": "a dorn brint", "word": "brint"}, **key)
        assert len(found["neighbors"]) == 2
        server.send_signal(signal.SIGTERM)
        assert server.wait(20) in (0, -signal.SIGTERM)
        assert "Traceback" not in server.stderr.read()
    finally:
        server.kill()
        server.wait()
        server.stderr.close()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["-m", "{tmp}/none"], "not a bundled model"),
        (["-m", "a={model}", "-m", "a={model}"], "two models are called a"),
        (["-m", "{model}", "--index", "{tmp}"], "is not an index"),
        (["-m", "{model}", "--corpus", "{tmp}/none.txt"], "none.txt"),
        (["-m", "{model}", "--queue-tokens", "5"], "queue_tokens must be at least"),
        (["-m", "{model}", "--api-key", ""], "API key"),
        (["-m", "{model}", "--host", "nowhere.invalid"], "cannot listen on nowhere.invalid, port 0"),
        (["-m", "{model}", "--port", "70000"], "--port"),
    ],
)
def test_bad_options(published_folder: Path, tmp_path: Path, arguments: list[str], message: str) -> None:
    filled = [argument.format(tmp=tmp_path, model=published_folder) for argument in arguments]
    assert message in error_of(run("serve", "--port", "0", *filled))


def test_port_in_use(published_folder: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        assert f"cannot listen on 127.0.0.1, port {port}" in error_of(
            run("serve", "-m", published_folder, "--port", port)
        )


def test_an_index_of_another_model(published_folder: Path, tmp_path: Path) -> None:
    from elmo.search.index import build_index

    build_index(elmo.load(), [["a"]], tmp_path / "index", "top")
    arguments = ["-m", published_folder, "--port", 0, "--index", tmp_path / "index"]
    assert "was built with another model than published" in error_of(run("serve", *arguments))


def test_without_the_extra(published_folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "uvicorn", None)
    monkeypatch.delitem(sys.modules, "elmo.serve.server", raising=False)
    assert "pip install 'elmo-torch[serve]'" in error_of(run("serve", "-m", published_folder))
