"""Checkpoints: everything that a training run continues from, and the best weights so far.

    step-00001000/     module.safetensors, optimizer.safetensors, average.safetensors, state.json, checksums.json
    best.safetensors   the weights of the best model, if the run has patience

Frozen parameters are not in them: when a run is resumed, they are as they were when it began.
"""

import hashlib
import json
import shutil
import warnings
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
from safetensors import SafetensorError, safe_open
from safetensors.torch import load_file, save_file
from torch import Tensor, nn

from elmo.config import from_fields
from elmo.files import (
    read_json_object,
    reason_of,
    remove_abandoned,
    replacing_file,
    replacing_folder,
    verify_checksums,
    write_checksums,
    writing,
)
from elmo.settings import Amount, NotNegative, check_fields
from elmo.train.averaging import MovingAverage

BEST_FILE = "best.safetensors"
MODULE_FILE, OPTIMIZER_FILE, STATE_FILE = "module.safetensors", "optimizer.safetensors", "state.json"
AVERAGE_FILE = "average.safetensors"
KEPT_CHECKPOINTS = 2
"""The newest checkpoint, and the one before it in case the newest turns out to be unusable."""
HASH_KEY = "sha256"
"""Where the metadata of a safetensors file, and records in JSON, keep the hash of their other content."""


@dataclass
class TrainingState:
    """How far a run has come. Checkpoints contain all of it."""

    step: Amount = 0
    position: dict[str, Any] | None = None
    """Position in the data."""
    epochs: NotNegative = 0.0
    seen: Amount = 0
    """Examples seen, in the job's unit."""
    seconds: NotNegative = 0.0
    best: float | None = None
    """Best value of the objective, if the run has patience."""
    stale: Amount = 0
    """Evaluations since the best one."""
    evaluated: Amount = 0
    """Step of the last evaluation."""

    def __post_init__(self) -> None:
        """Check the types and limits of all values."""
        check_fields(self)

    @classmethod
    def from_dict(cls, data: Any) -> "TrainingState":
        """Read what a checkpoint contains. Unlike for a new run, nothing may be missing.

        Raises:
            ValueError: If a value is missing, unknown or out of range.
        """
        for name in vars(cls()):
            if name not in data:
                raise ValueError(f"{name} is missing")
        return from_fields(cls, data, "state")


