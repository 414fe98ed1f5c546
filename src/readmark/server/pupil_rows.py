"""The rows of a class's pupils: deleted wherever a key leads to them, with copies of their work."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Collection, Mapping, Sequence
from typing import Any

from sqlalchemy import ColumnElement, delete, insert, or_, select, update
from sqlalchemy.orm import Session

from readmark.server.shared_tasks.jobs import add_job
from readmark.server.tables import (
    Assignment,
    AuditEntry,
    Classroom,
    Event,
    FrozenGold,
    HallTable,
    Item,
    Job,
    Person,
    Project,
    ProjectFile,
    StoredReadingTask,
)
from readmark.server.views import ADJUDICATION

_IDS_A_STATEMENT = 100
_ID = re.compile(r'"([\w-]{1,16})"')
"""An id in the detail of an audit entry."""


def delete_pupils(session: Session, classroom: Classroom) -> None:
    """Delete everything of a class's pupils, and say so in the class's row."""
    names = {
        row.id: row.name
        for row in session.execute(
            select(Person.id, Person.name).where(Person.class_id == classroom.id)
        )
    }
    people = list(names)
    # Whoever copies people's work into adjudicators' items or versions waits, or has finished.
    session.get(Project, classroom.project_id, with_for_update=True)
    copies = _copies(session, classroom.project_id, names)
    assignments = list(
        session.scalars(
            select(Assignment.id)
            .where(Assignment.person_id.in_(people) | Assignment.item_id.in_(copies))
            .with_for_update()  # waits for saves, and lets no other begin
        )
    )
    classroom.erased_event = _event_of_deletion(session, assignments)
    _delete_with(session, "assignments", assignments)
    if copies:
        _delete_copies(session, copies)
    if people:
        _delete_versions(session, classroom)
    _mark_people_rows_again(session, people)
    _delete_audit_entries(session, {*people, *assignments})
    _delete_with(session, "people", people)
    classroom.link = classroom.code = None
    classroom.erased_pupils = len(people)
    classroom.erasing = time.time()


def _delete_with(session: Session, name: str, ids: Sequence[str]) -> None:
    """Delete rows of a table by id, after the rows of other tables that belong to them."""
    tables = HallTable.metadata.tables
    for start in range(0, len(ids), _IDS_A_STATEMENT):
        batch = ids[start : start + _IDS_A_STATEMENT]
        for table in reversed(HallTable.metadata.sorted_tables):
            belongs: list[ColumnElement[bool]] = [
                key.parent.in_(batch) for key in table.foreign_keys if key.column.table.name == name
            ]
            if belongs:
                session.execute(delete(table).where(or_(*belongs)))
        session.execute(delete(tables[name]).where(tables[name].c.id.in_(batch)))


def _copies(session: Session, project_id: str, names: Mapping[str, str]) -> list[str]:
    """The adjudicators' items about what a pupil has worked on, or that name a pupil."""
    # JSON may have a name with or without escapes.
    quoted = [
        json.dumps(name, ensure_ascii=ascii) for name in names.values() for ascii in (True, False)
    ]
    pupils_items = set(
        session.scalars(
            select(Assignment.item_id).where(
                Assignment.person_id.in_(list(names)), Assignment.project_id == project_id
            )
        )
    )
    rows = session.execute(
        select(Item.id, Item.about_id, Item.paper, Item.key).where(
            Item.project_id == project_id, Item.purpose == ADJUDICATION
        )
    )
    return [
        row.id
        for row in rows
        if row.about_id in pupils_items
        or any(name in row.paper or name in row.key for name in quoted)
    ]


def _delete_copies(session: Session, copies: Sequence[str]) -> None:
    """Delete adjudicators' items; what they were about is in no dispute any more."""
    about = select(Item.about_id).where(Item.id.in_(copies))
    session.execute(
        update(Assignment)
        .where(Assignment.item_id.in_(about), Assignment.locked == "disputed")
        .values(locked=None)
    )
    _delete_with(session, "items", copies)


def _delete_versions(session: Session, classroom: Classroom) -> None:
    """Delete what was made of the gold while the class had pupils: versions and tasks."""
    session.execute(
        delete(StoredReadingTask).where(
            StoredReadingTask.made_of == classroom.project_id,
            StoredReadingTask.created >= classroom.created,
        )
    )
    session.execute(
        delete(FrozenGold).where(
            FrozenGold.project_id == classroom.project_id,
            FrozenGold.created >= classroom.created,
        )
    )
    session.execute(
        delete(ProjectFile).where(
            ProjectFile.project_id == classroom.project_id,
            ProjectFile.role == "gold",
            ProjectFile.created >= classroom.created,
        )
    )


def _mark_people_rows_again(session: Session, people: Collection[str]) -> None:
    """Let the shared tasks that took pupils' sittings as people's row make the row without them.

    The copies are deleted with the pupils: a key leads to them. The marks go at once.
    """
    tasks = session.scalars(
        select(ProjectFile.project_id).where(ProjectFile.of_person_id.in_(people)).distinct()
    ).all()
    for project_id in sorted(tasks):
        session.execute(
            delete(ProjectFile).where(
                ProjectFile.project_id == project_id, ProjectFile.role == "people_marks"
            )
        )
        # An error names the file that could not be marked, and that names the pupil.
        tasks_jobs = (Job.kind == "people") & (Job.subject == project_id)
        session.execute(update(Job).where(tasks_jobs).values(error=""))
        add_job(session, "people", project_id)


def _delete_audit_entries(session: Session, ids: set[str]) -> None:
    """Delete the entries of the audit log that name somebody or something of these ids."""
    numbers = [
        row.number
        for row in session.execute(select(AuditEntry.number, AuditEntry.detail))
        if not ids.isdisjoint(_ID.findall(row.detail))
    ]
    for start in range(0, len(numbers), _IDS_A_STATEMENT):
        batch = numbers[start : start + _IDS_A_STATEMENT]
        session.execute(delete(AuditEntry).where(AuditEntry.number.in_(batch)))


def _event_of_deletion(session: Session, assignments: Sequence[str]) -> int:
    """A number of the event log for the deletion; 0 where there is nothing to delete.

    Whatever is kept by a project's last event is made again after it. The event itself is of an
    assignment that is deleted next.
    """
    if not assignments:
        return 0
    assignment = session.get_one(Assignment, assignments[0])
    event = {
        "assignment_id": assignment.id,
        "place": 0,
        "person_id": assignment.person_id,
        "client": f"erasure-{time.time_ns()}",
        "sequence": 1,
        "object": "erasure",
        "value": "null",
        "is_conflict": True,
        "seconds": 0.0,
        "received": time.time(),
    }
    inserted: Any = session.execute(insert(Event.__table__), event)  # type: ignore[arg-type]
    session.expunge(assignment)  # its row is deleted by a statement that the session does not see
    number: int = inserted.inserted_primary_key[0]
    return number
