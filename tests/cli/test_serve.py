"""``elmo serve`` as a user runs it."""

import contextlib
import json
import os
import re
import signal
import socket
import subprocess
import sys
import threading
import time
import urllib.request
from pathlib import Path

import numpy as np
import pytest
from commands import error_of, run

import elmo

pytest.importorskip("fastapi", reason="needs elmo-torch[serve]")
pytest.importorskip("uvicorn", reason="needs elmo-torch[serve]")


def start(*arguments: object, preexec_fn=None, **environment: str) -> tuple[subprocess.Popen, str]:
    """Start a server on a free port and return it with its URL."""
    command = [sys.executable, "-m", "elmo", "serve", "--port", "0", *map(str, arguments)]
    environment = {**os.environ, **environment}
    server = subprocess.Popen(command, stderr=subprocess.PIPE, text=True, env=environment, preexec_fn=preexec_fn)
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


def test_serve_tasks(published_folder: Path, task_folders: dict[str, Path]) -> None:
    tasks = ["--task", task_folders["ner"], "--task", f"answers={task_folders['squad']}"]
    server, url = start("--model", published_folder, *tasks)
    try:
        assert [card["id"] for card in request(f"{url}/v1/tasks")["data"]] == ["ner", "answers"]
        text = "Ann saw mister Hugo."
        found = request(f"{url}/v1/tasks/ner", {"inputs": [text]})
        assert found["results"] == [json.loads(json.dumps(elmo.load_task(task_folders["ner"])(text).to_dict()))]
        asked = {"inputs": [{"question": "Who came?", "passage": text}]}
        assert request(f"{url}/v1/tasks/answers", asked)["results"][0]["passage"] == text
    finally:
        server.kill()
        server.wait()
        server.stderr.close()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["-m", "{tmp}/none"], "none: no such folder"),
        (["-m", "a={model}", "-m", "a={model}"], "two models are called a"),
        (["-m", "{model}", "--task", "chess"], "chess: is not a run folder, and not the name of a task"),
        (["-m", "{model}", "--task", "{tmp}"], "not a run folder (run.json is missing)"),
        (["-m", "{model}", "--task", "ner", "--task", "a/ner"], "two models are called ner"),
        (["-m", "{model}", "--index", "{tmp}"], "is not an index"),
        (["-m", "{model}", "--corpus", "{tmp}/none.txt"], "none.txt"),
        (["-m", "{model}", "--queue-tokens", "5"], "queue_tokens must be at least"),
        (["-m", "{model}", "--api-key", ""], "API key"),
        (["-m", "{model}", "--cors", "page.example"], "'page.example' is not an origin"),
        (["-m", "{model}", "--allow-host", "http://name.example"], "'http://name.example' is not a host name"),
        (["-m", "{model}", "--host", "nowhere.invalid"], "cannot listen on nowhere.invalid, port 0"),
        (["-m", "{model}", "--port", "70000"], "--port"),
    ],
)
def test_bad_options(published_folder: Path, tmp_path: Path, arguments: list[str], message: str) -> None:
    filled = [argument.format(tmp=tmp_path, model=published_folder) for argument in arguments]
    assert message in error_of(run("serve", "--port", "0", *filled))


def test_an_empty_key(published_folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ELMO_API_KEY", "")
    assert "ELMO_API_KEY is empty" in error_of(run("serve", "-m", published_folder, "--port", 0))


@pytest.mark.parametrize("second", [signal.SIGINT, signal.SIGTERM])
def test_a_second_signal_stops_the_server_immediately(second: int) -> None:
    server, url = start(OMP_NUM_THREADS="1")
    try:
        # More work than fits in the time between the signals.
        body = {"sentences": [[f"word{n}" for n in range(1000)]] * 8, "format": "npz"}
        statuses: list[int] = []

        def ask() -> None:
            try:
                request(f"{url}/embed", body)
            except urllib.error.HTTPError as error:
                statuses.append(error.code)

        clients = [threading.Thread(target=ask) for _ in range(3)]
        for client in clients:
            client.start()
        eventually(lambda: "elmo_requests_in_progress 4" in read(f"{url}/metrics"))
        server.send_signal(signal.SIGINT)
        eventually(lambda: not accepts(url))
        server.send_signal(second)
        assert server.wait(20) == 130
        assert server.stderr.read() == "stopped before all requests were finished\n"
        for client in clients:
            client.join(20)
        assert set(statuses) == {503}
    finally:
        server.kill()
        server.wait()
        server.stderr.close()


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="limits open files as Linux does")
def test_idle_connections_do_not_exhaust_the_server_or_the_log(published_folder: Path) -> None:
    import resource

    def limit_files() -> None:
        resource.setrlimit(resource.RLIMIT_NOFILE, (100, 100))

    server, url = start("-m", published_folder, preexec_fn=limit_files)
    try:
        address = ("127.0.0.1", int(url.rpartition(":")[2]))
        with contextlib.ExitStack() as stack:
            for _ in range(400):
                stack.enter_context(socket.create_connection(address, timeout=20))
            for _ in range(20):
                assert request(f"{url}/health")["status"] == "ok"
        server.send_signal(signal.SIGTERM)
        assert server.wait(20) in (0, -signal.SIGTERM)
        log = server.stderr.read()
        assert "too many connections" in log
        assert len(log) < 5000
    finally:
        server.kill()
        server.wait()
        server.stderr.close()


def eventually(holds) -> None:
    until = time.monotonic() + 20
    while not holds():
        assert time.monotonic() < until
        time.sleep(0.005)


def read(url: str) -> str:
    with urllib.request.urlopen(url, timeout=20) as response:
        return response.read().decode()


def accepts(url: str) -> bool:
    """Return whether the server still accepts connections."""
    try:
        socket.create_connection(("127.0.0.1", int(url.rpartition(":")[2])), timeout=20).close()
    except ConnectionRefusedError:
        return False
    return True


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
