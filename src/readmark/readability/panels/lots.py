"""Lots: what is drawn first depends on the seed and on names, never on the order of a file."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable


def lot(seed: int, *names: object) -> bytes:
    """The lot of a name; the least is drawn first."""
    text = "\n".join(str(name) for name in (seed, *names))
    return hashlib.sha256(text.encode(errors="surrogatepass")).digest()


def by_lot(names: Iterable[str], seed: int, *more: object) -> list[str]:
    """Names in the order in which they are drawn."""
    return sorted(names, key=lambda name: lot(seed, *more, name))
