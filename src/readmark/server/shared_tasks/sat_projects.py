"""Sittings that people took in a project of this hall, as files for people's row of a task."""

from __future__ import annotations

import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from sqlalchemy import select
from sqlalchemy.orm import Session

from readmark.core.errors import DataError
from readmark.server.clock import exam_of
from readmark.server.people_of_files import people_by_label
from readmark.server.project_work import work_of_project
from readmark.server.stored_project import kept_about
from readmark.server.tables import Project
from readmark.server.views import headers_of, newest_configuration, work_named
from readmark.works import PEOPLE as PEOPLE_FOLDER


def sat_projects(session: Session, project_id: str) -> list[Project]:
    """Projects in which people sit a test of the name and kind of the task's."""
    about = kept_about(session, project_id)
    projects = []
    for project in session.scalars(select(Project).order_by(Project.slug)):
        is_same = any(
            (header.name, header.kind) == (about["name"], about["kind"])
            for header in headers_of(project)
        )
        if is_same and exam_of(newest_configuration(session, project.id)) is not None:
            projects.append(project)
    return projects


@dataclass(frozen=True)
class TakenSittings:
    """The sittings that people took in a project, as files, and whose each is."""

    files: Mapping[str, bytes]
    of_people: Mapping[str, str]


def people_of_project(session: Session, project: Project) -> TakenSittings:
    """The sittings of everybody in a project, as its export has them."""
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
