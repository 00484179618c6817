"""Packed batches as tensors, prepared by worker processes while the device computes."""

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
from elmo.train.loop import TrainingBatch

GROUP_BOUNDS = (9, 14, 40)
"""The plain character CNN on a GPU processes the distinct words in groups: up to 9 characters (with markers), up to 14,
..., because it computes as many windows for each word as for the longest."""

ENCODED_AT_ONCE = 1 << 16
"""Types encoded at a time, so that 64-bit ids exist only for a part of them."""
ALL_ROWS = slice(None)


class EncodedTypes:
    """The inputs of the token layer and the targets of the softmax for every type of a corpus, by type id.

    Args:
        types: The types.
        vocabulary: The words that are predicted.
        token_layer: What reads the words.
        grouped: Whether it reads words in groups of similar length. One large product is faster than several small
            ones, but for the plain character CNN on a GPU.
    """

    def __init__(
        self, types: Sequence[str], vocabulary: Vocabulary, token_layer: TokenLayer, *, grouped: bool = False
    ) -> None:
        self.group_bounds = GROUP_BOUNDS if grouped else ()
        self.targets = np.array([vocabulary.id(word) for word in types], dtype=np.int64)
        """Vocabulary ids, (types,)."""
        chunks = []
        for start in range(0, len(types), ENCODED_AT_ONCE):
            words = types[start : start + ENCODED_AT_ONCE]
            ids = token_layer.words_to_ids(words, token_layer.config, token_layer.vocabulary)
            chunks.append(ids.astype(np.min_scalar_type(int(ids.max(initial=0)))))  # usually 16 bits
        self.ids = np.concatenate(chunks)
        """Inputs, (types, columns) or (types,)."""
        self.lengths = token_layer.lengths(self.ids) if self.ids.ndim == 2 else None
        """Columns in use, (types,)."""
        self.columns_for = token_layer.columns_for

    def look_up(self, types: NDArray[np.int32]) -> tuple[list[Tensor], Tensor]:
        """Encode an array of type ids.

        Returns:
            The inputs for the distinct types, in groups of similar length, and for each element of the array its index
            among them.
        """
        distinct, index = np.unique(types, return_inverse=True)
        if self.lengths is None:
            return [torch.from_numpy(self.ids[distinct].astype(np.int64))], _indices(index.reshape(types.shape))
        order = np.argsort(self.lengths[distinct], kind="stable")
        rank = np.empty(len(order), dtype=np.int32)
        rank[order] = np.arange(len(order), dtype=np.int32)
        lengths = self.lengths[distinct[order]]
        groups = []
        for group in np.split(np.arange(len(order)), np.searchsorted(lengths, self.group_bounds, side="right")):
            if len(group):
                columns = self.columns_for(int(lengths[group[-1]]))
                groups.append(torch.from_numpy(self.ids[distinct[order[group]], :columns].astype(np.int32)))
        return groups, _indices(rank[index].reshape(types.shape))


def _indices(index: NDArray[Any]) -> Tensor:
    return torch.from_numpy(index.astype(np.int32, copy=False))


def to_tensors(rows: PackedRows, types: EncodedTypes, local_rows: slice) -> PackedBatch:
    """Return a batch as tensors in host memory.

    Args:
        rows: The whole batch.
        types: The encoded types of the corpus.
        local_rows: The rows of this process. A prediction has the weight 1 / (predictions in the whole batch), so that
            the losses of all processes add up to the mean over the batch.
    """
    words, positions = types.look_up(rows.words[:, :, local_rows])
    return PackedBatch(
        words=words,
        positions=positions,
        targets=torch.from_numpy(types.targets[rows.targets[:, :, local_rows]]),
        keep=torch.from_numpy(rows.keep[:, local_rows].astype(np.float32)),
        weights=torch.from_numpy(rows.valid[:, local_rows].astype(np.float32) / max(int(rows.valid.sum()), 1)),
    )


def to_device(batch: PackedBatch, device: torch.device) -> PackedBatch:
    """Copy a batch to a device, asynchronously if it is in pinned memory."""
    words, *others = batch
    copied = [tensor.to(device, non_blocking=True) for tensor in others]
    return PackedBatch([group.to(device, non_blocking=True) for group in words], *copied)


class PackedDataset(IterableDataset[TrainingBatch]):
    """An endless stream of packed batches. The workers of a data loader produce them in turn."""

    def __init__(
        self,
        sentences: tuple[Ids, NDArray[np.int64]],
        types: EncodedTypes,
        *,
        steps: int,
        rows: int,
        seed: int,
        start: Position | None = None,
        local_rows: slice = ALL_ROWS,
    ) -> None:
        self.sentences, self.types = sentences, types
        self.steps, self.rows, self.seed, self.start, self.local_rows = steps, rows, seed, start, local_rows

    def __iter__(self) -> Iterator[TrainingBatch]:
        worker = get_worker_info()
        batches = packed_batches(
            *self.sentences,
            steps=self.steps,
            rows=self.rows,
            seed=self.seed,
            start=self.start,
            worker=(0, 1) if worker is None else (worker.id, worker.num_workers),
        )
        for rows, position in batches:
            batch = to_tensors(rows, self.types, self.local_rows)
            yield TrainingBatch(batch, int(rows.valid.sum()), asdict(position), position.epochs)

    def loader(self, workers: int, pin_memory: bool) -> Iterator[TrainingBatch]:
        """Return the batches, prepared by ``workers`` processes (0: in this process)."""
        options: dict[str, Any] = {}
        if workers:
            options = {"prefetch_factor": 4, "multiprocessing_context": "fork", "worker_init_fn": _ignore_signals}
        return iter(DataLoader(self, batch_size=None, num_workers=workers, pin_memory=pin_memory, **options))


def _ignore_signals(_: int) -> None:
    """Leave SIGTERM and Ctrl-C, which reach the whole process group, to the main process, which saves first."""
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, signal.SIG_IGN)
