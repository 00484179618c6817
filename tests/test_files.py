"""Checksums and strict JSON. Writing is tested where files are written."""

from pathlib import Path

import pytest

from elmo.files import CHECKSUMS_FILE, checksum, read_json_object, verify_checksums, write_checksums


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
