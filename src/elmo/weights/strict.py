"""Make a module whose weights are about to be read: shapes alone, no memory and no first values."""

import contextlib
from collections.abc import Iterator
from typing import Any

import torch
from torch.overrides import TorchFunctionMode


@contextlib.contextmanager
def without_data() -> Iterator[None]:
    """Modules made within the block have weights on the "meta" device."""
    with torch.device("meta"), _NoFirstValues():
        yield


class _NoFirstValues(TorchFunctionMode):
    """Drawing numbers for tensors that hold none does nothing, but torch loads its compiler for it, in a second."""

    def __torch_function__(self, function: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        if getattr(function, "__module__", None) == torch.nn.init.__name__:
            return kwargs["tensor"] if kwargs and "tensor" in kwargs else args[0]
        return function(*args, **(kwargs or {}))
