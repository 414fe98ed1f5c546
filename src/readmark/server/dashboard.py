"""A project's figures on one page: done and left, pace, speed, agreement, items in dispute.

Every figure has a signature that says what it was made of, and all of them can be downloaded.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import asdict, dataclass, replace
from datetime import UTC, datetime
from typing import Any

from sqlalchemy.orm import Session

from readmark.core.csv_text import csv_text
from readmark.core.errors import ReadmarkError
from readmark.core.version import __version__
from readmark.server.disputes import dispute_states
from readmark.server.live_agreement import (
    AgreementHeadline,
    LiveAgreement,
    headlines_of,
    live_agreement,
)
from readmark.server.pace import (
    DRAWS,
    LEVEL,
    SEED,
    DayCount,
    Speed,
    WorkPace,
    by_day,
    day_of,
    pace_of,
    speed_of,
)
from readmark.server.progress import (
    PersonProgress,
    ProjectProgress,
    assignment_progress,
    project_progress,
)
from readmark.server.result_cache import ByState, ResultState, state_of
from readmark.server.tables import Project
from readmark.server.views import adjudication_of, newest_configuration

FRESH = 30.0
"""Seconds for which counts of the same event are not made again."""
HANDED_IN = "count:handed in"
QUARTILES = "speed:median|range:quartiles(inclusive)"
"""What signatures say of counts and of speeds."""


@dataclass(frozen=True)
class Disputes:
    """How many items people differ on, of those that enough have handed in, and how many of these
    are decided."""

    event: int
    version: int
    count: int | None
    """None where the kind of work has no adjudication."""
    decided: int = 0


def _disputes(session: Session, project_id: str, state: ResultState) -> Disputes:
    none = Disputes(state.event, state.version, None)
    project = session.get_one(Project, project_id)
    if adjudication_of(newest_configuration(session, project_id).project.work) is None:
        return none
    try:
        states = [dispute.state for dispute in dispute_states(session, project)]
    except ReadmarkError:
        return none
    differing = sum(state in ("new", "open", "decided") for state in states)
    decided = states.count("decided")
    return Disputes(state.event, state.version, differing, decided)


@dataclass(frozen=True)
class PersonFigures:
    """How far a person is, and how fast."""

    progress: PersonProgress
    speed: Speed | None


@dataclass(frozen=True)
class DashboardFigure:
    """A number of the dashboard as a line of a file."""

    figure: str
    about: str
    value: float | str | None
    low: float | str | None = None
    high: float | str | None = None
    n: int | None = None
    unit: str = ""
    signature: str = ""


@dataclass(frozen=True)
class Dashboard:
    """Everything that an organiser keeps an eye on, up to an event."""

    event: int
    version: int
    made: float
    progress: ProjectProgress
    pace: WorkPace | None
    speed: Speed | None
    days: tuple[DayCount, ...]
    people: tuple[PersonFigures, ...]
    agreement: LiveAgreement | None = None
    """None where nobody has asked for it yet: it can take long."""
    disputes: Disputes | None = None

    @property
    def headlines(self) -> tuple[AgreementHeadline, ...]:
        """A figure of agreement for everything that is compared."""
        return () if self.agreement is None else headlines_of(self.agreement)

    def signature(self, how: str, event: int | None = None) -> str:
        """One line that says what a figure was made of."""
        at = datetime.fromtimestamp(self.made, UTC).strftime("%Y-%m-%dT%H:%MZ")
        event = self.event if event is None else event
        return f"{how}|at:{at}|event:{event}|configuration:{self.version}|readmark:{__version__}"

    @property
    def figures(self) -> list[DashboardFigure]:
        """All numbers with their signatures."""
        return [
            *self._counts(),
            *self._pace(),
            *self._speed(),
            *self._days(),
            *self._people(),
            *self._agreement(),
            *self._disputes(),
        ]

    def _counts(self) -> Iterator[DashboardFigure]:
        signature = self.signature(HANDED_IN)
        for name, unit in (
            ("items", "items"),
            ("complete", "items"),
            ("assigned", "assignments"),
            ("done", "assignments"),
            ("left", "assignments"),
            ("late", "assignments"),
        ):
            count = getattr(self.progress, name)
            yield DashboardFigure(name, "", count, unit=unit, signature=signature)

    def _pace(self) -> Iterator[DashboardFigure]:
        pace = self.pace
        if pace is None:
            return
        how = f"pace:mean|days:{pace.days}|interval:percentile|draws:{DRAWS}|confidence:{LEVEL}"
        signature = self.signature(f"{how}|seed:{SEED}")
        yield DashboardFigure(
            "pace",
            "",
            pace.per_day,
            pace.low,
            pace.high,
            pace.days,
            unit="items a day",
            signature=signature,
        )
        if pace.end is not None:
            end, earliest, latest = (
                None if moment is None else day_of(moment).isoformat()
                for moment in (pace.end, pace.earliest, pace.latest)
            )
            yield DashboardFigure(
                "end", "", end, earliest, latest, pace.days, unit="date", signature=signature
            )

    def _speed(self) -> Iterator[DashboardFigure]:
        if self.speed is not None:
            yield _speed_figure("", self.speed, self.signature(QUARTILES))

    def _days(self) -> Iterator[DashboardFigure]:
        signature = self.signature(HANDED_IN)
        for day in self.days:
            yield DashboardFigure("day", day.day, day.count, unit="items", signature=signature)

    def _people(self) -> Iterator[DashboardFigure]:
        signature = self.signature(HANDED_IN)
        for person in self.people:
            name = person.progress.name
            for part in ("done", "left", "late"):
                count = getattr(person.progress, part)
                yield DashboardFigure(part, name, count, unit="items", signature=signature)
            if person.speed is not None:
                yield _speed_figure(name, person.speed, self.signature(QUARTILES))

    def _agreement(self) -> Iterator[DashboardFigure]:
        for headline in self.headlines:
            yield DashboardFigure(
                "agreement",
                f"{headline.side}:{headline.what}" if headline.side else headline.what,
                headline.value,
                headline.low,
                headline.high,
                headline.n,
                unit=headline.measure,
                signature=headline.signature,
            )

    def _disputes(self) -> Iterator[DashboardFigure]:
        if self.disputes is None or self.disputes.count is None:
            return
        # Disputes may be of an earlier event than the counts.
        signature = self.signature("count:finished work differs", self.disputes.event)
        counts = {"disputes": self.disputes.count, "decided": self.disputes.decided}
        for name, count in counts.items():
            yield DashboardFigure(name, "", count, unit="items", signature=signature)

    def as_json(self) -> dict[str, Any]:
        """Event, configuration and all figures."""
        problem = None if self.agreement is None else self.agreement.problem or None
        return {
            "event": self.event,
            "configuration": self.version,
            "made": self.made,
            "agreement_problem": problem,
            "figures": [asdict(figure) for figure in self.figures],
        }

    def as_csv(self) -> str:
        """A line for each figure."""
        about = {"event": self.event, "configuration": self.version}
        rows = [{**asdict(figure), **about} for figure in self.figures]
        cells = [["" if cell is None else str(cell) for cell in row.values()] for row in rows]
        return csv_text(list(rows[0]), cells)


def _speed_figure(about: str, speed: Speed, signature: str) -> DashboardFigure:
    return DashboardFigure(
        "speed",
        about,
        speed.median,
        speed.lower,
        speed.upper,
        speed.items,
        unit="seconds an item",
        signature=signature,
    )


def project_dashboard(session: Session, project_id: str, *, is_whole: bool = True) -> Dashboard:
    """The figures of a project, made once for an event and half a minute.

    Agreement and disputes can take long. Without ``is_whole`` they are there only if somebody has
    asked for them; with it they may be of an earlier event, which their signatures name.
    """
    dashboard = _COUNTED.find(session, project_id, moment=int(time.time() // FRESH))
    compared: tuple[LiveAgreement, Disputes] | None
    if is_whole:
        compared = _COMPARED.find(session, project_id, is_patient=True)
    else:
        compared = _COMPARED.stored(state_of(session, project_id), is_patient=True)
    if compared is None:
        return dashboard
    agreement, disputes = compared
    return replace(dashboard, agreement=agreement, disputes=disputes)


def count_work(
    session: Session, project_id: str, state: ResultState, *, now: float | None = None
) -> Dashboard:
    """What is done and left, and how fast."""
    now = time.time() if now is None else now
    rows = assignment_progress(session, project_id)
    progress = project_progress(session, project_id, now=now, rows=rows)
    finished = [row for row in rows if row.done]
    seconds_by_person: dict[str, list[float]] = {}
    for row in finished:
        seconds_by_person.setdefault(row.assignment.person_id, []).append(row.seconds)
    handed_in = [row.handed_in for row in finished if row.handed_in is not None]
    return Dashboard(
        event=state.event,
        version=state.version,
        made=now,
        progress=progress,
        pace=pace_of(handed_in, progress.left, now),
        speed=speed_of([row.seconds for row in finished]),
        days=by_day(handed_in, now),
        people=tuple(
            PersonFigures(person, speed_of(seconds_by_person.get(person.person, ())))
            for person in progress.people
        ),
    )


_COUNTED = ByState(count_work)


def _compared(
    session: Session, project_id: str, state: ResultState
) -> tuple[LiveAgreement, Disputes]:
    return live_agreement(session, project_id), _disputes(session, project_id, state)


_COMPARED = ByState(_compared)
