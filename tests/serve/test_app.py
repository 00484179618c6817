"""The responses of each route, and that their vectors equal those of the model."""

import asyncio
import base64
import io
import json
import re
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
import safetensors
from safetensors.numpy import load as from_safetensors
from safetensors.numpy import load_file
from serve.servers import random_model
from starlette.testclient import TestClient

import elmo
from elmo.embed.select import EmbeddedSentence
from elmo.embed.sinks import open_sink
from elmo.search.index import Index
from elmo.serve.app import create_app
from elmo.serve.batching import BatchWorker
from elmo.serve.settings import ServeSettings

SENTENCES = ["The play was sold out .", ["Pre", "-", "tokenized"], "손을 씻고"]


@pytest.fixture(scope="module")
def client(model: elmo.Embedder, speaker: elmo.Embedder, index: Index) -> Iterator[TestClient]:
    with TestClient(create_app({"speaker": speaker, "plain": model}, indexes={"speaker": index})) as client:
        yield client


def test_a_served_model_stays_in_the_mode_that_it_has() -> None:
    model = random_model()
    model.bilm.train()
    create_app({"s": model})
    assert all(module.training for module in model.bilm.modules())


def error_of(response, status: int) -> str:
    assert response.status_code == status, response.text
    assert response.headers["content-type"] == "application/json"
    error = response.json()["error"]
    assert set(error) == {"message", "type", "param"}
    return error["message"]


class TestEmbeddings:
    @pytest.mark.parametrize("encoding", ["float", "base64"])
    @pytest.mark.parametrize("layers", ["average", "top", 0])
    def test_vectors(self, client: TestClient, model: elmo.Embedder, encoding: str, layers) -> None:
        texts = ["I can't wait.", "It was sold out."]
        body = {"model": "plain", "input": texts, "encoding_format": encoding, "layers": layers}
        answer = client.post("/v1/embeddings", json=body).json()
        assert answer["object"] == "list"
        assert answer["model"] == "plain"
        assert answer["usage"] == {"prompt_tokens": 10, "total_tokens": 10}
        expected = model.embed(texts, layers, "mean", tokenize="words")
        for number, (found, sentence) in enumerate(zip(answer["data"], expected, strict=True)):
            assert (found["object"], found["index"]) == ("embedding", number)
            vector = found["embedding"]
            if encoding == "base64":
                vector = np.frombuffer(base64.b64decode(vector), "<f4")
            np.testing.assert_allclose(vector, sentence.layers, atol=1e-6)

    def test_one_text(self, client: TestClient, speaker: elmo.Embedder) -> None:
        body = {"model": "speaker", "input": "dorn tel", "user": "me", "dimensions": 16}
        answer = client.post("/v1/embeddings", json=body).json()
        expected = speaker.embed(["dorn tel"], "average", "mean")[0].layers
        np.testing.assert_allclose(answer["data"][0]["embedding"], expected, atol=1e-6)

    def test_the_first_model_is_the_default(self, client: TestClient) -> None:
        assert client.post("/v1/embeddings", json={"input": "a"}).json()["model"] == "speaker"

    @pytest.mark.parametrize(
        ("body", "status", "message"),
        [
            ({"inputs": "a"}, 422, "input: this field is required, and there is no field inputs"),
            ({"model": "plain", "input": [1, 2]}, 422, "input: must be a string"),
            ({"model": "plain", "input": [["a"]]}, 422, "input: "),
            ({"model": "plain", "input": "a", "layers": "all"}, 422, "layers: "),
            ({"model": "plain", "input": "a", "layers": 3}, 400, "there is no layer 3; the model has layers 0 to 2"),
            ({"model": "plain", "input": "a", "dimensions": 7}, 400, "dimensions"),
            ({"model": "plain", "input": "a", "color": 7}, 422, "color: there is no such field"),
            ({"model": "none", "input": "a"}, 404, "no such model; this server has speaker, plain"),
        ],
    )
    def test_errors(self, client: TestClient, body, status: int, message: str) -> None:
        assert message in error_of(client.post("/v1/embeddings", json=body), status)


