"""How far projects, people and assignments are: done, left, late, and the time that it takes."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from statistics import median
from typing import Any, Literal

from sqlalchemy import ColumnElement, and_, case, func, select
from sqlalchemy.orm import Session

from readmark.server.tables import Assignment, Item, Membership, Person
from readmark.server.views import newest_configuration
from readmark.server.workers import overlaps_in, people_per_item, workers_of, working_roles
from readmark.works import ConfigurationListing

_IDS_A_QUERY = 500


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
        AssignmentProgress(row, row.handed_in is not None, row.seconds, row.handed_in)
        for row in assignments
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
        """The filter as conditions of a query of a project's assignments."""
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
    for start in range(0, len(ids), _IDS_A_QUERY):
        rows = session.execute(
            select(*Assignment.__table__.columns)
            .add_columns(Person.name.label("who"), Item.name.label("item"), Item.purpose)
            .join(Person, Person.id == Assignment.person_id)
            .join(Item, Item.id == Assignment.item_id)
            .where(Assignment.id.in_(ids[start : start + _IDS_A_QUERY]))
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
    by_person: dict[str, list[AssignmentProgress]] = {}
    finished: dict[str, int] = {}
    for row in rows:
        by_person.setdefault(row.assignment.person_id, []).append(row)
        finished[row.assignment.item_id] = finished.get(row.assignment.item_id, 0) + row.done
    persons = session.execute(select(Person.id, Person.name).where(Person.id.in_(list(by_person))))
    names = {person.id: person.name for person in persons}
    people = tuple(
        PersonProgress(
            person=person,
            name=names[person],
            done=sum(row.done for row in persons_rows),
            left=sum(not row.done for row in persons_rows),
            late=sum(row.is_late(now) for row in persons_rows),
            seconds=sum(row.seconds for row in persons_rows),
            seconds_per_item=_median(persons_rows),
            last=max((row.handed_in for row in persons_rows if row.handed_in), default=None),
        )
        for person, persons_rows in sorted(
            by_person.items(), key=lambda pair: (names[pair[0]], pair[0])
        )
    )
    items = session.scalar(
        select(func.count()).where(Item.project_id == project_id, Item.purpose == "work")
    )
    # Some items may ask for another number of people than the project does.
    overlaps: dict[str, int] = {}
    if overlaps_by_name := overlaps_in(session, project_id, configuration):
        item_names = session.execute(
            select(Item.id, Item.name).where(Item.project_id == project_id, Item.purpose == "work")
        )
        overlaps = {
            id: overlaps_by_name[name] for id, name in item_names if name in overlaps_by_name
        }
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
    """How far a project is, for a list of projects: the numbers that `ProjectProgress` has."""

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
        count = counts[row.project_id]
        counts[row.project_id] = replace(
            count,
            assigned=count.assigned + (row.assigned if is_present else row.done),
            done=count.done + row.done,
            late=count.late + (row.late if is_present else 0),
        )
    return counts


def _median(rows: Sequence[AssignmentProgress]) -> float | None:
    times = [row.seconds for row in rows if row.done]
    return median(times) if times else None
