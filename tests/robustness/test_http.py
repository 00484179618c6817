"""Hostile requests to every path of a server: never a 500, never a hang, never the content of a file.

Each family below generates requests as bytes, which are sent over real connections, many at a time. A seeded sample of
each is sent by default, and all of them with ``ELMO_TEST_FULL=1``.
"""

import asyncio
import json
import logging
import os
import random
from collections.abc import Iterator
from itertools import product
from pathlib import Path
from typing import NamedTuple

import pytest

pytest.importorskip("fastapi", reason="needs elmo-torch[serve]")
pytest.importorskip("uvicorn", reason="needs elmo-torch[serve]")
from serve.servers import CORPUS, random_model, running

from elmo.search.index import build_index
from elmo.search.live_index import LiveIndex
from elmo.search.sample_texts import ENGLISH
from elmo.serve.app import create_app
from elmo.serve.examples import opening_for
from elmo.serve.pages import Explorer, add_explorer
from elmo.serve.settings import ServeSettings
from elmo.tasks.load import load_task

SAMPLE_SIZE = 250
"""Requests per family, unless all are sent."""
CONCURRENT = 16
READ_TIMEOUT = 0.3
HANG = 20.0
"""Seconds after which a response is missing. The server has to answer, or to close the connection, much sooner."""

WORDS = ["tel", "brint", "a", "dorn"]
BODIES: dict[str, dict[str, object]] = {
    "/v1/embeddings": {
        "model": "s", "input": ["tel brint"], "encoding_format": "float", "dimensions": 16, "user": "me",
        "layers": "top", "tokenize": "words",
    },
    "/embed": {
        "model": "s", "sentences": ["tel brint", ["a", "dorn"]], "layers": "all", "pool": "mean", "tokenize": "words",
        "format": "npz",
    },
    "/neighbors": {
        "model": "s", "sentence": WORDS, "word": "tel", "layer": "top", "mix": [1, 0, 0], "count": 3, "same_word": True,
        "tokenize": "words",
    },
    "/predict": {"model": "s", "sentence": "tel ___ a", "count": 3},
    "/v1/tasks/ner": {"inputs": ["Tel brint. A dorn.", {"text": WORDS}, {"text": [WORDS, ["tel"]]}]},
    "/v1/tasks/squad": {"inputs": [{"question": "Who came?", "passage": "Tel brint. A dorn."}, "Who? ||| Tel."]},
    "/explore/sentences": {"text": "Tel brint. A dorn."},
    "/explore/neighbors": {"words": WORDS, "position": 1, "measure": "dot", "same_word": True, "k": 3},
    "/explore/mix": {"words": WORDS, "position": 1, "measure": "cosine", "raw": [0, 1, 0], "gamma": 2, "k": 3},
    "/explore/map": {"words": WORDS, "position": 1, "layer": [0, 1, 0], "typed": [WORDS, ["brint"]]},
    "/explore/similarity": {"first": WORDS, "second": ["dorn"], "raw": [0, 1, 0]},
}  # fmt: skip
"""A valid body with every field, for each path that takes one."""
GETS = (
    "/",
    "/main.js",
    "/health",
    "/docs",
    "/openapi.json",
    "/v1/models",
    "/v1/tasks",
    "/metrics",
    "/explore/status",
    "/nowhere",
)
METHODS = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "CONNECT", "BREW", "get", "PRI"]

VALUES = [
    *(
        "null",
        "true",
        "false",
        "0",
        "-1",
        "1",
        "2.5",
        "-0.0",
        "1e308",
        "1e999",
        "-1e999",
        "NaN",
        "Infinity",
        "-Infinity",
    ),
    *("9223372036854775808", "1" + "0" * 400, "1" * 5000, "1e-400"),
    *('""', '" "', '"tel"', '"___"', '"\\u0000"', '"\\ud800"', '"\\udfff tel"', '"<script>alert(1)</script>"'),
    *('"../../etc/passwd"', '"${jndi:ldap://x}"', '"\\u202e\\u200d"', '"가나다"', '"' + "a" * 30_000 + '"'),
    *('"' + "a " * 9_000 + '"', '"' + "___ " * 50 + '"', '"all"', '"average"', '"max"', '"safetensors"'),
    *("[]", "[null]", "[[]]", '[""]', '["tel"]', '[["tel"]]', "[0]", "[0, 0, 0]", "[1e308, 1e308, 1e308]", "[NaN]"),
    *("[-20, 20, 0]", "[" + "0," * 999 + "0]", '["\\ud800"]', "[" + '"a",' * 2000 + '"a"]', "[" * 7 + "]" * 7),
    *("{}", '{"a": 1}', '{"__proto__": {}}', '{"$ref": "#"}'),
]
"""JSON values of every type, at and beyond every limit."""

