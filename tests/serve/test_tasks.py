"""The routes of task models: what they return, what they share, and what they refuse."""

import json
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

import elmo
from elmo.serve.app import create_app
from elmo.serve.settings import ServeSettings
from elmo.tasks.load import load_tasks
from elmo.tasks.task import TASKS
from elmo.tasks.trained import TrainedTask

TEXT = "Ann saw mister Hugo in the old house. She ran."
PAIRS = {"squad": ("question", "passage"), "snli": ("premise", "hypothesis")}


def whole(name: str, text: Any) -> dict[str, Any]:
    """An input of a task; the first of two texts is short."""
    return dict(zip(PAIRS[name], ("Who came?", text), strict=True)) if name in PAIRS else {"text": text}


def rounded(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: rounded(inner) for key, inner in value.items()}
    if isinstance(value, list):
        return [rounded(inner) for inner in value]
    return pytest.approx(value, abs=1e-3) if isinstance(value, float) else value


@pytest.fixture(scope="module")
def tasks(task_folders: dict[str, Path], model: elmo.Embedder) -> dict[str, TrainedTask]:
    return dict(zip(task_folders, load_tasks(task_folders.values(), elmo=[model]), strict=True))


@pytest.fixture(scope="module")
def client(model: elmo.Embedder, tasks: dict[str, TrainedTask]) -> Iterator[TestClient]:
    with TestClient(create_app({"plain": model}, tasks=tasks)) as client:
        yield client


@pytest.fixture(scope="module")
def apart(task_folders: dict[str, Path]) -> dict[str, TrainedTask]:
    """The same models, which no server uses."""
    return dict(zip(task_folders, load_tasks(task_folders.values()), strict=True))


def error_of(response: Any, status: int) -> str:
    assert response.status_code == status, response.text
    error = response.json()["error"]
    assert set(error) == {"message", "type", "param"}
    assert "Traceback" not in error["message"]
    assert len(error["message"].splitlines()) == 1
    return error["message"]


@pytest.mark.parametrize("name", TASKS)
class TestEveryTask:
    def test_results_are_those_of_python(self, name: str, client: TestClient, apart: dict[str, TrainedTask]) -> None:
        inputs = [whole(name, text) for text in (TEXT, [["She", "ran", "."]], ["Hugo", "left"], "😀 <b>Zo\u0308e</b>")]
        answer = client.post(f"/v1/tasks/{name}", json={"inputs": inputs})
        assert answer.status_code == 200, answer.text
        assert answer.json()["task"] == name
        expected = [result.to_dict() for result in apart[name](inputs)]
        assert rounded(answer.json()["results"]) == rounded(expected)
        typed = TEXT if name not in PAIRS else f"Who came? ||| {TEXT}"
        [first] = client.post(f"/v1/tasks/{name}", json={"inputs": [typed]}).json()["results"]
        assert rounded(first) == rounded(expected[0])

    def test_no_inputs(self, name: str, client: TestClient) -> None:
        assert client.post(f"/v1/tasks/{name}", json={"inputs": []}).json() == {"task": name, "results": []}

    def test_card(self, name: str, client: TestClient, tasks: dict[str, TrainedTask]) -> None:
        [card] = [card for card in client.get("/v1/tasks").json()["data"] if card["id"] == name]
        task = tasks[name]
        assert card["task"] == name
        assert card["title"] == task.task.title
        assert card["parts"] == list(PAIRS.get(name, ("text",)))
        assert card["labels"] == task.labels
        assert card["trained_on"].startswith(f"{name}.")
        assert card["objective"] in card["scores"]["dev"]
        assert card["scores"]["test"] is None
        for place in card["layers"]:
            assert place["place"] in ("input", "output")
            assert sum(place["weights"]) == pytest.approx(1, abs=1e-5)
        assert card["layers"]

    def test_empty_text(self, name: str, client: TestClient) -> None:
        answer = client.post(f"/v1/tasks/{name}", json={"inputs": [whole(name, " \n")]})
        if name in ("ner", "srl", "coref"):
            [result] = answer.json()["results"]
            assert not result.get("entities", result.get("frames", result.get("clusters")))
        else:
            assert "is empty" in error_of(answer, 400)

    @pytest.mark.parametrize("text", ["😀 😀😀", "Кошка сидит. 東京は大きい。", "!", "a" * 5000, "\ufeff\u200b."])
    def test_unusual_text(self, name: str, text: str, client: TestClient) -> None:
        assert client.post(f"/v1/tasks/{name}", json={"inputs": [whole(name, text)]}).status_code == 200

    def test_100_000_words(self, name: str, client: TestClient) -> None:
        for text in ("word " * 100_000, "w," * 50_000, ["word"] * 100_000):
            answer = client.post(f"/v1/tasks/{name}", json={"inputs": [whole(name, text)]})
            if name == "snli" and text[:2] != "wo":
                assert error_of(answer, 400) == "the hypothesis has 100,000 words; the model reads at most 1,000"
            else:
                assert error_of(answer, 413) == "the request has more than 8192 words"

    def test_a_long_text(self, name: str, client: TestClient, apart: dict[str, TrainedTask]) -> None:
        """More than fits in a batch."""
        text = whole(name, " ".join([TEXT] * (70 if name == "snli" else 250)))
        answer = client.post(f"/v1/tasks/{name}", json={"inputs": [text, text]})
        assert answer.status_code == 200, answer.text
        [expected] = apart[name]([text])
        for result in answer.json()["results"]:
            assert rounded(result) == rounded(expected.to_dict())


