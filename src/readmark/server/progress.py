"""How far a project is: what people have done, how long it takes, and how far they agree.

Agreement is that of ``readmark set agree`` on the files that the project's work writes.
"""

from __future__ import annotations

import tempfile
import threading
import time
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from statistics import median
from typing import Any

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from readmark.console import two_sides
from readmark.core.errors import ReadmarkError, UsageError
from readmark.core.version import __version__
from readmark.making.agreement.annotators import open_annotators
from readmark.making.agreement.command import agree, shared_work
from readmark.making.agreement.report import AgreementReport
from readmark.server.assignment import overlaps_of, people_per_item, workers_of
from readmark.server.log import done_in, last_event, seconds_of, work_of_project
from readmark.server.projects import items_of, newest_version
from readmark.server.tables import Assignment, Item, Person
from readmark.server.views import newest_configuration, work_named
from readmark.server.works.work import PersonsWork, ProjectWork, UnevenOverlap

NOT_YET = "agreement needs finished items of two people"
PEOPLE = "people"
"""The folder that a work writes each person's file into."""


# What is done and left, and the time that it takes.


@dataclass(frozen=True)
class PersonProgress:
    """How far a person is with a project's work."""

    person: str
    name: str
    done: int
    left: int
    late: int
    seconds: float
    """All time on the items, finished or not."""
    seconds_per_item: float | None
    """The median of the finished items."""
    last: float | None
    """When the last item was handed in."""


@dataclass(frozen=True)
class ProjectProgress:
    """How far a project's work is; items are complete when enough people have finished them."""

    items: int
    complete: int
    assigned: int
    done: int
    left: int
    late: int
    seconds_per_item: float | None
    people: tuple[PersonProgress, ...]


@dataclass(frozen=True)
class AssignmentProgress:
    """How far an assignment is."""

    assignment: Any
    """The row of it."""
    done: bool
    seconds: float
    handed_in: float | None

    def is_late(self, now: float) -> bool:
        """Whether it should be done by now and is not."""
        due = self.assignment.due
        return not self.done and due is not None and due < now


def assignment_progress(
    session: Session, project_id: str, *, purpose: str | None = "work"
) -> list[AssignmentProgress]:
    """How far every assignment is that has not been withdrawn."""
    query = select(*Assignment.__table__.columns).where(
        Assignment.project_id == project_id, Assignment.withdrawn.is_(None)
    )
    if purpose is not None:
        query = query.join(Item, Item.id == Assignment.item_id).where(Item.purpose == purpose)
    assignments = session.execute(query.order_by(Assignment.position)).all()
    seconds, done = seconds_of(session, project_id), done_in(session, project_id)
    return [
        AssignmentProgress(one, one.id in done, seconds.get(one.id, 0.0), done.get(one.id))
        for one in assignments
    ]


def project_progress(
    session: Session, project_id: str, *, now: float | None = None
) -> ProjectProgress:
    """How far a project and each of its people are with the real work."""
    now = time.time() if now is None else now
    # Somebody who left counts with what they finished: the rest goes to others.
    present = {person.id for person in workers_of(session, project_id)}
    configuration = newest_configuration(session, project_id)
    overlap = people_per_item(configuration, len(present))
    rows = [
        row
        for row in assignment_progress(session, project_id)
        if row.done or row.assignment.person_id in present
    ]
    own: dict[str, list[AssignmentProgress]] = {}
    finished: dict[str, int] = {}
    for row in rows:
        own.setdefault(row.assignment.person_id, []).append(row)
        finished[row.assignment.item_id] = finished.get(row.assignment.item_id, 0) + row.done
    rows_of_people = session.execute(select(Person.id, Person.name).where(Person.id.in_(list(own))))
    names = {row.id: row.name for row in rows_of_people}
    people = tuple(
        PersonProgress(
            person=person,
            name=names[person],
            done=sum(row.done for row in mine),
            left=sum(not row.done for row in mine),
            late=sum(row.is_late(now) for row in mine),
            seconds=sum(row.seconds for row in mine),
            seconds_per_item=_median(mine),
            last=max((row.handed_in for row in mine if row.handed_in), default=None),
        )
        for person, mine in sorted(own.items(), key=lambda pair: (names[pair[0]], pair[0]))
    )
    items = session.scalar(
        select(func.count()).where(Item.project_id == project_id, Item.purpose == "work")
    )
    overlaps: dict[str, int] = {}
    if isinstance(work_named(configuration.project.work), UnevenOverlap):
        own_items = items_of(session, project_id, "work")
        wanted = overlaps_of(own_items, configuration)
        overlaps = {item.id: wanted[item.name] for item in own_items if item.name in wanted}
    return ProjectProgress(
        items=items or 0,
        complete=sum(count >= overlaps.get(item, overlap) for item, count in finished.items()),
        assigned=len(rows),
        done=sum(row.done for row in rows),
        left=sum(not row.done for row in rows),
        late=sum(row.is_late(now) for row in rows),
        seconds_per_item=_median(rows),
        people=people,
    )


