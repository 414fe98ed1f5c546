"""Sitting a shared task through the API: units out, answers in, resumable.

There are no pages: people do not sit shared tasks.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any

from fastapi import APIRouter, Depends, HTTPException, Request
from pydantic import BaseModel, Field
from sqlalchemy.orm import Session
from starlette.responses import Response, StreamingResponse

from readmark.server.access import Reading, hall_of
from readmark.server.bodies import HallRoute
from readmark.server.shared_tasks.access import TaskPermitted, TeamMemberOnly
from readmark.server.shared_tasks.api_sittings import (
    ORIGIN,
    SittingProgress,
    answered_units,
    finish,
    open_splits,
    progress,
    require_open,
    require_phase,
    require_units,
    store_rows,
)
from readmark.server.shared_tasks.served_papers import served_paper
from readmark.server.shared_tasks.submission_state import (
    SubmissionState,
    state_of,
    submissions_of,
)
from readmark.server.shared_tasks.submissions import NewSubmission, begin_submission
from readmark.server.stored_project import kept_about
from readmark.server.tables import Submission
from readmark.sitting import RemotePaper

api = APIRouter(route_class=HallRoute, prefix="/api/tasks/{task}/sittings", tags=["tasks"])


class NewSitting(BaseModel):
    """What somebody says about a system that is going to sit."""

    system: Annotated[str, Field(max_length=200)]
    description: Annotated[str, Field(max_length=5000)] = ""
    is_ensemble: bool = False
    key: Annotated[str, Field(max_length=64)] = ""


@dataclass(frozen=True)
class StoredAnswers:
    """What became of the rows of a request, and how far the sitting is."""

    stored: int
    answered: int
    units: int


async def _content(request: Request) -> bytes:
    return await request.body()


Content = Annotated[bytes, Depends(_content)]
_ROWS_SCHEMA: dict[str, Any] = {
    "requestBody": {
        "required": True,
        "content": {
            "application/x-ndjson": {"schema": {"type": "string"}},
            "application/json": {
                "schema": {
                    "type": "object",
                    "required": ["rows"],
                    "properties": {"rows": {"type": "array", "items": {"type": "object"}}},
                }
            },
        },
    }
}


@dataclass(frozen=True)
class _TeamSitting:
    """A sitting of the caller's team, with the splits that it is of."""

    submission: Submission
    team: str
    splits: list[str]


def _own_sitting(session: Session, permitted: TaskPermitted, submission_id: str) -> _TeamSitting:
    query = submissions_of(permitted.project, permitted.team).where(
        Submission.id == submission_id, Submission.origin == ORIGIN
    )
    row = session.execute(query).one_or_none()
    if row is None:
        raise HTTPException(404, "Not found.")
    about = kept_about(session, permitted.project.id)
    return _TeamSitting(row[0], row[1], open_splits(about, permitted.options, row[0].phase))


def _paper(session: Session, permitted: TaskPermitted) -> RemotePaper:
    paper = served_paper(session, permitted.project.id)
    session.commit()  # gives the connection back before a writer takes one
    return paper


def _progress(
    session: Session, permitted: TaskPermitted, submission: Submission
) -> SittingProgress:
    about = kept_about(session, permitted.project.id)
    return progress(session, submission, about, permitted.options)


@api.post("", status_code=201, responses={200: {"model": SittingProgress}})
def begin_sitting(
    request: Request,
    response: Response,
    session: Reading,
    permitted: TeamMemberOnly,
    new: NewSitting,
) -> SittingProgress:
    """Begin a sitting, which counts as a submission; with an earlier ``key``, go on with that."""
    assert permitted.person is not None
    about = kept_about(session, permitted.project.id)
    session.commit()
    described = NewSubmission(
        system=new.system,
        description=new.description,
        is_ensemble=new.is_ensemble,
        file_name="sitting.jsonl",
        client_key=new.key or None,
    )
    with hall_of(request).database.writing() as writing:
        submission, is_new = begin_submission(
            writing,
            permitted.project,
            permitted.options,
            permitted.own_team,
            described,
            by=permitted.person.id,
            origin=ORIGIN,
        )
        require_units(open_splits(about, permitted.options, submission.phase), submission.phase)
    if not is_new:
        response.status_code = 200
    return _progress(session, permitted, submission)


@api.get("/{submission}")
def get_sitting(session: Reading, permitted: TeamMemberOnly, submission: str) -> SittingProgress:
    """How many units of a sitting are answered."""
    sat = _own_sitting(session, permitted, submission)
    return _progress(session, permitted, sat.submission)


@api.get("/{submission}/units", response_class=StreamingResponse)
def get_units(
    session: Reading, permitted: TeamMemberOnly, submission: str, unanswered: bool = False
) -> Response:
    """The paper as native JSON lines: a header, then records without keys.

    With ``unanswered``, only records with units that have no answer yet.
    """
    sat = _own_sitting(session, permitted, submission)
    require_open(sat.submission)
    require_phase(permitted.project, permitted.options, sat.submission)
    hidden = permitted.options.hidden_splits(kept_about(session, permitted.project.id))
    paper = _paper(session, permitted)
    answered = answered_units(session, sat.submission.id, paper.kind.name) if unanswered else ()
    return StreamingResponse(
        paper.lines(sat.splits, hidden, answered), media_type="application/x-ndjson"
    )


@api.post("/{submission}/answers", openapi_extra=_ROWS_SCHEMA)
def send_answers(
    request: Request, session: Reading, permitted: TeamMemberOnly, submission: str, content: Content
) -> StoredAnswers:
    """Store rows of a native sitting, all of them or none. Sent again, they change nothing."""
    sat = _own_sitting(session, permitted, submission)
    require_open(sat.submission)
    require_phase(permitted.project, permitted.options, sat.submission)
    hidden = permitted.options.hidden_splits(kept_about(session, permitted.project.id))
    paper, hall = _paper(session, permitted), hall_of(request)
    rows = paper.read_rows(content, sat.splits, hidden)
    with hall.database.writing() as writing:
        store_rows(writing, sat.submission, rows, most_bytes=hall.settings.largest_upload)
    state = _progress(session, permitted, sat.submission)
    return StoredAnswers(len(rows), state.answered, state.units)


@api.post("/{submission}/finish")
def finish_sitting(
    request: Request, session: Reading, permitted: TeamMemberOnly, submission: str
) -> SubmissionState:
    """Hand in what is answered, to be marked; again, it changes nothing."""
    sat = _own_sitting(session, permitted, submission)
    paper = _paper(session, permitted)
    with hall_of(request).database.writing() as writing:
        handed_in = finish(writing, sat.submission, paper=paper, splits=sat.splits)
    return state_of(session, permitted.project, permitted.options, handed_in, sat.team)
