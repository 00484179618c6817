"""Measured results with their provenance, stored as JSON lines."""

import dataclasses
import json
import os
import platform
import subprocess
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from elmo import __version__
from elmo.config import from_fields
from elmo.files import parse_json_object
from elmo.settings import check_fields

if TYPE_CHECKING:
    import torch


@dataclass(frozen=True)
class Result:
    """One measured value."""

    what: str
    """What was measured, for example the name of a task."""
    metric: str
    value: float
    seed: int
    commit: str
    """Commit of the code."""
    versions: dict[str, str]
    """Versions of the packages that the value depends on."""
    data_hash: str
    """Hash of the data used for training and evaluation."""
    machine: str
    seconds: float
    details: dict[str, Any] = field(default_factory=dict)
    """Settings of the measurement."""

    def __post_init__(self) -> None:
        """Check the types of all values."""
        check_fields(self)


def read_results(path: Path) -> list[Result]:
    """Read the results of a file; an empty list if there is no file.

    A last line that a killed process left incomplete is ignored.

    Raises:
        ValueError: If another line is not a result.
    """
    results = []
    for number, line in enumerate(_lines(path), 1):
        where = f"{path}, line {number}"
        record = parse_json_object(line, where)
        try:
            results.append(from_fields(Result, record, "result"))
        except ValueError as error:
            raise ValueError(f"{where}: {error}") from None
    return results


def append_results(path: Path, results: Iterable[Result]) -> None:
    """Append results to a file, and flush it to disk."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("ab") as file:
        file.truncate(sum(map(len, _lines(path))))
        for result in results:
            file.write(json.dumps(dataclasses.asdict(result), ensure_ascii=False).encode() + b"\n")
        file.flush()
        os.fsync(file.fileno())


def _lines(path: Path) -> list[bytes]:
    """Return the complete lines of a file, which end with a newline."""
    lines = path.read_bytes().splitlines(keepends=True) if path.exists() else []
    return [line for line in lines if line.endswith(b"\n")]


def versions() -> dict[str, str]:
    """Return the versions that results depend on."""
    import numpy
    import torch

    return {
        "elmo": __version__,
        "torch": torch.__version__,
        "numpy": numpy.__version__,
        "python": platform.python_version(),
    }


def machine(device: "torch.device | str | None" = None) -> str:
    """Describe the machine: the GPU's name, or the processor and its number of cores.

    Args:
        device: Device that computes; by default a GPU if there is one.
    """
    import torch

    if device is None:
        device = "cuda" if torch.cuda.is_available() else "cpu"
    if torch.device(device).type == "cuda":
        return torch.cuda.get_device_name(device)
    name = platform.processor() or platform.machine()
    cpuinfo = Path("/proc/cpuinfo")
    if cpuinfo.exists():
        models = [line.split(":", 1)[1].strip() for line in cpuinfo.read_text().splitlines() if "model name" in line]
        name = models[0] if models else name
    return f"{name}, {os.cpu_count()} cores"


def commit() -> str:
    """Return the commit of the code, with a + if there are uncommitted changes; of an installed package, the version.

    On a machine that has the code without its history, set ``ELMO_COMMIT``.
    """
    if given := os.environ.get("ELMO_COMMIT"):
        return given
    git = ["git", "-C", str(Path(__file__).parent)]
    try:
        # A package may be installed inside of another repository, whose commits say nothing about this code.
        subprocess.run([*git, "ls-files", "--error-unmatch", Path(__file__).name], capture_output=True, check=True)
        head = subprocess.run([*git, "rev-parse", "--short=12", "HEAD"], capture_output=True, text=True, check=True)
        changed = subprocess.run([*git, "status", "--porcelain", "-uno"], capture_output=True, text=True, check=True)
    except (OSError, subprocess.CalledProcessError):
        return f"version {__version__}"
    return head.stdout.strip() + ("+" if changed.stdout.strip() else "")
