"""Read HDF5 files that are not trusted.

An HDF5 file can point at other files (external storage, virtual datasets, external links), so that reading a dataset
would copy any file of this machine into a model. It can also claim sizes that it does not hold, and expand without
limit. So the whole file is inspected before anything is read: a file is accepted only if every number that it claims
is in the file itself, as it is.
"""

import contextlib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import h5py
import numpy as np
import torch
from torch import Tensor

from elmo.files import reason_of
from elmo.weights.archives import open_file

_SIGNATURE = b"\x89HDF\r\n\x1a\n"


@contextlib.contextmanager
def open_datasets(path: Path) -> Iterator[Mapping[str, h5py.Dataset]]:
    """Open an HDF5 file, in a folder or in a zip archive, and provide its datasets by their path inside it.

    Nothing has been read yet but names, types and shapes, which are those of floating-point numbers.

    Raises:
        ValueError: If the file is damaged, is not an HDF5 file, or has anything but plain datasets and groups.
        OSError: If the file cannot be read.
    """
    with open_file(path) as file:
        start = file.read(len(_SIGNATURE))
        if start != _SIGNATURE:
            raise ValueError(f"{path}: not an HDF5 file{_what_it_is(start)}")
        size = file.seek(0, 2)
        file.seek(0)
        with _damage_reported(path):
            hdf5 = h5py.File(file, "r")
        try:
            with _damage_reported(path):
                datasets = dict(_plain_datasets(hdf5, path, set()))
                stored = sum(dataset.id.get_storage_size() for dataset in datasets.values())
                if stored > size:
                    raise _RejectedError(f"{path}: claims {stored:,} bytes of data, but the file has {size:,}")
            yield datasets
        finally:
            with contextlib.suppress(Exception):  # what is wrong with the file has been reported
                hdf5.close()


def read_dataset(path: Path, dataset: h5py.Dataset) -> Tensor:
    """Read a dataset from ``open_datasets`` as float32."""
    with _damage_reported(path), np.errstate(over="ignore"):  # an overflow becomes infinite, which is checked later
        return torch.from_numpy(np.asarray(dataset[...], dtype=np.float32))


class _RejectedError(ValueError):
    """A file that is readable but not accepted; the message says why."""


@contextlib.contextmanager
def _damage_reported(path: Path) -> Iterator[None]:
    try:
        yield
    except _RejectedError:
        raise
    except Exception as error:  # h5py raises almost anything for damaged files
        raise ValueError(f"{path}: damaged HDF5 file ({reason_of(error)})") from None


def _plain_datasets(group: h5py.Group, path: Path, seen: set[Any]) -> Iterator[tuple[str, h5py.Dataset]]:
    """Yield the datasets of a group and of its subgroups, after checking that they are plain ones."""
    for name in group:
        inside = f"{group.name.rstrip('/')}/{name}".lstrip("/")
        link = group.get(name, getlink=True)
        if not isinstance(link, h5py.HardLink):
            raise _RejectedError(f"{path}: {inside} is a link ({type(link).__name__}), which could lead to other files")
        item = group[name]
        address = h5py.h5o.get_info(item.id).addr
        if address in seen:
            raise _RejectedError(f"{path}: {inside} is in the file under two names")
        seen.add(address)
        if isinstance(item, h5py.Group):
            yield from _plain_datasets(item, path, seen)
        elif isinstance(item, h5py.Dataset):
            _check_plain(item, f"{path}: dataset {inside}")
            yield inside, item


def _check_plain(dataset: h5py.Dataset, where: str) -> None:
    """Check that a dataset holds floating-point numbers, all of them in this file and uncompressed."""
    properties = dataset.id.get_create_plist()
    if properties.get_layout() == h5py.h5d.VIRTUAL or properties.get_external_count():
        raise _RejectedError(f"{where} takes its data from other files; such files are not read")
    if properties.get_nfilters():
        raise _RejectedError(f"{where} is compressed; store it uncompressed (h5repack -f NONE IN OUT)")
    if dataset.dtype.kind != "f" or dataset.dtype.itemsize not in (2, 4, 8):
        raise _RejectedError(f"{where} holds {dataset.dtype}, not floating-point numbers")
    if not dataset.shape or 0 in dataset.shape:
        raise _RejectedError(f"{where} has shape {dataset.shape or ()}, so it holds no weights")
    needed, stored = dataset.size * dataset.dtype.itemsize, dataset.id.get_storage_size()
    if stored < needed:
        raise _RejectedError(f"{where} claims {needed:,} bytes, but the file holds {stored:,}")


def _what_it_is(start: bytes) -> str:
    if start[:1] == b"\x80":
        return " but a Python pickle, which is never loaded because it can run arbitrary code"
    return " but a zip archive" if start[:2] == b"PK" else ""
