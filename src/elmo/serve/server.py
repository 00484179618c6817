"""Runs an application on a socket with uvicorn until a signal stops it, and keeps clients from exhausting it.

Uvicorn closes connections that stay idle after a response. It has no timeout for a client that never sends a request,
sends its headers one byte at a time, or does not read the response, and no limit on the number of connections or on
what it logs about them; ``Server`` and ``http_protocol`` add these.
"""

import asyncio
import contextlib
import http
import logging
import math
import os
import socket
import time
from collections import defaultdict
from pathlib import Path
from types import FrameType
from typing import Any

import uvicorn
from fastapi import FastAPI
from uvicorn.protocols.http.auto import AutoHTTPProtocol

from elmo.serve.errors import APIError
from elmo.serve.service import Service
from elmo.serve.settings import ServeSettings

BACKLOG = 2048
"""Number of connections that the system keeps waiting until they are accepted."""
ACCEPTED_AT_ONCE = 32
"""Number of connections accepted in one iteration of the event loop. A few iterations pass until a connection over the
limit is closed again, so some file descriptors are kept free for those in between."""
FORCED_EXIT_CODE = 130
"""Exit code after a second Ctrl-C, as shells report a program that was interrupted."""

_log = logging.getLogger(__name__)


def bind(host: str, port: int) -> socket.socket:
    """Reserve an address without accepting connections yet; port 0 picks a free port.

    Call ``listen`` on the socket once the models are loaded. Until then, clients are refused instead of kept waiting.

    Raises:
        ValueError: The address is unknown or already in use.
    """
    try:
        family = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0][0]
        with contextlib.ExitStack() as on_error:
            # asyncio only sends small packets at once if the protocol is named. Otherwise, the body of each response
            # would wait 40 ms for the client to confirm its head.
            listener = on_error.enter_context(socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP))
            if os.name == "posix":  # on Windows this option would let two servers share a port
                listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            listener.bind((host, port))
            on_error.pop_all()
    except OSError as error:
        raise ValueError(f"cannot listen on {host}, port {port}: {error.strerror}") from None
    return listener


def url_of(listener: socket.socket) -> str:
    """Return the URL at which clients reach a socket."""
    host, port = listener.getsockname()[:2]
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"


def run(app: FastAPI, listener: socket.socket, access_log: bool = False) -> None:
    """Serve until SIGTERM or Ctrl-C, then finish the requests in progress; a second signal exits immediately.

    Args:
        app: An application made by ``create_app``.
        listener: A socket from ``bind``.
        access_log: Log one line per request to standard error.
    """
    service: Service = app.state.service
    Server(app, service.settings, access_log).run([listener])


class Server(uvicorn.Server):
    """Uvicorn with a limit on connections and on repeated log messages, and an immediate exit on the second signal.

    Args:
        app: An application made by ``create_app``.
        settings: The timeouts, and the maximum number of connections.
        access_log: Log one line per request to standard error.
    """

    def __init__(self, app: FastAPI, settings: ServeSettings, access_log: bool = False) -> None:
        accepted_at_once, max_connections = connection_limits(settings.max_connections)
        super().__init__(
            uvicorn.Config(
                app,
                http=http_protocol(settings.read_timeout, max_connections),
                ws="none",
                log_level="info" if access_log else "warning",
                access_log=access_log,
                server_header=False,
                backlog=accepted_at_once,  # asyncio uses the same number for both; ``startup`` sets the real backlog
                timeout_graceful_shutdown=math.ceil(settings.shutdown_timeout),  # 0 would not wait at all
            )
        )

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Start accepting connections, and from then on, limit what their clients can make it log."""
        repeats = RepeatFilter()
        for name in ("uvicorn.error", "asyncio", "elmo.serve.middleware", __name__):
            logging.getLogger(name).addFilter(repeats)
        await super().startup(sockets)
        for listener in sockets or ():
            listener.listen(BACKLOG)

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """Handle a signal: the first one lets requests in progress finish, the second one does not."""
        if self.should_exit:
            self.force_exit = True
        else:
            super().handle_exit(sig, frame)

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Stop accepting connections and finish the requests in progress, unless there is a second signal."""
        stopping = asyncio.ensure_future(super().shutdown(sockets))
        while not stopping.done() and not self.force_exit:
            await asyncio.wait({stopping}, timeout=0.05)
        if self.force_exit:
            tasks = list(self.server_state.tasks)
            for task in tasks:
                task.cancel()  # RequestGuard then responds with a 503
            if tasks:
                await asyncio.wait(tasks, timeout=1)
            _log.warning("stopped before all requests were finished")
            # A regular exit would wait for the models to finish, or abort in native code that they still run.
            os._exit(FORCED_EXIT_CODE)
        await stopping


