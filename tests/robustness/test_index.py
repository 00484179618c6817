"""``neighbors`` gives the same answer whatever has happened to its index."""

import os
import random
from collections.abc import Callable
from pathlib import Path

import pytest
from commands import error_of, run
from robustness.damage import flipped

FULL = bool(os.environ.get("ELMO_TEST_FULL"))
FILES = ("index.json", "types.json", "words.npy", "offsets.npy", "spaced.npy", "layer-2.npy", "checksums.json")


DAMAGE: dict[str, Callable[[bytes, random.Random], bytes | None]] = {
    "a flipped bit": flipped,
    "truncated": lambda content, rng: content[: rng.randrange(len(content))],
    "empty": lambda content, rng: b"",
    "zeros": lambda content, rng: bytes(len(content)),
    "another type": lambda content, rng: b"[1, 2]",
    "deeply nested": lambda content, rng: b"[" * 100_000,
    "missing": lambda content, rng: None,
}
CASES = [(name, damage, seed) for name in FILES for damage in DAMAGE for seed in range(5 if FULL else 1)]


@pytest.fixture(scope="module")
def command(tmp_path_factory: pytest.TempPathFactory, published_folder: Path) -> list[object]:
    text = tmp_path_factory.mktemp("corpus") / "text.txt"
    text.write_text("the play was sold out .\nthey play football .\na new play opens .\n")
    options = ["--corpus", text, "--pretokenized", "-m", published_folder, "--device", "cpu", "--index"]
    return ["neighbors", "play", "--in", "we saw a play .", *options]


def test_damaged_index(command: list[object], tmp_path: Path) -> None:
    """It is built again, with checksums and without, as older indexes are."""
    folder = tmp_path / "index"
    expected = run(*command, folder).stdout
    assert b"[play]" in expected
    pristine = {path.name: path.read_bytes() for path in folder.iterdir()}
    assert set(FILES) == set(pristine)
    for name, damage, seed in CASES if FULL else random.Random(1).sample(CASES, 16):
        for path in folder.iterdir():
            path.unlink()
        for other, content in pristine.items():
            (folder / other).write_bytes(content)
        changed = DAMAGE[damage](pristine[name], random.Random(f"{name} {damage} {seed}"))
        if changed is None:
            (folder / name).unlink()
        else:
            (folder / name).write_bytes(changed)
        result = run(*command, folder)
        if name == "index.json" and changed is None:  # nothing says that the folder is an index
            assert "is not empty and not an index" in error_of(result)
        else:
            assert (result.returncode, result.stdout) == (0, expected), (name, damage, seed, result.stderr)


@pytest.mark.parametrize("names", [["notes.txt"], ["index.json"], ["words.npy"], ["index.json", "notes.txt"]])
def test_a_folder_of_the_users(command: list[object], tmp_path: Path, names: list[str]) -> None:
    for name in names:
        (tmp_path / name).write_text('{"precious": 1}')
    assert "is not empty and not an index" in error_of(run(*command, tmp_path))
    assert {path.name: path.read_text() for path in tmp_path.iterdir()} == dict.fromkeys(names, '{"precious": 1}')
