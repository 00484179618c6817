"""Valid and invalid requests generated from the OpenAPI schema: the server behaves as documented."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings

import elmo
from elmo.search.index import Index
from elmo.serve.app import create_app
from elmo.tasks.load import load_tasks
from elmo.tasks.task import TASKS, task_named

schemathesis = pytest.importorskip("schemathesis", reason="needs schemathesis")

CHECKS = [
    schemathesis.checks.not_a_server_error,
    schemathesis.checks.status_code_conformance,
    schemathesis.checks.content_type_conformance,
    schemathesis.checks.response_schema_conformance,
    schemathesis.checks.negative_data_rejection,
]


@pytest.fixture(scope="module")
def schema(serve, speaker: elmo.Embedder, index: Index, task_folders: dict[str, Path]) -> Iterator:
    tasks = dict(zip(task_folders, load_tasks(task_folders.values()), strict=True))
    with serve(create_app({"speaker": speaker}, indexes={"speaker": index}, tasks=tasks)) as port:
        yield schemathesis.openapi.from_url(f"http://127.0.0.1:{port}/openapi.json")


@pytest.mark.parametrize("invalid", [False, True], ids=["valid", "invalid"])
@pytest.mark.parametrize("path", ["/v1/embeddings", "/embed", "/neighbors", "/predict"])
def test_posts(schema, path: str, invalid: bool) -> None:
    mode = schemathesis.GenerationMode.NEGATIVE if invalid else schemathesis.GenerationMode.POSITIVE
    statuses = set()

    @given(case=schema[path]["POST"].as_strategy(generation_mode=mode))
    @settings(max_examples=30, deadline=None, derandomize=True, database=None, suppress_health_check=list(HealthCheck))
    def as_documented(case) -> None:
        if not invalid:  # the schema cannot say which models exist, that a text has a blank, and where a word is
            case.body["model"] = "speaker"
            if path == "/predict":
                case.body["sentence"] += "___"
            elif path == "/neighbors":
                case.body.update(sentence=["tel", "dorn"], word="tel", index=None, mix=None)
        statuses.add(case.call_and_validate(checks=CHECKS).status_code)

    as_documented()
    assert (200 in statuses) != invalid
    assert statuses <= {200, 400, 413, 422}


@pytest.mark.parametrize("invalid", [False, True], ids=["valid", "invalid"])
@pytest.mark.parametrize("name", TASKS)
def test_tasks(schema, name: str, invalid: bool) -> None:
    mode = schemathesis.GenerationMode.NEGATIVE if invalid else schemathesis.GenerationMode.POSITIVE
    parts = task_named(name).parts
    statuses = set()

    @given(case=schema["/v1/tasks/{name}"]["POST"].as_strategy(generation_mode=mode))
    @settings(max_examples=20, deadline=None, derandomize=True, database=None, suppress_health_check=list(HealthCheck))
    def as_documented(case) -> None:
        case.path_parameters = {"name": name}
        if not invalid:  # the schema cannot say which task reads which texts, and that a text has words
            texts = [text for item in case.body["inputs"] if isinstance(item, dict) for text in item.values() if text]
            case.body["inputs"] = [dict.fromkeys(parts, text) for text in [*texts, "Ann saw Hugo."]]
        statuses.add(case.call_and_validate(checks=CHECKS).status_code)

    as_documented()
    assert (200 in statuses) != invalid
    assert statuses <= {200, 400, 413, 422}


def test_unknown_tasks(schema) -> None:
    @given(case=schema["/v1/tasks/{name}"]["POST"].as_strategy())
    @settings(max_examples=20, deadline=None, derandomize=True, database=None, suppress_health_check=list(HealthCheck))
    def as_documented(case) -> None:
        assert case.call_and_validate(checks=CHECKS[:-1]).status_code in {400, 404, 405, 422}

    as_documented()


@pytest.mark.parametrize("path", ["/v1/models", "/v1/tasks", "/health", "/metrics"])
def test_gets(schema, path: str) -> None:
    case = schema[path]["GET"].Case()
    assert case.call_and_validate(checks=CHECKS[:-1]).status_code == 200
