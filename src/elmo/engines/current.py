"""The engine of a biLM whose weights may change: rebuilt when they have."""

from itertools import chain

import torch
from torch import Tensor

from elmo.config import Precision
from elmo.engines import engine_for
from elmo.engines.engine import Engine
from elmo.model.bilm import BiLM

_NUMBERS_PER_SUM = 1024
"""64-bit numbers whose sum is one entry of a stamp."""


class CurrentEngine:
    """Keeps the engine of a biLM, which may hold copies of the weights, and replaces it when they have changed.

    Whether they have changed is decided by their values alone. Nothing else can be trusted: fused optimizers, writes
    through ``.data`` and writes through NumPy leave torch's version counters as they were.

    Args:
        bilm: The model.
        precision: What to compute in; see ``engine_for``.
    """

    def __init__(self, bilm: BiLM, precision: Precision = "float32") -> None:
        self.bilm, self.precision = bilm, precision
        self._engine: Engine | None = None
        self._stamp: WeightsStamp | None = None

    def get(self, *, unchanged: bool = False) -> Engine:
        """Return the engine for the weights as they are now.

        Args:
            unchanged: The caller knows that the weights are those of the last call, so that they need not be read.
        """
        if self._engine is None or not unchanged:
            stamp = WeightsStamp.of(self.bilm)
            if self._engine is None or stamp != self._stamp:
                self._engine, self._stamp = engine_for(self.bilm, self.precision), stamp
        return self._engine


class WeightsStamp:
    """A checksum of the weights, which differs when any weight, or its type or device, has changed.

    It is fast, not cryptographic: it reads the weights once, at the speed of the memory (10 ms for the largest
    published models), and adds up their bits in short runs, so that exchanged or negated weights show up, too.
    """

    def __init__(self, places: list[object], sums: Tensor) -> None:
        self.places, self.sums = places, sums

    @classmethod
    @torch.no_grad()
    def of(cls, bilm: BiLM) -> "WeightsStamp":
        """Read the weights of a biLM."""
        weights = list(chain(bilm.parameters(), bilm.buffers()))
        places: list[object] = [(weight.device, weight.dtype, tuple(weight.shape)) for weight in weights]
        sums = [part.cpu() for weight in weights if weight.device.type != "meta" for part in _sums_of_bits(weight)]
        return cls(places, torch.cat(sums) if sums else torch.empty(0, dtype=torch.int64, device="cpu"))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, WeightsStamp) and self.places == other.places and torch.equal(self.sums, other.sums)

    __hash__ = None  # type: ignore[assignment]


def _sums_of_bits(weight: Tensor) -> list[Tensor]:
    """Read a tensor as 64-bit numbers, and add them up in runs, with wrap-around."""
    values = weight.contiguous().reshape(-1)
    if values.storage_offset() * values.element_size() % 8:
        values = values.clone()  # a view of 64-bit numbers must be aligned
    data = values.view(torch.uint8)
    whole = data.numel() // 8 * 8
    numbers, rest = data[:whole].view(torch.int64), data[whole:]
    even = numbers.numel() // _NUMBERS_PER_SUM * _NUMBERS_PER_SUM
    return [
        numbers[:even].view(-1, _NUMBERS_PER_SUM).sum(1),
        numbers[even:],
        rest.long(),
    ]
