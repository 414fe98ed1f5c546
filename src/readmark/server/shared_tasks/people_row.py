"""People's row of a board: from their sittings, which an organiser brings, else from the key."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from sqlalchemy import delete, func, select
from sqlalchemy.orm import Session

from readmark.core.errors import DataError, UsageError
from readmark.core.marksheet import REFERENCES
from readmark.core.splits import split_order
from readmark.server.audit import AuditAction, record
from readmark.server.clock import exam_of
from readmark.server.people_of_files import people_by_label
from readmark.server.project_work import work_of_project
from readmark.server.shared_tasks.jobs import add_job, is_waiting
from readmark.server.shared_tasks.submissions import safe_name
from readmark.server.shared_tasks.worker import PEOPLE, PEOPLE_MARKS
from readmark.server.stored_project import kept_about
from readmark.server.tables import Job, Person, Project, ProjectFile
from readmark.server.views import headers_of, newest_configuration, work_named
from readmark.works import PEOPLE as PEOPLE_FOLDER

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
        if self.splits:
            has_sittings = any(split["people"] for split in self.splits.values())
            has_references = any(split["who"] == REFERENCES for split in self.splits.values())
            return "panel" if has_sittings else "references" if has_references else "key"
        return "" if self.is_waiting or self.error else "none"


def people_row(session: Session, project_id: str) -> PeopleRow:
    """What is known of people's row; its marks are on the board."""
    sizes = session.execute(
        select(ProjectFile.name, func.length(ProjectFile.content))
        .where(ProjectFile.project_id == project_id, ProjectFile.role == PEOPLE)
        .order_by(ProjectFile.number)
    )
    files = [PeopleFile(name, size) for name, size in sizes]
    content = session.scalar(
        select(ProjectFile.content).where(
            ProjectFile.project_id == project_id, ProjectFile.role == PEOPLE_MARKS
        )
    )
    made: dict[str, Any] = {} if content is None else json.loads(content)
    failed = session.scalar(
        select(Job.error)
        .where(Job.kind == "people", Job.subject == project_id, Job.finished.is_not(None))
        .order_by(Job.number.desc())
        .limit(1)
    )
    return PeopleRow(
        files,
        {
            name: {
                "who": split.get("who", "people"),
                **{member: split[member] for member in ("method", "people", "units")},
            }
            for name, split in sorted(
                made.get("splits", {}).items(), key=lambda pair: split_order(pair[0] or None)
            )
        },
        list(made.get("notes", ())),
        failed or "",
        is_waiting(session, "people", project_id),
    )


def add_people(
    session: Session,
    project: Project,
    files: Mapping[str, bytes],
    *,
    of_people: Mapping[str, str] | None = None,
    by: str | None = None,
) -> None:
    """Keep files of people's sittings and let a worker mark them; one of a known name replaces it.

    Nothing of them is read here: a worker does that, in a process of its own. ``of_people`` has the
    person by file, where it is a copy of somebody's work in this hall; it is erased with them.
    """
    sources = dict(of_people or {})
    if sources:  # somebody may have been erased since their work was read
        wanted = select(Person.id).where(Person.id.in_(sources.values()))
        there = set(session.scalars(wanted.with_for_update(read=True)))
        files = {name: files[name] for name in files if sources.get(name) in (None, *there)}
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
        file = {"role": PEOPLE, "name": safe_name(name), "content": content, "person_id": by}
        file["of_person_id"] = sources.get(name)
        session.add(ProjectFile(project_id=project.id, **file))
    session.flush()
    count = session.scalar(
        select(func.count()).where(ProjectFile.project_id == project.id, ProjectFile.role == PEOPLE)
    )
    if (count or 0) > MOST_FILES:
        raise UsageError(f"at most {MOST_FILES} files; one file can have several people's sittings")
    add_job(session, "people", project.id)
    record(session, AuditAction.SITTING_ADDED, by, project.id, files=len(files))


def remove_people(session: Session, project: Project) -> None:
    """Forget all people's sittings; the row comes from the key again, if it can."""
    session.execute(
        delete(ProjectFile).where(ProjectFile.project_id == project.id, ProjectFile.role == PEOPLE)
    )
    add_job(session, "people", project.id)


# Sittings that people took in this hall.


def sat_projects(session: Session, project_id: str) -> list[Project]:
    """Projects in which people sit a test of the name and kind of the task's."""
    about = kept_about(session, project_id)
    found = []
    for project in session.scalars(select(Project).order_by(Project.slug)):
        is_same = any(
            (header.name, header.kind) == (about["name"], about["kind"])
            for header in headers_of(project)
        )
        if is_same and exam_of(newest_configuration(session, project.id)) is not None:
            found.append(project)
    return found


@dataclass(frozen=True)
class TakenSittings:
    """The sittings that people took in a project, as files, and whose each is."""

    files: Mapping[str, bytes]
    of_people: Mapping[str, str]


def people_of_project(session: Session, project: Project) -> TakenSittings:
    """The sittings of everybody in a project, as files."""
    work = work_named(newest_configuration(session, project.id).project.work)
    with tempfile.TemporaryDirectory(prefix="readmark-people-") as name:
        folder = Path(name)
        work.write(work_of_project(session, project.id), folder)
        paths = sorted((folder / PEOPLE_FOLDER).glob("*.jsonl"))
        if not paths:
            raise DataError(f"nobody has sat the test in the project {project.slug!r} yet")
        names = {f"{project.slug}-{path.name}": path for path in paths}
        labels = people_by_label(session, project.id)
        return TakenSittings(
            {name: path.read_bytes() for name, path in names.items()},
            {name: labels[path.stem].id for name, path in names.items()},
        )
