"""Weights quantized to integers, for models that must be small on disk. They become float32 again when loaded.

Weights are split into groups of 64 along the last axis. A group is stored as one scale (float16) and integers from
-steps to steps, which zlib's Huffman code writes with as few bits as their frequencies allow: 48 steps take about 5.7
bits per weight. Vectors and small tensors are stored unchanged.
"""

import json
import math
import zlib
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor

from elmo.files import parse_json_object
from elmo.validation import shown

GROUP = 64
_SCALE = ".scale"
COMPACT_KEY = "compact"
"""The metadata of a file with compact tensors: their shapes."""


def compacted(tensors: Mapping[str, Tensor], steps: int) -> tuple[dict[str, Tensor], dict[str, str]]:
    """Quantize tensors to ``steps`` steps on either side of zero; also return the metadata needed to read them."""
    if not 1 <= steps <= 127:
        raise ValueError(f"steps must be from 1 to 127, not {steps}")
    small: dict[str, Tensor] = {}
    shapes = {}
    for name, tensor in tensors.items():
        if tensor.dim() < 2 or tensor.numel() < 4096:
            small[name] = tensor
            continue
        integers, small[name + _SCALE] = _quantized(tensor, steps)
        coder = zlib.compressobj(9, strategy=zlib.Z_HUFFMAN_ONLY)  # integers have no repetitions worth searching for
        coded = coder.compress(integers.numpy().tobytes()) + coder.flush()
        small[name] = torch.from_numpy(np.frombuffer(coded, np.uint8).copy())
        shapes[name] = list(tensor.shape)
    return small, {COMPACT_KEY: json.dumps(shapes)}


@dataclass(frozen=True)
class Stored:
    """What a file must have for one part of a compact tensor."""

    dtype: str
    shape: tuple[int, ...] | None
    """None if the length can vary."""
    least_bytes: int = 0

    def accepts(self, dtype: str, shape: tuple[int, ...]) -> bool:
        """Whether a tensor in a file can be this part."""
        if self.shape is not None:
            return (dtype, shape) == (self.dtype, self.shape)
        return dtype == self.dtype and len(shape) == 1 and shape[0] >= self.least_bytes


def compact_shapes(metadata: Mapping[str, str]) -> dict[str, tuple[int, ...]]:
    """The shapes of the compact tensors of a file, by name, from its metadata.

    Raises:
        ValueError: If the metadata is damaged.
    """
    shapes = parse_json_object(metadata.get(COMPACT_KEY, "{}"), f"the metadata {COMPACT_KEY}")
    for name, shape in shapes.items():
        if not isinstance(shape, list) or not shape or not all(type(n) is int and 1 <= n < 1 << 32 for n in shape):
            raise ValueError(f"the metadata {COMPACT_KEY} gives {name!r} the shape {shown(shape)}")
        if name.removesuffix(_SCALE) in shapes and name.endswith(_SCALE):
            raise ValueError(f"the metadata {COMPACT_KEY} has both {name!r} and the tensor it belongs to")
    return {name: tuple(shape) for name, shape in shapes.items()}


def stored_as(name: str, shape: tuple[int, ...]) -> dict[str, Stored]:
    """The two tensors that a compact tensor is stored as, by name."""
    groups = math.prod(shape[:-1]) * _padded(shape[-1]) // GROUP
    # Every integer takes a bit at least, so that few bytes cannot expand to many.
    return {name: Stored("U8", None, groups * GROUP // 8), name + _SCALE: Stored("F16", (groups, 1))}


def expand(tensors: Mapping[str, Tensor], shapes: Mapping[str, tuple[int, ...]]) -> dict[str, Tensor]:
    """Undo ``compacted``, up to rounding. Other tensors are only converted to float32.

    Args:
        tensors: What a file has; the compact ones as ``stored_as`` says.
        shapes: The shapes of the compact ones.

    Raises:
        ValueError: If a compact tensor is damaged.
    """
    scales = {name + _SCALE for name in shapes}
    large = {name: tensor.float() for name, tensor in tensors.items() if name not in shapes and name not in scales}
    with ThreadPoolExecutor() as pool:  # zlib and numpy release the GIL
        results = pool.map(lambda name: _expanded(name, tensors[name], tensors[name + _SCALE], shapes[name]), shapes)
        large |= dict(zip(shapes, results, strict=True))
    return large


def _expanded(name: str, coded: Tensor, scale: Tensor, shape: tuple[int, ...]) -> Tensor:
    """Expand one tensor from its compressed integers and the scale of each group (groups, 1)."""
    size = scale.numel() * GROUP
    coder = zlib.decompressobj()
    try:
        integers = coder.decompress(coded.numpy().data, size)
        complete = len(integers) == size and not coder.decompress(coder.unconsumed_tail, 1) and coder.eof
    except zlib.error as error:
        raise ValueError(f"{name}: {error}") from None
    if not complete or coder.unused_data:
        raise ValueError(f"{name}: does not hold {size:,} integers")
    numbers = np.multiply(np.frombuffer(integers, np.int8).reshape(-1, GROUP), scale.float().numpy(), dtype=np.float32)
    rows, width = numbers.size // _padded(shape[-1]), shape[-1]
    return torch.from_numpy(np.ascontiguousarray(numbers.reshape(rows, -1)[:, :width]).reshape(shape))


def _padded(width: int) -> int:
    return -(-width // GROUP) * GROUP


def _quantized(tensor: Tensor, steps: int) -> tuple[Tensor, Tensor]:
    """Return integers (int8) and the scale of each group (groups, 1)."""
    width = tensor.shape[-1]
    padded = torch.nn.functional.pad(tensor.float(), (0, _padded(width) - width))
    groups = padded.reshape(-1, GROUP)
    # Rounded up, so that no integer exceeds ``steps``.
    scale = torch.nextafter((groups.abs().amax(1, keepdim=True) / steps).half(), groups.new_tensor(torch.inf).half())
    return (groups / scale.float()).round().to(torch.int8).flatten(), scale
