"""Whatever a client sends, it gets a 4xx error as JSON without delay, and the server keeps running."""

import asyncio
import contextlib
import json
import re
import socket
import threading
import time
from collections.abc import Iterator

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from starlette.testclient import TestClient

import elmo
from elmo.embed.select import EmbeddedSentence
from elmo.serve.app import create_app
from elmo.serve.middleware import _nesting_depth
from elmo.serve.server import Server, bind
from elmo.serve.settings import ServeSettings

JSON = {"content-type": "application/json"}
POSTS = ("/v1/embeddings", "/embed", "/neighbors", "/predict", "/v1/tasks/ner")


@pytest.fixture(scope="module")
def client(speaker: elmo.Embedder) -> Iterator[TestClient]:
    with TestClient(create_app({"s": speaker})) as client:
        yield client


def checked(status: int, body: bytes) -> dict:
    """Check that a response is an error in the common format, and return it."""
    error = json.loads(body)["error"]
    assert set(error) == {"message", "type", "param"}
    assert error["message"]
    assert "Traceback" not in error["message"]
    assert 400 <= status < 500
    return error


class TestBodies:
    @pytest.mark.parametrize("path", POSTS)
    @pytest.mark.parametrize(
        ("body", "status", "message"),
        [
            pytest.param(b"", 422, "this field is required", id="empty"),
            pytest.param(b"{", 400, "not JSON", id="cut off"),
            pytest.param(b'{"sentences": ["a"]}}', 400, "not JSON", id="too long"),
            pytest.param(b"'a'", 400, "not JSON", id="single quotes"),
            pytest.param(b"null", 422, "", id="null"),
            pytest.param(b"[]", 422, "", id="list"),
            pytest.param(b'"text"', 422, "", id="string"),
            pytest.param(b"NaN", 422, "", id="NaN"),
            pytest.param(b"1" * 5000, 400, "not JSON that this server can read", id="huge number"),
            pytest.param(b'{"sentences": 1e999}', 422, "", id="infinite"),
            pytest.param(b"\xff\xfe{}", 400, "not UTF-8 (byte 0", id="not UTF-8"),
            pytest.param('{"sentences": ["é"]}'.encode("latin-1"), 400, "not UTF-8", id="Latin-1"),
            pytest.param('{"sentences": ["a"]}'.encode("utf-16"), 400, "not UTF-8", id="UTF-16"),
            pytest.param(b"\xef\xbb\xbf{}", 422, "this field is required", id="byte order mark"),
            pytest.param(b'{"a\\ud800": 1}', 422, "", id="surrogate in a name"),
            pytest.param(b"[" * 500_000, 400, "more than 8 levels deep", id="deep"),
            pytest.param(b"[" * 9 + b"]" * 9, 400, "more than 8 levels deep", id="a little deep"),
            pytest.param(b'{"a":' * 100_000, 400, "more than 8 levels deep", id="deep objects"),
            pytest.param(b"[]" * 250_000, 400, "not JSON", id="many brackets"),
            pytest.param(b'"' * 500_000, 400, "not JSON", id="many quotes"),
            pytest.param(b'"' + b'\\"' * 250_000, 400, "not JSON", id="a string without end"),
            pytest.param(b" " * (1 << 20) + b"1", 413, "larger than 1,048,576 bytes", id="large"),
        ],
    )
    def test_invalid_bodies(self, client: TestClient, path: str, body: bytes, status: int, message: str) -> None:
        response = client.post(path, content=body, headers=JSON)
        assert response.status_code == status, response.text
        assert message in checked(response.status_code, response.content)["message"]

    @pytest.mark.parametrize(
        ("path", "body"),
        [
            ("/embed", {"sentences": ["\ud800"]}),
            ("/embed", {"sentences": [["a", "b\udfff"]]}),
            ("/v1/embeddings", {"model": "s", "input": "a \ud83d b"}),
            ("/v1/embeddings", {"model": "s", "input": ["\udc00"]}),
            ("/neighbors", {"sentence": "\ud800", "index": 0}),
            ("/neighbors", {"sentence": "a", "word": "\ud800"}),
            ("/predict", {"sentence": "\ud800 ___"}),
        ],
    )
    def test_lone_surrogates(self, client: TestClient, path: str, body) -> None:
        response = client.post(path, content=json.dumps(body), headers=JSON)
        assert response.status_code == 422
        message = checked(422, response.content)["message"]
        assert re.fullmatch(r"\w+: character \d is a lone surrogate", message)

    def test_a_lone_surrogate_in_a_model_name(self, client: TestClient) -> None:
        body = json.dumps({"model": "\ud800", "sentences": []})
        checked(404, client.post("/embed", content=body, headers=JSON).content)

    @pytest.mark.parametrize("kind", ["", "text/plain", "application/x-www-form-urlencoded", "application/jsonp", "é"])
    def test_other_content_types(self, client: TestClient, kind: str) -> None:
        response = client.post("/embed", content=b'{"sentences": []}', headers={"content-type": kind.encode()})
        assert response.status_code == 415
        assert "Content-Type: application/json" in checked(415, response.content)["message"]
        fine = client.post("/embed", content=b'{"sentences": []}', headers={"content-type": "Application/JSON; a=b"})
        assert fine.status_code == 200

    @pytest.mark.parametrize(
        "text", ["\0", "\r\n", "a" * 20_000, "'" * 20_000, "a'" * 9_000, "a.b" * 6_000, "\u200d" * 999, "𝔘" * 999]
    )
    def test_odd_text_is_text(self, client: TestClient, text: str) -> None:
        """No text is invalid in itself, and none takes long."""
        response = client.post("/embed", json={"sentences": [text], "layers": "top"})
        assert response.status_code == 200 or "words" in checked(response.status_code, response.content)["message"]

    @given(body=st.binary(max_size=200) | st.text(max_size=50).map(lambda text: text.encode("utf-8", "surrogatepass")))
    @settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
    def test_any_bytes(self, client: TestClient, body: bytes) -> None:
        response = client.post("/embed", content=body, headers=JSON)
        checked(response.status_code, response.content)

    @given(
        body=st.recursive(
            st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=10),
            lambda part: st.lists(part, max_size=4) | st.dictionaries(st.text(max_size=5), part, max_size=4),
            max_leaves=30,
        )
    )
    @settings(max_examples=100, deadline=None)
    def test_depth(self, body) -> None:
        def depth(value) -> int:
            if not isinstance(value, list | dict):
                return 0
            return 1 + max(map(depth, value.values() if isinstance(value, dict) else value), default=0)

        for ascii_only in (True, False):
            assert _nesting_depth(json.dumps(body, ensure_ascii=ascii_only).encode("utf-8", "surrogatepass")) == depth(
                body
            )
        assert _nesting_depth(json.dumps(['[{\\"', "\\", '"[[[', body]).encode()) == 1 + depth(body)


