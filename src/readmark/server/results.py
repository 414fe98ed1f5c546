"""How people did in a test that they sat, with machines next to them.

Every figure is one of ``readmark people`` or ``readmark mark --people`` on the files of an export.
"""

from __future__ import annotations

import tempfile
import threading
from collections import OrderedDict
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from readmark.core.errors import DataError, ReadmarkError, UsageError, did_you_mean
from readmark.core.test import Test
from readmark.core.version import __version__
from readmark.formats.inputs import load
from readmark.formats.native_sitting import NATIVE_SITTING
from readmark.formats.registry import open_sitting
from readmark.formats.sheets import sheet_bytes
from readmark.marking import Mark, Marks, PeopleMarks, Slice, mark, people, usual_fields
from readmark.reporting import report
from readmark.server.audit import AuditAction, record
from readmark.server.baselines import quick_baselines
from readmark.server.clock import exam_of, required_exam
from readmark.server.log import last_event, work_of_project
from readmark.server.projects import newest_version
from readmark.server.tables import Assignment, Project, ProjectFile
from readmark.sitting import sit
from readmark.works import ProjectExam, ProjectWork

SAT = "sitting"
"""The role of a machine's sitting among a project's files."""
NOT_SAT, NOBODY, NO_KEY = "res_not_sat", "res_none", "res_no_key"
"""Why there are no results, as words of the pages."""


@dataclass(frozen=True)
class StoredMachine:
    """A machine's sitting that was uploaded."""

    number: int
    name: str


@dataclass(frozen=True)
class SittingResults:
    """What people and machines reached in a test, up to an event; or why there is nothing."""

    event: int
    version: int
    people: PeopleMarks | None = None
    machines: Mapping[str, Marks] | None = None
    unfinished: Mapping[str, tuple[int, int]] | None = None
    """People who have not handed in everything: how many items they have, of how many."""
    problem: str = ""
    notes: tuple[str, ...] = ()

    @property
    def signature(self) -> str:
        """What the files were exported from; every figure has a signature of its own."""
        return f"event:{self.event}|configuration:{self.version}|readmark:{__version__}"

    def as_json(self) -> dict[str, Any]:
        """The documents of ``people --json`` and ``mark --json``."""
        machines = (self.machines or {}).items()
        return {
            "event": self.event,
            "configuration": self.version,
            "signature": self.signature,
            "problem": self.problem or None,
            "people": None if self.people is None else self.people.as_json(),
            "machines": {name: marks.as_json() for name, marks in machines},
        }

    def rows(self) -> Iterator[tuple[str, str, str, str, int, str, Mark]]:
        """Every mark: sort, name, field, value, units, metric."""
        found = self.people
        if found is not None:
            yield from _rows("people", "", found.units, found.marks, found.by)
            for person, own in found.each.items():
                yield from _rows("person", person, own.units, own.marks, {})
        for name, marks in (self.machines or {}).items():
            yield from _rows("machine", name, marks.units, marks.marks, marks.by)

    def as_csv(self) -> bytes:
        """Every mark as a row of a table."""
        columns = ("sort", "name", "field", "value", "units", "metric")
        figures = ("score", "low", "high", "scale", "signature")
        rows = (
            [*map(str, about), *("" if cell is None else str(cell) for cell in _cells(found))]
            for *about, found in self.rows()
        )
        return b"".join(sheet_bytes("results.csv", [*columns, *figures], rows))


def _cells(found: Mark) -> tuple[Any, ...]:
    return found.score, found.low, found.high, found.scale, found.signature


def _rows(
    sort: str,
    name: str,
    units: int,
    marks: Mapping[str, Mark],
    by: Mapping[str, Mapping[str, Slice]],
) -> Iterator[tuple[str, str, str, str, int, str, Mark]]:
    for metric, mark_found in marks.items():
        yield sort, name, "", "", units, metric, mark_found
    for field, parts in by.items():
        for value, part in parts.items():
            for metric, mark_found in part.marks.items():
                yield sort, name, field, value, part.units, metric, mark_found


# Computing, once for each event.


_CACHE: OrderedDict[tuple[Any, ...], SittingResults] = OrderedDict()
_CACHED = 32
_LOCK = threading.Lock()


def sitting_results(session: Session, project_id: str) -> SittingResults:
    """The results of everything that people have answered so far."""
    event, version = last_event(session, project_id), newest_version(session, project_id).version
    withdrawn = session.execute(
        select(func.count(Assignment.withdrawn), func.max(Assignment.withdrawn)).where(
            Assignment.project_id == project_id
        )
    ).one()
    machines = machines_of(session, project_id)
    key = (project_id, event, version, *withdrawn, *(machine.number for machine in machines))
    with _LOCK:
        if key in _CACHE:
            return _CACHE[key]
    made = _results(session, project_id, event, version)
    with _LOCK:
        _CACHE[key] = made
        while len(_CACHE) > _CACHED:
            _CACHE.popitem(last=False)
    return made


