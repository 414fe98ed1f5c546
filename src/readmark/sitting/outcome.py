"""What a run took, compared with what the probe of its sitting had predicted."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from readmark.core.counts import counted
from readmark.core.numbers import decimal
from readmark.sitting.forecast import duration, read_probe
from readmark.sitting.results import SatResult


@dataclass(frozen=True, slots=True)
class PlanOutcome:
    """What a run took, and what the probe of its sitting had predicted for as many units."""

    units: int
    seconds: float
    planned_seconds: float
    cost: float | None
    planned_cost: float | None

    @property
    def words(self) -> str:
        """Time and cost beside what was planned, in one line."""
        parts = [
            f"{counted(self.units, 'unit')} took {duration(self.seconds)}, planned "
            f"{duration(self.planned_seconds)} ({_deviation(self.seconds, self.planned_seconds)})"
        ]
        if self.cost is not None and self.planned_cost:
            deviation = _deviation(self.cost, self.planned_cost)
            parts.append(
                f"cost {decimal(self.cost, 4)}, planned {decimal(self.planned_cost, 4)} "
                f"({deviation})"
            )
        return "; ".join(parts)


def _deviation(real: float, planned: float) -> str:
    """By how much of the plan a run took more, or less."""
    return f"{round(real / planned - 1, 2) + 0.0:+.0%}"  # never -0%


def plan_outcome(path: str | Path, sat: SatResult, seconds: float) -> PlanOutcome | None:
    """Compare the plan with a run that took so many seconds, loading the candidate included.

    None for a sitting without a probe, or a run of nothing.
    """
    units = sat.progress.answered + sat.progress.errors
    probe = read_probe(path, sat.candidate)
    if probe is None or not units:
        return None
    costs: list[tuple[float, float]] = []
    """Real and planned, of requests and of worker hours."""
    spent = sat.spent
    if probe.cost is not None and 0 < spent.asked == spent.priced:
        costs.append((spent.cost, spent.asked * probe.cost))
    if probe.hour_price is not None:
        hours, planned_hours = sat.workers * seconds / 3600, probe.hours(units, sat.workers)
        costs.append((hours * probe.hour_price, planned_hours * probe.hour_price))
    return PlanOutcome(
        units=units,
        seconds=seconds,
        planned_seconds=units * probe.seconds / sat.workers + probe.startup,
        cost=sum(real for real, _ in costs) if costs else None,
        planned_cost=sum(planned for _, planned in costs) if costs else None,
    )
