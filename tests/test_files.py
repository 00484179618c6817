"""Checksums, strict JSON, and what may be written to."""

import os
import socket
from collections.abc import Callable
from pathlib import Path

import pytest

from elmo.files import (
    CHECKSUMS_FILE,
    check_output_file,
    check_output_folder,
    checksum,
    read_json_object,
    replacing_file,
    verify_checksums,
    write_checksums,
    writing,
)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "a.bin").write_bytes(bytes(range(256)) * 10)
    (tmp_path / "b.txt").write_text("words\n")
    write_checksums(tmp_path, ["a.bin", "b.txt"])
    return tmp_path


def test_checksum(tmp_path: Path) -> None:
    (tmp_path / "abc").write_bytes(b"abc")
    expected = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"  # FIPS 180-2
    assert checksum(tmp_path / "abc") == {"size": 3, "sha256": expected}


def test_unchanged_files_pass_and_folders_without_checksums_too(folder: Path) -> None:
    verify_checksums(folder)
    assert sorted(path.name for path in folder.iterdir()) == ["a.bin", "b.txt", CHECKSUMS_FILE]
    (folder / CHECKSUMS_FILE).unlink()
    (folder / "a.bin").unlink()
    verify_checksums(folder)


def test_changed_files_are_named(folder: Path) -> None:
    content = bytearray((folder / "a.bin").read_bytes())
    content[1000] ^= 1
    (folder / "a.bin").write_bytes(content)
    with pytest.raises(ValueError, match=r"a\.bin: damaged"):
        verify_checksums(folder)
    verify_checksums(folder, ["b.txt", "not recorded"])
    (folder / "a.bin").write_bytes(content[:-1])
    with pytest.raises(ValueError, match=r"a\.bin: damaged"):
        verify_checksums(folder)
    (folder / "b.txt").unlink()
    with pytest.raises(ValueError, match=r"b\.txt: is missing"):
        verify_checksums(folder, ["b.txt"])


@pytest.mark.parametrize(
    "record", ["[]", "{", '{"a.bin": 1}', '{"../x": {"size": 1, "sha256": ""}}', '{"a.bin": {"size": 2560}}']
)
def test_damaged_checksums_are_an_error(folder: Path, record: str) -> None:
    (folder / CHECKSUMS_FILE).write_text(record)
    with pytest.raises(ValueError, match=CHECKSUMS_FILE):
        verify_checksums(folder)


