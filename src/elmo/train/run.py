"""The run folder: how a training run begins, resumes and finishes, and what it leaves on disk.

    run.json             how the run was started (recipe, seed, hash of the data, versions, device)
    log.jsonl            one record per logging interval and per evaluation
    curve.png            the learning curve, if matplotlib is installed
    tensorboard/         the records of the log for TensorBoard, if it is installed
    checkpoints/         the newest checkpoints and the best weights so far
    model.safetensors    the trained weights, written at the end
    metrics.json         the final scores of a task model or CoVe

Pretraining, fine-tuning, task models and CoVe all keep their runs in such a folder.
"""

import json
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import torch
from safetensors import SafetensorError
from safetensors.torch import load_file, save_file
from torch import Tensor, nn

from elmo.files import replacing_file, replacing_folder, writing
from elmo.results import machine, versions
from elmo.train.meters import draw_curve, read_log

RUN_FILE = "run.json"
WEIGHTS_FILE = "model.safetensors"
METRICS_FILE = "metrics.json"
CURVE_FILE = "curve.png"
CHECKPOINTS_FOLDER = "checkpoints"
BEST_FILE = "best.safetensors"
KEPT_CHECKPOINTS = 2
"""The newest checkpoint, and the one before it in case the newest turns out to be unusable."""

_FINGERPRINTS = {"data_hash": "different data", "base_model": "a different model"}
"""Metadata that is not readable, and how to say that it differs."""


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

    def require_empty(self, existing: Collection[str] = ()) -> None:
        """Raise a ValueError if the folder contains anything but the ``existing`` entries."""
        if self.path.exists() and (
            not self.path.is_dir() or any(entry.name not in existing for entry in self.path.iterdir())
        ):
            raise ValueError(f"{self.path}: already exists; resume the run with --resume, or choose another folder")

    def begin(
        self,
        metadata: Mapping[str, Any],
        add_files: Callable[[Path], None] | None = None,
        existing: Collection[str] = (),
    ) -> dict[str, Any]:
        """Start a run: record how it was started, together with the versions in use and the device.

        Args:
            metadata: What defines the run. Must be representable as JSON.
            add_files: Writes further files into the folder it is given. They appear together with the metadata.
            existing: Entries that the folder may contain already.

        Returns:
            The metadata as recorded.

        Raises:
            ValueError: If the folder is not empty.
        """
        self.require_empty(existing)
        recorded = {**metadata, "versions": versions(), "device": machine()}
        with replacing_folder(self.path) as scratch, writing(self.path):
            if add_files is not None:
                add_files(scratch)
            _write_json(recorded, scratch / self.metadata_file)
        return recorded

    def resume(self, expected: Mapping[str, Any]) -> dict[str, Any]:
        """Return the metadata of a run, after checking that it was started with the ``expected`` values.

        Nested values are compared key by key. A nested key that the folder does not record is skipped, because
        earlier versions recorded fewer settings.

        Raises:
            ValueError: If no run was started here, or if it was started with different values.
        """
        metadata = self.read()
        for name, value in _as_json(expected).items():
            if name not in metadata:
                raise ValueError(f"{self.path / self.metadata_file}: damaged, {name} is missing")
            for key, now, before in _differences(name, value, metadata[name]):
                if key in _FINGERPRINTS:
                    raise ValueError(f"{self.path}: cannot be resumed: the run was started with {_FINGERPRINTS[key]}")
                raise ValueError(
                    f"{self.path}: cannot be resumed: {key} is {now}, but the run was started with {before}"
                )
        return metadata

    def read(self) -> dict[str, Any]:
        """Return what is recorded about the run.

        Raises:
            ValueError: If no run was started in this folder, or if the file is damaged.
        """
        path = self.path / self.metadata_file
        try:
            metadata = json.loads(path.read_text("utf-8"))
        except FileNotFoundError:
            raise ValueError(f"{self.path}: not a run folder ({self.metadata_file} is missing)") from None
        except ValueError as error:
            raise ValueError(f"{path}: damaged ({error})") from None
        if not isinstance(metadata, dict):
            raise ValueError(f"{path}: damaged (not a JSON object)")
        return metadata

    def update(self, **changes: Any) -> dict[str, Any]:
        """Record new or changed values, and return all metadata."""
        metadata = {**self.read(), **changes}
        with replacing_file(self.path / self.metadata_file) as path:
            _write_json(metadata, path)
        return metadata

    def metrics(self) -> dict[str, Any]:
        """Return the final scores of a finished run."""
        return dict(json.loads((self.path / METRICS_FILE).read_text("utf-8")))

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
            save_tensors(module.state_dict(), scratch / WEIGHTS_FILE)
            _write_json(metrics, scratch / METRICS_FILE)

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
        return sorted(self.folder.glob("step-*")) if self.folder.is_dir() else []

    def save(self, state: Mapping[str, Any], module: nn.Module, optimizer: torch.optim.Optimizer) -> None:
        """Write a checkpoint, then delete the old ones."""
        target = self.folder / f"step-{state['step']:08d}"
        if target.exists():
            return
        with replacing_folder(target) as scratch, writing(target):
            save_tensors(module.state_dict(), scratch / "module.safetensors")
            save_tensors(_flatten(optimizer), scratch / "optimizer.safetensors")
            _write_json(state, scratch / "state.json")
        for old in self.all()[:-KEPT_CHECKPOINTS]:
            _delete(old)

    def restore(self, module: nn.Module, optimizer: torch.optim.Optimizer) -> dict[str, Any] | None:
        """Load the newest checkpoint and return its state, or None if there is no checkpoint.

        Raises:
            ValueError: If the checkpoint is damaged or does not fit the module.
        """
        if not self.all():
            return None
        newest = self.all()[-1]
        try:
            module.load_state_dict(load_file(newest / "module.safetensors"))
            _unflatten(optimizer, load_file(newest / "optimizer.safetensors"))
            return dict(json.loads((newest / "state.json").read_text()))
        except (SafetensorError, RuntimeError, KeyError, ValueError, OSError) as error:
            reason = str(error).splitlines()[0]
            raise ValueError(
                f"{newest}: damaged, or not a checkpoint of this model ({reason}); "
                "delete this folder to resume from the previous checkpoint"
            ) from None

    def save_best(self, module: nn.Module) -> None:
        """Save the weights of the best model so far."""
        with replacing_file(self.folder / BEST_FILE) as path, writing(self.folder):
            save_tensors(module.state_dict(), path)

    def restore_best(self, module: nn.Module) -> None:
        """Load the weights of the best model, if any were saved."""
        if (self.folder / BEST_FILE).exists():
            load_weights(module, self.folder / BEST_FILE)


