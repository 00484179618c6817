"""ASGI middleware that authenticates requests and enforces limits before the application sees them.

Everything that can be rejected cheaply is rejected here, before any JSON is parsed: a wrong host or API key, too many
concurrent requests, a body that is too large, too slow, too deeply nested or not UTF-8. A request is canceled when
its client disconnects or its time is up, so that the model does not compute results that nobody reads. Every failure,
including a bug in the application, becomes a JSON error without a traceback.
"""

import asyncio
import logging
import time
from collections.abc import Collection

import numpy as np
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from elmo.serve.access import Access
from elmo.serve.errors import APIError
from elmo.serve.metrics import Metrics
from elmo.serve.settings import ServeSettings

DRAIN_FACTOR = 64
"""Read and discard up to this many times the body limit: a client cut off while sending would not see the error."""
CLIENT_CLOSED_REQUEST = 499
"""The status recorded in the metrics for a client that disconnected before the response, as in nginx."""

_log = logging.getLogger(__name__)

_BRACKETS = b"[]{}"
_NO_BRACKETS = bytes(byte for byte in range(256) if byte not in _BRACKETS)


class RequestGuard:
    """ASGI middleware for authentication, limits, timeouts and metrics.

    Args:
        app: The application to protect.
        settings: The limits and timeouts, and who may call the server.
        metrics: Where requests are counted.
        paths: The paths that the metrics list one by one; all others are counted as "other".
    """

    def __init__(self, app: ASGIApp, settings: ServeSettings, metrics: Metrics, paths: Collection[str]) -> None:
        self.app = app
        self._settings = settings
        self._access = Access(settings)
        self._metrics = metrics
        self._paths = frozenset(paths)
        self._in_progress = 0
        metrics.gauge("elmo_requests_in_progress", lambda: self._in_progress)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on to the application, or answer it with an error."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        start = time.perf_counter()
        response = _Response(send)
        self._in_progress += 1
        try:
            await self._handle(scope, receive, response)
        except APIError as error:
            await response.send_error(error)
        except asyncio.CancelledError:  # the server stops without waiting for this request; its task ends here
            await response.send_error(APIError(503, "the server is shutting down"))
        except Exception:
            _log.exception("%s %s", scope["method"], scope["path"])
            await response.send_error(APIError(500, "internal error; see the server log for details"))
        finally:
            self._in_progress -= 1
            path = scope["path"] if scope["path"] in self._paths else "other"
            status = str(response.status or CLIENT_CLOSED_REQUEST)
            self._metrics.count("elmo_requests_total", path=path, status=status)
            self._metrics.observe("elmo_request_seconds", time.perf_counter() - start, path=path)

    async def _handle(self, scope: Scope, receive: Receive, response: "_Response") -> None:
        settings = self._settings
        headers = dict(scope["headers"])
        self._access.check(scope)
        if self._in_progress > settings.max_requests and scope["path"] != "/health":  # a busy server is still healthy
            raise APIError(429, "too many concurrent requests; try again soon")
        try:
            body = await asyncio.wait_for(_read_body(receive, settings.max_body), settings.read_timeout)
        except asyncio.TimeoutError:
            raise APIError(408, f"the request body did not arrive within {settings.read_timeout:g} seconds") from None
        if body is None:
            return
        response.body_was_read = True
        if scope["method"] == "POST":
            _check_json(headers.get(b"content-type", b""), body, settings.max_depth)

        work = asyncio.ensure_future(self.app(scope, _replay(body), response.send))
        disconnect = asyncio.ensure_future(_wait_for_disconnect(receive))
        try:
            timeout = settings.request_timeout
            done, _ = await asyncio.wait({work, disconnect}, timeout=timeout, return_when=asyncio.FIRST_COMPLETED)
            if work in done or response.finished:
                await work
            elif not done:
                raise APIError(
                    503, f"the response was not ready within {timeout:g} seconds; try again later or send less text"
                )
        finally:
            work.cancel()
            disconnect.cancel()
            await asyncio.gather(work, disconnect, return_exceptions=True)


class _Response:
    """The response to a request, and how much of it has been sent."""

    def __init__(self, send: Send) -> None:
        self._send = send
        self.status = 0
        self.finished = False
        self.body_was_read = False
        """Whether the request body has been read to its end."""

    async def send(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            self.status = message["status"]
        else:
            self.finished = not message.get("more_body", False)
        await self._send(message)

    async def send_error(self, error: APIError) -> None:
        """Send an error, unless a response has begun; that one breaks off, which the client notices."""
        if self.status:
            return
        body = error.body
        headers = [*error.headers, (b"content-length", str(len(body)).encode())]
        if not self.body_was_read:
            headers.append((b"connection", b"close"))  # the rest of the body would be taken for the next request
        await self.send({"type": "http.response.start", "status": error.status, "headers": headers})
        await self.send({"type": "http.response.body", "body": body})


async def _read_body(receive: Receive, limit: int) -> bytes | None:
    """Return the body of a request, or None if the client disconnects."""
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
        if not message.get("more_body", False) or size > DRAIN_FACTOR * limit:
            break
    if size > limit:
        raise APIError(413, f"the request body is larger than {limit:,} bytes")
    return b"".join(pieces)


def _check_json(content_type: bytes, body: bytes, max_depth: int) -> None:
    """Reject bodies that are wrong in ways that show without parsing them."""
    if content_type.partition(b";")[0].strip().lower() != b"application/json":
        raise APIError(415, "the request body must be JSON, with the header Content-Type: application/json")
    try:
        body.decode("utf-8")
    except UnicodeDecodeError as error:
        raise APIError(400, f"the request body is not UTF-8 (byte {error.start}: {error.reason})") from None
    if _nesting_depth(body) > max_depth:
        raise APIError(400, f"the request body nests lists or objects more than {max_depth} levels deep")


def _nesting_depth(body: bytes) -> int:
    """Return how deeply lists and objects are nested, in linear time and without recursion."""
    outside_strings = b"".join(body.replace(rb"\\", b"").replace(rb"\"", b"").split(b'"')[::2])
    brackets = np.frombuffer(outside_strings.translate(None, _NO_BRACKETS), np.uint8)
    opening = (brackets == ord("[")) | (brackets == ord("{"))
    return int(np.cumsum(np.where(opening, 1, -1)).max(initial=0))


def _replay(body: bytes) -> Receive:
    """Return an ASGI ``receive`` that delivers a body that has been read already, and then nothing more."""
    messages = [{"type": "http.request", "body": body, "more_body": False}]

    async def receive() -> Message:
        if messages:
            return messages.pop()
        return await asyncio.get_running_loop().create_future()

    return receive


async def _wait_for_disconnect(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass
