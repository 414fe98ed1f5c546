"""A project's figures on one page: done and left, pace, speed, agreement, items in dispute.

Every figure has a signature that says what it was made of, and all of them can be downloaded.
"""

from __future__ import annotations

import math
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from datetime import UTC, date, datetime, timedelta
from statistics import fmean, median, quantiles
from typing import Any

import numpy as np
from sqlalchemy.orm import Session

from readmark.core.csv_text import csv_text
from readmark.core.errors import ReadmarkError
from readmark.core.version import __version__
from readmark.making import AgreementComparison, AgreementReport, measure_name
from readmark.server.assignment import DAY
from readmark.server.disputes import dispute_states
from readmark.server.progress import (
    ByState,
    LiveAgreement,
    PersonProgress,
    ProjectProgress,
    ResultState,
    assignment_progress,
    live_agreement,
    project_progress,
    state_of,
)
from readmark.server.tables import Project
from readmark.server.views import adjudication_of, newest_configuration
from readmark.statistics.agreement.value import Agreement
from readmark.statistics.intervals import interval
from readmark.statistics.resampling import bootstrap

PACE_DAYS = 14
"""The days that the pace is made of, counted back from now."""
FEWEST_DAYS = 5
"""Days from which there is an expected end."""
CHART_DAYS = 30
FARTHEST = 3650
"""Days after which an end is no expectation."""
FRESH = 30.0
"""Seconds for which counts of the same event are not made again."""
MEAN = ", mean of pairs"
DRAWS, SEED, LEVEL = 1000, 1, 0.95


# WorkPace and speed.


@dataclass(frozen=True)
class WorkPace:
    """Items handed in a day, and when the rest is done at that pace.

    The range is that of the days themselves, drawn again and again: the days to come are taken to
    be like those. ``latest`` is None where the pace may as well be nothing.
    """

    per_day: float
    low: float | None
    high: float | None
    """None where there is but one day."""
    days: int
    end: float | None = None
    earliest: float | None = None
    latest: float | None = None


