"""Model files that point at other files, and small files that claim to be large."""

import io
import json
import subprocess
import sys
import zipfile
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import h5py
import numpy as np
import pytest
import torch
from commands import run
from robustness.model_files import FORMATS, FULL, Edit, count_cases, published_folder, with_value, zipped
from safetensors.torch import load_file, save_file

import elmo

# Links to other files

SECRET = np.arange(12, dtype="<f4")


def external_storage(home: Path, secret: Path) -> None:
    replace(home, lambda file, name, shape: file.create_dataset(name, shape, "<f4", external=[(secret, 0, 1 << 20)]))


def virtual_dataset(home: Path, secret: Path) -> None:
    with h5py.File(secret.with_suffix(".h5"), "w") as file:
        file["x"] = np.zeros(4, "<f4")

    def make(file: h5py.File, name: str, shape: tuple[int, ...]) -> None:
        layout = h5py.VirtualLayout(shape, "<f4")
        layout[:] = h5py.VirtualSource(str(secret.with_suffix(".h5")), "x", shape)
        file.create_virtual_dataset(name, layout)

    replace(home, make)


def external_link(home: Path, secret: Path) -> None:
    with h5py.File(secret.with_suffix(".h5"), "w") as file:
        file["x"] = np.zeros(4, "<f4")
    replace(
        home, lambda file, name, shape: file.__setitem__(name, h5py.ExternalLink(str(secret.with_suffix(".h5")), "x"))
    )


def soft_link(home: Path, secret: Path) -> None:
    replace(home, lambda file, name, shape: file.__setitem__(name, h5py.SoftLink("/CNN/b_cnn_1")))


def second_name(home: Path, secret: Path) -> None:
    replace(home, lambda file, name, shape: file.__setitem__(name, file["CNN_high_0/b_carry"]))


def loop_of_groups(home: Path, secret: Path) -> None:
    replace(home, lambda file, name, shape: file.__setitem__("CNN/loop", file["/"]))


def compressed(home: Path, secret: Path) -> None:
    replace(home, lambda file, name, shape: file.create_dataset(name, shape, "<f4", compression="gzip", chunks=shape))


def replace(home: Path, make: Callable[[h5py.File, str, tuple[int, ...]], Any], name: str = "CNN/b_cnn_0") -> None:
    with h5py.File(home, "r+") as file:
        shape = file[name].shape
        del file[name]
        make(file, name, shape)


POINTERS = [external_storage, virtual_dataset, external_link, soft_link, second_name, loop_of_groups, compressed]


@pytest.mark.parametrize("point", POINTERS, ids=lambda point: point.__name__)
def test_hdf5_cannot_point_elsewhere(point: Callable[[Path, Path], None], tmp_path: Path) -> None:
    """The secret neither gets into a model nor into the message."""
    secret = tmp_path / "secret"
    secret.write_bytes(SECRET.tobytes())
    published_folder(tmp_path / "model")
    point(tmp_path / "model" / "weights.hdf5", secret)
    result = run("convert", tmp_path / "model", tmp_path / "copy")
    assert result.returncode == 2
    assert b"weights.hdf5" in result.stderr
    assert not (tmp_path / "copy").exists()
    archive = zipped(tmp_path / "model")
    with pytest.raises(ValueError, match=r"weights\.hdf5"):
        elmo.load(archive)


def test_word_vectors_in_hdf5_cannot_point_elsewhere(tmp_path: Path) -> None:
    """The user's own ``embedding`` file goes through the same reader."""
    published_folder(tmp_path / "model")
    words = tmp_path / "vocab.txt"
    words.write_text("<S>\n</S>\n<UNK>\nthe\n")
    vectors_file, secret = tmp_path / "embedding.hdf5", tmp_path / "secret"
    secret.write_bytes(np.ones(400, "<f4").tobytes())
    files = {"options": tmp_path / "model/options.json", "weights": tmp_path / "model/weights.hdf5"}
    with h5py.File(vectors_file, "w") as file:
        file["embedding"] = np.ones((4, 8), "<f4")
    assert elmo.load(**files, vocabulary=words, embedding=vectors_file).embed(["the"])[0].layers.shape == (3, 1, 16)
    with h5py.File(vectors_file, "w") as file:
        file.create_dataset("embedding", (4, 8), "<f4", external=[(secret, 0, 1 << 20)])
    with pytest.raises(ValueError, match=r"embedding\.hdf5: dataset embedding takes its data from other files"):
        elmo.load(**files, vocabulary=words, embedding=vectors_file)


