"""How far a project is: what people have done, how long it takes, and how far they agree.

Agreement is that of ``readmark set agree`` on the files that the project's work writes.
"""

from __future__ import annotations

import tempfile
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from statistics import median
from typing import Any, Generic, Literal, TypeVar

from sqlalchemy import ColumnElement, and_, case, func, select
from sqlalchemy.orm import Session

from readmark.core.errors import ReadmarkError
from readmark.core.version import __version__
from readmark.making import AgreementReport, agreement_of_files
from readmark.server.assignment import (
    BATCH,
    overlaps_in,
    people_per_item,
    workers_of,
    working_roles,
)
from readmark.server.log import last_event, work_of_project
from readmark.server.projects import newest_version
from readmark.server.tables import Assignment, Item, Membership, Person
from readmark.server.views import newest_configuration, work_named
from readmark.works import PEOPLE, ConfigurationListing, ProjectWork

NOT_YET = "agreement needs finished items of two people"


# What is done and left, and the time that it takes.


@dataclass(frozen=True)
class PersonProgress:
    """How far a person is with a project's work."""

    person: str
    name: str
    done: int
    left: int
    late: int
    seconds: float
    """All time on the items, finished or not."""
    seconds_per_item: float | None
    """The median of the finished items."""
    last: float | None
    """When the last item was handed in."""


@dataclass(frozen=True)
class ProjectProgress:
    """How far a project's work is; items are complete when enough people have finished them."""

    items: int
    complete: int
    assigned: int
    done: int
    left: int
    late: int
    seconds_per_item: float | None
    people: tuple[PersonProgress, ...]


@dataclass(frozen=True)
class AssignmentProgress:
    """How far an assignment is."""

    assignment: Any
    """The row of it."""
    done: bool
    seconds: float
    handed_in: float | None

    def is_late(self, now: float) -> bool:
        """Whether it should be done by now and is not."""
        due = self.assignment.due
        return not self.done and due is not None and due < now


def assignment_progress(
    session: Session, project_id: str, *, purpose: str | None = "work"
) -> list[AssignmentProgress]:
    """How far every assignment is that has not been withdrawn."""
    query = select(*Assignment.__table__.columns).where(
        Assignment.project_id == project_id, Assignment.withdrawn.is_(None)
    )
    if purpose is not None:
        query = query.join(Item, Item.id == Assignment.item_id).where(Item.purpose == purpose)
    assignments = session.execute(query.order_by(Assignment.position)).all()
    return [
        AssignmentProgress(one, one.handed_in is not None, one.seconds, one.handed_in)
        for one in assignments
    ]


AssignmentState = Literal["all", "left", "done", "late"]
AssignmentOrder = Literal["person", "item", "due", "time"]


@dataclass(frozen=True, kw_only=True)
class AssignmentFilter:
    """Which assignments a list has: by state, person, purpose, and the name of the item."""

    state: AssignmentState = "all"
    person: str = ""
    item: str = ""
    purpose: str | None = None
    now: float = 0.0
    """The moment for which ``late`` counts."""

    def conditions(self, project_id: str) -> list[ColumnElement[bool]]:
        """The same for a query of a project's assignments."""
        conditions = [Assignment.project_id == project_id, Assignment.withdrawn.is_(None)]
        if self.state == "done":
            conditions.append(Assignment.handed_in.is_not(None))
        elif self.state != "all":
            conditions.append(Assignment.handed_in.is_(None))
        if self.state == "late":
            conditions.append(Assignment.due < self.now)
        if self.person:
            conditions.append(Assignment.person_id == self.person)
        items = select(Item.id).where(Item.project_id == project_id)
        if self.item:
            conditions.append(Assignment.item_id.in_(items.where(Item.name == self.item)))
        if self.purpose is not None:
            conditions.append(Assignment.item_id.in_(items.where(Item.purpose == self.purpose)))
        return conditions


@dataclass(frozen=True)
class AssignmentDetails:
    """An assignment with the names of its person and its item."""

    progress: AssignmentProgress
    person: str
    item: str
    purpose: str


