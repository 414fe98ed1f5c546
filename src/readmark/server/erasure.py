"""Erasure: everything of a class's pupils leaves the database, its free pages and its log.

The event log is append-only with this one exception. Rows are deleted in one transaction, and
their traces removed from the files after it; what a crash interrupts is finished by the next check.
"""

from __future__ import annotations

import json
import re
import time
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

from rich.console import Console
from sqlalchemy import ColumnElement, delete, insert, or_, select, update
from sqlalchemy.orm import Session

from readmark.core.counts import counted
from readmark.core.display import Result
from readmark.core.errors import ReadmarkError, UsageError
from readmark.server.audit import AuditAction, record
from readmark.server.database import DATABASE_ERRORS, Database
from readmark.server.reading_tasks.packages import forget_packages
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

_BATCH = 100
_ID = re.compile(r'"([\w-]{1,16})"')
"""An id in the detail of an audit entry."""


@dataclass(frozen=True)
class ErasedClass(Result):
    """What was erased of a class."""

    project: str
    classroom: str
    pupils: int

    def as_json(self) -> dict[str, Any]:
        return asdict(self)

    def show(self, console: Console) -> None:
        """How many pupils are gone."""
        pupils = counted(self.pupils, "pupil")
        console.print(f"{self.project}: class {self.classroom}: {pupils} erased", soft_wrap=True)


def class_named(session: Session, project: Project, class_id: str) -> Classroom:
    """The class of a project with an id."""
    found = session.get(Classroom, class_id)
    if found is None or found.project_id != project.id:
        raise UsageError(f"the project {project.slug!r} has no class {class_id!r}")
    return found


def erase_class(database: Database, class_id: str, *, by: str | None = None) -> ErasedClass:
    """Delete everything of a class's pupils, and then its traces; again if that was interrupted."""
    with database.writing() as session:
        classroom = session.get(Classroom, class_id, with_for_update=True)
        assert classroom is not None
        if classroom.erasing is None:
            _delete(session, classroom)
    forget_packages()
    if classroom.erased is None:
        database.scrub(table.name for table in HallTable.metadata.sorted_tables)
        forget_packages()  # again: a reader of before may have made one meanwhile
        with database.writing() as session:
            ended = session.execute(
                update(Classroom)
                .where(Classroom.id == class_id, Classroom.erased.is_(None))
                .values(erased=time.time())
                .returning(Classroom.id)
            ).all()
            if ended:
                detail = {"classroom": class_id, "pupils": classroom.erased_pupils}
                project_id = classroom.project_id
                record(session, AuditAction.CLASS_ERASED, by, project_id, **detail)
    with database.reading() as session:
        project = session.get(Project, classroom.project_id)
        assert project is not None
        return ErasedClass(project.slug, class_id, classroom.erased_pupils)


def erase_due(
    database: Database, *, now: float | None = None, only_interrupted: bool = False
) -> list[ErasedClass]:
    """Erase the classes with a day that has come, and finish what was interrupted."""
    now = time.time() if now is None else now
    is_due: ColumnElement[bool] = Classroom.erasing.is_not(None)
    if not only_interrupted:
        is_due = or_(Classroom.erase <= now, is_due)
    with database.reading() as session:
        due = session.scalars(
            select(Classroom.id)
            .where(Classroom.erased.is_(None), is_due)
            .order_by(Classroom.erase, Classroom.id)
        ).all()
    erased, failure = [], None
    for class_id in due:
        try:
            erased.append(erase_class(database, class_id))
        except (ReadmarkError, *DATABASE_ERRORS) as error:
            failure = error  # the others first
    if failure is not None:
        raise failure
    return erased


# The rows.


