"""Runs an application on a socket with uvicorn until a signal stops it, with timeouts for slow connections.

Uvicorn closes connections that stay idle after a response. It has no timeout for a client that never sends a request,
sends its headers one byte at a time, or does not read the response; ``http_protocol`` adds these.
"""

import asyncio
import contextlib
import os
import socket
from typing import Any

import uvicorn
from fastapi import FastAPI
from uvicorn.protocols.http.auto import AutoHTTPProtocol

from elmo.serve.app import Service
from elmo.serve.errors import APIError


def bind(host: str, port: int) -> socket.socket:
    """Reserve an address without accepting connections yet; port 0 picks a free port.

    Call ``listen`` on the socket once the models are loaded. Until then, clients are refused instead of kept waiting.

    Raises:
        ValueError: The address is unknown or already in use.
    """
    try:
        family = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0][0]
        with contextlib.ExitStack() as on_error:
            listener = on_error.enter_context(socket.socket(family, socket.SOCK_STREAM))
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
    """Serve until SIGTERM or Ctrl-C, then finish the requests in progress.

    Args:
        app: An application made by ``create_app``.
        listener: A socket from ``bind``.
        access_log: Log one line per request to standard error.
    """
    service: Service = app.state.service
    config = uvicorn.Config(
        app,
        http=http_protocol(service.settings.read_timeout),
        ws="none",
        log_level="info" if access_log else "warning",
        access_log=access_log,
        server_header=False,
        timeout_graceful_shutdown=int(service.settings.shutdown_timeout),
    )
    uvicorn.Server(config).run([listener])


def http_protocol(timeout: float) -> type[asyncio.Protocol]:
    """Return uvicorn's HTTP protocol with a check, every ``timeout`` seconds, that the connection makes progress."""
    base: Any = AutoHTTPProtocol  # h11 or httptools; both have a transport, and a cycle for the current request

    class Protocol(base):  # type: ignore[misc]
        def connection_made(self, transport: asyncio.Transport) -> None:
            super().connection_made(transport)
            self.loop.call_later(timeout, self.check_progress, None, 0)

        def check_progress(self, last_cycle: object, last_unsent: int) -> None:
            """Close the connection if nothing has changed since the last check."""
            unsent = self.transport.get_write_buffer_size()
            idle = self.cycle is None or self.cycle.response_complete
            if unsent and unsent == last_unsent:
                self.transport.abort()  # a client that does not read would not see an orderly close
            elif idle and not unsent and self.cycle is last_cycle:
                self.transport.close()
            elif unsent or not self.transport.is_closing():
                self.loop.call_later(timeout, self.check_progress, self.cycle, unsent)

        def send_400_response(self, msg: str) -> None:
            """Answer malformed HTTP with the same JSON as all other errors."""
            if self.cycle is None or self.cycle.response_complete or not self.cycle.response_started:
                error = APIError(400, "this is not a valid HTTP request")
                headers = [*error.headers, (b"content-length", b"%d" % len(error.body)), (b"connection", b"close")]
                lines = [b"HTTP/1.1 400 Bad Request", *(b"%s: %s" % header for header in headers), b"", error.body]
                self.transport.write(b"\r\n".join(lines))
            self.transport.close()

    return Protocol