HOSTS = [
    *("evil.example", "evil.example:80", "localhost.evil.example", "127.0.0.1.evil.example", "10.0.0.1", "0.0.0.0"),
    *("8.8.8.8:53", "[2001:db8::1]", "[::ffff:8.8.8.8]", "xn--lclhost-8fa.example", "localhos", "1.2.3", "2130706433"),
    *("0x7f000001", "127.1", "", " ", "a b", "localhost@evil.example", "localhost/evil", "localhost#", "localhost:x"),
    *("localhost:99999999", "[::1", "::1]", "*", "http://localhost", "é", "a" * 5000, "localhost,evil.example", "-"),
]
"""Hosts that a server on a loopback address does not answer to."""
ORIGINS = [
    *("http://evil.example", "https://evil.example", "null", "", "http://localhost:1", "http://localhost.evil.example"),
    *("http://127.0.0.1", "file://", "localhost", "http://localhost/", "http://localhost evil", "*", "javascript:x"),
]
"""Origins other than http://localhost."""

HEADERS = [
    *(
        "content-type: ",
        "content-type: text/plain",
        "content-type: application/json; charset=utf-16",
        "content-type: é",
    ),
    *(
        "content-encoding: gzip",
        "content-encoding: br",
        "transfer-encoding: chunked",
        "transfer-encoding: gzip, chunked",
    ),
    *(
        "transfer-encoding: identity",
        "content-length: 0",
        "content-length: 5",
        "content-length: -1",
        "content-length: x",
    ),
    *("content-length: 99999999999999999999", "expect: 100-continue", "expect: nothing", "connection: close"),
    *("connection: upgrade\r\nupgrade: websocket", "connection: upgrade\r\nupgrade: h2c", "accept: application/x-npz"),
    *(
        "accept: " + "a/b," * 2000,
        "accept: é;q=x",
        "accept-encoding: *;q=0",
        "authorization: ",
        "authorization: Bearer",
    ),
    *("authorization: Basic eDp5", "range: bytes=0-1", "range: bytes=-999999999", "range: bytes=5-1,2-3", "range: x"),
    *("if-none-match: *", "if-modified-since: never", "if-range: x", "cookie: " + "a=b;" * 1000, "te: trailers"),
    *("x-forwarded-host: evil.example", "x-forwarded-for: ::1", "x-http-method-override: DELETE", "forwarded: host=x"),
    *(
        "host: localhost",
        "host: evil.example",
        "origin: http://evil.example",
        "a: " + "b" * 70_000,
        "no colon",
        ": empty",
    ),
    *("a\x00b: c", "a: b\x00c", "a : b", "a: b\r\n c", "a: \x7f", "\r\n".join(f"h{n}: v" for n in range(300))),
]

RAW_BODIES = [
    *(
        b"",
        b"{",
        b"}",
        b"null",
        b"true",
        b"0",
        b'"a"',
        b"[]",
        b"{}}",
        b"{}{}",
        b"{,}",
        b"{'a': 1}",
        b"{a: 1}",
        b"//\n{}",
    ),
    *(
        b"[" * 9 + b"]" * 9,
        b"[" * 100_000,
        b'{"a":' * 50_000,
        b"[]" * 50_000,
        b'"' * 50_000,
        b"1" * 50_000,
        b"\x00" * 99,
    ),
    *(b"\xff\xfe", b"\xef\xbb\xbf{}", b"\xed\xa0\x80", b"\xc0\xaf", b"\xf4\x90\x80\x80", b" " * 200_000, b"NaN"),
    *(
        b'{"\\ud800": 1}',
        b'{"a": 1, "a": 2}',
        b"a=b&c=d",
        b"<?xml version='1.0'?>",
        b"--x\r\n\r\n--x--",
        b"\x1f\x8b\x08\x00",
    ),
]
ENCODINGS = ("utf-16", "utf-16-le", "utf-32", "utf-8-sig", "latin-1", "utf-7")

DOTS = ("..", "%2e%2e", "%252e%252e", "..%00", ".%2e", "%c0%ae%c0%ae", "..;", "%uff0e%uff0e", "....", "..%5c..")
SLASHES = ("/", "//", "%2f", "%5c", "\\", "%252f", "/./")
SECRETS = (
    b"root:x:0",
    b"Traceback (most recent",
    b"from collections.abc import",
    b"The play was sold out for the third",
)
"""What /etc/passwd, an error, a file of Python code and the sample text contain."""


