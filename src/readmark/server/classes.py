"""Class mode for the teacher: a class is opened, gets new codes, and is closed.

Pupils join one project by a link and a code, under a pseudonym, without an account (`pupils`). It
is the one exception to invitations, and everything of the pupils is deleted on a day (`erasure`).
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Literal

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from readmark.core.errors import UsageError
from readmark.server.access import Hall, HallRole
from readmark.server.account_errors import AccountError
from readmark.server.audit import AuditAction, record
from readmark.server.class_codes import ClassCodes, code_hash, draw_codes, link_hash
from readmark.server.days import DAY
from readmark.server.tables import Classroom, Person, Project
from readmark.server.views import newest_configuration
from readmark.server.workers import roles_for

PUPIL_ROLES = (HallRole.PARTICIPANT, HallRole.NOVICE)
MOST_PUPILS = 200
MOST_DAYS = 400
"""Days until the pupils' data are deleted, at most."""

ClassState = Literal["open", "closed", "over", "erasing", "erased"]


def open_class(
    session: Session,
    hall: Hall,
    project: Project,
    *,
    name: str,
    role: str,
    most: int,
    until: float,
    erase: float,
    by: str | None = None,
    now: float | None = None,
) -> tuple[Classroom, ClassCodes]:
    """Let up to ``most`` pupils join a project until a day, and delete their data on another."""
    now = time.time() if now is None else now
    if role not in PUPIL_ROLES or role not in roles_for(newest_configuration(session, project.id)):
        raise AccountError("class_role_gets_nothing")
    if not 1 <= most <= MOST_PUPILS:
        raise UsageError(f"{most} pupils, expected 1 to {MOST_PUPILS}")
    # A class may end on the day of its erasure, which begins when that day does.
    if not now < until <= erase + DAY or not now < erase <= now + MOST_DAYS * DAY:
        raise AccountError("class_days_wrong")
    classroom = Classroom(
        project_id=project.id,
        name=name.strip(),
        role=role,
        most=most,
        until=min(until, erase),
        erase=erase,
    )
    session.add(classroom)
    session.flush()
    codes = _renew(hall, classroom)
    detail = {"classroom": classroom.id, "role": role}
    record(session, AuditAction.CLASS_OPENED, by, project.id, **detail)
    return classroom, codes


def renew_class(
    session: Session, hall: Hall, classroom: Classroom, *, by: str | None = None
) -> ClassCodes:
    """A new link and code; those of before end. This also opens a closed class again."""
    codes = _renew(hall, classroom)
    record(session, AuditAction.CLASS_RENEWED, by, classroom.project_id, classroom=classroom.id)
    return codes


def _renew(hall: Hall, classroom: Classroom) -> ClassCodes:
    codes = draw_codes()
    classroom.link = link_hash(hall, codes.link)
    classroom.code = code_hash(hall, classroom.id, codes.code)
    return codes


def close_class(session: Session, classroom: Classroom, *, by: str | None = None) -> None:
    """End link, code and return codes; who is in can finish."""
    if classroom.link is not None:
        classroom.link = classroom.code = None
        record(session, AuditAction.CLASS_CLOSED, by, classroom.project_id, classroom=classroom.id)


def class_named(session: Session, project: Project, class_id: str) -> Classroom:
    """The class of a project with an id."""
    classroom = session.get(Classroom, class_id)
    if classroom is None or classroom.project_id != project.id:
        raise UsageError(f"the project {project.slug!r} has no class {class_id!r}")
    return classroom


def classes_of(session: Session, project_id: str) -> Sequence[tuple[Classroom, int]]:
    """A project's classes, newest first, with how many pupils have joined each."""
    joined = select(Person.class_id, func.count()).group_by(Person.class_id)
    counts = {row[0]: row[1] for row in session.execute(joined)}
    classrooms = session.scalars(
        select(Classroom)
        .where(Classroom.project_id == project_id)
        .order_by(Classroom.created.desc(), Classroom.id)
    )
    return [(classroom, counts.get(classroom.id, 0)) for classroom in classrooms]


def class_state(classroom: Classroom) -> ClassState:
    """Whether pupils can join a class, or why not."""
    if classroom.erased is not None:
        return "erased"
    if classroom.erasing is not None:
        return "erasing"
    if classroom.until < time.time():
        return "over"
    return "open" if classroom.link else "closed"


def pupils_of(session: Session, class_id: str) -> Sequence[Person]:
    """The pupils of a class in the order in which they joined."""
    pupils = select(Person).where(Person.class_id == class_id)
    return session.scalars(pupils.order_by(Person.created, Person.id)).all()
