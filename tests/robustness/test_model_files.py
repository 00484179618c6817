"""Damaged and malicious model files of every format.

Each case must load to the same vectors as before, or give one clean ``ValueError`` or ``OSError``. It may load to other
vectors only where nobody could tell: a valid change of a configuration, and a changed weight in a format that has no
checksums. The normal run draws a sample of each family; ``ELMO_TEST_FULL=1`` runs all cases and prints their number.
"""

import itertools
import json
import random
import shutil
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import h5py
import numpy as np
import pytest
import torch
from commands import run
from robustness.model_files import (
    FORMATS,
    FULL,
    WITH_CHECKSUMS,
    ZIPPED,
    Case,
    Edit,
    byte_cases,
    byte_damage,
    changed_bytes,
    check,
    count_cases,
    key_paths,
    sample,
    time_limit,
    with_value,
    zipped,
)
from safetensors.torch import load_file, save_file

from elmo.datasets.static_vectors import read_vectors


@pytest.mark.parametrize("make", FORMATS.values(), ids=FORMATS.keys())
def test_damaged_bytes(make: Edit, tmp_path: Path) -> None:
    make(tmp_path / "x" / "model")
    cases = byte_cases(tmp_path / "x" / "model")
    outcomes = check(make, cases, tmp_path, 20, {"same", "other", "refused"})
    assert outcomes["refused"]


@pytest.mark.parametrize("make", WITH_CHECKSUMS.values(), ids=WITH_CHECKSUMS.keys())
def test_with_checksums_no_changed_byte_goes_unnoticed(make: Edit, tmp_path: Path) -> None:
    make(tmp_path / "x" / "model")
    cases = [case for case in byte_cases(tmp_path / "x" / "model") if not case[0].startswith(("config", "README"))]
    check(make, cases, tmp_path, 12, {"same", "refused"})


@pytest.mark.parametrize("kind", ZIPPED)
def test_damaged_archives(kind: str, tmp_path: Path) -> None:
    FORMATS[kind](tmp_path / "x" / "model")
    archive = zipped(tmp_path / "x" / "model")
    content = archive.read_bytes()
    cases = [(name, changed_bytes("", change)) for name, change in byte_damage(len(content), seed=2)]
    directory = content.rfind(b"PK\x01\x02") - 300  # the last entries, and the end of the directory
    for place in range(directory, len(content)):
        for name, value in (("flipped", content[place] ^ 0x11), ("set", 255), ("cleared", 0)):
            change = lambda b, p=place, v=value: bytes(b[:p]) + bytes([v]) + bytes(b[p + 1 :])  # noqa: E731
            cases.append((f"byte {place} {name}", changed_bytes("", change)))
    check(FORMATS[kind], cases, tmp_path, 25, {"same", "refused"}, packed=True)


# Hostile values in JSON

DEEP = "[" * 5000 + "]" * 5000
HOSTILE = [
    "null", "true", "false", "-1", "0", "1", "2", "3.5", "-0.0", "1e308", "1e999", "NaN", "-Infinity", "10000000",
    "1000000000", "9223372036854775808", "1" + "0" * 400, "9" * 5000,
    '""', '"x"', '"3"', '"\\ud800"', "[]", "[[]]", "{}",
    "[[1, 1]]", "[[1, 1000000000]]", '[["1", 2]]', "[[1, true]]", "[[1, 2, 3]]", "[1, 2]", '{"a": 1}', DEEP,
    "[" + "[1, 1]," * 99_999 + "[1, 1]]",
]  # fmt: skip


