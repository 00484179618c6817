"""Server metrics in the Prometheus text format.

The tables below define every metric. Each application keeps its values in a ``Metrics`` object of its own.
"""

import threading
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Callable

CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8"

COUNTERS = {
    "elmo_requests_total": "Requests by path and status (499: the client disconnected).",
    "elmo_sentences_total": "Sentences embedded.",
    "elmo_words_total": "Words embedded.",
    "elmo_compute_seconds_total": "Seconds the model spent computing.",
}

_SECONDS = (0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0, 30.0)
_COUNTS = (1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024)
HISTOGRAMS = {
    "elmo_request_seconds": ("Seconds from the headers of a request to the end of its response, by path.", _SECONDS),
    "elmo_batch_sentences": ("Sentences per batch.", _COUNTS),
    "elmo_batch_requests": ("Requests per batch.", _COUNTS),
}

GAUGES = {
    "elmo_requests_in_progress": "Requests in progress.",
    "elmo_queue_tokens": "Tokens (words and sentence boundaries) queued for the model.",
}

Labels = tuple[tuple[str, str], ...]


class Metrics:
    """The current values of all metrics. It is safe to update from any thread."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._counts: dict[str, dict[Labels, float]] = {name: defaultdict(float) for name in COUNTERS}
        self._buckets: dict[str, dict[Labels, list[int]]] = {name: {} for name in HISTOGRAMS}
        self._sums: dict[str, dict[Labels, float]] = {name: defaultdict(float) for name in HISTOGRAMS}
        self._gauges: dict[str, dict[Labels, Callable[[], float]]] = {name: {} for name in GAUGES}

    def count(self, name: str, amount: float = 1, **labels: str) -> None:
        """Increase a counter."""
        with self._lock:
            self._counts[name][tuple(labels.items())] += amount

    def observe(self, name: str, value: float, **labels: str) -> None:
        """Add a value to a histogram."""
        key, bounds = tuple(labels.items()), HISTOGRAMS[name][1]
        with self._lock:
            buckets = self._buckets[name].setdefault(key, [0] * (len(bounds) + 1))
            buckets[bisect_left(bounds, value)] += 1
            self._sums[name][key] += value

    def gauge(self, name: str, read: Callable[[], float], **labels: str) -> None:
        """Register a gauge; ``read`` returns its value whenever the metrics are rendered."""
        self._gauges[name][tuple(labels.items())] = read

    def render(self) -> str:
        """Return all values in the Prometheus text format."""
        lines: list[str] = []
        with self._lock:
            for name, description in COUNTERS.items():
                lines += [f"# HELP {name} {description}", f"# TYPE {name} counter"]
                lines += [f"{name}{_format(labels)} {value:g}" for labels, value in self._counts[name].items()]
            for name, (description, bounds) in HISTOGRAMS.items():
                lines += [f"# HELP {name} {description}", f"# TYPE {name} histogram"]
                for labels, buckets in self._buckets[name].items():
                    total = 0
                    for bound, number in zip([*map(str, bounds), "+Inf"], buckets, strict=True):
                        total += number
                        lines.append(f"{name}_bucket{_format((*labels, ('le', bound)))} {total}")
                    lines.append(f"{name}_sum{_format(labels)} {self._sums[name][labels]:g}")
                    lines.append(f"{name}_count{_format(labels)} {total}")
            for name, description in GAUGES.items():
                lines += [f"# HELP {name} {description}", f"# TYPE {name} gauge"]
                lines += [f"{name}{_format(labels)} {read():g}" for labels, read in self._gauges[name].items()]
        return "\n".join(lines) + "\n"


def _format(labels: Labels) -> str:
    if not labels:
        return ""
    escaped = {name: value.replace("\\", r"\\").replace('"', r"\"").replace("\n", r"\n") for name, value in labels}
    return "{" + ",".join(f'{name}="{value}"' for name, value in escaped.items()) + "}"
