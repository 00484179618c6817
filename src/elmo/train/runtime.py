"""The machine a run has: processes, devices, signals, random numbers, and saving so that nothing is lost."""

import gc
import json
import os
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
from safetensors import SafetensorError
from safetensors.torch import load_file, save_file
from torch import Tensor, nn

from elmo.files import replacing_file, replacing_folder, writing

KEPT = 2
"""Checkpoints kept: the newest, and one before it in case the newest is of no use."""
BEST_FILE = "best.safetensors"


@dataclass(frozen=True)
class Runtime:
    """One process among those that train together (one, unless torchrun started more)."""

    device: torch.device
    rank: int = 0
    world: int = 1

    @property
    def is_main(self) -> bool:
        """Whether this process speaks for all: it evaluates, saves and logs."""
        return self.rank == 0

    def share(self, rows: int) -> slice:
        """The rows of a batch that this process computes."""
        if rows % self.world:
            raise ValueError(f"{rows} rows cannot be shared equally by {self.world} processes")
        mine = rows // self.world
        return slice(self.rank * mine, (self.rank + 1) * mine)

    def agree(self, *values: float) -> list[float]:
        """The main process' values, for all."""
        if self.world == 1:
            return list(values)
        shared = torch.tensor(values, dtype=torch.float64, device=self.device)
        torch.distributed.broadcast(shared, 0)
        return shared.tolist()

    def mean(self, value: float) -> float:
        """The mean over all processes."""
        if self.world == 1:
            return value
        total = torch.tensor(value, dtype=torch.float64, device=self.device)
        torch.distributed.all_reduce(total)
        return float(total) / self.world


@contextmanager
def start_runtime(device: str = "auto") -> Iterator[Runtime]:
    """Join the processes that torchrun started, if it did, and leave them at the end."""
    if device == "auto":
        device = "cuda" if torch.cuda.is_available() else "cpu"
    # Partial sums of long products stay in float32.
    torch.backends.cuda.matmul.allow_bf16_reduced_precision_reduction = False
    world = int(os.environ.get("WORLD_SIZE", "1"))
    if world == 1:
        yield Runtime(torch.device(device))
        return
    if device == "cuda":
        device = f"cuda:{os.environ.get('LOCAL_RANK', '0')}"
        torch.cuda.set_device(device)
    torch.distributed.init_process_group("nccl" if device.startswith("cuda") else "gloo")
    try:
        yield Runtime(torch.device(device), torch.distributed.get_rank(), world)
        torch.distributed.barrier()  # a process that leaves while another still works may bring both down
    finally:
        gc.collect()  # what still refers to the group (a wrapped module in a cycle) would outlive its threads
        torch.distributed.destroy_process_group()


class Termination:
    """Notices a polite request to end (SIGTERM, or Ctrl-C), so that the loop can save first."""

    def __init__(self) -> None:
        self.asked = False

    def __enter__(self) -> "Termination":
        self._before = {}
        if threading.current_thread() is threading.main_thread():
            for number in (signal.SIGTERM, signal.SIGINT):
                self._before[number] = signal.signal(number, self._ask)
        return self

    def __exit__(self, *_: object) -> None:
        for number, handler in self._before.items():
            signal.signal(number, handler)

    def _ask(self, *_: object) -> None:
        self.asked = True


def seed_step(seed: int, step: int, rank: int = 0) -> None:
    """Random numbers (dropout) that depend on the step alone, so that a resumed run draws the same ones."""
    torch.manual_seed((seed * 1_000_003 + step) * 4096 + rank)


class Checkpoints:
    """The folder of a run's checkpoints, ``step-00001000`` and so on; each is whole or absent."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def save(self, state: dict[str, Any], module: nn.Module, optimizer: torch.optim.Optimizer) -> None:
        """Write a checkpoint, then drop the old ones."""
        target = self.folder / f"step-{state['step']:08d}"
        if target.exists():
            return
        with replacing_folder(target) as scratch, writing(target):
            try:
                save_file(_plain(module.state_dict()), scratch / "module.safetensors")
                save_file(_plain(_flatten(optimizer)), scratch / "optimizer.safetensors")
            except SafetensorError as error:
                raise OSError(str(error)) from error
            (scratch / "state.json").write_text(json.dumps(state, indent=2) + "\n")
        for old in self.all()[:-KEPT]:
            _remove(old)

    def keep_best(self, module: nn.Module) -> None:
        """Keep a module as the best so far."""
        with replacing_file(self.folder / BEST_FILE) as path, writing(self.folder):
            try:
                save_file(_plain(module.state_dict()), path)
            except SafetensorError as error:
                raise OSError(str(error)) from error

    def restore_best(self, module: nn.Module) -> None:
        """Bring back the best module, if one was kept."""
        if (self.folder / BEST_FILE).exists():
            module.load_state_dict(load_file(self.folder / BEST_FILE))

    def all(self) -> list[Path]:
        """Every checkpoint, oldest first."""
        return sorted(self.folder.glob("step-*")) if self.folder.is_dir() else []

    def restore(self, module: nn.Module, optimizer: torch.optim.Optimizer) -> dict[str, Any] | None:
        """Bring back the newest checkpoint; None if there is none."""
        if not self.all():
            return None
        newest = self.all()[-1]
        try:
            module.load_state_dict(load_file(newest / "module.safetensors"))
            _unflatten(optimizer, load_file(newest / "optimizer.safetensors"))
            return dict(json.loads((newest / "state.json").read_text()))
        except (SafetensorError, RuntimeError, KeyError, ValueError, OSError) as error:
            reason = str(error).splitlines()[0]
            raise ValueError(f"{newest}: cannot be resumed from ({reason})") from None


def _plain(tensors: dict[str, Tensor]) -> dict[str, Tensor]:
    return {name: tensor.detach().contiguous().cpu() for name, tensor in tensors.items()}


def _flatten(optimizer: torch.optim.Optimizer) -> dict[str, Tensor]:
    """The optimiser's tensors by number of parameter and name."""
    return {
        f"{number}.{name}": torch.as_tensor(value)
        for number, values in optimizer.state_dict()["state"].items()
        for name, value in values.items()
    }


def _unflatten(optimizer: torch.optim.Optimizer, tensors: dict[str, Tensor]) -> None:
    state: dict[int, dict[str, Tensor]] = {}
    for key, tensor in tensors.items():
        number, name = key.split(".", 1)
        state.setdefault(int(number), {})[name] = tensor
    optimizer.load_state_dict({"state": state, "param_groups": optimizer.state_dict()["param_groups"]})


def _remove(folder: Path) -> None:
    """Delete a checkpoint; its state goes first, so that a half-deleted one cannot be taken for whole."""
    (folder / "state.json").unlink(missing_ok=True)
    for file in folder.iterdir():
        file.unlink()
    folder.rmdir()
