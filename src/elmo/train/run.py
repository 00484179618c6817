"""The run folder: how a training run begins, resumes and finishes, and what it leaves on disk.

    run.json             how the run was started (recipe, seed, hash of the data, versions, device)
    log.jsonl            one record per logging interval and per evaluation
    curve.png            the learning curve, if matplotlib is installed
    tensorboard/         the records of the log for TensorBoard, if it is installed
    checkpoints/         the newest checkpoints and the best weights so far
    model.safetensors    the trained weights, written at the end
    metrics.json         the final scores of a task model or CoVe

Pretraining, fine-tuning, task models and CoVe all keep their runs in such a folder.

What is read again is checked first. Checkpoints have ``checksums.json``; ``run.json``, ``metrics.json`` and files of
weights contain a hash of their own content, because each of them is replaced in one step.
"""

import hashlib
import json
import shutil
import warnings
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import torch
from safetensors import SafetensorError, safe_open
from safetensors.torch import load_file, save_file
from torch import Tensor, nn

from elmo.config import from_fields
from elmo.files import (
    checksum,
    read_json_object,
    remove_abandoned,
    replacing_file,
    replacing_folder,
    verify_checksums,
    write_checksums,
    writing,
)
from elmo.results import machine, versions
from elmo.settings import Amount, NotNegative, check_fields, check_value
from elmo.train.averaging import MovingAverage
from elmo.train.meters import draw_curve, read_log

RUN_FILE = "run.json"
WEIGHTS_FILE = "model.safetensors"
METRICS_FILE = "metrics.json"
CURVE_FILE = "curve.png"
CHECKPOINTS_FOLDER = "checkpoints"
BEST_FILE = "best.safetensors"
MODULE_FILE, OPTIMIZER_FILE, STATE_FILE = "module.safetensors", "optimizer.safetensors", "state.json"
AVERAGE_FILE = "average.safetensors"
KEPT_CHECKPOINTS = 2
"""The newest checkpoint, and the one before it in case the newest turns out to be unusable."""

_FINGERPRINTS = {
    "data_hash": "different data",
    "base_model": "a different model",
    "vectors_hash": "different static vectors",
}
"""Metadata that is not readable, and how to say that it differs."""


HASH_KEY = "sha256"
"""Where ``run.json``, ``metrics.json`` and the metadata of safetensors files keep the hash of their other content."""


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