def listed_assignments(
    session: Session,
    project_id: str,
    chosen: AssignmentFilter,
    *,
    order: AssignmentOrder | None,
    offset: int,
    limit: int,
) -> tuple[list[AssignmentDetails], int]:
    """A part of a project's assignments in an order, and how many there are in all.

    Without ``order`` they come by the ids of people, and each person's by position.
    """
    by_person = (Person.name, Person.id, Assignment.position, Assignment.id)
    orders: dict[str | None, tuple[Any, ...]] = {
        None: (Assignment.person_id, Assignment.position, Assignment.id),
        "person": by_person,
        "item": (Item.name, Person.name, Assignment.id),
        "due": (Assignment.due.is_(None), Assignment.due, *by_person),
        "time": (Assignment.seconds.desc(), *by_person),
    }
    conditions = chosen.conditions(project_id)
    count = session.scalar(select(func.count()).select_from(Assignment).where(*conditions)) or 0
    # Only the ids are sorted: a project has up to a million assignments.
    query = select(Assignment.id).where(*conditions)
    if order is not None:
        query = query.join(Person, Person.id == Assignment.person_id)
    if order == "item":
        query = query.join(Item, Item.id == Assignment.item_id)
    ids = session.scalars(query.order_by(*orders[order]).offset(offset).limit(limit)).all()
    details: dict[str, AssignmentDetails] = {}
    for start in range(0, len(ids), BATCH):
        rows = session.execute(
            select(*Assignment.__table__.columns)
            .add_columns(Person.name.label("who"), Item.name.label("item"), Item.purpose)
            .join(Person, Person.id == Assignment.person_id)
            .join(Item, Item.id == Assignment.item_id)
            .where(Assignment.id.in_(ids[start : start + BATCH]))
        )
        for row in rows:
            progress = AssignmentProgress(
                row, row.handed_in is not None, row.seconds, row.handed_in
            )
            details[row.id] = AssignmentDetails(progress, row.who, row.item, row.purpose)
    return [details[id] for id in ids], count


def project_progress(
    session: Session,
    project_id: str,
    *,
    now: float | None = None,
    rows: Sequence[AssignmentProgress] | None = None,
) -> ProjectProgress:
    """How far a project and each of its people are with the real work.

    ``rows`` are those of `assignment_progress`, where they are known already.
    """
    now = time.time() if now is None else now
    # Somebody who left counts with what they finished: the rest goes to others.
    present = {person.id for person in workers_of(session, project_id)}
    configuration = newest_configuration(session, project_id)
    overlap = people_per_item(configuration, len(present))
    rows = [
        row
        for row in (assignment_progress(session, project_id) if rows is None else rows)
        if row.done or row.assignment.person_id in present
    ]
    own: dict[str, list[AssignmentProgress]] = {}
    finished: dict[str, int] = {}
    for row in rows:
        own.setdefault(row.assignment.person_id, []).append(row)
        finished[row.assignment.item_id] = finished.get(row.assignment.item_id, 0) + row.done
    rows_of_people = session.execute(select(Person.id, Person.name).where(Person.id.in_(list(own))))
    names = {row.id: row.name for row in rows_of_people}
    people = tuple(
        PersonProgress(
            person=person,
            name=names[person],
            done=sum(row.done for row in mine),
            left=sum(not row.done for row in mine),
            late=sum(row.is_late(now) for row in mine),
            seconds=sum(row.seconds for row in mine),
            seconds_per_item=_median(mine),
            last=max((row.handed_in for row in mine if row.handed_in), default=None),
        )
        for person, mine in sorted(own.items(), key=lambda pair: (names[pair[0]], pair[0]))
    )
    items = session.scalar(
        select(func.count()).where(Item.project_id == project_id, Item.purpose == "work")
    )
    overlaps: dict[str, int] = {}
    if wanted := overlaps_in(session, project_id, configuration):
        own_items = select(Item.id, Item.name).where(
            Item.project_id == project_id, Item.purpose == "work"
        )
        overlaps = {id: wanted[name] for id, name in session.execute(own_items) if name in wanted}
    return ProjectProgress(
        items=items or 0,
        complete=sum(count >= overlaps.get(item, overlap) for item, count in finished.items()),
        assigned=len(rows),
        done=sum(row.done for row in rows),
        left=sum(not row.done for row in rows),
        late=sum(row.is_late(now) for row in rows),
        seconds_per_item=_median(rows),
        people=people,
    )


