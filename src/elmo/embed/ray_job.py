"""Embed the shards of a job on a Ray cluster, as a Ray Data pipeline from shards to word counts.

Ray transfers neither text nor vectors. Each worker reads its lines and writes its parts itself, so the input, the
output and the model must have the same path on every node. Ray retries the shards of a worker that died, and a
worker skips a shard whose part exists. Nothing is lost or duplicated, and a job can be started with Ray and resumed
without it, or the other way around.
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
from elmo.embed.job import embed_shard
from elmo.embed.parts import EmbeddingJob, Shard, count_attempt
from elmo.engines.cpu import limit_compiled_products
from elmo.files import reason_of

MAX_BLOCKS = 10_000
"""Maximum number of Ray blocks; Ray keeps metadata for each of them."""
MAX_ATTEMPTS = 5
"""How many workers may die while they embed the same shard. Ray itself would retry forever."""


def embed_on_ray(
    job: EmbeddingJob,
    shards: Sequence[Shard],
    load_model: Callable[..., Embedder],
    device: str,
    model: str,
    done: Callable[[int, int, int], None],
    *,
    address: str | None,
    workers: int | None,
) -> None:
    """Embed shards on a Ray cluster.

    Args:
        job: The job that the shards belong to.
        shards: The shards to embed.
        load_model: Function that loads the model in a worker, called as ``load_model(device=...)``.
        device: Device of the workers; "auto" is a GPU if the cluster has any.
        model: Fingerprint that the model must have in every worker.
        done: Function that is called with the number of new sentences, of their words, and of words that are too long.
        address: Address of the cluster; None starts Ray on this machine.
        workers: Maximum number of workers; None means one per GPU or, without GPUs, one per CPU.

    Raises:
        ValueError: If Ray or the cluster is unavailable, or if a worker reports an error.
    """
    with _cluster(address) as ray:
        resources = ray.cluster_resources()
        if device == "auto":
            device = "cuda" if resources.get("GPU") else "cpu"
        kind = "CPU" if device == "cpu" else "GPU"
        available = int(resources.get(kind, 0))
        if not available:
            raise ValueError(f"device {device}: the Ray cluster has no {kind}")
        pipeline = ray.data.from_items(
            [dataclasses.asdict(shard) for shard in shards], override_num_blocks=min(len(shards), MAX_BLOCKS)
        ).map(
            Worker,
            fn_constructor_args=(job, load_model, device, model),
            compute=ray.data.ActorPoolStrategy(size=min(workers or available, available, len(shards))),
            num_cpus=1,
            num_gpus=1 if kind == "GPU" else 0,
        )
        for row in pipeline.iter_rows():
            if row["error"]:
                raise ValueError(row["error"])
            done(int(row["sentences"]), int(row["words"]), int(row["cut"]))


class Worker:
    """A Ray actor that loads the model once and embeds one shard per call.

    Errors are returned as part of the result, because Ray would wrap an exception in a long message of its own.
    """

    def __init__(self, job: EmbeddingJob, load_model: Callable[..., Embedder], device: str, model: str) -> None:
        self._job = job
        limit_compiled_products()
        try:
            self._embedder = load_model(device=device)
            same = self._embedder.fingerprint() == model
            self._error = "" if same else "a node of the Ray cluster loaded a different model; install the same one"
        except (ValueError, OSError) as error:
            self._error = str(error)

    def __call__(self, row: dict[str, Any]) -> dict[str, Any]:
        """Embed one shard unless its part exists."""
        shard, counts = Shard(**row), Counter({"sentences": 0, "words": 0, "cut": 0})
        part, error = self._job.part(shard), self._error
        if part.exists():
            counts["sentences"] = shard.lines
        elif not error and count_attempt(part) > MAX_ATTEMPTS:
            error = f"{part}: {MAX_ATTEMPTS} workers died while they computed it, perhaps because memory ran out"
        elif not error:
            try:
                embed_shard(
                    self._job, shard, self._embedder, lambda s, w, c: counts.update(sentences=s, words=w, cut=c)
                )
            except (ValueError, OSError) as problem:
                error = str(problem)
        return {**counts, "error": error}


@contextmanager
def _cluster(address: str | None) -> Iterator[Any]:
    """Connect to a Ray cluster, or start Ray on this machine if there is no address."""
    try:
        ray = importlib.import_module("ray")
        data = importlib.import_module("ray.data")
    except ImportError:
        raise ValueError("Ray is not installed: pip install 'elmo-torch[ray]'") from None
    try:
        if address and re.fullmatch(r"[^/]+:\d+", address):  # fail immediately; Ray would retry for minutes
            host, port = address.rsplit(":", 1)
            socket.create_connection((host, int(port)), timeout=10).close()
        ray.init(address, log_to_driver=False, logging_level="error")
    except (OSError, ValueError) as error:
        raise ValueError(f"no Ray cluster found at {address} ({reason_of(error)})") from None
    try:
        data.DataContext.get_current().enable_progress_bars = False
        logging.getLogger("ray.data").setLevel(logging.ERROR)
        yield ray
    finally:
        ray.shutdown()
