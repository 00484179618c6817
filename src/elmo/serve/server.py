"""An application on a socket, until a signal ends it. ``elmo serve`` is this and options."""

import contextlib
import os
import socket

import uvicorn
from fastapi import FastAPI

from elmo.serve.app import Service
from elmo.serve.protocol import http_protocol


def bind(host: str, port: int) -> socket.socket:
    """A socket at an address, which nobody else can take then; port 0 takes a free one.

    Models can be read before ``listen`` on it: until then, clients are turned away instead of left waiting.
    """
    try:
        family = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0][0]
        with contextlib.ExitStack() as on_error:
            listener = on_error.enter_context(socket.socket(family, socket.SOCK_STREAM))
            if os.name == "posix":  # elsewhere this would let two servers share a port
                listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            listener.bind((host, port))
            on_error.pop_all()
    except OSError as error:
        raise ValueError(f"cannot listen on {host}, port {port}: {error.strerror}") from None
    return listener


def address_of(listener: socket.socket) -> str:
    """Where clients find it, as a URL."""
    host, port = listener.getsockname()[:2]
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"


def run(app: FastAPI, listener: socket.socket, access_log: bool = False) -> None:
    """Serve until TERM or Ctrl-C, then answer what was accepted. ``access_log``: a line for each request."""
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
