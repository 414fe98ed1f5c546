"""Which units a sitting is to answer: all, the first ones, or those that were answered before."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice

from readmark.core.counts import counted
from readmark.core.errors import DataError, UsageError
from readmark.core.sitting import Sitting
from readmark.core.test import Test


@dataclass(frozen=True, slots=True)
class Coverage:
    """How many units are to be answered, and which when they are not all."""

    units: int
    covers: tuple[str, ...] | None = None
    limit: int | None = None

    def ids(self, test: Test) -> Iterator[str]:
        """The ids of the units, in order."""
        return (unit.id for unit in test.units()) if self.covers is None else iter(self.covers)


def coverage_of(test: Test, limit: int | None, earlier: Sitting | None = None) -> Coverage:
    """The first units up to a limit, and no more than an ``earlier`` sitting covered."""
    first = _first_ids(test, limit)
    before = _covered_before(test, earlier) if earlier is not None else None
    if earlier is None or before is None:
        return Coverage(test.facts.units) if first is None else Coverage(len(first), first, limit)
    if limit is None:
        return Coverage(len(before), before, earlier.header.limit)
    if first is None or not set(first) <= set(before):
        raise UsageError(
            f"{earlier.file}: covers {counted(len(before), 'unit')}, and the first {limit} of the "
            "test are not all among them"
        )
    return Coverage(len(first), first, limit)


def _covered_before(test: Test, earlier: Sitting) -> tuple[str, ...] | None:
    """The units of the test that an earlier sitting covers; None if it covers all."""
    header = earlier.header
    if header.covers is None:
        return _first_ids(test, header.limit)
    ids = {unit.id for unit in test.units()}
    covers = tuple(id for id in header.covers if id in ids)
    if not covers:
        raise DataError(
            "covers no unit of this test; is it a sitting of another test?", file=earlier.file
        )
    return covers


def _first_ids(test: Test, limit: int | None) -> tuple[str, ...] | None:
    """The ids of the first units; None if the limit does not leave any out."""
    if limit is None or limit >= test.facts.units:
        return None
    return tuple(unit.id for unit in islice(test.units(), limit))