class TestErrors:
    @pytest.mark.parametrize(
        ("name", "item", "status", "message"),
        [
            ("squad", {"question": "Who came?"}, 400, "the passage is missing: squad reads a question and a passage"),
            ("squad", "Who came?", 400, "write a question and a passage with ||| between them"),
            ("squad", {"text": "Ann"}, 400, "squad does not read a text, only a question and a passage"),
            ("squad", {"question": "", "passage": "Ann"}, 400, "the question is empty"),
            ("squad", {"question": "a " * 1001, "passage": "Ann"}, 400, "the question has 1,001 words"),
            ("snli", {"premise": "Ann", "hypothesis": None}, 400, "the hypothesis is missing"),
            ("ner", {}, 400, "the text is missing: ner reads a text"),
            ("ner", {"question": "Who?"}, 400, "ner does not read a question, only a text"),
            ("ner", {"text": 3}, 422, "inputs: "),
            ("ner", {"text": [["a"], "b"]}, 422, "inputs: "),
            ("ner", {"text": "a", "color": "b"}, 422, "inputs: "),
            ("ner", 3, 422, "inputs: "),
            ("ner", None, 422, "inputs: "),
            ("sst", " ", 400, "the text is empty; write a sentence"),
            ("chess", "e4", 404, "no such task; this server has squad, snli, srl, coref, ner, sst"),
            ("a/b", "e4", 404, "there is nothing at this path"),
        ],
    )
    def test_inputs(self, client: TestClient, name: str, item: Any, status: int, message: str) -> None:
        assert message in error_of(client.post(f"/v1/tasks/{name}", json={"inputs": [item]}), status)

    def test_the_input_at_fault(self, client: TestClient) -> None:
        response = client.post("/v1/tasks/sst", json={"inputs": ["Fine.", ""]})
        assert error_of(response, 400) == "input 1: the text is empty; write a sentence"
        assert response.json()["error"]["param"] == "inputs"

    def test_lone_surrogates(self, client: TestClient) -> None:
        for item in ("\ud800", {"text": "\ud800"}, {"text": ["a", "\ud800"]}, {"text": [["\ud800"]]}):
            body = json.dumps({"inputs": [item]})
            response = client.post("/v1/tasks/ner", content=body, headers={"content-type": "application/json"})
            assert "lone surrogate" in error_of(response, 422)

    def test_methods(self, client: TestClient) -> None:
        assert "does not support GET" in error_of(client.get("/v1/tasks/ner"), 405)
        assert "does not support POST" in error_of(client.post("/v1/tasks", json={}), 405)

    @pytest.mark.parametrize(
        ("limits", "inputs", "message"),
        [
            ({"max_sentences": 2}, ["a", "b", "c"], "3 inputs are more than the limit of 2"),
            ({"max_request_words": 5}, ["a b c", "d e f"], "the request has more than 5 words"),
            ({"max_body": 100}, ["x" * 100], "the request body is larger than 100 bytes"),
        ],
    )
    def test_limits(self, model: elmo.Embedder, tasks: dict[str, TrainedTask], limits, inputs, message: str) -> None:
        with TestClient(create_app({"m": model}, ServeSettings(**limits), tasks={"ner": tasks["ner"]})) as client:
            assert message in error_of(client.post("/v1/tasks/ner", json={"inputs": inputs}), 413)
            assert client.post("/v1/tasks/ner", json={"inputs": ["a b c"]}).status_code == 200

    def test_a_sentence_that_is_read_many_times(self, client: TestClient) -> None:
        """Semantic roles are found for one predicate at a time."""
        many = " ".join(["Ann *saw* Hugo"] * 200)
        message = error_of(client.post("/v1/tasks/srl", json={"inputs": [many]}), 413)
        assert message == (
            "the model would read 45450 tokens, counted every time that it reads them, more than the limit of 32768; "
            "send less text"
        )

    def test_no_tasks(self, model: elmo.Embedder) -> None:
        with TestClient(create_app({"m": model})) as client:
            assert client.get("/v1/tasks").json() == {"object": "list", "data": []}
            response = client.post("/v1/tasks/ner", json={"inputs": ["Ann"]})
            assert error_of(response, 404) == "no such task; start the server with --task"


