"""Candidates and people side by side on the splits of a test, from marksheets alone.

The layouts are CMRC 2018's Table 2 (candidates by splits, the human row first, ordered by the mean
of EM and F1 on the test split) and SMART's tables 2 and 3 (levels by candidates and people).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import Any

from readmark.corpus.errors import DataError, UsageError, did_you_mean
from readmark.corpus.labels import in_order
from readmark.marking.judging.labels import UNVALIDATED
from readmark.marking.marks import Slice
from readmark.marking.people import LEAVE_ONE_OUT
from readmark.marking.results import slice_json
from readmark.marking.settings import FEW_CLUSTERS, plural
from readmark.reporting.html.sheets import Sheet
from readmark.reporting.html.whose import AUTHORS
from readmark.workflows.standing_rows import Row, rows_of
from readmark.workflows.standing_sheets import (
    WHOLE,
    Cells,
    SplitSheet,
    read_split_sheet,
    require_comparable,
    require_marks,
    require_one_kind,
)

LEVEL = "level"
RANKED_BY = "test"
ORDER = ("train", "dev", "development", "trial", "test", "challenge")
"""Splits that are known come in this order, others after them as they come."""


@dataclass(frozen=True, slots=True)
class Standing:
    """A row: a candidate's marks, or people's."""

    name: str
    cells: Cells
    method: str | None = None
    """How people's marks were made; None for a candidate."""
    mean: float | None = None
    """The mean of the metrics on the split that candidates are ordered by."""
    rank: int | None = None

    def slice(self, split: str, level: str = WHOLE) -> Slice | None:
        """The marks of a cell; None where there are none."""
        return self.cells.get(split, {}).get(level)

    def units(self, split: str, level: str = WHOLE) -> int:
        """How many units a cell has."""
        found = self.slice(split, level)
        return found.units if found is not None else 0

    def counted(self, split: str, metric: str, level: str = WHOLE) -> int:
        """How many units of a cell a metric counts."""
        found = self.slice(split, level)
        return found.counted.get(metric, found.units) if found is not None else 0

    def score(self, split: str, metric: str, level: str = WHOLE) -> float | None:
        """One score."""
        found = self.slice(split, level)
        mark = found.marks.get(metric) if found is not None else None
        return mark.score if mark is not None else None


@dataclass(frozen=True, slots=True)
class Standings:
    """People first, then candidates from the best to the worst."""

    rows: Sequence[Standing]
    metrics: Sequence[str]
    splits: Sequence[str]
    field: str
    levels: Sequence[str]
    ranked_by: str | None
    same_sets: bool
    notes: Sequence[str] = ()
    few_clusters: str | None = None
    """Which splits have few passages, series or documents, in words."""

    def as_json(self) -> dict[str, Any]:
        """The document that ``table --json`` prints; a split that was not sat is null."""
        return {
            "metrics": list(self.metrics),
            "splits": list(self.splits),
            "field": self.field,
            "levels": list(self.levels),
            "ranked_by": self.ranked_by,
            "same_sets": self.same_sets,
            "rows": [self._row_json(row) for row in self.rows],
            "notes": list(self.notes),
            **({"few_clusters": self.few_clusters} if self.few_clusters else {}),
        }

    def _row_json(self, row: Standing) -> dict[str, Any]:
        told: dict[str, Any] = {"name": row.name, "people": row.method, "rank": row.rank}
        told["mean"] = row.mean
        told["splits"] = {
            split: None
            if row.slice(split) is None
            else {
                **slice_json(row.cells[split][WHOLE]),
                "by": {
                    level: slice_json(one)
                    for level, one in row.cells[split].items()
                    if level != WHOLE
                },
            }
            for split in self.splits
        }
        return told


