"""The layers of a frozen biLM, computed once per sequence of words and kept as float16."""

from collections.abc import Iterable, Iterator, Sequence

import torch
from torch import Tensor
from torch.nn.utils.rnn import pad_sequence
from tqdm import tqdm

from elmo.config import BiLMConfig
from elmo.engines.current import CurrentEngine
from elmo.engines.engine import Engine
from elmo.model.bilm import BiLM

GPU_MEMORY_FRACTION = 0.5
"""Fraction of a GPU's free memory that the kept layers may take; beyond it they are kept in host memory."""


class LayerCache:
    """Returns the layers of sequences, (L+1, B, T, D); those that were prepared are only looked up.

    float16 keeps three digits, and the layers of a biLM stay far below its largest number.
    """

    def __init__(self, bilm: BiLM) -> None:
        self.bilm = bilm.eval().requires_grad_(False)
        self._current = CurrentEngine(self.bilm)
        self._engine: Engine | None = None
        """The engine that computed what is kept."""
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

    def prepare(self, sequences: Iterable[Sequence[str]]) -> None:
        """Compute and keep the layers of sequences that are not kept yet."""
        engine = self._current.get()
        if engine is not self._engine:  # the weights have changed, or this is the first call
            self._forget()
            self._engine = engine
        new = [words for words in dict.fromkeys(map(tuple, sequences)) if words not in self._starts]
        total = sum(map(len, new))
        if not total:
            return
        old = len(self._kept)
        size = (old + total, *self._kept.shape[1:])
        kept = torch.empty(size, dtype=torch.float16, device=self._storage_device(size))
        kept[:old] = self._kept
        start = old
        with tqdm(total=total, desc="biLM layers", unit=" words", unit_scale=True, disable=None) as bar:
            for batch in engine.batches([len(words) + 2 for words in new], engine.batch_tokens):
                chosen = [new[index] for index in batch]
                for words, layers in zip(chosen, self._compute(chosen), strict=True):
                    kept[start : start + len(words)] = layers
                    self._starts[words] = start
                    start += len(words)
                bar.update(sum(map(len, chosen)))
        self._kept = kept

    def __call__(self, sequences: Sequence[Sequence[str]]) -> Tensor:
        """Return the layers of a batch, float32 on the biLM's device, zero at padding."""
        keys = list(map(tuple, sequences))
        longest = max(map(len, keys), default=0)
        if any(key not in self._starts for key in keys):
            computed = pad_sequence(list(self._compute(keys)), batch_first=True)  # (B, T, L+1, D)
            return computed.float().permute(2, 0, 1, 3)
        starts = torch.tensor([self._starts[key] for key in keys])[:, None]
        lengths = torch.tensor([len(key) for key in keys])[:, None]
        steps = torch.arange(longest)[None]
        rows = torch.where(steps < lengths, starts + steps, 0).to(self._kept.device)  # (B, T)
        return self._kept[rows].to(self.device).float().permute(2, 0, 1, 3)

    @torch.no_grad()
    def _compute(self, sequences: Sequence[Sequence[str]]) -> Iterator[Tensor]:
        """Yield the layers of each sequence, (n, L+1, D), rounded alike whether they are kept or not."""
        layers = self._current.get()(sequences).layers.half().transpose(0, 1)  # (N, L+1, D)
        yield from layers.clone().split([len(words) for words in sequences])

    def _storage_device(self, size: tuple[int, ...]) -> torch.device:
        """The GPU if there is one with enough free memory."""
        if self.device.type == "cuda":
            free, _ = torch.cuda.mem_get_info(self.device)
            if 2 * torch.Size(size).numel() < GPU_MEMORY_FRACTION * free:
                return self.device
        return torch.device("cpu")
