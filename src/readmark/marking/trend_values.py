"""Trends of marks over levels as results: the candidate's, people's and their difference."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from readmark.statistics.trends import Trend


@dataclass(frozen=True, slots=True)
class LevelTrend:
    """The trend of a metric over levels, in points of its scale from one level to the next."""

    machine: Trend | None = None
    people: Trend | None = None
    difference: Trend | None = None
    """The trend of machine minus people, on the units and answer sets that both are marked on."""

    def rows(self) -> dict[str, Trend]:
        """The trends that are known, by what they are of."""
        parts = {"machine": self.machine, "people": self.people, "difference": self.difference}
        return {name: part for name, part in parts.items() if part is not None}

    def as_json(self) -> dict[str, Any]:
        """The metric's trends as ``mark --json`` has them."""
        return {name: part.as_json() for name, part in self.rows().items()}


Trends = Mapping[str, Mapping[str, LevelTrend]]
"""By field, then by metric."""


def trends_json(trends: Trends) -> dict[str, Any]:
    """The member ``trend`` of what commands print."""
    return {
        field: {metric: trend.as_json() for metric, trend in by_metric.items()}
        for field, by_metric in trends.items()
    }
