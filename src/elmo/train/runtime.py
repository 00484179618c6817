"""The process a run trains in: its device, its peers under torchrun, signals and random seeds."""

import gc
import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import torch
import torch.utils.deterministic

from elmo.engines.devices import checked_device
from elmo.settings import Seed, check_value


@dataclass(frozen=True)
class Runtime:
    """One of the processes that train together. There is a single one unless torchrun started more."""

    device: torch.device
    rank: int = 0
    world_size: int = 1

    @property
    def is_main(self) -> bool:
        """Whether this is the process that evaluates, saves and logs."""
        return self.rank == 0

    def local_rows(self, rows: int) -> slice:
        """Return the rows of a batch that this process computes."""
        if rows % self.world_size:
            raise ValueError(
                f"a batch of {rows} rows cannot be divided evenly among {self.world_size} processes; "
                f"use a multiple of {self.world_size}"
            )
        count = rows // self.world_size
        return slice(self.rank * count, (self.rank + 1) * count)

    def broadcast(self, *values: float) -> list[float]:
        """Return the values of the main process in every process."""
        if self.world_size == 1:
            return list(values)
        shared = torch.tensor(values, dtype=torch.float64, device=self.device)
        torch.distributed.broadcast(shared, 0)
        return shared.tolist()

    def mean(self, value: float) -> float:
        """Return the mean of a value over all processes."""
        if self.world_size == 1:
            return value
        total = torch.tensor(value, dtype=torch.float64, device=self.device)
        torch.distributed.all_reduce(total)
        return float(total) / self.world_size


@contextmanager
def start_runtime(device: str = "auto") -> Iterator[Runtime]:
    """Join the process group if torchrun started this process, and leave it at the end of the block.

    Args:
        device: "cpu", "cuda", or "auto" for a GPU if one is available.
    """
    if device == "auto":
        device = "cuda" if torch.cuda.is_available() else "cpu"
    # Keep the partial sums of long matrix products in float32.
    torch.backends.cuda.matmul.allow_bf16_reduced_precision_reduction = False
    world_size = int(os.environ.get("WORLD_SIZE", "1"))
    if world_size == 1:
        yield Runtime(checked_device(device))
        return
    if device == "cuda":
        device = f"cuda:{os.environ.get('LOCAL_RANK', '0')}"
        torch.cuda.set_device(device)
    torch.distributed.init_process_group("nccl" if device.startswith("cuda") else "gloo")
    try:
        yield Runtime(torch.device(device), torch.distributed.get_rank(), world_size)
        torch.distributed.barrier()  # leaving while another process still works may bring both down
    finally:
        gc.collect()  # a wrapped module in a reference cycle would outlive the threads of the group
        torch.distributed.destroy_process_group()


@contextmanager
def fixed_order_of_sums(device: torch.device) -> Iterator[None]:
    """Within the block, a CPU adds up gradients in a fixed order, so that a seed gives the same bits in every run.

    Otherwise, several threads add the gradients of indexed rows in the order in which they happen to get there.
    """
    memory: Any = torch.utils.deterministic
    before = torch.are_deterministic_algorithms_enabled(), memory.fill_uninitialized_memory
    if device.type == "cpu":
        torch.use_deterministic_algorithms(True)
        memory.fill_uninitialized_memory = False  # all memory is written before it is read
    try:
        yield
    finally:
        torch.use_deterministic_algorithms(before[0])
        memory.fill_uninitialized_memory = before[1]


@contextmanager
def fast_products(device: torch.device) -> Iterator[None]:
    """Within the block, factors of float32 matrix products may be rounded where the hardware is faster that way.

    GPUs round them to TF32, with 11 significant bits, CPUs with AMX to bfloat16, with 8. Both have the range of
    float32 and enough bits for training. Sums remain float32. CPUs with AVX-512 round nothing, but leave the products
    to oneDNN, which is faster than MKL on processors by AMD.
    """
    before = torch.get_float32_matmul_precision()
    torch.set_float32_matmul_precision("high" if device.type == "cuda" else "medium")
    try:
        yield
    finally:
        torch.set_float32_matmul_precision(before)


def seed_step(seed: int, step: int, rank: int = 0) -> None:
    """Seed the random numbers of one step (dropout), so that a resumed run draws the same ones.

    Raises:
        ValueError: If the seed is out of range.
    """
    check_value(seed, Seed, "seed")
    torch.manual_seed((seed * 1_000_003 + step) * 4096 + rank)
