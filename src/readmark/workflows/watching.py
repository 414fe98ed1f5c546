"""Looks at the progress of marking, now and then."""

from __future__ import annotations

from collections.abc import Callable

from readmark.marking.tally import UnitMarks

EVERY = 500
"""How many units are marked between two looks at the progress."""


def watched(
    on_unit: Callable[[UnitMarks], None] | None, watch: Callable[[int, int], None], total: int
) -> Callable[[UnitMarks], None]:
    """Tell how many units of how many are marked, now and then."""
    done = 0

    def each(marked: UnitMarks) -> None:
        nonlocal done
        done += 1
        if on_unit is not None:
            on_unit(marked)
        if done % EVERY == 0:
            watch(done, total)

    return each
