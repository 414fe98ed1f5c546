"""The columns of standings: splits in their order, metrics, and which splits say little."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from readmark.core.counts import plural
from readmark.core.errors import UsageError, did_you_mean
from readmark.reporting.marks_in_memory import WHOLE, Cells
from readmark.reporting.standings import Standing, StandingMetric, StandingSplit
from readmark.statistics.interval_methods import FEW_CLUSTERS

RANKED_BY = "test"
ORDER = ("train", "dev", "development", "trial", "test", "challenge")
"""Splits that are known come in this order, others after them as they come."""


def in_known_order(splits: Mapping[str, None]) -> list[str]:
    """The splits from the one to learn from to the hardest."""
    first = [name for name in ORDER if name in splits]
    return [*first, *(name for name in splits if name not in first)]


def split_columns(names: Sequence[str], rows: Sequence[Standing]) -> list[StandingSplit]:
    """Splits with as many units as any row has there."""
    return [
        StandingSplit(name=name, units=max((row.units(name) for row in rows), default=0))
        for name in names
    ]


def metric_columns(
    names: Sequence[str],
    rows: Iterable[Cells],
    *,
    lower: Sequence[str],
    unvalidated: frozenset[str] = frozenset(),
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
            is_unvalidated=name in unvalidated,
        )
        for name in names
    ]


def ranked_by(requested: str | None, splits: Sequence[str]) -> tuple[str | None, list[str]]:
    """The split that candidates are ordered by; None, with a note, where none suggests itself."""
    if requested is not None:
        if requested not in splits:
            raise UsageError(f"no split {requested!r}; {did_you_mean(requested, splits)}")
        return requested, []
    if RANKED_BY in splits:
        return RANKED_BY, []
    if len(splits) == 1:
        return splits[0], []
    return None, [f"no split {RANKED_BY!r}: candidates are in the given order; try `rank_by`"]


def few_clusters(rows: Sequence[Standing], splits: Sequence[str], noun: str) -> str | None:
    """The splits with few clusters, where an order of rows says little."""
    few = {}
    for split in splits:
        parts = [part for row in rows if (part := row.splits.get(split))]
        marks = [mark for part in parts for mark in (part.marks or {}).values()]
        counts = [mark.clusters for mark in marks if mark.clusters]
        if counts and max(counts) < FEW_CLUSTERS:
            few[split] = max(counts)
    if not few:
        return None
    listed = ", ".join(f"{split} {count}" for split, count in few.items())
    return (
        f"fewer than {FEW_CLUSTERS} {plural(noun)} ({listed}): "
        "the order may be chance; readmark compare tests differences"
    )