def _delete(session: Session, classroom: Classroom) -> None:
    """Delete the pupils' rows wherever a key leads to them, and copies of their work."""
    people = {
        row.id: row.name
        for row in session.execute(
            select(Person.id, Person.name).where(Person.class_id == classroom.id)
        )
    }
    # Whoever copies people's work into adjudicators' items or versions waits, or has finished.
    session.get(Project, classroom.project_id, with_for_update=True)
    copies = _copies(session, classroom.project_id, people)
    own = list(
        session.scalars(
            select(Assignment.id)
            .where(Assignment.person_id.in_(list(people)) | Assignment.item_id.in_(copies))
            .with_for_update()  # waits for saves, and lets no other begin
        )
    )
    classroom.erased_event = _number(session, own)
    for start in range(0, len(own), _BATCH):
        _delete_with(session, "assignments", own[start : start + _BATCH])
    if copies:
        _delete_copies(session, copies)
    if people:
        _delete_versions(session, classroom)
    ids = list(people)
    _make_figures_again(session, ids)
    _delete_entries(session, {*ids, *own})
    for start in range(0, len(ids), _BATCH):
        _delete_with(session, "people", ids[start : start + _BATCH])
    classroom.link = classroom.code = None
    classroom.erased_pupils = len(people)
    classroom.erasing = time.time()


def _delete_with(session: Session, name: str, ids: list[str]) -> None:
    """Delete rows by id, after the rows of other tables that belong to them."""
    for table in reversed(HallTable.metadata.sorted_tables):
        belongs: list[ColumnElement[bool]] = [
            key.parent.in_(ids) for key in table.foreign_keys if key.column.table.name == name
        ]
        if belongs:
            session.execute(delete(table).where(or_(*belongs)))
    table = HallTable.metadata.tables[name]
    session.execute(delete(table).where(table.c.id.in_(ids)))


def _copies(session: Session, project_id: str, people: Mapping[str, str]) -> list[str]:
    """The adjudicators' items about what a pupil has worked on, or that name a pupil."""
    texts = [
        json.dumps(name, ensure_ascii=ascii) for name in people.values() for ascii in (True, False)
    ]
    worked = set(
        session.scalars(
            select(Assignment.item_id).where(
                Assignment.person_id.in_(list(people)), Assignment.project_id == project_id
            )
        )
    )
    found = session.execute(
        select(Item.id, Item.about_id, Item.paper, Item.key).where(
            Item.project_id == project_id, Item.purpose == ADJUDICATION
        )
    )
    return [
        row.id
        for row in found
        if row.about_id in worked or any(text in row.paper or text in row.key for text in texts)
    ]


def _delete_copies(session: Session, copies: list[str]) -> None:
    """Delete adjudicators' items; what they were about is in no dispute any more."""
    about = select(Item.about_id).where(Item.id.in_(copies))
    session.execute(
        update(Assignment)
        .where(Assignment.item_id.in_(about), Assignment.locked == "disputed")
        .values(locked=None)
    )
    _delete_with(session, "items", copies)


def _make_figures_again(session: Session, people: list[str]) -> None:
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
        own_jobs = (Job.kind == "people") & (Job.subject == project_id)
        session.execute(update(Job).where(own_jobs).values(error=""))
        add_job(session, "people", project_id)


def _delete_versions(session: Session, classroom: Classroom) -> None:
    """Delete what was made of the gold while the class had pupils: versions and tasks."""
    made_since = StoredReadingTask.created >= classroom.created
    session.execute(
        delete(StoredReadingTask).where(
            StoredReadingTask.made_of == classroom.project_id, made_since
        )
    )
    for table, wanted in ((FrozenGold, ()), (ProjectFile, (ProjectFile.role == "gold",))):
        session.execute(
            delete(table).where(
                table.project_id == classroom.project_id,
                table.created >= classroom.created,
                *wanted,
            )
        )


def _delete_entries(session: Session, ids: set[str]) -> None:
    """Delete the entries of the audit log that name somebody or something of these ids."""
    named = [
        row.number
        for row in session.execute(select(AuditEntry.number, AuditEntry.detail))
        if not ids.isdisjoint(_ID.findall(row.detail))
    ]
    for start in range(0, len(named), _BATCH):
        batch = AuditEntry.number.in_(named[start : start + _BATCH])
        session.execute(delete(AuditEntry).where(batch))


def _number(session: Session, assignments: list[str]) -> int:
    """A number of the event log for the deletion; 0 where there is nothing to delete."""
    if not assignments:
        return 0
    assignment = session.get(Assignment, assignments[0])
    assert assignment is not None
    values = {
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
    made: Any = session.execute(insert(Event.__table__), values)  # type: ignore[arg-type]
    session.expunge(assignment)
    number: int = made.inserted_primary_key[0]
    return number
