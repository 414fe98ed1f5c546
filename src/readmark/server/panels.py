"""Readability panels of the hall: what has been found so far, computed once for every state.

`readmark.readability` computes everything; the hall keeps results, since people look at a page
again and again.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from readmark.core.errors import ReadmarkError, UsageError
from readmark.core.sitting import Sitting
from readmark.readability import (
    MachineComparison,
    PanelForecast,
    PanelResults,
    collect_project,
    compare_machines,
    forecast_power,
    own_raters,
    rater_sitting,
)
from readmark.server.configurations import newest_version
from readmark.server.newest_cache import NewestCache
from readmark.server.project_work import last_event, work_of_project
from readmark.server.tables import Assignment, Membership

_RESULTS: NewestCache[PanelResults | None] = NewestCache(16)
_FORECASTS: NewestCache[PanelForecast] = NewestCache(16)
_COMPARISONS: NewestCache[MachineComparison] = NewestCache(16)
_SITTINGS: NewestCache[Sitting] = NewestCache(16)


def panel_results(session: Session, project_id: str) -> PanelResults | None:
    """The panel so far; None as long as nobody has begun."""
    event, version = last_event(session, project_id), newest_version(session, project_id).version
    # Withdrawing and new roles leave no event.
    withdrawn = session.execute(
        select(func.count(Assignment.withdrawn), func.max(Assignment.withdrawn)).where(
            Assignment.project_id == project_id
        )
    ).one()
    roles = session.execute(
        select(Membership.person_id, Membership.role).where(Membership.project_id == project_id)
    )
    key = (project_id, event, version, tuple(withdrawn), frozenset(map(tuple, roles)))

    def collect() -> PanelResults | None:
        project = work_of_project(session, project_id)
        return collect_project(project, event=event, version=version)

    return _RESULTS.find(key, collect)


def panel_forecast(results: PanelResults) -> PanelForecast:
    """The power of a panel like this one."""
    return _FORECASTS.find(results, lambda: forecast_power(results))


def compare_raters(
    results: PanelResults, raters: Sequence[str] = (), uploads: Sequence[Path] = ()
) -> MachineComparison:
    """Compare raters of Readmark, and machines whose sittings were uploaded, with the judges."""
    if not raters and not uploads:
        raise UsageError("choose a rater, or upload a sitting")
    if uploads:
        return _compared(results, raters, uploads)
    key = (results, tuple(raters))
    return _COMPARISONS.find(key, lambda: _compared(results, raters))


def _compared(
    results: PanelResults, raters: Sequence[str], uploads: Sequence[Path] = ()
) -> MachineComparison:
    known = own_raters(results.plan.language)
    unknown = [name for name in raters if name not in known]
    if unknown:
        raise UsageError(f"no rater {unknown[0]!r}; choose {', '.join(known)}")
    machines, problems = [], []
    for rater in raters:
        key = results.plan.paper, rater
        try:
            machines.append(_SITTINGS.find(key, partial(rater_sitting, results, rater)))
        except ReadmarkError as error:
            problems.append(f"{rater}: {error}")
    comparison = compare_machines(results, machines, uploads)
    return replace(comparison, problems=(*problems, *comparison.problems))
