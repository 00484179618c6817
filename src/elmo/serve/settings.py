"""The limits, timeouts and batching options of a server."""

import re
from dataclasses import dataclass


@dataclass(frozen=True)
class ServeSettings:
    """Limits, timeouts and batching options of a server.

    Settings that count tokens count two more per sentence than those that count words: the sentence boundaries.
    """

    batch_tokens: int = 4096
    """Maximum number of tokens per batch, over all requests in it."""
    batch_requests: int = 1024
    """Maximum number of requests per batch; 1 disables micro-batching."""
    batch_wait: float = 0.002
    """Seconds an idle model waits for more requests before it runs a batch that is not full, if its last batch had
    several."""
    queue_tokens: int = 32_768
    """Maximum number of tokens queued per model; further requests get a 429."""

    max_connections: int = 2048
    """Maximum number of open connections, or fewer if the system limits open files. For a new connection, the one that
    has been idle longest is closed; if none is idle, the new one gets a 503."""
    max_requests: int = 512
    """Maximum number of requests in progress, at any stage; further requests get a 429."""
    max_body: int = 1 << 20
    """Maximum size of a request body in bytes."""
    max_depth: int = 8
    """Maximum nesting depth of the lists and objects in a request body."""
    max_sentences: int = 512
    """Maximum number of sentences per request."""
    max_words: int = 1024
    """Maximum number of words per sentence."""
    max_request_words: int = 8192
    """Maximum number of words per request, over all its sentences."""
    max_characters: int = 20_000
    """Maximum number of characters per sentence."""
    max_blanks: int = 8
    """Maximum number of blanks per sentence in a prediction request."""

    read_timeout: float = 10.0
    """Seconds a client has to send its headers, and again to send its body."""
    request_timeout: float = 30.0
    """Seconds from the last byte of the request body to the end of the response."""
    shutdown_timeout: float = 30.0
    """Seconds that requests in progress have to finish when the server stops."""

    api_key: str | None = None
    """If set, clients must send it: ``Authorization: Bearer KEY``."""
    public_paths: tuple[str, ...] = ()
    """Paths that do not require the API key, in addition to the health check and the documentation."""
    hosts: tuple[str, ...] = ()
    """Host names that the server answers to, in addition to its own address and ``localhost``; ``*`` allows all."""
    cors: tuple[str, ...] = ()
    """Origins whose web pages may call the server; ``*`` allows all."""

    def __post_init__(self) -> None:
        for name, value in vars(self).items():
            if isinstance(value, int | float) and not value > 0 and name != "batch_wait":  # nor is NaN
                raise ValueError(f"{name} must be greater than 0, not {value}")
        if not self.batch_wait >= 0:
            raise ValueError(f"batch_wait must not be negative, not {self.batch_wait}")
        largest = self.max_request_words + 2 * self.max_sentences
        if self.queue_tokens < largest:
            raise ValueError(
                f"queue_tokens must be at least {largest}, not {self.queue_tokens}: the largest allowed request has "
                f"{self.max_request_words} words in {self.max_sentences} sentences"
            )
        if self.api_key is not None and not re.fullmatch(r"[!-~]+", self.api_key):
            raise ValueError("the API key must consist of one or more printable ASCII characters, without spaces")
        for host in self.hosts:
            if host != "*" and not re.fullmatch(r"(?a:[\w.-]+)|[0-9A-Fa-f.]*(:[0-9A-Fa-f.]*){2,}(%\w+)?", host):
                raise ValueError(f"{host!r} is not a host name; leave out the scheme, the port and the path")
        for origin in self.cors:
            if origin != "*" and not re.fullmatch(r"[a-z][a-z0-9+.-]*://[^/?#\s]+", origin):
                raise ValueError(f"{origin!r} is not an origin; write it like https://example.com, without a path")
