"""Items given and taken back by hand, and deadlines.

Whoever assigns locks the project first, so that no two plans give the same item away.
"""

from __future__ import annotations

import json
import time
from collections.abc import Collection

from sqlalchemy import func, select, update
from sqlalchemy.orm import Session

from readmark.core.errors import UsageError
from readmark.formats.people_names import folded_name
from readmark.server.assignment_plan import Pair
from readmark.server.audit import AuditAction, record
from readmark.server.changes import Change
from readmark.server.handing_in import STATUS, is_done_value
from readmark.server.log import BY_THE_HALL, append, last_sequence
from readmark.server.object_states import object_states
from readmark.server.tables import Assignment, Item, Person, Project
from readmark.server.workers import workers_of


def assign_item(
    session: Session,
    project: Project,
    item: Item,
    person: Person,
    *,
    due: float | None = None,
    by: str | None = None,
) -> Assignment:
    """Give a person an item by hand; one that was withdrawn from them comes back as it was."""
    require_open(lock_project(session, project.id))
    workers = workers_of(session, project.id, item.purpose)
    if person.id not in {worker.id for worker in workers}:
        raise UsageError(f"{person.name} has no role in the project that items are handed out to")
    assignment = session.scalar(
        select(Assignment).where(Assignment.item_id == item.id, Assignment.person_id == person.id)
    )
    if assignment is not None and assignment.withdrawn is None:
        raise UsageError(f"{person.name} has {item.name} already")
    if assignment is None:
        if (item.name, person.login) in pairs_knowing(session, project.id, item.purpose, [person]):
            raise UsageError(f"{person.name} knows the key of {item.name}")
        position = next_positions(session, project.id).get(person.id, 0)
        assignment = Assignment(
            project_id=project.id, item_id=item.id, person_id=person.id, position=position
        )
        session.add(assignment)
    assignment.withdrawn = None
    assignment.due = due if due is not None else assignment.due
    session.flush()
    record(session, AuditAction.ASSIGNED, by, project.id, item=item.id, person=person.id)
    return assignment


def withdraw(
    session: Session, assignment: Assignment, *, by: str | None = None, now: float | None = None
) -> None:
    """Take an item back from a person; what they made of it stays in the log."""
    row = session.get_one(Assignment, assignment.id)  # the given one may be of another session
    if row.withdrawn is None:
        row.withdrawn = time.time() if now is None else now
        detail = {"item": row.item_id, "person": row.person_id}
        record(session, AuditAction.WITHDRAWN, by, row.project_id, **detail)


def reassign(
    session: Session, assignment: Assignment, person: Person, *, by: str | None = None
) -> Assignment:
    """Take an item from a person and give it to another, with the same deadline."""
    item = session.get_one(Item, assignment.item_id)
    project = session.get_one(Project, assignment.project_id)
    # Given first: if the other person cannot have it, nothing is taken back.
    reassigned = assign_item(session, project, item, person, due=assignment.due, by=by)
    withdraw(session, assignment, by=by)
    return reassigned


def reopen(session: Session, assignment: Assignment, *, by: str) -> None:
    """Let a person change an item again that was handed in or locked; ``by`` is the organiser."""
    require_open(lock_project(session, assignment.project_id))
    row = session.get_one(Assignment, assignment.id)  # the given one may be of another session
    status = object_states(session, row.id, {STATUS}).get(STATUS)
    is_done = status is not None and is_done_value(status.value)
    if not is_done and row.locked is None and row.ends is None:
        raise UsageError("the item is not handed in")
    row.locked = row.ends = None
    if status is not None and is_done:
        sequence = last_sequence(session, row.id, BY_THE_HALL) + 1
        change = Change(sequence, STATUS, {"type": STATUS, "done": False}, status.event)
        append(session, row, BY_THE_HALL, [change], by=by)
    detail = {"item": row.item_id, "person": row.person_id}
    record(session, AuditAction.REOPENED, by, row.project_id, **detail)


def set_due(
    session: Session,
    project_id: str,
    due: float | None,
    *,
    person_id: str | None = None,
    by: str | None = None,
) -> int:
    """Change the deadline of everybody's work, or of one person's; the number of items."""
    conditions = [Assignment.project_id == project_id, Assignment.withdrawn.is_(None)]
    if person_id is not None:
        conditions.append(Assignment.person_id == person_id)
    count = session.scalar(select(func.count()).select_from(Assignment).where(*conditions)) or 0
    session.execute(update(Assignment).where(*conditions).values(due=due))
    detail = {"due": due, "person": person_id, "items": count}
    record(session, AuditAction.DEADLINE_CHANGED, by, project_id, **detail)
    return count


def lock_project(session: Session, project_id: str) -> Project:
    """The project, for whoever assigns: one after the other."""
    return session.get_one(Project, project_id, with_for_update=True)


def require_open(project: Project) -> None:
    """Refuse to give items of a closed project: nobody could save anything."""
    if not project.is_open:
        raise UsageError(f"the project {project.slug!r} is closed: open it first")


def next_positions(session: Session, project_id: str) -> dict[str, int]:
    """The first free position in everybody's list."""
    last = session.execute(
        select(Assignment.person_id, func.max(Assignment.position))
        .where(Assignment.project_id == project_id)
        .group_by(Assignment.person_id)
    )
    return {person: position + 1 for person, position in last}


def pairs_knowing(
    session: Session, project_id: str, purpose: str, people: Collection[Person]
) -> set[Pair]:
    """The pairs of an item and a person who wrote or answered what is in its key."""
    logins: dict[str, list[str]] = {}
    """By a folded name: a key says who knows it by the name in a file, or by the login."""
    for person in people:
        for name in {folded_name(person.name), folded_name(person.login)}:
            logins.setdefault(name, []).append(person.login)
    keys = session.execute(
        select(Item.name, Item.key).where(
            Item.project_id == project_id,
            Item.purpose == purpose,
            Item.key.contains('"known_by"', autoescape=True),
        )
    )
    pairs: set[Pair] = set()
    for item, text in keys:
        key = json.loads(text)
        known_by = key.get("known_by", ()) if isinstance(key, dict) else ()
        for name in known_by:
            pairs |= {(item, login) for login in logins.get(folded_name(str(name)), ())}
    return pairs