class Checkpoints:
    """The checkpoints of a run, one folder each (``step-00001000``), which is either complete or absent."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def all(self) -> list[Path]:
        """Return the folders of all checkpoints, oldest first."""
        steps = {path: path.name.removeprefix("step-") for path in self.folder.glob("step-*")}
        return sorted((path for path, step in steps.items() if step.isdecimal()), key=lambda path: int(steps[path]))

    def save(
        self,
        state: TrainingState,
        module: nn.Module,
        optimizer: torch.optim.Optimizer,
        average: MovingAverage | None = None,
    ) -> None:
        """Write a checkpoint, then delete the old ones."""
        target = self.folder / f"step-{state.step:08d}"
        if target.exists():
            if _is_intact(target):
                return
            _delete(target)
        with replacing_folder(target) as scratch, writing(target):
            save_tensors(_trained(module), scratch / MODULE_FILE)
            save_tensors(_flatten(optimizer), scratch / OPTIMIZER_FILE)
            if average is not None:
                save_tensors(average.state_dict(), scratch / AVERAGE_FILE)
            write_json(as_json(vars(state)), scratch / STATE_FILE)
            write_checksums(scratch, [file.name for file in scratch.iterdir()])
        for old in self.all()[:-KEPT_CHECKPOINTS]:
            _delete(old)

    def restore(
        self, module: nn.Module, optimizer: torch.optim.Optimizer, average: MovingAverage | None = None
    ) -> TrainingState | None:
        """Load the newest checkpoint that is intact and return its state, or None if there is no checkpoint.

        Warns if a newer one is damaged. If the run had no moving average so far, it starts with the weights of the
        checkpoint.

        Raises:
            ValueError: If there are checkpoints, but none can be used.
        """
        if self.folder.is_dir():
            remove_abandoned(self.folder)  # the checkpoint of a killed process may be one of a step that never returns
        problems: list[str] = []
        for checkpoint in reversed(self.all()):
            try:
                state = _read_checkpoint(checkpoint, module, optimizer, average)
            except (SafetensorError, RuntimeError, KeyError, ValueError, OSError) as error:
                reason = str(error).removeprefix(f"{checkpoint}/").splitlines()[0]
                problems.append(f"{checkpoint}: damaged, or not a checkpoint of this model ({reason})")
                continue
            for problem in problems:
                warnings.warn(f"{problem}; the run resumes from {checkpoint.name} instead", stacklevel=2)
            return state
        if problems:
            raise ValueError(
                f"{problems[0]}, and there is no earlier one to resume from; delete {self.folder} to train from the "
                "beginning"
            )
        return None

    def save_best(self, module: nn.Module) -> None:
        """Save the weights of the best model so far."""
        with replacing_file(self.folder / BEST_FILE) as path, writing(self.folder):
            save_weights(_trained(module), path)

    def restore_best(self, module: nn.Module) -> None:
        """Load the weights of the best model.

        Raises:
            ValueError: If the file is missing or damaged.
        """
        self.require_best()
        load_weights(module, self.folder / BEST_FILE, frozen_may_be_missing=True)

    def require_best(self) -> None:
        """Raise a ValueError if the weights of the best model are missing."""
        if not (self.folder / BEST_FILE).exists():
            raise ValueError(
                f"{self.folder / BEST_FILE}: is missing, and with it the best model so far; restore it, or delete "
                f"{self.folder} to train from the beginning"
            )


def _read_checkpoint(
    folder: Path, module: nn.Module, optimizer: torch.optim.Optimizer, average: MovingAverage | None
) -> TrainingState:
    """Load a checkpoint. Whether it is damaged is found out before the module and the optimizer are changed."""
    verify_checksums(folder)
    state = TrainingState.from_dict(read_json_object(folder / STATE_FILE))
    if folder.name != f"step-{state.step:08d}":
        raise ValueError(f"{STATE_FILE} is that of step {state.step}")
    tensors, moments = load_file(folder / MODULE_FILE), load_file(folder / OPTIMIZER_FILE)
    if average is not None:
        file = folder / AVERAGE_FILE
        # The checkpoint of a run that had no moving average: it starts now.
        trained = average.state_dict()
        average.load_state_dict(load_file(file) if file.exists() else {name: tensors[name] for name in trained})
    module.load_state_dict({**_frozen(module), **tensors})
    _unflatten(optimizer, moments)
    return state


def _is_intact(checkpoint: Path) -> bool:
    try:
        verify_checksums(checkpoint)
        return (checkpoint / STATE_FILE).exists()  # deleted first; see ``_delete``
    except (ValueError, OSError):
        return False


def save_tensors(tensors: Mapping[str, Tensor], path: Path, name: str = "format", value: str = "pt") -> None:
    """Write a safetensors file with one entry of metadata. A write that fails raises an OSError.

    Of several entries, safetensors changes the order from process to process, and so the bytes of the file.
    """
    contiguous = {name: tensor.detach().cpu().contiguous() for name, tensor in tensors.items()}
    try:
        save_file(contiguous, path, {name: value})
    except SafetensorError as error:
        raise OSError(str(error)) from error


def save_weights(tensors: Mapping[str, Tensor], path: Path) -> None:
    """Write tensors, together with their hash."""
    save_tensors(tensors, path, HASH_KEY, _hash(tensors))


def load_weights(module: nn.Module, path: Path, *, frozen_may_be_missing: bool = False) -> None:
    """Load what ``save_weights`` wrote into a module, which must have exactly these parameters.

    Args:
        module: The module.
        path: The safetensors file.
        frozen_may_be_missing: Whether frozen parameters keep their values if the file does not contain them.

    Raises:
        ValueError: If the file is damaged or does not fit the module.
    """
    try:
        with safe_open(path, "pt") as file:
            tensors = {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118
            recorded = (file.metadata() or {}).get(HASH_KEY)
        if recorded is not None and recorded != _hash(tensors):  # older files have no hash
            raise ValueError("the content has changed since it was written")
        module.load_state_dict({**(_frozen(module) if frozen_may_be_missing else {}), **tensors})
    except (SafetensorError, RuntimeError, ValueError, OSError) as error:
        raise ValueError(f"{path}: damaged, or not the weights of this model ({reason_of(error)})") from None


def _frozen(module: nn.Module) -> dict[str, Tensor]:
    """Return the parameters that are not trained."""
    return {name: parameter.detach() for name, parameter in module.named_parameters() if not parameter.requires_grad}


def _trained(module: nn.Module) -> dict[str, Tensor]:
    """Return what training changes: all parameters and buffers but the frozen ones."""
    frozen = _frozen(module)
    return {name: tensor for name, tensor in module.state_dict().items() if name not in frozen}


def _hash(tensors: Mapping[str, Tensor]) -> str:
    digest = hashlib.sha256()
    for name, tensor in sorted(tensors.items()):
        digest.update(f"{name} {tensor.dtype} {list(tensor.shape)}\n".encode())
        digest.update(tensor.detach().cpu().contiguous().reshape(-1).view(torch.uint8).numpy().data)
    return digest.hexdigest()


def write_json(value: Mapping[str, Any], path: Path) -> None:
    """Write a JSON object."""
    # The name of a file that is not UTF-8 has characters that become escapes of JSON here.
    path.write_bytes(json.dumps(value, indent=2, ensure_ascii=False).encode("utf-8", "backslashreplace") + b"\n")


def as_json(value: Mapping[str, Any]) -> dict[str, Any]:
    """Convert tuples to lists, as reading the value back from a file does, and infinity and NaN to null."""
    return dict(json.loads(json.dumps(value), parse_constant=lambda name: None))


def _flatten(optimizer: torch.optim.Optimizer) -> dict[str, Tensor]:
    """Return the tensors of an optimizer under the names ``<index of the parameter>.<name>``."""
    return {
        f"{index}.{name}": torch.as_tensor(value)
        for index, values in optimizer.state_dict()["state"].items()
        for name, value in values.items()
    }


def _unflatten(optimizer: torch.optim.Optimizer, tensors: Mapping[str, Tensor]) -> None:
    state: dict[int, dict[str, Tensor]] = {}
    for key, tensor in tensors.items():
        index, name = key.split(".", 1)
        state.setdefault(int(index), {})[name] = tensor
    optimizer.load_state_dict({"state": state, "param_groups": optimizer.state_dict()["param_groups"]})


def _delete(checkpoint: Path) -> None:
    """Delete a checkpoint, its state first, so that a partly deleted one is never mistaken for a complete one."""
    (checkpoint / STATE_FILE).unlink(missing_ok=True)
    shutil.rmtree(checkpoint)
