"""``readmark table``: standings of marksheets, or of marks in memory.

The layouts are CMRC 2018's Table 2 (candidates by splits, the human row first, ordered by the mean
of EM and F1 on the test split) and SMART's tables 2 and 3 (levels by candidates and people).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from statistics import fmean

import msgspec

from readmark.core.counts import plural
from readmark.core.errors import DataError, UsageError, did_you_mean
from readmark.core.marksheet import LEAVE_ONE_OUT
from readmark.core.unvalidated import unvalidated
from readmark.marking import Marks, Marksheet, Slice
from readmark.reporting.columns_of_tests import columns_of_tests
from readmark.reporting.comparable_sheets import (
    require_comparable,
    require_field,
    require_marks,
    require_one_kind,
    require_validated,
)
from readmark.reporting.marks_in_memory import (
    WHOLE,
    Cells,
    cluster_noun,
    default_metrics,
    marks_rows,
)
from readmark.reporting.runs import RunRow, number_names, rows_of
from readmark.reporting.split_sheets import (
    SplitSheet,
    only_split,
    split_and_file,
    split_sheet,
    whole_tests,
)
from readmark.reporting.standings import (
    SplitMarks,
    Standing,
    StandingColumns,
    StandingMark,
    StandingMetric,
    StandingOrder,
    Standings,
    StandingSlice,
    StandingSplit,
)
from readmark.statistics.interval_methods import FEW_CLUSTERS

LEVEL = "level"
TABLE_METRICS = ("em", "f1")
"""The metrics of the table of splits."""
RANKED_BY = "test"
ORDER = ("train", "dev", "development", "trial", "test", "challenge")
"""Splits that are known come in this order, others after them as they come."""


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
    asked = [metrics] if isinstance(metrics, str) else metrics
    marks = [given for given in marksheets if isinstance(given, Marks)]
    if marks:
        if len(marks) < len(marksheets):
            raise UsageError("a table takes marks or marksheets, not both")
        if split is not None:
            raise UsageError("`split` is for marksheets: marks in memory are of their whole test")
        standings = _standings_of_marks(marks, asked, rank_by, field, same_sets=same_sets)
    else:
        named = [split_and_file(str(given)) for given in marksheets]
        parts = [split_sheet(Marksheet.read(file), field, name) for name, file in named]
        if split is not None:
            parts = only_split(parts, split)
        if all(name is None for name, _ in named):
            parts = whole_tests(parts)
        if by is not None:
            require_field(parts, by)
        standings = standings_of(
            parts, metrics=asked, rank_by=rank_by, by=field, same_sets=same_sets
        )
    return msgspec.structs.replace(standings, layout="cmrc" if by is None else "smart")


def _standings_of_marks(
    several: Sequence[Marks],
    metrics: Sequence[str],
    rank_by: str | None,
    by: str,
    *,
    same_sets: bool,
) -> Standings:
    """The table of marks that are in memory."""
    columns = columns_of_tests([marks.test for marks in several])
    several = [
        replace(marks, test=msgspec.structs.replace(marks.test, name=column))
        for column, marks in zip(columns, several, strict=True)
    ]
    asked = list(metrics) or default_metrics(several)
    rows = marks_rows(several, asked, by=by, same_sets=same_sets)
    candidates = [
        RunRow(row.name, row.cells, seen=row.seen, may_lead=row.may_lead)
        for row in rows
        if row.method is None
    ]
    number_names(candidates)
    tests = _in_known_order(dict.fromkeys(marks.test.name for marks in several))
    ranked = rank_by if rank_by is None else _ranked_by(rank_by, tests)[0]
    ranked = tests[0] if ranked is None and len(tests) == 1 else ranked
    lower = [name for name in asked if several[0].lower_is_better(name)]
    humans = [
        _row(row.name, row.cells, by, method=row.method) for row in rows if row.method is not None
    ]
    ordered = _ranked(candidates, by, asked, ranked, lower_is_better=len(lower) == len(asked))
    return Standings(
        columns=StandingColumns(
            splits=_split_columns(tests, [*humans, *ordered]),
            metrics=_metric_columns(asked, (row.cells for row in rows), lower=lower),
        ),
        rows=[*humans, *ordered],
        fields=[by],
        order=StandingOrder(split=ranked, metrics=asked),
        same_sets=same_sets,
        few_clusters=_few_clusters([*humans, *ordered], tests, cluster_noun(several[0])),
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
        raise UsageError("a table takes one marksheet or more")
    require_one_kind(parts)
    asked = list(metrics) or _default_metrics(parts[0].sheet)
    require_marks(parts, asked, chosen=bool(metrics))
    require_comparable(parts, asked)
    require_validated(parts, asked[:1])
    sat = [(part, part.cells(asked, same_sets=same_sets)) for part in parts if part.sheet.sat]
    candidates, run_notes = rows_of(sat)
    people: dict[str, RunRow] = {}
    for part in parts:
        method = part.sheet.recorded.people_method
        if method is not None and (cells := part.people(asked)):
            _widest(people, part, method, cells)
    everybody = [*candidates, *people.values()]
    if not any(row.cells for row in everybody):
        raise DataError(f"no marksheet has marks of {', '.join(asked)}", file=parts[0].sheet.file)
    splits = _in_known_order(dict.fromkeys(split for part in parts for split in part.splits))
    ranked, notes = _ranked_by(rank_by, splits)
    notes += run_notes
    if people.get(LEAVE_ONE_OUT) and candidates and not same_sets:
        who = people[LEAVE_ONE_OUT].name.partition(" (")[0]
        notes.append(f"{who} face one reference fewer than candidates (see `same_sets`)")
    directions = {
        name: parts[0].sheet.lower_is_better(name)
        for name in parts[0].sheet.metrics
        if name in asked
    }
    lower = [name for name, is_lower in directions.items() if is_lower]
    humans = [_row(row.name, row.cells, by, method=method) for method, row in people.items()]
    ordered = _ranked(candidates, by, asked, ranked, lower_is_better=all(directions.values()))
    return Standings(
        columns=StandingColumns(
            splits=_split_columns(splits, [*humans, *ordered]),
            metrics=_metric_columns(
                asked,
                (row.cells for row in everybody),
                lower=lower,
                unsure=frozenset().union(
                    *(unvalidated(part.sheet.header.metrics) for part in parts)
                ),
            ),
        ),
        rows=[*humans, *ordered],
        fields=[by],
        order=StandingOrder(split=ranked, metrics=asked),
        same_sets=same_sets,
        notes=notes,
        few_clusters=_few_clusters([*humans, *ordered], splits, parts[0].sheet.kind.record_noun),
    )


# Columns.


def _split_columns(names: Sequence[str], rows: Sequence[Standing]) -> list[StandingSplit]:
    """Splits with as many units as any row has there."""
    return [
        StandingSplit(name=name, units=max((row.units(name) for row in rows), default=0))
        for name in names
    ]


def _metric_columns(
    names: Sequence[str],
    rows: Iterable[Cells],
    *,
    lower: Sequence[str],
    unsure: frozenset[str] = frozenset(),
) -> list[StandingMetric]:
    """Metrics with what decided their numbers."""
    scales: dict[str, float] = {}
    signatures: dict[str, dict[str, None]] = {name: {} for name in names}
    for cells in rows:
        for levels in cells.values():
            for name, mark in levels[WHOLE].marks.items():
                if name in signatures:
                    scales.setdefault(name, mark.scale)
                    signatures[name][mark.signature] = None
    return [
        StandingMetric(
            name=name,
            scale=scales.get(name, 1.0),
            lower_is_better=name in lower,
            signatures=list(signatures[name]),
            is_unvalidated=name in unsure,
        )
        for name in names
    ]


def _in_known_order(splits: Mapping[str, None]) -> list[str]:
    known = [name for name in ORDER if name in splits]
    return [*known, *(name for name in splits if name not in known)]


def _default_metrics(sheet: Marksheet) -> list[str]:
    both: list[str] = [name for name in TABLE_METRICS if name in sheet.header.metrics]
    return both or list(sheet.header.metrics)[:2]


def _few_clusters(rows: Sequence[Standing], splits: Sequence[str], noun: str) -> str | None:
    """The splits with few clusters, where an order of rows says little."""
    found = {}
    for split in splits:
        parts = [part for row in rows if (part := row.splits.get(split))]
        marks = [mark for part in parts for mark in (part.marks or {}).values()]
        counts = [mark.clusters for mark in marks if mark.clusters]
        if counts and max(counts) < FEW_CLUSTERS:
            found[split] = max(counts)
    if not found:
        return None
    listed = ", ".join(f"{split} {count}" for split, count in found.items())
    few = f"fewer than {FEW_CLUSTERS} {plural(noun)} ({listed})"
    return f"{few}: the order may be chance; readmark compare tests differences"


# Rows.


def _row(name: str, cells: Cells, field: str, *, method: str | None = None) -> Standing:
    return Standing(name=name, splits=_splits(cells, field), method=method)


def _splits(cells: Cells, field: str) -> dict[str, SplitMarks]:
    splits = {}
    for split, levels in cells.items():
        slices = {
            level: StandingSlice(units=part.units, marks=_marks(part))
            for level, part in levels.items()
            if level != WHOLE
        }
        whole = levels[WHOLE]
        splits[split] = SplitMarks(
            units=whole.units, marks=_marks(whole), by={field: slices} if slices else {}
        )
    return splits


def _marks(part: Slice) -> dict[str, StandingMark]:
    return {
        name: StandingMark(
            score=mark.score,
            low=mark.low,
            high=mark.high,
            clusters=mark.clusters,
            units=mark.units,
        )
        for name, mark in part.marks.items()
    }


def _widest(people: dict[str, RunRow], part: SplitSheet, method: str, cells: Cells) -> None:
    """People's marks on a split, from the marksheet with most of its units."""
    name = f"{part.sheet.header.test.who(method)} ({method})"
    row = people.setdefault(method, RunRow(name))
    for split, found in cells.items():
        known = row.cells.get(split, {}).get(WHOLE)
        if WHOLE in found and (known is None or found[WHOLE].units > known.units):
            row.cells[split] = found