def test_members_of_an_archive_cannot_leave_it(tmp_path: Path) -> None:
    published_folder(tmp_path / "model")
    for name in ("/{}/model/options.json", "../model/options.json"):
        with zipfile.ZipFile(tmp_path / "bad.zip", "w") as file:
            file.writestr(name.format(tmp_path), "{}")
            file.write(tmp_path / "model/weights.hdf5", "weights.hdf5")
        with pytest.raises(ValueError, match="unsafe name"):
            elmo.load(tmp_path / "bad.zip")


# Bombs: small files that claim to be large. They are loaded in another process, whose memory is watched.

BLOCK = 1 << 26
BLOCKS = 48 if FULL else 6
"""What compressed bombs expand to: 3 GB, or 400 MB to save time."""
MAX_MEGABYTES = 250


def config_bomb(file: str, *path: Any, value: Any) -> Edit:
    def edit(home: Path) -> None:
        content = json.loads((home / file).read_text())
        text = with_value(content, path, lambda inner, key: inner.__setitem__(key, value))
        (home / file).write_text(text)

    return edit


def zeros_member(archive: zipfile.ZipFile, name: str) -> None:
    with archive.open(name, "w", force_zip64=True) as member:
        for _ in range(BLOCKS):
            member.write(bytes(BLOCK))


def zeros_coded() -> bytes:
    coder = zlib.compressobj(1)
    return b"".join(coder.compress(bytes(BLOCK)) for _ in range(BLOCKS)) + coder.flush()


