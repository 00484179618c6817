"""The shards of a job over a Ray cluster, as a Ray Data pipeline from shards to word counts.

Ray sees no text and no vectors. A worker reads its lines and puts its part in place itself, so the input, the
output and the model must lie where every node finds them under the same name. Ray repeats the shards of a
worker that died; a part that is there already is not computed again. So nothing is lost and nothing is there
twice, and a job may be begun with Ray and resumed without it, or the other way round.
"""

import dataclasses
import importlib
import logging
import re
import socket
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from elmo.embed.embedder import Embedder
from elmo.embed.job import Job, Shard, Tick, embed_shard, fingerprint, unfinished
from elmo.embed.memory import limit_compiled_products

MOST_BLOCKS = 10_000
"""Shards travel in so many groups at most: Ray keeps a book about each."""
TRIES = 5
"""How often a shard may take its worker down before the job fails; Ray itself would try for ever."""


def embed_on_ray(
    job: Job,
    shards: Sequence[Shard],
    load: Callable[..., Embedder],
    device: str,
    model: str,
    tick: Tick,
    *,
    address: str | None,
    workers: int | None,
) -> None:
    """Compute shards with at most ``workers`` workers, by default one for each GPU or, without any, each CPU.

    ``load(device=...)`` loads the model; its fingerprint must be ``model`` wherever a worker starts. The device
    "auto" is a GPU if the cluster has any.
    """
    with _cluster(address) as ray:
        there = ray.cluster_resources()
        if device == "auto":
            device = "cuda" if there.get("GPU") else "cpu"
        kind = "CPU" if device == "cpu" else "GPU"
        most = int(there.get(kind, 0))
        if not most:
            raise ValueError(f"--device {device}: the Ray cluster has no {kind}")
        pipeline = ray.data.from_items(
            [dataclasses.asdict(shard) for shard in shards], override_num_blocks=min(len(shards), MOST_BLOCKS)
        ).map(
            Worker,
            fn_constructor_args=(job, load, device, model),
            compute=ray.data.ActorPoolStrategy(size=min(workers or most, most, len(shards))),
            num_cpus=1,
            num_gpus=1 if kind == "GPU" else 0,
        )
        for done in pipeline.iter_rows():
            if done["error"]:
                raise ValueError(done["error"])
            tick(int(done["sentences"]), int(done["words"]))


class Worker:
    """A loaded model that embeds shard after shard.

    An error is a result like another: Ray would bury it in words of its own.
    """

    def __init__(self, job: Job, load: Callable[..., Embedder], device: str, model: str) -> None:
        self._job = job
        limit_compiled_products()
        try:
            self._embedder = load(device=device)
            self._error = "" if fingerprint(self._embedder) == model else "a node of the cluster has another model"
        except (ValueError, OSError) as error:
            self._error = str(error)

    def __call__(self, row: dict[str, Any]) -> dict[str, Any]:
        """Embed one shard, if it is not there."""
        shard, done = Shard(**row), Counter({"sentences": 0, "words": 0})
        part, error = self._job.part(shard), self._error
        if part.exists():
            done["sentences"] = shard.lines
        elif unfinished(part) >= TRIES:
            error = f"{part}: {TRIES} workers died over it, perhaps for lack of memory"
        elif not error:
            try:
                embed_shard(self._job, shard, self._embedder, lambda s, w: done.update(sentences=s, words=w))
            except (ValueError, OSError) as problem:
                error = str(problem)
        return {**done, "error": error}


@contextmanager
def _cluster(address: str | None) -> Iterator[Any]:
    """Ray, connected to a cluster or, without an address, to one of its own on this machine."""
    try:
        ray = importlib.import_module("ray")
        data = importlib.import_module("ray.data")
    except ImportError:
        raise ValueError("--ray needs an extra: pip install 'elmo-torch[ray]'") from None
    try:
        if address and re.fullmatch(r"[^/]+:\d+", address):  # Ray would try for minutes
            host, port = address.rsplit(":", 1)
            socket.create_connection((host, int(port)), timeout=10).close()
        ray.init(address, log_to_driver=False, logging_level="error")
    except (OSError, ValueError) as error:
        raise ValueError(f"--ray-address {address}: no Ray cluster there ({str(error).splitlines()[0]})") from None
    try:
        data.DataContext.get_current().enable_progress_bars = False
        logging.getLogger("ray.data").setLevel(logging.ERROR)
        yield ray
    finally:
        ray.shutdown()
