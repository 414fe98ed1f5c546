"""The options of ``readmark serve``: where the hall listens, and how it runs."""

from __future__ import annotations

import ipaddress
from dataclasses import dataclass, fields
from typing import Any
from urllib.parse import urlsplit

from readmark.core.errors import UsageError
from readmark.server.operations.logs import LogFormat
from readmark.server.settings import HallSettings

EVERYWHERE = ("0.0.0.0", "::", "")
"""Hosts that stand for every address of the machine."""


@dataclass(frozen=True)
class Listening:
    """Where a hall listens, and how browsers reach it."""

    host: str = "127.0.0.1"
    port: int = 8000
    allowed: tuple[str, ...] = ()
    certificate: str | None = None
    key: str | None = None
    proxy: str | None = None
    """The https address of a proxy that stands before the hall."""

    @property
    def is_loopback(self) -> bool:
        """Whether only this machine can reach it."""
        try:
            return ipaddress.ip_address(self.host).is_loopback
        except ValueError:
            return self.host == "localhost"

    @property
    def is_secure(self) -> bool:
        """Whether browsers reach it through TLS."""
        return bool(self.certificate or self.proxy)

    def hosts(self) -> tuple[str, ...]:
        """The names that browsers may call the hall by."""
        host = () if self.host in EVERYWHERE else (bracketed(self.host),)
        proxy = (urlsplit(self.proxy).hostname or "",) if self.proxy else ()
        names = (*HallSettings.hosts, *host, *proxy, *map(bracketed, self.allowed))
        return tuple(dict.fromkeys(name.lower() for name in names))

    def check(self) -> None:
        """Refuse options that do not go together."""
        if (self.certificate is None) != (self.key is None):
            raise UsageError("--tls-certificate and --tls-key go together")
        if self.proxy is not None:
            parts = urlsplit(self.proxy)
            if parts.scheme != "https" or not parts.hostname or parts.path.strip("/"):
                raise UsageError(
                    f"--behind-proxy {self.proxy}: expected an address such as https://hall.example.org"
                )
        if self.host in EVERYWHERE and not self.allowed and self.proxy is None:
            raise UsageError(
                f"--host {self.host} needs --allow-host NAME: the name that browsers will use"
            )


@dataclass(frozen=True)
class Running:
    """How a hall runs: its settings file, its secret, its logs and who reads its metrics."""

    settings: str | None = None
    secret: str | None = None
    """The file of the secret; by default next to the database."""
    log_format: LogFormat = "text"
    log_level: str = "warning"
    log_addresses: bool = False
    metrics_from: tuple[str, ...] = ()
    markers: int = 1
    """Submissions that are marked at a time; under an ASGI server that is left to workers."""

    def check(self) -> None:
        """Refuse addresses that are no network."""
        for network in self.metrics_from:
            try:
                ipaddress.ip_network(network)
            except ValueError as error:
                raise UsageError(
                    f"--metrics-from {network}: expected an address or a network such as 10.0.0.0/8"
                ) from error


def bracketed(host: str) -> str:
    """A host as it stands in an address: IPv6 in brackets."""
    return f"[{host}]" if ":" in host and not host.startswith("[") else host


def sorted_options(
    url: str, demo: bool, as_json: bool = False, **options: Any
) -> tuple[str, bool, Listening, Running]:
    """The options of ``readmark serve`` by what they are about; ``as_json`` is for the printout."""
    names = {field.name for field in fields(Running)}
    running = {name: value for name, value in options.items() if name in names}
    listening = {name: value for name, value in options.items() if name not in names}
    return url, demo, Listening(**listening), Running(**running)