class TestEmbed:
    @pytest.mark.parametrize("choice", [{}, {"layers": "top"}, {"layers": 1, "pool": "max"}, {"pool": "mean"}])
    def test_json(self, client: TestClient, model: elmo.Embedder, choice) -> None:
        answer = client.post("/embed", json={"model": "plain", "sentences": SENTENCES, **choice}).json()
        for found, sentence in zip(answer["sentences"], model.embed(SENTENCES, **choice), strict=True):
            assert found["tokens"] == sentence.tokens
            np.testing.assert_array_equal(np.array(found["layers"], np.float32), sentence.layers)

    def test_tokenize(self, client: TestClient) -> None:
        for tokenize, tokens in (("words", ["out", "."]), ("whitespace", ["out."])):
            answer = client.post("/embed", json={"sentences": ["out."], "tokenize": tokenize}).json()
            assert answer["model"] == "speaker", "the first model is the default"
            assert answer["sentences"][0]["tokens"] == tokens

    def test_empty(self, client: TestClient) -> None:
        assert client.post("/embed", json={"sentences": []}).json() == {"model": "speaker", "sentences": []}
        empty = client.post("/embed", json={"sentences": ["", []]}).json()["sentences"]
        assert empty == [{"tokens": [], "layers": [[], [], []]}] * 2

    @pytest.mark.parametrize(
        ("body", "accept"),
        [({"format": "npz"}, "*/*"), ({}, "application/x-npz"), ({}, "text/html, application/x-npz;q=0.9, */*")],
    )
    def test_npz(self, client: TestClient, model: elmo.Embedder, body, accept: str) -> None:
        response = client.post(
            "/embed", json={"model": "plain", "sentences": SENTENCES, **body}, headers={"accept": accept}
        )
        assert response.headers["content-type"] == "application/x-npz"
        with np.load(io.BytesIO(response.content)) as file:
            assert json.loads(str(file["tokens"])) == [sentence.tokens for sentence in model.embed(SENTENCES)]
            for number, sentence in enumerate(model.embed(SENTENCES)):
                np.testing.assert_array_equal(file[str(number)], sentence.layers)

    def test_safetensors(self, client: TestClient, model: elmo.Embedder, tmp_path) -> None:
        accept = {"accept": "application/x-safetensors"}
        response = client.post("/embed", json={"model": "plain", "sentences": SENTENCES}, headers=accept)
        assert response.headers["content-type"] == "application/x-safetensors"
        arrays = from_safetensors(response.content)
        for number, sentence in enumerate(model.embed(SENTENCES)):
            np.testing.assert_array_equal(arrays[str(number)], sentence.layers)
        (tmp_path / "x").write_bytes(response.content)
        with safetensors.safe_open(tmp_path / "x", "np") as file:
            assert json.loads(file.metadata()["tokens"])[2] == ["손을", "씻고"]
        as_json = client.post("/embed", json={"sentences": ["a"], "format": "json"}, headers=accept)
        assert as_json.headers["content-type"] == "application/json", "the field takes precedence over the header"

    @pytest.mark.parametrize("layers", ["all", "top"])
    @pytest.mark.parametrize("format", ["npz", "safetensors"])
    def test_pooled(self, client: TestClient, tmp_path: Path, layers: str, format: str) -> None:
        """The same arrays as in a file."""
        body = {"model": "plain", "sentences": SENTENCES, "layers": layers, "pool": "mean", "format": format}
        (tmp_path / "served").write_bytes(client.post("/embed", json=body).content)
        embedded = client.post("/embed", json={**body, "format": "json"}).json()["sentences"]
        with open_sink(tmp_path / "written", format, by_layer=layers == "all") as write:  # type: ignore[arg-type]
            for sentence in embedded:
                write(EmbeddedSentence(sentence["tokens"], np.array(sentence["layers"], np.float32)))
        read = np.load if format == "npz" else load_file
        served, written = (read(tmp_path / name) for name in ("served", "written"))
        assert set(served) == set(written)
        np.testing.assert_array_equal(served["vectors"], written["vectors"])
        assert client.post("/embed", json={**body, "sentences": []}).status_code == 200

    @pytest.mark.parametrize(
        ("limits", "sentences", "message"),
        [
            ({"max_sentences": 2}, ["a", "b", "c"], "3 sentences are more than the limit of 2"),
            ({"max_words": 3}, ["a", "a b c d"], "sentence 1 has 4 words, more than the limit of 3"),
            ({"max_words": 3}, [["a", "b", "c", "d"]], "the sentence has 4 words, more than the limit of 3"),
            ({"max_request_words": 5}, ["a b c", "d e f"], "the request has more than 5 words"),
            ({"max_characters": 10}, ["abcdefghijk"], "the sentence has more than 10 characters"),
            ({"max_characters": 10}, [["abcdef", "ghijk"]], "the sentence has more than 10 characters"),
            ({"max_body": 100}, ["x" * 100], "the request body is larger than 100 bytes"),
        ],
    )
    def test_limits(self, speaker: elmo.Embedder, limits, sentences, message: str) -> None:
        with TestClient(create_app({"m": speaker}, ServeSettings(**limits))) as client:
            assert message in error_of(client.post("/embed", json={"sentences": sentences}), 413)
            assert client.post("/embed", json={"sentences": ["a b c"]}).status_code == 200


class TestNeighbors:
    @pytest.mark.parametrize("layer", ["top", "average", 0, 1])
    @pytest.mark.parametrize("asked", [{"word": "brint"}, {"index": 1}, {"index": 1, "same_word": True}])
    def test_layers(self, client: TestClient, speaker: elmo.Embedder, index: Index, layer, asked) -> None:
        body = {"sentence": "a brint tel", "layer": layer, "count": 3, **asked}
        answer = client.post("/neighbors", json=body).json()
        assert (answer["model"], answer["tokens"], answer["index"]) == ("speaker", ["a", "brint", "tel"], 1)
        words = ["a", "brint", "tel"]
        expected = index.neighbors(speaker, words, 1, layer, 3, same_word="same_word" in asked)
        assert [(tuple(neighbor["tokens"]), neighbor["index"]) for neighbor in answer["neighbors"]] == [
            (neighbor.words, neighbor.position) for neighbor in expected
        ]
        similarities = [neighbor["similarity"] for neighbor in answer["neighbors"]]
        assert similarities == pytest.approx([neighbor.similarity for neighbor in expected], abs=1e-5)

    def test_a_mix_of_one_layer_is_that_layer(self, client: TestClient) -> None:
        body = {"sentence": "a brint tel", "word": "brint"}
        for layer in range(3):
            mix = [0.0] * 3
            mix[layer] = 0.7
            one, other = (
                client.post("/neighbors", json={**body, **x}).json() for x in ({"mix": mix}, {"layer": layer})
            )
            for a, b in zip(one["neighbors"], other["neighbors"], strict=True):
                assert a["similarity"] == pytest.approx(b["similarity"], abs=1e-3)

    def test_mix(self, client: TestClient, speaker: elmo.Embedder, index: Index) -> None:
        weights = np.array([0.2, 0.5, -0.3])
        body = {"sentence": "a brint tel", "word": "brint", "mix": weights.tolist(), "count": 4}

        def mixed(words, position: int):
            layers = speaker.embed([list(words)])[0].layers[:, position]
            mix = weights @ (layers / np.linalg.norm(layers, axis=1, keepdims=True))
            return mix / np.linalg.norm(mix)

        query = mixed(["a", "brint", "tel"], 1)
        answer = client.post("/neighbors", json=body).json()["neighbors"]
        for neighbor in answer:
            cosine = float(query @ mixed(neighbor["tokens"], neighbor["index"]))
            assert neighbor["similarity"] == pytest.approx(cosine, abs=2e-3)
        best = max(
            float(query @ mixed(index.text.sentence(number), position))
            for number in range(index.metadata.sentences)
            for position in range(len(index.text.sentence(number)))
        )
        assert answer[0]["similarity"] == pytest.approx(best, abs=2e-3)

    @pytest.mark.parametrize(
        ("body", "status", "message"),
        [
            ({"sentence": "a b"}, 400, "either a word of the sentence or its index"),
            ({"sentence": "a b", "word": "a", "index": 0}, 400, "either a word of the sentence or its index"),
            ({"sentence": "a b", "word": "c"}, 400, "'c' is not a word of: a b"),
            ({"sentence": "a b", "index": 2}, 400, "there is no index 2; the sentence has 2 words"),
            ({"sentence": "", "index": 0}, 400, "0 words"),
            ({"sentence": "a", "index": -1}, 422, "index: "),
            ({"sentence": "a", "index": 0, "count": 0}, 422, "count: "),
            ({"sentence": "a", "index": 0, "layer": 3}, 400, "layers 0 to 2"),
            ({"sentence": "a", "index": 0, "mix": [1, 2]}, 400, "one weight for each of the 3 layers"),
            ({"sentence": "a", "index": 0, "mix": [0, 0, 0]}, 400, "not all zero"),
            ({"model": "plain", "sentence": "a", "index": 0}, 404, "has no corpus to search"),
        ],
    )
    def test_errors(self, client: TestClient, body, status: int, message: str) -> None:
        assert message in error_of(client.post("/neighbors", json=body), status)

    def test_old_spelling(self, client: TestClient) -> None:
        body = {"sentence": "a brint tel", "word": "brint"}
        new, old = (client.post(path, json=body).json() for path in ("/neighbors", "/neighbours"))
        assert old == {**{key: new[key] for key in ("model", "tokens", "index")}, "neighbours": new["neighbors"]}
        one, other = (client.post("/neighbors", json={**body, name: 2}).json() for name in ("count", "k"))
        assert one == other
        assert len(one["neighbors"]) == 2


