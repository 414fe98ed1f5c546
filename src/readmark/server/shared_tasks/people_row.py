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
from readmark.core.splits import split_order
from readmark.marking.people import REFERENCES
from readmark.server.accounts import AuditAction, record
from readmark.server.log import work_of_project
from readmark.server.projects import kept_about
from readmark.server.shared_tasks.jobs import add_job, is_waiting
from readmark.server.shared_tasks.submissions import safe_name
from readmark.server.shared_tasks.worker import PEOPLE, PEOPLE_MARKS
from readmark.server.tables import Job, Project, ProjectFile
from readmark.server.views import newest_configuration, work_named
from readmark.server.works.passages import PEOPLE as PEOPLE_FOLDER

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
    def origin(self) -> Literal["panel", "key", "references", "none", ""]:
        """Where it comes from; nothing while that is open."""
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
    session: Session, project: Project, files: Mapping[str, bytes], *, by: str | None = None
) -> None:
    """Keep files of people's sittings and let a worker mark them; one of a known name replaces it.

    Nothing of them is read here: a worker does that, in a process of its own.
    """
    if not files:
        raise DataError("no file was chosen")
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
        headers = json.loads(project.headers)
        is_same = any(
            header.get("name", "") == about["name"]
            and header.get("kind", "comprehension") == about["kind"]
            for header in headers
        )
        if is_same and newest_configuration(session, project.id).project.work == "sitting":
            found.append(project)
    return found


def people_of_project(session: Session, project: Project) -> dict[str, bytes]:
    """The sittings of everybody in a project, as files."""
    work = work_named(newest_configuration(session, project.id).project.work)
    with tempfile.TemporaryDirectory(prefix="readmark-people-") as name:
        folder = Path(name)
        work.write(work_of_project(session, project.id), folder)
        people = sorted((folder / PEOPLE_FOLDER).glob("*.jsonl"))
        if not people:
            raise DataError(f"nobody has sat the test in the project {project.slug!r} yet")
        return {f"{project.slug}-{path.name}": path.read_bytes() for path in people}
