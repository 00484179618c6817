"""Computing in the data type of the weights, also inside ``torch.autocast``."""

import contextlib

import torch


def without_autocast(device: torch.device) -> contextlib.AbstractContextManager[object]:
    """Turn autocast off for a block of code.

    An LSTM with clipping mixes products and pointwise operations at every step; autocast would change the type of some
    of them, and a recurrent state that is rounded at every step drifts.
    """
    if not torch.amp.is_autocast_available(device.type):
        return contextlib.nullcontext()
    return torch.autocast(device.type, enabled=False)
