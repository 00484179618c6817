"""Weights quantized to integers, for models that must be small on disk. They become float32 again when loaded.

Weights are split into groups of 64 along the last axis. A group is stored as one scale (float16) and integers from
-steps to steps, which zlib's Huffman code writes with as few bits as their frequencies allow: 48 steps take about 5.7
bits per weight. Vectors and small tensors are stored unchanged.
"""

import json
import zlib
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import torch
from torch import Tensor

GROUP = 64
_SCALE = ".scale"
_KEY = "compact"


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
    return small, {_KEY: json.dumps(shapes)}


def expanded(tensors: Mapping[str, Tensor], metadata: Mapping[str, str] | None) -> dict[str, Tensor]:
    """Undo ``compacted``, up to rounding. Other tensors are only converted to float32."""
    shapes = json.loads((metadata or {}).get(_KEY, "{}"))
    large = {
        name: tensor.float()
        for name, tensor in tensors.items()
        if name not in shapes and name.removesuffix(_SCALE) not in shapes
    }
    names = [name for name in tensors if name in shapes]
    with ThreadPoolExecutor() as pool:  # zlib and numpy release the GIL
        results = pool.map(lambda name: _expanded(name, tensors[name], tensors[name + _SCALE], shapes[name]), names)
        large |= dict(zip(names, results, strict=True))
    return large


def _expanded(name: str, coded: Tensor, scale: Tensor, shape: list[int]) -> Tensor:
    """Expand one tensor from its compressed integers and the scale of each group (groups, 1)."""
    try:
        integers = np.frombuffer(zlib.decompress(coded.numpy().data, bufsize=scale.numel() * GROUP), np.int8)
    except zlib.error as error:
        raise ValueError(f"{name}: {error}") from None
    numbers = np.multiply(integers.reshape(-1, GROUP), scale.float().numpy(), dtype=np.float32)
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
