"""Everybody's work on a project, as works take it, and the event that it is up to."""

from __future__ import annotations

from collections.abc import Mapping

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from readmark.server.handing_in import STATUS, is_done
from readmark.server.object_states import states_of
from readmark.server.people_of_files import people_by_label
from readmark.server.tables import (
    Assignment,
    Classroom,
    Event,
    Item,
    Membership,
    Project,
    ProjectFile,
)
from readmark.server.views import headers_of, item_of, newest_configuration
from readmark.works import PersonsWork, ProjectWork


def work_of_project(session: Session, project: str, purpose: str = "work") -> ProjectWork:
    """Everybody's work on a project's items of a purpose, without withdrawn assignments."""
    items = {
        item.id: item_of(item)
        for item in session.scalars(
            select(Item)
            .where(Item.project_id == project, Item.purpose == purpose)
            .order_by(Item.position)
        )
    }
    rows = session.execute(
        select(Assignment.id, Assignment.item_id, Assignment.person_id)
        .where(Assignment.project_id == project, Assignment.withdrawn.is_(None))
        .order_by(Assignment.item_id, Assignment.id)  # so that each item is opened once
    ).all()
    assignments = [row for row in rows if row.item_id in items]
    states = states_of(session, [assignment.id for assignment in assignments])
    object_seconds = _object_seconds(session, project)
    by_person: dict[str, dict[str, str]] = {}
    for assignment in assignments:
        assignment_ids = by_person.setdefault(assignment.person_id, {})
        assignment_ids[items[assignment.item_id].name] = assignment.id
    roles: dict[str, set[str]] = {}
    for person_id, role in session.execute(
        select(Membership.person_id, Membership.role).where(Membership.project_id == project)
    ):
        roles.setdefault(person_id, set()).add(role)
    works = []
    for label, person in sorted(people_by_label(session, project).items()):
        if person.id not in by_person:
            continue
        assignment_ids = by_person[person.id]
        objects = {name: states[id] for name, id in assignment_ids.items() if id in states}
        seconds = {
            name: object_seconds[id] for name, id in assignment_ids.items() if id in object_seconds
        }
        works.append(
            PersonsWork(
                label,
                objects,
                {name: sum(spent.values()) for name, spent in seconds.items()},
                frozenset(name for name in objects if is_done(objects[name])),
                person.login,
                frozenset(roles.get(person.id, ())),
                object_seconds=seconds,
            )
        )
    return ProjectWork(
        newest_configuration(session, project),
        headers_of(session.get_one(Project, project)),
        list(items.values()),
        works,
        _numbers(session, project, {id: item.name for id, item in items.items()}),
        _files(session, project),
    )


def _object_seconds(session: Session, project: str) -> dict[str, dict[str, float]]:
    """How long people worked until objects were changed, by assignment and object."""
    rows = session.execute(
        select(Event.assignment_id, Event.object, func.sum(Event.seconds))
        .join(Assignment, Assignment.id == Event.assignment_id)
        .where(Assignment.project_id == project)
        .group_by(Event.assignment_id, Event.object)
    )
    by_assignment: dict[str, dict[str, float]] = {}
    for assignment, object, seconds in rows:
        by_assignment.setdefault(assignment, {})[object] = float(seconds)
    return by_assignment


def _numbers(session: Session, project: str, names: Mapping[str, str]) -> dict[str, dict[str, int]]:
    """In which order the objects of each item were begun, by whomever, also removed ones."""
    first = (
        select(Assignment.item_id, Event.object)
        .join(Assignment, Assignment.id == Event.assignment_id)
        .where(Assignment.project_id == project, Event.object.not_in([STATUS, "note"]))
        .group_by(Assignment.item_id, Event.object)
        .order_by(func.min(Event.number))
    )
    numbers: dict[str, dict[str, int]] = {}
    for item, object in session.execute(first):
        if item in names:
            of_item = numbers.setdefault(names[item], {})
            of_item[object] = len(of_item) + 1
    return numbers


def _files(session: Session, project: str) -> dict[str, bytes]:
    """A project's files by their paths in an export: its task, materials of it, and sittings."""
    roles = ("task", "materials", "sitting")
    rows = session.execute(
        select(ProjectFile.role, ProjectFile.name, ProjectFile.content)
        .where(ProjectFile.project_id == project, ProjectFile.role.in_(roles))
        .order_by(ProjectFile.number)
    )
    return {
        f"sittings/{name}" if role == "sitting" else name: content for role, name, content in rows
    }


def last_event(session: Session, project: str) -> int:
    """The number of a project's last event, or of a class's deletion after it; 0 for neither."""
    assignments = select(Assignment.id).where(Assignment.project_id == project)
    last = session.scalar(
        select(func.max(Event.number)).where(Event.assignment_id.in_(assignments))
    )
    return max(last or 0, last_erasure(session, project))


def last_erasure(session: Session, project: str) -> int:
    """The number that a class's deletion has among a project's events; 0 if there was none."""
    last = select(func.max(Classroom.erased_event)).where(Classroom.project_id == project)
    return session.scalar(last) or 0