def save_tensors(tensors: Mapping[str, Tensor], path: Path) -> None:
    """Write a safetensors file. A write that fails raises an OSError."""
    contiguous = {name: tensor.detach().cpu().contiguous() for name, tensor in tensors.items()}
    try:
        save_file(contiguous, path, {"format": "pt"})
    except SafetensorError as error:
        raise OSError(str(error)) from error


def load_weights(module: nn.Module, path: Path) -> None:
    """Load a safetensors file into a module, which must have exactly these parameters.

    Raises:
        ValueError: If the file is damaged or does not fit the module.
    """
    try:
        module.load_state_dict(load_file(path))
    except (SafetensorError, RuntimeError, OSError) as error:
        raise ValueError(f"{path}: damaged, or not the weights of this model ({str(error).splitlines()[0]})") from None


def _write_json(value: Mapping[str, Any], path: Path) -> None:
    path.write_text(json.dumps(value, indent=2, ensure_ascii=False) + "\n", "utf-8")


def _as_json(value: Mapping[str, Any]) -> dict[str, Any]:
    """Convert tuples to lists, as reading the value back from a file does."""
    return dict(json.loads(json.dumps(value)))


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
    (checkpoint / "state.json").unlink(missing_ok=True)
    for file in checkpoint.iterdir():
        file.unlink()
    checkpoint.rmdir()
