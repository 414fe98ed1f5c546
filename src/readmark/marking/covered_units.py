"""The units of a test that a sitting covers."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from readmark.core.binding import part_sat
from readmark.core.records import Unit
from readmark.core.sitting import Sitting
from readmark.core.test import Test


def covered_units(test: Test, sitting: Sitting | None) -> Iterator[Unit]:
    """The units that a sitting covers; all of them without a sitting."""
    if sitting is None:
        return test.units()
    units, header = part_sat(test, [sitting]).units(), sitting.header
    if header.covers is not None:
        covers = frozenset(header.covers)
        return (unit for unit in units if unit.id in covers)
    return islice(units, header.limit)  # without a limit, all of them
