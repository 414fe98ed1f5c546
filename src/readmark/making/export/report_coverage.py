"""Which questions and passages an agreement report covers, and whether some are hidden."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from readmark.core.errors import DataError
from readmark.core.numbers import first_ids
from readmark.core.record_members import split_of
from readmark.core.test import Test

Covers = Literal["published", "hidden", "unknown"]
"""Published splits alone; hidden ones too; or the report does not list all that it is of."""


@dataclass(frozen=True, slots=True)
class ReportCoverage:
    """What a report is known to cover."""

    covers: Covers
    units: int
    """Questions and passages that the report names."""
    hidden: int
    """Those among them that are of hidden splits."""
    strange: int
    """Those among them that the test does not have."""
    why: str = ""
    """What shows that hidden splits are covered."""


@dataclass(slots=True)
class _Ids:
    """The ids of a test's records and units, by whether they are hidden."""

    shown: set[str] = field(default_factory=set)
    hidden: set[str] = field(default_factory=set)
    records: int = 0
    units: int = 0
    """How many are shown."""


def coverage_of(
    test: Test, comparisons: Iterable[Mapping[str, Any]], path: str | Path, hidden: Sequence[str]
) -> ReportCoverage:
    """Compare what a report names with the test; one that names nothing of it is refused."""
    comparisons = list(comparisons)
    ids = _ids_of(test, hidden)
    # Everything that a report lists; one of an old version lists only what it singles out.
    named = {
        id
        for comparison in comparisons
        for member in ("ids", "disagreed", "partial")
        for id in comparison.get(member) or ()
    }
    strange = len(named - ids.shown - ids.hidden)
    if named and strange == len(named):
        first = first_ids(sorted(named))
        message = f"is of another test: nothing that it names ({first}) is in {test.file}"
        raise DataError(message, file=path)
    hidden_names = named & ids.hidden
    covers: Covers = "unknown"
    why = ""
    if hidden_names:
        covers, why = "hidden", f"it names {first_ids(sorted(hidden_names))}"
    elif not hidden or all("ids" in comparison for comparison in comparisons):
        covers = "published"
    elif why := next(filter(None, (_excess(comparison, ids) for comparison in comparisons)), ""):
        covers = "hidden"
    return ReportCoverage(covers, len(named), len(hidden_names), strange, why)


def _excess(comparison: Mapping[str, Any], ids: _Ids) -> str:
    """Why a report covers hidden splits: it counts more units than are published."""
    noun = str(comparison["unit"])
    units = int(comparison["units"]) + len(comparison.get("partial") or ())
    most = {"question": ids.units, "passage": ids.records}.get(noun, len(ids.shown))
    return f"it is of {units} {noun}s, published: {most}" if units > most else ""


def _ids_of(test: Test, hidden: Sequence[str]) -> _Ids:
    ids = _Ids()
    for record in test.records():
        is_hidden = split_of(record) in hidden
        unit_ids = [unit.id for unit in test.kind.units(record)]
        (ids.hidden if is_hidden else ids.shown).update((record.id, *unit_ids))
        if not is_hidden:
            ids.records += 1
            ids.units += len(unit_ids)
    ids.shown -= ids.hidden
    return ids