class TestPredict:
    def test_words(self, client: TestClient, speaker: elmo.Embedder) -> None:
        body = {"sentence": "the ___ brint, ___", "count": 4}
        answer = client.post("/predict", json=body).json()
        assert answer["tokens"] == ["the", "___", "brint", ",", "___"]
        assert [blank["index"] for blank in answer["gaps"]] == [1, 4]
        known = speaker.softmax.vocabulary.words[3:]
        for blank in answer["gaps"]:
            for side in ("both", "before", "after"):
                probabilities = [guess["probability"] for guess in blank[side]]
                assert len(probabilities) == 4
                assert probabilities == sorted(probabilities, reverse=True)
                assert {guess["word"] for guess in blank[side]} <= set(known)
        everything = client.post("/predict", json={"sentence": "___", "count": 100}).json()["gaps"][0]["both"]
        assert {guess["word"] for guess in everything} == set(known)

    @pytest.mark.parametrize(
        ("body", "status", "message"),
        [
            ({"sentence": "no blank"}, 400, "the sentence has no blank; write ___"),
            ({"sentence": "___ " * 9}, 413, "more than 8 blanks"),
            ({"sentence": "___ " + "a " * 1024}, 413, "more than the limit of 1024"),
            ({"sentence": "_" * 20_001}, 413, "more than 20000 characters"),
            ({"sentence": "a ___", "model": "plain"}, 400, "the model 'plain' has no softmax"),
        ],
    )
    def test_errors(self, client: TestClient, body, status: int, message: str) -> None:
        assert message in error_of(client.post("/predict", json=body), status)

    def test_old_spelling(self, client: TestClient) -> None:
        new, old = (client.post("/predict", json={name: "the ___"}).json() for name in ("sentence", "text"))
        assert new == old
        assert "sentence: this field is required" in error_of(client.post("/predict", json={}), 422)

    def test_more_than_the_queue_can_hold(self, speaker: elmo.Embedder) -> None:
        """Trying again would not help: the model reads the sentence once for each blank."""
        settings = ServeSettings(max_sentences=1, max_request_words=100, queue_tokens=102)
        with TestClient(create_app({"s": speaker}, settings)) as client:
            response = client.post("/predict", json={"sentence": "___ " * 8 + "word " * 20})
            assert "would read 240 tokens" in error_of(response, 413)
            assert client.post("/predict", json={"sentence": "___ " + "word " * 20}).status_code == 200


