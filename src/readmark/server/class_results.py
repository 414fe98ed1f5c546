"""The results of a class: who found what hard, question by question, and a machine's next to them.

Every figure is the library's: the pupils' files are written as an export has them, and marked.
"""

from __future__ import annotations

import json
import tempfile
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from sqlalchemy.orm import Session

from readmark.core.binding import paper_members
from readmark.core.errors import ReadmarkError, UsageError
from readmark.core.sitting import Sitting
from readmark.core.test import Test
from readmark.formats.registry import open_sitting
from readmark.hooks import hook
from readmark.reporting import ClassResults, mark_class
from readmark.server.account_errors import AccountError
from readmark.server.audit import AuditAction, record
from readmark.server.baselines import baselines
from readmark.server.classes import pupils_of
from readmark.server.configurations import newest_version
from readmark.server.machine_sittings import machines_of
from readmark.server.newest_cache import NewestCache
from readmark.server.people_of_files import people_by_label
from readmark.server.project_work import last_event, work_of_project
from readmark.server.tables import Classroom, Project, ProjectFile
from readmark.server.views import headers_of, work_named
from readmark.sitting import sit
from readmark.works import PEOPLE, ProjectWork

FEWEST_KEPT = 5
"""Fewer pupils than these could be recognised in the class's figures."""


@dataclass(frozen=True)
class DatedResults:
    """The results of a class up to an event."""

    event: int
    version: int
    """Of the project's configuration."""
    results: ClassResults

    def as_json(self) -> dict[str, Any]:
        """Everything on the page, by question and by pupil."""
        return {"event": self.event, "configuration": self.version, **self.results.as_json()}


_RESULTS: NewestCache[DatedResults] = NewestCache(16)
_MACHINE_SITTINGS: NewestCache[Sitting] = NewestCache(16)


def machine_choices(session: Session, project_id: str) -> dict[str, str]:
    """Machines to show next to pupils: uploaded sittings by number, and our own readers."""
    stored = {str(machine.number): machine.name for machine in machines_of(session, project_id)}
    return {**stored, **{name: name for name in _readers(session, project_id)}}


def best_reader(session: Session, project_id: str) -> str:
    """The reader of our own that a page shows next to pupils unless another is chosen."""
    return next(iter(_readers(session, project_id)), "")


def _readers(session: Session, project_id: str) -> list[str]:
    """Readmark's own readers, the best first; each takes seconds for the test of a class."""
    headers = headers_of(session.get_one(Project, project_id))
    return baselines(headers[0].kind)[::-1] if headers else []


def class_results(session: Session, classroom: Classroom, machine: str = "") -> DatedResults:
    """The results of a class so far, with those of a machine; computed once per event."""
    project_id = classroom.project_id
    choices = machine_choices(session, project_id)
    if machine and machine not in choices:
        raise UsageError(f"no machine {machine!r}; there are {', '.join(choices)}")
    event, version = last_event(session, project_id), newest_version(session, project_id).version
    labels = people_by_label(session, project_id)
    pupils = {person.id for person in pupils_of(session, classroom.id)}
    names = tuple(sorted(name for name, person in labels.items() if person.id in pupils))

    def compute() -> DatedResults:
        project = work_of_project(session, project_id)
        of_class = [person for person in project.people if person.person in names]
        stored = session.get(ProjectFile, int(machine)) if machine.isdecimal() else None
        reader = stored.content if stored is not None else machine
        try:
            results = _results(replace(project, people=of_class), reader, choices.get(machine, ""))
        except ReadmarkError as error:
            results = ClassResults(problem=str(error))
        return DatedResults(event, version, results)

    return _RESULTS.find((classroom.id, event, version, names, machine), compute)


def _results(project: ProjectWork, reader: str | bytes, machine: str) -> ClassResults:
    """``reader`` is the name of one of our own, or a machine's sitting as a file."""
    work = work_named(project.configuration.project.work)
    keyed_test = hook(work, "keyed_test")
    if keyed_test is None:
        raise UsageError("this kind of work has no right and wrong answers")
    test: Test = keyed_test(project)
    least = project.configuration.options.get("least_f1")
    with tempfile.TemporaryDirectory(prefix="readmark-class-") as folder:
        work.write(project, Path(folder))
        sittings = {
            path.stem: open_sitting(path, test.kind)
            for path in sorted((Path(folder) / PEOPLE).glob("*"))
        }

        def answers() -> Sitting | Path:
            if isinstance(reader, str):
                return _machine_sitting(test, reader)
            path = Path(folder, "machine.jsonl")
            path.write_bytes(reader)
            return path

        results = mark_class(
            test,
            sittings,
            finished={person.person: person.finished for person in project.people},
            least_f1=float(least) if isinstance(least, (int, float)) else None,
            machine=machine,
            machine_sitting=answers if machine else None,
        )
        return replace(results, problem=results.problem.replace(f"{folder}/", ""))


def _machine_sitting(test: Test, machine: str) -> Sitting:
    """A machine's answers, which stay the same while pupils work."""
    key = (json.dumps(paper_members(test), sort_keys=True, default=str), machine)
    return _MACHINE_SITTINGS.find(key, lambda: sit(test, machine))


def keep_results(
    session: Session, classroom: Classroom, dated: DatedResults, *, by: str | None = None
) -> None:
    """Store the class's figures without pseudonyms, so that they outlast the pupils' data."""
    if len(dated.results.pupils) < FEWEST_KEPT:
        raise AccountError("class_too_small_to_keep")
    about = {"event": dated.event, "configuration": dated.version}
    text = json.dumps({**about, **dated.results.without_pupils()}, ensure_ascii=False, indent=1)
    classroom.results = text
    record(
        session, AuditAction.CLASS_RESULTS_KEPT, by, classroom.project_id, classroom=classroom.id
    )