def _median(rows: Sequence[AssignmentProgress]) -> float | None:
    times = [row.seconds for row in rows if row.done]
    return median(times) if times else None


# Live agreement: what ``set agree`` says of the files that people's work makes.


@dataclass(frozen=True)
class LiveAgreement:
    """Agreement on finished items up to an event, by side where there are two; or why none."""

    event: int
    version: int
    reports: Mapping[str, AgreementReport]
    problem: str = ""

    def signature(self, report: AgreementReport) -> str:
        """One line that says what decided the figures."""
        parts = {
            "agree": "+".join(comparison.what for comparison in report.comparisons),
            "interval": "percentile",
            "draws": report.draws,
            "confidence": report.level,
            "seed": report.seed,
            "event": self.event,
            "configuration": self.version,
            "readmark": __version__,
        }
        return "|".join(f"{name}:{value}" for name, value in parts.items())

    def as_json(self) -> dict[str, Any]:
        """The documents of ``set agree --json``, each with its signature."""
        reports = [
            {"side": side or None, "signature": self.signature(report), **report.as_json()}
            for side, report in self.reports.items()
        ]
        about = {"event": self.event, "configuration": self.version}
        return {**about, "problem": self.problem or None, "reports": reports}


_CACHE: OrderedDict[tuple[str, int, int, int, float | None], LiveAgreement] = OrderedDict()
_CACHED = 32
_LOCK = threading.Lock()


def live_agreement(session: Session, project_id: str) -> LiveAgreement:
    """How far people agree on the items that they have finished; computed once per event."""
    event, version = last_event(session, project_id), newest_version(session, project_id).version
    # Withdrawing leaves no event.
    count, newest = session.execute(
        select(func.count(Assignment.withdrawn), func.max(Assignment.withdrawn)).where(
            Assignment.project_id == project_id
        )
    ).one()
    key = (project_id, event, version, count, newest)
    with _LOCK:
        if key in _CACHE:
            return _CACHE[key]
    made = _agreement(work_of_project(session, project_id), event, version)
    with _LOCK:
        _CACHE[key] = made
        while len(_CACHE) > _CACHED:
            _CACHE.popitem(last=False)
    return made


def _agreement(project: ProjectWork, event: int, version: int) -> LiveAgreement:
    people = [work for person in project.people if (work := _finished(person)).objects]
    if len(people) < 2:
        return LiveAgreement(event, version, {}, NOT_YET)
    with tempfile.TemporaryDirectory(prefix="readmark-agree-") as folder:
        try:
            work_named(project.configuration.project.work).write(
                replace(project, people=people), Path(folder)
            )
            files = sorted(str(path) for path in (Path(folder) / PEOPLE).glob("*"))
            if len(files) < 2:
                return LiveAgreement(event, version, {}, NOT_YET)
            reports = agreement_of_files(files, project.configuration.project.agree)
        except ReadmarkError as error:
            problem = str(error).replace(f"{folder}/{PEOPLE}/", "").replace(f"{folder}/", "")
            return LiveAgreement(event, version, {}, problem)
    return LiveAgreement(event, version, reports)


def agreement_of_files(files: list[str], wanted: Sequence[str]) -> dict[str, AgreementReport]:
    """A report for each side of files that hold two, else one; of what is ``wanted``, or of all."""
    sides = two_sides(files[0], None) or [("", None)]
    reports = {}
    for side, format in sides:
        people = open_annotators(files, format=format)
        shared = shared_work(people) if wanted else []
        compared = [name for name in wanted if name in shared]
        if wanted and not compared:
            raise UsageError(f"nobody has anything of {', '.join(wanted)} in common yet")
        report = agree(people, compared)
        annotators = tuple(
            replace(annotator, file=Path(annotator.file).name) for annotator in report.annotators
        )
        reports[side] = replace(report, annotators=annotators)
    return reports


def _finished(person: PersonsWork) -> PersonsWork:
    """A person's work on the items that are handed in."""
    objects = {name: own for name, own in person.objects.items() if name in person.finished}
    return replace(person, objects=objects)