class TestPaths:
    @pytest.mark.parametrize(
        "path",
        [
            *("/", "/embed/", "//embed", "/EMBED", "/embed/..", "/v1", "/v1/embeddings/x", "/" + "a" * 5000),
            *("/../../etc/passwd", "/%2e%2e/%2e%2e/etc/passwd", "/..%2f..%2fetc/passwd", "/static/../app.py"),
            *("/a%00b", "/%ff%fe"),
        ],
    )
    def test_unknown_paths(self, client: TestClient, path: str) -> None:
        response = client.get(path)
        assert response.status_code == 404
        checked(404, response.content)

    def test_methods(self, client: TestClient) -> None:
        for method, path in [("GET", "/embed"), ("PUT", "/embed"), ("DELETE", "/health"), ("BREW", "/v1/models")]:
            response = client.request(method, path, headers=JSON)
            assert response.status_code == 405
            assert method in checked(405, response.content)["message"]
            assert response.headers["allow"] in ("GET", "POST")


class Connection:
    """A client that sends arbitrary bytes."""

    def __init__(self, port: int) -> None:
        self.socket = socket.create_connection(("127.0.0.1", port), timeout=10)

    def send(self, *parts: bytes) -> None:
        for part in parts:
            self.socket.sendall(part)

    def response(self) -> tuple[int, bytes]:
        """Return status and body of the next response; (0, b"") if the server has closed the connection."""
        head = b""
        while not head.endswith(b"\r\n\r\n"):
            byte = self.socket.recv(1)
            if not byte:
                return 0, head
            head += byte
        lines = head.lower().split(b"\r\n")
        length = next(int(line.split(b":")[1]) for line in lines if line.startswith(b"content-length"))
        body = b""
        while len(body) < length:
            body += self.socket.recv(length - len(body))
        return int(head.split()[1]), body

    def closed(self) -> bool:
        """Wait for the server to close the connection."""
        with contextlib.suppress(ConnectionResetError):
            return self.socket.recv(1) == b""
        return True


