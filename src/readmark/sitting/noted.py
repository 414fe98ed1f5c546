"""What the runner notices in passing and tells at the end, in memory that does not grow."""

from __future__ import annotations

import threading
from collections.abc import Sequence

from readmark.corpus.sitting import Row
from readmark.corpus.spans import is_astray

SHOWN = 5
_LONGEST_ID = 80
"""How many ids a message names."""
MOST_CHARACTERS = 2**24
"""How much of the passages is held for a look at offsets; beyond it the oldest go unlooked at."""


class Noted:
    """How many units something was seen with, and the ids of the first."""

    def __init__(self) -> None:
        self.count = 0
        self._first: list[str] = []
        self._lock = threading.Lock()

    def add(self, id: str) -> None:
        """One more; workers' threads may say so at once."""
        with self._lock:
            self.count += 1
            if len(self._first) < SHOWN:
                self._first.append(id)

    def __str__(self) -> str:
        return some(self._first, self.count)


class Passages:
    """The passages of what is being asked, until the answers are there.

    A candidate that passes units over would let them pile up, so there is a most.
    """

    def __init__(self, most: int = MOST_CHARACTERS) -> None:
        self.astray = Noted()
        self._most = most
        self._held = 0
        self._texts: dict[str, str] = {}
        self._lock = threading.Lock()

    def ask(self, passage: object, ids: Sequence[str]) -> None:
        """Units of a passage go out."""
        if not isinstance(passage, str):
            return
        with self._lock:
            for id in ids:
                self._texts[id] = passage
                self._held += len(passage)
            while self._held > self._most:
                self._take(next(iter(self._texts)))

    def look(self, row: Row) -> None:
        """An answer came: do its offsets point at it?"""
        with self._lock:
            passage = self._take(row.id)
        if is_astray(row, passage):
            self.astray.add(row.id)

    def _take(self, id: str) -> str | None:
        passage = self._texts.pop(id, None)
        self._held -= len(passage or "")
        return passage


def some(ids: Sequence[str], count: int | None = None) -> str:
    """How many, and the first of them."""
    count = len(ids) if count is None else count
    more = ", …" if count > SHOWN else ""
    shown = [id if len(id) <= _LONGEST_ID else f"{id[:_LONGEST_ID]}…" for id in ids[:SHOWN]]
    return f"{count} ({', '.join(shown)}{more})"
