"""Packed rows as tensors on the device, made ready in the background while the device computes."""

import signal
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from torch.utils.data import DataLoader, IterableDataset, get_worker_info

from elmo.model.language_model import PackedBatch
from elmo.model.token_layers import TokenLayer
from elmo.text.vocabulary import Vocabulary
from elmo.train.corpus.packing import Ids, PackedRows, Position, packed_batches
from elmo.train.loop import Fed

GROUP_BOUNDS = (9, 14, 40)
"""Distinct words are convolved in groups by their number of characters, markers included: up to 9,
up to 14, ..."""

TYPES_PER_CHUNK = 65536

ALL_ROWS = slice(None)


class WordTable:
    """What the token layer reads, and the softmax predicts, for every type of a corpus, by the type's id."""

    def __init__(self, types: Sequence[str], vocabulary: Vocabulary, token_layer: TokenLayer) -> None:
        self.targets = np.array([vocabulary.id(word) for word in types], dtype=np.int64)
        chunks = []
        for start in range(0, len(types), TYPES_PER_CHUNK):
            words = types[start : start + TYPES_PER_CHUNK]
            ids = token_layer.words_to_ids(words, token_layer.config, token_layer.vocabulary)
            chunks.append(ids.astype(np.min_scalar_type(int(ids.max(initial=0)))))  # mostly 16 bits
        self.ids = np.concatenate(chunks)
        """(types, columns) or (types,)."""
        self.lengths = token_layer.lengths(self.ids) if self.ids.ndim == 2 else None
        self.columns_for = token_layer.columns_for

    def look_up(self, words: NDArray[np.int32]) -> tuple[list[Tensor], Tensor]:
        """Ids of the distinct words of an array, in groups, and where in them each word of the array stands."""
        distinct, places = np.unique(words, return_inverse=True)
        if self.lengths is None:
            return [torch.from_numpy(self.ids[distinct].astype(np.int64))], torch.from_numpy(
                places.reshape(words.shape).astype(np.int32)
            )
        order = np.argsort(self.lengths[distinct], kind="stable")
        rank = np.empty(len(order), dtype=np.int32)
        rank[order] = np.arange(len(order), dtype=np.int32)
        lengths = self.lengths[distinct[order]]
        groups = []
        for group in np.split(np.arange(len(order)), np.searchsorted(lengths, GROUP_BOUNDS, side="right")):
            if len(group):
                columns = self.columns_for(int(lengths[group[-1]]))
                groups.append(torch.from_numpy(self.ids[distinct[order[group]], :columns].astype(np.int32)))
        return groups, torch.from_numpy(rank[places].reshape(words.shape))


def to_tensors(rows: PackedRows, table: WordTable, mine: slice = ALL_ROWS) -> PackedBatch:
    """A batch on the host.

    ``mine`` are the rows of this process; each prediction counts 1 / all, so that the losses of all processes sum
    to the mean over the batch.
    """
    words, positions = table.look_up(rows.words[:, :, mine])
    return PackedBatch(
        words=words,
        positions=positions,
        targets=torch.from_numpy(table.targets[rows.targets[:, :, mine]]),
        keep=torch.from_numpy(rows.keep[:, mine].astype(np.float32)),
        weights=torch.from_numpy(rows.valid[:, mine].astype(np.float32) / max(int(rows.valid.sum()), 1)),
    )


def to_device(batch: PackedBatch, device: torch.device) -> PackedBatch:
    """Send a batch on its way; from pinned memory this does not wait."""
    words, *others = batch
    sent = [tensor.to(device, non_blocking=True) for tensor in others]
    return PackedBatch([group.to(device, non_blocking=True) for group in words], *sent)


class PackedFeed(IterableDataset[Fed]):
    """Batches without end from a corpus' sentences; the workers of a data loader take turns."""

    def __init__(
        self,
        sentences: tuple[Ids, NDArray[np.int64]],
        table: WordTable,
        *,
        steps: int,
        rows: int,
        seed: int,
        start: Position | None = None,
        mine: slice = ALL_ROWS,
    ) -> None:
        self.sentences, self.table = sentences, table
        self.steps, self.rows, self.seed, self.start, self.mine = steps, rows, seed, start, mine

    def __iter__(self) -> Iterator[Fed]:
        worker = get_worker_info()
        share = (0, 1) if worker is None else (worker.id, worker.num_workers)
        batches = packed_batches(
            *self.sentences, steps=self.steps, rows=self.rows, seed=self.seed, start=self.start, share=share
        )
        for rows, after in batches:
            batch = to_tensors(rows, self.table, self.mine)
            yield Fed(batch, int(rows.valid.sum()), asdict(after), after.epochs)

    def loader(self, workers: int, pin: bool) -> Iterator[Fed]:
        """The batches, made by ``workers`` processes (0: in this one), in pinned memory if asked."""
        options: dict[str, Any] = {}
        if workers:
            options = {"prefetch_factor": 4, "multiprocessing_context": "fork", "worker_init_fn": _leave_signals_alone}
        return iter(DataLoader(self, batch_size=None, num_workers=workers, pin_memory=pin, **options))


def _leave_signals_alone(_: int) -> None:
    """A signal to end goes to the whole group of processes; the main one saves first, and then ends its workers."""
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, signal.SIG_IGN)
