"""A file of layers that several processes share: computed by the first, mapped into memory by all of them.

The file contains the layers of some sequences as float16, (words, L+1, D), in the order of the sequences, and a digest
of them at its end. The processes that map it share its pages, so that it takes memory only once. It appears under its
name when it is complete. It is not flushed to disk, because that takes longer than computing it does; instead, the
digest tells whether a file is whole, and one that is not is computed again.
"""

import hashlib
import math
from collections.abc import Iterable, Sequence
from pathlib import Path

import torch
from torch import Tensor

from elmo.files import scratch_folder_beside, writing

_NUMBERS_PER_SUM = 1024
"""64-bit numbers whose sum is part of what is hashed."""
_DIGEST_BYTES = hashlib.sha256().digest_size
_BYTES_PER_VALUE = torch.float16.itemsize


def open_layer_file(path: Path, shape: Sequence[int]) -> Tensor | None:
    """Map a file into memory.

    Args:
        path: The file.
        shape: The shape of the layers.

    Returns:
        The layers, float16 on the CPU; None if there is no file, or if it is not whole.
    """
    count = math.prod(shape)
    try:
        if path.stat().st_size != _BYTES_PER_VALUE * count + _DIGEST_BYTES:
            return None
        with path.open("rb") as file:
            file.seek(-_DIGEST_BYTES, 2)
            expected = file.read()
    except FileNotFoundError:
        return None
    layers = torch.from_file(str(path), shared=False, size=count, dtype=torch.float16, device="cpu").view(*shape)
    return layers if _digest(layers) == expected else None


def write_layer_file(path: Path, shape: Sequence[int], parts: Iterable[tuple[int, Tensor]]) -> None:
    """Write a file. It appears when it is complete, and replaces one of the same name.

    Args:
        path: The file.
        shape: The shape of the layers.
        parts: Layers, (n, L+1, D), with the row at which they begin, in any order. Rows that are in no part are zero.
    """
    row_bytes = _BYTES_PER_VALUE * math.prod(shape[1:])
    with scratch_folder_beside(path) as scratch, writing(path):
        part = scratch / path.name
        with part.open("wb") as file:
            file.truncate(row_bytes * shape[0])
            for row, layers in parts:
                file.seek(row * row_bytes)
                file.write(layers.half().contiguous().numpy().data)
        layers = torch.from_file(str(part), shared=False, size=math.prod(shape), dtype=torch.float16, device="cpu")
        with part.open("ab") as file:
            file.write(_digest(layers))
        part.replace(path)


def _digest(layers: Tensor) -> bytes:
    """Return a hash that is computed at the speed of the memory.

    It notices parts that have changed, are missing, or are in each other's place, but it is not cryptographic.
    """
    data = layers.reshape(-1).view(torch.uint8)
    numbers = data[: len(data) // 8 * 8].view(torch.int64)
    even = len(numbers) // _NUMBERS_PER_SUM * _NUMBERS_PER_SUM
    digest = hashlib.sha256(numbers[:even].view(-1, _NUMBERS_PER_SUM).sum(1).numpy().data)
    digest.update(data[8 * even :].numpy().data)
    return digest.digest()
