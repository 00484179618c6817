"""A web server on this machine whose answers a test chooses."""

import contextlib
import re
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


@dataclass
class FileServer:
    """Serves ``files``, and fails as told. ``requests`` has the Range header of each request."""

    files: dict[str, bytes]
    statuses: list[int] = field(default_factory=list)
    """Answers to the next requests; afterwards, files are served."""
    cut_after: list[int] = field(default_factory=list)
    """Bytes after which the connection is cut, for the next answers with a body."""
    ranges: bool = True
    etag: str | None = '"1"'
    length: int | None = None
    """A Content-Length that is not the true one."""
    requests: list[str | None] = field(default_factory=list)
    url: str = ""


@contextlib.contextmanager
def serving(**files: bytes) -> Iterator[FileServer]:
    """Serve files; the underscores of their names become periods."""
    state = FileServer({f"/models/{name.replace('_', '.')}": content for name, content in files.items()})

    class Handler(BaseHTTPRequestHandler):
        def log_message(self, *_: object) -> None:
            pass

        def do_GET(self) -> None:
            state.requests.append(self.headers.get("Range"))
            status = state.statuses.pop(0) if state.statuses else 200
            content = state.files.get(self.path.split("?")[0])
            if status != 200 or content is None:
                self.send_error(status if status != 200 else 404)
                return
            wanted = re.fullmatch(r"bytes=(\d+)-", self.headers.get("Range") or "")
            start = 0
            if wanted and state.ranges and self.headers.get("If-Range") == state.etag:
                start = int(wanted[1])
                self.send_response(206)
                self.send_header("Content-Range", f"bytes {start}-{len(content) - 1}/{len(content)}")
            else:
                self.send_response(200)
            if state.etag is not None:
                self.send_header("ETag", state.etag)
            body = content[start:]
            self.send_header("Content-Length", str(len(body) if state.length is None else state.length))
            self.end_headers()
            self.wfile.write(body[: state.cut_after.pop(0)] if state.cut_after else body)

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
    thread.start()
    state.url = f"http://127.0.0.1:{server.server_port}/models/"
    try:
        yield state
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
