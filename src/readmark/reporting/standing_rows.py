"""The rows of standings: marks by split and slice, people's, and candidates from best to worst."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import fmean

import msgspec

from readmark.marking import Slice
from readmark.reporting.marks_in_memory import WHOLE, Cells
from readmark.reporting.runs import RunRow
from readmark.reporting.split_sheets import SplitSheet
from readmark.reporting.standings import SplitMarks, Standing, StandingMark, StandingSlice


def standing_row(name: str, cells: Cells, field: str, *, method: str | None = None) -> Standing:
    """A candidate's row, or with a method people's; ``field`` is that of the slices."""
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


def people_rows(parts: Sequence[SplitSheet], metrics: Sequence[str]) -> dict[str, RunRow]:
    """People's marks by method, on each split from the marksheet with most of its units."""
    rows: dict[str, RunRow] = {}
    for part in parts:
        method = part.sheet.recorded.people_method
        if method is None or not (cells := part.people(metrics)):
            continue
        name = f"{part.sheet.header.test.who(method)} ({method})"
        row = rows.setdefault(method, RunRow(name))
        for split, levels in cells.items():
            before = row.cells.get(split, {}).get(WHOLE)
            if WHOLE in levels and (before is None or levels[WHOLE].units > before.units):
                row.cells[split] = levels
    return rows


def ranked_rows(
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
    learnt = {row.name for row in candidates if split in row.seen and not row.may_lead}
    ranked, unranked = [], []
    for row in rows:
        scores = [score for metric in metrics if (score := row.score(split, metric)) is not None]
        if len(scores) == len(metrics) and row.name not in learnt:
            ranked.append(msgspec.structs.replace(row, mean=fmean(scores)))
        else:
            unranked.append(row)
    sign = 1.0 if lower_is_better else -1.0
    ranked.sort(key=lambda row: sign * (row.mean or 0.0))
    placed = [
        msgspec.structs.replace(row, ranks=(place, place)) for place, row in enumerate(ranked, 1)
    ]
    return [*placed, *unranked]
