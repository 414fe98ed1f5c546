"""Which units a sitting is to answer: all, the first ones, or those that were answered before."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice

from readmark.corpus.errors import DataError, UsageError
from readmark.corpus.sitting import Sitting
from readmark.corpus.test import Test


@dataclass(frozen=True, slots=True)
class Coverage:
    """How many units are to be answered, and which when they are not all."""

    units: int
    covers: tuple[str, ...] | None = None
    limit: int | None = None

    def ids(self, test: Test) -> Iterator[str]:
        """Their ids."""
        return (unit.id for unit in test.units()) if self.covers is None else iter(self.covers)


def covered(test: Test, limit: int | None, earlier: Sitting | None = None) -> Coverage:
    """The first units up to a limit; of an earlier sitting no more than it covered."""
    first = _first(test, limit)
    part = _part(test, earlier) if earlier is not None else None
    if earlier is None or part is None:
        return Coverage(test.facts.units) if first is None else Coverage(len(first), first, limit)
    if limit is None:
        return Coverage(len(part), part, earlier.header.limit)
    if first is None or not set(first) <= set(part):
        raise UsageError(
            f"{earlier.file}: covers {len(part)} units, and the first {limit} of the test "
            "are not all among them"
        )
    return Coverage(len(first), first, limit)


def _part(test: Test, earlier: Sitting) -> tuple[str, ...] | None:
    header = earlier.header
    if header.covers is None:
        return _first(test, header.limit)
    known = {unit.id for unit in test.units()}
    part = tuple(id for id in header.covers if id in known)
    if not part:
        raise DataError(
            "covers no unit of this test; is it a sitting of another test?", file=earlier.file
        )
    return part


def _first(test: Test, limit: int | None) -> tuple[str, ...] | None:
    if limit is None or limit >= test.facts.units:
        return None
    return tuple(unit.id for unit in islice(test.units(), limit))
