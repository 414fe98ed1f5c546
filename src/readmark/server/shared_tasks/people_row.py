"""People's row of a board: from sittings that an organiser brings, else from the key."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from sqlalchemy import delete, func, select
from sqlalchemy.orm import Session

from readmark.core.errors import DataError, UsageError
from readmark.core.marksheet import REFERENCES
from readmark.core.splits import split_order
from readmark.server.audit import AuditAction, record
from readmark.server.shared_tasks.jobs import add_job, is_waiting
from readmark.server.shared_tasks.names import safe_name
from readmark.server.tables import Job, Person, Project, ProjectFile

PEOPLE, PEOPLE_MARKS = "people", "people_marks"
"""Roles of a task's files: people's sittings, and the marks that a worker has made of them."""
PeopleOrigin = Literal["panel", "key", "references", "none", ""]
"""Where people's row comes from; nothing while that is open."""
MOST_FILES = 100
"""Files of people's sittings that a task keeps."""


@dataclass(frozen=True)
class PeopleFile:
    """A file of people's sittings."""

    name: str
    size: int


@dataclass(frozen=True)
class PeopleRow:
    """Where people's row comes from: files, how many people sat each split, and by which method."""

    files: list[PeopleFile]
    splits: dict[str, dict[str, Any]]
    """By split: ``who``, ``method``, ``people`` (0 where it is the key's) and ``units``."""
    notes: list[str]
    error: str
    is_waiting: bool

    @property
    def origin(self) -> PeopleOrigin:
        """Where it comes from."""
        if not self.splits:
            return "" if self.is_waiting or self.error else "none"
        if any(split["people"] for split in self.splits.values()):
            return "panel"
        has_references = any(split["who"] == REFERENCES for split in self.splits.values())
        return "references" if has_references else "key"


def people_row(session: Session, project_id: str) -> PeopleRow:
    """Where people's row comes from; its marks are on the board."""
    sizes = session.execute(
        select(ProjectFile.name, func.length(ProjectFile.content))
        .where(ProjectFile.project_id == project_id, ProjectFile.role == PEOPLE)
        .order_by(ProjectFile.number)
    )
    content = session.scalar(
        select(ProjectFile.content).where(
            ProjectFile.project_id == project_id, ProjectFile.role == PEOPLE_MARKS
        )
    )
    marks: dict[str, Any] = {} if content is None else json.loads(content)
    splits = sorted(marks.get("splits", {}).items(), key=lambda pair: split_order(pair[0] or None))
    last_error = session.scalar(
        select(Job.error)
        .where(Job.kind == "people", Job.subject == project_id, Job.finished.is_not(None))
        .order_by(Job.number.desc())
        .limit(1)
    )
    return PeopleRow(
        files=[PeopleFile(name, size) for name, size in sizes],
        splits={
            name: {
                "who": split.get("who", "people"),  # marks of older halls do not say
                **{member: split[member] for member in ("method", "people", "units")},
            }
            for name, split in splits
        },
        notes=list(marks.get("notes", ())),
        error=last_error or "",
        is_waiting=is_waiting(session, "people", project_id),
    )


def add_people(
    session: Session,
    project: Project,
    files: Mapping[str, bytes],
    *,
    of_people: Mapping[str, str] | None = None,
    by: str | None = None,
) -> None:
    """Keep files of people's sittings and let a worker mark them; a file replaces its namesake.

    Nothing of them is read here: a worker does that, in a process of its own. ``of_people`` has the
    person by file, where it is a copy of somebody's work in this hall; it is erased with them.
    """
    sources = dict(of_people or {})
    if sources:  # somebody may have been erased since their work was read
        persons = select(Person.id).where(Person.id.in_(sources.values()))
        remaining = set(session.scalars(persons.with_for_update(read=True)))
        files = {name: files[name] for name in files if sources.get(name) in (None, *remaining)}
    if not files:
        raise DataError("no file was chosen" if not sources else "the people were erased meanwhile")
    session.get(Project, project.id, with_for_update=True)
    for name, content in files.items():
        session.execute(
            delete(ProjectFile).where(
                ProjectFile.project_id == project.id,
                ProjectFile.role == PEOPLE,
                ProjectFile.name == safe_name(name),
            )
        )
        session.add(
            ProjectFile(
                project_id=project.id,
                role=PEOPLE,
                name=safe_name(name),
                content=content,
                person_id=by,
                of_person_id=sources.get(name),
            )
        )
    session.flush()
    count = session.scalar(
        select(func.count()).where(ProjectFile.project_id == project.id, ProjectFile.role == PEOPLE)
    )
    if (count or 0) > MOST_FILES:
        raise UsageError(f"at most {MOST_FILES} files; one file can have several people's sittings")
    add_job(session, "people", project.id)
    record(session, AuditAction.SITTING_ADDED, by, project.id, files=len(files))


def remove_people(session: Session, project: Project) -> None:
    """Remove all people's sittings; the row comes from the key again, if it can."""
    session.execute(
        delete(ProjectFile).where(ProjectFile.project_id == project.id, ProjectFile.role == PEOPLE)
    )
    add_job(session, "people", project.id)
