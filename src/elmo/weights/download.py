"""Download files once and keep them.

    download("https://host/path/weights.hdf5")  ->  CACHE/downloads/host/path/weights.hdf5

A file appears under its final name only when it is complete. What arrived before the connection was cut is kept beside
it as ``NAME.part``, and the next attempt continues from there if the server's file has not changed since. Processes
that want the same file wait for the one that is downloading it.
"""

import contextlib
import hashlib
import http.client
import os
import re
import ssl
import sys
import time
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from filelock import FileLock
from tqdm import tqdm

from elmo.files import checksum

CACHE_VARIABLE = "ELMO_CACHE"
ATTEMPTS = 5
"""Number of attempts that may fail in a row without a single new byte before the download is given up."""
TIMEOUT = 30.0
"""Seconds without any data after which a connection counts as cut."""
PAUSE = 1.0
"""Seconds before the second attempt; doubled for every further one."""
_CHUNK = 1 << 20
_TEMPORARY = {408, 425, 429, 500, 502, 503, 504}
"""Status codes of a server that may answer later."""


class DownloadError(OSError):
    """A file could not be downloaded. The message says where to put it by hand."""

    def __init__(self, message: str, reason: str = "") -> None:
        super().__init__(message)
        self.reason = reason


def is_url(path: str | Path) -> bool:
    """Whether a file is given by its address on the web instead of a path."""
    return isinstance(path, str) and path.lower().startswith(("https://", "http://"))


def cache_folder() -> Path:
    """Return the folder for downloads and indexes: ``ELMO_CACHE``, or the usual place of the operating system."""
    if chosen := os.environ.get(CACHE_VARIABLE):
        return Path(chosen).expanduser()
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local") / "elmo" / "Cache"
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Caches" / "elmo"
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "elmo"


def cached_path(url: str) -> Path:
    """Return where the file of a URL is kept, whether it has been downloaded or not.

    The path mirrors the URL, so that a file can be put there by hand.

    Raises:
        ValueError: If this is not the URL of a file.
    """
    try:
        parts = urllib.parse.urlsplit(url)
        names = [parts.hostname or "", *urllib.parse.unquote(parts.path)[1:].split("/")]
        port = f"_{parts.port}" if parts.port else ""
    except ValueError as error:
        raise ValueError(f"{url}: not a valid URL ({error})") from None
    if not is_url(url) or not names[0] or not names[-1]:
        raise ValueError(f"{url}: not the URL of a file (like https://host/folder/file)")
    names[0] += port
    safe = [re.sub(r"[^\w.+@=-]", "_", name) if name.strip(".") else "_" for name in names]
    if parts.query or safe != names:  # two URLs must not share a file
        safe[-1] = f"{hashlib.sha256(url.encode()).hexdigest()[:12]}-{safe[-1]}"
    return cache_folder().joinpath("downloads", *safe)


def download(url: str, *, to: Path | None = None, size: int | None = None, sha256: str | None = None) -> Path:
    """Download a file unless it has been downloaded before.

    Args:
        url: Address of the file, http or https.
        to: Where to keep it; by default ``cached_path(url)``.
        size: Its size in bytes, if known.
        sha256: Its SHA-256 checksum in hexadecimal digits, if known. It is checked once, after the download.

    Returns:
        The file on this machine.

    Raises:
        ValueError: If this is not the URL of a file, or if the file does not have the size or checksum given.
        OSError: If the file cannot be downloaded or stored. The message says where to put it by hand.
    """
    path = to or cached_path(url)
    if path.exists():
        _check(path, path, url, size, None)
        return path
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with FileLock(f"{path}.lock"):
            if not path.exists():  # another process may have downloaded it in the meantime
                _fetch(url, path, size, sha256)
    except DownloadError:
        raise
    except OSError as error:
        reason = os.strerror(error.errno) if error.errno else str(error)
        raise OSError(
            f"{path.parent}: cannot be written ({reason}); set {CACHE_VARIABLE} to a folder for downloaded files"
        ) from error
    with contextlib.suppress(OSError):
        Path(f"{path}.lock").unlink()
    return path


