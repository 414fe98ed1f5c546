"""Readability panels of the hall: what has been found so far, computed once for every state.

`readmark.readability` computes everything; the hall keeps results, since people look at a page
again and again.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from readmark.core.errors import ReadmarkError, UsageError
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
from readmark.server.project_work import last_event, work_of_project
from readmark.server.tables import Assignment, Membership

T = TypeVar("T")

_CACHE: OrderedDict[Hashable, Any] = OrderedDict()
_CACHED = 64
_LOCK = threading.Lock()


def _once(key: Hashable, make: Callable[[], T]) -> T:
    with _LOCK:
        if key in _CACHE:
            found: T = _CACHE[key]
            return found
    made = make()
    with _LOCK:
        _CACHE[key] = made
        while len(_CACHE) > _CACHED:
            _CACHE.popitem(last=False)
    return made


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

    return _once(key, collect)


def panel_forecast(results: PanelResults) -> PanelForecast:
    """The power of a panel like this one."""
    return _once(("power", results), lambda: forecast_power(results))


def compare_raters(
    results: PanelResults, raters: Sequence[str] = (), uploads: Sequence[Path] = ()
) -> MachineComparison:
    """Compare raters of Readmark, and machines whose sittings were uploaded, with the judges."""
    if not raters and not uploads:
        raise UsageError("choose a rater, or upload a sitting")
    if uploads:
        return _compared(results, raters, uploads)
    return _once(("machines", results, tuple(raters)), lambda: _compared(results, raters))


def _compared(
    results: PanelResults, raters: Sequence[str], uploads: Sequence[Path] = ()
) -> MachineComparison:
    unknown = [name for name in raters if name not in own_raters(results.plan.language)]
    if unknown:
        raise UsageError(f"no rater {unknown[0]!r}; choose {', '.join(own_raters('en'))}")
    machines, problems = [], []
    for rater in raters:
        key = results.plan.paper, rater
        try:
            machines.append(_once(key, partial(rater_sitting, results, rater)))
        except ReadmarkError as error:
            problems.append(f"{rater}: {error}")
    comparison = compare_machines(results, machines, uploads)
    return replace(comparison, problems=(*problems, *comparison.problems))