class TestStatus:
    def test_models(self, client: TestClient, model: elmo.Embedder) -> None:
        card = {"object": "model", "created": 0, "owned_by": "elmo", "layers": 3}
        dimensions = model.bilm.config.output_dim
        routes = ("predicts", "neighbors", "neighbours")
        assert client.get("/v1/models").json() == {
            "object": "list",
            "data": [
                {**card, "id": "speaker", "dimensions": 16, **dict.fromkeys(routes, True)},
                {**card, "id": "plain", "dimensions": dimensions, **dict.fromkeys(routes, False)},
            ],
        }

    def test_health(self, client: TestClient) -> None:
        assert client.get("/health").json() == {"status": "ok", "models": ["speaker", "plain"]}

    def test_metrics(self, speaker: elmo.Embedder) -> None:
        with TestClient(create_app({"s": speaker})) as client:
            client.post("/embed", json={"sentences": ["a b c", "d"]})
            client.get("/nowhere")
            response = client.get("/metrics")
        assert response.headers["content-type"].startswith("text/plain; version=0.0.4")
        lines = response.text.splitlines()
        assert 'elmo_requests_total{path="/embed",status="200"} 1' in lines
        assert 'elmo_requests_total{path="other",status="404"} 1' in lines
        assert 'elmo_words_total{model="s"} 4' in lines
        assert 'elmo_batch_sentences_bucket{model="s",le="1"} 0' in lines
        assert 'elmo_batch_sentences_bucket{model="s",le="+Inf"} 1' in lines
        assert 'elmo_queue_tokens{model="s"} 0' in lines
        assert "elmo_requests_in_progress 1" in lines
        for line in lines:
            assert line.startswith("# ") or float(line.rpartition(" ")[2]) >= 0

    def test_documentation(self, client: TestClient) -> None:
        schema = client.get("/openapi.json").json()
        assert set(schema["paths"]) == {
            "/v1/embeddings", "/v1/models", "/v1/tasks", "/v1/tasks/{name}", "/embed", "/neighbors", "/predict",
            "/health", "/metrics",
        }  # fmt: skip
        assert "application/x-npz" in schema["paths"]["/embed"]["post"]["responses"]["200"]["content"]
        page = client.get("/docs")
        assert page.status_code == 200
        assert all(f"{path}</code></h2>" in page.text for path in schema["paths"])
        assert "<script" not in page.text
        assert "http://testserver/embed" in page.text
        assert not re.search(r"https?://(?!testserver|HOST:PORT)", page.text)
        assert "script-src" not in page.headers["content-security-policy"]
        assert "default-src 'none'" in page.headers["content-security-policy"]

    def test_documented_examples_work(
        self, speaker: elmo.Embedder, index: Index, task_folders: dict[str, Path]
    ) -> None:
        tasks = {"ner": elmo.load_task(task_folders["ner"])}
        with TestClient(create_app({"small": speaker}, indexes={"small": index}, tasks=tasks)) as client:
            schemas = client.get("/openapi.json").json()["components"]["schemas"]
            for path, name in (
                ("/v1/embeddings", "EmbeddingsRequest"),
                ("/embed", "EmbedRequest"),
                ("/neighbors", "NeighborsRequest"),
                ("/predict", "PredictRequest"),
                ("/v1/tasks/ner", "TaskRequest"),
            ):
                for example in schemas[name]["examples"]:
                    assert client.post(path, json=example).status_code == 200

    def test_everything_is_documented(self, client: TestClient) -> None:
        schema = client.get("/openapi.json").json()
        for path in schema["paths"].values():
            for operation in path.values():
                assert operation["summary"]
                assert operation["description"]
        schemas = schema["components"]["schemas"]
        for name, model in schemas.items():
            assert model["description"], name
            fields = model["properties"]
            if fields.keys() > schemas["FoundSpan"]["properties"].keys():  # its own fields are described there
                fields = {field: fields[field] for field in fields.keys() - schemas["FoundSpan"]["properties"].keys()}
            assert all("description" in field for field in fields.values()), name


