"""Addresses at a mirror, for those who cannot reach the usual ones."""

from __future__ import annotations

import re
from urllib.parse import quote, urlsplit, urlunsplit

from readmark.core.errors import UsageError


def mirrored(url: str, mirror: str | None) -> str:
    """An address at a mirror: the path stays, what comes before it is the mirror's."""
    if not mirror:
        return url
    # An address with a user, a query or a fragment may hold a secret: it is not printed.
    printed = f" {mirror!r}" if not re.search("[@?#]", mirror) else ""
    try:
        base, original = urlsplit(mirror), urlsplit(url)
        host = (base.hostname or "").encode("idna").decode()
        port = f":{base.port}" if base.port else ""
    except ValueError:
        raise UsageError(f"the mirror{printed} is not an http or https address") from None
    if base.username is not None or base.password is not None:
        raise UsageError("the mirror's address holds a user or password, which is not sent")
    if base.scheme not in ("http", "https") or not host or base.query or base.fragment:
        raise UsageError(f"the mirror{printed} is not an http or https address")
    netloc = f"[{host}]{port}" if ":" in host else f"{host}{port}"
    path = quote(base.path.rstrip("/"), safe="/%:@!$&'()*+,;=~") + original.path
    return urlunsplit((base.scheme, netloc, path, original.query, ""))
