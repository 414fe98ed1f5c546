"""Whether marks fall with the level of a question: of the candidate, of people, and of the gap.

"SMART: A Stratified Machine Reading Test" asks whether harder levels are harder for machines and
for people alike. A trend is the change of the mark from one level to the next.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from readmark.core.arrays import Floats
from readmark.core.labels import ABSENT
from readmark.hooks import Metric
from readmark.marking.metrics import is_additive
from readmark.marking.people_columns import PeopleColumns, units_with_people
from readmark.marking.settings import MarkSettings
from readmark.marking.tally import Tally
from readmark.marking.trend_values import LevelTrend, Trends
from readmark.statistics.groups import UnitClusters
from readmark.statistics.interval_methods import JACKKNIFE
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
    levels = _as_numbers(labels) if labels is not None else None
    if levels is None:
        return {}
    trends = {}
    for name, metric in tally.metrics.items():
        if not is_additive(metric):
            continue
        machine = people = difference = None
        if sat:
            values = _unit_means(metric, [tally.vectors[name].matrix()])
            machine = _trend(metric, values, levels, tally, settings)
        if method is not None:
            columns = PeopleColumns.of(tally, method, name)
            answered = np.where(units_with_people(tally, method), levels, np.nan)
            values = _unit_means(metric, columns.people)
            people = _trend(metric, values, answered, tally, settings)
            if machine is not None and people is not None and values is not None:
                gap = metric.aggregate(columns.machine) - values
                difference = _trend(metric, gap, answered, tally, settings)
        of_metric = LevelTrend(machine, people, difference)
        if of_metric.rows():
            trends[name] = of_metric
    return {LEVEL: trends} if trends else {}


def _as_numbers(labels: Sequence[tuple[str, ...]]) -> Floats | None:
    """Each unit's level, NaN where it has none; None where levels are not numbers, or all one."""
    levels = np.full(len(labels), np.nan)
    for index, unit_labels in enumerate(labels):
        if len(unit_labels) == 1 and unit_labels[0].isdecimal():
            levels[index] = float(unit_labels[0])
        elif any(label != ABSENT for label in unit_labels):
            return None
    return levels if len(set(levels[np.isfinite(levels)].tolist())) > 1 else None


def _unit_means(metric: Metric, columns: Sequence[Floats]) -> Floats | None:
    """The mean over some people of each unit's mark, NaN where nobody has one.

    None where a metric's mark is no mean of its units: a slope of units would not be its slope.
    """
    marks = [metric.aggregate(column) for column in columns]
    if not all(_is_mean(metric, *pair) for pair in zip(columns, marks, strict=True)):
        return None
    stacked = np.stack(marks)
    is_defined = np.isfinite(stacked)
    people = is_defined.sum(axis=0)
    means = np.where(is_defined, stacked, 0.0).sum(axis=0) / np.maximum(people, 1)
    return np.where(people > 0, means, np.nan)


def _is_mean(metric: Metric, column: Floats, values: Floats) -> bool:
    is_defined = np.isfinite(values)
    if not is_defined.any():
        return True
    whole = float(metric.aggregate(column.sum(axis=0)))
    return abs(whole - float(values[is_defined].mean())) <= _CLOSE


def _trend(
    metric: Metric, values: Floats | None, levels: Floats, tally: Tally, settings: MarkSettings
) -> Trend | None:
    """The trend of units' values over their levels; None where there are none to speak of."""
    if values is None:
        return None
    chosen = np.isfinite(levels) & np.isfinite(values)
    clusters = UnitClusters.of(tally.groups[chosen])
    slope = trend(
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
    return None if slope.slope is None else slope.scaled(metric.facts.scale)
