"""Loading weights strictly: every tensor must be there, in its shape, finite, and no other.

Names, types and shapes are compared with what the configuration says before any number is read, so that a damaged or
malicious file cannot make us allocate more than it holds.
"""

import contextlib
import math
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import torch
from safetensors import safe_open
from torch import Tensor, nn
from torch.overrides import TorchFunctionMode

from elmo.files import reason_of
from elmo.weights.compact import COMPACT_KEY, compact_shapes, expand, stored_as

Shapes = Mapping[str, tuple[int, ...]]
"""Shapes of tensors by name."""

FLOATS = {"F64": torch.float64, "F32": torch.float32, "F16": torch.float16, "BF16": torch.bfloat16}
"""What weights may be stored as, by the names in a safetensors file."""
MAX_HEADER_BYTES = 4 << 20
"""Maximum size of the header of a safetensors file: some ten thousand tensors."""


def shapes_of(module: nn.Module) -> dict[str, tuple[int, ...]]:
    """The shapes of a module's weights by name."""
    return {name: tuple(tensor.shape) for name, tensor in module.state_dict().items()}


def check_shapes(path: object, expected: Shapes, found: Shapes, source: str) -> None:
    """Compare the tensors that a file has with those that it should have.

    Args:
        path: The file, for the error message.
        expected: Shapes by name.
        found: The same for what the file has.
        source: What the expectation comes from, for the error message: ``config.json``, say.

    Raises:
        ValueError: Naming the first tensor that is missing, unexpected or of another shape.
    """
    for name in sorted(expected.keys() | found.keys(), key=str):
        if name not in found:
            raise ValueError(f"{path}: {name} is missing; expected from {source}")
        if name not in expected:
            raise ValueError(f"{path}: {name} is unexpected; not part of the model in {source}")
        if tuple(found[name]) != tuple(expected[name]):
            raise ValueError(
                f"{path}: {name} has shape {tuple(found[name])}; expected {tuple(expected[name])} from {source}"
            )


def check_finite(path: object, tensors: Mapping[str, Tensor]) -> None:
    """Check that tensors have neither NaN nor infinity.

    Raises:
        ValueError: Naming the first tensor that has.
    """
    for name, tensor in tensors.items():
        # The smallest and the largest number are NaN if any number is; this takes one pass and no memory.
        if tensor.numel() and not all(math.isfinite(extreme) for extreme in torch.aminmax(tensor)):
            raise ValueError(f"{path}: {name} has values that are not finite")


def check_tensors(path: object, expected: Shapes, found: Mapping[str, Any], source: str) -> None:
    """Check tensors that are already in memory: names, shapes, types, and that all numbers are finite.

    Raises:
        ValueError: Naming the first tensor with a problem.
    """
    check_shapes(path, expected, {name: tuple(tensor.shape) for name, tensor in found.items()}, source)
    for name, tensor in found.items():
        if tensor.layout is not torch.strided or tensor.dtype not in FLOATS.values():
            raise ValueError(f"{path}: {name} must hold floating-point numbers, not {tensor.dtype}")
        if tensor.untyped_storage().nbytes() < tensor.numel() * tensor.element_size():
            raise ValueError(f"{path}: {name} has fewer numbers than its shape says")
    check_finite(path, found)


def read_tensors(path: Path, expected: Shapes, source: str) -> dict[str, Tensor]:
    """Read a safetensors file as float32: the expected tensors and no others, plain or compact.

    Args:
        path: The file.
        expected: Shapes by name.
        source: What the expectation comes from, for the error message: ``config.json``, say.

    Raises:
        ValueError: If the file is damaged or has anything else.
        OSError: If the file cannot be read.
    """
    with path.open("rb") as file:
        header_bytes = int.from_bytes(file.read(8), "little")
    if header_bytes > MAX_HEADER_BYTES:
        raise ValueError(f"{path}: damaged or not a safetensors file (a header of {header_bytes:,} bytes)")
    with _damage_reported(path), safe_open(path, "pt") as file:
        names = list(file.keys())
        headers = {name: (file.get_slice(name).get_dtype(), tuple(file.get_slice(name).get_shape())) for name in names}
        metadata = file.metadata() or {}
    try:
        compact = compact_shapes(metadata)
    except ValueError as error:
        raise ValueError(f"{path}: {error}") from None
    plain = {name: shape for name, (_, shape) in headers.items()}
    for name, shape in compact.items():
        for part, header in stored_as(name, shape).items():
            if part not in headers or not header.accepts(*headers[part]):
                raise ValueError(f"{path}: {part} is missing or does not fit the compact tensor {name}")
            del plain[part]
    check_shapes(path, expected, {**plain, **compact}, source)
    for name in plain:
        if headers[name][0] not in FLOATS:
            raise ValueError(f"{path}: {name} must hold floating-point numbers, not {headers[name][0]}")
    with _damage_reported(path), safe_open(path, "pt") as file:
        tensors = expand({name: file.get_tensor(name) for name in names}, compact)
    check_finite(path, tensors)
    return tensors


@contextlib.contextmanager
def _damage_reported(path: Path) -> Iterator[None]:
    try:
        yield
    except Exception as error:  # whatever the library raises for a damaged file
        raise ValueError(f"{path}: damaged or not a safetensors file ({reason_of(error)})") from None


def is_compact(path: Path) -> bool:
    """Whether a safetensors file has compact tensors; see ``elmo.weights.compact``.

    Raises:
        ValueError: If the file is damaged.
    """
    with _damage_reported(path), safe_open(path, "pt") as file:
        return COMPACT_KEY in (file.metadata() or {})


def load_weights(module: nn.Module, path: Path, source: str) -> None:
    """Give a module that was made ``without_data`` the weights in a safetensors file; see ``read_tensors``."""
    module.load_state_dict(read_tensors(path, shapes_of(module), source), strict=True, assign=True)


@contextlib.contextmanager
def without_data() -> Iterator[None]:
    """Make modules that have shapes only, no memory and no initial values: their weights are about to be read."""
    with torch.device("meta"), _NoInitialValues():
        yield


class _NoInitialValues(TorchFunctionMode):
    """Skips initialization, which does nothing on the meta device but makes torch load its compiler, for a second."""

    def __torch_function__(self, function: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        if getattr(function, "__module__", None) == torch.nn.init.__name__:
            return kwargs["tensor"] if kwargs and "tensor" in kwargs else args[0]
        return function(*args, **(kwargs or {}))
