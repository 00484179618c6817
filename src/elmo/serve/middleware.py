"""The gate before the application: who may pass, with what body, and for how long.

Everything that can be refused cheaply is refused here, before JSON is parsed: a wrong key, too many requests at once, a
body that is too large, too slow, too deep or not UTF-8. A request whose client has gone, or that takes too long, is
cancelled, so that the model does not work for nobody. Whatever goes wrong behind the gate, the client hears of it in
the same shape, and never sees a traceback.
"""

import asyncio
import hmac
import logging
import time
from collections.abc import Collection

import numpy as np
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from elmo.serve.errors import Refusal
from elmo.serve.metrics import Metrics
from elmo.serve.settings import ServeSettings

OPEN_PATHS = frozenset({"/health", "/docs", "/openapi.json"})
"""What needs no key: whether the server is alive, and how to talk to it."""
DRAIN = 64
"""A body is read, and thrown away, up to so many times the limit: who is cut off while sending hears no reason."""
CLIENT_GONE = 499
"""The status in the metrics where there was nobody to answer."""

_log = logging.getLogger(__name__)

_BRACKETS = b"[]{}"
_NO_BRACKETS = bytes(byte for byte in range(256) if byte not in _BRACKETS)


class Gate:
    """ASGI middleware; ``paths`` are those that the metrics tell apart."""

    def __init__(self, app: ASGIApp, settings: ServeSettings, metrics: Metrics, paths: Collection[str]) -> None:
        self.app = app
        self._settings = settings
        self._metrics = metrics
        self._paths = frozenset(paths)
        self._under_way = 0
        metrics.watch("elmo_requests_in_progress", lambda: self._under_way)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let a request pass, or refuse it."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        start = time.perf_counter()
        answer = _Answer(send)
        self._under_way += 1
        try:
            await self._pass(scope, receive, answer)
        except Refusal as refusal:
            await answer.refuse(refusal)
        except Exception:
            _log.exception("%s %s", scope["method"], scope["path"])
            await answer.refuse(Refusal(500, "internal error; the server's log has the details"))
        finally:
            self._under_way -= 1
            path = scope["path"] if scope["path"] in self._paths else "other"
            self._metrics.count("elmo_requests_total", path=path, status=str(answer.status or CLIENT_GONE))
            self._metrics.observe("elmo_request_seconds", time.perf_counter() - start, path=path)

    async def _pass(self, scope: Scope, receive: Receive, answer: "_Answer") -> None:
        settings = self._settings
        headers = dict(scope["headers"])
        self._check_key(scope["path"], headers.get(b"authorization", b""))
        if self._under_way > settings.max_requests and scope["path"] != "/health":  # busy is not dead
            raise Refusal(429, "too many requests at once; try again soon")
        try:
            body = await asyncio.wait_for(_read_body(receive, settings.max_body), settings.read_timeout)
        except asyncio.TimeoutError:
            raise Refusal(408, f"the request was not sent within {settings.read_timeout:g} seconds") from None
        if body is None:
            return
        answer.body_was_read = True
        if scope["method"] == "POST":
            _check_json(headers.get(b"content-type", b""), body, settings.max_depth)

        work = asyncio.ensure_future(self.app(scope, _replay(body), answer.send))
        gone = asyncio.ensure_future(_gone(receive))
        try:
            timeout = settings.request_timeout
            done, _ = await asyncio.wait({work, gone}, timeout=timeout, return_when=asyncio.FIRST_COMPLETED)
            if work in done or answer.finished:
                await work
            elif not done:
                raise Refusal(
                    503, f"the answer was not ready within {timeout:g} seconds; try again later, or with less"
                )
        finally:
            work.cancel()
            gone.cancel()
            await asyncio.gather(work, gone, return_exceptions=True)

    def _check_key(self, path: str, authorization: bytes) -> None:
        if self._settings.api_key is None or path in OPEN_PATHS:
            return
        scheme, _, key = authorization.partition(b" ")
        # In constant time, so that answering times do not tell how much of a key is right.
        right = hmac.compare_digest(key.strip(), self._settings.api_key.encode())
        if scheme.lower() != b"bearer" or not right:
            raise Refusal(401, "this server wants its API key: Authorization: Bearer KEY")


class _Answer:
    """The way back to the client, and what has gone there."""

    def __init__(self, send: Send) -> None:
        self._send = send
        self.status = 0
        self.finished = False
        self.body_was_read = False

    async def send(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            self.status = message["status"]
        else:
            self.finished = not message.get("more_body", False)
        await self._send(message)

    async def refuse(self, refusal: Refusal) -> None:
        """Answer with an error, unless an answer has begun; then it breaks off, which a client notices."""
        if self.status:
            return
        body = refusal.body
        headers = [*refusal.headers, (b"content-length", str(len(body)).encode())]
        if not self.body_was_read:
            headers.append((b"connection", b"close"))  # what follows on the line would be the rest of the body
        await self.send({"type": "http.response.start", "status": refusal.status, "headers": headers})
        await self.send({"type": "http.response.body", "body": body})


async def _read_body(receive: Receive, limit: int) -> bytes | None:
    """The whole body; None if the client has gone."""
    pieces: list[bytes] = []
    size = 0
    while True:
        message = await receive()
        if message["type"] == "http.disconnect":
            return None
        piece = message.get("body", b"")
        size += len(piece)
        if size <= limit:
            pieces.append(piece)
        if not message.get("more_body", False) or size > DRAIN * limit:
            break
    if size > limit:
        raise Refusal(413, f"the body has more than {limit:,} bytes")
    return b"".join(pieces)


def _check_json(content_type: bytes, body: bytes, max_depth: int) -> None:
    """Refuse what need not be parsed to know that it is wrong."""
    if content_type.partition(b";")[0].strip().lower() != b"application/json":
        raise Refusal(415, "the body must be JSON, with the header Content-Type: application/json")
    try:
        body.decode("utf-8")
    except UnicodeDecodeError as error:
        raise Refusal(400, f"the body is not UTF-8 (at byte {error.start}: {error.reason})") from None
    if _depth(body) > max_depth:
        raise Refusal(400, f"the body has more than {max_depth} lists or objects within each other")


def _depth(body: bytes) -> int:
    """How many lists and objects lie within each other, at most; without recursion, in linear time."""
    outside_strings = b"".join(body.replace(rb"\\", b"").replace(rb"\"", b"").split(b'"')[::2])
    brackets = np.frombuffer(outside_strings.translate(None, _NO_BRACKETS), np.uint8)
    opening = (brackets == ord("[")) | (brackets == ord("{"))
    return int(np.cumsum(np.where(opening, 1, -1)).max(initial=0))


def _replay(body: bytes) -> Receive:
    """Give the application the body that was read; after that, it hears nothing more."""
    messages = [{"type": "http.request", "body": body, "more_body": False}]

    async def receive() -> Message:
        if messages:
            return messages.pop()
        return await asyncio.get_running_loop().create_future()

    return receive


async def _gone(receive: Receive) -> None:
    """Wait until the client has gone."""
    while (await receive())["type"] != "http.disconnect":
        pass
