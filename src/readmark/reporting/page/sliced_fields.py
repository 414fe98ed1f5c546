"""Which fields of the units are worth slicing by, and which to choose units by."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from readmark.core.labels import ABSENT, labels_of
from readmark.core.marksheet import MarkedUnit
from readmark.marking import Marksheet

FEWEST, MOST = 2, 12
"""How many values a field may have that is shown although nobody asked for it."""
LARGE_UNITS, LARGE_RECORDS = 10, 5
"""From so many units in so many records on, the mark of a slice is more than chance."""


@dataclass(frozen=True, slots=True)
class SlicedFields:
    """The fields that marks are shown by, and those that would show nothing more."""

    shown: Sequence[str] = ()
    alike: Mapping[str, Sequence[str]] = dataclasses.field(default_factory=dict)
    """Fields that divide the units as a shown one does, by the shown one."""
    single: Sequence[str] = ()
    """Fields that were asked for but have one value, or none."""


def fields_to_slice(
    sheets: Sequence[Marksheet], *, optional: frozenset[str] = frozenset()
) -> SlicedFields:
    """Fields that marks were asked by, then those with few values that intervals can be had of.

    An interval resamples whole records, so at least two values must have units of two records:
    that leaves out titles and whatever else only names the record. Of several fields that divide
    the units alike, such as a title and an address, the first is shown. ``optional`` fields, which
    nobody asked for by name, are shown if two of their slices are large.
    """
    requested = dict.fromkeys(field for sheet in sheets for field in sheet.recorded.by)
    fullest = max(sheets, key=lambda sheet: len(sheet.units))
    names = dict.fromkeys(name for unit in fullest.units for name in unit.fields)
    others = [name for name in names if name not in requested and _few(fullest, name)]
    first: dict[frozenset[tuple[int, ...]], str] = {}
    alike: dict[str, list[str]] = {}
    single = []
    for name in [*requested, *others]:
        if name in optional and not _has_large_slices(fullest, name):
            continue
        groups = partition(fullest.units, name)
        if len(groups) < FEWEST and _recorded_slices(sheets, name):
            first[frozenset({(-1, len(first))})] = name  # no partition: it is like no other
        elif len(groups) < FEWEST:
            single.append(name)
        elif groups in first:
            alike.setdefault(first[groups], []).append(name)
        else:
            first[groups] = name
    return SlicedFields(list(first.values()), alike, single)


def _has_large_slices(sheet: Marksheet, name: str) -> bool:
    units: dict[str, int] = {}
    records: dict[str, set[str]] = {}
    for unit in sheet.units:
        for label in labels_of(unit.fields.get(name)):
            units[label] = units.get(label, 0) + 1
            records.setdefault(label, set()).add(unit.group)
    large = (
        label
        for label in units.keys() - {ABSENT}
        if units[label] >= LARGE_UNITS and len(records[label]) >= LARGE_RECORDS
    )
    return sum(1 for _ in large) >= FEWEST


def partition(units: Sequence[MarkedUnit], name: str) -> frozenset[tuple[int, ...]]:
    """How a field divides units, whatever its values are called."""
    groups: dict[str, list[int]] = {}
    for index, unit in enumerate(units):
        for label in labels_of(unit.fields.get(name)):
            groups.setdefault(label, []).append(index)
    return frozenset(map(tuple, groups.values()))


def _recorded_slices(sheets: Sequence[Marksheet], name: str) -> bool:
    """Whether a marksheet has several slices of a field that its units do not record."""
    return any(len(sheet.recorded.by.get(name, ())) >= FEWEST for sheet in sheets)


def _few(sheet: Marksheet, name: str) -> bool:
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
    values: dict[str, None] = {}
    for unit_labels in labels:
        values.update(dict.fromkeys(unit_labels))
        if len(values) > most:
            return []
    return list(values) if len(values) > 1 else []