@dataclass(frozen=True)
class RunFolder:
    """The folder of one training run."""

    path: Path
    metadata_file: str = RUN_FILE
    """The JSON file that records how the run was started."""

    @property
    def checkpoints(self) -> "Checkpoints":
        """The checkpoints of the run."""
        return Checkpoints(self.path / CHECKPOINTS_FOLDER)

    def require_empty(self) -> None:
        """Raise a ValueError if no run can be started in this folder."""
        try:
            str(self.path).encode("utf-8")
        except UnicodeEncodeError:  # libraries that write our files cannot open it
            raise ValueError(f"{self.path}: the name of a run folder must be valid UTF-8; choose another one") from None
        if (self.path / self.metadata_file).exists():
            raise ValueError(f"{self.path}: already exists; resume the run with --resume, or choose another folder")
        if self.path.exists() and (not self.path.is_dir() or any(self.path.iterdir())):
            raise ValueError(f"{self.path}: already exists, but it is not a run; choose another folder")

    def begin(
        self,
        metadata: Mapping[str, Any],
        add_files: Callable[[Path], Mapping[str, Any] | None] | None = None,
    ) -> dict[str, Any]:
        """Start a run: record how it was started, together with the versions in use and the device.

        Args:
            metadata: What defines the run. Must be representable as JSON.
            add_files: Writes further files into the folder it is given. They appear together with the metadata, to
                which it may add what it returns.

        Returns:
            The metadata as recorded.

        Raises:
            ValueError: If the folder is not empty.
        """
        self.require_empty()
        recorded = {**metadata, "versions": versions(), "device": machine()}
        with replacing_folder(self.path) as scratch, writing(self.path):
            if add_files is not None:
                recorded |= add_files(scratch) or {}
                recorded["files"] = {file.name: checksum(file) for file in sorted(scratch.iterdir()) if file.is_file()}
            _write_record(recorded, scratch / self.metadata_file)
        return recorded

    def resume(self, expected: Mapping[str, Any]) -> dict[str, Any]:
        """Return the metadata of a run, after checking that it was started with the ``expected`` values.

        Nested values are compared key by key. A nested key that the folder does not record is skipped, because
        earlier versions recorded fewer settings.

        Raises:
            ValueError: If no run was started here, or if it was started with different values.
        """
        metadata = self.read(**dict.fromkeys(expected, Any))
        for name, value in _as_json(expected).items():
            for key, now, before in _differences(name, value, metadata[name]):
                if key in _FINGERPRINTS:
                    raise ValueError(f"{self.path}: cannot be resumed: the run was started with {_FINGERPRINTS[key]}")
                raise ValueError(
                    f"{self.path}: cannot be resumed: {key} is {now}, but the run was started with {before}"
                )
        return metadata

    def read(self, **types: Any) -> dict[str, Any]:
        """Return what is recorded about the run.

        Args:
            types: Names of values that must be there, and their types (see ``elmo.settings.check_value``).

        Raises:
            ValueError: If no run was started in this folder, or if the file is damaged.
        """
        try:
            return _read_record(self.path / self.metadata_file, types)
        except (FileNotFoundError, NotADirectoryError):
            raise ValueError(
                f"{self.path}: not a run folder ({self.metadata_file} is missing); a run that has not begun is started "
                "without --resume"
            ) from None

    def check_file(self, name: str) -> Path:
        """Return the path of a file that was added when the run began, after checking that it is unchanged.

        Raises:
            ValueError: If the file is missing or damaged.
        """
        path, files = self.path / name, self.read().get("files")  # older runs do not record files
        if not path.is_file():
            raise ValueError(f"{path}: is missing")
        if isinstance(files, dict) and name in files and checksum(path) != files[name]:
            raise ValueError(f"{path}: damaged (its content has changed since the run began)")
        return path

    def update(self, **changes: Any) -> dict[str, Any]:
        """Record new or changed values, and return all metadata."""
        metadata = {**self.read(), **changes}
        with replacing_file(self.path / self.metadata_file) as path:
            _write_record(metadata, path)
        return metadata

    def metrics(self, **types: Any) -> dict[str, Any]:
        """Return the final scores of a finished run; see ``read``."""
        return _read_record(self.path / METRICS_FILE, types)

    def records(self) -> list[dict[str, Any]]:
        """Return the records of the log."""
        return read_log(self.path)

    def amount_trained(self, unit: str) -> dict[str, float]:
        """Return the steps, examples (under the name ``unit``), epochs and seconds trained, according to the log."""
        latest: dict[str, Any] = {}
        for record in self.records():
            latest |= record
        return {name: latest.get(name, 0) for name in ("step", unit, "epochs", "seconds")}

    def finish(self, module: nn.Module, metrics: Mapping[str, Any]) -> None:
        """Write the trained weights and the final scores. Both files appear together."""
        with replacing_folder(self.path) as scratch, writing(self.path):
            _save_weights(module, scratch / WEIGHTS_FILE)
            _write_record(metrics, scratch / METRICS_FILE)

    def load_weights(self, module: nn.Module) -> None:
        """Load the trained weights into a module, which must have exactly these parameters.

        Raises:
            ValueError: If training has not finished, or if the file is damaged or does not fit the module.
        """
        if not (self.path / WEIGHTS_FILE).exists():
            raise ValueError(f"{self.path}: training has not finished; continue it with --resume")
        load_weights(module, self.path / WEIGHTS_FILE)

    def draw_curve(
        self,
        x: str,
        series: Mapping[str, str],
        title: str,
        *,
        scale: Literal["log", "linear"] = "log",
        records: list[dict[str, Any]] | None = None,
    ) -> None:
        """Draw the learning curve from the log, or from ``records`` derived from it; see ``draw_curve``."""
        draw_curve(self.records() if records is None else records, x, series, self.path / CURVE_FILE, title, scale)


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
            save_tensors(module.state_dict(), scratch / MODULE_FILE)
            save_tensors(_flatten(optimizer), scratch / OPTIMIZER_FILE)
            if average is not None:
                save_tensors(average.state_dict(), scratch / AVERAGE_FILE)
            _write_json(_as_json(vars(state)), scratch / STATE_FILE)
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
            _save_weights(module, path)

    def restore_best(self, module: nn.Module) -> None:
        """Load the weights of the best model.

        Raises:
            ValueError: If the file is missing or damaged.
        """
        self.require_best()
        load_weights(module, self.folder / BEST_FILE)

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
    module.load_state_dict(tensors)
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


