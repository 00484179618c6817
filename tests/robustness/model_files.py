"""Models in every format that we read, ways to damage them, and what came of it."""

import contextlib
import json
import os
import random
import shutil
import signal
import sys
import warnings
import zipfile
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import torch
from many_langs_files import write as write_many_langs
from parity.numpy_bilm import random_model, write_published

import elmo
from elmo.config import CharCNNConfig, LSTMConfig
from elmo.model.softmax import Softmax
from elmo.text.vocabulary import Vocabulary
from elmo.weights.folder import write_folder

FULL = bool(os.environ.get("ELMO_TEST_FULL"))
SENTENCES = [["the", "kat", "sat"], ["語"]]
SECONDS = 20
"""More than any case takes."""

Edit = Callable[[Path], Any]
"""Damages the model in a folder."""
Case = tuple[str, Edit]


class Hanging(BaseException):
    """Not an Exception, which the code under test could catch."""


@contextlib.contextmanager
def time_limit() -> Iterator[None]:
    def stop(*_: Any) -> None:
        raise Hanging

    before = signal.signal(signal.SIGALRM, stop)
    signal.alarm(SECONDS)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)


def own_folder(folder: Path, steps: tuple[int, int] | None = None) -> None:
    torch.manual_seed(0)
    config = elmo.BiLMConfig(
        CharCNNConfig(4, ((1, 4), (2, 8)), "relu", 1, 16, 12), LSTMConfig(16, 16, 2, 3.0, 3.0, True)
    )
    words = Vocabulary(["<S>", "</S>", "<UNK>", *(f"w{number}" for number in range(260))])
    write_folder(elmo.BiLM(config), folder, Softmax(words, 16), steps=steps)


def published_folder(folder: Path, **options: Any) -> None:
    write_published(folder, *random_model(seed=0, **options))
    if options:
        (folder / "vocab.txt").write_text("<S>\n</S>\n<UNK>\nthe\n")


def without_checksums(make: Edit) -> Edit:
    def write(folder: Path) -> None:
        make(folder)
        (folder / "checksums.json").unlink()

    return write


def own_words(folder: Path) -> None:
    published_folder(folder.parent / "words", token_vocabulary=4)
    elmo.load(folder.parent / "words").save(folder)


def own_dictionary(folder: Path) -> None:
    elmo.load(write_many_langs(folder.parent / "theirs")).save(folder)


FORMATS: dict[str, Edit] = {
    "own": without_checksums(own_folder),
    "own compact": without_checksums(lambda folder: own_folder(folder, (31, 15))),
    "own words": without_checksums(own_words),
    "own dictionary": without_checksums(own_dictionary),
    "published": published_folder,
    "published words": lambda folder: published_folder(folder, token_vocabulary=4),
    "many languages": lambda folder: write_many_langs(folder),
    "many languages, old torch": lambda folder: write_many_langs(folder, zipped=False),
}
WITH_CHECKSUMS: dict[str, Edit] = {
    "own": own_folder,
    "own compact": lambda folder: own_folder(folder, (31, 15)),
    "own words": own_words,
    "own dictionary": own_dictionary,
}
ZIPPED = ("published", "published words", "many languages", "many languages, old torch")


def vectors(model: elmo.Embedder) -> list[np.ndarray]:
    layers = [sentence.layers for sentence in model.embed(SENTENCES)]
    return [*layers, *([model.softmax.weight.detach().numpy()] if model.softmax is not None else [])]


def outcome(path: Path, expected: list[np.ndarray]) -> str:
    """Load a model and say what came of it: the same, other or refused. Anything else raises."""
    with time_limit(), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            model = elmo.load(path)
        except (ValueError, OSError) as error:
            message = str(error)
            if "\n" in message or str(path) not in message or len(message) > 1000 + 4 * len(str(path)):
                raise AssertionError(f"not a clean message: {message}") from error
            return "refused"
        try:
            found = vectors(model)
        except ValueError:  # a vocabulary may lack <UNK>, for one
            return "other"
    if len(found) == len(expected) and all(map(np.array_equal, found, expected)):
        return "same"
    return "other"


def sample(cases: list[Case], count: int, seed: int) -> list[Case]:
    return cases if FULL or len(cases) <= count else random.Random(seed).sample(cases, count)


