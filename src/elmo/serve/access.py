"""Who may call the server: the host names it answers to, the origins of web pages, and the API key.

A web page can make a browser send requests to servers on the user's own machine. Browsers keep it from reading the
responses, unless its domain name is pointed at this machine after the page has loaded (DNS rebinding). The ``Host``
header then has the name of that page, which the check of host names rejects. An IP address cannot be rebound.
"""

import hmac
import ipaddress
import re
from collections.abc import Sequence

from starlette.types import Scope

from elmo.serve.errors import APIError
from elmo.serve.settings import ServeSettings

PUBLIC_PATHS = frozenset({"/health", "/docs", "/openapi.json"})
"""Paths that do not require the API key."""

_HOST = re.compile(r"(?:\[([0-9a-f:.]+)\]|([a-z0-9._-]+?)\.?)(?::\d{1,5})?", re.IGNORECASE | re.ASCII)


class Access:
    """Checks the headers of a request before anything else is read.

    Args:
        settings: The names, origins and paths that are allowed, and the API key.
    """

    def __init__(self, settings: ServeSettings) -> None:
        self._settings = settings
        self._hosts = frozenset(map(str.lower, settings.hosts))
        self._public_paths = PUBLIC_PATHS | frozenset(settings.public_paths)

    def check(self, scope: Scope) -> None:
        """Check the headers of a request.

        Raises:
            APIError: The host or the origin is not allowed (403), or the API key is missing or wrong (401).
        """
        headers: Sequence[tuple[bytes, bytes]] = scope["headers"]
        hosts, origins, keys = (
            [value.decode("latin-1") for header, value in headers if header == name]
            for name in (b"host", b"origin", b"authorization")
        )
        self._check_host(hosts, scope.get("server"))
        self._check_origin(origins, hosts)
        if scope["path"] not in self._public_paths:
            self._check_key(keys)

    def _check_host(self, hosts: list[str], server: tuple[str, int | None] | None) -> None:
        """Check ``Host``. Programs that speak HTTP/1.0 may leave it out; browsers never do."""
        if "*" in self._hosts:
            return
        address = server[0] if server else ""
        if len(hosts) > 1:
            raise APIError(400, "the request has more than one Host header")
        for value in hosts:
            host = host_name(value)
            if host is None:
                raise APIError(400, "the Host header is not a host name or an IP address")
            if not (host in self._hosts or host in ("localhost", address.lower()) or _may_be_address(host, address)):
                raise APIError(403, f"this server does not answer to the host name {host}; allow it with --allow-host")

    def _check_origin(self, origins: list[str], hosts: list[str]) -> None:
        """Check ``Origin``, which browsers send with every request that another site could have caused."""
        if "*" in self._settings.cors:
            return
        own = {f"{scheme}://{host.lower()}" for scheme in ("http", "https") for host in hosts}
        for origin in origins:
            if origin.lower() not in own and origin not in self._settings.cors:
                raise APIError(403, "web pages of this origin may not call the server; allow them with --cors")

    def _check_key(self, values: list[str]) -> None:
        if self._settings.api_key is None:
            return
        scheme, _, key = (values[0] if len(values) == 1 else "").partition(" ")
        # Compare in constant time, so that response times do not reveal how much of a key is correct.
        correct = hmac.compare_digest(key.strip().encode("latin-1"), self._settings.api_key.encode())
        if scheme.lower() != "bearer" or not correct:
            raise APIError(401, "missing or wrong API key; send the header Authorization: Bearer KEY")


def host_name(value: str) -> str | None:
    """Return the name or address in a ``Host`` header, in lower case and without the port; None if there is none."""
    found = _HOST.fullmatch(value.strip())
    return (found[1] or found[2]).lower() if found else None


def is_loopback(address: str) -> bool:
    """Return whether an IP address is reachable from this machine only."""
    try:
        return ipaddress.ip_address(address).is_loopback
    except ValueError:
        return False


def _may_be_address(host: str, address: str) -> bool:
    """Return whether a host is an IP address that clients may use for a server that was reached at ``address``.

    A server that is reachable from other machines may have any address, because routers and containers translate them.
    """
    try:
        ipaddress.ip_address(host)
    except ValueError:
        return False
    return is_loopback(host) or (bool(address) and not is_loopback(address))