def _fetch(url: str, path: Path, size: int | None, sha256: str | None) -> None:
    """Download in as many attempts as needed, check, and move the file to its final name."""
    part, version = Path(f"{path}.part"), Path(f"{path}.part-version")
    failures, connected = 0, False
    with tqdm(desc=path.name, unit="B", unit_scale=True, disable=None) as bar:
        while True:
            before = _size(part)
            try:
                _attempt(url, part, version, size, bar)
                break
            except (urllib.error.URLError, http.client.HTTPException, ConnectionError, TimeoutError, ssl.SSLError) as e:
                progressed = _size(part) > before
                connected = connected or progressed or isinstance(e, urllib.error.HTTPError)
                failures = 1 if progressed else failures + 1
                if failures >= ATTEMPTS or _is_final(e, connected):
                    raise DownloadError(_message(url, path, e), _reason(e)) from None
                time.sleep(PAUSE * 2 ** (failures - 1))
    try:
        _check(part, path, url, size, sha256)
    except ValueError:
        part.unlink()
        raise
    with part.open("rb") as file:
        os.fsync(file.fileno())
    part.replace(path)
    version.unlink(missing_ok=True)


def _attempt(url: str, part: Path, version: Path, size: int | None, bar: Any) -> None:
    """Request what is missing and append it to the part; an incomplete answer is an error."""
    start, known = _size(part), version.read_text() if version.exists() else ""
    headers = {"User-Agent": "elmo", "Accept-Encoding": "identity"}
    if start and known:  # otherwise there is no way to tell whether the file has changed since
        headers |= {"Range": f"bytes={start}-", "If-Range": known}
    request = urllib.request.Request(url, headers=headers)
    try:
        response = urllib.request.urlopen(request, timeout=TIMEOUT)
    except urllib.error.HTTPError as error:
        error.close()
        if error.code == http.HTTPStatus.REQUESTED_RANGE_NOT_SATISFIABLE:
            part.unlink(missing_ok=True)  # start over
            raise ConnectionError("the server refused to continue the download") from None
        raise
    with response:
        continued = response.status == http.HTTPStatus.PARTIAL_CONTENT
        if continued and _first_byte(response) != start:
            part.unlink(missing_ok=True)
            raise ConnectionError("the server sent another range than requested")
        start = start if continued else 0
        length = response.headers.get("Content-Length", "")
        total = start + int(length) if length.isdigit() else size
        if size is not None and total != size:
            raise ValueError(f"{url}: has {total} bytes instead of {size}, so it is not the expected file")
        bar.total, bar.n = total, start
        bar.refresh()
        # A weak ETag does not promise the same bytes.
        tag = response.headers.get("ETag") or ""
        version.write_text(tag if tag and not tag.startswith("W/") else response.headers.get("Last-Modified") or "")
        with part.open("ab" if continued else "wb") as file:
            for chunk in _chunks(response):
                file.write(chunk)
                bar.update(len(chunk))
                if size is not None and bar.n > size:
                    break  # the check that follows says what is wrong
    if total is not None and _size(part) < total:
        raise ConnectionError(f"the connection was cut after {_size(part)} of {total} bytes")


def _chunks(response: http.client.HTTPResponse) -> Iterator[bytes]:
    """Yield the body as it arrives; what came before a cut is kept."""
    try:
        while chunk := response.read1(_CHUNK):
            yield chunk
    except http.client.IncompleteRead as error:
        if error.partial:
            yield error.partial
        raise


def _first_byte(response: http.client.HTTPResponse) -> int | None:
    match = re.match(r"bytes (\d+)-", response.headers.get("Content-Range", ""))
    return int(match[1]) if match else None


def _check(file: Path, name: Path, url: str, size: int | None, sha256: str | None) -> None:
    """Compare a complete file with what is known of it.

    Raises:
        ValueError: If it differs.
    """
    if size is not None and _size(file) != size:
        raise ValueError(f"{name}: has {_size(file)} bytes instead of {size}; delete it, and check {url}")
    if sha256 is not None and (found := checksum(file)["sha256"]) != sha256.lower():
        raise ValueError(f"{url}: the downloaded file has the SHA-256 checksum {found} instead of {sha256}")


def _is_final(error: Exception, connected: bool) -> bool:
    """Whether trying again is pointless: the server has refused, or cannot be reached at all."""
    if isinstance(error, urllib.error.HTTPError):
        return error.code not in _TEMPORARY
    return isinstance(error, http.client.InvalidURL) or (isinstance(error, urllib.error.URLError) and not connected)


def _message(url: str, path: Path, error: Exception) -> str:
    return (
        f"{url}: cannot be downloaded ({_reason(error)}). Download it by other means and save it as {path}, "
        "or give the path of a local copy instead of the URL"
    )


def _reason(error: Exception) -> str:
    reason = f"HTTP status {error.code}" if isinstance(error, urllib.error.HTTPError) else ""
    return reason or str(getattr(error, "reason", "") or error) or type(error).__name__


def _size(file: Path) -> int:
    return file.stat().st_size if file.exists() else 0