def _ranked_by(asked: str | None, splits: Sequence[str]) -> tuple[str | None, list[str]]:
    if asked is not None:
        if asked not in splits:
            raise UsageError(f"no split {asked!r}; {did_you_mean(asked, splits)}")
        return asked, []
    if RANKED_BY in splits:
        return RANKED_BY, []
    if len(splits) == 1:
        return splits[0], []
    return None, [f"no split {RANKED_BY!r}: candidates are in the given order; try `rank_by`"]


def _ranked(
    candidates: Sequence[RunRow],
    field: str,
    metrics: Sequence[str],
    split: str | None,
    *,
    lower_is_better: bool,
) -> list[Standing]:
    """From the best mean to the worst, then those that have no rank, as given.

    Who learnt from the split has none, unless that was asked for.
    """
    rows = []
    for candidate in candidates:
        splits = _splits(candidate.cells, field)
        for name, seen in candidate.seen.items():
            splits[name] = msgspec.structs.replace(splits[name], seen=seen)
        rows.append(Standing(name=candidate.name, splits=splits))
    if split is None:
        return rows
    apart = {one.name for one in candidates if split in one.seen and not one.may_lead}
    ranked, unranked = [], []
    for row in rows:
        scores = [score for metric in metrics if (score := row.score(split, metric)) is not None]
        if len(scores) == len(metrics) and row.name not in apart:
            ranked.append(msgspec.structs.replace(row, mean=fmean(scores)))
        else:
            unranked.append(row)
    sign = 1.0 if lower_is_better else -1.0
    ranked.sort(key=lambda row: sign * (row.mean or 0.0))
    placed = enumerate(ranked, 1)
    return [
        *(msgspec.structs.replace(row, ranks=(place, place)) for place, row in placed),
        *unranked,
    ]
