"""Machines next to people: sittings of a project's test that are uploaded, or sat at once."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from sqlalchemy import select
from sqlalchemy.orm import Session

from readmark.core.errors import DataError, ReadmarkError, UsageError, did_you_mean
from readmark.formats.native_sitting import NATIVE_SITTING
from readmark.formats.registry import open_sitting
from readmark.marking import mark
from readmark.server.audit import AuditAction, record
from readmark.server.baselines import quick_baselines
from readmark.server.clock import exam_of, required_exam
from readmark.server.exported_test import exported_test
from readmark.server.project_work import work_of_project
from readmark.server.tables import Project, ProjectFile
from readmark.sitting import sit

_ROLE = "sitting"
"""Of a machine's sitting among a project's files."""


@dataclass(frozen=True)
class StoredMachine:
    """A machine's sitting that a project has."""

    number: int
    name: str


@dataclass(frozen=True)
class MachineSitting:
    """A machine's sitting of a project's test before it is stored."""

    name: str
    content: bytes


def machines_of(session: Session, project_id: str) -> list[StoredMachine]:
    """The machines' sittings of a project, in the order in which they came."""
    rows = session.execute(
        select(ProjectFile.number, ProjectFile.name)
        .where(ProjectFile.project_id == project_id, ProjectFile.role == _ROLE)
        .order_by(ProjectFile.number)
    )
    return [StoredMachine(row.number, row.name) for row in rows]


def quick_candidates(session: Session, project_id: str) -> list[str]:
    """Candidates of our own that can sit a project's test at once."""
    project = work_of_project(session, project_id)
    if exam_of(project.configuration) is None:
        return []
    return quick_baselines(project.header.kind)


def sat_by_machine(session: Session, project: Project, source: str | Path) -> MachineSitting:
    """A sitting of the project's test: a file, or a quick candidate's by its name.

    A sitting of another paper is refused. It takes its time, so nobody should wait for it.
    """
    work = work_of_project(session, project.id)
    with exported_test(required_exam(work.configuration), work) as files:
        if isinstance(source, str):
            known = quick_baselines(files.test.kind.name)
            if source not in known:
                raise UsageError(f"no quick candidate {source!r}; {did_you_mean(source, known)}")
            sitting = sit(files.test, source)
        else:
            sitting = open_sitting(source, files.test.kind)
        try:
            marks = mark(files.test, sitting, classes=False)
        except ReadmarkError as error:
            raise DataError(files.without_folder(str(error))) from None
        path = files.folder / "uploaded.jsonl"
        NATIVE_SITTING.write_sitting(sitting, path)
        return MachineSitting(marks.candidate[:190] or "machine", path.read_bytes())


def add_machine(
    session: Session, project: Project, sat: MachineSitting, *, by: str | None = None
) -> None:
    """Store a machine's sitting, if there is none of its name."""
    if sat.name in {machine.name for machine in machines_of(session, project.id)}:
        raise UsageError(f"there is a sitting of {sat.name} already: remove it first")
    row = ProjectFile(
        project_id=project.id, role=_ROLE, name=sat.name, content=sat.content, person_id=by
    )
    session.add(row)
    session.flush()
    record(session, AuditAction.IMPORTED, by, project.id, sitting=row.number)


def remove_machine(session: Session, project: Project, number: int) -> None:
    """Forget a machine's sitting."""
    row = session.get(ProjectFile, number)
    if row is None or row.project_id != project.id or row.role != _ROLE:
        raise UsageError("the project has no such sitting")
    session.delete(row)
