"""A team's submissions to a shared task: sending answers, and the list; pages and API."""

from __future__ import annotations

import secrets
import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Annotated

from fastapi import APIRouter, Depends, Form, Query, Request, UploadFile
from sqlalchemy.orm import Session
from starlette.responses import RedirectResponse, Response

from readmark.core.errors import DataError, ReadmarkError
from readmark.server.access import Reading, hall_of
from readmark.server.bodies import HallRoute
from readmark.server.operations.quotas import require_space
from readmark.server.routes.files import Upload
from readmark.server.routes.project_page import back_to
from readmark.server.shared_tasks.access import TaskPermitted, TeamMemberOnly, TeamOrOrganiser
from readmark.server.shared_tasks.options import PhaseName
from readmark.server.shared_tasks.routes.task_page import show_task_page
from readmark.server.shared_tasks.submission_state import (
    SubmissionState,
    state_of,
    submissions_of,
)
from readmark.server.shared_tasks.submissions import (
    KeyTaken,
    NewSubmission,
    TaskClosed,
    open_phase,
    receive,
    room_of,
)
from readmark.server.tables import Submission

pages = APIRouter(
    route_class=HallRoute, prefix="/tasks/{task}/submissions", include_in_schema=False
)
api = APIRouter(route_class=HallRoute, prefix="/api/tasks/{task}/submissions", tags=["tasks"])

_STORING = threading.BoundedSemaphore(4)
"""Requests that have their file in memory at a time; others wait."""
MOST_LISTED = 1000
"""Submissions in one answer."""


@dataclass(frozen=True)
class SentSubmission:
    """The fields of a form, or of a program's request."""

    file: UploadFile | None
    new: NewSubmission


def _sent(
    file: Upload = None,
    system: Annotated[str, Form(max_length=200)] = "",
    description: Annotated[str, Form(max_length=5000)] = "",
    is_ensemble: Annotated[bool, Form()] = False,
    key: Annotated[str, Form(max_length=64)] = "",
) -> SentSubmission:
    new = NewSubmission(
        system=system,
        description=description,
        is_ensemble=is_ensemble,
        file_name="" if file is None else file.filename or "",
        client_key=key or None,
    )
    return SentSubmission(file, new)


SubmissionForm = Annotated[SentSubmission, Depends(_sent)]


@pages.post("")
def upload_submission(
    request: Request, session: Reading, permitted: TeamMemberOnly, sent: SubmissionForm
) -> Response:
    """Submit a file. A form that is sent twice makes one submission."""
    try:
        try:
            submission, _ = _receive(request, permitted, sent)
        except KeyTaken:  # another file, in a form that the browser kept
            sent = replace(sent, new=replace(sent.new, client_key=None))
            submission, _ = _receive(request, permitted, sent)
    except ReadmarkError as error:
        status = getattr(error, "status", 422)
        return _team_page(request, session, permitted, status, form=sent.new, problem=str(error))
    address = f"/tasks/{permitted.project.slug}/submissions?sent={submission.number}"
    return RedirectResponse(address, 303)


@api.post("", status_code=201, responses={200: {"model": SubmissionState}})
def send_submission(
    request: Request,
    response: Response,
    session: Reading,
    permitted: TeamMemberOnly,
    sent: SubmissionForm,
) -> SubmissionState:
    """Submit a file of answers. With the ``key`` of an earlier request, that one is returned."""
    submission, is_new = _receive(request, permitted, sent)
    if not is_new:
        response.status_code = 200
    return state_of(
        session, permitted.project, permitted.options, submission, permitted.own_team.name
    )


def _receive(
    request: Request, permitted: TaskPermitted, sent: SentSubmission
) -> tuple[Submission, bool]:
    """Store an uploaded file in one transaction; it is acknowledged only after that."""
    file = sent.file
    if file is None or not file.filename:
        raise DataError("no file was chosen")
    assert permitted.person is not None
    with _STORING:
        file.file.seek(0)
        content = file.file.read()
        hall = hall_of(request)
        with hall.database.writing() as session:
            require_space(session, hall.settings, permitted.project, len(content))
            return receive(
                session,
                permitted.project,
                permitted.options,
                permitted.own_team,
                sent.new,
                content,
                by=permitted.person.id,
            )


@dataclass(frozen=True)
class SubmissionList:
    """Submissions, the newest first."""

    submissions: list[SubmissionState]


@dataclass(frozen=True, kw_only=True)
class TeamSubmissionsPage:
    """What the visitor's team has submitted, and the form for more with what is left of limits."""

    submissions: Sequence[SubmissionState]
    phase: PhaseName | None
    closed: str
    """Why nothing is accepted now; empty while something is."""
    per_day: int
    left_today: int
    per_phase: int
    left_in_phase: int
    form: NewSubmission
    """What the form has in it."""
    key: str
    """What tells the form from the same one sent twice."""
    most_mb: int
    """How large a file may be."""
    sent: int
    """The number of the submission that has just been stored."""

    @property
    def is_waiting(self) -> bool:
        """Whether the list will change by itself."""
        return any(state.is_waiting for state in self.submissions)


@pages.get("")
def show_submissions(
    request: Request,
    session: Reading,
    permitted: TeamOrOrganiser,
    sent: Annotated[int, Query(ge=0, le=10**9)] = 0,
) -> Response:
    """The form, the limits, and what the team has submitted."""
    if permitted.team is None:
        return back_to(permitted.project, "submissions")
    return _team_page(request, session, permitted, sent=sent)


def _team_page(
    request: Request,
    session: Session,
    permitted: TaskPermitted,
    status: int = 200,
    *,
    form: NewSubmission | None = None,
    sent: int = 0,
    problem: str = "",
) -> Response:
    project, options, team = permitted.project, permitted.options, permitted.own_team
    closed, phase, now = "", None, time.time()
    try:
        phase = open_phase(project, options, now)
    except TaskClosed as error:
        closed = str(error)
    room = room_of(session, project.id, team, phase, now)
    rows = session.execute(submissions_of(project, team)).all()
    view = TeamSubmissionsPage(
        submissions=[state_of(session, project, options, row, name) for row, name in rows],
        phase=phase,
        closed=closed,
        per_day=options.per_day,
        left_today=max(options.per_day - room.today, 0),
        per_phase=options.per_phase,
        left_in_phase=max(options.per_phase - room.in_phase, 0),
        form=form or NewSubmission(system=""),
        key=secrets.token_hex(16),
        most_mb=hall_of(request).settings.largest_upload >> 20,
        sent=sent,
    )
    template = "task_submissions.html"
    return show_task_page(
        request, permitted, "submissions", template, status, view=view, problem=problem
    )


@api.get("")
def list_submissions(
    session: Reading,
    permitted: TeamOrOrganiser,
    before: Annotated[int, Query(ge=0, le=2**31 - 1)] = 2**31 - 1,
    limit: Annotated[int, Query(ge=1, le=MOST_LISTED)] = MOST_LISTED,
) -> SubmissionList:
    """The submissions of the caller's team; for those who run the task, all of them.

    Of more than ``limit``, the next ones are those ``before`` the last number.
    """
    team = None if permitted.is_organiser else permitted.team
    query = submissions_of(permitted.project, team).where(Submission.number < before)
    rows = session.execute(query.limit(limit)).all()
    return SubmissionList(
        [
            state_of(session, permitted.project, permitted.options, submission, name)
            for submission, name in rows
        ]
    )
