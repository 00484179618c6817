"""What a server allows, and how it batches."""

from dataclasses import dataclass


@dataclass(frozen=True)
class ServeSettings:
    """Limits and choices of a server. Of tokens, each sentence has two more than words, its boundaries."""

    batch_tokens: int = 4096
    """Tokens that the model computes at once, from however many requests."""
    batch_requests: int = 1024
    """Requests that share a batch; 1 turns micro-batching off."""
    batch_wait: float = 0.002
    """Seconds that a request waits for others to share its batch, while the model has nothing else to do."""
    queue_tokens: int = 32_768
    """Tokens that may wait for a model; a request beyond that is refused with 429."""

    max_requests: int = 512
    """Requests that may be under way, in whatever state; one more is refused with 429."""
    max_body: int = 1 << 20
    """Bytes of a request's body."""
    max_depth: int = 8
    """Lists and objects within each other in a body."""
    max_sentences: int = 512
    """Sentences of a request."""
    max_words: int = 1024
    """Words of a sentence."""
    max_request_words: int = 8192
    """Words of a request, all sentences together."""
    max_characters: int = 20_000
    """Characters of a sentence."""
    max_gaps: int = 8
    """Gaps of a sentence to predict."""

    read_timeout: float = 10.0
    """Seconds in which a client must have sent its headers, and again its body."""
    request_timeout: float = 30.0
    """Seconds from the whole body to the end of the answer."""
    shutdown_timeout: float = 30.0
    """Seconds in which requests under way may end when the server stops."""

    api_key: str | None = None
    """If set, requests must carry it: ``Authorization: Bearer KEY``."""
    cors: tuple[str, ...] = ()
    """Origins whose pages may call the server from a browser; ``*`` for all."""

    def __post_init__(self) -> None:
        for name, value in vars(self).items():
            if isinstance(value, int | float) and value <= 0 and name != "batch_wait":
                raise ValueError(f"{name} must be more than 0, not {value}")
        if self.batch_wait < 0:
            raise ValueError(f"batch_wait must not be less than 0, not {self.batch_wait}")
        largest = self.max_request_words + 2 * self.max_sentences
        if self.queue_tokens < largest:
            raise ValueError(
                f"queue_tokens must be at least {largest}, so that the largest request of {self.max_request_words} "
                f"words in {self.max_sentences} sentences can wait, not {self.queue_tokens}"
            )
        if self.api_key is not None and not (self.api_key.isascii() and self.api_key.isprintable() and self.api_key):
            raise ValueError("the API key must be of printable ASCII characters, at least one")