def json_cases(folder: Path) -> list[Case]:
    cases: list[Case] = []

    def case(name: str, file: str, text: str) -> None:
        cases.append((name, lambda home: (home / file).write_bytes(text.encode("utf-8", "surrogatepass"))))

    for path in sorted(folder.glob("*.json")):
        content = json.loads(path.read_text())
        for hostile in HOSTILE:
            case(f"{path.name} = {hostile[:20]}", path.name, hostile)
        for keys in key_paths(content):
            where = f"{path.name}: {'.'.join(map(str, keys))}"
            marked = with_value(content, keys, lambda inner, key: inner.__setitem__(key, "@hostile@"))
            for hostile in HOSTILE:
                case(f"{where} = {hostile[:20]}", path.name, marked.replace('"@hostile@"', hostile))
            case(f"{where} is missing", path.name, with_value(content, keys, lambda inner, key: inner.pop(key)))
            if isinstance(keys[-1], str):
                more = with_value(content, keys, lambda inner, key: inner.update({f"{key}_": 1}))
                case(f"{where} has an unknown neighbor", path.name, more)
                twice = marked.replace('"@hostile@"', f'1, "{keys[-1]}": 1')
                case(f"{where} occurs twice", path.name, twice)
    return cases


@pytest.mark.parametrize("make", FORMATS.values(), ids=FORMATS.keys())
def test_hostile_json(make: Edit, tmp_path: Path) -> None:
    make(tmp_path / "x" / "model")
    check(make, json_cases(tmp_path / "x" / "model"), tmp_path, 20, {"same", "other", "refused"})


# Tensors of the wrong name, type, shape or value

CHANGES: dict[str, Callable[[torch.Tensor], torch.Tensor | None]] = {
    "missing": lambda t: None,
    "NaN": lambda t: t.index_fill(0, torch.tensor([0]), torch.nan),
    "infinity": lambda t: t.index_fill(0, torch.tensor([0]), torch.inf),
    "minus infinity": lambda t: t.index_fill(0, torch.tensor([len(t) - 1]), -torch.inf),
    "integers": lambda t: t.int(),
    "bytes": lambda t: t.to(torch.uint8),
    "truth values": lambda t: t > 0,
    "complex numbers": lambda t: t.to(torch.complex64),
    "one row more": lambda t: torch.cat([t, t[:1]]),
    "one row less": lambda t: t[1:].clone(),
    "no rows": lambda t: t[:0].clone(),
    "one more axis": lambda t: t[None],
    "flat": lambda t: t.flatten() if t.dim() > 1 else t[:, None],
    "a scalar": lambda t: torch.tensor(1.0),
    "overflow": lambda t: t.double().index_fill(0, torch.tensor([0]), 1e300),
}


def tensor_cases(
    read: Callable[[Path], dict], write: Callable[[dict, Path], Any], file: str, folder: Path
) -> list[Case]:
    def edit(name: str, change: Callable[[torch.Tensor], torch.Tensor | None]) -> Edit:
        def apply(home: Path) -> None:
            tensors = read(home / file)
            changed = change(tensors.pop(name))
            write(tensors if changed is None else {**tensors, name: changed}, home / file)

        return apply

    def add(home: Path) -> None:
        write({**read(home / file), "extra": torch.ones(3)}, home / file)

    names = [name for name, tensor in read(folder / file).items() if tensor.is_floating_point() and tensor.dim()]
    cases = [(f"{file}: {name}: {kind}", edit(name, CHANGES[kind])) for name, kind in itertools.product(names, CHANGES)]
    return [*cases, (f"{file}: one more", add)]


def read_hdf5(path: Path) -> dict[str, torch.Tensor]:
    found = {}
    with h5py.File(path) as file:
        file.visititems(
            lambda name, item: (
                found.update({name: torch.from_numpy(item[...])}) if isinstance(item, h5py.Dataset) else None
            )
        )
    return found


def write_hdf5(tensors: dict[str, torch.Tensor], path: Path) -> None:
    with h5py.File(path, "w") as file:
        for name, tensor in tensors.items():
            file[name] = tensor.numpy()


def write_safetensors(tensors: dict[str, torch.Tensor], path: Path) -> None:
    save_file({name: tensor.contiguous() for name, tensor in tensors.items()}, path)


TENSOR_FILES = [
    ("own", "model.safetensors", load_file, write_safetensors),
    ("own", "softmax.safetensors", load_file, write_safetensors),
    ("own dictionary", "model.safetensors", load_file, write_safetensors),
    ("published", "weights.hdf5", read_hdf5, write_hdf5),
    ("published words", "weights.hdf5", read_hdf5, write_hdf5),
    ("many languages", "encoder.pkl", torch.load, torch.save),
    ("many languages, old torch", "token_embedder.pkl", torch.load, torch.save),
]


