"""Ids that stand twice in a test, found in a memory that does not grow with the test.

A first reading tells which ids may stand twice; when there are any, a second one looks at those.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain, islice
from typing import TYPE_CHECKING, Any

from readmark.corpus.errors import DataError
from readmark.corpus.fingerprint import TEXT_ID, text_id
from readmark.corpus.problems import fail
from readmark.corpus.values import Unit

if TYPE_CHECKING:
    from readmark.corpus.test import Test

WORDS = 1 << 20
"""Words of a sieve, a power of two: 8 MiB. 500,000 ids leave no suspect, 4,000,000 about 700."""
BATCH = 4096
"""Ids that go through a sieve together."""
MOST_SUSPECTS = 1 << 16
"""Suspects that are held before they are looked at; only tests of many millions have so many."""


class Sieve:
    """Tells which ids may have come before; a new one is seldom taken for an old one.

    The filter of "Space/Time Trade-offs in Hash Coding with Allowable Errors", with the same four
    bits of an id in each of two words.
    """

    def __init__(self, words: int = WORDS) -> None:
        import numpy as np

        self._words = np.zeros(words, dtype=np.uint64)

    def again(self, ids: Sequence[str], besides: Sequence[str] = ()) -> set[str]:
        """The ids that may have come before; those ``besides`` come too and are not asked for."""
        import numpy as np

        number = len(ids) + len(besides)
        hashes = np.fromiter(map(hash, chain(ids, besides)), np.int64, number).view(np.uint64)
        last = np.uint64(len(self._words) - 1)
        one, other = hashes & last, hashes >> np.uint64(20) & last
        bits = np.zeros(number, dtype=np.uint64)
        for shift in (40, 46, 52, 58):
            bits |= np.uint64(1) << (hashes >> np.uint64(shift) & np.uint64(63))
        before = self._words[one] & self._words[other] & bits == bits
        np.bitwise_or.at(self._words, one, bits)
        np.bitwise_or.at(self._words, other, bits)

        found = {ids[at] for at in np.flatnonzero(before[: len(ids)]).tolist()}
        together = set(besides)
        for id in ids:
            if id in together:
                found.add(id)
            together.add(id)
        return found


def told_apart(
    test: Test, *, words: int = WORDS, batch: int = BATCH, most: int = MOST_SUSPECTS
) -> Iterator[tuple[Any, tuple[Unit, ...]]]:
    """Records with their units; an id that stands twice is raised, at the end if not before."""
    sieve = Sieve(words)
    ids: list[str] = []
    parts: list[str] = []
    suspects: set[str] = set()
    read = 0

    def sift() -> None:
        found = sieve.again(ids, parts)
        suspects.update(found, (id[1:] for id in found if id.startswith("\n")))
        ids.clear()
        parts.clear()

    def look() -> None:
        """Read once more what was read; suspects that stand once are let go."""
        if suspects:
            for _ in islice(test.placed(among=suspects), read):
                pass
            suspects.clear()

    try:
        for _, record in test.stream(fail):
            read += 1
            units = tuple(test.kind.units(record))
            # Records and units may share ids: those of records are told apart by a line feed.
            (parts if named_by_text(record) else ids).append(f"\n{record.id}")
            ids += [unit.id for unit in units]
            if len(ids) + len(parts) >= batch:
                sift()
                if len(suspects) >= most:
                    look()
            yield record, units
    except DataError:
        sift()
        look()  # what stands twice before the fault is the first thing wrong
        raise
    sift()
    look()


def named_by_text(record: Any) -> bool:
    """Whether a record's id is its text's: such records may stand in parts, as in flat files."""
    text = getattr(record, "text", None)
    return isinstance(text, str) and len(record.id) == TEXT_ID and record.id == text_id(text)
