"""API errors and their JSON form, ``{"error": {"message", "type", "param"}}``, as in the OpenAI API."""

import json

Headers = list[tuple[bytes, bytes]]

RETRY_AFTER = 1
"""Seconds a client should wait before it retries after a 429 or 503."""

_TYPES = {
    400: "invalid_request",
    401: "unauthorized",
    403: "forbidden",
    404: "not_found",
    405: "method_not_allowed",
    408: "too_slow",
    413: "too_large",
    415: "unsupported_media_type",
    422: "invalid_request",
    429: "too_many_requests",
    500: "internal_error",
    503: "unavailable",
}


class APIError(Exception):
    """An error response. ``param`` names the request field at fault, if there is one."""

    def __init__(self, status: int, message: str, param: str | None = None) -> None:
        super().__init__(message)
        self.status = status
        self.message = message
        self.param = param

    @property
    def body(self) -> bytes:
        """The error as JSON. It is pure ASCII, because messages may quote text that UTF-8 cannot encode."""
        error = {"message": self.message, "type": _TYPES.get(self.status, "error"), "param": self.param}
        return json.dumps({"error": error}).encode("ascii")

    @property
    def headers(self) -> Headers:
        """The response headers, except ``Content-Length``."""
        headers = [(b"content-type", b"application/json")]
        if self.status in (429, 503):
            headers.append((b"retry-after", str(RETRY_AFTER).encode()))
        if self.status == 401:
            headers.append((b"www-authenticate", b"Bearer"))
        return headers