def post(body: bytes, *headers: bytes, length: int | None = None) -> bytes:
    lines = [b"POST /embed HTTP/1.1", b"host: localhost", b"content-type: application/json", *headers]
    lines.append(b"content-length: %d" % (len(body) if length is None else length))
    return b"\r\n".join(lines) + b"\r\n\r\n" + body


GOOD = b'{"sentences": ["a b"], "format": "npz"}'


@pytest.fixture(scope="module")
def port(serve, speaker: elmo.Embedder) -> Iterator[int]:
    strict = ServeSettings(read_timeout=0.3, max_body=100_000)
    with serve(create_app({"s": speaker}, strict), strict.read_timeout) as port:
        yield port


class TestConnections:
    @pytest.fixture
    def connection(self, port: int) -> Iterator[Connection]:
        connection = Connection(port)
        with connection.socket:
            yield connection
        other = Connection(port)
        with other.socket:
            other.send(post(GOOD))
            assert other.response()[0] == 200, "the server keeps running"

    @pytest.mark.parametrize(
        "request_line",
        [
            pytest.param(b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03", id="TLS"),
            pytest.param(b"\x00" * 100, id="zeros"),
            pytest.param(b"GET", id="no path"),
            pytest.param("GET /é HTTP/1.1".encode(), id="path that is not ASCII"),
            pytest.param(b"GET / HTTP/1.1\r\nhost: localhost\r\nbad header", id="header without colon"),
            pytest.param(b"GET / HTTP/1.1\r\nhost: localhost\r\na: b\x00c", id="zero in a header"),
            pytest.param(b"POST /embed HTTP/1.1\r\nhost: localhost\r\ncontent-length: -5", id="negative length"),
            pytest.param(b"POST /embed HTTP/1.1\r\nhost: localhost\r\ncontent-length: 1e3", id="odd length"),
            pytest.param(b"GET /" + b"a" * 100_000 + b" HTTP/1.1\r\nhost: localhost", id="long path"),
            pytest.param(b"GET / HTTP/1.1\r\nhost: localhost\r\na: " + b"b" * 100_000, id="long header"),
        ],
    )
    def test_not_http(self, connection: Connection, request_line: bytes) -> None:
        with contextlib.suppress(ConnectionError):
            connection.send(request_line, b"\r\n\r\n")
        status, body = connection.response()
        checked(status, body)

    def test_a_silent_connection(self, connection: Connection) -> None:
        assert connection.closed()

    def test_slow_headers(self, connection: Connection) -> None:
        begin = time.monotonic()
        with contextlib.suppress(ConnectionError):
            while time.monotonic() - begin < 5:
                connection.send(b"a" if time.monotonic() - begin > 0.1 else b"GET /health HTTP/1.1\r\n")
                time.sleep(0.05)
        assert time.monotonic() - begin < 5

    def test_slow_headers_of_a_second_request(self, connection: Connection) -> None:
        connection.send(post(GOOD))
        assert connection.response()[0] == 200
        connection.send(b"GET /health HT")
        assert connection.closed()

    def test_slow_body(self, connection: Connection) -> None:
        connection.send(post(b'{"sen', length=1000))
        status, body = connection.response()
        assert status == 408
        assert "did not arrive within 0.3 seconds" in checked(status, body)["message"]
        assert connection.closed()

    def test_large_body(self, connection: Connection) -> None:
        connection.send(post(b" " * 3_000_000))
        status, body = connection.response()
        assert status == 413
        checked(status, body)

    def test_endless_body(self, connection: Connection) -> None:
        connection.send(b"POST /embed HTTP/1.1\r\nhost: localhost\r\ntransfer-encoding: chunked\r\n\r\n")
        chunk = b"10000\r\n" + b" " * 0x10000 + b"\r\n"
        with contextlib.suppress(ConnectionError):
            for _ in range(1000):
                connection.send(chunk)
        with contextlib.suppress(ConnectionError):
            assert connection.response()[0] in (0, 408, 413)

    def test_expect_100_continue(self, connection: Connection) -> None:
        connection.send(post(b"", b"expect: 100-continue", length=100))
        assert connection.socket.recv(100).startswith(b"HTTP/1.1 100")

    def test_pipelined_requests(self, connection: Connection) -> None:
        connection.send(post(GOOD) + post(b"{") + post(GOOD))
        assert [connection.response()[0] for _ in range(3)] == [200, 400, 200]

    def test_disconnect_in_the_middle_of_a_body(self, connection: Connection) -> None:
        connection.send(post(b'{"sen', length=1000))

    def test_half_closed(self, connection: Connection) -> None:
        connection.send(post(GOOD))
        connection.socket.shutdown(socket.SHUT_WR)
        assert connection.response()[0] in (0, 200)

    def test_websocket(self, connection: Connection) -> None:
        headers = b"connection: upgrade\r\nupgrade: websocket\r\nsec-websocket-version: 13\r\nsec-websocket-key: eA=="
        connection.send(b"GET /embed HTTP/1.1\r\nhost: localhost\r\n" + headers + b"\r\n\r\n")
        assert connection.response()[0] == 405


def test_a_client_that_does_not_read(serve, speaker: elmo.Embedder) -> None:
    class Verbose(elmo.Embedder):
        def embed(self, sentences, *arguments, **options):
            return [EmbeddedSentence(list(words), np.full((50_000,), 0.1, np.float32)) for words in sentences]

    app = create_app({"s": Verbose(speaker.bilm)})
    metrics = app.state.service.metrics
    with serve(app, 0.3) as port:
        connection = Connection(port)
        with connection.socket:
            connection.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            connection.send(post(json.dumps({"sentences": ["word"] * 20}).encode()))
            eventually(
                lambda: 'path="/embed"' in metrics.render() and "elmo_requests_in_progress 0" in metrics.render()
            )


def test_requests_of_disconnected_clients_are_not_computed(serve, speaker: elmo.Embedder) -> None:
    resume, batches = threading.Event(), []

    class Slow(elmo.Embedder):
        def embed(self, sentences, *arguments, **options):
            batches.append(sentences)
            assert resume.wait(10)
            return super().embed(sentences, *arguments, **options)

    app = create_app({"s": Slow(speaker.bilm)}, ServeSettings(batch_requests=1, batch_wait=0.0))
    service = app.state.service
    with serve(app) as port, contextlib.ExitStack() as stack:
        stack.callback(resume.set)
        connections = []
        for number in range(4):
            connections.append(Connection(port))
            stack.enter_context(connections[-1].socket)
            connections[-1].send(post(json.dumps({"sentences": [f"w{number}"], "format": "npz"}).encode()))
            eventually(lambda number=number: batches and service.models["s"].batcher.queued_tokens == 3 * number)
        for connection in connections[1:3]:
            connection.socket.close()
        eventually(lambda: 'path="/embed",status="499"} 2' in service.metrics.render())
        resume.set()
        assert connections[0].response()[0] == connections[3].response()[0] == 200
    assert batches == [[["w0"]], [["w3"]]]


def eventually(holds) -> None:
    until = time.monotonic() + 30
    while not holds():
        assert time.monotonic() < until
        time.sleep(0.005)


def test_half_a_second_to_finish_is_not_none(speaker: elmo.Embedder) -> None:
    settings = ServeSettings(shutdown_timeout=0.5)
    assert Server(create_app({"s": speaker}, settings), settings).config.timeout_graceful_shutdown == 1


def test_shutting_down_finishes_requests_in_progress(serve, speaker: elmo.Embedder) -> None:
    resume, started = threading.Event(), threading.Event()

    class Slow(elmo.Embedder):
        def embed(self, *arguments, **options):
            started.set()
            assert resume.wait(10)
            return super().embed(*arguments, **options)

    with serve(create_app({"s": Slow(speaker.bilm)})) as port:
        connection = Connection(port)
        connection.send(post(GOOD))
        assert started.wait(10)
        threading.Timer(0.3, resume.set).start()
    assert connection.response()[0] == 200
    connection.socket.close()


def test_a_response_does_not_wait_for_the_client() -> None:
    """Packets are sent at once, or the body of a response would wait for the client to confirm its head."""

    async def delays_packets() -> bool:
        connected: asyncio.Future[asyncio.StreamWriter] = asyncio.get_running_loop().create_future()
        listener = bind("127.0.0.1", 0)
        async with await asyncio.start_server(lambda _, writer: connected.set_result(writer), sock=listener):
            _, client = await asyncio.open_connection(*listener.getsockname())
            server = await connected
            option = server.get_extra_info("socket").getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)
            for writer in (client, server):
                writer.close()
                await writer.wait_closed()
        return option == 0

    assert not asyncio.run(delays_packets())
