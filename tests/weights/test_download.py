"""Downloads, from a server on this machine that fails in every way servers do."""

import hashlib
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from weights.file_server import FileServer, serving

import elmo
from elmo.weights import download as module
from elmo.weights.catalog import local_file
from elmo.weights.download import cache_folder, cached_path, download

CONTENT = bytes(range(256)) * 40
SHA256 = hashlib.sha256(CONTENT).hexdigest()


@pytest.fixture
def server() -> Iterator[FileServer]:
    with serving(a_bin=CONTENT) as state:
        yield state


def leftovers(path: Path) -> list[str]:
    return sorted(file.name for file in path.parent.iterdir() if file != path)


def test_once(server: FileServer) -> None:
    path = download(server.url + "a.bin", size=len(CONTENT), sha256=SHA256)
    assert path.read_bytes() == CONTENT
    assert path == cached_path(server.url + "a.bin")
    assert leftovers(path) == []
    assert download(server.url + "a.bin") == path
    assert server.requests == [None]


@pytest.mark.parametrize("cuts", [[0], [1], [5000], [100, 100, 100], [4000, 0, 0, 4000, 1]])
def test_a_cut_connection_is_continued(server: FileServer, cuts: list[int]) -> None:
    server.cut_after = list(cuts)
    path = download(server.url + "a.bin", sha256=SHA256)
    assert path.read_bytes() == CONTENT
    assert leftovers(path) == []
    offsets = [sum(cuts[:n]) for n in range(len(cuts) + 1)]
    assert server.requests == [f"bytes={offset}-" if offset else None for offset in offsets]


def test_a_later_call_continues(server: FileServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "ATTEMPTS", 1)
    server.cut_after = [700]
    with pytest.raises(OSError, match="cut after 700 of 10240 bytes"):
        download(server.url + "a.bin")
    assert not cached_path(server.url + "a.bin").exists()
    assert download(server.url + "a.bin").read_bytes() == CONTENT
    assert server.requests == [None, "bytes=700-"]


@pytest.mark.parametrize("etag", ['"2"', None, 'W/"1"'])
def test_a_file_that_may_have_changed_is_not_continued(
    server: FileServer, monkeypatch: pytest.MonkeyPatch, etag: str | None
) -> None:
    server.etag = '"1"' if etag == '"2"' else etag
    monkeypatch.setattr(module, "ATTEMPTS", 1)
    server.cut_after = [700]
    with pytest.raises(OSError, match="cut"):
        download(server.url + "a.bin")
    server.etag, server.files["/models/a.bin"] = etag, CONTENT[::-1]
    assert download(server.url + "a.bin").read_bytes() == CONTENT[::-1]


def test_a_server_without_ranges(server: FileServer) -> None:
    server.ranges, server.cut_after = False, [5000]
    assert download(server.url + "a.bin", sha256=SHA256).read_bytes() == CONTENT


def test_a_refused_range_starts_over(server: FileServer) -> None:
    server.cut_after, server.statuses = [5000], [200, 416]
    assert download(server.url + "a.bin", sha256=SHA256).read_bytes() == CONTENT
    assert server.requests == [None, "bytes=5000-", None]


@pytest.mark.parametrize("status", [429, 500, 502, 503, 504])
def test_a_busy_server_is_asked_again(server: FileServer, status: int) -> None:
    server.statuses = [status, status]
    assert download(server.url + "a.bin").read_bytes() == CONTENT
    server.statuses = [status] * module.ATTEMPTS
    with pytest.raises(OSError, match=f"HTTP status {status}"):
        download(server.url + "a.bin?again")


@pytest.mark.parametrize("status", [401, 403, 404, 410])
def test_what_is_not_there(server: FileServer, status: int) -> None:
    server.statuses = [status]
    with pytest.raises(OSError, match=f"HTTP status {status}") as error:
        download(server.url + "a.bin")
    path = cached_path(server.url + "a.bin")
    assert f"save it as {path}" in str(error.value)
    assert len(server.requests) == 1
    path.write_bytes(b"by hand")
    assert download(server.url + "a.bin").read_bytes() == b"by hand"


