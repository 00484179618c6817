"""Weights as whole numbers, for models that must be small on disk; they are float32 again when loaded.

Numbers are cut in groups of 64 along the last axis. A group is stored as one scale (float16) and whole numbers from
-steps to steps, written with as few bits as their frequencies allow (Huffman's code, by zlib): 48 steps take about
5.7 bits a weight. Vectors and small tensors stay as they are.
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
    """Tensors rounded to ``steps`` steps on either side of zero, and the metadata that says how to read them."""
    if not 1 <= steps <= 127:
        raise ValueError(f"weights can be rounded to 1 to 127 steps, not {steps}")
    small: dict[str, Tensor] = {}
    shapes = {}
    for name, tensor in tensors.items():
        if tensor.dim() < 2 or tensor.numel() < 4096:
            small[name] = tensor
            continue
        whole, small[name + _SCALE] = _rounded(tensor, steps)
        coder = zlib.compressobj(9, strategy=zlib.Z_HUFFMAN_ONLY)  # there is nothing to find but frequencies
        coded = coder.compress(whole.numpy().tobytes()) + coder.flush()
        small[name] = torch.from_numpy(np.frombuffer(coded, np.uint8).copy())
        shapes[name] = list(tensor.shape)
    return small, {_KEY: json.dumps(shapes)}


def expanded(tensors: Mapping[str, Tensor], metadata: Mapping[str, str] | None) -> dict[str, Tensor]:
    """The inverse of ``compacted``, up to rounding; tensors that were not compacted pass as float32."""
    shapes = json.loads((metadata or {}).get(_KEY, "{}"))
    large = {
        name: tensor.float()
        for name, tensor in tensors.items()
        if name not in shapes and name.removesuffix(_SCALE) not in shapes
    }
    names = [name for name in tensors if name in shapes]
    with ThreadPoolExecutor() as pool:  # both zlib and numpy let others run
        results = pool.map(lambda name: _expanded(name, tensors[name], tensors[name + _SCALE], shapes[name]), names)
        large |= dict(zip(names, results, strict=True))
    return large


def _expanded(name: str, coded: Tensor, scale: Tensor, shape: list[int]) -> Tensor:
    """One tensor, from its code and the scale of each group (groups, 1)."""
    try:
        whole = np.frombuffer(zlib.decompress(coded.numpy().data, bufsize=scale.numel() * GROUP), np.int8)
    except zlib.error as error:
        raise ValueError(f"{name}: {error}") from None
    numbers = np.multiply(whole.reshape(-1, GROUP), scale.float().numpy(), dtype=np.float32)
    rows, width = numbers.size // _padded(shape[-1]), shape[-1]
    return torch.from_numpy(np.ascontiguousarray(numbers.reshape(rows, -1)[:, :width]).reshape(shape))


def _padded(width: int) -> int:
    return -(-width // GROUP) * GROUP


def _rounded(tensor: Tensor, steps: int) -> tuple[Tensor, Tensor]:
    """Whole numbers (int8) and the scale of each group (groups, 1)."""
    width = tensor.shape[-1]
    padded = torch.nn.functional.pad(tensor.float(), (0, _padded(width) - width))
    groups = padded.reshape(-1, GROUP)
    # Rounded up, so that no number is larger than the largest that can be stored.
    scale = torch.nextafter((groups.abs().amax(1, keepdim=True) / steps).half(), torch.tensor(torch.inf).half())
    return (groups / scale.float()).round().to(torch.int8).flatten(), scale