@pytest.mark.parametrize(("kind", "file", "read", "write"), TENSOR_FILES, ids=[" ".join(f[:2]) for f in TENSOR_FILES])
def test_wrong_tensors(kind: str, file: str, read: Any, write: Any, tmp_path: Path) -> None:
    FORMATS[kind](tmp_path / "x" / "model")
    check(FORMATS[kind], tensor_cases(read, write, file, tmp_path / "x" / "model"), tmp_path, 12, {"refused"})


COMPACT_METADATA = ["", "{", "[]", "null", "1", DEEP, "{}"]
COMPACT_METADATA += [
    json.dumps({"lstm.layers.0.weight": value})
    for value in (
        None,
        1,
        "x",
        [],
        [0],
        [-1, 64],
        [2.5],
        [True, 64],
        ["2"],
        [[2]],
        [2**40, 2**40],
        [2, 32, 65],
        {},
        [4096],
    )
]
COMPACT_METADATA += ['{"lstm.layers.0.weight": [1e999]}', '{"nothing": [2, 2]}', '{"lstm.layers.0.bias": [2, 64]}']


def test_wrong_compact_metadata(tmp_path: Path) -> None:
    def edit(text: str) -> Edit:
        def apply(home: Path) -> None:
            save_file(load_file(home / "model.safetensors"), home / "model.safetensors", {"compact": text})

        return apply

    cases = [(text[:60], edit(text)) for text in COMPACT_METADATA]
    check(FORMATS["own compact"], cases, tmp_path, 100, {"refused"})


# Lists of words


@pytest.mark.parametrize("content", [b"", b"\n", b"\xff\n", b"the\n" * 1000, b"!!!MAXTERMID\n" * 263, bytes(1000)])
def test_wrong_vocabularies(content: bytes, tmp_path: Path) -> None:
    for kind in ("own", "own words", "published words"):
        name = kind.replace(" ", "-")
        check(
            FORMATS[kind],
            [(kind, lambda home: (home / "vocab.txt").write_bytes(content))],
            tmp_path / name,
            1,
            {"refused"},
        )


def test_static_vectors(tmp_path: Path) -> None:
    path = tmp_path / "vectors.txt"
    rows = "".join(f"word{n} {n / 7:.5f} {n / 3:.5f} -{n}.5e-3\n" for n in range(50)).encode()
    count = 0
    for content in (rows, b"50 3\n" + rows):
        path.write_bytes(content)
        assert len(read_vectors(path).words) == 50
        for name, change in sample(list(byte_damage(len(content), seed=3)), 100, seed=0):
            path.write_bytes(bytes(change(bytearray(content))))
            count += 1
            try:
                with time_limit():
                    found = read_vectors(path)
                assert np.isfinite(found.values).all(), name
                assert found.values.shape == (len(found.words), found.dim), name
            except ValueError as error:
                if str(path) not in str(error):
                    raise
    count_cases(count)


# The command line


@pytest.mark.parametrize("kind", ["own compact", "published", "many languages"])
def test_command_line(kind: str, tmp_path: Path) -> None:
    count = 400 if FULL else 4
    FORMATS[kind](tmp_path / "model")
    cases = [*byte_cases(tmp_path / "model"), *json_cases(tmp_path / "model")]
    for number, (name, damage) in enumerate(random.Random(4).sample(cases, count)):
        copy = tmp_path / f"case{number}"
        shutil.copytree(tmp_path / "model", copy)
        damage(copy)
        for command in (["info", copy], ["convert", copy, tmp_path / f"out{number}", "--to", "elmo"]):
            with time_limit(), warnings.catch_warnings():
                warnings.simplefilter("ignore")
                result = run(*command)
            lines = result.stderr.decode().splitlines()
            assert result.returncode == 0 or (result.returncode == 2 and len(lines) == 1), f"{name}: {lines}"
            assert len(lines) <= 1, f"{name}: {lines}"
    count_cases(2 * count)