def test_no_connection() -> None:
    with serving() as server:
        url = server.url + "a.bin"
    with pytest.raises(OSError, match="refused") as error:
        download(url)
    assert str(cached_path(url)) in str(error.value)


def test_wrong_size_or_checksum(server: FileServer) -> None:
    url = server.url + "a.bin"
    with pytest.raises(ValueError, match="has 10240 bytes instead of 7"):
        download(url, size=7)
    with pytest.raises(ValueError, match=f"checksum {SHA256} instead of 00"):
        download(url, sha256="00")
    assert not cached_path(url).exists()
    server.length = len(CONTENT) + 1
    with pytest.raises(OSError, match="cut after 10240 of"):
        download(url)
    server.length = None
    path = download(url, size=len(CONTENT))
    path.write_bytes(b"damaged")
    with pytest.raises(ValueError, match=r"has 7 bytes instead of 10240; delete it"):
        download(url, size=len(CONTENT))


@pytest.mark.parametrize(
    "url", ["https://", "https:///x", "http://host", "https://host/", "http://h:99999/a", "http://[/a", "https://h/a/"]
)
def test_not_a_file(url: str) -> None:
    with pytest.raises(ValueError, match="not "):
        download(url)


@pytest.mark.parametrize("url", ["s3://bucket/a", "ftp://host/a", "gs://b/c", "file:///etc/passwd"])
def test_other_protocols(url: str) -> None:
    with pytest.raises(ValueError, match="only http and https"):
        local_file(url)


def test_urls_do_not_share_files_and_stay_inside(cache: Path) -> None:
    urls = ["http://h/a", "http://h:1/a", "http://h/a?b", "http://h/a?c", "http://h/%2e%2e/a", "http://h/../a"]
    urls += ["http://h/x/../../../a", "http://h/a%00b", "http://h/a b", "http://h/a%2Fb", "http://h/a/b", "http://h//a"]
    paths = [cached_path(url) for url in urls]
    for path in paths:
        assert ".." not in path.parts
        assert path.is_relative_to(cache / "downloads")
    assert len(set(paths)) >= len(urls) - 1  # a%2Fb and a/b are the same name to most servers


def test_a_cache_that_cannot_be_written(server: FileServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").touch()
    monkeypatch.setenv("ELMO_CACHE", str(tmp_path / "file"))
    with pytest.raises(OSError, match="set ELMO_CACHE"):
        download(server.url + "a.bin")


def test_where_files_are_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("ELMO_CACHE")
    monkeypatch.setenv("XDG_CACHE_HOME", "/somewhere")
    monkeypatch.setattr(sys, "platform", "linux")
    assert cache_folder() == Path("/somewhere/elmo")
    monkeypatch.setattr(sys, "platform", "darwin")
    assert cache_folder() == Path.home() / "Library/Caches/elmo"
    monkeypatch.setattr(sys, "platform", "win32")
    monkeypatch.setenv("LOCALAPPDATA", "/local")
    assert cache_folder() == Path("/local/elmo/Cache")


def test_processes_share_one_download(server: FileServer, cache: Path) -> None:
    code = "import sys; from elmo.weights.download import download; print(download(sys.argv[1]).stat().st_size)"
    command = [sys.executable, "-c", code, server.url + "a.bin"]
    both = [subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=os.environ) for _ in range(2)]
    assert [process.communicate()[0].strip() for process in both] == ["10240"] * 2
    assert server.requests == [None]


def test_models_by_url(published_folder: Path, model: elmo.Embedder) -> None:
    files = {file.name.replace(".", "_"): file.read_bytes() for file in published_folder.iterdir()}
    with serving(**files) as server:
        urls = {"options": server.url + "options.json", "weights": server.url + "weights.hdf5"}
        assert elmo.load(**urls).bilm.fingerprint() == model.bilm.fingerprint()
    assert elmo.load(**urls).bilm.fingerprint() == model.bilm.fingerprint()  # the server is gone
