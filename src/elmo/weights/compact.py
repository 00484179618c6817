"""Weights in 8 or 6 bits, for models that must be small on disk; they are float32 again when loaded.

Numbers are cut in groups of 64 along the last axis. A group is stored as one scale (float16) and whole numbers from
-127 to 127 (8 bits) or -31 to 31 (6 bits, four in three bytes). Vectors and small tensors stay as they are.
"""

import json
from collections.abc import Mapping
from typing import Literal

import torch
from torch import Tensor

Bits = Literal[8, 6]

GROUP = 64
_SCALE = ".scale"
_KEY = "compact"


def compacted(tensors: Mapping[str, Tensor], bits: Bits) -> tuple[dict[str, Tensor], dict[str, str]]:
    """Tensors in ``bits`` bits, and the metadata that says how to read them."""
    if bits not in (8, 6):
        raise ValueError(f"weights can be stored in 8 or 6 bits, not {bits}")
    small: dict[str, Tensor] = {}
    described = {}
    for name, tensor in tensors.items():
        if tensor.dim() < 2 or tensor.numel() < 4096:
            small[name] = tensor
            continue
        whole, scale = _rounded(tensor, (1 << (bits - 1)) - 1)
        small[name] = (whole.view(torch.uint8) if bits == 8 else _pack(whole)).contiguous()
        small[name + _SCALE] = scale
        described[name] = {"bits": bits, "shape": list(tensor.shape)}
    return small, {_KEY: json.dumps(described)}


def expanded(tensors: Mapping[str, Tensor], metadata: Mapping[str, str] | None) -> dict[str, Tensor]:
    """The inverse of ``compacted``, up to rounding; tensors that were not compacted pass as float32."""
    described = json.loads((metadata or {}).get(_KEY, "{}"))
    large = {}
    for name, tensor in tensors.items():
        if name in described:
            shape, scale = described[name]["shape"], tensors[name + _SCALE].float()  # scale (groups, 1)
            whole = tensor.view(torch.int8) if described[name]["bits"] == 8 else _unpack(tensor)
            numbers = whole.view(-1, GROUP).float() * scale
            rows, width = numbers.numel() // _padded(shape[-1]), shape[-1]
            large[name] = numbers.view(rows, -1)[:, :width].reshape(shape).contiguous()
        elif name.removesuffix(_SCALE) not in described:
            large[name] = tensor.float()
    return large


def _padded(width: int) -> int:
    return -(-width // GROUP) * GROUP


def _rounded(tensor: Tensor, largest: int) -> tuple[Tensor, Tensor]:
    """Whole numbers (int8) and the scale of each group (groups, 1)."""
    width = tensor.shape[-1]
    padded = torch.nn.functional.pad(tensor.float(), (0, _padded(width) - width))
    groups = padded.reshape(-1, GROUP)
    # Rounded up, so that no number is larger than the largest that can be stored.
    scale = torch.nextafter((groups.abs().amax(1, keepdim=True) / largest).half(), torch.tensor(torch.inf).half())
    return (groups / scale.float()).round().to(torch.int8).flatten(), scale


def _pack(whole: Tensor) -> Tensor:
    """Four numbers of 6 bits in three bytes."""
    a, b, c, d = (whole.to(torch.int32) + 32).view(-1, 4).unbind(1)
    together = a | b << 6 | c << 12 | d << 18
    return torch.stack([together & 255, together >> 8 & 255, together >> 16], 1).to(torch.uint8).flatten()


def _unpack(packed: Tensor) -> Tensor:
    x, y, z = packed.view(-1, 3).to(torch.int32).unbind(1)
    together = x | y << 8 | z << 16
    return (torch.stack([together >> shift & 63 for shift in (0, 6, 12, 18)], 1) - 32).to(torch.int8).flatten()
