"""Which questions and passages an agreement report tells of, and whether some are hidden.

A report has counts, such as how often each label met each: less those of the published splits, they
are the labels of the hidden ones.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from readmark.corpus.errors import DataError
from readmark.corpus.published import split_of
from readmark.corpus.test import Test

Covers = Literal["published", "hidden", "unknown"]
"""Published splits alone; hidden ones too; or the report does not list all that it is of."""


@dataclass(frozen=True, slots=True)
class Reach:
    """What a report is known to tell of."""

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


def reach_of(
    test: Test, comparisons: Iterable[Mapping[str, Any]], path: str | Path, hidden: Sequence[str]
) -> Reach:
    """Compare what a report names with the test; one that names nothing of it is refused."""
    comparisons = list(comparisons)
    ids = _ids(test, hidden)
    named = {id for one in comparisons for id in _named(one)}
    strange = len(named - ids.shown - ids.hidden)
    if named and strange == len(named):
        raise DataError(
            f"is of another test: nothing that it names ({_some(sorted(named))}) is in {test.file}",
            file=path,
        )
    unseen = named & ids.hidden
    covers: Covers = "unknown"
    why = ""
    if unseen:
        covers, why = "hidden", f"it names {_some(sorted(unseen))}"
    elif not hidden or all("ids" in one for one in comparisons):
        covers = "published"
    elif why := next(filter(None, (_too_many(one, ids) for one in comparisons)), ""):
        covers = "hidden"
    return Reach(covers, len(named), len(unseen), strange, why)


def _too_many(comparison: Mapping[str, Any], ids: _Ids) -> str:
    """More than what is published cannot be of that alone."""
    noun = str(comparison["unit"])
    units = int(comparison["units"]) + len(comparison.get("partial") or ())
    most = {"question": ids.units, "passage": ids.records}.get(noun, len(ids.shown))
    return f"it is of {units} {noun}s, published: {most}" if units > most else ""


def _named(comparison: Mapping[str, Any]) -> Iterable[str]:
    """The ids in a comparison: all of them where it lists them, else those that stand out."""
    for name in ("ids", "disagreed", "partial"):
        yield from comparison.get(name) or ()


def _ids(test: Test, hidden: Sequence[str]) -> _Ids:
    ids = _Ids()
    for record in test.records():
        unseen = split_of(record) in hidden
        own = [unit.id for unit in test.kind.units(record)]
        (ids.hidden if unseen else ids.shown).update((record.id, *own))
        if not unseen:
            ids.records += 1
            ids.units += len(own)
    ids.shown -= ids.hidden
    return ids


def _some(ids: Collection[str], shown: int = 3) -> str:
    more = ", …" if len(ids) > shown else ""
    return f"{', '.join(list(ids)[:shown])}{more}"
