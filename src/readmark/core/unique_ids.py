"""Ids that occur twice in a test, found in one reading and in memory that hardly grows."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import Any

from readmark.core.errors import DataError
from readmark.core.problems import fail
from readmark.core.records import Unit
from readmark.core.sieve import WORDS, Sieve
from readmark.core.test import RecordPlace, Test, named_by_text

BATCH = 4096
"""Ids that go through a sieve together."""
MOST_SUSPECTS = 1 << 16
"""Suspects that are held before they are looked up; only tests of many millions have so many."""


def unique_records(
    test: Test, *, words: int = WORDS, batch: int = BATCH, most: int = MOST_SUSPECTS
) -> Iterator[tuple[Any, tuple[Unit, ...]]]:
    """Records with their units; an id that occurs twice is raised, at the end at the latest."""
    for _, record, units in unique_placed(test, words=words, batch=batch, most=most):
        yield record, units


def unique_placed(
    test: Test, *, words: int = WORDS, batch: int = BATCH, most: int = MOST_SUSPECTS
) -> Iterator[tuple[RecordPlace, Any, tuple[Unit, ...]]]:
    """The same with places. A sieve finds suspects; reading again tells which do occur twice."""
    sieve: Sieve | None = None
    ids: list[str] = []
    parts: list[str] = []
    suspects: set[str] = set()
    read = 0

    def sift(size: int) -> None:
        """Take the batch through the sieve, which is made with the first one."""
        nonlocal sieve
        sieve = sieve or Sieve(size)
        repeated = sieve.again(ids, parts)
        suspects.update(repeated, (id[1:] for id in repeated if id.startswith("\n")))
        ids.clear()
        parts.clear()

    def look() -> None:
        """Read what was read once more, comparing suspects: one that occurs twice is raised."""
        if suspects:
            for _ in islice(test.placed(among=suspects), read):
                pass
            suspects.clear()

    try:
        for place, record in test.stream(fail):
            read += 1
            units = tuple(test.kind.units(record))
            # Records and units may share ids: those of records are marked by a line feed.
            (parts if named_by_text(record) else ids).append(f"\n{record.id}")
            ids += [unit.id for unit in units]
            if len(ids) + len(parts) >= batch:
                sift(words)
                if len(suspects) >= most:
                    look()
            yield place, record, units
    except DataError:
        sift(1)
        look()  # an id that occurs twice before the fault is the first error
        raise
    sift(1)  # for a single batch any size will do
    look()
