"""Which fields of the units are worth slicing by."""

from __future__ import annotations

from collections.abc import Sequence

from readmark.corpus.labels import ABSENT
from readmark.marking.tally import labels_of
from readmark.reporting.html.sheets import Sheet

FEWEST, MOST = 2, 12
"""How many values a field has that nobody asked for and that is shown all the same."""


def fields_to_slice(sheets: Sequence[Sheet]) -> list[str]:
    """Fields that marks were asked by, then those with few values that intervals can be had of.

    An interval resamples whole records, so at least two values must have units of two records:
    that leaves out titles and whatever else only names the record.
    """
    asked = dict.fromkeys(field for sheet in sheets for field in sheet.told.by)
    fullest = max(sheets, key=lambda sheet: len(sheet.units))
    names = dict.fromkeys(name for unit in fullest.units for name in unit.fields)
    found = [name for name in names if name not in asked and _few(fullest, name)]
    return [*asked, *found]


def _few(sheet: Sheet, name: str) -> bool:
    groups: dict[str, set[str]] = {}
    for unit in sheet.units:
        for label in labels_of(unit.fields.get(name)):
            groups.setdefault(label, set()).add(unit.group)
            if len(groups) > MOST + 1:
                return False
    groups.pop(ABSENT, None)
    several = sum(len(records) > 1 for records in groups.values())
    return FEWEST <= len(groups) <= MOST and several >= FEWEST


def values_to_filter(labels: Sequence[tuple[str, ...]], *, most: int = 60) -> list[str]:
    """The values of a field when they are few enough to choose from, in the order they come.

    As many as a slice may have are always few; more must be shared by two units on average, or
    the field only names the units.
    """
    most = min(most, max(MOST, len(labels) // 2))
    found: dict[str, None] = {}
    for several in labels:
        found.update(dict.fromkeys(several))
        if len(found) > most:
            return []
    return list(found) if len(found) > 1 else []
