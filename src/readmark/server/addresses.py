"""Where a request comes from: its address behind a proxy or not, and whether that is nearby."""

from __future__ import annotations

import ipaddress
import re

from fastapi import Request

from readmark.server.settings import HallSettings

_LOOPBACK = ("127.0.0.1", "localhost", "[::1]")
_FORWARDED = ("forwarded", "via", "x-forwarded-for", "x-forwarded-host", "x-real-ip")


def is_nearby(request: Request) -> bool:
    """Whether a program on this machine asks, or one in a network that the settings name.

    A proxy on this machine is not taken for one: it names the public host, or whom it asks for. One
    that does neither cannot be told from a program, so that behind a proxy only networks pass.
    """
    headers, settings = request.headers, _settings_of(request)
    if any(name in headers for name in _FORWARDED):
        return False
    try:
        client = unmapped(ipaddress.ip_address(request.client.host if request.client else ""))
    except ValueError:
        return False
    name = headers.get("host", "").lower()
    name = name if name.endswith("]") else name.rpartition(":")[0] or name
    if client.is_loopback and not settings.origin:
        return name in _LOOPBACK
    networks = map(ipaddress.ip_network, settings.metrics_from)
    return any(client in network for network in networks)


def unmapped(
    address: ipaddress.IPv4Address | ipaddress.IPv6Address,
) -> ipaddress.IPv4Address | ipaddress.IPv6Address:
    """The IPv4 address where a socket for both versions shows it as ::ffff:192.0.2.1."""
    mapped = address.ipv4_mapped if isinstance(address, ipaddress.IPv6Address) else None
    return mapped or address


def address_of(request: Request) -> str:
    """Where a request comes from; nothing where a proxy does not say it.

    Behind a proxy the ASGI server takes the address from X-Forwarded-For, if it trusts the proxy.
    An address that is not in there is the proxy's own, which is everybody's.
    """
    host = request.client.host if request.client else ""
    if _settings_of(request).origin and host not in _forwarded_for(request):
        return ""
    return host


def _forwarded_for(request: Request) -> list[str]:
    """The addresses in X-Forwarded-For, without ports."""
    lines = ",".join(request.headers.getlist("x-forwarded-for")).split(",")
    return [re.sub(r"^\[(.*)\](:\d+)?$|^([\d.]+):\d+$", r"\1\3", line.strip()) for line in lines]


def _settings_of(request: Request) -> HallSettings:
    settings: HallSettings = request.app.state.hall.settings
    return settings
