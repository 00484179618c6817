"""Devices: the one check of those that a caller names, and what they are good at."""

from collections.abc import Callable

import torch

from elmo.validation import shown


def checked_device(device: str | torch.device, name: str = "device") -> torch.device:
    """Return a device that this machine can compute on.

    Args:
        device: For example "cpu", "cuda" or "cuda:1".
        name: What to call it in the error message, for example "--device".

    Raises:
        ValueError: If there is no such device, or if nothing can be computed on it (such as "meta").
    """
    if not isinstance(device, str | torch.device):
        raise ValueError(f"{name} must be a name such as cpu or cuda, not {shown(device)}")
    try:
        found = torch.device(device)
    except RuntimeError:
        raise ValueError(f"{name} {device!s}: no such device; use cpu, cuda or cuda:N") from None
    if found.type == "meta":
        raise ValueError(f"{name} meta: nothing can be computed on it; use cpu, cuda or cuda:N")
    try:
        torch.empty(0, device=found)
    except (RuntimeError, AssertionError, ImportError) as error:
        reason = str(error).split(". ")[0].split("\n")[0]  # torch may add a page of advice
        raise ValueError(f"{name} {device!s}: cannot be used on this machine ({reason}); use cpu") from None
    return found


def multiplies_bfloat16(device: torch.device) -> bool:
    """Whether a device has instructions for products in bfloat16, so that they are faster than in float32.

    Other CPUs can compute them, too, but convert every number first.
    """
    if device.type == "cuda":
        return True
    known: Callable[[], bool] | None = getattr(torch.cpu, "_is_avx512_bf16_supported", None)
    return device.type == "cpu" and torch.backends.mkldnn.is_available() and known is not None and known()