def _results(session: Session, project_id: str, event: int, version: int) -> SittingResults:
    project = work_of_project(session, project_id)
    exam = exam_of(project.configuration)
    if exam is None:
        return SittingResults(event, version, problem=NOT_SAT)
    machines = machines_of(session, project_id)
    items = len(project.items)
    unfinished = {
        person.person: (len(person.finished), items)
        for person in project.people
        if len(person.finished) < items and person.objects
    }
    with _exported(exam, project, machines) as files:
        if not files.test.facts.keyed:
            return SittingResults(event, version, problem=NO_KEY)
        if not files.people and not files.machines:
            return SittingResults(event, version, problem=NOBODY)
        by = usual_fields(files.test)
        try:
            found = people(files.test, *files.people, by=by) if files.people else None
            marked = {
                name: mark(files.test, path, by=by, people=files.people)
                for name, path in files.machines.items()
            }
        except ReadmarkError as error:
            return SittingResults(event, version, problem=files.named(str(error)))
        notes = [] if found is None else [files.named(note) for note in found.notes]
    return SittingResults(
        event, version, found, marked, unfinished, notes=tuple(dict.fromkeys(notes))
    )


@dataclass(frozen=True)
class _Files:
    """The files of an export in a folder that is soon gone."""

    folder: str
    test: Test
    people: Sequence[str]
    machines: Mapping[str, str]

    def named(self, message: str) -> str:
        """A message that does not name the folder."""
        return message.replace(f"{self.folder}/", "")


@contextmanager
def _exported(
    exam: ProjectExam, project: ProjectWork, machines: Sequence[StoredMachine]
) -> Iterator[_Files]:
    with tempfile.TemporaryDirectory(prefix="readmark-results-") as folder:
        sat = exam.write_sat(project, Path(folder))
        people_files = [str(path) for path in sat.people]
        files = {machine.name: str(sat.machines[machine.name]) for machine in machines}
        yield _Files(folder, load(sat.test), people_files, files)


# Machines.


def machines_of(session: Session, project_id: str) -> list[StoredMachine]:
    """The machines' sittings of a project, in the order in which they came."""
    rows = session.execute(
        select(ProjectFile.number, ProjectFile.name)
        .where(ProjectFile.project_id == project_id, ProjectFile.role == SAT)
        .order_by(ProjectFile.number)
    )
    return [StoredMachine(row.number, row.name) for row in rows]


def quick_candidates(session: Session, project_id: str) -> list[str]:
    """Candidates of our own that can sit a project's test at once."""
    project = work_of_project(session, project_id)
    if exam_of(project.configuration) is None:
        return []
    return quick_baselines(project.header.kind)


@dataclass(frozen=True)
class MachineSitting:
    """A machine's sitting of a project's test before it is stored."""

    name: str
    content: bytes


def sat_by_machine(session: Session, project: Project, source: str | Path) -> MachineSitting:
    """A sitting of the project's test: a file, or a quick candidate's by its name.

    A sitting of another paper is refused. It takes its time, so nobody should wait for it.
    """
    work = work_of_project(session, project.id)
    with _exported(required_exam(work.configuration), work, ()) as files:
        if isinstance(source, str):
            known = quick_baselines(files.test.kind.name)
            if source not in known:
                raise UsageError(f"no quick candidate {source!r}; {did_you_mean(source, known)}")
            sitting = sit(files.test, source)
        else:
            sitting = open_sitting(source, files.test.kind)
        try:
            marked = mark(files.test, sitting, classes=False)
        except ReadmarkError as error:
            raise DataError(files.named(str(error))) from None
        path = Path(files.folder) / "uploaded.jsonl"
        NATIVE_SITTING.write_sitting(sitting, path)
        return MachineSitting(marked.candidate[:190] or "machine", path.read_bytes())


def add_machine(
    session: Session, project: Project, sat: MachineSitting, *, by: str | None = None
) -> None:
    """Store a machine's sitting, if there is none of its name."""
    if sat.name in {machine.name for machine in machines_of(session, project.id)}:
        raise UsageError(f"there is a sitting of {sat.name} already: remove it first")
    stored = ProjectFile(
        project_id=project.id, role=SAT, name=sat.name, content=sat.content, person_id=by
    )
    session.add(stored)
    session.flush()
    record(session, AuditAction.IMPORTED, by, project.id, sitting=stored.number)


def remove_machine(session: Session, project: Project, number: int) -> None:
    """Forget a machine's sitting."""
    found = session.get(ProjectFile, number)
    if found is None or found.project_id != project.id or found.role != SAT:
        raise UsageError("the project has no such sitting")
    session.delete(found)


# The report.


def report_page(session: Session, project: Project, language: str) -> bytes:
    """The HTML report of machines compared with people, or of people alone."""
    work = work_of_project(session, project.id)
    exam = required_exam(work.configuration)
    with _exported(exam, work, machines_of(session, project.id)) as files:
        path = Path(files.folder) / "report.html"
        try:
            if files.machines:
                report(
                    files.test,
                    *files.machines.values(),
                    path=path,
                    language=language,
                    people=files.people,
                )
            elif files.people:
                sheet = Path(files.folder) / "people.marks.jsonl"
                people(files.test, *files.people, by=usual_fields(files.test), marksheet=sheet)
                report(str(sheet), path=path, language=language)
            else:
                raise UsageError("nobody has answered anything yet")
        except ReadmarkError as error:
            error.args = (files.named(str(error)),)
            raise
        return path.read_bytes()
