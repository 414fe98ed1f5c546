"""Whether marks fall with the level of a question: of the candidate, of people, and of the gap.

"SMART: A Stratified Machine Reading Test" asks whether harder levels are harder for machines and
for people alike. A trend is the change of the mark from one level to the next.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from readmark.core.arrays import Bools, Floats
from readmark.hooks import Metric
from readmark.marking.marks import Clusters
from readmark.marking.metrics import is_additive
from readmark.marking.people import person_columns
from readmark.marking.settings import JACKKNIFE, MarkSettings
from readmark.marking.tally import Tally
from readmark.marking.trend_values import LevelTrend, Trends
from readmark.statistics.trends import Trend, trend

LEVEL = "level"
"""The field whose values are in an order that means something."""
_CLOSE = 1e-9  # a mean of units and the mark of all of them, where they are the same


def level_trends(
    tally: Tally, settings: MarkSettings, *, method: str | None = None, sat: bool = True
) -> Trends:
    """The trends over levels of every metric whose mark is the mean of its units.

    ``method`` is how people are marked, None without any; without ``sat`` there is no machine.
    """
    labels = tally.fields.get(LEVEL)
    levels = _numbers(labels) if labels is not None else None
    if levels is None:
        return {}
    found = {}
    for name, metric in tally.metrics.items():
        if not is_additive(metric):
            continue
        machine = people = difference = None
        if sat:
            machine = _trend(metric, [tally.vectors[name].matrix()], levels, tally, settings)
        if method is not None:
            beside, columns, counted = person_columns(tally, method, name)
            people = _trend(metric, columns, levels, tally, settings, counted=counted)
            if sat and machine is not None and people is not None:
                difference = _trend(
                    metric, columns, levels, tally, settings, counted=counted, less=beside
                )
        one = LevelTrend(machine, people, difference)
        if one.rows():
            found[name] = one
    return {LEVEL: found} if found else {}


def _numbers(labels: Sequence[tuple[str, ...]]) -> Floats | None:
    """Each unit's level, NaN where it has none; None where levels are not numbers, or all one."""
    levels = np.full(len(labels), np.nan)
    for index, own in enumerate(labels):
        if len(own) == 1 and own[0].isdecimal():
            levels[index] = float(own[0])
        elif any(label != "-" for label in own):
            return None
    return levels if len(set(levels[np.isfinite(levels)].tolist())) > 1 else None


def _trend(
    metric: Metric,
    columns: Sequence[Floats],
    levels: Floats,
    tally: Tally,
    settings: MarkSettings,
    *,
    counted: Bools | None = None,
    less: Floats | None = None,
) -> Trend | None:
    """The trend of the mean over some columns, or of another column less that mean.

    None where a metric's mark is no mean of its units: a slope of units would not be its slope.
    """
    several = [metric.aggregate(column) for column in columns]
    with np.errstate(invalid="ignore"):
        stacked = np.stack(several)
        defined = np.isfinite(stacked)
        known = defined.sum(axis=0)
        values = np.where(defined, stacked, 0.0).sum(axis=0) / np.where(known > 0, known, 1)
    values = np.where(known > 0, values, np.nan)
    if not all(_is_mean(metric, *pair) for pair in zip(columns, several, strict=True)):
        return None
    if less is not None:
        values = metric.aggregate(less) - values
    chosen = np.isfinite(levels) & np.isfinite(values)
    if counted is not None:
        chosen &= counted
    clusters = Clusters.of(tally.groups[chosen])
    made = trend(
        levels[chosen],
        values[chosen],
        clusters.codes,
        clusters.count,
        seed=settings.seed,
        draws=settings.draws,
        trials=settings.trials,
        confidence=settings.confidence,
        by_jackknife=settings.interval == JACKKNIFE,
    )
    return None if made.slope is None else made.scaled(metric.facts.scale)


def _is_mean(metric: Metric, column: Floats, values: Floats) -> bool:
    defined = np.isfinite(values)
    if not defined.any():
        return True
    whole = float(metric.aggregate(column.sum(axis=0)))
    return abs(whole - float(values[defined].mean())) <= _CLOSE