def standings(
    marksheets: Sequence[str],
    *,
    metrics: Sequence[str] = (),
    rank_by: str | None = None,
    by: str = LEVEL,
    same_sets: bool = False,
) -> Standings:
    """Read marksheets (``FILE``, or ``SPLIT=FILE``) and put their marks into one table.

    A unit's split is its field ``split``; where units have none it is the name given before the
    file, else the test's name. ``same_sets`` marks candidates against the leave-one-out sets that
    people are marked against.
    """
    parts = [read_split_sheet(one, by) for one in marksheets]
    return standings_of(parts, metrics=metrics, rank_by=rank_by, by=by, same_sets=same_sets)


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
    _require_validated(parts, asked[:1])
    sat = [(one, one.cells(asked, same_sets=same_sets)) for one in parts if one.sheet.sat]
    rows, told_apart = rows_of(sat)
    people: dict[str, Row] = {}
    for part in parts:
        for method, cells in part.people(asked):
            _widest(people, part, method, cells)
    found = [*rows, *people.values()]
    if not any(row.cells for row in found):
        raise DataError(f"no marksheet has marks of {', '.join(asked)}", file=parts[0].sheet.file)
    splits = _ordered(dict.fromkeys(split for part in parts for split in part.splits))
    ranked, unranked = _ranked_by(rank_by, splits)
    notes = [*unranked, *told_apart]
    labels = {level for row in found for one in row.cells.values() for level in one}
    levels = sorted(labels - {WHOLE}, key=in_order)
    if people.get(LEAVE_ONE_OUT) and rows and not same_sets:
        notes.append("people face one reference fewer than candidates (see --same-sets)")
    if by != LEVEL and not levels:
        notes.append(f"no unit has the field {by!r}")
    humans = [Standing(row.name, row.cells, method) for method, row in people.items()]
    lower = all(parts[0].recorded[one].lower_is_better for one in asked if one in parts[0].recorded)
    ordered = [*humans, *_ranked(rows, asked, ranked, lower_is_better=lower)]
    few = _few_clusters(ordered, splits, parts[0].sheet.kind.record_noun)
    return Standings(ordered, asked, splits, by, levels, ranked, same_sets, notes, few)


def _few_clusters(rows: Sequence[Standing], splits: Sequence[str], noun: str) -> str | None:
    """The splits with few clusters, where an order of rows says little."""
    found = {}
    for split in splits:
        marks = [mark for row in rows if (one := row.slice(split)) for mark in one.marks.values()]
        counts = [mark.clusters for mark in marks if mark.clusters]
        if counts and max(counts) < FEW_CLUSTERS:
            found[split] = max(counts)
    if not found:
        return None
    listed = ", ".join(f"{split} {count}" for split, count in found.items())
    few = f"fewer than {FEW_CLUSTERS} {plural(noun)} ({listed})"
    return f"{few}: the order may be chance; readmark compare tests differences"


def _require_validated(parts: Sequence[SplitSheet], leading: Sequence[str]) -> None:
    """A judge that was not held against people leads no table."""
    for name in leading:
        for part in parts:
            if f"|beside people:{UNVALIDATED}" in part.sheet.header.metrics.get(name, ""):
                raise UsageError(
                    f"{part.sheet.file}: {name} is {UNVALIDATED}: name another metric first"
                )


def _default_metrics(sheet: Sheet) -> list[str]:
    both: list[str] = [name for name in ("em", "f1") if name in sheet.header.metrics]
    return both or list(sheet.header.metrics)[:2]


def _widest(people: dict[str, Row], part: SplitSheet, method: str, cells: Cells) -> None:
    """People's marks on a split, from the marksheet with most of its units."""
    authors = part.sheet.header.test.people == AUTHORS and method == LEAVE_ONE_OUT
    name = f"{'references' if authors else 'people'} ({method})"
    row = people.setdefault(method, Row(name))
    for split, found in cells.items():
        known = row.cells.get(split, {}).get(WHOLE)
        if WHOLE in found and (known is None or found[WHOLE].units > known.units):
            row.cells[split] = found


def _ordered(splits: Mapping[str, None]) -> list[str]:
    known = [name for name in ORDER if name in splits]
    return [*known, *(name for name in splits if name not in known)]


def _ranked_by(asked: str | None, splits: Sequence[str]) -> tuple[str | None, list[str]]:
    if asked is not None:
        if asked not in splits:
            raise UsageError(f"no split {asked!r}; {did_you_mean(asked, splits)}")
        return asked, []
    if RANKED_BY in splits:
        return RANKED_BY, []
    if len(splits) == 1:
        return splits[0], []
    return None, [f"no split {RANKED_BY!r}, so candidates stand as given; --rank-by names another"]


def _ranked(
    rows: Sequence[Row], metrics: Sequence[str], split: str | None, *, lower_is_better: bool
) -> list[Standing]:
    """From the best mean to the worst, then those that have none, as given."""
    told = [Standing(row.name, row.cells) for row in rows]
    if split is None:
        return told
    means = [[row.score(split, metric) for metric in metrics] for row in told]
    pairs = [
        (fmean([one for one in several if one is not None]), row)
        for several, row in zip(means, told, strict=True)
        if all(one is not None for one in several)
    ]
    pairs.sort(key=lambda pair: pair[0] if lower_is_better else -pair[0])
    best = [
        Standing(row.name, row.cells, None, mean, at) for at, (mean, row) in enumerate(pairs, 1)
    ]
    placed = {row.name for _, row in pairs}
    return [*best, *(row for row in told if row.name not in placed)]