def check(
    make: Edit, cases: list[Case], tmp_path: Path, count: int, allowed: set[str], packed: bool = False
) -> Counter[str]:
    """Run the cases, or a sample of them, each on a fresh copy of a model."""
    make(tmp_path / "original")
    original = zipped(tmp_path / "original") if packed else tmp_path / "original"
    expected = vectors(elmo.load(original))
    outcomes: Counter[str] = Counter()
    for number, (name, damage) in enumerate(sample(cases, count, seed=0)):
        copy = tmp_path / f"case{number}{original.suffix}"
        (shutil.copy if packed else shutil.copytree)(original, copy)
        try:
            damage(copy)
            found = outcome(copy, expected)
        except BaseException as error:
            raise AssertionError(f"{name}: {type(error).__name__}: {error}") from error
        assert found in allowed, f"{name}: loaded, but the vectors are {found}"
        outcomes[found] += 1
        copy.unlink() if packed else shutil.rmtree(copy)
    count_cases(sum(outcomes.values()), str(dict(outcomes)))
    return outcomes


def count_cases(number: int, what: str = "") -> None:
    """Report the number of cases of a full run; pytest -s shows it."""
    if FULL:
        sys.stdout.write(f"\nCASES {number} {what}\n")


def zipped(folder: Path) -> Path:
    archive = folder.with_suffix(".zip")
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as file:
        for path in sorted(folder.iterdir()):
            file.write(path, f"model/{path.name}")
    return archive


# Damaged bytes


def byte_damage(size: int, seed: int) -> Iterator[tuple[str, Callable[[bytearray], bytes]]]:
    """Bit flips, cuts, and overwritten, inserted and removed bytes, at random places and in the header."""
    draw = random.Random(seed)
    places = [*range(0, min(size, 200), 3), *(draw.randrange(size) for _ in range(150))] if size else []
    for place in places:
        bit = draw.randrange(8)
        yield f"bit {bit} of byte {place}", lambda b, p=place, n=bit: bytes(b[:p]) + bytes([b[p] ^ 1 << n]) + b[p + 1 :]
    for place in {0, 1, 4, 7, 8, 9, size - 1, *(draw.randrange(size) for _ in range(20))} if size else []:
        yield f"cut at {place}", lambda b, p=place: b[:p]
    for place in places[::7]:
        length = draw.choice([1, 4, 8, 64])
        noise = draw.randbytes(length)
        yield f"{length} bytes of noise at {place}", lambda b, p=place, x=noise: b[:p] + x + b[p + len(x) :]
        yield f"{length} bytes of 255 at {place}", lambda b, p=place, n=length: b[:p] + b"\xff" * n + b[p + n :]
        yield f"{length} zeros at {place}", lambda b, p=place, n=length: b[:p] + bytes(n) + b[p + n :]
        yield f"{length} bytes inserted at {place}", lambda b, p=place, x=noise: b[:p] + x + b[p:]
        yield f"{length} bytes removed at {place}", lambda b, p=place, n=length: b[:p] + b[p + n :]
    yield "something after the end", lambda b: b + b"\x00garbage"
    yield "another file", lambda b: b"\x80\x04K\x01."
    yield "doubled", lambda b: b + b


def changed_bytes(name: str, change: Callable[[bytearray], bytes]) -> Edit:
    def edit(home: Path) -> None:
        path = home / name if name else home
        path.write_bytes(bytes(change(bytearray(path.read_bytes()))))

    return edit


def byte_cases(folder: Path) -> list[Case]:
    cases: list[Case] = []
    for path in sorted(folder.iterdir()):
        if path.suffix != ".md":
            for seed, (name, change) in enumerate(byte_damage(path.stat().st_size, seed=1)):
                cases.append((f"{path.name}: {name} ({seed})", changed_bytes(path.name, change)))
    return cases


def key_paths(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    if path:
        yield path
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from key_paths(inner, (*path, key))
    elif isinstance(value, list):
        for index, inner in enumerate(value[:3]):
            yield from key_paths(inner, (*path, index))


def with_value(content: Any, path: tuple[Any, ...], change: Callable[[Any, Any], None]) -> str:
    content = json.loads(json.dumps(content))
    inner = content
    for key in path[:-1]:
        inner = inner[key]
    change(inner, path[-1])
    return json.dumps(content)
