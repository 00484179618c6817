"""The layers of a frozen biLM, computed once per sequence of words and kept as float16."""

import hashlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import accumulate
from pathlib import Path

import numpy as np
import torch
from filelock import FileLock
from torch import Tensor
from torch.nn.utils.rnn import pad_sequence
from tqdm import tqdm

from elmo.config import BiLMConfig
from elmo.engines.cuda import to_device
from elmo.engines.current import CurrentEngine, WeightsStamp
from elmo.engines.engine import Engine
from elmo.model.bilm import BiLM
from elmo.tasks.layer_file import open_layer_file, write_layer_file

GPU_MEMORY_FRACTION = 0.15
"""Fraction of a GPU's free memory that the kept layers may take. Beyond it they are kept in host memory, which leaves
room for the models of several processes."""


class LayerCache:
    """Returns the layers of sequences, (L+1, B, T, D); those that were prepared are only looked up.

    float16 keeps three digits, and the layers of a biLM stay far below its largest number.

    Args:
        bilm: The model. It is only read, because others may train it.
        shared_engine: Returns the engine of the biLM, if others use it as well: an engine holds copies of the weights.
            None makes one.
    """

    def __init__(self, bilm: BiLM, shared_engine: Callable[[], Engine] | None = None) -> None:
        self.bilm = bilm
        self._shared_engine = shared_engine
        self._current = CurrentEngine(self.bilm)
        self._stamp: WeightsStamp | None = None
        """Of the weights that computed what is kept."""
        self._forget()

    def _forget(self) -> None:
        self._starts: dict[tuple[str, ...], int] = {}
        # Row 0 is zero and is used for padding.
        self._kept = torch.zeros(1, self.config.n_representations, self.config.output_dim, dtype=torch.float16)

    @property
    def config(self) -> BiLMConfig:
        """The shape of the biLM."""
        return self.bilm.config

    @property
    def device(self) -> torch.device:
        """The device of the biLM."""
        return self.bilm.device

    def prepare(self, sequences: Iterable[Sequence[str]], shared: Path | None = None) -> None:
        """Compute and keep the layers of sequences that are not kept yet.

        Args:
            sequences: Lists of words.
            shared: Folder of files that several processes share (see ``elmo.tasks.layer_file``). The first process that
                needs the layers of these sequences computes them and writes them there, while the others wait. None
                keeps them in the memory of this process.
        """
        stamp = WeightsStamp.of(self.bilm)
        if stamp != self._stamp:  # the weights have changed, or this is the first call
            self._forget()
            self._stamp = stamp
        new = [words for words in dict.fromkeys(map(tuple, sequences)) if words not in self._starts]
        if not any(new):
            return
        old = len(self._kept)
        *starts, end = accumulate(map(len, new), initial=old)
        if shared is not None:
            rows = self._shared_rows(new, shared)
            self._kept = rows if old == 1 else torch.cat([self._kept.to(rows.device), rows[1:]])
        else:
            kept = torch.empty((end, *self._kept.shape[1:]), dtype=torch.float16, device=self._storage_device(end))
            kept[:old] = self._kept
            for start, layers in self._compute_all(new, starts, kept.device):
                kept[start : start + len(layers)] = layers
            self._kept = kept
        self._starts.update(zip(new, starts, strict=True))

    def __call__(self, sequences: Sequence[Sequence[str]]) -> Tensor:
        """Return the layers of a batch, float32 on the biLM's device, zero at padding."""
        return self.of_texts([[words] for words in sequences])

    def of_texts(self, texts: Sequence[Sequence[Sequence[str]]]) -> Tensor:
        """Return the layers of a batch of texts, each of which has one or more sequences, without gaps between them."""
        keys = [tuple(words) for text in texts for words in text]
        sizes = [sum(map(len, text)) for text in texts]
        if any(key not in self._starts for key in keys):
            computed = torch.cat(list(self._compute(keys)))  # (N, L+1, D)
            layers = pad_sequence(computed.split(sizes), batch_first=True)  # (B, T, L+1, D)
        else:
            lengths = np.array([len(key) for key in keys], dtype=np.int64)
            starts = np.array([self._starts[key] for key in keys], dtype=np.int64)
            ends = np.cumsum(lengths)
            rows = np.zeros((len(texts), max(sizes, default=0)), dtype=np.int64)
            inside = np.arange(rows.shape[1]) < np.array(sizes)[:, None]
            rows[inside] = np.arange(lengths.sum()) + np.repeat(starts - ends + lengths, lengths)
            layers = self._look_up(rows)
        # One copy that also makes the layers contiguous, as the mixes of the model need them.
        return layers.permute(2, 0, 1, 3).to(torch.float32, memory_format=torch.contiguous_format)

    def _look_up(self, rows: np.ndarray) -> Tensor:
        """Return rows of what is kept, (B, T) to (B, T, L+1, D), on the biLM's device, without waiting for a GPU."""
        if self._kept.device == self.device:
            return self._kept[to_device(rows, self.device)]
        found = torch.empty((rows.size, *self._kept.shape[1:]), dtype=torch.float16, pin_memory=True)
        torch.index_select(self._kept, 0, torch.from_numpy(rows.reshape(-1)), out=found)
        return found.to(self.device, non_blocking=True).view(*rows.shape, *found.shape[1:])

    def _shared_rows(self, new: Sequence[tuple[str, ...]], folder: Path) -> Tensor:
        """Return a row of zeros and the rows of sequences from a shared file, which is written first if need be.

        The file depends on the biLM and the sequences only, never on the process that happens to write it.
        """
        digest = hashlib.sha256(f"{self.bilm.fingerprint()} {self.device.type}\n".encode())
        for words in new:
            digest.update("\0".join((str(len(words)), *words)).encode("utf-8", "surrogatepass"))
        path = folder / f"{digest.hexdigest()[:32]}.layers"
        *starts, end = accumulate(map(len, new), initial=1)
        shape = (end, *self._kept.shape[1:])
        folder.mkdir(parents=True, exist_ok=True)
        with FileLock(f"{path}.lock"):
            rows = open_layer_file(path, shape)
            if rows is None:
                write_layer_file(path, shape, self._compute_all(new, starts, torch.device("cpu")))
                rows = open_layer_file(path, shape)
                assert rows is not None, path  # written just now
            # Still under the lock, so that no two processes take the same free memory into account.
            device = self._storage_device(end)
            target = rows if device == rows.device else torch.empty_like(rows, device=device)
        return target if target is rows else target.copy_(rows)

    def _compute_all(
        self, new: Sequence[tuple[str, ...]], starts: Sequence[int], device: torch.device
    ) -> Iterator[tuple[int, Tensor]]:
        """Yield the layers of each sequence, (n, L+1, D), with the row at which it starts, batch by batch."""
        engine = self._engine()
        with tqdm(total=sum(map(len, new)), desc="biLM layers", unit=" words", unit_scale=True, disable=None) as bar:
            for batch in engine.batches([len(words) + 2 for words in new], engine.batch_tokens):
                chosen = [new[index] for index in batch]
                yield from zip((starts[index] for index in batch), self._compute(chosen, device), strict=True)
                bar.update(sum(map(len, chosen)))
        self._current = CurrentEngine(self.bilm)  # the buffers of the engine are not needed any more
        if self.device.type == "cuda":
            torch.cuda.empty_cache()

    @torch.no_grad()
    def _compute(self, sequences: Sequence[Sequence[str]], device: torch.device | None = None) -> Iterator[Tensor]:
        """Yield the layers of each sequence, (n, L+1, D), rounded in the same way whether they are kept or not."""
        layers = self._engine()(sequences).layers.half().transpose(0, 1)  # (N, L+1, D)
        contiguous = layers.clone(memory_format=torch.contiguous_format)  # not what the engine reuses
        yield from contiguous.to(device or self.device).split([len(words) for words in sequences])

    def _engine(self) -> Engine:
        return self._current.get() if self._shared_engine is None else self._shared_engine()

    def _storage_device(self, n_rows: int) -> torch.device:
        """The GPU if there is one with enough free memory."""
        if self.device.type == "cuda":
            free, _ = torch.cuda.mem_get_info(self.device)
            if self._kept.element_size() * n_rows * self._kept[0].numel() < GPU_MEMORY_FRACTION * free:
                return self.device
        return torch.device("cpu")
