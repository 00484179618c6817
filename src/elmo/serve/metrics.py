"""Counts and times of a server in the text format of Prometheus.

All there is to know is in two tables: what is counted, and what is spread over buckets. The values live in a
``Metrics`` object that an application makes for itself.
"""

import threading
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Callable

CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8"

COUNTERS = {
    "elmo_requests_total": "Requests answered, by path and status (499: the client had gone).",
    "elmo_sentences_total": "Sentences embedded.",
    "elmo_words_total": "Words embedded.",
    "elmo_compute_seconds_total": "Seconds in which the model was at work.",
}

_SECONDS = (0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0, 30.0)
_SENTENCES = (1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024)
HISTOGRAMS = {
    "elmo_request_seconds": ("Seconds from a request's headers to the end of its answer, by path.", _SECONDS),
    "elmo_batch_sentences": ("Sentences that the model embedded at once.", _SENTENCES),
    "elmo_batch_requests": ("Requests that shared a batch.", _SENTENCES),
}

GAUGES = {
    "elmo_requests_in_progress": "Requests under way.",
    "elmo_queue_tokens": "Words and sentence boundaries that wait for the model.",
}

Labels = tuple[tuple[str, str], ...]


class Metrics:
    """Values so far. Any thread may add to them."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._counts: dict[str, dict[Labels, float]] = {name: defaultdict(float) for name in COUNTERS}
        self._buckets: dict[str, dict[Labels, list[int]]] = {name: {} for name in HISTOGRAMS}
        self._sums: dict[str, dict[Labels, float]] = {name: defaultdict(float) for name in HISTOGRAMS}
        self._gauges: dict[str, dict[Labels, Callable[[], float]]] = {name: {} for name in GAUGES}

    def count(self, name: str, amount: float = 1, **labels: str) -> None:
        """Add to a counter."""
        with self._lock:
            self._counts[name][tuple(labels.items())] += amount

    def observe(self, name: str, value: float, **labels: str) -> None:
        """Add a value to a histogram."""
        key, bounds = tuple(labels.items()), HISTOGRAMS[name][1]
        with self._lock:
            buckets = self._buckets[name].setdefault(key, [0] * (len(bounds) + 1))
            buckets[bisect_left(bounds, value)] += 1
            self._sums[name][key] += value

    def watch(self, name: str, value: Callable[[], float], **labels: str) -> None:
        """Ask for the value of a gauge whenever the metrics are read."""
        self._gauges[name][tuple(labels.items())] = value

    def text(self) -> str:
        """All values, as Prometheus reads them."""
        lines: list[str] = []
        with self._lock:
            for name, help_text in COUNTERS.items():
                lines += [f"# HELP {name} {help_text}", f"# TYPE {name} counter"]
                lines += [f"{name}{_shown(labels)} {value:g}" for labels, value in self._counts[name].items()]
            for name, (help_text, bounds) in HISTOGRAMS.items():
                lines += [f"# HELP {name} {help_text}", f"# TYPE {name} histogram"]
                for labels, buckets in self._buckets[name].items():
                    total = 0
                    for bound, number in zip([*map(str, bounds), "+Inf"], buckets, strict=True):
                        total += number
                        lines.append(f"{name}_bucket{_shown((*labels, ('le', bound)))} {total}")
                    lines.append(f"{name}_sum{_shown(labels)} {self._sums[name][labels]:g}")
                    lines.append(f"{name}_count{_shown(labels)} {total}")
            for name, help_text in GAUGES.items():
                lines += [f"# HELP {name} {help_text}", f"# TYPE {name} gauge"]
                lines += [f"{name}{_shown(labels)} {value():g}" for labels, value in self._gauges[name].items()]
        return "\n".join(lines) + "\n"


def _shown(labels: Labels) -> str:
    if not labels:
        return ""
    escaped = {name: value.replace("\\", r"\\").replace('"', r"\"").replace("\n", r"\n") for name, value in labels}
    return "{" + ",".join(f'{name}="{value}"' for name, value in escaped.items()) + "}"