class TestKeyAndOrigin:
    def test_key(self, speaker: elmo.Embedder) -> None:
        with TestClient(create_app({"s": speaker}, ServeSettings(api_key="secret"))) as client:
            for authorization in (
                "",
                "Bearer",
                "Bearer wrong",
                "Basic secret",
                "secret",
                "Bearer secret2",
                "Bearer ключ",
            ):
                response = client.get("/v1/models", headers={"authorization": authorization.encode()})
                assert "API key" in error_of(response, 401)
                assert response.headers["www-authenticate"] == "Bearer"
            assert client.get("/nowhere").status_code == 401
            assert client.get("/metrics").status_code == 401
            assert client.get("/health").status_code == 200
            assert client.get("/v1/models", headers={"authorization": "bearer secret"}).status_code == 200
            schema = client.get("/openapi.json").json()
            assert schema["paths"]["/embed"]["post"]["security"] == [{"HTTPBearer": []}]

    def test_no_origin_by_default(self, client: TestClient) -> None:
        headers = {"origin": "http://elsewhere.example", "access-control-request-method": "POST"}
        assert "access-control-allow-origin" not in client.get("/health", headers=headers).headers
        assert "--cors" in error_of(client.options("/embed", headers=headers), 403)
        assert "--cors" in error_of(client.post("/embed", headers=headers, json={"sentences": []}), 403)
        assert client.get("/health", headers={"origin": "http://testserver"}).status_code == 200
        assert client.get("/health", headers={"origin": "https://testserver"}).status_code == 200, "behind TLS"
        for origin in ("null", "", "http://testserver:81", "testserver", "http://testserver.evil.example"):
            assert client.get("/health", headers={"origin": origin}).status_code == 403, origin

    def test_origin(self, speaker: elmo.Embedder) -> None:
        origin = "http://page.example"
        settings = ServeSettings(cors=(origin,), api_key="secret")
        with TestClient(create_app({"s": speaker}, settings)) as client:
            asked = {"access-control-request-method": "POST"}
            response = client.options("/embed", headers={"origin": origin, **asked})
            assert response.headers["access-control-allow-origin"] == origin
            refused = client.get("/metrics", headers={"origin": origin})
            assert refused.status_code == 401
            assert refused.headers["access-control-allow-origin"] == origin
            other = client.options("/embed", headers={"origin": "http://other.example", **asked})
            assert "access-control-allow-origin" not in other.headers
            key = {"authorization": "Bearer secret"}
            assert client.get("/v1/models", headers={"origin": origin, **key}).status_code == 200
            assert client.get("/v1/models", headers={"origin": "http://other.example", **key}).status_code == 403

    @pytest.mark.parametrize(
        ("server", "host", "status"),
        [
            *(
                ("127.0.0.1", host, 200)
                for host in ("localhost", "LOCALHOST:8000", "127.0.0.1:1", "127.9.9.9", "[::1]")
            ),
            *(("127.0.0.1", host, 403) for host in ("evil.example", "localhost.evil.example", "10.0.0.1", "0.0.0.0")),
            *(("127.0.0.1", host, 400) for host in ("", "a b", "a/b", "a@b", "[::1", "localhost:x", "é", "a,b")),
            *(("10.0.0.5", host, 200) for host in ("10.0.0.5:8000", "192.168.1.7", "[fe80::1]:80", "localhost")),
            *(("10.0.0.5", host, 403) for host in ("evil.example", "10.0.0.5.evil.example", "10.0.0")),
            *(("::1", host, 200) for host in ("[::1]:8000", "localhost", "127.0.0.1")),
            ("::1", "evil.example", 403),
            *(("127.0.0.1", host, 200) for host in ("Name.Example", "name.example:8000", "name.example.")),
        ],
    )
    def test_host(self, speaker: elmo.Embedder, server: str, host: str, status: int) -> None:
        settings = ServeSettings(hosts=("name.example",))
        address = f"[{server}]" if ":" in server else server
        with TestClient(create_app({"s": speaker}, settings), f"http://{address}") as client:
            assert client.get("/health", headers={"host": host.encode()}).status_code == status

    def test_any_host(self, speaker: elmo.Embedder) -> None:
        with TestClient(create_app({"s": speaker}, ServeSettings(hosts=("*",)))) as client:
            assert client.get("/health", headers={"host": "any.example"}).status_code == 200

    def test_several_hosts(self, client: TestClient) -> None:
        headers = [("host", "testserver"), ("host", "evil.example")]
        assert "more than one Host" in error_of(client.get("/health", headers=headers), 400)

    @pytest.mark.parametrize(
        ("field", "value", "message"),
        [
            *(("api_key", key, "API key") for key in ("", " ", "a b", "key\n", "ключ")),
            *(("hosts", (host,), "host name") for host in ("", "http://a.example", "a.example:80", "a/b", "é.example")),
            *(("cors", (origin,), "origin") for origin in ("", "a.example", "https://a.example/", "https://")),
        ],
    )
    def test_settings_that_could_never_match_are_refused(self, field: str, value, message: str) -> None:
        with pytest.raises(ValueError, match=message):
            ServeSettings(**{field: value})