class Case(NamedTuple):
    """A request, and how the server may answer it."""

    name: str
    data: bytes
    statuses: frozenset[int] = frozenset(range(100, 500))
    may_close: bool = False
    """Whether the server may close the connection without a response."""
    ending: str = "wait"
    """What the client does after sending: wait for the response, close its side ("half-close"), or reset."""


def message(method: str, path: str, *headers: str, body: bytes | None = None, host: str | None = "localhost") -> bytes:
    """Write a request. ``headers`` are added to the usual ones."""
    lines = [f"{method} {path} HTTP/1.1"]
    lines += [] if host is None else [f"host: {host}"]
    if body is not None:
        names = [header.partition(":")[0] for header in headers]
        lines += [] if "content-type" in names else ["content-type: application/json"]
        lines += [] if "content-length" in names or "transfer-encoding" in names else [f"content-length: {len(body)}"]
    text = "\r\n".join([*lines, *headers, "connection: close", "", ""])
    return text.encode("utf-8", "surrogatepass") + (body or b"")


def valid_requests() -> list[tuple[str, str, bytes | None]]:
    """Return one valid request per path."""
    posts = [("POST", path, json.dumps(body).encode()) for path, body in BODIES.items()]
    return [*(("GET", path, None) for path in GETS), *posts]


def methods() -> Iterator[Case]:
    for _, path, body in valid_requests():
        for method in METHODS:
            for sent in (None, body or b"{}"):
                yield Case(f"{method} {path} {sent is not None}", message(method, path, body=sent))


def hosts() -> Iterator[Case]:
    for method, path, body in valid_requests():
        for host in HOSTS:
            yield Case(f"{path} {host!r}", message(method, path, body=body, host=host), frozenset({400, 403}))
        yield Case(f"{path} none", message(method, path, body=body, host=None), frozenset({400}))


def origins() -> Iterator[Case]:
    for method, path, body in valid_requests():
        for origin in ORIGINS:
            yield Case(
                f"{path} {origin!r}", message(method, path, f"origin: {origin}", body=body), frozenset({400, 403})
            )


def headers() -> Iterator[Case]:
    for method, path, body in valid_requests():
        for header in HEADERS:
            yield Case(f"{path} {header[:40]!r}", message(method, path, header, body=body), may_close=True)


def fields() -> Iterator[Case]:
    for path, body in BODIES.items():
        texts = {name: json.dumps(value) for name, value in body.items()}
        for name in texts:
            for value in VALUES:
                changed = ", ".join(f'"{other}": {value if other == name else texts[other]}' for other in texts)
                yield Case(f"{path} {name} {value[:40]}", message("POST", path, body=f"{{{changed}}}".encode()))
            without = {other: value for other, value in body.items() if other != name}
            yield Case(f"{path} without {name}", message("POST", path, body=json.dumps(without).encode()))
            twice = json.dumps(body)[:-1] + f', "{name}": {texts[name]}}}'
            yield Case(f"{path} {name} twice", message("POST", path, body=twice.encode()))
        unknown = json.dumps({**body, "unknown": 1}).encode()
        yield Case(f"{path} unknown field", message("POST", path, body=unknown), frozenset({422}))


def bodies() -> Iterator[Case]:
    for path, body in BODIES.items():
        text = json.dumps({**body, "é": "é"}, ensure_ascii=False)
        for raw in [*RAW_BODIES, *(text.encode(encoding) for encoding in ENCODINGS)]:
            refused = frozenset(range(400, 500))
            yield Case(f"{path} {raw[:20]!r}", message("POST", path, body=raw), refused)


def mutations() -> Iterator[Case]:
    """Flip, cut, repeat and insert bytes anywhere in a request."""
    draw = random.Random(0)
    for method, path, body in valid_requests():
        good = message(method, path, body=body)
        for number in range(60):
            data = bytearray(good)
            for _ in range(draw.choice((1, 1, 2, 8))):
                place = draw.randrange(len(data))
                kind = draw.randrange(4)
                if kind == 0:
                    data[place] ^= 1 << draw.randrange(8)
                elif kind == 1:
                    del data[place : place + draw.randrange(1, 9)]
                elif kind == 2:
                    data[place:place] = draw.randbytes(draw.randrange(1, 9))
                else:
                    data[place:place] = data[place : place + draw.randrange(1, 99)]
            yield Case(f"{path} mutation {number}", bytes(data), may_close=True)


