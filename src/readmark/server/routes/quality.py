"""The quality of people's work: findings that somebody should look at, and notes on them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any

from fastapi import APIRouter, Form, Request
from pydantic import BaseModel
from sqlalchemy.orm import Session
from starlette.responses import Response

from readmark.core import numbers
from readmark.core.errors import ReadmarkError
from readmark.server.access import MayOrganise, Permitted, Reading, hall_of
from readmark.server.bodies import HallRoute
from readmark.server.items import item_counts
from readmark.server.people_of_files import people_by_label
from readmark.server.quality import NOT_YET, LiveQuality, live_quality
from readmark.server.quality_notes import notes_on, write_note
from readmark.server.routes.files import attachment, json_file
from readmark.server.routes.project_page import back_to, show_tab
from readmark.statistics.carelessness import QualityFinding

router = APIRouter(route_class=HallRoute, include_in_schema=False)
api = APIRouter(route_class=HallRoute, prefix="/api/projects", tags=["projects"])
SHOWN_IDS = 12
"""Items that a finding links to; the download has all."""
LONGEST = 60
"""Characters of an answer that are shown."""


@router.get("/projects/{project}/quality")
def show_quality(request: Request, session: Reading, permitted: MayOrganise) -> Response:
    """What somebody should look at in people's work."""
    return _show(request, session, permitted)


@dataclass(frozen=True)
class ShownFinding:
    """A finding, its numbers as pages show them, and the organisers' notes on it."""

    finding: QualityFinding
    numbers: Mapping[str, str]
    notes: Sequence[Mapping[str, Any]]


@dataclass(frozen=True)
class QualityPage:
    """What somebody should look at, and everybody's figures."""

    live: LiveQuality
    findings: Sequence[ShownFinding]
    earlier: Mapping[tuple[str, str], Sequence[Mapping[str, Any]]]
    """Notes on what is no finding any more, by person and code."""
    people: Mapping[str, str]
    """The ids of people by their labels."""
    counts: Mapping[str, int]
    """Items of each purpose."""
    shown_ids: int = SHOWN_IDS
    not_yet: str = NOT_YET


def _show(
    request: Request,
    session: Session,
    permitted: Permitted,
    status: int = 200,
    *,
    problem: str = "",
) -> Response:
    project_id = permitted.project.id
    live = live_quality(session, project_id)
    notes = notes_on(session, project_id)
    findings = () if live.report is None else live.report.findings
    about = {(finding.person, finding.code) for finding in findings}
    people = people_by_label(session, project_id)
    view = QualityPage(
        live=live,
        findings=[
            ShownFinding(finding, _numbers(finding), notes.get((finding.person, finding.code), ()))
            for finding in findings
        ],
        earlier={key: written for key, written in notes.items() if key not in about},
        people={label: person.id for label, person in people.items()},
        counts=item_counts(session, project_id),
    )
    return show_tab(request, session, permitted, "quality", status, view=view, problem=problem)


def _numbers(finding: QualityFinding) -> dict[str, str]:
    """The numbers of a finding as pages show them."""
    return {
        "count": f"{finding.count:,}",
        "total": f"{finding.total:,}",
        "share": numbers.percent(finding.count / finding.total if finding.total else None, 0),
        "low": numbers.percent(finding.low, 0),
        "high": numbers.percent(finding.high, 0),
        "expected": numbers.percent(finding.expected, 0),
        "field": finding.field,
        "other": finding.other if len(finding.other) <= LONGEST else f"{finding.other[:LONGEST]}…",
        "p": "" if finding.adjusted is None else f"p {numbers.p_words(finding.adjusted)}",
    }


@router.post("/projects/{project}/quality")
def note_finding(
    request: Request,
    session: Reading,
    permitted: MayOrganise,
    person: Annotated[str, Form()],
    code: Annotated[str, Form()],
    text: Annotated[str, Form()] = "",
) -> Response:
    """Keep the organiser's note on a finding."""
    try:
        _keep_note(request, permitted, person, code, text)
    except ReadmarkError as error:
        return _show(request, session, permitted, 422, problem=str(error))
    return back_to(permitted.project, "quality")


def _keep_note(request: Request, permitted: Permitted, person: str, code: str, text: str) -> None:
    with hall_of(request).database.writing() as writing:
        write_note(writing, permitted.project.id, person, code, text, by=permitted.person.id)


@router.get("/projects/{project}/quality.json")
def download_quality(session: Reading, permitted: MayOrganise) -> Response:
    """All findings with their numbers, as ``readmark set quality --json`` prints them."""
    document = live_quality(session, permitted.project.id).as_json()
    return attachment(json_file(document), f"{permitted.project.slug}-quality.json")


class NewQualityNote(BaseModel):
    """A note on a finding: whom and what the finding is about, and the text."""

    person: str
    code: str
    text: str


@api.get("/{project}/quality")
def get_quality(session: Reading, permitted: MayOrganise) -> dict[str, Any]:
    """Everybody's figures and the findings, as ``readmark set quality --json`` prints them."""
    return live_quality(session, permitted.project.id).as_json()


@api.get("/{project}/quality/notes")
def get_notes(session: Reading, permitted: MayOrganise) -> list[dict[str, Any]]:
    """The organisers' notes, by person and finding."""
    notes = notes_on(session, permitted.project.id)
    return [
        {"person": person, "code": code, **note}
        for (person, code), written in notes.items()
        for note in written
    ]


@api.post("/{project}/quality/notes", status_code=201)
def post_note(request: Request, permitted: MayOrganise, note: NewQualityNote) -> NewQualityNote:
    """Keep a note on a finding."""
    _keep_note(request, permitted, note.person, note.code, note.text)
    return note