@dataclass(frozen=True)
class ProjectCounts:
    """How far a project's work is, in a list of projects: the same numbers as its own page has."""

    items: int = 0
    assigned: int = 0
    done: int = 0
    late: int = 0


def project_counts(
    session: Session, projects: Mapping[str, ConfigurationListing], *, now: float | None = None
) -> dict[str, ProjectCounts]:
    """The counts of several projects, by id, with as many queries as for one."""
    now, ids = time.time() if now is None else now, list(projects)
    items = {
        row[0]: row[1]
        for row in session.execute(
            select(Item.project_id, func.count())
            .where(Item.project_id.in_(ids), Item.purpose == "work")
            .group_by(Item.project_id)
        )
    }
    roles = {id: working_roles(listing.roles) for id, listing in projects.items()}
    members = session.execute(
        select(Membership.project_id, Membership.person_id, Membership.role)
        .join(Person, Person.id == Membership.person_id)
        .where(Membership.project_id.in_(ids), Person.is_disabled.is_(False))
    )
    present = {
        (row.project_id, row.person_id) for row in members if row.role in roles[row.project_id]
    }
    other_items = select(Item.id).where(Item.project_id.in_(ids), Item.purpose != "work")
    is_late = and_(Assignment.handed_in.is_(None), Assignment.due < now)
    rows = session.execute(
        select(
            Assignment.project_id,
            Assignment.person_id,
            func.count().label("assigned"),
            func.count(Assignment.handed_in).label("done"),
            func.sum(case((is_late, 1), else_=0)).label("late"),
        )
        .where(
            Assignment.project_id.in_(ids),
            Assignment.withdrawn.is_(None),
            Assignment.item_id.not_in(other_items),
        )
        .group_by(Assignment.project_id, Assignment.person_id)
    )
    counts = {id: ProjectCounts(items=items.get(id, 0)) for id in ids}
    for row in rows:
        # Somebody who left counts with what they finished: the rest goes to others.
        is_present = (row.project_id, row.person_id) in present
        so_far = counts[row.project_id]
        counts[row.project_id] = replace(
            so_far,
            assigned=so_far.assigned + (row.assigned if is_present else row.done),
            done=so_far.done + row.done,
            late=so_far.late + (row.late if is_present else 0),
        )
    return counts


def _median(rows: Sequence[AssignmentProgress]) -> float | None:
    times = [row.seconds for row in rows if row.done]
    return median(times) if times else None


# Results that change only when somebody does something.


@dataclass(frozen=True)
class ResultState:
    """What results of a project depend on; one that is equal has the same results."""

    project: str
    event: int
    version: int
    """Of the configuration."""
    assignments: tuple[float | None, ...]
    """Handing out, withdrawing and deadlines leave no event."""
    moment: int = 0
    """For results that change with time."""


def state_of(session: Session, project_id: str) -> ResultState:
    """The present state of a project."""
    one = Assignment
    row = session.execute(
        select(
            func.count(one.id),
            func.max(one.created),
            func.count(one.withdrawn),
            func.max(one.withdrawn),
            func.sum(one.due),
        ).where(one.project_id == project_id)
    ).one()
    event, version = last_event(session, project_id), newest_version(session, project_id).version
    return ResultState(project_id, event, version, tuple(row))


Made = TypeVar("Made")
PATIENCE = 20.0
"""A patient caller takes what is older for this many times the seconds that making it took."""


