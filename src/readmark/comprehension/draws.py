"""Draws by lot that come out alike on every machine, whatever was drawn before."""

from __future__ import annotations

import hashlib


def draw(text: str) -> int:
    """A number that looks random and depends on the text alone."""
    return int.from_bytes(hashlib.sha256(text.encode("utf-8", "surrogatepass")).digest()[:16])
