"""How people did in a test that they sat, with machines next to them, and the report of it.

Every figure is one of ``readmark people`` or ``readmark mark --people`` on the files of an export.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from readmark.core.errors import ReadmarkError, UsageError
from readmark.core.version import __version__
from readmark.formats.sheets import sheet_bytes
from readmark.marking import Mark, Marks, PeopleMarks, Slice, mark, people, usual_fields
from readmark.reporting import report
from readmark.server.clock import exam_of, required_exam
from readmark.server.configurations import newest_version
from readmark.server.exported_test import exported_test
from readmark.server.machine_sittings import machines_of
from readmark.server.newest_cache import NewestCache
from readmark.server.project_work import last_event, work_of_project
from readmark.server.tables import Assignment, Project

NOT_SAT, NOBODY, NO_KEY = "res_not_sat", "res_none", "res_no_key"
"""Why there are no results, as words of the pages."""


@dataclass(frozen=True)
class MarkRow:
    """A mark as a row of the table of results."""

    sort: str
    """``people`` together, a ``person`` or a ``machine``."""
    name: str
    field: str
    """Of a slice, with its ``value``; both are empty for the whole test."""
    value: str
    units: int
    metric: str
    mark: Mark


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

    def rows(self) -> Iterator[MarkRow]:
        """Every mark: of people together, of each person, and of each machine."""
        if self.people is not None:
            together = self.people
            yield from _rows("people", "", together.units, together.marks, together.by)
            for person, marks in together.each.items():
                yield from _rows("person", person, marks.units, marks.marks, {})
        for name, machine in (self.machines or {}).items():
            yield from _rows("machine", name, machine.units, machine.marks, machine.by)

    def as_csv(self) -> bytes:
        """Every mark as a row of a table."""
        columns = ["sort", "name", "field", "value", "units", "metric"]
        columns += ["score", "low", "high", "scale", "signature"]
        cells = (
            [
                *(row.sort, row.name, row.field, row.value, row.units, row.metric),
                *(row.mark.score, row.mark.low, row.mark.high, row.mark.scale, row.mark.signature),
            ]
            for row in self.rows()
        )
        lines = (["" if cell is None else str(cell) for cell in line] for line in cells)
        return b"".join(sheet_bytes("results.csv", columns, lines))


def _rows(
    sort: str,
    name: str,
    units: int,
    marks: Mapping[str, Mark],
    by: Mapping[str, Mapping[str, Slice]],
) -> Iterator[MarkRow]:
    for metric, whole in marks.items():
        yield MarkRow(sort, name, "", "", units, metric, whole)
    for field, parts in by.items():
        for value, part in parts.items():
            for metric, of_part in part.marks.items():
                yield MarkRow(sort, name, field, value, part.units, metric, of_part)


_RESULTS: NewestCache[SittingResults] = NewestCache(32)


def sitting_results(session: Session, project_id: str) -> SittingResults:
    """The results of everything that people have answered so far."""
    event, version = last_event(session, project_id), newest_version(session, project_id).version
    withdrawn = session.execute(  # which leaves no event
        select(func.count(Assignment.withdrawn), func.max(Assignment.withdrawn)).where(
            Assignment.project_id == project_id
        )
    ).one()
    machines = machines_of(session, project_id)
    key = (project_id, event, version, *withdrawn, *(machine.number for machine in machines))
    return _RESULTS.find(key, lambda: _results(session, project_id, event, version))


def _results(session: Session, project_id: str, event: int, version: int) -> SittingResults:
    project = work_of_project(session, project_id)
    exam = exam_of(project.configuration)
    if exam is None:
        return SittingResults(event, version, problem=NOT_SAT)
    items = len(project.items)
    unfinished = {
        person.person: (len(person.finished), items)
        for person in project.people
        if len(person.finished) < items and person.objects
    }
    machines = [machine.name for machine in machines_of(session, project_id)]
    with exported_test(exam, project, machines) as files:
        if not files.test.facts.keyed:
            return SittingResults(event, version, problem=NO_KEY)
        if not files.people and not files.machines:
            return SittingResults(event, version, problem=NOBODY)
        by = usual_fields(files.test)
        try:
            people_marks = people(files.test, *files.people, by=by) if files.people else None
            machine_marks = {
                name: mark(files.test, path, by=by, people=files.people)
                for name, path in files.machines.items()
            }
        except ReadmarkError as error:
            return SittingResults(event, version, problem=files.without_folder(str(error)))
        notes = [] if people_marks is None else people_marks.notes
        return SittingResults(
            event,
            version,
            people_marks,
            machine_marks,
            unfinished,
            notes=tuple(dict.fromkeys(files.without_folder(note) for note in notes)),
        )


def report_page(session: Session, project: Project, language: str) -> bytes:
    """The HTML report of machines compared with people, or of people alone."""
    work = work_of_project(session, project.id)
    machines = [machine.name for machine in machines_of(session, project.id)]
    with exported_test(required_exam(work.configuration), work, machines) as files:
        path = files.folder / "report.html"
        try:
            if files.machines:
                sittings = files.machines.values()
                report(files.test, *sittings, path=path, language=language, people=files.people)
            elif files.people:
                sheet = files.folder / "people.marks.jsonl"
                people(files.test, *files.people, by=usual_fields(files.test), marksheet=sheet)
                report(str(sheet), path=path, language=language)
            else:
                raise UsageError("nobody has answered anything yet")
        except ReadmarkError as error:
            error.args = (files.without_folder(str(error)),)
            raise
        return path.read_bytes()
