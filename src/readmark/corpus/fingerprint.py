"""A fingerprint of many parts that does not depend on their order."""

from __future__ import annotations

import hashlib
from typing import Any

import msgspec

_encode = msgspec.json.Encoder(order="deterministic").encode
_SIZE = 16


class Fingerprint:
    """Takes parts one by one; equal sets of parts give equal fingerprints in any order."""

    def __init__(self) -> None:
        self._digests = bytearray()

    def add(self, part: Any) -> None:
        """Take one part: any value that JSON can hold."""
        self._digests += hashlib.sha256(_encode(part)).digest()[:_SIZE]

    def hex(self) -> str:
        """The fingerprint so far, as 32 hexadecimal digits."""
        import numpy as np

        words = np.frombuffer(bytes(self._digests), dtype=">u8").reshape(-1, 2)
        ordered = words[np.lexsort((words[:, 1], words[:, 0]))]
        return hashlib.sha256(ordered.tobytes()).hexdigest()[:32]


def text_id(text: str) -> str:
    """The id of a passage that has none: the first 12 hex digits of its text's SHA-256."""
    return hashlib.sha256(text.encode("utf-8")).hexdigest()[:12]