def test_json_object(tmp_path: Path) -> None:
    path = tmp_path / "x.json"
    path.write_bytes('{"a": [1, 2.5, null, true, "é"]}'.encode())
    assert read_json_object(path) == {"a": [1, 2.5, None, True, "é"]}
    with pytest.raises(ValueError, match="more than 10 bytes"):
        read_json_object(path, 10)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "not valid JSON"),
        (b"{", "not valid JSON"),
        (b"[]", "must be a JSON object"),
        (b"1", "must be a JSON object"),
        (b"null", "must be a JSON object"),
        (b"\xff\xfe{}", "not valid JSON"),
        (b'{"a": "\xff"}', "not valid JSON"),
        (b'{"a": NaN}', "not a finite number"),
        (b'{"a": -Infinity}', "not a finite number"),
        (b'{"a": 1e999}', "not a finite number"),
        (b'{"a": ' + b"9" * 5000 + b"}", "not valid JSON"),
        (b'{"a": 1, "b": 2, "a": 3}', "'a' occurs twice"),
        (b'{"a":' * 100_000 + b"1" + b"}" * 100_000, "too deeply nested"),
        (b"[" * 100_000, "too deeply nested"),
        (b'{"a": "' + b"x" * (16 << 20) + b'"}', "too large"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_everything_else_names_the_file(tmp_path: Path, content: bytes, message: str) -> None:
    path = tmp_path / "x.json"
    path.write_bytes(content)
    with pytest.raises(ValueError, match=message) as error:
        read_json_object(path)
    assert str(error.value).startswith(str(path))


def make_socket(path: Path) -> None:
    with socket.socket(socket.AF_UNIX) as connection:
        connection.bind(str(path))


SPECIAL: dict[str, Callable[[Path], object]] = {
    "a directory": lambda path: path.mkdir(),
    "a pipe": os.mkfifo,
    "a socket": make_socket,
    "a symbolic link": lambda path: path.symlink_to("precious"),
}


class TestOutputFile:
    @pytest.mark.parametrize("kind", SPECIAL)
    def test_only_regular_files(self, tmp_path: Path, kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.chdir(tmp_path)  # a socket has a short name
        SPECIAL[kind](path := Path("out"))
        before = path.lstat()
        with pytest.raises(OSError, match=f"out: is {kind}; name a regular file"):
            check_output_file(path, overwrite=True)
        with pytest.raises(OSError, match=f"out: is {kind}"), replacing_file(path):
            pytest.fail("nothing is written")
        assert path.lstat() == before
        assert [entry.name for entry in tmp_path.iterdir()] == ["out"]

    def test_devices(self) -> None:
        for name in ("/dev/null", "/dev/stdout"):
            with pytest.raises(OSError, match=f"{name}: is a (device|symbolic link|pipe)"):
                check_output_file(name, overwrite=True)
        with pytest.raises(OSError, match="standard output is not supported"):
            check_output_file("-", overwrite=True)

    def test_the_input_under_any_name(self, tmp_path: Path) -> None:
        text = tmp_path / "text"
        text.write_text("precious")
        (tmp_path / "link").symlink_to(text)
        os.link(text, tmp_path / "hard")
        (tmp_path / "folder").symlink_to(tmp_path)
        for output in (text, tmp_path / "hard", tmp_path / "folder" / "text", tmp_path / "x" / ".." / "text"):
            (tmp_path / "x").mkdir(exist_ok=True)
            for source in (text, tmp_path / "link", tmp_path / "hard", tmp_path):
                with pytest.raises(OSError, match="is also read as input"):
                    check_output_file(output, [source], overwrite=True)
            with text.open() as file, pytest.raises(OSError, match="is also read as input"):
                check_output_file(output, [file.fileno()], overwrite=True)

    def test_overwrite(self, tmp_path: Path) -> None:
        (tmp_path / "out").touch()
        with pytest.raises(OSError, match="out: already exists; use --overwrite"):
            check_output_file(tmp_path / "out", [tmp_path / "absent"])
        check_output_file(tmp_path / "out", [tmp_path / "absent"], overwrite=True)
        check_output_file(tmp_path / "new", [tmp_path])


def test_output_folder(tmp_path: Path) -> None:
    def is_own(folder: Path) -> bool:
        return (folder / "own").exists()

    folder = tmp_path / "folder"
    check_output_folder(folder, "a corpus", is_own)
    folder.mkdir()
    check_output_folder(folder, "a corpus", is_own)
    (tmp_path / "link").symlink_to(folder)
    check_output_folder(tmp_path / "link", "a corpus", is_own)
    (folder / "diary").touch()
    with pytest.raises(OSError, match="is not empty and not a corpus"):
        check_output_folder(folder, "a corpus", is_own, overwrite=True)
    (folder / "own").touch()
    with pytest.raises(OSError, match="already contains a corpus; use --overwrite"):
        check_output_folder(folder, "a corpus", is_own)
    check_output_folder(folder, "a corpus", is_own, overwrite=True)
    with pytest.raises(OSError, match=r"diary: is read as input but is inside"):
        check_output_folder(folder, "a corpus", is_own, [folder / "diary"], overwrite=True)
    (tmp_path / "broken").symlink_to("nothing")
    for path, message in ((folder / "own", "is not a folder"), (tmp_path / "broken", "is a broken symbolic link")):
        with pytest.raises(OSError, match=message):
            check_output_folder(path, "a corpus", is_own, overwrite=True)


def test_what_a_killed_process_left_is_removed(tmp_path: Path) -> None:
    """But not what a living one is writing."""
    if (child := os.fork()) == 0:
        with replacing_file(tmp_path / "out") as scratch:
            scratch.write_text("half")
            os._exit(9)
    os.waitpid(child, 0)
    assert [path.name[:5] for path in tmp_path.iterdir()] == [".out."]
    with replacing_file(tmp_path / "out") as first, replacing_file(tmp_path / "out") as second:
        assert sorted(tmp_path.iterdir()) == sorted([first.parent, second.parent])
        first.write_text("1")
        second.write_text("2")
    assert [path.name for path in tmp_path.iterdir()] == ["out"]


def test_an_error_without_a_message_is_named_by_its_type(tmp_path: Path) -> None:
    with pytest.raises(OSError, match=r"cannot be written: OSError.*file\.h5"), writing(tmp_path / "file.h5"):
        raise OSError
