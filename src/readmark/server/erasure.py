"""Erasure: everything of a class's pupils leaves the database, its free pages and its log.

The event log is append-only with this one exception. Rows are deleted in one transaction, and
their traces removed from the files after it; what a crash interrupts is finished by the next check.
"""

from __future__ import annotations

import time
from dataclasses import asdict, dataclass
from typing import Any

from rich.console import Console
from sqlalchemy import ColumnElement, or_, select, update

from readmark.core.counts import counted
from readmark.core.display import Result
from readmark.core.errors import ReadmarkError
from readmark.server.audit import AuditAction, record
from readmark.server.database import DATABASE_ERRORS, Database
from readmark.server.pupil_rows import delete_pupils
from readmark.server.reading_tasks.packages import forget_packages
from readmark.server.tables import Classroom, HallTable, Project


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


def erase_class(database: Database, class_id: str, *, by: str | None = None) -> ErasedClass:
    """Delete everything of a class's pupils, and then its traces; again if that was interrupted."""
    with database.writing() as session:
        classroom = session.get_one(Classroom, class_id, with_for_update=True)
        if classroom.erasing is None:
            delete_pupils(session, classroom)
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
            if ended:  # another process may have ended it first
                detail = {"classroom": class_id, "pupils": classroom.erased_pupils}
                project_id = classroom.project_id
                record(session, AuditAction.CLASS_ERASED, by, project_id, **detail)
    with database.reading() as session:
        project = session.get_one(Project, classroom.project_id)
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