def load_weights(module: nn.Module, path: Path) -> None:
    """Load a safetensors file into a module, which must have exactly these parameters.

    Raises:
        ValueError: If the file is damaged or does not fit the module.
    """
    try:
        with safe_open(path, "pt") as file:
            tensors = {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118
            recorded = (file.metadata() or {}).get(HASH_KEY)
        if recorded is not None and recorded != _hash(tensors):  # older files have no hash
            raise ValueError("the content has changed since it was written")
        module.load_state_dict(tensors)
    except (SafetensorError, RuntimeError, ValueError, OSError) as error:
        raise ValueError(f"{path}: damaged, or not the weights of this model ({str(error).splitlines()[0]})") from None


def _save_weights(module: nn.Module, path: Path) -> None:
    """Write the weights of a module, together with their hash."""
    tensors = module.state_dict()
    save_tensors(tensors, path, HASH_KEY, _hash(tensors))


def _hash(tensors: Mapping[str, Tensor]) -> str:
    digest = hashlib.sha256()
    for name, tensor in sorted(tensors.items()):
        digest.update(f"{name} {tensor.dtype} {list(tensor.shape)}\n".encode())
        digest.update(tensor.detach().cpu().contiguous().reshape(-1).view(torch.uint8).numpy().data)
    return digest.hexdigest()


def _write_json(value: Mapping[str, Any], path: Path) -> None:
    # The name of a file that is not UTF-8 has characters that become escapes of JSON here.
    path.write_bytes(json.dumps(value, indent=2, ensure_ascii=False).encode("utf-8", "backslashreplace") + b"\n")


def _write_record(record: Mapping[str, Any], path: Path) -> None:
    """Write a JSON object, together with its hash."""
    content = _as_json(record)
    _write_json({**content, HASH_KEY: _hash_of_json(content)}, path)


def _read_record(path: Path, types: Mapping[str, Any]) -> dict[str, Any]:
    """Read a JSON object, check its hash if it has one, and check the types of its values."""
    record = read_json_object(path)
    recorded = record.pop(HASH_KEY, None)
    if recorded is not None and recorded != _hash_of_json(record):  # older files have no hash
        raise ValueError(
            f"{path}: damaged (its content does not match its {HASH_KEY}; restore the file, or delete the entry "
            f"{HASH_KEY} if you changed the file on purpose)"
        )
    for name, kind in types.items():
        if name not in record:
            raise ValueError(f"{path}: damaged, {name} is missing")
        try:
            check_value(record[name], kind, name)
        except ValueError as error:
            raise ValueError(f"{path}: damaged ({error})") from None
    return record


def _hash_of_json(content: Mapping[str, Any]) -> str:
    return hashlib.sha256(json.dumps(content, sort_keys=True).encode()).hexdigest()


def _as_json(value: Mapping[str, Any]) -> dict[str, Any]:
    """Convert tuples to lists, as reading the value back from a file does, and infinity and NaN to null."""
    return dict(json.loads(json.dumps(value), parse_constant=lambda name: None))


def _differences(name: str, now: Any, before: Any) -> Iterator[tuple[str, Any, Any]]:
    if isinstance(now, dict) and isinstance(before, dict):
        for key, value in now.items():
            if key in before:
                yield from _differences(f"{name}.{key}", value, before[key])
    elif now != before:
        yield name, now, before


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
