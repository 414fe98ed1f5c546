"""The fields that units are sliced by: those of the file, else those that the kind derives."""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Mapping, Sequence
from typing import Any

from readmark.core.errors import UsageError
from readmark.core.labels import labels_of
from readmark.core.records import Unit
from readmark.core.test import Test
from readmark.marking.kind_extras import DerivedField, DerivesFields

QUARTILES = "bins:quartiles of the test"
OWN = ("level", "type", "difficulty", "genre", "topic")
"""Fields of a file that say of what sort a unit is."""
USUAL = ("level", "type")
"""The fields that pages and boards break marks down by, where nobody asks for others."""


class UnitFields:
    """Fields of a test's units, by which marks can be broken down: their values and labels."""

    def __init__(self, test: Test, names: Sequence[str]) -> None:
        """Read the test once where a field may be derived: for its own fields and quartiles."""
        self.names = tuple(names)
        offered = derived_fields(test) if names else {}
        derived = {name: offered[name] for name in names if name in offered}
        values: dict[str, dict[str, float]] = {name: {} for name in derived}
        for unit in test.units() if derived else ():
            for name in [name for name in derived if unit.field(name) is not None]:
                del derived[name]  # the file's own
            for name, field in derived.items():
                if field.quartiles and (value := field.value(unit)) is not None:
                    values[name][unit.id] = value
        self._derived = derived
        self._labels = {
            name: quartile_labels(values[name], decimals=field.decimals)
            for name, field in derived.items()
            if field.quartiles
        }

    @property
    def rules(self) -> dict[str, str]:
        """What decides the values of the fields that are derived."""
        return {
            name: f"{field.rules}|{QUARTILES}" if field.quartiles else field.rules
            for name, field in self._derived.items()
        }

    def value(self, unit: Unit, name: str) -> Any:
        """A unit's value of a field: the derived one only where no unit of the file has any."""
        derived = self._derived.get(name)
        if derived is None:
            return unit.field(name)
        return self._labels[name].get(unit.id) if derived.quartiles else derived.value(unit)


def units_by_slice(test: Test, names: Sequence[str]) -> dict[tuple[str, str], list[str]]:
    """The ids of the units in each slice of a test, by field and value."""
    fields = UnitFields(test, known_fields(test, names))
    slices: dict[tuple[str, str], list[str]] = {}
    for unit in test.units() if names else ():
        for name in fields.names:
            for label in labels_of(fields.value(unit, name)):
                slices.setdefault((name, label), []).append(unit.id)
    return slices


def known_fields(test: Test, names: Sequence[str]) -> list[str]:
    """Fields by their names, each once; an unknown one is an error that lists the others.

    Known are the fields that some unit has, on its key, on itself or on its record, and those
    that the kind of test declares or derives, even where no unit has them.
    """
    missing = dict.fromkeys(names)
    derived = derived_fields(test) if missing else {}
    for name in [name for name in missing if name in derived]:
        del missing[name]
    there: set[str] = set()
    for unit in test.units() if missing else ():
        for name in [name for name in missing if unit.may_have(name)]:
            del missing[name]
        if not missing:
            break
        there |= unit.scalars().keys()
    if missing:
        unknown = " or ".join(repr(name) for name in missing)
        there |= derived.keys()
        listed = f"its fields are {', '.join(sorted(there))}" if there else "its units have none"
        raise UsageError(f"{test.file} has no field {unknown}; {listed}")
    return list(dict.fromkeys(names))


def looked_at_fields(test: Test, asked: Sequence[str] = ()) -> list[str]:
    """Those asked for, the file's own of the usual sorts, and the usual ones that are derived."""
    derived = [name for name, field in derived_fields(test).items() if field.is_usual]
    return list(dict.fromkeys([*known_fields(test, asked), *_own_fields(test), *derived]))


def _own_fields(test: Test) -> list[str]:
    """Fields of the file that the first unit has."""
    unit = next(iter(test.units()), None)
    return [] if unit is None else [name for name in OWN if unit.field(name) is not None]


def usual_fields(test: Test) -> list[str]:
    """Level and type, where the test has them: what a page breaks marks down by."""
    return sorted({name for unit in test.units() for name in USUAL if unit.field(name)})


def derived_fields(test: Test) -> Mapping[str, DerivedField]:
    """What the test's kind can compute of a unit, by name."""
    return test.kind.derived_fields(test) if isinstance(test.kind, DerivesFields) else {}


def quartile_labels(values: Mapping[str, float], *, decimals: int = 0) -> dict[str, str]:
    """Each unit's quartile, named by the least and the greatest value in it, as in ``3 to 5``.

    A quartile ends at the value whose rank is n/4, n/2 or 3n/4, rounded up. Equal values are
    always in one quartile, the lower; so quartiles can differ in size, and be fewer than four.
    """
    rounded = {id: round(value, decimals) for id, value in values.items()}
    ordered = sorted(rounded.values())
    ends = sorted(
        {ordered[math.ceil(len(ordered) * part / 4) - 1] for part in (1, 2, 3) if ordered}
    )
    places = 0 if all(value == int(value) for value in ordered) else decimals
    bins: dict[int, list[float]] = {}
    for value in ordered:
        bins.setdefault(bisect_left(ends, value), []).append(value)
    labels = {}
    for index, members in bins.items():
        least, greatest = f"{members[0]:.{places}f}", f"{members[-1]:.{places}f}"
        labels[index] = least if members[0] == members[-1] else f"{least} to {greatest}"
    return {id: labels[bisect_left(ends, value)] for id, value in rounded.items()}
