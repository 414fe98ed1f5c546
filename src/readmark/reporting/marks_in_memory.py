"""Marks that are in memory as the rows of a table: ``readmark.table(marks_a, marks_b)``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from readmark.core.errors import UsageError
from readmark.core.seen import SeenPassages
from readmark.core.signatures import metric_rules, signature_parts
from readmark.core.unvalidated import UNVALIDATED
from readmark.marking import Mark, Marks, PeopleComparison, Slice
from readmark.reporting.page.sections import portable_name

WHOLE = ""
"""All units of a test or split, among its levels."""

Cells = dict[str, dict[str, Slice]]
"""Marks by test or split, then by level; ``WHOLE`` has all of it."""


@dataclass(slots=True)
class SideBySideRow:
    """A candidate's marks by test and level, or people's."""

    name: str
    cells: Cells = field(default_factory=dict)
    method: str | None = None
    seen: dict[str, SeenPassages] = field(default_factory=dict)
    """By test, how much of it the candidate learnt from, where it did."""
    may_lead: bool = True


def marks_rows(
    all_marks: Sequence[Marks], metrics: Sequence[str], *, by: str, same_sets: bool
) -> list[SideBySideRow]:
    """A row for people by each method, then one a candidate; a candidate may sit several tests."""
    _require_comparable(all_marks, metrics)
    rows: list[SideBySideRow] = []
    people: dict[str, SideBySideRow] = {}
    for marks in all_marks:
        name = portable_name(marks.candidate)
        name = f"{name} ({marks.coverage.covers})" if marks.coverage.covers else name
        test = marks.test.name
        row = next((row for row in rows if row.name == name and test not in row.cells), None)
        if row is None:
            row = SideBySideRow(name)
            rows.append(row)
        if marks.seen is not None:
            row.seen[test] = marks.seen
        row.may_lead = row.may_lead and marks.may_lead
        row.cells[test] = _same_sets(marks, metrics, by) if same_sets else _marks(marks, by)
        if marks.people is not None:
            method = marks.people.method
            name = f"{marks.test.who(method)} ({method})"
            row = people.setdefault(method, SideBySideRow(name, method=method))
            cells = _compared(marks, metrics, by, "people")
            # Marks of a part of a test compare with fewer people's answers than those of all.
            if test not in row.cells or row.cells[test][WHOLE].units < cells[WHOLE].units:
                row.cells[test] = cells
    return [*people.values(), *rows]


def default_metrics(all_marks: Sequence[Marks]) -> list[str]:
    """EM and F1, or else the first two that all have."""
    first = all_marks[0].marks
    shared = [name for name in first if all(name in marks.marks for marks in all_marks)]
    return [name for name in ("em", "f1") if name in shared] or shared[:2]


def cluster_noun(marks: Marks) -> str:
    """What the intervals resample: passage, series, document."""
    signature = next(iter(marks.marks.values())).signature
    return signature_parts(signature).get("clusters", "passage")


def _marks(marks: Marks, by: str) -> dict[str, Slice]:
    return {WHOLE: Slice(marks.units, marks.marks), **marks.by.get(by, {})}


def _same_sets(marks: Marks, metrics: Sequence[str], by: str) -> dict[str, Slice]:
    if marks.people is None:
        raise UsageError(f"{marks.candidate} has no answers of two people to mark against")
    return _compared(marks, metrics, by, "machine")


def _compared(marks: Marks, metrics: Sequence[str], by: str, whose: str) -> dict[str, Slice]:
    """The candidate's or people's side of the comparison: scores, whose intervals are not known."""
    people = marks.people
    if people is None:
        return {}
    parts = {WHOLE: (people.units, people.marks)}
    parts |= {label: (part.units, part.marks) for label, part in people.by.get(by, {}).items()}
    return {
        label: Slice(units, _scores(marks.marks, compared, metrics, whose))
        for label, (units, compared) in parts.items()
    }


def _scores(
    like: Mapping[str, Mark],
    compared: Mapping[str, PeopleComparison],
    metrics: Sequence[str],
    whose: str,
) -> dict[str, Mark]:
    return {
        name: replace(like[name], score=getattr(compared[name], whose), low=None, high=None)
        for name in metrics
        if name in compared
    }


def _require_comparable(all_marks: Sequence[Marks], metrics: Sequence[str]) -> None:
    """A column is of one test, marked by the same rules."""
    firsts: dict[str, Marks] = {}
    for marks in all_marks:
        for name in metrics:
            if name not in marks.marks:
                listed = ", ".join(marks.marks)
                raise UsageError(f"{marks.candidate} has no marks of {name}; it has {listed}")
        first = firsts.setdefault(marks.test.name, marks)
        ours, theirs = first.test, marks.test
        if (ours.paper, ours.key) != (theirs.paper, theirs.key):
            raise UsageError(f"two tests are called {ours.name}")
        for name in metrics:
            if metric_rules(first.marks[name].signature) != metric_rules(
                marks.marks[name].signature
            ):
                raise UsageError(f"{name} on {ours.name} was marked by other rules; mark it again")
        if f"|beside people:{UNVALIDATED}" in marks.marks[metrics[0]].signature:
            raise UsageError(f"{metrics[0]} is {UNVALIDATED}: name another metric first")