def pace_of(handed_in: Sequence[float], left: int, now: float) -> WorkPace | None:
    """The pace of the last days of 24 hours, up to now; None where nothing was handed in."""
    ages = [int((now - each) // DAY) for each in handed_in if each <= now]
    if not ages:
        return None
    days = min(PACE_DAYS, max(ages) + 1)
    counts = [0.0] * days
    for age in ages:
        if age < days:
            counts[age] += 1
    sums = np.array(counts)[:, None]
    draws = bootstrap(sums, lambda total: total[..., 0] / days, seed=SEED, draws=DRAWS)
    low, high = interval(draws, level=LEVEL)
    rate = sum(counts) / days
    pace = WorkPace(rate, low, high, days)
    if days < FEWEST_DAYS or not left:
        return pace
    end, earliest, latest = (_end(now, left, each or 0.0) for each in (rate, high, low))
    return replace(pace, end=end, earliest=earliest, latest=latest)


def _end(now: float, left: int, rate: float) -> float | None:
    """When it is done; None if never, or later than anybody plans."""
    needed = left / rate if rate > 0 else math.inf
    return None if needed > FARTHEST else now + needed * DAY


@dataclass(frozen=True)
class Speed:
    """The median of seconds for an item, and the middle half."""

    median: float
    lower: float
    upper: float
    items: int


def speed_of(seconds: Sequence[float]) -> Speed | None:
    """How long finished items took; None where there are none."""
    if not seconds:
        return None
    lower, upper = seconds[0], seconds[0]
    if len(seconds) > 1:
        lower, _, upper = quantiles(seconds, n=4, method="inclusive")
    return Speed(median(seconds), lower, upper, len(seconds))


@dataclass(frozen=True)
class DayCount:
    """How many items were handed in on a day (UTC)."""

    day: str
    count: int


def by_day(handed_in: Sequence[float], now: float) -> tuple[DayCount, ...]:
    """The items of each day since the first one, of the last month at most."""
    counts = Counter(_day(each) for each in handed_in)
    if not counts:
        return ()
    today = _day(now)
    first = max(min(counts), today - timedelta(days=CHART_DAYS - 1))
    days = (first + timedelta(days=n) for n in range((today - first).days + 1))
    return tuple(DayCount(day.isoformat(), counts[day]) for day in days)


def _day(seconds: float) -> date:
    return datetime.fromtimestamp(seconds, UTC).date()


# Agreement and disputes.


@dataclass(frozen=True)
class AgreementHeadline:
    """The figure that stands for a comparison: the first that chance does not explain."""

    what: str
    side: str
    measure: str
    value: float | None
    low: float | None
    high: float | None
    n: int
    units: int
    signature: str

    @property
    def name(self) -> str:
        """The measure as it is shown."""
        return measure_name(self.measure.removesuffix(MEAN))

    @property
    def is_mean(self) -> bool:
        """Whether it is the mean of each two people's figures."""
        return self.measure.endswith(MEAN)


def headlines_of(live: LiveAgreement) -> tuple[AgreementHeadline, ...]:
    """A figure for everything that is compared."""
    return tuple(
        AgreementHeadline(
            comparison.what,
            side,
            *(figure.measure, figure.value, figure.low, figure.high, figure.n),
            comparison.units,
            live.signature(report),
        )
        for side, report in live.reports.items()
        for comparison, figure in _figures(report)
    )


def _figures(report: AgreementReport) -> Iterator[tuple[AgreementComparison, Agreement]]:
    for comparison in report.comparisons:
        figures = [*comparison.figures, *_of_pairs(comparison)]
        corrected = [figure for figure in figures if figure.measure.removesuffix(MEAN) != "percent"]
        defined = [figure for figure in corrected if figure.value is not None]
        for figure in (defined or corrected or figures)[:1]:
            yield comparison, figure


def _of_pairs(comparison: AgreementComparison) -> Iterator[Agreement]:
    """The figures of the only pair, or the means of several, which have no interval."""
    if len(comparison.pairs) == 1:
        yield from comparison.pairs[0].figures
        return
    for figures in zip(*(pair.figures for pair in comparison.pairs), strict=False):
        values = [figure.value for figure in figures if figure.value is not None]
        if values:
            measure = f"{figures[0].measure}{MEAN}"
            yield Agreement(measure=measure, value=fmean(values), n=sum(one.n for one in figures))


@dataclass(frozen=True)
class Disputes:
    """Items that enough people have handed in, who differ, and how many of them are decided.

    None where the kind of work has no adjudication.
    """

    event: int
    version: int
    count: int | None
    decided: int = 0


def _disputes(session: Session, project_id: str, state: ResultState) -> Disputes:
    none = Disputes(state.event, state.version, None)
    project = session.get(Project, project_id)
    assert project is not None
    if adjudication_of(newest_configuration(session, project_id).project.work) is None:
        return none
    try:
        states = [each.state for each in dispute_states(session, project)]
    except ReadmarkError:
        return none
    differing = sum(state in ("new", "open", "decided") for state in states)
    decided = states.count("decided")
    return Disputes(state.event, state.version, differing, decided)


# The page.


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
        progress, counted = self.progress, self.signature("count:handed in")
        made = [
            DashboardFigure(name, "", getattr(progress, name), unit=unit, signature=counted)
            for name, unit in (
                *(("items", "items"), ("complete", "items"), ("assigned", "assignments")),
                *(("done", "assignments"), ("left", "assignments"), ("late", "assignments")),
            )
        ]
        made += self._pace()
        quartiles = self.signature("speed:median|range:quartiles(inclusive)")
        if self.speed is not None:
            made.append(_speed("", self.speed, quartiles))
        for day in self.days:
            made.append(DashboardFigure("day", day.day, day.count, unit="items", signature=counted))
        for person in self.people:
            own, name = person.progress, person.progress.name
            for part in ("done", "left", "late"):
                value = getattr(own, part)
                made.append(DashboardFigure(part, name, value, unit="items", signature=counted))
            if person.speed is not None:
                made.append(_speed(name, person.speed, quartiles))
        for each in self.headlines:
            about = f"{each.side}:{each.what}" if each.side else each.what
            made.append(
                DashboardFigure(
                    *("agreement", about, each.value, each.low, each.high, each.n),
                    unit=each.measure,
                    signature=each.signature,
                )
            )
        if self.disputes is not None and self.disputes.count is not None:
            signature = self.signature("count:finished work differs", self.disputes.event)
            counts = {"disputes": self.disputes.count, "decided": self.disputes.decided}
            made += [
                DashboardFigure(name, "", count, unit="items", signature=signature)
                for name, count in counts.items()
            ]
        return made

    def _pace(self) -> Iterator[DashboardFigure]:
        pace = self.pace
        if pace is None:
            return
        how = f"pace:mean|days:{pace.days}|interval:percentile|draws:{DRAWS}|confidence:{LEVEL}"
        signature = self.signature(f"{how}|seed:{SEED}")
        numbers = (pace.per_day, pace.low, pace.high, pace.days)
        yield DashboardFigure("pace", "", *numbers, unit="items a day", signature=signature)
        if pace.end is not None:
            end, low, high = (
                None if each is None else _day(each).isoformat()
                for each in (pace.end, pace.earliest, pace.latest)
            )
            about = {"unit": "date", "signature": signature}
            yield DashboardFigure("end", "", end, low, high, pace.days, **about)

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


def _speed(about: str, speed: Speed, signature: str) -> DashboardFigure:
    numbers = (speed.median, speed.lower, speed.upper, speed.items)
    return DashboardFigure("speed", about, *numbers, unit="seconds an item", signature=signature)


def project_dashboard(session: Session, project_id: str, *, is_whole: bool = True) -> Dashboard:
    """The figures of a project, made once for an event and half a minute.

    Agreement and disputes can take long. Without ``is_whole`` they are there only if somebody has
    asked for them; with it they may be of an earlier event, which their signatures name.
    """
    made = _COUNTED.find(session, project_id, moment=int(time.time() // FRESH))
    if is_whole:
        compared = _COMPARED.find(session, project_id, is_patient=True)
    else:
        known = _COMPARED.known(state_of(session, project_id), is_patient=True)
        if known is None:
            return made
        compared = known
    return replace(made, agreement=compared[0], disputes=compared[1])


def count_work(
    session: Session, project_id: str, state: ResultState, *, now: float | None = None
) -> Dashboard:
    """What is done and left, and how fast."""
    now = time.time() if now is None else now
    rows = assignment_progress(session, project_id)
    progress = project_progress(session, project_id, now=now, rows=rows)
    finished = [row for row in rows if row.done]
    own: dict[str, list[float]] = {}
    for row in finished:
        own.setdefault(row.assignment.person_id, []).append(row.seconds)
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
            PersonFigures(person, speed_of(own.get(person.person, ())))
            for person in progress.people
        ),
    )


_COUNTED = ByState(count_work)


def _compared(
    session: Session, project_id: str, state: ResultState
) -> tuple[LiveAgreement, Disputes]:
    return live_agreement(session, project_id), _disputes(session, project_id, state)


_COMPARED = ByState(_compared)