class ByState(Generic[Made]):
    """Results of projects, each made once for a state."""

    def __init__(
        self, make: Callable[[Session, str, ResultState], Made], *, most: int = 32
    ) -> None:
        self._make, self._most = make, most
        self._made: OrderedDict[ResultState, Made] = OrderedDict()
        self._last: dict[str, tuple[ResultState, float, float]] = {}
        """By project the last state, when its result was ready, and the seconds it took."""
        self._making: dict[str, threading.Lock] = {}
        """By project, so that several who ask at once wait for one result."""
        self._lock = threading.Lock()

    def find(
        self, session: Session, project_id: str, *, is_patient: bool = False, moment: int = 0
    ) -> Made:
        """The result of the present state; ``is_patient`` where an older one will do for a while.

        So a page that asks again and again takes up a twentieth of a processor at most.
        """
        state = replace(state_of(session, project_id), moment=moment)
        with self._lock:
            one_at_a_time = self._making.setdefault(project_id, threading.Lock())
        with one_at_a_time:
            if (found := self.known(state, is_patient=is_patient)) is not None:
                return found
            return self._new(session, state)

    def _new(self, session: Session, state: ResultState) -> Made:
        project_id, start = state.project, time.monotonic()
        made = self._make(session, project_id, state)
        with self._lock:
            self._made[state] = made
            self._last[project_id] = state, time.monotonic(), time.monotonic() - start
            while len(self._made) > self._most:
                old, _ = self._made.popitem(last=False)
                if self._last.get(old.project, (None,))[0] == old:
                    del self._last[old.project]
        return made

    def known(self, state: ResultState, *, is_patient: bool = False) -> Made | None:
        """The result of a state if it is made already."""
        with self._lock:
            last = self._last.get(state.project)
            if is_patient and last and time.monotonic() < last[1] + PATIENCE * last[2]:
                state = last[0]
            return self._made.get(state)


# Live agreement: what ``set agree`` says of the files that people's work makes.


@dataclass(frozen=True)
class LiveAgreement:
    """Agreement on finished items up to an event, by language if there are two; or why none."""

    event: int
    version: int
    reports: Mapping[str, AgreementReport]
    problem: str = ""

    def signature(self, report: AgreementReport) -> str:
        """One line that says what decided the figures."""
        parts = {
            "agree": "+".join(comparison.what for comparison in report.comparisons),
            "interval": "percentile",
            "draws": report.draws,
            "confidence": report.level,
            "seed": report.seed,
            "event": self.event,
            "configuration": self.version,
            "readmark": __version__,
        }
        return "|".join(f"{name}:{value}" for name, value in parts.items())

    def as_json(self) -> dict[str, Any]:
        """The documents of ``set agree --json``, each with its signature."""
        reports = [
            {"side": side or None, "signature": self.signature(report), **report.as_json()}
            for side, report in self.reports.items()
        ]
        about = {"event": self.event, "configuration": self.version}
        return {**about, "problem": self.problem or None, "reports": reports}


def live_agreement(session: Session, project_id: str, *, is_patient: bool = False) -> LiveAgreement:
    """How far people agree on the items that they have finished; computed once per event."""
    return _LIVE.find(session, project_id, is_patient=is_patient)


def _live_agreement(session: Session, project_id: str, state: ResultState) -> LiveAgreement:
    return _agreement(work_of_project(session, project_id), state.event, state.version)


_LIVE = ByState(_live_agreement)


def _agreement(project: ProjectWork, event: int, version: int) -> LiveAgreement:
    project = project.finished()
    if len(project.people) < 2:
        return LiveAgreement(event, version, {}, NOT_YET)
    with tempfile.TemporaryDirectory(prefix="readmark-agree-") as folder:
        try:
            work_named(project.configuration.project.work).write(project, Path(folder))
            files = sorted(str(path) for path in (Path(folder) / PEOPLE).glob("*"))
            if len(files) < 2:
                return LiveAgreement(event, version, {}, NOT_YET)
            reports = agreement_of_files(files, project.configuration.project.agree)
        except ReadmarkError as error:
            problem = str(error).replace(f"{folder}/{PEOPLE}/", "").replace(f"{folder}/", "")
            return LiveAgreement(event, version, {}, problem)
    return LiveAgreement(event, version, reports)
