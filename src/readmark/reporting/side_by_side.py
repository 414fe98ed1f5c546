"""``readmark table``: standings of marksheets, or of marks in memory.

The layouts are CMRC 2018's Table 2 (candidates by splits, the human row first, ordered by the mean
of EM and F1 on the test split) and SMART's tables 2 and 3 (levels by candidates and people).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import msgspec

from readmark.core.errors import DataError, UsageError
from readmark.core.marksheet import LEAVE_ONE_OUT
from readmark.core.unvalidated import unvalidated
from readmark.marking import Marks, Marksheet
from readmark.reporting.columns_of_tests import columns_of_tests
from readmark.reporting.comparable_sheets import (
    require_comparable,
    require_field,
    require_marks,
    require_one_kind,
    require_validated,
)
from readmark.reporting.marks_in_memory import cluster_noun, default_metrics, marks_rows
from readmark.reporting.runs import RunRow, number_names, rows_of
from readmark.reporting.split_sheets import (
    SplitSheet,
    only_split,
    split_and_file,
    split_sheet,
    whole_tests,
)
from readmark.reporting.standing_columns import (
    few_clusters,
    in_known_order,
    metric_columns,
    ranked_by,
    split_columns,
)
from readmark.reporting.standing_rows import people_rows, ranked_rows, standing_row
from readmark.reporting.standings import StandingColumns, StandingOrder, Standings

LEVEL = "level"
TABLE_METRICS = ("em", "f1")
"""The metrics of the table of splits."""


def table(
    *marksheets: str | Path | Marks,
    metrics: Sequence[str] | str = (),
    rank_by: str | None = None,
    by: str | None = None,
    same_sets: bool = False,
    split: str | None = None,
) -> Standings:
    """Candidates and people side by side, from marksheets (``FILE``, or ``SPLIT=FILE``) or marks.

    A unit's split is its field ``split``; where units have none it is the name given before the
    file, else the test's name. Of several tests with splits of one name, such as two languages,
    each has one column, called after the test. ``rank_by`` is the split that candidates are ordered
    by. With ``by``, a field such as level, there is a row for each of its values and a column for
    each candidate, otherwise the other way round. ``same_sets`` marks candidates against the
    leave-one-out sets that people are marked against. Of marks that are in memory the columns are
    their tests, and the levels are those of ``mark(..., by=...)``. ``split`` leaves that split of
    marksheets alone.
    """
    field = by or LEVEL
    names = [metrics] if isinstance(metrics, str) else metrics
    marks = [sheet for sheet in marksheets if isinstance(sheet, Marks)]
    if marks:
        if len(marks) < len(marksheets):
            raise UsageError("a table takes marks or marksheets, not both")
        if split is not None:
            raise UsageError("`split` is for marksheets: marks in memory are of their whole test")
        standings = _standings_of_marks(marks, names, rank_by, field, same_sets=same_sets)
    else:
        named = [split_and_file(str(sheet)) for sheet in marksheets]
        parts = [split_sheet(Marksheet.read(file), field, name) for name, file in named]
        if split is not None:
            parts = only_split(parts, split)
        if all(name is None for name, _ in named):
            parts = whole_tests(parts)
        if by is not None:
            require_field(parts, by)
        standings = standings_of(
            parts, metrics=names, rank_by=rank_by, by=field, same_sets=same_sets
        )
    return msgspec.structs.replace(standings, layout="cmrc" if by is None else "smart")


def _standings_of_marks(
    all_marks: Sequence[Marks],
    metrics: Sequence[str],
    rank_by: str | None,
    by: str,
    *,
    same_sets: bool,
) -> Standings:
    """The table of marks that are in memory."""
    columns = columns_of_tests([marks.test for marks in all_marks])
    all_marks = [
        replace(marks, test=msgspec.structs.replace(marks.test, name=column))
        for column, marks in zip(columns, all_marks, strict=True)
    ]
    names = list(metrics) or default_metrics(all_marks)
    rows = marks_rows(all_marks, names, by=by, same_sets=same_sets)
    candidates = [
        RunRow(row.name, row.cells, seen=row.seen, may_lead=row.may_lead)
        for row in rows
        if row.method is None
    ]
    number_names(candidates)
    tests = in_known_order(dict.fromkeys(marks.test.name for marks in all_marks))
    # Tests are no splits of one test: several are ordered by none unless one is named.
    order = tests[0] if len(tests) == 1 else None
    if rank_by is not None:
        order, _ = ranked_by(rank_by, tests)
    lower = [name for name in names if all_marks[0].lower_is_better(name)]
    standings = [
        standing_row(row.name, row.cells, by, method=row.method)
        for row in rows
        if row.method is not None
    ]
    standings += ranked_rows(candidates, by, names, order, lower_is_better=len(lower) == len(names))
    return Standings(
        columns=StandingColumns(
            splits=split_columns(tests, standings),
            metrics=metric_columns(names, (row.cells for row in rows), lower=lower),
        ),
        rows=standings,
        fields=[by],
        order=StandingOrder(split=order, metrics=names),
        same_sets=same_sets,
        few_clusters=few_clusters(standings, tests, cluster_noun(all_marks[0])),
    )


def standings_of(
    parts: Sequence[SplitSheet],
    *,
    metrics: Sequence[str] = (),
    rank_by: str | None = None,
    by: str = LEVEL,
    same_sets: bool = False,
) -> Standings:
    """The table of marksheets that were read."""
    if not parts:
        raise UsageError("a table needs at least one marksheet")
    require_one_kind(parts)
    first = parts[0].sheet
    names = list(metrics) or _default_metrics(first)
    require_marks(parts, names, chosen=bool(metrics))
    require_comparable(parts, names)
    require_validated(parts, names[:1])
    sat = [(part, part.cells(names, same_sets=same_sets)) for part in parts if part.sheet.sat]
    candidates, run_notes = rows_of(sat)
    people = people_rows(parts, names)
    everybody = [*candidates, *people.values()]
    if not any(row.cells for row in everybody):
        raise DataError(f"no marksheet has marks of {', '.join(names)}", file=first.file)
    splits = in_known_order(dict.fromkeys(split for part in parts for split in part.splits))
    order, notes = ranked_by(rank_by, splits)
    notes += run_notes
    if people.get(LEAVE_ONE_OUT) and candidates and not same_sets:
        who = people[LEAVE_ONE_OUT].name.partition(" (")[0]
        notes.append(f"{who} face one reference fewer than candidates (see `same_sets`)")
    directions = {name: first.lower_is_better(name) for name in first.metrics if name in names}
    lower = [name for name, is_lower in directions.items() if is_lower]
    unsure = frozenset().union(*(unvalidated(part.sheet.header.metrics) for part in parts))
    cells = (row.cells for row in everybody)
    rows = [standing_row(row.name, row.cells, by, method=method) for method, row in people.items()]
    rows += ranked_rows(candidates, by, names, order, lower_is_better=all(directions.values()))
    return Standings(
        columns=StandingColumns(
            splits=split_columns(splits, rows),
            metrics=metric_columns(names, cells, lower=lower, unvalidated=unsure),
        ),
        rows=rows,
        fields=[by],
        order=StandingOrder(split=order, metrics=names),
        same_sets=same_sets,
        notes=notes,
        few_clusters=few_clusters(rows, splits, first.kind.record_noun),
    )


def _default_metrics(sheet: Marksheet) -> list[str]:
    """EM and F1, or else the first two of the marksheet."""
    both: list[str] = [name for name in TABLE_METRICS if name in sheet.header.metrics]
    return both or list(sheet.header.metrics)[:2]
