"""Quality of people's work: the findings of ``readmark set quality``, and the organiser's notes."""

from __future__ import annotations

import tempfile
from collections import OrderedDict
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

from sqlalchemy import select
from sqlalchemy.orm import Session

from readmark.core.errors import ReadmarkError, UsageError
from readmark.making import (
    QUALITY_CODES,
    QualityReport,
    export_quality,
    reading_amount,
    write_quality_checks,
)
from readmark.server.audit import AuditAction, record
from readmark.server.log import people_by_label, work_of_project
from readmark.server.projects import items_of
from readmark.server.result_cache import ByState, ResultState
from readmark.server.tables import Person, QualityNote
from readmark.server.training import is_right
from readmark.server.views import CONTROL, REPEAT, item_of, work_named
from readmark.statistics.carelessness import EXPECTED, ItemTime, KnownAnswer
from readmark.works import PEOPLE, Configuration, ProjectWork, WorkItem

NOT_YET = "nobody has handed in anything yet"
MOST_EXPECTED = 0.95
"""Nobody is asked to get everything right."""
LONGEST_NOTE = 2000


@dataclass(frozen=True)
class LiveQuality:
    """Findings on handed-in work up to an event; or why there are none."""

    event: int
    version: int
    report: QualityReport | None
    problem: str = ""
    items: Mapping[str, str] = field(default_factory=dict)
    """The items of what findings name, by the ids there."""

    @property
    def signature(self) -> str:
        """One line that says what decided the findings."""
        about = f"event:{self.event}|configuration:{self.version}"
        return "" if self.report is None else f"{self.report.signature}|{about}"

    def as_json(self) -> dict[str, Any]:
        """The document of ``set quality --json``, with its event and signature."""
        report = {"people": [], "findings": []} if self.report is None else self.report.as_json()
        about = {"event": self.event, "configuration": self.version}
        return {**about, "problem": self.problem or None, **report, "signature": self.signature}


def expected_share(configuration: Configuration) -> float:
    """The share of known answers that people should get right: that of the qualifying items."""
    return min(configuration.project.qualify or EXPECTED, MOST_EXPECTED)


def live_quality(session: Session, project_id: str) -> LiveQuality:
    """The findings on what people have handed in; computed once per event."""
    return _LIVE.find(session, project_id)


def _live_quality(session: Session, project_id: str, state: ResultState) -> LiveQuality:
    project = work_of_project(session, project_id).finished()
    with tempfile.TemporaryDirectory(prefix="readmark-quality-") as name:
        folder = Path(name)
        try:
            work_named(project.configuration.project.work).write(project, folder)
            write_checks(session, project_id, project, folder)
            if not any((folder / PEOPLE).glob("*")):
                return LiveQuality(state.event, state.version, None, NOT_YET)
            report = export_quality(folder, expected=expected_share(project.configuration))
        except ReadmarkError as error:
            problem = str(error).replace(f"{folder}/", "")
            return LiveQuality(state.event, state.version, None, problem)
    wanted = {id for finding in report.findings for id in finding.ids}
    controls = items_of(session, project_id, CONTROL)
    items = _items(wanted, [*project.items, *map(item_of, controls)])
    return LiveQuality(state.event, state.version, report, items=items)


def _items(wanted: Collection[str], items: Iterable[WorkItem]) -> dict[str, str]:
    """The names of the items that ids are of: their own, or those of questions in them."""
    found: dict[str, str] = {}
    for item in items:
        record = item.paper.get("record")
        questions = record.get("questions", ()) if isinstance(record, Mapping) else ()
        ids = [str(question.get("id")) for question in questions if isinstance(question, Mapping)]
        found |= {id: item.name for id in (*ids, item.name) if id in wanted}
    return found


_LIVE = ByState(_live_quality)


def write_checks(session: Session, project_id: str, project: ProjectWork, folder: Path) -> None:
    """Write what ``set quality`` reads of an export besides people's work.

    That is the times of handed-in items, whether known answers are right, and the work on items
    that people got again; each only where there is any.
    """
    amounts = _amounts(project_id, project)
    times = [
        ItemTime(person.person, item.name, person.seconds[item.name], *amounts[item.name])
        for person in project.people
        for item in project.items
        if item.name in person.finished and item.name in person.seconds
    ]
    known = list(_known(work_of_project(session, project_id, CONTROL)))
    again = work_of_project(session, project_id, REPEAT).finished()
    work = work_named(project.configuration.project.work)
    write_quality_checks(folder, times, known, partial(work.write, again) if again.people else None)


def _known(controls: ProjectWork) -> list[KnownAnswer]:
    """Whether people got the controls right that they have handed in."""
    configuration = controls.configuration
    work = work_named(configuration.project.work)
    return [
        KnownAnswer(
            person.person,
            item.name,
            is_right(work, item, person.objects[item.name], configuration),
        )
        for person in controls.people
        for item in controls.items
        if item.name in person.finished
    ]


_AMOUNTS: OrderedDict[str, dict[str, tuple[int, str]]] = OrderedDict()
"""By project and item; items never change."""
_MOST_PROJECTS = 16


def _amounts(project_id: str, project: ProjectWork) -> dict[str, tuple[int, str]]:
    """How much there is to read in the longest text of each finished item, and its language."""
    known = _AMOUNTS.setdefault(project_id, {})
    while len(_AMOUNTS) > _MOST_PROJECTS:
        _AMOUNTS.popitem(last=False)
    finished = {name for person in project.people for name in person.finished}
    work = work_named(project.configuration.project.work)
    for item in project.items:
        if item.name in finished and item.name not in known:
            view = work.view(WorkItem(item.name, item.paper), project.configuration)
            texts = [
                (reading_amount(each.text, each.language), each.language) for each in view.texts
            ]
            known[item.name] = max(texts, default=(0, "en"))
    return known


# The organiser's notes.


def write_note(
    session: Session, project_id: str, person: str, code: str, text: str, *, by: str
) -> QualityNote:
    """Keep an organiser's note on a finding; notes are added and never changed."""
    text = text.strip()
    if not text or len(text) > LONGEST_NOTE:
        raise UsageError(f"a note has 1 to {LONGEST_NOTE} characters")
    if code not in QUALITY_CODES:
        raise UsageError(f"unknown finding {code[:40]!r}")
    subject = people_by_label(session, project_id).get(person)
    if subject is None:
        raise UsageError(f"the project knows nobody called {person[:80]!r}")
    note = QualityNote(
        project_id=project_id, person_id=subject.id, code=code, text=text, author_id=by
    )
    session.add(note)
    record(session, AuditAction.QUALITY_NOTE, by, project_id, person=subject.id, code=code)
    session.flush()
    return note


def notes_on(session: Session, project_id: str) -> dict[tuple[str, str], list[dict[str, Any]]]:
    """The notes by person and code, oldest first."""
    labels = {person.id: label for label, person in people_by_label(session, project_id).items()}
    notes: dict[tuple[str, str], list[dict[str, Any]]] = {}
    rows = session.execute(
        select(QualityNote, Person.name)
        .join(Person, Person.id == QualityNote.author_id)
        .where(QualityNote.project_id == project_id)
        .order_by(QualityNote.number)
    )
    for note, author in rows:
        about = {"text": note.text, "author": author, "created": note.created}
        notes.setdefault((labels.get(note.person_id, ""), note.code), []).append(about)
    return notes