class TestSharing:
    def test_one_worker_per_model(
        self, model: elmo.Embedder, tasks: dict[str, TrainedTask], apart: dict[str, TrainedTask]
    ) -> None:
        """Whatever uses the same biLM runs in the same thread."""
        mixed = {"a": tasks["ner"], "b": apart["ner"], "c": apart["srl"], "d": tasks["srl"]}
        service = create_app({"m": model}, tasks=mixed).state.service
        workers = {name: task.worker for name, task in service.tasks.items()}
        assert workers["a"] is workers["d"] is service.models["m"].batcher
        assert workers["b"] is workers["c"] is not workers["a"]

    def test_requests_share_batches(
        self, model: elmo.Embedder, tasks: dict[str, TrainedTask], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        calls: list[int] = []
        started, resume = threading.Event(), threading.Event()
        details = tasks["ner"].details

        def watched(examples: Any) -> Any:
            calls.append(len(examples))
            started.set()
            assert resume.wait(20)
            return details(examples)

        monkeypatch.setattr(tasks["ner"], "details", watched)
        app = create_app({"m": model}, tasks={"ner": tasks["ner"]})
        with TestClient(app) as client, ThreadPoolExecutor(8) as pool:

            def ask(text: str) -> Any:
                return client.post("/v1/tasks/ner", json={"inputs": [text]}).json()

            first = pool.submit(ask, "Ann ran.")
            assert started.wait(20)
            others = [pool.submit(ask, f"Ann saw w{number}.") for number in range(5)]
            worker = app.state.service.tasks["ner"].worker
            while worker.queued_tokens < 5 * 6:
                pass
            resume.set()
            assert first.result(20)["results"][0]["text"] == "Ann ran."
            assert [other.result(20)["results"][0]["text"] for other in others] == [
                f"Ann saw w{number}." for number in range(5)
            ]
        assert calls == [1, 5]

    def test_embeddings_and_tasks_at_once(self, client: TestClient, model: elmo.Embedder) -> None:
        """One thread computes both, so that neither disturbs the other."""
        expected = client.post("/v1/tasks/ner", json={"inputs": [TEXT]}).json()

        def ask(number: int) -> bool:
            if number % 2:
                return rounded(client.post("/v1/tasks/ner", json={"inputs": [TEXT]}).json()) == rounded(expected)
            body = {"sentences": ["It was sold out."], "layers": "top", "format": "json"}
            return len(client.post("/embed", json=body).json()["sentences"][0]["layers"]) == 5

        with ThreadPoolExecutor(8) as pool:
            assert all(pool.map(ask, range(40)))

    def test_metrics(self, client: TestClient) -> None:
        client.post("/v1/tasks/ner", json={"inputs": [TEXT]})
        text = client.get("/metrics").text
        assert 'elmo_requests_total{path="/v1/tasks/ner",status="200"}' in text
