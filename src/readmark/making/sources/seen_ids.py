"""Which ids have been seen, in little memory: a bit for a number, as wikis number their pages."""

from __future__ import annotations

MOST = 1 << 30
"""Numbers up to this have a bit: at most 128 MB, and a wiki of ten million pages takes 1.3."""


class SeenIds:
    """A set of ids that takes a bit for each number up to the largest, and strings besides."""

    def __init__(self) -> None:
        self._bits = bytearray()
        self._others: set[str] = set()

    def add(self, id: str) -> bool:
        """Add an id; False if it was there already."""
        # 07 and 7 are two ids, so an id that begins with 0 is kept as a string.
        if not (id.isascii() and id.isdigit()) or id[0] == "0" or len(id) > 10 or int(id) >= MOST:
            before = len(self._others)
            self._others.add(id)
            return len(self._others) > before
        index, bit = int(id) >> 3, 1 << (int(id) & 7)
        if index >= len(self._bits):
            self._bits.extend(bytes(index + 1 - len(self._bits)))
        is_new = not self._bits[index] & bit
        self._bits[index] |= bit
        return is_new