def connection_limits(wanted: int) -> tuple[int, int]:
    """Return how many connections to accept at once and to keep open, so that file descriptors never run out."""
    if os.name != "posix":
        return ACCEPTED_AT_ONCE, wanted
    import resource

    limit = resource.getrlimit(resource.RLIMIT_NOFILE)[0]
    spare = wanted * 2 if limit == resource.RLIM_INFINITY else limit - sum(1 for _ in Path("/dev/fd").iterdir())
    at_once = max(1, min(ACCEPTED_AT_ONCE, spare // 10))
    return at_once, max(1, min(wanted, spare - 5 * at_once))


class RepeatFilter(logging.Filter):
    """Drops log records of a kind that repeats, so that clients cannot fill the log."""

    limit = 10
    """Number of records per kind (the message before its arguments are filled in) and period."""
    period = 60.0
    """Length of a period in seconds."""

    def __init__(self) -> None:
        super().__init__()
        self._start = time.monotonic()
        self._counts: defaultdict[str, int] = defaultdict(int)

    def filter(self, record: logging.LogRecord) -> bool:
        """Return whether to log a record. The last one before others are dropped says so."""
        now = time.monotonic()
        if now - self._start > self.period:
            self._start = now
            self._counts.clear()
        kind = str(record.msg).partition("\n")[0]
        self._counts[kind] += 1
        if self._counts[kind] == self.limit:
            record.msg = f"{record.msg} (more messages of this kind are not logged for up to {self.period:g} seconds)"
        return self._counts[kind] <= self.limit


def http_protocol(timeout: float, max_connections: int = ServeSettings.max_connections) -> type[asyncio.Protocol]:
    """Return uvicorn's HTTP protocol with limits.

    Args:
        timeout: Interval in seconds at which to check that the connection makes progress.
        max_connections: Maximum number of open connections.
    """
    base: Any = AutoHTTPProtocol  # h11 or httptools; both have a transport, and a cycle for the current request

    class Protocol(base):  # type: ignore[misc]
        def connection_made(self, transport: asyncio.Transport) -> None:
            super().connection_made(transport)
            self.last_active = self.loop.time()
            if len(self.connections) > max_connections:
                self.make_room()
            self.loop.call_later(timeout, self.check_progress, None, 0)

        def data_received(self, data: bytes) -> None:
            self.last_active = self.loop.time()
            super().data_received(data)

        @property
        def is_idle(self) -> bool:
            """Whether no request is in progress."""
            return self.cycle is None or self.cycle.response_complete

        def make_room(self) -> None:
            """Close the connection that has been idle longest, or else this one."""
            _log.warning("too many connections: the limit is %d; idle ones are closed", max_connections)
            others = [other for other in self.connections if other is not self and other.is_idle]
            if others:
                oldest = min(others, key=lambda other: other.last_active)
                oldest.transport.abort()
                self.connections.discard(oldest)
            else:
                self.respond(APIError(503, "too many connections; try again soon"))

        def check_progress(self, last_cycle: object, last_unsent: int) -> None:
            """Close the connection if nothing has changed since the last check."""
            unsent = self.transport.get_write_buffer_size()
            if unsent and unsent == last_unsent:
                self.transport.abort()  # a client that does not read would not see an orderly close
            elif self.is_idle and not unsent and self.cycle is last_cycle:
                self.transport.close()
            elif unsent or not self.transport.is_closing():
                self.loop.call_later(timeout, self.check_progress, self.cycle, unsent)

        def send_400_response(self, msg: str) -> None:
            """Answer malformed HTTP with the same JSON as all other errors."""
            if self.is_idle or not self.cycle.response_started:
                self.respond(APIError(400, "this is not a valid HTTP request"))
            self.transport.close()

        def respond(self, error: APIError) -> None:
            """Send an error without calling the application, and close the connection."""
            reason = http.HTTPStatus(error.status).phrase.encode()
            headers = [*error.headers, (b"content-length", b"%d" % len(error.body)), (b"connection", b"close")]
            lines = [b"HTTP/1.1 %d %s" % (error.status, reason), *(b"%s: %s" % header for header in headers)]
            self.transport.write(b"\r\n".join([*lines, b"", error.body]))
            self.transport.close()

    return Protocol
