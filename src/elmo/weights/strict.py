"""Loading weights strictly: every tensor must be there, in its shape, and no other."""

import contextlib
from collections.abc import Iterator, Mapping
from typing import Any

import torch
from torch import Tensor, nn
from torch.overrides import TorchFunctionMode


def check_tensors(path: object, expected: Mapping[str, tuple[int, ...]], found: Mapping[str, Any], source: str) -> None:
    """Compare the tensors of a file with what they should be.

    Args:
        path: The file, for the error message.
        expected: Shapes by name.
        found: Tensors by name.
        source: What the expectation comes from, for the error message: ``config.json``, say.

    Raises:
        ValueError: Naming the first tensor that is missing, unexpected, of another shape, or not made of finite
            floating-point numbers.
    """
    for name in sorted(expected.keys() | found.keys(), key=str):
        if name not in found:
            raise ValueError(f"{path}: {name} is missing; expected from {source}")
        if name not in expected:
            raise ValueError(f"{path}: {name} is unexpected; not part of the model in {source}")
        if tuple(found[name].shape) != tuple(expected[name]):
            raise ValueError(
                f"{path}: {name} has shape {tuple(found[name].shape)}; expected {tuple(expected[name])} from {source}"
            )
        if found[name].layout is not torch.strided or not found[name].is_floating_point():
            raise ValueError(f"{path}: {name} must hold floating-point numbers, not {found[name].dtype}")
        if not bool(torch.isfinite(found[name]).all()):
            raise ValueError(f"{path}: {name} has values that are not finite")


def load_weights(module: nn.Module, path: object, tensors: Mapping[str, Tensor], source: str) -> None:
    """Give a module that was made ``without_data`` its weights; see ``check_tensors``."""
    check_tensors(path, {name: tuple(t.shape) for name, t in module.state_dict().items()}, tensors, source)
    module.load_state_dict(dict(tensors), strict=True, assign=True)


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
