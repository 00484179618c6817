"""HTTP as uvicorn speaks it, with deadlines for clients that send or read slowly.

Uvicorn closes a connection that says nothing after an answer. But one that never begins, or sends a header's letter a
second, it would keep for ever, and so it would the answer of a client that does not read. And what is no HTTP at all
gets its 400 in the shape of our other errors.
"""

import asyncio
from typing import Any

from uvicorn.protocols.http.auto import AutoHTTPProtocol

from elmo.serve.errors import Refusal


def http_protocol(seconds: float) -> type[asyncio.Protocol]:
    """A protocol that looks at each connection every so often, and ends those on which nothing has happened since."""
    base: Any = AutoHTTPProtocol  # h11 or httptools: both have a transport, and a cycle for the request under way

    class Protocol(base):  # type: ignore[misc]
        def connection_made(self, transport: asyncio.Transport) -> None:
            super().connection_made(transport)
            self.loop.call_later(seconds, self.look_after, None, 0)

        def look_after(self, last_cycle: object, last_unsent: int) -> None:
            """The arguments are what was there the last time."""
            unsent = self.transport.get_write_buffer_size()
            idle = self.cycle is None or self.cycle.response_complete
            if unsent and unsent == last_unsent:
                self.transport.abort()  # the client does not read, so it would not hear of a decent end
            elif idle and not unsent and self.cycle is last_cycle:
                self.transport.close()
            elif unsent or not self.transport.is_closing():
                self.loop.call_later(seconds, self.look_after, self.cycle, unsent)

        def send_400_response(self, msg: str) -> None:
            if self.cycle is None or self.cycle.response_complete or not self.cycle.response_started:
                refusal = Refusal(400, "this is not HTTP as this server understands it")
                headers = [*refusal.headers, (b"content-length", b"%d" % len(refusal.body)), (b"connection", b"close")]
                lines = [b"HTTP/1.1 400 Bad Request", *(b"%s: %s" % header for header in headers), b"", refusal.body]
                self.transport.write(b"\r\n".join(lines))
            self.transport.close()

    return Protocol
