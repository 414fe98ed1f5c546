"""A fingerprint of many parts that does not depend on their order."""

from __future__ import annotations

import hashlib
from typing import Any

import msgspec

_encode = msgspec.json.Encoder(order="deterministic").encode
_BYTES = 256
TEXT_ID = 12
"""Hexadecimal digits of an id that is made from a text."""


class Fingerprint:
    """Takes parts one by one; equal parts, equally often, give equal fingerprints in any order.

    The sum modulo 2^2048 of the parts' hashes, as in "Incremental Multiset Hash Functions and
    Their Application to Memory Integrity Checking": its size does not grow with the parts.
    """

    def __init__(self) -> None:
        self._sum = 0
        self._parts = 0

    def add(self, part: Any) -> None:
        """Take one part: any value that JSON can hold."""
        # SHA-256 first: it is the faster one on a long text. SHAKE makes the sum wide enough
        # that other parts with the same sum cannot be found.
        digest = hashlib.sha256(_encode(part)).digest()
        self._sum += int.from_bytes(hashlib.shake_256(digest).digest(_BYTES), "big")
        self._parts += 1

    def merge(self, other: Fingerprint) -> None:
        """Take every part of another fingerprint."""
        self._sum += other._sum
        self._parts += other._parts

    def hex(self) -> str:
        """The fingerprint so far, as 32 hexadecimal digits."""
        total = self._sum % (1 << 8 * _BYTES)
        data = self._parts.to_bytes(8, "big") + total.to_bytes(_BYTES, "big")
        return hashlib.sha256(data).hexdigest()[:32]


def text_id(text: str) -> str:
    """The id of a passage that has none: the first 12 hex digits of its text's SHA-256."""
    return hashlib.sha256(text.encode("utf-8")).hexdigest()[:TEXT_ID]