class TestLoad:
    """A model that waits for ``self.resume``."""

    @pytest.fixture
    def slow(self, speaker: elmo.Embedder) -> Iterator[elmo.Embedder]:
        self.resume, self.begun = threading.Event(), threading.Event()

        class Slow(elmo.Embedder):
            def embed(slow, *arguments, **options):
                self.begun.set()
                assert self.resume.wait(30)
                return super().embed(*arguments, **options)

        yield Slow(speaker.bilm, softmax=speaker.softmax)
        self.resume.set()

    def test_time_out(self, slow: elmo.Embedder) -> None:
        with TestClient(create_app({"s": slow}, ServeSettings(request_timeout=0.1))) as client:
            response = client.post("/embed", json={"sentences": ["a"]})
            assert "not ready within 0.1 seconds" in error_of(response, 503)
            assert response.headers["retry-after"] == "1"
            self.resume.set()

    def test_full_queue(self, slow: elmo.Embedder) -> None:
        settings = ServeSettings(max_request_words=8, max_sentences=1, queue_tokens=10, batch_requests=1)
        answers = []
        with TestClient(create_app({"s": slow}, settings)) as client:

            def ask() -> None:
                answers.append(client.post("/embed", json={"sentences": ["a b c d e f g h"]}))

            threads = [threading.Thread(target=ask) for _ in range(4)]
            threads[0].start()
            assert self.begun.wait(10)  # the model has taken it, so the queue has room for one more
            for thread in threads[1:]:
                thread.start()
            until = time.monotonic() + 10
            while len(answers) < 2 and time.monotonic() < until:
                time.sleep(0.005)
            self.resume.set()
            for thread in threads:
                thread.join(10)
        assert sorted(answer.status_code for answer in answers) == [200, 200, 429, 429]
        refused = next(answer for answer in answers if answer.status_code == 429)
        assert "too many requests are waiting" in error_of(refused, 429)
        assert refused.headers["retry-after"] == "1"

    def test_too_many_at_once(self, slow: elmo.Embedder) -> None:
        with TestClient(create_app({"s": slow}, ServeSettings(max_requests=1))) as client:
            thread = threading.Thread(target=client.post, args=("/embed",), kwargs={"json": {"sentences": ["a"]}})
            thread.start()
            assert self.begun.wait(10)  # the request is in progress
            assert client.get("/v1/models").status_code == 429
            assert client.get("/health").status_code == 200, "a busy server is healthy"
            self.resume.set()
            thread.join(10)
            assert client.get("/v1/models").status_code == 200

    def test_the_details_of_a_bug_are_not_shown(self, speaker: elmo.Embedder, caplog: pytest.LogCaptureFixture) -> None:
        class Broken(elmo.Embedder):
            def embed(self, *arguments, **options):
                raise RuntimeError("the weights caught fire")

        with TestClient(create_app({"s": Broken(speaker.bilm)})) as client:
            response = client.post("/embed", json={"sentences": ["a"]})
            assert "internal error" in error_of(response, 500)
            assert "fire" not in response.text
            assert "the weights caught fire" in caplog.text
            assert client.get("/health").status_code == 200


def test_a_server_needs_models(speaker: elmo.Embedder, model: elmo.Embedder, index: Index) -> None:
    with pytest.raises(ValueError, match="at least one model"):
        create_app({})
    with pytest.raises(ValueError, match="was built with another model"):
        create_app({"plain": model}, indexes={"plain": index})


def test_words_that_a_model_cannot_embed(speaker: elmo.Embedder) -> None:
    class Choosy(elmo.Embedder):
        def embed(self, sentences, *arguments, **options):
            if ["unheard"] in sentences:
                raise ValueError("'unheard' is not in the vocabulary")
            return super().embed(sentences, *arguments, **options)

    with TestClient(create_app({"s": Choosy(speaker.bilm)})) as client:
        assert "not in the vocabulary" in error_of(client.post("/embed", json={"sentences": ["unheard"]}), 400)


def test_a_worker_that_is_added_while_the_server_stops(model: elmo.Embedder, speaker: elmo.Embedder) -> None:
    """The explorer may be loading a task model."""
    app = create_app({"speaker": speaker, "plain": model})
    service = app.state.service
    late = BatchWorker("late", service.settings, service.metrics)

    async def stop() -> None:
        async with app.router.lifespan_context(app):
            service.models["speaker"].batcher.submit(
                [1], [3], lambda items: [service.workers.update({0: late})], "the last work before the end"
            )

    asyncio.run(stop())
    assert service.workers[0] is late