def zip_bomb(home: Path) -> None:
    with zipfile.ZipFile(home / "bomb.zip", "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:
        archive.write(home / "options.json", "options.json")
        zeros_member(archive, "weights.hdf5")
    for path in home.iterdir():
        if path.suffix != ".zip":
            path.unlink()


def pickle_bomb(home: Path) -> None:
    source, content = zipfile.ZipFile(home / "encoder.pkl"), io.BytesIO()
    with zipfile.ZipFile(content, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:
        for member in source.namelist():
            if member.endswith("/data/0"):
                zeros_member(archive, member)
            else:
                archive.writestr(member, source.read(member))
    (home / "encoder.pkl").write_bytes(content.getvalue())


def stride_bomb(home: Path) -> None:
    tensors = torch.load(home / "encoder.pkl")
    tensors["forward_layer_0.state_linearity.bias"] = torch.zeros(1).expand(1 << 34)
    torch.save(tensors, home / "encoder.pkl")


def compact_bomb(home: Path) -> None:
    tensors = load_file(home / "model.safetensors")
    tensors["lstm.layers.0.weight"] = torch.frombuffer(bytearray(zeros_coded()), dtype=torch.uint8)
    save_file(tensors, home / "model.safetensors", {"compact": json.dumps({"lstm.layers.0.weight": [2, 32, 64]})})


def header_bomb(home: Path) -> None:
    header = b"{" + b",".join(b'"%d":{"dtype":"F32","shape":[0],"data_offsets":[0,0]}' % n for n in range(10**6)) + b"}"
    (home / "model.safetensors").write_bytes(len(header).to_bytes(8, "little") + header)


def claimed_header(home: Path) -> None:
    (home / "model.safetensors").write_bytes((1 << 40).to_bytes(8, "little") + b"{}")


def dataset_bomb(shape: tuple[int, ...], **options: Any) -> Edit:
    def edit(home: Path) -> None:
        with h5py.File(home / "weights.hdf5", "r+") as file:
            del file["CNN/b_cnn_0"]
            file.create_dataset("CNN/b_cnn_0", shape, "<f4", **options)

    return edit


def chunk_bomb(home: Path) -> None:
    with h5py.File(home / "weights.hdf5", "r+") as file:
        del file["CNN/b_cnn_0"]
        size = BLOCK * BLOCKS // 4
        data = file.create_dataset("CNN/b_cnn_0", (size,), "<f4", chunks=(size,), compression="gzip")
        data.id.write_direct_chunk((0,), zeros_coded())


BOMBS: list[tuple[str, Edit]] = [
    *[("own", config_bomb("config.json", "lstm", "n_layers", value=value)) for value in (900, 10**7, 2**62)],
    *[("own", config_bomb("config.json", "token_layer", "n_highway", value=value)) for value in (900, 10**7)],
    ("own", config_bomb("config.json", "token_layer", "max_characters", value=10**9)),
    ("own", config_bomb("config.json", "token_layer", "filters", value=[[1, 1]] * 10**6)),
    ("own", config_bomb("config.json", "token_layer", "filters", value=[[1, 1 << 24]] * 900)),
    ("own", config_bomb("config.json", "token_layer", "embedding_dim", value=1 << 24)),
    ("own", config_bomb("config.json", "lstm", "dim", value=1 << 24)),
    ("own words", config_bomb("config.json", "token_layer", "vocabulary_size", value=1 << 24)),
    ("own dictionary", config_bomb("config.json", "token_layer", "n_characters", value=1 << 24)),
    ("own dictionary", config_bomb("config.json", "token_layer", "max_characters", value=10**9)),
    ("published", config_bomb("options.json", "lstm", "n_layers", value=10**7)),
    ("published", config_bomb("options.json", "lstm", "dim", value=10**7)),
    ("published", config_bomb("options.json", "char_cnn", "n_highway", value=10**7)),
    ("published", config_bomb("options.json", "char_cnn", "max_characters_per_token", value=10**9)),
    ("many languages", config_bomb("cnn.json", "encoder", "n_layers", value=10**7)),
    ("many languages", config_bomb("cnn.json", "encoder", "dim", value=1 << 32)),
    ("many languages", config_bomb("cnn.json", "token_embedder", "n_highway", value=10**7)),
    ("many languages", config_bomb("cnn.json", "token_embedder", "word_dim", value=1 << 40)),
    ("many languages", config_bomb("cnn.json", "token_embedder", "max_characters_per_token", value=10**9)),
    ("published", zip_bomb),
    ("many languages", pickle_bomb),
    ("many languages", stride_bomb),
    ("own compact", compact_bomb),
    ("own", header_bomb),
    ("own", claimed_header),
    ("published", dataset_bomb((10**11,))),
    ("published", dataset_bomb((10**11,), chunks=(1 << 20,))),
    ("published", dataset_bomb((4,), chunks=(1 << 29,), maxshape=(None,))),
    ("published", chunk_bomb),
]  # fmt: skip

LOADER = """
import resource, sys
import elmo
elmo.load()
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
for path in sys.argv[1:]:
    try:
        elmo.load(path)
        print("loaded", path)
    except (ValueError, OSError) as error:
        print("refused", error)
print((resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) >> 10)
"""


def test_bombs(tmp_path: Path) -> None:
    homes = []
    for number, (kind, build) in enumerate(BOMBS):
        home = tmp_path / f"{number}" / "model"
        FORMATS[kind](home)
        build(home)
        homes.append(next(home.glob("*.zip"), home))
    result = subprocess.run(
        [sys.executable, "-c", LOADER, *map(str, homes)], capture_output=True, text=True, timeout=200, check=False
    )
    assert result.returncode == 0, result.stderr
    *lines, megabytes = result.stdout.splitlines()
    assert [line for line in lines if not line.startswith("refused")] == []
    assert len(lines) == len(BOMBS)
    assert int(megabytes) < MAX_MEGABYTES
    count_cases(len(BOMBS), f"at most {megabytes} MB")