def traversal() -> Iterator[Case]:
    targets = ("pages.py", "etc/passwd", "examples.py")
    for dots, slash, depth, target, start in product(DOTS, SLASHES, (1, 2, 8), targets, ("/", "/explore/", "/static/")):
        path = start + f"{dots}{slash}" * depth + target
        yield Case(path, message("GET", path), frozenset(range(400, 500)))


def connections() -> Iterator[Case]:
    """End a request at many points, and then wait, close one side of the connection, or reset it."""
    for method, path, body in valid_requests():
        good = message(method, path, body=body)
        for part in range(12):
            for ending in ("wait", "half-close", "reset"):
                cut = good[: len(good) * part // 11]
                yield Case(f"{path} {part}/11 {ending}", cut, may_close=True, ending=ending)
        yield Case(f"{path} pipelined", good.replace(b"connection: close\r\n", b"") * 5 + good)


FAMILIES = (methods, hosts, origins, headers, fields, bodies, mutations, traversal, connections)


async def exchange(port: int, case: Case) -> bytes:
    """Send a request and return everything that the server sends until it closes the connection."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    try:
        writer.write(case.data)
        if case.ending == "reset":
            writer.transport.abort()
            return b""
        if case.ending == "half-close":
            writer.write_eof()
        return await reader.read()
    except ConnectionError:
        return b""
    finally:
        writer.close()


def problem_with(case: Case, answer: bytes) -> str | None:
    """Return what is wrong with a response, or None."""
    for secret in SECRETS:
        if secret in answer:
            return f"leaks {secret!r}"
    if not answer:
        return None if case.may_close else "no response"
    status = int(answer[9:12])
    if status not in case.statuses:
        return f"status {status}: {answer[-200:]!r}"
    head = answer.partition(b"\r\n\r\n")[0].lower()
    if status >= 400 and b"application/json" not in head:
        return f"an error that is not JSON: {answer[:300]!r}"
    return None


@pytest.fixture(scope="module")
def port(tmp_path_factory: pytest.TempPathFactory, task_folders: dict[str, Path]) -> Iterator[int]:
    """A server with all routes, the explorer included."""
    model = random_model()
    text = [line.split() for line in CORPUS]
    index = build_index(model, text, tmp_path_factory.mktemp("http") / "index")
    settings = ServeSettings(read_timeout=READ_TIMEOUT, max_body=100_000)
    tasks = {name: load_task(task_folders[name]) for name in ("ner", "squad")}
    app = create_app({"s": model}, settings, {"s": index}, tasks=tasks)
    config = model.bilm.config
    live = LiveIndex(text, config.n_representations, config.output_dim)
    add_explorer(app, Explorer(app.state.service.models["s"].batcher, live, ["text"], opening_for(ENGLISH)))
    with running(app, READ_TIMEOUT) as port:
        yield port


@pytest.mark.parametrize("family", FAMILIES, ids=lambda family: family.__name__)
def test_hostile_requests(port: int, family) -> None:
    cases = list(family())
    if not os.environ.get("ELMO_TEST_FULL"):
        cases = random.Random(0).sample(cases, min(SAMPLE_SIZE, len(cases)))
    logging.getLogger(__name__).info("%d requests", len(cases))

    async def send_all() -> dict[str, str]:
        room = asyncio.Semaphore(CONCURRENT)
        problems: dict[str, str] = {}

        async def send(case: Case) -> None:
            async with room:
                try:
                    answer = await asyncio.wait_for(exchange(port, case), HANG)
                    if not answer and not case.may_close:  # on a busy machine, this client may have been too slow
                        answer = await asyncio.wait_for(exchange(port, case), HANG)
                except asyncio.TimeoutError:
                    problems[case.name] = "hangs"
                    return
            if problem := problem_with(case, answer):
                problems[case.name] = problem

        await asyncio.gather(*map(send, cases))
        healthy = await exchange(port, Case("health", message("GET", "/health")))
        assert healthy.startswith(b"HTTP/1.1 200"), "the server keeps running"
        return problems

    assert asyncio.run(send_all()) == {}


def test_valid_requests_are_answered(port: int) -> None:
    """Otherwise the families above would test little."""
    for method, path, body in valid_requests():
        if path == "/neighbors":  # the body above has all fields, some of which exclude one another
            continue
        expected = b"404" if path == "/nowhere" else b"200"
        answer = asyncio.run(exchange(port, Case(path, message(method, path, body=body))))
        assert answer[9:12] == expected, answer
