"""The run folder: how a training run begins, resumes and finishes, and what it leaves on disk.

    run.json             how the run was started (recipe, seed, hash of the data, commit, versions, device)
    log.jsonl            one record per logging interval and per evaluation
    curve.png            the learning curve, if matplotlib is installed
    tensorboard/         the records of the log for TensorBoard, if it is installed
    checkpoints/         the newest checkpoints and the best weights so far
    model.safetensors    the trained weights, written at the end; quantized in packages (see ``elmo.weights.compact``)
    metrics.json         the final scores of a task model or CoVe

Pretraining, fine-tuning, task models and CoVe all keep their runs in such a folder.

What is read again is checked first. Checkpoints have ``checksums.json``; ``run.json``, ``metrics.json`` and files of
weights contain a hash of their own content, because each of them is replaced in one step.
"""

import hashlib
import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import torch
from torch import nn

from elmo.files import RUN_FILE, WEIGHTS_FILE, checksum, read_json_object, replacing_file, replacing_folder, writing
from elmo.results import commit, machine, versions
from elmo.settings import check_value
from elmo.train.checkpoints import HASH_KEY, Checkpoints, as_json, load_weights, save_weights, write_json
from elmo.train.meters import draw_curve, read_log
from elmo.weights.strict import is_compact
from elmo.weights.strict import load_weights as load_compact_weights

METRICS_FILE = "metrics.json"
CURVE_FILE = "curve.png"
CHECKPOINTS_FOLDER = "checkpoints"
_FINGERPRINTS = {
    "data_hash": "different data",
    "base_model": "a different model",
    "vectors_hash": "different static vectors",
}
"""Metadata that is not readable, and how to say that it differs."""


class DifferentRunError(ValueError):
    """A run cannot be resumed, because it was started with something else."""


@dataclass(frozen=True)
class RunFolder:
    """The folder of one training run."""

    path: Path
    metadata_file: str = RUN_FILE
    """The JSON file that records how the run was started."""

    @property
    def checkpoints(self) -> Checkpoints:
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
        device: torch.device | str | None = None,
    ) -> dict[str, Any]:
        """Start a run: record how it was started, together with the code, the versions in use and the device.

        Args:
            metadata: What defines the run. Must be representable as JSON.
            add_files: Writes further files into the folder it is given. They appear together with the metadata, to
                which it may add what it returns.
            device: The device that the run computes on; by default a GPU if there is one.

        Returns:
            The metadata as recorded.

        Raises:
            ValueError: If the folder is not empty.
        """
        self.require_empty()
        recorded = {**metadata, "commit": commit(), "versions": versions(), "device": machine(device)}
        with replacing_folder(self.path) as scratch, writing(self.path):
            if add_files is not None:
                recorded |= add_files(scratch) or {}
                recorded["files"] = {file.name: checksum(file) for file in sorted(scratch.iterdir()) if file.is_file()}
            write_record(recorded, scratch / self.metadata_file)
        return recorded

    def resume(self, expected: Mapping[str, Any]) -> dict[str, Any]:
        """Return the metadata of a run, after checking that it was started with the ``expected`` values.

        Nested values are compared key by key. A nested key that the folder does not record is skipped, because
        earlier versions recorded fewer settings.

        Raises:
            DifferentRunError: If the run was started with different values.
            ValueError: If no run was started here.
        """
        metadata = self.read(**dict.fromkeys(expected, Any))
        for name, value in as_json(expected).items():
            for key, now, before in differences(name, value, metadata[name]):
                if key in _FINGERPRINTS:
                    raise DifferentRunError(
                        f"{self.path}: cannot be resumed: the run was started with {_FINGERPRINTS[key]}"
                    )
                raise DifferentRunError(
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
            write_record(metadata, path)
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
            save_weights(module.state_dict(), scratch / WEIGHTS_FILE)
            write_record(metrics, scratch / METRICS_FILE)

    def load_weights(self, module: nn.Module) -> None:
        """Load the trained weights into a module, which must have exactly these parameters.

        Raises:
            ValueError: If training has not finished, or if the file is damaged or does not fit the module.
        """
        if not (self.path / WEIGHTS_FILE).exists():
            raise ValueError(f"{self.path}: training has not finished; continue it with --resume")
        path = self.check_file(WEIGHTS_FILE)
        if is_compact(path):
            load_compact_weights(module, path, self.metadata_file)
        else:
            load_weights(module, path)

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


def write_record(record: Mapping[str, Any], path: Path) -> None:
    """Write a JSON object, together with its hash."""
    content = as_json(record)
    write_json({**content, HASH_KEY: _hash_of_json(content)}, path)


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


def differences(name: str, now: Any, before: Any) -> Iterator[tuple[str, Any, Any]]:
    """Compare two JSON values, key by key. A key that the second one does not have is skipped.

    Yields:
        The path of each value that differs, which begins with ``name``, and both values.
    """
    if isinstance(now, dict) and isinstance(before, dict):
        for key, value in now.items():
            if key in before:
                yield from differences(f"{name}.{key}", value, before[key])
    elif now != before:
        yield name, now, before
